//! The occurrences of a variable within its clause.

use std::ops::Range;

use costlens_program::SourceFile;
use costlens_syntax::queries::variables_around;

use crate::db::Db;

/// Returns the ranges of the variable at an offset, in textual order. Empty if there is no variable, or if the variable is anonymous.
pub(crate) fn occurrences(db: &dyn Db, file: SourceFile, offset: usize) -> Vec<Range<usize>> {
    let parsed = file.parsed(db);
    let (_, variables) = variables_around(parsed, offset);
    let text = &*parsed.text;
    let Some(name) = (variables.iter())
        .find(|range| (range.start..=range.end).contains(&offset))
        .map(|range| &text[range.clone()])
    else {
        return Vec::new();
    };
    let same = |range: &&Range<usize>| &text[(*range).clone()] == name;
    variables.iter().filter(same).cloned().collect()
}
