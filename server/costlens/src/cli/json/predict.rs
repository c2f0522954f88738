//! The output of `costlens predict`.

use std::collections::BTreeMap;

use costlens_history::InputValue;
use costlens_history::predict::{Predicted, SHARE};
use costlens_ide::present::values::{BoundValue, ValueRange};
use serde::Serialize;

use super::{Integer, Number, integer};
use crate::prediction::report::{Report, exact, limited};

/// The prediction of one call.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Document {
    /// 1.
    schema: u32,
    /// The goal as it was given.
    goal: String,
    /// Its predicate.
    predicate: String,
    /// True if all solutions are requested.
    all: bool,
    /// The measured properties of the arguments: `length(1)`.
    inputs: BTreeMap<String, Input>,
    /// The call pattern for which bounds are proved; null if there is none.
    pattern: Option<String>,
    /// The values that are taken for parameters of the bounds.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(test, schemars(default))]
    parameters: BTreeMap<String, Integer>,
    /// The assumptions on which the bounds rest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    assumes: Vec<String>,
    /// The reason why nothing is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_proved: Option<String>,
    /// The reason why nothing is predicted.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_predicted: Option<String>,
    /// The events by their names.
    events: BTreeMap<String, Amount>,
    /// The time in nanoseconds: bounds for the chosen platform, predictions for the embedded machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Amount>,
    /// The conditions under which the upper bound on time holds: `integers < 2^63`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    time_assumes: Vec<&'static str>,
    /// The past runs, if a prediction uses them.
    #[serde(skip_serializing_if = "Option::is_none")]
    past: Option<Past>,
    /// Predictions from runs on other engines, by engine.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    elsewhere: BTreeMap<String, Elsewhere>,
}

/// A prediction from runs on another engine.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Elsewhere {
    /// The number of runs.
    runs: usize,
    /// Counts of the engine: `inferences`.
    events: BTreeMap<String, Amount>,
    /// Nanoseconds of processor time.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Amount>,
}

/// The value of an input.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Input {
    /// A size or a number.
    Number(f64),
    /// An atom.
    Name(String),
}

/// An amount: proved bounds, and a prediction.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Amount {
    /// Proved; null if unknown.
    lower: Option<Number>,
    /// Proved; null if unknown.
    upper: Option<Number>,
    /// The prediction: the bound if both bounds are equal, otherwise from past runs; null if there is none.
    predicted: Option<f64>,
    /// The lower end of the interval that contains a fraction `share` of calls similar to past calls; null if there is none.
    low: Option<f64>,
    /// The upper end of the interval.
    high: Option<f64>,
    /// The method of the least certain part of the prediction: `proved bound`, `constant`, `exact on all runs`, `fitted`, `fitted, with neighbours`,
    /// `neighbours`.
    by: Option<&'static str>,
}

/// The past runs that a prediction uses.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Past {
    /// The number of runs.
    runs: usize,
    /// The fraction of calls for which the intervals hold.
    share: f64,
    /// The inputs that are compared.
    inputs: Vec<String>,
    /// Sizes of the call that are outside the range of all past runs.
    outside: Vec<String>,
    /// The blocks reached by at least one run.
    blocks: Vec<Block>,
    /// The times of blocks; null if they cannot be determined.
    times: Option<Times>,
}

/// A block of code.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Block {
    name: String,
    /// The number of times that the block is reached.
    reached: f64,
    /// The method of this prediction.
    by: &'static str,
    /// The inputs used for this prediction.
    inputs: Vec<String>,
    /// Nanoseconds per execution, including the blocks that are always reached equally often.
    ns: Option<f64>,
}

/// The method by which the times of blocks were determined.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Times {
    /// The method that predicts unseen runs best.
    method: &'static str,
    /// The relative error on the runs used for the fit: 0.05 for 5%.
    residual: f64,
    /// The condition number of the system of equations.
    condition: f64,
    /// The number of blocks whose times are independent.
    rank: usize,
    /// The number of iterations of the method; 0 for a method without iterations.
    iterations: usize,
    /// False if the method was stopped before it converged.
    converged: bool,
    /// The relative error of each method on runs that were left out of the fit.
    unseen: BTreeMap<&'static str, f64>,
}

fn amount(bounds: Option<&ValueRange>, predicted: Option<&Predicted>) -> Amount {
    let exact = exact(bounds);
    let predicted = predicted.map(|p| limited(bounds, *p));
    let interval = predicted
        .and_then(|p| p.interval)
        .filter(|_| exact.is_none());
    Amount {
        lower: bounds.and_then(|b| super::lower(&b.lower)),
        upper: bounds.and_then(|b| super::upper(&b.upper)),
        predicted: match exact {
            Some(value) => Some(value),
            None => predicted.map(|p| p.value),
        },
        low: interval.map(|(low, _)| low),
        high: interval.map(|(_, high)| high),
        by: match exact {
            Some(_) => Some("proved bound"),
            None => predicted.map(|p| p.method.word()),
        },
    }
}

impl Document {
    pub(in crate::cli) fn new(goal: &str, report: &Report) -> Self {
        let prediction = report.prediction.as_ref().ok();
        let bounds = report.bounds.as_ref().ok();
        let mut events: BTreeMap<String, Amount> = BTreeMap::new();
        for (event, at) in bounds.iter().flat_map(|b| &b.events) {
            let name = event.to_string();
            let predicted = prediction.and_then(|p| p.events.get(name.as_str()));
            let values = report.values(at);
            if predicted.is_some() || values.upper != BoundValue::Unknown {
                events.insert(name, amount(Some(values), predicted));
            }
        }
        for (name, predicted) in prediction.iter().flat_map(|p| &p.events) {
            events
                .entry(name.to_string())
                .or_insert_with(|| amount(None, Some(predicted)));
        }
        let time_bounds = bounds.and_then(|b| b.time.as_ref());
        let time_predicted = prediction.and_then(|p| p.time.as_ref());
        let time = (time_bounds.is_some() || time_predicted.is_some()).then(|| Amount {
            // Bounds for another platform do not apply to the prediction.
            lower: time_bounds.and_then(|t| super::lower(&report.values(&t.estimate).lower)),
            upper: time_bounds.and_then(|t| super::upper(&report.values(&t.estimate).upper)),
            ..amount(None, time_predicted)
        });
        Document {
            schema: super::SCHEMA,
            goal: goal.to_owned(),
            predicate: report.call.predicate.to_string(),
            all: report.all,
            inputs: { report.call.inputs.iter() }
                .map(|(name, value)| {
                    let value = match value {
                        InputValue::Number(n) => Input::Number(*n),
                        InputValue::Name(name) => Input::Name(name.to_string()),
                    };
                    (name.to_string(), value)
                })
                .collect(),
            pattern: bounds.map(|b| b.pattern.clone()),
            parameters: (bounds.into_iter().flat_map(|b| &b.taken))
                .map(|taken| (taken.name.clone(), integer(&taken.value)))
                .collect(),
            assumes: bounds.map(|b| b.assumes.clone()).unwrap_or_default(),
            not_proved: report.bounds.as_ref().err().map(ToString::to_string),
            not_predicted: report.prediction.as_ref().err().cloned(),
            events,
            time_assumes: (time_bounds.iter().filter_map(|t| t.condition))
                .map(|condition| condition.name())
                .collect(),
            time,
            past: prediction.map(past_runs),
            elsewhere: { report.elsewhere.iter() }
                .map(|(engine, found)| {
                    let events = { found.events.iter() }
                        .map(|(name, of)| (name.to_string(), amount(None, Some(of))));
                    let of = Elsewhere {
                        runs: found.runs,
                        events: events.collect(),
                        time: found.time.as_ref().map(|of| amount(None, Some(of))),
                    };
                    (engine.clone(), of)
                })
                .collect(),
        }
    }
}

fn past_runs(prediction: &costlens_history::predict::Prediction) -> Past {
    let names = |inputs: &[costlens_history::InputName]| -> Vec<String> {
        inputs.iter().map(ToString::to_string).collect()
    };
    Past {
        runs: prediction.runs,
        share: SHARE,
        inputs: names(&prediction.inputs),
        outside: names(&prediction.outside),
        blocks: { prediction.blocks.iter() }
            .map(|block| Block {
                name: block.name.to_string(),
                reached: block.reached,
                by: block.method.word(),
                inputs: names(&block.inputs),
                ns: block.ns,
            })
            .collect(),
        times: prediction.times.as_ref().map(|times| Times {
            method: times.solver.name(),
            residual: times.residual,
            condition: times.condition,
            rank: times.rank,
            iterations: times.iterations,
            converged: times.converged,
            unseen: times
                .compared
                .iter()
                .map(|(s, off)| (s.name(), *off))
                .collect(),
        }),
    }
}
