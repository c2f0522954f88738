//! Settings other than its text that affect the code of a clause.

/// Settings other than its text that affect the code of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings<'a> {
    /// The module to which the text belongs.
    pub module: &'a str,
    /// The module of the predicate, which is another one for `other:p :- …`.
    pub head_module: &'a str,
    /// The flag `optimise` (`swipl -O`): arithmetic is compiled, and known results of tests and control constructs are used.
    pub optimise: bool,
    /// True if unifications move into the head: the flag `optimise_unify` is on, which is the default, and the predicate is static.
    pub moves_unifications: bool,
    /// True if the body sets its module as its context: this clause or an earlier one belongs to a module other than its predicate's, and the
    /// predicate's arguments are not goals.
    pub sets_context: bool,
}

impl<'a> Settings<'a> {
    /// Returns the settings for a clause of a static predicate of the module that contains it.
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
