//! Predicts events and times as sums over estimated columns.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::Predicted;
use super::column::Method;
use super::counts::CountColumn;
use super::interval::interval;
use super::spaces::Estimated;
use crate::times::{self, BlockTimes};

/// The columns of runs with their estimates.
pub(super) struct Table<'t> {
    pub(super) columns: &'t [CountColumn],
    pub(super) estimates: &'t [Estimated],
    /// The weights of runs for each other and for the call.
    pub(super) nearness: &'t [Vec<f64>],
}

/// A sum of columns.
struct Sum {
    estimates: Vec<f64>,
    values: Vec<f64>,
    method: Method,
}

/// The times of blocks, and the time of the call.
pub(super) struct Timed {
    pub(super) time: Predicted,
    pub(super) times: BlockTimes,
    /// The nanoseconds of one pass of each block.
    pub(super) blocks: BTreeMap<usize, f64>,
}

/// Blocks that are reached equally often in every run (hybrid prediction §III.A).
struct Class<'t> {
    counts: &'t Vec<f64>,
    estimates: &'t [f64],
    method: Method,
    blocks: Vec<usize>,
}

impl Table<'_> {
    /// Returns the events computed from the columns.
    pub(super) fn events(&self) -> BTreeMap<SmolStr, Predicted> {
        let mut sums: BTreeMap<&SmolStr, Sum> = BTreeMap::new();
        for (column, (estimate, _)) in self.columns.iter().zip(self.estimates) {
            for (name, times) in &column.events {
                let sum = sums.entry(name).or_insert_with(|| Sum {
                    estimates: vec![0.0; estimate.values.len()],
                    values: vec![0.0; column.counts.len()],
                    method: Method::Constant,
                });
                for (sum, value) in sum.estimates.iter_mut().zip(&estimate.values) {
                    *sum += times * value.max(0.0);
                }
                for (sum, value) in sum.values.iter_mut().zip(&column.counts) {
                    *sum += times * value;
                }
                sum.method = sum.method.max(estimate.method);
            }
        }
        let predicted = { sums.into_iter() }.map(|(name, sum)| {
            let value = sum.estimates.last().copied().unwrap_or(0.0).max(0.0);
            (
                name.clone(),
                self.predicted(value, &sum.estimates, &sum.values, sum.method),
            )
        });
        predicted
            .filter(|(_, p)| p.value > 0.0 || p.interval.is_some_and(|(_, high)| high > 0.0))
            .collect()
    }

    fn predicted(
        &self,
        value: f64,
        estimates: &[f64],
        values: &[f64],
        method: Method,
    ) -> Predicted {
        Predicted {
            value,
            interval: interval(estimates, values, self.nearness),
            method,
        }
    }

    /// Predicts the time of a call without block counts, by the same methods as counts.
    pub(super) fn time_alone(&self, column: &CountColumn, (estimate, _): &Estimated) -> Predicted {
        let value = estimate.values.last().copied().unwrap_or(0.0).max(0.0);
        // Times are measured, never exact.
        let method = estimate.method.max(Method::Fitted);
        self.predicted(value, &estimate.values, &column.counts, method)
    }

    fn classes(&self) -> Vec<Class<'_>> {
        let mut classes: Vec<Class<'_>> = Vec::new();
        for (column, (estimate, _)) in self.columns.iter().zip(self.estimates) {
            let Some(block) = column.block else {
                continue;
            };
            match classes
                .iter_mut()
                .find(|class| *class.counts == column.counts)
            {
                Some(class) => class.blocks.push(block),
                None => classes.push(Class {
                    counts: &column.counts,
                    estimates: &estimate.values,
                    method: estimate.method,
                    blocks: vec![block],
                }),
            }
        }
        classes
    }

    /// Returns the times of blocks and of the call, from the nanoseconds of the runs.
    pub(super) fn timed(&self, ns: &[f64]) -> Option<Timed> {
        let classes = self.classes();
        let counts: Vec<Vec<f64>> = classes.iter().map(|class| class.counts.clone()).collect();
        let fit = times::fit(&counts, ns)?;
        let runs = ns.len();
        let time_of = |run: usize, times: &[f64]| -> f64 {
            let classes = classes.iter().zip(times);
            classes
                .map(|(class, time)| class.estimates[run].max(0.0) * time)
                .sum()
        };
        let mut values: Vec<f64> = (0..runs)
            .map(|run| time_of(run, fit.fitted_without(run)))
            .collect();
        values.push(time_of(runs, &fit.times));
        let used = classes.iter().zip(&fit.times).filter(|(_, t)| **t > 0.0);
        let method = used.map(|(class, _)| class.method).max();
        // Times are measured, never exact.
        let method = method.unwrap_or(Method::Fitted).max(Method::Fitted);
        let blocks = classes.iter().zip(&fit.times);
        Some(Timed {
            time: self.predicted(values[runs], &values, ns, method),
            blocks: blocks
                .flat_map(|(class, time)| class.blocks.iter().map(|&block| (block, *time)))
                .collect(),
            times: fit,
        })
    }
}
