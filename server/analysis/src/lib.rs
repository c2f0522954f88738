//! Cost inference (being built).
pub mod report;
pub mod types;
