//! Fits constants to counts and times.
//!
//! Each row states that the sum of its counts times their constants is its time. Rows are divided by their times, so that *relative* errors
//! are minimised, regardless of the length of a program. No constant is negative. Rows with large residuals lose weight in each round
//! (Huber).
//!
//! Ridge regression determines constants that the rows leave open: it pulls each constant weakly towards the usual time for its kind of
//! event. Two events that always occur together share their total time.

use std::collections::{BTreeMap, BTreeSet};

use costlens_events::Event;
use nalgebra::{DMatrix, DVector};

use crate::non_negative::non_negative_from;

/// A measured program.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramRow {
    /// The program's name.
    pub name: String,
    /// The number of occurrences of each event in one execution.
    pub counts: BTreeMap<Event, f64>,
    /// The time of one execution, in nanoseconds.
    pub ns: f64,
}

/// The reason why there is no fit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoFit {
    /// There are no rows, or no row has a time.
    #[error("nothing was measured")]
    Nothing,
    /// A time is not positive.
    #[error("the time of `{0}` is not a positive number")]
    NoTime(String),
}

/// Fitted constants, and their accuracy for the rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The nanoseconds of each event. An event that no row distinguishes from other events may get a share of their time, or none.
    pub constants: BTreeMap<Event, f64>,
    /// The measured and the predicted time of each row.
    pub rows: Vec<Fitted>,
}

/// A row and its prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The row's name.
    pub name: String,
    /// The measured time, in nanoseconds.
    pub observed: f64,
    /// The predicted time.
    pub predicted: f64,
}

impl Fitted {
    /// Returns the predicted time as a multiple of the measured time.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.predicted / self.observed
    }

    /// Returns whether the two times differ at most by a factor.
    #[must_use]
    pub fn is_within(&self, factor: f64) -> bool {
        self.ratio() <= factor && self.ratio() * factor >= 1.0
    }
}

/// Returns the rows sorted by decreasing error.
#[must_use]
pub fn by_error(rows: &[Fitted]) -> Vec<&Fitted> {
    let mut sorted: Vec<&Fitted> = rows.iter().collect();
    let error = |row: &Fitted| row.ratio().ln().abs();
    sorted.sort_by(|a, b| error(b).total_cmp(&error(a)));
    sorted
}

/// Errors over rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errors {
    /// The root mean square of the relative harmonic difference, (a - b)(1/a + 1/b)/2 (PADL'07 §4, PPDP'08 §6).
    pub root_mean_square: f64,
    /// The mean of |predicted - observed| / observed.
    pub mean_absolute: f64,
    /// The largest absolute relative error.
    pub worst: f64,
}

/// The number of rounds in which rows with large residuals lose weight.
const ROUNDS: usize = 8;

/// Residuals up to this multiple of the median, and up to this share of the time, keep full weight: programs with their own event fit
/// exactly, and would otherwise make the median almost zero.
const TOLERATED: (f64, f64) = (2.5, 0.25);

/// The square of the weight of the pull on an event that has a small share in each row, such as an instruction. It is so weak that it moves
/// a constant by less than a hundredth if a row determines it, and strong enough that no constant absorbs the residual of a row in which
/// its event hardly occurs.
const PULL: f64 = 1e-4;

/// The square of the weight of the pull on an event that has its own rows, and may take a hundred times as long as other events of its
/// kind: a built-in, a function, the call of a closure.
const OWN_PULL: f64 = 1e-6;

fn pull(event: &Event) -> f64 {
    let has_own_rows = matches!(
        event,
        Event::Operator(..)
            | Event::Work(..)
            | Event::Builtin(..)
            | Event::Closure
            | Event::Lambda
            | Event::LambdaSymbol
    );
    if has_own_rows || is_arithmetic(event) {
        OWN_PULL.sqrt()
    } else {
        PULL.sqrt()
    }
}

/// Returns whether an event is an instruction of the embedded machine that evaluates a function or compares numbers: `arith_add`,
/// `arith(gcd/2)`, `arith_less`.
fn is_arithmetic(event: &Event) -> bool {
    matches!(event, Event::Machine(name, _) if name.starts_with("arith"))
}

/// Returns the usual time for an event's kind, in nanoseconds.
fn usual(event: &Event) -> f64 {
    match event {
        Event::SingleCall
        | Event::ListCall
        | Event::Search
        | Event::FirstSearch
        | Event::Try
        | Event::Trailed
        | Event::KeptChoice
        | Event::KeptFrame
        | Event::Retry => 4.0,
        // Some systems call the negated goal, which takes longer.
        Event::Lookup | Event::Condition | Event::Disjunction | Event::Negation => 5.0,
        Event::Operator(..) => 8.0,
        Event::Closure => 20.0,
        // A lambda is copied, its parameters are unified, and its body is called.
        Event::Lambda => 500.0,
        Event::LambdaSymbol => 10.0,
        event if is_arithmetic(event) => 8.0,
        Event::SharedArgument
        | Event::Swi(..)
        | Event::Gnu(..)
        | Event::Machine(..)
        | Event::Ppdp08(..) => 1.0,
        Event::Work(..) => 2.0,
        Event::Builtin(..) => 15.0,
        _ => 0.5,
    }
}

/// Fits constants to rows.
///
/// # Errors
/// Returns an error if there are no rows, or if a time is not positive.
pub fn fit(rows: &[ProgramRow]) -> Result<Fit, NoFit> {
    fit_from(rows, &BTreeMap::new())
}

/// Fits like [`fit`], but starts from constants that may be close: the constants fitted to similar rows.
pub(crate) fn fit_from(rows: &[ProgramRow], near: &BTreeMap<Event, f64>) -> Result<Fit, NoFit> {
    if rows.is_empty() {
        return Err(NoFit::Nothing);
    }
    if let Some(row) = rows.iter().find(|r| !(r.ns.is_finite() && r.ns > 0.0)) {
        return Err(NoFit::NoTime(row.name.clone()));
    }
    let events: BTreeSet<&Event> = (rows.iter())
        .flat_map(|r| r.counts.iter().filter(|(_, n)| **n > 0.0).map(|(e, _)| e))
        .collect();
    let events: Vec<&Event> = events.into_iter().collect();
    let matrix = DMatrix::from_fn(rows.len(), events.len(), |i, j| {
        rows[i].counts.get(events[j]).copied().unwrap_or(0.0) / rows[i].ns
    });
    let pulls = DVector::from_fn(events.len(), |j, _| pull(events[j]) / usual(events[j]));
    let mut weights = DVector::from_element(rows.len(), 1.0);
    let mut x = DVector::from_fn(events.len(), |j, _| {
        near.get(events[j]).copied().unwrap_or(0.0)
    });
    for _ in 0..ROUNDS {
        // One additional row for the pull of each constant follows.
        let mut weighted = matrix.clone().insert_rows(rows.len(), events.len(), 0.0);
        for (mut row, weight) in weighted.row_iter_mut().zip(weights.iter()) {
            row *= *weight;
        }
        for (j, pull) in pulls.iter().enumerate() {
            weighted[(rows.len() + j, j)] = *pull;
        }
        let wanted = DVector::from_fn(events.len(), |j, _| pull(events[j]));
        let sides = DVector::from_iterator(
            rows.len() + events.len(),
            weights.iter().chain(wanted.iter()).copied(),
        );
        x = non_negative_from(&weighted, &sides, &x);
        let residuals: Vec<f64> = (&matrix * &x).iter().map(|p| (p - 1.0).abs()).collect();
        let limit = (TOLERATED.0 * median(&residuals)).max(TOLERATED.1);
        let next = DVector::from_iterator(
            rows.len(),
            residuals
                .iter()
                .map(|&r| if r <= limit { 1.0 } else { (limit / r).sqrt() }),
        );
        if (&next - &weights).amax() < 1e-6 {
            break;
        }
        weights = next;
    }
    let constants: BTreeMap<Event, f64> = events
        .iter()
        .map(|&e| e.clone())
        .zip(x.iter().copied())
        .collect();
    let rows = beside(&constants, rows);
    Ok(Fit { constants, rows })
}

/// Predicts held-out rows. Rows with a built-in or an arithmetic function without a constant are left out, since its time is unknown.
#[must_use]
pub fn predict(fit: &Fit, rows: &[ProgramRow]) -> Vec<Fitted> {
    let is_known = |row: &&ProgramRow| {
        let mut events = row.counts.keys();
        events.all(|event| event.is_optional() || fit.constants.contains_key(event))
    };
    let known: Vec<ProgramRow> = rows.iter().filter(is_known).cloned().collect();
    beside(&fit.constants, &known)
}

fn beside(constants: &BTreeMap<Event, f64>, rows: &[ProgramRow]) -> Vec<Fitted> {
    let fitted = |row: &ProgramRow| Fitted {
        name: row.name.clone(),
        observed: row.ns,
        predicted: predicted(constants, &row.counts),
    };
    rows.iter().map(fitted).collect()
}

/// Returns the sum of the counts times their constants.
pub(crate) fn predicted(constants: &BTreeMap<Event, f64>, counts: &BTreeMap<Event, f64>) -> f64 {
    (counts.iter())
        .map(|(event, n)| n * constants.get(event).copied().unwrap_or(0.0))
        .sum()
}

/// Returns the errors of predictions, or `None` if there are no rows.
#[must_use]
pub fn errors(rows: &[Fitted]) -> Option<Errors> {
    if rows.is_empty() {
        return None;
    }
    let count = rows.len() as f64;
    let harmonic = |r: &Fitted| {
        let (a, b) = (r.predicted, r.observed);
        (a - b) * (1.0 / a + 1.0 / b) / 2.0
    };
    let absolute = |r: &Fitted| (r.predicted - r.observed).abs() / r.observed;
    Some(Errors {
        root_mean_square: (rows.iter().map(|r| harmonic(r).powi(2)).sum::<f64>() / count).sqrt(),
        mean_absolute: rows.iter().map(absolute).sum::<f64>() / count,
        worst: rows.iter().map(absolute).fold(0.0, f64::max),
    })
}

/// Returns the median, or 0 if there are no values.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[n / 2],
        n => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, steps: f64, cuts: f64, ns: f64) -> ProgramRow {
        let counts = [(Event::Step, steps), (Event::Cut, cuts)].into();
        ProgramRow {
            name: name.to_owned(),
            counts,
            ns,
        }
    }

    #[test]
    fn constants_come_back_and_an_outlier_does_not_matter() {
        let mut rows: Vec<ProgramRow> = (1..20)
            .map(|i| {
                let (steps, cuts) = (f64::from(i * 10), f64::from(i % 4));
                row(&i.to_string(), steps, cuts, 3.0 * steps + 7.0 * cuts)
            })
            .collect();
        rows.push(row("outlier", 100.0, 0.0, 2000.0));
        let fit = fit(&rows).unwrap();
        assert!((fit.constants[&Event::Step] - 3.0).abs() < 0.1, "{fit:?}");
        assert!((fit.constants[&Event::Cut] - 7.0).abs() < 2.0, "{fit:?}");
    }

    #[test]
    fn a_function_that_takes_long_keeps_its_time() {
        let event = |name: &str| Event::Machine(name.into(), false);
        let row = |name: &str, function: Option<&str>, ns| ProgramRow {
            name: name.to_owned(),
            counts: std::iter::once((event("get_list"), 100.0))
                .chain(function.map(|f| (event(f), 100.0)))
                .collect(),
            ns,
        };
        let fit = fit(&[
            row("a", None, 200.0),
            row("b", None, 200.0),
            row("c", Some("arith_power"), 20_200.0),
            row("d", Some("arith(ceiling/1)"), 1_200.0),
        ]);
        let constants = fit.unwrap().constants;
        let near = |name: &str, ns: f64| (constants[&event(name)] / ns - 1.0).abs() < 0.02;
        assert!(near("arith_power", 200.0), "{constants:?}");
        assert!(near("arith(ceiling/1)", 10.0), "{constants:?}");
        assert!(near("get_list", 2.0), "{constants:?}");
    }

    #[test]
    fn errors_are_relative() {
        let rows = [Fitted {
            name: String::new(),
            observed: 100.0,
            predicted: 110.0,
        }];
        let e = errors(&rows).unwrap();
        assert!((e.mean_absolute - 0.1).abs() < 1e-12 && (e.worst - 0.1).abs() < 1e-12);
        assert!((e.root_mean_square - 10.0 * (1.0 / 110.0 + 0.01) / 2.0).abs() < 1e-12);
        assert_eq!(errors(&[]), None);
    }

    #[test]
    fn nothing_and_no_time_are_refused() {
        assert_eq!(fit(&[]), Err(NoFit::Nothing));
        let error = fit(&[row("a", 1.0, 0.0, 0.0)]).unwrap_err();
        assert_eq!(error, NoFit::NoTime("a".to_owned()));
    }
}
