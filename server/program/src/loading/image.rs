//! The image of a loaded program: the contents of each of its modules after SWI-Prolog has loaded it.
//!
//! ```prolog
//! :- use_module(m1).        % the exports of m1, if the name is free
//! :- use_module(m2).        % those of m2 that m1 does not export: the first import wins
//! p(1).                     % takes the name back from m1: the import was of a whole module
//! :- use_module(m3, [q/1]). % a list: later clauses of q/1 are rejected
//! ```
//!
//! The rules were determined by loading small programs into SWI-Prolog 9.0.4; `tests/workspaces` compares further programs.
//!
//! Installed libraries are not loaded into the image: their exports are queried when a name is looked up.

mod changes;
mod doubts;
mod imports;
mod loader;
mod reload;
mod state;

use self::loader::loaded;
pub(crate) use self::state::{Definer, Image, Module, Name, Outside, SYSTEM};
use super::load_graph::loaders;
use super::order::roots;
use crate::workspace::{Db, SourceFile, Workspace, place_of};

/// Returns the modules of the program with this root file.
///
/// *Invalidated* when a directive in one of the program's files changes, or a predicate is added or removed.
#[salsa::tracked(returns(ref))]
pub(crate) fn image(db: &dyn Db, root: SourceFile) -> Image {
    loaded(db, root)
}

/// Returns true if some file, possibly one of the two given files, loads both.
pub(crate) fn share_a_program(db: &dyn Db, one: SourceFile, two: SourceFile) -> bool {
    let of_two = programs(db, two);
    programs(db, one).iter().any(|root| of_two.contains(root))
}

/// Returns the programs that contain a file, each represented by its root file. If files load each other and no other file loads them, each
/// of these mutually loading files may be the root.
///
/// *Invalidated* when a directive changes, or a file is added or removed.
#[salsa::tracked(returns(deref))]
pub(crate) fn programs(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let found = roots(db, file).to_vec();
    if !found.is_empty() {
        return found;
    }
    let Some(workspace) = Workspace::try_get(db) else {
        return vec![file];
    };
    let loaders = loaders(db, workspace);
    let (mut found, mut at) = (vec![file], 0);
    while let Some(top) = found.get(at) {
        at += 1;
        for &loader in loaders.get(top).into_iter().flatten() {
            if !found.contains(&loader) {
                found.push(loader);
            }
        }
    }
    found.sort_by(|&a, &b| place_of(db, a).cmp(&place_of(db, b)));
    found
}
