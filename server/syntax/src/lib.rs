//! Reads Prolog text into terms.
//!
//! The flat grammar of `tree_sitter_prolog` finds clauses, brackets and tokens, incrementally ([`Parsed`]); the operator pass builds terms
//! from them with the operator table in force at each clause ([`read`]). Every text yields a result: a clause with a syntax error becomes
//! an error with a message and a position, and the rest of the file is unaffected.
//!
//! Architecture invariant: this crate knows neither files nor predicates; the meaning of a clause is determined elsewhere.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod agreement;
pub mod assertions;
pub mod comments;
mod comparisons;
mod conditions;
pub mod dialect;
mod digits;
mod directive_effects;
mod flags;
mod heads;
pub mod imports;
mod integer;
mod layouts;
mod leaves;
mod libraries;
mod lines;
mod lost;
mod memory;
mod nearest;
mod operator_type;
pub mod operators;
mod options;
mod parsed;
mod pass;
pub mod pldoc;
pub mod queries;
mod read;
mod reading_goals;
pub mod term;
mod tokens;
mod unfinished;
mod write;

pub use agreement::agreed;
pub use conditions::{Branch, Conditions, Presence, Question, condition_decided, questions};
pub use dialect::{Dialect, QuotedAs, dialect_of, is_gnu_built_in};
pub use imports::{
    Changed, FileOperators, FileSpec, Import, ImportKind, KnownFiles, OperatorEvent, OperatorLoad,
    Quotes, Surroundings,
};
pub use integer::{Integer, OutOfRange};
pub use lines::Lines;
pub use nearest::nearest;
pub use operators::{Operator, OperatorType, Operators, is_assertion_kind, is_profiling_word};
pub use options::ReadOptions;
pub use parsed::Parsed;
pub use read::{FileTerms, read, read_directives, read_text};
pub use reading_goals::{OperatorGoal, ReadingGoal, reading_goal};
pub use term::{Comment, PossibleHead, ReadClause, ReadError, Spans, Term, TermId, Terms};
pub use write::{write_argument, write_atom, write_term};
