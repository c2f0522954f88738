//! Abstract values: types, sizes, and what is known of one value. Nothing here knows a clause.

pub(crate) mod datum;
pub(crate) mod functional;
pub mod regular;
pub(crate) mod size;
pub mod types;
pub(crate) mod weight;
