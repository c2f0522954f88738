//! Editor features as plain data.
//!
//! **Architecture invariant**: no type of the language server protocol and no JSON appears here; positions are byte offsets
//! into the file's text. Language server and command line print the same data from this room: one meaning, one place.
//!
//! The floors; each imports only those below it:
//!
//! | floor | modules |
//! |---|---|
//! | questions | [`host`] |
//! | features | [`advice`], [`hover`], [`hints`], [`diagnostics`], [`fixes`], [`navigate`], [`document`], [`reports`] |
//! | shared by features | [`attained`], [`plot`], [`costs`], [`present`], `predicate`, [`resources`] |
//! | the ground | `db`, `file`, [`project`], [`settings`], [`sniff`] |
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
