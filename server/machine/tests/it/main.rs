//! Tests of the crate's public behaviour, in one executable: linking one per subject took longer than running them.
#![cfg(test)] // so that clippy takes helpers here for test code (`allow-unwrap-in-tests`)

mod arithmetic;
mod centres;
mod collection;
mod control;
mod extremes;
mod ports;

#[path = "../../../../tests/support/centre_programs.rs"]
mod centre_programs;
