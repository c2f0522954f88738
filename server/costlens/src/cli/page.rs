//! HTML pages: single self-contained files that follow the reader's light or dark theme and are readable without scripts.

use maud::{Markup, PreEscaped, html};

/// The colours and shapes of all pages.
const STYLE: &str = include_str!("page/page.css");

/// Renders a page with this title and body. `style` is added to the style of all pages; an empty `script` adds none.
pub(super) fn page(title: &str, body: &Markup, style: &str, script: &str) -> String {
    let page = html! {
        (PreEscaped("<!doctype html>\n"))
        html lang="en" { "\n"
            head { "\n"
                meta charset="utf-8"; "\n"
                meta name="viewport" content="width=device-width, initial-scale=1"; "\n"
                title { (title) } "\n"
                style { "\n" (PreEscaped(STYLE)) (PreEscaped(style)) } "\n"
            } "\n"
            body { "\n"
                main { "\n" (body) } "\n"
                @if !script.is_empty() { script { "\n" (PreEscaped(script)) } "\n" }
            } "\n"
        } "\n"
    };
    page.into_string()
}

/// A column of a table.
pub(super) struct PageColumn {
    name: String,
    is_number: bool,
}

impl PageColumn {
    /// Returns a column of text.
    pub(super) fn text(name: impl Into<String>) -> Self {
        PageColumn {
            name: name.into(),
            is_number: false,
        }
    }

    /// Returns a column of numbers.
    pub(super) fn number(name: impl Into<String>) -> Self {
        PageColumn {
            name: name.into(),
            is_number: true,
        }
    }

    fn class(&self) -> Option<&'static str> {
        self.is_number.then_some("number")
    }
}

/// Renders a table with a caption. The first cell of a row is its header.
pub(super) fn table(
    caption: &str,
    columns: &[PageColumn],
    rows: impl Iterator<Item = Vec<Markup>>,
) -> Markup {
    html! {
        div class="wide" role="region" aria-label=(caption) tabindex="0" { "\n"
            table { "\n"
                caption { (caption) } "\n"
                thead {
                    tr {
                        @for column in columns { th scope="col" class=[column.class()] { (column.name) } }
                    }
                } "\n"
                tbody { "\n"
                    @for row in rows { (table_row(columns, &row)) }
                } "\n"
            } "\n"
        } "\n"
    }
}

fn table_row(columns: &[PageColumn], cells: &[Markup]) -> Markup {
    let class = |place: usize| columns.get(place).and_then(PageColumn::class);
    html! {
        tr {
            @for (place, cell) in cells.iter().enumerate() {
                @if place == 0 {
                    th scope="row" class=[class(place)] { (cell) }
                } @else {
                    td class=[class(place)] { (cell) }
                }
            }
        } "\n"
    }
}

/// Renders text as code.
pub(super) fn code(text: &str) -> Markup {
    html! { code { (text) } }
}

/// Renders text in a muted colour.
pub(super) fn quiet(text: &str) -> Markup {
    html! { span class="quiet" { (text) } }
}

/// Renders text; parts between backticks are rendered as code.
pub(super) fn in_code(text: &str) -> Markup {
    html! {
        @for (place, part) in text.split('`').enumerate() {
            @if place % 2 == 0 { (part) } @else { code { (part) } }
        }
    }
}

/// Capitalises the first letter of a sentence.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}
