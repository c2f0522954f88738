//! Verdicts on assertions: compares the assertions in a file with the inferred bounds.
//!
//! A property is compared with the report for the call pattern that its assertion declares, over the sizes that the precondition admits.
//! The verdict is *checked* if the inferred bounds prove the property, *false* if they refute it (then every call of that size violates
//! it), and *to check* otherwise, with the reason.

mod assumed;
mod determinism;
mod measured;
mod message;
mod outcome;
mod precondition;
mod success;

use std::cell::OnceCell;
use std::sync::Arc;

use costlens_algebra::compare::{self, Approx, judge, judge_between};
use costlens_algebra::text::{Names, to_text};
use costlens_algebra::{Constraint, Expr, Rat, Region, Var};
use costlens_infer::asserted::{CostVariables, cost_interval, is_infinite};
use costlens_infer::regular::Regulars;
use costlens_infer::report::{
    Bound, Condition, Functor, Interval, PatternReport, Piece, PredicateReport, TrustLine,
};
use costlens_infer::types::{Pattern, Type};
use costlens_program::{SourceFile, find, graph, names, stated};
use costlens_syntax::Dialect;
use costlens_syntax::assertions::{
    Approximation, Assertion, CostProperty, CostTerm, CostType, Origin, Property, SizeMetric,
    SolutionsClaim, StatedProperty, Status,
};
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use smol_str::SmolStr;

use crate::db::{Db, key_of};
use crate::driver;
use crate::open::is_open;
use crate::patterns::assertion_pattern;
use crate::queries::{report, report_from, report_of_calls, untrusting_report};
use crate::regular_queries::regulars;
use crate::resources::{self, Prepared, PriceList, Prices, Resource, resource_of};
use crate::summaries::summary;
use measured::with_parameters;

pub use compare::Verdict;
pub use precondition::{contradictions, unknown_types};

/// The verdict on one property of an assertion. It contains no positions; look them up by the assertion's index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssertionVerdict {
    /// The assertion's index in [`costlens_program::stated`] and in `Assertions::places`.
    pub assertion: usize,
    /// The property's index in the assertion.
    pub property: usize,
    /// The predicate to which the assertion applies.
    pub predicate: Functor,
    /// The property's text, without layout.
    pub text: String,
    /// The source of the assertion.
    pub origin: Origin,
    /// The resource; `None` for a property of the number of solutions.
    pub resource: Option<SmolStr>,
    /// The side of the bound that the property states.
    pub approximation: Option<Approximation>,
    /// The part of a call to which the cost applies: up to the first solution, all solutions, …
    pub cost_type: Option<CostType>,
    /// False if the property is refuted for some admitted size; checked if it is proved for every admitted size.
    pub verdict: Verdict,
    /// True if the verdict holds for the estimated constants of a platform, but not for all values that the constants may have.
    pub observed: bool,
    /// The maximal intervals of the only relevant size. Empty if several sizes are relevant, and for orders.
    pub intervals: Vec<SizeInterval>,
    /// The asserted function, with the sizes' names.
    pub asserted: Option<String>,
    /// The inferred lower bound at the witness, or the headline's lower bound if there is no witness.
    pub lower: Option<String>,
    /// The inferred upper bound, for the same sizes as `lower`.
    pub upper: Option<String>,
    /// Sizes for which the property is false.
    pub witness: Option<Witness>,
    /// The trust lines on which the verdict depends.
    pub rests_on: Vec<TrustLine>,
    /// The condition under which the verdict holds.
    pub condition: Option<Condition>,
    /// The reason why the property is undecided.
    pub reason: Option<String>,
    /// The whole verdict in one sentence.
    pub message: String,
}

/// The verdict on an interval of sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeInterval {
    /// The size's name.
    pub size: String,
    /// The smallest size; `None` means no limit.
    pub from: Option<BigInt>,
    /// The largest size; `None` means no limit.
    pub to: Option<BigInt>,
    /// The verdict on all sizes in the interval.
    pub verdict: Verdict,
}

/// Sizes for which an assertion is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The value of each size, by the size's name.
    pub sizes: Vec<(String, BigInt)>,
    /// The bound that refutes the assertion; `None` means infinite.
    pub inferred: Option<Rat>,
    /// The asserted value; `None` if it is too large to compute.
    pub asserted: Option<Rat>,
}

/// Returns the verdicts on a file's assertions, in source order: one for each property with status `check` or `checked`. The determinism of
/// a mode line (`is det`) is included only if it is refuted.
///
/// Runs the driver; do not call it from within a query. Malformed assertions are reported by [`costlens_program::file_assertions`].
pub fn file_verdicts(db: &dyn Db, file: SourceFile) -> Arc<[AssertionVerdict]> {
    verdicts_on(db, file, None)
}

/// Returns [`file_verdicts`] together with the verdicts on time, for a platform with the given prices.
pub fn verdicts_on(
    db: &dyn Db,
    file: SourceFile,
    prices: Option<&Arc<Prices>>,
) -> Arc<[AssertionVerdict]> {
    driver::visit(db, file);
    let mut done = Prepared::default();
    for assertion in stated(db, file) {
        let functor = Functor::new(assertion.name.clone(), assertion.arity);
        let Some(predicate) = find(db, file, &functor) else {
            continue;
        };
        for stated in &assertion.properties {
            let vocabulary = match &stated.property {
                Property::Cost(c) if c.resource == "steps" => continue,
                Property::Cost(c) if c.resource == "time" => prices.map(|p| p.vocabulary()),
                Property::Cost(c) => resource_of(db, file, &c.resource).map(|r| r.vocabulary()),
                _ => continue,
            };
            let question = vocabulary.unwrap_or_default().into();
            resources::prepare(db, predicate, &question, &mut done);
        }
        let is_cost = |stated: &StatedProperty| matches!(stated.property, Property::Cost(_));
        if assertion.properties.iter().any(is_cost) && !is_open(db, predicate) {
            let report = report(db, predicate);
            for pattern in report.patterns.iter().filter(|p| p.errors_possible) {
                let key = key_of(db, predicate, &with_integers(&pattern.pattern));
                driver::visit_call(db, key);
            }
        }
    }
    verdicts(db, file, PriceList::new(db, prices.map(Arc::clone)))
}

/// Judges the assertions of a file. *Invalidated* when one of these assertions or the report for an asserted predicate changes.
#[salsa::tracked(returns(clone))]
fn verdicts<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    prices: PriceList<'db>,
) -> Arc<[AssertionVerdict]> {
    let mut found = Vec::new();
    for (index, assertion) in stated(db, file).iter().enumerate() {
        // A trusted assertion is compared with the clauses alone, and reported if the clauses refute it.
        let trusted = assertion.status == Status::Trust;
        if !trusted && !matches!(assertion.status, Status::Check | Status::Checked) {
            continue;
        }
        let functor = Functor::new(assertion.name.clone(), assertion.arity);
        let predicate = find(db, file, &functor);
        if trusted && predicate.is_none_or(|p| is_open(db, p)) {
            continue;
        }
        let report = predicate.map(|p| match trusted {
            true => untrusting_report(db, p),
            false => report(db, p),
        });
        let named = |name: &SmolStr| resource_of(db, file, name);
        let on = |resource: &Resource| predicate.map(|p| resources::report_on(db, p, resource));
        let knows = |name: &Functor| {
            graph::reach(db, file, name).predicate().is_some()
                || names::declared_in(db, file, name).is_some()
        };
        let endless = || predicate.and_then(|p| outcome::endless(db, p));
        let success = |pattern: &Pattern| {
            let found = summary(
                db,
                key_of(db, predicate.filter(|&p| !is_open(db, p))?, pattern),
            );
            let known = if trusted {
                &found.inferred
            } else {
                &found.summary
            };
            Some(known.success.clone())
        };
        let completes = |pattern: &Pattern| {
            let Some(predicate) = predicate.filter(|&p| !is_open(db, p)) else {
                return false;
            };
            let found = summary(db, key_of(db, predicate, &with_integers(pattern)));
            !found.inferred.errors_possible
        };
        let from = |of: &PatternReport, least: &[Option<i64>]| {
            let predicate = predicate.filter(|&p| !is_open(db, p))?;
            Some(report_from(db, predicate, of, least, trusted))
        };
        let own = OnceCell::new();
        let contradiction = precondition::contradiction(db, file, assertion);
        for (property, stated) in assertion.properties.iter().enumerate() {
            let subject = JudgedProperty {
                file,
                knows: &knows,
                assertion,
                stated,
                index,
                property,
                functor: &functor,
                types: regulars(db, file),
                prices: prices.prices(db).as_ref(),
                endless: &endless,
                success: &success,
                completes: &completes,
                from: &from,
                own: &own,
                contradiction: contradiction.as_deref(),
                is_swi: file.parsed(db).dialect() == Dialect::Swi,
                named: &named,
                on: &on,
            };
            let verdict = subject.verdict(report.as_deref());
            found.extend(verdict.filter(|v| !trusted || v.verdict == Verdict::False));
        }
    }
    found.into()
}

/// The treatment of upper limits on sizes in a precondition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UpperLimits {
    Kept,
    /// An order of growth is about sizes without a limit.
    Ignored,
}

/// The bounds that are known for the subject of an assertion.
struct KnownBounds {
    pieces: Vec<compare::Piece>,
    /// The sizes for which no call exists, so that the assertion holds vacuously.
    vacuous: Vec<Region>,
    /// The headline's lower and upper bounds.
    headline: (compare::Bound, compare::Bound),
    /// The root cause, if the bound needed for a decision is missing.
    missing: Option<String>,
    /// The reason why a refutation does not count: calls of these sizes may not exist.
    doubt: Option<&'static str>,
}

/// Computes the report for the calls of a pattern whose integers are at least the given values.
type ReportFrom<'a> = dyn Fn(&PatternReport, &[Option<i64>]) -> Option<PatternReport> + 'a;

/// A property to be judged, with the data needed to judge it.
struct JudgedProperty<'a> {
    file: SourceFile,
    assertion: &'a Assertion,
    stated: &'a StatedProperty,
    index: usize,
    property: usize,
    functor: &'a Functor,
    types: &'a Regulars,
    prices: Option<&'a Arc<Prices>>,
    /// Returns a built-in that the predicate may call, directly or indirectly, and that may run forever without taking a step.
    endless: &'a dyn Fn() -> Option<Functor>,
    /// Returns the types of the arguments after a call of a pattern succeeds: `Some(None)` if no call succeeds, `None` if nothing is known.
    success: &'a dyn Fn(&Pattern) -> Option<Option<Vec<Type>>>,
    /// Returns whether, for every size, some call of a pattern raises no exception.
    completes: &'a dyn Fn(&Pattern) -> bool,
    /// Computes the report for those calls of another report's pattern whose integers are at least the given values.
    from: &'a ReportFrom<'a>,
    /// The report for the calls of this assertion, if its integers differ from those of the report's pattern.
    own: &'a OnceCell<Option<PatternReport>>,
    /// A contradiction in the precondition, so that no call satisfies it.
    contradiction: Option<&'a str>,
    is_swi: bool,
    /// Returns whether a predicate is defined or declared.
    knows: &'a dyn Fn(&Functor) -> bool,
    /// Looks up a resource other than `steps` and `time` by its name.
    named: &'a dyn Fn(&SmolStr) -> Option<Resource>,
    /// Returns the predicate's report for a resource other than steps.
    on: &'a dyn Fn(&Resource) -> Option<Arc<PredicateReport>>,
}

impl JudgedProperty<'_> {
    fn verdict(&self, report: Option<&PredicateReport>) -> Option<AssertionVerdict> {
        let found = self.judged(report)?;
        if found.verdict == Verdict::Checked
            && let Some(of) = report.and_then(|r| self.assumption(r))
        {
            return Some(self.undecided(format!(
                "it is proved only under assumptions about {of}; state in a `trust` assertion what a call costs"
            )));
        }
        if found.verdict == Verdict::False
            && let Some(of) = report.and_then(|r| self.as_written(r))
        {
            return Some(self.undecided(format!(
                "it is refuted only if the clauses of {of} run as they are written, and a hook of the program may expand them"
            )));
        }
        match (found.verdict, precondition::doubt(self.assertion)) {
            (Verdict::False, Some(reason)) => Some(self.undecided(reason)),
            _ => Some(found),
        }
    }

    fn judged(&self, report: Option<&PredicateReport>) -> Option<AssertionVerdict> {
        let is_shown = self.assertion.origin == Origin::Directive
            || !matches!(self.stated.property, Property::Solutions(_));
        if let Some(contradiction) = self.contradiction {
            let reason = format!("no call satisfies the precondition: {contradiction}");
            return is_shown.then(|| self.undecided(reason));
        }
        match &self.stated.property {
            Property::Cost(cost) => Some(match report.and_then(|r| self.fitting(r)) {
                Some(report) => self.any_cost(cost, report),
                None => self.undecided(self.without_report(report)),
            }),
            Property::Unknown(name, arity) => {
                Some(self.undecided(format!("{name}/{arity} is no property that Costlens knows")))
            }
            Property::Solutions(SolutionsClaim::Any) => is_shown.then(|| AssertionVerdict {
                verdict: Verdict::Checked,
                message: "checked: any number of solutions is allowed".to_owned(),
                ..self.blank()
            }),
            Property::Solutions(claim) => {
                let verdict = match report.and_then(|r| self.fitting(r)) {
                    Some(report) => self.solutions(*claim, report),
                    None => self.undecided(self.without_report(report)),
                };
                let shown =
                    self.assertion.origin == Origin::Directive || verdict.verdict == Verdict::False;
                shown.then_some(verdict)
            }
            Property::Size(..)
            | Property::SolutionCount(..)
            | Property::RelativeCost(_)
            | Property::Success(..)
            | Property::NotVerified(_) => Some(match report.and_then(|r| self.fitting(r)) {
                Some(report) => self.outcome(report),
                None => self.undecided(self.without_report(report)),
            }),
        }
    }

    /// Returns the report that includes the assertion's calls. An assertion without declared calls is compared with the pattern that a user
    /// would most likely expect.
    fn fitting<'r>(&'r self, report: &'r PredicateReport) -> Option<&'r PatternReport> {
        let found = self.of_pattern(report)?;
        if !self.assertion.declares_calls() {
            return Some(found);
        }
        // The assertion may admit more integers than the pattern, or fewer.
        let least = self.least(&found.pattern);
        let is_same = (0..least.len())
            .filter(|&i| found.pattern.0.get(i) == Some(&Type::Int))
            .all(|i| least[i] == found.least.get(i).copied().flatten());
        if is_same {
            return Some(found);
        }
        let own = self.own.get_or_init(|| (self.from)(found, &least));
        Some(own.as_ref().unwrap_or(found))
    }

    /// Returns, for each argument of a pattern, the smallest integer that the precondition admits.
    fn least(&self, pattern: &Pattern) -> Vec<Option<i64>> {
        let of_type = self.assertion.arguments.iter();
        let mut least: Vec<Option<i64>> = of_type.map(precondition::least_integer).collect();
        least.resize(pattern.0.len(), None);
        for limit in &self.assertion.limits {
            let is_value = matches!(limit.metric, None | Some(SizeMetric::Int));
            let limited = limit.at_least.as_ref().and_then(|least| least.to_i64());
            if is_value && let Some(least) = least.get_mut(limit.argument) {
                *least = (*least).max(limited);
            }
        }
        let types = pattern.0.iter();
        let integers = types.zip(least).map(|(of, least)| match of {
            Type::Int => least,
            _ => None,
        });
        integers.collect()
    }

    fn of_pattern<'r>(&self, report: &'r PredicateReport) -> Option<&'r PatternReport> {
        if !self.assertion.declares_calls() {
            return report.stated();
        }
        let pattern = assertion_pattern(self.assertion, self.types);
        let mut patterns = report.patterns.iter();
        patterns
            .clone()
            .find(|r| r.pattern == pattern)
            .or_else(|| patterns.find(|r| pattern.is_within(&r.pattern)))
    }

    fn without_report(&self, report: Option<&PredicateReport>) -> String {
        match report {
            None => format!("{} has no clauses in this file", self.functor),
            Some(_) => format!(
                "no bounds were inferred for calls {}",
                assertion_pattern(self.assertion, self.types)
            ),
        }
    }

    fn blank(&self) -> AssertionVerdict {
        let cost = match &self.stated.property {
            Property::Cost(cost) => Some(cost),
            _ => None,
        };
        AssertionVerdict {
            assertion: self.index,
            property: self.property,
            predicate: self.functor.clone(),
            text: self.stated.text.clone(),
            origin: self.assertion.origin,
            resource: cost.map(|c| c.resource.clone()),
            approximation: cost.map(|c| c.approximation),
            cost_type: cost.map(|c| c.cost_type),
            verdict: Verdict::Check,
            observed: false,
            intervals: Vec::new(),
            asserted: None,
            lower: None,
            upper: None,
            witness: None,
            rests_on: Vec::new(),
            condition: None,
            reason: None,
            message: String::new(),
        }
    }

    fn undecided(&self, reason: String) -> AssertionVerdict {
        AssertionVerdict {
            message: format!("not decided: {reason}"),
            reason: Some(reason),
            ..self.blank()
        }
    }

    /// Judges a cost in any resource. `steps` is the report on steps for the asserted calls.
    fn any_cost(&self, cost: &CostProperty, steps: &PatternReport) -> AssertionVerdict {
        if cost.resource == "steps" {
            return self.cost(cost, steps);
        }
        if cost.resource != "time" {
            let resource = (self.named)(&cost.resource);
            let report = resource.and_then(|r| self.other(&r, steps));
            return match report {
                Some(report) => self.cost(cost, &report),
                None => self.undecided(format!(
                    "no file that is loaded here declares a resource `{0}`: write `:- resource {0}.`",
                    cost.resource
                )),
            };
        }
        let Some(prices) = self.prices else {
            return self.undecided("no platform is chosen, so no time is known".to_owned());
        };
        // A property that holds for every value of the constants within the measured range is proved for the platform. Otherwise, the
        // verdict depends on the estimates.
        let on = |resource| self.other(&resource, steps);
        let cautious = on(Resource::CautiousTime(Arc::clone(prices)));
        let estimate = on(Resource::Time(Arc::clone(prices)));
        let (Some(cautious), Some(estimate)) = (cautious, estimate) else {
            return self.undecided("no time was inferred".to_owned());
        };
        let verdict = self.cost(cost, &cautious);
        let condition = cautious.condition.or(estimate.condition);
        if verdict.verdict != Verdict::Check {
            return conditional(condition, verdict);
        }
        let by_estimate = self.cost(cost, &estimate);
        let observed = AssertionVerdict {
            observed: by_estimate.verdict != Verdict::Check,
            ..by_estimate
        };
        conditional(condition, observed)
    }

    /// Returns the report on another resource for the same calls, split at all sizes that occur in the report on steps.
    fn other(&self, resource: &Resource, steps: &PatternReport) -> Option<PatternReport> {
        let all = (self.on)(resource)?;
        let mut report = all
            .patterns
            .iter()
            .find(|r| r.pattern == steps.pattern)?
            .clone();
        for size in &steps.sizes {
            if !report.sizes.contains(size) {
                report.sizes.push(size.clone());
            }
        }
        Some(report)
    }

    fn cost(&self, cost: &CostProperty, report: &PatternReport) -> AssertionVerdict {
        let headline = &report.headline;
        let known = KnownBounds {
            pieces: (report.steps.iter())
                .map(|p| piece(p, cost.cost_type))
                .collect(),
            vacuous: Vec::new(),
            headline: judged(&headline.first, &headline.all, cost.cost_type),
            missing: missing_bound(cost.approximation, report),
            // Lower bounds do not cover calls that raise an exception, and every call of a given size may raise one.
            doubt: (report.errors_possible && !(self.completes)(&report.pattern))
                .then_some(MAY_RAISE),
        };
        self.function(cost.approximation, &cost.expression, known, report)
    }

    /// Compares an asserted function of sizes with the known bounds.
    fn function(
        &self,
        approximation: Approximation,
        expression: &CostTerm,
        known: KnownBounds,
        report: &PatternReport,
    ) -> AssertionVerdict {
        let report = &*with_parameters(report, expression, self.file);
        let names = size_names(report);
        let KnownBounds {
            pieces,
            mut vacuous,
            headline: mut inferred,
            missing,
            doubt,
        } = known;
        let mut verdict = self.blank();
        verdict.rests_on.clone_from(&report.rests_on);
        verdict.set_bounds(&inferred, &names);
        if is_infinite(expression) {
            return self.against_infinity(approximation, verdict);
        }
        let is_order = matches!(approx(approximation), Approx::O | Approx::Oub | Approx::Olb);
        let (domain, complete) = self.domain(
            report,
            match is_order {
                true => UpperLimits::Ignored,
                false => UpperLimits::Kept,
            },
        );
        let variables = CostVariables {
            size: &|metric, argument| self.measure(report, metric, argument),
            parameter: &|named| self.parameter(report, named),
        };
        let (low, high) = match cost_interval(expression, variables, &domain) {
            Ok(both) => both,
            Err(reason) => {
                verdict.message = format!("not decided: {reason}");
                verdict.reason = Some(reason);
                return verdict;
            }
        };
        let is_exact = low == high;
        verdict.asserted = is_exact.then(|| to_text(&high, &names));
        let known = with_calls(pieces, &mut vacuous);
        let pieces = |asserted: &Expr| {
            let vacuous = vacuous.iter().map(|region| compare::Piece {
                region: region.clone(),
                lower: compare::Bound::Finite(asserted.clone()),
                upper: compare::Bound::Finite(asserted.clone()),
            });
            known.iter().cloned().chain(vacuous).collect::<Vec<_>>()
        };
        let found = judge_between(approx(approximation), &low, &high, &pieces, &domain);
        // The bounds that hold at the witness refute the assertion.
        if let Some(there) = (found.witness.as_ref()).and_then(|w| at_witness(w, pieces(&high))) {
            inferred = (there.lower, there.upper);
            verdict.set_bounds(&inferred, &names);
        }
        verdict.set_judged(found, &names);
        let doubts = (doubt.filter(|_| !verdict.is_endless())).into_iter();
        for doubt in (!complete)
            .then_some(NOT_UNDERSTOOD)
            .into_iter()
            .chain(doubts)
        {
            soften(&mut verdict, doubt);
        }
        if is_order && self.limits_sizes() && verdict.verdict != Verdict::Checked {
            soften(&mut verdict, SPEAKS_OF_ALL);
            verdict.reason = Some(SPEAKS_OF_ALL.to_owned());
        } else if verdict.verdict == Verdict::Check
            && let Some(cause) = missing
        {
            verdict.reason = Some(cause);
        }
        let shown = match is_exact {
            true => message::Shown::new(&high, &inferred, &names),
            // Functions with logarithms are shown as written.
            false => {
                let resource = verdict.resource.as_deref();
                message::Shown::written(&verdict.text, resource, &inferred, &names)
            }
        };
        verdict.message =
            message::function(&verdict, &shown, approximation, report, self.assertion);
        verdict
    }

    fn against_infinity(
        &self,
        approximation: Approximation,
        mut verdict: AssertionVerdict,
    ) -> AssertionVerdict {
        verdict.asserted = Some("inf".into());
        match approximation {
            Approximation::Upper | Approximation::Order | Approximation::OrderUpper => {
                verdict.verdict = Verdict::Checked;
                verdict.message = "checked: inf allows any cost".into();
            }
            _ => {
                let reason = "an infinite cost is asserted, and Costlens compares only finite ones"
                    .to_owned();
                verdict.message = format!("not decided: {reason}");
                verdict.reason = Some(reason);
            }
        }
        verdict
    }
}

/// Returns whether, for every size, some call of a pattern is proved to raise no exception. The considered calls have integers in place of
/// terms of unknown kind.
///
/// Runs the driver; do not call it from within a query.
pub fn completes_with_integers(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    pattern: &Pattern,
) -> bool {
    let report = report_of_calls(db, file, functor, &with_integers(pattern));
    report.is_some_and(|report| !report.errors_possible)
}

/// Returns a pattern with integers in place of arguments and elements of unknown kind. Its calls have all sizes that calls of the original
/// pattern have.
fn with_integers(pattern: &Pattern) -> Pattern {
    let integer = |of: &Type| match of {
        Type::Any | Type::Number => Type::Int,
        other => other.clone(),
    };
    let argument = |of: &Type| {
        let mut depth = 0;
        let mut inner = of;
        while let Type::List(element) = inner {
            (inner, depth) = (element, depth + 1);
        }
        (0..depth).fold(integer(inner), |element, _| Type::List(Box::new(element)))
    };
    Pattern(pattern.0.iter().map(argument).collect())
}

fn restricted(region: Region, constraint: Option<Constraint>) -> Region {
    match constraint {
        Some(c) => region.and(c),
        None => region,
    }
}

/// Removes the sizes for which no call exists from the pieces, and adds them to the vacuous sizes. No call exists if the lower bound is
/// above the upper bound: for trees of size 2, 3 is above 2n/3+1/3.
fn with_calls(pieces: Vec<compare::Piece>, vacuous: &mut Vec<Region>) -> Vec<compare::Piece> {
    let mut found = Vec::new();
    for piece in pieces {
        let (compare::Bound::Finite(lower), compare::Bound::Finite(upper)) =
            (&piece.lower, &piece.upper)
        else {
            found.push(piece);
            continue;
        };
        let bound = || compare::Bound::Finite(lower.clone());
        let exact = compare::Piece {
            region: piece.region.clone(),
            lower: bound(),
            upper: bound(),
        };
        let judged = judge(Approx::Ub, upper, &[exact], &piece.region);
        let Some(variable) = judged.variable.filter(|_| judged.overall == Verdict::False) else {
            found.push(piece);
            continue;
        };
        for interval in judged.intervals {
            let number = |n: BigInt| Expr::constant(Rat::from_integer(n));
            let size = Expr::var(variable);
            let mut region = piece.region.clone();
            if let Some(from) = interval.from {
                region = restricted(region, Constraint::ge(&size, &number(from)));
            }
            if let Some(to) = interval.to {
                region = restricted(region, Constraint::le(&size, &number(to)));
            }
            match interval.verdict {
                Verdict::False => vacuous.push(region),
                _ => found.push(compare::Piece {
                    region,
                    ..piece.clone()
                }),
            }
        }
    }
    found
}

/// The reason why a refutation does not count: the precondition may exclude the refuting calls.
const NOT_UNDERSTOOD: &str = "refuted without the parts of the precondition that Costlens does not understand; it may hold under them";

/// The reason why a refutation of a size on success does not count.
const MAY_FAIL: &str = "refuted where a call succeeds, and calls may fail or raise an exception";

/// The reason why a refutation of a lower bound on cost does not count.
const MAY_RAISE: &str = "refuted where no exception is raised, and every call of these sizes may raise one: state types that exclude exceptions, such as list(int)";

/// The reason why limits on sizes do not prove an order.
const SPEAKS_OF_ALL: &str = "an order is about unbounded sizes: state a bound in numbers, such as `steps =< 5000`, or leave out the limit";

impl AssertionVerdict {
    fn set_bounds(&mut self, (lower, upper): &(compare::Bound, compare::Bound), names: &Names<'_>) {
        self.lower = bound_text(lower, names);
        self.upper = bound_text(upper, names);
    }

    fn set_judged(&mut self, judged: compare::Judged, names: &Names<'_>) {
        self.verdict = judged.overall;
        self.reason = judged.reason;
        self.witness = judged.witness.map(|w| {
            let sizes = w.sizes.into_iter();
            Witness {
                sizes: (sizes.map(|(v, n)| (names.name(v).into_owned(), n))).collect(),
                inferred: w.inferred,
                asserted: w.asserted,
            }
        });
        if let Some(v) = judged.variable {
            let intervals = judged.intervals.into_iter();
            let intervals = intervals.map(|i| SizeInterval {
                size: names.name(v).into_owned(),
                from: i.from,
                to: i.to,
                verdict: i.verdict,
            });
            self.intervals = intervals.collect();
        }
    }

    /// Returns true for calls that are proved to run forever without an exception.
    fn is_endless(&self) -> bool {
        let witness = self.witness.as_ref();
        witness.is_some_and(|w| w.inferred.is_none() && w.asserted.is_some())
    }
}

/// Returns the bounds that hold at a witness.
fn at_witness(witness: &compare::Witness, pieces: Vec<compare::Piece>) -> Option<compare::Piece> {
    let size = |v: Var| {
        let found = witness.sizes.iter().find(|(of, _)| *of == v);
        found.map(|(_, value)| value.clone())
    };
    pieces.into_iter().find(|p| p.region.contains(&size))
}

/// Withdraws refutations and records the reason.
fn soften(verdict: &mut AssertionVerdict, reason: &str) {
    for interval in &mut verdict.intervals {
        if interval.verdict == Verdict::False {
            interval.verdict = Verdict::Check;
        }
    }
    if verdict.verdict == Verdict::False {
        verdict.verdict = Verdict::Check;
        verdict.witness = None;
        verdict.reason = Some(reason.to_owned());
    }
}

/// Returns a piece with the bounds for a cost type: up to the first solution, over all solutions, or only the upper bound over all
/// solutions.
fn piece(piece: &Piece, cost_type: CostType) -> compare::Piece {
    let (lower, upper) = judged(&piece.first, &piece.all, cost_type);
    compare::Piece {
        region: piece.when.clone(),
        lower,
        upper,
    }
}

/// Returns the lower and upper bounds for a cost type.
fn judged(
    first: &Interval,
    all: &Interval,
    cost_type: CostType,
) -> (compare::Bound, compare::Bound) {
    let (lower, upper) = match cost_type {
        CostType::Call | CostType::CallExit | CostType::CallFail => (&first.lower, &first.upper),
        CostType::AllSolutions => (&all.lower, &all.upper),
        CostType::Solution(_) | CostType::Redo | CostType::RedoExit | CostType::RedoFail => {
            (&Bound::Unknown, &all.upper)
        }
    };
    let lower = match lower {
        Bound::Finite(e) => compare::Bound::Finite(e.clone()),
        Bound::Infinite => compare::Bound::Infinite,
        // Costs are not negative.
        Bound::Unknown => compare::Bound::Finite(Expr::zero()),
    };
    let upper = match upper {
        Bound::Finite(e) => compare::Bound::Finite(e.clone()),
        Bound::Infinite => compare::Bound::Infinite,
        Bound::Unknown => compare::Bound::Unknown,
    };
    (lower, upper)
}

fn approx(approximation: Approximation) -> Approx {
    match approximation {
        Approximation::Upper => Approx::Ub,
        Approximation::Lower => Approx::Lb,
        Approximation::Exact => Approx::Eq,
        Approximation::Order => Approx::O,
        Approximation::OrderUpper => Approx::Oub,
        Approximation::OrderLower => Approx::Olb,
    }
}

fn size_names(report: &PatternReport) -> Names<'_> {
    Names::new(|v| {
        let size = report.sizes.iter().find(|s| s.var == v);
        let parameter = || report.parameters.iter().find(|p| p.var == v);
        (size.map(|s| s.name.clone()))
            .or_else(|| parameter().map(|p| p.name.clone()))
            .unwrap_or_else(|| format!("v{}", v.0))
    })
}

fn bound_text(bound: &compare::Bound, names: &Names<'_>) -> Option<String> {
    match bound {
        compare::Bound::Finite(e) => Some(to_text(e, names)),
        compare::Bound::Infinite => Some("inf".into()),
        compare::Bound::Unknown => None,
    }
}

/// Returns the root cause, if the bound needed for a decision is missing.
fn missing_bound(approximation: Approximation, report: &PatternReport) -> Option<String> {
    use costlens_infer::report::Side;
    let side = match approximation {
        Approximation::Lower | Approximation::OrderLower => Side::Lower,
        _ => Side::Upper,
    };
    let unknown = report.unknown.iter().find(|u| u.side == side)?;
    let bound = match side {
        Side::Lower => "lower",
        Side::Upper => "upper",
    };
    Some(format!(
        "no {bound} bound: {} (in {})",
        unknown.reason, unknown.cause
    ))
}

/// Adds the upper bounds' condition to a verdict that depends on an upper bound. Lower bounds hold unconditionally.
fn conditional(condition: Option<Condition>, mut verdict: AssertionVerdict) -> AssertionVerdict {
    use Approximation as A;
    let speaks_of = verdict.approximation;
    let rests_on_upper = match verdict.verdict {
        Verdict::Checked => !matches!(speaks_of, Some(A::Lower | A::OrderLower)),
        Verdict::False => !matches!(speaks_of, Some(A::Upper | A::OrderUpper | A::Order)),
        Verdict::Check => false,
    };
    if let Some(condition) = condition.filter(|_| rests_on_upper) {
        verdict.condition = Some(condition);
        verdict.message = format!("{}, {}", verdict.message, condition.text());
    }
    verdict
}
