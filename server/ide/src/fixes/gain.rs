//! Computes the gain of a variant: the sizes for which it is proved cheaper, and the amount.
//!
//! The cost is the sum of resolution steps, the work of built-ins ([`Event::Work`]), and built-in calls; choice points and environments
//! are added if they reveal the gain. A variant is not offered if some event of it or of the original has no bound, unless the rewrite is
//! known by construction not to increase the number of any event. A variant is cheaper
//! - if its upper bounds are below the lower bounds of the original, so that every run of the variant is shorter than every run of the
//!   original;
//! - or if the rewrite, by construction, costs no more than the original for any input ([`ShortRuns`]). The upper bounds then show the
//!   possible gain;
//! - or if its goals are cheaper than those that they replace wherever they appear ([`ShortRuns::Local`]). No cost is computed then.
//!
//! A gain is ignored if it is below one twentieth at large sizes and also below one per element.

use costlens_algebra::{Atom, Expr, Region};
use costlens_analysis::report::PatternReport;
use costlens_analysis::resources::{Resource, counted_events, resource_report};
use costlens_events::{Event, Vocabulary};
use costlens_program::{Functor, SourceFile, find};

use num_traits::Signed as _;

use super::callers::has_unknown;
use super::proposal::ShortRuns;
use super::sizes::Sizes;
use crate::db::{Db, reached_report};
use crate::present::{finite, formula, headline, names, names_in};

/// The gain of a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gain {
    /// The change in words: `n²/2+3n/2+1 → n+2 steps`, `leaves no choice point`.
    pub(super) change: String,
    /// The costs before and after; empty for a rewrite of goals, for which they are not computed.
    pub(super) cost: (String, String),
    /// The unit of the costs: `steps`.
    pub(super) unit: String,
    /// The sizes for which the variant is cheaper: `n ≥ 2`, `every size`.
    pub(super) better_for: String,
}

/// A version of a predicate: its database, file and name.
pub(super) type Version<'a> = (&'a dyn Db, SourceFile, &'a Functor);

/// Returns the gain if the variant is proved cheaper for all sizes above some size, and none of its costs is unknown.
pub(super) fn gain(before: Version<'_>, after: Version<'_>, short_runs: ShortRuns) -> Option<Gain> {
    if let Some(words) = short_runs.local() {
        return Some(Gain {
            change: words.to_owned(),
            cost: Default::default(),
            unit: String::new(),
            better_for: "every call".to_owned(),
        });
    }
    let (old, new) = (first_pattern(before)?, first_pattern(after)?);
    // An assumption about a predicate need not hold for the rewritten one.
    let rests = !old.assumes.is_empty() || !new.assumes.is_empty();
    if old.pattern != new.pattern || has_unknown(&new) || rests {
        return None;
    }
    let mut sizes = Sizes::common(&old, &new)?;
    let (mut was, mut is) = (
        Total::from_report(&old, &mut sizes)?,
        Total::from_report(&new, &mut sizes)?,
    );
    // Lower bounds on runs that, by construction, do not cost more in the variant, provided that they are long enough.
    let dominated: Vec<(Expr, Option<&str>)> = (short_runs.dominated().into_iter())
        .map(|(least, runs)| (&was.lower - &Expr::int(least), runs))
        .collect();
    let is_of_each = short_runs.is_of_each();
    let mut shown = cheaper(&was, &is, &dominated, &sizes);
    for counted in AddedEvents::NEEDED {
        let (of_old, of_new) = Extra::of_both(before, after, counted, is_of_each, &mut sizes)?;
        was.add(of_old, counted);
        is.add(of_new, counted);
        shown = shown.or_else(|| cheaper(&was, &is, &dominated, &sizes));
    }
    // Fewer counted events give a shorter text.
    if cheaper(&was, &is, &dominated, &sizes).is_some() {
        return shown;
    }
    for beside in AddedEvents::BESIDE {
        let (mut was, mut is) = (was.clone(), is.clone());
        for &counted in beside {
            let both = Extra::of_both(before, after, counted, is_of_each, &mut sizes);
            let Some((of_old, of_new)) = both else {
                break;
            };
            was.add(of_old, counted);
            is.add(of_new, counted);
            let found = cheaper(&was, &is, &dominated, &sizes);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// Returns the report for the first pattern.
fn first_pattern((db, file, functor): Version<'_>) -> Option<PatternReport> {
    reached_report(db, file, functor)?.patterns.first().cloned()
}

/// The events that are counted in addition to steps, each with weight one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AddedEvents {
    /// The work of built-ins. The work of `=/2` is excluded, as is that of head unification.
    Work,
    /// Calls of other built-ins.
    Calls,
    ChoicePoints,
    Environments,
    /// The arguments of the clause heads that are entered.
    Arguments,
}

impl AddedEvents {
    const ALL: [Self; 5] = [
        Self::Work,
        Self::Calls,
        Self::ChoicePoints,
        Self::Environments,
        Self::Arguments,
    ];
    /// Events that must have bounds.
    const NEEDED: [Self; 2] = [Self::Work, Self::Calls];
    /// Groups of events that are added if they reveal a gain, tried in this order.
    const BESIDE: [&'static [Self]; 2] = [
        &[Self::ChoicePoints, Self::Environments],
        &[Self::Arguments],
    ];

    fn words(self) -> &'static str {
        match self {
            Self::Work => "units of built-in work",
            Self::Calls => "built-in calls",
            Self::ChoicePoints => "choice points",
            Self::Environments => "environments",
            Self::Arguments => "head arguments",
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
            Self::Work => {
                portable(&|e| matches!(e, Event::Work(name, arity) if !is_inline(name, *arity)))
            }
            Self::Calls => portable(&|e| match e {
                Event::Builtin(name, arity) => !is_inline(name, *arity),
                Event::Increment => true,
                _ => false,
            }),
            Self::ChoicePoints => Some(machine("choice_points")),
            Self::Environments => Some(machine("environments")),
            Self::Arguments => Some(vec![Event::Nargs]),
        }
    }
}

/// Bounds on events under the first pattern, and the sizes for which the bounds hold.
struct Extra {
    lower: Expr,
    upper: Expr,
    when: Region,
}

impl Extra {
    /// Returns the bounds for the original and its variant. Returns `None` if an event has no bound. If, by construction, no event occurs
    /// more often in the variant, unbounded events are no obstacle: an event without a bound in the original is ignored in both, and an
    /// event without a bound only in the variant has the bound of the original.
    fn of_both(
        before: Version<'_>,
        after: Version<'_>,
        counted: AddedEvents,
        is_of_each: bool,
        sizes: &mut Sizes,
    ) -> Option<(Self, Self)> {
        let (mut old, mut new) = (Self::none(), Self::none());
        let (mut there, mut apart) = (Vec::new(), Vec::new());
        for event in counted.events(before)? {
            match old.with_counted(before, &event, sizes) {
                Some(sum) => {
                    old = sum;
                    there.push(event);
                }
                None if is_of_each => apart.push(event),
                None => return None,
            }
        }
        for event in counted.events(after)? {
            if apart.contains(&event) {
                continue;
            }
            new = match new.with_counted(after, &event, sizes) {
                Some(sum) => sum,
                None if is_of_each && there.contains(&event) => {
                    new.with_counted(before, &event, sizes)?
                }
                None => return None,
            };
        }
        Some((old, new))
    }

    fn none() -> Self {
        Self {
            lower: Expr::zero(),
            upper: Expr::zero(),
            when: Region::default(),
        }
    }

    /// Returns the bounds with one more event. Returns `None` if the event has no bound.
    fn with_counted(
        &self,
        (db, file, functor): Version<'_>,
        event: &Event,
        sizes: &mut Sizes,
    ) -> Option<Self> {
        let resource = Resource::Event(event.clone());
        let report = resource_report(db, find(db, file, functor)?, &resource);
        let report = report.patterns.first()?;
        let piece = report.main_piece()?;
        let upper = finite(&piece.all.upper)?;
        let lower = match finite(&piece.first.lower) {
            Some(lower) => sizes.renamed(lower, report)?,
            None => Expr::zero(),
        };
        let is_there = !upper.is_zero();
        Some(Self {
            lower: &self.lower + &lower,
            upper: &self.upper + &sizes.renamed(upper, report)?,
            when: match is_there {
                true => self.when.and_all(&sizes.region_of(&piece.when, report)?),
                false => self.when.clone(),
            },
        })
    }
}

/// Bounds on the sum of steps and other events.
#[derive(Clone)]
struct Total {
    lower: Expr,
    upper: Expr,
    /// The sizes for which the bounds hold.
    when: Region,
    /// The other events that occur.
    counted: Vec<AddedEvents>,
    /// The steps alone, in the format of hints.
    steps: String,
}

impl Total {
    fn from_report(report: &PatternReport, sizes: &mut Sizes) -> Option<Self> {
        let piece = report.main_piece()?;
        Some(Self {
            lower: sizes.renamed(finite(&piece.first.lower)?, report)?,
            upper: sizes.renamed(finite(&piece.all.upper)?, report)?,
            when: Region::default(),
            counted: Vec::new(),
            // The sizes are omitted, because the title states the sizes for which the variant is cheaper.
            steps: headline::bounds_alone(report, &names_in(report)),
        })
    }

    fn add(&mut self, extra: Extra, counted: AddedEvents) {
        self.lower = &self.lower + &extra.lower;
        self.upper = &self.upper + &extra.upper;
        self.when = self.when.and_all(&extra.when);
        if !extra.upper.is_zero() {
            self.counted.push(counted);
        }
    }
}

/// Returns the gain in steps and other events together. The upper bound of the variant must be below the lower bound of the original. If
/// the variant costs no more for any input, it suffices that it is below the upper bound of the original.
fn cheaper(
    was: &Total,
    is: &Total,
    dominated: &[(Expr, Option<&str>)],
    sizes: &Sizes,
) -> Option<Gain> {
    let within = sizes.restricted(&was.when.and_all(&is.when));
    if within.is_empty() {
        return None;
    }
    let below = |most: &Expr, is: &Expr, other: &Expr| {
        let less = most - is;
        let better_for = within.for_which(&less, other)?;
        is_worth(most, &less, &within).then_some(better_for)
    };
    let plain = without_logarithms(&is.upper);
    let below = |most: &Expr, other: &Expr| {
        below(most, &is.upper, other).or_else(|| below(most, &plain, other))
    };
    let no_dearer = || {
        dominated.iter().find_map(|(long_enough, runs)| {
            let sizes = below(&was.upper, long_enough)?;
            Some(match runs {
                None => sizes,
                Some(runs) => format!("{sizes}, {runs}"),
            })
        })
    };
    let better_for = below(&was.lower, &Expr::zero()).or_else(no_dearer)?;
    let there = |c: &AddedEvents| was.counted.contains(c) || is.counted.contains(c);
    let units: Vec<&str> = std::iter::once("steps")
        .chain(
            AddedEvents::ALL
                .iter()
                .filter(|c| there(c))
                .map(|c| c.words()),
        )
        .collect();
    let unit = match units.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => units.concat(),
    };
    let bound = |of: &Total| format!("≤ {}", formula(&of.upper, &names(&within.all)));
    let cost = match units.len() {
        // Different functions may have the same growth class.
        1 if was.steps != is.steps => (was.steps.clone(), is.steps.clone()),
        _ => (bound(was), bound(is)),
    };
    if cost.0 == cost.1 {
        return None;
    }
    Some(Gain {
        change: format!("{} → {} {unit}", cost.0, cost.1),
        cost,
        unit,
        better_for,
    })
}

/// Returns true for a gain of at least one twentieth at large sizes, or at least one per element.
fn is_worth(was: &Expr, less: &Expr, sizes: &Sizes) -> bool {
    const SHARE: i64 = 20;
    /// The number of elements at either end that may save less.
    const FEW: i64 = 4;
    let is_share = || {
        let apart = &(&(less * &Expr::int(SHARE)) - was) + &Expr::int(1);
        sizes.for_which(&apart, &Expr::zero()).is_some()
    };
    let of_each = || {
        less.variables().into_iter().any(|v| {
            let apart = &(less - &Expr::var(v)) + &Expr::int(FEW);
            sizes.for_which(&apart, &Expr::zero()).is_some()
        })
    };
    is_share() || of_each()
}

/// Returns an expression that is nowhere smaller and contains no logarithms. These are replaced by linear functions, because proofs about
/// factorials cannot handle them.
fn without_logarithms(e: &Expr) -> Expr {
    let mut sum = Expr::zero();
    for (monomial, coefficient) in e.terms() {
        let mut atoms = monomial.atoms.iter();
        let of = atoms.find_map(|(atom, power)| match atom {
            Atom::Log { of, .. } if *power == 1 && coefficient.is_positive() => Some((atom, of)),
            _ => None,
        });
        let mut rest = monomial.clone();
        let factor = match of {
            Some((atom, of)) => {
                rest.atoms.remove(atom);
                of.clone()
            }
            None => Expr::int(1),
        };
        sum = &sum + &(&Expr::monomial(rest, coefficient.clone()) * &factor);
    }
    sum
}
