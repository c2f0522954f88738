//! A validation for a person.

use costlens_analysis::report::Side;
use costlens_ide::present::markup::aligned;
use costlens_ide::present::times::{duration_text, time_words};
use costlens_ide::present::values::Value;
use costlens_ide::present::{headline, names, size_meaning};
use num_bigint::BigInt;

use super::compare::{Compared, Row, Violation};
use super::engine::{EngineClock, OfTime, Outside};
use super::found::{OfPattern, Ran, Validated, main_rows};
use super::observe::{Part, Stopped};
use super::resource::OfResource;

/// The number of rows in a table; those in between are omitted.
const MOST_ROWS: usize = 14;

/// Formats the whole validation.
pub(super) fn text(validated: &Validated) -> String {
    let mut out = String::new();
    for pattern in &validated.patterns {
        out.push_str(&of_pattern(validated, pattern));
    }
    out.push_str(&format!("{}\n", last_line(validated)));
    out
}

/// Returns `all bounds held in 312 runs`, or how many did not.
pub(super) fn last_line(validated: &Validated) -> String {
    let violated: usize = validated.resources().map(|r| r.compared.violated).sum();
    let (runs, seed) = (validated.runs(), validated.seed);
    let runs = format!("{} (seed {seed})", counted(runs as u64, "run", "runs"));
    let counts = match (&validated.not_counted, violated) {
        (Some(why), _) => format!("counts of {runs} were not compared with bounds: {why}"),
        (None, 0) => format!("no bound was contradicted in {runs}"),
        (None, 1) => format!("a bound was contradicted in {runs}"),
        (None, many) => format!("bounds were contradicted at {many} sizes in {runs}"),
    };
    let Some(clock) = &validated.clock else {
        return counts;
    };
    let timed: usize = validated.times().map(|time| time.timed).sum();
    let outside: usize = validated.times().map(|time| time.outside).sum();
    let of = counted(timed as u64, "input", "inputs");
    let times = match outside {
        0 => format!("the times of {of} are within what is predicted"),
        _ => format!("the times of {outside} of {of} are outside of what is predicted"),
    };
    format!("{counts}; on {}, {times}", clock.name)
}

fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn of_pattern(validated: &Validated, pattern: &OfPattern) -> String {
    let mut out = format!("{}\n", pattern.head);
    let ran = match &pattern.ran {
        Ok(ran) => ran,
        Err(why) => return format!("{out}  not run: {why}\n\n"),
    };
    let meanings: Vec<String> = (ran.axes.iter())
        .map(|size| size_meaning(size, &validated.arguments))
        .collect();
    if !meanings.is_empty() {
        out.push_str(&format!("  {}\n", meanings.join(", ")));
    }
    for of in &ran.resources {
        out.push_str(&of_resource(validated, ran, of));
    }
    match (&ran.time, &validated.clock) {
        (Some(Ok(time)), Some(clock)) => out.push_str(&of_time(ran, time, clock)),
        (Some(Err(why)), Some(clock)) => {
            out.push_str(&format!("  no times on {}: {why}\n", clock.name));
        }
        _ => {}
    }
    for stopped in &ran.observed.stopped {
        out.push_str(&format!("  {}\n", why_stopped(*stopped)));
    }
    out.push('\n');
    out
}

fn of_resource(validated: &Validated, ran: &Ran, of: &OfResource) -> String {
    let mut out = String::new();
    for (what, text) in facts(ran, of) {
        out.push_str(&format!("  {what}: {text}\n"));
    }
    out.push_str(&aligned(&table(ran, of, In::Counts), "  "));
    for violation in &of.compared.violations {
        out.push_str(&format!(
            "  CONTRADICTED: {}\n",
            sentence(validated, &of.compared, violation)
        ));
    }
    out
}

fn of_time(ran: &Ran, time: &OfTime, clock: &EngineClock) -> String {
    let mut out = String::new();
    for (what, text) in time_facts(ran, time, clock) {
        out.push_str(&format!("  {what}: {text}\n"));
    }
    out.push_str(&aligned(&table(ran, &time.of, In::Time), "  "));
    for one in &time.told {
        out.push_str(&format!("  OUTSIDE: {}\n", outside(one, clock)));
    }
    if time.outside > 0 {
        out.push_str(&format!("  {}.\n", clock.advice()));
    }
    out
}

/// Returns the text about times above their table: the source of predictions, the fitted function, ratios, measured and omitted inputs.
pub(super) fn time_facts(ran: &Ran, time: &OfTime, clock: &EngineClock) -> Vec<(String, String)> {
    let error = match clock.factor {
        Some(factor) => format!("nine in ten predictions within a factor of {factor:.2}"),
        None => "how far predictions are off is not known".to_owned(),
    };
    let mut facts = vec![(
        format!("time on {}", clock.name),
        format!(
            "{} ({}; {error})",
            time_words(&time.of.report).replace("time ?", "no upper bound is known"),
            clock.note()
        ),
    )];
    facts.extend(of_rows(ran, &time.of, In::Time));
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

/// Describes a time outside of the prediction in a sentence.
pub(super) fn outside(one: &Outside, clock: &EngineClock) -> String {
    let sizes: Vec<String> = (one.sizes.iter())
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let sizes = match sizes.is_empty() {
        true => String::new(),
        false => format!(" ({})", sizes.join(", ")),
    };
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
        "`{}` takes {}; predicted: {}, and with the constants' error {}{sizes}",
        shortened(&one.goal),
        duration_text(one.ns),
        range(1.0),
        range(factor)
    )
}

/// Shortens a goal to fit on a line.
fn shortened(goal: &str) -> String {
    const LONGEST: usize = 72;
    match goal.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &goal[..at]),
        None => goal.to_owned(),
    }
}

/// The unit of the values in rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum In {
    Counts,
    /// Nanoseconds.
    Time,
}

impl In {
    /// Returns "counted" or "measured".
    fn participle(self) -> &'static str {
        match self {
            In::Counts => "counted",
            In::Time => "measured",
        }
    }
}

/// Returns the text about a resource above its table: bound, fitted function, ratios.
pub(super) fn facts(ran: &Ran, of: &OfResource) -> Vec<(String, String)> {
    let names = names(&of.report.sizes);
    let (display, name) = (headline::display(&of.report, &names), &of.compared.name);
    let mut facts = vec![(
        name.clone(),
        display.replace("cost ?", "no upper bound is known"),
    )];
    facts.extend(of_rows(ran, of, In::Counts));
    facts
}

/// Returns the text about rows: fitted function, ratios.
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

/// Returns `0.3%`; `0%` means no error at all.
fn percent(share: f64) -> String {
    match share * 100.0 {
        0.0 => "0%".to_owned(),
        share if share < 0.1 => "less than 0.1%".to_owned(),
        share if share < 10.0 => format!("{share:.1}%"),
        share => format!("{share:.0}%"),
    }
}

fn sizes_text(ran: &Ran, sizes: &[BigInt]) -> String {
    let all = ran.axes.iter().zip(sizes);
    let all: Vec<String> = all
        .map(|(s, value)| format!("{} = {value}", s.name))
        .collect();
    all.join(", ")
}

/// Returns the rows over the first size, a selection if there are many.
fn table(ran: &Ran, of: &OfResource, kind: In) -> Vec<Vec<String>> {
    let main: Vec<&Row> = main_rows(ran, of).collect();
    let step = main.len().div_ceil(MOST_ROWS).max(1);
    let is_kept = |i: usize| i.is_multiple_of(step) || i + 1 == main.len();
    let shown = (main.iter().enumerate()).filter(|(i, _)| is_kept(*i));
    let mut rows = vec![head(ran, kind)];
    rows.extend(shown.map(|(_, row)| cells(row, kind)));
    rows
}

/// Returns the names of columns.
pub(super) fn head(ran: &Ran, kind: In) -> Vec<String> {
    let names = ran.axes.iter().map(|size| size.name.clone());
    let number = match kind {
        In::Counts => "runs",
        In::Time => "inputs",
    };
    let others = [number, "lower", "least", "most", "upper", "most/upper"];
    names.chain(others.map(str::to_owned)).collect()
}

/// Formats a row of the table.
pub(super) fn cells(row: &Row, kind: In) -> Vec<String> {
    let value = |value: &Value| match (value, kind) {
        (Value::Infinite, _) => "inf".to_owned(),
        (Value::Unknown, _) => "?".to_owned(),
        (Value::Exact(exact), In::Counts) => rounded(exact),
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
    if row.violates {
        let word = match kind {
            In::Counts => "CONTRADICTED",
            In::Time => "OUTSIDE",
        };
        cells.push(word.to_owned());
    }
    cells
}

/// Formats a number briefly; long ones do not help in a table.
fn rounded(value: &costlens_algebra::Rat) -> String {
    const LONGEST: usize = 14;
    let text = costlens_algebra::text::decimal(value);
    match text.len() <= LONGEST {
        true => text,
        false => match costlens_algebra::text::upper_f64(value) {
            near if near.is_finite() => format!("{near:.6e}"),
            _ => "> 1e308".to_owned(),
        },
    }
}

/// Describes a bound that did not hold, whether Costlens or an assertion is wrong, and how to reproduce it.
pub(super) fn sentence(validated: &Validated, of: &Compared, violation: &Violation) -> String {
    let counted = match of.name.as_str() {
        "steps" => format!("takes {}", counted(violation.counted, "step", "steps")),
        name => format!("counts {} of `{name}`", violation.counted),
    };
    let until = match violation.part {
        Part::First => "to the first solution",
        Part::All => "over all solutions",
    };
    let bound = match (&violation.bound, violation.side) {
        (None, _) => "is said to run for ever".to_owned(),
        (Some(bound), Side::Upper) => format!("should take {} at most", rounded(bound)),
        (Some(bound), Side::Lower) => format!("should take {} at least", rounded(bound)),
    };
    let sizes: Vec<String> = (violation.sizes.iter())
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let sizes = match sizes.is_empty() {
        true => String::new(),
        false => format!(" ({})", sizes.join(", ")),
    };
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

/// Returns the reason that larger sizes were not tried, in a sentence without its full stop.
pub(super) fn why_stopped(stopped: Stopped) -> String {
    match stopped {
        Stopped::Enough => "larger sizes were not tried: enough was counted".to_owned(),
        Stopped::Limit(limit) => format!("larger sizes were not tried: {limit} reached"),
        Stopped::Time => "not all sizes were tried: the limit on time was reached".to_owned(),
    }
}
