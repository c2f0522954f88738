//! Compares a lockfile line with the current bounds under its pattern, region by region.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::compare::{self, Approx, JudgedInterval};
use costlens_algebra::growth::{growth, growth_within};
use costlens_algebra::parse::parse;
use costlens_algebra::prove;
use costlens_algebra::text::Names;
use costlens_algebra::{Constraint, Expr, Rat, Region, Var};
use costlens_analysis::report::{Bound, SizeVariable};
use num_traits::One as _;

use super::super::lock::{LockRow, PatternBounds, RegionRow};
use super::tried::{self, Sizes};
use super::{AffectedPart, ChangeKind, Cost, cost, cost_before, cost_now};
use crate::present::formula;
use crate::present::headline::plain;
use crate::present::regions::region_text;

/// A difference between a lockfile line and the current bounds.
#[derive(Clone)]
pub(super) struct Difference {
    pub(super) kind: ChangeKind,
    pub(super) part: AffectedPart,
    pub(super) before: Option<Cost>,
    pub(super) after: Option<Cost>,
    pub(super) when: Option<String>,
    pub(super) remark: Option<String>,
}

/// Returns the differences between a lockfile line and the current bounds: at most one in cost, and one in exceptions.
pub(super) fn differences(row: &LockRow, now: &PatternBounds, tolerance: &Rat) -> Vec<Difference> {
    let raises =
        row.is_exception_possible == Some(false) && now.row.is_exception_possible == Some(true);
    let exception = raises.then(|| Difference {
        kind: ChangeKind::Exception,
        part: AffectedPart::All,
        before: Some(cost_before(row)),
        after: Some(cost_now(now)),
        when: None,
        remark: None,
    });
    let costs = of_costs(row, now, tolerance).map(|found| match row.is_exception_possible {
        Some(true) if found.kind == ChangeKind::Cheaper => told_of_exceptions(found),
        _ => found,
    });
    costs.into_iter().chain(exception).collect()
}

/// Adds a remark to a difference: calls that raised an exception may have cost less before, since no lower bound on them was recorded.
fn told_of_exceptions(found: Difference) -> Difference {
    const MAY_BE_LESS: &str = "calls that raised an exception may have taken less before";
    let remark = match found.remark {
        Some(remark) => format!("{remark}; {MAY_BE_LESS}"),
        None => MAY_BE_LESS.to_owned(),
    };
    Difference {
        remark: Some(remark),
        ..found
    }
}

fn of_costs(row: &LockRow, now: &PatternBounds, tolerance: &Rat) -> Option<Difference> {
    let is_same = row.lower == now.row.lower && row.upper == now.row.upper;
    let is_same_in_regions = row.regions.is_empty() || row.regions == now.row.regions;
    if is_same && is_same_in_regions && row.sizes == now.row.sizes {
        return None;
    }
    let Some(old) = Old::read(row, now) else {
        return Some(Difference {
            kind: ChangeKind::Incomparable,
            part: AffectedPart::All,
            before: Some(cost_before(row)),
            after: Some(cost_now(now)),
            when: None,
            remark: None,
        });
    };
    let headline = of_headlines(&old, now, tolerance);
    if old.regions.is_empty() {
        return headline;
    }
    let all = of_regions(&old, now, AffectedPart::All, tolerance);
    match (all, headline) {
        // The headline describes this difference more briefly.
        (Some(found), Some(headline)) if found.kind == headline.kind => Some(Difference {
            remark: headline.remark.or(found.remark),
            ..headline
        }),
        (Some(found), _) if found.kind.is_dearer() => Some(found),
        (found, headline) => {
            let first = of_regions(&old, now, AffectedPart::First, tolerance);
            let first = first.filter(|first| first.kind.is_dearer());
            let open = |found: &&Difference| found.kind.is_regression();
            let open = found.as_ref().filter(open).cloned();
            let headline = headline.filter(|headline| !headline.kind.is_dearer());
            first.or(open).or(headline).or(found)
        }
    }
}

/// Compares the bounds of the headlines, in the region in which sizes grow.
fn of_headlines(old: &Old, now: &PatternBounds, tolerance: &Rat) -> Option<Difference> {
    let main = now.regions.get(now.main);
    let (mut lower, mut upper) = (&now.lower, &now.upper);
    // Version 1 recorded only this region.
    if let Some(main) = main
        && old.regions.is_empty()
        && !matches!(upper, Bound::Finite(_))
    {
        (lower, upper) = (&main.lower, &main.all);
    }
    let domain = match main {
        Some(main) => old.domain.and_all(&main.when),
        None => old.domain.clone(),
    };
    if !old.states_all(&domain) {
        return None;
    }
    let on = RegionComparison {
        domain: &domain,
        old,
        tolerance,
    };
    let found = on.bounds((&old.lower, &old.upper), (lower, upper))?;
    let names = old.names();
    Some(Difference {
        kind: found.kind,
        part: AffectedPart::All,
        before: Some(cost(&old.lower, &old.upper, &names)),
        after: Some(cost(lower, upper, &names)),
        when: found.when,
        remark: found.remark,
    })
}

/// Returns the most significant difference among the regions of both versions, in this order: a lost bound or faster growth, a higher cost
/// for unboundedly many sizes, a higher cost for some sizes and a lower cost for none, a lower cost.
fn of_regions(
    old: &Old,
    now: &PatternBounds,
    part: AffectedPart,
    tolerance: &Rat,
) -> Option<Difference> {
    let mut all: Vec<(RegionDifference, Difference)> = Vec::new();
    for before in &old.regions {
        for (number, after) in now.regions.iter().enumerate() {
            let domain = old.domain.and_all(&before.when).and_all(&after.when);
            if domain.is_empty() {
                continue;
            }
            let on = RegionComparison {
                domain: &domain,
                old,
                tolerance,
            };
            let upper_now = match part {
                AffectedPart::All => &after.all,
                AffectedPart::First => &after.first,
            };
            let upper_before = before.upper(part);
            let Some(found) = on.bounds((&before.lower, upper_before), (&after.lower, upper_now))
            else {
                continue;
            };
            let names = old.names();
            let others: Vec<Region> = Vec::new();
            let region = plain(&domain, &others, &now.sizes);
            let is_part = !region.constraints().is_empty();
            let when = found.when.clone();
            let when = when.or_else(|| is_part.then(|| region_text(&region, &names)));
            let difference = Difference {
                kind: found.kind,
                part,
                before: Some(cost(&before.lower, upper_before, &names)),
                after: Some(cost(&after.lower, upper_now, &names)),
                when,
                remark: found.remark.clone(),
            };
            let found = RegionDifference {
                is_main: number == now.main,
                ..found
            };
            all.push((found, difference));
        }
    }
    let is_less = |found: &RegionDifference| found.kind == ChangeKind::Cheaper && found.is_endless;
    let is_less_in_the_end = all.iter().any(|(found, _)| is_less(found));
    let (all, few): (Vec<_>, Vec<_>) = (all.into_iter()).partition(|(found, _)| {
        found.kind != ChangeKind::Dearer || found.is_endless || !is_less_in_the_end
    });
    let rank = |found: &RegionDifference| (found.kind, !found.is_endless, !found.is_main);
    let best = all.into_iter().min_by_key(|(found, _)| rank(found));
    let more: Vec<String> = few.into_iter().filter_map(|(_, few)| few.when).collect();
    best.map(|(found, difference)| Difference {
        remark: match (difference.remark, more.as_slice()) {
            (None, [_, ..]) if found.kind == ChangeKind::Cheaper => {
                Some(costs_more(&more.join(" or ")))
            }
            (remark, _) => remark,
        },
        ..difference
    })
}

/// Describes the sizes for which a predicate that is cheaper overall costs more.
fn costs_more(when: &str) -> String {
    format!("it costs more for {when}")
}

/// A lockfile line, expressed in the current size variables.
struct Old {
    lower: Bound,
    upper: Bound,
    regions: Vec<OldRegion>,
    /// The sizes to compare.
    domain: Region,
    /// The name of each variable.
    variables: BTreeMap<Var, String>,
}

/// A region of a lockfile line.
struct OldRegion {
    when: Region,
    lower: Bound,
    first: Bound,
    all: Bound,
}

/// Constructs a constraint from two expressions.
type Relate = fn(&Expr, &Expr) -> Option<Constraint>;

impl OldRegion {
    fn read(row: &RegionRow, variable: &dyn Fn(&str) -> Option<Var>) -> Option<Self> {
        let mut when = Region::everything();
        for constraint in &row.when {
            let (left, relation): (&str, Relate) = match constraint.strip_suffix(">=0") {
                Some(left) => (left, Constraint::ge),
                None => (constraint.strip_suffix("=0")?, Constraint::eq),
            };
            let left = parse(left, &mut |name| variable(name)).ok()?;
            when = when.and(relation(&left, &Expr::zero())?);
        }
        Some(Self {
            when,
            lower: bound(&row.lower, variable)?,
            first: bound(&row.first, variable)?,
            all: bound(&row.all, variable)?,
        })
    }

    fn upper(&self, part: AffectedPart) -> &Bound {
        match part {
            AffectedPart::All => &self.all,
            AffectedPart::First => &self.first,
        }
    }
}

fn bound(text: &Option<String>, variable: &dyn Fn(&str) -> Option<Var>) -> Option<Bound> {
    match text.as_deref() {
        None => Some(Bound::Unknown),
        Some("inf") => Some(Bound::Infinite),
        Some(text) => {
            let read = parse(text, &mut |name| variable(name));
            read.ok().map(Bound::Finite)
        }
    }
}

impl Old {
    /// Parses a lockfile line. Returns `None` if the size metric of an argument has changed, or if a bound is not an expression.
    fn read(row: &LockRow, now: &PatternBounds) -> Option<Self> {
        let current: BTreeMap<&str, Var> = (now.row.sizes.iter().zip(&now.sizes))
            .map(|((_, meaning), size)| (meaning.as_str(), size.var))
            .collect();
        let argument = |meaning: &str| meaning.split_once('(').map(|(_, rest)| rest.to_owned());
        let measured: BTreeSet<String> = current.keys().filter_map(|m| argument(m)).collect();
        let next = now.sizes.iter().map(|size| size.var.0 + 1).max();
        let mut next = next.unwrap_or(0);
        let mut domain = Region::everything();
        let mut variables: BTreeMap<Var, String> = (now.sizes.iter())
            .map(|size| (size.var, size.name.clone()))
            .collect();
        let mut by_name: BTreeMap<&str, Var> = BTreeMap::new();
        let mut twice: BTreeSet<&str> = BTreeSet::new();
        for (name, meaning) in &row.sizes {
            let variable = match current.get(meaning.as_str()) {
                Some(&variable) => variable,
                None if measured.contains(&argument(meaning)?) => return None,
                // The current bounds do not depend on this size.
                None => {
                    let variable = Var(next);
                    next += 1;
                    domain = domain.and(Constraint::ge(&Expr::var(variable), &Expr::zero())?);
                    let is_name = |size: &SizeVariable| size.name == *name;
                    if now.sizes.iter().any(is_name) {
                        twice.insert(name);
                        variables.insert(variable, of_argument(meaning));
                    } else {
                        variables.insert(variable, name.clone());
                    }
                    variable
                }
            };
            by_name.insert(name, variable);
        }
        // `n` was the length of argument 1, and is now the length of argument 2.
        for ((_, meaning), size) in now.row.sizes.iter().zip(&now.sizes) {
            if twice.contains(size.name.as_str()) {
                variables.insert(size.var, of_argument(meaning));
            }
        }
        let variable = |name: &str| by_name.get(name).copied();
        let regions = row.regions.iter().map(|r| OldRegion::read(r, &variable));
        Some(Self {
            lower: bound(&row.lower, &variable)?,
            upper: bound(&row.upper, &variable)?,
            regions: regions.collect::<Option<_>>()?,
            domain,
            variables,
        })
    }

    fn names(&self) -> Names<'_> {
        Names::new(|v| self.variables.get(&v).cloned().unwrap_or_default())
    }

    /// Returns true if the line's own bounds equal those of each of its regions that overlaps a domain.
    fn states_all(&self, domain: &Region) -> bool {
        let mut within = (self.regions.iter()).filter(|r| !domain.and_all(&r.when).is_empty());
        let is_by_lower = self.upper == Bound::Unknown;
        within
            .all(|region| region.all == self.upper && (!is_by_lower || region.lower == self.lower))
    }
}

/// A difference in one region.
#[derive(Clone)]
struct RegionDifference {
    kind: ChangeKind,
    /// The sizes concerned. `None` for the whole region.
    when: Option<String>,
    /// The sizes for which a predicate that became cheaper costs more.
    remark: Option<String>,
    /// True if the sizes concerned are unbounded.
    is_endless: bool,
    /// True for the region in which sizes grow.
    is_main: bool,
}

impl RegionDifference {
    fn everywhere(kind: ChangeKind) -> Self {
        Self {
            kind,
            when: None,
            remark: None,
            is_endless: true,
            is_main: false,
        }
    }
}

/// A comparison of bounds in one region.
struct RegionComparison<'a> {
    domain: &'a Region,
    old: &'a Old,
    tolerance: &'a Rat,
}

impl RegionComparison<'_> {
    /// Compares the lower and upper bounds before and now. Returns `None` if they are equal or cannot be compared.
    fn bounds(&self, before: (&Bound, &Bound), now: (&Bound, &Bound)) -> Option<RegionDifference> {
        match (before.1, now.1) {
            (Bound::Finite(a), Bound::Finite(b)) => self.compared(a, b),
            (Bound::Finite(_), Bound::Unknown) => {
                Some(RegionDifference::everywhere(ChangeKind::BoundLost))
            }
            (Bound::Finite(_) | Bound::Unknown, Bound::Infinite) => {
                Some(RegionDifference::everywhere(ChangeKind::Class))
            }
            (Bound::Unknown | Bound::Infinite, Bound::Finite(_)) => {
                Some(RegionDifference::everywhere(ChangeKind::BoundFound))
            }
            // Only the lower bounds can be compared.
            (Bound::Unknown, Bound::Unknown) => match (before.0, now.0) {
                (Bound::Finite(a), Bound::Finite(b)) if self.grows_faster(a, b) => {
                    Some(RegionDifference::everywhere(ChangeKind::Class))
                }
                _ => None,
            },
            (Bound::Infinite, Bound::Infinite | Bound::Unknown) => None,
        }
    }

    /// Compares two upper bounds. Returns `None` if the current bound never exceeds the other by more than the tolerance and is never below
    /// it.
    fn compared(&self, before: &Expr, now: &Expr) -> Option<RegionDifference> {
        if before == now {
            return None;
        }
        if self.grows_faster(before, now) {
            return Some(RegionDifference::everywhere(ChangeKind::Class));
        }
        let allowed = before.scale(&(Rat::one() + self.tolerance));
        let more = self.exceeded(now, &allowed);
        if self.grows_faster(now, before) {
            let few = more.and_then(|more| more.when);
            return Some(RegionDifference {
                remark: few.map(|when| costs_more(&when)),
                ..RegionDifference::everywhere(ChangeKind::Cheaper)
            });
        }
        let less = self.exceeded(before, now);
        let is_less_in_the_end = less.as_ref().is_some_and(|less| less.is_endless);
        if let Some(more) = &more
            && (more.is_endless || !is_less_in_the_end)
        {
            return Some(self.difference(more, ChangeKind::Dearer, before, now));
        }
        let ever_dearer = self.exceeded(now, before);
        let Some(less) = less else {
            let is_known = ever_dearer.is_some() || self.is_within(now, &allowed);
            return (!is_known).then(|| self.incomparable(before, now));
        };
        if ever_dearer.is_some_and(|more| more.is_endless) {
            return None;
        }
        let found = self.difference(&less, ChangeKind::Cheaper, before, now);
        let few = more.and_then(|more| more.when);
        Some(RegionDifference {
            remark: few.map(|when| costs_more(&when)).or(found.remark),
            ..found
        })
    }

    /// Returns true if a function is proved never to exceed another.
    fn is_within(&self, function: &Expr, allowed: &Expr) -> bool {
        self.judged(Approx::Ub, function, allowed).overall == compare::Verdict::Checked
            || prove::nonnegative(&(allowed - function), self.domain)
    }

    /// Returns the difference between two functions that are not proved comparable and have the same values at all tried sizes.
    fn incomparable(&self, before: &Expr, now: &Expr) -> RegionDifference {
        let names = self.old.names();
        let (before, now) = (formula(before, &names), formula(now, &names));
        RegionDifference {
            remark: Some(format!(
                "{before} steps before, {now} now, and which is more is not known"
            )),
            ..RegionDifference::everywhere(ChangeKind::Incomparable)
        }
    }

    /// Describes a difference between two functions at some sizes.
    fn difference(
        &self,
        at: &Exceeded,
        kind: ChangeKind,
        before: &Expr,
        now: &Expr,
    ) -> RegionDifference {
        let values = at.tried.as_ref().and_then(|at| {
            let value = |e: &Expr| tried::value(e, at).map(Expr::constant);
            Some((value(before)?, value(now)?))
        });
        let names = self.old.names();
        let text = |e: &Expr| formula(e, &names);
        RegionDifference {
            kind,
            when: at.when.clone(),
            remark: values.map(|(a, b)| format!("{} steps before, {} now", text(&a), text(&b))),
            is_endless: at.is_endless,
            is_main: false,
        }
    }

    /// Returns true if `now` grows faster than `before` as sizes grow within the region.
    fn grows_faster(&self, before: &Expr, now: &Expr) -> bool {
        let (a, b) = (
            growth_within(before, self.domain),
            growth_within(now, self.domain),
        );
        if b.is_in(&a) || growth(now).is_in(&growth(before)) {
            return false;
        }
        let grows = |v: &Var| {
            let (least, most) = self.domain.bounds(&Expr::var(*v));
            least.is_none() || most.is_none()
        };
        let sizes: BTreeSet<Var> = (before.variables().into_iter())
            .chain(now.variables())
            .collect();
        if !sizes.iter().any(grows) {
            return false;
        }
        let judged = self.judged(Approx::O, now, before).overall;
        match judged {
            compare::Verdict::Checked => false,
            compare::Verdict::False => true,
            compare::Verdict::Check => sizes.iter().all(grows),
        }
    }

    fn judged(&self, approx: Approx, function: &Expr, asserted: &Expr) -> compare::Judged {
        let piece = compare::Piece {
            region: self.domain.clone(),
            lower: compare::Bound::Finite(function.clone()),
            upper: compare::Bound::Finite(function.clone()),
        };
        compare::judge(approx, asserted, &[piece], self.domain)
    }

    /// Returns the sizes at which a function exceeds another. Returns `None` if there are none.
    fn exceeded(&self, function: &Expr, allowed: &Expr) -> Option<Exceeded> {
        let judged = self.judged(Approx::Ub, function, allowed);
        match judged.overall {
            compare::Verdict::Checked => return None,
            compare::Verdict::Check => return self.tried(function, allowed),
            compare::Verdict::False => {}
        }
        let is_false = |i: &&JudgedInterval| i.verdict == compare::Verdict::False;
        let parts: Vec<_> = judged.intervals.iter().filter(is_false).collect();
        let name = judged.variable.and_then(|v| self.old.variables.get(&v));
        let when = name
            .filter(|_| parts.len() < judged.intervals.len())
            .map(|name| {
                let texts: Vec<String> = parts.iter().map(|i| interval(name, i)).collect();
                let sizes = texts.join(" or ");
                let is_open = |i: &JudgedInterval| i.verdict == compare::Verdict::Check;
                // Nothing is proved for the sizes in between.
                match !sizes.is_empty() && judged.intervals.iter().any(is_open) {
                    true => format!("{sizes} at least"),
                    false => sizes,
                }
            });
        let is_open = |i: &&JudgedInterval| i.from.is_none() || i.to.is_none();
        Some(Exceeded {
            when: when.filter(|text| !text.is_empty()),
            is_endless: match judged.intervals.is_empty() {
                // With several sizes, nothing more precise is known.
                true => self.is_endless(),
                false => {
                    let has_undecided =
                        (judged.intervals.iter()).any(|i| i.verdict == compare::Verdict::Check);
                    let goes_on = || {
                        let tried = self.tried(function, allowed);
                        tried.is_some_and(|tried| tried.is_endless)
                    };
                    parts.iter().any(is_open) || has_undecided && goes_on()
                }
            },
            tried: None,
        })
    }

    /// Returns the sizes at which a function exceeds another, by evaluating both at sample sizes. Used if the formulas are not decisive.
    fn tried(&self, function: &Expr, allowed: &Expr) -> Option<Exceeded> {
        if prove::nonnegative(&(allowed - function), self.domain) {
            return None;
        }
        let greater = tried::greater(function, allowed, self.domain)?;
        let is_named = |v: &Var| self.old.variables.get(v);
        let sizes = greater.at.iter();
        let sizes: Vec<String> = sizes
            .filter_map(|(v, value)| Some(format!("{} = {value}", is_named(v)?)))
            .collect();
        let when = format!("{} at least", sizes.join(", "));
        Some(Exceeded {
            when: (!sizes.is_empty()).then_some(when),
            is_endless: greater.is_endless,
            tried: Some(greater.at),
        })
    }

    /// Returns true if some size is unbounded in the region.
    fn is_endless(&self) -> bool {
        self.old.variables.keys().any(|&v| {
            let (least, most) = self.domain.bounds(&Expr::var(v));
            least.is_none() || most.is_none()
        })
    }
}

/// The sizes at which one function exceeds another.
struct Exceeded {
    /// The sizes in words. `None` if they are all sizes or cannot be described.
    when: Option<String>,
    /// True if the sizes are unbounded.
    is_endless: bool,
    /// The first of the sizes, if they were found only by evaluation.
    tried: Option<Sizes>,
}

/// Formats a size with its argument index: `length(argument 1)`.
fn of_argument(meaning: &str) -> String {
    meaning.replacen('(', "(argument ", 1)
}

fn interval(name: &str, interval: &JudgedInterval) -> String {
    match (&interval.from, &interval.to) {
        (Some(from), Some(to)) if from == to => format!("{name} = {from}"),
        (Some(from), Some(to)) => format!("{from} <= {name} <= {to}"),
        (Some(from), None) => format!("{name} >= {from}"),
        (None, Some(to)) => format!("{name} <= {to}"),
        (None, None) => format!("every {name}"),
    }
}
