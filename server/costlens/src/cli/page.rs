//! Pages: one HTML file each, which loads nothing, follows the reader's light or dark theme, and is readable without scripts.

use std::fmt::Write as _;

/// Colours and shapes of all pages.
const STYLE: &str = include_str!("page/page.css");

/// Renders a page with this title and body. `style` follows that of all pages; an empty `script` adds none.
pub(super) fn page(title: &str, body: &str, style: &str, script: &str) -> String {
    let script = match script {
        "" => String::new(),
        script => format!("<script>\n{script}</script>\n"),
    };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n<main>\n{body}</main>\n{script}</body>\n</html>\n",
        costlens_ide::plot::escaped(title)
    )
}

/// A column of a table.
pub(super) struct Column {
    name: String,
    is_number: bool,
}

impl Column {
    /// Returns a column of texts.
    pub(super) fn text(name: impl Into<String>) -> Self {
        Column {
            name: name.into(),
            is_number: false,
        }
    }

    /// Returns a column of numbers.
    pub(super) fn number(name: impl Into<String>) -> Self {
        Column {
            name: name.into(),
            is_number: true,
        }
    }
}

/// Renders a table with a caption. Cells are HTML; the first of a row is its header.
pub(super) fn table(
    caption: &str,
    columns: &[Column],
    rows: impl Iterator<Item = Vec<String>>,
) -> String {
    let mut out = format!(
        "<div class=\"wide\" role=\"region\" aria-label=\"{caption}\" tabindex=\"0\">\n<table>\n<caption>{caption}</caption>\n<thead><tr>"
    );
    let class = |column: Option<&Column>| match column {
        Some(column) if column.is_number => " class=\"number\"",
        _ => "",
    };
    for column in columns {
        let name = costlens_ide::plot::escaped(&column.name);
        let _ = write!(out, "<th scope=\"col\"{}>{name}</th>", class(Some(column)));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for (i, cell) in row.iter().enumerate() {
            let class = class(columns.get(i));
            let _ = match i {
                0 => write!(out, "<th scope=\"row\"{class}>{cell}</th>"),
                _ => write!(out, "<td{class}>{cell}</td>"),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
    out
}
