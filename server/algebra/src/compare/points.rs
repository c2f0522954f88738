//! Points of regions: sizes determined by equalities are computed, and all other sizes are enumerated.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::expr::{Expr, Monomial, Rat, Var, rat};
use crate::linear::{Region, Relation};
use crate::sign::{Sign, sign_intervals};

/// Values of sizes.
pub(super) type SizeValues<'a> = dyn Fn(Var) -> Option<BigInt> + 'a;

/// Returns some point of the region, if the search succeeds.
pub(super) fn some_point(region: &Region, all: &BTreeSet<Var>) -> Option<Vec<(Var, BigInt)>> {
    let points = Points::new(region, all);
    points
        .search(&points.grid(), &|_| Some(()))
        .map(|(sizes, ())| sizes)
}

/// Returns a point of the region with a given value for one size, with values for all sizes.
pub(super) fn point_with(
    region: &Region,
    v: Var,
    value: &BigInt,
    all: &BTreeSet<Var>,
) -> Option<Vec<(Var, BigInt)>> {
    if all.len() == 1 {
        return Some(vec![(v, value.clone())]);
    }
    let fixed = Expr::constant(Rat::from_integer(value.clone()));
    let by = BTreeMap::from([(v, fixed)]);
    let rest: BTreeSet<Var> = all.iter().copied().filter(|w| *w != v).collect();
    let points_region = region.substitute(&by)?;
    let points = Points::new(&points_region, &rest);
    let (mut sizes, ()) = points.search(&points.grid(), &|_| Some(()))?;
    sizes.push((v, value.clone()));
    sizes.sort_unstable();
    Some(sizes)
}

/// A search for points of a region: sizes determined by equalities are computed, and all other sizes are enumerated.
pub(super) struct Points<'a> {
    region: &'a Region,
    /// Solved sizes, each in terms of free sizes and of sizes solved after it.
    solved: Vec<(Var, Expr)>,
    free: Vec<Var>,
    /// The first value to try for each free size, and the direction of the subsequent values.
    starts: Vec<Start>,
}

struct Start {
    from: BigInt,
    is_downward: bool,
    is_both_ways: bool,
    limit: Option<BigInt>,
}

impl<'a> Points<'a> {
    /// Prepares a search in a region, whose variables are among the given sizes.
    pub(super) fn new(region: &'a Region, all: &BTreeSet<Var>) -> Self {
        let (rest, solved) = solve_equalities(region);
        let free: Vec<Var> = all
            .iter()
            .copied()
            .filter(|v| solved.iter().all(|(w, _)| w != v))
            .collect();
        let starts = free
            .iter()
            .map(|v| match integer_range(&rest, *v) {
                (Some(from), limit) => Start {
                    from,
                    is_downward: false,
                    is_both_ways: false,
                    limit,
                },
                (None, Some(from)) => Start {
                    from,
                    is_downward: true,
                    is_both_ways: false,
                    limit: None,
                },
                (None, None) => Start {
                    from: BigInt::zero(),
                    is_downward: false,
                    is_both_ways: true,
                    limit: None,
                },
            })
            .collect();
        Self {
            region,
            solved,
            free,
            starts,
        }
    }

    /// Returns the distances from the first value to try. The more sizes there are, the fewer distances are tried.
    fn distances(&self) -> &'static [i64] {
        match self.free.len() {
            0 | 1 => &[
                0,
                1,
                2,
                3,
                4,
                5,
                6,
                7,
                8,
                9,
                10,
                11,
                12,
                13,
                14,
                15,
                16,
                20,
                24,
                32,
                48,
                64,
                96,
                128,
                256,
                512,
                1_000,
                4_096,
                10_000,
                65_536,
                1_000_000,
                1_000_000_000,
            ],
            2 => &[
                0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 32, 50, 64, 100, 128, 256, 1_000, 10_000,
                1_000_000,
            ],
            3 => &[0, 1, 2, 3, 5, 10, 30, 100, 1_000, 1_000_000],
            4 => &[0, 1, 2, 5, 20, 1_000],
            _ => &[0, 1, 10],
        }
    }

    /// Returns values for the free sizes in ascending order of distance: at most 6,561 points (if there are more than eight sizes, the
    /// remaining sizes keep their first value).
    pub(super) fn grid(&self) -> Vec<Vec<BigInt>> {
        const VARIED: usize = 8;
        let distances = self.distances();
        let mut steps: Vec<Vec<i64>> = vec![Vec::new()];
        for (i, start) in self.starts.iter().enumerate() {
            let mut choices: Vec<i64> = if i < VARIED {
                distances.to_vec()
            } else {
                vec![0]
            };
            if start.is_both_ways {
                choices.extend(distances.iter().skip(1).map(|d| -d));
            }
            if let Some(limit) = &start.limit {
                choices.retain(|d| &start.from + d <= *limit);
            }
            steps = steps
                .iter()
                .flat_map(|row| {
                    choices.iter().map(move |d| {
                        let mut longer = row.clone();
                        longer.push(*d);
                        longer
                    })
                })
                .collect();
            // Trying both directions in many sizes would be too expensive.
            steps.truncate(20_000);
        }
        steps.sort_by_key(|row| row.iter().map(|d| d.abs()).sum::<i64>());
        steps
            .into_iter()
            .map(|row| {
                self.starts
                    .iter()
                    .zip(row)
                    .map(|(start, d)| {
                        if start.is_downward {
                            &start.from - d
                        } else {
                            &start.from + d
                        }
                    })
                    .collect()
            })
            .collect()
    }

    /// Returns points at which a difference takes the refuting sign along one size, with all other sizes held at small values.
    pub(super) fn crossings(&self, differences: &[(Expr, Sign)]) -> Vec<Vec<BigInt>> {
        const HELD: [i64; 5] = [0, 1, 2, 10, 1_000];
        let mut points = Vec::new();
        if self.free.len() > 4 {
            return points;
        }
        for (along, v) in self.free.iter().enumerate() {
            let count = HELD
                .len()
                .pow(u32::try_from(self.free.len() - 1).unwrap_or(0));
            for code in 0..count {
                let mut code = code;
                let mut by = BTreeMap::new();
                let mut point = Vec::new();
                for (i, start) in self.starts.iter().enumerate() {
                    if i == along {
                        point.push(BigInt::zero());
                        continue;
                    }
                    let d = HELD[code % HELD.len()];
                    code /= HELD.len();
                    let value = if start.is_downward {
                        &start.from - d
                    } else {
                        &start.from + d
                    };
                    by.insert(
                        self.free[i],
                        Expr::constant(Rat::from_integer(value.clone())),
                    );
                    point.push(value);
                }
                // Restrict the range to the points of the region with the held values.
                let Some(slice) = self.slice(&by) else {
                    continue;
                };
                let (from, to) = integer_range(&slice, *v);
                for (d, refuting) in differences {
                    let Some(d) = d.substitute(&by) else { continue };
                    for interval in sign_intervals(&d, *v, from.clone(), to.clone()) {
                        if interval.sign == Some(*refuting)
                            && let Some(end) = interval.from.or(interval.to)
                        {
                            point[along] = end;
                            points.push(point.clone());
                            break;
                        }
                    }
                }
            }
        }
        points
    }

    /// Substitutes the sizes that equalities determine into an expression.
    pub(super) fn reduced(&self, e: &Expr) -> Option<Expr> {
        let mut reduced = e.clone();
        for (v, by) in &self.solved {
            reduced = reduced.substitute(&BTreeMap::from([(*v, by.clone())]))?;
        }
        Some(reduced)
    }

    fn slice(&self, by: &BTreeMap<Var, Expr>) -> Option<Region> {
        let mut region = self.region.clone();
        for (v, e) in &self.solved {
            region = region.substitute(&BTreeMap::from([(*v, e.clone())]))?;
        }
        region.substitute(by)
    }

    /// Returns the first candidate that lies in the region and is accepted.
    pub(super) fn search<T>(
        &self,
        candidates: &[Vec<BigInt>],
        accept: &dyn Fn(&SizeValues<'_>) -> Option<T>,
    ) -> Option<(Vec<(Var, BigInt)>, T)> {
        for candidate in candidates {
            let mut point: BTreeMap<Var, BigInt> = self
                .free
                .iter()
                .copied()
                .zip(candidate.iter().cloned())
                .collect();
            let is_whole = self.solved.iter().rev().all(|(v, e)| {
                let value = e.eval(&|w| point.get(&w).cloned());
                match value {
                    Some(value) if value.is_integer() => {
                        point.insert(*v, value.to_integer());
                        true
                    }
                    _ => false,
                }
            });
            let at = |v: Var| point.get(&v).cloned();
            if is_whole
                && self.region.contains(&at)
                && let Some(accepted) = accept(&at)
            {
                return Some((point.into_iter().collect(), accepted));
            }
        }
        None
    }
}

/// Solves equalities for sizes that occur in them with coefficient 1 or -1. Returns the remaining region and the solutions, each in terms
/// of the remaining sizes and of sizes solved later.
pub(super) fn solve_equalities(region: &Region) -> (Region, Vec<(Var, Expr)>) {
    let mut rest = region.clone();
    let mut solved = Vec::new();
    while let Some((v, e)) = rest
        .constraints()
        .iter()
        .filter(|c| c.relation() == Relation::Zero)
        .find_map(|c| solution(&c.expr()))
    {
        match rest.substitute(&BTreeMap::from([(v, e.clone())])) {
            Some(substituted) => rest = substituted,
            None => break,
        }
        solved.push((v, e));
    }
    (rest, solved)
}

fn solution(expr: &Expr) -> Option<(Var, Expr)> {
    expr.terms().find_map(|(m, c)| {
        let v = m.powers.keys().next().copied()?;
        if c.abs() != rat(1) {
            return None;
        }
        let rest = expr - &Expr::monomial(Monomial::clone(m), c.clone());
        Some((v, rest.scale(&-c.clone())))
    })
}

/// Returns the range of a size in a region; it is exact for loosely tied constraints.
pub(super) fn integer_range(region: &Region, v: Var) -> (Option<BigInt>, Option<BigInt>) {
    let (low, high) = region.bounds(&Expr::var(v));
    (
        low.map(|r| r.ceil().to_integer()),
        high.map(|r| r.floor().to_integer()),
    )
}
