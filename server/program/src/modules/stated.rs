//! Libraries of which Costlens states what their predicates cost: files of `trust` assertions, one for each library.
//!
//! A program may load a library whose text is nowhere to be read, since no Prolog is installed where it is edited. What is stated of the library
//! stands in for its text then, and beside it where it is there.
#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_syntax::Parsed;
use salsa::Durability;
use salsa::Setter as _;
use smol_str::SmolStr;

use super::load::{is_library, loads};
use super::opened::opened;
use super::reach::{Reach, reach, unit};
use super::workspace::{installed_as, target};
use crate::assertion::about;
use crate::clause::Functor;
use crate::directives::facts;
use crate::predicate::{FunctorKey, Predicate};
use crate::source::{Db, Role, SourceFile};

/// The files of assertions by the names of their libraries: `assoc`, `dcg/basics`.
#[salsa::input(singleton)]
pub struct StatedLibraries {
    /// The files.
    pub files: Arc<BTreeMap<SmolStr, SourceFile>>,
}

/// Makes the files from the libraries' names and texts. Of high durability, as [`crate::install_library`].
pub fn install_stated(db: &mut dyn Db, texts: &[(&str, &str)]) {
    let files = texts.iter().map(|&(name, text)| {
        let file =
            SourceFile::builder(format!("costlens:{name}"), Parsed::new(text), Role::Library)
                .durability(Durability::HIGH)
                .new(db);
        (SmolStr::new(name), file)
    });
    let files = Arc::new(files.collect());
    let _: StatedLibraries = StatedLibraries::builder(files)
        .durability(Durability::HIGH)
        .new(db);
}

/// Lets nothing of a library be trusted from now on. Whether anything was.
pub fn distrust(db: &mut dyn Db, library: &str) -> bool {
    let Some(stated) = StatedLibraries::try_get(db) else {
        return false;
    };
    let mut files = BTreeMap::clone(stated.files(db).as_ref());
    let known = files.remove(library).is_some();
    stated
        .set_files(db)
        .with_durability(Durability::HIGH)
        .to(Arc::new(files));
    known
}

/// The libraries of which something is stated.
pub fn stated_libraries(db: &dyn Db) -> Vec<SmolStr> {
    StatedLibraries::try_get(db)
        .map(|s| s.files(db).keys().cloned().collect())
        .unwrap_or_default()
}

/// Whether something is stated of a library.
pub(super) fn is_stated(db: &dyn Db, library: &str) -> bool {
    file_of(db, library).is_some()
}

/// Whether something is stated of a predicate of a library.
pub(super) fn is_stated_in(db: &dyn Db, library: &str, functor: &Functor) -> bool {
    let home = file_of(db, library);
    home.is_some_and(|home| !about(db, home, FunctorKey::new(db, functor.clone())).is_empty())
}

fn file_of(db: &dyn Db, library: &str) -> Option<SourceFile> {
    StatedLibraries::try_get(db)?
        .files(db)
        .get(library)
        .copied()
}

/// The files of assertions about the libraries that a file's directives name.
pub fn stated_loaded(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let named = loads(db, file).loads.iter().filter(|l| is_library(&l.spec));
    let mut found: Vec<SourceFile> = named.filter_map(|l| file_of(db, &l.spec.path)).collect();
    found.dedup();
    found
}

/// Where assertions about a predicate of an installed library stand.
pub fn stated_beside(db: &dyn Db, predicate: Predicate<'_>) -> Option<SourceFile> {
    file_of(db, installed_as(db, predicate.file(db))?)
}

/// Whether something is stated of a predicate of an installed library.
pub(crate) fn is_stated_of(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    let home = installed_as(db, file).and_then(|library| file_of(db, library));
    home.is_some_and(|home| !about(db, home, FunctorKey::new(db, functor.clone())).is_empty())
}

/// What a name means that reaches no clauses: the file of the library's assertions, and the name there. None where the name may mean something
/// else than what SWI-Prolog's library defines.
pub fn stated_instead(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<(SourceFile, Functor)> {
    let stated = StatedLibraries::try_get(db)?.files(db);
    let mut files = vec![file];
    files.extend(unit(db, file));
    let may_be_another = |&f: &SourceFile| {
        let facts = facts(db, f);
        !facts.autoloads || facts.is_open(functor) || opened(db, f, functor).is_some()
    };
    if files.iter().any(may_be_another) {
        return None;
    }
    let is_stated = |home: SourceFile, name: &Functor| {
        !about(db, home, FunctorKey::new(db, name.clone())).is_empty()
    };
    match reach(db, file, functor) {
        Reach::Missing(at, number) if files.contains(&at) => {
            let load = loads(db, at).loads.get(number as usize)?;
            let home = Some(&load.spec).filter(|s| is_library(s) && !load.conditional)?;
            let home = *stated.get(&*home.path)?;
            let there = load.imports.there(functor)?;
            is_stated(home, there).then(|| (home, there.clone()))
        }
        Reach::Nothing => {
            let mut excluded = Vec::new();
            for &f in &files {
                for (number, load) in loads(db, f).loads.iter().enumerate() {
                    if !is_library(&load.spec) || target(db, f, number).is_some() {
                        continue;
                    }
                    let Some(&home) = stated.get(&*load.spec.path) else {
                        continue;
                    };
                    match load.imports.there(functor).filter(|n| is_stated(home, n)) {
                        Some(_) if load.conditional => excluded.push(home),
                        Some(there) => return Some((home, there.clone())),
                        None => {}
                    }
                }
            }
            // What no directive imports is loaded when it is first called.
            let mut others = stated.values().filter(|home| !excluded.contains(home));
            let home = *others.find(|&&home| is_stated(home, functor))?;
            Some((home, functor.clone()))
        }
        _ => None,
    }
}
