//! Budgets that predicates exceed ([`crate::project`]).

use std::collections::BTreeMap;

use costlens_algebra::growth::growth;
use costlens_algebra::{Expr, Var};
use costlens_analysis::queries::file_report;
use costlens_analysis::report::{Bound, Functor, Origin, PatternReport};
use costlens_program::positions::positions;
use costlens_program::workspace::place_of;
use costlens_program::{SourceFile, facts, predicates};

use super::suppressions::suppressions;
use super::{Diagnostic, Severity, rules};
use crate::db::Db;
use crate::present::{finite, formula, headline, indicator, is_exponential, names};
use crate::project::{Budget, Limit, Project, SIZE, size_name};

/// The lines of the budgets that some predicate of a file is meant by.
pub(crate) fn met(db: &dyn Db, file: SourceFile, project: &Project) -> Vec<usize> {
    let Some(budgets) = in_file(db, file, project) else {
        return Vec::new();
    };
    let facts = facts(db, file);
    let is_met = |budget: &&&Budget| {
        predicates(db, file).iter().any(|predicate| {
            let functor = predicate.functor(db);
            let is_exported = facts.module.is_some() && facts.is_exported(functor);
            budget.is_of(&indicator(functor), is_exported)
        })
    };
    let met = budgets.iter().filter(is_met);
    met.map(|budget| budget.line).collect()
}

/// The budgets that predicates of a file exceed, and those that are to be proved and are not.
pub(crate) fn exceeded(db: &dyn Db, file: SourceFile, project: &Project) -> Vec<Diagnostic> {
    let Some(budgets) = in_file(db, file, project) else {
        return Vec::new();
    };
    let (facts, suppressed) = (facts(db, file), suppressions(db, file));
    let (places, reports) = (positions(db, file), file_report(db, file));
    let mut found = Vec::new();
    for (place, report) in places.iter().zip(reports.iter()) {
        let Some(clause) = place.clauses.first() else {
            continue;
        };
        // Every declared call pattern; where none is, the first.
        let is_declared =
            |pattern: &&PatternReport| matches!(pattern.origin, Origin::Declared | Origin::Entry);
        let mut patterns: Vec<&PatternReport> =
            report.patterns.iter().filter(is_declared).collect();
        if patterns.is_empty() {
            patterns.extend(report.patterns.first());
        }
        if suppressed.covers(&rules::BUDGET, clause.head.0) {
            continue;
        }
        let is_exported = facts.module.is_some() && facts.is_exported(&place.functor);
        let written = indicator(&place.functor);
        for budget in &budgets {
            if !budget.is_of(&written, is_exported) {
                continue;
            }
            let mut judged =
                (patterns.iter()).filter_map(|p| judged(budget, &place.functor, p, project));
            if let Some(message) = judged.next() {
                found.push(Diagnostic {
                    range: clause.name.0..clause.name.1,
                    severity: Severity::Error,
                    rule: &rules::BUDGET,
                    message,
                    related: Vec::new(),
                });
            }
        }
    }
    found
}

/// The budgets that are about a file; none where it is no file of the project.
fn in_file<'p>(db: &dyn Db, file: SourceFile, project: &'p Project) -> Option<Vec<&'p Budget>> {
    if project.budgets.is_empty() {
        return None;
    }
    let place = place_of(db, file)?;
    let root = project.root.trim_end_matches('/');
    let within = place.strip_prefix(root)?.strip_prefix('/')?;
    let about = |budget: &&Budget| (budget.files.as_ref()).is_none_or(|globs| globs.has(within));
    Some(project.budgets.iter().filter(about).collect())
}

/// The message where a budget is exceeded, or has to be proved and is not.
fn judged(
    budget: &Budget,
    predicate: &Functor,
    pattern: &PatternReport,
    project: &Project,
) -> Option<String> {
    let (lower, upper) = pattern.headline.envelope();
    let at_most = |bound: &Bound| finite(bound).and_then(|e| in_one_size(e, pattern));
    let is_within =
        |upper: &&Bound| at_most(upper).is_some_and(|upper| allows(&budget.steps, &upper));
    // A headline may leave regions out, or be about some sizes alone.
    let others = pattern.steps.iter().filter(|piece| piece.grows());
    let others = others.map(
        |piece| match (piece.upper_in_magnitudes(), &piece.all.upper) {
            (Some(upper), _) => Bound::Finite(upper),
            (None, Bound::Finite(_)) => Bound::Unknown,
            (None, missing) => missing.clone(),
        },
    );
    let upper = &std::iter::once(upper.clone())
        .chain(others)
        .find(|upper| !is_within(&upper))?;
    let (predicate, limit) = (indicator(predicate), budget.steps.readable());
    let of = format!("{} (line {})", project.name, budget.line);
    if *lower == Bound::Infinite {
        return Some(format!(
            "`{predicate}` runs for ever, where {of} allows {limit}"
        ));
    }
    if let Some(lower) = at_most(lower).filter(|lower| !allows(&budget.steps, lower)) {
        let class = growth(&lower).display(&size_name());
        return Some(format!(
            "`{predicate}` takes at least {} steps: O({class}), where {of} allows {limit}",
            formula(&lower, &size_name()),
        ));
    }
    let sizes = names(&pattern.sizes);
    let found = match (at_most(upper), upper) {
        // In the names that the bounds have elsewhere.
        (Some(_), Bound::Finite(upper)) => {
            format!("the upper bound is O({})", growth(upper).display(&sizes))
        }
        (_, Bound::Infinite) => {
            format!(
                "it runs for ever{}",
                headline::without_bound(pattern, &sizes)
            )
        }
        _ => format!(
            "it has no upper bound{}",
            headline::without_bound(pattern, &sizes)
        ),
    };
    budget.is_strict.then(|| {
        format!("`{predicate}` is not proved to stay within {limit}, as {of} asks: {found}")
    })
}

/// A bound where all sizes are the one of budgets.
fn in_one_size(e: &Expr, pattern: &PatternReport) -> Option<Expr> {
    let sizes = pattern
        .sizes
        .iter()
        .map(|size| size.var)
        .chain(e.variables());
    let by: BTreeMap<Var, Expr> = sizes.map(|v| (v, Expr::var(SIZE))).collect();
    e.substitute(&by)
}

/// True for a cost within a limit.
fn allows(limit: &Limit, cost: &Expr) -> bool {
    match limit {
        Limit::Finite => true,
        Limit::Polynomial => !is_exponential(&Bound::Finite(cost.clone())),
        Limit::Class(class) => growth(cost).is_in(class),
    }
}
