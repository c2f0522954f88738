//! The core: predicates whose meaning a program cannot change.

/// Whether SWI-Prolog refuses clauses for a predicate of this name, with `permission_error(modify, static_procedure, …)`: control,
/// and what ISO/IEC 13211-1 specifies. All others (`forall/2`, `is_list/1`, `plus/3`, every library predicate) a program may define,
/// and calls in the program are then its own.
pub(crate) fn is_core(name: &str, arity: usize) -> bool {
    match arity {
        0 => matches!(
            name,
            "!" | "fail" | "false" | "flush_output" | "halt" | "nl" | "repeat" | "true"
        ),
        1 => matches!(
            name,
            "call"
                | "\\+"
                | "abolish"
                | "acyclic_term"
                | "asserta"
                | "assertz"
                | "atom"
                | "atomic"
                | "callable"
                | "compound"
                | "discontiguous"
                | "dynamic"
                | "float"
                | "flush_output"
                | "ground"
                | "halt"
                | "initialization"
                | "integer"
                | "nl"
                | "nonvar"
                | "number"
                | "once"
                | "put_char"
                | "read"
                | "retract"
                | "retractall"
                | "throw"
                | "var"
                | "write"
                | "write_canonical"
                | "writeq"
        ),
        2 => matches!(
            name,
            "call"
                | ","
                | "->"
                | ":"
                | ";"
                | "<"
                | "="
                | "=.."
                | "=:="
                | "=<"
                | "=="
                | "=\\="
                | ">"
                | ">="
                | "@<"
                | "@=<"
                | "@>"
                | "@>="
                | "\\="
                | "\\=="
                | "atom_chars"
                | "atom_codes"
                | "atom_length"
                | "char_code"
                | "clause"
                | "copy_term"
                | "current_prolog_flag"
                | "is"
                | "keysort"
                | "length"
                | "number_chars"
                | "number_codes"
                | "phrase"
                | "put_char"
                | "read"
                | "read_term"
                | "set_prolog_flag"
                | "sort"
                | "subsumes_term"
                | "term_variables"
                | "unify_with_occurs_check"
                | "write"
                | "write_canonical"
                | "write_term"
                | "writeq"
        ),
        3 => matches!(
            name,
            "call"
                | "arg"
                | "atom_concat"
                | "bagof"
                | "catch"
                | "compare"
                | "current_op"
                | "findall"
                | "functor"
                | "numbervars"
                | "op"
                | "phrase"
                | "read_term"
                | "setof"
                | "write_term"
        ),
        5 => matches!(name, "call" | "sub_atom"),
        4..=8 => name == "call",
        _ => false,
    }
}
