//! Accumulators that start with the first element of a list.
//!
//! ```text
//! greatest([X], X).                                 greatest([X|Xs], M) :- greatest(Xs, X, M).
//! greatest([X|Xs], M) :-                      →
//!     greatest(Xs, M0), M is max(X, M0).            greatest([], Acc, Acc).
//!                                                   greatest([X|Xs], Acc, M) :- Acc1 is max(X, Acc), greatest(Xs, Acc1, M).
//! ```
//!
//! For a list of integers, both versions have the same single answer, and neither has an answer for `[]`. This holds regardless of the
//! order of the clauses and of a cut in the base clause. The operation on the elements must be associative and commutative: `+`, `*`,
//! `max`, `min`.

use costlens_body::Goal;
use costlens_program::Functor;
use costlens_syntax::term::{CONS, NIL, TermId};

use super::updated_goal;
use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::{computed, variable, whole};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::rewrites::extended::{Extended, wrapper};
use crate::fixes::site::Site;
use crate::fixes::ways::ClausePath;

pub(super) fn proposal(site: &Site<'_>, ways: &[ClausePath<'_>]) -> Option<Proposal> {
    let ([one, other], 2) = (ways, site.functor.arity) else {
        return None;
    };
    let plain = site.clauses.len() == 2 && !site.has_comments(0) && !site.has_comments(1);
    plain.then_some(())?;
    let orders = [(one, other), (other, one)];
    orders
        .iter()
        .flat_map(|&(end, step)| [(0, 1), (1, 0)].map(|places| (end, step, places)))
        .find_map(|(end, step, (list, result))| {
            is_end(end, list, result).then_some(())?;
            RecursiveStep::recognise(site, step, list, result)?.proposal(end.number)
        })
}

/// Returns true for the clause `p([X], X)`, with or without a cut.
fn is_end(way: &ClausePath<'_>, list: usize, result: usize) -> bool {
    let terms = &way.clause.terms;
    let head = terms.args(way.clause.head);
    let Some(&[element, rest]) = terms.matches(head[list], CONS, 2) else {
        return false;
    };
    let x = variable(terms, element);
    let is_one = terms.as_atom(rest).is_some_and(|name| name == NIL);
    let idle = |goal| matches!(Goal::lower(terms, goal), Goal::Cut | Goal::True);
    is_one
        && x.is_some()
        && variable(terms, head[result]) == x
        && way.reached.iter().all(|r| idle(r.goal))
}

/// The recursive clause `p([X|Xs], M) :- p(Xs, M0), M is max(X, M0)`, or `p([X,Y|Xs], M) :- p([Y|Xs], M0), …`.
struct RecursiveStep<'a> {
    site: &'a Site<'a>,
    number: usize,
    list: usize,
    result: usize,
    element: TermId,
    /// The variable for the rest of the list.
    rest: TermId,
    /// The result in the head.
    made: TermId,
    call: TermId,
    update: TermId,
    /// The operand of the update that is the result of the call.
    value: TermId,
}

impl<'a> RecursiveStep<'a> {
    fn recognise(
        site: &'a Site<'a>,
        way: &ClausePath<'_>,
        list: usize,
        result: usize,
    ) -> Option<Self> {
        let terms = &way.clause.terms;
        let head = terms.args(way.clause.head);
        let [first, second] = &way.reached[..] else {
            return None;
        };
        let (call, update) = (first.goal, second.goal);
        let args = terms.matches(call, &site.functor.name, 2)?;
        let &[element, behind] = terms.matches(head[list], CONS, 2)? else {
            return None;
        };
        // The rest is `Xs`, or `[Y|Xs]` in both the head and the call.
        let rest = match (
            terms.matches(behind, CONS, 2),
            terms.matches(args[list], CONS, 2),
        ) {
            (None, None) => (behind, args[list]),
            (Some(&[y, rest]), Some(&[same, passed])) => {
                let (y, same) = (variable(terms, y)?, variable(terms, same)?);
                (y == same && way.occurrences(y) == 2).then_some((rest, passed))?
            }
            _ => return None,
        };
        let v = |id| variable(terms, id);
        let [x, xs, m, before] = [v(element)?, v(rest.0)?, v(head[result])?, v(args[result])?];
        let each_twice = [x, xs, m, before].iter().all(|&v| way.occurrences(v) == 2);
        (each_twice && v(rest.1) == Some(xs) && before != m).then_some(())?;
        let both = operands(site, way, update, m)?;
        let value = match both.map(v) {
            [Some(a), Some(b)] if (a, b) == (x, before) => both[1],
            [Some(a), Some(b)] if (a, b) == (before, x) => both[0],
            _ => return None,
        };
        Some(Self {
            site,
            number: way.number,
            list,
            result,
            element,
            rest: rest.0,
            made: head[result],
            call,
            update,
            value,
        })
    }

    fn proposal(&self, end: usize) -> Option<Proposal> {
        let (site, number) = (self.site, self.number);
        let text = |id| site.source(number, id);
        let (x, xs, m) = (text(self.element)?, text(self.rest)?, text(self.made)?);
        let acc = site.new_variable(number, &["Acc", "Acc0", "Sofar", "Sofar0"])?;
        let next = site.new_variable(number, &["Acc1", "Acc2", "Sofar1", "Sofar2"])?;
        let extended = Extended::with_accumulator(site, self.result)?;
        let of_loop = |list: &str, acc: &str, result: &str| {
            extended.goal(self.in_order(list, result).to_vec(), acc)
        };
        let cell = format!("[{x}|{xs}]");
        let (place, end_range) = (&site.places[number], site.places[end].range);
        let update = updated_goal(site, number, self.update, self.value, acc, next)?;
        let edits = vec![
            wrapper(site, &self.in_order(&cell, m), &of_loop(xs, x, m))?,
            Edit {
                range: end_range.0..end_range.1,
                text: format!("{}.", of_loop("[]", acc, acc)),
            },
            Edit {
                range: place.head.0..place.head.1,
                text: of_loop(&cell, acc, m),
            },
            site.replace(number, self.call, update)?,
            Edit {
                range: whole(site, number, self.update)?,
                text: of_loop(xs, next, m),
            },
        ];
        let argument = |argument, is| Condition::Argument { argument, is };
        Some(Proposal {
            seen_by: None,
            beside: String::new(),
            what: "Carry the value along",
            short_runs: ShortRuns::SumNotDearerFromTwo,
            edits,
            needs: vec![
                argument(self.list, Shape::Integers),
                argument(self.result, Shape::Unbound),
            ],
        })
    }

    fn in_order(&self, list: &str, result: &str) -> [String; 2] {
        let (list, result) = (list.to_owned(), result.to_owned());
        match self.list < self.result {
            true => [list, result],
            false => [result, list],
        }
    }
}

/// Returns the operands of `M is max(X, M0)` or `plus(X, M0, M)`.
fn operands(site: &Site<'_>, way: &ClausePath<'_>, goal: TermId, m: u32) -> Option<[TermId; 2]> {
    let terms = &way.clause.terms;
    let (result, a, b) = match computed(terms, goal) {
        Some([result, expression]) => {
            let (name, _) = terms.functor(expression)?;
            let fits = matches!(name.as_str(), "+" | "*" | "max" | "min");
            let &[a, b] = terms.args(expression) else {
                return None;
            };
            fits.then_some((result, a, b))?
        }
        None => {
            let &[a, b, result] = terms.matches(goal, "plus", 3)? else {
                return None;
            };
            site.means_library(&Functor::new("plus", 3))
                .then_some((result, a, b))?
        }
    };
    (variable(terms, result) == Some(m)).then_some([a, b])
}
