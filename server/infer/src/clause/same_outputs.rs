//! Names for the outputs of repeated calls, which show that values in different clauses are the same.
//!
//! ```prolog
//! best(T, X, X) :- least(T, M), X < M.
//! best(T, X, M) :- least(T, M), X >= M.
//! ```
//!
//! Where `least/2` is a function of its inputs ([`crate::written::functional`]), both clauses compare `X` with one number.

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

/// The maximum nesting of a term with a name.
const DEEPEST_KEY: usize = 4;

impl Runner<'_> {
    /// Returns a name for a call by its inputs, if other clauses make such calls as well and all calls with these arguments have the same answers.
    pub(super) fn function_key(
        &self,
        state: &State,
        terms: &Terms,
        predicate: &Functor,
        (args, data): (&[TermId], &[Datum]),
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

/// Names the outputs of a call with at most one solution after the call: `mn(T, R, M), X < M` in one clause and `mn(T, R, M), X >= M` in the
/// next one compare with the same number.
pub(super) fn name_outputs(call: &SmolStr, before: &[Datum], after: &mut [Datum]) {
    for (i, (before, after)) in before.iter().zip(after).enumerate() {
        if before.ty == Type::Free && after.ty.is_ground() {
            after.key = Some(format_smolstr!("{call}#{i}"));
        }
    }
}

/// Returns a name for a ground value: its key, or that of the term made of it. Equal names are equal values.
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

/// Appends a name to another one so that its end is recognisable, whatever quotes and blanks it contains. Returns `None` if the result is too long.
fn push_part(key: &mut String, part: &str) -> Option<()> {
    key.push_str(&format!(" {}:{part}", part.len()));
    (key.len() <= LONGEST_KEY).then_some(())
}
