//! Formats a prediction as text.

use costlens_history::predict::{Predicted, Prediction, SHARE};
use costlens_history::{InputName, InputValue};
use costlens_ide::present::markup::aligned;
use costlens_ide::present::times::duration_text;
use costlens_ide::present::values::{BoundValue, StepsAt, ValueRange};

use super::EVENTS;
use super::report::{Report, exact, limited};

/// The origin of a value whose lower and upper bounds are equal.
const PROVED: &str = "proved bound";

/// Formats the report, with a clear distinction between proved bounds and predictions from past runs.
pub(crate) fn format_report(report: &Report) -> String {
    let mut out = format!("{}{}\n", report.call.predicate, sizes(report));
    let head = ["", "lower", "predicted", "upper", "interval", "by"].map(ToOwned::to_owned);
    let mut rows = vec![head.to_vec()];
    rows.extend(EVENTS.iter().filter_map(|name| row(report, name)));
    rows.extend(time(report));
    let is_exact = |row: &Vec<String>| row.last().is_some_and(|by| by == PROVED);
    let is_predicted = rows.iter().any(is_exact) || !report.elsewhere.is_empty();
    if rows.len() > 1 {
        out.push_str(&aligned(&rows, "  "));
    }
    match &report.bounds {
        Ok(estimates) => {
            let is_known = |(_, at): &(_, StepsAt)| report.values(at).upper != BoundValue::Unknown;
            out.push_str(&match estimates.events.iter().any(is_known) {
                true => format!("lower, upper: proved of {}\n", estimates.pattern),
                false => format!("no upper bound is proved of {}\n", estimates.pattern),
            });
            for taken in &estimates.taken {
                out.push_str(&match &taken.clauses_of {
                    Some(of) => format!(
                        "with {} = {}, the clauses of `{of}` in its file; `--at {0}=N` takes another number\n",
                        taken.name, taken.value
                    ),
                    None => format!("with {} = {}\n", taken.name, taken.value),
                });
            }
            for assumption in &estimates.assumes {
                out.push_str(&format!("if {assumption}\n"));
            }
            if let Some(condition) = estimates.time.as_ref().and_then(|time| time.condition) {
                out.push_str(&format!("upper bound on time: {}\n", condition.text()));
            }
        }
        Err(reason) => out.push_str(&format!("nothing is proved: {reason}\n")),
    }
    match &report.prediction {
        Ok(prediction) => {
            out.push_str(&format!(
                "predicted: from {} past runs; {:.0}% of calls like them lie in the interval\n",
                prediction.runs,
                SHARE * 100.0
            ));
            if let Some(times) = &prediction.times {
                out.push_str(&format!(
                    "times of blocks by {}: runs are met within {:.1}%, condition {:.0}\n",
                    times.solver.name(),
                    times.residual * 100.0,
                    times.condition
                ));
            }
            if !prediction.outside.is_empty() {
                let names = prediction.outside.iter().map(ToString::to_string);
                let names: Vec<String> = names.collect();
                out.push_str(&format!(
                    "no past run is like the call in {}: what is predicted may not hold\n",
                    names.join(", ")
                ));
            }
        }
        // An exact proved bound is also a prediction, and other engines have their own runs.
        Err(reason) if is_predicted => out.push_str(&format!(
            "past runs on the embedded machine predict nothing: {reason}\n"
        )),
        Err(reason) => out.push_str(&format!("nothing is predicted: {reason}\n")),
    }
    for (engine, prediction) in &report.elsewhere {
        out.push_str(&elsewhere(engine, prediction));
    }
    out
}

/// Formats a prediction for another engine:
/// `on SWI-Prolog 9.0.4, from 25 runs: inferences 496 (exact on all runs), time 31.2 µs, 80% within 29.9 µs to 33.0 µs (fitted)`.
fn elsewhere(engine: &str, prediction: &Prediction) -> String {
    let one = |name: &str, of: &Predicted, write: &dyn Fn(f64) -> String| {
        let interval = match of.interval {
            Some((low, high)) if high > low => format!(
                ", {:.0}% within {} to {}",
                SHARE * 100.0,
                write(low),
                write(high)
            ),
            _ => String::new(),
        };
        format!(
            "{name} {}{interval} ({})",
            write(of.value),
            of.method.word()
        )
    };
    let events = { prediction.events.iter() }.map(|(name, of)| one(name, of, &amount));
    let time = prediction.time.iter();
    let time = time.map(|of| one("time", of, &duration_text));
    let said: Vec<String> = events.chain(time).collect();
    format!(
        "on {engine}, from {} runs: {}\n",
        prediction.runs,
        said.join("; ")
    )
}

/// Formats the inputs that a prediction uses, or all inputs: ` at length(1)=30, int(2)=5`.
fn sizes(report: &Report) -> String {
    let used: Option<&[InputName]> = report.prediction.as_ref().ok().map(|p| &p.inputs[..]);
    let shown: Vec<String> = { report.call.inputs.iter() }
        .filter(|(name, _)| used.is_none_or(|used| used.contains(name)))
        .map(|(name, value)| match value {
            InputValue::Number(n) => format!("{name}={n}"),
            InputValue::Name(n) => format!("{name}={n}"),
        })
        .collect();
    match shown.is_empty() {
        true => String::new(),
        false => format!(" at {}", shown.join(", ")),
    }
}

/// Formats an integer; large integers are rounded to four digits.
fn amount(value: f64) -> String {
    match value {
        v if v.abs() < 1e15 => format!("{v:.0}"),
        v => format!("{v:.3e}"),
    }
}

fn row(report: &Report, name: &str) -> Option<Vec<String>> {
    let bounds = report.bounds.as_ref().ok().and_then(|estimates| {
        let found = { estimates.events.iter() }.find(|(event, _)| event.to_string() == name);
        found.map(|(_, at)| report.values(at))
    });
    let predicted = { report.prediction.as_ref().ok() }.and_then(|p| p.events.get(name));
    let is_known = bounds.is_some_and(|b| b.upper != BoundValue::Unknown);
    if predicted.is_none() && !is_known {
        return None;
    }
    let proved = |value: Option<&BoundValue>| match value {
        Some(BoundValue::Infinite) => "inf".to_owned(),
        Some(value) => value.exact().unwrap_or_else(|| "?".to_owned()),
        None => "?".to_owned(),
    };
    let [value, interval, by] = columns(bounds, predicted, &amount);
    Some(vec![
        name.to_owned(),
        proved(bounds.map(|b| &b.lower)),
        value,
        proved(bounds.map(|b| &b.upper)),
        interval,
        by,
    ])
}

/// Formats the prediction, its interval, and its origin.
fn columns(
    bounds: Option<&ValueRange>,
    predicted: Option<&Predicted>,
    write: &dyn Fn(f64) -> String,
) -> [String; 3] {
    let none = || "-".to_owned();
    if let Some(value) = exact(bounds) {
        return [write(value), none(), PROVED.to_owned()];
    }
    match predicted {
        None => [none(), none(), none()],
        Some(predicted) => {
            let predicted = limited(bounds, *predicted);
            let interval = { predicted.interval }.map_or_else(none, |(low, high)| {
                format!("{} to {}", write(low), write(high))
            });
            let by = predicted.method.word().to_owned();
            [write(predicted.value), interval, by]
        }
    }
}

/// Formats the time: bounds apply to the named platform, past runs to the embedded machine.
fn time(report: &Report) -> Option<Vec<String>> {
    let bounds = report.bounds.as_ref().ok().and_then(|e| e.time.as_ref());
    let at = bounds.map(|time| report.values(&time.estimate));
    let predicted = { report.prediction.as_ref().ok() }.and_then(|p| p.time.as_ref());
    if at.is_none() && predicted.is_none() {
        return None;
    }
    let of = |value: Option<f64>| value.map_or_else(|| "?".to_owned(), duration_text);
    let [value, interval, by] = columns(None, predicted, &duration_text);
    Some(vec![
        "time".to_owned(),
        of(at.and_then(|a| a.lower.at_most())),
        value,
        of(at.and_then(|a| a.upper.at_least())),
        interval,
        by,
    ])
}
