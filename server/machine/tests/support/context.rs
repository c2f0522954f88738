//! Errors without their contexts, which differ between systems.

/// Returns the text of `throws error(Formal, Context)` without the context.
pub(crate) fn without_context(text: &str) -> String {
    let (mut depth, mut quoted) = (0_i32, None);
    for (at, c) in text.char_indices() {
        match (quoted, c) {
            (Some(q), c) if c == q => quoted = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quoted = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth == 1 => return text[..at].to_owned(),
            _ => {}
        }
    }
    text.to_owned()
}
