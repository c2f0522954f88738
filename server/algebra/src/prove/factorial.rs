//! Expressions with factorials and numbers of arrangements.
//!
//! In one variable an expression is a sum of groups `p(n)·b^n·G^k·A_b^l…` with polynomials `p`, `G = (n+s)!` and numbers of arrangements of
//! n+s things. With `G(n+1) = (n+s+1)·G(n)` and `A_b(n+1) = (n+s+1)·A_b(n) + b^(n+s+1)`, it is non-negative for all sufficiently large n
//!
//! - if all polynomials are non-negative, since all other factors are positive;
//! - or if it is non-negative at some number, and `f(n+1) - r(n)·f(n)` is non-negative for all n of at least that number, for some
//!   `r(n) >= 0`. Such an `r` is the growth of a group (for `n! - 2^n` and r = 2, the power disappears and `(n-1)·n!` remains);
//! - or with `A_b(n) <= q·n! - b^n` in groups with a negative polynomial, where `q = (A_b(m) + b^m)/m!`, for all n >= m: the difference is
//!   0 at m, and the previous rule with r = n+1 leaves `b^n·(n+1-2b)`, so 2b <= m+1 suffices; and with `A_b(n) >= A_b(m)/m!·n!` in all
//!   other groups, since that quotient increases.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::proof::{Proof, Search};
use super::univariate::{polynomial_from_zero, range, taylor, value};
use super::{purify, spend};
use crate::atom::Atom;
use crate::atom::factorial::{arrangements, factorial};
use crate::expr::{Expr, Monomial, Rat, Var};
use crate::linear::{Region, Relation};
use crate::rational::{add_to, multiply_by, product};

/// The greatest number of leading integers that are checked individually.
const HEAD: u32 = 64;

/// The maximum depth of nested steps.
const DEPTH: u32 = 6;

/// The greatest supported shift.
const SHIFT_LIMIT: i64 = 64;

/// Returns whether all atoms are factorials or numbers of arrangements that are defined on the region.
pub(super) fn alone(expr: &Expr, on: &Region) -> bool {
    expr.terms().all(|(m, _)| m.atom_exponentials.is_empty())
        && expr.atoms().into_iter().all(Atom::is_factorial)
        && purify::defined(expr, on)
}

/// Returns whether the atoms of a monomial are positive for non-negative variables.
pub(super) fn natural(m: &Monomial) -> bool {
    m.atom_exponentials.is_empty()
        && m.atoms.keys().all(|atom| {
            atom.is_factorial() && atom.argument().terms().all(|(_, c)| !c.is_negative())
        })
}

/// Proves an expression whose coefficients are non-negative after each variable is shifted by its lower bound and each factorial or number
/// of arrangements is replaced by `1 + u`: `3·A(n) - 2 >= 0`.
pub(super) fn above_one(expr: &Expr, on: &Region, fuel: &mut Search) -> bool {
    let (mut rows, mut values, mut by) = (Vec::new(), Vec::new(), BTreeMap::new());
    for v in expr.variables() {
        let least = on.constraints().iter().position(|c| {
            let rest = &c.expr() - &Expr::var(v);
            c.relation() == Relation::NonNegative && rest.as_constant().is_some()
        });
        let Some(place) = least else { return false };
        let t = Expr::var(super::slack(rows.len()));
        // v + c = t
        let value = &t - &(&on.constraints()[place].expr() - &Expr::var(v));
        rows.push(place);
        values.push((v, value.clone()));
        by.insert(v, value);
    }
    let Some(moved) = expr.substitute(&by) else {
        return false;
    };
    let least_is_natural = |e: &Expr| e.terms().all(|(_, c)| !c.is_negative());
    spend(fuel)
        && ones(&moved).is_some_and(|e| least_is_natural(&e))
        && fuel.done(|| {
            Some(Proof::Corner {
                rows,
                values,
                then: Box::new(Proof::Coefficients),
            })
        })
}

/// Replaces each factorial and number of arrangements of natural numbers by `1 + u`. Returns `None` if there are other atoms.
fn ones(e: &Expr) -> Option<Expr> {
    let atoms: Vec<&Atom> = e.atoms();
    let mut result = Expr::zero();
    for (m, c) in e.terms() {
        if !natural(m) {
            return None;
        }
        let mut plain = m.clone();
        plain.atoms.clear();
        let mut term = Expr::monomial(plain, c.clone());
        for (atom, &k) in &m.atoms {
            let i = atoms.iter().position(|a| *a == atom)?;
            let u = Expr::var(Var(super::RESERVED_VARIABLES
                + 0x7000
                + u32::try_from(i).ok()?));
            term = &term * &(&u + &Expr::int(1)).pow(k);
        }
        result += &term;
    }
    Some(result)
}

/// Returns the factor by which a monomial grows when a variable increases by 1, excluding the factor from its power; numbers of
/// arrangements count as factorials.
pub(super) fn rate(m: &Monomial, v: Var) -> Option<Expr> {
    if !natural(m) {
        return None;
    }
    let base = m.exponentials.get(&v).cloned().unwrap_or_else(Rat::one);
    let mut rate = Expr::constant(base);
    let mut single = Monomial::one();
    single.powers.insert(v, 1);
    for (atom, &k) in &m.atoms {
        let of = atom.argument();
        let c = of.coefficient(&single).to_integer().to_u32()?;
        for i in 1..=i64::from(c) {
            rate = &rate * &(of + &Expr::int(i)).pow(k);
        }
    }
    Some(rate)
}

/// The maximum depth for several variables, where each step makes the expression much longer.
pub(super) const SLACK_DEPTH: u32 = 3;

/// Returns whether another step is worthwhile for an expression over non-negative integers: it is short, non-negative at a few points, and
/// there is fuel for its length.
pub(super) fn is_worth_a_step(e: &Expr, fuel: &mut Search) -> bool {
    /// The maximum number of terms that are tried.
    const LENGTH: usize = 60;
    /// Values that are assigned to the variables.
    const POINTS: [[i64; 3]; 5] = [[1, 0, 2], [0, 1, 1], [2, 3, 1], [7, 1, 4], [1, 9, 6]];
    let length = e.terms().count();
    if length > LENGTH || !(0..length).all(|_| spend(fuel)) {
        return false;
    }
    let vars = e.variables();
    POINTS.iter().all(|point| {
        let at = |v: Var| {
            let i = vars.iter().position(|&w| w == v)?;
            Some(BigInt::from(point[i % point.len()]))
        };
        e.eval(&at).is_none_or(|value| !value.is_negative())
    })
}

/// Decides whether `expr >= 0` at every integer of the region, over the single variable `v`.
pub(super) fn decide(expr: &Expr, v: Var, region: &Region, fuel: &mut Search) -> bool {
    let (Some(low), high) = range(v, region) else {
        return false;
    };
    let last = high.filter(|high| high - &low <= BigInt::from(HEAD));
    let mut tail = Groups::from_expr(expr, v).filter(|_| last.is_none());
    let (mut at, mut next) = (low, BigInt::zero());
    let mut looked_at = 0u32;
    while last.as_ref().is_none_or(|last| at <= *last) {
        if let Some(groups) = &mut tail
            && next.is_zero()
        {
            if groups.is_nonnegative_from(&at, DEPTH, fuel)
                || groups.bounded_from(&at, false, fuel)
                || groups.bounded_from(&at, true, fuel)
            {
                return true;
            }
            next = BigInt::from(looked_at + 1);
        }
        let value = expr.eval(&|_| Some(at.clone()));
        if looked_at > HEAD || !spend(fuel) || value.is_none_or(|r| r.is_negative()) {
            return false;
        }
        at += 1;
        looked_at += 1;
        next -= 1;
    }
    true
}

/// Returns `q·G`, a lower bound on `A_b` for n+s >= m.
fn arrangements_lower(base: &Rat, m: usize) -> Option<Sum> {
    let q = arrangements(base, m)? / Rat::from_integer(factorial(m)?);
    let one = GroupKey {
        factorials: 1,
        ..GroupKey::default()
    };
    Some(monomial(&Rat::one(), one, vec![q]))
}

/// Returns true only if a quick test proves that a polynomial is non-negative on the natural numbers. Polynomials that are negative only
/// near 0 also fail the test; they are not useful.
fn is_nonnegative(p: &[Rat]) -> bool {
    const FUEL: u64 = 60;
    polynomial_from_zero(p, &Region::everything(), &mut Search::silent(FUEL))
}

/// The factors that multiply a polynomial in a group.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct GroupKey {
    /// The exponent of `G`.
    factorials: u32,
    /// The exponents of `A_b`, by base.
    arrangements: BTreeMap<Rat, u32>,
}

impl GroupKey {
    /// Returns the number of factors that grow like a factorial.
    fn degree(&self) -> u32 {
        self.factorials + self.arrangements.values().sum::<u32>()
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = self.clone();
        product.factorials += other.factorials;
        for (b, k) in &other.arrangements {
            *product.arrangements.entry(b.clone()).or_insert(0) += k;
        }
        product
    }
}

/// Polynomials (lowest degree first), keyed by the base of the exponential and the other factors.
type Sum = BTreeMap<(Rat, GroupKey), Vec<Rat>>;

fn add(sum: &mut Sum, base: Rat, key: GroupKey, p: &[Rat]) {
    let slot = sum.entry((base.clone(), key.clone())).or_default();
    if slot.len() < p.len() {
        slot.resize(p.len(), Rat::zero());
    }
    for (a, b) in slot.iter_mut().zip(p) {
        add_to(a, b);
    }
    while slot.last().is_some_and(Zero::is_zero) {
        slot.pop();
    }
    if slot.is_empty() {
        sum.remove(&(base, key));
    }
}

fn times_polynomial(p: &[Rat], q: &[Rat]) -> Vec<Rat> {
    let mut result = vec![Rat::zero(); (p.len() + q.len()).saturating_sub(1)];
    for (i, a) in p.iter().enumerate() {
        for (j, b) in q.iter().enumerate() {
            add_to(&mut result[i + j], &product(a, b));
        }
    }
    result
}

fn times(a: &Sum, b: &Sum) -> Sum {
    let mut sum = Sum::new();
    for ((base, key), p) in a {
        for ((other, with), q) in b {
            add(
                &mut sum,
                product(base, other),
                key.times(with),
                &times_polynomial(p, q),
            );
        }
    }
    sum
}

fn monomial(base: &Rat, key: GroupKey, p: Vec<Rat>) -> Sum {
    Sum::from([((base.clone(), key), p)])
}

fn constant(c: Rat) -> Sum {
    monomial(&Rat::one(), GroupKey::default(), vec![c])
}

/// An expression in one variable, grouped by factors, with the shift `s` of `G` and `A_b`.
#[derive(Clone)]
struct Groups {
    sum: Sum,
    shift: i64,
}

impl Groups {
    /// Groups the terms of an expression. Returns `None` if another kind of atom occurs, or a factorial whose argument is not the variable
    /// plus a constant.
    fn from_expr(expr: &Expr, v: Var) -> Option<Self> {
        let shift_of = |atom: &Atom| {
            let shift = atom.argument().coefficient(&Monomial::one());
            let plain = *atom.argument() == &Expr::var(v) + &Expr::constant(shift.clone());
            let shift = shift.to_integer().to_i64()?;
            (plain && atom.is_factorial() && shift.abs() <= SHIFT_LIMIT).then_some(shift)
        };
        let mut shift = 0;
        for atom in expr.atoms() {
            shift = shift.min(shift_of(atom)?);
        }
        let mut groups = Self {
            sum: Sum::new(),
            shift,
        };
        for (m, c) in expr.terms() {
            if !m.atom_exponentials.is_empty() || m.variables().any(|w| w != v) {
                return None;
            }
            let degree = usize::try_from(m.powers.get(&v).copied().unwrap_or(0)).ok()?;
            let mut p = vec![Rat::zero(); degree];
            p.push(c.clone());
            let base = m.exponentials.get(&v).cloned().unwrap_or_else(Rat::one);
            let mut product = monomial(&base, GroupKey::default(), p);
            for (atom, &k) in &m.atoms {
                let factor = groups.atom(atom, shift_of(atom)? - shift)?;
                for _ in 0..k {
                    product = times(&product, &factor);
                }
            }
            for ((base, key), p) in product {
                add(&mut groups.sum, base, key, &p);
            }
        }
        groups.scale_to_integers();
        Some(groups)
    }

    /// Multiplies all polynomials by their common denominator, which changes no sign.
    fn scale_to_integers(&mut self) {
        let coefficients = self.sum.values().flatten();
        let common = coefficients.fold(BigInt::one(), |d, c| d.lcm(c.denom()));
        let common = Rat::from_integer(common);
        for c in self.sum.values_mut().flatten() {
            *c *= &common;
        }
    }

    /// Returns the groups of an atom whose argument is `further` greater than the argument of `G` and `A_b`.
    fn atom(&self, atom: &Atom, further: i64) -> Option<Sum> {
        let mut key = GroupKey::default();
        let base = match atom {
            Atom::Factorial(_) => {
                key.factorials = 1;
                None
            }
            Atom::Arrangements { base, .. } => {
                key.arrangements.insert(base.clone(), 1);
                Some(base)
            }
            Atom::Floor(_) | Atom::Log { .. } | Atom::CFinite { .. } => return None,
        };
        let mut sum = monomial(&Rat::one(), key, vec![Rat::one()]);
        for i in 1..=further {
            sum = self.next(&sum, base, i)?;
        }
        Some(sum)
    }

    /// Returns `(n+s+i)·f`, plus `b^(n+s+i)` for arrangements.
    fn next(&self, f: &Sum, base: Option<&Rat>, i: i64) -> Option<Sum> {
        let at = self.shift + i;
        let factor = vec![Rat::from_integer(at.into()), Rat::one()];
        let mut sum = times(f, &monomial(&Rat::one(), GroupKey::default(), factor));
        if let Some(b) = base {
            let power = b.pow(i32::try_from(at).ok()?);
            add(&mut sum, b.clone(), GroupKey::default(), &[power]);
        }
        Some(sum)
    }

    /// Returns `f(n+1) - b·(n+s+1)^k·f(n)`.
    fn step(&self, base: &Rat, degree: u32) -> Option<Self> {
        let mut sum = Sum::new();
        for ((b, key), p) in &self.sum {
            let mut shifted = taylor(p, &BigInt::one());
            for c in &mut shifted {
                multiply_by(c, b);
            }
            let mut product = monomial(b, GroupKey::default(), shifted);
            let mut multiply = |key: GroupKey, base: Option<&Rat>, k: u32| {
                let next = self.next(&monomial(&Rat::one(), key, vec![Rat::one()]), base, 1)?;
                for _ in 0..k {
                    product = times(&product, &next);
                }
                Some(())
            };
            let one = GroupKey {
                factorials: 1,
                ..GroupKey::default()
            };
            multiply(one, None, key.factorials)?;
            for (b, &k) in &key.arrangements {
                let one = GroupKey {
                    factorials: 0,
                    arrangements: BTreeMap::from([(b.clone(), 1)]),
                };
                multiply(one, Some(b), k)?;
            }
            for ((b, key), p) in product {
                add(&mut sum, b, key, &p);
            }
        }
        let factor = vec![Rat::from_integer((self.shift + 1).into()), Rat::one()];
        let mut rate = constant(-base.clone());
        for _ in 0..degree {
            rate = times(
                &rate,
                &monomial(&Rat::one(), GroupKey::default(), factor.clone()),
            );
        }
        for ((b, key), p) in times(&self.sum, &rate) {
            add(&mut sum, b, key, &p);
        }
        Some(Self {
            sum,
            shift: self.shift,
        })
    }

    fn value(&self, at: &BigInt) -> Option<Rat> {
        let n = at.to_i32()?;
        let index = usize::try_from(i64::from(n) + self.shift).ok()?;
        let mut sum = Rat::zero();
        for ((base, key), p) in &self.sum {
            let mut term = value(p, at);
            multiply_by(&mut term, &base.pow(n));
            if key.factorials > 0 {
                let of = Rat::from_integer(factorial(index)?);
                multiply_by(&mut term, &of.pow(i32::try_from(key.factorials).ok()?));
            }
            for (b, &k) in &key.arrangements {
                let power = arrangements(b, index)?.pow(i32::try_from(k).ok()?);
                multiply_by(&mut term, &power);
            }
            add_to(&mut sum, &term);
        }
        Some(sum)
    }

    /// Returns true only if the groups are proved non-negative for all numbers of at least `start`, given that all values are defined
    /// there.
    fn is_nonnegative_from(&self, start: &BigInt, depth: u32, fuel: &mut Search) -> bool {
        let mut negative: Vec<(u32, Rat)> = Vec::new();
        for ((base, key), p) in &self.sum {
            if !is_nonnegative(&taylor(p, start)) {
                negative.push((key.degree(), base.clone()));
            }
        }
        if negative.is_empty() {
            return true;
        }
        if depth == 0 || !spend(fuel) || self.value(start).is_none_or(|r| r.is_negative()) {
            return false;
        }
        // Take the fastest-growing negative group first: the positive terms of its step also dominate the slower-growing groups.
        negative.sort();
        negative.dedup();
        negative.into_iter().rev().any(|(degree, base)| {
            self.step(&base, degree)
                .is_some_and(|step| step.is_nonnegative_from(start, depth - 1, fuel))
        })
    }

    /// Proves non-negativity after replacing arrangements that have a negative factor by an upper bound and, if `all` is set, arrangements
    /// that have a positive factor by a lower bound.
    fn bounded_from(&self, start: &BigInt, all: bool, fuel: &mut Search) -> bool {
        let Some(m) = start
            .to_i64()
            .and_then(|n| usize::try_from(n + self.shift).ok())
        else {
            return false;
        };
        let mut sum = Sum::new();
        let mut changed = false;
        for ((base, key), p) in &self.sum {
            let shifted = taylor(p, start);
            let opposite: Vec<Rat> = shifted.iter().map(|c| -c).collect();
            let up = is_nonnegative(&opposite);
            if key.arrangements.is_empty() || !(up || all && is_nonnegative(&shifted)) {
                add(&mut sum, base.clone(), key.clone(), p);
                continue;
            }
            changed = true;
            let rest = GroupKey {
                factorials: key.factorials,
                arrangements: BTreeMap::new(),
            };
            let mut product = monomial(base, rest, p.clone());
            for (b, &k) in &key.arrangements {
                let Some(bound) = (if up {
                    self.arrangements_upper(b, m)
                } else {
                    arrangements_lower(b, m)
                }) else {
                    return false;
                };
                for _ in 0..k {
                    product = times(&product, &bound);
                }
            }
            for ((b, key), p) in product {
                add(&mut sum, b, key, &p);
            }
        }
        let shift = self.shift;
        changed && Self { sum, shift }.is_nonnegative_from(start, DEPTH, fuel)
    }

    /// Returns `q·G - b^(n+s)`, an upper bound on `A_b` for n+s >= m.
    fn arrangements_upper(&self, base: &Rat, m: usize) -> Option<Sum> {
        let least = Rat::from_integer(BigInt::from(m) + 1);
        if base + base > least {
            return None;
        }
        let power = base.pow(i32::try_from(m).ok()?);
        let q = (arrangements(base, m)? + power) / Rat::from_integer(factorial(m)?);
        let one = GroupKey {
            factorials: 1,
            ..GroupKey::default()
        };
        let mut bound = monomial(&Rat::one(), one, vec![q]);
        let power = base.pow(i32::try_from(self.shift).ok()?);
        add(&mut bound, base.clone(), GroupKey::default(), &[-power]);
        Some(bound)
    }
}
