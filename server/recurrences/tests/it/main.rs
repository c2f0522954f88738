//! The tests of the room's public interface, in one executable: linking one for each subject took longer than running them.
#![cfg(test)] // so that clippy takes helpers here for test code (`allow-unwrap-in-tests`)

mod circles;
mod classes;
mod divisions;
mod fewer_sizes;
mod products;
mod random;
mod solve;
mod splits;
mod splits_random;
mod support;
