//! Other systems with the same least solution, in which bounds are easier to find.

pub(crate) mod alike;
pub(crate) mod parts;
pub(crate) mod refine;
pub(crate) mod unfold;
