//! The callers and callees of a predicate, with costs.

use std::collections::BTreeMap;
use std::ops::Range;

use costlens_analysis::report::Functor;
use costlens_program::SourceFile;
use costlens_program::positions::PredicatePositions;

use super::names::{Name, NameRole, name_at, names};
use super::references::named;
use super::{Destination, TargetPredicate, meant, target, with_clauses};
use crate::db::Db;
use crate::file::File;
use crate::hints::cost;
use crate::present::indicator;

/// A node of the call hierarchy: a predicate, or a directive with calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The indicator, such as `nrev/2`, or the text of the directive.
    pub name: String,
    /// The cost of the predicate, as in its hint.
    pub detail: Option<String>,
    /// The predicate, defined in [`Destination::file`]. `None` for a directive, which cannot be called.
    pub predicate: Option<Functor>,
    /// The range of its clauses up to the first clause of another predicate.
    pub place: Destination,
}

/// An edge of the hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchyEdge {
    /// The caller or callee.
    pub item: Item,
    /// The places of the calls, in the caller's file.
    pub calls: Vec<Range<usize>>,
}

/// The maximum length of a directive's text.
const LONGEST_NAME: usize = 60;

/// Returns the predicate named at the offset.
pub fn prepare(db: &dyn Db, file: SourceFile, offset: usize) -> Option<Item> {
    let name = name_at(db, file, offset)?;
    item(db, &meant(db, file, &name))
}

/// Returns the callers of a predicate: predicates and directives.
pub fn incoming(
    db: &dyn Db,
    files: &[SourceFile],
    home: SourceFile,
    predicate: &Functor,
) -> Vec<HierarchyEdge> {
    // A predicate with clauses in several files is represented by one of these files.
    let wanted = target(db, home, predicate);
    // Edges by file and caller, in textual order.
    let mut edges: Vec<HierarchyEdge> = Vec::new();
    let mut at: BTreeMap<(usize, Option<Functor>, usize), usize> = BTreeMap::new();
    let calls = named(db, files, &wanted);
    for (file, name) in calls {
        let place = files.iter().position(|&f| f == file).unwrap_or_default();
        let (key, caller) = match (name.role, &name.owner) {
            (NameRole::Call, Some(owner)) => {
                let caller = TargetPredicate {
                    home: Some(file),
                    functor: owner.clone(),
                };
                ((place, Some(owner.clone()), 0), item(db, &caller))
            }
            (NameRole::Directive, _) => (
                (place, None, name.clause.start),
                Some(directive(db, file, &name)),
            ),
            _ => continue,
        };
        match (at.get(&key), caller) {
            (Some(&i), _) => edges[i].calls.push(name.range),
            (None, Some(item)) => {
                at.insert(key, edges.len());
                edges.push(HierarchyEdge {
                    item,
                    calls: vec![name.range],
                });
            }
            (None, None) => {}
        }
    }
    edges
}

/// Returns the callees with clauses, including library predicates.
pub fn outgoing(db: &dyn Db, home: SourceFile, predicate: &Functor) -> Vec<HierarchyEdge> {
    let edge = |(callee, calls): (TargetPredicate, Vec<Range<usize>>)| {
        let item = item(db, &callee)?;
        Some(HierarchyEdge { item, calls })
    };
    (calls_of(db, home, predicate).into_iter())
        .filter_map(edge)
        .collect()
}

/// Returns the callees with clauses and the places of their calls. Costs are left out, because they require the analysis of all files
/// involved.
pub(crate) fn calls_of(
    db: &dyn Db,
    home: SourceFile,
    predicate: &Functor,
) -> Vec<(TargetPredicate, Vec<Range<usize>>)> {
    let mut found: Vec<(TargetPredicate, Vec<Range<usize>>)> = Vec::new();
    let mut at: BTreeMap<Functor, Option<usize>> = BTreeMap::new();
    for name in names(db, home).iter() {
        if name.role != NameRole::Call || name.owner.as_ref() != Some(predicate) {
            continue;
        }
        let slot = *at.entry(name.functor.clone()).or_insert_with(|| {
            let callee = target(db, home, &name.functor);
            with_clauses(db, callee.home?, &callee.functor, extent)?;
            found.push((callee, Vec::new()));
            Some(found.len() - 1)
        });
        if let Some(slot) = slot {
            found[slot].1.push(name.range.clone());
        }
    }
    found
}

fn item(db: &dyn Db, of: &TargetPredicate) -> Option<Item> {
    let home = of.home?;
    let (range, selection) = with_clauses(db, home, &of.functor, extent)?;
    Some(Item {
        name: indicator(&of.functor),
        detail: cost(db, home, &of.functor),
        predicate: Some(of.functor.clone()),
        place: Destination {
            file: File(home),
            range,
            selection,
        },
    })
}

/// Returns the range of the first clause, and the range of the name in it.
fn extent(p: &PredicatePositions) -> Option<(Range<usize>, Range<usize>)> {
    let first = p.clauses.first()?;
    Some((first.range.0..first.range.1, first.name.0..first.name.1))
}

fn directive(db: &dyn Db, file: SourceFile, at: &Name) -> Item {
    let text = file
        .parsed(db)
        .text
        .get(at.clause.clone())
        .unwrap_or_default();
    let mut name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.chars().count() > LONGEST_NAME {
        name = name.chars().take(LONGEST_NAME).chain("…".chars()).collect();
    }
    Item {
        name,
        detail: None,
        predicate: None,
        place: Destination {
            file: File(file),
            range: at.clause.clone(),
            selection: at.range.clone(),
        },
    }
}
