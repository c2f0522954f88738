//! The columns of past runs: one amount for every run.

use smol_str::{SmolStr, format_smolstr};

use super::Depends;
use crate::depends::ArgumentSet;
use crate::run::{PastRun, RunBlock, Runs};

/// A column: a block's reached or failed counts, or an amount that varies between passes of a block.
pub(super) struct CountColumn {
    /// The block, if the column contains its reached counts.
    pub(super) block: Option<usize>,
    pub(super) depends: Option<(ArgumentSet, bool)>,
    pub(super) counts: Vec<f64>,
    /// The events that one unit of the column adds.
    pub(super) events: Vec<(SmolStr, f64)>,
}

#[expect(clippy::cast_precision_loss, reason = "counts of runs that have ended")]
fn number(count: u64) -> f64 {
    count as f64
}

impl CountColumn {
    /// Returns the column of an amount that varies between passes of a block.
    fn amount(name: &SmolStr, runs: &Runs) -> Self {
        let amount = |run: &PastRun| {
            let amount = run.amounts.iter().find(|(n, _)| n == name);
            amount.map_or(0.0, |(_, k)| number(*k))
        };
        CountColumn {
            block: None,
            depends: None,
            counts: runs.runs.iter().map(amount).collect(),
            events: vec![(name.clone(), 1.0)],
        }
    }

    /// Returns the column of the nanoseconds of runs.
    pub(super) fn time(runs: &Runs) -> Self {
        CountColumn {
            block: None,
            depends: None,
            counts: runs.runs.iter().map(|run| number(run.ns)).collect(),
            events: Vec::new(),
        }
    }
}

/// Returns the columns of runs.
pub(super) fn columns(runs: &Runs, depends: &Depends<'_>) -> Vec<CountColumn> {
    let mut columns = Vec::new();
    for (at, block) in runs.blocks.iter().enumerate() {
        let depends = depends(&block.name);
        let (reached, failed): (Vec<f64>, Vec<f64>) = { runs.runs.iter() }
            .map(|run| run.counts[at])
            .map(|(reached, failed)| (number(reached), number(failed)))
            .unzip();
        let events = block.events.iter().map(|(n, k)| (n.clone(), number(*k)));
        columns.push(CountColumn {
            block: Some(at),
            depends,
            counts: reached,
            events: events.collect(),
        });
        if failed.iter().any(|n| *n > 0.0) {
            columns.push(CountColumn {
                block: None,
                depends,
                counts: failed,
                events: events_of_failures(block),
            });
        }
    }
    let amounts = runs.runs.iter().flat_map(|run| &run.amounts);
    let mut amounts: Vec<&SmolStr> = amounts.map(|(name, _)| name).collect();
    amounts.sort();
    amounts.dedup();
    columns.extend(
        amounts
            .into_iter()
            .map(|name| CountColumn::amount(name, runs)),
    );
    columns
}

/// Returns the events that a failure of a block adds: a failed event is counted under another name.
fn events_of_failures(block: &RunBlock) -> Vec<(SmolStr, f64)> {
    let fails = block.fails.iter();
    let events = fails.flat_map(|n| [(n.clone(), -1.0), (format_smolstr!("{n}(fail)"), 1.0)]);
    events.collect()
}
