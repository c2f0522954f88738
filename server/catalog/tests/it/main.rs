//! The data file: well formed, and true of an installed SWI-Prolog.

#![allow(clippy::unwrap_used)]

mod data;
mod stated;
mod swi_agreement;
