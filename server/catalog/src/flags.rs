//! Prolog flags that change what a program's clauses mean or do.

/// The way in which a value of a flag changes programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagEffect {
    /// Text that is read from then on means something else: `double_quotes`. The reader follows these in plain directives.
    Quotes,
    /// The same; the reader does not follow it: `var_prefix`.
    Reading,
    /// Changes how the program runs: `occurs_check`.
    Running,
    /// Leaves out the goals of `assertion/1`: `optimise`.
    Assertions,
}

/// The effect of a value of a flag (SWI-Prolog manual, 2.12). None for flags that change no bound, and for the values that they have from the
/// beginning. A value that is not known is none of these.
#[must_use]
pub fn flag_effect(flag: &str, value: Option<&str>) -> Option<FlagEffect> {
    let (effect, usual) = match flag {
        "double_quotes" | "back_quotes" => return Some(FlagEffect::Quotes),
        "character_escapes" => (FlagEffect::Reading, "true"),
        "var_prefix" | "allow_variable_name_as_functor" => (FlagEffect::Reading, "false"),
        "rational_syntax" => (FlagEffect::Reading, "compatibility"),
        "encoding" => (FlagEffect::Reading, "utf8"),
        // `true` makes unification fail where it would be cyclic, `error` makes it raise.
        "occurs_check" => (FlagEffect::Running, "false"),
        // Built-ins check their arguments as the standard says; `/` of integers gives rational numbers; what overflows is a number.
        "iso" | "prefer_rationals" => (FlagEffect::Running, "false"),
        "float_overflow" | "float_undefined" | "float_zero_div" => (FlagEffect::Running, "error"),
        "float_rounding" => (FlagEffect::Running, "to_nearest"),
        // Calls of predicates that are nowhere fail.
        "unknown" => (FlagEffect::Running, "error"),
        "optimise" | "optimise_debug" => (FlagEffect::Assertions, "false"),
        // Goals that are arguments become clauses.
        "compile_meta_arguments" => (FlagEffect::Running, "false"),
        // Clauses for built-ins are loaded.
        "access_level" => (FlagEffect::Running, "user"),
        // Predicates of libraries are not found.
        "autoload" => (FlagEffect::Running, "true"),
        _ => return None,
    };
    (value != Some(usual)).then_some(effect)
}
