//! The points for the inequalities of a linear program.

use super::Scope;
use crate::forms::sample::Sample;
use crate::graph::quotients::Logarithm;

/// The maximum number of points per cell.
const POINT_LIMIT: usize = 14;

/// The distances between points: powers of fractions quickly become large numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PointDistance {
    Nearest,
    Near,
    Far,
    /// Points next to the powers of a base.
    Powers(Logarithm),
}

/// The greatest point for a logarithm.
pub(crate) const LAST_POWER: i128 = 66;

/// The number of consecutive points.
const DENSE_POINTS: i128 = 40;

/// Returns the sampled points and, for polynomials, the same pattern at greater distances.
pub(crate) fn points(sample: &Sample, reach: PointDistance, scope: Scope) -> Vec<Vec<i128>> {
    let mut points = spread(&sample.points, POINT_LIMIT);
    if let (PointDistance::Powers(log), [first, second, ..]) = (reach, &sample.points[..]) {
        let base = i128::from(log.base);
        let powers = std::iter::successors(Some(base), |p| Some(p * base));
        for power in powers.take_while(|&p| p <= LAST_POWER) {
            for near in [power - 1, power, power + 1] {
                let at = near + i128::from(log.shift);
                let at = if log.mirrored { -at } else { at };
                let along = |(a, b): (&i128, &i128)| if a == b { *a } else { at };
                points.push(first.iter().zip(second).map(along).collect());
            }
        }
        if sample.active.len() > 1 {
            for point in spread(&sample.points, POINT_LIMIT / 2) {
                for power in [base, base * base, base * base * base] {
                    points.push(point.iter().map(|x| x * power).collect());
                }
            }
        }
        points.sort();
        points.dedup();
    }
    if scope == Scope::Dense
        && let [first, second, ..] = &sample.points[..]
    {
        points.extend((1..=DENSE_POINTS).map(|k| {
            let step = first.iter().zip(second);
            step.map(|(a, b)| a + k * (b - a).signum()).collect()
        }));
        points.sort();
        points.dedup();
    }
    if reach == PointDistance::Nearest {
        points.truncate(POINT_LIMIT / 2);
    }
    if reach == PointDistance::Far {
        let origin = sample.points[0].clone();
        for p in spread(&sample.points, POINT_LIMIT / 2) {
            points.push(
                p.iter()
                    .zip(&origin)
                    .map(|(x, o)| o + 9 * (x - o))
                    .collect(),
            );
        }
    }
    points
}

/// Returns at most `limit` of the points, spread evenly such that the selection does not always contain the same columns of a square.
fn spread(points: &[Vec<i128>], limit: usize) -> Vec<Vec<i128>> {
    let count = points.len().min(limit);
    (0..count)
        .map(|i| points[i * points.len() / count].clone())
        .collect()
}
