//! Structured comments (PlDoc) and the clauses that follow them.

use crate::read::FileTerms;
use crate::term::Comment;

/// A structured comment, as one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructuredComment {
    /// The indices in [`FileTerms::comments`] of its comments: one block comment, or consecutive line comments.
    pub comments: std::ops::Range<usize>,
    /// The byte range in the file.
    pub range: (usize, usize),
    /// The index in [`FileTerms::clauses`] of the following clause; if there is none, the comment belongs to no predicate.
    pub clause: Option<usize>,
}

/// Returns whether a comment starts a structured comment: `%!`, `%%` or `/**`, followed by layout.
#[must_use]
pub fn begins_structured(comment: &Comment) -> bool {
    let rest = ["%!", "%%", "/**"]
        .into_iter()
        .find_map(|mark| comment.text.strip_prefix(mark));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_whitespace()))
}

/// Returns the structured comments of a file, with the clauses that follow them (possibly after other comments).
///
/// A block of line comments continues as long as each line starts with `%` and directly follows the previous line. Another `%!` or `%%`
/// starts a new block only after a line without these marks (several modes may precede one comment).
#[must_use]
pub fn structured_comments(file: &FileTerms, text: &str) -> Vec<StructuredComment> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(first) = file.comments.get(at) {
        let begin = at;
        at += 1;
        if !begins_structured(first) {
            continue;
        }
        let mut end = first.range.1;
        if first.text.starts_with('%') {
            while let Some(next) = file.comments.get(at) {
                if !next.text.starts_with('%') || !next_line(text, end, next.range.0) {
                    break;
                }
                end = next.range.1;
                at += 1;
            }
        }
        let clause = file.clauses.partition_point(|c| c.range.0 < end);
        found.push(StructuredComment {
            comments: begin..at,
            range: (first.range.0, end),
            clause: (clause < file.clauses.len()).then_some(clause),
        });
    }
    found
}

/// Returns whether the text between two positions consists of one newline and blanks.
fn next_line(text: &str, from: usize, to: usize) -> bool {
    text.get(from..to).is_some_and(|between| {
        between.chars().all(char::is_whitespace) && between.matches('\n').count() == 1
    })
}
