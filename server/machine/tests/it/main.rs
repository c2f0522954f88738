//! The promises of the room to its users, in one executable: linking one for each subject took longer than running them.
#![cfg(test)] // so that clippy takes helpers here for test code (`allow-unwrap-in-tests`)

mod arithmetic;
mod centres;
mod control;
mod extremes;
mod ports;

#[path = "../../../../tests/support/centre_programs.rs"]
mod centre_programs;
