//! Selects the sizes of generated inputs.

use std::collections::BTreeSet;

use costlens_algebra::Var;
use costlens_analysis::report::{Bound, PatternReport, SizeVariable};
use costlens_analysis::types::Metric;
use num_bigint::BigInt;
use num_traits::{Signed as _, ToPrimitive as _};

/// The size that is easiest to read.
const READABLE: i64 = 3;
/// The maximum number of combinations of sizes.
const MOST: usize = 64;

/// Returns the distance of a combination of sizes from the combination that is easiest to read.
pub(super) fn distance(sizes: &[BigInt]) -> (BigInt, BigInt) {
    let far = sizes.iter().map(|s| (s - READABLE).abs()).sum::<BigInt>();
    // If two combinations are at equal distance, the larger one is more informative.
    (far, -sizes.iter().sum::<BigInt>())
}

/// Returns the sizes on which bounds on steps depend. Other sizes are random.
#[must_use]
pub fn mentioned(report: &PatternReport) -> Vec<&SizeVariable> {
    let mut found: BTreeSet<Var> = BTreeSet::new();
    for piece in &report.steps {
        found.extend(piece.when.variables());
        for i in [&piece.first, &piece.all] {
            for bound in [&i.lower, &i.upper] {
                if let Bound::Finite(e) = bound {
                    found.extend(e.variables());
                }
            }
        }
    }
    let all = report.sizes.iter();
    all.filter(|s| found.contains(&s.var)).collect()
}

/// Returns combinations of values for sizes, most readable first.
pub(super) fn vectors(sizes: &[&SizeVariable]) -> Vec<Vec<BigInt>> {
    let each: Vec<Vec<i64>> = (sizes.iter())
        .map(|s| match s.metric {
            Metric::Length | Metric::Chars | Metric::Keys => (0..=6).collect(),
            Metric::Int => (-1..=7).collect(),
            Metric::Size => (1..=13).collect(),
        })
        .map(|mut all: Vec<i64>| {
            all.sort_by_key(|v| ((v - READABLE).abs(), -v));
            all
        })
        .collect();
    // As many values of each size as the maximum number of combinations permits.
    let room = |kept: usize| kept.checked_pow(u32::try_from(each.len()).unwrap_or(u32::MAX));
    let kept = (1..=13)
        .take_while(|&k| room(k).is_some_and(|r| r <= MOST))
        .last();
    let mut found: Vec<Vec<BigInt>> = vec![Vec::new()];
    for values in &each {
        let values = &values[..kept.unwrap_or(1).min(values.len())];
        found = (found.iter())
            .flat_map(|v| {
                values.iter().map(|&value| {
                    let mut v = v.clone();
                    v.push(value.into());
                    v
                })
            })
            .collect();
    }
    found.sort_by_key(|v| distance(v));
    found
}

/// Returns true for a size that can be requested from the generator.
pub(super) fn is_askable(size: &BigInt) -> bool {
    size.to_i64().is_some()
}
