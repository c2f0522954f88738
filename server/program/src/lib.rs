//! From files to predicates: salsa inputs, clauses by predicate, the static call graph and its components.
//!
//! **Architecture invariants.** Nothing outside [`positions`] knows where a clause stands: a comment, a blank line, a moved
//! predicate or a renamed variable changes no value of the other queries. Components are lists of names in bottom-up order,
//! never salsa ids, so that no result depends on the order in which queries were asked.
//!
//! A call reaches the predicates of its own file, those that the file imports or is loaded together with, and those of the library files
//! that ship with Costlens ([`modules`]). Components stay within one file: recursion through several files is cut and said to be unknown.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod assertion;
pub mod assigned;
pub mod clause;
pub mod component;
pub mod conditions;
pub mod declared;
pub mod directives;
pub mod expansion;
pub mod goals;
pub mod grammar_rule;
pub mod library;
mod meta;
pub mod modules;
pub mod positions;
pub mod predicate;
pub mod qualified;
pub mod source;
pub mod specialise;
pub mod started;

pub use assertion::{about, assertions_of, file_assertions, stated};
pub use clause::{Clause, ClauseKind, Functor};
pub use component::{Component, callers_of, component_of, components, in_one_circle};
pub use declared::Opened;
pub use directives::{FileFacts, facts};
pub use expansion::macros::PERHAPS_ENTERED;
pub use expansion::{advice, expanded_by};
pub use goals::callees;
pub use predicate::{
    FunctorKey, Predicate, Resolved, Unreached, find, predicates, resolve, why_undefined,
    why_unreached,
};
pub use source::{Db, Library, Role, SourceFile, install_library};
pub use specialise::{first_order, is_made};
pub use started::{StartedGoal, started_goals};
