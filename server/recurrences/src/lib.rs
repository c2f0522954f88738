//! Systems of recurrence equations: closed-form bounds, the proof that the bounds hold, and this proof as data.
//!
//! Each module depends only on the modules above it:
//!
//! | module | subject |
//! |---|---|
//! | [`system`] | the equations and their bounds, as plain data |
//! | `graph` | which cells call which, and how a value depends on its calls |
//! | `transform` | other systems with the same least solution |
//! | `values` | exact values at small points |
//! | `forms` | closed forms that the equations suggest, fitted to values |
//! | `induction` | the proof that a candidate is a bound ([`verify`]) |
//! | `solver` | the search for candidates ([`solve`]) |
//! | [`certify`] | the proof repeated and recorded for an independent checker |
//!
//! **Architecture invariant**: a bound that [`solve`] returns as known has been proved by the induction, which shares no code with the
//! solver. Forms may be guessed in any way; no guess is trusted.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod certify;
mod forms;
mod graph;
mod induction;
mod solver;
pub mod system;
mod transform;
mod values;

pub use induction::{Refusal, verify};
pub use solver::{solve, solve_part};
pub use system::{
    Alternative, CallResult, Cell, Direction, Function, Solution, SolvedPiece, System, Value, Why,
};
pub use transform::parts::by_parts;
pub use transform::unfold::halving;
