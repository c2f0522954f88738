//! The names under which runs of Costlens' own machine count its instructions and allocations.

/// The names of instructions that may fail. A call may fail if it runs a built-in inline.
const FAILING: [&str; 43] = [
    "arith_equal",
    "arith_greater",
    "arith_greater_equal",
    "arith_less",
    "arith_less_equal",
    "arith_unequal",
    "call",
    "execute",
    "fail",
    "get_constant_atom",
    "get_constant_int",
    "get_constant_value",
    "get_list",
    "get_nil",
    "get_structure",
    "get_value",
    "not_unifiable",
    "term_equal",
    "term_greater",
    "term_greater_equal",
    "term_less",
    "term_less_equal",
    "term_unequal",
    "test_atom",
    "test_atomic",
    "test_callable",
    "test_compound",
    "test_float",
    "test_ground",
    "test_integer",
    "test_is_list",
    "test_nonvar",
    "test_number",
    "test_rational",
    "test_string",
    "test_unify_constant",
    "test_var",
    "unify_constant_atom",
    "unify_constant_int",
    "unify_constant_value",
    "unify_list",
    "unify_nil",
    "unify_structure",
];

/// All other names, and `unify_value`, which may also fail.
const OTHERS: [&str; 64] = [
    "allocate",
    "arith_abs",
    "arith_add",
    "arith_and",
    "arith_div",
    "arith_divide",
    "arith_eval",
    "arith_floor_div",
    "arith_gcd",
    "arith_int_power",
    "arith_max",
    "arith_min",
    "arith_mod",
    "arith_mul",
    "arith_neg",
    "arith_not",
    "arith_or",
    "arith_plus",
    "arith_power",
    "arith_rem",
    "arith_shift_left",
    "arith_shift_right",
    "arith_sign",
    "arith_sub",
    "arith_xor",
    "choice_points",
    "cut",
    "deallocate",
    "environments",
    "get_choice",
    "get_level",
    "get_variable",
    "heap_cells",
    "jump",
    "neck_cut",
    "proceed",
    "put_constant_atom",
    "put_constant_int",
    "put_constant_value",
    "put_list",
    "put_nil",
    "put_structure",
    "put_value",
    "put_variable",
    "retry",
    "retry_else",
    "set_constant_atom",
    "set_constant_int",
    "set_constant_value",
    "set_list",
    "set_nil",
    "set_structure",
    "set_value",
    "set_variable",
    "set_void",
    "soft_cut",
    "switch_on_term",
    "trail_entries",
    "trust",
    "trust_else",
    "try",
    "try_else",
    "unify_variable",
    "unify_void",
];

/// Returns true for the name of an instruction, or of a quantity counted with instructions (`environments`, `choice_points`, `heap_cells`,
/// `trail_entries`); with `fails`, only for an instruction that may fail.
#[must_use]
pub fn is_counted(name: &str, fails: bool) -> bool {
    let is_function = || {
        let of = name.strip_prefix("arith(")?.strip_suffix(')')?;
        let (function, arity) = of.rsplit_once('/')?;
        (!function.is_empty() && arity.parse::<usize>().is_ok()).then_some(())
    };
    name == "unify_value"
        || FAILING.contains(&name)
        || !fails && (OTHERS.contains(&name) || is_function().is_some())
}

/// Returns the names accepted by [`is_counted`], each with whether it may fail. Arithmetic functions without a separate name are
/// `arith(f/n)`.
pub fn counted_names() -> impl Iterator<Item = (&'static str, bool)> {
    let failing = FAILING.into_iter().chain(["unify_value"]);
    let failing = failing.map(|name| (name, true));
    failing.chain(OTHERS.into_iter().map(|name| (name, false)))
}
