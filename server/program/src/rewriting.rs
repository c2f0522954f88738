//! Rewriting: the parts of a program that expansions may change, and the translation of higher-order to first-order predicates.

pub mod expansion;
mod foreign_clauses;
mod specialise;

pub use self::expansion::{
    advice, expanded_by, expanded_by_library, is_perhaps_expanded, is_translated, may_be_expanded,
    unexpanded,
};
pub use self::foreign_clauses::misunderstood;
pub use self::specialise::{
    NOT_ENTERED, PHRASE_CHECK, Specialised, UNDECIDED, first_order, has_alternatives, is_made,
    qualified_in_copy, specialised,
};

pub(crate) use self::specialise::find_made;
