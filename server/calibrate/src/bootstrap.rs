//! Intervals of constants by the bootstrap over rows: they say how far constants would move with other programs of the same kinds.

use std::collections::BTreeMap;

use costlens_events::Event;

use crate::fit::{Row, fit};

/// A share of the constants of resampled rows lies between these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Nanoseconds; 5% are below.
    pub low: f64,
    /// 5% are above.
    pub high: f64,
}

/// 90% intervals of the constants, from `samples` fits of rows drawn with replacement. The same seed gives the same intervals.
#[must_use]
pub fn intervals(rows: &[Row], samples: usize, seed: u64) -> BTreeMap<Event, Interval> {
    let mut drawn: BTreeMap<Event, Vec<f64>> = BTreeMap::new();
    let mut state = seed;
    for _ in 0..samples {
        let resampled: Vec<Row> = (0..rows.len())
            .map(|_| rows[next(&mut state) % rows.len()].clone())
            .collect();
        let Ok(fit) = fit(&resampled) else { continue };
        for (event, constant) in fit.constants {
            drawn.entry(event).or_default().push(constant);
        }
    }
    (drawn.into_iter())
        .map(|(event, mut constants)| {
            constants.sort_by(f64::total_cmp);
            let at = |percent: usize| constants[(constants.len() - 1) * percent / 100];
            let interval = Interval {
                low: at(5),
                high: at(95),
            };
            (event, interval)
        })
        .collect()
}

/// The next number of a sequence (SplitMix64).
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    usize::try_from((z ^ (z >> 31)) >> 1).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_holds_the_constant_and_is_narrow_where_rows_agree() {
        let rows: Vec<Row> = (1..30)
            .map(|i| Row {
                name: i.to_string(),
                counts: [(Event::Step, f64::from(i))].into(),
                ns: f64::from(i) * if i % 2 == 0 { 5.1 } else { 4.9 },
            })
            .collect();
        let found = intervals(&rows, 100, 7)[&Event::Step];
        assert!(found.low <= 5.0 && 5.0 <= found.high, "{found:?}");
        assert!(found.high - found.low < 0.2, "{found:?}");
        assert_eq!(found, intervals(&rows, 100, 7)[&Event::Step]);
    }
}
