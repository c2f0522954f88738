//! The built-in predicates that are written in Rust, a table for each file.

use crate::machine::Entry;

mod arithmetic;
mod control;
mod database;
mod unification;

/// All tables.
pub(crate) const TABLES: &[&[Entry]] = &[
    arithmetic::TABLE,
    control::TABLE,
    database::TABLE,
    unification::TABLE,
];
