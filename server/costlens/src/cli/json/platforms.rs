//! The output of `costlens platforms`.

use std::collections::BTreeMap;

use costlens_algebra::Rat;
use costlens_algebra::text::decimal;
use serde::Serialize;
use serde_json::Number;

use super::SCHEMA;

/// The stored platforms.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Document {
    /// 1.
    schema: u32,
    platforms: Vec<Platform>,
}

/// A platform: a Prolog system on a machine, and the times of its events.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Platform {
    /// The name for `--platform`.
    name: String,
    /// The Prolog system.
    engine: String,
    /// `shipped`, `user` or `paper`.
    source: String,
    /// The origin of the constants, in a sentence or two.
    origin: String,
    /// The time of measurement or publication.
    date: String,
    /// Properties of the machine, by name.
    machine: BTreeMap<String, String>,
    constants: Vec<Constant>,
    /// The errors of the model's fit, by name.
    errors: BTreeMap<String, Option<Number>>,
}

/// The time of an event, in nanoseconds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Constant {
    event: String,
    /// The estimate.
    ns: Option<Number>,
    /// The lower end of its interval, with the confidence stated in the platform's origin.
    low: Option<Number>,
    /// The upper end of its interval.
    high: Option<Number>,
}

/// Returns the document for some platforms.
pub(in crate::cli) fn document(all: &[costlens_platform::Platform]) -> Document {
    Document {
        schema: SCHEMA,
        platforms: all.iter().map(platform).collect(),
    }
}

fn platform(p: &costlens_platform::Platform) -> Platform {
    let constants = p.constants.iter().map(|(event, c)| Constant {
        event: event.to_string(),
        ns: number(&c.ns),
        low: number(&c.low),
        high: number(&c.high),
    });
    let errors = p.errors.iter().map(|(k, v)| (k.clone(), number(v)));
    Platform {
        name: p.name.clone(),
        engine: p.engine.clone(),
        source: p.source.clone(),
        origin: p.origin.clone(),
        date: p.date.clone(),
        machine: p.machine.clone(),
        constants: constants.collect(),
        errors: errors.collect(),
    }
}

/// Returns a number with its stored decimals.
fn number(value: &Rat) -> Option<Number> {
    serde_json::from_str(&decimal(value)).ok()
}
