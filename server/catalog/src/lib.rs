//! The catalogue of system predicates: control constructs, built-ins and predicates of SWI-Prolog's libraries, one record each in
//! `data/predicates.txt`.
//!
//! ```text
//! findall/3   prolog locked meta=?0? machine usual=??- | findall(?Template, :Goal, -List) is det | The instances of Template …
//! ```
//!
//! Other crates query it by name and arity: [`is_locked`], [`meta_arguments`], [`counts_nothing`] and so on, each documented separately.
//! The lines below a built-in describe its solutions, types, sizes and the growth of its running time, in the assertion language
//! ([`trust_assertions`]).
//!
//! **Architecture invariant**: a fact about a system predicate that two crates need, or that can be tested against SWI-Prolog, is in the
//! data file and nowhere else. The crate does not depend on terms, programs or costs.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod flags;
mod functions;
mod inferences;
mod library_texts;
mod lookup;
mod measuring;
mod predicate;
mod questions;
mod read;
mod signature;
mod statements;

pub use flags::{FlagEffect, flag_effect};
pub use functions::{
    ARITHMETIC_FUNCTIONS, is_arithmetic_function, is_changing_function, is_float_function,
    names_changing_function,
};
pub use inferences::{
    AggregateInferences, MOST_OF_TYPE_ERROR, OF_CALL_DCG, inferences_of_aggregate,
    inferences_of_lambda, inferences_of_phrase, inferences_of_type_check, measured_templates,
    measured_types,
};
pub use library_texts::{
    LibraryInferences, inferences_in_library, is_of_another_text, passes_closures_on,
};
pub use lookup::{find, system_predicates};
pub use measuring::is_measuring;
pub use predicate::{
    Alteration, Answers, Assignment, ClauseChange, Control, Description, Effect, Endless, Home,
    Language, LeadingTest, Message, MetaArgument, MetaArguments, Opening, Shown, SystemPredicate,
    TextUse, Unfollowed,
};
pub use questions::{
    alteration, answers, assignment, atoms, belongs_to_no_module, brought, calls_no_goals, cells,
    clause_change, counts_nothing, described, ends, format_argument, global_use, goal_arguments,
    hooks_called, ignores_module, inferences, integers, is_arithmetic_comparison, is_built_in,
    is_control_construct, is_endless, is_expanded_by_apply_macros, is_fixed, is_in_every_version,
    is_leading_test, is_library, is_locked, is_of_swi_prolog, is_query, is_reversible,
    is_system_hook, is_term_comparison, is_transparent_to_cut, is_type_test, leaves_variables,
    loaders, makes_terms, may_wait, message, meta_arguments, named_effect, names_alteration,
    names_caller_of_names, opening, portable, reads_input, relation, shows, signature,
    system_hooks, text_use, unfollowed, usual_modes,
};
pub use read::{MalformedLine, Problem, read};
pub use signature::{
    Atoms, Brought, Cells, GlobalUse, Inferences, Integers, Portable, Relation, Signature,
};
pub use statements::{time_assertions, trust_assertions};
