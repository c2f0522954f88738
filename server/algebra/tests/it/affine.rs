//! Tests of the affine hulls of regions.

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Var};
use proptest::prelude::*;

fn region(equalities: &[(&[(u32, i64)], i64)]) -> Region {
    equalities
        .iter()
        .filter_map(|(terms, constant)| {
            let mut e = Expr::int(*constant);
            for &(v, a) in *terms {
                e = &e + &Expr::var(Var(v)).scale(&costlens_algebra::rat(a));
            }
            Constraint::eq(&e, &Expr::zero())
        })
        .collect()
}

/// The clauses of append give (0, b, b) and (1, b, b + 1); the common equality is c = a + b.
#[test]
fn append() {
    let base = region(&[(&[(0, 1)], 0), (&[(1, 1), (2, -1)], 0)]);
    let step = region(&[(&[(0, 1)], -1), (&[(1, 1), (2, -1)], 1)]);
    let vars = [Var(0), Var(1), Var(2)];
    let hull = base.common_equalities(&step, &vars);
    assert_eq!(hull, region(&[(&[(0, 1), (1, 1), (2, -1)], 0)]));
    assert_eq!(hull.common_equalities(&base, &vars), hull);
}

/// Regions that differ in every direction share no equality.
#[test]
fn nothing_in_common() {
    let a = region(&[(&[(0, 1)], 0), (&[(1, 1)], 0)]);
    let b = region(&[(&[(0, 1)], -1), (&[(1, 1)], 0)]);
    let c = region(&[(&[(0, 1)], 0), (&[(1, 1)], -1)]);
    let vars = [Var(0), Var(1)];
    let line = a.common_equalities(&b, &vars);
    assert_eq!(line, region(&[(&[(1, 1)], 0)]));
    assert_eq!(line.common_equalities(&c, &vars), Region::everything());
}

proptest! {
    /// The equations common to several points hold at all of them, and a third point in general position removes one more equation.
    #[test]
    fn hulls_contain_their_points(points in prop::collection::vec(prop::array::uniform3(-20i64..20), 1..5)) {
        let vars = [Var(3), Var(5), Var(8)];
        let at = |p: &[i64; 3]| region(&[(&[(3, 1)], -p[0]), (&[(5, 1)], -p[1]), (&[(8, 1)], -p[2])]);
        let mut hull = at(&points[0]);
        for p in &points[1..] {
            hull = hull.common_equalities(&at(p), &vars);
        }
        for p in &points {
            let value = |v: Var| vars.iter().position(|&w| w == v).map(|i| p[i].into());
            prop_assert!(hull.contains(&value), "{hull:?} at {p:?}");
        }
        // The number of equalities is the codimension of the hull.
        let rank = rank(&points);
        prop_assert_eq!(hull.constraints().len(), 3 - rank);
    }
}

/// Returns the dimension of the affine hull of points in space.
fn rank(points: &[[i64; 3]]) -> usize {
    let mut rows: Vec<[i128; 3]> = points[1..]
        .iter()
        .map(|p| std::array::from_fn(|i| i128::from(p[i] - points[0][i])))
        .collect();
    let mut rank = 0;
    for column in 0..3 {
        let Some(at) = (rank..rows.len()).find(|&r| rows[r][column] != 0) else {
            continue;
        };
        rows.swap(rank, at);
        let pivot = rows[rank];
        for row in rows.iter_mut().skip(rank + 1) {
            let (a, b) = (pivot[column], row[column]);
            for i in 0..3 {
                row[i] = row[i] * a - pivot[i] * b;
            }
        }
        rank += 1;
    }
    rank
}
