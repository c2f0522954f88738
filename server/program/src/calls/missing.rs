//! Missing files: files that a file needs, and library files that its calls load.

use smol_str::SmolStr;

use super::called_names::called;
use crate::definitions::{find_written, shipped};
use crate::directives::{Imports, Load, facts, loads};
use crate::language::{is_library, split};
use crate::loading::{candidates_of, targets};
use crate::workspace::{Db, Role, SourceFile, shipped_library, workspace};

/// Returns the places to search for the missing files that a file needs. For each directive that names a missing file, and for each called
/// predicate that occurs only in the library's index, the result contains the possible places in order of preference. A library is needed
/// if a called predicate may be defined in it; libraries that ship with Costlens are not needed.
pub fn missing(db: &dyn Db, file: SourceFile) -> Vec<Vec<SmolStr>> {
    let mut found: Vec<Vec<SmolStr>> = (loads(db, file).loads.iter().zip(targets(db, file)))
        .filter(|(load, target)| target.is_none() && is_needed(db, file, load))
        .map(|(load, _)| candidates_of(db, file, &load.spec))
        .filter(|places| !places.is_empty())
        .collect();
    if let Some(workspace) = workspace(db) {
        let wanted = autoloaded_places(db, file).iter();
        found.extend(
            wanted
                .filter(|p| workspace.file_at(db, p).is_none())
                .map(|p| vec![p.clone()]),
        );
    }
    found
}

/// Returns whether a loaded file may define a predicate that this file calls or reexports.
fn is_needed(db: &dyn Db, file: SourceFile, load: &Load) -> bool {
    if !is_library(&load.spec) || load.reexports {
        return true;
    }
    // `use_module(library(foo), [])` and `foo:p(X)`
    let stem = load.spec.path.rsplit('/').next().unwrap_or_default();
    if (called(db, file).iter()).any(|c| split(c).is_some_and(|(module, _)| module == stem)) {
        return shipped_library(db, &load.spec.path).is_none();
    }
    match &load.imports {
        Imports::Only(names) => (names.iter())
            .any(|(here, there)| shipped(db, there).is_none() && called(db, file).contains(here)),
        // For shipped libraries, the index lists the remaining predicates, and `autoloaded_places` handles them.
        Imports::All | Imports::Except(_) => shipped_library(db, &load.spec.path).is_none(),
    }
}

/// Returns the places of library files for those calls of a file that neither the file nor a shipped library defines.
///
/// *Invalidated* when the calls of the file change.
#[salsa::tracked(returns(deref))]
fn autoloaded_places(db: &dyn Db, file: SourceFile) -> Vec<SmolStr> {
    let Some(workspace) = workspace(db) else {
        return Vec::new();
    };
    let index = workspace.autoload(db);
    if index.is_empty() || file.role(db) == Role::Library || !facts(db, file).autoloads {
        return Vec::new();
    }
    let mut places: Vec<SmolStr> = Vec::new();
    for callee in called(db, file) {
        if let Some(place) = index.get(callee)
            && find_written(db, file, callee).is_none()
            && shipped(db, callee).is_none()
            && !places.contains(place)
        {
            places.push(place.clone());
        }
    }
    places.sort_unstable();
    places
}

/// Returns the library files from which the calls of a file are autoloaded.
pub(crate) fn autoload_targets(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let Some(workspace) = workspace(db) else {
        return Vec::new();
    };
    let places = autoloaded_places(db, file).iter();
    places.filter_map(|p| workspace.file_at(db, p)).collect()
}
