//! Comparisons of two terms.

/// The comparison that holds of `B` and `A` where this one holds of `A` and `B`: `>` for `<`. None for what is no comparison.
#[must_use]
pub(crate) fn turned(comparison: &str) -> Option<&'static str> {
    Some(match comparison {
        "<" => ">",
        ">" => "<",
        "=<" => ">=",
        ">=" => "=<",
        "@<" => "@>",
        "@>" => "@<",
        "@=<" => "@>=",
        "@>=" => "@=<",
        "=:=" => "=:=",
        "=\\=" => "=\\=",
        "==" => "==",
        "\\==" => "\\==",
        "=" => "=",
        "\\=" => "\\=",
        _ => return None,
    })
}
