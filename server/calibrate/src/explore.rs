//! The models of PADL'07: for each of the 63 subsets of its six events (§3), the constants by least squares and their errors (Table 2).
//!
//! Only programs without built-ins are used, because these models do not include built-ins.

use std::collections::BTreeMap;

use costlens_events::Event;
use nalgebra::{DMatrix, DVector};

use crate::fit::{Errors, Fitted, ProgramRow, errors, predicted};
use crate::least_squares::least_squares;

/// The events of PADL'07 §2.1.
const EVENTS: [Event; 6] = [
    Event::Step,
    Event::Nargs,
    Event::Giunif,
    Event::Gounif,
    Event::Viunif,
    Event::Vounif,
];

/// A subset of the events as a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Explored {
    /// The nanoseconds of each event. They may be negative, as in the paper, since the fit is unconstrained.
    pub constants: BTreeMap<Event, f64>,
    /// The standard error *S* of the fit, relative to the times: each row is divided by its time.
    pub standard_error: f64,
    /// The errors on control programs without built-ins; `None` if there are none.
    pub controls: Option<Errors>,
}

/// Fits all subsets, and sorts them by their errors. Subsets whose events the rows cannot distinguish are left out.
#[must_use]
pub fn explore(rows: &[ProgramRow], controls: &[ProgramRow]) -> Vec<Explored> {
    let rows: Vec<&ProgramRow> = rows.iter().filter(|row| is_plain(row)).collect();
    let controls: Vec<&ProgramRow> = controls.iter().filter(|row| is_plain(row)).collect();
    let subsets = 1..1_usize << EVENTS.len();
    let mut found: Vec<Explored> = subsets
        .filter_map(|subset| {
            let of = (0..EVENTS.len()).filter(|i| subset & (1 << i) != 0);
            let events: Vec<&Event> = of.map(|i| &EVENTS[i]).collect();
            model(&events, &rows, &controls)
        })
        .collect();
    found.sort_by(|a, b| a.standard_error.total_cmp(&b.standard_error));
    found
}

/// Returns whether a program has only events that are named by words: no built-ins and no arithmetic functions.
fn is_plain(row: &ProgramRow) -> bool {
    row.counts.keys().all(|event| event.is_optional())
}

fn model(events: &[&Event], rows: &[&ProgramRow], controls: &[&ProgramRow]) -> Option<Explored> {
    let counted = |row: &ProgramRow, event: &Event| row.counts.get(event).copied().unwrap_or(0.0);
    let matrix = DMatrix::from_fn(rows.len(), events.len(), |i, j| {
        counted(rows[i], events[j]) / rows[i].ns
    });
    let freedom = rows.len().checked_sub(events.len()).filter(|f| *f > 0)?;
    let ones = DVector::from_element(rows.len(), 1.0);
    let constants = least_squares(&matrix, &ones).ok()?;
    let residuals = &matrix * &constants - ones;
    let constants: BTreeMap<Event, f64> = (events.iter().map(|&e| e.clone()))
        .zip(constants.iter().copied())
        .collect();
    let of_controls: Vec<Fitted> = (controls.iter())
        .map(|row| Fitted {
            name: row.name.clone(),
            observed: row.ns,
            predicted: predicted(&constants, &row.counts),
        })
        .collect();
    Some(Explored {
        standard_error: (residuals.norm_squared() / freedom as f64).sqrt(),
        controls: errors(&of_controls),
        constants,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_events_that_take_the_time_are_found() {
        let rows: Vec<ProgramRow> = (1..12)
            .map(|i| {
                let i = f64::from(i);
                let counts = [
                    (Event::Step, i),
                    (Event::Nargs, (i * 7.0) % 5.0),
                    (Event::Giunif, (i * 3.0) % 7.0),
                ];
                ProgramRow {
                    name: i.to_string(),
                    ns: 20.0 * i + 9.0 * ((i * 7.0) % 5.0),
                    counts: counts.into(),
                }
            })
            .collect();
        let with_builtin = ProgramRow {
            name: "is".to_owned(),
            counts: [(Event::Builtin("is".into(), 2), 1.0)].into(),
            ns: 1e9,
        };
        let all = explore(&[rows.clone(), vec![with_builtin]].concat(), &rows[..3]);
        // Three events occur, and no subset includes other events.
        assert_eq!(all.len(), 7);
        let best = all.iter().find(|m| m.constants.len() == 2).unwrap();
        assert!((best.constants[&Event::Step] - 20.0).abs() < 1e-6);
        assert!((best.constants[&Event::Nargs] - 9.0).abs() < 1e-6);
        assert!(best.standard_error < 1e-6 && best.controls.unwrap().worst < 1e-6);
        let steps_alone = all.iter().find(|m| m.constants.len() == 1).unwrap();
        assert!(steps_alone.standard_error > 0.05);
    }
}
