//! Bounds compared with the counts of a run: *Est.* and *Prf.* of PPDP'08 Tables 8 to 10, and times on a platform.

use std::collections::BTreeMap;

use anyhow::anyhow;
use costlens_algebra::Rat;
use costlens_events::Event;
use costlens_ide::host::{File, Host};
use costlens_ide::present::markup::aligned;
use costlens_ide::present::times::duration_text;
use costlens_ide::present::values::{BoundValue as Number, GivenSize, StepsAt, ValueRange};
use costlens_ide::reports::estimates::{Estimates, NoEstimates, ParameterValues};
use costlens_ide::resources::prices;
use costlens_machine::{Cell, Machine};
use costlens_platform::Platform;
use costlens_syntax::term::Terms;
use num_bigint::BigInt;

use crate::cli::code::IndexOn;
use crate::cli::interrupted;
use crate::cli::json::{integer, predicate, run};
use crate::cli::resources::machine_events;

/// Properties of a run's end that matter for bounds.
#[derive(Clone, Copy)]
pub(super) struct RunEnd {
    /// True if all solutions were requested.
    pub(super) all: bool,
    /// True if the run ended in success or failure with all steps counted, so that lower bounds hold.
    pub(super) completely: bool,
}

/// The bounds for the goal, or the reason why there are none.
pub(super) enum Estimated {
    At(Box<Estimates>),
    Not(NoEstimates),
}

/// One event: its bounds and its count.
pub(super) struct EventRow<'e> {
    event: &'e Event,
    at: &'e StepsAt,
    counted: u64,
}

/// Returns the program's bounds for a goal that has been read but not run.
pub(super) fn estimate(
    host: &Host,
    file: File,
    machine: &Machine,
    goal: Cell,
    index: IndexOn,
    platform: Option<&Platform>,
) -> anyhow::Result<Estimated> {
    let mut terms = Terms::default();
    let Some(root) = (machine.store).write_out(goal, &mut terms, &mut Vec::new()) else {
        return Ok(Estimated::Not(NoEstimates::NoCall));
    };
    // Bounds on instructions assume that clauses are selected by the first argument.
    let events = match index {
        IndexOn::First => machine_events(),
        _ => vec![Event::Step, Event::HeadUnification],
    };
    let prices = platform.map(prices);
    let found = (host.snapshot()).estimates(
        file,
        &terms,
        root,
        &events,
        prices.as_ref(),
        ParameterValues::Unknown,
    );
    Ok(match found.map_err(interrupted)? {
        Ok(estimates) => Estimated::At(Box::new(estimates)),
        Err(reason) => Estimated::Not(reason),
    })
}

/// Returns the events that were counted or have a bound, by name.
pub(super) fn rows<'e>(
    estimates: &'e Estimates,
    events: &[(String, u64)],
    ended: RunEnd,
) -> Vec<EventRow<'e>> {
    let counted: BTreeMap<&str, u64> = events.iter().map(|(n, k)| (n.as_str(), *k)).collect();
    let zero = Number::Exact(Rat::default());
    let rows = estimates.events.iter().map(|(event, at)| EventRow {
        event,
        at,
        counted: counted
            .get(event.to_string().as_str())
            .copied()
            .unwrap_or(0),
    });
    let mut rows: Vec<EventRow<'_>> = rows
        .filter(|row| {
            let ValueRange { lower, upper } = row.values(ended);
            let silent = *upper == zero || *upper == Number::Unknown;
            row.counted > 0 || !silent || !matches!(lower, Number::Unknown) && *lower != zero
        })
        .collect();
    rows.sort_by_key(|row| row.event.to_string());
    rows
}

impl EventRow<'_> {
    fn values(&self, ended: RunEnd) -> &ValueRange {
        match ended.all {
            true => &self.at.all,
            false => &self.at.first,
        }
    }

    /// Returns whether the bounds hold. An incomplete count may be below the lower bound.
    fn holds(&self, ended: RunEnd) -> bool {
        let counted = Rat::from_integer(BigInt::from(self.counted));
        let ValueRange { lower, upper } = self.values(ended);
        let above = match lower {
            Number::Exact(lower) => *lower <= counted,
            // The call was proved to run forever, but the run has ended.
            Number::Infinite => false,
            Number::Unknown => true,
        };
        let below = match upper {
            Number::Exact(upper) => counted <= *upper,
            Number::Infinite | Number::Unknown => true,
        };
        below && (above || !ended.completely)
    }

    /// Returns the ratio of the upper bound to the count.
    fn ratio(&self, ended: RunEnd) -> Option<f64> {
        let upper = self.values(ended).upper.at_least()?;
        #[expect(clippy::cast_precision_loss, reason = "a ratio for display")]
        let counted = self.counted as f64;
        (self.counted > 0).then(|| upper / counted)
    }
}

/// Formats the violated bounds, one per line: either Costlens or an assertion on which the bound depends is wrong.
pub(super) fn violations(rows: &[EventRow<'_>], ended: RunEnd, asserted: &[String]) -> Vec<String> {
    let advice = match asserted.is_empty() {
        true => "please report this".to_owned(),
        false => format!(
            "mend the assertions that they rest on ({})",
            asserted.join(", ")
        ),
    };
    let wrong = rows.iter().filter(|row| !row.holds(ended));
    let line = |row: &EventRow<'_>| {
        let ValueRange { lower, upper } = row.values(ended);
        format!(
            "`{}` was counted {} times, outside its bounds, {} to {}: {advice}",
            row.event,
            row.counted,
            number(lower),
            number(upper)
        )
    };
    wrong.map(line).collect()
}

fn number(value: &Number) -> String {
    match value {
        Number::Infinite => "inf".to_owned(),
        other => other.exact().unwrap_or_else(|| "?".to_owned()),
    }
}

/// Formats sizes: `1=30, 1.e=5`.
fn sizes_text(sizes: &[GivenSize]) -> String {
    let sizes: Vec<String> = (sizes.iter())
        .map(|size| format!("{}={}", size_key(size), size.value))
        .collect();
    sizes.join(", ")
}

fn size_key(size: &GivenSize) -> String {
    let element = if size.element { ".e" } else { "" };
    let metric = size.metric.as_ref().map(|m| format!(":{m}"));
    format!("{}{element}{}", size.argument, metric.unwrap_or_default())
}

/// Formats a table: event, lower and upper bound, count, upper bound by count.
pub(super) fn as_text(
    estimates: &Estimates,
    rows: &[EventRow<'_>],
    events: &[(String, u64)],
    ended: RunEnd,
) -> String {
    let which = if ended.all { "all" } else { "first" };
    let at = match estimates.sizes.is_empty() {
        true => String::new(),
        false => format!(" at {}", sizes_text(&estimates.sizes)),
    };
    let mut out = format!("bounds of {}{at}\n", estimates.pattern);
    let head = [
        "event".to_owned(),
        format!("{which}.lower"),
        format!("{which}.upper"),
        "counted".to_owned(),
        "upper/counted".to_owned(),
    ];
    let mut table = vec![head.to_vec()];
    for row in rows {
        let ValueRange { lower, upper } = row.values(ended);
        let ratio = row.ratio(ended).map(|r| format!("{r:.2}"));
        let mut cells = vec![
            row.event.to_string(),
            number(lower),
            number(upper),
            row.counted.to_string(),
            ratio.unwrap_or_else(|| "-".to_owned()),
        ];
        if !row.holds(ended) {
            cells.push("VIOLATED".to_owned());
        }
        table.push(cells);
    }
    let unbounded = events
        .iter()
        .filter(|(name, _)| !rows.iter().any(|row| row.event.to_string() == **name));
    for (name, count) in unbounded {
        table.push(vec![
            name.clone(),
            "-".to_owned(),
            "-".to_owned(),
            count.to_string(),
            "-".to_owned(),
        ]);
    }
    out.push_str(&aligned(&table, "  "));
    if let Some(time) = &estimates.time {
        let ns = |value: Option<f64>| value.map_or_else(|| "?".to_owned(), duration_text);
        let (estimate, cautious) = (ended.values(&time.estimate), ended.values(&time.cautious));
        out.push_str(&format!(
            "estimated time: {} to {} (by the constants' confidence {} to {}){}\n",
            ns(estimate.lower.at_most()),
            ns(estimate.upper.at_least()),
            ns(cautious.lower.at_most()),
            ns(cautious.upper.at_least()),
            time.condition
                .map(|c| format!(", {}", c.text()))
                .unwrap_or_default(),
        ));
    }
    out
}

impl RunEnd {
    fn values(self, at: &StepsAt) -> &ValueRange {
        match self.all {
            true => &at.all,
            false => &at.first,
        }
    }
}

/// Returns the `estimates` object of `run --bounds`.
pub(super) fn as_json(
    estimated: &Estimated,
    events: &[(String, u64)],
    ended: RunEnd,
) -> run::Estimates {
    let estimates = match estimated {
        Estimated::Not(reason) => {
            return run::Estimates::Unknown {
                unknown: reason.to_string(),
            };
        }
        Estimated::At(estimates) => estimates,
    };
    let sizes = estimates.sizes.iter();
    let rows = rows(estimates, events, ended);
    let of_events = rows.iter().map(|row| {
        let estimate = run::EventEstimate {
            at: predicate::values_at(row.at),
            counted: row.counted,
            ratio: row.ratio(ended),
            holds: row.holds(ended),
        };
        (row.event.to_string(), estimate)
    });
    let time = estimates.time.as_ref();
    run::Estimates::Known(Box::new(run::KnownEstimates {
        pattern: estimates.pattern.clone(),
        sizes: sizes
            .map(|size| (size_key(size), integer(&size.value)))
            .collect(),
        events: of_events.collect(),
        time: time.map(|time| predicate::values_at(&time.estimate).with_range(&time.cautious)),
        time_assumes: (time.iter().filter_map(|time| time.condition))
            .map(|condition| condition.name())
            .collect(),
    }))
}

/// The time computed from a run's counts with a platform's constants.
pub(super) struct Predicted {
    platform: String,
    /// The estimate, and the values with the lowest and the highest constants, in nanoseconds. `None` if the platform prices events that
    /// runs do not count.
    ns: Option<[f64; 3]>,
    /// The platform's events that runs do not count.
    not_counted: Vec<String>,
}

impl Predicted {
    pub(super) fn new(platform: &Platform, events: &[(String, u64)]) -> anyhow::Result<Self> {
        let counted: BTreeMap<&str, u64> = events.iter().map(|(n, k)| (n.as_str(), *k)).collect();
        let mut sums = [Rat::default(), Rat::default(), Rat::default()];
        let mut not_counted = Vec::new();
        for (event, constant) in &platform.constants {
            let is_counted = matches!(
                event,
                Event::Step | Event::HeadUnification | Event::Machine(..)
            );
            if !is_counted {
                not_counted.push(event.to_string());
                continue;
            }
            let count = counted
                .get(event.to_string().as_str())
                .copied()
                .unwrap_or(0);
            let count = Rat::from_integer(BigInt::from(count));
            for (sum, ns) in sums
                .iter_mut()
                .zip([&constant.ns, &constant.low, &constant.high])
            {
                *sum += ns * &count;
            }
        }
        let too_large = || anyhow!("the predicted time is no number");
        let ns = match not_counted.is_empty() {
            true => {
                let [mid, low, high] = sums.map(|sum| Number::Exact(sum).at_least());
                Some([
                    mid.ok_or_else(too_large)?,
                    low.ok_or_else(too_large)?,
                    high.ok_or_else(too_large)?,
                ])
            }
            false => None,
        };
        Ok(Self {
            platform: platform.name.clone(),
            ns,
            not_counted,
        })
    }

    /// Returns the `time` object of `run`.
    pub(super) fn as_json(&self) -> run::PredictedTime {
        let [mid, low, high] = self.ns.map_or([None; 3], |ns| ns.map(Some));
        run::PredictedTime {
            platform: self.platform.clone(),
            predicted_ns: mid,
            low_ns: low,
            high_ns: high,
            not_counted: self.not_counted.clone(),
        }
    }

    pub(super) fn as_text(&self) -> String {
        match self.ns {
            Some([mid, low, high]) => format!(
                "predicted time on {}: {} ({} to {})\n",
                self.platform,
                duration_text(mid),
                duration_text(low),
                duration_text(high)
            ),
            None => {
                let shown = self.not_counted.iter().take(3).cloned();
                let more = match self.not_counted.len().saturating_sub(3) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                format!(
                    "no time is predicted on {} from counts: a run does not count {}{more}\n",
                    self.platform,
                    shown.collect::<Vec<String>>().join(", ")
                )
            }
        }
    }
}
