//! Parses a file of platforms: one machine with one or more models.
//!
//! ```json
//! { "schema": 2, "platform": "name", "engine": "ciao", "source": "paper", "date": "2007-01", "origin": "where from",
//!   "machine": {"cpu": "…"},
//!   "constants": {"op(+/2)": 170.5},
//!   "models": [ {"name": "1", "constants": {"steps": {"ns": 21.27, "low": 20, "high": 22}}, "errors": {"standard_error_us": 6.2},
//!                "programs": [{"name": "append", "observed": 1930.5, "predicted": 1880}],
//!                "collection": {"cells": "global_cells", "first": 6600, "ns": 4100, "ns_per_live_cell": 5}} ] }
//! ```
//!
//! A file without `schema` has schema 1, which had no `collection`; a file with a schema that is newer than this program is rejected.
//!
//! Each model is a separate platform, called `PLATFORM-MODEL`, with the file's own constants in addition to the model's.

use std::collections::BTreeMap;

use costlens_events::{Event, NoEvent};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed as _, Zero as _};
use serde_json::{Map, Value};

use crate::{Collection, Constant, Measured, Platform};

/// The newest supported schema of files.
pub(crate) const SCHEMA: u64 = 2;

/// The reason why a file is not a platform.
#[derive(Debug, thiserror::Error)]
#[error("platform file `{file}`, {place}: {flaw}")]
pub struct MalformedPlatform {
    /// The file's name.
    pub file: String,
    /// The place in the file: the path of keys, separated by dots.
    pub place: String,
    /// The flaw at this place.
    #[source]
    pub flaw: Flaw,
}

/// The flaws of a platform file.
#[derive(Debug, thiserror::Error)]
pub enum Flaw {
    /// The text is not JSON.
    #[error("no JSON: {0}")]
    Json(serde_json::Error),
    /// A value is missing or has the wrong type.
    #[error("expected {0}")]
    Expected(&'static str),
    /// An undocumented key, most likely a typo.
    #[error("the key `{0}` is not known")]
    UnknownKey(String),
    /// A constant's name that is not an event.
    #[error(transparent)]
    Event(NoEvent),
    /// A constant whose interval is not valid.
    #[error("a constant is not negative, and its estimate lies between `low` and `high`")]
    NoInterval,
    /// A file written by a newer version of Costlens.
    #[error("it is of schema {0}, which only a newer Costlens reads")]
    Newer(u64),
    /// Two constants for the same event, or two models with the same name.
    #[error("`{0}` is there twice")]
    Twice(String),
}

/// Parses a file's platforms, in order. Messages refer to the file as `file`.
///
/// # Errors
/// Returns the first flaw; a malformed file is not used in part.
pub fn read(file: &str, text: &str) -> Result<Vec<Platform>, MalformedPlatform> {
    platforms(text).map_err(|(place, flaw)| MalformedPlatform {
        file: file.to_owned(),
        place: if place.is_empty() {
            "at the top".to_owned()
        } else {
            place
        },
        flaw,
    })
}

/// A flaw and its place.
type Wrong = (String, Flaw);

/// The keys of a file.
const KEYS: [&str; 9] = [
    "schema",
    "platform",
    "engine",
    "source",
    "date",
    "origin",
    "machine",
    "constants",
    "models",
];
/// The keys of a model.
const OF_MODEL: [&str; 5] = ["name", "constants", "errors", "programs", "collection"];

fn platforms(text: &str) -> Result<Vec<Platform>, Wrong> {
    let value: Value = serde_json::from_str(text).map_err(|e| (String::new(), Flaw::Json(e)))?;
    let top = object(&value, "")?;
    readable_schema(top)?;
    known_keys(top, "", &KEYS)?;
    let mut machine = BTreeMap::new();
    for (key, value) in object(member(top, "machine", "")?, "machine")? {
        let place = format!("machine.{key}");
        machine.insert(key.clone(), string(value, &place)?);
    }
    let shared = match top.get("constants") {
        Some(value) => constants(value, "constants")?,
        None => BTreeMap::new(),
    };
    let Value::Array(models) = member(top, "models", "")? else {
        return Err(("models".into(), Flaw::Expected("an array")));
    };
    let file = File {
        top,
        machine,
        shared,
    };
    let mut platforms: Vec<Platform> = Vec::new();
    for (i, value) in models.iter().enumerate() {
        let platform = file.platform(value, &format!("models.{i}"), &platforms)?;
        platforms.push(platform);
    }
    Ok(platforms)
}

/// Rejects a file with a newer schema.
fn readable_schema(top: &Map<String, Value>) -> Result<(), Wrong> {
    let Some(value) = top.get("schema") else {
        return Ok(());
    };
    let wrong = |flaw: Flaw| Err(("schema".to_owned(), flaw));
    match value.as_u64() {
        None => wrong(Flaw::Expected("a whole number")),
        Some(schema) if schema > SCHEMA => wrong(Flaw::Newer(schema)),
        Some(_) => Ok(()),
    }
}

/// The contents of a file that its models share.
struct File<'v> {
    top: &'v Map<String, Value>,
    machine: BTreeMap<String, String>,
    shared: BTreeMap<Event, Constant>,
}

impl File<'_> {
    fn field(&self, key: &str) -> Result<String, Wrong> {
        member(self.top, key, "").and_then(|value| string(value, key))
    }

    /// Parses a model; `before` contains the models that precede it.
    fn platform(&self, value: &Value, place: &str, before: &[Platform]) -> Result<Platform, Wrong> {
        let model = object(value, place)?;
        known_keys(model, place, &OF_MODEL)?;
        let within = |key: &str| format!("{place}.{key}");
        let platform = self.field("platform")?;
        let name = string(member(model, "name", place)?, &within("name"))?;
        let name = format!("{platform}-{name}");
        if before.iter().any(|platform| platform.name == name) {
            return Err((place.to_owned(), Flaw::Twice(name)));
        }
        let constants = self.constants(member(model, "constants", place)?, &within("constants"))?;
        let mut errors = BTreeMap::new();
        if let Some(value) = model.get("errors") {
            let within = within("errors");
            for (key, value) in object(value, &within)? {
                errors.insert(key.clone(), number(value, &format!("{within}.{key}"))?);
            }
        }
        let programs = match model.get("programs") {
            Some(value) => programs(value, &within("programs"))?,
            None => Vec::new(),
        };
        let collection = match model.get("collection") {
            Some(value) => Some(collection(value, &within("collection"))?),
            None => None,
        };
        Ok(Platform {
            name,
            engine: self.field("engine")?,
            source: self.field("source")?,
            origin: self.field("origin")?,
            date: self.field("date")?,
            machine: self.machine.clone(),
            constants,
            errors,
            programs,
            collection,
        })
    }

    /// Parses the constants of a model, and adds the file's constants.
    fn constants(&self, value: &Value, place: &str) -> Result<BTreeMap<Event, Constant>, Wrong> {
        let mut all = self.shared.clone();
        for (event, constant) in constants(value, place)? {
            let text = event.to_string();
            if all.insert(event, constant).is_some() {
                return Err((place.to_owned(), Flaw::Twice(text)));
            }
        }
        Ok(all)
    }
}

/// Parses the programs to which a model was fitted: name, observed and predicted nanoseconds.
fn programs(value: &Value, place: &str) -> Result<Vec<Measured>, Wrong> {
    let Value::Array(all) = value else {
        return Err((place.to_owned(), Flaw::Expected("an array")));
    };
    let measured = |(i, value): (usize, &Value)| {
        let place = format!("{place}.{i}");
        let parts = object(value, &place)?;
        known_keys(parts, &place, &["name", "observed", "predicted"])?;
        let part = |key: &str| Ok((member(parts, key, &place)?, format!("{place}.{key}")));
        let of = |key: &str| part(key).and_then(|(value, place)| number(value, &place));
        Ok(Measured {
            name: part("name").and_then(|(value, place)| string(value, &place))?,
            observed: of("observed")?,
            predicted: of("predicted")?,
        })
    };
    all.iter().enumerate().map(measured).collect()
}

/// Parses the parameters of the garbage collector.
fn collection(value: &Value, place: &str) -> Result<Collection, Wrong> {
    let parts = object(value, place)?;
    known_keys(parts, place, &["cells", "first", "ns", "ns_per_live_cell"])?;
    let within = |key: &str| format!("{place}.{key}");
    let cells = string(member(parts, "cells", place)?, &within("cells"))?;
    let of = |key: &str| number(member(parts, key, place)?, &within(key));
    let found = Collection {
        cells: (cells.parse()).map_err(|e| (within("cells"), Flaw::Event(e)))?,
        first: of("first")?,
        ns: of("ns")?,
        ns_per_live_cell: of("ns_per_live_cell")?,
    };
    if !found.first.is_positive() {
        return Err((within("first"), Flaw::Expected("a positive number")));
    }
    if found.ns.is_negative() || found.ns_per_live_cell.is_negative() {
        return Err((place.to_owned(), Flaw::NoInterval));
    }
    Ok(found)
}

/// Parses constants by event: each is a number, or an estimate with its interval.
fn constants(value: &Value, place: &str) -> Result<BTreeMap<Event, Constant>, Wrong> {
    let mut found = BTreeMap::new();
    for (key, value) in object(value, place)? {
        let place = format!("{place}.{key}");
        let event: Event = key.parse().map_err(|e| (place.clone(), Flaw::Event(e)))?;
        let constant = if let Value::Object(parts) = value {
            known_keys(parts, &place, &["ns", "low", "high"])?;
            let part =
                |name: &str| number(member(parts, name, &place)?, &format!("{place}.{name}"));
            Constant {
                ns: part("ns")?,
                low: part("low")?,
                high: part("high")?,
            }
        } else {
            let ns = number(value, &place)?;
            Constant {
                low: ns.clone(),
                high: ns.clone(),
                ns,
            }
        };
        let ordered = constant.low <= constant.ns && constant.ns <= constant.high;
        if constant.low.is_negative() || !ordered {
            return Err((place, Flaw::NoInterval));
        }
        found.insert(event, constant);
    }
    Ok(found)
}

fn member<'v>(object: &'v Map<String, Value>, key: &str, place: &str) -> Result<&'v Value, Wrong> {
    let missing = || {
        let dot = if place.is_empty() { "" } else { "." };
        (format!("{place}{dot}{key}"), Flaw::Expected("a value"))
    };
    object.get(key).ok_or_else(missing)
}

fn object<'v>(value: &'v Value, place: &str) -> Result<&'v Map<String, Value>, Wrong> {
    let wrong = || (place.to_owned(), Flaw::Expected("an object"));
    value.as_object().ok_or_else(wrong)
}

fn string(value: &Value, place: &str) -> Result<String, Wrong> {
    let wrong = || (place.to_owned(), Flaw::Expected("a string"));
    value.as_str().map(str::to_owned).ok_or_else(wrong)
}

fn known_keys(object: &Map<String, Value>, place: &str, keys: &[&str]) -> Result<(), Wrong> {
    match object.keys().find(|k| !keys.contains(&k.as_str())) {
        Some(key) => Err((place.to_owned(), Flaw::UnknownKey(key.clone()))),
        None => Ok(()),
    }
}

/// Parses a decimal exactly.
fn number(value: &Value, place: &str) -> Result<BigRational, Wrong> {
    let wrong = || (place.to_owned(), Flaw::Expected("a number"));
    match value {
        // The shortest decimal that reads back as the same number is the original decimal, if it has at most 15 digits.
        Value::Number(n) => decimal(&n.to_string()).ok_or_else(wrong),
        _ => Err(wrong()),
    }
}

/// Returns the decimal of a measured number, rounded to a thousandth, or `None` if it is not finite.
#[must_use]
pub fn measured(value: f64) -> Option<BigRational> {
    decimal(&format!("{value:.3}")).filter(|_| value.is_finite())
}

/// The largest accepted exponent of ten, far beyond any sensible number of nanoseconds.
const LARGEST_EXPONENT: i32 = 30;

fn decimal(text: &str) -> Option<BigRational> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
    if digits.is_zero() {
        return Some(BigRational::zero());
    }
    let exponent = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    if exponent.abs() > LARGEST_EXPONENT {
        return None;
    }
    let ten = BigInt::from(10).pow(exponent.unsigned_abs());
    Some(if exponent < 0 {
        BigRational::new(digits, ten)
    } else {
        BigRational::from_integer(digits * ten)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{ "platform": "m", "engine": "e", "source": "user", "date": "2026", "origin": "o", "machine": {"cpu": "x"},
        "constants": {"is/2": 0},
        "models": [ {"name": "1", "constants": {"steps": 21.27, "op(+/2)": {"ns": 1e2, "low": 99.5, "high": 120}}, "errors": {"s": 6.5}} ] }"#;

    fn ratio(n: i64, d: i64) -> BigRational {
        BigRational::new(n.into(), d.into())
    }

    #[test]
    fn constants_are_the_decimals_that_are_written() {
        let platforms = read("m.json", GOOD).unwrap();
        assert_eq!(platforms.len(), 1);
        let p = &platforms[0];
        assert_eq!((p.name.as_str(), p.source.as_str()), ("m-1", "user"));
        assert_eq!(p.constants[&Event::Step].ns, ratio(2127, 100));
        assert_eq!(p.constants[&Event::Step].high, ratio(2127, 100));
        let plus = &p.constants[&Event::Operator("+".into(), 2)];
        assert_eq!(
            (&plus.ns, &plus.low, &plus.high),
            (&ratio(100, 1), &ratio(199, 2), &ratio(120, 1))
        );
        assert!(p.constants[&Event::Builtin("is".into(), 2)].ns.is_zero());
        assert_eq!(p.errors["s"], ratio(13, 2));
    }

    #[test]
    fn what_is_malformed_is_refused_with_its_place() {
        for (from, to, place) in [
            ("21.27", "\"21.27\"", "models.0.constants.steps"),
            ("21.27", "-21.27", "models.0.constants.steps"),
            ("99.5", "101", "models.0.constants.op(+/2)"),
            ("99.5", "1e99", "models.0.constants.op(+/2).low"),
            ("\"low\": 99.5,", "", "models.0.constants.op(+/2).low"),
            ("\"steps\"", "\"stepps\"", "models.0.constants.stepps"),
            ("\"op(+/2)\"", "\"is/2\"", "models.0.constants"),
            ("\"engine\": \"e\",", "", "engine"),
            ("\"engine\"", "\"motor\"", "at the top"),
            ("\"errors\"", "\"faults\"", "models.0"),
            ("} ] }", "}", "at the top"),
        ] {
            assert!(GOOD.contains(from), "{from}");
            let error = read("m.json", &GOOD.replace(from, to)).unwrap_err();
            assert_eq!(error.place, place, "{error}");
        }
    }

    #[test]
    fn files_of_all_schemas_up_to_this_one_are_read() {
        let with = |schema: &str| GOOD.replacen('{', &format!("{{ {schema}"), 1);
        assert!(read("old.json", GOOD).is_ok());
        for schema in 1..=SCHEMA {
            let text = with(&format!("\"schema\": {schema},"));
            assert_eq!(
                read("f.json", &text).unwrap(),
                read("f.json", GOOD).unwrap()
            );
        }
        // A newer schema is rejected regardless of the other contents.
        let newer = with("\"schema\": 3, \"more\": 1,");
        assert!(matches!(
            read("f.json", &newer).unwrap_err().flaw,
            Flaw::Newer(3)
        ));
        let collection = "\"collection\": {\"cells\": \"global_cells\", \"first\": 0, \"ns\": 1, \"ns_per_live_cell\": 1},";
        let never = GOOD.replacen("\"errors\"", &format!("{collection} \"errors\""), 1);
        let place = read("f.json", &never).unwrap_err().place;
        assert_eq!(place, "models.0.collection.first");
    }

    #[test]
    fn collections_are_counted_from_cells() {
        let collection = Collection {
            cells: Event::GlobalCells { optimised: false },
            first: ratio(100, 1),
            ns: ratio(10, 1),
            ns_per_live_cell: ratio(2, 1),
        };
        assert_eq!(collection.of_cells(&ratio(99, 1)), (0.into(), ratio(0, 1)));
        // Two collections of 10 ns, and 1.5 * 250 cells of 2 ns.
        assert_eq!(
            collection.of_cells(&ratio(250, 1)),
            (2.into(), ratio(770, 1))
        );
    }
}
