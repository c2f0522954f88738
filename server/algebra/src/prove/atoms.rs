//! Expressions with floors, logarithms and sequences: each atom becomes a variable, and what is known of it becomes constraints.
//!
//! - `q = ⌊a/d⌋`: `d·q <= a <= d·q + d-1`, which says everything.
//! - `k = ⌊log_b e⌋` together with `p = b^k`: `p <= e <= b·p - 1`, `p >= 1`, tangents of the power below p. Two logarithms of one base
//!   differ by at least c where `e >= b^c·f` (and by at most c where `e <= b^c·f + b^c - 1`); what is left of the range of the
//!   difference is looked at case by case. `fpow(X, N, P) :- N > 0, H is N//2, fpow(X, H, Q)`: from `2h <= n <= 2h+1`, h >= 1, the logarithms
//!   of n and h differ by exactly 1.
//! - `⌈log_b e⌉` likewise, with `e <= p <= b·e - 1`.
//! - A sequence `u` with coefficients that are not negative is at least the least of d neighbouring values, from where these stand.
//!
//! In one variable, what a sequence with coefficients `a` occurs in is not negative from `n` on if it is not at d places and the
//! operator `f(n+d) - Σ aᵢ·f(n+d-i)`, which makes the sequence vanish, leaves something that is not negative.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};

use super::{RESERVED_VARIABLES, prove, spend};
use crate::atom::{Atom, Rounding, integer_log};
use crate::expr::{Expr, Monomial, Rat, Var, rat};
use crate::linear::{Constraint, Region};

/// Expressions with more atoms are not looked at.
const ATOM_LIMIT: usize = 8;

/// Cases are not multiplied beyond this.
const CASE_LIMIT: usize = 16;

/// Differences of two logarithms beyond this are not looked for.
const DIFFERENCE_LIMIT: i32 = 3;

/// Whether every atom of the expression has a value at every integer point of the region, as far as that can be proved.
pub(super) fn defined(expr: &Expr, on: &Region) -> bool {
    expr.atoms().into_iter().all(|atom| is_defined(atom, on))
}

fn is_defined(atom: &Atom, on: &Region) -> bool {
    let least = match atom {
        Atom::Floor(_) => return true,
        Atom::Log { .. } => 1,
        Atom::CFinite { .. } => 0,
    };
    Constraint::ge(atom.argument(), &Expr::int(least)).is_some_and(|c| on.implies(&c))
}

/// The expression without atoms, in cases that together cover the region. None where an atom is not defined or too much comes
/// together. With `apart` the least values of the first logarithm are cases of their own, where its power is a number.
pub(super) fn cases(expr: &Expr, on: &Region, apart: bool) -> Option<Vec<(Expr, Region)>> {
    let atoms = expr.atoms();
    if atoms.len() > ATOM_LIMIT || !defined(expr, on) {
        return None;
    }
    if let Some(cases) = residues(expr, on) {
        return Some(cases);
    }
    let mut standing = Standing {
        region: on.clone(),
        variables: BTreeMap::new(),
        logs: Vec::new(),
    };
    for (i, atom) in atoms.into_iter().enumerate() {
        standing.add(atom, u32::try_from(2 * i).ok()?)?;
    }
    let expr = standing.replaced(expr)?;
    let mut cases = vec![standing.region.clone()];
    if apart {
        standing.tell_apart(&mut cases);
    }
    standing.compare_roundings(&mut cases);
    for i in 0..standing.logs.len() {
        // Against the first of its kind every logarithm is told apart by cases; among each other they only get inequalities.
        let first = (0..i).find(|&j| standing.logs[j].is_like(&standing.logs[i]));
        if let Some(first) = first {
            standing.split(i, first, on, &mut cases);
        }
    }
    Some(
        cases
            .into_iter()
            .filter(|region| !region.is_empty())
            .map(|region| (expr.clone(), region))
            .collect(),
    )
}

/// Floors of one variable alone: `n = d·m + r`, for each residue r, leaves none of them.
fn residues(expr: &Expr, on: &Region) -> Option<Vec<(Expr, Region)>> {
    const PERIOD_LIMIT: u32 = 12;
    let (mut period, mut variable) = (BigInt::one(), None);
    for atom in expr.atoms() {
        let (Atom::Floor(e), [v]) = (atom, &atom.argument().variables()[..]) else {
            return None;
        };
        if variable.is_some_and(|w| w != *v) {
            return None;
        }
        variable = Some(*v);
        for (_, c) in e.terms() {
            period = num_integer::Integer::lcm(&period, c.denom());
        }
    }
    let (v, period) = (variable?, period.to_u32().filter(|d| *d <= PERIOD_LIMIT)?);
    let m = Expr::var(Var(RESERVED_VARIABLES + 0x8000 + 0x100)).scale(&rat(period.into()));
    (0..period)
        .map(|r| {
            let by = BTreeMap::from([(v, &m + &Expr::int(r.into()))]);
            Some((expr.substitute(&by)?, on.substitute(&by)?))
        })
        .collect()
}

/// Variables from here on stand for floors in the arguments of calls.
const QUOTIENTS: u32 = RESERVED_VARIABLES + 0x4000;

/// See [`super::without_floors`].
pub(super) fn without_floors(expr: &Expr, on: &Region) -> Option<(Expr, Vec<Constraint>)> {
    let (mut linear, mut facts) = (Expr::zero(), Vec::new());
    let used = on
        .variables()
        .into_iter()
        .filter(|v| (QUOTIENTS..RESERVED_VARIABLES + 0x8000).contains(&v.0));
    let mut next = used.map(|v| v.0 + 1).max().unwrap_or(QUOTIENTS);
    for (m, c) in expr.terms() {
        if m.is_plain() {
            linear.add_monomial(m.clone(), c.clone());
            continue;
        }
        let Some(Atom::Floor(of)) = m.single_atom() else {
            return None;
        };
        let quotient = match quotient(of, on) {
            Some(v) => Expr::var(v),
            None => {
                let v = Expr::var(Var(next));
                next += 1;
                let (low, high) = floor_facts(of, &v);
                facts.extend(low.into_iter().chain(high));
                v
            }
        };
        linear += &quotient.scale(c);
    }
    linear.is_linear().then_some((linear, facts))
}

/// `d·q <= a` and `a <= d·q + d-1`, which make q the floor of a/d.
fn floor_facts(of: &Expr, q: &Expr) -> (Option<Constraint>, Option<Constraint>) {
    let d = of.terms().fold(BigInt::one(), |l, (_, c)| {
        num_integer::Integer::lcm(&l, c.denom())
    });
    let d = Rat::from_integer(d);
    let rest = &of.scale(&d) - &q.scale(&d);
    let most = Expr::constant(d - Rat::one());
    (
        Constraint::ge(&rest, &Expr::zero()),
        Constraint::le(&rest, &most),
    )
}

/// The variable of the region that is this floor already.
fn quotient(of: &Expr, on: &Region) -> Option<Var> {
    let variables = on.variables().into_iter();
    variables
        .filter(|v| v.0 >= QUOTIENTS && v.0 < RESERVED_VARIABLES + 0x8000)
        .find(|&v| {
            let (low, high) = floor_facts(of, &Expr::var(v));
            [low, high]
                .iter()
                .all(|fact| fact.as_ref().is_some_and(|c| on.implies(c)))
        })
}

/// A logarithm that became a variable, and a power of its base.
#[derive(Clone)]
struct Log {
    base: u32,
    rounding: Rounding,
    of: Expr,
    log: Expr,
    power: Expr,
}

impl Log {
    fn is_like(&self, other: &Self) -> bool {
        self.base == other.base && self.rounding == other.rounding
    }

    fn scale(&self, c: u32) -> Rat {
        Rat::from_integer(BigInt::from(self.base).pow(c))
    }

    /// Whether this logarithm is at most the other one plus c, for c >= 0.
    fn at_most(&self, other: &Self, c: u32, on: &Region) -> bool {
        let scale = self.scale(c);
        let most = match self.rounding {
            // ⌊e/b^c⌋ <= f
            Rounding::Down => &other.of.scale(&scale) + &Expr::constant(&scale - Rat::one()),
            Rounding::Up => other.of.scale(&scale),
        };
        Constraint::le(&self.of, &most).is_some_and(|c| on.implies(&c))
    }

    /// Whether this logarithm is at least the other one plus c, for c >= 0.
    fn at_least(&self, other: &Self, c: u32, on: &Region) -> bool {
        let scale = self.scale(c);
        let holds =
            |least: &Expr, e: &Expr| Constraint::ge(e, least).is_some_and(|c| on.implies(&c));
        match self.rounding {
            Rounding::Down => holds(&other.of.scale(&scale), &self.of),
            // ⌈e/b^c⌉ >= f; and the smaller one is not 1, of which the parts would not be smaller.
            Rounding::Up => {
                let least = &(&other.of - &Expr::int(1)).scale(&scale) + &Expr::int(1);
                holds(&least, &self.of) && (c == 0 || holds(&Expr::int(2), &other.of))
            }
        }
    }

    /// The least d with `self <= other + d`.
    fn most_above(&self, other: &Self, on: &Region) -> Option<i32> {
        let below = (1..=DIFFERENCE_LIMIT)
            .rev()
            .find(|&c| other.at_least(self, c.unsigned_abs(), on))
            .map(|c| -c);
        below
            .or_else(|| (0..=DIFFERENCE_LIMIT).find(|&c| self.at_most(other, c.unsigned_abs(), on)))
    }
}

/// Atoms replaced by variables.
struct Standing {
    region: Region,
    variables: BTreeMap<Atom, Var>,
    logs: Vec<Log>,
}

impl Standing {
    fn know(&mut self, a: &Expr, b: &Expr) {
        if let Some(c) = Constraint::ge(a, b) {
            self.region = self.region.and(c);
        }
    }

    fn add(&mut self, atom: &Atom, number: u32) -> Option<()> {
        let v = match atom {
            Atom::Floor(of) => quotient(of, &self.region),
            _ => None,
        };
        let v = v.unwrap_or(Var(RESERVED_VARIABLES + 0x8000 + number));
        self.variables.insert(atom.clone(), v);
        let value = Expr::var(v);
        match atom {
            Atom::Floor(of) => {
                let (low, high) = floor_facts(of, &value);
                for fact in low.into_iter().chain(high) {
                    self.region = self.region.and(fact);
                }
            }
            Atom::Log { base, rounding, of } => {
                let power = Expr::var(Var(v.0 + 1));
                let b = rat((*base).into());
                match rounding {
                    Rounding::Down => {
                        self.know(of, &power);
                        self.know(&(&power.scale(&b) - &Expr::int(1)), of);
                    }
                    Rounding::Up => {
                        self.know(&power, of);
                        self.know(&(&of.scale(&b) - &Expr::int(1)), &power);
                    }
                }
                let (low, high) = self.region.bounds(of);
                let log_at = |bound: &Rat, rounding| {
                    let log = integer_log(*base, rounding, &bound.to_integer())?;
                    i64::try_from(log).ok()
                };
                let least = low.and_then(|l| log_at(&l.ceil(), *rounding)).unwrap_or(0);
                self.know(&value, &Expr::int(least));
                if let Some(most) = high.and_then(|h| log_at(&h.floor(), *rounding)) {
                    self.know(&Expr::int(most), &value);
                    if most == least {
                        let whole = Expr::constant(b.pow(i32::try_from(least).ok()?));
                        self.know(&power, &whole);
                        self.know(&whole, &power);
                    }
                }
                // Tangents: b^k >= b^t + (b^(t+1) - b^t)·(k - t).
                for t in 0..3 {
                    let at = b.pow(t);
                    let slope = &at * (&b - Rat::one());
                    let line = &(&value - &Expr::int(t.into())).scale(&slope) + &Expr::constant(at);
                    self.know(&power, &line);
                }
                self.logs.push(Log {
                    base: *base,
                    rounding: *rounding,
                    of: of.clone(),
                    log: value,
                    power,
                });
            }
            Atom::CFinite {
                coefficients,
                index,
            } => {
                if coefficients.iter().any(Signed::is_negative)
                    || coefficients.iter().sum::<Rat>() < Rat::one()
                {
                    return Some(());
                }
                let first = self
                    .region
                    .bounds(index)
                    .0?
                    .ceil()
                    .to_integer()
                    .to_usize()?;
                let d = coefficients.len();
                if first > 200 {
                    return Some(());
                }
                let values = Atom::beginning(coefficients, first + d);
                if let Some(least) = values[first..].iter().min() {
                    self.know(&value, &Expr::constant(least.clone()));
                }
            }
        }
        Some(())
    }

    fn replaced(&self, expr: &Expr) -> Option<Expr> {
        let mut result = Expr::zero();
        for (m, c) in expr.terms() {
            let mut n = Monomial::one();
            n.powers = m.powers.clone();
            n.exponentials = m.exponentials.clone();
            for (atom, k) in &m.atoms {
                *n.powers.entry(*self.variables.get(atom)?).or_insert(0) += k;
            }
            for (atom, base) in &m.atom_exponentials {
                let v = *self.variables.get(atom)?;
                match self.power_of(atom, base) {
                    Some((power, k)) => *n.powers.entry(power).or_insert(0) += k,
                    None => {
                        n.exponentials.insert(v, base.clone());
                    }
                }
            }
            result.add_monomial(n, c.clone());
        }
        Some(result)
    }

    /// The variable of the power of a logarithm, and k where `base` is the k-th power of the logarithm's base.
    fn power_of(&self, atom: &Atom, base: &Rat) -> Option<(Var, u32)> {
        let Atom::Log { base: b, .. } = atom else {
            return None;
        };
        let b = rat((*b).into());
        let k = (1..=4).find(|&k| b.pow(k) == *base)?;
        let v = *self.variables.get(atom)?;
        Some((Var(v.0 + 1), k.unsigned_abs()))
    }

    /// Cases for the least values of the first logarithm.
    fn tell_apart(&self, cases: &mut Vec<Region>) {
        const VALUES: i32 = 3;
        let Some(first) = self.logs.first() else {
            return;
        };
        let power = |k: i32| Expr::constant(rat(first.base.into()).pow(k));
        let with = |region: &Region, facts: [Option<Constraint>; 2]| {
            facts
                .into_iter()
                .flatten()
                .fold(region.clone(), |r, c| r.and(c))
        };
        let mut all = Vec::new();
        for region in cases.iter() {
            for k in 0..VALUES {
                let facts = [
                    Constraint::eq(&first.log, &Expr::int(k.into())),
                    Constraint::eq(&first.power, &power(k)),
                ];
                all.push(with(region, facts));
            }
            let facts = [
                Constraint::ge(&first.log, &Expr::int(VALUES.into())),
                Constraint::ge(&first.power, &power(VALUES)),
            ];
            all.push(with(region, facts));
        }
        *cases = all;
    }

    /// `⌊log e⌋` and `⌈log e⌉` of the same e are equal, and then e is a power, or neighbours.
    fn compare_roundings(&self, cases: &mut Vec<Region>) {
        for down in &self.logs {
            for up in &self.logs {
                if down.rounding != Rounding::Down
                    || up.rounding != Rounding::Up
                    || down.base != up.base
                    || down.of != up.of
                    || cases.len() * 2 > CASE_LIMIT
                {
                    continue;
                }
                let b = rat(down.base.into());
                let same = [
                    Constraint::eq(&up.log, &down.log),
                    Constraint::eq(&up.power, &down.power),
                    Constraint::eq(&down.power, &down.of),
                ];
                let above = [
                    Constraint::eq(&up.log, &(&down.log + &Expr::int(1))),
                    Constraint::eq(&up.power, &down.power.scale(&b)),
                    Constraint::gt(&down.of, &down.power),
                ];
                *cases = cases
                    .iter()
                    .flat_map(|region| {
                        [&same, &above].map(|facts| {
                            let facts = facts.iter().flatten().cloned();
                            facts.fold(region.clone(), |r, c| r.and(c))
                        })
                    })
                    .collect();
            }
        }
    }

    /// The cases of the difference of two logarithms.
    fn split(&self, i: usize, first: usize, on: &Region, cases: &mut Vec<Region>) {
        let (a, b) = (&self.logs[i], &self.logs[first]);
        let most = a.most_above(b, on);
        let least = b.most_above(a, on).map(|d| -d);
        let count = match (least, most) {
            (Some(least), Some(most)) if most >= least => usize::try_from(most - least + 1).ok(),
            _ => None,
        };
        match (least, count) {
            (Some(least), Some(count)) if cases.len() * count <= CASE_LIMIT => {
                let mut all = Vec::new();
                for case in cases.iter() {
                    for d in least..=most.unwrap_or(least) {
                        let facts = difference(a, b, d);
                        let region = facts.into_iter().fold(case.clone(), |r, c| r.and(c));
                        all.push(region);
                    }
                }
                *cases = all;
            }
            _ => {
                let at_most =
                    most.and_then(|d| Constraint::le(&a.log, &(&b.log + &Expr::int(d.into()))));
                let at_least =
                    least.and_then(|d| Constraint::ge(&a.log, &(&b.log + &Expr::int(d.into()))));
                for c in at_most.into_iter().chain(at_least) {
                    for case in cases.iter_mut() {
                        *case = case.and(c.clone());
                    }
                }
            }
        }
    }
}

/// `a = b + d`, and what follows for the powers.
fn difference(a: &Log, b: &Log, d: i32) -> Vec<Constraint> {
    let scale = a.scale(d.unsigned_abs());
    let powers = if d >= 0 {
        Constraint::eq(&a.power, &b.power.scale(&scale))
    } else {
        Constraint::eq(&a.power.scale(&scale), &b.power)
    };
    let logs = Constraint::eq(&a.log, &(&b.log + &Expr::int(d.into())));
    logs.into_iter().chain(powers).collect()
}

/// Whether an expression in one variable with sequences is not negative from `low` on; see the module.
pub(super) fn along_a_sequence(e: &Expr, v: Var, low: &BigInt, depth: u32, fuel: &mut u64) -> bool {
    const HEAD: u32 = 32;
    let sequence = e.atoms().into_iter().find_map(|atom| match atom {
        Atom::CFinite {
            coefficients,
            index,
        } if *index == &Expr::var(v) + &Expr::constant(index.coefficient(&Monomial::one())) => {
            Some(coefficients.clone())
        }
        _ => None,
    });
    let Some(a) = sequence else { return false };
    if depth == 0 || a.iter().any(Signed::is_negative) {
        return false;
    }
    let d = i64::try_from(a.len()).unwrap_or(0);
    let shifted = |by: i64| {
        let at = &Expr::var(v) + &Expr::int(by);
        e.substitute(&BTreeMap::from([(v, at)]))
    };
    let Some(mut step) = shifted(d) else {
        return false;
    };
    for (i, a) in (1i64..).zip(&a) {
        let Some(before) = shifted(d - i) else {
            return false;
        };
        step += &before.scale(&-a.clone());
    }
    let not_negative_at = |n: &BigInt| {
        e.eval(&|_| Some(n.clone()))
            .is_some_and(|value| !value.is_negative())
    };
    // The head one by one, each time looking whether the tail goes on by itself.
    let (mut checked, mut start, mut next) = (low.clone(), low.clone(), 1u32);
    loop {
        while checked < &start + d {
            if !spend(fuel) || !not_negative_at(&checked) {
                return false;
            }
            checked += 1;
        }
        let from_here = Constraint::ge(
            &Expr::var(v),
            &Expr::constant(Rat::from_integer(start.clone())),
        );
        let Some(tail) = from_here.map(|c| Region::everything().and(c)) else {
            return false;
        };
        if step.is_zero() || prove(&step, &tail, depth - 1, fuel) {
            return true;
        }
        if next > HEAD {
            return false;
        }
        start += next;
        next *= 2;
    }
}

/// Whether powers of logarithms occur.
pub(super) fn has_powers(e: &Expr) -> bool {
    e.terms()
        .flat_map(|(m, _)| m.atom_exponentials.keys())
        .any(|atom| matches!(atom, Atom::Log { .. }))
}

/// Whether sequences occur.
pub(super) fn has_sequences(e: &Expr) -> bool {
    e.atoms()
        .into_iter()
        .any(|atom| matches!(atom, Atom::CFinite { .. }))
}

/// A linear expression that is at least (`up`) or at most the given one at integers: floors are replaced by their arguments, less
/// what they may lose. For constraints on integers that is no loss where a floor stands alone (`r <= ⌊n/2⌋` is `2r <= n`).
pub(super) fn relaxed(e: &Expr, up: bool) -> Option<Expr> {
    let mut result = Expr::zero();
    for (m, c) in e.terms() {
        if m.is_plain() {
            result.add_monomial(m.clone(), c.clone());
            continue;
        }
        let Some(Atom::Floor(of)) = m.single_atom() else {
            return None;
        };
        result += &of.scale(c);
        if c.is_positive() != up {
            let d = of.terms().fold(BigInt::one(), |l, (_, c)| {
                num_integer::Integer::lcm(&l, c.denom())
            });
            let lost = Rat::one() - Rat::from_integer(d).recip();
            result += &Expr::constant(-(lost * c));
        }
    }
    (result.is_linear() && !result.has_atoms()).then_some(result)
}
