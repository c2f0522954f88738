//! Prolog flags that change the meaning or behaviour of a program's clauses.

/// The effect of a flag value on a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagEffect {
    /// Changes the meaning of the following text: `double_quotes`. The reader applies such a change if it is in a plain directive.
    Quotes,
    /// Changes the meaning of the following text, but the reader does not apply the change: `var_prefix`.
    Reading,
    /// Changes how the program runs: `occurs_check`.
    Running,
    /// Changes the results of `/`, `^` and `**`: `prefer_rationals`.
    Division,
    /// Removes the goals of `assertion/1`: `optimise`.
    Assertions,
}

/// Returns the effect of setting a flag to a value (SWI-Prolog manual, 2.12). Returns `None` if the flag affects no bound, or if the value
/// is the default. An unknown value does not count as the default.
#[must_use]
pub fn flag_effect(flag: &str, value: Option<&str>) -> Option<FlagEffect> {
    let (effect, usual) = match flag {
        "double_quotes" | "back_quotes" => return Some(FlagEffect::Quotes),
        "character_escapes" => (FlagEffect::Reading, "true"),
        "var_prefix" | "allow_variable_name_as_functor" => (FlagEffect::Reading, "false"),
        "rational_syntax" => (FlagEffect::Reading, "compatibility"),
        "encoding" => (FlagEffect::Reading, "utf8"),
        // With `true`, unification fails if it would create a cycle; with `error`, it raises an exception.
        "occurs_check" => (FlagEffect::Running, "false"),
        // Division of integers by `/` returns rational numbers, and so do negative exponents.
        "prefer_rationals" => (FlagEffect::Division, "false"),
        // Built-ins check their arguments as the standard requires; overflow returns a number.
        "iso" => (FlagEffect::Running, "false"),
        "float_overflow" | "float_undefined" | "float_zero_div" => (FlagEffect::Running, "error"),
        "float_rounding" => (FlagEffect::Running, "to_nearest"),
        "optimise" | "optimise_debug" => (FlagEffect::Assertions, "false"),
        // Goals in arguments are compiled to clauses.
        "compile_meta_arguments" => (FlagEffect::Running, "false"),
        // Clauses for built-ins are loaded.
        "access_level" => (FlagEffect::Running, "user"),
        // Library predicates are not found.
        "autoload" => (FlagEffect::Running, "true"),
        _ => return None,
    };
    (value != Some(usual)).then_some(effect)
}
