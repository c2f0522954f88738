//! Integers: successors, sums, and lengths of texts.

use costlens_algebra::Expr;
use costlens_algebra::linear::Region;
use costlens_body::Comparison;
use costlens_syntax::term::{TermId, Terms};

use super::Results;
use crate::clause::Runner;
use crate::clause::point::Point;
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Type};
use crate::state::comparisons::by_size;
use crate::state::{Scope, State};
use crate::world::questions::{Split, Truth};

impl Runner<'_> {
    /// Runs `succ(M, 0)` with an unbound `M`, which fails; a negative second argument raises an exception. Returns `None` for other calls.
    pub(super) fn without_predecessor(
        &self,
        point: &Point,
        s: &Scope<'_>,
        before: TermId,
        after: TermId,
    ) -> Result<Option<Truth>, Split> {
        let n = point.state.datum(s.terms, after);
        let zero = Size::exact(Expr::zero());
        if n.ty == Type::Int
            && point.state.datum(s.terms, before).ty == Type::Free
            && by_size(s, Comparison::Greater, &n.size, &zero)? == Truth::False
        {
            if !n.size.is_nonnegative(self.world.region()) {
                self.errors.set(true);
            }
            return Ok(Some(Truth::False));
        }
        Ok(None)
    }
}

/// Returns the results of `succ/2`.
pub(super) fn successor(
    state: &State,
    terms: &Terms,
    region: &Region,
    [a, b]: [TermId; 2],
) -> Option<Results> {
    let (x, y) = (state.datum(terms, a), state.datum(terms, b));
    match (&x.ty, &y.ty) {
        (Type::Int, Type::Free | Type::Int) => {
            let next = Datum::sized(Type::Int, x.size.shifted(1));
            let negative = !x.size.is_nonnegative(region)
                || (y.ty == Type::Int && !y.size.is_nonnegative(region));
            Some(Results::new(vec![(b, next)]).raising(negative))
        }
        (Type::Free, Type::Int) => {
            let before = Datum::sized(Type::Int, y.size.shifted(-1));
            let positive = y.size.shifted(-1).is_nonnegative(region);
            let results = Results::new(vec![(a, before)]);
            Some(match positive {
                true => results,
                false => results.maybe().raising(!y.size.is_nonnegative(region)),
            })
        }
        _ => None,
    }
}

/// Returns the results of `plus/3`.
pub(super) fn sum(state: &State, terms: &Terms, [a, b, c]: [TermId; 3]) -> Option<Results> {
    let [x, y, z] = [a, b, c].map(|t| state.datum(terms, t));
    let (result, size) = match (&x.ty, &y.ty, &z.ty) {
        (Type::Int, Type::Int, Type::Free | Type::Int) => (c, x.size.plus(&y.size)),
        (Type::Int, Type::Free, Type::Int) => (b, z.size.plus(&x.size.negated())),
        (Type::Free, Type::Int, Type::Int) => (a, z.size.plus(&y.size.negated())),
        _ => return None,
    };
    Some(Results::new(vec![(result, Datum::sized(Type::Int, size))]))
}

/// Returns the results of `atom_length/2`, also for a bound length: `string_length(S, 6)`.
pub(super) fn characters(
    state: &State,
    terms: &Terms,
    [text, length]: [TermId; 2],
) -> Option<Results> {
    let from = state.datum(terms, text);
    // Every text built-in accepts atoms and numbers.
    if !matches!(from.ty, Type::Int | Type::Number) && from.ty.text().is_none() {
        return None;
    }
    let given = state.datum(terms, length).ty;
    let chars = Datum::sized(Type::Int, from.measured(Metric::Chars));
    let is_wrong = !matches!(given, Type::Free | Type::Int);
    Some(Results::new(vec![(length, chars)]).raising(is_wrong))
}

/// Returns the results of `char_code(-Char, +Code)`.
pub(super) fn character(
    state: &State,
    terms: &Terms,
    [char, code]: [TermId; 2],
) -> Option<Results> {
    let is_made = state.datum(terms, char).ty == Type::Free;
    (is_made && state.datum(terms, code).ty == Type::Int)
        .then(|| Results::new(vec![(char, Datum::from_type(Type::Atom))]).raising(true))
}
