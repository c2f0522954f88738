//! Closed forms: the forms that the equations suggest, their building blocks, and the fit to exact values.

mod bases;
mod echelon;
pub(crate) mod families;
pub(crate) mod fit;
mod monomials;
mod products;
pub(crate) mod rates;
pub(crate) mod sample;
pub(crate) mod template;
