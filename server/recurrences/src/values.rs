//! Exact values of a system at small points. They suggest forms and prove nothing.

pub(crate) mod compiled;
pub(crate) mod evaluate;
