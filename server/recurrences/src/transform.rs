//! Transformations to other systems with the same least solution, for which bounds are easier to infer.

pub(crate) mod alike;
pub(crate) mod parts;
pub(crate) mod refine;
pub(crate) mod unfold;
