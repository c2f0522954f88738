//! Reader flags that directives change.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use crate::dialect::{QuotedAs, Syntax};
use crate::imports::Quotes;

/// The reader's state other than operators that directives can change.
#[derive(Clone, Debug)]
pub(crate) struct Flags {
    pub(crate) syntax: &'static Syntax,
    pub(crate) double_quotes: QuotedAs,
    pub(crate) back_quotes: QuotedAs,
    /// The known syntaxes of quasi-quotations; `None` if missing files may declare some.
    pub(crate) quasi_quotations: Option<BTreeSet<SmolStr>>,
}

impl Flags {
    pub(crate) fn set(&mut self, quotes: Quotes) {
        self.double_quotes = quotes.double.unwrap_or(self.double_quotes);
        self.back_quotes = quotes.back.unwrap_or(self.back_quotes);
    }
}
