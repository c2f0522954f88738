//! One half of the integers: `Σ B_i^n·q_i(n)` for n >= 0 with positive integers `B_i` and integer polynomials `q_i`.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::Sign;
use super::scaled::Scaled;
use crate::expr::{Expr, Rat, Var};

/// The direction in which a side is traversed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// The variable is the step index.
    Up,
    /// The variable is the negated step index.
    Down,
}

/// A constant sign from `start` to the start of the next piece, or to infinity.
#[derive(Clone, Debug)]
pub(super) struct SignPiece {
    pub(super) start: BigInt,
    pub(super) sign: Option<Sign>,
}

/// The highest supported degree.
const MAX_DEGREE: u32 = 64;
/// The greatest number of bits of a power that is computed immediately; longer powers are computed only if enclosures do not determine the
/// sign.
const SHORT_BITS: u64 = 2_000;
/// The greatest number of bits of a power that is computed at all.
const MAX_BITS: u64 = 32_000;

/// A function on the non-negative integers.
pub(super) struct Side {
    terms: Vec<Term>,
}

/// `base^n · Σ polynomial[i]·n^i`.
struct Term {
    base: BigInt,
    /// The coefficients; the last is not 0.
    polynomial: Vec<BigInt>,
    /// The same base and coefficients as machine integers, if they fit.
    small: Option<(u64, Vec<i128>)>,
}

impl Term {
    fn new(base: BigInt, polynomial: Vec<BigInt>) -> Self {
        let small = polynomial
            .iter()
            .map(ToPrimitive::to_i128)
            .collect::<Option<Vec<_>>>()
            .and_then(|coefficients| Some((base.to_u64()?, coefficients)));
        Self {
            base,
            polynomial,
            small,
        }
    }

    fn at_small(&self, n: i128, with_base: bool) -> Option<i128> {
        let (base, coefficients) = self.small.as_ref()?;
        let mut sum = 0i128;
        for c in coefficients.iter().rev() {
            sum = sum.checked_mul(n)?.checked_add(*c)?;
        }
        if with_base && *base != 1 {
            let power = i128::from(*base).checked_pow(u32::try_from(n).ok()?)?;
            sum = sum.checked_mul(power)?;
        }
        Some(sum)
    }

    fn polynomial_at(&self, n: &BigInt) -> BigInt {
        let mut sum = BigInt::zero();
        for c in self.polynomial.iter().rev() {
            sum = sum * n + c;
        }
        sum
    }
}

impl Side {
    /// Returns the side of an expression, or `None` if the expression contains another variable or too high a power.
    pub(super) fn new(e: &Expr, v: Var, direction: Direction) -> Option<Self> {
        let mut by_base: BTreeMap<Rat, Vec<Rat>> = BTreeMap::new();
        for (m, c) in e.terms() {
            if !m.is_plain() || m.variables().any(|w| w != v) {
                return None;
            }
            let degree = m.powers.get(&v).copied().unwrap_or(0);
            if degree > MAX_DEGREE {
                return None;
            }
            let base = m.exponentials.get(&v).cloned().unwrap_or_else(Rat::one);
            let (base, c) = match direction {
                Direction::Up => (base, c.clone()),
                Direction::Down if degree % 2 == 1 => (base.recip(), -c),
                Direction::Down => (base.recip(), c.clone()),
            };
            let polynomial = by_base.entry(base).or_default();
            let degree = degree as usize;
            if polynomial.len() <= degree {
                polynomial.resize(degree + 1, Rat::zero());
            }
            polynomial[degree] = c;
        }
        // Multiplying by a positive constant, and by a positive factor per step, preserves all signs and makes all coefficients integers.
        let scale = by_base
            .values()
            .flatten()
            .fold(BigInt::one(), |l, c| l.lcm(c.denom()));
        let base_scale = by_base.keys().fold(BigInt::one(), |l, b| l.lcm(b.denom()));
        let mut terms: Vec<(BigInt, Vec<BigInt>)> = by_base
            .into_iter()
            .map(|(base, polynomial)| {
                let integer = |r: &Rat, scale: &BigInt| r.numer() * (scale / r.denom());
                let coefficients = polynomial.iter().map(|c| integer(c, &scale)).collect();
                (integer(&base, &base_scale), coefficients)
            })
            .collect();
        let common = terms.iter().fold(BigInt::zero(), |g, (b, _)| g.gcd(b));
        for (base, _) in &mut terms {
            *base = &*base / &common;
        }
        Some(Self::of_terms(terms))
    }

    fn of_terms(mut terms: Vec<(BigInt, Vec<BigInt>)>) -> Self {
        // Small numbers speed up the remaining work; for long numbers, computing the common divisor takes longer than that work.
        const MAX_CONTENT_BITS: u64 = 1_024;
        let coefficients = || terms.iter().flat_map(|(_, polynomial)| polynomial);
        let content = if coefficients().any(|c| c.bits() > MAX_CONTENT_BITS) {
            BigInt::one()
        } else {
            coefficients().fold(BigInt::zero(), |g, c| if g.is_one() { g } else { g.gcd(c) })
        };
        if !content.is_zero() && !content.is_one() {
            for c in terms.iter_mut().flat_map(|(_, polynomial)| polynomial) {
                *c = &*c / &content;
            }
        }
        Self {
            terms: terms
                .into_iter()
                .map(|(base, polynomial)| Term::new(base, polynomial))
                .collect(),
        }
    }

    /// Returns the maximal pieces; the first piece starts at 0.
    pub(super) fn pieces(self) -> Vec<SignPiece> {
        let mut chain = vec![self];
        let mut pieces = loop {
            let Some(last) = chain.last() else {
                return Vec::new();
            };
            match last.plain_pieces() {
                Some(pieces) => break pieces,
                None => {
                    let next = last.difference();
                    chain.push(next);
                }
            }
        };
        chain.pop();
        while let Some(side) = chain.pop() {
            pieces = side.lift(&pieces);
        }
        pieces
    }

    /// Returns the pieces if all coefficients have the same sign, which is then the sign for all n >= 1.
    fn plain_pieces(&self) -> Option<Vec<SignPiece>> {
        let mut coefficients = self
            .terms
            .iter()
            .flat_map(|t| &t.polynomial)
            .filter(|c| !c.is_zero());
        let Some(first) = coefficients.next() else {
            return Some(vec![SignPiece {
                start: BigInt::zero(),
                sign: Some(Sign::Zero),
            }]);
        };
        if coefficients.any(|c| c.is_positive() != first.is_positive()) {
            return None;
        }
        let mut pieces = Pieces::default();
        pieces.push(BigInt::zero(), self.sign_at(&BigInt::zero()));
        pieces.push(BigInt::one(), Some(Sign::from_integer(first)));
        Some(pieces.0)
    }

    /// Returns `f(n+1) - B_0·f(n)`.
    fn difference(&self) -> Self {
        let mut terms = Vec::new();
        let lowest = self
            .terms
            .first()
            .map_or_else(BigInt::one, |t| t.base.clone());
        for term in &self.terms {
            // The polynomial at n+1, by repeated synthetic division by n-(-1): running sums from the leading coefficient.
            let mut shifted = term.polynomial.clone();
            for done in 0..shifted.len() {
                for i in (done..shifted.len().saturating_sub(1)).rev() {
                    let above = shifted[i + 1].clone();
                    shifted[i] += above;
                }
            }
            let mut polynomial: Vec<BigInt> = shifted
                .iter()
                .zip(&term.polynomial)
                .map(|(after, before)| after * &term.base - before * &lowest)
                .collect();
            while polynomial.last().is_some_and(Zero::is_zero) {
                polynomial.pop();
            }
            if !polynomial.is_empty() {
                terms.push((term.base.clone(), polynomial));
            }
        }
        Self::of_terms(terms)
    }

    /// Returns the sign at a point, or `None` if a power is too large to compute.
    fn sign_at(&self, n: &BigInt) -> Option<Sign> {
        let with_base = self.terms.len() > 1;
        if let Some(small) = n.to_i128() {
            let sum = self.terms.iter().try_fold(0i128, |sum, t| {
                sum.checked_add(t.at_small(small, with_base)?)
            });
            if let Some(sum) = sum {
                return Some(match sum.signum() {
                    1 => Sign::Positive,
                    0 => Sign::Zero,
                    _ => Sign::Negative,
                });
            }
        }
        let values: Vec<(&BigInt, BigInt)> = self
            .terms
            .iter()
            .map(|t| (&t.base, t.polynomial_at(n)))
            .filter(|(_, value)| !value.is_zero())
            .collect();
        // Powers are positive, so a single power does not change the sign.
        match &values[..] {
            [] => return Some(Sign::Zero),
            [(_, value)] => return Some(Sign::from_integer(value)),
            _ => {}
        }
        let bits = self.terms.iter().map(|t| t.base.bits()).max().unwrap_or(0);
        let bits = n.to_u64().map_or(u64::MAX, |n| n.saturating_mul(bits));
        if bits > SHORT_BITS {
            let enclosures: Option<Vec<Scaled>> = values
                .iter()
                .map(|(base, value)| Scaled::of_term(value.clone(), base, n))
                .collect();
            if let Some(sign) = Scaled::sign_of_sum(enclosures?) {
                return Some(sign);
            }
            if bits > MAX_BITS {
                return None;
            }
        }
        let exponent = n.to_u32()?;
        let sum: BigInt = values
            .into_iter()
            .map(|(base, value)| value * base.pow(exponent))
            .sum();
        Some(Sign::from_integer(&sum))
    }

    /// Returns the sign near infinity.
    fn eventual_sign(&self) -> Sign {
        self.terms
            .last()
            .and_then(|t| t.polynomial.last())
            .map_or(Sign::Zero, Sign::from_integer)
    }

    /// Returns the pieces of this function, given the pieces of its [`Self::difference`].
    fn lift(&self, steps: &[SignPiece]) -> Vec<SignPiece> {
        let mut pieces = Pieces::default();
        let mut known: Option<Option<Sign>> = None;
        for (i, step) in steps.iter().enumerate() {
            let start = &step.start;
            let end = steps.get(i + 1).map(|next| &next.start);
            let left = known.take().unwrap_or_else(|| self.sign_at(start));
            let right = match end {
                Some(end) => {
                    let sign = self.sign_at(end);
                    known = Some(sign);
                    sign
                }
                None => Some(self.eventual_sign()),
            };
            match (step.sign, left, right) {
                // The quotient cannot change its sign where it is constant, or between points of equal sign.
                (Some(Sign::Zero), Some(sign), _) | (Some(Sign::Zero), None, Some(sign)) => {
                    pieces.push(start.clone(), Some(sign));
                }
                (Some(_), Some(left), Some(right)) if left == right => {
                    pieces.push(start.clone(), Some(left));
                }
                // The quotient rises but stays negative, or falls but stays positive.
                (Some(Sign::Positive), _, Some(Sign::Negative))
                | (Some(Sign::Negative), _, Some(Sign::Positive)) => {
                    pieces.push(start.clone(), right);
                }
                (Some(_), Some(left), _) => {
                    pieces.push(start.clone(), Some(left));
                    self.cross(start, end, left, &mut pieces);
                }
                (_, left, _) => {
                    pieces.push(start.clone(), left);
                    pieces.push_before(start + 1, end, None);
                }
            }
        }
        pieces.0
    }

    /// Locates the sign change of a strictly monotone stretch that starts at `start` with sign `left` and ends before `end` (or at
    /// infinity). The sign may be undetermined around the change.
    fn cross(&self, start: &BigInt, end: Option<&BigInt>, left: Sign, pieces: &mut Pieces) {
        // Doubling steps: `low` has the sign `left`, `untold` is beyond all tested points with this sign, `high` has another sign.
        let mut low = start.clone();
        let mut untold = None;
        let mut step = BigInt::one();
        let (untold, high) = loop {
            let next = match end {
                Some(end) => (start + &step).min(end.clone()),
                None => start + &step,
            };
            let is_end = end == Some(&next);
            match self.sign_at(&next) {
                Some(sign) if sign != left => {
                    break (untold.unwrap_or_else(|| next.clone()), Some((next, sign)));
                }
                Some(_) if is_end => return,
                Some(_) => low = next,
                None if is_end || step.bits() > MAX_DOUBLINGS => {
                    break (untold.unwrap_or(next), None);
                }
                None => {
                    untold.get_or_insert(next);
                }
            }
            step <<= 1;
        };
        let (last, first) = bisect(low, untold, |n| self.sign_at(n) == Some(left));
        let Some((high, sign)) = high else {
            pieces.push_before(first, end, None);
            return;
        };
        let (_, changed) = if self.sign_at(&first).is_some() {
            (last, first)
        } else {
            pieces.push_before(first.clone(), end, None);
            bisect(first, high.clone(), |n| self.sign_at(n).is_none())
        };
        let sign = if changed == high {
            Some(sign)
        } else {
            self.sign_at(&changed)
        };
        pieces.push_before(changed.clone(), end, sign);
        if sign == Some(Sign::Zero) {
            let after = if left == Sign::Negative {
                Sign::Positive
            } else {
                Sign::Negative
            };
            pieces.push_before(changed + 1, end, Some(after));
        }
    }
}

/// The number of doublings after which signs are undetermined, since exponentials this large have no enclosure. (Without exponentials every
/// sign is determined, and the doubling ends at the change.)
const MAX_DOUBLINGS: u64 = 61;

/// Returns the last point at which a condition holds and the first point at which it does not, between a point of each kind.
fn bisect(mut low: BigInt, mut high: BigInt, holds: impl Fn(&BigInt) -> bool) -> (BigInt, BigInt) {
    while &high - &low > BigInt::one() {
        let middle = (&low + &high) >> 1;
        if holds(&middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low, high)
}

/// Pieces under construction.
#[derive(Default)]
struct Pieces(Vec<SignPiece>);

impl Pieces {
    fn push(&mut self, start: BigInt, sign: Option<Sign>) {
        if self.0.last().is_none_or(|last| last.sign != sign) {
            self.0.push(SignPiece { start, sign });
        }
    }

    /// Pushes a piece, unless the stretch ends before `start`.
    fn push_before(&mut self, start: BigInt, end: Option<&BigInt>, sign: Option<Sign>) {
        if end.is_none_or(|end| start < *end) {
            self.push(start, sign);
        }
    }
}
