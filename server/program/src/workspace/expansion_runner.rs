#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]
//! The interpreter that runs expansion hooks of pure code.

/// The result of a call of a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookResult {
    /// The call failed.
    Fails,
    /// The first solution's value of the second argument, as text in canonical form.
    Gives(String),
    /// The call raised an error, or did not end within the limits.
    Unknown,
}

/// Calls `term_expansion(Term, Result)` for each term, with the clauses of a text and no others.
pub type RunHooks = fn(program: &str, terms: &[String]) -> Vec<HookResult>;

/// The interpreter. Without it, no hook is run.
#[salsa::input(singleton)]
pub struct ExpansionRunner {
    /// The interpreter; `None` if the user does not want hooks to run.
    #[returns(copy)]
    pub run: Option<RunHooks>,
}
