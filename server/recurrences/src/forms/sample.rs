//! Points of cells to which forms are fitted.

use costlens_algebra::{Expr, Region, Var};

use crate::values::compiled::{Points, Slots};

/// The sampled points of a cell.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// The parameter values of each point.
    pub(crate) points: Vec<Vec<i128>>,
    /// The parameters that vary from point to point.
    pub(crate) active: Vec<Var>,
    /// True if these are all points of the region (ignoring irrelevant parameters).
    pub(crate) complete: bool,
}

/// Returns points of a region near the bounds of its variables. Irrelevant parameters have a single value.
pub(crate) fn sample_near(
    region: &Region,
    params: &[Var],
    relevant: &[bool],
    stretch: i128,
) -> Option<Sample> {
    let slots = Slots::new(params.to_vec());
    let matter: Vec<Var> = params
        .iter()
        .zip(relevant)
        .filter(|&(_, &r)| r)
        .map(|(&p, _)| p)
        .collect();
    let (window, limit) = match matter.len() {
        0 | 1 => (11, 16),
        2 => (5, 60),
        3 => (3, 80),
        _ => (2, 90),
    };
    let window = window * stretch;
    let mut values = vec![0i128; params.len()];
    let points = Points::new(region, &slots, &matter)?;
    let mut found: Vec<Vec<i128>> = Vec::new();
    points.visit(&mut values, window, 4 * limit, &mut |p| {
        found.push(p.to_vec());
    });
    if found.is_empty() {
        return None;
    }
    let complete = found.len() <= limit
        && matter.iter().all(|&v| {
            let (low, high) = region.bounds(&Expr::var(v));
            low.is_some() && high.is_some()
        });
    if found.len() > limit {
        // Spread the sample over all enumerated points; do not take only the first points.
        let step = found.len().div_ceil(limit);
        found = found.into_iter().step_by(step).collect();
    }
    Some(Sample {
        active: active(params, &found),
        points: found,
        complete,
    })
}

impl Sample {
    /// Keeps only the points that occur.
    pub(crate) fn retain(&mut self, params: &[Var], mut occurs: impl FnMut(&[i128]) -> bool) {
        self.points.retain(|p| occurs(p));
        if !self.points.is_empty() {
            self.active = active(params, &self.points);
        }
    }
}

/// Returns points next to powers of a base, beyond the near points of a cell with one size. Logarithmic growth is visible only over several
/// doublings.
pub(crate) fn far(sample: &Sample, params: &[Var], base: u32) -> Option<Sample> {
    const NEAR: i128 = 40;
    let [v] = sample.active[..] else { return None };
    let at = params.iter().position(|&p| p == v)?;
    let least = sample.points.iter().map(|p| p[at]).min()?;
    if sample.complete || !(0..=64).contains(&least) {
        return None;
    }
    let most = if base > 4 { 1_002 } else { 130 };
    let mut values: Vec<i128> = (least..=least + NEAR).collect();
    let mut power = i128::from(base);
    while power <= most {
        values.extend([power - 1, power, power + 1]);
        power *= i128::from(base);
    }
    values.retain(|x| (least..=most.max(least + NEAR)).contains(x));
    values.sort_unstable();
    values.dedup();
    let points = values
        .into_iter()
        .map(|x| {
            let mut point = sample.points[0].clone();
            point[at] = x;
            point
        })
        .collect();
    Some(Sample {
        points,
        active: sample.active.clone(),
        complete: false,
    })
}

/// Returns the parameters that vary from point to point.
pub(crate) fn active(params: &[Var], points: &[Vec<i128>]) -> Vec<Var> {
    params
        .iter()
        .enumerate()
        .filter(|&(i, _)| points.iter().any(|p| p[i] != points[0][i]))
        .map(|(_, &v)| v)
        .collect()
}
