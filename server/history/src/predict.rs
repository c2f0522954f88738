//! Predictions of a call from past runs of the same code (hybrid prediction §IV to §VI).
//!
//! 1. The counts of each block are estimated for the new inputs, from the inputs on which the block can depend (`spaces`): annotated
//!    inputs, otherwise inferred inputs ([`crate::depends`]), otherwise all inputs.
//! 2. Events are sums of counts times the events of a block. Time is the sum of counts times the time of a block (`sums`,
//!    [`crate::times`]).
//! 3. The interval comes from the leave-one-out errors of the same estimates for past runs (`interval`).

mod column;
mod counts;
mod exact;
mod interval;
mod linear;
mod neighbours;
mod observed;
mod spaces;
mod sums;
mod table;

use std::collections::BTreeMap;

use smol_str::SmolStr;

use self::counts::{CountColumn, columns};
use self::spaces::{Features, Spaces};
use self::sums::Table;
use self::table::Feature;
use crate::depends::ArgumentSet;
use crate::run::{InputName, Inputs, Runs};
use crate::shape::ShapeTerm;
use crate::times::BlockTimes;

pub use column::Method;
pub use interval::SHARE;
pub use observed::{Growth, InputFunction, PastCounts, observed};

/// The maximum number of runs used for a prediction. The newest runs are used.
const MOST_RUNS: usize = 500;
/// The minimum number of runs for a prediction.
pub const FEWEST_RUNS: usize = 3;

/// Known properties of the program in addition to the counts of past runs.
pub struct ProgramKnowledge<'k> {
    /// Returns the arguments on which a block, given by name, can depend, and whether they are annotated; `None` if unknown.
    pub depends: &'k Depends<'k>,
    /// Returns whether an input may be used.
    pub allows: &'k dyn Fn(&InputName) -> bool,
    /// The sizes in the predicate's bounds, or the inputs that annotations name.
    pub sizes: Vec<InputName>,
    /// The terms of the predicate's bounds.
    pub shapes: Vec<ShapeTerm>,
    /// The permitted methods of estimation.
    pub with: With,
    /// True if the time is also requested: solving its system takes longer than all other estimates.
    pub timed: bool,
}

/// The permitted methods of estimation. Restricting them serves comparisons.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum With {
    /// All methods.
    All,
    /// Only neighbours, with a given width or with the best width.
    Neighbours(Option<f64>),
}

/// A predicted amount.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Predicted {
    /// The estimate.
    pub value: f64,
    /// The interval that covers [`SHARE`] of calls similar to past calls; `None` if there are too few runs.
    pub interval: Option<(f64, f64)>,
    /// The least certain of the methods used for its summands.
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
    /// The nanoseconds for one pass of the block and of the blocks that are always reached equally often; `None` if the runs do not
    /// determine it.
    pub ns: Option<f64>,
}

/// A prediction.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// The number of runs on which the prediction is based.
    pub runs: usize,
    /// The predicted events by their names.
    pub events: BTreeMap<SmolStr, Predicted>,
    /// The time in nanoseconds.
    pub time: Option<Predicted>,
    /// The times of blocks, and their accuracy for the runs.
    pub times: Option<BlockTimes>,
    /// The blocks that were reached in any run.
    pub blocks: Vec<PredictedBlock>,
    /// The inputs used.
    pub inputs: Vec<InputName>,
    /// The used inputs that are outside the range of the runs.
    pub outside: Vec<InputName>,
}

/// Returns the arguments on which a block, given by name, can depend, and whether they are annotated.
type Depends<'k> = dyn Fn(&str) -> Option<(ArgumentSet, bool)> + 'k;

/// Predicts a call from past runs. Returns `None` if there are too few.
#[must_use]
pub fn predict(
    runs: &Runs,
    asked: &Inputs,
    knowledge: &ProgramKnowledge<'_>,
) -> Option<Prediction> {
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
    let features = Features::new(asked, &rows, knowledge);
    let mut spaces = Spaces::new(&features, &knowledge.shapes, asked, &rows);
    let columns = columns(runs, knowledge.depends);
    let estimates = spaces.estimates(&columns, knowledge.with);
    let table = Table {
        columns: &columns,
        estimates: &estimates,
        nearness: &spaces.nearness(),
    };
    let names = |features: &mut dyn Iterator<Item = &Feature>| features.map(|f| f.name).collect();
    let first = || features.first().iter();
    let mut prediction = Prediction {
        runs: count,
        events: table.events(),
        time: None,
        times: None,
        blocks: Vec::new(),
        inputs: names(&mut first()),
        outside: names(&mut first().filter(|f| f.is_outside())),
    };
    for (column, (estimate, inputs)) in columns.iter().zip(&estimates) {
        if let Some(block) = column.block {
            prediction.blocks.push(PredictedBlock {
                name: runs.blocks[block].name.clone(),
                reached: estimate.values[count].max(0.0),
                method: estimate.method,
                inputs: features.names(inputs),
                ns: None,
            });
        }
    }
    if knowledge.timed {
        let time = CountColumn::time(runs);
        if runs.blocks.is_empty() {
            let estimated = spaces.estimate(&time, With::All);
            prediction.time = Some(table.time_alone(&time, &estimated));
        } else {
            prediction.add_times(&table, &time.counts);
        }
    }
    Some(prediction)
}

impl Prediction {
    /// Adds the times of the call and of its blocks. `ns` contains the times of the runs.
    fn add_times(&mut self, table: &Table<'_>, ns: &[f64]) {
        let Some(timed) = table.timed(ns) else {
            return;
        };
        for (number, block) in self.blocks.iter_mut().enumerate() {
            block.ns = timed.blocks.get(&number).copied();
        }
        self.time = Some(timed.time);
        self.times = Some(timed.times);
    }
}

#[cfg(test)]
mod tests;
