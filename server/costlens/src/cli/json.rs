//! The data structures of `--format json`, schema 1: fields are added, never renamed.
//!
//! Every shape is a struct that serde writes. Those of `bounds`, `check`, `explain`, `fix`, `run`, `profile`, `predict`, `platforms`, `report`, `validate` and `verify` have a JSON schema in
//! `docs/schema`, which a test compares with them.

pub(super) mod bounds;
pub(super) mod check;
mod derivation;
mod evaluated;
pub(super) mod explain;
pub(super) mod fix;
pub(super) mod platforms;
pub(super) mod predicate;
pub(super) mod predict;
pub(super) mod profile;
pub(super) mod report;
pub(super) mod run;
pub(super) mod speedscope;
pub(super) mod validate;
pub(super) mod verify;

#[cfg(test)]
mod schemas;

use std::io;

use costlens_ide::diagnostics::{Diagnostic as Problem, Severity};
use costlens_ide::present::values::BoundValue as Bound;
use num_bigint::BigInt;
use serde::Serialize;

use super::files::Source;
use crate::lines::{Encoding, LineIndex};

/// The schema number.
pub(super) const SCHEMA: u32 = 1;

/// Serialises a value over many lines, with a line end. Keys are in alphabetical order.
///
/// # Errors
/// Fails if a key of a map is not a string, which does not occur in these structures.
pub(super) fn lines(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(format!("{:#}\n", serde_json::to_value(value)?))
}

/// Writes a document as [`lines`] formats it, with elements in the list of this name, which is still empty. Each element is made, written and
/// dropped before the next one: all values of a large library at once would take half as much memory as its analysis.
///
/// # Errors
/// Returns the errors of [`lines`], and write errors.
pub(super) fn write_with_list<E: Serialize>(
    document: &impl Serialize,
    list: &str,
    elements: impl Iterator<Item = E>,
    write: &mut dyn FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    let text = lines(document)?;
    // Replace the list among the fields of the document itself: deeper fields are indented further, and no string contains a line end.
    let empty = format!("\n  \"{list}\": []");
    let Some(at) = text.find(&empty) else {
        return write(&text);
    };
    let (head, tail) = text.split_at(at + empty.len() - 1);
    write(head)?;
    let mut end = "";
    for element in elements {
        let comma = if end.is_empty() { "" } else { "," };
        let value = format!("\n{:#}", serde_json::to_value(element)?);
        write(&format!("{comma}{}", value.replace('\n', "\n    ")))?;
        end = "\n  ";
    }
    write(&format!("{end}{tail}"))
}

/// A value of a bound: a number, rounded outward, or `"inf"` for proved divergence.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum Number {
    /// The number.
    Finite(f64),
    /// Not a number: divergence.
    Infinite(Infinity),
}

/// A proved divergence.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) enum Infinity {
    /// More than any number of steps.
    #[serde(rename = "inf")]
    Inf,
}

/// Returns a number that is at most the value, or `None` if the value is unknown.
pub(super) fn lower(value: &Bound) -> Option<Number> {
    match value {
        Bound::Infinite => Some(Number::Infinite(Infinity::Inf)),
        other => other.at_most().map(Number::Finite),
    }
}

/// Returns a number that is at least the value, or `None` if the value is unknown.
pub(super) fn upper(value: &Bound) -> Option<Number> {
    match value {
        Bound::Infinite => Some(Number::Infinite(Infinity::Inf)),
        other => other.at_least().map(Number::Finite),
    }
}

/// An integer: a number if it fits into 64 bits, otherwise a string.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum Integer {
    /// An integer that fits into 64 bits.
    Number(i64),
    /// The digits of a larger integer.
    Digits(String),
}

/// Converts an integer without losing digits.
pub(super) fn integer(n: &BigInt) -> Integer {
    i64::try_from(n).map_or_else(|_| Integer::Digits(n.to_string()), Integer::Number)
}

/// A problem in a file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Diagnostic {
    /// The file's name.
    file: String,
    /// From 1.
    line: usize,
    /// From 1, in characters.
    column: usize,
    /// `error` or `warning`.
    severity: &'static str,
    /// The id of the rule; docs/rules.md lists all rules.
    code: &'static str,
    /// The message.
    message: String,
}

/// Converts the problems of a file.
pub(super) fn diagnostics(source: &Source, found: &[Problem]) -> Vec<Diagnostic> {
    let lines = LineIndex::new(&source.text);
    let row = |d: &Problem| {
        let (line, column) = lines.position(&source.text, d.range.start, Encoding::Utf32);
        Diagnostic {
            file: source.name.clone(),
            line: line + 1,
            column: column + 1,
            severity: match d.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            code: d.rule.id(),
            message: d.message.clone(),
        }
    };
    found.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{lines, write_with_list};

    #[test]
    fn a_list_that_is_written_piece_by_piece_is_as_if_it_were_written_whole() {
        let element = |n: i64| json!({ "list": [], "text": "\n  \"list\": []", "n": n });
        for count in 0..3 {
            let all: Vec<Value> = (0..count).map(element).collect();
            let document = |list: &[Value]| json!({ "a": { "list": [] }, "list": list, "z": 1 });
            let mut out = String::new();
            let mut write = |text: &str| {
                out.push_str(text);
                Ok(())
            };
            write_with_list(&document(&[]), "list", all.iter(), &mut write).unwrap();
            assert_eq!(out, lines(&document(&all)).unwrap(), "{count}");
        }
    }
}
