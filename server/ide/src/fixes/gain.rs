//! The gain of a variant: for which sizes it is proved to be cheaper, and by how much.
//!
//! Resolution steps are compared first: every run after with every run before. Where that says nothing, or the variant calls built-ins whose work grows, both
//! bounds of the variant have to be the lower ones, on steps together with the work of built-ins ([`Event::Work`]), since built-ins count no steps: a unit
//! of work counts as a step, which is more than it takes. The lower bounds are left out where a rewrite takes no more than a step more in any run, by its construction.

use std::collections::BTreeMap;

use costlens_algebra::prove::nonnegative;
use costlens_algebra::sign::{Sign, sign_intervals};
use costlens_algebra::{Constraint, Expr, Region, Var};
use costlens_analysis::report::{Bound, PatternReport, SizeVariable};
use costlens_analysis::resources::{Resource, counted_events, resource_report};
use costlens_events::{Event, Vocabulary};
use costlens_program::{Functor, SourceFile, find};
use num_bigint::BigInt;

use super::callers::has_unknown;
use crate::db::{Db, reached_report};
use crate::present::{finite, formula, headline, names};

/// The largest size that several sizes are tried from.
const LARGEST_START: i64 = 8;

/// The gain of a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gain {
    /// The cost before and after.
    pub(super) cost: (String, String),
    /// The thing that is counted: `steps`.
    pub(super) unit: &'static str,
    /// The sizes for which it is cheaper: `n ≥ 2`, `every size`.
    pub(super) better_for: String,
}

/// A predicate in a file of a database.
pub(super) type Version<'a> = (&'a dyn Db, SourceFile, &'a Functor);

/// The gain, where the variant is proved to be cheaper for all sizes above some size, and nothing is unknown of it.
pub(super) fn gain(before: Version<'_>, after: Version<'_>, never_dearer: bool) -> Option<Gain> {
    let (old, new) = (first_pattern(before)?, first_pattern(after)?);
    if old.pattern != new.pattern || has_unknown(&new) {
        return None;
    }
    // Of built-ins that the variant calls steps say nothing.
    let is_all = work(after).is_some_and(|work| work.is_zero());
    if let Some(better_for) = cheaper_for(&old, &new).filter(|_| is_all) {
        let cost = [&old, &new].map(|r| headline::display(r, &names(&r.sizes)));
        let [was, is] = cost;
        return Some(Gain {
            cost: (was, is),
            unit: "steps",
            better_for,
        });
    }
    with_work((before, &old), (after, &new), never_dearer)
}

/// The report of the first pattern.
fn first_pattern((db, file, functor): Version<'_>) -> Option<PatternReport> {
    reached_report(db, file, functor)?.patterns.first().cloned()
}

/// The sizes for which every run after is shorter than every run before, on the main pieces.
fn cheaper_for(before: &PatternReport, after: &PatternReport) -> Option<String> {
    let lower = finite(&before.main_piece()?.first.lower)?;
    let upper = renamed(finite(&after.main_piece()?.all.upper)?, after, before)?;
    Sizes::of(before, after)?.for_which(&(lower - &upper), &Expr::zero())
}

/// The gain on steps and the work of built-ins together.
fn with_work(
    (before, old): (Version<'_>, &PatternReport),
    (after, new): (Version<'_>, &PatternReport),
    never_dearer: bool,
) -> Option<Gain> {
    let (was, is) = (old.main_piece()?, new.main_piece()?);
    let in_the_best_case = match never_dearer {
        true => Expr::zero(),
        false => finite(&was.first.lower)? - &renamed(finite(&is.first.lower)?, new, old)?,
    };
    let (work_before, work_after) = (work(before)?, work(after)?);
    let most_before = finite(&was.all.upper)? + &work_before;
    let most_after = finite(&is.all.upper)? + &work_after;
    let gain = &most_before - &renamed(&most_after, new, old)?;
    let better_for = Sizes::of(old, new)?.for_which(&gain, &in_the_best_case)?;
    let shown =
        |e: &Expr, report: &PatternReport| format!("≤ {}", formula(e, &names(&report.sizes)));
    Some(Gain {
        cost: (shown(&most_before, old), shown(&most_after, new)),
        unit: match work_before.is_zero() && work_after.is_zero() {
            true => "steps",
            false => "steps and units of work of built-ins",
        },
        better_for,
    })
}

/// An upper bound on the work of built-ins under the first pattern. That of `=/2` is left out, as that of unifications in heads is.
fn work((db, file, functor): Version<'_>) -> Option<Expr> {
    let predicate = find(db, file, functor)?;
    let events = counted_events(db, predicate, Vocabulary::Portable);
    let work = events
        .into_iter()
        .filter(|e| matches!(e, Event::Work(name, arity) if (name.as_str(), *arity) != ("=", 2)));
    let mut sum = Expr::zero();
    for event in work {
        let resource = Resource::Event(event);
        let report = resource_report(db, predicate, &resource);
        let piece = report.patterns.first()?.main_piece()?.clone();
        let Bound::Finite(upper) = &piece.all.upper else {
            return None;
        };
        sum = &sum + upper;
    }
    Some(sum)
}

/// The sizes that two reports speak of with their main pieces, under the names of the first one.
struct Sizes<'a> {
    report: &'a PatternReport,
    region: Region,
}

impl<'a> Sizes<'a> {
    fn of(before: &'a PatternReport, after: &PatternReport) -> Option<Self> {
        let (old, new) = (&before.main_piece()?.when, &after.main_piece()?.when);
        let by = renaming(new.variables(), after, before)?;
        Some(Self {
            report: before,
            region: old.and_all(&new.substitute(&by)?),
        })
    }

    /// The sizes for which one difference is positive and the other one not negative: all above some size.
    fn for_which(&self, positive: &Expr, other: &Expr) -> Option<String> {
        let mut variables = positive.variables();
        variables.extend(other.variables());
        variables.sort_unstable();
        variables.dedup();
        let start = match variables.as_slice() {
            [v] => self.exact_start(*v, positive, other),
            _ => None,
        };
        if let ([v], Some(start)) = (variables.as_slice(), start) {
            return self.from(&[*v], start);
        }
        let one = Expr::int(1);
        let holds =
            |region: &Region| nonnegative(&(positive - &one), region) && nonnegative(other, region);
        if holds(&self.region) {
            return Some(self.words(None));
        }
        for k in 1..=LARGEST_START {
            let each = variables.iter().map(std::slice::from_ref);
            for those in each.chain([variables.as_slice()]) {
                let above = |region: Region, v: &Var| {
                    let bound = Constraint::ge(&Expr::var(*v), &Expr::int(k));
                    bound.map_or(region.clone(), |bound| region.and(bound))
                };
                let region = those.iter().fold(self.region.clone(), above);
                if holds(&region) {
                    return self.from(those, k.into());
                }
            }
        }
        None
    }

    /// The least size from which on it is so, of a single one. None where signs are not told.
    fn exact_start(&self, v: Var, positive: &Expr, other: &Expr) -> Option<BigInt> {
        let least = self.least(v);
        let start = |e: &Expr, fits: &dyn Fn(Option<Sign>) -> bool| {
            let mut start = None;
            for interval in sign_intervals(e, v, Some(least.clone()), None) {
                match fits(interval.sign) {
                    true => start = start.or(Some(interval.from.unwrap_or_default())),
                    false => start = None,
                }
            }
            start
        };
        let first = start(positive, &|sign| sign == Some(Sign::Positive))?;
        let second = match other.is_zero() {
            true => least.clone(),
            false => start(other, &|sign| {
                matches!(sign, Some(Sign::Positive | Sign::Zero))
            })?,
        };
        Some(first.max(second))
    }

    /// The least value of a size: 0 where nothing is said.
    fn least(&self, v: Var) -> BigInt {
        let (low, _) = self.region.bounds(&Expr::var(v));
        low.map_or(BigInt::ZERO, |k| k.ceil().to_integer())
            .max(BigInt::ZERO)
    }

    /// `n ≥ 2`, `n ≥ 2 and m ≥ 2`, `every size`.
    fn from(&self, those: &[Var], k: BigInt) -> Option<String> {
        if k <= BigInt::ZERO {
            return Some(self.words(None));
        }
        let name = |v: &Var| {
            let size = self.report.sizes.iter().find(|s| s.var == *v)?;
            Some(format!("{} ≥ {k}", size.name))
        };
        let names: Vec<String> = those.iter().map(name).collect::<Option<_>>()?;
        Some(self.words(Some(names.join(" and "))))
    }

    /// With the least sizes of the pieces, where they leave some out.
    fn words(&self, from: Option<String>) -> String {
        let named = |s: &SizeVariable| {
            let least = self.least(s.var);
            let floor = BigInt::from(s.metric.least().unwrap_or(0));
            let text = format!("{} ≥ {least}", s.name);
            let said = (from.as_deref()).is_some_and(|f| f.contains(&format!("{} ≥", s.name)));
            (least > floor && !said).then_some(text)
        };
        let mut all: Vec<String> = from.clone().into_iter().collect();
        all.extend(self.report.sizes.iter().filter_map(named));
        match all.is_empty() {
            true => "every size".to_owned(),
            false => all.join(" and "),
        }
    }
}

/// An expression over the sizes of one report, over those of another that measure the same arguments.
fn renamed(e: &Expr, from: &PatternReport, to: &PatternReport) -> Option<Expr> {
    e.substitute(&renaming(e.variables(), from, to)?)
}

fn renaming(
    variables: Vec<Var>,
    from: &PatternReport,
    to: &PatternReport,
) -> Option<BTreeMap<Var, Expr>> {
    let same = |v: Var| {
        let size = from.sizes.iter().find(|s| s.var == v)?;
        let same = (to.sizes.iter()).find(|s| {
            s.argument == size.argument && s.metric == size.metric && s.element == size.element
        })?;
        Some((v, Expr::var(same.var)))
    };
    variables.into_iter().map(same).collect()
}
