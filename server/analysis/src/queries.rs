//! Inference as incremental queries.
//!
//! A summary is keyed by predicate and call pattern. It reads the clauses of its component and the summaries of callees, but never
//! positions. The queries of this module never recurse deeply: [`crate::driver`] visits callees before callers, in every revision. If a
//! summary needs another that has not been visited yet, it unwinds to the driver instead of computing it (`NotReady` in [`crate::driver`]).

pub use crate::database::{Database, EventSink, LIBRARY};
pub use crate::db::{CallKey, Db, Inference};

use std::sync::Arc;

use costlens_algebra::work::apart;
use costlens_algebra::{Expr, Region};
use costlens_infer::Summary;
use costlens_infer::relative::of_facts;
use costlens_infer::report::{
    AllWork, Bound, Breakdown, Determinism, EvaluatedPoint, Headline, Interval, Origin,
    PatternReport, Piece, PieceKind, PredicateReport, Side, SizeVariable, Unknown,
};
use costlens_infer::types::Pattern;
use costlens_infer::{Certified, DEFAULT_FUEL, WhyOpen, break_down, certified, infer_at};
use costlens_program::definitions;
use costlens_program::{
    ClauseKind, Functor, Predicate, Resolved, SourceFile, assertions_of, find, predicates,
};

use crate::db::key_of;
use crate::driver;
use crate::fact_tables::{TableKey, fact_table};
use crate::guesses::{completed, followed, guess_of};
use crate::open::{is_open, why_open};
use crate::patterns::declared_least;
use crate::patterns::written_pattern;
use crate::regular_queries::guessed_types;
use crate::regular_queries::regulars;
use crate::shown::patterns;
use crate::summaries::summary;
use crate::table::is_table;
use crate::trust::trusted_summary;
use crate::view::View;

/// Breaks a predicate's bound under a pattern down to the calls in its clauses. The result is empty for a predicate whose clauses are
/// unknown. Query it only after the summary has been computed.
///
/// *Invalidated* together with the summary.
#[salsa::tracked(returns(clone))]
fn key_breakdown<'db>(db: &'db dyn Db, key: CallKey<'db>) -> Arc<Breakdown> {
    apart(|| {
        // The clauses of a table are not analysed.
        if is_table(db, key.file(db), key.functor(db)) {
            return Arc::default();
        }
        let view = View::new(db, key.file(db));
        Arc::new(break_down(&summary(db, key).inferred, &view, DEFAULT_FUEL))
    })
}

/// Breaks the bound of one of the file's predicates under a pattern down to the calls in its clauses.
pub fn breakdown(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    pattern: &Pattern,
) -> Option<Arc<Breakdown>> {
    driver::visit_some(db, file, &|f| f == functor);
    let predicate = find(db, file, functor).filter(|&p| !is_open(db, p))?;
    let key = key_of(db, predicate, pattern);
    driver::visit_call(db, key);
    Some(key_breakdown(db, key))
}

/// Evaluates the upper bound of one of the file's predicates under a pattern at given sizes, from the equations alone. The result is not
/// cached.
pub fn evaluated_at(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    pattern: &Pattern,
    given: &dyn Fn(&SizeVariable) -> Option<i64>,
) -> Option<EvaluatedPoint> {
    driver::visit(db, file);
    let predicate = find(db, file, functor).filter(|&p| !is_open(db, p))?;
    if is_table(db, file, functor) {
        return None;
    }
    let known = &summary(db, key_of(db, predicate, pattern)).inferred;
    let choose = |sizes: &[SizeVariable]| {
        let point: Option<Vec<i64>> = sizes.iter().map(given).collect();
        point.into_iter().collect()
    };
    let found = infer_at(known, &View::new(db, file), DEFAULT_FUEL, &choose);
    found.points.into_iter().next()
}

/// Returns the equation systems, with certificates, from which the bounds of one of the file's predicates under a pattern follow. The
/// result is not cached.
pub fn certificates(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    pattern: &Pattern,
) -> Vec<Certified> {
    driver::visit(db, file);
    let Some(predicate) = find(db, file, functor).filter(|&p| !is_open(db, p)) else {
        return Vec::new();
    };
    if is_table(db, file, functor) {
        return Vec::new();
    }
    let known = &summary(db, key_of(db, predicate, pattern)).inferred;
    certified(known, &View::new(db, file), DEFAULT_FUEL)
}

/// Returns the report for one predicate. Query it after the [`file_report`] of its file in the same revision, which computes everything in
/// an order in which no query recurses deeply.
#[salsa::tracked(returns(clone))]
pub fn report<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Arc<PredicateReport> {
    apart(|| Arc::new(reported(db, predicate)))
}

/// Computes the report for one predicate without caching it.
fn reported<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> PredicateReport {
    let open = why_open(db, predicate);
    let of_pattern = |(pattern, origin): &(Pattern, Origin)| {
        of_calls(db, predicate, pattern, *origin, open.as_ref())
    };
    let name = predicate.functor(db).clone();
    let mut patterns: Vec<PatternReport> = patterns(db, predicate).iter().map(of_pattern).collect();
    crate::narrower::drop_needless(&mut patterns);
    if patterns.iter().any(|p| p.first_cause().is_some()) {
        let guess = guess_of(db, predicate).map(|g| g.pattern);
        crate::narrower::suggest(predicate.functor(db), &mut patterns, guess.as_ref());
    }
    if let Some(completed) = completed(db, predicate) {
        crate::narrower::show_completed(&mut patterns, completed);
    }
    PredicateReport {
        predicate: name,
        patterns,
    }
}

/// Returns the report for the calls of one pattern. `open` is the reason, if any, why the clauses do not determine the calls.
fn of_calls(
    db: &dyn Db,
    predicate: Predicate<'_>,
    pattern: &Pattern,
    origin: Origin,
    open: Option<&WhyOpen>,
) -> PatternReport {
    let key = key_of(db, predicate, pattern);
    let mut report = match open {
        Some(why) => match trusted_summary(db, key) {
            Some(trusted) if !trusted.rests_on.is_empty() => {
                trusted.report_from(origin, &least_of(db, predicate, pattern))
            }
            _ => match facts_summary(db, predicate, pattern, why) {
                Some(of_facts) => of_facts.report_from(origin, &least_of(db, predicate, pattern)),
                None => nothing_known(predicate.functor(db), pattern, origin, why),
            },
        },
        None => (summary(db, key).summary).report_from(origin, &least_of(db, predicate, pattern)),
    };
    without_failures(db, predicate, &mut report);
    report
}

/// Returns the summary for the calls of a predicate whose clauses are facts that may change.
fn facts_summary(
    db: &dyn Db,
    predicate: Predicate<'_>,
    pattern: &Pattern,
    why: &WhyOpen,
) -> Option<Summary> {
    let (file, functor) = (predicate.file(db), predicate.functor(db));
    let contents = fact_table(db, TableKey::new(db, file, functor.clone()))?;
    let mut found = of_facts(file, functor, pattern, &contents);
    for parameter in &mut found.parameters {
        parameter.why = Some(Arc::new(cause_of_open(functor, why)));
    }
    Some(found)
}

/// Returns the cause for a predicate whose clauses do not determine how a call runs.
fn cause_of_open(predicate: &Functor, why: &WhyOpen) -> Unknown {
    Unknown {
        home: None,
        side: Side::Upper,
        fuel: false,
        reason: why.reason.clone().into_owned(),
        cause: predicate.clone(),
        literal: None,
        help: why.help.clone().into_owned(),
        types_help: false,
        declare: None,
        missing: None,
    }
}

/// Returns the report for those calls of another report's pattern whose integers are at least the given values. The trusted assertions
/// about the predicate may be included or ignored.
pub(crate) fn report_from(
    db: &dyn Db,
    predicate: Predicate<'_>,
    of: &PatternReport,
    least: &[Option<i64>],
    is_from_clauses: bool,
) -> PatternReport {
    let memo = summary(db, key_of(db, predicate, &of.pattern));
    if is_from_clauses {
        return memo.inferred.report_from(of.origin, least);
    }
    let mut report = memo.summary.report_from(of.origin, least);
    without_failures(db, predicate, &mut report);
    report
}

fn without_failures(db: &dyn Db, predicate: Predicate<'_>, report: &mut PatternReport) {
    if *has_single_sided(db, predicate) {
        // If no rule matches, the call raises an exception instead of failing.
        for piece in &mut report.steps {
            if piece.kind == PieceKind::Failure {
                piece.kind = PieceKind::Bounded;
            }
        }
    }
}

/// Returns the report for the calls of any pattern, whether or not this pattern is shown. Returns `None` if the file does not define the
/// predicate.
pub fn report_of_calls(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    pattern: &Pattern,
) -> Option<PatternReport> {
    driver::visit(db, file);
    let predicate = find(db, file, functor)?;
    if pattern.0.len() != functor.arity {
        return None;
    }
    let open = why_open(db, predicate);
    if open.is_none() {
        driver::visit_call(db, key_of(db, predicate, pattern));
    }
    let open = open.as_ref();
    Some(apart(|| {
        of_calls(db, predicate, pattern, Origin::Called, open)
    }))
}

/// Parses a pattern in its printed form, with the types that are known in a file ([`crate::patterns::written_pattern`]).
pub fn pattern_written(
    db: &dyn Db,
    file: SourceFile,
    text: &str,
    is_measured: &dyn Fn(usize, bool) -> bool,
) -> Option<Pattern> {
    written_pattern(text, is_measured, guessed_types(db, file))
}

/// Returns the declared minimum of each integer argument of a pattern.
fn least_of(db: &dyn Db, predicate: Predicate<'_>, pattern: &Pattern) -> Vec<Option<i64>> {
    let types = regulars(db, predicate.file(db));
    declared_least(assertions_of(db, predicate), types, pattern)
}

/// Returns whether some clause is `Head => Body`. *Invalidated* when a clause of the predicate changes; the result is usually equal.
#[salsa::tracked]
fn has_single_sided<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> bool {
    let clauses = definitions::all_clauses(db, predicate);
    clauses.iter().any(|c| c.kind == ClauseKind::SingleSided)
}

/// Returns a predicate's report based on its clauses alone, without trusted assertions about it. Query it like [`report`].
#[salsa::tracked(returns(clone))]
pub(crate) fn untrusting_report<'db>(
    db: &'db dyn Db,
    predicate: Predicate<'db>,
) -> Arc<PredicateReport> {
    apart(|| {
        let of_pattern = |(pattern, origin): &(Pattern, Origin)| {
            let memo = summary(db, key_of(db, predicate, pattern));
            let least = least_of(db, predicate, pattern);
            memo.inferred.report_from(*origin, &least)
        };
        Arc::new(PredicateReport {
            predicate: predicate.functor(db).clone(),
            patterns: patterns(db, predicate).iter().map(of_pattern).collect(),
        })
    })
}

/// Returns the report for calls that the clauses do not determine.
pub(crate) fn nothing_known(
    predicate: &Functor,
    pattern: &Pattern,
    origin: Origin,
    why: &WhyOpen,
) -> PatternReport {
    let unknown = Interval {
        lower: Bound::Finite(Expr::zero()),
        upper: Bound::Unknown,
    };
    PatternReport {
        pattern: pattern.clone(),
        least: Vec::new(),
        origin,
        determinism: Determinism::Nondet,
        errors_possible: true,
        sizes: Vec::new(),
        parameters: Vec::new(),
        assumes: Vec::new(),
        outputs: Vec::new(),
        solutions: unknown.clone(),
        steps: vec![Piece {
            when: Region::everything(),
            first: unknown.clone(),
            all: unknown.clone(),
            solutions: unknown,
            kind: PieceKind::Unknown,
        }],
        headline: Headline::unknown(),
        main: 0,
        rests_on: Vec::new(),
        unknown: vec![cause_of_open(predicate, why)],
        condition: None,
        wider: None,
        work: AllWork::Unknown,
    }
}

#[salsa::tracked(returns(clone))]
fn reports(db: &dyn Db, file: SourceFile) -> Arc<[Arc<PredicateReport>]> {
    predicates(db, file)
        .iter()
        .map(|&p| report(db, p))
        .collect()
}

/// Returns the report for a library predicate under the pattern of a call. Query it after the report for the caller. Returns `None` if the
/// predicate belongs to the file itself, or its clauses do not determine the calls.
pub fn library_report(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    pattern: &Pattern,
) -> Option<PatternReport> {
    let (Resolved::Library(predicate) | Resolved::Other(predicate)) = followed(db, file, functor)?
    else {
        return None;
    };
    // The predicate that is called in place of the written goal may have different arguments.
    if is_open(db, predicate) || pattern.0.len() != functor.arity {
        return None;
    }
    let found = summary(db, key_of(db, predicate, pattern));
    Some(found.summary.report(Origin::Called))
}

/// Returns the reports for the predicates of a file, in the order of their first clauses.
pub fn file_report(db: &dyn Db, file: SourceFile) -> Arc<[Arc<PredicateReport>]> {
    driver::visit(db, file);
    reports(db, file)
}

/// Calls `told` with each report, for callers that only count reports: the reports for a whole library would take too much memory at once.
pub fn each_report(db: &dyn Db, file: SourceFile, told: &mut dyn FnMut(&PredicateReport)) {
    driver::visit(db, file);
    for &predicate in predicates(db, file) {
        told(&reported(db, predicate));
    }
}

/// Returns the patterns shown for the predicates of a file, without their bounds, in the order of the predicates' first clauses.
pub fn file_patterns(db: &dyn Db, file: SourceFile) -> Vec<(Functor, Vec<(Pattern, Origin)>)> {
    driver::choose_patterns(db, file);
    predicates(db, file)
        .iter()
        .map(|&p| (p.functor(db).clone(), patterns(db, p).to_vec()))
        .collect()
}
