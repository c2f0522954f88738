//! Quoting of atoms and strings.

/// Returns true for a character of symbol atoms such as `+` and `:-`.
pub(super) fn is_symbol(c: char) -> bool {
    if c.is_ascii() {
        return "#$&*+-./:<=>?@\\^~".contains(c);
    }
    !c.is_alphanumeric() && !c.is_whitespace() && !is_invisible(c)
}

/// Returns true for characters that are written as codes.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || c.is_whitespace() && c != ' '
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Returns whether text can be a variable name.
pub(super) fn is_variable_name(text: &str) -> bool {
    text.starts_with(|c: char| c == '_' || c.is_uppercase())
        && text.chars().all(|c| c == '_' || c.is_alphanumeric())
}

/// Returns whether an atom can be read back without quotes.
fn stands_alone(text: &str) -> bool {
    if matches!(text, "[]" | "!" | ";" | "{}") {
        return true;
    }
    let Some(first) = text.chars().next() else {
        return false;
    };
    if first.is_alphabetic() && !first.is_uppercase() {
        return text.chars().all(|c| c == '_' || c.is_alphanumeric());
    }
    is_symbol(first) && text.chars().all(is_symbol) && text != "." && !text.starts_with("/*")
}

/// Formats an atom like `writeq/1`. `text` is the name in the atom table, where the name of `'[]'` includes its quotes.
pub(crate) fn quoted_atom(text: &str, escapes: bool) -> String {
    if text == costlens_syntax::term::QUOTED_NIL || stands_alone(text) {
        text.to_owned()
    } else {
        quoted(text, '\'', escapes)
    }
}

/// Puts text in quotes.
pub(super) fn quoted(text: &str, quote: char, escapes: bool) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            '\\' => out.push_str("\\\\"),
            c if !escapes => out.push(c),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\x07' => out.push_str("\\a"),
            '\x08' => out.push_str("\\b"),
            '\x0c' => out.push_str("\\f"),
            '\x0b' => out.push_str("\\v"),
            c if is_invisible(c) => out.push_str(&format!("\\x{:X}\\", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}
