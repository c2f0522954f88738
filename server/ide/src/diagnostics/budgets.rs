//! Checks the budgets of predicates ([`crate::project`]).

use std::collections::BTreeMap;

use costlens_algebra::growth::growth;
use costlens_algebra::text::Names;
use costlens_algebra::{Expr, Region, Var};
use costlens_analysis::queries::file_report;
use costlens_analysis::report::{
    AllWork, Bound, Claim, Functor, Origin, ParameterAssumption, ParameterKind, ParameterVariable,
    PatternReport, Piece, Subject, falls,
};
use costlens_analysis::verdict::completes_with_integers;
use costlens_program::positions::positions;
use costlens_program::workspace::place_of;
use costlens_program::{SourceFile, facts, predicates};
use num_traits::Signed as _;

use super::suppressions::suppressions;
use super::{Diagnostic, Severity, rules};
use crate::db::Db;
use crate::present::parameters::{in_force, subject_text};
use crate::present::regions::region_readable;
use crate::present::{finite, formula, headline, indicator, is_exponential, names_in};
use crate::project::{Budget, CostLimit, Project, SIZE, size_name};

/// Returns the line numbers of the budgets that cover some predicate of a file.
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

/// Reports the predicates of a file that exceed a budget, or that are not proved to be within a strict budget.
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
        // All declared call patterns are checked, or else the first pattern.
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
            let completes = |pattern: &PatternReport| {
                !pattern.errors_possible
                    || completes_with_integers(db, file, &place.functor, &pattern.pattern)
            };
            let mut judged = (patterns.iter())
                .filter_map(|p| judged(budget, &place.functor, p, &completes, project));
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

/// Returns the budgets that cover a file. Returns `None` if the file does not belong to the project.
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

/// Returns the message for a budget that is exceeded, or that is strict and not proved. `completes` returns true if, for every size, some
/// calls of a pattern raise no exception.
fn judged(
    budget: &Budget,
    predicate: &Functor,
    pattern: &PatternReport,
    completes: &dyn Fn(&PatternReport) -> bool,
    project: &Project,
) -> Option<String> {
    let is_unknown = budget.of_work && pattern.work == AllWork::Unknown;
    let pattern = if budget.of_work {
        pattern.shown()
    } else {
        pattern
    };
    let (_, upper) = pattern.headline.envelope();
    let everything = Region::everything();
    // A headline may leave out regions, or cover only some sizes.
    let others = pattern.steps.iter().filter(|piece| piece.grows());
    let others: Vec<&Piece> = others.collect();
    let uppers = others.iter().map(|piece| (&piece.all.upper, &piece.when));
    let mut uppers = std::iter::once((upper, &everything)).chain(uppers);
    let is_within = |upper: &Bound, when: &Region| {
        let most = finite(upper).and_then(|e| most_in_one_size(e, when, pattern));
        most.is_some_and(|most| allows(&budget.limit, &most))
    };
    let Some((upper, when)) = uppers.find(|(upper, when)| !is_within(upper, when)) else {
        let without = || {
            let (predicate, limit) = (indicator(predicate), budget.limit.readable());
            format!(
                "`{predicate}` is not proved to stay within {limit}, as {} (line {}) asks: the work of its built-ins has no bound",
                project.name, budget.line
            )
        };
        let rests = || match is_unknown {
            true => Some(without()),
            false => rests(project, budget, predicate, pattern),
        };
        return budget.is_strict.then(rests).flatten();
    };
    let (predicate, limit) = (indicator(predicate), budget.limit.readable());
    let of = format!("{} (line {})", project.name, budget.line);
    let sizes = names_in(pattern);
    if let Some(what) = exceeds(budget, pattern, &others, completes) {
        return Some(format!("`{predicate}` {what}, where {of} allows {limit}"));
    }
    budget.is_strict.then(|| {
        let found = unproved(pattern, upper, when, &sizes);
        format!("`{predicate}` is not proved to stay within {limit}, as {of} asks: {found}")
    })
}

/// Returns a message if the bounds of a pattern rest on assumptions about unknown goals, so that they prove nothing.
fn rests(
    project: &Project,
    budget: &Budget,
    predicate: &Functor,
    pattern: &PatternReport,
) -> Option<String> {
    let is_of_goals = |a: &&ParameterAssumption| a.claim != Claim::NoOtherClauses;
    let is_cost = |p: &&ParameterVariable| {
        p.parameter.kind == ParameterKind::Cost && matches!(p.parameter.of, Subject::Predicate(..))
    };
    let assumed = in_force(pattern).iter().find(is_of_goals);
    let cost = || pattern.parameters.iter().find(is_cost);
    let found = match assumed {
        Some(assumed) => format!(
            "its bound rests on assumptions about {}",
            subject_text(&assumed.of, &[])
        ),
        None => format!(
            "its bound is in terms of what {} costs",
            subject_text(&cost()?.parameter.of, &[])
        ),
    };
    Some(format!(
        "`{}` is not proved to stay within {}, as {} (line {}) asks: {found}",
        indicator(predicate),
        budget.limit.readable(),
        project.name,
        budget.line,
    ))
}

/// Returns a message if the pattern's lower bound exceeds the budget.
fn exceeds(
    budget: &Budget,
    pattern: &PatternReport,
    others: &[&Piece],
    completes: &dyn Fn(&PatternReport) -> bool,
) -> Option<String> {
    let (lower, _) = pattern.headline.envelope();
    let (sizes, everything) = (names_in(pattern), Region::everything());
    if *lower == Bound::Infinite {
        return Some("runs for ever".to_owned());
    }
    if let Some(endless) = (others.iter()).find(|piece| piece.first.lower == Bound::Infinite) {
        let region = headline::plain(&endless.when, &[], &pattern.sizes);
        return Some(format!(
            "runs for ever for {}",
            region_readable(&region, &sizes)
        ));
    }
    let lowers = others.iter().map(|piece| (&piece.first.lower, &piece.when));
    let lowers = std::iter::once((lower, &everything)).chain(lowers);
    let mut lowers = lowers.filter_map(|(lower, when)| Some((finite(lower)?, when)));
    let (lower, least, when) = lowers.find_map(|(lower, when)| {
        let least = in_one_size(lower, when, pattern)?;
        (!allows(&budget.limit, &least)).then_some((lower, least, when))
    })?;
    // Lower bounds do not apply to calls that raise an exception, and all calls of some size may raise an exception.
    if !completes(pattern) {
        return None;
    }
    let class = growth(&least).display(&size_name());
    let region = headline::plain(when, &[], &pattern.sizes);
    let unit = if budget.of_work {
        "units of work"
    } else {
        "steps"
    };
    let steps = match region.constraints() {
        [] => format!("{} {unit}", formula(&least, &size_name())),
        _ => format!(
            "{} {unit} for {}",
            formula(lower, &sizes),
            region_readable(&region, &sizes)
        ),
    };
    Some(format!("takes at least {steps}: O({class})"))
}

/// Describes an upper bound that is not proved to be within a budget.
fn unproved(pattern: &PatternReport, upper: &Bound, when: &Region, sizes: &Names<'_>) -> String {
    let most = finite(upper).and_then(|e| most_in_one_size(e, when, pattern));
    match (most, upper) {
        (Some(most), upper) => {
            let written = finite(upper).filter(|e| !e.variables().iter().any(|&v| falls(v, when)));
            // The names of sizes are those used for the bounds elsewhere.
            let class = match written {
                Some(upper) => growth(upper).display(sizes),
                None => growth(&most).display(&size_name()),
            };
            format!("the upper bound is O({class})")
        }
        (None, Bound::Infinite) => {
            format!(
                "it runs for ever{}",
                headline::without_bound(pattern, sizes)
            )
        }
        (None, _) => format!(
            "it has no upper bound{}",
            headline::without_bound(pattern, sizes)
        ),
    }
}

/// Expresses a bound in the one size variable of budgets. Each size is replaced by this variable, or by its negation if the region does not
/// limit the size from below.
fn in_one_size(e: &Expr, when: &Region, pattern: &PatternReport) -> Option<Expr> {
    let sizes = pattern
        .sizes
        .iter()
        .map(|size| size.var)
        .chain(e.variables());
    let size = |v: Var| match falls(v, when) {
        true => -&Expr::var(SIZE),
        false => Expr::var(SIZE),
    };
    let by: BTreeMap<Var, Expr> = sizes.map(|v| (v, size(v))).collect();
    e.substitute(&by)
}

/// Returns the maximum of an upper bound over all sizes whose absolute value is at most the size in the budget. For example, `m - n` is at
/// most 2n for integers, and at most n for lengths.
fn most_in_one_size(e: &Expr, when: &Region, pattern: &PatternReport) -> Option<Expr> {
    let turned = e.variables().into_iter().filter(|&v| falls(v, when));
    let turned = turned.map(|v| (v, -&Expr::var(v))).collect();
    let may_be_negative = |v: &Var| {
        let size = pattern.sizes.iter().find(|size| size.var == *v);
        let is_natural = size.is_some_and(|size| size.metric.least().is_some());
        !is_natural && !falls(*v, when) && when.bounds(&Expr::var(*v)).0.is_none()
    };
    let mut most = Expr::zero();
    for (monomial, coefficient) in e.substitute(&turned)?.terms() {
        let is_both_ways = monomial.variables().any(|v| may_be_negative(&v));
        if coefficient.is_positive() || is_both_ways {
            most.add_monomial(monomial.clone(), coefficient.abs());
        }
    }
    let all = most.variables().into_iter();
    let by = all.map(|v| (v, Expr::var(SIZE))).collect();
    most.substitute(&by)
}

/// Returns true if a cost is within a limit.
fn allows(limit: &CostLimit, cost: &Expr) -> bool {
    match limit {
        CostLimit::Finite => true,
        CostLimit::Polynomial => !is_exponential(&Bound::Finite(cost.clone())),
        CostLimit::Class(class) => growth(cost).is_in(class),
    }
}
