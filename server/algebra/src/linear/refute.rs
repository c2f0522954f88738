//! Refutations: certificates that a region contains no integer point, checkable without search.
//!
//! Elimination works as in [`super::rows`], with every row tracked as a combination of the region's constraints. A row whose constant is
//! rounded down becomes a *cut* (Gomory 1958), and later rows are combinations of constraints and cuts: `2n = m, m <= 1, m >= 1` has the
//! cuts `n >= 1` and `n <= 0`, and their sum is `0 >= 1`.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};

use super::rows::{Coefficients, cheapest};
use super::{Constraint, Region, Relation, Row};
use crate::expr::{Rat, Var};

/// The maximum number of rows; beyond it, elimination gives up.
const ROW_LIMIT: usize = 160;

/// A chain of cuts that ends in a contradiction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refutation {
    /// Each cut is a combination of rows as (index, multiplier) pairs: the region's constraints come first, then the preceding cuts. Only
    /// equalities have negative multipliers. The coefficients of a cut are divided by their common divisor, then its constant is rounded
    /// down. The last cut has no variables and a negative constant.
    pub cuts: Vec<Vec<(usize, Rat)>>,
}

/// A proof that every integer point of a region satisfies a constraint: no point satisfies any of the constraints in
/// [`Constraint::negated`].
pub type Implied = Vec<Refutation>;

/// A proof that a region lies in the union of other regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cover {
    /// The region is empty.
    Empty(Refutation),
    /// The parts of the region outside one of the other regions are covered.
    Outside {
        /// The index of this other region.
        part: usize,
        /// For each constraint of the other region and each half of its negation, in order: a cover of the points that satisfy that half
        /// and the preceding constraints.
        rest: Vec<Cover>,
    },
}

/// A row as a combination of constraints and cuts.
type From = BTreeMap<usize, Rat>;

#[derive(Clone)]
struct Tracked {
    row: Row,
    from: From,
}

/// The error returned when a contradiction is found.
struct Contradiction(Refutation);

struct Search {
    cuts: Vec<Vec<(usize, Rat)>>,
    given: usize,
}

impl Region {
    /// Proves that the region contains no integer point.
    #[must_use]
    pub fn refutation(&self) -> Option<Refutation> {
        let mut search = Search {
            cuts: Vec::new(),
            given: self.constraints.len(),
        };
        match search.run(self) {
            Err(Contradiction(refutation)) => Some(refutation),
            Ok(_) => None,
        }
    }

    /// Proves that every integer point satisfies the constraint.
    #[must_use]
    pub fn implication(&self, c: &Constraint) -> Option<Implied> {
        c.negated()
            .into_iter()
            .map(|opposite| self.and(opposite).refutation())
            .collect()
    }

    /// Proves that every integer point lies in one of the other regions.
    #[must_use]
    pub fn cover(&self, others: &[Region]) -> Option<Cover> {
        self.cover_from(others, 0)
    }

    fn cover_from(&self, others: &[Region], part: usize) -> Option<Cover> {
        if let Some(refutation) = self.refutation() {
            return Some(Cover::Empty(refutation));
        }
        // A region that does not intersect this region does not help to cover it.
        let part = (part..others.len()).find(|&i| !self.and_all(&others[i]).is_empty())?;
        let mut inside = self.clone();
        let mut rest = Vec::new();
        for c in others[part].constraints() {
            for opposite in c.negated() {
                rest.push(inside.and(opposite).cover_from(others, part + 1)?);
            }
            inside = inside.and(c.clone());
        }
        Some(Cover::Outside { part, rest })
    }
}

impl Search {
    /// Searches for a contradiction, which is returned as the error. Returns `None` if the search gave up, and unit if there is no
    /// contradiction.
    fn run(&mut self, region: &Region) -> Result<Option<()>, Contradiction> {
        let (mut equalities, mut inequalities) = (Vec::new(), Vec::new());
        for (i, c) in region.constraints.iter().enumerate() {
            let tracked = Tracked {
                row: c.row().clone(),
                from: BTreeMap::from([(i, Rat::one())]),
            };
            match c.relation {
                Relation::Zero => equalities.push(tracked),
                Relation::NonNegative => inequalities.push(tracked),
            }
        }
        if self
            .without_equalities(&mut equalities, &mut inequalities)?
            .is_none()
        {
            return Ok(None);
        }
        let mut rows = BTreeMap::new();
        for row in inequalities {
            if self.insert(&mut rows, row)?.is_none() {
                return Ok(None);
            }
        }
        while let Some(v) = cheapest(rows.keys(), &|_| false) {
            if self.eliminate(&mut rows, v)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    fn without_equalities(
        &mut self,
        equalities: &mut Vec<Tracked>,
        inequalities: &mut [Tracked],
    ) -> Result<Option<()>, Contradiction> {
        loop {
            let unit = |t: &Tracked| t.row.coefficients.iter().any(|&(_, a)| a.abs() == 1);
            let at = equalities.iter().position(unit);
            let Some(at) = at.or_else(|| equalities.len().checked_sub(1)) else {
                return Ok(Some(()));
            };
            let mut t = equalities.swap_remove(at);
            let g = t.row.content();
            if g == 0 {
                if t.row.constant != 0 {
                    let sign = Rat::from_integer((-t.row.constant.signum()).into());
                    return Err(self.contradiction(scaled(&t.from, &sign)));
                }
                continue;
            }
            if t.row.constant % g != 0 {
                // With the constant rounded in both directions, the two cuts contradict each other.
                let one = Rat::new(BigInt::one(), g.into());
                let up = self.cut(&scaled(&t.from, &one));
                let down = self.cut(&scaled(&t.from, &-one));
                let sum = BTreeMap::from([(up, Rat::one()), (down, Rat::one())]);
                return Err(self.contradiction(sum));
            }
            for (_, a) in &mut t.row.coefficients {
                *a /= g;
            }
            t.row.constant /= g;
            t.from = scaled(&t.from, &Rat::new(BigInt::one(), g.into()));
            let pivot = t.row.coefficients.iter().copied();
            let Some((v, a)) = pivot.min_by_key(|&(v, a)| (a.unsigned_abs(), v)) else {
                continue;
            };
            for other in equalities.iter_mut().chain(inequalities.iter_mut()) {
                let b = other.row.coefficient(v);
                if b != 0 {
                    let g = a.gcd(&b);
                    let combined = combined(other, (a / g).abs(), &t, -(b / g) * a.signum());
                    let Some(combined) = combined else {
                        return Ok(None);
                    };
                    *other = combined;
                }
            }
        }
    }

    fn insert(
        &mut self,
        rows: &mut BTreeMap<Coefficients, (i128, From)>,
        mut t: Tracked,
    ) -> Result<Option<()>, Contradiction> {
        let g = t.row.content();
        if g > 1 {
            t.from = scaled(&t.from, &Rat::new(BigInt::one(), g.into()));
            if t.row.constant % g != 0 {
                t.from = BTreeMap::from([(self.cut(&t.from), Rat::one())]);
            }
        }
        t.row.tighten();
        if t.row.coefficients.is_empty() {
            return if t.row.constant < 0 {
                Err(self.contradiction(t.from))
            } else {
                Ok(Some(()))
            };
        }
        let Some(opposite) = t.row.negated() else {
            return Ok(None);
        };
        if let Some((d, from)) = rows.get(&opposite.coefficients)
            && t.row.constant.checked_add(*d).is_some_and(|sum| sum < 0)
        {
            return Err(self.contradiction(sum(&t.from, from)));
        }
        let slot = rows
            .entry(t.row.coefficients)
            .or_insert_with(|| (t.row.constant, t.from.clone()));
        if t.row.constant < slot.0 {
            *slot = (t.row.constant, t.from);
        }
        Ok(Some(()))
    }

    fn eliminate(
        &mut self,
        rows: &mut BTreeMap<Coefficients, (i128, From)>,
        v: Var,
    ) -> Result<Option<()>, Contradiction> {
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        let mut rest = BTreeMap::new();
        for (coefficients, (constant, from)) in std::mem::take(rows) {
            let row = Row {
                coefficients,
                constant,
            };
            let a = row.coefficient(v);
            let t = Tracked { row, from };
            if a > 0 {
                lower.push((t, a));
            } else if a < 0 {
                upper.push((t, -a));
            } else {
                rest.insert(t.row.coefficients, (t.row.constant, t.from));
            }
        }
        *rows = rest;
        for (low, a) in &lower {
            for (high, b) in &upper {
                let g = a.gcd(b);
                let Some(row) = combined(low, b / g, high, a / g) else {
                    return Ok(None);
                };
                if self.insert(rows, row)?.is_none() || rows.len() > ROW_LIMIT {
                    return Ok(None);
                }
            }
        }
        Ok(Some(()))
    }

    /// Creates a cut from a combination. Returns its index.
    fn cut(&mut self, from: &From) -> usize {
        let terms = from.iter().map(|(&i, c)| (i, c.clone()));
        self.cuts
            .push(terms.filter(|(_, c)| !c.is_zero()).collect());
        self.given + self.cuts.len() - 1
    }

    /// Returns the refutation that ends with a combination, without unnecessary cuts.
    fn contradiction(&mut self, from: From) -> Contradiction {
        let last = self.cut(&from) - self.given;
        let mut needed = vec![false; self.cuts.len()];
        needed[last] = true;
        for i in (0..self.cuts.len()).rev().filter(|i| *i <= last) {
            if needed[i] {
                for &(place, _) in &self.cuts[i] {
                    if let Some(cut) = place.checked_sub(self.given) {
                        needed[cut] = true;
                    }
                }
            }
        }
        let mut places = Vec::new();
        let mut cuts: Vec<Vec<(usize, Rat)>> = Vec::new();
        for (cut, needed) in std::mem::take(&mut self.cuts).into_iter().zip(&needed) {
            places.push(self.given + cuts.len());
            if *needed {
                let renumbered = cut.into_iter().map(|(place, c)| {
                    let place = place.checked_sub(self.given).map_or(place, |k| places[k]);
                    (place, c)
                });
                cuts.push(renumbered.collect());
            }
        }
        Contradiction(Refutation { cuts })
    }
}

fn scaled(from: &From, by: &Rat) -> From {
    from.iter().map(|(&i, c)| (i, c * by)).collect()
}

fn sum(a: &From, b: &From) -> From {
    let mut sum = a.clone();
    for (&i, c) in b {
        *sum.entry(i).or_insert_with(Rat::zero) += c;
    }
    sum
}

/// Returns `p·a + q·b`.
fn combined(a: &Tracked, p: i128, b: &Tracked, q: i128) -> Option<Tracked> {
    let number = |n: i128| Rat::from_integer(n.into());
    Some(Tracked {
        row: a.row.combined(p, &b.row, q)?,
        from: sum(&scaled(&a.from, &number(p)), &scaled(&b.from, &number(q))),
    })
}
