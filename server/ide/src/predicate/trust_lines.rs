//! The places of the assertions on which bounds depend: `db.pl:12`.

use costlens_analysis::report::{PatternReport, TrustLine};
use costlens_program::{FunctorKey, SourceFile, assertions_about, file_assertions};
use costlens_syntax::assertions::Assertion;

use crate::db::Db;

/// Returns the places of trusted assertions, sorted by file and line.
pub(crate) fn places(db: &dyn Db, lines: &[TrustLine]) -> Vec<String> {
    let mut found: Vec<(String, usize)> = lines.iter().map(|line| place(db, line)).collect();
    found.sort();
    found.dedup();
    (found.into_iter())
        .map(|(file, line)| format!("{file}:{line}"))
        .collect()
}

/// Returns, for each pattern, the places of the assertions on which its bounds depend.
pub(crate) fn of_patterns(db: &dyn Db, patterns: &[PatternReport]) -> Vec<Vec<String>> {
    let patterns = patterns.iter();
    patterns.map(|p| places(db, &p.rests_on)).collect()
}

fn place(db: &dyn Db, line: &TrustLine) -> (String, usize) {
    let name = line.home.path(db).to_owned();
    (name, line_of(db, line.home, line).unwrap_or(1))
}

/// Returns the line number, from 1.
fn line_of(db: &dyn Db, file: SourceFile, line: &TrustLine) -> Option<usize> {
    let key = FunctorKey::new(db, line.predicate.clone());
    let stated = assertions_about(db, file, key).get(line.ordinal)?;
    let assertions = file_assertions(db, file);
    let is_it = |a: &Assertion| a.name == stated.name && a.arity == stated.arity;
    let all = assertions.list.iter().zip(&assertions.places);
    let (_, place) = all.filter(|(a, _)| is_it(a)).nth(line.ordinal)?;
    let before = file.parsed(db).text.get(..place.range.0)?;
    Some(1 + before.bytes().filter(|b| *b == b'\n').count())
}
