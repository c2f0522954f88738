//! Units of tests, in which nobody asks what a predicate costs.

use std::ops::Range;

use costlens_program::SourceFile;
use costlens_program::workspace::terms;

use crate::db::Db;

/// The units of a file: the bytes from each `:- begin_tests(…)` to its `:- end_tests(…)`, or to the end of the file.
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
        match (
            read.terms.functor(goal).map(|(n, a)| (n.as_str(), a)),
            begun,
        ) {
            (Some(("begin_tests", 1 | 2)), None) => begun = Some(read.range.0),
            (Some(("end_tests", 1)), Some(from)) => {
                found.push(from..read.range.1);
                begun = None;
            }
            _ => {}
        }
    }
    found.extend(begun.map(|from| from..text.len()));
    found
}
