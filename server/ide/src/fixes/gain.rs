//! The gain of a variant: for which sizes it is proved to be cheaper, and by how much.
//!
//! Resolution steps are compared first: every run after with every run before. Where that says nothing, or the variant calls built-ins whose work grows, both
//! bounds of the variant have to be the lower ones, on steps together with the work of built-ins ([`Event::Work`]), since built-ins count no steps: a unit
//! of work counts as a step, which is more than it takes. Where that is no gain, calls of built-ins, choice points and environments are added one after the other,
//! each as a step. The lower bounds are left out where a rewrite takes no more than a step more in any run, by its construction ([`ShortRuns`]).

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
use super::proposal::ShortRuns;
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
    pub(super) unit: String,
    /// The sizes for which it is cheaper: `n ≥ 2`, `every size`.
    pub(super) better_for: String,
}

/// A predicate in a file of a database.
pub(super) type Version<'a> = (&'a dyn Db, SourceFile, &'a Functor);

/// The gain, where the variant is proved to be cheaper for all sizes above some size, and nothing is unknown of it.
pub(super) fn gain(before: Version<'_>, after: Version<'_>, short_runs: ShortRuns) -> Option<Gain> {
    let (old, new) = (first_pattern(before)?, first_pattern(after)?);
    if old.pattern != new.pattern || has_unknown(&new) {
        return None;
    }
    // Of built-ins that the variant calls steps say nothing.
    let is_all = Extra::of(after, Counted::Work).is_some_and(|work| work.upper.is_zero());
    if let Some(better_for) = cheaper_for(&old, &new).filter(|_| is_all) {
        let cost = [&old, &new].map(|r| headline::display(r, &names(&r.sizes)));
        let [was, is] = cost;
        return Some(Gain {
            cost: (was, is),
            unit: "steps".to_owned(),
            better_for,
        });
    }
    let (mut was, mut is) = (Total::of(&old)?, Total::of(&new)?);
    Counted::ALL.into_iter().find_map(|counted| {
        was.add(&Extra::of(before, counted)?, counted);
        is.add(&Extra::of(after, counted)?, counted);
        cheaper_in_total((&old, &was), (&new, &is), short_runs)
    })
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

/// The events that are counted beside steps, each as one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    /// The work of built-ins. That of `=/2` is left out, as that of unifications in heads is.
    Work,
    /// Calls of other built-ins.
    Calls,
    ChoicePoints,
    Environments,
}

impl Counted {
    const ALL: [Self; 4] = [
        Self::Work,
        Self::Calls,
        Self::ChoicePoints,
        Self::Environments,
    ];

    fn words(self) -> &'static str {
        match self {
            Self::Work => "units of work of built-ins",
            Self::Calls => "calls of built-ins",
            Self::ChoicePoints => "choice points",
            Self::Environments => "environments",
        }
    }

    fn events(self, (db, file, functor): Version<'_>) -> Option<Vec<Event>> {
        let machine = |name: &str| vec![Event::Machine(name.into(), false)];
        let portable = |is: &dyn Fn(&Event) -> bool| {
            let mut events = counted_events(db, find(db, file, functor)?, Vocabulary::Portable);
            events.retain(is);
            Some(events)
        };
        let is_inline = |name: &str, arity: usize| matches!((name, arity), ("=", 2) | ("true", 0));
        match self {
            Self::Work => portable(
                &|e| matches!(e, Event::Work(name, arity) if !is_inline(name, *arity)),
            ),
            Self::Calls => portable(&|e| match e {
                Event::Builtin(name, arity) => !is_inline(name, *arity),
                Event::Increment => true,
                _ => false,
            }),
            Self::ChoicePoints => Some(machine("choice_points")),
            Self::Environments => Some(machine("environments")),
        }
    }
}

/// An upper bound on events under the first pattern.
struct Extra {
    upper: Expr,
    /// The sizes for which it holds.
    when: Vec<Region>,
}

impl Extra {
    fn of(version: Version<'_>, counted: Counted) -> Option<Self> {
        let (db, file, functor) = version;
        let predicate = find(db, file, functor)?;
        let mut sum = Self {
            upper: Expr::zero(),
            when: Vec::new(),
        };
        for event in counted.events(version)? {
            let resource = Resource::Event(event);
            let report = resource_report(db, predicate, &resource);
            let piece = report.patterns.first()?.main_piece()?.clone();
            let Bound::Finite(upper) = &piece.all.upper else {
                return None;
            };
            sum.upper = &sum.upper + upper;
            sum.when.push(piece.when);
        }
        Some(sum)
    }
}

/// An upper bound on steps and other events together.
struct Total {
    upper: Expr,
    when: Region,
    /// The other events that there are.
    counted: Vec<Counted>,
}

impl Total {
    fn of(report: &PatternReport) -> Option<Self> {
        let piece = report.main_piece()?;
        Some(Self {
            upper: finite(&piece.all.upper)?.clone(),
            when: piece.when.clone(),
            counted: Vec::new(),
        })
    }

    fn add(&mut self, extra: &Extra, counted: Counted) {
        self.upper = &self.upper + &extra.upper;
        self.when = (extra.when.iter()).fold(self.when.clone(), |all, when| all.and_all(when));
        if !extra.upper.is_zero() {
            self.counted.push(counted);
        }
    }
}

/// The gain on steps and other events together.
fn cheaper_in_total(
    (old, was): (&PatternReport, &Total),
    (new, is): (&PatternReport, &Total),
    short_runs: ShortRuns,
) -> Option<Gain> {
    let least_before = finite(&old.main_piece()?.first.lower)?;
    let in_the_best_case = match short_runs {
        ShortRuns::NotDearer => Expr::zero(),
        ShortRuns::NotDearerFromTwo => least_before - &Expr::int(2),
        ShortRuns::Open => {
            least_before - &renamed(finite(&new.main_piece()?.first.lower)?, new, old)?
        }
    };
    let gain = &was.upper - &renamed(&is.upper, new, old)?;
    let sizes = Sizes::within((old, &was.when), (new, &is.when))?;
    let better_for = sizes.for_which(&gain, &in_the_best_case)?;
    let shown =
        |e: &Expr, report: &PatternReport| format!("≤ {}", formula(e, &names(&report.sizes)));
    let there = |c: &Counted| was.counted.contains(c) || is.counted.contains(c);
    let units: Vec<&str> = std::iter::once("steps")
        .chain(Counted::ALL.iter().filter(|c| there(c)).map(|c| c.words()))
        .collect();
    Some(Gain {
        cost: (shown(&was.upper, old), shown(&is.upper, new)),
        unit: match units.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => units.concat(),
        },
        better_for,
    })
}

/// The sizes that two reports speak of with their main pieces, under the names of the first one.
struct Sizes<'a> {
    report: &'a PatternReport,
    region: Region,
}

impl<'a> Sizes<'a> {
    fn of(before: &'a PatternReport, after: &PatternReport) -> Option<Self> {
        let (old, new) = (&before.main_piece()?.when, &after.main_piece()?.when);
        Self::within((before, old), (after, new))
    }

    /// Those of two regions.
    fn within(
        (before, old): (&'a PatternReport, &Region),
        (after, new): (&PatternReport, &Region),
    ) -> Option<Self> {
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
