//! Indexing: selects the clauses that a call must try, by its first argument or by its most selective argument.

use std::collections::BTreeMap;

use super::constant::Constant;
use super::instruction::StructureName;
use super::shape::{
    ArgumentIndex, Chain, ClauseCode, ClauseIndex, IndexKey, Indexing, PredicateCode,
};

/// The maximum total length of the chains of a table: a clause without a requirement is in each chain.
const MAX_ENTRIES: usize = 1_000_000;

/// The number of leading arguments that may select clauses.
const MAX_ARGUMENTS: usize = 16;

/// Builds a predicate from its clauses, with an index over their first arguments.
#[must_use]
pub fn predicate(
    functor: StructureName,
    clauses: Vec<ClauseCode>,
    single_sided: bool,
) -> PredicateCode {
    let keys: Vec<&IndexKey> = clauses.iter().map(|c| &c.key).collect();
    let index = if functor.1 == 0 {
        ClauseIndex::Linear
    } else {
        index(&keys)
    };
    PredicateCode {
        functor,
        clauses,
        index,
        arguments: Box::default(),
        single_sided,
    }
}

/// Builds a predicate from its clauses, given which arguments select clauses.
#[must_use]
pub fn predicate_indexed(
    functor: StructureName,
    clauses: Vec<ClauseCode>,
    single_sided: bool,
    indexing: Indexing,
) -> PredicateCode {
    let mut code = predicate(functor, clauses, single_sided);
    if indexing == Indexing::AllArguments {
        code.arguments = arguments(&code.clauses, code.functor.1);
    }
    code
}

/// Returns the arguments that distinguish clauses, starting with the most selective; empty if the first argument is the only such argument.
///
/// An argument is more selective if a call tries fewer clauses, averaged over the keys in the clauses and one other value. For
/// `edge(1, a, x). edge(1, b, x). edge(2, c, x).` the first argument leaves (2+1+0)/3, the second (1+1+1+0)/4, the third (3+0)/2.
fn arguments(clauses: &[ClauseCode], arity: usize) -> Box<[ArgumentIndex]> {
    let mut telling: Vec<(usize, usize, ArgumentIndex)> = Vec::new();
    for argument in 0..arity.min(MAX_ARGUMENTS) {
        let keys: Option<Vec<&IndexKey>> = clauses.iter().map(|c| c.keys.get(argument)).collect();
        let Some(ClauseIndex::Switch {
            variable,
            list,
            constants,
            structures,
            other,
        }) = keys.map(|keys| index(&keys))
        else {
            continue;
        };
        let mut chains: Vec<usize> = constants.iter().map(|(_, chain)| chain.len()).collect();
        chains.extend(structures.iter().map(|(_, chain)| chain.len()));
        if list != other {
            chains.push(list.len());
        }
        chains.push(other.len());
        let tried: usize = chains.iter().sum();
        // Every key selects every clause.
        if tried >= chains.len() * clauses.len() {
            continue;
        }
        let index = ClauseIndex::Switch {
            variable,
            list,
            constants,
            structures,
            other,
        };
        telling.push((tried, chains.len(), ArgumentIndex { argument, index }));
    }
    // a/b < c/d; equally selective arguments stay in order.
    telling.sort_by(|(a, b, _), (c, d, _)| (a * d).cmp(&(c * b)));
    match &telling[..] {
        [(_, _, only)] if only.argument == 0 => Box::default(),
        _ => telling.into_iter().map(|(_, _, index)| index).collect(),
    }
}

/// Returns true if clauses are distinguished by keys other than a list cell and `[]`.
#[must_use]
pub fn switches(keys: &[&IndexKey]) -> bool {
    let is_of_lists = |key: &&IndexKey| match key {
        IndexKey::Any | IndexKey::List => true,
        IndexKey::Constant(constant) => constant.is_nil(),
        _ => false,
    };
    matches!(index(keys), ClauseIndex::Switch { .. }) && !keys.iter().all(is_of_lists)
}

/// Builds the index over the keys of clauses.
#[must_use]
pub fn index(keys: &[&IndexKey]) -> ClauseIndex {
    if keys.len() < 2 || keys.iter().all(|k| **k == IndexKey::Any) {
        return ClauseIndex::Linear;
    }
    let mut constants: BTreeMap<&Constant, Vec<u32>> = BTreeMap::new();
    let mut structures: BTreeMap<StructureName, Vec<u32>> = BTreeMap::new();
    for key in keys {
        match key {
            IndexKey::Constant(c) => {
                constants.entry(c).or_default();
            }
            IndexKey::Structure(name, arity) => {
                structures.entry((name.clone(), *arity)).or_default();
            }
            IndexKey::Any | IndexKey::List => {}
        }
    }
    let any = keys.iter().filter(|k| ***k == IndexKey::Any).count();
    let tables = constants.len() + structures.len();
    if tables.saturating_mul(any) > MAX_ENTRIES {
        return ClauseIndex::Linear;
    }
    let (mut variable, mut list, mut other) = (Vec::new(), Vec::new(), Vec::new());
    for (number, key) in (0_u32..).zip(keys) {
        variable.push(number);
        match key {
            IndexKey::Any => {
                list.push(number);
                other.push(number);
                constants.values_mut().for_each(|c| c.push(number));
                structures.values_mut().for_each(|c| c.push(number));
            }
            IndexKey::List => list.push(number),
            IndexKey::Constant(c) => constants.entry(c).or_default().push(number),
            IndexKey::Structure(name, arity) => structures
                .entry((name.clone(), *arity))
                .or_default()
                .push(number),
        }
    }
    ClauseIndex::Switch {
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
