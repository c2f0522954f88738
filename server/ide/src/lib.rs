//! Editor features as plain data.
//!
//! **Architecture invariant**: no type of the language server protocol and no JSON appears here; positions are byte offsets
//! into the file's text. Language server and command line print the same data from this room: one meaning, one place.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod actions;
mod arguments;
pub mod at;
pub mod attained;
pub mod bounds;
pub mod breakdown;
pub mod call;
pub mod check;
pub mod code;
pub mod completion;
pub mod diagnostics;
pub mod documentation;
pub mod estimates;
pub mod evaluated;
pub mod explain;
pub mod files;
pub mod folding;
pub mod hints;
pub mod host;
pub mod hover;
pub mod kin;
pub mod markdown;
pub mod navigate;
pub mod plot;
pub mod present;
pub mod program;
pub mod reach;
pub mod regions;
mod reports;
pub mod resources;
mod samples;
pub mod settings;
pub mod share;
pub mod shares;
pub mod sniff;
pub mod suppressed;
pub mod symbols;
pub mod tokens;
mod trust;
