//! Tests the public behaviour of the crate, in one executable: linking one per subject took longer than running the tests.
#![cfg(test)] // so that clippy treats helpers in this executable as test code (`allow-unwrap-in-tests`)

mod damage;
mod dialects;
mod documents;
mod incremental;
mod memory;
mod plain;
mod robustness;
mod swi_agreement;
mod terms;

#[path = "../support/dump.rs"]
mod dump;
#[path = "../support/imported.rs"]
mod imported;
#[path = "../support/library.rs"]
mod library;
