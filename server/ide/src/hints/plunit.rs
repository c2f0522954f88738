//! Unit tests, for whose predicates costs are not displayed.

use std::ops::Range;

use costlens_program::SourceFile;
use costlens_program::language::{UnitMark, unit_mark};
use costlens_program::workspace::terms;

use crate::db::Db;

/// Returns whether a file contains only tests: `lists.plt`.
pub(super) fn is_of_tests(db: &dyn Db, file: SourceFile) -> bool {
    file.path(db).ends_with(".plt")
}

/// Returns the ranges of the test units in a file: from each `:- begin_tests(…)` to its `:- end_tests(…)`, or to the end of the file.
#[salsa::tracked(returns(deref))]
pub(super) fn test_units(db: &dyn Db, file: SourceFile) -> Vec<Range<usize>> {
    let text = &file.parsed(db).text;
    if !text.contains("begin_tests") {
        return Vec::new();
    }
    let (mut found, mut begun) = (Vec::new(), None);
    for read in &terms(db, file).clauses {
        let Some(&[goal]) = read.terms.matches(read.root, ":-", 1) else {
            continue;
        };
        match (unit_mark(&read.terms, goal), begun) {
            (Some(UnitMark::Begin), None) => begun = Some(read.range.0),
            (Some(UnitMark::End), Some(from)) => {
                found.push(from..read.range.1);
                begun = None;
            }
            _ => {}
        }
    }
    found.extend(begun.map(|from| from..text.len()));
    found
}
