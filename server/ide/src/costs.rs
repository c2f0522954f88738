//! Where a bound is spent: the calls in a predicate's clauses, and the share of the bound that each has.

pub mod calls;
pub mod share;
