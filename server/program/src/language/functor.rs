//! Names of predicates: name and arity, and the same pair as a key of queries.
#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]

use std::fmt;

use costlens_syntax::term::{TermId, Terms};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// Name and arity of a predicate.
#[derive(
    Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, salsa::SalsaValue, Serialize, Deserialize,
)]
pub struct Functor {
    /// The name.
    pub name: SmolStr,
    /// The arity.
    pub arity: usize,
}

impl Functor {
    /// Returns a functor from its parts.
    #[must_use]
    pub fn new(name: impl Into<SmolStr>, arity: usize) -> Self {
        Self {
            name: name.into(),
            arity,
        }
    }

    /// Returns the functor of a term; for a goal, this is the predicate that it calls. Returns `None` for variables and numbers.
    #[must_use]
    pub fn from_term(terms: &Terms, t: TermId) -> Option<Self> {
        let (name, arity) = terms.functor(t)?;
        Some(Self::new(name.clone(), arity))
    }
}

impl fmt::Display for Functor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.name, self.arity)
    }
}

/// Name and arity as a key of queries. *Identity*: the value.
#[salsa::interned]
pub struct FunctorKey<'db> {
    /// The value.
    pub functor: Functor,
}
