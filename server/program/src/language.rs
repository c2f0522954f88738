//! The language: the meaning of clauses, goals and directives by themselves, without a database.
//!
//! System predicates are in the catalogue (`costlens_catalog`).

mod added_clause;
mod assignment;
mod clause;
mod copy_name;
mod copying;
mod declarations;
mod directive_goals;
mod file_spec;
mod functor;
mod goals;
pub mod grammar_rule;
mod hook_names;
mod indicators;
mod lambda_parameters;
mod meta_mode;
pub mod nonterminals;
mod qualified_name;
mod test_unit;
mod written_out;

pub use self::added_clause::AddedClause;
pub use self::clause::{
    Clause, ClauseKind, ClosureCalls, Closures, Interpreted, directive, is_goal, is_refused,
};
pub use self::copy_name::CopyName;
pub(crate) use self::copy_name::{ALTERNATIVE, ELSEWHERE};
pub use self::declarations::Opened;
pub use self::file_spec::{file_spec, option};
pub use self::functor::{Functor, FunctorKey};
pub use self::goals::{BodyCall, calls, has_unbound_goal, plain_calls};
pub use self::hook_names::is_expansion_hook;
pub use self::meta_mode::MetaMode;
pub use self::qualified_name::{is_own_name, join, split};
pub use self::test_unit::{UnitMark, unit_mark};

pub(crate) use self::assignment::is_assignment;
pub(crate) use self::clause::qualified_head;
pub(crate) use self::copying::{copy, in_order};
pub(crate) use self::declarations::{Declaration, changed, declared_by, is_declaring};
pub(crate) use self::directive_goals::{DirectiveGoal, goals_run};
pub use self::file_spec::is_library;
pub(crate) use self::goals::{MOST_ADDED, OtherGoals, all_calls, assigning, modules_bound};
pub(crate) use self::hook_names::EXPANSION_HOOKS;
pub(crate) use self::indicators::{indicators, indicators_in};
pub(crate) use self::lambda_parameters::only_parameters;
pub(crate) use self::meta_mode::{closures, meta_modes};
pub(crate) use self::qualified_name::split_name;
pub(crate) use self::written_out::written_out;
