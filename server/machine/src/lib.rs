//! The abstract machine: runs compiled clauses within limits, and counts events.
//!
//! [`store`] contains the terms, [`machine`] the interface for built-ins, and [`builtins`] the built-ins in Rust. `X = f(Y)` takes two
//! cells for the structure and a reference to it.
//!
//! Architecture invariant: the machine is independent of the analysis whose bounds it checks. It reads no file, starts no process and reads
//! no clock. Every run ends with an answer or at a limit, never with an overflow of the Rust stack.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod activations;
pub mod atoms;
mod blocks;
pub mod builtins;
pub mod cell;
mod centres;
mod collect;
mod collection;
mod compare;
mod control;
mod copy;
mod count;
mod database;
mod dynamic;
mod engine;
pub mod error;
mod error_terms;
mod evaluate;
mod format;
mod frames;
pub mod generate;
mod globals;
mod heads;
mod hooks;
mod inline;
mod library;
mod limits;
mod link;
mod load;
pub mod machine;
pub mod number;
mod observer;
mod op;
mod ports;
mod predicate;
#[cfg(test)]
mod properties;
pub mod read;
mod solve;
pub mod store;
mod switch;
mod terms;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text;
mod unify;
mod walk;
mod watch;
pub mod write;

pub use activations::Plan;
pub use atoms::{Atom, Atoms};
pub use blocks::{Block, BlockCount, BlockOrigin, Ending};
pub use cell::Cell;
pub use centres::{
    Amounts, Centre, CentreName, CentrePath, Edge, Enter, Leave, Measured, Pair,
    Ports as CentrePorts, Resource,
};
pub use collection::Collection;
pub use copy::Stored;
pub use costlens_compile::code::Indexing;
pub use error::{Limit, Throw};
pub use heads::{Head, HeadCounts};
pub use hooks::run_hooks;
pub use load::LoadError;
pub use machine::{Builtin, Limits, Machine};
pub use observer::{Every, Looker, Observer};
pub use ports::{ClausePorts, Ports};
pub use solve::Answer;
pub use store::{Boxed, Mark, Store, View};
