//! Runs as a table: one row of inputs for each run, and a row for the new call.

use smol_str::SmolStr;

use crate::run::{InputName, InputValue, Inputs};

/// One input, with its values in all runs and in the call.
#[derive(Clone, Debug)]
pub(crate) struct Feature {
    pub(crate) name: InputName,
    pub(crate) values: Vec<Option<InputValue>>,
    pub(crate) asked: Option<InputValue>,
    /// The least and the greatest number in the runs.
    range: Option<(f64, f64)>,
}

impl Feature {
    pub(crate) fn new(name: InputName, runs: &[&Inputs], asked: &Inputs) -> Self {
        let of = |inputs: &Inputs| {
            let found = inputs.iter().find(|(n, _)| *n == name);
            found.map(|(_, value)| value.clone())
        };
        let values: Vec<Option<InputValue>> = runs.iter().map(|inputs| of(inputs)).collect();
        let numbers = || values.iter().flatten().filter_map(InputValue::number);
        let range = numbers().fold(None, |range: Option<(f64, f64)>, n| match range {
            None => Some((n, n)),
            Some((least, most)) => Some((least.min(n), most.max(n))),
        });
        Feature {
            asked: of(asked),
            name,
            values,
            range,
        }
    }

    /// Returns whether the input is a number in each run and in the call.
    pub(crate) fn is_numeric(&self) -> bool {
        let number = |v: &Option<InputValue>| v.as_ref().is_some_and(|v| v.number().is_some());
        number(&self.asked) && self.values.iter().all(number)
    }

    /// Returns whether the input has the same value in each run and in the call, so that it is not informative.
    pub(crate) fn is_constant(&self) -> bool {
        self.values.iter().all(|v| *v == self.asked)
    }

    /// Returns the numbers of the runs, followed by the number of the call.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        let all = self.values.iter().chain([&self.asked]);
        let number = |v: &Option<InputValue>| v.as_ref().and_then(InputValue::number);
        all.map(|v| number(v).unwrap_or(0.0)).collect()
    }

    /// Returns whether the call is outside the range of the runs.
    pub(crate) fn is_outside(&self) -> bool {
        match (&self.asked, self.range) {
            (Some(InputValue::Number(n)), Some((least, most))) => *n < least || *n > most,
            (Some(InputValue::Name(_)), _) => !self.values.contains(&self.asked),
            _ => true,
        }
    }

    /// Returns the heterogeneous distance of two values (hybrid prediction §IV.A): for numbers, the difference relative to the range; for
    /// names 0 or 1; 1 if a value is missing.
    fn distance(&self, a: &Option<InputValue>, b: &Option<InputValue>) -> f64 {
        match (a, b) {
            (Some(InputValue::Number(a)), Some(InputValue::Number(b))) => match self.range {
                Some((least, most)) if most > least => (a - b).abs() / (most - least),
                _ => f64::from(u8::from(a != b)),
            },
            (Some(InputValue::Name(a)), Some(InputValue::Name(b))) => f64::from(u8::from(a != b)),
            (None, None) => 0.0,
            _ => 1.0,
        }
    }
}

/// Returns the squared distances between all runs, followed by the distances between each run and the call.
pub(crate) fn distances(features: &[&Feature], runs: usize) -> Vec<Vec<f64>> {
    let of = |feature: &Feature, run: usize| match feature.values.get(run) {
        Some(value) => value.clone(),
        None => feature.asked.clone(),
    };
    let mut all = vec![vec![0.0; runs]; runs + 1];
    for feature in features {
        let values: Vec<Option<InputValue>> = (0..=runs).map(|run| of(feature, run)).collect();
        for (row, own) in all.iter_mut().zip(&values) {
            for (sum, other) in row.iter_mut().zip(&values) {
                *sum += feature.distance(own, other).powi(2);
            }
        }
    }
    all
}

/// Returns the group of each run, followed by the group of the call. Runs of a group have the same names. No fit mixes groups.
pub(crate) fn groups(features: &[&Feature], runs: usize) -> Vec<usize> {
    let mut keys: Vec<Vec<Option<SmolStr>>> = Vec::new();
    let mut groups = Vec::with_capacity(runs + 1);
    for run in 0..=runs {
        let key: Vec<Option<SmolStr>> = (features.iter())
            .map(
                |feature| match feature.values.get(run).unwrap_or(&feature.asked) {
                    Some(InputValue::Name(name)) => Some(name.clone()),
                    _ => None,
                },
            )
            .collect();
        let known = keys.iter().position(|k| *k == key);
        groups.push(known.unwrap_or(keys.len()));
        if known.is_none() {
            keys.push(key);
        }
    }
    groups
}
