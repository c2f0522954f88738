//! Cost inference: call patterns, sizes, determinism, equations over resolution steps, verified bounds.
//!
//! **Architecture invariant**: analysis never reads a position or a caller. It returns plain data; anything that it cannot prove is
//! *unknown*, with the root cause.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod call_modes;
mod database;
mod db;
pub mod driver;
mod fact_tables;
pub mod fits;
pub mod followed;
mod guesses;
pub mod kept;
mod lookups;
mod memory;
mod narrower;
mod near;
mod open;
pub mod own_resources;
pub mod patterns;
mod priced;
mod prices;
pub mod queries;
mod readiness;
mod regular_queries;
pub mod resources;
mod shown;
mod summaries;
mod systems;
mod table;
mod trust;
pub mod verdict;
mod view;

pub use costlens_infer::{never_succeeds, time_shapes, type_test};

// The types of query results.
pub use costlens_infer::{Certified, is_parameter, least_value, regular, report, types};
