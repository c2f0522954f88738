//! Predictions from past runs on programs of the shapes of hybrid prediction's: what they are off by, with and without annotations and inferred dependences.
#![cfg(test)]
// The experiments use the rest of `subject`.
#![allow(dead_code)]
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod accuracy;
mod goals;
mod subject;
