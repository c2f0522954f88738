//! Counts that equal a function of the inputs in every run: a linear combination of few terms with rational coefficients.
//!
//! `nrev/2` enters `app/3` n²/2-n/2 times. With three terms and dozens of runs of different lengths, agreement by coincidence is
//! implausible. The agreement is not a proof, and is never presented as a proof.

use super::linear::fit;

/// The largest denominator of coefficients: denominators divide the factorials of small degrees.
const LARGEST_DENOMINATOR: u64 = 5040;
/// The number of runs with distinct inputs, in addition to one run for each term, that a function must match.
const MORE_POINTS: usize = 2;

/// Returns, for the call, the value of a linear combination of columns that equals every count. Each column has a number for each run,
/// followed by a number for the call.
pub(crate) fn exact(columns: &[Vec<f64>], counts: &[f64]) -> Option<f64> {
    let factors = factors(columns, counts)?;
    Some(sum(columns, &factors, counts.len()).round()).filter(|v| v.is_finite())
}

/// Returns the coefficients of a linear combination of columns that equals every count, as numerators and denominators. The columns' values
/// for the call, which come last, are ignored.
pub(crate) fn factors(columns: &[Vec<f64>], counts: &[f64]) -> Option<Vec<(f64, f64)>> {
    let runs = counts.len();
    let mut points: Vec<Vec<u64>> = (0..runs)
        .map(|i| columns.iter().map(|c| c[i].to_bits()).collect())
        .collect();
    points.sort_unstable();
    points.dedup();
    if points.len() < columns.len() + MORE_POINTS {
        return None;
    }
    let found = fit(columns, counts)?;
    let nearly = |a: f64, b: f64| (a - b).abs() <= 1e-5 * b.abs().max(1.0);
    if !(found.values.iter().zip(counts)).all(|(v, c)| nearly(*v, *c)) {
        return None;
    }
    let factors: Option<Vec<(f64, f64)>> =
        found.coefficients.iter().map(|&c| rational(c)).collect();
    let factors = factors?;
    let at = |i: usize| sum(columns, &factors, i);
    let same = |i: usize| (at(i) - counts[i]).abs() < 1e-6 * counts[i].abs().clamp(1.0, 1e6);
    (0..runs)
        .all(|i| same(i) && at(i).round() == counts[i])
        .then_some(factors)
}

/// Returns the linear combination of columns in a row.
fn sum(columns: &[Vec<f64>], factors: &[(f64, f64)], row: usize) -> f64 {
    // Use a common denominator, so that integers remain exact.
    let common = factors
        .iter()
        .fold(1.0, |common, (_, q)| least_multiple(common, *q));
    let own = columns.iter().zip(factors);
    own.map(|(c, (p, q))| c[row] * p * (common / q))
        .sum::<f64>()
        / common
}

/// Returns the nearest fraction with a small denominator, as numerator and denominator. Returns `None` if no fraction is close.
fn rational(value: f64) -> Option<(f64, f64)> {
    // The rounding error of a term with coefficient 0.
    if value.abs() < 1e-9 {
        return Some((0.0, 1.0));
    }
    // Expand the continued fraction.
    let (mut p0, mut q0, mut p1, mut q1) = (1.0, 0.0, value.floor(), 1.0);
    let mut rest = value - value.floor();
    for _ in 0..20 {
        let near: f64 = p1 / q1;
        if (near - value).abs() <= 1e-8 * value.abs().max(1e-2) {
            return Some((p1, q1));
        }
        if rest.abs() < 1e-12 {
            break;
        }
        let inverse = 1.0 / rest;
        let whole = inverse.floor();
        rest = inverse - whole;
        (p0, q0, p1, q1) = (p1, q1, whole * p1 + p0, whole * q1 + q0);
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        if q1 > LARGEST_DENOMINATOR as f64 {
            break;
        }
    }
    None
}

fn least_multiple(a: f64, b: f64) -> f64 {
    let (mut x, mut y) = (a, b);
    while y > 0.5 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn fractions_are_found() {
        for (value, p, q) in [
            (0.5, 1.0, 2.0),
            (-2.0 / 3.0, -2.0, 3.0),
            (7.0, 7.0, 1.0),
            (1e-12, 0.0, 1.0),
        ] {
            assert_eq!(rational(value), Some((p, q)), "{value}");
        }
        assert_eq!(rational(std::f64::consts::PI), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// A polynomial with integer values must be found from its values, and must be correct beyond the range of the runs.
        #[test]
        fn polynomials_are_found(a in -20_i32..20, b in -20_i32..20, c in 0_i32..50, far in 100_i32..1000) {
            // a * n(n-1)/2 + b * n + c
            let f = |n: i32| f64::from(a * (n * (n - 1) / 2) + b * n + c);
            let n: Vec<i32> = (1..12).chain([far]).collect();
            let column = |g: &dyn Fn(f64) -> f64| n.iter().map(|&n| g(f64::from(n))).collect::<Vec<f64>>();
            let columns = [column(&|_| 1.0), column(&|n| n), column(&|n| n * n)];
            let counts: Vec<f64> = n[..11].iter().map(|&n| f(n)).collect();
            prop_assert_eq!(exact(&columns, &counts), Some(f(far)));
        }

        /// A function that is off by one in a single run must be rejected.
        #[test]
        fn one_count_that_differs_is_noticed(at in 0_usize..20) {
            let n: Vec<f64> = (0..21).map(f64::from).collect();
            let columns = [vec![1.0; 21], n.clone()];
            let mut counts: Vec<f64> = n[..20].iter().map(|n| 3.0 * n + 1.0).collect();
            counts[at] += 1.0;
            prop_assert_eq!(exact(&columns, &counts), None);
        }
    }
}
