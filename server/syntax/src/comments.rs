//! Structured comments (PlDoc) and the clauses that they stand before.

use crate::read::FileTerms;
use crate::term::Comment;

/// A structured comment, its lines joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructuredComment {
    /// The comments of [`FileTerms::comments`] that it consists of: one block comment, or consecutive line comments.
    pub comments: std::ops::Range<usize>,
    /// Its bytes in the file.
    pub range: (usize, usize),
    /// The clause of [`FileTerms::clauses`] that comes next; with none behind it, a comment belongs to no predicate.
    pub clause: Option<usize>,
}

/// Returns whether a comment begins a structured comment: `%!` or `%%` and layout, or `/**` and layout.
#[must_use]
pub fn begins_structured(comment: &Comment) -> bool {
    let rest = ["%!", "%%", "/**"]
        .into_iter()
        .find_map(|mark| comment.text.strip_prefix(mark));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_whitespace()))
}

/// The structured comments of a file, with the clauses that directly follow them (other comments may stand between).
///
/// A block of line comments goes on as long as each line begins with `%` where the line before it ends, and another
/// `%!` or `%%` starts a new block only behind a line that is not one (several modes may head one comment).
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

/// Returns whether there is one newline and no other text than blanks between two places.
fn next_line(text: &str, from: usize, to: usize) -> bool {
    text.get(from..to).is_some_and(|between| {
        between.chars().all(char::is_whitespace) && between.matches('\n').count() == 1
    })
}
