//! Findings in a file, as they are kept on the disk from one run to the next.
//!
//! Functions are kept in the exact syntax. An answer that would not be read back unchanged is not kept.

use std::ops::Range;

use costlens_algebra::parse::parse;
use costlens_algebra::text::{Names, to_text};
use costlens_algebra::{Constraint, Expr, Rat, Region, Relation, Var};
use costlens_analysis::report::{Bound, Condition, Functor, SizeVariable};
use costlens_analysis::types::Metric;
use costlens_analysis::verdict::{AssertionVerdict, SizeInterval, Verdict, Witness};
use costlens_ide::diagnostics::rules::RULES;
use costlens_ide::diagnostics::verdicts::AssertionCheck;
use costlens_ide::diagnostics::{Diagnostic, Related, Severity};
use costlens_ide::reports::check::FileCheck;
use costlens_ide::reports::lock::{Asked, Measured, Pattern, RegionBounds, Row, region_row};
use costlens_syntax::assertions::{Approximation, CostType, Origin};
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// The findings in a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) check: FileCheck,
    /// The predicates with their bounds, if a lockfile asked for them.
    pub(super) measured: Option<Vec<Measured>>,
}

/// The same on the disk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    assertions: Vec<KeptAssertion>,
    diagnostics: Vec<KeptDiagnostic>,
    met_budgets: Vec<usize>,
    measured: Option<Vec<KeptMeasured>>,
}

impl crate::cli::remembered::Kept for Kept {
    type Answer = Found;

    fn of(found: &Found) -> Option<Self> {
        let kept = Kept {
            assertions: found.check.assertions.iter().map(assertion).collect(),
            diagnostics: found.check.diagnostics.iter().map(diagnostic).collect(),
            met_budgets: found.check.met_budgets.clone(),
            measured: (found.measured.as_ref()).map(|all| all.iter().map(measured).collect()),
        };
        let mut without_ids = found.clone();
        for check in &mut without_ids.check.assertions {
            check.judged.rests_on.clear();
        }
        (kept.answer()? == without_ids).then_some(kept)
    }

    fn answer(&self) -> Option<Found> {
        let assertions = self.assertions.iter().map(KeptAssertion::check);
        let diagnostics = self.diagnostics.iter().map(KeptDiagnostic::diagnostic);
        let measured = match &self.measured {
            Some(all) => Some(
                all.iter()
                    .map(KeptMeasured::measured)
                    .collect::<Option<_>>()?,
            ),
            None => None,
        };
        Some(Found {
            check: FileCheck {
                assertions: assertions.collect::<Option<_>>()?,
                diagnostics: diagnostics.collect::<Option<_>>()?,
                met_budgets: self.met_budgets.clone(),
            },
            measured,
        })
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptRelated(usize, usize, String);

impl KeptRelated {
    fn of(related: &Related) -> Self {
        KeptRelated(
            related.range.start,
            related.range.end,
            related.message.clone(),
        )
    }

    fn related(&self) -> Related {
        Related {
            range: self.0..self.1,
            message: self.2.clone(),
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptDiagnostic {
    range: Range<usize>,
    is_error: bool,
    rule: String,
    message: String,
    related: Vec<KeptRelated>,
}

fn diagnostic(of: &Diagnostic) -> KeptDiagnostic {
    KeptDiagnostic {
        range: of.range.clone(),
        is_error: of.severity == Severity::Error,
        rule: of.rule.id().to_owned(),
        message: of.message.clone(),
        related: of.related.iter().map(KeptRelated::of).collect(),
    }
}

impl KeptDiagnostic {
    fn diagnostic(&self) -> Option<Diagnostic> {
        Some(Diagnostic {
            range: self.range.clone(),
            severity: severity(self.is_error),
            rule: RULES.into_iter().find(|rule| rule.id() == self.rule)?,
            message: self.message.clone(),
            related: self.related.iter().map(KeptRelated::related).collect(),
        })
    }
}

fn severity(is_error: bool) -> Severity {
    match is_error {
        true => Severity::Error,
        false => Severity::Warning,
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptAssertion {
    range: Range<usize>,
    head: Option<Range<usize>>,
    dominating: Option<KeptRelated>,
    rests_on: Vec<String>,
    message: String,
    is_error: bool,
    is_suppressed: bool,
    judged: KeptVerdict,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptVerdict {
    assertion: usize,
    property: usize,
    predicate: (String, usize),
    text: String,
    is_directive: bool,
    resource: Option<String>,
    approximation: Option<String>,
    cost_type: Option<String>,
    verdict: String,
    is_observed: bool,
    intervals: Vec<KeptInterval>,
    asserted: Option<String>,
    lower: Option<String>,
    upper: Option<String>,
    witness: Option<KeptWitness>,
    assumes: Option<String>,
    reason: Option<String>,
    message: String,
}

/// The name of the size, its limits, and the verdict between them.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptInterval(String, Option<String>, Option<String>, String);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptWitness {
    sizes: Vec<(String, String)>,
    inferred: Option<(String, String)>,
    asserted: Option<(String, String)>,
}

fn assertion(of: &AssertionCheck) -> KeptAssertion {
    let judged = &of.judged;
    let rational = |r: &Rat| (r.numer().to_string(), r.denom().to_string());
    let number = |n: &Option<BigInt>| n.as_ref().map(ToString::to_string);
    let intervals = judged.intervals.iter().map(|i| {
        let verdict = verdict_text(i.verdict);
        KeptInterval(i.size.clone(), number(&i.from), number(&i.to), verdict)
    });
    let witness = judged.witness.as_ref().map(|w| KeptWitness {
        sizes: (w
            .sizes
            .iter()
            .map(|(name, n)| (name.clone(), n.to_string())))
        .collect(),
        inferred: w.inferred.as_ref().map(rational),
        asserted: w.asserted.as_ref().map(rational),
    });
    KeptAssertion {
        range: of.range.clone(),
        head: of.head.clone(),
        dominating: of.dominating.as_ref().map(KeptRelated::of),
        rests_on: of.rests_on.clone(),
        message: of.message.clone(),
        is_error: of.severity == Severity::Error,
        is_suppressed: of.suppressed,
        judged: KeptVerdict {
            assertion: judged.assertion,
            property: judged.property,
            predicate: (judged.predicate.name.to_string(), judged.predicate.arity),
            text: judged.text.clone(),
            is_directive: judged.origin == Origin::Directive,
            resource: judged.resource.as_ref().map(ToString::to_string),
            approximation: judged.approximation.map(|a| a.name().to_owned()),
            cost_type: judged.cost_type.map(CostType::name),
            verdict: verdict_text(judged.verdict),
            is_observed: judged.observed,
            intervals: intervals.collect(),
            asserted: judged.asserted.clone(),
            lower: judged.lower.clone(),
            upper: judged.upper.clone(),
            witness,
            assumes: judged.condition.map(|c| c.name().to_owned()),
            reason: judged.reason.clone(),
            message: judged.message.clone(),
        },
    }
}

impl KeptAssertion {
    fn check(&self) -> Option<AssertionCheck> {
        Some(AssertionCheck {
            range: self.range.clone(),
            head: self.head.clone(),
            dominating: self.dominating.as_ref().map(KeptRelated::related),
            rests_on: self.rests_on.clone(),
            message: self.message.clone(),
            severity: severity(self.is_error),
            suppressed: self.is_suppressed,
            judged: self.judged.verdict()?,
        })
    }
}

impl KeptVerdict {
    fn verdict(&self) -> Option<AssertionVerdict> {
        // An approximation that exists but cannot be read differs from none.
        let approximation = match &self.approximation {
            Some(name) => Some(Approximation::from_name(name)?),
            None => None,
        };
        let cost_type = match &self.cost_type {
            Some(name) => Some(CostType::from_name(name)?),
            None => None,
        };
        let witness = match &self.witness {
            Some(witness) => Some(witness.witness()?),
            None => None,
        };
        let condition = match &self.assumes {
            Some(name) => Some(Condition::named(name)?),
            None => None,
        };
        Some(AssertionVerdict {
            assertion: self.assertion,
            property: self.property,
            predicate: Functor::new(SmolStr::new(&self.predicate.0), self.predicate.1),
            text: self.text.clone(),
            origin: match self.is_directive {
                true => Origin::Directive,
                false => Origin::Comment,
            },
            resource: self.resource.as_deref().map(Into::into),
            approximation,
            cost_type,
            verdict: verdict_named(&self.verdict)?,
            observed: self.is_observed,
            intervals: (self.intervals.iter().map(KeptInterval::interval))
                .collect::<Option<_>>()?,
            asserted: self.asserted.clone(),
            lower: self.lower.clone(),
            upper: self.upper.clone(),
            witness,
            // Ids are meaningless in another run; the lines are stored next to the verdict.
            rests_on: Vec::new(),
            condition,
            reason: self.reason.clone(),
            message: self.message.clone(),
        })
    }
}

impl KeptInterval {
    fn interval(&self) -> Option<SizeInterval> {
        Some(SizeInterval {
            size: self.0.clone(),
            from: optional(&self.1)?,
            to: optional(&self.2)?,
            verdict: verdict_named(&self.3)?,
        })
    }
}

impl KeptWitness {
    fn witness(&self) -> Option<Witness> {
        let rational = |of: &Option<(String, String)>| match of {
            Some((n, d)) => Some(Some(Rat::new(n.parse().ok()?, d.parse().ok()?))),
            None => Some(None),
        };
        let sizes = (self.sizes.iter()).map(|(name, n)| Some((name.clone(), n.parse().ok()?)));
        Some(Witness {
            sizes: sizes.collect::<Option<_>>()?,
            inferred: rational(&self.inferred)?,
            asserted: rational(&self.asserted)?,
        })
    }
}

fn optional(number: &Option<String>) -> Option<Option<BigInt>> {
    match number {
        Some(digits) => Some(Some(digits.parse().ok()?)),
        None => Some(None),
    }
}

fn verdict_text(verdict: Verdict) -> String {
    costlens_ide::present::verdict_text(verdict).to_owned()
}

fn verdict_named(name: &str) -> Option<Verdict> {
    let all = [Verdict::Checked, Verdict::False, Verdict::Check];
    all.into_iter()
        .find(|&verdict| verdict_text(verdict) == name)
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptMeasured {
    predicate: String,
    offset: usize,
    is_suppressed: bool,
    calls: Vec<(String, usize)>,
    patterns: Vec<KeptPattern>,
    asked: Vec<KeptAsked>,
}

/// The pattern and the sizes of a lockfile's line, and the current bounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptAsked(String, Vec<(String, String)>, Option<KeptPattern>);

impl KeptAsked {
    fn of(asked: &Asked) -> Self {
        let found = asked.found.as_ref().map(pattern);
        KeptAsked(asked.pattern.clone(), asked.sizes.clone(), found)
    }

    fn asked(&self) -> Option<Asked> {
        let found = match &self.2 {
            Some(found) => Some(found.pattern()?),
            None => None,
        };
        Some(Asked {
            pattern: self.0.clone(),
            sizes: self.1.clone(),
            found,
        })
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptPattern {
    predicate: String,
    pattern: String,
    meanings: Vec<(String, String)>,
    calls: Vec<String>,
    /// The bounds as a lockfile has them.
    row: (Option<String>, Option<String>),
    sizes: Vec<KeptSize>,
    is_exception_possible: Option<bool>,
    /// The bounds over variables, `inf`, or nothing.
    bounds: (Option<String>, Option<String>),
    regions: Vec<KeptRegion>,
    main: usize,
    always_fails: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptRegion {
    /// Expressions, each with a flag for whether it is 0 there; otherwise it is nonnegative.
    when: Vec<(String, bool)>,
    /// The lower bound, the upper one up to the first solution, and that over all.
    bounds: [Option<String>; 3],
}

impl KeptRegion {
    fn of(region: &RegionBounds) -> Self {
        let names = by_number();
        let constraints = region.when.constraints().iter();
        let when =
            constraints.map(|c| (to_text(&c.expr(), &names), c.relation() == Relation::Zero));
        let bounds = [&region.lower, &region.first, &region.all];
        KeptRegion {
            when: when.collect(),
            bounds: bounds.map(|bound| costlens_ide::present::exact_text(bound, &names)),
        }
    }

    fn region(&self) -> Option<RegionBounds> {
        let constraint = |(text, is_equality): &(String, bool)| {
            let left = expression(text)?;
            match is_equality {
                true => Constraint::eq(&left, &Expr::zero()),
                false => Constraint::ge(&left, &Expr::zero()),
            }
        };
        let when: Vec<Constraint> = (self.when.iter().map(constraint)).collect::<Option<_>>()?;
        let [lower, first, all] = &self.bounds;
        Some(RegionBounds {
            when: when.into_iter().collect::<Region>(),
            lower: bound(lower)?,
            first: bound(first)?,
            all: bound(all)?,
        })
    }
}

fn bound(text: &Option<String>) -> Option<Bound> {
    match text.as_deref() {
        Some("inf") => Some(Bound::Infinite),
        Some(text) => expression(text).map(Bound::Finite),
        None => Some(Bound::Unknown),
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptSize {
    var: u32,
    argument: usize,
    metric: String,
    is_element: bool,
    name: String,
}

/// Variables by their numbers: `v3`.
fn by_number() -> Names<'static> {
    Names::new(|v: Var| format!("v{}", v.0))
}

fn expression(text: &str) -> Option<Expr> {
    let variable = |name: &str| name.strip_prefix('v')?.parse().ok().map(Var);
    parse(text, &mut { variable }).ok()
}

fn measured(of: &Measured) -> KeptMeasured {
    KeptMeasured {
        predicate: of.predicate.clone(),
        offset: of.offset,
        is_suppressed: of.is_suppressed,
        calls: of.calls.clone(),
        patterns: of.patterns.iter().map(pattern).collect(),
        asked: of.asked.iter().map(KeptAsked::of).collect(),
    }
}

fn pattern(of: &Pattern) -> KeptPattern {
    let names = by_number();
    let bound = |bound: &Bound| costlens_ide::present::exact_text(bound, &names);
    let sizes = of.sizes.iter().map(|size| KeptSize {
        var: size.var.0,
        argument: size.argument,
        metric: size.metric.to_string(),
        is_element: size.element,
        name: size.name.clone(),
    });
    KeptPattern {
        predicate: of.row.predicate.clone(),
        pattern: of.row.pattern.clone(),
        meanings: of.row.sizes.clone(),
        calls: of.row.calls.clone(),
        row: (of.row.lower.clone(), of.row.upper.clone()),
        sizes: sizes.collect(),
        is_exception_possible: of.row.is_exception_possible,
        bounds: (bound(&of.lower), bound(&of.upper)),
        regions: of.regions.iter().map(KeptRegion::of).collect(),
        main: of.main,
        always_fails: of.always_fails,
    }
}

impl KeptMeasured {
    fn measured(&self) -> Option<Measured> {
        Some(Measured {
            predicate: self.predicate.clone(),
            offset: self.offset,
            patterns: (self.patterns.iter().map(KeptPattern::pattern)).collect::<Option<_>>()?,
            is_suppressed: self.is_suppressed,
            calls: self.calls.clone(),
            asked: (self.asked.iter().map(KeptAsked::asked)).collect::<Option<_>>()?,
        })
    }
}

impl KeptPattern {
    fn pattern(&self) -> Option<Pattern> {
        let regions: Vec<RegionBounds> =
            (self.regions.iter().map(KeptRegion::region)).collect::<Option<_>>()?;
        let sizes: Vec<SizeVariable> =
            (self.sizes.iter().map(KeptSize::size)).collect::<Option<_>>()?;
        let rows = {
            let names = costlens_ide::present::names(&sizes);
            let rows = regions.iter().map(|region| region_row(region, &names));
            rows.collect()
        };
        Some(Pattern {
            row: Row {
                file: String::new(),
                predicate: self.predicate.clone(),
                pattern: self.pattern.clone(),
                sizes: self.meanings.clone(),
                lower: self.row.0.clone(),
                upper: self.row.1.clone(),
                calls: self.calls.clone(),
                regions: rows,
                is_exception_possible: self.is_exception_possible,
            },
            lower: bound(&self.bounds.0)?,
            upper: bound(&self.bounds.1)?,
            sizes,
            regions,
            main: self.main,
            always_fails: self.always_fails,
        })
    }
}

impl KeptSize {
    fn size(&self) -> Option<SizeVariable> {
        let all = [Metric::Length, Metric::Int, Metric::Size, Metric::Chars];
        Some(SizeVariable {
            var: Var(self.var),
            argument: self.argument,
            metric: all.into_iter().find(|m| m.to_string() == self.metric)?,
            element: self.is_element,
            name: self.name.clone(),
        })
    }
}
