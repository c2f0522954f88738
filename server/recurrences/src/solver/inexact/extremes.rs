//! The splits of a size that a linear program considers: the corners, where convex forms are maximal, and the middle, where convex forms
//! are minimal.

use costlens_algebra::linear::fraction::Fraction;

/// The number of splits up to which all splits are considered.
const FEW: usize = 10;

/// Returns the extreme choices of locals, which are at positions `from..to`, and a few choices in between. A choice is extreme in some
/// direction with coordinates -1, 0, 1; ties are broken both ways.
pub(crate) fn extremes(choices: Vec<Vec<Fraction>>, from: usize, to: usize) -> Vec<Vec<Fraction>> {
    let dimensions = to.saturating_sub(from);
    if choices.len() <= FEW || dimensions == 0 || dimensions > 3 {
        return choices;
    }
    let points: Option<Vec<Vec<i128>>> = choices
        .iter()
        .map(|c| c[from..to].iter().map(|x| x.to_integer()).collect())
        .collect();
    let Some(points) = points else {
        return choices;
    };
    let mut kept: Vec<usize> = vec![points.len() / 4, points.len() / 2, 3 * points.len() / 4];
    let codes = 3usize.pow(u32::try_from(dimensions).unwrap_or(0));
    for mut code in 1..codes {
        let direction: Vec<i128> = (0..dimensions)
            .map(|_| {
                let d = [0, 1, -1][code % 3];
                code /= 3;
                d
            })
            .collect();
        let along = |(x, d): (&i128, &i128)| x.saturating_mul(*d);
        let sums = points
            .iter()
            .map(|p| p.iter().zip(&direction).map(along).sum());
        let sums: Vec<i128> = sums.collect();
        let by_sum = |i: &usize, j: &usize| sums[*i].cmp(&sums[*j]);
        let least = |i: &usize, j: &usize| by_sum(i, j).then_with(|| points[*j].cmp(&points[*i]));
        let greatest =
            |i: &usize, j: &usize| by_sum(i, j).then_with(|| points[*i].cmp(&points[*j]));
        kept.extend((0..points.len()).max_by(greatest));
        kept.extend((0..points.len()).max_by(least));
    }
    // The point nearest to the middle.
    let count = i128::try_from(points.len()).unwrap_or(1);
    let sums: Vec<i128> = (0..dimensions)
        .map(|j| points.iter().map(|p| p[j]).sum())
        .collect();
    let distance = |i: &usize| {
        let off = |(x, s): (&i128, &i128)| (x * count - s).abs();
        points[*i].iter().zip(&sums).map(off).sum::<i128>()
    };
    kept.extend((0..points.len()).min_by_key(distance));
    kept.sort_unstable();
    kept.dedup();
    let mut choices = choices;
    let mut at = 0;
    choices.retain(|_| {
        at += 1;
        kept.binary_search(&(at - 1)).is_ok()
    });
    choices
}
