//! High-level events: the counts of entering a clause and running a literal (PADL'07 §2.2, §2.3).
//!
//! A cost model of a platform is a vector of constants, one per event, in nanoseconds; the time of a run is the product of that vector and
//! the counts of the run. This room computes the counts from the text of a clause and the modes of a call alone.
//!
//! **Architecture invariant**: the room is a pure function of terms and modes. Nothing here knows the clauses of called predicates, the
//! factor applied to a count, or how long anything takes.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod clause;
pub mod code;
mod counts;
mod event;
mod found;
pub mod gnu;
pub mod heap;
mod instructions;
mod met;
mod occurrences;
mod part;
pub mod ppdp08;
pub mod swi;

pub use clause::{Mode, builtin, handed, head, increments, shared_arguments, written};
pub use counts::{Count, Counts};
pub use event::{Event, NoEvent, OwnPart, Vocabulary};
pub use found::{Index, IndexedBy, found_by, groups, indexed_by, is_told_by_key};
pub use instructions::Instructions;
pub use met::{Met, MetPart, NotMet, instructions};
