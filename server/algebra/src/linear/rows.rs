//! Integer rows `Σ aᵢ·vᵢ + c`, and the elimination of variables from conjunctions of rows.
//!
//! Equalities are eliminated first (Gaussian elimination, with the divisibility test `gcd(aᵢ) | c`), then inequalities (Fourier–Motzkin).
//! Every resulting inequality is divided by the greatest common divisor of its coefficients and its constant rounded down, which loses no
//! integer point: a contradiction excludes all *integer* points. Arithmetic is on `i128` and checked. If a number does not fit or there are
//! too many rows, elimination gives up; it never returns a wrong result.

use num_integer::Integer;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::fraction::product;
use crate::expr::Var;
use crate::work;

/// The maximum number of rows; beyond it, elimination gives up.
pub(super) const ROW_LIMIT: usize = 160;

/// The maximum number of variables that are searched one by one.
const FEW: usize = 24;

/// Coefficients by variable; nearly all rows have one or two variables.
pub(crate) type Coefficients = SmallVec<[(Var, i128); 2]>;

/// `Σ aᵢ·vᵢ + c` in integers; coefficients are sorted by variable and non-zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) coefficients: Coefficients,
    pub(crate) constant: i128,
}

impl Row {
    pub(crate) fn of_var(v: Var) -> Row {
        Row {
            coefficients: smallvec![(v, 1)],
            constant: 0,
        }
    }

    pub(crate) fn coefficient(&self, v: Var) -> i128 {
        self.coefficients
            .binary_search_by_key(&v, |&(w, _)| w)
            .map_or(0, |i| self.coefficients[i].1)
    }

    pub(crate) fn negated(&self) -> Option<Row> {
        Some(Row {
            coefficients: self
                .coefficients
                .iter()
                .map(|&(v, a)| Some((v, a.checked_neg()?)))
                .collect::<Option<_>>()?,
            constant: self.constant.checked_neg()?,
        })
    }

    /// Returns `p·self + q·other`.
    pub(crate) fn combined(&self, p: i128, other: &Row, q: i128) -> Option<Row> {
        let (left, right) = (&self.coefficients, &other.coefficients);
        work::add(4 + left.len() + right.len());
        // The result is usually no longer, since one variable is eliminated.
        let mut coefficients = Coefficients::with_capacity(left.len().max(right.len()));
        let (mut i, mut j) = (0, 0);
        while i < left.len() || j < right.len() {
            let take_left = j >= right.len() || (i < left.len() && left[i].0 <= right[j].0);
            let take_right = i >= left.len() || (j < right.len() && right[j].0 <= left[i].0);
            let v = if take_left { left[i].0 } else { right[j].0 };
            let mut a = 0i128;
            if take_left {
                a = product(left[i].1, p)?;
                i += 1;
            }
            if take_right {
                a = a.checked_add(product(right[j].1, q)?)?;
                j += 1;
            }
            if a != 0 {
                coefficients.push((v, a));
            }
        }
        let constant = product(self.constant, p)?.checked_add(product(other.constant, q)?)?;
        Some(Row {
            coefficients,
            constant,
        })
    }

    /// Returns the greatest common divisor of the coefficients of the variables (0 if there are none).
    pub(crate) fn content(&self) -> i128 {
        let mut content = 0i128;
        for &(_, a) in &self.coefficients {
            content = content.gcd(&a);
            if content == 1 {
                break;
            }
        }
        content
    }

    /// Tightens `self >= 0` for integer points: `2n - 1 >= 0` becomes `n - 1 >= 0`.
    pub(crate) fn tighten(&mut self) {
        let g = self.content();
        if g > 1 {
            for (_, a) in &mut self.coefficients {
                *a /= g;
            }
            self.constant = Integer::div_floor(&self.constant, &g);
        }
    }
}

/// The result of eliminating variables.
pub(crate) enum Projection {
    /// The rows have no integer point.
    Empty,
    /// Equalities (`= 0`) and inequalities (`>= 0`) over the variables that are kept; every integer point satisfies them.
    Rows {
        equalities: Vec<Row>,
        inequalities: Vec<Row>,
        /// True if all equalities had pivots of 1 or -1, so that no divisibility condition was lost.
        exact: bool,
    },
    /// There were too many rows, or numbers that are too large.
    GaveUp,
}

/// The direction in which the projection of the integer points is approximated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shadow {
    /// Contains every projected point.
    Outer,
    /// Contains only projected integer points, provided that the equalities were [exact](Projection::Rows): the "dark shadow" (Pugh 1991),
    /// where `b·low <= a·b·v <= a·high` with a distance of at least `(a-1)(b-1)`.
    Inner,
}

/// Eliminates every variable for which `keep` returns false.
pub(crate) fn project(
    equalities: Vec<Row>,
    inequalities: Vec<Row>,
    shadow: Shadow,
    keep: &dyn Fn(Var) -> bool,
) -> Projection {
    match try_project(equalities, inequalities, shadow, keep) {
        Ok(Some((equalities, inequalities, exact))) => Projection::Rows {
            equalities,
            inequalities,
            exact,
        },
        Ok(None) => Projection::GaveUp,
        Err(Contradiction) => Projection::Empty,
    }
}

/// No integer point satisfies the rows.
struct Contradiction;

type Rows = (Vec<Row>, Vec<Row>, bool);

fn try_project(
    mut equalities: Vec<Row>,
    mut inequalities: Vec<Row>,
    shadow: Shadow,
    keep: &dyn Fn(Var) -> bool,
) -> Result<Option<Rows>, Contradiction> {
    let mut kept = Vec::new();
    let mut exact = true;
    while let Some(at) = next_equality(&equalities, keep) {
        let mut row = equalities.swap_remove(at);
        let g = row.content();
        if g == 0 {
            if row.constant != 0 {
                return Err(Contradiction);
            }
            continue;
        }
        if row.constant % g != 0 {
            return Err(Contradiction);
        }
        for (_, a) in &mut row.coefficients {
            *a /= g;
        }
        row.constant /= g;
        // A pivot of ±1 is exact; any other pivot loses a divisibility condition, which is sound.
        let pivot = row
            .coefficients
            .iter()
            .copied()
            .filter(|&(v, _)| !keep(v))
            .min_by_key(|&(v, a)| (a.unsigned_abs(), v));
        let Some((v, a)) = pivot else {
            kept.push(row);
            continue;
        };
        exact = exact && a.abs() == 1;
        for other in equalities.iter_mut().chain(inequalities.iter_mut()) {
            let b = other.coefficient(v);
            if b != 0 {
                let g = a.gcd(&b);
                let Some(replaced) = other.combined((a / g).abs(), &row, -(b / g) * a.signum())
                else {
                    return Ok(None);
                };
                *other = replaced;
            }
        }
    }
    let Some(mut rows) = Inequalities::new(inequalities)? else {
        return Ok(None);
    };
    while let Some(v) = cheapest(rows.rows.iter().map(|row| &row.coefficients), keep) {
        if !rows.eliminate(v, shadow)? {
            return Ok(None);
        }
    }
    Ok(Some((kept, rows.rows, exact)))
}

/// Returns the equality to eliminate next, preferably an equality with a pivot of ±1.
fn next_equality(equalities: &[Row], keep: &dyn Fn(Var) -> bool) -> Option<usize> {
    let unit = |row: &Row| {
        row.coefficients
            .iter()
            .any(|&(v, a)| a.abs() == 1 && !keep(v))
    };
    equalities
        .iter()
        .position(unit)
        .or_else(|| (!equalities.is_empty()).then(|| equalities.len() - 1))
}

/// Inequalities `row >= 0`, with only the tightest constant for each left-hand side.
struct Inequalities {
    /// The rows, sorted by left-hand side and without duplicates. There are only a few rows, so a tree would be slower.
    rows: Vec<Row>,
}

impl Inequalities {
    fn new(rows: Vec<Row>) -> Result<Option<Self>, Contradiction> {
        let mut this = Self {
            rows: Vec::with_capacity(rows.len()),
        };
        for row in rows {
            if !this.insert(row)? {
                return Ok(None);
            }
        }
        Ok(Some(this))
    }

    /// Inserts an inequality. Returns false if a number does not fit.
    fn insert(&mut self, mut row: Row) -> Result<bool, Contradiction> {
        work::add(8 + 3 * row.coefficients.len());
        row.tighten();
        if row.coefficients.is_empty() {
            return if row.constant < 0 {
                Err(Contradiction)
            } else {
                Ok(true)
            };
        }
        // l + c >= 0 and -l + d >= 0 imply c + d >= 0.
        if row.coefficients.iter().any(|&(_, a)| a == i128::MIN) {
            return Ok(false);
        }
        let opposite = row.coefficients.iter().map(|&(v, a)| (v, -a));
        if let Ok(at) = self.place(opposite) {
            let sum = row.constant.checked_add(self.rows[at].constant);
            if sum.is_some_and(|sum| sum < 0) {
                return Err(Contradiction);
            }
        }
        match self.place(row.coefficients.iter().copied()) {
            Ok(at) => {
                let known = &mut self.rows[at].constant;
                *known = row.constant.min(*known);
            }
            Err(at) => self.rows.insert(at, row),
        }
        Ok(true)
    }

    /// Returns the index of a left-hand side, or the index at which it would be inserted.
    fn place(&self, side: impl Iterator<Item = (Var, i128)> + Clone) -> Result<usize, usize> {
        (self.rows).binary_search_by(|row| row.coefficients.iter().copied().cmp(side.clone()))
    }

    /// Eliminates a variable. Returns false if it gave up.
    fn eliminate(&mut self, v: Var, shadow: Shadow) -> Result<bool, Contradiction> {
        work::add(8 * self.rows.len());
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        let mut rest = Vec::with_capacity(self.rows.len());
        for row in std::mem::take(&mut self.rows) {
            let a = row.coefficient(v);
            if a > 0 {
                lower.push((row, a));
            } else if a < 0 {
                upper.push((row, -a));
            } else {
                rest.push(row);
            }
        }
        self.rows = rest;
        for (low, a) in &lower {
            for (high, b) in &upper {
                let g = a.gcd(b);
                // The inner shadow requires the original multipliers, since its distance depends on a and b themselves.
                let (p, q) = match shadow {
                    Shadow::Outer => (b / g, a / g),
                    Shadow::Inner => (*b, *a),
                };
                let Some(mut row) = low.combined(p, high, q) else {
                    return Ok(false);
                };
                if shadow == Shadow::Inner {
                    let distance = (a - 1).checked_mul(b - 1);
                    let Some(constant) = distance.and_then(|d| row.constant.checked_sub(d)) else {
                        return Ok(false);
                    };
                    row.constant = constant;
                }
                if !self.insert(row)? || self.rows.len() > ROW_LIMIT {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// Among the variables to be eliminated, chooses the variable whose elimination from rows with these coefficients creates the fewest new
/// rows.
pub(super) fn cheapest<'r>(
    rows: impl Iterator<Item = &'r Coefficients>,
    keep: &dyn Fn(Var) -> bool,
) -> Option<Var> {
    // For each variable, the number of rows in which its coefficient is positive, and the number in which it is negative.
    let mut counts: SmallVec<[(Var, i64, i64); 8]> = SmallVec::new();
    // The places of variables in `counts`, once there are too many for a search.
    let mut places: FxHashMap<Var, usize> = FxHashMap::default();
    for &(v, a) in rows.flatten().filter(|(v, _)| !keep(*v)) {
        let known = match counts.len() {
            0..=FEW => counts.iter().position(|&(w, ..)| w == v),
            _ => {
                if places.is_empty() {
                    places.extend(counts.iter().enumerate().map(|(at, &(w, ..))| (w, at)));
                }
                places.get(&v).copied()
            }
        };
        let at = known.unwrap_or_else(|| {
            counts.push((v, 0, 0));
            if !places.is_empty() {
                places.insert(v, counts.len() - 1);
            }
            counts.len() - 1
        });
        if a > 0 {
            counts[at].1 += 1;
        } else {
            counts[at].2 += 1;
        }
    }
    counts
        .into_iter()
        .min_by_key(|&(v, p, n)| (p * n - p - n, v))
        .map(|(v, ..)| v)
}
