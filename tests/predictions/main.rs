//! Predictions from past runs of programs with the shapes of those in hybrid prediction: their errors, with and without annotations and
//! inferred dependences.
#![cfg(test)]
// The experiments use the rest of `subject`.
#![allow(dead_code)]
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod accuracy;
mod goals;
mod subject;
