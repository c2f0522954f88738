//! Intervals from the errors of past estimates.
//!
//! Each run is estimated only from the other runs. The errors of these estimates represent the error for a new call of the same kind (split
//! conformal prediction, Vovk, Gammerman and Shafer 2005, with leave-one-out residuals in place of a second sample). The result is the
//! shortest interval that contains the share of residuals required for the sample size.
//!
//! Residuals are considered on four scales: differences or factors, each either directly or as a multiple of the errors of neighbours'
//! estimates. The scale with the shortest intervals over all runs is chosen.

/// The share of calls that an interval should cover.
pub const SHARE: f64 = 0.8;
/// The minimum number of runs for an interval.
const FEWEST: usize = 8;

/// The scale of residuals.
#[derive(Clone, Copy)]
enum Scale {
    Plain,
    Factor,
}

impl Scale {
    fn residual(self, estimate: f64, value: f64) -> f64 {
        match self {
            Scale::Plain => value - estimate,
            Scale::Factor => ((value.max(0.0) + 1.0) / (estimate.max(0.0) + 1.0)).ln(),
        }
    }

    fn back(self, estimate: f64, residual: f64) -> f64 {
        match self {
            Scale::Plain => estimate + residual,
            Scale::Factor => (estimate.max(0.0) + 1.0) * residual.exp() - 1.0,
        }
    }
}

/// Returns the interval for the value of a call. `estimates` contains the leave-one-out estimates of the runs, followed by the estimate for
/// the call. `values` contains the actual values of the runs. `nearness` contains the weights of runs for each other and for the call, in
/// rows that add up to 1. Returns `None` if there are too few runs.
pub(crate) fn interval(
    estimates: &[f64],
    values: &[f64],
    nearness: &[Vec<f64>],
) -> Option<(f64, f64)> {
    let runs = values.len();
    if runs < FEWEST {
        return None;
    }
    let asked = *estimates.get(runs)?;
    let mut best: Option<(f64, (f64, f64))> = None;
    for scale in [Scale::Plain, Scale::Factor] {
        let residuals: Vec<f64> = (0..runs)
            .map(|i| scale.residual(estimates[i], values[i]))
            .collect();
        let mean = residuals.iter().map(|r| r.abs()).sum::<f64>() / runs_f64(runs);
        for local in [false, true] {
            let spread: Vec<f64> = match local {
                false => vec![1.0; runs + 1],
                true => (nearness.iter())
                    .map(|row| {
                        let own = row.iter().zip(&residuals).map(|(w, r)| w * r.abs());
                        // The spread must not be 0, since neighbours may agree by coincidence.
                        own.sum::<f64>() + 0.1 * mean
                    })
                    .collect(),
            };
            if spread.iter().any(|s| *s <= 0.0) {
                continue;
            }
            let scaled = residuals.iter().zip(&spread).map(|(r, s)| r / s);
            let (low, high) = shortest(scaled.collect());
            let of = |i: usize| {
                let at = estimates[i];
                (
                    scale.back(at, low * spread[i]),
                    scale.back(at, high * spread[i]),
                )
            };
            let width = (0..runs).map(of).map(|(l, h)| h - l).sum::<f64>();
            if width.is_finite() && best.is_none_or(|(least, _)| width < least) {
                best = Some((width, of(runs)));
            }
        }
    }
    best.map(|(_, (low, high))| (low.min(asked).max(0.0), high.max(asked)))
}

fn runs_f64(runs: usize) -> f64 {
    f64::from(u32::try_from(runs).unwrap_or(u32::MAX))
}

/// Returns the shortest interval that contains enough residuals to cover [`SHARE`] of new calls, given a sample of this size.
fn shortest(mut residuals: Vec<f64>) -> (f64, f64) {
    residuals.sort_by(f64::total_cmp);
    let runs = residuals.len();
    // The shortest interval and the scale are selected by the residuals that they contain, so they cover fewer new calls. Adding one
    // standard deviation of the share compensates for this.
    let share = SHARE + (SHARE * (1.0 - SHARE) / runs_f64(runs)).sqrt();
    let wanted = ((runs_f64(runs) + 1.0) * share).ceil();
    let wanted = (1..=runs).find(|&n| runs_f64(n) >= wanted).unwrap_or(runs);
    let all = (0..=runs - wanted).map(|from| (residuals[from], residuals[from + wanted - 1]));
    let least = all.min_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)));
    least.unwrap_or((0.0, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn an_interval_holds_its_share_of_new_values() {
        let mut random = Random::new(11);
        let (mut held, mut asked) = (0, 0);
        for _ in 0..100 {
            // Values around 100, with deviations of up to 20, usually less: the sum of two dice.
            let mut value = || 100.0 + 10.0 * (random.unit() + random.unit() - 1.0);
            let values: Vec<f64> = (0..60).map(|_| value()).collect();
            let near = vec![vec![1.0 / 60.0; 60]; 61];
            let (low, high) = interval(&[100.0; 61], &values, &near).unwrap();
            for _ in 0..20 {
                asked += 1;
                held += u32::from((low..=high).contains(&value()));
            }
        }
        let share = f64::from(held) / f64::from(asked);
        assert!((0.75..0.9).contains(&share), "{share}");
    }

    #[test]
    fn estimates_that_are_right_have_no_width() {
        let values: Vec<f64> = (0..20).map(f64::from).collect();
        let mut estimates = values.clone();
        estimates.push(50.0);
        let near = vec![vec![0.05; 20]; 21];
        assert_eq!(interval(&estimates, &values, &near), Some((50.0, 50.0)));
        assert_eq!(interval(&[1.0; 5], &[1.0; 4], &near), None);
    }
}
