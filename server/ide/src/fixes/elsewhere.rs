//! The effects of a variant on other predicates: finds the predicates in the file whose growth class is reduced.

use costlens_analysis::report::Functor;
use costlens_program::SourceFile;

use super::callers::callers;
use super::variant::Variant;
use crate::db::{Db, reached_report};
use crate::file::Edit;
use crate::present::{class_readable, indicator, names_in, threshold_of};

/// The maximum number of predicates that are examined: callers, and their callers.
const MOST: usize = 8;
/// The maximum number of predicates that are named. Further predicates are only counted.
const MOST_NAMED: usize = 2;

/// Describes the predicates whose growth class is reduced by the edits, beginning like ``makes `report/2` O(n)``. Returns `None` if there are
/// none.
pub(super) fn words(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    edits: &[Edit],
) -> Option<String> {
    let callers = with_theirs(db, file, functor);
    if callers.is_empty() {
        return None;
    }
    let variant = Variant::of_all(db, file, &callers, edits);
    let falls = |caller: &Functor| {
        let before = reached_report(db, file, caller)?;
        let after = reached_report(&variant.db, variant.file, caller)?;
        let (before, after) = (before.telling()?, after.telling()?);
        let [was, upper] = [before, after].map(|report| report.headline.where_bounded().1);
        let is_lower = before.pattern == after.pattern && threshold_of(upper) < threshold_of(was);
        let class = class_readable(after, upper, &names_in(after)).filter(|_| is_lower)?;
        Some(format!("`{}` {class}", indicator(caller)))
    };
    let all: Vec<String> = callers.iter().filter_map(falls).collect();
    let (named, more) = all.split_at(all.len().min(MOST_NAMED));
    let more = match more.len() {
        0 => String::new(),
        n => format!(" and {n} more cheaper"),
    };
    (!named.is_empty()).then(|| format!("also makes {}{more}", named.join(", ")))
}

/// Returns the predicate's direct and indirect callers in the file, nearest first.
fn with_theirs(db: &dyn Db, file: SourceFile, functor: &Functor) -> Vec<Functor> {
    let mut found = vec![functor.clone()];
    let mut next = 0;
    while let Some(of) = found.get(next).filter(|_| found.len() <= MOST) {
        let mut more = callers(db, file, of);
        more.retain(|caller| !found.contains(caller));
        found.extend(more);
        next += 1;
    }
    found.truncate(MOST + 1);
    found.split_off(1)
}
