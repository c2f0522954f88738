//! The stored form of a file's findings, in the cache on disk.
//!
//! Functions are stored in the exact syntax. Findings that would not be read back unchanged are not stored.

use std::ops::Range;

use costlens_algebra::parse::parse;
use costlens_algebra::text::{Names, to_text};
use costlens_algebra::{Constraint, Expr, Rat, Region, Relation, Var};
use costlens_analysis::report::{Bound, Condition, Functor, SizeVariable};
use costlens_analysis::types::Metric;
use costlens_analysis::verdict::{AssertionVerdict, SizeInterval, Verdict, Witness};
use costlens_ide::diagnostics::rules::{RULES, Rule};
use costlens_ide::diagnostics::verdicts::AssertionCheck;
use costlens_ide::diagnostics::{Diagnostic, Related, Severity};
use costlens_ide::present::{exact_text, verdict_text};
use costlens_ide::reports::check::FileCheck;
use costlens_ide::reports::lock::{
    LineBounds, LockRow, MeasuredPredicate, PatternBounds, RegionBounds, RegionRow,
};
use costlens_syntax::assertions::{Approximation, CostType, Origin};
use num_bigint::BigInt;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smol_str::SmolStr;

use super::definitions::{All, As, Definition, Maybe, Name, definitions, named};
use crate::cli::remembered::Cacheable;

/// The findings in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct FileFindings {
    #[serde(with = "FileCheckFields")]
    pub(super) check: FileCheck,
    /// The predicates with their bounds, if a lockfile needs them.
    #[serde(with = "As::<Maybe<All<MeasuredFields>>>")]
    pub(super) measured: Option<Vec<MeasuredPredicate>>,
}

impl Cacheable for FileFindings {
    fn read_back(&self) -> Option<Self> {
        let text = serde_json::to_string(self).ok()?;
        let back: FileFindings = serde_json::from_str(&text).ok()?;
        let mut without_ids = self.clone();
        for check in &mut without_ids.check.assertions {
            check.judged.rests_on.clear();
        }
        (back == without_ids).then_some(back)
    }
}

definitions! {
    AskedFields: LineBounds,
    AssertionFields: AssertionCheck,
    DiagnosticFields: Diagnostic,
    IntervalFields: SizeInterval,
    MeasuredFields: MeasuredPredicate,
    PatternFields: PatternBounds,
    RegionBoundsFields: RegionBounds,
    RegionRowFields: RegionRow,
    RelatedFields: Related,
    SizeFields: SizeVariable,
    WitnessFields: Witness,
}

named! {
    Approximation: |of| of.name().to_owned(), Approximation::from_name;
    BigInt: ToString::to_string, |digits| digits.parse().ok();
    Bound: |of| exact_text(of, &by_number()).unwrap_or_else(|| "?".to_owned()), bound;
    Condition: |of| of.name().to_owned(), Condition::named;
    CostType: |of| of.name(), CostType::from_name;
    Functor: |of| format!("{}/{}", of.name, of.arity), functor;
    Metric: ToString::to_string, Metric::from_name;
    Rat: ToString::to_string, |digits| digits.parse().ok();
    &'static Rule: |of| of.id().to_owned(), |id| RULES.into_iter().find(|rule| rule.id() == id);
    SmolStr: ToString::to_string, |name| Some(name.into());
    Verdict: |of| verdict_text(*of).to_owned(), verdict;
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "FileCheck")]
struct FileCheckFields {
    #[serde(with = "As::<All<AssertionFields>>")]
    assertions: Vec<AssertionCheck>,
    #[serde(with = "As::<All<DiagnosticFields>>")]
    diagnostics: Vec<Diagnostic>,
    met_budgets: Vec<usize>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Related")]
struct RelatedFields {
    range: Range<usize>,
    message: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Severity")]
enum SeverityNames {
    Error,
    Warning,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Diagnostic")]
struct DiagnosticFields {
    range: Range<usize>,
    #[serde(with = "SeverityNames")]
    severity: Severity,
    #[serde(with = "As::<Name>")]
    rule: &'static Rule,
    message: String,
    #[serde(with = "As::<All<RelatedFields>>")]
    related: Vec<Related>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "AssertionCheck")]
struct AssertionFields {
    range: Range<usize>,
    head: Option<Range<usize>>,
    #[serde(with = "As::<Maybe<RelatedFields>>")]
    dominating: Option<Related>,
    #[serde(with = "VerdictFields")]
    judged: AssertionVerdict,
    rests_on: Vec<String>,
    message: String,
    #[serde(with = "SeverityNames")]
    severity: Severity,
    suppressed: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Origin")]
enum OriginNames {
    Directive,
    Comment,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "AssertionVerdict")]
struct VerdictFields {
    assertion: usize,
    property: usize,
    #[serde(with = "As::<Name>")]
    predicate: Functor,
    text: String,
    #[serde(with = "OriginNames")]
    origin: Origin,
    #[serde(with = "As::<Maybe<Name>>")]
    resource: Option<SmolStr>,
    #[serde(with = "As::<Maybe<Name>>")]
    approximation: Option<Approximation>,
    #[serde(with = "As::<Maybe<Name>>")]
    cost_type: Option<CostType>,
    #[serde(with = "As::<Name>")]
    verdict: Verdict,
    observed: bool,
    #[serde(with = "As::<All<IntervalFields>>")]
    intervals: Vec<SizeInterval>,
    asserted: Option<String>,
    lower: Option<String>,
    upper: Option<String>,
    #[serde(with = "As::<Maybe<WitnessFields>>")]
    witness: Option<Witness>,
    /// Ids have no meaning in another run; therefore the lines are stored with the assertion.
    #[serde(skip)]
    rests_on: Vec<costlens_analysis::report::TrustLine>,
    #[serde(with = "As::<Maybe<Name>>")]
    condition: Option<Condition>,
    reason: Option<String>,
    message: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "SizeInterval")]
struct IntervalFields {
    size: String,
    #[serde(with = "As::<Maybe<Name>>")]
    from: Option<BigInt>,
    #[serde(with = "As::<Maybe<Name>>")]
    to: Option<BigInt>,
    #[serde(with = "As::<Name>")]
    verdict: Verdict,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Witness")]
struct WitnessFields {
    #[serde(with = "As::<All<SizeValue>>")]
    sizes: Vec<(String, BigInt)>,
    #[serde(with = "As::<Maybe<Name>>")]
    inferred: Option<Rat>,
    #[serde(with = "As::<Maybe<Name>>")]
    asserted: Option<Rat>,
}

/// The name of a size with its value.
struct SizeValue;

impl Definition<(String, BigInt)> for SizeValue {
    fn write<S: Serializer>((name, value): &(String, BigInt), to: S) -> Result<S::Ok, S::Error> {
        (name, value.to_string()).serialize(to)
    }

    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<(String, BigInt), D::Error> {
        let (name, value) = <(String, String)>::deserialize(from)?;
        Ok((name, value.parse().map_err(serde::de::Error::custom)?))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "MeasuredPredicate")]
struct MeasuredFields {
    predicate: String,
    offset: usize,
    #[serde(with = "As::<All<PatternFields>>")]
    patterns: Vec<PatternBounds>,
    #[serde(with = "As::<All<AskedFields>>")]
    asked: Vec<LineBounds>,
    is_suppressed: bool,
    calls: Vec<(String, usize)>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "LineBounds")]
struct AskedFields {
    pattern: String,
    sizes: Vec<(String, String)>,
    #[serde(with = "As::<Maybe<PatternFields>>")]
    found: Option<PatternBounds>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PatternBounds")]
struct PatternFields {
    #[serde(with = "RowFields")]
    row: LockRow,
    #[serde(with = "As::<All<SizeFields>>")]
    sizes: Vec<SizeVariable>,
    #[serde(with = "As::<Name>")]
    lower: Bound,
    #[serde(with = "As::<Name>")]
    upper: Bound,
    #[serde(with = "As::<All<RegionBoundsFields>>")]
    regions: Vec<RegionBounds>,
    main: usize,
    always_fails: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "LockRow")]
struct RowFields {
    file: String,
    predicate: String,
    pattern: String,
    sizes: Vec<(String, String)>,
    lower: Option<String>,
    upper: Option<String>,
    calls: Vec<String>,
    #[serde(with = "As::<All<RegionRowFields>>")]
    regions: Vec<RegionRow>,
    is_exception_possible: Option<bool>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RegionRow")]
struct RegionRowFields {
    when: Vec<String>,
    lower: Option<String>,
    first: Option<String>,
    all: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "SizeVariable")]
struct SizeFields {
    #[serde(with = "VarNumber")]
    var: Var,
    argument: usize,
    #[serde(with = "As::<Name>")]
    metric: Metric,
    element: bool,
    name: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Var")]
struct VarNumber(u32);

#[derive(Serialize, Deserialize)]
#[serde(remote = "RegionBounds")]
struct RegionBoundsFields {
    #[serde(with = "As::<Constraints>")]
    when: Region,
    #[serde(with = "As::<Name>")]
    lower: Bound,
    #[serde(with = "As::<Name>")]
    first: Bound,
    #[serde(with = "As::<Name>")]
    all: Bound,
}

/// Expressions, each with a flag: true if the expression is 0 in the region, false if it is nonnegative.
struct Constraints;

impl Definition<Region> for Constraints {
    fn write<S: Serializer>(region: &Region, to: S) -> Result<S::Ok, S::Error> {
        let names = by_number();
        to.collect_seq(
            (region.constraints().iter())
                .map(|c| (to_text(&c.expr(), &names), c.relation() == Relation::Zero)),
        )
    }

    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Region, D::Error> {
        let constraint = |(text, is_zero): &(String, bool)| {
            let left = expression(text)?;
            match is_zero {
                true => Constraint::eq(&left, &Expr::zero()),
                false => Constraint::ge(&left, &Expr::zero()),
            }
        };
        let texts = Vec::<(String, bool)>::deserialize(from)?;
        let constraints: Option<Vec<Constraint>> = texts.iter().map(constraint).collect();
        let unreadable = || serde::de::Error::custom("a constraint is not readable");
        Ok(constraints.ok_or_else(unreadable)?.into_iter().collect())
    }
}

/// Returns names for variables from their numbers: `v3`.
fn by_number() -> Names<'static> {
    Names::new(|v: Var| format!("v{}", v.0))
}

fn expression(text: &str) -> Option<Expr> {
    let variable = |name: &str| name.strip_prefix('v')?.parse().ok().map(Var);
    parse(text, &mut { variable }).ok()
}

fn bound(text: &str) -> Option<Bound> {
    match text {
        "inf" => Some(Bound::Infinite),
        "?" => Some(Bound::Unknown),
        text => expression(text).map(Bound::Finite),
    }
}

fn functor(text: &str) -> Option<Functor> {
    let (name, arity) = text.rsplit_once('/')?;
    Some(Functor::new(SmolStr::new(name), arity.parse().ok()?))
}

fn verdict(name: &str) -> Option<Verdict> {
    let all = [Verdict::Checked, Verdict::False, Verdict::Check];
    all.into_iter()
        .find(|&verdict| verdict_text(verdict) == name)
}
