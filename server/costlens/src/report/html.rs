//! HTML pages: single self-contained files that follow the reader's light or dark theme and are readable without scripts. `maud` escapes
//! inserted text.

use maud::{Markup, PreEscaped, html};

use super::{Column, Note, Part, Report, Row, Section, Table};

/// The colours and shapes of all pages.
const STYLE: &str = include_str!("page.css");

/// Renders a page with this title and body. `style` is added to the style of all pages; an empty `script` adds none.
pub(crate) fn page(title: &str, body: &Markup, style: &str, script: &str) -> String {
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

impl Report<'_> {
    /// Renders the report as a page.
    pub(crate) fn html(&self) -> String {
        let body = html! {
            h1 { (self.kind) " of " code { (self.subject) } } "\n"
            p { (self.place) ". " (capital(&self.summary)) "." } "\n"
            @for part in &self.parts { (part.html()) }
        };
        page(&format!("{} of {}", self.kind, self.subject), &body, "", "")
    }
}

impl Part<'_> {
    fn html(&self) -> Markup {
        html! {
            section { "\n"
                h2 { code { (self.title) } } "\n"
                @if let Some(names) = &self.names { p { (names) } "\n" }
                @for section in &self.sections { (section.html()) }
                @for note in &self.notes { (note.html()) }
            } "\n"
        }
    }
}

impl Section<'_> {
    fn html(&self) -> Markup {
        html! {
            h3 { (self.title) } "\n"
            dl { "\n"
                dt { "bound" } dd { (self.bound) } "\n"
                @for (subject, fact) in &self.facts { dt { (subject) } dd { (fact) } "\n" }
            } "\n"
            @for note in &self.notes { (note.html()) }
            @if let Some(svg) = (self.picture)() { figure { (PreEscaped(svg)) } "\n" }
            (self.table.html())
        }
    }
}

impl Note {
    fn html(&self) -> Markup {
        let sentence = self.sentence.strip_suffix('.').unwrap_or(&self.sentence);
        let sentence = capital(sentence);
        html! {
            @if let Some(mark) = self.mark {
                p class="wrong" { strong { (capital(mark)) ":" } " " (sentence) "." } "\n"
            } @else {
                p { (sentence) "." } "\n"
            }
        }
    }
}

impl Table {
    /// Renders the table.
    pub(crate) fn html(&self) -> Markup {
        table(
            &self.caption,
            &self.columns,
            self.rows.iter().map(Row::html),
        )
    }
}

impl Row {
    /// Renders the cells; a row with a problem is marked in its last cell.
    fn html(&self) -> Vec<Markup> {
        let mut cells: Vec<Markup> = self.cells.iter().map(|cell| html! { (cell) }).collect();
        if let (Some(mark), Some(last)) = (self.mark, cells.last_mut()) {
            *last = html! { strong class="wrong" { (last) " " (mark) } };
        }
        cells
    }
}

impl Column {
    fn class(&self) -> Option<&'static str> {
        matches!(self, Column::Number(_)).then_some("number")
    }
}

/// Renders a table with a caption. The first cell of a row is its header.
pub(crate) fn table(
    caption: &str,
    columns: &[Column],
    rows: impl Iterator<Item = Vec<Markup>>,
) -> Markup {
    html! {
        div class="wide" role="region" aria-label=(caption) tabindex="0" { "\n"
            table { "\n"
                caption { (caption) } "\n"
                thead {
                    tr {
                        @for column in columns { th scope="col" class=[column.class()] { (column.name()) } }
                    }
                } "\n"
                tbody { "\n"
                    @for row in rows { (table_row(columns, &row)) }
                } "\n"
            } "\n"
        } "\n"
    }
}

fn table_row(columns: &[Column], cells: &[Markup]) -> Markup {
    let class = |place: usize| columns.get(place).and_then(Column::class);
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
pub(crate) fn code(text: &str) -> Markup {
    html! { code { (text) } }
}

/// Renders text in a muted colour.
pub(crate) fn quiet(text: &str) -> Markup {
    html! { span class="quiet" { (text) } }
}

/// Renders text; parts between backticks are rendered as code.
pub(crate) fn in_code(text: &str) -> Markup {
    html! {
        @for (place, part) in text.split('`').enumerate() {
            @if place % 2 == 0 { (part) } @else { code { (part) } }
        }
    }
}

/// Capitalises the first letter of a sentence.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}
