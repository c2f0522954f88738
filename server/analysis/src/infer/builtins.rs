//! Built-ins written in C: they take no resolution step; what matters is how often they succeed and what they bind.

use crate::types::Type;

/// How often a built-in succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Success {
    /// Once.
    Always,
    /// At most once.
    Maybe,
    /// Never.
    Never,
    /// Any number of times.
    Often,
}

/// What is known of a built-in.
pub(crate) struct Builtin {
    pub(crate) success: Success,
    /// Types of arguments on success, where that says something.
    pub(crate) outputs: Vec<(usize, Type)>,
    /// Arguments (from, to): `to` becomes a list of the length of the list `from`, of the same elements.
    pub(crate) same_length: Option<(usize, usize)>,
    pub(crate) may_raise: bool,
}

fn builtin(success: Success, outputs: &[(usize, Type)], may_raise: bool) -> Builtin {
    Builtin {
        success,
        outputs: outputs.to_vec(),
        same_length: None,
        may_raise,
    }
}

/// The predicate that a program may define for a built-in to call: name and arity.
pub(crate) fn hook(name: &str) -> Option<(&'static str, usize)> {
    Some(match name {
        "print" | "portray_clause" | "write_term" | "listing" | "format" => ("portray", 1),
        "print_message" | "print_message_lines" | "debug" => ("message_hook", 3),
        _ => return None,
    })
}

/// Whether a built-in that can have many solutions has at most one, given which of its arguments are ground: `atom_concat(a, b, X)`.
pub(crate) fn is_decided(name: &str, known: &[bool]) -> bool {
    matches!(
        (name, known),
        ("atom_concat" | "string_concat", [true, true, _])
            | ("char_type" | "code_type", [true, true])
            | ("arg", [true, _, _])
    )
}

/// Whether inference has rules of its own for a predicate: a built-in, or one that calls goals.
pub(crate) fn has_rules(name: &str, arity: usize) -> bool {
    lookup(name, arity).is_some()
        || !costlens_program::goals::meta_arguments(name, arity).is_empty()
}

/// Looks a built-in up. None for predicates that are not built in, and for those that call goals.
pub(crate) fn lookup(name: &str, arity: usize) -> Option<Builtin> {
    use Success::{Always, Maybe, Never, Often};
    let list = |t: Type| Type::list(t);
    Some(match (name, arity) {
        ("true" | "otherwise", 0) => builtin(Always, &[], false),
        ("fail" | "false", 0) => builtin(Never, &[], false),
        ("halt", 0 | 1)
        | ("throw", 1)
        | ("type_error" | "domain_error" | "existence_error", 2)
        | ("instantiation_error" | "abort", 0 | 1) => builtin(Never, &[], true),
        // Output.
        ("nl" | "ttyflush" | "flush_output" | "listing" | "garbage_collect" | "prompt", 0) => {
            builtin(Always, &[], false)
        }
        ("write" | "print" | "writeln" | "write_canonical" | "writeq" | "display", 1) => {
            builtin(Always, &[], false)
        }
        (
            "nl" | "tab" | "put_char" | "format" | "flush_output" | "tell" | "see" | "close"
            | "set_output" | "set_input" | "portray_clause" | "listing",
            1,
        )
        | (
            "write" | "print" | "writeln" | "writeq" | "format" | "write_term" | "put_char" | "tab"
            | "write_canonical" | "portray_clause" | "print_message" | "debug" | "close",
            2,
        )
        | ("format" | "write_term" | "debug" | "print_message_lines", 3)
        | ("put_byte", 1 | 2)
        | ("told" | "seen", 0) => builtin(Always, &[], true),
        // Input.
        ("get_char" | "peek_char", 1) => builtin(Always, &[(0, Type::Atom)], true),
        ("get_char" | "peek_char", 2) => builtin(Always, &[(1, Type::Atom)], true),
        ("get_code" | "peek_code" | "get_byte" | "peek_byte" | "get0", 1) => {
            builtin(Always, &[(0, Type::Int)], true)
        }
        ("get_code" | "peek_code" | "get_byte" | "peek_byte", 2) => {
            builtin(Always, &[(1, Type::Int)], true)
        }
        ("read" | "read_term", 1..=3) => builtin(Maybe, &[], true),
        ("open", 3) => builtin(Always, &[(2, Type::Nonvar)], true),
        ("open", 4) => builtin(Always, &[(2, Type::Nonvar)], true),
        ("at_end_of_stream", 0 | 1) => builtin(Maybe, &[], true),
        ("current_input" | "current_output", 1) => builtin(Always, &[(0, Type::Nonvar)], true),
        // Atoms, codes, strings. Without knowing which arguments are bound they may fail.
        ("atom_length" | "string_length", 2) => builtin(Maybe, &[(1, Type::Int)], true),
        ("atom_codes", 2) => builtin(Maybe, &[(1, list(Type::Int))], true),
        ("atom_chars", 2) => builtin(Maybe, &[(1, list(Type::Atom))], true),
        ("char_code", 2) => builtin(Maybe, &[(0, Type::Atom), (1, Type::Int)], true),
        ("number_codes", 2) => builtin(Maybe, &[(0, Type::Number), (1, list(Type::Int))], true),
        ("number_chars", 2) => builtin(Maybe, &[(0, Type::Number), (1, list(Type::Atom))], true),
        ("atom_number", 2) => builtin(Maybe, &[(0, Type::Ground), (1, Type::Number)], true),
        ("number_string", 2) => builtin(Maybe, &[(0, Type::Number), (1, Type::Ground)], true),
        (
            "upcase_atom" | "downcase_atom" | "term_to_atom" | "term_string" | "string_to_atom"
            | "string_upper" | "string_lower" | "atom_string" | "sformat",
            2,
        ) => builtin(Maybe, &[], true),
        ("string_chars", 2) => builtin(Maybe, &[(1, list(Type::Atom))], true),
        ("string_codes", 2) => builtin(Maybe, &[(1, list(Type::Int))], true),
        ("split_string", 4) => builtin(Maybe, &[(3, list(Type::Ground))], true),
        ("atomic_list_concat", 2) => builtin(Maybe, &[], true),
        ("atomic_list_concat", 3) => builtin(Maybe, &[], true),
        ("string_code", 3) => builtin(Maybe, &[(2, Type::Int)], true),
        ("char_type" | "code_type", 2)
        | ("atom_concat" | "string_concat", 3)
        | ("sub_atom" | "sub_string", 5)
        | ("atom_to_term", 3)
        | ("current_op", 3)
        | ("nth_clause", 3)
        | ("clause", 2)
        | ("retract", 1)
        | ("current_predicate" | "current_atom" | "current_flag", 1)
        | ("predicate_property" | "current_prolog_flag", 2)
        | ("recorded", 2 | 3)
        | ("repeat", 0)
        | ("sub_atom_icasechk", 3)
        | ("stream_property", 2) => builtin(Often, &[], true),
        // Terms.
        ("functor", 3) => builtin(Maybe, &[(2, Type::Int)], true),
        ("=..", 2) => builtin(Maybe, &[(1, list(Type::Any))], true),
        ("arg", 3) => builtin(Often, &[(0, Type::Int)], true),
        ("copy_term", 2) => builtin(Maybe, &[], false),
        ("term_variables", 2) => builtin(Maybe, &[(1, list(Type::Any))], false),
        ("compare", 3) => builtin(Maybe, &[(0, Type::Atom)], true),
        ("compound_name_arguments" | "compound_name_arity", 3)
        | ("setarg" | "nb_setarg", 3)
        | ("numbervars", 3)
        | ("unify_with_occurs_check", 2)
        | ("?=", 2)
        | ("subsumes_term", 2)
        | ("numbervars", 1)
        | ("=@=" | "\\=@=", 2) => builtin(Maybe, &[], true),
        // Lists in C.
        ("msort", 2) => Builtin {
            same_length: Some((0, 1)),
            ..builtin(Maybe, &[], true)
        },
        ("keysort", 2) => Builtin {
            same_length: Some((0, 1)),
            ..builtin(Maybe, &[], true)
        },
        ("sort", 2) => builtin(Maybe, &[(1, list(Type::Any))], true),
        ("sort", 4) => builtin(Maybe, &[(3, list(Type::Any))], true),
        ("memberchk", 2) => builtin(Maybe, &[], true),
        // Arithmetic beside `is`.
        ("succ", 2) => builtin(Maybe, &[(0, Type::Int), (1, Type::Int)], true),
        ("plus", 3) => builtin(
            Maybe,
            &[(0, Type::Int), (1, Type::Int), (2, Type::Int)],
            true,
        ),
        ("random", 1) => builtin(Maybe, &[(0, Type::Number)], true),
        // Global state.
        (
            "assert" | "asserta" | "assertz" | "retractall" | "erase" | "dynamic" | "discontiguous"
            | "set_prolog_flag" | "style_check" | "garbage_collect",
            1,
        )
        | ("nb_setval" | "b_setval" | "set_prolog_flag", 2)
        | ("op", 3) => builtin(Always, &[], true),
        ("flag", 3) => builtin(Maybe, &[], true),
        ("nb_getval" | "b_getval", 2) | ("statistics", 2) | ("recorda" | "recordz", 2 | 3) => {
            builtin(Maybe, &[], true)
        }
        ("get_time" | "cputime", 1) => builtin(Maybe, &[(0, Type::Number)], true),
        (
            "cyclic_term" | "acyclic_term" | "exists_file" | "exists_directory" | "is_stream"
            | "tabling",
            1,
        ) => builtin(Maybe, &[], true),
        _ => return None,
    })
}

/// Predicates that call goals or change how the program runs, with the reason why such a call is not followed (`{}` is the predicate)
/// and what the user can do.
pub(crate) fn not_analysed(name: &str, arity: usize) -> Option<(&'static str, &'static str)> {
    const IN_SIGHT: &str = "Name the predicate where it is called, as in `maplist(double, Xs, Ys)`, or choose by the data which one to call: \
         `run(double, X, Y) :- double(X, Y).`";
    Some(match (name, arity) {
        ("call", 1..) | ("apply", 2) => (
            "which goal `{}` runs is not to be seen in the program: it comes from data",
            IN_SIGHT,
        ),
        ("catch" | "catch_with_backtrace", 3) => (
            "which goal `{}` runs is not to be seen in the program",
            IN_SIGHT,
        ),
        ("setup_call_cleanup", 3) | ("call_cleanup", 2) => (
            "when the cleanup goal of `{}` runs is not followed",
            "Call the goal and then the cleanup, one after the other, where the goal cannot fail or raise an exception.",
        ),
        ("bagof" | "setof", 3) => (
            "solutions that `{}` groups by free variables are not followed",
            "Collect them with `findall/3`, and order them with `sort/2`.",
        ),
        ("maplist", 2..)
        | ("foldl", 4..=7)
        | ("include" | "exclude", 3)
        | ("partition", 4 | 6)
        | ("predsort", 3)
        | ("convlist", 3)
        | ("foldr", 4)
        | ("aggregate_all", 3 | 4)
        | ("findall", 4)
        | ("phrase", 2 | 3) => (
            "which goal `{}` runs is not to be seen in the program",
            IN_SIGHT,
        ),
        ("limit" | "call_nth" | "offset", 2) | ("time" | "thread_create", 1..) => (
            "what `{}` makes of the goal is not followed",
            "Call the goal itself.",
        ),
        ("freeze" | "when" | "dif", 2) => (
            "`{}` wakes a goal when variables are bound later, which is not followed",
            "Test when the variables are bound: `X \\== Y` in place of `dif(X, Y)`.",
        ),
        _ => return None,
    })
}
