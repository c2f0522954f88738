//! Sizes that a user gives: `--at 1=30,2:depth=4` and the lines of `--sizes FILE.jsonl`.

use costlens_analysis::report::Functor;
use costlens_ide::present::values::GivenSize;
use num_bigint::BigInt;
use serde_json::{Map, Value};

/// A list of sizes as one argument.
#[derive(Clone, Debug)]
pub(super) struct SizeList(pub(super) Vec<GivenSize>);

/// Parses `1=30,2=5`, `1=3,1.e=5`, `2:depth=4`, `n=30`, `facts(par/2)=50`.
pub(super) fn parse_at(text: &str) -> Result<Vec<GivenSize>, String> {
    text.split(',')
        .map(|part| {
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| format!("`{part}` is no size: expected ARGUMENT=SIZE"))?;
            let value = value
                .trim()
                .parse()
                .map_err(|_| format!("`{value}` is no integer"))?;
            parse_key(key.trim(), value)
        })
        .collect()
}

/// Parses `1`, `1.e`, `2:depth`, or the name of a size, `n`.
fn parse_key(key: &str, value: BigInt) -> Result<GivenSize, String> {
    let (place, metric) = match key.split_once(':') {
        Some((place, metric)) => (place, Some(metric.to_owned())),
        None => (key, None),
    };
    let (argument, element) = match place.strip_suffix(".e") {
        Some(argument) => (argument, true),
        None => (place, false),
    };
    match argument.parse() {
        Ok(argument) if argument > 0 => Ok(GivenSize {
            argument,
            element,
            name: None,
            metric,
            value,
        }),
        Err(_) if !element && metric.is_none() && is_name(place) => Ok(GivenSize {
            argument: 0,
            element,
            name: Some(place.to_owned()),
            metric,
            value,
        }),
        _ => Err(format!(
            "`{key}` is no size: write an argument, counted from 1, or the name of a size, as in `1=30` or `n=30`"
        )),
    }
}

/// Returns whether text may be the name of a size or parameter in bounds: `n`, `par`, `facts(par/2)`.
fn is_name(text: &str) -> bool {
    let is_word = |text: &str| {
        text.starts_with(char::is_alphabetic)
            && text.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    is_word(text)
        || text
            .split_once('(')
            .is_some_and(|(kind, of)| is_word(kind) && of.ends_with(')'))
}

/// One line of a sizes file.
pub(super) struct Point {
    pub(super) predicate: Functor,
    pub(super) given: Vec<GivenSize>,
    /// The fields as written, which the answer repeats.
    pub(super) fields: Map<String, Value>,
}

/// Parses `{"pred":"nrev/2","sizes":{"1":30}}`.
pub(super) fn parse_point(line: &str) -> Result<Point, String> {
    let value: Value = serde_json::from_str(line).map_err(|e| format!("no JSON: {e}"))?;
    let predicate = parse_indicator(value["pred"].as_str().ok_or("no \"pred\"")?)?;
    let sizes = value["sizes"].as_object().ok_or("no \"sizes\"")?;
    let given = sizes
        .iter()
        .map(|(key, size)| {
            // Keep all digits of the number.
            let size = size
                .to_string()
                .parse()
                .map_err(|_| format!("the size `{size}` of `{key}` is no integer"))?;
            parse_key(key, size)
        })
        .collect::<Result<_, String>>()?;
    let fields = ["pred", "sizes"]
        .into_iter()
        .map(|k| (k.to_owned(), value[k].clone()))
        .collect();
    Ok(Point {
        predicate,
        given,
        fields,
    })
}

/// Parses `nrev/2`, optionally with a module and with quotes: `lists:'my rev'/2`.
pub(super) fn parse_indicator(text: &str) -> Result<Functor, String> {
    let wrong = || format!("`{text}` is no predicate indicator: expected NAME/ARITY");
    let (name, arity) = text.rsplit_once('/').ok_or_else(wrong)?;
    let arity = arity.parse().map_err(|_| wrong())?;
    let name = match name.split_once(':') {
        Some((module, name))
            if !module.is_empty() && !name.is_empty() && !name.starts_with('-') =>
        {
            name
        }
        _ => name,
    };
    let name = name
        .strip_prefix('\'')
        .and_then(|n| n.strip_suffix('\''))
        .map_or_else(
            || name.to_owned(),
            |n| n.replace("\\'", "'").replace("''", "'"),
        );
    if name.is_empty() {
        return Err(wrong());
    }
    Ok(Functor {
        name: name.into(),
        arity,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_name_argument_element_and_metric() {
        let at = parse_at("1=30, 1.e=5,2:depth=-4").unwrap();
        assert_eq!(at[0].argument, 1);
        assert!(at[1].element && !at[0].element);
        assert_eq!(at[2].metric.as_deref(), Some("depth"));
        assert_eq!(at[2].value, BigInt::from(-4));
        assert_eq!(parse_at("n=3").unwrap()[0].name.as_deref(), Some("n"));
        for wrong in ["", "1", "0=3", "x.e=3", "n:depth=1", "1=a", "1=1.5"] {
            assert!(parse_at(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn points_are_lines_of_json() {
        let p = parse_point(r#"{"pred":"nrev/2","sizes":{"1":30}}"#).unwrap();
        assert_eq!(p.predicate.to_string(), "nrev/2");
        assert_eq!(p.given[0].value, BigInt::from(30));
        for wrong in [
            "",
            "{}",
            r#"{"pred":"nrev"}"#,
            r#"{"pred":"p/1","sizes":{"1":"a"}}"#,
        ] {
            assert!(parse_point(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn indicators_may_have_a_module_and_quotes() {
        for (text, name, arity) in [
            ("nrev/2", "nrev", 2),
            ("lists:append/3", "append", 3),
            ("'my rev'/2", "my rev", 2),
            ("'it\\'s'/0", "it's", 0),
            ("//2", "/", 2),
            (":-/1", ":-", 1),
        ] {
            let p = parse_indicator(text).unwrap();
            assert_eq!((p.name.as_str(), p.arity), (name, arity), "{text}");
        }
        for wrong in ["", "p", "p/x", "/2"] {
            assert!(parse_indicator(wrong).is_err(), "{wrong}");
        }
    }
}
