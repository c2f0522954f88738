//! Converts recorded runs into recurrence equations for the solver of `costlens_recurrences`.

pub(crate) mod cases;
pub(crate) mod charges;
pub(crate) mod exact;
pub(crate) mod numbering;
pub(crate) mod quantity;
pub(crate) mod relations;
pub(crate) mod relevance;
pub(crate) mod sums;
