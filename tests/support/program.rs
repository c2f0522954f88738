//! Programs of several files in a folder of their own, and the command line's reports about them.

use crate::project;

use std::path::Path;

use serde_json::Value;

pub(crate) use project::{folder, run};

/// The first pattern's bounds on steps over all solutions, lower and upper, and the reason if the upper one is unknown.
#[derive(Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) lower: String,
    pub(crate) upper: String,
    /// True if the bounds are in terms of parameters, or hold under assumptions.
    pub(crate) is_relative: bool,
    /// The kinds of its assumptions: `as-written`.
    pub(crate) assumes: Vec<String>,
    /// The origin of the call pattern.
    pub(crate) origin: String,
    /// The reason why a bound is missing, or why it has a parameter.
    pub(crate) reason: String,
    /// File and line of the cause.
    pub(crate) cause: (String, u64),
}

pub(crate) fn bounds(folder: &Path, arguments: &[&str], predicate: &str) -> Found {
    let (name, arity) = predicate.rsplit_once('/').unwrap();
    let arguments = [&["bounds", "--format", "json"], arguments].concat();
    let out = run(folder, &arguments);
    let all: Value = serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let row = (all["predicates"].as_array().unwrap().iter())
        .find(|p| p["name"] == name && p["arity"].as_u64() == arity.parse().ok())
        .unwrap_or_else(|| panic!("no {predicate} in {all}"));
    let pattern = &row["patterns"][0];
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let mut parameters = pattern["parameters"].as_array().unwrap().iter();
    let unknown = match &pattern["unknown"][0] {
        Value::Null => parameters.find(|p| p["reason"].is_string()),
        unknown => Some(unknown),
    };
    let unknown = unknown.unwrap_or(&Value::Null);
    Found {
        lower: text(&pattern["bounds"]["steps"]["all"]["lower"]),
        upper: text(&pattern["bounds"]["steps"]["all"]["upper"]),
        is_relative: pattern["bounds"]["steps"]["status"] == "relative",
        assumes: (pattern["assumes"].as_array().unwrap().iter())
            .map(|assumed| text(&assumed["kind"]))
            .collect(),
        origin: text(&pattern["origin"]),
        reason: text(&unknown["reason"]),
        cause: (
            text(&unknown["file"]),
            unknown["line"].as_u64().unwrap_or(0),
        ),
    }
}

/// Asserts that both bounds are this function, whatever the program's other files and unknown predicates do.
#[track_caller]
pub(crate) fn exactly(found: &Found, expected: &str) {
    assert_eq!(
        (found.lower.as_str(), found.upper.as_str()),
        (expected, expected),
        "{found:?}"
    );
    assert!(!found.is_relative, "{found:?}");
}

/// Asserts that there is no upper bound without parameters, and a part of the reason.
#[track_caller]
pub(crate) fn unknown(found: &Found, reason: &str) {
    assert!(
        (found.upper.is_empty() || found.is_relative) && found.reason.contains(reason),
        "{found:?}"
    );
}
