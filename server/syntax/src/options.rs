//! Options of reading a file.

use crate::imports::{KnownFiles, Surroundings};
use crate::operators::Operator;

/// Options of reading a file.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Operators in force from the first clause on, besides those of the dialect.
    pub operators: Vec<Operator>,
    /// Files that this one names, as far as they are known: their operators are in force behind the directives that name them.
    /// Those of the systems' own libraries are known without.
    pub files: KnownFiles,
    /// What the files that load this one give it; where that is known, it comes before what is known of `files`.
    pub surroundings: Surroundings,
}
