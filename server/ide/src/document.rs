//! The views of a document other than its costs: outline, colours, folds, and proposals.

pub(crate) mod assertion_words;
pub mod completion;
pub mod folding;
pub mod symbols;
pub mod tokens;
