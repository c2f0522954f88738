//! Options for reading a file.

use crate::imports::{KnownFiles, Surroundings};
use crate::operators::Operator;

/// Options for reading a file.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Operators in force before the first clause, in addition to those of the dialect.
    pub operators: Vec<Operator>,
    /// The known files that this file names; their operators are in force after the directives that name them. The systems' own libraries
    /// need not be listed.
    pub files: KnownFiles,
    /// The operators and quotes provided by the files that load this file; if known, they take precedence over `files`.
    pub surroundings: Surroundings,
}
