//! The database interface of all queries.

/// The database of this crate and of all crates that depend on it.
#[salsa::db]
pub trait Db: salsa::Database {}
