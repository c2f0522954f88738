//! The language: what clauses, goals and directives say by themselves, without a database.
//!
//! Tables of built-in predicates stand here, too, as far as this room needs them.

mod assignment;
mod built_in;
mod clause;
mod copying;
mod declarations;
mod directive_goals;
mod file_spec;
mod functor;
mod goals;
pub mod grammar_rule;
mod hook_names;
mod indicators;
mod leading;
mod locked;
mod meta_mode;
mod qualified_name;

pub use self::built_in::is_unstated;
pub use self::clause::{Clause, ClauseKind, directive};
pub use self::declarations::Opened;
pub use self::file_spec::{file_spec, option};
pub use self::functor::{Functor, FunctorKey};
pub use self::goals::{Call, MetaArgument, calls, meta_arguments};
pub use self::leading::{is_leading_test, is_type_test};
pub use self::locked::is_locked;
pub use self::meta_mode::MetaMode;
pub use self::qualified_name::{is_own_name, join, split};

pub(crate) use self::assignment::{assignment, is_assignment};
pub(crate) use self::clause::qualified_head;
pub(crate) use self::copying::{copy, in_order};
pub(crate) use self::declarations::{Declaration, changed, inside, is_declaring};
pub(crate) use self::directive_goals::{Run, goals_run};
pub(crate) use self::file_spec::is_library;
pub(crate) use self::goals::{
    MOST_ADDED, OtherGoals, all_calls, assigning, is_control, modules_bound,
};
pub(crate) use self::hook_names::{EXPANSION_HOOKS, SYSTEM_HOOKS};
pub(crate) use self::indicators::{indicators, indicators_in};
pub(crate) use self::meta_mode::{closures, meta_modes};
pub(crate) use self::qualified_name::{is_same_everywhere, split_name};
