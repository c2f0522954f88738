//! The built-in predicates that are written in Rust, a table for each file.

use crate::machine::Entry;

mod arithmetic;
mod unification;

/// All tables.
pub(crate) const TABLES: &[&[Entry]] = &[arithmetic::TABLE, unification::TABLE];
