//! The goals of a body, typed. Every other room asks here what a goal is, and matches the variants of [`Goal`].
//!
//! `( X > 0 -> q(X) ; \+ r )` is a [`Goal::IfThenElse`] whose condition is a [`Goal::Compare`], whose first branch is a [`Goal::Call`],
//! and whose second one is a [`Goal::Not`].
//!
//! **Architecture invariant**: this room alone knows control constructs, meta-predicates and tests by their names. Lowering is by name and
//! arity; whether a program redefines a predicate, the room that knows the program says ([`Goal::of_program`]). A goal is lowered where it is
//! looked at, in constant time: goals that are found only when a clause runs (`call(G)`) are lowered in the same way as those that are written.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod build;
mod comparison;
mod goal;
mod type_test;
mod walk;

pub use self::comparison::Comparison;
pub use self::goal::{Arrow, Call, Collector, Goal};

pub use self::type_test::TypeTest;
pub use self::walk::{alternatives, conjuncts, cuts_clause, last_goals, leaves, semicolon, sides};
