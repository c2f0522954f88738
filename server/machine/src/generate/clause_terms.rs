//! Clauses as inputs of the generator.

use costlens_syntax::term::{TermId, Terms};

/// A parsed clause.
#[derive(Clone, Debug)]
pub struct ClauseTerms<'a> {
    /// The arena of its terms.
    pub terms: &'a Terms,
    /// Its head.
    pub head: TermId,
    /// The goals of its body.
    pub goals: Vec<TermId>,
}
