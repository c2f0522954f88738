//! `member/2` with a bound term and a list of different constants: at most one solution, regardless of the number of constants.
//!
//! ```prolog
//! skip([C|Cs]) :- member(C, [0' , 0'\t, 0'\n]), skip(Cs).
//! ```

use costlens_algebra::Expr;
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};

use super::Runner;
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::report::Functor;
use crate::state::State;

/// The maximum length of an inspected list.
const MOST_CONSTANTS: usize = 256;

impl Runner<'_> {
    /// Returns the number of solutions of a call that may look up a bound term among different constants.
    pub(super) fn of_membership(
        &self,
        state: &State,
        terms: &Terms,
        predicate: &Functor,
        args: &[TermId],
        data: &[Datum],
        count: Size,
    ) -> Size {
        let (&[_, list], [value, _]) = (args, data) else {
            return count;
        };
        let none = count.upper.as_ref().is_some_and(Expr::is_zero);
        if none
            || !value.ty.is_bound()
            || !are_different_constants(state, terms, list)
            || !self.program.is_membership(predicate)
        {
            return count;
        }
        let one = Expr::int(1);
        let lower = count.lower.filter(|lower| *lower == one);
        Size {
            lower: lower.or_else(|| Some(Expr::zero())),
            upper: Some(one),
        }
    }
}

/// Returns whether a term is known to be a list of atoms and integers that are pairwise not unifiable.
fn are_different_constants(state: &State, terms: &Terms, list: TermId) -> bool {
    let mut seen: Vec<&Term> = Vec::new();
    let mut rest = state.resolve(terms, list);
    while let Some(&[first, tail]) = terms.matches(rest, CONS, 2) {
        let constant = terms.get(state.resolve(terms, first));
        if !matches!(constant, Term::Atom(_) | Term::Integer(_))
            || seen.len() >= MOST_CONSTANTS
            || seen.contains(&constant)
        {
            return false;
        }
        seen.push(constant);
        rest = state.resolve(terms, tail);
    }
    terms.matches(rest, NIL, 0).is_some()
}
