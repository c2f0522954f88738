//! Definitions, and changes of import modules, in a program during loading.

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::loader::Loader;
use super::state::{Definer, Module, Name};
use crate::directives::acts::Bases;
use crate::directives::{Imports, LoadKind, loads};
use crate::language::Functor;
use crate::workspace::SourceFile;

impl Loader<'_> {
    /// Defines or declares a predicate in a module.
    pub(super) fn define(
        &mut self,
        module: &str,
        functor: &Functor,
        file: SourceFile,
        certain: bool,
        belongs: bool,
        clauses: bool,
    ) {
        let mut definer = Definer {
            file,
            clauses,
            certain,
            belongs,
            at: self.clock,
        };
        if self.is_autoloaded(module, functor) || self.overrides_nothing(module, functor) {
            self.image.early.insert(functor.clone(), file);
        }
        let names = &mut self.module(module).names;
        match names.get_mut(functor) {
            Some(Name::Local(all)) => {
                let known = all.iter_mut().find(|d| d.file == file);
                match known {
                    Some(known) => {
                        known.clauses |= clauses;
                        known.certain |= certain;
                    }
                    None => all.push(definer),
                }
            }
            // The clause is rejected, or added to the clause that calls a predicate by this name.
            Some(Name::Imported { listed: true, .. }) => {
                names.insert(functor.clone(), Name::Unclear(file, true));
            }
            Some(Name::Imported { .. }) if !certain => {
                names.insert(functor.clone(), Name::Unclear(file, false));
            }
            Some(Name::Unclear(_, listed)) if *listed || !certain => {}
            Some(Name::Imported { at, .. }) => {
                // Imports since the definition were rejected.
                definer.at = *at;
                names.insert(functor.clone(), Name::Local(vec![definer]));
            }
            Some(Name::Unclear(..)) | None => {
                names.insert(functor.clone(), Name::Local(vec![definer]));
            }
        }
    }

    /// Returns true if a module imports a name from a module that does not define it: SWI-Prolog has bound it to a built-in predicate, if
    /// one exists.
    fn overrides_nothing(&self, module: &str, functor: &Functor) -> bool {
        let of = |module: &str| self.image.modules.get(module);
        match of(module).and_then(|of| of.names.get(functor)) {
            Some(Name::Imported { from, there, .. }) => {
                !of(from).is_some_and(|from| from.names.contains_key(there))
            }
            _ => false,
        }
    }

    /// Returns true if an `autoload/2` list in a module contains the predicate.
    fn is_autoloaded(&self, module: &str, functor: &Functor) -> bool {
        let of = self.image.modules.get(module);
        let mut outside = of.into_iter().flat_map(|of| &of.outside);
        outside.any(|by| {
            let load = loads(self.db, by.file).loads.get(by.number);
            load.is_some_and(|load| {
                load.kind == LoadKind::Autoload
                    && matches!(&load.imports, Imports::Only(list) if list.contains_key(functor))
            })
        })
    }

    /// Changes the modules from which a module inherits.
    pub(super) fn change_bases(
        &mut self,
        module: &str,
        bases: &Bases,
        file: SourceFile,
        certain: bool,
    ) {
        let is_circle = match bases {
            Bases::Set(base) | Bases::First(base) | Bases::Last(base) => {
                self.inherits(base, module)
            }
            Bases::Without(_) | Bases::Unclear => Some(false),
        };
        match (bases, is_circle) {
            (_, Some(false)) => {}
            (Bases::Set(base), _) if base == module => return,
            // `add_import_module/3` rejects cycles; `set_module/1` creates them.
            (Bases::First(_) | Bases::Last(_), Some(true)) => return,
            _ => {
                self.module(module).bases_unclear = Some(file);
                self.image.is_circle |= matches!(bases, Bases::Set(_));
            }
        }
        let of = self.module(module);
        // Exported names without definitions may already be bound elsewhere.
        for functor in of.exports.clone() {
            of.names.entry(functor).or_insert(Name::Unclear(file, true));
        }
        match bases {
            _ if !certain => of.bases_unclear = Some(file),
            Bases::Unclear => of.bases_unclear = Some(file),
            Bases::Set(base) => of.bases = vec![base.clone()],
            // The position of an existing import module does not change.
            Bases::First(base) | Bases::Last(base) if of.bases.contains(base) => {}
            Bases::First(base) => of.bases.insert(0, base.clone()),
            Bases::Last(base) => of.bases.push(base.clone()),
            Bases::Without(base) => of.bases.retain(|b| b != base),
        }
    }

    /// Returns whether a module equals another or inherits from it. Returns `None` if that depends on unknown import modules.
    fn inherits(&self, module: &str, from: &str) -> Option<bool> {
        let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
        let mut stack: Vec<SmolStr> = vec![module.into()];
        let mut is_clear = true;
        while let Some(at) = stack.pop() {
            if at == from {
                return Some(true);
            }
            if seen.insert(at.clone()) {
                match self.image.modules.get(&at) {
                    Some(known) if known.bases_unclear.is_some() => is_clear = false,
                    Some(known) => stack.extend(known.bases.iter().cloned()),
                    None => stack.extend(Module::new(&at).bases),
                }
            }
        }
        is_clear.then_some(false)
    }
}
