//! The calls in a predicate's clauses that contribute to a bound, and their shares.

pub mod calls;
pub mod share;
