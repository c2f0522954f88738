//! The order in which the terms of a program are loaded.
//!
//! ```prolog
//! :- use_module(vocabulary).     % its declarations and prefixes precede the following clauses
//! label(ex:a, "a").
//! ```

use rustc_hash::FxHashMap;

use super::directives::LoadPosition;
use super::is_loaded_by;
use crate::directives::{LoadKind, loads};
use crate::loading::{loaded_with, program, roots};
use crate::workspace::{Db, SourceFile};

/// A term of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileTerm {
    pub(super) file: SourceFile,
    pub(super) place: LoadPosition,
}

/// The index of a part of a file in the loading order, and whether the part is loaded regardless of conditions.
type PartOrder = FxHashMap<(SourceFile, usize), (usize, bool)>;

/// Returns the order of the parts of files in a program, each between two loading directives.
///
/// *Invalidated* when a directive changes, or a file is added or removed.
#[salsa::tracked(returns(ref))]
fn part_order(db: &dyn Db, root: SourceFile) -> PartOrder {
    let parts = program(db, root).stretches.iter().enumerate();
    let mut order = PartOrder::default();
    for (index, part) in parts {
        let key = (part.file, part.after);
        order.entry(key).or_insert((index, part.certain));
    }
    order
}

/// Returns whether a term is certainly loaded before another term, in every program that contains the latter.
pub(super) fn is_before(db: &dyn Db, first: FileTerm, then: FileTerm) -> bool {
    if first.file == then.file {
        return first.place < then.place;
    }
    let roots = roots(db, then.file);
    let is_in_order = |&root: &SourceFile| {
        let order = part_order(db, root);
        let find = |at: FileTerm| order.get(&(at.file, at.place.after)).copied();
        match (find(first), find(then)) {
            (Some((first, certain)), Some((then, _))) => certain && first < then,
            _ => false,
        }
    };
    !roots.is_empty() && roots.iter().all(is_in_order)
}

/// Returns the terms that directly follow directives that certainly load the library, in the files that are loaded with a file.
///
/// *Invalidated* when a directive changes, or a file is added or removed.
#[salsa::tracked(returns(deref))]
fn library_loads(db: &dyn Db, file: SourceFile) -> Vec<FileTerm> {
    let mut following = Vec::new();
    for f in loaded_with(db, file) {
        for (number, load) in loads(db, f).loads.iter().enumerate() {
            if is_loaded_by(load) && !load.conditional && load.kind != LoadKind::Autoload {
                let place = LoadPosition {
                    after: number + 1,
                    index: 0,
                };
                following.push(FileTerm { file: f, place });
            }
        }
    }
    following
}

/// Returns whether the library is certainly loaded before a term.
pub(super) fn is_library_loaded(db: &dyn Db, at: FileTerm) -> bool {
    let loads = library_loads(db, at.file).iter();
    loads.copied().any(|load| is_before(db, load, at))
}
