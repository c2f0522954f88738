//! Copying and decomposing terms: `copy_term/2`, `functor/3`, `arg/3`, `=../2`.

use costlens_algebra::Expr;
use costlens_algebra::linear::Constraint;
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};
use smol_str::SmolStr;

use super::Results;
use crate::clause::Runner;
use crate::clause::point::Point;
use crate::lattice::datum::Datum;
use crate::lattice::regular::{compound_key, constant_key};
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Type};
use crate::lattice::weight::TermWeight;
use crate::state::{Scope, State};
use crate::world::questions::{Split, Truth};

impl Runner<'_> {
    /// Runs `Term =.. [f, A, B]` with a ground term, which is equivalent to `Term = f(A, B)`. Returns `None` for other calls.
    pub(super) fn of_written_functor(
        &self,
        point: &mut Point,
        s: &Scope<'_>,
        t: TermId,
        parts: TermId,
    ) -> Result<Option<Truth>, Split> {
        let Some((functor, arguments)) = written_functor(&point.state, s.terms, parts) else {
            return Ok(None);
        };
        let d = point.state.datum(s.terms, t);
        if !(matches!(d.ty, Type::Ground | Type::Tree(_)) && d.ty.is_ground()) {
            return Ok(None);
        }
        if may_lack_arguments(&point.state, s.terms, t) {
            self.errors.set(true);
        }
        let (mut truth, parts) = point.state.has_functor(s, &d, &functor, &arguments)?;
        for (datum, argument) in parts {
            if truth == Truth::False {
                break;
            }
            let before = point.state.datum(s.terms, argument).ty;
            truth = truth.and(point.state.unify_datum(s, &datum, argument)?.0);
            point.state.pure &= before.is_ground() || before == Type::Free;
        }
        Ok(Some(truth))
    }

    /// Returns the results of `Term =.. List` with a ground term.
    pub(super) fn parts(
        &self,
        state: &State,
        terms: &Terms,
        [t, parts]: [TermId; 2],
    ) -> Option<Results> {
        let from = state.datum(terms, t);
        if !from.ty.is_ground() {
            return None;
        }
        let size = from.measured(Metric::Size);
        let results = match terms.matches(state.resolve(terms, parts), CONS, 2) {
            Some(&[name, arguments]) => self.taken_apart(&size, name, arguments),
            _ => {
                let list = Datum::sized(Type::list(Type::Ground), Size::at_least(1));
                Results::new(vec![(parts, list)])
            }
        };
        let may_lack = may_lack_arguments(state, terms, t);
        Some(results.raising(may_lack || !state.takes_list(terms, parts)))
    }

    /// Returns the results of `Term =.. [Name|Arguments]` with a ground term of this size. The term has as many arguments as their list has
    /// cells. As a term, the list of arguments is larger than the term by one per argument: `[a, b]` has size 5, `f(a, b)` size 3.
    fn taken_apart(&self, size: &Size, name: TermId, arguments: TermId) -> Results {
        let most = size.shifted(-1).upper;
        let list = Type::list(Type::Ground);
        let name = (name, Datum::sized(Type::Ground, Size::exact(Expr::int(1))));
        if self.counted != Some(&TermWeight::Cells) {
            let length = Size {
                upper: most,
                ..Size::at_least(0)
            };
            return Results::new(vec![name, (arguments, Datum::sized(list, length))]);
        }
        let cells = self.fresh();
        let length = Expr::var(cells);
        let element = most.clone();
        let least = Constraint::ge(&length, &Expr::zero());
        let most = most.and_then(|most| Constraint::le(&length, &most));
        let facts = least.into_iter().chain(most).collect();
        let length = Size::exact(length);
        let datum = Datum {
            whole: Some(Box::new(size.plus(&length))),
            ..Datum::sized(list, length.clone())
                .with_element(element)
                .with_weight(Some(length))
        };
        Results {
            local: Some((cells, facts)),
            ..Results::new(vec![name, (arguments, datum)])
        }
    }
}

/// Returns the results of `copy_term/2`.
pub(super) fn copied(state: &State, terms: &Terms, [from, to]: [TermId; 2]) -> Results {
    let mut copied = state.datum(terms, from);
    if !copied.ty.is_ground() {
        copied.key = None;
    }
    Results::new(vec![(to, copied)])
}

/// Returns the results of `functor/3` with a bound term.
pub(super) fn functor(
    state: &State,
    terms: &Terms,
    [t, name, arity]: [TermId; 3],
) -> Option<Results> {
    if !super::typed::is_nonvar(&state.datum(terms, t).ty) {
        return None;
    }
    let is_free = |t: TermId| state.datum(terms, t).ty == Type::Free;
    let count = Datum::sized(Type::Int, Size::at_least(0));
    let results = Results::new(vec![(name, Datum::from_type(Type::Ground)), (arity, count)]);
    let results = match is_free(name) && is_free(arity) {
        true => results,
        false => results.maybe(),
    };
    Some(results.raising(may_lack_arguments(state, terms, t)))
}

/// Returns the results of `arg/3`. A list has two arguments unless it is empty; an atomic term raises an exception.
pub(super) fn argument(
    state: &State,
    terms: &Terms,
    [place, t, argument]: [TermId; 3],
) -> Option<Results> {
    let is_known = state.datum(terms, place).ty == Type::Int;
    (is_known && state.datum(terms, t).ty.is_ground()).then(|| {
        let results = Results::new(vec![(argument, Datum::from_type(Type::Ground))]);
        results.maybe().raising(true)
    })
}

/// Returns true if a term may be a compound without arguments, `f()`. `functor/3` and `=../2` raise an exception for such a term.
fn may_lack_arguments(state: &State, terms: &Terms, t: TermId) -> bool {
    let t = state.resolve(terms, t);
    if matches!(terms.get(t), Term::Compound(..)) {
        return terms.args(t).is_empty();
    }
    let datum = state.datum(terms, t);
    let mut ty = &datum.ty;
    while let Type::Tree(of) = ty {
        ty = &of.leaf;
    }
    !(ty.is_constant() || matches!(ty, Type::List(_)))
}

/// Returns the functor and the arguments of the term that a written list constructs: `f/2` and `A`, `B` for `[f, A, B]`. Returns `None` if
/// the list ends in a variable or its first element is not an atom.
fn written_functor(state: &State, terms: &Terms, parts: TermId) -> Option<(SmolStr, Vec<TermId>)> {
    let mut elements = Vec::new();
    let mut rest = state.resolve(terms, parts);
    while let Some(&[head, tail]) = terms.matches(rest, CONS, 2) {
        elements.push(head);
        rest = state.resolve(terms, tail);
    }
    if elements.is_empty() || terms.as_atom(rest).is_none_or(|end| end != NIL) {
        return None;
    }
    let name = state.resolve(terms, elements.remove(0));
    match (terms.get(name), elements.is_empty()) {
        (_, true) => Some((constant_key(terms, name)?, elements)),
        (Term::Atom(name), false) => Some((compound_key(name, elements.len()), elements)),
        _ => None,
    }
}
