//! Compares every function of `is/2` with SWI-Prolog (`arithmetic/answers.tsv`, written by `arithmetic/generate.pl`).

#![allow(clippy::unwrap_used)]

use std::cmp::Ordering;

use costlens_machine::number::{
    ArithmeticError, Function, Number, Value, compare, float_text, parse_float,
};
use num_bigint::BigInt;
use num_rational::BigRational;

fn number(text: &str) -> Number {
    match text {
        "inf" => return Number::Float(f64::INFINITY),
        "-inf" => return Number::Float(f64::NEG_INFINITY),
        "nan" => return Number::Float(f64::NAN),
        "pi" => return Number::Float(std::f64::consts::PI),
        "e" => return Number::Float(std::f64::consts::E),
        "epsilon" => return Number::Float(f64::EPSILON),
        _ => {}
    }
    if let Some(x) = parse_float(text) {
        return Number::Float(x);
    }
    let integer = |t: &str| t.parse::<BigInt>().unwrap();
    match text.split_once('r') {
        Some((n, d)) => Number::from(BigRational::new(integer(n), integer(d))),
        None => Number::from(integer(text)),
    }
}

fn written(n: &Number) -> String {
    match n {
        Number::Small(n) => n.to_string(),
        Number::Big(n) => n.to_string(),
        Number::Rational(q) => format!("{}r{}", q.numer(), q.denom()),
        Number::Float(x) => float_text(*x),
    }
}

fn atom(name: &str) -> String {
    if name.starts_with(|c: char| c.is_ascii_lowercase())
        && !matches!(name, "div" | "mod" | "rem" | "rdiv" | "xor")
    {
        name.to_owned()
    } else {
        format!("({name})")
    }
}

/// Formats an answer like `generate.pl`.
fn answer(value: &Value) -> String {
    let (formal, (name, arity)) = match value {
        Ok(n) => return written(n),
        Err(ArithmeticError::TooLarge) => return "throws resource_error".to_owned(),
        Err(ArithmeticError::Evaluation(what)) => {
            return format!("throws evaluation_error({what}) in system:(is)/2");
        }
        Err(ArithmeticError::EvaluationIn(what, f)) => (format!("evaluation_error({what})"), f),
        Err(ArithmeticError::Type(what, n, f)) => (format!("type_error({what},{})", written(n)), f),
        Err(ArithmeticError::Domain(what, n, f)) => {
            (format!("domain_error({what},{})", written(n)), f)
        }
    };
    format!("throws {formal} in {}/{arity}", atom(name))
}

/// Returns whether two answers are floats that differ only in the last digits. SWI-Prolog's analytic functions are the C library's and may
/// differ between its versions; correctly rounded operations must be equal.
fn nearly(function: &str, a: &str, b: &str) -> bool {
    const EXACT: &[&str] = &[
        "+",
        "-",
        "*",
        "/",
        "abs",
        "sign",
        "max",
        "min",
        "sqrt",
        "float",
        "nexttoward",
        "copysign",
        "float_integer_part",
        "float_fractional_part",
    ];
    match (parse_float(a), parse_float(b)) {
        (Some(x), Some(y)) if !EXACT.contains(&function) => {
            (x - y).abs() <= 4.0 * f64::EPSILON * x.abs()
        }
        _ => false,
    }
}

#[test]
fn functions_answer_as_swi_prolog_does() {
    let table = match std::env::var("ARITHMETIC_ANSWERS") {
        Ok(file) => std::fs::read_to_string(file).unwrap(),
        Err(_) => include_str!("../arithmetic/answers.tsv").to_owned(),
    };
    let (mut lines, mut wrong) = (0, Vec::new());
    for line in table.lines().filter(|l| !l.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [function, operands @ .., expected] = fields.as_slice() else {
            panic!("no answer in {line}");
        };
        // Expressions: the tests of the built-ins evaluate them.
        if matches!(*function, "is" | "roundtoward") {
            continue;
        }
        lines += 1;
        let operands: Vec<Number> = operands.iter().map(|t| number(t)).collect();
        let got = if let "<" | "=<" | ">" | ">=" | "=:=" | "=\\=" = *function {
            let order = compare(&operands[0], &operands[1]);
            let holds = match *function {
                "<" => order == Some(Ordering::Less),
                "=<" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
                ">" => order == Some(Ordering::Greater),
                ">=" => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
                "=:=" => order == Some(Ordering::Equal),
                _ => order != Some(Ordering::Equal),
            };
            holds.to_string()
        } else {
            let function = Function::find(function, operands.len())
                .unwrap_or_else(|| panic!("no function {line}"));
            answer(&function.apply(&operands))
        };
        if got != *expected && !nearly(function, &got, expected) {
            wrong.push(format!("{line}\n    here: {got}"));
        }
    }
    assert!(lines > 5000, "the table has only {lines} lines");
    assert!(
        wrong.is_empty(),
        "{} of {lines} differ:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(2000)].join("\n")
    );
}
