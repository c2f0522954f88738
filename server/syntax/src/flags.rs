//! Flags of reading that directives change.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use crate::dialect::{QuotedAs, Syntax};
use crate::imports::Quotes;

/// The state that directives can change besides the operators.
#[derive(Clone, Debug)]
pub(crate) struct Flags {
    pub(crate) syntax: &'static Syntax,
    pub(crate) double_quotes: QuotedAs,
    pub(crate) back_quotes: QuotedAs,
    /// The syntaxes of quasi-quotations; none where files that are not seen may declare some.
    pub(crate) quasi_quotations: Option<BTreeSet<SmolStr>>,
}

impl Flags {
    pub(crate) fn set(&mut self, quotes: Quotes) {
        self.double_quotes = quotes.double.unwrap_or(self.double_quotes);
        self.back_quotes = quotes.back.unwrap_or(self.back_quotes);
    }
}
