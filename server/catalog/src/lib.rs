//! The catalogue of system predicates: control constructs, built-ins and predicates of SWI-Prolog's libraries, one line each in
//! `data/predicates.txt`.
//!
//! ```text
//! findall/3   prolog locked meta=?0? machine usual=??- | findall(?Template, :Goal, -List) is det | The instances of Template …
//! ```
//!
//! Other rooms ask by name and arity: [`is_locked`], [`meta_arguments`], [`counts_nothing`] and so on, each with its own meaning. The
//! assertion files of the inference room state the solutions, sizes and costs of built-ins.
//!
//! **Architecture invariant**: a fact about a system predicate that two rooms need, or that SWI-Prolog can be asked about, is stated in the
//! data file and nowhere else. The room knows no terms, programs or costs.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod flags;
mod functions;
mod lookup;
mod measuring;
mod predicate;
mod questions;
mod read;

pub use flags::{FlagEffect, flag_effect};
pub use functions::{ARITHMETIC_FUNCTIONS, is_arithmetic_function, is_changing_function};
pub use lookup::{all, find};
pub use measuring::is_measuring;
pub use predicate::{
    Answers, Assignment, ClauseChange, Control, Description, Effect, Endless, Home, Language,
    MetaArgument, MetaArguments, Opening, Shown, SystemPredicate, Test, TextUse, Unfollowed,
};
pub use questions::{
    alters_programs, answers, assignment, belongs_to_no_module, calls_no_goals, clause_change,
    counts_nothing, described, ends, goal_arguments, hooks_called, ignores_module,
    is_arithmetic_comparison, is_built_in, is_control_construct, is_endless,
    is_expanded_by_apply_macros, is_fixed, is_in_every_version, is_leading_test, is_locked,
    is_of_swi_prolog, is_reversible, is_system_hook, is_term_comparison, is_transparent_to_cut,
    is_type_test, leaves_variables, loaders, makes_terms, may_wait, meta_arguments, named_effect,
    names_alteration, names_caller_of_names, opening, reads_input, shows, system_hooks, text_use,
    unfollowed, usual_modes,
};
pub use read::{Malformed, Problem, read};
