//! Exact values of a system at small points. They suggest forms but prove nothing.

pub(crate) mod compiled;
pub(crate) mod evaluate;
