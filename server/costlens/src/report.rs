//! Reports: facts, notes and tables, from which the texts and the HTML pages of commands are made.

pub(crate) mod html;

use std::fmt::Display;

use costlens_ide::present::markup::aligned;

/// The maximum number of rows of a section's table in text; rows in between are omitted.
const MOST_ROWS: usize = 14;

/// The contents of a report: a text ends with the summary, a page begins with it.
pub(crate) struct Report<'r> {
    /// The kind of report, for the title.
    pub(crate) kind: &'static str,
    /// The predicate that the report is about.
    pub(crate) subject: &'r str,
    /// The place of the subject in its file.
    pub(crate) place: String,
    /// A sentence without its full stop.
    pub(crate) summary: String,
    pub(crate) parts: Vec<Part<'r>>,
}

/// A part of a report: sections with the same subject, a call pattern, for example.
pub(crate) struct Part<'r> {
    /// The subject, which is code.
    pub(crate) title: &'r str,
    /// The names that the sections use.
    pub(crate) names: Option<String>,
    pub(crate) sections: Vec<Section<'r>>,
    pub(crate) notes: Vec<Note>,
}

/// A section about one subject: a bound, facts, notes and a table.
pub(crate) struct Section<'r> {
    /// The subject.
    pub(crate) title: String,
    pub(crate) bound: String,
    /// Additional facts, each with a label.
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) notes: Vec<Note>,
    /// Draws the section's picture as SVG. Only a page has pictures.
    pub(crate) picture: Box<dyn Fn() -> Option<String> + 'r>,
    pub(crate) table: Table,
}

/// A note: one sentence.
pub(crate) struct Note {
    /// The word that marks a problem, if there is one.
    pub(crate) mark: Option<&'static str>,
    pub(crate) sentence: String,
}

/// A table.
pub(crate) struct Table {
    pub(crate) caption: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
}

/// A column of a table, with its name.
pub(crate) enum Column {
    Text(String),
    Number(String),
}

/// A row of a table.
pub(crate) struct Row {
    pub(crate) cells: Vec<String>,
    /// The word that marks a problem, if there is one.
    pub(crate) mark: Option<&'static str>,
    /// True for a row that is also shown in the text of a section.
    pub(crate) is_main: bool,
}

impl Report<'_> {
    /// Formats the report for a terminal.
    pub(crate) fn text(&self) -> String {
        let parts: String = self.parts.iter().map(Part::text).collect();
        format!("{parts}{}\n", self.summary)
    }
}

impl Part<'_> {
    fn text(&self) -> String {
        let names = self.names.iter().map(|names| format!("  {names}\n"));
        let sections = self.sections.iter().map(Section::text);
        let notes = self.notes.iter().map(Note::text);
        let lines: String = names.chain(sections).chain(notes).collect();
        format!("{}\n{lines}\n", self.title)
    }
}

impl Section<'_> {
    /// Formats the section: facts, main rows, notes.
    fn text(&self) -> String {
        let mut out = format!("  {}: {}\n", self.title, self.bound);
        for (subject, fact) in &self.facts {
            out.push_str(&format!("  {subject}: {fact}\n"));
        }
        out.push_str(&self.main_rows());
        out.extend(self.notes.iter().map(Note::text));
        out
    }

    /// Formats the main rows; if there are many, a selection.
    fn main_rows(&self) -> String {
        let main: Vec<&Row> = (self.table.rows.iter().filter(|row| row.is_main)).collect();
        let step = main.len().div_ceil(MOST_ROWS).max(1);
        let is_kept = |i: usize| i.is_multiple_of(step) || i + 1 == main.len();
        let kept = (main.iter().enumerate()).filter(|(i, _)| is_kept(*i));
        text_of_rows(&self.table.columns, kept.map(|(_, row)| *row), "  ")
    }
}

impl Note {
    fn text(&self) -> String {
        let mark =
            (self.mark).map_or_else(String::new, |mark| format!("{}: ", mark.to_uppercase()));
        format!("  {mark}{}\n", self.sentence)
    }
}

impl Table {
    /// Formats all rows in aligned columns.
    pub(crate) fn text(&self) -> String {
        text_of_rows(&self.columns, self.rows.iter(), "")
    }
}

impl Column {
    /// Returns a column of text.
    pub(crate) fn text(name: impl Into<String>) -> Self {
        Column::Text(name.into())
    }

    /// Returns a column of numbers.
    pub(crate) fn number(name: impl Into<String>) -> Self {
        Column::Number(name.into())
    }

    fn name(&self) -> &str {
        let (Column::Text(name) | Column::Number(name)) = self;
        name
    }
}

/// Returns columns of text, followed by columns of numbers.
pub(crate) fn columns(texts: &[&str], numbers: impl Iterator<Item = String>) -> Vec<Column> {
    let texts = texts.iter().copied().map(Column::text);
    texts.chain(numbers.map(Column::number)).collect()
}

impl FromIterator<String> for Row {
    fn from_iter<I: IntoIterator<Item = String>>(cells: I) -> Self {
        Row {
            cells: cells.into_iter().collect(),
            mark: None,
            is_main: true,
        }
    }
}

fn text_of_rows<'t>(
    columns: &[Column],
    rows: impl Iterator<Item = &'t Row>,
    indent: &str,
) -> String {
    let head = columns
        .iter()
        .map(|column| column.name().to_owned())
        .collect();
    let rows = rows.map(|row| {
        let mark = row.mark.map(str::to_uppercase);
        row.cells.iter().cloned().chain(mark).collect()
    });
    let lines: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    aligned(&lines, indent)
}

/// Formats a count with a noun: `1 run`, `3 runs`.
pub(crate) fn counted<N: Display + PartialEq + From<u8>>(n: N, one: &str, many: &str) -> String {
    let noun = if n == N::from(1) { one } else { many };
    format!("{n} {noun}")
}

/// Formats a share with one decimal: `83.3%`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_and_a_page_have_the_same_facts() {
        let note = |mark, sentence: &str| Note {
            mark,
            sentence: sentence.to_owned(),
        };
        let section = Section {
            title: "steps".to_owned(),
            bound: "n+1".to_owned(),
            facts: vec![("least".to_owned(), "a<b".to_owned())],
            notes: vec![note(Some("wrong"), "`p(1)` takes 3 steps.")],
            picture: Box::new(|| None),
            table: Table {
                caption: "Counts".to_owned(),
                columns: columns(&[], ["n", "most"].map(str::to_owned).into_iter()),
                rows: vec![Row {
                    mark: Some("wrong"),
                    ..["1", "3"].map(str::to_owned).into_iter().collect()
                }],
            },
        };
        let report = Report {
            kind: "Validation",
            subject: "p/1",
            place: "a.pl:3".to_owned(),
            summary: "a bound is wrong".to_owned(),
            parts: vec![Part {
                title: "p(+X)",
                names: None,
                sections: vec![section],
                notes: vec![note(None, "enough was counted")],
            }],
        };
        assert_eq!(
            report.text(),
            "p(+X)\n  steps: n+1\n  least: a<b\n  n  most\n  1  3  WRONG\n  WRONG: `p(1)` takes 3 steps.\n  enough was counted\n\na bound is wrong\n"
        );
        let page = report.html();
        for part in [
            "<p>a.pl:3. A bound is wrong.</p>",
            "<dt>least</dt><dd>a&lt;b</dd>",
            "<strong>Wrong:</strong> `p(1)` takes 3 steps.</p>",
            "<td class=\"number\"><strong class=\"wrong\">3 wrong</strong></td>",
            "<p>Enough was counted.</p>",
        ] {
            assert!(page.contains(part), "{part}\n{page}");
        }
    }
}
