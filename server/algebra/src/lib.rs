//! Exact cost expressions, recurrences and their comparison.
//!
//! **Architecture invariant**: this room knows no Prolog, no salsa and no editor; everything here is a pure function of
//! numbers and expressions, and no floating-point number ever decides a comparison.

pub mod expr;
pub mod linear;

pub use expr::{Expr, Monomial, Rat, Var, rat};
pub use linear::{Constraint, Region, Relation};
