//! From files to predicates: salsa inputs, clauses by predicate, the static call graph and its components.
//!
//! **Architecture invariants.** Nothing outside [`positions`] knows where a clause stands: a comment, a blank line, a moved
//! predicate or a renamed variable changes no value of the other queries. Components are lists of names in bottom-up order,
//! never salsa ids, so that no result depends on the order in which queries were asked.
//!
//! For now a file is one program: a call reaches the predicates of its own file and, where it has none of that name, those of
//! the library files that ship with Costlens. Library files see themselves and the library files before them, which keeps
//! components within one file.

pub mod assertion;
pub mod clause;
pub mod component;
pub mod directives;
pub mod goals;
pub mod grammar_rule;
pub mod leading;
pub mod library;
pub mod positions;
pub mod predicate;
pub mod source;
pub mod specialise;
pub mod started;

pub use assertion::{assertions_of, file_assertions, stated};
pub use clause::{Clause, ClauseKind, Functor};
pub use component::{Component, callers_of, component_of, components};
pub use directives::{FileFacts, facts};
pub use goals::callees;
pub use predicate::{FunctorKey, Predicate, Resolved, find, predicates, resolve};
pub use source::{Db, Library, Role, SourceFile, install_library};
pub use specialise::{first_order, is_made};
pub use started::{StartedGoal, started_goals};
