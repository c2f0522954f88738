//! Exact cost expressions, linear regions, proofs of inequalities, and comparison.
//!
//! **Architecture invariant**: this crate is independent of Prolog, salsa and editors; all its functions are pure functions of numbers and
//! expressions, and floating-point numbers never decide a comparison.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod atom;
pub mod compare;
pub mod display;
mod enclosure;
pub mod expr;
pub mod growth;
pub mod linear;
pub mod parse;
pub mod prove;
mod rational;
pub mod sign;
pub mod text;
pub mod work;

pub use atom::{Atom, Rounding};
pub use expr::{Expr, Monomial, Rat, Var, rat};
pub use linear::{Constraint, Region, Relation};
