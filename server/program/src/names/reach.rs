//! The meaning of a name in a file: the file's own predicate, an imported predicate, a predicate of the file that includes it, or a library
//! predicate.

use costlens_syntax::FileSpec;
use rustc_hash::FxHashSet;

use super::image_lookup::{defined_beside, look_from};
use super::module_members::reach_in_module;
use crate::definitions::{Predicate, extending, find_written, gathered, shipped, shipped_in};
use crate::directives::{Imports, Load, LoadKind, facts, loads};
use crate::language::{Functor, FunctorKey, is_library, split};
use crate::loading::{file_named, home_module, is_part, target, unit};
use crate::workspace::{Db, Role, SourceFile, autoload, is_installed, place_of};

/// The predicate to which a name in a file refers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub enum Reach<'db> {
    /// A predicate of the file itself.
    Own(Predicate<'db>),
    /// A predicate of the library that ships with Costlens.
    Shipped(Predicate<'db>),
    /// A predicate of another file.
    Other(Predicate<'db>),
    /// Two or more files of the same module define the name; these are two of them.
    Ambiguous(SourceFile, SourceFile),
    /// The name may come from an unknown file: the file with the directive that loads it, and the directive's index in [`loads`].
    Missing(SourceFile, u32),
    /// The name may come from a known file that is loaded only if a condition (`:- if`) holds; same fields as `Missing`.
    Conditional(SourceFile, u32),
    /// The name cannot be resolved, because of this file.
    Unsettled(SourceFile, Unsettled),
    /// No known file defines the name.
    Nothing,
}

/// The reason why a name cannot be resolved although all files are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub enum Unsettled {
    /// The file adds clauses for the name to another module (`m:p(X) :- …`), and nothing else defines the name.
    Given,
    /// The file declares the name without clauses: `:- dynamic p/1`.
    Declared,
    /// The file defines or imports the name only if a condition holds.
    Condition,
    /// The file changes the import modules of the module in an unknown way.
    Bases,
    /// The name refers to another predicate in the program whose root is the file.
    OtherProgram,
    /// An import list renames a predicate of the file to this name.
    Renamed,
    /// The file adds clauses to `system`, or imports the name before the module provides it.
    Early,
    /// The file lists the name for the autoloader, and the module may already inherit another predicate with this name.
    Listed,
    /// The name would come from the library, but the file turns autoloading off.
    NoAutoload,
    /// The name would come from the library, but the file uses the name of the library's module.
    LibraryName,
    /// The name would come from the library, but goals of the file add or remove clauses of a predicate with this name.
    Changed,
}

impl<'db> Reach<'db> {
    /// Returns the predicate, if the name resolves to a predicate.
    #[must_use]
    pub fn predicate(self) -> Option<Predicate<'db>> {
        match self {
            Reach::Own(p) | Reach::Shipped(p) | Reach::Other(p) => Some(p),
            Reach::Ambiguous(..)
            | Reach::Missing(..)
            | Reach::Conditional(..)
            | Reach::Unsettled(..)
            | Reach::Nothing => None,
        }
    }
}

/// Resolves a name, ignoring predicates made by specialisation.
pub(crate) fn reach_written<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Reach<'db> {
    if let Some(own) = find_written(db, file, functor) {
        return Reach::Own(own);
    }
    if let Some((module, plain)) = split(functor) {
        return reach_in_module(db, file, module, &plain);
    }
    if file.role(db) == Role::Library {
        return match shipped_in(db, file, functor) {
            Some(found) => Reach::Shipped(found),
            None => Reach::Nothing,
        };
    }
    reach_from(db, file, FunctorKey::new(db, functor.clone()))
}

/// *Invalidated* when a directive or an export list changes in the files that belong together, or when a predicate is added or removed.
#[salsa::tracked(returns(copy))]
fn reach_from<'db>(db: &'db dyn Db, file: SourceFile, key: FunctorKey<'db>) -> Reach<'db> {
    let functor = key.functor(db);
    let found = match is_installed(db, file) {
        true => reach_in_library(db, file, functor),
        false => look_from(db, file, functor),
    };
    match found {
        // Names of the system's own predicates: no file of a program defines them.
        Reach::Missing(..) if functor.name.starts_with('$') => Reach::Nothing,
        found => found,
    }
}

/// Resolves a call in an installed library: its module inherits only from `system`, and does not see the user's predicates.
fn reach_in_library<'db>(db: &'db dyn Db, file: SourceFile, functor: &Functor) -> Reach<'db> {
    let unit = unit(db, file);
    let mut missing = None;
    let mut all = vec![file];
    all.extend(unit.iter().copied());
    for &part in &all {
        match imported(db, part, functor) {
            Some(Reach::Missing(at, load)) => missing = missing.or(Some(Reach::Missing(at, load))),
            Some(found) => return found,
            None => {}
        }
        if part == file {
            let mut others = unit.iter().filter_map(|&o| find_written(db, o, functor));
            match (others.next(), others.next()) {
                (Some(one), None) => {
                    let condition = conditional_load(db, &all, one.file(db));
                    return condition.unwrap_or(Reach::Other(one));
                }
                // The clauses of a multifile predicate are combined.
                (Some(one), Some(_)) if is_gathered(db, one) => return Reach::Other(one),
                (Some(one), Some(two)) => return Reach::Ambiguous(one.file(db), two.file(db)),
                _ => {}
            }
        }
    }
    if let Some(missing) = missing {
        return missing;
    }
    if let Some(found) = shipped(db, functor) {
        return Reach::Shipped(found);
    }
    match autoload(db, functor) {
        Some(library) if library != file && facts(db, file).autoloads => {
            match exported(db, library, functor) {
                Some(found) => found,
                None => Reach::Nothing,
            }
        }
        _ => Reach::Nothing,
    }
}

/// Returns whether all clauses of a multifile predicate are known, in all files that define it.
pub(super) fn is_gathered(db: &dyn Db, predicate: Predicate<'_>) -> bool {
    gathered(db, predicate.file(db), predicate.functor(db)).is_some_and(Result::is_ok)
}

/// Returns the predicate that the directives of one file import under a name; [`Reach::Missing`] if the name may come from an unknown file.
fn imported<'db>(db: &'db dyn Db, file: SourceFile, functor: &Functor) -> Option<Reach<'db>> {
    let all = &loads(db, file).loads;
    let mut missing = None;
    // An import list takes precedence over an earlier import of a whole module.
    for listed in [true, false] {
        for (number, load) in all.iter().enumerate() {
            if matches!(load.imports, Imports::Only(_)) != listed {
                continue;
            }
            let Some(there) = load.imports.there(functor) else {
                continue;
            };
            if let Some(found) = from_library(db, &load.spec, there) {
                return Some(found);
            }
            match target(db, file, number) {
                Some(other) if other != file && !is_part(db, load.kind, other) => {
                    match exported(db, other, there) {
                        Some(found @ Reach::Missing(..)) => missing = missing.or(Some(found)),
                        Some(_) if load.conditional => {
                            return Some(Reach::Conditional(file, ordinal(number)));
                        }
                        Some(found) => return Some(found),
                        None => {}
                    }
                }
                Some(_) => {}
                None if may_define(load, listed) => {
                    missing = missing.or(Some(Reach::Missing(file, ordinal(number))));
                }
                None => {}
            }
        }
        if listed && missing.is_some() {
            return missing;
        }
    }
    missing
}

/// Returns a directive that loads another of these files only if a condition holds.
fn conditional_load<'db>(
    db: &'db dyn Db,
    files: &[SourceFile],
    part: SourceFile,
) -> Option<Reach<'db>> {
    files.iter().find_map(|&file| {
        let mut all = loads(db, file).loads.iter().enumerate();
        let is_it = |(number, load): &(usize, &Load)| {
            load.conditional && target(db, file, *number) == Some(part)
        };
        let (number, _) = all.find(is_it)?;
        Some(Reach::Conditional(file, ordinal(number)))
    })
}

/// Converts the index of a directive to `u32`.
pub(super) fn ordinal(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Returns whether an unknown file may define a name. A library file may do so only if an import list contains the name: a file that loads
/// `library(readutil)` without a list is assumed to refer to its own predicates.
pub(super) fn may_define(load: &Load, listed: bool) -> bool {
    listed || !is_library(&load.spec)
}

/// Returns a predicate of a library file that ships with Costlens, if a directive names that library.
pub(super) fn from_library<'db>(
    db: &'db dyn Db,
    spec: &FileSpec,
    there: &Functor,
) -> Option<Reach<'db>> {
    if !is_library(spec) {
        return None;
    }
    is_of_library(db, spec, shipped(db, there)?)
}

/// Returns a predicate of a library file that ships, if a directive names that library.
pub(super) fn is_of_library<'db>(
    db: &'db dyn Db,
    spec: &FileSpec,
    found: Predicate<'db>,
) -> Option<Reach<'db>> {
    let names_it = is_library(spec) && found.file(db).path(db) == spec.path;
    names_it.then_some(Reach::Shipped(found))
}

/// Resolves a name in the import list of a directive: the predicate that the named file exports under this name.
pub fn reach_listed<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    spec: &FileSpec,
    there: &Functor,
) -> Reach<'db> {
    let exported = || exported(db, file_named(db, file, spec)?, there);
    from_library(db, spec, there)
        .or_else(exported)
        .unwrap_or(Reach::Nothing)
}

/// Returns the names that refer to a predicate in these files: its own name, and the names that import lists introduce (`row/2 as line`),
/// possibly in several steps.
pub fn names_of(db: &dyn Db, files: &[SourceFile], functor: &Functor) -> FxHashSet<Functor> {
    let mut found = FxHashSet::from_iter([functor.clone()]);
    loop {
        let before = found.len();
        for &file in files {
            for load in &loads(db, file).loads {
                if let Imports::Only(names) = &load.imports {
                    let renamed = names.iter().filter(|(_, there)| found.contains(*there));
                    let renamed: Vec<Functor> = renamed.map(|(here, _)| here.clone()).collect();
                    found.extend(renamed);
                }
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Returns the predicate that another file exports under a name, including reexports.
pub(super) fn exported<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Reach<'db>> {
    if names_exported(db, file).is_some_and(|names| !names.contains(functor)) {
        return None;
    }
    let mut seen: FxHashSet<(SourceFile, Functor)> = FxHashSet::default();
    let mut stack = vec![(file, functor.clone())];
    let mut missing = None;
    while let Some((file, functor)) = stack.pop() {
        if !seen.insert((file, functor.clone())) {
            continue;
        }
        let facts = facts(db, file);
        let listed = facts.module.is_none() || facts.is_exported(&functor);
        if listed && let Some(found) = find_written(db, file, &functor) {
            return Some(Reach::Other(found));
        }
        for (number, load) in loads(db, file).loads.iter().enumerate().rev() {
            // A module may export an imported predicate.
            if !(load.reexports || listed || load.kind == LoadKind::Include) {
                continue;
            }
            let Some(there) = load.imports.there(&functor) else {
                continue;
            };
            if let Some(found) = from_library(db, &load.spec, there) {
                return Some(found);
            }
            match target(db, file, number) {
                Some(other) if is_part(db, load.kind, other) => {
                    if let Some(found) = find_written(db, other, there) {
                        return Some(Reach::Other(found));
                    }
                    stack.push((other, there.clone()));
                }
                Some(other) => stack.push((other, there.clone())),
                None if load.reexports && !is_library(&load.spec) => {
                    missing = missing.or(Some(Reach::Missing(file, ordinal(number))));
                }
                None => {}
            }
        }
    }
    missing
}

/// Returns the names that a file may export, including reexports. Returns `None` if it may export any name: it is no module, or it reexports
/// a file that is no module or is not known.
///
/// *Invalidated* when a directive changes, or a file is added or removed; the result is usually equal.
#[salsa::tracked(returns(as_ref))]
fn names_exported(db: &dyn Db, file: SourceFile) -> Option<FxHashSet<Functor>> {
    let mut seen: FxHashSet<SourceFile> = FxHashSet::from_iter([file]);
    let mut stack = vec![file];
    let mut names: FxHashSet<Functor> = FxHashSet::default();
    while let Some(file) = stack.pop() {
        let facts = facts(db, file);
        if facts.module.is_none() || facts.exports_all {
            return None;
        }
        names.extend(facts.exports.iter().cloned());
        for (number, load) in loads(db, file).loads.iter().enumerate() {
            if load.kind == LoadKind::Include {
                return None;
            }
            if !load.reexports {
                continue;
            }
            match &load.imports {
                Imports::Only(listed) => names.extend(listed.keys().cloned()),
                Imports::All | Imports::Except(_) => {
                    let other = target(db, file, number)?;
                    if seen.insert(other) {
                        stack.push(other);
                    }
                }
            }
        }
    }
    Some(names)
}

/// Returns another file of the same module that also defines the predicate. In Prolog, the file loaded last wins.
pub fn also_defined_in(db: &dyn Db, predicate: Predicate<'_>) -> Option<SourceFile> {
    defined_beside_file(db, predicate.file(db), predicate.functor(db))
}

/// Returns a file of a file's module, other than the file itself, that defines a predicate.
pub fn defined_beside_file(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<SourceFile> {
    let mut others = unit(db, file).iter().copied();
    let beside = others.find(|&o| find_written(db, o, functor).is_some());
    beside.or_else(|| defined_beside(db, file, functor))
}

/// Returns the files that contain clauses of a predicate, including its own: files of the same module, and files that add clauses from
/// outside (`m:p(X) :- …`). Sorted by path.
pub fn given_in(db: &dyn Db, predicate: Predicate<'_>) -> Vec<SourceFile> {
    let (home, functor) = (predicate.file(db), predicate.functor(db));
    let module = home_module(db, home);
    let parts = unit(db, home).iter().copied().filter(|&part| {
        find_written(db, part, functor).is_some()
            && module.is_some()
            && home_module(db, part) == module
    });
    let mut found: Vec<SourceFile> = std::iter::once(home)
        .chain(parts)
        .chain(extending(db, home, functor))
        .collect();
    found.sort_by(|&a, &b| place_of(db, a).cmp(&place_of(db, b)));
    found.dedup();
    found
}

/// Returns the file that declares, without clauses (`:- dynamic seen/1.`), the predicate to which a name in a file refers: the file itself,
/// a file of the same module, or a file that exports the name to it.
pub fn declared_in(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<SourceFile> {
    let declares = |&part: &SourceFile| {
        let facts = facts(db, part);
        facts.is_open(functor) || facts.tabled.contains(functor)
    };
    let mut own = vec![file];
    own.extend(unit(db, file).iter().copied());
    own.sort_by(|&a, &b| place_of(db, a).cmp(&place_of(db, b)));
    if let Some(part) = own.iter().copied().find(declares) {
        return Some(part);
    }
    own.into_iter().find_map(|part| {
        let mut all = loads(db, part).loads.iter().enumerate();
        all.find_map(|(number, load)| {
            let there = load.imports.there(functor)?;
            let other = target(db, part, number)?;
            let gives = facts(db, other).is_exported(there) && there == functor;
            (gives && declares(&other)).then_some(other)
        })
    })
}

/// Returns the file specification in the directive of a `Missing`.
pub fn named_by(db: &dyn Db, file: SourceFile, load: u32) -> Option<&FileSpec> {
    loads(db, file).loads.get(load as usize).map(|l| &l.spec)
}

/// Returns an `:- include` of an unknown file in one of the module's files. Such a file may contain clauses of any predicate.
///
/// *Invalidated* when a directive changes, or a file is added or removed.
pub fn missing_include(db: &dyn Db, file: SourceFile) -> Option<&FileSpec> {
    let others = unit(db, file).iter().copied();
    std::iter::once(file).chain(others).find_map(|part| {
        let mut all = loads(db, part).loads.iter().enumerate();
        let (_, load) = all.find(|(number, load)| {
            load.kind == LoadKind::Include && target(db, part, *number).is_none()
        })?;
        Some(&load.spec)
    })
}
