//! The gain of a variant: for which sizes it is proved to be cheaper, and by how much.
//!
//! Resolution steps are compared first: every run after with every run before. Where that says nothing, or the variant calls built-ins whose work grows, both
//! bounds of the variant have to be the lower ones, on steps together with the work of built-ins ([`Event::Work`]), since built-ins count no steps: a unit
//! of work counts as a step, which is more than it takes. Where that is no gain, calls of built-ins, choice points and environments are added one after the other,
//! each as a step. The lower bounds are left out where a rewrite takes no more than a step more in any run, by its construction ([`ShortRuns`]).
//! Events that only the original has, and that have no bound there, are left out, and named.

use costlens_algebra::{Atom, Expr, Region};
use costlens_analysis::report::{Bound, PatternReport};
use costlens_analysis::resources::{Resource, counted_events, resource_report};
use costlens_events::{Event, Vocabulary};
use costlens_program::{Functor, SourceFile, find};

use num_traits::Signed as _;

use super::callers::has_unknown;
use super::proposal::ShortRuns;
use super::sizes::Sizes;
use crate::db::{Db, reached_report};
use crate::present::{finite, formula, headline, names};

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
    let mut sizes = Sizes::of(&old, &new)?;
    // Of built-ins that the variant calls steps say nothing.
    let is_all =
        Extra::of(after, Counted::Work, &mut sizes).is_some_and(|work| work.upper.is_zero());
    if let Some(better_for) = cheaper_for(&old, &new, &mut sizes).filter(|_| is_all) {
        let cost = [&old, &new].map(|r| headline::display(r, &names(&r.sizes)));
        let [was, is] = cost;
        return Some(Gain {
            cost: (was, is),
            unit: "steps".to_owned(),
            better_for,
        });
    }
    let least = finite(&old.main_piece()?.first.lower)?.clone();
    let in_the_best_case = match short_runs {
        ShortRuns::NotDearer => Expr::zero(),
        ShortRuns::NotDearerFromTwo => &least - &Expr::int(2),
        ShortRuns::Open => {
            &least - &sizes.renamed(finite(&new.main_piece()?.first.lower)?, &new)?
        }
    };
    let (mut was, mut is) = (Total::of(&old, &mut sizes)?, Total::of(&new, &mut sizes)?);
    // Where one of them has no bound, nothing is told of what comes with it.
    let mut apart = Vec::new();
    for counted in Counted::ALL {
        let gone = given_up(before, after, counted)?;
        was.add(Extra::without(before, counted, &gone, &mut sizes)?, counted);
        is.add(Extra::without(after, counted, &gone, &mut sizes)?, counted);
        apart.extend(gone);
        let found = cheaper_in_total((&was, &is), &apart, &in_the_best_case, &sizes);
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The report of the first pattern.
fn first_pattern((db, file, functor): Version<'_>) -> Option<PatternReport> {
    reached_report(db, file, functor)?.patterns.first().cloned()
}

/// The sizes for which every run after is shorter than every run before, on the main pieces.
fn cheaper_for(before: &PatternReport, after: &PatternReport, sizes: &mut Sizes) -> Option<String> {
    let lower = finite(&before.main_piece()?.first.lower)?;
    let upper = sizes.renamed(finite(&after.main_piece()?.all.upper)?, after)?;
    sizes.for_which(&(lower - &upper), &Expr::zero())
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
        }
    }
}

/// An upper bound on events under the first pattern, and the sizes for which it holds.
struct Extra {
    upper: Expr,
    when: Region,
}

impl Extra {
    fn of(version: Version<'_>, counted: Counted, sizes: &mut Sizes) -> Option<Self> {
        Self::without(version, counted, &[], sizes)
    }

    /// The same but for some events.
    fn without(
        version: Version<'_>,
        counted: Counted,
        apart: &[Event],
        sizes: &mut Sizes,
    ) -> Option<Self> {
        let (db, file, functor) = version;
        let predicate = find(db, file, functor)?;
        let mut sum = Self {
            upper: Expr::zero(),
            when: Region::default(),
        };
        let events = counted.events(version)?.into_iter();
        for event in events.filter(|event| !apart.contains(event)) {
            let resource = Resource::Event(event);
            let report = resource_report(db, predicate, &resource);
            let report = report.patterns.first()?;
            let piece = report.main_piece()?;
            let Bound::Finite(upper) = &piece.all.upper else {
                return None;
            };
            sum.upper = &sum.upper + &sizes.renamed(upper, report)?;
            sum.when = sum.when.and_all(&sizes.region_of(&piece.when, report)?);
        }
        Some(sum)
    }
}

/// The events of which there are none any more, and no bound is known before: whatever they come to, the variant has less of them.
fn given_up(before: Version<'_>, after: Version<'_>, counted: Counted) -> Option<Vec<Event>> {
    let upper = |(db, file, functor): Version<'_>, event: &Event| {
        let resource = Resource::Event(event.clone());
        let report = resource_report(db, find(db, file, functor)?, &resource);
        let piece = report.patterns.first()?.main_piece()?;
        Some(piece.all.upper.clone())
    };
    let is_given_up = |event: &Event| {
        let open = upper(before, event).is_some_and(|upper| !matches!(upper, Bound::Finite(_)));
        open && upper(after, event) == Some(Bound::Finite(Expr::zero()))
    };
    let mut events = counted.events(before)?;
    events.retain(is_given_up);
    Some(events)
}

/// An upper bound on steps and other events together.
struct Total {
    upper: Expr,
    /// The sizes for which it holds.
    when: Region,
    /// The other events that there are.
    counted: Vec<Counted>,
}

impl Total {
    fn of(report: &PatternReport, sizes: &mut Sizes) -> Option<Self> {
        let piece = report.main_piece()?;
        Some(Self {
            upper: sizes.renamed(finite(&piece.all.upper)?, report)?,
            when: Region::default(),
            counted: Vec::new(),
        })
    }

    fn add(&mut self, extra: Extra, counted: Counted) {
        self.upper = &self.upper + &extra.upper;
        self.when = self.when.and_all(&extra.when);
        if !extra.upper.is_zero() {
            self.counted.push(counted);
        }
    }
}

/// The gain on steps and other events together.
fn cheaper_in_total(
    (was, is): (&Total, &Total),
    apart: &[Event],
    in_the_best_case: &Expr,
    sizes: &Sizes,
) -> Option<Gain> {
    let within = sizes.within(&was.when.and_all(&is.when));
    let less = |upper: &Expr| within.for_which(&(&was.upper - upper), in_the_best_case);
    let better_for = less(&is.upper).or_else(|| less(&without_logarithms(&is.upper)))?;
    let shown = |e: &Expr| format!("≤ {}", formula(e, &names(&within.all)));
    let there = |c: &Counted| was.counted.contains(c) || is.counted.contains(c);
    let units: Vec<&str> = std::iter::once("steps")
        .chain(Counted::ALL.iter().filter(|c| there(c)).map(|c| c.words()))
        .collect();
    let mut unit = match units.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => units.concat(),
    };
    let named = |event: &Event| match event {
        Event::Work(name, arity) => format!("`{name}/{arity}`"),
        event => format!("`{event}`"),
    };
    let apart: Vec<String> = apart.iter().map(named).collect();
    if !apart.is_empty() {
        unit.push_str(&format!(", those of {} apart", apart.join(", ")));
    }
    Some(Gain {
        cost: (shown(&was.upper), shown(&is.upper)),
        unit,
        better_for,
    })
}

/// An expression that is nowhere less, with linear functions in place of logarithms: proofs about factorials know none.
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
