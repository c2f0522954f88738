//! Rewriting: what expansions may change of a program, and higher order made first order.

pub mod expansion;
mod foreign_clauses;
mod specialise;

pub use self::expansion::{advice, expanded_by, may_be_expanded};
pub use self::foreign_clauses::misunderstood;
pub use self::specialise::{Specialised, first_order, is_made, qualified_in_copy, specialised};

pub(crate) use self::specialise::find_made;
