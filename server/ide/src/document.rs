//! Views of a document that are unrelated to its costs: outline, semantic tokens, folding ranges, and completions.

pub(crate) mod assertion_words;
pub mod completion;
pub mod folding;
pub mod symbols;
pub mod tokens;
