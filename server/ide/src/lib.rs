//! Language server features as plain data.
//!
//! **Architecture invariant**: no type of the language server protocol and no JSON appears in this crate; positions are byte offsets into the
//! file's text. The language server and the command line print the same data from this crate: one meaning, one place.
//!
//! The layers; each imports only those below it:
//!
//! | layer | modules |
//! |---|---|
//! | queries | [`host`] |
//! | features | [`advice`], [`hover`], [`hints`], [`diagnostics`], [`fixes`], [`navigate`], [`document`], [`reports`] |
//! | shared by features | [`attained`], [`plot`], [`costs`], [`present`], `predicate`, [`resources`] |
//! | foundation | `db`, `file`, [`project`], [`settings`], [`sniff`] |
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod advice;
pub mod attained;
pub mod costs;
mod db;
pub mod diagnostics;
pub mod document;
mod file;
pub mod fixes;
pub mod hints;
pub mod host;
pub mod hover;
pub mod navigate;
pub mod plot;
pub mod predicate;
pub mod present;
pub mod project;
pub mod reports;
pub mod resources;
mod samples;
pub mod settings;
pub mod sniff;
