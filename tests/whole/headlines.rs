//! The headline of `costlens bounds` (lower, upper, exact, and the sizes that it names) compared with the pieces at random sizes of every
//! region, including small and negative ones: it has to hold wherever its condition and its exceptions apply. The pieces themselves are
//! checked by the oracle.
//!
//! `HEADLINES=1000000` tries that many points, `HEADLINES_SEED=N` others.

use std::collections::BTreeMap;
use std::path::Path;

use costlens_algebra::parse::parse;
use costlens_algebra::{Expr, Rat, Var};
use num_bigint::BigInt;
use serde_json::Value;

use crate::generate::Random;
use crate::project::run;
use crate::seeds::number;

/// Programs with annotated bounds, those of papers and those of the machine.
const PROGRAMS: [&str; 3] = ["tests/fixtures", "tests/papers", "tests/machine/programs"];

/// Small and negative sizes, and some in which the parts of a bound differ.
const SIZES: [i64; 16] = [-7, -2, -1, 0, 0, 1, 1, 2, 3, 4, 5, 7, 12, 31, 100, 150];

type Point = BTreeMap<String, i64>;

/// A pattern with bounds on `steps`.
struct Pattern {
    called: String,
    /// The names of sizes and parameters, with the least value.
    sizes: Vec<(String, Option<i64>)>,
    has_parameters: bool,
    steps: Value,
}

/// Returns the value of an expression of the contract. Returns `None` if it has none at that point.
fn value(text: &str, at: &Point) -> Option<Rat> {
    let names: Vec<&String> = at.keys().collect();
    let mut variable = |name: &str| {
        let place = names.iter().position(|n| *n == name)?;
        Some(Var(u32::try_from(place).ok()?))
    };
    let expr: Expr = parse(text, &mut variable).unwrap_or_else(|e| panic!("{text}: {e}"));
    expr.eval(&|v| Some(BigInt::from(at[names[v.0 as usize]])))
}

/// Returns whether sizes lie in a region as printed: `n >= m+1, m = 0 or n <= 0`.
fn lies_in(region: &str, at: &Point) -> bool {
    let holds = |constraint: &str| {
        let relation = [">=", "<=", "="]
            .into_iter()
            .find(|r| constraint.contains(r));
        let relation = relation.unwrap_or_else(|| panic!("no relation in {constraint}"));
        let (left, right) = constraint.split_once(relation).unwrap();
        let (left, right) = (value(left, at).unwrap(), value(right, at).unwrap());
        match relation {
            ">=" => left >= right,
            "<=" => left <= right,
            _ => left == right,
        }
    };
    (region.split(" or ")).any(|part| part == "true" || part.split(", ").all(holds))
}

fn patterns() -> Vec<Pattern> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let arguments = ["bounds", "--format", "json", "--exit-zero"];
    let output = run(&root, &[&arguments[..], &PROGRAMS].concat());
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut patterns = Vec::new();
    for predicate in found["predicates"].as_array().unwrap() {
        for pattern in predicate["patterns"].as_array().unwrap() {
            let sizes = pattern["sizes"].as_array().unwrap().iter();
            let sizes = sizes.map(|size| {
                let name = size["name"].as_str().unwrap().to_owned();
                (name, (size["metric"] != "int").then_some(0))
            });
            let parameters = pattern["parameters"].as_array().unwrap().iter();
            // The costs of predicates, and the numbers of their solutions, are taken to be at least 1.
            let least = |p: &Value| i64::from(p["kind"] != "facts" && p["argument"].is_null());
            let parameters =
                parameters.map(|p| (p["name"].as_str().unwrap().to_owned(), Some(least(p))));
            let sizes = sizes.chain(parameters);
            patterns.push(Pattern {
                called: format!(
                    "{}: {}/{} {}",
                    predicate["file"], predicate["name"], predicate["arity"], pattern["modes"]
                ),
                has_parameters: pattern["parameters"] != Value::Array(Vec::new()),
                sizes: sizes.collect(),
                steps: pattern["bounds"]["steps"].clone(),
            });
        }
    }
    patterns
}

/// The maximum number of characters of a headline in a hint.
const LONGEST: usize = 30;

#[test]
fn headlines_fit_into_hints() {
    // The names of predicates in a bound may be long.
    for pattern in patterns().into_iter().filter(|p| !p.has_parameters) {
        let shown = pattern.steps["display"].as_str().unwrap();
        assert!(
            shown.chars().count() <= LONGEST,
            "{}: {shown}",
            pattern.called
        );
    }
}

/// Returns the region without an upper bound that a headline hides, if any: as soon as a region has none, the headline must have none.
fn hidden(steps: &Value) -> Option<String> {
    let upper = |of: &Value| match &of["upper"] {
        Value::Null => "unknown",
        Value::String(text) if text == "inf" => "diverges",
        _ => "finite",
    };
    let pieces = steps["pieces"].as_array().unwrap();
    let worst = ["unknown", "diverges"];
    let worst = (worst.into_iter()).find(|&kind| pieces.iter().any(|p| upper(p) == kind));
    let expected = worst.unwrap_or("finite");
    let class = steps["upper_class"].as_str().unwrap();
    let is_class_right = match expected {
        "finite" => !matches!(class, "unknown" | "diverges"),
        missing => class == missing,
    };
    let is_right = upper(steps) == expected && is_class_right;
    (!is_right).then(|| format!("{} of class {class}, but {expected}", upper(steps)))
}

/// Returns the fault of a headline at sizes, if any; `None` outside of the pattern's sizes.
fn fault(steps: &Value, at: &Point) -> Option<String> {
    let named = |field: &str| steps[field].as_str();
    let pieces = steps["pieces"].as_array().unwrap();
    let piece = pieces
        .iter()
        .find(|p| lies_in(p["when"].as_str().unwrap(), at))?;
    if named("condition").is_some_and(|when| !lies_in(when, at)) {
        return None;
    }
    if named("except").is_some_and(|except| lies_in(except, at)) {
        // Omitted pieces have a finite cost.
        let is_finite = piece["upper"].as_str().is_some_and(|upper| upper != "inf");
        return (!is_finite).then(|| format!("leaves out {piece} at {at:?}"));
    }
    let bound = |of: &Value, side: &str| match of[side].as_str() {
        Some("inf") => Some(Err("inf")),
        Some(text) => Some(value(text, at).ok_or("no value")),
        None => None,
    };
    let of = |side: &str| (bound(steps, side), bound(piece, side));
    let is_lower_right = match of("lower") {
        // No cost is below 0, and none is above an infinite one.
        (None, _) | (Some(Ok(_)), Some(Err("inf"))) => true,
        (Some(Ok(shown)), Some(Ok(there))) => shown <= there,
        (Some(Ok(shown)), _) => shown <= Rat::default(),
        (Some(Err(_)), there) => there == Some(Err("inf")),
    };
    let is_upper_right = match of("upper") {
        (None, _) => true,
        (Some(Ok(shown)), Some(Ok(there))) => shown >= there,
        // Another region never ends: `hidden` judges that.
        (Some(Err("inf")), Some(_)) => true,
        (shown, there) => shown == there,
    };
    let is_exact_right = steps["exact"] != true || of("lower").1 == of("upper").1;
    (!(is_lower_right && is_upper_right && is_exact_right)).then(|| format!("at {at:?} in {piece}"))
}

#[test]
#[expect(clippy::print_stderr, reason = "prints figures next to the result")]
fn headlines_hold_in_every_region() {
    let patterns = patterns();
    let points = usize::try_from(number("HEADLINES", 10_000)).unwrap();
    let mut random = Random::new(number("HEADLINES_SEED", 0));
    let each = points.div_ceil(patterns.len());
    let (mut tried, mut faults) = (0, Vec::new());
    for pattern in &patterns {
        for _ in 0..each {
            let mut size = |least: Option<i64>| {
                let size = SIZES[random.below(SIZES.len())];
                let near = size + i64::try_from(random.below(3)).unwrap() - 1;
                least.map_or(near, |least| near.max(least))
            };
            let sizes = pattern.sizes.iter();
            let at: Point = sizes
                .map(|(name, least)| (name.clone(), size(*least)))
                .collect();
            tried += 1;
            if let Some(fault) = fault(&pattern.steps, &at) {
                faults.push(format!("{} {fault}: {}", pattern.called, pattern.steps));
                break;
            }
        }
    }
    let with = |field: &str| {
        patterns
            .iter()
            .filter(|p| p.steps[field].is_string())
            .count()
    };
    eprintln!(
        "{tried} points of {} patterns: {} with an upper bound, {} with a condition, {} with exceptions, {} false",
        patterns.len(),
        with("upper"),
        with("condition"),
        with("except"),
        faults.len()
    );
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    // Hiding brings no advantage.
    assert!(with("condition") * 10 <= with("upper"));
}

#[test]
fn no_headline_hides_a_region_without_an_upper_bound() {
    let faults: Vec<String> = (patterns().iter())
        .filter_map(|pattern| Some(format!("{}: {}", pattern.called, hidden(&pattern.steps)?)))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_hidden_region_is_noticed() {
    let steps = |upper: Value, class: &str, there: Value| {
        serde_json::json!({
            "lower": "1", "upper": upper, "upper_class": class, "exact": false, "condition": null, "except": "n = 1",
            "pieces": [
                {"when": "n >= 2", "lower": "1", "upper": "1"},
                {"when": "n = 1", "lower": "1", "upper": there},
            ],
        })
    };
    let one = || Value::from("1");
    assert!(hidden(&steps(one(), "1", Value::Null)).is_some());
    assert!(hidden(&steps(one(), "1", "inf".into())).is_some());
    assert!(hidden(&steps(Value::Null, "1", Value::Null)).is_some());
    assert!(hidden(&steps("inf".into(), "diverges", Value::Null)).is_some());
    assert!(hidden(&steps(Value::Null, "unknown", Value::Null)).is_none());
    assert!(hidden(&steps("inf".into(), "diverges", "inf".into())).is_none());
    assert!(hidden(&steps(one(), "1", "7".into())).is_none());
    let at = Point::from([("n".to_owned(), 1)]);
    assert!(fault(&steps(one(), "1", Value::Null), &at).is_some());
    assert!(fault(&steps(one(), "1", "7".into()), &at).is_none());
}

#[test]
fn a_false_headline_is_noticed() {
    let steps = |upper: &str, condition: Value, except: Value| {
        serde_json::json!({
            "lower": "n", "upper": upper, "exact": false, "condition": condition, "except": except,
            "pieces": [
                {"when": "n >= m", "lower": "m+1", "upper": "m+1"},
                {"when": "m >= n+1", "lower": "n", "upper": "n"},
            ],
        })
    };
    let at = |n: i64, m: i64| Point::from([("n".to_owned(), n), ("m".to_owned(), m)]);
    let is_false = |steps: &Value, n: i64, m: i64| fault(steps, &at(n, m)).is_some();
    assert!(is_false(&steps("n", Value::Null, Value::Null), 3, 3));
    assert!(!is_false(&steps("n", "m >= n+1".into(), Value::Null), 3, 3));
    assert!(!is_false(
        &steps("n", Value::Null, "m = 0 or n = 3, m >= 2".into()),
        3,
        3
    ));
    assert!(!is_false(&steps("n+1", Value::Null, Value::Null), 3, 3));
    // The lower bound n is false if m+1 is less.
    assert!(is_false(&steps("n+1", Value::Null, Value::Null), 3, 1));
}
