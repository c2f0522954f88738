//! Reports recursive predicates without a base clause.

use costlens_analysis::queries::file_report;
use costlens_analysis::report::{Bound, Determinism, PredicateReport};
use costlens_program::calls::calls_in;
use costlens_program::positions::positions;
use costlens_program::{Predicate, SourceFile, predicates};

use super::{Diagnostic, Severity, rules};
use crate::db::Db;
use crate::present::indicator;

/// Reports predicates whose clauses are all recursive and whose calls are all proved to fail. A predicate that runs forever may be intended,
/// and is not reported.
pub(super) fn problems(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let recursive: Vec<bool> = predicates(db, file)
        .iter()
        .map(|&predicate| always_recurs(db, predicate))
        .collect();
    if !recursive.contains(&true) {
        return Vec::new();
    }
    let reports = file_report(db, file);
    let positions = positions(db, file);
    let all = positions.iter().zip(reports.iter()).zip(recursive);
    all.filter(|((_, report), recurs)| *recurs && fails(report))
        .filter_map(|((position, report), _)| {
            let (from, to) = position.clauses.first()?.head;
            Some(Diagnostic {
                range: from..to,
                severity: Severity::Warning,
                rule: &rules::NEVER_SUCCEEDS,
                message: format!(
                    "every call of `{}` fails: no clause is for the end of its recursion",
                    indicator(&report.predicate)
                ),
                related: Vec::new(),
            })
        })
        .collect()
}

fn always_recurs(db: &dyn Db, predicate: Predicate<'_>) -> bool {
    let (file, functor) = (predicate.file(db), predicate.functor(db));
    let clauses = predicate.clauses(db);
    !clauses.is_empty()
        && clauses.iter().all(|clause| {
            let mut bodies = clause.guard.into_iter().chain(clause.body);
            bodies.any(|body| {
                let calls = calls_in(db, file, &clause.terms, body);
                calls.iter().any(|call| call.callee == *functor)
            })
        })
}

fn fails(report: &PredicateReport) -> bool {
    let all = &report.patterns;
    !all.is_empty()
        && all.iter().all(|pattern| {
            pattern.determinism == Determinism::Failure
                && !pattern.lacks_bound()
                && pattern.assumes.is_empty()
                && matches!(pattern.headline.all.upper, Bound::Finite(_))
        })
}
