//! The database that all queries take.

/// The database of this room and of all rooms above it.
#[salsa::db]
pub trait Db: salsa::Database {}
