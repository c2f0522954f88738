//! The calls in a predicate's clauses that a bound is spent on, and the share of each.

pub mod calls;
pub mod share;
