//! Compilers of clauses. The crate also counts the events of entering a clause and of running a literal.
//!
//! Four compilers process the text of clauses: the compiler for the machine that runs programs ([`code`]), and those that model SWI-Prolog
//! ([`swi`]), GNU Prolog ([`gnu`]) and the machine of PPDP'08 ([`ppdp08`]). Their instructions are events, which this crate counts for the
//! parts of a clause, together with the events of the text itself ([`events`]) and the cells that SWI-Prolog allocates ([`heap`]).
//!
//! **Architecture invariant**: the crate is a pure function of terms and modes. It does not know the clauses of called predicates, the
//! factor applied to a count, or the time that anything takes.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod code;
pub mod events;
pub mod gnu;
pub mod heap;
mod instructions;
mod met;
mod occurrences;
mod part;
pub mod ppdp08;
pub mod swi;

pub use instructions::Instructions;
pub use met::instructions;
