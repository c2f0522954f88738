//! Typed goals of clause bodies. All other crates use this crate to classify goals, and match on the variants of [`Goal`].
//!
//! `( X > 0 -> q(X) ; \+ r )` is a [`Goal::IfThenElse`] whose condition is a [`Goal::Compare`], whose first branch is a [`Goal::Call`], and
//! whose second branch is a [`Goal::Not`].
//!
//! **Architecture invariant**: only this crate recognises control constructs, meta-predicates and tests by name. Lowering uses name and
//! arity; the crate that knows the program provides the predicates that the program redefines ([`Goal::of_program`]). A goal is lowered
//! when it is inspected, in constant time: goals that appear only at run time (`call(G)`) are lowered in the same way as those in the
//! source.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod build;
mod comparison;
mod goal;
mod related;
mod type_test;
mod walk;

pub use self::comparison::Comparison;
pub use self::goal::{Arrow, Call, Collector, Goal};
pub use self::related::Related;
pub use self::type_test::TypeTest;
pub use self::walk::{alternatives, conjuncts, cuts_clause, last_goals, leaves, semicolon, sides};
