//! Formats Markdown: escaped text, tables, and aligned columns for clients that do not render tables.

use unicode_width::UnicodeWidthStr as _;

/// Appends a line.
pub(crate) fn line(text: &mut String, what: &str) {
    text.push_str(what);
    text.push('\n');
}

/// Formats a table cell, with special characters of Markdown escaped.
fn cell(text: &str) -> String {
    escaped(text).replace('|', "\\|")
}

/// Escapes text for Markdown, in which `_` and `*` in names and formulas would otherwise mean emphasis. Text between backticks is literal.
pub(crate) fn escaped(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let is_code = |i: usize| i % 2 == 1 && i + 1 < parts.len();
    let shown = (parts.iter().enumerate()).map(|(i, part)| match is_code(i) {
        true => (*part).to_owned(),
        false => escaped_prose(part),
    });
    shown.collect::<Vec<_>>().join("`")
}

fn escaped_prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '_' | '<' | '[' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Formats names or files as code, separated by commas.
pub(crate) fn code_list(items: &[String]) -> String {
    let quoted: Vec<String> = items
        .iter()
        .map(|i| format!("`{}`", i.replace('`', "'")))
        .collect();
    quoted.join(", ")
}

/// Formats rows as aligned columns, separated by two blanks. The last column is not padded.
#[must_use]
pub fn aligned(rows: &[Vec<String>], indent: &str) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|i| {
            let cells = rows
                .iter()
                .filter(|r| r.len() > i + 1)
                .map(|r| r[i].width());
            cells.max().unwrap_or(0)
        })
        .collect();
    let mut out = String::new();
    for row in rows {
        let mut line = indent.to_owned();
        for (i, cell) in row.iter().enumerate() {
            line.push_str(cell);
            if i + 1 < row.len() {
                line.push_str(&" ".repeat(widths[i] + 2 - cell.width().min(widths[i])));
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Writes a table in Markdown, or as aligned columns if the client does not render tables. The first row is the header.
pub(crate) fn table(text: &mut String, rows: &[Vec<String>], in_markdown: bool) {
    if !in_markdown {
        line(text, "```text");
        text.push_str(&aligned(rows, ""));
        line(text, "```");
        return;
    }
    for (i, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|c| cell(c)).collect();
        line(text, &format!("| {} |", cells.join(" | ")));
        if i == 0 {
            line(text, &format!("|{}", "---|".repeat(row.len())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_align_by_characters() {
        let row = |cells: &[&str]| cells.iter().map(|&c| c.to_owned()).collect();
        let rows = [
            row(&["n²/2", "a", "x"]),
            row(&["n", "bbb", "y"]),
            row(&["", "", ""]),
        ];
        assert_eq!(aligned(&rows, " "), " n²/2  a    x\n n     bbb  y\n\n");
    }

    #[test]
    fn code_is_not_escaped() {
        assert_eq!(escaped("a_b `c_d` e*f"), "a\\_b `c_d` e\\*f");
        assert_eq!(escaped("a ` b_c"), "a ` b\\_c");
    }

    #[test]
    fn tables_are_columns_where_there_is_no_markdown() {
        let rows = [["", "lower", "upper"], ["steps", "n", "n | m"]];
        let rows = rows.map(|row| row.map(ToOwned::to_owned).to_vec());
        let of = |in_markdown| {
            let mut text = String::new();
            table(&mut text, &rows, in_markdown);
            text
        };
        assert_eq!(
            of(true),
            "|  | lower | upper |\n|---|---|---|\n| steps | n | n \\| m |\n"
        );
        assert_eq!(
            of(false),
            "```text\n       lower  upper\nsteps  n      n | m\n```\n"
        );
    }
}
