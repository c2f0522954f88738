//! Reports the bounds of every predicate for the command line.

use std::sync::Arc;

use costlens_analysis::queries::{evaluated_at, file_report};
use costlens_analysis::report::{
    EvaluatedPoint, Functor, PatternReport, PredicateReport, SizeVariable, Unknown,
};
use costlens_analysis::resources::{Resource, file_resource};
use costlens_program::graph::{assumes_no_assignment_by_data, library_multifile};
pub use costlens_program::names::Assumption;
use costlens_program::names::assumed;
use costlens_program::positions::{clause_position, positions};
use costlens_program::rewriting::unexpanded;
use costlens_program::{SourceFile, resolve};
use num_traits::ToPrimitive as _;

use crate::attained::growth::judged;
use crate::db::{Db, reached_report};
use crate::diagnostics::{Diagnostic, malformed};
use crate::predicate::arguments::{argument_names, written_name};
use crate::predicate::mode_line::proposed;
use crate::predicate::{clauses_from, module, trust_lines};
use crate::present::is_exponential;
use crate::present::values::{BoundValue, GivenSize, steps_at};

/// The bounds of a file.
#[derive(Clone, Debug)]
pub struct FileBounds {
    /// The module that the file defines, or `user`.
    pub module: String,
    /// The predicates, in the order of their first clauses.
    pub predicates: Vec<PredicateBounds>,
    /// The file's syntax errors and similar problems.
    pub diagnostics: Vec<Diagnostic>,
    /// Assumptions on which the bounds depend and that no known file confirms or refutes.
    pub rests_on: Vec<Assumption>,
}

/// The bounds of a predicate.
#[derive(Clone, Debug)]
pub struct PredicateBounds {
    /// The offset of the first clause's head.
    pub offset: usize,
    /// The analysis report.
    pub report: Arc<PredicateReport>,
    /// The names of the arguments.
    pub arguments: Vec<Option<String>>,
    /// The places of the causes of each pattern's unknown bounds, in the order of [`costlens_analysis::report::PatternReport::unknown`].
    pub causes: Vec<Vec<Option<FileLine>>>,
    /// The places of the goals for which each pattern's parameters were introduced, in the order of
    /// [`costlens_analysis::report::PatternReport::parameters`].
    pub parameters: Vec<Vec<Option<FileLine>>>,
    /// The names of the predicates that contain these causes: `words//1` for a grammar rule.
    pub cause_names: Vec<Vec<String>>,
    /// The trusted lines on which the bounds of each pattern depend: `db.pl:12`.
    pub rests_on: Vec<Vec<String>>,
    /// The files with clauses of a multifile predicate, in loading order. Empty if this file contains all clauses.
    pub clauses_from: Vec<String>,
}

/// A line of a file, not necessarily of the queried file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLine {
    /// The name of the file.
    pub file: String,
    /// The line number, from 1.
    pub line: usize,
}

/// Returns the bounds of every predicate that the file defines.
pub fn bounds(db: &dyn Db, file: SourceFile) -> FileBounds {
    let predicates = (positions(db, file).iter().zip(file_report(db, file).iter()))
        .filter_map(|(p, report)| {
            let offset = p.clauses.first()?.head.0;
            let report = judged(db, file, report.clone());
            Some(with_places(db, file, &p.functor, offset, report))
        })
        .collect();
    FileBounds {
        module: module(db, file),
        predicates,
        diagnostics: malformed(db, file),
        rests_on: assumptions(db, file),
    }
}

/// Returns the assumptions on which the bounds of a file's predicates depend.
fn assumptions(db: &dyn Db, file: SourceFile) -> Vec<Assumption> {
    let of_terms = assumes_no_assignment_by_data(db, file).then_some(Assumption::NoAssignment);
    let of_libraries = library_multifile(db, file);
    let of_libraries =
        (!of_libraries.is_empty()).then(|| Assumption::NoClauses(of_libraries.to_vec()));
    let of_names = assumed(db, file).iter().cloned();
    let of_hooks = unexpanded(db, file)
        .iter()
        .cloned()
        .map(Assumption::Unexpanded);
    (of_names.chain(of_hooks))
        .chain(of_libraries)
        .chain(of_terms)
        .collect()
}

/// Returns the bounds of every predicate that the file defines on another resource, in the order of [`bounds`].
pub fn resource_bounds(db: &dyn Db, file: SourceFile, resource: &Resource) -> Vec<PredicateBounds> {
    let reports = file_resource(db, file, resource);
    (positions(db, file).iter().zip(reports.iter()))
        .zip(file_report(db, file).iter())
        .filter_map(|((p, report), steps)| {
            let offset = p.clauses.first()?.head.0;
            let report = as_loose(report.clone(), &judged(db, file, steps.clone()));
            Some(with_places(db, file, &p.functor, offset, report))
        })
        .collect()
}

/// Marks bounds on a resource as possibly loose if they are exponential and the bounds on steps may be loose.
fn as_loose(report: Arc<PredicateReport>, steps: &PredicateReport) -> Arc<PredicateReport> {
    let why = |pattern: &PatternReport| {
        let steps = (steps.patterns.iter()).find(|of| of.pattern == pattern.pattern)?;
        (steps.headline.loose).filter(|_| is_exponential(pattern.headline.where_bounded().1))
    };
    if report.patterns.iter().all(|pattern| why(pattern).is_none()) {
        return report;
    }
    let mut loose = PredicateReport::clone(&report);
    for pattern in &mut loose.patterns {
        pattern.headline.loose = why(pattern);
    }
    Arc::new(loose)
}

/// Returns the bounds of one predicate.
pub(crate) fn bounds_of_predicate(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    offset: usize,
) -> Option<PredicateBounds> {
    let report = judged(db, file, reached_report(db, file, functor)?);
    Some(with_places(db, file, functor, offset, report))
}

pub(crate) fn with_places(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    offset: usize,
    report: Arc<PredicateReport>,
) -> PredicateBounds {
    let report = proposed(db, file, report);
    let causes = (report.patterns.iter())
        .map(|p| p.unknown.iter().map(|u| place(db, file, u)).collect())
        .collect();
    let cause_names = (report.patterns.iter())
        .map(|p| p.unknown.iter().map(|u| cause_name(db, file, u)).collect())
        .collect();
    PredicateBounds {
        offset,
        parameters: (report.patterns.iter())
            .map(|p| {
                (p.parameters.iter())
                    .map(|p| place(db, file, p.why.as_ref()?))
                    .collect()
            })
            .collect(),
        causes,
        cause_names,
        rests_on: trust_lines::of_patterns(db, &report.patterns),
        arguments: argument_names(db, file, functor),
        clauses_from: clauses_from(db, file, functor),
        report,
    }
}

/// Returns the name of the predicate that causes an unknown bound.
fn cause_name(db: &dyn Db, file: SourceFile, unknown: &Unknown) -> String {
    written_name(db, unknown.home.unwrap_or(file), &unknown.cause)
}

/// Returns the line that causes an unknown bound: the line of the literal, or of the predicate's first clause.
fn place(db: &dyn Db, file: SourceFile, unknown: &Unknown) -> Option<FileLine> {
    let cause = unknown.cause.clone();
    let home = match unknown.home {
        Some(home) => home,
        None => resolve(db, file, &cause)?.predicate().file(db),
    };
    let literal = unknown.literal.and_then(|(clause, literal)| {
        let (there, place) = clause_position(db, home, &cause, clause)?;
        Some((there, place.range(literal)?))
    });
    let (there, (offset, _)) = literal.or_else(|| {
        let (there, place) = clause_position(db, home, &cause, 0)?;
        Some((there, place.head))
    })?;
    let before = there.parsed(db).text.get(..offset)?;
    Some(FileLine {
        file: there.path(db).to_owned(),
        line: 1 + before.bytes().filter(|b| *b == b'\n').count(),
    })
}

/// Evaluates the upper bound at given sizes. Returns `None` if there is a closed form, or if the table of calls exceeds its limits.
pub fn evaluate(
    db: &dyn Db,
    file: SourceFile,
    predicate: &Functor,
    report: &PatternReport,
    given: &[GivenSize],
) -> Option<EvaluatedPoint> {
    if steps_at(report, given).all.upper != BoundValue::Unknown {
        return None;
    }
    let of = |size: &SizeVariable| {
        let found = given.iter().find(|g| g.is_of(size))?;
        found.value.to_i64().filter(|&value| {
            // No list has a negative length.
            size.metric.least().is_none_or(|least| value >= least)
        })
    };
    evaluated_at(db, file, predicate, &report.pattern, &of)
}
