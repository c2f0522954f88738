//! Linear equations with long numbers, as produced by factorials: solved first modulo a prime, which detects nearly every unsolvable
//! system, and then exactly.

use costlens_algebra::Rat;
use costlens_algebra::linear::fraction::Fraction;
use num_traits::Zero;

/// Returns the unique solution of an overdetermined system; the last column is the right-hand side. Also returns `None` if the solution
/// cannot be computed modulo the prime.
pub(crate) fn solution(rows: &[Vec<Fraction>]) -> Option<Vec<Rat>> {
    let mut residues: Echelon<Residue> = Echelon::default();
    for row in rows {
        residues.add(
            row.iter()
                .map(|&x| Residue::from_fraction(x))
                .collect::<Option<_>>()?,
        )?;
    }
    residues.solution()?;
    let mut system: Echelon<Rat> = Echelon::default();
    for row in rows {
        system.add(row.iter().map(|x| x.rat()).collect())?;
    }
    system.solution()
}

/// A field.
trait Field: Clone {
    fn zero() -> Self;
    fn is_zero(&self) -> bool;
    fn inverse(&self) -> Self;
    fn times(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
}

impl Field for Rat {
    fn zero() -> Self {
        Zero::zero()
    }
    fn is_zero(&self) -> bool {
        Zero::is_zero(self)
    }
    fn inverse(&self) -> Self {
        self.recip()
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
    fn minus(&self, other: &Self) -> Self {
        self - other
    }
}

/// A residue modulo the prime 2^61 - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Residue(u64);

impl Residue {
    const PRIME: u64 = (1 << 61) - 1;

    /// Reduces a fraction. Returns `None` if the prime divides the denominator.
    fn from_fraction(x: Fraction) -> Option<Self> {
        let reduced = |n: i128| {
            u64::try_from(n.rem_euclid(i128::from(Self::PRIME)))
                .ok()
                .map(Self)
        };
        let below = reduced(x.denominator())?;
        if below.0 == 0 {
            return None;
        }
        Some(reduced(x.numerator())?.times(&below.inverse()))
    }
}

impl Field for Residue {
    fn zero() -> Self {
        Self(0)
    }
    fn is_zero(&self) -> bool {
        self.0 == 0
    }
    /// Returns the inverse, which by Fermat's theorem is the power with exponent p - 2 for the prime p.
    fn inverse(&self) -> Self {
        let (mut power, mut square, mut k) = (Self(1), *self, Self::PRIME - 2);
        while k > 0 {
            if k & 1 == 1 {
                power = power.times(&square);
            }
            square = square.times(&square);
            k >>= 1;
        }
        power
    }
    fn times(&self, other: &Self) -> Self {
        let product = u128::from(self.0) * u128::from(other.0) % u128::from(Self::PRIME);
        Self(u64::try_from(product).unwrap_or(0))
    }
    fn minus(&self, other: &Self) -> Self {
        Self((self.0 + Self::PRIME - other.0) % Self::PRIME)
    }
}

/// An echelon form: each row starts with a 1 in a column of its own.
struct Echelon<T> {
    /// The rows, each with the column of its leading 1, in ascending order.
    rows: Vec<(usize, Vec<T>)>,
    width: usize,
}

impl<T> Default for Echelon<T> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            width: 0,
        }
    }
}

impl<T: Field> Echelon<T> {
    /// Adds an equation. Returns `None` if it contradicts the previous equations.
    fn add(&mut self, mut row: Vec<T>) -> Option<()> {
        self.width = row.len();
        for (lead, other) in &self.rows {
            let factor = row.get(*lead)?.clone();
            if !factor.is_zero() {
                for (a, b) in row.iter_mut().zip(other).skip(*lead) {
                    *a = a.minus(&b.times(&factor));
                }
            }
        }
        let Some(lead) = row.iter().position(|a| !a.is_zero()) else {
            return Some(());
        };
        if lead + 1 == row.len() {
            return None;
        }
        let scale = row[lead].inverse();
        for a in &mut row {
            *a = a.times(&scale);
        }
        let at = self.rows.partition_point(|(other, _)| *other < lead);
        self.rows.insert(at, (lead, row));
        Some(())
    }

    /// Returns the solution if it is unique.
    fn solution(&self) -> Option<Vec<T>> {
        let unknowns = self.width.checked_sub(1)?;
        if self.rows.len() != unknowns {
            return None;
        }
        let mut solution = vec![T::zero(); unknowns];
        for (lead, row) in self.rows.iter().rev() {
            let mut value = row.get(unknowns)?.clone();
            for (a, x) in row.iter().zip(&solution).skip(lead + 1) {
                value = value.minus(&a.times(x));
            }
            solution[*lead] = value;
        }
        Some(solution)
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::*;

    fn rows(rows: &[[i128; 3]]) -> Vec<Vec<Fraction>> {
        rows.iter()
            .map(|r| r.iter().map(|&x| Fraction::int(x)).collect())
            .collect()
    }

    #[test]
    fn only_what_all_equations_say_is_a_solution() {
        // x + y = 3, x - y = 1/2 and their sum, with intermediate numbers beyond machine words.
        let large = 1i128 << 100;
        let mut system = rows(&[[large, large, 3 * large], [2, -2, 1], [4, 0, 7]]);
        let quarter = |n: i64| Rat::new(BigInt::from(n), BigInt::from(4));
        assert_eq!(solution(&system), Some(vec![quarter(7), quarter(5)]));
        system.extend(rows(&[[1, 0, 1]]));
        assert_eq!(solution(&system), None);
        assert_eq!(solution(&rows(&[[1, 1, 3], [2, 2, 6]])), None);
        assert_eq!(Residue(7).inverse().times(&Residue(7)), Residue(1));
        let one = Fraction::new(5, 7)
            .and_then(Residue::from_fraction)
            .unwrap();
        assert_eq!(one.times(&Residue(7)), Residue(5));
    }
}
