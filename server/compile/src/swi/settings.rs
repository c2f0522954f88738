//! Settings that affect the code of a clause, in addition to its text.

/// Settings that affect the code of a clause, in addition to its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings<'a> {
    /// The module to which the text belongs.
    pub module: &'a str,
    /// The module of the predicate, which differs from `module` for `other:p :- …`.
    pub head_module: &'a str,
    /// The flag `optimise` (`swipl -O`): arithmetic is compiled, and tests and control constructs with known results are simplified.
    pub optimise: bool,
    /// True if unifications move into the head: the predicate is static, and the flag `optimise_unify` is on, as it is by default.
    pub moves_unifications: bool,
    /// True if the body sets its module as context module: this or an earlier clause belongs to a module other than its predicate's, and
    /// the predicate's arguments are not goals.
    pub sets_context: bool,
}

impl<'a> Settings<'a> {
    /// Returns the settings for a clause of a static predicate in the clause's own module.
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
