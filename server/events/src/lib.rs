//! The events that a run counts (including instructions): their names, and vectors of counts (PADL'07 §2.2, §2.3).
//!
//! The cost model of a platform is a vector of constants, one per event, in nanoseconds; the time of a run is the inner product of this
//! vector and the run's counts. `costlens-compile` computes the counts from the text of a clause and the modes of a call.
//!
//! **Architecture invariant**: the crate reads no terms. It knows neither clauses nor running times.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod counts;
mod event;
pub mod gnu;
pub mod machine;
mod met;
pub mod ppdp08;
pub mod swi;
mod vocabulary;

pub use counts::{Count, Counts};
pub use event::{Event, NoEvent, OwnPart};
pub use met::{Met, MetPart, NotMet};
pub use vocabulary::{Index, Vocabulary};
