//! Sections of reports, each about one subject: a bound, facts, notes and a table. Text and HTML use the same sections.

use costlens_ide::present::markup::aligned;
use maud::{Markup, PreEscaped, html};

use super::page::{PageColumn, capital, table};

/// The maximum number of rows of a table in text; rows in between are omitted.
const MOST_ROWS: usize = 14;

/// The contents of a section.
pub(super) struct Section {
    /// The subject.
    pub(super) title: String,
    pub(super) bound: String,
    /// Additional facts, each with a label.
    pub(super) facts: Vec<(String, String)>,
    pub(super) notes: Vec<Note>,
    pub(super) table: Table,
}

/// A note: one sentence.
pub(super) struct Note {
    /// The word that marks a problem, if there is one.
    pub(super) mark: Option<&'static str>,
    pub(super) sentence: String,
}

/// Numbers in columns.
pub(super) struct Table {
    pub(super) caption: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Row>,
}

/// A row of numbers.
pub(super) struct Row {
    pub(super) cells: Vec<String>,
    /// The word that marks a problem, if there is one.
    pub(super) mark: Option<&'static str>,
    /// True for a row that is also shown in text.
    pub(super) is_main: bool,
}

impl Section {
    /// Formats the section for a terminal: facts, main rows, notes.
    pub(super) fn text(&self) -> String {
        let mut out = format!("  {}: {}\n", self.title, self.bound);
        for (subject, fact) in &self.facts {
            out.push_str(&format!("  {subject}: {fact}\n"));
        }
        out.push_str(&self.table.text());
        for Note { mark, sentence } in &self.notes {
            let mark = mark.map_or_else(String::new, |mark| format!("{}: ", mark.to_uppercase()));
            out.push_str(&format!("  {mark}{sentence}\n"));
        }
        out
    }

    /// Renders the section for a page, with a picture.
    pub(super) fn html(&self, picture: Option<String>) -> Markup {
        html! {
            h3 { (self.title) } "\n"
            dl { "\n"
                dt { "bound" } dd { (self.bound) } "\n"
                @for (subject, fact) in &self.facts { dt { (subject) } dd { (fact) } "\n" }
            } "\n"
            @for note in &self.notes { (note.html()) }
            @if let Some(svg) = picture { figure { (PreEscaped(svg)) } "\n" }
            (self.table.html())
        }
    }
}

impl Note {
    fn html(&self) -> Markup {
        let stop = if self.sentence.ends_with('.') {
            ""
        } else {
            "."
        };
        html! {
            @if let Some(mark) = self.mark {
                p class="wrong" { strong { (capital(mark)) ":" } " " (self.sentence) (stop) } "\n"
            } @else {
                p { (self.sentence) (stop) } "\n"
            }
        }
    }
}

impl Table {
    /// Formats the main rows; if there are many, a selection.
    fn text(&self) -> String {
        let main: Vec<&Row> = self.rows.iter().filter(|row| row.is_main).collect();
        let step = main.len().div_ceil(MOST_ROWS).max(1);
        let is_kept = |i: usize| i.is_multiple_of(step) || i + 1 == main.len();
        let shown = (main.iter().enumerate()).filter(|(i, _)| is_kept(*i));
        let shown = shown.map(|(_, row)| {
            let mark = row.mark.map(str::to_uppercase);
            row.cells.iter().cloned().chain(mark).collect()
        });
        let rows: Vec<Vec<String>> = std::iter::once(self.columns.clone()).chain(shown).collect();
        aligned(&rows, "  ")
    }

    fn html(&self) -> Markup {
        let columns: Vec<PageColumn> = self.columns.iter().map(PageColumn::number).collect();
        table(&self.caption, &columns, self.rows.iter().map(Row::html))
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
