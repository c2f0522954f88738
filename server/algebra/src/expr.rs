//! Exact cost expressions: sums of monomials over size variables.
//!
//! A monomial is a rational coefficient times powers of variables, exponentials `b^v` (b a positive rational), and powers and exponentials
//! of [`Atom`]s (`n·⌊log₂ n⌋`, `2^⌊log₂ n⌋`). Linear exponents are split when an expression is built (`2^(n-1)` becomes `1/2·2^n`), so that
//! equal functions without atoms have equal representations and "is the difference zero?" is a comparison of maps (for `nrev([H|T],R)` the
//! induction step cancels to zero). With atoms, equal maps still represent equal functions; the converse needs the prover.

use std::collections::BTreeMap;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};
use std::sync::Arc;

use litemap::LiteMap;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use serde::{Deserialize, Serialize};

use crate::atom::Atom;
pub use crate::rational::{Rat, rat};
use crate::rational::{add_to, multiply_by, product};

/// A size variable; callers assign its name ([`crate::text::Names`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Var(pub u32);

/// Powers and exponentials, without the coefficient. Powers are at least 1; bases are positive and different from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Monomial {
    /// `v^k` for each variable, k >= 1.
    pub powers: LiteMap<Var, u32>,
    /// `b^v` for each variable, b > 0 and b != 1.
    pub exponentials: LiteMap<Var, Rat>,
    /// `atom^k` for each atom, k >= 1.
    pub atoms: LiteMap<Atom, u32>,
    /// `b^atom` for each integer-valued atom, b > 0 and b != 1.
    pub atom_exponentials: LiteMap<Atom, Rat>,
}

impl Monomial {
    /// Returns the monomial 1.
    #[must_use]
    pub fn one() -> Self {
        Self::default()
    }

    /// Returns whether the monomial is 1.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.powers.is_empty() && self.exponentials.is_empty() && self.is_plain()
    }

    /// Returns whether the monomial contains no atoms.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.atoms.is_empty() && self.atom_exponentials.is_empty()
    }

    /// Returns the atom if the monomial consists of a single atom.
    #[must_use]
    pub fn single_atom(&self) -> Option<&Atom> {
        let mut atoms = self.atoms.iter();
        match (atoms.next(), atoms.next()) {
            (Some((atom, 1)), None)
                if self.powers.is_empty()
                    && self.exponentials.is_empty()
                    && self.atom_exponentials.is_empty() =>
            {
                Some(atom)
            }
            _ => None,
        }
    }

    /// Returns the atoms in the monomial, as factors or in exponents.
    pub fn all_atoms(&self) -> impl Iterator<Item = &Atom> + '_ {
        self.atoms.keys().chain(self.atom_exponentials.keys())
    }

    /// Returns whether the monomial is a product of integer powers only (of variables, and of integer-valued atoms).
    #[must_use]
    pub fn is_integer_valued(&self) -> bool {
        self.exponentials.is_empty()
            && self.atom_exponentials.is_empty()
            && self.atoms.keys().all(Atom::is_integer_valued)
    }

    /// Returns the sum of the exponents of variables.
    #[must_use]
    pub fn degree(&self) -> u32 {
        self.powers.values().sum()
    }

    /// Returns the product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
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
        for (atom, &k) in &other.atoms {
            *product.atoms.entry(atom.clone()).or_insert(0) += k;
        }
        for (atom, b) in &other.atom_exponentials {
            let factor = product.atom_exponentials.remove(atom);
            let base = factor.unwrap_or_else(Rat::one) * b;
            if !base.is_one() {
                product.atom_exponentials.insert(atom.clone(), base);
            }
        }
        product
    }

    /// Returns the variables in the monomial, including those in atoms; some may occur more than once.
    pub fn variables(&self) -> impl Iterator<Item = Var> + '_ {
        self.powers
            .keys()
            .chain(self.exponentials.keys())
            .copied()
            .chain(self.all_atoms().flat_map(|a| a.argument().variables()))
    }
}

/// A sum of monomials with non-zero rational coefficients.
///
/// Sizes and bounds are copied often and changed rarely, and most have one or two terms. A sorted list shared by copies takes a tenth of a
/// tree's memory, and copying it is almost free.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Expr {
    /// The monomials with their coefficients, sorted by monomial.
    terms: Arc<Vec<(Monomial, Rat)>>,
}

/// The number of common constants and variables that are preallocated per thread. Creating such an expression takes several allocations;
/// copying it takes none.
const COMMON: usize = 32;

thread_local! {
    static NUMBERS: [Expr; COMMON] = std::array::from_fn(|n| Expr::constant(Rat::from_integer(n.into())));
    static VARIABLES: [Expr; COMMON] = std::array::from_fn(|n| Expr::alone(Var(u32::try_from(n).unwrap_or_default())));
}

impl Expr {
    /// Returns 0.
    #[must_use]
    pub fn zero() -> Self {
        Self::default()
    }

    /// Returns a constant.
    #[must_use]
    pub fn constant(value: Rat) -> Self {
        Self::monomial(Monomial::one(), value)
    }

    /// Returns an integer constant.
    #[must_use]
    pub fn int(value: i64) -> Self {
        let at = usize::try_from(value).ok().filter(|&at| at < COMMON);
        let common = at.and_then(|at| NUMBERS.try_with(|all| all[at].clone()).ok());
        common.unwrap_or_else(|| Self::constant(rat(value)))
    }

    /// Returns a variable.
    #[must_use]
    pub fn var(v: Var) -> Self {
        let at = usize::try_from(v.0).ok().filter(|&at| at < COMMON);
        let common = at.and_then(|at| VARIABLES.try_with(|all| all[at].clone()).ok());
        common.unwrap_or_else(|| Self::alone(v))
    }

    fn alone(v: Var) -> Self {
        let mut m = Monomial::one();
        m.powers.insert(v, 1);
        Self::monomial(m, Rat::one())
    }

    /// Returns `base^v`, or `None` if the base is not positive.
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

    /// Returns a single monomial.
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
        let terms = Arc::make_mut(&mut self.terms);
        match terms.binary_search_by(|(own, _)| own.cmp(&m)) {
            Ok(at) => {
                add_to(&mut terms[at].1, &coefficient);
                if terms[at].1.is_zero() {
                    terms.remove(at);
                }
            }
            Err(at) => terms.insert(at, (m, coefficient)),
        }
    }

    /// Wraps a sum of distinct monomials in order, with non-zero coefficients.
    pub(crate) fn sorted(terms: Vec<(Monomial, Rat)>) -> Self {
        Self {
            terms: Arc::new(terms),
        }
    }

    /// Returns the monomials with their coefficients, in a fixed order.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = (&Monomial, &Rat)> + Clone {
        self.terms.iter().map(|(m, c)| (m, c))
    }

    /// Returns the least common multiple of the coefficients' denominators.
    #[must_use]
    pub fn common_denominator(&self) -> BigInt {
        let denominators = self.terms().map(|(_, c)| c.denom());
        denominators.fold(BigInt::one(), |all, d| all.lcm(d))
    }

    fn monomials(&self) -> impl Iterator<Item = &Monomial> {
        self.terms.iter().map(|(m, _)| m)
    }

    /// Returns whether the expression is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns the value if the expression contains no variables.
    #[must_use]
    pub fn as_constant(&self) -> Option<Rat> {
        match self.terms.as_slice() {
            [] => Some(Rat::zero()),
            [(m, c)] if m.is_one() => Some(c.clone()),
            _ => None,
        }
    }

    /// Returns the coefficient of a monomial.
    #[must_use]
    pub fn coefficient(&self, m: &Monomial) -> Rat {
        match self.terms.binary_search_by(|(own, _)| own.cmp(m)) {
            Ok(at) => self.terms[at].1.clone(),
            Err(_) => Rat::zero(),
        }
    }

    /// Returns the variables in the expression, sorted and without duplicates.
    #[must_use]
    pub fn variables(&self) -> Vec<Var> {
        let mut vars: Vec<Var> = self.monomials().flat_map(Monomial::variables).collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// Returns whether the expression contains neither exponentials nor atoms.
    #[must_use]
    pub fn is_polynomial(&self) -> bool {
        self.monomials()
            .all(|m| m.exponentials.is_empty() && m.is_plain())
    }

    /// Returns whether the expression contains atoms.
    #[must_use]
    pub fn has_atoms(&self) -> bool {
        self.monomials().any(|m| !m.is_plain())
    }

    /// Returns the atoms in the expression, sorted and without duplicates.
    #[must_use]
    pub fn atoms(&self) -> Vec<&Atom> {
        let mut atoms: Vec<&Atom> = self.monomials().flat_map(Monomial::all_atoms).collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// Returns whether the expression has degree at most 1 and no exponentials or atoms.
    #[must_use]
    pub fn is_linear(&self) -> bool {
        self.is_polynomial() && self.monomials().all(|m| m.degree() <= 1)
    }

    /// Multiplies the expression by a number.
    #[must_use]
    pub fn scale(&self, factor: &Rat) -> Self {
        if factor.is_zero() {
            return Self::zero();
        }
        if factor.is_one() {
            return self.clone();
        }
        let scaled = |(m, c): &(Monomial, Rat)| (m.clone(), product(c, factor));
        Self::sorted(self.terms.iter().map(scaled).collect())
    }

    /// Returns the `k`-th power.
    #[must_use]
    pub fn pow(&self, k: u32) -> Self {
        let mut result = Self::int(1);
        for _ in 0..k {
            result = &result * self;
        }
        result
    }

    /// Replaces variables by integer-valued expressions. Returns `None` if a variable in an exponent is replaced by anything but a linear
    /// expression with integer coefficients (`2^n` with n := n-1), or a variable in an atom by an expression that the atom's constructor
    /// rejects. Variables that are not in the map are kept.
    #[must_use]
    pub fn substitute(&self, by: &BTreeMap<Var, Expr>) -> Option<Self> {
        let mut result = Self::zero();
        for (m, c) in self.terms() {
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
            for (atom, &k) in &m.atoms {
                product = &product * &atom.substitute(by)?.pow(k);
            }
            for (atom, base) in &m.atom_exponentials {
                product = &product * &Self::power_of(base, &atom.substitute(by)?)?;
            }
            result += &product;
        }
        Some(result)
    }

    /// Returns `base^exponent` for an exponent that is a sum of variables and integer-valued atoms with integer coefficients of moderate
    /// size.
    #[must_use]
    pub fn power_of(base: &Rat, exponent: &Expr) -> Option<Self> {
        if !base.is_positive() {
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
            let mut power = Monomial::one();
            if let Some(atom) = m.single_atom() {
                if !atom.is_integer_valued() {
                    return None;
                }
                power.atom_exponentials.insert(atom.clone(), scaled.clone());
            } else if !m.is_plain() || !m.exponentials.is_empty() || m.degree() > 1 {
                return None;
            } else if let Some(&v) = m.powers.keys().next() {
                power.exponentials.insert(v, scaled.clone());
            }
            let factor = if m.is_one() {
                Self::constant(scaled)
            } else if scaled.is_one() {
                Self::int(1)
            } else {
                Self::monomial(power, Rat::one())
            };
            result = &result * &factor;
        }
        Some(result)
    }

    /// Returns the exact value at integers. Returns `None` if a variable has no value, an atom is undefined, or an exponent is too large to
    /// compute.
    pub fn eval(&self, value: &dyn Fn(Var) -> Option<BigInt>) -> Option<Rat> {
        let mut sum = Rat::zero();
        for (m, c) in self.terms() {
            let mut term = c.clone();
            for (&v, &k) in &m.powers {
                multiply_by(&mut term, &Rat::from_integer(value(v)?.pow(k)));
            }
            for (&v, base) in &m.exponentials {
                let k = i32::try_from(value(v)?).ok()?;
                if k.abs() > 100_000 {
                    return None;
                }
                multiply_by(&mut term, &base.pow(k));
            }
            for (atom, &k) in &m.atoms {
                multiply_by(&mut term, &atom.eval(value)?.pow(i32::try_from(k).ok()?));
            }
            for (atom, base) in &m.atom_exponentials {
                let k = atom.eval(value)?.to_integer().to_i32()?;
                if k.abs() > 100_000 {
                    return None;
                }
                multiply_by(&mut term, &base.pow(k));
            }
            add_to(&mut sum, &term);
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
        if self.is_zero() {
            self.clone_from(other);
            return;
        }
        for (m, c) in other.terms() {
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
        let mut difference = self.clone();
        for (m, c) in other.terms() {
            difference.add_monomial(m.clone(), -c);
        }
        difference
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
        crate::work::add(30 * self.terms.len() * other.terms.len());
        let scaled = match (self.as_constant(), other.as_constant()) {
            (Some(c), _) => Some(other.scale(&c)),
            (_, Some(c)) => Some(self.scale(&c)),
            _ => None,
        };
        if let Some(scaled) = scaled {
            return crate::atom::factorial::lifted(scaled);
        }
        let mut sum = Expr::zero();
        for (m, c) in self.terms() {
            for (n, d) in other.terms() {
                sum.add_monomial(m.times(n), product(c, d));
            }
        }
        crate::atom::factorial::lifted(sum)
    }
}
