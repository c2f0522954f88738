//! The guarantees of this room, in one executable: linking one per subject took longer than running them.
#![cfg(test)] // so that clippy takes helpers here for test code (`allow-unwrap-in-tests`)

mod fuel;
mod incremental;
mod resources;
mod undeclared;
mod verdict;
