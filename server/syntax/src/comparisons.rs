//! Comparisons of two terms.

/// Returns the comparison with swapped operands: it holds for `B` and `A` when the given comparison holds for `A` and `B` (`>` for `<`).
/// Returns `None` for a name that is not a comparison.
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
