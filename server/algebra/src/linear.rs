//! Linear constraints over integer points, and their conjunctions.
//!
//! A region describes the cases of a clause guard or a recurrence cell: `n >= 1, i <= n`. Elimination answers queries about regions; "yes"
//! is always proved, while "no" may mean that no proof was found.

mod affine;
mod emptiness;
pub mod fraction;
mod intervals;
mod kept;
mod refute;
mod renaming;
mod rows;
pub mod simplex;
mod substitution;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hash, Hasher};
use std::sync::Arc;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use rustc_hash::{FxBuildHasher, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::expr::{Expr, Monomial, Rat, Var};
pub use refute::{Cover, Implied, Refutation};
pub use renaming::Renaming;
pub(crate) use rows::Row;
use rows::{Coefficients, Projection, Shadow, project};
use substitution::MachineRows;
pub use substitution::Substitution;

/// The comparison of a linear expression with 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Relation {
    /// `expr >= 0`.
    NonNegative,
    /// `expr = 0`.
    Zero,
}

/// A linear constraint over integers, in normal form: the integer coefficients are coprime, the constant of an inequality is as tight as
/// integers allow (`2n - 1 >= 0` becomes `n - 1 >= 0`), and the first coefficient of an equality is positive. Constraints that define equal
/// sets have equal representations.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// The left-hand side in machine integers. It never changes, so copies share it.
    row: Arc<Row>,
    /// The hash of the row and the relation; comparing it distinguishes most constraints.
    hash: u64,
    /// The relation of the left-hand side to 0.
    relation: Relation,
}

impl PartialEq for Constraint {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
            && (Arc::ptr_eq(&self.row, &other.row) && self.relation == other.relation
                || self.key() == other.key())
    }
}

impl Eq for Constraint {}

impl PartialOrd for Constraint {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Constraint {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for Constraint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Hash the whole key: lookups must not rely on a fingerprint for which collisions can be constructed.
        self.key().hash(state);
    }
}

impl Constraint {
    fn key(&self) -> (&[(Var, i128)], Relation, i128) {
        (&self.row.coefficients, self.relation, self.row.constant)
    }

    /// Returns `a >= b`, or `None` if the difference is not linear or its coefficients do not fit into 64 bits.
    #[must_use]
    pub fn ge(a: &Expr, b: &Expr) -> Option<Self> {
        Self::new(&(a - b), Relation::NonNegative)
    }

    /// Returns `a <= b`.
    #[must_use]
    pub fn le(a: &Expr, b: &Expr) -> Option<Self> {
        Self::ge(b, a)
    }

    /// Returns `a > b`; for integer-valued expressions this is `a >= b + 1`.
    #[must_use]
    pub fn gt(a: &Expr, b: &Expr) -> Option<Self> {
        // Negating "b - a >= 0" is also correct for fractions: 1/2·n > 0 is n >= 1.
        Some(Self::ge(b, a)?.complement())
    }

    /// Returns `a < b`.
    #[must_use]
    pub fn lt(a: &Expr, b: &Expr) -> Option<Self> {
        Self::gt(b, a)
    }

    /// Returns `a = b`.
    #[must_use]
    pub fn eq(a: &Expr, b: &Expr) -> Option<Self> {
        Self::new(&(a - b), Relation::Zero)
    }

    /// Returns `expr >= 0` or `expr = 0`.
    #[must_use]
    pub fn new(expr: &Expr, relation: Relation) -> Option<Self> {
        let (row, _) = integer_row(expr)?;
        Some(Self::of_row(row, relation))
    }

    fn of_row(mut row: Row, relation: Relation) -> Self {
        let mut relation = relation;
        match relation {
            Relation::NonNegative => row.tighten(),
            Relation::Zero => {
                let g = row.content();
                if (g == 0 && row.constant != 0) || (g != 0 && row.constant % g != 0) {
                    // No integer point satisfies the constraint: use the unique representation of "false".
                    row = Row {
                        coefficients: Coefficients::new(),
                        constant: -1,
                    };
                    relation = Relation::NonNegative;
                } else if g != 0 {
                    let sign = row.coefficients[0].1.signum();
                    for (_, a) in &mut row.coefficients {
                        *a = *a / g * sign;
                    }
                    row.constant = row.constant / g * sign;
                }
            }
        }
        if row.coefficients.is_empty() {
            row.constant = if relation == Relation::NonNegative {
                row.constant.signum().min(0)
            } else {
                0
            };
            relation = Relation::NonNegative;
        }
        Self::normal(row, relation)
    }

    /// Wraps a row in normal form.
    fn normal(row: Row, relation: Relation) -> Self {
        Self {
            hash: FxBuildHasher.hash_one((&row, relation)),
            row: Arc::new(row),
            relation,
        }
    }

    /// Returns the relation of the left-hand side to 0.
    #[must_use]
    pub fn relation(&self) -> Relation {
        self.relation
    }

    fn never() -> Self {
        Self::of_row(
            Row {
                coefficients: Coefficients::new(),
                constant: -1,
            },
            Relation::NonNegative,
        )
    }

    /// Returns whether every integer point satisfies the constraint (`0 >= 0`).
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.row.coefficients.is_empty() && self.row.constant >= 0
    }

    /// Returns whether no integer point satisfies the constraint (`-1 >= 0`).
    #[must_use]
    pub fn is_contradiction(&self) -> bool {
        self.row.coefficients.is_empty() && self.row.constant < 0
    }

    /// Returns constraints that together cover the complement over the integers: one constraint for `>= 0`, two disjoint constraints for
    /// `= 0`.
    #[must_use]
    pub fn negated(&self) -> Vec<Constraint> {
        match self.relation {
            Relation::NonNegative => vec![self.complement()],
            Relation::Zero => {
                let positive = Self::of_row(
                    Row {
                        coefficients: self.row.coefficients.clone(),
                        constant: self.row.constant - 1,
                    },
                    Relation::NonNegative,
                );
                let weak = Self::of_row(self.row().clone(), Relation::NonNegative);
                vec![weak.complement(), positive]
            }
        }
    }

    /// Returns the complement of an inequality: `row >= 0` becomes `-row - 1 >= 0`. Entries fit into 64 bits, so negation cannot overflow.
    fn complement(&self) -> Self {
        let coefficients = self
            .row
            .coefficients
            .iter()
            .map(|&(v, a)| (v, -a))
            .collect();
        Self::of_row(
            Row {
                coefficients,
                constant: -self.row.constant - 1,
            },
            Relation::NonNegative,
        )
    }

    /// Returns whether the constraint holds at a point, or `None` if a variable has no value.
    pub fn holds_at(&self, value: &dyn Fn(Var) -> Option<BigInt>) -> Option<bool> {
        let mut sum = BigInt::from(self.row.constant);
        for &(v, a) in &self.row.coefficients {
            sum += value(v)? * a;
        }
        Some(match self.relation {
            Relation::NonNegative => !sum.is_negative(),
            Relation::Zero => sum.is_zero(),
        })
    }

    /// Returns the left-hand side.
    #[must_use]
    pub fn expr(&self) -> Expr {
        row_expr(&self.row)
    }

    /// Returns the variables, sorted.
    pub fn variables(&self) -> impl Iterator<Item = Var> + '_ {
        self.row.coefficients.iter().map(|&(v, _)| v)
    }

    /// Returns the variables of the left-hand side with their coefficients, sorted by variable.
    #[must_use]
    pub fn coefficients(&self) -> &[(Var, i128)] {
        &self.row.coefficients
    }

    /// Returns the coefficient of a variable, or 0 if it does not occur.
    #[must_use]
    pub fn coefficient(&self, v: Var) -> i128 {
        self.row.coefficient(v)
    }

    /// Returns the constant of the left-hand side.
    #[must_use]
    pub fn constant(&self) -> i128 {
        self.row.constant
    }

    pub(crate) fn row(&self) -> &Row {
        &self.row
    }
}

/// Returns the row of a linear expression with integer coefficients that fit into 64 bits.
fn whole_row(expr: &Expr) -> Option<Row> {
    if !expr.is_linear() || expr.terms().any(|(_, c)| !c.denom().is_one()) {
        return None;
    }
    let mut row = Row::default();
    for (m, c) in expr.terms() {
        let value = c.numer().to_i64()?;
        match m.powers.keys().next() {
            None => row.constant = value.into(),
            Some(&v) => row.coefficients.push((v, value.into())),
        }
    }
    row.coefficients.sort_unstable();
    Some(row)
}

/// Returns a linear expression as an integer row, with the positive factor by which it was multiplied.
pub(crate) fn integer_row(expr: &Expr) -> Option<(Row, BigInt)> {
    if let Some(row) = whole_row(expr) {
        return Some((row, BigInt::one()));
    }
    if !expr.is_linear() {
        return None;
    }
    let mut factor = BigInt::one();
    for (_, c) in expr.terms() {
        if !c.denom().is_one() {
            factor = factor.lcm(c.denom());
        }
    }
    let mut row = Row::default();
    for (m, c) in expr.terms() {
        let value = (c.numer() * &factor / c.denom()).to_i64()?;
        match m.powers.keys().next() {
            None => row.constant = value.into(),
            Some(&v) => row.coefficients.push((v, value.into())),
        }
    }
    row.coefficients.sort_unstable();
    Some((row, factor))
}

fn row_expr(row: &Row) -> Expr {
    let mut expr = Expr::constant(Rat::from_integer(row.constant.into()));
    for &(v, a) in &row.coefficients {
        let mut m = Monomial::one();
        m.powers.insert(v, 1);
        expr.add_monomial(m, Rat::from_integer(a.into()));
    }
    expr
}

/// A conjunction of linear constraints over integer points; the empty conjunction holds everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Region {
    /// Shared by copies: a summary contains the same few regions in many places.
    constraints: Arc<Vec<Constraint>>,
}

impl FromIterator<Constraint> for Region {
    fn from_iter<I: IntoIterator<Item = Constraint>>(constraints: I) -> Self {
        let mut region = Self::default();
        for c in constraints {
            region.insert(c);
        }
        region
    }
}

impl Region {
    /// Returns the region of all integer points.
    #[must_use]
    pub fn everything() -> Self {
        Self::default()
    }

    /// Returns the empty region.
    #[must_use]
    pub fn nothing() -> Self {
        Self {
            constraints: Arc::new(vec![Constraint::never()]),
        }
    }

    fn insert(&mut self, c: Constraint) {
        if c.is_trivial() {
            return;
        }
        let Err(at) = self.constraints.binary_search(&c) else {
            return;
        };
        // Inequalities with the same left-hand side are adjacent: keep only the tightest.
        let same = |d: &Constraint| {
            d.relation == c.relation
                && d.relation == Relation::NonNegative
                && d.row.coefficients == c.row.coefficients
        };
        if at > 0 && same(&self.constraints[at - 1]) {
            return; // the existing constraint has a smaller constant, so it is tighter
        }
        if at < self.constraints.len() && same(&self.constraints[at]) {
            Arc::make_mut(&mut self.constraints)[at] = c;
        } else if let Some(own) = Arc::get_mut(&mut self.constraints) {
            own.insert(at, c);
        } else {
            // Copy the list, with room for one more constraint.
            let mut all = Vec::with_capacity(self.constraints.len() + 1);
            all.extend_from_slice(&self.constraints[..at]);
            all.push(c);
            all.extend_from_slice(&self.constraints[at..]);
            self.constraints = Arc::new(all);
        }
    }

    /// Returns the region with an additional constraint.
    #[must_use]
    pub fn and(&self, c: Constraint) -> Self {
        let mut region = self.clone();
        region.insert(c);
        region
    }

    /// Returns the intersection.
    #[must_use]
    pub fn and_all(&self, other: &Region) -> Self {
        if self.constraints.is_empty() {
            return other.clone();
        }
        let mut region = self.clone();
        for c in other.constraints() {
            region.insert(c.clone());
        }
        region
    }

    /// Returns the constraints, sorted and without duplicates.
    #[must_use]
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// Returns the variables in the constraints, sorted.
    #[must_use]
    pub fn variables(&self) -> Vec<Var> {
        let mut vars: Vec<Var> = self
            .constraints
            .iter()
            .flat_map(Constraint::variables)
            .collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    fn rows(&self) -> (Vec<Row>, Vec<Row>) {
        let (mut equalities, mut inequalities) = (Vec::new(), Vec::new());
        for c in self.constraints() {
            match c.relation {
                Relation::Zero => equalities.push(c.row().clone()),
                Relation::NonNegative => inequalities.push(c.row().clone()),
            }
        }
        (equalities, inequalities)
    }

    /// Returns true only if the region is proved to contain no integer point.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match intervals::are_empty(&self.constraints, None) {
            Some(known) => known,
            None => emptiness::known_or(&self.constraints, || {
                let (equalities, inequalities) = self.rows();
                matches!(
                    project(equalities, inequalities, Shadow::Outer, &|_| false),
                    Projection::Empty
                )
            }),
        }
    }

    /// Returns true only if every integer point of the region is proved to satisfy the constraint.
    #[must_use]
    pub fn implies(&self, c: &Constraint) -> bool {
        self.says(c)
            || (c.negated().into_iter()).all(|opposite| {
                let known = intervals::are_empty(&self.constraints, Some(&opposite));
                known.unwrap_or_else(|| self.and(opposite).is_empty())
            })
    }

    /// Returns whether the region contains this constraint or a tighter constraint.
    fn says(&self, c: &Constraint) -> bool {
        c.is_trivial()
            || self.constraints.binary_search(c).is_ok()
            || c.relation == Relation::NonNegative
                && self.constraints.iter().any(|d| {
                    d.relation == Relation::NonNegative
                        && d.row.coefficients == c.row.coefficients
                        && d.row.constant <= c.row.constant
                })
    }

    /// Returns the parts of the region on which a constraint does not hold; there are none if it is implied.
    fn parts_outside(&self, c: &Constraint) -> Vec<Region> {
        if self.says(c) {
            return Vec::new();
        }
        let sides = c.negated().into_iter().map(|opposite| self.and(opposite));
        sides.filter(|side| !side.is_empty()).collect()
    }

    /// Returns true only if every integer point of the region is proved to lie in the other region.
    #[must_use]
    pub fn implies_all(&self, other: &Region) -> bool {
        other.constraints.iter().all(|c| self.implies(c))
    }

    /// Returns whether a point satisfies every constraint; false if a variable has no value.
    pub fn contains(&self, value: &dyn Fn(Var) -> Option<BigInt>) -> bool {
        self.constraints
            .iter()
            .all(|c| c.holds_at(value) == Some(true))
    }

    /// Replaces variables by expressions. Returns `None` if a resulting constraint is not linear.
    #[must_use]
    pub fn substitute(&self, by: &BTreeMap<Var, Expr>) -> Option<Region> {
        let mut rows = MachineRows::default();
        (self.constraints.iter())
            .map(|c| c.substituted(by, &mut rows))
            .collect()
    }

    /// Returns the minimum and maximum of a linear expression over the rational relaxation, tightened to integers for an integer-valued
    /// expression; `None` if there is no bound or none was found. Both bounds hold at every integer point.
    #[must_use]
    pub fn bounds(&self, expr: &Expr) -> (Option<Rat>, Option<Rat>) {
        if let Some(c) = expr.as_constant() {
            return (Some(c.clone()), Some(c));
        }
        let Some((row, factor)) = integer_row(expr) else {
            return (None, None);
        };
        let (mut equalities, inequalities) = self.rows();
        // t = factor·expr, where t is a fresh variable.
        let t = Var(u32::MAX);
        let mut definition = row;
        definition.coefficients.push((t, -1));
        equalities.push(definition);
        let Projection::Rows {
            equalities,
            inequalities,
            ..
        } = project(equalities, inequalities, Shadow::Outer, &|v| v == t)
        else {
            return (None, None);
        };
        let (mut low, mut high): (Option<Rat>, Option<Rat>) = (None, None);
        let mut lower = |bound: Rat| match &mut low {
            Some(l) if *l >= bound => {}
            slot => *slot = Some(bound),
        };
        let mut upper = |bound: Rat| match &mut high {
            Some(h) if *h <= bound => {}
            slot => *slot = Some(bound),
        };
        let ratio = |c: i128, a: i128| Rat::new(c.into(), BigInt::from(a) * &factor);
        for row in &equalities {
            if let [(_, a)] = row.coefficients[..] {
                lower(ratio(-row.constant, a));
                upper(ratio(-row.constant, a));
            }
        }
        for row in &inequalities {
            if let [(_, a)] = row.coefficients[..] {
                if a > 0 {
                    lower(ratio(-row.constant, a));
                } else {
                    upper(ratio(-row.constant, a));
                }
            }
        }
        (low, high)
    }

    /// Returns the maximum of a variable, as [`Self::bounds`] does, but without charging work where each constraint has one variable.
    #[must_use]
    pub fn maximum(&self, v: Var) -> Option<Rat> {
        match intervals::maximum(&self.constraints, v) {
            Some(maximum) => maximum.map(|most| Rat::from_integer(most.into())),
            None => self.bounds(&Expr::var(v)).1,
        }
    }

    /// Projects out variables. The result is a region over the remaining variables that contains the projection of every integer point.
    /// Returns `None` if elimination gave up.
    #[must_use]
    pub fn project_out(&self, forget: &[Var]) -> Option<Region> {
        Some(self.shadow(forget, Shadow::Outer)?.0)
    }

    /// Projects out variables from the inside. Every integer point of the result is the projection of a point of `self`; for
    /// `2k <= n <= 2k + 1`, projecting out `k` leaves everything. Returns `None` if a divisibility condition would be lost.
    #[must_use]
    pub fn project_inside(&self, forget: &[Var]) -> Option<Region> {
        let (region, exact) = self.shadow(forget, Shadow::Inner)?;
        exact.then_some(region)
    }

    fn shadow(&self, forget: &[Var], shadow: Shadow) -> Option<(Region, bool)> {
        if forget.is_empty() {
            return Some((self.clone(), true));
        }
        let (equalities, inequalities) = self.rows();
        let forget: FxHashSet<Var> = forget.iter().copied().collect();
        match project(equalities, inequalities, shadow, &|v| !forget.contains(&v)) {
            Projection::Empty => Some((Self::nothing(), true)),
            Projection::GaveUp => None,
            Projection::Rows {
                equalities,
                inequalities,
                exact,
            } => {
                let fits = |row: &Row| {
                    row.coefficients
                        .iter()
                        .map(|&(_, a)| a)
                        .chain([row.constant])
                        .all(|a| i64::try_from(a).is_ok())
                };
                let mut region = Self::default();
                for row in equalities {
                    if !fits(&row) {
                        return None;
                    }
                    region.insert(Constraint::of_row(row, Relation::Zero));
                }
                for row in inequalities {
                    if !fits(&row) {
                        return None;
                    }
                    region.insert(Constraint::of_row(row, Relation::NonNegative));
                }
                Some((region, exact))
            }
        }
    }

    /// Returns the same set without redundant constraints; pairs of inequalities that force an equality are merged (`n >= 0, n <= 0`
    /// becomes `n = 0`).
    #[must_use]
    pub fn simplified(&self) -> Region {
        if self.constraints.is_empty() {
            return self.clone();
        }
        if self.is_empty() {
            return Self::nothing();
        }
        if let Some(constraints) = intervals::simplified(&self.constraints) {
            return Region {
                constraints: Arc::new(constraints),
            };
        }
        let mut constraints: Vec<Constraint> = self
            .constraints
            .iter()
            .map(|c| {
                if c.relation == Relation::NonNegative {
                    let equality = Constraint::of_row(c.row().clone(), Relation::Zero);
                    if self.implies(&equality) {
                        return equality;
                    }
                }
                c.clone()
            })
            .collect();
        constraints.sort();
        constraints.dedup();
        // Remove constraints that the rest implies: inequalities over many variables first, equalities last.
        let mut order = constraints.clone();
        order.sort_by_key(|c| (c.relation, std::cmp::Reverse(c.row.coefficients.len())));
        for candidate in order {
            let others = constraints.iter().filter(|c| **c != candidate);
            let rest = Region {
                constraints: Arc::new(others.cloned().collect()),
            };
            if rest.implies(&candidate) {
                constraints = Arc::unwrap_or_clone(rest.constraints);
            }
        }
        Region {
            constraints: Arc::new(constraints),
        }
    }

    /// Returns disjoint regions that together contain exactly the integer points of `self` outside `other` (some may be empty if their
    /// emptiness was not proved).
    #[must_use]
    pub fn difference(&self, other: &Region) -> Vec<Region> {
        let mut pieces = Vec::new();
        let mut inside = self.clone();
        for c in other.constraints() {
            let sides = inside.parts_outside(c);
            if !sides.is_empty() {
                pieces.extend(sides);
                inside = inside.and(c.clone());
            }
        }
        pieces
    }

    /// Returns true only if every integer point is proved to lie in one of the other regions.
    #[must_use]
    pub fn covered_by(&self, others: &[Region]) -> bool {
        let mut left = vec![self.clone()];
        for other in others {
            let mut next = Vec::new();
            for piece in &left {
                next.extend(piece.difference(other));
            }
            left = next;
            if left.len() > 64 {
                return false;
            }
            if left.is_empty() {
                break;
            }
        }
        left.iter().all(Region::is_empty)
    }

    /// Returns the union if it is a region: the union of `n = 0` and `n >= 1` is `n >= 0`.
    #[must_use]
    pub fn union_if_convex(&self, other: &Region) -> Option<Region> {
        if self.implies_all(other) {
            return Some(other.clone());
        }
        if other.implies_all(self) {
            return Some(self.clone());
        }
        // The inequalities of each region that also hold in the other region.
        let mut hull = Region::default();
        for (of, on) in [(self, other), (other, self)] {
            for c in of.constraints() {
                if c.relation == Relation::Zero {
                    if on.implies(c) {
                        hull.insert(c.clone());
                        continue;
                    }
                    let up = Constraint::of_row(c.row().clone(), Relation::NonNegative);
                    let Some(opposite) = c.row.negated() else {
                        continue;
                    };
                    let down = Constraint::of_row(opposite, Relation::NonNegative);
                    for half in [up, down] {
                        if on.implies(&half) {
                            hull.insert(half);
                        }
                    }
                } else if on.implies(c) {
                    hull.insert(c.clone());
                }
            }
        }
        hull.covered_by(&[self.clone(), other.clone()])
            .then(|| hull.simplified())
    }
}
