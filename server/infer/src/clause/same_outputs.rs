//! Names for the outputs of repeated calls, which identify equal values in different clauses.
//!
//! ```prolog
//! best(T, X, X) :- least(T, M), X < M.
//! best(T, X, M) :- least(T, M), X >= M.
//! ```
//!
//! If `least/2` is a function of its inputs ([`crate::written::functional`]), both clauses compare `X` with the same number.

use costlens_syntax::term::{TermId, Terms};
use smol_str::{SmolStr, format_smolstr};

use super::Runner;
use crate::lattice::datum::Datum;
use crate::lattice::regular::functor_key;
use crate::lattice::types::Type;
use crate::report::Functor;
use crate::state::State;

/// The maximum length of a name.
const LONGEST_KEY: usize = 160;

/// The maximum depth of a named term.
const DEEPEST_KEY: usize = 4;

impl Runner<'_> {
    /// Returns a name for a call in terms of its inputs, if other clauses also make this call and all calls with the same arguments have
    /// the same answers.
    pub(super) fn function_key(
        &self,
        state: &State,
        terms: &Terms,
        predicate: &Functor,
        args: &[TermId],
        data: &[Datum],
    ) -> Option<SmolStr> {
        let of = self.nodes[self.node].repeated.get(predicate)?;
        let mut key = String::from("@");
        push_part(&mut key, &predicate.to_string())?;
        for (&arg, datum) in args.iter().zip(data) {
            if datum.ty == Type::Free {
                key.push_str(" _");
            } else if of.admits(&datum.ty) {
                push_part(&mut key, &value_key(state, terms, arg, DEEPEST_KEY)?)?;
            } else {
                return None;
            }
        }
        Some(key.into())
    }
}

/// Names the outputs of a call that has at most one solution, so that equal outputs in different clauses are identified:
/// `mn(T, R, M), X < M` in one clause and `mn(T, R, M), X >= M` in the next compare with the same number.
pub(super) fn name_outputs(call: &SmolStr, before: &[Datum], after: &mut [Datum]) {
    for (i, (before, after)) in before.iter().zip(after).enumerate() {
        if before.ty == Type::Free && after.ty.is_ground() {
            after.key = Some(format_smolstr!("{call}#{i}"));
        }
    }
}

/// Returns a name for a ground value: its key, or a name composed from its subterms. Values with equal names are equal.
fn value_key(state: &State, terms: &Terms, t: TermId, depth: usize) -> Option<SmolStr> {
    let t = state.resolve(terms, t);
    let datum = state.datum(terms, t);
    if datum.key.is_some() || depth == 0 || !datum.ty.is_ground() {
        return datum.key.filter(|_| datum.ty.is_ground());
    }
    let mut key = String::from("{");
    push_part(&mut key, &functor_key(terms, t)?)?;
    for &part in terms.args(t) {
        push_part(&mut key, &value_key(state, terms, part, depth - 1)?)?;
    }
    Some(key.into())
}

/// Appends a part to a name such that its end is unambiguous, whatever quotes and blanks it contains. Returns `None` if the result is too
/// long.
fn push_part(key: &mut String, part: &str) -> Option<()> {
    key.push_str(&format!(" {}:{part}", part.len()));
    (key.len() <= LONGEST_KEY).then_some(())
}
