//! Definitions: the clauses of each predicate, in its own file and, if it is multifile, in other files.

mod alternatives;
mod damage;
mod effects;
mod expansion_hooks;
mod extensions;
mod find;
mod hook_clause;
mod in_file;
mod multifile;
mod multifile_contributions;
mod predicate;
mod predicate_assertions;
mod records;
mod run_hooks;
mod stored;
mod system_hooks;
mod term_form;
mod unexpanded;

pub use self::damage::damaged;
pub use self::effects::{Alteration, Assumed, Changed, EffectClaim, effects_assumed};
pub(crate) use self::extensions::has_given;
pub use self::extensions::{extended_in, given_elsewhere, made_in};
pub use self::in_file::predicates;
pub use self::multifile::{
    Apart, Gathered, Given, all_clauses, clauses_in_order, gathered, gathered_from, stands_in,
};
pub use self::predicate::Predicate;
pub use self::predicate_assertions::{assertions_of, stated_beside};
pub use self::stored::{StoredClause, has_stored_rule, stored_clauses, stores_any_clause};
pub use self::system_hooks::{hooked_in, hooks_here};

pub(crate) use self::alternatives::{Alternatives, alternatives, assumed_defined};
pub(crate) use self::effects::{EffectReach, effects_on, leaving_out_assertions, writes_with};
pub(crate) use self::expansion_hooks::{Guard, Hook, chooses_dialect, hooks_of};
pub(crate) use self::extensions::extending;
pub(crate) use self::find::{all_predicates, find_written, shipped, shipped_in};
pub(crate) use self::hook_clause::hook_clauses;
pub(crate) use self::multifile::{ONE_FILE, assumed_whole, contributors};
pub(crate) use self::multifile_contributions::{ContributionKind, contributions};
pub(crate) use self::records::LIBRARY as RECORD_LIBRARY;
pub(crate) use self::run_hooks::{WholeTerm, expanded_terms};
pub(crate) use self::term_form::{TermForm, form_of};
pub use self::unexpanded::Unexpanded;
