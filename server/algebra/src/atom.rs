//! Functions that are not polynomials, as opaque factors of monomials: floors, integer logarithms, linear recurrence sequences, and
//! factorials (`factorial`).
//!
//! Atoms are built in a normal form, so that equal functions have equal atoms if this is cheap to ensure: integer parts are moved out of a
//! floor (`⌊n/2-1⌋` becomes `⌊n/2⌋-1`), common powers of the base are moved out of a logarithm (`⌊log₂ 4n⌋` becomes `⌊log₂ n⌋+2`), and only
//! d consecutive shifts of a sequence of order d occur, since all other shifts are combinations of these. The induction steps for
//! `evenl([_,_|T]) :- evenl(T)` and for Fibonacci numbers then cancel to zero. Relations with a side condition (`⌊log₂ n⌋ = ⌊log₂ ⌊n/2⌋⌋+1`
//! for n >= 2) are left to the prover.
//!
//! All variables are integers. A logarithm is defined if its argument is at least 1, a sequence or a factorial if its index is
//! non-negative; elsewhere, expressions that contain it have no value ([`crate::prove::defined`]).

pub(crate) mod factorial;

use std::collections::{BTreeMap, VecDeque};

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use serde::{Deserialize, Serialize};

use crate::expr::{Expr, Monomial, Rat, Var, rat};

/// The direction in which a logarithm is rounded to an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Rounding {
    /// Rounds to the greatest integer that does not exceed the value.
    Down,
    /// Rounds to the least integer that is not below the value.
    Up,
}

/// An opaque function of the variables; only the constructors of [`Expr`] build it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Atom {
    /// `⌊e⌋` for a linear `e` whose coefficients are between 0 and 1.
    Floor(Expr),
    /// The rounded logarithm of a linear expression with integer coefficients.
    Log {
        /// The base, at least 2.
        base: u32,
        /// The direction of rounding.
        rounding: Rounding,
        /// The argument: linear, with integer coefficients.
        of: Expr,
    },
    /// The sequence `u(i) = a₁·u(i-1) + … + a_d·u(i-d)` that starts with d-1 zeros and a 1, at an index.
    CFinite {
        /// The coefficients a₁ to a_d, d >= 2; the last is not 0.
        coefficients: Vec<Rat>,
        /// The index: linear with natural coefficients and a constant from 0 to d-1.
        index: Expr,
    },
    /// `e!` for a linear expression with integer coefficients and a constant of at most 0.
    Factorial(Expr),
    /// `Σ e!/k!·b^k` for k from 0 to e: the number of arrangements of e things if b is 1.
    Arrangements {
        /// The base, which is positive.
        base: Rat,
        /// The argument, as in a factorial.
        of: Expr,
    },
}

/// The highest supported order of a sequence.
const ORDER_LIMIT: usize = 8;

/// The greatest distance from a normal index that is rewritten.
const SHIFT_LIMIT: u32 = 256;

/// The greatest index at which a sequence is evaluated.
const INDEX_LIMIT: usize = 20_000;

impl Atom {
    /// Returns the argument of the function.
    #[must_use]
    pub fn argument(&self) -> &Expr {
        match self {
            Self::Floor(e) => e,
            Self::Log { of, .. } => of,
            Self::CFinite { index, .. } => index,
            Self::Factorial(of) | Self::Arrangements { of, .. } => of,
        }
    }

    /// Returns whether all values of the atom are integers.
    #[must_use]
    pub fn is_integer_valued(&self) -> bool {
        match self {
            Self::Floor(_) | Self::Log { .. } | Self::Factorial(_) => true,
            Self::Arrangements { base, .. } => base.is_integer(),
            Self::CFinite { coefficients, .. } => coefficients.iter().all(Rat::is_integer),
        }
    }

    /// Returns the atom after replacing variables.
    #[must_use]
    pub fn substitute(&self, by: &BTreeMap<Var, Expr>) -> Option<Expr> {
        let argument = self.argument().substitute(by)?;
        match self {
            Self::Floor(_) => Expr::floor(&argument),
            Self::Log { base, rounding, .. } => Expr::log(*base, *rounding, &argument),
            Self::CFinite { coefficients, .. } => {
                let mut initial = vec![Rat::zero(); coefficients.len()];
                *initial.last_mut()? = Rat::one();
                Expr::cfinite(coefficients, &initial, &argument)
            }
            Self::Factorial(_) => Expr::factorial(&argument),
            Self::Arrangements { base, .. } => Expr::arrangements(base, &argument),
        }
    }

    /// Returns the value, or `None` if it is undefined or its computation is too expensive.
    pub fn eval(&self, value: &dyn Fn(Var) -> Option<BigInt>) -> Option<Rat> {
        let argument = self.argument().eval(value)?;
        match self {
            Self::Floor(_) => Some(argument.floor()),
            Self::Log { base, rounding, .. } => {
                let log = integer_log(*base, *rounding, &argument.to_integer())?;
                Some(Rat::from_integer(log.into()))
            }
            Self::CFinite { coefficients, .. } => {
                let index = argument.to_integer().to_usize()?;
                nth(coefficients, index)
            }
            Self::Factorial(_) => {
                let of = argument.to_integer().to_usize()?;
                Some(Rat::from_integer(factorial::factorial(of)?))
            }
            Self::Arrangements { base, .. } => {
                factorial::arrangements(base, argument.to_integer().to_usize()?)
            }
        }
    }

    /// Returns the first `count` values `u(i)` of a sequence.
    pub(crate) fn beginning(coefficients: &[Rat], count: usize) -> Vec<Rat> {
        let d = coefficients.len();
        let mut values = Vec::with_capacity(count.max(d));
        for i in 0..count.max(d) {
            let next = if i + 1 < d {
                Rat::zero()
            } else if i + 1 == d {
                Rat::one()
            } else {
                (1..=d).map(|k| &coefficients[k - 1] * &values[i - k]).sum()
            };
            values.push(next);
        }
        values.truncate(count);
        values
    }
}

/// Returns the term with the given index of the sequence that starts with zeros and a 1.
fn nth(coefficients: &[Rat], index: usize) -> Option<Rat> {
    let d = coefficients.len();
    let widest = coefficients
        .iter()
        .map(|c| c.numer().bits().max(c.denom().bits()))
        .max()?;
    if index > INDEX_LIMIT || widest.saturating_mul(index as u64) > 64 * INDEX_LIMIT as u64 {
        return None;
    }
    let window = Atom::beginning(coefficients, d);
    if index < d {
        return window.get(index).cloned();
    }
    let further = index + 1 - d;
    // Integer arithmetic avoids cancelling fractions, which would take most of the time.
    if coefficients.iter().all(Rat::is_integer) {
        let integers = |all: &[Rat]| all.iter().map(Rat::to_integer).collect::<Vec<BigInt>>();
        let last = continued(&integers(coefficients), integers(&window), further)?;
        return Some(Rat::from_integer(last));
    }
    continued(coefficients, window, further)
}

/// Returns the last term of a sequence after extending its initial terms by `members` terms.
fn continued<N>(coefficients: &[N], first: Vec<N>, members: usize) -> Option<N>
where
    N: std::iter::Sum,
    for<'n> &'n N: std::ops::Mul<&'n N, Output = N>,
{
    let mut window = VecDeque::from(first);
    for _ in 0..members {
        let next = (coefficients.iter())
            .zip(window.iter().rev())
            .map(|(a, u)| a * u)
            .sum();
        window.pop_front();
        window.push_back(next);
    }
    window.pop_back()
}

/// Returns the rounded logarithm of a number that is at least 1.
#[must_use]
pub(crate) fn integer_log(base: u32, rounding: Rounding, of: &BigInt) -> Option<u64> {
    if !of.is_positive() {
        return None;
    }
    // Compute the greatest power that does not exceed the number: estimate it from the bits, then proceed in single steps.
    let b = BigInt::from(base);
    let bits = of.bits() - 1;
    let mut k = bits / u64::from(u32::BITS - base.leading_zeros());
    let mut power = b.pow(u32::try_from(k).ok()?);
    loop {
        let next = &power * &b;
        if next > *of {
            break;
        }
        power = next;
        k += 1;
    }
    Some(match rounding {
        Rounding::Up if power < *of => k + 1,
        _ => k,
    })
}

impl Expr {
    /// Wraps an atom without normalising it.
    #[must_use]
    pub fn atom(atom: Atom) -> Self {
        let mut m = Monomial::one();
        m.atoms.insert(atom, 1);
        Self::monomial(m, Rat::one())
    }

    /// Returns `⌊e⌋`. Returns `None` unless `e`, apart from an integer part, is linear or a floor divided by an integer (`⌊⌊n/2⌋/2⌋`
    /// becomes `⌊n/4⌋`).
    #[must_use]
    pub fn floor(e: &Self) -> Option<Self> {
        let (mut whole, mut rest) = (Self::zero(), Self::zero());
        for (m, c) in e.terms() {
            if m.is_integer_valued() {
                whole.add_monomial(m.clone(), c.floor());
                rest.add_monomial(m.clone(), c - c.floor());
            } else {
                rest.add_monomial(m.clone(), c.clone());
            }
        }
        let inside = if rest.is_linear() { rest } else { flat(&rest)? };
        // (g·A + a)/d, where g is the greatest common divisor of the variables' coefficients and d: a mod g may be dropped from the
        // constant.
        let d = inside.common_denominator();
        let g = inside
            .terms()
            .filter(|(m, _)| !m.is_one())
            .fold(d.clone(), |g, (_, c)| {
                g.gcd(&(c.numer() * (&d / c.denom())))
            });
        let step = Rat::new(g, d);
        let mut inside = inside;
        let constant = inside.coefficient(&Monomial::one());
        let excess = &constant - &(&step * (&constant / &step).floor());
        inside.add_monomial(Monomial::one(), -excess);
        match inside.as_constant() {
            Some(c) => whole += &Self::constant(c.floor()),
            None if inside
                .terms()
                .all(|(_, c)| !c.is_negative() && *c < Rat::one()) =>
            {
                whole += &residue_free(inside);
            }
            // An inner floor produced integer parts.
            None => whole += &Self::floor(&inside)?,
        }
        Some(whole)
    }

    /// Returns `⌈e⌉`, which is `-⌊-e⌋`.
    #[must_use]
    pub fn ceil(e: &Self) -> Option<Self> {
        Some(-&Self::floor(&-e)?)
    }

    /// Returns `a - b·⌊a/b⌋` for a positive integer b.
    #[must_use]
    pub fn modulo(a: &Self, b: &Rat) -> Option<Self> {
        if !b.is_positive() || !b.is_integer() {
            return None;
        }
        let quotient = Self::floor(&a.scale(&b.recip()))?;
        Some(a - &quotient.scale(b))
    }

    /// Returns the rounded logarithm of a linear expression with integer coefficients, or (for [`Rounding::Down`]) of such an expression
    /// divided by the base and rounded down. Returns `None` for other arguments.
    #[must_use]
    pub fn log(base: u32, rounding: Rounding, of: &Self) -> Option<Self> {
        if base < 2 {
            return None;
        }
        let b = Rat::from_integer(base.into());
        let (mut of, mut shift) = (of.clone(), 0i64);
        if let Some((inner, times)) = unrounded(&of, &b)
            && rounding == Rounding::Down
        {
            of = inner;
            shift -= times;
        }
        if !of.is_linear() || of.terms().any(|(_, c)| !c.is_integer()) {
            return None;
        }
        if let Some(c) = of.as_constant() {
            let log = integer_log(base, rounding, &c.to_integer())?;
            return Some(Self::int(i64::try_from(log).ok()?.checked_add(shift)?));
        }
        while of.terms().all(|(_, c)| (c / &b).is_integer()) {
            of = of.scale(&b.recip());
            shift += 1;
        }
        Some(&Self::atom(Atom::Log { base, rounding, of }) + &Self::int(shift))
    }

    /// Returns `⌊log_b e⌋`.
    #[must_use]
    pub fn flog(base: u32, of: &Self) -> Option<Self> {
        Self::log(base, Rounding::Down, of)
    }

    /// Returns `⌈log_b e⌉`.
    #[must_use]
    pub fn clog(base: u32, of: &Self) -> Option<Self> {
        Self::log(base, Rounding::Up, of)
    }

    /// Returns the sequence with initial values `t(0) … t(d-1)` and `t(i) = a₁·t(i-1) + … + a_d·t(i-d)`, at an index that is linear with
    /// natural coefficients.
    #[must_use]
    pub fn cfinite(coefficients: &[Rat], initial: &[Rat], index: &Self) -> Option<Self> {
        let d = coefficients.len();
        if d == 0 || d > ORDER_LIMIT || initial.len() != d || !index.is_linear() {
            return None;
        }
        let at = |e: &Self| -> Option<Self> {
            let constant = e.coefficient(&Monomial::one());
            let base = e - &Self::constant(constant.clone());
            let natural = e.terms().all(|(_, c)| c.is_integer());
            if !natural || base.terms().any(|(_, c)| c.is_negative()) {
                return None;
            }
            if base.is_zero() {
                return None;
            }
            let weights = shifted(coefficients, constant.to_integer().to_i32()?)?;
            let mut sum = Self::zero();
            for (i, w) in weights.iter().enumerate() {
                let index = &base + &Self::int(i64::try_from(i).ok()?);
                sum += &Self::atom(Atom::CFinite {
                    coefficients: coefficients.to_vec(),
                    index,
                })
                .scale(w);
            }
            Some(sum)
        };
        // If u starts with 0, …, 0, 1, then t(i) = Σⱼ wⱼ·u(i+j), and the first d values determine the weights, starting with the last
        // weight.
        let start = Atom::beginning(coefficients, 2 * d);
        let mut weights = vec![Rat::zero(); d];
        for (i, t) in initial.iter().enumerate() {
            // In t(i) = Σ_{j >= d-1-i} wⱼ·u(i+j), w_{d-1-i} has the factor u(d-1) = 1.
            let known: Rat = (d - i..d).map(|j| &weights[j] * &start[i + j]).sum();
            weights[d - 1 - i] = t - known;
        }
        if let Some(c) = index.as_constant() {
            let i = c.is_integer().then(|| c.to_integer().to_usize())??;
            let mut sum = Rat::zero();
            for (j, w) in weights.iter().enumerate() {
                sum += w * nth(coefficients, i + j)?;
            }
            return Some(Self::constant(sum));
        }
        if coefficients[d - 1].is_zero() {
            return None;
        }
        if d == 1 {
            let power = Self::power_of(&coefficients[0], index)?;
            return Some(power.scale(&initial[0]));
        }
        let mut sum = Self::zero();
        for (j, w) in weights.iter().enumerate() {
            let shifted = index + &Self::int(i64::try_from(j).ok()?);
            sum += &at(&shifted)?.scale(w);
        }
        Some(sum)
    }
}

/// Returns the weights of `u(i), …, u(i+d-1)` in `u(i+shift)`: `x^shift` modulo the characteristic polynomial.
fn shifted(coefficients: &[Rat], shift: i32) -> Option<Vec<Rat>> {
    let d = coefficients.len();
    if shift.unsigned_abs() > SHIFT_LIMIT {
        return None;
    }
    let mut weights = vec![Rat::zero(); d];
    weights[0] = Rat::one();
    for _ in 0..shift.unsigned_abs() {
        if shift > 0 {
            // x·x^(d-1) = a₁·x^(d-1) + … + a_d
            let top = weights.pop()?;
            weights.insert(0, Rat::zero());
            for (i, w) in weights.iter_mut().enumerate() {
                *w += &top * &coefficients[d - 1 - i];
            }
        } else {
            // x^(-1) = (x^(d-1) - a₁·x^(d-2) - … - a_(d-1))/a_d
            let bottom = weights.remove(0) / &coefficients[d - 1];
            weights.push(bottom.clone());
            for (i, w) in weights.iter_mut().enumerate().take(d - 1) {
                *w -= &bottom * &coefficients[d - 2 - i];
            }
        }
    }
    Some(weights)
}

/// Rewrites a floor by Hermite's identity: `⌊(A+d-1)/d⌋` is `A - ⌊A/d⌋ - … - ⌊(A+d-2)/d⌋` for an integer A. Each of the d floors is a
/// combination of the other floors; by convention, the last floor is rewritten.
fn residue_free(inside: Expr) -> Expr {
    const LIMIT: u32 = 8;
    let d = inside.common_denominator();
    let constant = inside.coefficient(&Monomial::one());
    let one = Rat::new(BigInt::one(), d.clone());
    let last = &constant + &one == Rat::one();
    let Some(count) = d.to_u32().filter(|d| last && *d <= LIMIT) else {
        return Expr::atom(Atom::Floor(inside));
    };
    let base = &inside - &Expr::constant(constant);
    let mut result = base.scale(&Rat::from_integer(d));
    for r in 0..count - 1 {
        let argument = &base + &Expr::constant(&one * rat(r.into()));
        result += &-&Expr::atom(Atom::Floor(argument));
    }
    result
}

/// Returns the argument of the single floor that equals `⌊(⌊x⌋ + y)/k⌋` with integer-valued linear y: `(x + y)/k`.
fn flat(rest: &Expr) -> Option<Expr> {
    let mut inner = None;
    for (m, c) in rest.terms() {
        match m.single_atom() {
            Some(Atom::Floor(x)) if inner.is_none() => inner = Some((m, x, c.clone())),
            _ if m.is_one() || (m.is_plain() && m.exponentials.is_empty() && m.degree() == 1) => {}
            _ => return None,
        }
    }
    let (m, x, c) = inner?;
    if !c.numer().is_one() {
        return None;
    }
    let mut outer = rest.clone();
    outer.add_monomial(m.clone(), -c.clone());
    // Integer terms between the two floors remain integers; only the integer part of a constant matters.
    let k = c.recip();
    let mut scaled = outer.scale(&k);
    let constant = scaled.coefficient(&Monomial::one());
    scaled.add_monomial(Monomial::one(), constant.floor() - constant);
    if scaled.terms().any(|(_, c)| !c.is_integer()) {
        return None;
    }
    Some((x + &scaled).scale(&c))
}

/// Returns L and t if the argument is a floor `⌊L/b^t⌋`: the logarithms of L and the floor differ by t.
fn unrounded(of: &Expr, b: &Rat) -> Option<(Expr, i64)> {
    let mut terms = of.terms().filter(|(m, _)| m.single_atom().is_some());
    let (m, c) = terms.next()?;
    let Some(Atom::Floor(x)) = m.single_atom() else {
        return None;
    };
    if terms.next().is_some() || !c.is_one() {
        return None;
    }
    let mut whole = of.clone();
    whole.add_monomial(m.clone(), -Rat::one());
    if !whole.is_linear() || whole.terms().any(|(_, c)| !c.is_integer()) {
        return None;
    }
    let (mut inner, mut times) = (&whole + x, 0);
    let d = Rat::from_integer(inner.common_denominator());
    let mut power = Rat::one();
    while power < d {
        power *= b;
        times += 1;
    }
    if power != d {
        return None;
    }
    inner = inner.scale(&power);
    Some((inner, times))
}

#[cfg(test)]
mod tests;
