//! The tests that may lead a body.

/// Arithmetic and term comparisons and type tests: at the beginning of a body they belong to the selection of the clause, which is
/// entered when they hold (`abs(X, X) :- X >= 0.`).
#[must_use]
pub fn is_leading_test(name: &str, arity: usize) -> bool {
    match arity {
        2 => matches!(
            name,
            "<" | "=<" | ">" | ">=" | "=:=" | "=\\=" | "==" | "\\==" | "@<" | "@=<" | "@>" | "@>="
        ),
        1 => is_type_test(name),
        _ => false,
    }
}

/// The type tests.
#[must_use]
pub fn is_type_test(name: &str) -> bool {
    matches!(
        name,
        "var"
            | "nonvar"
            | "integer"
            | "float"
            | "rational"
            | "number"
            | "atom"
            | "string"
            | "atomic"
            | "compound"
            | "callable"
            | "is_list"
            | "ground"
            | "blob"
    )
}
