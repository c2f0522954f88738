//! Converts files to predicates: salsa inputs, clauses by predicate, the static call graph and its components.
//!
//! The modules form layers, from the lowest to the highest: [`language`], [`workspace`], [`directives`], [`loading`], [`definitions`],
//! [`calls`], [`names`], [`rewriting`], [`graph`]. Each imports only modules of lower layers.
//!
//! **Architecture invariants.** Nothing outside [`positions`] knows the position of a clause: a comment, a blank line, a moved predicate or
//! a renamed variable does not change the result of any other query. Components are lists of names in bottom-up order, never salsa ids, so
//! that no result depends on the order of queries.
//!
//! A call reaches the predicates of its own file, of files that this file imports or with which it is loaded, and of the library files that
//! ship with Costlens ([`names`]). A component is always within one file: recursion through several files is cut and reported as unknown.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod calls;
pub mod definitions;
pub mod directives;
pub mod graph;
pub mod language;
pub mod loading;
pub mod names;
pub mod positions;
pub mod rewriting;
pub mod workspace;

pub use calls::callees;
pub use definitions::{Predicate, assertions_of, predicates};
pub use directives::{
    FileFacts, StartedGoal, assertions_about, facts, file_assertions, queries, started_goals,
    stated,
};
pub use graph::{
    Component, Unreached, callers_of, component_of, components, find, in_one_circle, resolve,
    why_undefined, why_unreached,
};
pub use language::{
    Clause, ClauseKind, ClosureCalls, Closures, CopyName, Functor, FunctorKey, Interpreted, Opened,
};
pub use names::Resolved;
pub use rewriting::expansion::{CONSTRAINS, PERHAPS_ENTERED};
pub use rewriting::{
    NOT_ENTERED, PHRASE_CHECK, UNDECIDED, advice, expanded_by, expanded_by_library, first_order,
    has_alternatives, is_made, is_perhaps_expanded, is_translated, may_be_expanded,
    qualified_in_copy,
};
pub use workspace::{Db, Library, Role, SourceFile, install_library};
