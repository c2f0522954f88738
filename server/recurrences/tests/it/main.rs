//! The tests of the crate's public interface, in one executable: linking one executable per subject took longer than running them.
#![cfg(test)] // makes clippy treat helpers as test code (`allow-unwrap-in-tests`)

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
