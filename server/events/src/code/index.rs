//! First-argument indexing: which clauses a call has to try.

use std::collections::BTreeMap;

use super::constant::Constant;
use super::instruction::StructureName;
use super::shape::{Chain, ClauseCode, Index, Key, PredicateCode};

/// Chains longer than this in all are not worth a table: a clause that asks nothing stands in each of them.
const MAX_ENTRIES: usize = 1_000_000;

/// A predicate of its clauses, with an index over their first arguments.
#[must_use]
pub fn predicate(
    functor: StructureName,
    clauses: Vec<ClauseCode>,
    single_sided: bool,
) -> PredicateCode {
    let keys: Vec<&Key> = clauses.iter().map(|c| &c.key).collect();
    let index = if functor.1 == 0 {
        Index::Linear
    } else {
        index(&keys)
    };
    PredicateCode {
        functor,
        clauses,
        index,
        single_sided,
    }
}

/// The index over the keys of clauses.
#[must_use]
pub fn index(keys: &[&Key]) -> Index {
    if keys.len() < 2 || keys.iter().all(|k| **k == Key::Any) {
        return Index::Linear;
    }
    let mut constants: BTreeMap<&Constant, Vec<u32>> = BTreeMap::new();
    let mut structures: BTreeMap<StructureName, Vec<u32>> = BTreeMap::new();
    for key in keys {
        match key {
            Key::Constant(c) => {
                constants.entry(c).or_default();
            }
            Key::Structure(name, arity) => {
                structures.entry((name.clone(), *arity)).or_default();
            }
            Key::Any | Key::List => {}
        }
    }
    let any = keys.iter().filter(|k| ***k == Key::Any).count();
    let tables = constants.len() + structures.len();
    if tables.saturating_mul(any) > MAX_ENTRIES {
        return Index::Linear;
    }
    let (mut variable, mut list, mut other) = (Vec::new(), Vec::new(), Vec::new());
    for (number, key) in (0_u32..).zip(keys) {
        variable.push(number);
        match key {
            Key::Any => {
                list.push(number);
                other.push(number);
                constants.values_mut().for_each(|c| c.push(number));
                structures.values_mut().for_each(|c| c.push(number));
            }
            Key::List => list.push(number),
            Key::Constant(c) => constants.entry(c).or_default().push(number),
            Key::Structure(name, arity) => structures
                .entry((name.clone(), *arity))
                .or_default()
                .push(number),
        }
    }
    Index::Switch {
        variable: variable.into(),
        list: list.into(),
        constants: constants
            .into_iter()
            .map(|(c, chain)| (c.clone(), Chain::from(chain)))
            .collect(),
        structures: structures
            .into_iter()
            .map(|(s, chain)| (s, Chain::from(chain)))
            .collect(),
        other: other.into(),
    }
}
