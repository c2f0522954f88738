//! Regions whose constraints have one variable each: one interval for each variable.
//!
//! A predicate with hundreds of arguments has such regions, one constraint for each argument. They need no elimination.

use super::rows::ROW_LIMIT;
use super::{Constraint, Relation};
use crate::expr::Var;

/// The integers between two bounds, if these exist.
#[derive(Clone, Copy, Default)]
struct Interval {
    low: Option<i128>,
    high: Option<i128>,
}

impl Interval {
    /// Intersects the interval with a constraint in normal form, whose coefficient `a` is 1 or -1.
    fn restrict(&mut self, c: &Constraint, a: i128) {
        let constant = c.row.constant;
        if a > 0 || c.relation == Relation::Zero {
            self.low = Some(self.low.map_or(-constant, |low| low.max(-constant)));
        }
        if a < 0 || c.relation == Relation::Zero {
            let bound = if a < 0 { constant } else { -constant };
            self.high = Some(self.high.map_or(bound, |high| high.min(bound)));
        }
    }

    fn is_empty(self) -> bool {
        matches!((self.low, self.high), (Some(low), Some(high)) if low > high)
    }
}

/// Decides whether sorted constraints, together with another constraint, have no common integer point. Returns `None` if a constraint has
/// several variables.
pub(super) fn are_empty(constraints: &[Constraint], extra: Option<&Constraint>) -> Option<bool> {
    let extra = extra.filter(|c| !c.is_trivial());
    let at = extra.map_or(0, |c| constraints.partition_point(|d| d < c));
    let (before, after) = constraints.split_at(at);
    let mut current: Option<(Var, Interval)> = None;
    for c in before.iter().chain(extra).chain(after) {
        if c.is_contradiction() {
            return Some(true);
        }
        let [(v, a)] = c.row.coefficients[..] else {
            return None;
        };
        match &mut current {
            Some((w, interval)) if *w == v => interval.restrict(c, a),
            _ => {
                if current.is_some_and(|(_, interval)| interval.is_empty()) {
                    return Some(true);
                }
                let mut interval = Interval::default();
                interval.restrict(c, a);
                current = Some((v, interval));
            }
        }
    }
    Some(current.is_some_and(|(_, interval)| interval.is_empty()))
}

/// Returns the same set without redundant constraints, given sorted constraints with a common integer point. Returns `None` if a constraint
/// has several variables.
pub(super) fn simplified(constraints: &[Constraint]) -> Option<Vec<Constraint>> {
    if !constraints.iter().all(is_single) {
        return None;
    }
    let mut simplified = Vec::with_capacity(constraints.len());
    for group in groups(constraints) {
        let interval = interval_of(group);
        if interval.low.is_some() && interval.low == interval.high {
            let row = group[0].row().clone();
            let equality = group.iter().find(|c| c.relation == Relation::Zero);
            simplified.push(match equality {
                Some(equality) => equality.clone(),
                None => Constraint::of_row(row, Relation::Zero),
            });
        } else {
            simplified.extend_from_slice(group);
        }
    }
    simplified.sort();
    Some(simplified)
}

/// Returns the maximum of a variable, if it has one. Returns `None` if a constraint has several variables, if the constraints have no common
/// integer point, or if elimination would give up because of the number of rows.
pub(super) fn maximum(constraints: &[Constraint], v: Var) -> Option<Option<i128>> {
    if !constraints.iter().all(is_single) {
        return None;
    }
    let is_inequality = |c: &&Constraint| c.relation == Relation::NonNegative;
    let inequalities = constraints.iter().filter(is_inequality).count();
    let combines = |group: &[Constraint]| group.iter().filter(is_inequality).count() > 1;
    if inequalities > ROW_LIMIT && groups(constraints).any(combines) {
        return None;
    }
    let mut maximum = None;
    for group in groups(constraints) {
        let interval = interval_of(group);
        if interval.is_empty() {
            return None;
        }
        if group[0].coefficient(v) != 0 {
            maximum = interval.high;
        }
    }
    Some(maximum)
}

fn is_single(c: &Constraint) -> bool {
    c.row.coefficients.len() == 1
}

/// Groups sorted constraints of one variable each by variable.
fn groups(constraints: &[Constraint]) -> impl Iterator<Item = &[Constraint]> {
    constraints.chunk_by(|c, d| c.row.coefficients[0].0 == d.row.coefficients[0].0)
}

fn interval_of(constraints: &[Constraint]) -> Interval {
    let mut interval = Interval::default();
    for c in constraints {
        interval.restrict(c, c.row.coefficients[0].1);
    }
    interval
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Expr;
    use crate::linear::Region;

    /// Generates constraints of one variable each, over three variables.
    fn constraint() -> impl Strategy<Value = Constraint> {
        (0..3u32, -3..=3i64, 0..3u8).prop_map(|(v, n, kind)| {
            let (v, n) = (Expr::var(Var(v)), Expr::int(n));
            match kind {
                0 => Constraint::ge(&v, &n),
                1 => Constraint::le(&v, &n),
                _ => Constraint::eq(&v, &n),
            }
            .unwrap()
        })
    }

    /// Returns the points of a region with coordinates from -5 to 5.
    fn points(region: &Region) -> Vec<[i64; 3]> {
        let line = || -5..=5i64;
        let all = line().flat_map(|x| line().flat_map(move |y| line().map(move |z| [x, y, z])));
        all.filter(|p| region.contains(&|v| Some(p[v.0 as usize].into())))
            .collect()
    }

    proptest! {
        #[test]
        fn intervals_have_the_points_of_their_constraints(constraints in prop::collection::vec(constraint(), 0..6), other in constraint()) {
            let region: Region = constraints.into_iter().collect();
            let inside = points(&region);
            prop_assert_eq!(region.is_empty(), inside.is_empty());
            let simplified = region.simplified();
            prop_assert_eq!(points(&simplified), inside.clone());
            for c in simplified.constraints() {
                let others = simplified.constraints().iter().filter(|d| *d != c);
                let others: Region = others.cloned().collect();
                prop_assert!(inside.is_empty() || points(&others).len() > inside.len(), "{simplified:?}");
            }
            let alone = Region::from_iter([other.clone()]);
            let is_implied = inside.iter().all(|p| alone.contains(&|v| Some(p[v.0 as usize].into())));
            prop_assert_eq!(region.implies(&other), is_implied);
            for v in [Var(0), Var(1), Var(2)] {
                prop_assert_eq!(region.maximum(v), region.bounds(&Expr::var(v)).1);
            }
        }
    }

    #[test]
    fn many_intervals_have_the_maxima_that_elimination_finds() {
        for several in [true, false] {
            let region: Region = (0..200)
                .flat_map(|i| {
                    let v = Expr::var(Var(i));
                    let low = Constraint::ge(&v, &Expr::int(1)).unwrap();
                    let high = Constraint::le(&v, &Expr::int(2)).unwrap();
                    [low].into_iter().chain((several || i == 7).then_some(high))
                })
                .collect();
            for v in [Var(0), Var(7), Var(300)] {
                assert_eq!(region.maximum(v), region.bounds(&Expr::var(v)).1);
            }
        }
    }
}
