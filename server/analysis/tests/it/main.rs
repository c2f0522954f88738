//! Tests the guarantees of this crate, in one executable: linking one per subject took longer than running the tests.
#![cfg(test)] // so that clippy treats helpers in this executable as test code (`allow-unwrap-in-tests`)

mod fuel;
mod incremental;
mod resources;
mod undeclared;
mod verdict;
