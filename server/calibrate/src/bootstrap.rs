//! The bootstrap over rows, which measures how much constants depend on the choice of programs, and cross-validation, which measures the
//! errors of predictions for held-out programs.

use std::collections::BTreeMap;

use costlens_events::Event;

use crate::fit::{ProgramRow, fit, fit_from, predicted};

/// The interval that contains 90% of the values of a constant over resampled rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end in nanoseconds; 5% of the values are below.
    pub low: f64,
    /// The upper end; 5% of the values are above.
    pub high: f64,
}

/// The number of folds.
const PARTS: usize = 10;

/// The results of fits to resampled rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resampled {
    /// The 90% intervals of the constants.
    pub intervals: BTreeMap<Event, Interval>,
    /// The factor within which nine out of ten predictions for held-out rows lie, in either direction: 1.2 for 20%. Each fold holds out a
    /// tenth of the rows. `None` if no row was predicted. A row is not predicted if one of its events occurs in fewer than two other rows,
    /// since these do not determine the event's cost.
    pub factor: Option<f64>,
}

/// Fits rows drawn with replacement, `samples` times. The same seed produces the same results.
#[must_use]
pub fn resampled(rows: &[ProgramRow], samples: usize, seed: u64) -> Resampled {
    let mut drawn: BTreeMap<Event, Vec<f64>> = BTreeMap::new();
    let mut state = seed;
    let near = fit(rows).map_or_else(|_| BTreeMap::new(), |fit| fit.constants);
    for _ in 0..samples {
        let chosen: Vec<usize> = (0..rows.len())
            .map(|_| next(&mut state) % rows.len())
            .collect();
        let fitted: Vec<ProgramRow> = chosen.iter().map(|&i| rows[i].clone()).collect();
        let Ok(fit) = fit_from(&fitted, &near) else {
            continue;
        };
        for (event, constant) in fit.constants {
            drawn.entry(event).or_default().push(constant);
        }
    }
    let intervals = (drawn.into_iter()).map(|(event, mut constants)| {
        let interval = Interval {
            low: percentile(&mut constants, 5),
            high: percentile(&mut constants, 95),
        };
        (event, interval)
    });
    Resampled {
        intervals: intervals.collect(),
        factor: factor(rows, &near, seed),
    }
}

/// Returns the factor within which nine out of ten predictions lie. Each tenth of the rows is predicted by a fit to the other rows.
fn factor(rows: &[ProgramRow], near: &BTreeMap<Event, f64>, seed: u64) -> Option<f64> {
    let mut state = seed;
    let mut order: Vec<usize> = (0..rows.len()).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, next(&mut state) % (i + 1));
    }
    let mut factors: Vec<f64> = Vec::new();
    for part in 0..PARTS {
        let is_out = |at: usize| at % PARTS == part;
        let rows_of = |out: bool| {
            let own = order.iter().enumerate();
            own.filter(move |(at, _)| is_out(*at) == out)
                .map(|(_, &i)| &rows[i])
        };
        let fitted: Vec<ProgramRow> = rows_of(false).cloned().collect();
        let Ok(fit) = fit_from(&fitted, near) else {
            continue;
        };
        let has = |row: &ProgramRow, event: &Event| row.counts.get(event).is_some_and(|n| *n > 0.0);
        let known = |row: &ProgramRow| {
            let mut counted = row.counts.iter().filter(|(_, n)| **n > 0.0);
            counted.all(|(event, _)| fitted.iter().filter(|r| has(r, event)).take(2).count() == 2)
        };
        factors.extend(rows_of(true).filter(|row| known(row)).map(|row| {
            let ratio = predicted(&fit.constants, &row.counts) / row.ns;
            ratio.max(1.0 / ratio)
        }));
    }
    (!factors.is_empty()).then(|| percentile(&mut factors, 90))
}

/// Returns the value at a percentile.
fn percentile(values: &mut [f64], percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() - 1) * percent / 100]
}

/// Returns the next number of a sequence (SplitMix64).
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
        let rows: Vec<ProgramRow> = (1..30)
            .map(|i| ProgramRow {
                name: i.to_string(),
                counts: [(Event::Step, f64::from(i))].into(),
                ns: f64::from(i) * if i % 2 == 0 { 5.1 } else { 4.9 },
            })
            .collect();
        let all = resampled(&rows, 100, 7);
        let found = all.intervals[&Event::Step];
        assert!(found.low <= 5.0 && 5.0 <= found.high, "{found:?}");
        assert!(found.high - found.low < 0.2, "{found:?}");
        assert_eq!(all, resampled(&rows, 100, 7));
        // Each time has an error of 2%.
        let factor = all.factor.unwrap();
        assert!((1.015..1.03).contains(&factor), "{factor}");
    }

    #[test]
    fn a_program_with_an_event_of_its_own_is_not_predicted_without_it() {
        let row = |name: &str, event, ns| ProgramRow {
            name: name.to_owned(),
            counts: [(event, 1.0)].into(),
            ns,
        };
        let rows = [
            row("a", Event::Step, 0.5),
            row("b", Event::Step, 0.5),
            row("c", Event::Step, 0.5),
            row("d", Event::Cut, 100.0),
        ];
        let factor = resampled(&rows, 50, 3).factor.unwrap();
        // A step takes its usual time, so the pull has no effect.
        assert!((factor - 1.0).abs() < 1e-3, "{factor}");
        assert_eq!(resampled(&rows[3..], 50, 3).factor, None);
    }
}
