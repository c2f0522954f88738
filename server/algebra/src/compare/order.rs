//! Orders of growth: `O` and `Ω`, where the sizes grow to infinity independently.
//!
//! A cost is in `O(f)` if it is finite for every admitted call, and there are a number c and a size N such that the cost is at most `c·f`
//! whenever *all* unbounded sizes are at least N. It is in `Ω(f)` if it is at least `c·f` there, for some c > 0. Thus `n·m + 2n + 1` is in
//! `O(n·m)`, although it is 2n + 1 for m = 0: values at small sizes do not affect growth. An integer that is unbounded in both directions
//! counts upward; for an integer that is unbounded only below, the absolute value counts. The displayed classes ([`crate::growth`]) have
//! the same meaning.
//!
//! A proof compares classes ([`crate::growth`]): each monomial of the upper bound is dominated by a monomial of the asserted function,
//! whose maximal monomials must all be positive so that the function grows as fast as they do. A refutation is a direction: sizes `v = t^w`
//! with small weights `w`, which are inside the region for all sufficiently large `t`, and along which the lower bound outgrows every
//! multiple of the asserted function.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use num_traits::{One, Signed, Zero};

use super::points::{solve_equalities, some_point};
use super::{Approx, Bound, Judged, Piece, Verdict, Witness};
use super::{bound_variables, shortcoming};
use crate::atom::{Atom, Rounding};
use crate::expr::{Expr, Monomial, Rat, Var, rat};
use crate::growth::{Growth, growth};
use crate::linear::{Constraint, Region, Relation};

/// Judges an assertion about an order of growth. The pieces are in the domain and cover it; the judgement has no intervals, and a witness
/// only if the cost is infinite.
pub(super) fn judge(kind: Approx, asserted: &Expr, pieces: &[Piece], domain: &Region) -> Judged {
    let mut judged = Judged {
        variable: None,
        intervals: Vec::new(),
        overall: Verdict::Checked,
        witness: None,
        reason: None,
    };
    let grown = Grown::new(asserted, pieces, domain);
    for piece in pieces {
        let is_finite = matches!(piece.upper, Bound::Finite(_));
        // Behaviour at small or negative sizes does not affect growth.
        let Some(region) = grown.part(&piece.region) else {
            if is_finite || kind == Approx::Olb {
                continue;
            }
            let (verdict, witness) = match (&piece.lower, infinite_at(kind, asserted, piece)) {
                (Bound::Infinite, Some(witness)) => (Verdict::False, Some(witness)),
                _ => (Verdict::Check, None),
            };
            judged.overall = verdict;
            judged.witness = witness.or(judged.witness);
            if verdict == Verdict::False {
                judged.reason = None;
                return judged;
            }
            judged.reason = judged
                .reason
                .or_else(|| Some(shortcoming(kind, piece).to_owned()));
            continue;
        };
        let verdict = if piece.lower == Bound::Infinite {
            judged.witness = infinite_at(kind, asserted, piece);
            match (kind, &judged.witness) {
                (Approx::Olb, _) => Verdict::Checked,
                (_, Some(_)) => Verdict::False,
                (_, None) => Verdict::Check,
            }
        } else {
            of_region(kind == Approx::Olb, asserted, piece, &region)
        };
        match verdict {
            Verdict::Checked => {}
            Verdict::False => {
                judged.overall = Verdict::False;
                judged.reason = None;
                return judged;
            }
            Verdict::Check => {
                judged.overall = Verdict::Check;
                judged.reason = judged
                    .reason
                    .or_else(|| Some(shortcoming(kind, piece).to_owned()));
            }
        }
    }
    judged
}

/// The sizes to which an order of growth refers.
struct Grown {
    /// The sizes that are unbounded.
    endless: Vec<Var>,
    /// The constraints that restrict sizes unbounded in both directions to non-negative values.
    both_ways: Vec<Constraint>,
}

impl Grown {
    fn new(asserted: &Expr, pieces: &[Piece], domain: &Region) -> Self {
        let mut all: BTreeSet<Var> = asserted.variables().into_iter().collect();
        all.extend(domain.variables());
        for piece in pieces {
            all.extend(bound_variables(piece));
            all.extend(piece.region.variables());
        }
        let mut grown = Self {
            endless: Vec::new(),
            both_ways: Vec::new(),
        };
        for v in all {
            let size = Expr::var(v);
            let (low, high) = domain.bounds(&size);
            if low.is_none() || high.is_none() {
                grown.endless.push(v);
            }
            if low.is_none() && high.is_none() {
                (grown.both_ways).extend(Constraint::ge(&size, &Expr::zero()));
            }
        }
        grown
    }

    /// Returns the part of a region in which all these sizes grow, or `None` if one of the sizes is bounded.
    fn part(&self, region: &Region) -> Option<Region> {
        let part = (self.both_ways.iter()).fold(region.clone(), |part, c| part.and(c.clone()));
        let is_limited = |&v: &Var| {
            let (low, high) = part.bounds(&Expr::var(v));
            low.is_some() && high.is_some()
        };
        (!part.is_empty() && !self.endless.iter().any(is_limited)).then_some(part)
    }
}

/// Returns a witness of infinite cost, which has no order of growth.
fn infinite_at(kind: Approx, asserted: &Expr, piece: &Piece) -> Option<Witness> {
    if kind == Approx::Olb {
        return None;
    }
    let mut all: BTreeSet<Var> = asserted.variables().into_iter().collect();
    all.extend(piece.region.variables());
    let sizes = some_point(&piece.region, &all)?;
    let at = |v: Var| sizes.iter().find(|(w, _)| *w == v).map(|(_, n)| n.clone());
    Some(Witness {
        asserted: asserted.eval(&at),
        inferred: None,
        sizes,
    })
}

/// Judges a region after splitting sizes that are unbounded in both directions at 0, where this makes a difference.
fn of_region(is_lower: bool, asserted: &Expr, piece: &Piece, region: &Region) -> Verdict {
    let mut relevant: BTreeSet<Var> = asserted.variables().into_iter().collect();
    relevant.extend(bound_variables(piece));
    let both_ways = relevant
        .iter()
        .map(|&v| Expr::var(v))
        .find(|v| region.bounds(v) == (None, None));
    let Some(v) = both_ways else {
        return Tail::new(asserted, piece, region)
            .map_or(Verdict::Check, |tail| tail.verdict(is_lower));
    };
    let halves = [
        Constraint::ge(&v, &Expr::zero()),
        Constraint::le(&v, &Expr::int(-1)),
    ];
    let mut verdict = Verdict::Checked;
    for half in halves.into_iter().flatten() {
        match of_region(is_lower, asserted, piece, &region.and(half)) {
            Verdict::Checked => {}
            Verdict::Check => verdict = Verdict::Check,
            Verdict::False => return Verdict::False,
        }
    }
    verdict
}

/// The maximum number of successive replacements of sizes by greater sizes.
const RELATED_DEPTH: u32 = 2;

/// A piece in which every size either grows to infinity or lies in a fixed range, after substitution of equalities.
struct Tail {
    region: Region,
    /// The sizes without an upper limit.
    growing: BTreeSet<Var>,
    /// The sizes with two limits whose lower limit is positive.
    positive: BTreeSet<Var>,
    asserted: Expr,
    lower: Option<Expr>,
    upper: Option<Expr>,
}

/// The limits of sizes in a region.
#[derive(Default)]
struct Ends {
    /// The sizes that are unbounded on at least one side.
    growing: BTreeSet<Var>,
    /// The growing sizes that have only an upper limit.
    downward: BTreeSet<Var>,
    /// The growing sizes without any limit. For constraints, both directions to infinity are equivalent.
    both_ways: BTreeSet<Var>,
    /// The sizes with two limits whose lower limit is positive.
    positive: BTreeSet<Var>,
}

impl Ends {
    fn classify(sizes: &BTreeSet<Var>, region: &Region) -> Self {
        let mut ends = Self::default();
        for &v in sizes {
            let (low, high) = region.bounds(&Expr::var(v));
            if low.is_none() || high.is_none() {
                ends.growing.insert(v);
            }
            match (low, high) {
                (None, Some(_)) => drop(ends.downward.insert(v)),
                (None, None) => drop(ends.both_ways.insert(v)),
                (Some(low), Some(_)) if low.is_positive() => drop(ends.positive.insert(v)),
                (Some(_), _) => {}
            }
        }
        ends
    }
}

impl Tail {
    fn new(asserted: &Expr, piece: &Piece, region: &Region) -> Option<Self> {
        let (mut region, mut solved) = solve_equalities(region);
        let mut all: BTreeSet<Var> = asserted.variables().into_iter().collect();
        all.extend(bound_variables(piece));
        all.extend(region.variables());
        for (v, e) in &solved {
            all.remove(v);
            all.extend(e.variables());
        }
        for (v, _) in &solved {
            all.remove(v);
        }
        let ends = Ends::classify(&all, &region);
        if !ends.downward.is_empty() {
            let mirrored = ends.downward.iter().map(|&v| (v, -&Expr::var(v)));
            let mirrored: BTreeMap<Var, Expr> = mirrored.collect();
            region = region.substitute(&mirrored)?;
            solved.extend(mirrored);
        }
        let rewritten = |e: &Expr| {
            solved.iter().try_fold(e.clone(), |e, (v, by)| {
                e.substitute(&BTreeMap::from([(*v, by.clone())]))
            })
        };
        let finite = |b: &Bound| match b {
            Bound::Finite(e) => Some(rewritten(e)),
            Bound::Infinite | Bound::Unknown => None,
        };
        let mut tail = Self {
            asserted: rewritten(asserted)?,
            lower: finite(&piece.lower).flatten(),
            upper: finite(&piece.upper).flatten(),
            region,
            growing: ends.growing,
            positive: ends.positive,
        };
        let is_clear = |e: &Expr| e.variables().iter().all(|v| !ends.both_ways.contains(v));
        // A bound that cannot be judged does not affect the conclusions from the other bound.
        let (lower, upper) = (tail.lower.take(), tail.upper.take());
        tail.lower = lower.filter(|e| is_clear(e) && tail.is_told(e));
        tail.upper = upper.filter(|e| is_clear(e) && tail.is_told(e));
        (is_clear(&tail.asserted) && tail.is_told(&tail.asserted)).then_some(tail)
    }

    /// Returns whether the growth of an expression can be judged: atoms contain no sizes with a limited range, and all sequences have a
    /// known sign.
    fn is_told(&self, e: &Expr) -> bool {
        let limited = |v: &Var| !self.growing.contains(v);
        e.atoms().into_iter().all(|atom| {
            let is_natural = match atom {
                Atom::CFinite { coefficients, .. } => !coefficients.iter().any(Signed::is_negative),
                Atom::Factorial(of) | Atom::Arrangements { of, .. } => {
                    of.terms().all(|(m, c)| m.is_one() || c.is_positive())
                }
                Atom::Floor(_) | Atom::Log { .. } => true,
            };
            is_natural && !atom.argument().variables().iter().any(limited)
        })
    }

    fn verdict(&self, is_lower: bool) -> Verdict {
        // The bound that can prove the assertion, and the bound that can refute it.
        let (proof, refutation) = if is_lower {
            (&self.lower, &self.upper)
        } else {
            (&self.upper, &self.lower)
        };
        if self.growing.is_empty() && !is_lower {
            // No size grows, so every finite function has every order.
            return match proof {
                Some(_) => Verdict::Checked,
                None => Verdict::Check,
            };
        }
        if self.growing.is_empty() {
            return Verdict::Checked;
        }
        if let Some(proof) = proof {
            let is_proved = if is_lower {
                self.at_least(proof)
                    .is_some_and(|p| self.at_most(&self.asserted).is_in(&p))
                    || self.asserted.is_zero()
            } else {
                let asserted = self.at_least(&magnitude(&self.asserted));
                proof.is_zero()
                    || asserted.is_some_and(|a| self.is_within(proof, &a, RELATED_DEPTH))
            };
            if is_proved {
                return Verdict::Checked;
            }
        }
        if let Some(refutation) = refutation {
            let is_refuted = self.directions(refutation).any(|weights| {
                let (greater, smaller) = if is_lower {
                    (&self.asserted, refutation)
                } else {
                    (refutation, &self.asserted)
                };
                outgrows(greater, smaller, &weights)
            });
            if is_refuted {
                return Verdict::False;
            }
        }
        Verdict::Check
    }

    /// Returns a class that is an upper bound on the expression: the class of its positive monomials and of the monomials that contain a
    /// size with a limited range, whose sign is unknown. Such sizes count as constants.
    fn at_most(&self, e: &Expr) -> Growth {
        let mut limited = Expr::zero();
        for (m, c) in e.terms() {
            if c.is_positive() || m.variables().any(|v| !self.growing.contains(&v)) {
                limited.add_monomial(self.of_growing(m), c.abs());
            }
        }
        growth(&limited)
    }

    /// Returns whether the expression is in a class, either directly by its monomials or after replacing sizes by greater sizes from the
    /// region's constraints (`m <= n`: `n+m` is in `O(n)`).
    fn is_within(&self, e: &Expr, class: &Growth, depth: u32) -> bool {
        if self.at_most(e).is_in(class) {
            return true;
        }
        if depth == 0 {
            return false;
        }
        let mut positive = Expr::zero();
        for (m, c) in e.terms().filter(|(_, c)| c.is_positive()) {
            positive.add_monomial(m.clone(), c.clone());
        }
        // If sizes are non-negative and no factor vanishes, monomials increase with their sizes.
        let is_monotone = positive.terms().all(|(m, _)| {
            m.variables().all(|v| self.is_natural(v))
                && m.exponentials.values().all(|b| *b > Rat::one())
        }) && e.variables().iter().all(|v| self.growing.contains(v));
        is_monotone
            && self.region.constraints().iter().any(|c| {
                c.variables().any(|v| {
                    greater(c, v)
                        .filter(|_| positive.variables().contains(&v))
                        .and_then(|by| positive.substitute(&BTreeMap::from([(v, by)])))
                        .is_some_and(|replaced| self.is_within(&replaced, class, depth - 1))
                })
            })
    }

    fn is_natural(&self, v: Var) -> bool {
        let (low, _) = self.region.bounds(&Expr::var(v));
        low.is_some_and(|low| !low.is_negative())
    }

    /// Returns a class that is a lower bound on the expression: its maximal monomials, which must all be positive. Returns `None` if they
    /// are not, or if a size with a limited range may be 0 or negative.
    fn at_least(&self, e: &Expr) -> Option<Growth> {
        if e.is_zero() {
            return None;
        }
        let limited: Vec<Var> = e
            .variables()
            .into_iter()
            .filter(|v| !self.growing.contains(v))
            .collect();
        if limited.iter().any(|v| !self.positive.contains(v)) {
            return None;
        }
        // A size with a limited range does not make the lower monomials negligible, so none of these monomials may be negative.
        if !limited.is_empty() && e.terms().any(|(_, c)| c.is_negative()) {
            return None;
        }
        if e.has_atoms() {
            // `n - 2·⌊n/2⌋` does not grow, so the expression must not contain subtractions.
            let is_sum = e.terms().all(|(m, c)| c.is_positive() || m.is_one());
            let growing = e.terms().filter(|(m, _)| !m.is_one());
            return is_sum.then(|| Growth::of_monomials(growing.map(|(m, _)| self.of_growing(m))));
        }
        let maximal = Growth::of_monomials(e.terms().map(|(m, _)| m.clone()));
        if maximal
            .monomials()
            .iter()
            .any(|m| !e.coefficient(m).is_positive())
        {
            return None;
        }
        Some(Growth::of_monomials(
            maximal.monomials().iter().map(|m| self.of_growing(m)),
        ))
    }

    fn of_growing(&self, m: &Monomial) -> Monomial {
        let mut m = m.clone();
        m.powers.retain(|v, _| self.growing.contains(v));
        m.exponentials.retain(|v, _| self.growing.contains(v));
        m
    }

    /// Returns small positive weights for the growing sizes such that the path eventually stays in the region, for all values of the other
    /// sizes in their ranges. Returns nothing if one of the other sizes is relevant, or if more than four sizes grow.
    fn directions(&self, bound: &Expr) -> impl Iterator<Item = BTreeMap<Var, u32>> + '_ {
        const WEIGHTS: u32 = 3;
        let vars: Vec<Var> = self.growing.iter().copied().collect();
        let mut relevant = [&self.asserted, bound]
            .into_iter()
            .flat_map(Expr::variables);
        let is_tractable = vars.len() <= 4 && relevant.all(|v| self.growing.contains(&v));
        let count = if is_tractable {
            WEIGHTS.pow(u32::try_from(vars.len()).unwrap_or(0))
        } else {
            0
        };
        (0..count)
            .map(move |mut code| {
                vars.iter()
                    .map(|&v| {
                        let weight = 1 + code % WEIGHTS;
                        code /= WEIGHTS;
                        (v, weight)
                    })
                    .collect::<BTreeMap<Var, u32>>()
            })
            .filter(|weights| {
                self.region
                    .constraints()
                    .iter()
                    .all(|c| self.holds_in_the_end(c, weights))
            })
    }

    fn holds_in_the_end(&self, c: &Constraint, weights: &BTreeMap<Var, u32>) -> bool {
        let (growing, limited): (Vec<Var>, Vec<Var>) =
            c.variables().partition(|v| self.growing.contains(v));
        if growing.is_empty() {
            // Such constraints on a single size define its range, which is not empty; constraints on two sizes may exclude each other.
            return limited.len() == 1;
        }
        match (c.relation(), leading(&c.expr(), weights)) {
            (Relation::NonNegative, Some((key, sum))) => {
                sum.is_positive() && (limited.is_empty() || key.degree > 0)
            }
            (_, None) => true,
            (Relation::Zero, Some(_)) => false,
        }
    }
}

/// Returns the upper bound that a constraint imposes on a size.
fn greater(c: &Constraint, v: Var) -> Option<Expr> {
    let mut m = Monomial::one();
    m.powers.insert(v, 1);
    let coefficient = c.expr().coefficient(&m);
    if c.relation() != Relation::NonNegative || !coefficient.is_negative() {
        return None;
    }
    let rest = &c.expr() - &Expr::monomial(m, coefficient.clone());
    Some(rest.scale(&-coefficient.recip()))
}

/// Returns the expression or its negation, whichever has a positive first monomial in printing order.
fn magnitude(e: &Expr) -> Expr {
    match crate::growth::printing_order(e).first() {
        Some((_, c)) if c.is_negative() => -e,
        _ => e.clone(),
    }
}

/// Returns whether `greater` is eventually positive and exceeds every multiple of `smaller` along a direction.
fn outgrows(greater: &Expr, smaller: &Expr, weights: &BTreeMap<Var, u32>) -> bool {
    // Keys cannot represent other atoms. Numbers of arrangements are between 1 and 3 times the factorials for base 1.
    let (Some(greater), Some(smaller)) = (
        factorials_alone(greater, Rounding::Down),
        factorials_alone(smaller, Rounding::Up),
    ) else {
        return false;
    };
    let (greater, smaller) = (&greater, &smaller);
    let Some((key, coefficient)) = leading(greater, weights) else {
        return false;
    };
    coefficient.is_positive()
        && leading(smaller, weights)
            .is_none_or(|(other, _)| key.compare(&other) == Ordering::Greater)
}

/// Replaces numbers of arrangements by factorials, so that the result is eventually an upper or lower bound. Returns `None` if there
/// are other atoms, or factorials whose argument is not a size.
fn factorials_alone(e: &Expr, to: Rounding) -> Option<Expr> {
    // Terms that may cancel cannot be bounded.
    let is_told = |(m, c): (&Monomial, &Rat)| m.is_plain() || c.is_positive();
    let is_sum = |a: &Atom| matches!(a, Atom::Arrangements { .. });
    if e.atoms().into_iter().any(is_sum) && !e.terms().all(is_told) {
        return None;
    }
    let mut result = Expr::zero();
    for (m, c) in e.terms() {
        let mut plain = m.clone();
        plain.atoms.clear();
        let mut c = c.clone();
        for (atom, &k) in &m.atoms {
            let [v] = atom.argument().variables()[..] else {
                return None;
            };
            let factorial = match atom {
                Atom::Factorial(of) => Atom::Factorial(of.clone()),
                Atom::Arrangements { base, of } if base.is_one() => {
                    if c.is_negative() != (to == Rounding::Up) {
                        c *= rat(3).pow(i32::try_from(k).ok()?);
                    }
                    Atom::Factorial(of.clone())
                }
                _ => return None,
            };
            if *factorial.argument() != Expr::var(v) {
                return None;
            }
            *plain.atoms.entry(factorial).or_insert(0) += k;
        }
        if !m.atom_exponentials.is_empty() {
            return None;
        }
        result.add_monomial(plain, c);
    }
    Some(result)
}

/// The growth of a monomial along a direction: `Π (t^w)!^k_w · exp(Σ t^w·ln b_w) · t^degree`.
#[derive(Clone, PartialEq, Eq)]
struct MonomialGrowth {
    /// The powers of factorials, by the weight of their sizes.
    factorials: BTreeMap<u32, u32>,
    /// The product of exponential bases, by the weight of their sizes.
    bases: BTreeMap<u32, Rat>,
    degree: u64,
}

impl MonomialGrowth {
    fn new(m: &Monomial, weights: &BTreeMap<Var, u32>) -> Self {
        let weight = |v: &Var| weights.get(v).copied().unwrap_or(0);
        let mut bases: BTreeMap<u32, Rat> = BTreeMap::new();
        for (v, b) in &m.exponentials {
            *bases.entry(weight(v)).or_insert_with(Rat::one) *= b;
        }
        bases.retain(|_, b| !b.is_one());
        let mut factorials: BTreeMap<u32, u32> = BTreeMap::new();
        for (atom, &k) in &m.atoms {
            if let Some(v) = atom.argument().variables().first() {
                *factorials.entry(weight(v)).or_insert(0) += k;
            }
        }
        let degree = m
            .powers
            .iter()
            .map(|(v, &k)| u64::from(weight(v)) * u64::from(k))
            .sum();
        Self {
            factorials,
            bases,
            degree,
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        let weights: BTreeSet<u32> = self
            .bases
            .keys()
            .chain(other.bases.keys())
            .chain(self.factorials.keys())
            .chain(other.factorials.keys())
            .copied()
            .collect();
        let one = Rat::one();
        weights
            .iter()
            .rev()
            .map(|w| {
                // Factorials of a weight dominate the exponentials of the same weight, and are dominated by the factorials of the next
                // weight.
                let factorials = |key: &Self| key.factorials.get(w).copied().unwrap_or(0);
                factorials(self).cmp(&factorials(other)).then_with(|| {
                    let base = |key: &Self| key.bases.get(w).unwrap_or(&one).clone();
                    base(self).cmp(&base(other))
                })
            })
            .find(|order| order.is_ne())
            .unwrap_or_else(|| self.degree.cmp(&other.degree))
    }
}

/// Returns the greatest key of an expression along a direction with the sum of its coefficients, or `None` if the expression is 0 along
/// this direction.
fn leading(e: &Expr, weights: &BTreeMap<Var, u32>) -> Option<(MonomialGrowth, Rat)> {
    let mut sums: Vec<(MonomialGrowth, Rat)> = Vec::new();
    for (m, c) in e.terms() {
        let key = MonomialGrowth::new(m, weights);
        match sums.iter_mut().find(|(k, _)| *k == key) {
            Some((_, sum)) => *sum += c,
            None => sums.push((key, c.clone())),
        }
    }
    sums.retain(|(_, sum)| !sum.is_zero());
    sums.into_iter().reduce(|a, b| {
        if a.0.compare(&b.0) == Ordering::Less {
            b
        } else {
            a
        }
    })
}
