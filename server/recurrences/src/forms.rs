//! Closed forms: which kinds the equations suggest, which functions they are made of, and how they are fitted to exact values.

pub(crate) mod bases;
mod echelon;
pub(crate) mod families;
pub(crate) mod fit;
pub(crate) mod products;
pub(crate) mod rates;
