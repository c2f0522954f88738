//! Looks up a name in a module of a loaded program: the module's own predicates, its imports, predicates inherited from its import modules,
//! then the autoloader.
//!
//! ```prolog
//! :- module(m1, [mm/1]).
//! mm(L) :- last(L, _).       % last/2 of `user` if the program has one, otherwise of library(lists)
//! ```

mod in_programs;
mod inherited;

use self::in_programs::{agreed, in_all_programs};
pub(crate) use self::inherited::inherits;
pub use self::inherited::is_in_a_circle;

use std::cell::LazyCell;

use costlens_catalog::{is_built_in, is_of_swi_prolog};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::reach::{
    Reach, Unsettled, exported, from_library, is_gathered, is_of_library, may_define, ordinal,
};
use crate::calls::changed_by;
use crate::definitions::{Predicate, find_written, shipped};
use crate::directives::{Imports, Load, LoadKind, facts, is_stated_in, loads};
use crate::language::{Functor, is_library, split};
use crate::loading::image::{Definer, Image, Module, Name, Outside, SYSTEM, image, programs};
use crate::loading::{USER, target};
use crate::workspace::{Db, Role, SourceFile, autoload, installed_as, is_installed, place_of};

/// Looks up a name in the module of a file, in every program that contains the file.
pub(super) fn look_from<'db>(db: &'db dyn Db, file: SourceFile, functor: &Functor) -> Reach<'db> {
    let meaning = |look: &Look<'db>| {
        let home = look.image.homes.get(&file)?;
        Some(look.meaning(file, home, functor))
    };
    let found = in_all_programs(db, file, meaning, agreed);
    let found = match found {
        Some(Ok(found)) => found,
        Some(Err(root)) => Reach::Unsettled(root, Unsettled::OtherProgram),
        None => Reach::Nothing,
    };
    match found {
        // An import list renames one of the file's own predicates to this name.
        Reach::Other(p) if p.file(db) == file => Reach::Unsettled(file, Unsettled::Renamed),
        found => found,
    }
}

/// Looks up a module-qualified name that occurs in a file. Returns `None` if no program with this file has the module.
pub(super) fn look_in<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    module: &str,
    functor: &Functor,
) -> Option<Reach<'db>> {
    let meaning = |look: &Look<'db>| {
        let is_known = matches!(module, USER | SYSTEM) || look.image.modules.contains_key(module);
        // Another program with this file may have such a module.
        Some(is_known.then(|| look.meaning(file, module, functor)))
    };
    let found = in_all_programs(db, file, meaning, |one, two| match (one, two) {
        (None, None) => Some(None),
        (Some(one), Some(two)) => agreed(one, two).map(Some),
        _ => None,
    });
    match found {
        Some(Ok(found)) => found,
        Some(Err(root)) => Some(Reach::Unsettled(root, Unsettled::OtherProgram)),
        None => None,
    }
}

/// Returns whether clauses that a file adds to a predicate of its module may be rejected, because an earlier directive imports the name in
/// a list.
///
/// ```prolog
/// :- use_module(tables, [row/2]).
/// row(1, 2).                       % "No permission to redefine imported_procedure"
/// ```
pub fn refused(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    if file.role(db) == Role::Library || is_installed(db, file) {
        return false;
    }
    programs(db, file).iter().any(|&root| {
        let look = Look::new(db, root);
        if look.bound_early(functor).is_some() {
            return true;
        }
        let home = look.image.homes.get(&file);
        let Some(module) = home.and_then(|home| look.image.modules.get(home)) else {
            return false;
        };
        match module.names.get(functor) {
            Some(Name::Imported { .. } | Name::Unclear(..)) => true,
            Some(Name::Local(definers)) => {
                let listed = |load: &Load| matches!(load.imports, Imports::Only(_));
                let (outside, _) = look.import_from_outside(module, functor, listed);
                outside.is_some_and(|(_, by)| by.at < definers[0].at)
            }
            None => false,
        }
    })
}

/// Returns another file that adds clauses to a predicate of the same module, in a program that contains the file.
pub(super) fn defined_beside(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<SourceFile> {
    if file.role(db) == Role::Library || is_installed(db, file) {
        return None;
    }
    programs(db, file).iter().find_map(|&root| {
        let image = image(db, root);
        let module = image.modules.get(image.homes.get(&file)?)?;
        let Some(Name::Local(definers)) = module.names.get(functor) else {
            return None;
        };
        let mut others = definers.iter().filter(|d| d.clauses && d.file != file);
        others.next().map(|d| d.file)
    })
}

pub(super) struct Look<'db> {
    db: &'db dyn Db,
    root: SourceFile,
    image: &'db Image,
    /// True if missing files are assumed not to define a name, unless an import list contains it.
    overlooks_missing: bool,
}

/// The state of a name in one module.
enum Here<'db> {
    Reached(Reach<'db>),
    Imported(SmolStr, Functor),
    Nothing,
}

impl<'db> Look<'db> {
    /// Creates a lookup in the program with this root file.
    pub(super) fn new(db: &'db dyn Db, root: SourceFile) -> Self {
        Look {
            db,
            root,
            image: image(db, root),
            overlooks_missing: false,
        }
    }

    /// Resolves a name in a module. A missing file that is imported as a whole could define any name; the lookup nevertheless assumes that
    /// the name refers to a library predicate or a built-in, and [`assumed`](super::assumed) reports this assumption.
    ///
    /// ```prolog
    /// :- use_module(app(tools)).      % not found
    /// p(L) :- last(L, _).             % last/2 of library(lists), as in SWI-Prolog without tools
    /// ```
    fn meaning(&self, file: SourceFile, module: &str, functor: &Functor) -> Reach<'db> {
        let here = self.all_known(file, module, functor);
        if !matches!(here, Reach::Missing(..)) {
            return here;
        }
        let overlooking = self.overlooking();
        match overlooking.find(module, functor) {
            None => match overlooking.at_last(file, module, functor) {
                Reach::Nothing if !is_of_swi_prolog(&functor.name, functor.arity) => here,
                found => found,
            },
            Some(_) => here,
        }
    }

    /// Returns the missing file that [`meaning`](Self::meaning) assumes not to define a name: the file with the directive, and the
    /// directive's index.
    pub(super) fn overlooked(
        &self,
        file: SourceFile,
        functor: &Functor,
    ) -> Option<(SourceFile, u32)> {
        let (module, plain) = match split(functor) {
            Some((module, plain)) => (SmolStr::from(module), plain),
            None => (self.image.homes.get(&file)?.clone(), functor.clone()),
        };
        let Reach::Missing(at, load) = self.all_known(file, &module, &plain) else {
            return None;
        };
        let is_missing = matches!(self.meaning(file, &module, &plain), Reach::Missing(..));
        (!is_missing).then_some((at, load))
    }

    /// Returns whether no file of the program defines a name that a file uses.
    pub(super) fn is_left_to_library(&self, file: SourceFile, functor: &Functor) -> bool {
        self.image.homes.get(&file).is_some_and(|home| {
            self.overlooking().find(home, functor).is_none()
                && !matches!(self.meaning(file, home, functor), Reach::Missing(..))
        })
    }

    fn overlooking(&self) -> Self {
        Look {
            overlooks_missing: true,
            ..*self
        }
    }

    fn all_known(&self, file: SourceFile, module: &str, functor: &Functor) -> Reach<'db> {
        self.find(module, functor)
            .unwrap_or_else(|| self.at_last(file, module, functor))
    }

    /// Looks up a name in a module, without the autoloader.
    fn find(&self, module: &str, functor: &Functor) -> Option<Reach<'db>> {
        if let Some(by) = self.bound_early(functor) {
            return Some(Reach::Unsettled(by, Unsettled::Early));
        }
        let mut seen: FxHashSet<(SmolStr, Functor)> = FxHashSet::default();
        let mut stack: Vec<(SmolStr, Functor)> = vec![(module.into(), functor.clone())];
        // A built-in hides the predicates of further import modules.
        let mut behind_system = None;
        let (mut imported, mut renamed) = (false, false);
        while let Some((at, functor)) = stack.pop() {
            if !seen.insert((at.clone(), functor.clone())) {
                continue;
            }
            if at == SYSTEM && !stack.is_empty() {
                let of = self.image.modules.get(module).and_then(|m| m.file);
                behind_system = of.or(Some(self.root));
            }
            let Some(module) = self.image.modules.get(&at) else {
                let base = match &*at {
                    SYSTEM => continue,
                    USER => SYSTEM,
                    _ => USER,
                };
                stack.push((base.into(), functor));
                continue;
            };
            match self.here(&at, module, &functor) {
                Here::Reached(found) => {
                    return Some(match behind_system {
                        Some(file) if at != SYSTEM => Reach::Unsettled(file, Unsettled::Bases),
                        _ => found,
                    });
                }
                Here::Imported(from, there) => {
                    if there != functor && renamed {
                        // Each name has its own clause, which calls the next name; only one of these calls is counted.
                        let by = module.file.unwrap_or(self.root);
                        return Some(Reach::Unsettled(by, Unsettled::Renamed));
                    }
                    renamed |= there != functor;
                    imported = true;
                    stack = vec![(from, there)];
                }
                Here::Nothing => {
                    if imported {
                        // The binding depends on the predicates that the module inherits when the call is compiled.
                        let by = module.file.unwrap_or(self.root);
                        return Some(Reach::Unsettled(by, Unsettled::Early));
                    }
                    if let Some(by) = module.bases_unclear {
                        return Some(Reach::Unsettled(by, Unsettled::Bases));
                    }
                    let bases = module.bases.iter().rev();
                    stack.extend(bases.map(|base| (base.clone(), functor.clone())));
                }
            }
        }
        None
    }

    /// Returns the file that adds clauses to `system`, or imports a name before the module provides it. In SWI-Prolog, the binding of a
    /// call then depends on when the call is compiled.
    ///
    /// ```prolog
    /// system:last(_, _) :- other.
    /// ```
    fn bound_early(&self, functor: &Functor) -> Option<SourceFile> {
        if let Some(&by) = self.image.early.get(functor) {
            return Some(by);
        }
        match self.image.modules.get(SYSTEM)?.names.get(functor)? {
            Name::Local(definers) => definers.first().map(|by| by.file),
            Name::Unclear(by, _) => Some(*by),
            Name::Imported { .. } => self.image.modules.get(SYSTEM)?.file.or(Some(self.root)),
        }
    }

    fn here(&self, at: &str, module: &'db Module, functor: &Functor) -> Here<'db> {
        let name = module.names.get(functor);
        if let (Some(one), Some(two)) = (module.file, module.twin) {
            return Here::Reached(Reach::Ambiguous(one, two));
        }
        let (outside, missing) =
            self.import_from_outside(module, functor, |load| load.kind != LoadKind::Autoload);
        match name {
            Some(Name::Local(definers)) => match outside {
                // SWI-Prolog rejects clauses that follow an import list with their name.
                Some((found, by)) if by.at < definers[0].at && self.is_listed(by) => {
                    Here::Reached(found)
                }
                _ => Here::Reached(self.local(at, module, functor, definers)),
            },
            Some(Name::Imported {
                from, there, at, ..
            }) => match outside {
                Some((found, by)) if by.at < *at => Here::Reached(found),
                _ => Here::Imported(from.clone(), there.clone()),
            },
            Some(Name::Unclear(by, _)) => {
                Here::Reached(Reach::Unsettled(*by, Unsettled::Condition))
            }
            None => {
                let found = outside.map(|(found, _)| found).or(missing);
                let found = found.or_else(|| {
                    let listed = |load: &Load| {
                        load.kind == LoadKind::Autoload && matches!(load.imports, Imports::Only(_))
                    };
                    let (outside, missing) = self.import_from_outside(module, functor, listed);
                    match outside {
                        Some((_, by)) if self.hides_autoload(module, functor, by) => {
                            Some(Reach::Unsettled(by.file, Unsettled::Listed))
                        }
                        Some((found, _)) => Some(found),
                        None => missing,
                    }
                });
                found.map_or(Here::Nothing, Here::Reached)
            }
        }
    }

    fn is_listed(&self, by: Outside) -> bool {
        let load = loads(self.db, by.file).loads.get(by.number);
        load.is_some_and(|load| matches!(load.imports, Imports::Only(_)))
    }

    /// Returns the first import of a name from a file that is not loaded in the image, with its directive; and the first missing file that
    /// may provide the name.
    fn import_from_outside(
        &self,
        module: &Module,
        functor: &Functor,
        wanted: impl Fn(&Load) -> bool,
    ) -> (Option<(Reach<'db>, Outside)>, Option<Reach<'db>>) {
        let mut missing = None;
        let shipped = LazyCell::new(|| shipped(self.db, functor));
        for &by in &module.outside {
            let Some(load) = loads(self.db, by.file).loads.get(by.number) else {
                continue;
            };
            let Some(there) = load.imports.there(functor).filter(|_| wanted(load)) else {
                continue;
            };
            let number = ordinal(by.number);
            let from_library = || match there == functor {
                true => is_of_library(self.db, &load.spec, (*shipped)?),
                false => from_library(self.db, &load.spec, there),
            };
            let found = from_library().or_else(|| {
                match target(self.db, by.file, by.number) {
                    Some(other) if installed_as(self.db, other).is_some() => {
                        exported(self.db, other, there)
                    }
                    // A file of the user that is loaded when one of its predicates is first called.
                    Some(other) => {
                        let name = facts(self.db, other).module.as_ref()?;
                        facts(self.db, other).is_exported(there).then_some(())?;
                        self.find(name, there)
                    }
                    None if is_library(&load.spec)
                        && is_stated_in(self.db, &load.spec.path, there) =>
                    {
                        Some(Reach::Missing(by.file, number))
                    }
                    None => None,
                }
            });
            match found {
                Some(Reach::Missing(at, n)) if self.is_overlooked(at, n) => {}
                Some(found @ Reach::Missing(at, n)) if (at, n) != (by.file, number) => {
                    missing = missing.or(Some(found));
                }
                // Loading the module's own file reverts the import.
                Some(_) if by.is_before => {
                    return (
                        Some((Reach::Unsettled(by.file, Unsettled::Early), by)),
                        missing,
                    );
                }
                Some(_) if !by.certain => {
                    return (Some((Reach::Conditional(by.file, number), by)), missing);
                }
                Some(found) => return (Some((found, by)), missing),
                None => {
                    let listed = matches!(load.imports, Imports::Only(_));
                    if target(self.db, by.file, by.number).is_none()
                        && may_define(load, listed)
                        && !self.is_overlooked(by.file, number)
                    {
                        let this = Some(Reach::Missing(by.file, number));
                        // A name in an import list comes from the listed file.
                        missing = if listed { this } else { missing.or(this) };
                    }
                }
            }
        }
        (None, missing)
    }

    /// Returns whether the missing file of a directive is assumed not to define the name.
    fn is_overlooked(&self, at: SourceFile, number: u32) -> bool {
        let load = loads(self.db, at).loads.get(number as usize);
        self.overlooks_missing && load.is_some_and(|l| !matches!(l.imports, Imports::Only(_)))
    }

    /// Returns the definition or declaration of a name by the files of a module.
    fn local(
        &self,
        at: &str,
        module: &Module,
        functor: &Functor,
        definers: &[Definer],
    ) -> Reach<'db> {
        let own = definers.iter().filter(|d| d.belongs);
        let mut own: Vec<(Predicate<'db>, bool)> = own
            .filter_map(|d| Some((find_written(self.db, d.file, functor)?, d.certain)))
            .collect();
        if own.is_empty() {
            // A multifile predicate without clauses in this module's files.
            let is_users =
                at == USER && self.image.homes.get(&self.root).is_some_and(|m| m == USER);
            let host = module.file.or(is_users.then_some(self.root));
            let hosted = host.and_then(|host| find_written(self.db, host, functor));
            own.extend(hosted.map(|p| (p, true)));
        }
        match *own {
            [] => {
                let given = definers.iter().find(|d| d.clauses);
                match given {
                    Some(by) => Reach::Unsettled(by.file, Unsettled::Given),
                    None => Reach::Unsettled(definers[0].file, Unsettled::Declared),
                }
            }
            [(one, certain)] if certain || one.conditional(self.db) => Reach::Other(one),
            [(one, _)] => Reach::Unsettled(one.file(self.db), Unsettled::Condition),
            [(one, _), ..] if is_gathered(self.db, one) => Reach::Other(one),
            [(one, _), (two, _), ..] => Reach::Ambiguous(one.file(self.db), two.file(self.db)),
        }
    }

    /// Returns a file with goals that add or remove clauses of a predicate in a module, or in `user` if the module inherits from it. If the
    /// predicate does not exist, these goals create it.
    ///
    /// ```prolog
    /// learn(X) :- assertz((member(X, [X|_]) :- known(X))).     % from then on no call here means member/2 of library(lists)
    /// ```
    fn changed_in(&self, module: &str, functor: &Functor) -> Option<SourceFile> {
        let homes = self.image.homes.iter();
        let files = homes.filter(|(_, home)| *home == module || *home == USER);
        let changes = |&file: &SourceFile| {
            facts(self.db, file).dynamic.contains(functor)
                || changed_by(self.db, file, functor).is_some()
        };
        let changing = files.map(|(&file, _)| file).filter(changes);
        changing.min_by_key(|&file| place_of(self.db, file))
    }

    /// Returns the predicate that is loaded when an undefined name is first called.
    fn at_last(&self, file: SourceFile, module: &str, functor: &Functor) -> Reach<'db> {
        if let Some(of) = self.image.modules.get(module) {
            let (outside, missing) =
                self.import_from_outside(of, functor, |l| l.kind == LoadKind::Autoload);
            if let Some(found) = outside.map(|(found, _)| found).or(missing) {
                return found;
            }
        }
        let shipped = shipped(self.db, functor);
        let library = match shipped {
            Some(_) => None,
            None => autoload(self.db, functor)
                .filter(|&library| library != file && facts(self.db, file).autoloads),
        };
        let name = match (shipped, library) {
            (Some(found), _) => Some(found.file(self.db).path(self.db)),
            (None, Some(library)) => installed_as(self.db, library),
            (None, None) => None,
        };
        let Some(name) = name else {
            // If SWI-Prolog is not installed, the catalogue lists the predicates that it would load.
            let is_of_library = is_of_swi_prolog(&functor.name, functor.arity)
                && !is_built_in(&functor.name, functor.arity);
            return match self.image.no_autoload {
                Some(by) if is_of_library => Reach::Unsettled(by, Unsettled::NoAutoload),
                _ => Reach::Nothing,
            };
        };
        if let Some(by) = self.image.no_autoload {
            return Reach::Unsettled(by, Unsettled::NoAutoload);
        }
        let stem = name.rsplit('/').next().unwrap_or_default();
        if let Some(by) = self.image.modules.get(stem).and_then(|m| m.file) {
            return Reach::Unsettled(by, Unsettled::LibraryName);
        }
        if let Some(by) = self.changed_in(module, functor) {
            return Reach::Unsettled(by, Unsettled::Changed);
        }
        match (shipped, library) {
            (Some(found), _) => Reach::Shipped(found),
            (None, Some(library)) => exported(self.db, library, functor).unwrap_or(Reach::Nothing),
            (None, None) => Reach::Nothing,
        }
    }
}
