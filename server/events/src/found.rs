//! How a call finds its clauses.

use costlens_syntax::term::{Term, TermId, Terms};

use crate::code::{Key, first_argument, switches};
use crate::{Counts, Event, Mode};

/// With so many clauses or fewer the first argument is compared with that of each clause.
const MOST_COMPARED: usize = 10;

/// The counts of a call of the predicate with these clauses, by the modes of its arguments: [`Event::SingleCall`], [`Event::ListCall`] or [`Event::Search`],
/// and how the clauses are told apart.
///
/// A search by a table ([`Event::Lookup`]) is what SWI-Prolog does where the first argument alone leaves several clauses, or where it is unbound.
#[must_use]
pub fn found_by(heads: &[(&Terms, TermId)], modes: &[Mode]) -> Counts {
    let keys: Vec<Key> = (heads.iter())
        .map(|&(terms, head)| first_argument(terms, head))
        .collect();
    let mut counts = Counts::default();
    match &keys[..] {
        [] => return counts,
        [_] => counts.add(Event::SingleCall, 1),
        [a, b] if is_nil(a) && *b == Key::List || is_nil(b) && *a == Key::List => {
            counts.add(Event::ListCall, 1);
        }
        keys => {
            counts.add(Event::Search, 1);
            let (least, most) = by_table(heads, keys, modes);
            counts.add_between(Event::Lookup, u64::from(least), u64::from(most));
        }
    }
    if switches(&keys.iter().collect::<Vec<_>>()) {
        let (least, most) = match modes.first() {
            None | Some(Mode::Output) => (0, 0),
            Some(Mode::Input) => (1, 1),
            Some(Mode::Either) => (0, 1),
        };
        counts.add_between(Event::Switch, least, most);
    }
    counts
}

fn is_nil(key: &Key) -> bool {
    matches!(key, Key::Constant(constant) if constant.is_nil())
}

/// Whether the clauses are found by a table: for certain, and perhaps.
fn by_table(heads: &[(&Terms, TermId)], keys: &[Key], modes: &[Mode]) -> (bool, bool) {
    let own: Vec<&Key> = keys.iter().filter(|k| **k != Key::Any).collect();
    let is_again = |(at, key): (usize, &&Key)| own[..at].contains(key);
    let by_first =
        !own.is_empty() && (keys.len() > MOST_COMPARED || own.iter().enumerate().any(is_again));
    let by_another = |mode: Mode| {
        let tells = |at: usize| {
            let is_bound = |&(terms, head): &(&Terms, TermId)| {
                (terms.args(head).get(at)).is_some_and(|&t| !matches!(terms.get(t), Term::Var(_)))
            };
            heads.iter().any(is_bound)
        };
        (1..modes.len()).any(|at| modes[at] == mode && tells(at))
    };
    let sure = by_another(Mode::Input);
    let perhaps = sure || by_another(Mode::Either);
    match modes.first() {
        None => (false, false),
        Some(Mode::Input) => (by_first, by_first),
        Some(Mode::Output) => (sure, perhaps),
        Some(Mode::Either) => (by_first && sure, by_first || perhaps),
    }
}
