//! Tests the data file: it must be well formed, agree with an installed SWI-Prolog, and have every predicate of the assertion files.

#![allow(clippy::unwrap_used)]

mod assertion_files;
mod data;
mod inferences;
mod proper_lists;
mod swi;
mod swi_agreement;
