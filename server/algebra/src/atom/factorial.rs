//! Factorials and numbers of arrangements: the growth of `T(n) = n·T(n-1) + g(n)`.
//!
//! `perm([H|T], [X|R]) :- sel(X, [H|T], L), perm(L, R).` has n! solutions. Its steps satisfy `T(n) = n·T(n-1) + 2n+1`, `T(0) = 1`. The
//! solution is `3·A(n) - 2` with the number of arrangements `A(n) = Σ n!/k!` (k from 0 to n; 1, 2, 5, 16, 65, …), which satisfies
//! `A(n) = n·A(n-1) + 1` and is close to `e·n!`. With a base, `A_b(n) = Σ n!/k!·b^k = n·A_b(n-1) + b^n`, which is close to `e^b·n!`.
//!
//! The normal form has no positive shifts (`(n+1)!` becomes `n·n! + n!`), and lifts a factorial with a negative shift that would be
//! multiplied by a variable (`n·(n-1)!` becomes `n!`, `n·A(n-1)` becomes `A(n) - 1`), so that the induction steps of such recurrences
//! cancel. A product like `n·(n-1)!`, which is undefined at 0, gets the value of its rewritten form.

use litemap::LiteMap;
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::Atom;
use crate::enclosure::Enclosure;
use crate::expr::{Expr, Monomial, Rat, Var, rat};

/// The greatest shift that is rewritten.
const SHIFT_LIMIT: i64 = 24;

/// The greatest number whose factorial is computed.
const FACTORIAL_LIMIT: usize = 5_000;

/// The greatest number whose number of arrangements is computed.
const ARRANGEMENTS_LIMIT: usize = 2_000;

/// The highest degree in the variable of a product that is rewritten.
const DEGREE_LIMIT: u32 = 64;

/// The greatest number of terms in a sum that is rewritten.
const TERM_LIMIT: usize = 512;

/// The maximum number of rewriting rounds.
const ROUND_LIMIT: u32 = 200;

/// The maximum number of bits in the numerator and denominator of the base of arrangements.
const BASE_BITS: u64 = 32;

/// The two functions, which both satisfy `f(a) = a·f(a-1) + s(a)`.
#[derive(Clone, Copy)]
enum FactorialKind<'a> {
    /// `s = 0`.
    Factorial,
    /// `s(a) = b^a`.
    Arrangements(&'a Rat),
}

impl FactorialKind<'_> {
    fn classify(atom: &Atom) -> Option<(FactorialKind<'_>, &Expr)> {
        match atom {
            Atom::Factorial(of) => Some((FactorialKind::Factorial, of)),
            Atom::Arrangements { base, of } => Some((FactorialKind::Arrangements(base), of)),
            Atom::Floor(_) | Atom::Log { .. } | Atom::CFinite { .. } => None,
        }
    }

    fn atom(self, of: Expr) -> Expr {
        Expr::atom(match self {
            Self::Factorial => Atom::Factorial(of),
            Self::Arrangements(base) => Atom::Arrangements {
                base: base.clone(),
                of,
            },
        })
    }

    /// Returns `s(a)`.
    fn added(self, at: &Expr) -> Option<Expr> {
        match self {
            Self::Factorial => Some(Expr::zero()),
            Self::Arrangements(base) => Expr::power_of(base, at),
        }
    }

    fn value(self, at: &BigInt) -> Option<Rat> {
        let at = at.to_usize()?;
        match self {
            Self::Factorial => factorial(at).map(Rat::from_integer),
            Self::Arrangements(base) => arrangements(base, at),
        }
    }

    fn build(self, of: &Expr) -> Option<Expr> {
        if !of.is_linear() || of.terms().any(|(_, c)| !c.is_integer()) {
            return None;
        }
        if let Some(c) = of.as_constant() {
            return self.value(&c.to_integer()).map(Expr::constant);
        }
        let shift = of.coefficient(&Monomial::one()).to_integer().to_i64()?;
        if shift.abs() > SHIFT_LIMIT {
            return None;
        }
        if shift <= 0 {
            return Some(self.atom(of.clone()));
        }
        let mut at = of - &Expr::int(shift);
        let mut value = self.atom(at.clone());
        for _ in 0..shift {
            at += &Expr::int(1);
            value = &(&value * &at) + &self.added(&at)?;
        }
        Some(value)
    }
}

/// Returns `n!` unless n is too large.
#[must_use]
pub(crate) fn factorial(n: usize) -> Option<BigInt> {
    (n <= FACTORIAL_LIMIT).then(|| (1..=n).fold(BigInt::one(), |product, i| product * i))
}

/// Returns `Σ n!/k!·b^k` for k from 0 to n.
#[must_use]
pub(crate) fn arrangements(base: &Rat, n: usize) -> Option<Rat> {
    let widest = base.numer().bits().max(base.denom().bits());
    if n > ARRANGEMENTS_LIMIT || widest > BASE_BITS {
        return None;
    }
    // For b = p/q, in integers: q^n·A(n) = n·q·(q^(n-1)·A(n-1)) + p^n.
    let (p, q) = (base.numer(), base.denom());
    let (mut value, mut power, mut scale) = (BigInt::one(), BigInt::one(), BigInt::one());
    for i in 1..=n {
        power *= p;
        scale *= q;
        value = value * q * i + &power;
    }
    Some(Rat::new(value, scale))
}

/// Returns bounds on `e^b`, the limit of the quotients of [`arrangements`] and factorials.
#[must_use]
pub(crate) fn euler_power(base: &Rat) -> Option<Enclosure> {
    const TERMS: usize = 200;
    if *base > rat(64) {
        return None;
    }
    let below = arrangements(base, TERMS)? / Rat::from_integer(factorial(TERMS)?);
    // Each remaining term is less than half of the previous term, so their sum is less than the last added term.
    let last = base.pow(i32::try_from(TERMS).ok()?) / Rat::from_integer(factorial(TERMS)?);
    Some(Enclosure {
        high: &below + last,
        low: below,
    })
}

impl Expr {
    /// Returns `of!` for a linear expression with integer coefficients; it is defined if `of` is non-negative.
    #[must_use]
    pub fn factorial(of: &Self) -> Option<Self> {
        FactorialKind::Factorial.build(of)
    }

    /// Returns `Σ of!/k!·base^k` for k from 0 to `of`, with a positive base; it is defined if `of` is non-negative.
    #[must_use]
    pub fn arrangements(base: &Rat, of: &Self) -> Option<Self> {
        if !base.is_positive() {
            return None;
        }
        FactorialKind::Arrangements(base).build(of)
    }
}

impl Atom {
    /// Returns whether this is a factorial or a number of arrangements.
    #[must_use]
    pub fn is_factorial(&self) -> bool {
        FactorialKind::classify(self).is_some()
    }
}

/// Returns the normal form of a product of variables and factorials with a negative shift; see the module documentation.
pub(crate) fn lifted(product: Expr) -> Expr {
    let mut product = product;
    for _ in 0..ROUND_LIMIT {
        if product.terms().count() > TERM_LIMIT
            || !product.terms().any(|(m, _)| liftable(m).is_some())
        {
            return product;
        }
        let mut next = Expr::zero();
        for (m, c) in product.terms() {
            match liftable(m).and_then(|(atom, v)| lift(m, atom, v)) {
                Some(e) => next += &e.scale(c),
                None => next.add_monomial(m.clone(), c.clone()),
            }
        }
        product = next;
    }
    product
}

/// Returns a factorial with a negative shift, and its first variable that is also a factor of the monomial.
fn liftable(m: &Monomial) -> Option<(&Atom, Var)> {
    m.atoms.keys().find_map(|atom| {
        let (_, of) = FactorialKind::classify(atom)?;
        let v = *of.variables().first()?;
        let negative = of.coefficient(&Monomial::one()).is_negative();
        let degree = *m.powers.get(&v)?;
        (negative && degree <= DEGREE_LIMIT).then_some((atom, v))
    })
}

/// Lifts a factorial: if its argument plus one is `a = c·v + rest`, then `v·f(a-1) = (f(a) - s(a) - rest·f(a-1))/c`.
fn lift(m: &Monomial, atom: &Atom, v: Var) -> Option<Expr> {
    let (kind, of) = FactorialKind::classify(atom)?;
    let above = of + &Expr::int(1);
    let mut single = Monomial::one();
    single.powers.insert(v, 1);
    let c = above.coefficient(&single);
    let rest = &above - &Expr::var(v).scale(&c);
    let mut others = m.clone();
    lower(&mut others.powers, &v);
    lower(&mut others.atoms, atom);
    let with = |e: &Expr| {
        // The product is computed monomial by monomial, since multiplying expressions would call this function again.
        let mut all = Expr::zero();
        for (n, c) in e.terms() {
            all.add_monomial(others.times(n), c.clone());
        }
        all
    };
    let mut replaced = with(&kind.atom(above.clone()));
    replaced += &-&with(&kind.added(&above)?);
    let mut kept = others.clone();
    *kept.atoms.entry(atom.clone()).or_insert(0) += 1;
    for (n, c) in rest.terms() {
        replaced.add_monomial(kept.times(n), -c.clone());
    }
    Some(replaced.scale(&c.recip()))
}

/// Decrements the power of a factor.
fn lower<K: Ord>(powers: &mut LiteMap<K, u32>, factor: &K) {
    if let Some(k) = powers.get_mut(factor) {
        *k -= 1;
        if k.is_zero() {
            powers.remove(factor);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const N: Var = Var(0);
    const M: Var = Var(1);

    fn n() -> Expr {
        Expr::var(N)
    }

    fn value_at(e: &Expr, n: i64, m: i64) -> Option<Rat> {
        e.eval(&|v| Some(if v == N { n } else { m }.into()))
    }

    #[test]
    fn the_factors_of_a_shifted_factorial_leave_it() {
        let f = Expr::factorial(&n()).unwrap();
        let next = Expr::factorial(&(&n() + &Expr::int(1))).unwrap();
        assert_eq!(next, &(&n() + &Expr::int(1)) * &f);
        let before = Expr::factorial(&(&n() - &Expr::int(1))).unwrap();
        assert_eq!(&n() * &before, f);
        let twice = Expr::factorial(&(&n() - &Expr::int(2))).unwrap();
        assert_eq!(&(&n() * &(&n() - &Expr::int(1))) * &twice, f);
        let values = [0, 1, 2, 3, 10].map(|x| value_at(&f, x, 0).unwrap());
        assert_eq!(values, [1, 1, 2, 6, 3_628_800].map(rat));
        assert_eq!(value_at(&f, -1, 0), None);
    }

    #[test]
    fn arrangements_satisfy_their_recurrence() {
        for base in [rat(1), rat(3), Rat::new(1.into(), 2.into())] {
            let a = Expr::arrangements(&base, &n()).unwrap();
            let by = BTreeMap::from([(N, &n() - &Expr::int(1))]);
            let before = a.substitute(&by).unwrap();
            let power = Expr::power_of(&base, &n()).unwrap();
            assert_eq!(&(&n() * &before) + &power, a);
            let sum = |n: usize| -> Rat {
                (0..=n)
                    .map(|k| {
                        let quotient = Rat::new(factorial(n).unwrap(), factorial(k).unwrap());
                        quotient * base.pow(i32::try_from(k).unwrap())
                    })
                    .sum()
            };
            for x in 0..9 {
                assert_eq!(value_at(&a, x as i64, 0), Some(sum(x)), "{base} {x}");
            }
        }
    }

    #[test]
    fn products_are_lifted_without_a_change_of_value() {
        let shift = |k: i64| &n() + &Expr::int(k);
        let both = &n().scale(&rat(2)) + &Expr::var(M);
        for k in -4i64..=3 {
            let factors = [
                Expr::factorial(&shift(k)).unwrap(),
                Expr::arrangements(&rat(2), &shift(k)).unwrap(),
                Expr::factorial(&(&both + &Expr::int(k))).unwrap(),
            ];
            for f in &factors {
                for p in [n().pow(3), &n() * &Expr::var(M), f.clone()] {
                    let product = &p * f;
                    for (x, y) in [(4, 0), (5, 2), (9, 3)] {
                        let expected = value_at(&p, x, y).unwrap() * value_at(f, x, y).unwrap();
                        assert_eq!(value_at(&product, x, y), Some(expected), "{k} {p:?} {f:?}");
                    }
                }
            }
        }
    }
}
