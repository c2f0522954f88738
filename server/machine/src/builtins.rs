//! Built-in predicates written in Rust, with one table per file.

use crate::machine::Entry;

mod arithmetic;
mod characters;
mod concatenation;
mod control;
mod database;
mod globals;
mod operators;
mod order;
mod output;
mod profiling;
mod terms;
mod text;
mod types;
mod unification;

/// All tables.
pub(crate) const TABLES: &[&[Entry]] = &[
    arithmetic::TABLE,
    characters::TABLE,
    concatenation::TABLE,
    control::TABLE,
    database::TABLE,
    globals::TABLE,
    operators::TABLE,
    order::TABLE,
    output::TABLE,
    profiling::TABLE,
    terms::TABLE,
    text::TABLE,
    types::TABLE,
    unification::TABLE,
];
