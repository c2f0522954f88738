//! The predicates of other files that a file can call by name.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::reach::{Reach, reach_written};
use crate::definitions::{Predicate, predicates};
use crate::directives::{Imports, LoadKind, facts, loads};
use crate::language::Functor;
use crate::loading::{target, unit};
use crate::workspace::{Db, SourceFile};

/// The maximum number of names from one file; a file that exports more is a table.
const MOST: usize = 5_000;

/// Returns the predicates of other files that a call in this file reaches, through an import or within the same module, by the name used in
/// this file: `row/2` and `line/1` after `:- use_module(tables, [row/2, print/1 as line])`. Autoloaded predicates are not included.
pub fn visible<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<(Functor, Predicate<'db>)> {
    let mut names = BTreeSet::new();
    for part in std::iter::once(file).chain(unit(db, file).iter().copied()) {
        names.extend(predicates(db, part).iter().map(|p| p.functor(db).clone()));
        for (number, load) in loads(db, part).loads.iter().enumerate() {
            match &load.imports {
                Imports::Only(list) => names.extend(list.keys().cloned()),
                Imports::All | Imports::Except(_) => {
                    if let Some(other) = target(db, part, number) {
                        offer(db, other, &mut names);
                    }
                }
            }
        }
    }
    // `reach_written` alone decides the precedence of several files and the exclusions of import lists.
    (names.into_iter())
        .filter_map(|here| match reach_written(db, file, &here) {
            Reach::Other(found) => Some((here, found)),
            _ => None,
        })
        .collect()
}

/// Adds the names that a file may export to files that import it.
fn offer(db: &dyn Db, file: SourceFile, names: &mut BTreeSet<Functor>) {
    let mut seen: FxHashSet<SourceFile> = FxHashSet::default();
    let mut stack = vec![file];
    while let Some(file) = stack.pop() {
        if !seen.insert(file) || names.len() > MOST {
            continue;
        }
        let facts = facts(db, file);
        names.extend(facts.exports.iter().cloned());
        if facts.module.is_none() || facts.exports_all {
            names.extend(predicates(db, file).iter().map(|p| p.functor(db).clone()));
        }
        for (number, load) in loads(db, file).loads.iter().enumerate() {
            let passes_on = load.reexports
                || matches!(load.kind, LoadKind::Include | LoadKind::Plain)
                    && facts.module.is_none();
            if !passes_on {
                continue;
            }
            match &load.imports {
                Imports::Only(list) => names.extend(list.keys().cloned()),
                Imports::All | Imports::Except(_) => stack.extend(target(db, file, number)),
            }
        }
    }
}
