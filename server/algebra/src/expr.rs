//! Exact cost expressions: sums of monomials over size variables.
//!
//! A monomial is a rational coefficient times powers of variables times exponentials `b^v` (b a positive rational). Exponents
//! that are linear are split when an expression is built (`2^(n-1)` is `1/2·2^n`), so that equal functions of these classes
//! have equal representations and "is the difference zero?" is a comparison of maps (`nrev([H|T],R)`: the induction step
//! cancels to nothing).

use std::collections::BTreeMap;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// An exact rational number.
pub type Rat = BigRational;

/// A size variable; what it is called is the caller's business ([`crate::text::Names`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

/// The rational of an integer.
#[must_use]
pub fn rat(n: i64) -> Rat {
    Rat::from_integer(BigInt::from(n))
}

/// Powers and exponentials, without the coefficient. Powers are at least 1 and bases are positive and not 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Monomial {
    /// `v^k` for each variable, k >= 1.
    pub powers: BTreeMap<Var, u32>,
    /// `b^v` for each variable, b > 0 and b != 1.
    pub exponentials: BTreeMap<Var, Rat>,
}

impl Monomial {
    /// The monomial 1.
    #[must_use]
    pub fn one() -> Self {
        Self::default()
    }

    /// Whether this is the monomial 1.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.powers.is_empty() && self.exponentials.is_empty()
    }

    /// The sum of the powers.
    #[must_use]
    pub fn degree(&self) -> u32 {
        self.powers.values().sum()
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = self.clone();
        for (&v, &k) in &other.powers {
            *product.powers.entry(v).or_insert(0) += k;
        }
        for (&v, b) in &other.exponentials {
            let base = product.exponentials.remove(&v).unwrap_or_else(Rat::one) * b;
            if !base.is_one() {
                product.exponentials.insert(v, base);
            }
        }
        product
    }

    /// The variables that occur.
    pub fn variables(&self) -> impl Iterator<Item = Var> + '_ {
        self.powers.keys().chain(self.exponentials.keys()).copied()
    }
}

/// A sum of monomials with rational coefficients, none of them zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expr {
    terms: BTreeMap<Monomial, Rat>,
}

impl Expr {
    /// 0.
    #[must_use]
    pub fn zero() -> Self {
        Self::default()
    }

    /// A constant.
    #[must_use]
    pub fn constant(value: Rat) -> Self {
        Self::monomial(Monomial::one(), value)
    }

    /// An integer constant.
    #[must_use]
    pub fn int(value: i64) -> Self {
        Self::constant(rat(value))
    }

    /// A variable.
    #[must_use]
    pub fn var(v: Var) -> Self {
        let mut m = Monomial::one();
        m.powers.insert(v, 1);
        Self::monomial(m, Rat::one())
    }

    /// `base^v`; a base that is not positive gives none.
    #[must_use]
    pub fn exponential(base: &Rat, v: Var) -> Option<Self> {
        if !base.is_positive() {
            return None;
        }
        let mut m = Monomial::one();
        if !base.is_one() {
            m.exponentials.insert(v, base.clone());
        }
        Some(Self::monomial(m, Rat::one()))
    }

    /// A single monomial.
    #[must_use]
    pub fn monomial(m: Monomial, coefficient: Rat) -> Self {
        let mut e = Self::zero();
        e.add_monomial(m, coefficient);
        e
    }

    /// Adds `coefficient · m` in place.
    pub fn add_monomial(&mut self, m: Monomial, coefficient: Rat) {
        if coefficient.is_zero() {
            return;
        }
        let slot = self.terms.entry(m.clone()).or_insert_with(Rat::zero);
        *slot += coefficient;
        if slot.is_zero() {
            self.terms.remove(&m);
        }
    }

    /// The monomials with their coefficients, in a fixed order.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = (&Monomial, &Rat)> + Clone {
        self.terms.iter()
    }

    /// Whether this is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value, if no variable occurs.
    #[must_use]
    pub fn as_constant(&self) -> Option<Rat> {
        match self.terms.len() {
            0 => Some(Rat::zero()),
            1 => self
                .terms
                .iter()
                .next()
                .filter(|(m, _)| m.is_one())
                .map(|(_, c)| c.clone()),
            _ => None,
        }
    }

    /// The coefficient of a monomial.
    #[must_use]
    pub fn coefficient(&self, m: &Monomial) -> Rat {
        self.terms.get(m).cloned().unwrap_or_else(Rat::zero)
    }

    /// The variables that occur, sorted, each once.
    #[must_use]
    pub fn variables(&self) -> Vec<Var> {
        let mut vars: Vec<Var> = self.terms.keys().flat_map(Monomial::variables).collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// Whether no exponential occurs.
    #[must_use]
    pub fn is_polynomial(&self) -> bool {
        self.terms.keys().all(|m| m.exponentials.is_empty())
    }

    /// Whether it is of degree at most 1 without exponentials.
    #[must_use]
    pub fn is_linear(&self) -> bool {
        self.is_polynomial() && self.terms.keys().all(|m| m.degree() <= 1)
    }

    /// The product with a number.
    #[must_use]
    pub fn scale(&self, factor: &Rat) -> Self {
        if factor.is_zero() {
            return Self::zero();
        }
        Self {
            terms: self
                .terms
                .iter()
                .map(|(m, c)| (m.clone(), c * factor))
                .collect(),
        }
    }

    /// The `k`-th power.
    #[must_use]
    pub fn pow(&self, k: u32) -> Self {
        let mut result = Self::int(1);
        for _ in 0..k {
            result = &result * self;
        }
        result
    }

    /// Replaces variables. A variable in an exponent can only be replaced by an integer-coefficient linear expression
    /// (`2^n` with n := n-1); anything else gives none. Variables that are not in the map stay.
    #[must_use]
    pub fn substitute(&self, by: &BTreeMap<Var, Expr>) -> Option<Self> {
        let mut result = Self::zero();
        for (m, c) in &self.terms {
            let mut product = Self::constant(c.clone());
            for (&v, &k) in &m.powers {
                let factor = by.get(&v).map_or_else(|| Self::var(v), Clone::clone);
                product = &product * &factor.pow(k);
            }
            for (&v, base) in &m.exponentials {
                let factor = match by.get(&v) {
                    None => Self::exponential(base, v)?,
                    Some(exponent) => Self::power_of(base, exponent)?,
                };
                product = &product * &factor;
            }
            result += &product;
        }
        Some(result)
    }

    /// `base^exponent` for a linear exponent with integer coefficients of moderate size.
    #[must_use]
    pub fn power_of(base: &Rat, exponent: &Expr) -> Option<Self> {
        if !base.is_positive() || !exponent.is_linear() {
            return None;
        }
        let mut result = Self::int(1);
        for (m, c) in exponent.terms() {
            if !c.is_integer() {
                return None;
            }
            let k = i32::try_from(c.to_integer()).ok()?;
            if k.abs() > 4096 {
                return None;
            }
            let scaled = base.pow(k);
            let factor = match m.powers.keys().next() {
                None => Self::constant(scaled),
                Some(&v) => Self::exponential(&scaled, v)?,
            };
            result = &result * &factor;
        }
        Some(result)
    }

    /// The exact value at integers; none where a variable has no value or an exponent is too large to compute.
    pub fn eval(&self, value: &dyn Fn(Var) -> Option<BigInt>) -> Option<Rat> {
        let mut sum = Rat::zero();
        for (m, c) in &self.terms {
            let mut product = c.clone();
            for (&v, &k) in &m.powers {
                product *= Rat::from_integer(value(v)?.pow(k));
            }
            for (&v, base) in &m.exponentials {
                let k = i32::try_from(value(v)?).ok()?;
                if k.abs() > 100_000 {
                    return None;
                }
                product *= base.pow(k);
            }
            sum += product;
        }
        Some(sum)
    }
}

impl From<Rat> for Expr {
    fn from(value: Rat) -> Self {
        Self::constant(value)
    }
}

impl AddAssign<&Expr> for Expr {
    fn add_assign(&mut self, other: &Expr) {
        for (m, c) in &other.terms {
            self.add_monomial(m.clone(), c.clone());
        }
    }
}

impl Add for &Expr {
    type Output = Expr;
    fn add(self, other: &Expr) -> Expr {
        let mut sum = self.clone();
        sum += other;
        sum
    }
}

impl Sub for &Expr {
    type Output = Expr;
    fn sub(self, other: &Expr) -> Expr {
        self + &-other
    }
}

impl Neg for &Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        self.scale(&-Rat::one())
    }
}

impl Mul for &Expr {
    type Output = Expr;
    fn mul(self, other: &Expr) -> Expr {
        let mut product = Expr::zero();
        for (m, c) in &self.terms {
            for (n, d) in &other.terms {
                product.add_monomial(m.times(n), c * d);
            }
        }
        product
    }
}
