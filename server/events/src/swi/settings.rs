//! Settings on which the code of a clause depends beside its text.

/// Settings on which the code of a clause depends beside its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings<'a> {
    /// The module that the text belongs to.
    pub module: &'a str,
    /// The module of the predicate: another one for `other:p :- …`.
    pub head_module: &'a str,
    /// The flag `optimise` (`swipl -O`): arithmetic is compiled, and what is known of tests and control constructs is used.
    pub optimise: bool,
    /// Unifications move into the head: the flag `optimise_unify` is on, which it is by default, and the predicate is static.
    pub moves_unifications: bool,
    /// The body sets its module as its context: this clause or one before it belongs to another module than its predicate, whose
    /// arguments are no goals.
    pub sets_context: bool,
}

impl<'a> Settings<'a> {
    /// Those of a clause of a static predicate of the module that it stands in.
    #[must_use]
    pub fn of_module(module: &'a str) -> Self {
        Self {
            module,
            head_module: module,
            optimise: false,
            moves_unifications: true,
            sets_context: false,
        }
    }
}
