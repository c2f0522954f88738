//! Abstract values: types, sizes, and other facts about a value. This module is independent of clauses.

pub(crate) mod datum;
pub(crate) mod functional;
pub mod opaque;
pub mod regular;
pub(crate) mod size;
pub mod types;
pub(crate) mod weight;
