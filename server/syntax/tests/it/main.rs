//! The public behaviour of the room, tested in one executable: linking one per subject took longer than running them.
#![cfg(test)] // so that clippy takes helpers here for test code (`allow-unwrap-in-tests`)

mod damage;
mod dialects;
mod documents;
mod incremental;
mod memory;
mod robustness;
mod swi_agreement;
mod terms;

#[path = "../support/dump.rs"]
mod dump;
#[path = "../support/imported.rs"]
mod imported;
#[path = "../support/library.rs"]
mod library;
