//! The tests of the room's public interface, in one executable: linking one for each subject took longer than running them.
#![cfg(test)] // so that clippy takes helpers here for test code (`allow-unwrap-in-tests`)

mod affine;
mod compare;
mod compare_orders;
mod factorial;
mod linear;
mod prove;
mod sign;
mod text;
