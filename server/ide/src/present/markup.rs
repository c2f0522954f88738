//! Text that means the same in Markdown as without.

/// Appends a line.
pub(crate) fn line(text: &mut String, what: &str) {
    text.push_str(what);
    text.push('\n');
}

/// A table cell: Markdown's own characters lose their meaning.
pub(crate) fn cell(text: &str) -> String {
    escaped(text).replace('|', "\\|")
}

/// Escapes a text for Markdown. `_` and `*` in names and formulas would be emphasis.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '_' | '<' | '[' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Names and files as code, between commas.
pub(crate) fn code_list(items: &[String]) -> String {
    let quoted: Vec<String> = items
        .iter()
        .map(|i| format!("`{}`", i.replace('`', "'")))
        .collect();
    quoted.join(", ")
}
