//! Predictions of a call from past runs of the same code (hybrid prediction §IV to §VI).
//!
//! 1. The counts of each block are estimated for the new inputs, from those that the block can depend on (`column`): annotated ones,
//!    otherwise inferred ones ([`crate::depends`]), otherwise all.
//! 2. Events are sums of counts times the events of a block; time is the sum of counts times the time of a block ([`crate::times`]).
//! 3. The interval comes from the errors of the same estimates for the past runs, each from the others (`interval`).

mod column;
mod exact;
mod interval;
mod linear;
mod neighbours;
mod observed;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

use self::column::{Estimate, Space};
use self::table::Feature;
use crate::depends::Arguments;
use crate::run::{InputName, Inputs, Measure, Runs};
use crate::shape::ShapeTerm;
use crate::times::{self, BlockTimes};

pub use column::Method;
pub use interval::SHARE;
pub use observed::{Function, Growth, Observed, observed};

/// The maximum number of runs that are used: the newest ones.
const MOST_RUNS: usize = 500;
/// The minimum number of runs for a prediction.
pub const FEWEST_RUNS: usize = 3;

/// Known properties of the blocks in addition to their counts.
pub struct Knowledge<'k> {
    /// The arguments that a block can depend on, by its name, and whether they are annotated; `None` if nothing is known.
    pub depends: &'k Depends<'k>,
    /// Returns whether an input may be used.
    pub allows: &'k dyn Fn(&InputName) -> bool,
    /// The inputs that analysis measures calls by, or that annotations name.
    pub sizes: Vec<InputName>,
    /// The terms of the predicate's bounds.
    pub shapes: Vec<ShapeTerm>,
    /// The methods that estimates may use.
    pub with: With,
    /// Set if the time is also wanted: solving the system for it takes longer than the rest.
    pub timed: bool,
}

/// The methods that estimates may use; restricted ones are for comparisons.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum With {
    /// All methods.
    All,
    /// Only neighbours, with a given width or with the best one.
    Neighbours(Option<f64>),
}

/// A predicted amount.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Predicted {
    /// The estimate.
    pub value: f64,
    /// The interval in which [`SHARE`] of calls like the past ones lie; `None` if there are too few runs.
    pub interval: Option<(f64, f64)>,
    /// The least certain of the methods for its parts.
    pub method: Method,
}

/// A predicted block.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictedBlock {
    /// The block.
    pub name: SmolStr,
    /// The number of times that it is reached.
    pub reached: f64,
    /// The method of the estimate.
    pub method: Method,
    /// The inputs that the estimate uses.
    pub inputs: Vec<InputName>,
    /// The nanoseconds of one run of it, together with the blocks that are always reached equally often; `None` if the times do not
    /// determine it.
    pub ns: Option<f64>,
}

/// A prediction.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// The number of runs that it is based on.
    pub runs: usize,
    /// The predicted events by their names.
    pub events: BTreeMap<SmolStr, Predicted>,
    /// The time in nanoseconds.
    pub time: Option<Predicted>,
    /// The times of blocks, and how well they explain the runs.
    pub times: Option<BlockTimes>,
    /// The blocks that were reached in any run.
    pub blocks: Vec<PredictedBlock>,
    /// The inputs that were used.
    pub inputs: Vec<InputName>,
    /// Those of the inputs that are outside the range of the runs.
    pub outside: Vec<InputName>,
}

/// A column: the number of times that a block was reached or failed, or an amount that is not a fixed number per block.
struct Column {
    /// The block, if the column counts how often it was reached.
    block: Option<usize>,
    depends: Option<(Arguments, bool)>,
    counts: Vec<f64>,
    /// The events that each unit of it adds.
    events: Vec<(SmolStr, f64)>,
}

#[expect(clippy::cast_precision_loss, reason = "counts of runs that have ended")]
fn number(count: u64) -> f64 {
    count as f64
}

/// The arguments that a block can depend on, by its name.
type Depends<'k> = dyn Fn(&str) -> Option<(Arguments, bool)> + 'k;

/// Returns the columns of runs.
fn columns(runs: &Runs, depends: &Depends<'_>) -> Vec<Column> {
    let mut columns = Vec::new();
    for (at, block) in runs.blocks.iter().enumerate() {
        let depends = depends(&block.name);
        let of = |part: &dyn Fn((u64, u64)) -> u64| -> Vec<f64> {
            runs.runs
                .iter()
                .map(|run| number(part(run.counts[at])))
                .collect()
        };
        let events = block.events.iter().map(|(n, k)| (n.clone(), number(*k)));
        columns.push(Column {
            block: Some(at),
            depends,
            counts: of(&|(reached, _)| reached),
            events: events.collect(),
        });
        let failed = of(&|(_, failed)| failed);
        if failed.iter().any(|n| *n > 0.0) {
            let fails = block.fails.iter();
            columns.push(Column {
                block: None,
                depends,
                counts: failed,
                events: fails
                    .flat_map(|n| [(n.clone(), -1.0), (format_smolstr!("{n}(fail)"), 1.0)])
                    .collect(),
            });
        }
    }
    let mut amounts: Vec<&SmolStr> = runs
        .runs
        .iter()
        .flat_map(|r| &r.amounts)
        .map(|(n, _)| n)
        .collect();
    amounts.sort();
    amounts.dedup();
    for name in amounts {
        let of = |run: &crate::run::PastRun| {
            let found = run.amounts.iter().find(|(n, _)| n == name);
            found.map_or(0.0, |(_, k)| number(*k))
        };
        columns.push(Column {
            block: None,
            depends: None,
            counts: runs.runs.iter().map(of).collect(),
            events: vec![(name.clone(), 1.0)],
        });
    }
    columns
}

/// The measures of an argument that are used if none is specified: the first one that the call has.
const USUAL: [Measure; 6] = [
    Measure::Int,
    Measure::Length,
    Measure::Value,
    Measure::Name,
    Measure::Chars,
    Measure::Size,
];
/// Measures that may be more informative.
const MORE: [Measure; 5] = [
    Measure::ElementInt,
    Measure::Sum,
    Measure::Total,
    Measure::ElementLength,
    Measure::Size,
];

/// Returns the inputs of a call that are used, and those that may be more informative. An argument without inputs in the call is
/// distinguished from runs that have some.
fn chosen(
    asked: &Inputs,
    rows: &[&Inputs],
    sizes: &[InputName],
    allows: &dyn Fn(&InputName) -> bool,
) -> (Vec<InputName>, Vec<InputName>) {
    let (mut first, mut more) = (Vec::new(), Vec::new());
    let of_call: BTreeSet<usize> = asked.iter().map(|(name, _)| name.argument).collect();
    let missing = { rows.iter().copied().flatten() }
        .map(|(name, _)| *name)
        .filter(|name| !of_call.contains(&name.argument));
    let mut names: Vec<InputName> = asked.iter().map(|(name, _)| *name).chain(missing).collect();
    names.sort();
    names.dedup();
    let arguments: BTreeSet<usize> = names.iter().map(|name| name.argument).collect();
    for argument in arguments {
        let own = || {
            let own = names.iter().copied().filter(|n| n.argument == argument);
            own.filter(|n| allows(n))
        };
        let mut named: Vec<InputName> = own().filter(|n| sizes.contains(n)).collect();
        if named.is_empty() {
            let usual = USUAL.iter().find_map(|m| own().find(|n| n.measure == *m));
            named.extend(usual);
        }
        more.extend(own().filter(|n| MORE.contains(&n.measure) && !named.contains(n)));
        first.extend(named);
    }
    (first, more)
}

/// The spaces of inputs that were needed so far.
struct Spaces<'f> {
    features: &'f [Feature],
    /// The number of inputs that are used first.
    first: usize,
    shapes: Vec<(&'f ShapeTerm, Vec<f64>)>,
    runs: usize,
    known: FxHashMap<Vec<usize>, Space<'f>>,
}

impl<'f> Spaces<'f> {
    /// Returns the inputs of arguments, with or without those that may be more informative.
    fn inputs(&self, arguments: Arguments, more: bool) -> Vec<usize> {
        let until = if more {
            self.features.len()
        } else {
            self.first
        };
        (0..until)
            .filter(|&i| arguments.has(self.features[i].name.argument - 1))
            .collect()
    }

    fn of(&mut self, inputs: &[usize]) -> &Space<'f> {
        let (features, shapes, runs) = (self.features, &self.shapes, self.runs);
        self.known.entry(inputs.to_vec()).or_insert_with(|| {
            let own: Vec<&Feature> = inputs.iter().map(|&i| &features[i]).collect();
            let has = |name: &InputName| own.iter().any(|f| f.name == *name);
            let of_these = shapes.iter().filter(|(term, _)| term.inputs().all(has));
            let values = of_these.map(|(_, values)| values.clone()).collect();
            Space::new(own, values, runs)
        })
    }
}

/// The factor by which all inputs must give a smaller error than an inferred set of inputs to replace it: then the set was too small.
const LEFT_FOR_ALL: f64 = 0.7;
/// The factor by which more measures of an argument must reduce the error to be used.
const LEFT_FOR_MORE: f64 = 0.9;

/// A column of counts, by their bits, and the inputs that it depends on.
type Key = (Vec<u64>, Option<(Arguments, bool)>);

/// Predicts a call from past runs. Returns `None` if there are too few.
#[must_use]
pub fn predict(runs: &Runs, asked: &Inputs, knowledge: &Knowledge<'_>) -> Option<Prediction> {
    let newest = runs.runs.len().saturating_sub(MOST_RUNS);
    let runs = &Runs {
        blocks: runs.blocks.clone(),
        runs: runs.runs[newest..].to_vec(),
    };
    let count = runs.runs.len();
    if count < FEWEST_RUNS {
        return None;
    }
    let rows: Vec<&Inputs> = runs.runs.iter().map(|run| &run.inputs).collect();
    let (first, more) = chosen(asked, &rows, &knowledge.sizes, knowledge.allows);
    let feature = |name: &InputName| Feature::new(*name, &rows, asked);
    let varying = |names: &[InputName]| -> Vec<Feature> {
        names
            .iter()
            .map(feature)
            .filter(|f| !f.is_constant())
            .collect()
    };
    let mut features = varying(&first);
    let first = features.len();
    features.extend(varying(&more));
    let shapes = knowledge.shapes.iter().filter_map(|term| {
        let all = rows.iter().copied().chain([asked]);
        let values: Option<Vec<f64>> = all.map(|inputs| term.at(inputs)).collect();
        Some((term, values?))
    });
    let mut spaces = Spaces {
        shapes: shapes.collect(),
        features: &features,
        first,
        runs: count,
        known: FxHashMap::default(),
    };
    let columns = columns(runs, knowledge.depends);
    let mut known: FxHashMap<Key, (Estimate, Vec<usize>)> = FxHashMap::default();
    let mut estimates: Vec<(Estimate, Vec<usize>)> = Vec::with_capacity(columns.len());
    for column in &columns {
        let bits: Vec<u64> = column.counts.iter().map(|c| c.to_bits()).collect();
        let key = (bits, column.depends);
        let found = known
            .entry(key)
            .or_insert_with(|| estimate(&mut spaces, column, knowledge.with));
        estimates.push(found.clone());
    }
    let everything = spaces.inputs(Arguments::ALL, false);
    let nearness = spaces.of(&everything).nearness();
    let mut prediction = Prediction {
        runs: count,
        events: events(&columns, &estimates, &nearness),
        time: None,
        times: None,
        blocks: Vec::new(),
        inputs: features[..first].iter().map(|f| f.name).collect(),
        outside: { features[..first].iter() }
            .filter(|f| f.is_outside())
            .map(|f| f.name)
            .collect(),
    };
    let mut of_blocks = vec![None; runs.blocks.len()];
    if knowledge.timed && runs.blocks.is_empty() {
        prediction.time = Some(time_alone(runs, &mut spaces, &nearness));
    } else if knowledge.timed {
        time(
            runs,
            &columns,
            &estimates,
            &nearness,
            &mut prediction,
            &mut of_blocks,
        );
    }
    for (column, (estimate, inputs)) in columns.iter().zip(&estimates) {
        if let Some(block) = column.block {
            prediction.blocks.push(PredictedBlock {
                name: runs.blocks[block].name.clone(),
                reached: estimate.values[count].max(0.0),
                method: estimate.method,
                inputs: inputs.iter().map(|&i| features[i].name).collect(),
                ns: of_blocks[block],
            });
        }
    }
    Some(prediction)
}

/// Estimates a column, and returns the inputs that it used.
fn estimate(spaces: &mut Spaces<'_>, column: &Column, with: With) -> (Estimate, Vec<usize>) {
    let (arguments, annotated) = column.depends.unwrap_or((Arguments::ALL, false));
    let own = spaces.inputs(arguments, false);
    let all = spaces.inputs(Arguments::ALL, false);
    let by = |spaces: &mut Spaces<'_>, inputs: &[usize]| match with {
        With::All => spaces.of(inputs).estimate(&column.counts),
        With::Neighbours(None) => spaces.of(inputs).neighbours(&column.counts),
        With::Neighbours(Some(width)) => spaces.of(inputs).neighbours_of(&column.counts, width),
    };
    let mut best = (by(spaces, &own), own);
    if best.0.error() == 0.0 || with != With::All {
        return best;
    }
    let richer = spaces.inputs(arguments, true);
    for (inputs, much) in [(richer, LEFT_FOR_MORE), (all, LEFT_FOR_ALL)] {
        if inputs == best.1 || annotated && much == LEFT_FOR_ALL {
            continue;
        }
        let found = by(spaces, &inputs);
        if found.error() < best.0.error() * much {
            best = (found, inputs);
        }
    }
    best
}

/// Returns the events computed from columns.
fn events(
    columns: &[Column],
    estimates: &[(Estimate, Vec<usize>)],
    nearness: &[Vec<f64>],
) -> BTreeMap<SmolStr, Predicted> {
    struct Sum {
        estimates: Vec<f64>,
        values: Vec<f64>,
        method: Method,
    }
    let mut sums: BTreeMap<&SmolStr, Sum> = BTreeMap::new();
    for (column, (estimate, _)) in columns.iter().zip(estimates) {
        for (name, times) in &column.events {
            let sum = sums.entry(name).or_insert_with(|| Sum {
                estimates: vec![0.0; estimate.values.len()],
                values: vec![0.0; column.counts.len()],
                method: Method::Constant,
            });
            for (own, value) in sum.estimates.iter_mut().zip(&estimate.values) {
                *own += times * value.max(0.0);
            }
            for (own, value) in sum.values.iter_mut().zip(&column.counts) {
                *own += times * value;
            }
            sum.method = sum.method.max(estimate.method);
        }
    }
    let predicted = sums.into_iter().map(|(name, sum)| {
        let value = sum.estimates.last().copied().unwrap_or(0.0).max(0.0);
        let predicted = Predicted {
            value,
            interval: interval::interval(&sum.estimates, &sum.values, nearness),
            method: sum.method,
        };
        (name.clone(), predicted)
    });
    predicted
        .filter(|(_, p)| p.value > 0.0 || p.interval.is_some_and(|(_, high)| high > 0.0))
        .collect()
}

/// Estimates the time of a call without block counts in the same way as counts.
fn time_alone(runs: &Runs, spaces: &mut Spaces<'_>, nearness: &[Vec<f64>]) -> Predicted {
    let column = Column {
        block: None,
        depends: None,
        counts: runs.runs.iter().map(|run| number(run.ns)).collect(),
        events: Vec::new(),
    };
    let (found, _) = estimate(spaces, &column, With::All);
    Predicted {
        value: found.values.last().copied().unwrap_or(0.0).max(0.0),
        interval: interval::interval(&found.values, &column.counts, nearness),
        // Times are measured, never exact.
        method: found.method.max(Method::Fitted),
    }
}

/// Returns the times of blocks, and the time of the call.
fn time(
    runs: &Runs,
    columns: &[Column],
    estimates: &[(Estimate, Vec<usize>)],
    nearness: &[Vec<f64>],
    prediction: &mut Prediction,
    of_blocks: &mut [Option<f64>],
) {
    let ns: Vec<f64> = runs.runs.iter().map(|run| number(run.ns)).collect();
    // Blocks that are reached equally often in every run are merged (hybrid prediction §III.A).
    let mut classes: Vec<(&Vec<f64>, &Vec<f64>, Method)> = Vec::new();
    let mut class_of: Vec<(usize, usize)> = Vec::new();
    for (column, (estimate, _)) in columns.iter().zip(estimates) {
        let Some(block) = column.block else {
            continue;
        };
        let known = classes
            .iter()
            .position(|(counts, ..)| **counts == column.counts);
        let class = known.unwrap_or_else(|| {
            classes.push((&column.counts, &estimate.values, estimate.method));
            classes.len() - 1
        });
        class_of.push((block, class));
    }
    let counts: Vec<Vec<f64>> = classes
        .iter()
        .map(|(counts, ..)| (*counts).clone())
        .collect();
    let Some(found) = times::fit(&counts, &ns) else {
        return;
    };
    let count = ns.len();
    let at = |run: usize, times: &[f64]| -> f64 {
        let own = classes.iter().zip(times);
        own.map(|((_, values, _), t)| values[run].max(0.0) * t)
            .sum()
    };
    let mut values: Vec<f64> = (0..count).map(|run| at(run, found.without(run))).collect();
    values.push(at(count, &found.times));
    let used = classes.iter().zip(&found.times).filter(|(_, t)| **t > 0.0);
    let method = used.map(|((.., method), _)| *method).max();
    prediction.time = Some(Predicted {
        value: values[count],
        interval: interval::interval(&values, &ns, nearness),
        // Times are measured, never exact.
        method: method.unwrap_or(Method::Fitted).max(Method::Fitted),
    });
    for (block, class) in class_of {
        of_blocks[block] = Some(found.times[class]);
    }
    prediction.times = Some(found);
}

#[cfg(test)]
mod tests;
