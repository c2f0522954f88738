//! Writes a platform in the format of [`crate::read`].

use std::collections::BTreeMap;

use costlens_events::Event;
use num_rational::BigRational;
use num_traits::ToPrimitive as _;
use serde_json::{Map, Value, json};

use crate::read::{SCHEMA, measured};
use crate::{Constant, Measured, Platform};

impl Measured {
    /// Creates a program with its times, rounded to a thousandth of a nanosecond. Returns `None` if a number is not finite.
    #[must_use]
    pub fn new(name: &str, observed: f64, predicted: f64) -> Option<Self> {
        Some(Measured {
            name: name.to_owned(),
            observed: measured(observed)?,
            predicted: measured(predicted)?,
        })
    }
}

impl Constant {
    /// Creates a measured constant with its interval, rounded to a thousandth of a nanosecond. Returns `None` if a number is not finite or
    /// is negative, or if the numbers are out of order.
    #[must_use]
    pub fn measured(ns: f64, low: f64, high: f64) -> Option<Self> {
        let is_ordered = 0.0 <= low && low <= ns && ns <= high;
        Some(Constant {
            ns: measured(ns)?,
            low: measured(low)?,
            high: measured(high)?,
        })
        .filter(|_| is_ordered)
    }
}

/// Returns the text of a file with one platform. The platform's name must end in `-MODEL`, like the names of platforms from files.
#[must_use]
pub fn write(platform: &Platform, model: &str) -> String {
    let name = platform.name.strip_suffix(&format!("-{model}"));
    let constants: Map<String, Value> = (platform.constants.iter())
        .map(|(event, c)| (event.to_string(), constant(c)))
        .collect();
    let errors: Map<String, Value> = (platform.errors.iter())
        .map(|(name, e)| (name.clone(), number(e)))
        .collect();
    let programs: Vec<Value> = (platform.programs.iter())
        .map(|p| json!({"name": p.name, "observed": number(&p.observed), "predicted": number(&p.predicted)}))
        .collect();
    let mut of_model = Map::new();
    of_model.insert("name".to_owned(), json!(model));
    of_model.insert("constants".to_owned(), Value::Object(constants));
    of_model.insert("errors".to_owned(), Value::Object(errors));
    of_model.insert("programs".to_owned(), Value::Array(programs));
    if let Some(c) = &platform.collection {
        let value = json!({
            "cells": c.cells.to_string(),
            "first": number(&c.first),
            "ns": number(&c.ns),
            "ns_per_live_cell": number(&c.ns_per_live_cell),
        });
        of_model.insert("collection".to_owned(), value);
    }
    let file = json!({
        "schema": SCHEMA,
        "platform": name.unwrap_or(&platform.name),
        "engine": platform.engine,
        "source": platform.source,
        "date": platform.date,
        "origin": platform.origin,
        "machine": platform.machine,
        "models": [Value::Object(of_model)],
    });
    let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
    text.push('\n');
    text
}

/// Drops the constants that are not part of the model, since the fit could not distinguish them from zero.
#[must_use]
pub fn priced(constants: BTreeMap<Event, Constant>) -> BTreeMap<Event, Constant> {
    let is_zero = |c: &Constant| c.high.numer().bits() == 0;
    (constants.into_iter())
        // Events that are not optional need a price, even if the price is zero.
        .filter(|(event, c)| !event.is_optional() || !is_zero(c))
        .collect()
}

fn constant(c: &Constant) -> Value {
    json!({"ns": number(&c.ns), "low": number(&c.low), "high": number(&c.high)})
}

/// Returns the number nearest to a decimal, which is printed with the original digits.
fn number(value: &BigRational) -> Value {
    json!(value.to_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Collection, Measured, read};

    #[test]
    fn what_is_written_is_read_back() {
        let constants = [
            (
                Event::Step,
                Constant::measured(12.3456, 11.0, 14.0).unwrap(),
            ),
            (Event::Cut, Constant::measured(0.0, 0.0, 0.0).unwrap()),
            (
                Event::Operator("+".into(), 2),
                Constant::measured(0.0, 0.0, 1.5).unwrap(),
            ),
        ];
        let platform = Platform {
            name: "swi-9-portable".to_owned(),
            engine: "SWI-Prolog".to_owned(),
            source: "user".to_owned(),
            origin: "measured".to_owned(),
            date: "2026-11-25".to_owned(),
            machine: [("cpu".to_owned(), "x".to_owned())].into(),
            constants: priced(constants.into()),
            errors: [("noise".to_owned(), measured(0.0125).unwrap())].into(),
            programs: vec![Measured {
                name: "walk".to_owned(),
                observed: measured(1930.5).unwrap(),
                predicted: measured(1880.0).unwrap(),
            }],
            collection: Some(Collection {
                cells: Event::GlobalCells { optimised: true },
                first: measured(6600.0).unwrap(),
                ns: measured(4114.65).unwrap(),
                ns_per_live_cell: measured(5.037).unwrap(),
            }),
        };
        assert_eq!(platform.constants.len(), 2);
        let text = write(&platform, "portable");
        assert_eq!(read("f.json", &text).unwrap(), [platform]);
    }

    #[test]
    fn constants_that_bound_nothing_are_refused() {
        assert_eq!(Constant::measured(1.0, 2.0, 3.0), None);
        assert_eq!(Constant::measured(1.0, -1.0, 3.0), None);
        assert_eq!(Constant::measured(1.0, 1.0, f64::INFINITY), None);
    }
}
