//! What the room promises to those who use it, in one executable: linking one for each subject took longer than running them.
#![cfg(test)] // so that clippy takes helpers here for test code (`allow-unwrap-in-tests`)

mod affine;
mod compare;
mod compare_orders;
mod factorial;
mod sign;
mod system;
mod system_circles;
mod system_classes;
mod system_divisions;
mod system_fewer_sizes;
mod system_linear;
mod system_prove;
mod system_random;
mod system_splits;
mod system_splits_random;
mod text;

#[path = "../system/support.rs"]
mod support;
