//! The modules from which a module inherits, directly or indirectly.

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::Look;
use crate::directives::{Imports, LoadKind, loads};
use crate::language::Functor;
use crate::loading::image::{Module, Name, Outside, image, programs};
use crate::loading::is_home;
use crate::workspace::{Db, Role, SourceFile, is_installed};

/// Returns whether a module may inherit from itself, in a program that contains a file, so that SWI-Prolog stops reading with an error.
///
/// ```prolog
/// :- set_module(m1:base(m2)).      % if m2 inherits from m1
/// ```
pub fn is_in_a_circle(db: &dyn Db, file: SourceFile) -> bool {
    let is_given = file.role(db) == Role::Library || is_installed(db, file);
    !is_given && (programs(db, file).iter()).any(|&root| image(db, root).is_circle)
}

/// Returns whether a file belongs to a module, or its own module may inherit from that module. It may also inherit if a module's import
/// modules were changed in an unknown way.
pub(crate) fn inherits(db: &dyn Db, file: SourceFile, module: &str) -> bool {
    if is_home(db, file, module) {
        return true;
    }
    programs(db, file).iter().any(|&root| {
        let image = image(db, root);
        let Some(home) = image.homes.get(&file) else {
            return false;
        };
        let look = Look::new(db, root);
        let own = image.modules.get(home);
        let mut all = own
            .into_iter()
            .flat_map(|own| look.inherited(own).into_iter().chain([own]));
        home == module
            || all.any(|m| m.bases_unclear.is_some() || m.bases.iter().any(|base| base == module))
    })
}

impl<'db> Look<'db> {
    /// Returns the modules from which a module inherits, except unknown modules.
    pub(super) fn inherited(&self, module: &Module) -> Vec<&'db Module> {
        let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
        let mut waiting = module.bases.clone();
        let mut found = Vec::new();
        while let Some(base) = waiting.pop() {
            if !seen.insert(base.clone()) {
                continue;
            }
            match self.image.modules.get(&base) {
                Some(known) => {
                    found.push(known);
                    waiting.extend(known.bases.iter().cloned());
                }
                None => waiting.extend(Module::new(&base).bases),
            }
        }
        found
    }

    /// Returns whether a module may inherit a name although an `autoload/2` lists it. SWI-Prolog ignores the list for a name that is
    /// already visible: because it has a definition and was called, or because a list in an import module names it for the autoloader.
    ///
    /// ```prolog
    /// p(L) :- reverse(L, _).                       % reverse/2 of `user`, if `user` already has it
    /// :- autoload(library(lists), [reverse/2]).
    /// ```
    pub(super) fn hides_autoload(&self, module: &Module, functor: &Functor, by: Outside) -> bool {
        self.inherited(module).into_iter().any(|base| {
            let since = match base.names.get(functor) {
                Some(Name::Local(definers)) => definers[0].at,
                Some(Name::Imported { at, .. }) => *at,
                Some(Name::Unclear(..)) => 0,
                None => return false,
            };
            let (outside, _) = self.import_from_outside(base, functor, |_| true);
            since < by.at
                || outside.is_some_and(|(_, other)| other.at < by.at)
                || base
                    .outside
                    .iter()
                    .any(|&other| self.share_a_name(other, by))
        })
    }

    /// Returns true if the later of two lists for the autoloader is rejected.
    fn share_a_name(&self, one: Outside, two: Outside) -> bool {
        let listed = |by: Outside| match loads(self.db, by.file).loads.get(by.number) {
            Some(load) if load.kind == LoadKind::Autoload => match &load.imports {
                Imports::Only(list) => Some(list),
                Imports::All | Imports::Except(_) => None,
            },
            _ => None,
        };
        match (listed(one), listed(two)) {
            (Some(one_list), Some(two_list)) if one.at < two.at => {
                two_list.keys().any(|name| one_list.contains_key(name))
            }
            _ => false,
        }
    }
}
