//! Predictions from past runs on programs of the shape of paper 004's: what they are off by, with and without annotations and inferred dependences.
#![cfg(test)]
#![allow(clippy::unwrap_used)]

mod accuracy;
mod experiments;
mod picture;
mod subject;
