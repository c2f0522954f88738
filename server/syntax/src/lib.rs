//! (being built)
pub mod term;
