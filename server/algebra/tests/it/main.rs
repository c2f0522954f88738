//! The tests of the crate's public interface, in one executable: linking one executable per subject took longer than running them.
#![cfg(test)] // makes clippy treat helpers as test code (`allow-unwrap-in-tests`)

mod affine;
mod compare;
mod compare_orders;
mod factorial;
mod linear;
mod prove;
mod sign;
mod text;
