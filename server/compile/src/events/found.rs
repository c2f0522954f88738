//! Counts the events of clause selection at a call.

use std::collections::BTreeSet;

use costlens_events::{Counts, Event, Index};
use costlens_syntax::term::{Term, TermId, Terms};

use super::CallMode;
use crate::code::{IndexKey, argument_key, switches};

/// The maximum number of clauses for which the first argument is compared with that of each clause.
const MOST_COMPARED: usize = 10;

/// Counts a call of the predicate with these clauses, by the modes of its arguments: [`Event::SingleCall`], [`Event::ListCall`] or
/// [`Event::Search`], and the events that depend on how the clauses are distinguished.
///
/// SWI-Prolog searches in a hash table ([`Event::Lookup`]) if the first argument alone leaves several clauses, or if it is unbound.
#[must_use]
pub fn found_by(heads: &[(&Terms, TermId)], modes: &[CallMode], index: Index) -> Counts {
    let modes = indexed_modes(index, modes);
    let keys = keys(heads, 0);
    let mut counts = Counts::default();
    match &keys[..] {
        [] => return counts,
        [_] => counts.add(Event::SingleCall, 1),
        [a, b] if is_nil(a) && *b == IndexKey::List || is_nil(b) && *a == IndexKey::List => {
            counts.add(Event::ListCall, 1);
        }
        keys => {
            let (least, most) = by_table(heads, keys, modes);
            counts.add_between(Event::Lookup, u64::from(least), u64::from(most));
            match index {
                // Clauses are selected by the first argument, or by a hash table.
                Index::JustInTime => {
                    let first = modes.first();
                    let least = least || first == Some(&CallMode::Input);
                    let most = most || first.is_some_and(|mode| *mode != CallMode::Output);
                    counts.add_between(Event::Search, u64::from(least), u64::from(most));
                }
                Index::FirstArgument => counts.add(Event::FirstSearch, 1),
            }
        }
    }
    // A choice point leads from each group of clauses to the next.
    counts.add(Event::Try, u64::from(groups(heads, index).len() > 1));
    if switches(&keys.iter().collect::<Vec<_>>()) {
        let (least, most) = match modes.first() {
            None | Some(CallMode::Output) => (0, 0),
            Some(CallMode::Input) => (1, 1),
            Some(CallMode::Either) => (0, 1),
        };
        counts.add_between(Event::Switch, least, most);
    }
    counts
}

/// Returns the modes of the arguments that an index uses.
fn indexed_modes(index: Index, modes: &[CallMode]) -> &[CallMode] {
    match index {
        Index::JustInTime => modes,
        Index::FirstArgument => &modes[..modes.len().min(1)],
    }
}

/// The argument by which an index distinguishes clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexedBy {
    /// No argument; all clauses are tried.
    Nothing,
    /// One of several arguments, or none, depending on the bound arguments of the call.
    Unknown,
    /// One argument.
    Argument {
        /// The argument's index, from 0.
        at: usize,
        /// True if a hash table also distinguishes structures by their first arguments.
        looks_inside: bool,
    },
}

/// Returns the argument that distinguishes the clauses with these heads: the first argument or, if it is unbound, the bound argument that
/// distinguishes most clauses.
#[must_use]
pub fn indexed_by(heads: &[(&Terms, TermId)], modes: &[CallMode], index: Index) -> IndexedBy {
    let modes = indexed_modes(index, modes);
    if heads.len() < 2 {
        return IndexedBy::Nothing;
    }
    let speed = |at: usize| speed(&keys(heads, at));
    let mut others = (1..modes.len())
        .filter(|&at| modes[at] != CallMode::Output)
        .filter_map(|at| Some((at, speed(at)?)))
        .peekable();
    match modes.first() {
        Some(CallMode::Output) => {
            let mut best: Option<(usize, (usize, usize))> = None;
            for (at, speed) in others {
                if modes[at] == CallMode::Either {
                    return IndexedBy::Unknown;
                }
                if best.is_none_or(|(_, most)| speed.0 * most.1 > most.0 * speed.1) {
                    best = Some((at, speed));
                }
            }
            best.map_or(IndexedBy::Nothing, |(at, _)| IndexedBy::Argument {
                at,
                looks_inside: true,
            })
        }
        Some(CallMode::Either) if others.peek().is_some() => IndexedBy::Unknown,
        Some(_) if speed(0).is_some() => IndexedBy::Argument {
            at: 0,
            looks_inside: index == Index::JustInTime
                && by_table(heads, &keys(heads, 0), &[CallMode::Input]).1,
        },
        _ => IndexedBy::Nothing,
    }
}

/// Returns the lengths of the groups of clauses that an index tries one after another. SWI-Prolog has one group. GNU Prolog groups
/// consecutive clauses that restrict the first argument; a clause that does not restrict it, or has a float as first argument, forms a
/// separate group. A choice point leads from group to group, regardless of how many clauses the index selects from each, and every call
/// tries the ungrouped clauses.
///
/// ```prolog
/// fib(0, 0).                             % a group of two: none is tried by fib(7, F),
/// fib(1, 1).
/// fib(N, F) :- ….                        % but this one is tried with a choice point
/// ```
#[must_use]
pub fn groups(heads: &[(&Terms, TermId)], index: Index) -> Vec<usize> {
    let says = |&(terms, head): &(&Terms, TermId)| {
        let argument = terms.args(head).first().map(|&t| terms.get(t));
        !matches!(argument, None | Some(Term::Var(_) | Term::Float(_)))
    };
    match index {
        Index::JustInTime => vec![heads.len()],
        Index::FirstArgument => (heads.chunk_by(|a, b| says(a) && says(b)))
            .map(<[_]>::len)
            .collect(),
    }
}

/// Returns the factor, as a fraction, by which a key of an argument reduces the number of clauses, or `None` if the argument is always a
/// variable.
fn speed(keys: &[IndexKey]) -> Option<(usize, usize)> {
    let bound: Vec<&IndexKey> = keys.iter().filter(|k| **k != IndexKey::Any).collect();
    let mut distinct: Vec<&IndexKey> = Vec::new();
    for key in &bound {
        if !distinct.contains(key) {
            distinct.push(key);
        }
    }
    let (clauses, distinct) = (keys.len(), distinct.len());
    let variables = clauses - bound.len();
    (distinct > 0).then(|| (clauses * distinct, bound.len() + variables * distinct))
}

/// Returns true for a head argument whose unification fails only for calls for which the index does not select the clause: a variable, a
/// constant, or a structure of distinct variables.
#[must_use]
pub fn is_told_by_key(terms: &Terms, argument: TermId, looks_inside: bool) -> bool {
    let mut parts: Vec<TermId> = terms.args(argument).to_vec();
    if looks_inside
        && let Some(&first) = parts.first()
        && !matches!(terms.get(first), Term::Var(_))
    {
        parts.splice(..1, terms.args(first).iter().copied());
    }
    let mut own = BTreeSet::new();
    (parts.iter()).all(|&t| matches!(terms.get(t), Term::Var(v) if own.insert(*v)))
}

/// Returns the keys of an argument.
fn keys(heads: &[(&Terms, TermId)], at: usize) -> Vec<IndexKey> {
    (heads.iter())
        .map(|&(terms, head)| argument_key(terms, head, at))
        .collect()
}

fn is_nil(key: &IndexKey) -> bool {
    matches!(key, IndexKey::Constant(constant) if constant.is_nil())
}

/// Returns whether a hash table certainly selects the clauses, and whether it possibly does.
fn by_table(heads: &[(&Terms, TermId)], keys: &[IndexKey], modes: &[CallMode]) -> (bool, bool) {
    let own: Vec<&IndexKey> = keys.iter().filter(|k| **k != IndexKey::Any).collect();
    let is_again = |(at, key): (usize, &&IndexKey)| own[..at].contains(key);
    let by_first =
        !own.is_empty() && (keys.len() > MOST_COMPARED || own.iter().enumerate().any(is_again));
    let by_another = |mode: CallMode| {
        let tells = |at: usize| {
            let is_bound = |&(terms, head): &(&Terms, TermId)| {
                (terms.args(head).get(at)).is_some_and(|&t| !matches!(terms.get(t), Term::Var(_)))
            };
            heads.iter().any(is_bound)
        };
        (1..modes.len()).any(|at| modes[at] == mode && tells(at))
    };
    let sure = by_another(CallMode::Input);
    let perhaps = sure || by_another(CallMode::Either);
    match modes.first() {
        None => (false, false),
        Some(CallMode::Input) => (by_first, by_first),
        Some(CallMode::Output) => (sure, perhaps),
        Some(CallMode::Either) => (by_first && sure, by_first || perhaps),
    }
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    fn groups_of(text: &str, index: Index) -> Vec<usize> {
        let file = read_text(text);
        let heads: Vec<(&Terms, TermId)> =
            file.clauses.iter().map(|c| (&*c.terms, c.root)).collect();
        groups(&heads, index)
    }

    #[test]
    fn gnu_prolog_tries_groups_of_clauses_one_after_another() {
        let mixed = "p(a). p(b). p(_). p(c). p(1.5). p(d). p([]).";
        assert_eq!(groups_of(mixed, Index::FirstArgument), [2, 1, 1, 1, 2]);
        assert_eq!(groups_of(mixed, Index::JustInTime), [7]);
        let fact = "fact(0, 1). fact(N, F).";
        assert_eq!(groups_of(fact, Index::FirstArgument), [1, 1]);
        assert_eq!(groups_of("p. p.", Index::FirstArgument), [1, 1]);
    }
}
