//! Sizes as intervals of exact expressions over the entry's size variables.

use std::collections::BTreeMap;

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::prove::{linear_side, nonnegative};
use costlens_algebra::{Atom, Expr, Rat, Rounding, Var};
use num_traits::{One, Signed};

/// Bounds on a size: at least `lower`, at most `upper`. If both are equal, the size is exact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) lower: Option<Expr>,
    pub(crate) upper: Option<Expr>,
}

impl Size {
    pub(crate) fn unknown() -> Self {
        Self::default()
    }

    pub(crate) fn exact(e: Expr) -> Self {
        Self {
            lower: Some(e.clone()),
            upper: Some(e),
        }
    }

    /// Returns the interval of all sizes from a number upwards.
    pub(crate) fn at_least(least: i64) -> Self {
        Self {
            lower: Some(Expr::int(least)),
            upper: None,
        }
    }

    /// Returns the interval from 0 to an upper bound, if it is known.
    pub(crate) fn between_zero_and(upper: &Option<Expr>) -> Self {
        Self {
            lower: Some(Expr::zero()),
            upper: upper.clone(),
        }
    }

    pub(crate) fn as_exact(&self) -> Option<&Expr> {
        match (&self.lower, &self.upper) {
            (Some(a), Some(b)) if a == b => Some(a),
            _ => None,
        }
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        let both = |a: &Option<Expr>, b: &Option<Expr>| Some(a.as_ref()? + b.as_ref()?);
        Self {
            lower: both(&self.lower, &other.lower),
            upper: both(&self.upper, &other.upper),
        }
    }

    pub(crate) fn shifted(&self, by: i64) -> Self {
        self.plus(&Size::exact(Expr::int(by)))
    }

    pub(crate) fn negated(&self) -> Self {
        Self {
            lower: self.upper.as_ref().map(|e| -e),
            upper: self.lower.as_ref().map(|e| -e),
        }
    }

    pub(crate) fn scaled(&self, by: &Rat) -> Self {
        let scaled = Self {
            lower: self.lower.as_ref().map(|e| e.scale(by)),
            upper: self.upper.as_ref().map(|e| e.scale(by)),
        };
        if by.is_negative() {
            Self {
                lower: scaled.upper,
                upper: scaled.lower,
            }
        } else {
            scaled
        }
    }

    /// Returns the product, if one factor is a known number, both are exact, or both are proved non-negative.
    pub(crate) fn times(&self, other: &Self, region: &Region) -> Self {
        if let Some(c) = self.as_exact().and_then(Expr::as_constant) {
            return other.scaled(&c);
        }
        if let Some(c) = other.as_exact().and_then(Expr::as_constant) {
            return self.scaled(&c);
        }
        if let (Some(a), Some(b)) = (self.as_exact(), other.as_exact()) {
            return Size::exact(a * b);
        }
        if self.is_nonnegative(region) && other.is_nonnegative(region) {
            let both = |a: &Option<Expr>, b: &Option<Expr>| Some(a.as_ref()? * b.as_ref()?);
            return Self {
                lower: both(&self.lower, &other.lower),
                upper: both(&self.upper, &other.upper),
            };
        }
        Size::unknown()
    }

    pub(crate) fn is_nonnegative(&self, region: &Region) -> bool {
        self.lower.as_ref().is_some_and(|e| nonnegative(e, region))
    }

    /// Returns the smallest interval with these endpoints that contains both sizes, as precisely as the region orders the endpoints.
    pub(crate) fn hull(&self, other: &Self, region: &Region) -> Self {
        let pick = |a: &Option<Expr>, b: &Option<Expr>, low: bool| {
            let (a, b) = (a.as_ref()?, b.as_ref()?);
            let (less, more) = if low { (a, b) } else { (b, a) };
            if a == b || nonnegative(&(more - less), region) {
                Some(a.clone())
            } else if nonnegative(&(less - more), region) {
                Some(b.clone())
            } else {
                None
            }
        };
        Self {
            lower: pick(&self.lower, &other.lower, true),
            upper: pick(&self.upper, &other.upper, false),
        }
    }

    /// Returns the constraints `lower <= v <= upper`, insofar as they are linear.
    pub(crate) fn constraints_on(&self, v: Var) -> Vec<Constraint> {
        let v = Expr::var(v);
        // Over the integers, being at most ⌊n/2⌋ is equivalent to being at most n/2.
        let side = |e: &Option<Expr>, to| linear_side(e.as_ref()?, to);
        let lower = side(&self.lower, Rounding::Down).and_then(|l| Constraint::ge(&v, &l));
        let upper = side(&self.upper, Rounding::Up).and_then(|u| Constraint::le(&v, &u));
        lower.into_iter().chain(upper).collect()
    }
}

/// Returns the values of an expression whose variables lie in intervals. Each monomial is evaluated separately, so the interval is not
/// always the smallest. Inexact variables must be proved non-negative, and exponents must have integer coefficients.
pub(crate) fn interval_eval(e: &Expr, of: &BTreeMap<Var, Size>, region: &Region) -> Size {
    let all_exact: Option<BTreeMap<Var, Expr>> = of
        .iter()
        .filter(|(v, _)| e.variables().contains(v))
        .map(|(&v, s)| Some((v, s.as_exact()?.clone())))
        .collect();
    if let Some(by) = all_exact
        && let Some(value) = e.substitute(&by)
    {
        return Size::exact(value);
    }
    let mut sum = Size::exact(Expr::zero());
    for (m, c) in e.terms() {
        let mut product = Size::exact(Expr::int(1));
        for (v, &k) in &m.powers {
            let factor = of
                .get(v)
                .cloned()
                .unwrap_or_else(|| Size::exact(Expr::var(*v)));
            for _ in 0..k {
                product = product.times(&factor, region);
            }
        }
        for (v, base) in &m.exponentials {
            let exponent = of
                .get(v)
                .cloned()
                .unwrap_or_else(|| Size::exact(Expr::var(*v)));
            product = product.times(&raised(base, &exponent), region);
        }
        for (atom, &k) in &m.atoms {
            let factor = atom_values(atom, of, region);
            for _ in 0..k {
                product = product.times(&factor, region);
            }
        }
        for (atom, base) in &m.atom_exponentials {
            let exponent = atom_values(atom, of, region);
            product = product.times(&raised(base, &exponent), region);
        }
        sum = sum.plus(&product.scaled(c));
    }
    sum
}

/// Returns `base^exponent`, for a positive base.
fn raised(base: &Rat, exponent: &Size) -> Size {
    let power = |x: &Option<Expr>| Expr::power_of(base, x.as_ref()?);
    let (mut low, mut high) = (power(&exponent.lower), power(&exponent.upper));
    if *base < Rat::one() {
        std::mem::swap(&mut low, &mut high);
    }
    Size {
        lower: low.or_else(|| Some(Expr::zero())),
        upper: high,
    }
}

/// Returns the values of an atom. Floors, logarithms and factorials increase with their arguments; the values of linear recurrence
/// sequences are unknown.
fn atom_values(atom: &Atom, of: &BTreeMap<Var, Size>, region: &Region) -> Size {
    if !atom
        .argument()
        .variables()
        .iter()
        .any(|v| of.contains_key(v))
    {
        return Size::exact(Expr::atom(atom.clone()));
    }
    let argument = interval_eval(atom.argument(), of, region);
    let at = |e: &Option<Expr>| {
        let e = e.as_ref()?;
        match atom {
            Atom::Floor(_) => Expr::floor(e),
            Atom::Log { base, rounding, .. } => {
                let value = Expr::log(*base, *rounding, e)?;
                nonnegative(&(e - &Expr::int(1)), region).then_some(value)
            }
            // Both are monotone for arguments of at least 0.
            Atom::Factorial(_) | Atom::Arrangements { .. } => {
                let value = match atom {
                    Atom::Arrangements { base, .. } => Expr::arrangements(base, e)?,
                    _ => Expr::factorial(e)?,
                };
                nonnegative(e, region).then_some(value)
            }
            Atom::CFinite { .. } => None,
        }
    };
    Size {
        lower: at(&argument.lower),
        upper: at(&argument.upper),
    }
}

/// Returns a linear lower bound on a polynomial over the integers in the region: `v*v >= v` for every integer, `v*w >= v+w-1` for integers
/// that are at least 1. Returns `None` if some monomial has no such bound.
pub(crate) fn line_below(polynomial: &Expr, region: &Region) -> Option<Expr> {
    let positive =
        |v: Var| Constraint::ge(&Expr::var(v), &Expr::int(1)).is_some_and(|c| region.implies(&c));
    let mut line = Expr::zero();
    for (m, c) in polynomial.terms() {
        let whole = Expr::monomial(m.clone(), c.clone());
        if whole.is_linear() {
            line = &line + &whole;
            continue;
        }
        if !whole.is_polynomial() || whole.has_atoms() || c.is_negative() {
            return None;
        }
        let powers: Vec<(Var, u32)> = m.powers.iter().map(|(&v, &k)| (v, k)).collect();
        let below = match powers[..] {
            [(v, 2)] => Expr::var(v),
            [(v, 1), (w, 1)] if positive(v) && positive(w) => {
                &(&Expr::var(v) + &Expr::var(w)) - &Expr::int(1)
            }
            _ => return None,
        };
        line = &line + &below.scale(c);
    }
    Some(line)
}
