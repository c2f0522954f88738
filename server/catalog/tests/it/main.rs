//! Tests the data file: it must be well formed, and agree with an installed SWI-Prolog.

#![allow(clippy::unwrap_used)]

mod data;
mod stated;
mod swi_agreement;
