//! Flags of reading that directives change.

use crate::dialect::{QuotedAs, Syntax};

/// The state that directives can change besides the operators.
#[derive(Clone, Debug)]
pub(crate) struct Flags {
    pub(crate) syntax: &'static Syntax,
    pub(crate) double_quotes: QuotedAs,
    pub(crate) back_quotes: QuotedAs,
}
