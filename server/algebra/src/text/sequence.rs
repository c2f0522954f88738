//! Sums of shifts of a sequence as one sequence: `u(n)+2·u(n+1)` is a sequence with the same recurrence and other initial values.

use num_traits::{One, Signed, Zero};

use crate::atom::Atom;
use crate::enclosure::Enclosure;
use crate::expr::{Expr, Monomial, Rat, rat};

/// A term of an expression for printing.
#[derive(Clone, Debug)]
pub(crate) enum Summand {
    /// A monomial with its coefficient.
    Plain(Monomial, Rat),
    /// A monomial times a sequence.
    Sequence(Monomial, Sequence),
}

/// A sequence at an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sequence {
    /// The coefficients, as in [`Atom::CFinite`].
    pub(crate) coefficients: Vec<Rat>,
    /// The initial values, as many as there are coefficients.
    pub(crate) initial: Vec<Rat>,
    /// The index, without a constant.
    pub(crate) index: Expr,
}

/// Returns the terms in the given order; each sequence takes the position of its first shift.
pub(crate) fn summands(terms: Vec<(&Monomial, &Rat)>) -> Vec<Summand> {
    let mut summands: Vec<Summand> = Vec::new();
    for (m, c) in terms {
        let Some((rest, coefficients, index)) = shift_of(m) else {
            summands.push(Summand::Plain(m.clone(), c.clone()));
            continue;
        };
        let constant = index.coefficient(&Monomial::one());
        let base = &index - &Expr::constant(constant.clone());
        let shift = usize::try_from(constant.to_integer()).unwrap_or(0);
        let d = coefficients.len();
        let values = Atom::beginning(&coefficients, d + shift);
        let values = values[shift..].iter().map(|u| u * c);
        let same = summands.iter_mut().find_map(|p| match p {
            Summand::Sequence(m, s)
                if *m == rest && s.coefficients == coefficients && s.index == base =>
            {
                Some(s)
            }
            _ => None,
        });
        match same {
            Some(sequence) => {
                for (slot, value) in sequence.initial.iter_mut().zip(values) {
                    *slot += value;
                }
            }
            None => {
                let initial = values.collect();
                summands.push(Summand::Sequence(
                    rest,
                    Sequence {
                        coefficients,
                        initial,
                        index: base,
                    },
                ));
            }
        }
    }
    summands
}

/// Splits a monomial that contains exactly one sequence into the remaining monomial and that sequence.
fn shift_of(m: &Monomial) -> Option<(Monomial, Vec<Rat>, Expr)> {
    let mut found = None;
    for (atom, k) in &m.atoms {
        if let Atom::CFinite {
            coefficients,
            index,
        } = atom
        {
            if found.is_some() || *k != 1 {
                return None;
            }
            found = Some((atom, coefficients.clone(), index.clone()));
        }
    }
    let (atom, coefficients, index) = found?;
    let mut rest = m.clone();
    rest.atoms.remove(atom);
    Some((rest, coefficients, index))
}

impl Sequence {
    /// Returns whether the first non-zero value is negative.
    pub(crate) fn begins_negative(&self) -> bool {
        self.initial
            .iter()
            .find(|t| !t.is_zero())
            .is_some_and(|t| *t < Rat::zero())
    }

    /// Returns the limit of the values divided by the powers of the dominant root. With `u(i) = Σ r^i/χ'(r)` over the roots r (Lagrange
    /// interpolation for the initial values 0, …, 0, 1) and `t = Σ wⱼ·u(i+j)`, the limit is `Σ wⱼ·ρ^j/χ'(ρ)`.
    pub(crate) fn limit(&self, root: &Enclosure) -> Option<Enclosure> {
        let d = self.coefficients.len();
        let start = Atom::beginning(&self.coefficients, 2 * d);
        let mut weights = vec![Rat::zero(); d];
        for (i, t) in self.initial.iter().enumerate() {
            let known: Rat = (d - i..d).map(|j| &weights[j] * &start[i + j]).sum();
            weights[d - 1 - i] = t - known;
        }
        // Evaluate both polynomials at the ends of the enclosure, which is positive, separately for positive and negative terms.
        let enclosed = |polynomial: &[Rat]| {
            let mut sum = Enclosure::exact(Rat::zero());
            let mut power = Enclosure::exact(Rat::one());
            for c in polynomial {
                let (low, high) = if c.is_negative() {
                    (&power.high, &power.low)
                } else {
                    (&power.low, &power.high)
                };
                sum.low += c * low;
                sum.high += c * high;
                power = power.times(root);
            }
            sum
        };
        let mut derivative = vec![Rat::zero(); d];
        for (i, slot) in derivative.iter_mut().enumerate() {
            // χ = x^d - a₁·x^(d-1) - … - a_d
            let degree = rat(i64::try_from(i + 1).ok()?);
            let c = if i + 1 == d {
                Rat::one()
            } else {
                -&self.coefficients[d - 2 - i]
            };
            *slot = c * degree;
        }
        let (above, below) = (enclosed(&weights), enclosed(&derivative));
        if !below.low.is_positive() {
            return None;
        }
        let quotient = |value: &Rat, up: bool| {
            // A quotient by a positive number increases with the dividend; the dividend's sign determines which divisor makes the quotient
            // greater.
            value
                / if value.is_negative() == up {
                    &below.high
                } else {
                    &below.low
                }
        };
        Some(Enclosure {
            low: quotient(&above.low, false),
            high: quotient(&above.high, true),
        })
    }

    /// Negates all values.
    pub(crate) fn negated(mut self) -> Self {
        for t in &mut self.initial {
            *t = -t.clone();
        }
        self
    }
}
