//! The sections of a validation, one for each resource.

use std::collections::BTreeMap;

use costlens_algebra::text::{decimal, upper_f64};
use costlens_analysis::report::Side;
use costlens_ide::present::times::{duration_text, time_words};
use costlens_ide::present::values::BoundValue;
use costlens_ide::present::{headline, names_in};
use num_bigint::BigInt;

use super::compare::{self, Compared, ObservedViolation};
use super::engine::{EngineClock, OfTime, Outside};
use super::found::{Ran, Validated, drawing, is_main};
use super::observe::RunPart;
use super::resource::OfResource;
use crate::report::{Column, Note, Row, Section, Table, columns, counted};

/// Compares the counts of a resource with its bound.
pub(super) fn of_resource<'v>(
    validated: &'v Validated,
    ran: &'v Ran,
    of: &'v OfResource,
) -> Section<'v> {
    let (names, name) = (names_in(&of.report), &of.compared.name);
    let contradicted = of.compared.violations.iter().map(|violation| Note {
        mark: Some(In::Counts.mark()),
        sentence: sentence(validated, &of.compared, violation),
    });
    Section {
        title: name.clone(),
        bound: headline::display(&of.report, &names).replace("cost ?", "no upper bound is known"),
        facts: of_rows(ran, of, In::Counts),
        notes: contradicted.collect(),
        picture: Box::new(move || drawing(ran, of, &validated.arguments, None)),
        table: table(ran, of, In::Counts, format!("Counts of {name} by size")),
    }
}

/// Compares times on an engine with the predicted times.
pub(super) fn of_time<'v>(
    validated: &'v Validated,
    ran: &'v Ran,
    time: &'v OfTime,
    clock: &'v EngineClock,
) -> Section<'v> {
    let name = &clock.name;
    let error = match clock.factor {
        Some(factor) => format!("nine in ten predictions within a factor of {factor:.2}"),
        None => "how far predictions are off is not known".to_owned(),
    };
    let words = time_words(&time.of.report).replace("time ?", "no upper bound is known");
    let outside = time.told.iter().map(|one| Note {
        mark: Some(In::Time.mark()),
        sentence: outlier_text(one, clock),
    });
    let advice = (time.outside > 0).then(|| Note {
        mark: None,
        sentence: format!("{}.", clock.advice()),
    });
    Section {
        title: format!("time on {name}"),
        bound: format!("{words} ({}; {error})", clock.note()),
        facts: time_facts(ran, time),
        notes: outside.chain(advice).collect(),
        picture: Box::new(move || drawing(ran, &time.of, &validated.arguments, Some(clock))),
        table: table(ran, &time.of, In::Time, format!("Times on {name} by size")),
    }
}

/// The unit of the values in rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum In {
    Counts,
    /// Nanoseconds.
    Time,
}

impl In {
    /// Returns the word for a value outside its bounds.
    fn mark(self) -> &'static str {
        match self {
            In::Counts => "contradicted",
            In::Time => "outside",
        }
    }

    /// Returns "counted" or "measured".
    fn participle(self) -> &'static str {
        match self {
            In::Counts => "counted",
            In::Time => "measured",
        }
    }
}

fn table(ran: &Ran, of: &OfResource, kind: In, caption: String) -> Table {
    let rows = of.compared.rows.iter().map(|row| Row {
        cells: cells(row, kind),
        mark: row.violates.then(|| kind.mark()),
        is_main: is_main(ran, row),
    });
    Table {
        caption,
        columns: head(ran, kind),
        rows: rows.collect(),
    }
}

/// Returns the columns, which are numbers.
fn head(ran: &Ran, kind: In) -> Vec<Column> {
    let names = ran.axes.iter().map(|size| size.name.clone());
    let number = match kind {
        In::Counts => "runs",
        In::Time => "inputs",
    };
    let others = [number, "lower", "least", "most", "upper", "most/upper"];
    columns(&[], names.chain(others.map(str::to_owned)))
}

/// Formats a row of the table.
fn cells(row: &compare::SizesRow, kind: In) -> Vec<String> {
    let value = |value: &BoundValue| match (value, kind) {
        (BoundValue::Infinite, _) => "inf".to_owned(),
        (BoundValue::Unknown, _) => "?".to_owned(),
        (BoundValue::Exact(exact), In::Counts) => rounded(exact),
        (exact, In::Time) => exact
            .at_least()
            .map_or_else(|| "?".to_owned(), duration_text),
    };
    let amount = |amount: u64| match kind {
        In::Counts => amount.to_string(),
        In::Time => duration_text(amount as f64),
    };
    let ratio = row.of_upper().map(|ratio| format!("{ratio:.3}"));
    let mut cells: Vec<String> = row.sizes.iter().map(ToString::to_string).collect();
    cells.extend([
        row.runs.to_string(),
        value(&row.at.first.lower),
        row.least.map_or_else(|| "-".to_owned(), amount),
        match row.cut {
            0 => amount(row.most),
            _ => format!("≥ {}", amount(row.most)),
        },
        value(&row.at.all.upper),
        ratio.unwrap_or_else(|| "-".to_owned()),
    ]);
    cells
}

/// Returns facts about the rows: the fitted function, and ratios.
fn of_rows(ran: &Ran, of: &OfResource, kind: In) -> Vec<(String, String)> {
    let (mut facts, seen) = (Vec::new(), kind.participle());
    let unit = if kind == In::Time { " ns" } else { "" };
    if let Some(fitted) = &of.fitted {
        let shapes = match fitted.of_bound {
            true => "the shapes of the bound",
            false => "usual shapes",
        };
        facts.push((
            format!("fitted to the most that was {seen}"),
            format!(
                "{}{unit} (obs: proves nothing; {shapes}, off by {} at sizes left out)",
                fitted.shown,
                percent(fitted.error)
            ),
        ));
    }
    let at = |sizes: &[BigInt]| match ran.axes.is_empty() {
        true => String::new(),
        false => format!(" at {}", sizes_text(ran, sizes)),
    };
    if let Some((ratio, sizes)) = &of.compared.of_upper {
        facts.push((
            format!("most {seen} / upper bound"),
            format!("up to {ratio:.3}{}", at(sizes)),
        ));
    }
    if let Some((ratio, sizes)) = &of.compared.of_least {
        facts.push((
            format!("lower bound / least {seen}"),
            format!("up to {ratio:.3}{}", at(sizes)),
        ));
    }
    facts
}

/// Returns facts about times: the fitted function, ratios, measured and omitted inputs.
fn time_facts(ran: &Ran, time: &OfTime) -> Vec<(String, String)> {
    let mut facts = of_rows(ran, &time.of, In::Time);
    let noise = time
        .noise
        .map_or_else(String::new, |noise| format!(", noise {}", percent(noise)));
    let (thrown, long) = time.left_out;
    let left_out = [(thrown, "threw or were cut off"), (long, "are long")];
    let left_out: String = { left_out.into_iter() }
        .filter(|(number, _)| *number > 0)
        .map(|(number, why)| format!("; {number} runs that {why} were not timed"))
        .collect();
    facts.push((
        "measured".to_owned(),
        format!(
            "all solutions of {}, the medians of {}{noise}; the call itself is at most {} of each{left_out}",
            counted(time.timed as u64, "input", "inputs"),
            counted(time.processes as u64, "process", "processes"),
            duration_text(time.call),
        ),
    ));
    if let Some((goal, why)) = time.untimed.first() {
        let more = match time.untimed.len() - 1 {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        facts.push((
            "not measured".to_owned(),
            format!("`{}`: {why}{more}", shortened(goal)),
        ));
    }
    facts
}

/// Describes a violated bound, whether Costlens or an assertion is at fault, and how to reproduce the violation.
fn sentence(validated: &Validated, of: &Compared, violation: &ObservedViolation) -> String {
    let counted = match of.name.as_str() {
        "steps" => format!("takes {}", counted(violation.counted, "step", "steps")),
        name => format!("counts {} of `{name}`", violation.counted),
    };
    let until = match violation.part {
        RunPart::First => "to the first solution",
        RunPart::All => "over all solutions",
    };
    let bound = match (&violation.bound, violation.side) {
        (None, _) => "is said to run for ever".to_owned(),
        (Some(bound), Side::Upper) => format!("should take {} at most", rounded(bound)),
        (Some(bound), Side::Lower) => format!("should take {} at least", rounded(bound)),
    };
    let sizes = in_parentheses(&violation.sizes);
    let whose = match of.asserted.as_slice() {
        [] => format!(
            "This is a mistake of Costlens: please report it with the program and this goal, or with `--seed {}`",
            validated.seed
        ),
        lines => format!(
            "The bound rests on what {} asserts, which is trusted and not proved: the assertion does not hold",
            lines.join(" and ")
        ),
    };
    format!(
        "`{}` {counted} {until}, and {bound}{sizes}. {whose}.",
        violation.goal
    )
}

/// Returns a sentence about a time outside the prediction.
fn outlier_text(one: &Outside, clock: &EngineClock) -> String {
    let factor = clock.factor.unwrap_or(1.0);
    let range = |by: f64| match one.predicted {
        (Some(low), Some(high)) => {
            let (low, high) = (duration_text(low / by), duration_text(high * by));
            match low == high {
                true => low,
                false => format!("{low} to {high}"),
            }
        }
        (Some(low), None) => format!("at least {}", duration_text(low / by)),
        (None, Some(high)) => format!("at most {}", duration_text(high * by)),
        (None, None) => "nothing".to_owned(),
    };
    format!(
        "`{}` takes {}; predicted: {}, and with the constants' error {}{}",
        shortened(&one.goal),
        duration_text(one.ns),
        range(1.0),
        range(factor),
        in_parentheses(&one.sizes)
    )
}

/// Formats sizes by name: ` (n = 3, m = 4)`; an empty text if there are none.
fn in_parentheses(sizes: &BTreeMap<String, BigInt>) -> String {
    let all: Vec<String> = (sizes.iter())
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    match all.is_empty() {
        true => String::new(),
        false => format!(" ({})", all.join(", ")),
    }
}

/// Shortens a goal to fit on a line.
fn shortened(goal: &str) -> String {
    const LONGEST: usize = 72;
    match goal.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &goal[..at]),
        None => goal.to_owned(),
    }
}

fn sizes_text(ran: &Ran, sizes: &[BigInt]) -> String {
    let all = ran.axes.iter().zip(sizes);
    let all: Vec<String> = all
        .map(|(s, value)| format!("{} = {value}", s.name))
        .collect();
    all.join(", ")
}

/// Formats a number, rounded: long numbers are not useful in a table.
fn rounded(value: &costlens_algebra::Rat) -> String {
    const LONGEST: usize = 14;
    let text = decimal(value);
    match text.len() <= LONGEST {
        true => text,
        false => match upper_f64(value) {
            near if near.is_finite() => format!("{near:.6e}"),
            _ => "> 1e308".to_owned(),
        },
    }
}

/// Formats a percentage: `0.3%`; `0%` only for an error of zero.
fn percent(share: f64) -> String {
    match share * 100.0 {
        0.0 => "0%".to_owned(),
        share if share < 0.1 => "less than 0.1%".to_owned(),
        share if share < 10.0 => format!("{share:.1}%"),
        share => format!("{share:.0}%"),
    }
}
