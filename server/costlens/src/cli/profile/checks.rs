//! `costlens profile --check`: checks cost assertions that static analysis leaves undecided against runs of the goal.

use std::sync::{Arc, Mutex, PoisonError};

use costlens_analysis::verdict::Verdict as Static;
use costlens_ide::host::Cancelled;
use costlens_ide::reports::check::FileCheck;
use costlens_machine::{Looker as _, Plan};
use costlens_profile::Profile;
use costlens_profile::checks::{AssertionViolation, CallChecks, Check, Periodic, Seen};
use costlens_profile::search::Predicate;
use costlens_syntax::assertions::{Assertion, Assertions, Property, Status, assertions};

use crate::cli::interrupted;
use crate::lines::{Encoding, LineIndex};
use crate::profiling::engines::Profiler;

/// The verdict on a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Verdict {
    /// Proved by static analysis.
    Checked,
    /// Refuted by static analysis.
    False,
    /// Refuted by a run.
    FalseInRun,
    /// No observed run refutes it.
    Observed,
    /// Undecided: no observation could have refuted it.
    Unseen,
}

impl Verdict {
    /// Returns the word for the verdict, in texts and in JSON.
    pub(in crate::cli) fn name(self) -> &'static str {
        match self {
            Verdict::Checked => "checked",
            Verdict::False | Verdict::FalseInRun => "false",
            Verdict::Observed => "observed",
            Verdict::Unseen => "undecided",
        }
    }

    fn is_false(self) -> bool {
        matches!(self, Verdict::False | Verdict::FalseInRun)
    }
}

/// A property of the program's assertions.
pub(in crate::cli) struct PropertyRow {
    pub(in crate::cli) file: String,
    /// The line of the assertion, from 1.
    pub(in crate::cli) line: usize,
    pub(in crate::cli) predicate: Predicate,
    pub(in crate::cli) property: String,
    pub(in crate::cli) verdict: Verdict,
    /// The result of static analysis, or the reason why runs give no verdict.
    pub(in crate::cli) reason: Option<String>,
    pub(in crate::cli) seen: Option<Seen>,
    /// The observed values, as an assertion.
    pub(in crate::cli) observed: Option<String>,
    check: Option<Check>,
}

/// The cost properties of a program's file, with the verdicts of static analysis.
pub(super) struct Checks {
    pub(super) rows: Vec<PropertyRow>,
    /// The checks of shares that are made during the run instead of at its end.
    pub(super) looking: Option<Arc<Mutex<Periodic>>>,
}

impl Checks {
    /// Collects the properties, with the verdicts of static analysis.
    ///
    /// # Errors
    /// Fails if the analysis is interrupted.
    pub(super) fn new(profiler: &dyn Profiler) -> anyhow::Result<Self> {
        let (host, file) = profiler.host();
        let judged = host.snapshot().check(file, None, None);
        let judged = judged.map_err(|c: Cancelled| interrupted(c))?;
        // The requested file is the last part, after the files that it loads.
        let Some(part) = profiler.program().parts.last() else {
            return Ok(Checks {
                rows: Vec::new(),
                looking: None,
            });
        };
        let stated = assertions(&part.text, &part.terms);
        let lines = LineIndex::new(&part.text);
        let mut rows = Vec::new();
        for (number, assertion) in stated.list.iter().enumerate() {
            if assertion.status != Status::Check {
                continue;
            }
            for property in 0..assertion.properties.len() {
                let Some(mut row) = row(assertion, property, &judged, number) else {
                    continue;
                };
                row.file.clone_from(&part.name);
                row.line = line(&stated, &lines, &part.text, number, property);
                rows.push(row);
            }
        }
        Ok(Checks {
            rows,
            looking: None,
        })
    }

    /// Returns the predicates whose shares of the run are asserted.
    pub(super) fn of_run(&self) -> Vec<Predicate> {
        let relative = self.rows.iter().filter_map(|row| row.check.as_ref());
        let mut found: Vec<Predicate> = Vec::new();
        for check in relative.filter(|c| c.is_relative()) {
            if !found.contains(&check.predicate) {
                found.push(check.predicate.clone());
            }
        }
        found
    }

    /// Returns the checks of shares that are made during the run.
    pub(super) fn periodic(&self, decay: f64) -> Periodic {
        let checks = self.rows.iter().filter_map(|row| row.check.clone());
        Periodic::new(&checks.collect::<Vec<_>>(), decay)
    }

    /// Takes over the shares observed during the run. The end of the run is the last check.
    fn take_looked(&mut self, profile: &Profile) {
        let Some(periodic) = self.looking.take() else {
            return;
        };
        let mut periodic = periodic.lock().unwrap_or_else(PoisonError::into_inner);
        periodic.look(&profile.measured);
        let relative = self.rows.iter_mut().filter(|row| row.is_relative());
        let is_measured = |row: &PropertyRow| {
            let check = row.check.as_ref();
            check.is_some_and(|check| profile.measured.has(check.resource))
        };
        for (row, seen) in relative.zip(periodic.seen()) {
            if is_measured(row) {
                row.saw(seen.clone());
            }
        }
    }

    /// Judges shares from the profile of a run, and single calls in a further run.
    ///
    /// # Errors
    /// Fails if the goal could not be run.
    pub(super) fn judge(
        &mut self,
        profile: &Profile,
        profiler: &dyn Profiler,
    ) -> anyhow::Result<()> {
        self.take_looked(profile);
        let (mut checks, mut numbers) = (Vec::new(), Vec::new());
        for (number, row) in self.rows.iter_mut().enumerate() {
            if row.is_relative() && row.seen.is_some() {
                continue;
            }
            match &row.check {
                Some(check) if check.is_relative() && !profile.measured.has(check.resource) => {
                    row.reason = Some("the profile does not measure it".to_owned());
                }
                Some(check) if check.is_relative() => {
                    let seen = check.of_run(profile);
                    row.saw(seen);
                }
                Some(check) => {
                    checks.push(check.clone());
                    numbers.push(number);
                }
                None => {}
            }
        }
        if checks.is_empty() {
            return Ok(());
        }
        let mut plan = Plan {
            events: true,
            ..Plan::default()
        };
        let mut centres: Vec<Vec<usize>> = Vec::new();
        for (number, check) in checks.iter().enumerate() {
            match plan.predicates.iter().position(|p| *p == check.predicate) {
                Some(place) => centres[place].push(number),
                None => {
                    plan.predicates.push(check.predicate.clone());
                    centres.push(vec![number]);
                }
            }
        }
        let seen = profiler.observe(&plan, CallChecks::new(checks, centres))?;
        for (place, number) in numbers.into_iter().enumerate() {
            match seen.as_ref().and_then(|seen| seen.get(place)) {
                Some(seen) => self.rows[number].saw(seen.clone()),
                None => {
                    let reason = "single calls are checked on the embedded engine";
                    self.rows[number].reason = Some(reason.to_owned());
                }
            }
        }
        Ok(())
    }

    /// Returns true if a property is refuted.
    pub(super) fn any_false(&self) -> bool {
        self.rows.iter().any(|row| row.verdict.is_false())
    }
}

impl PropertyRow {
    fn is_relative(&self) -> bool {
        self.check.as_ref().is_some_and(Check::is_relative)
    }

    fn saw(&mut self, seen: Seen) {
        self.verdict = match (&seen.violation, seen.judged) {
            (Some(_), _) => Verdict::FalseInRun,
            (None, 0) => Verdict::Unseen,
            (None, _) => Verdict::Observed,
        };
        if self.verdict == Verdict::Unseen {
            self.reason = Some(match seen.left_out {
                0 => "it was not called".to_owned(),
                n => format!("{n} calls fit no precondition, or have no asserted value"),
            });
        }
        self.observed = self.check.as_ref().and_then(|c| c.observed(&seen));
        self.seen = Some(seen);
    }
}

/// Returns the row of a property, or `None` if the property does not concern costs.
fn row(
    assertion: &Assertion,
    property: usize,
    judged: &FileCheck,
    number: usize,
) -> Option<PropertyRow> {
    let stated = assertion.properties.get(property)?;
    if !matches!(
        stated.property,
        Property::Cost(_) | Property::RelativeCost(_)
    ) {
        return None;
    }
    let judged = (judged.assertions.iter())
        .find(|c| (c.judged.assertion, c.judged.property) == (number, property));
    let (mut check, mut reason) = match Check::new(assertion, property) {
        Ok(check) => (Some(check), None),
        Err(reason) => (None, reason.map(str::to_owned)),
    };
    let mut verdict = Verdict::Unseen;
    if let Some(judged) = judged.filter(|c| c.judged.verdict != Static::Check) {
        check = None;
        let message = &judged.message;
        let said = message.strip_prefix("checked: ").unwrap_or(message);
        reason = Some(said.to_owned());
        verdict = match judged.judged.verdict {
            Static::False => Verdict::False,
            _ => Verdict::Checked,
        };
    }
    Some(PropertyRow {
        file: String::new(),
        line: 0,
        predicate: (assertion.name.clone(), assertion.arity),
        property: stated.text.clone(),
        verdict,
        reason,
        seen: None,
        observed: None,
        check,
    })
}

fn line(
    stated: &Assertions,
    lines: &LineIndex,
    text: &str,
    number: usize,
    property: usize,
) -> usize {
    let place = stated.places.get(number);
    let of = place.map_or((0, 0), |p| *p.properties.get(property).unwrap_or(&p.range));
    lines.position(text, of.0, Encoding::Utf8).0 + 1
}

impl PropertyRow {
    /// Returns the verdict on one line, and further explanation, if any.
    fn said(&self) -> (String, Option<String>) {
        let (name, arity) = &self.predicate;
        let verdict = self.verdict.name();
        let line = format!(
            "{}:{}: {verdict}: {name}/{arity} + {}",
            self.file, self.line, self.property
        );
        if let Some(reason) = &self.reason {
            return (line, Some(reason.clone()));
        }
        let seen = self.seen.as_ref();
        let more = match (
            seen.and_then(|s| s.violation.as_ref()),
            seen.and_then(|s| s.range),
        ) {
            (
                Some(AssertionViolation {
                    goal,
                    observed,
                    asserted,
                }),
                _,
            ) => {
                let (observed, asserted) = (short(*observed), short(*asserted));
                Some(match goal {
                    Some(check) if self.is_relative() => {
                        let judged = seen.map_or(0, |seen| seen.judged);
                        format!("{check} of {judged}: {observed}% seen, {asserted}% asserted")
                    }
                    Some(goal) => format!("the call {goal}: {observed} seen, {asserted} asserted"),
                    None => format!("{observed}% seen, {asserted}% asserted"),
                })
            }
            (None, Some((least, most))) if self.is_relative() => Some(match least < most {
                true => format!("{}% to {}% seen", short(least), short(most)),
                false => format!("{}% seen", short(least)),
            }),
            (None, Some((least, most))) if least < most => {
                Some(format!("{} to {} seen", short(least), short(most)))
            }
            (None, Some((value, _))) => Some(format!("{} seen", short(value))),
            (None, None) => None,
        };
        (line, more)
    }
}

impl Checks {
    /// Returns a line for each property, and whether it is false.
    pub(super) fn lines(&self) -> Vec<(String, bool)> {
        let line = |row: &PropertyRow| {
            let (line, more) = row.said();
            let more = more.map_or_else(String::new, |more| format!(": {more}"));
            (format!("{line}{more}"), row.verdict.is_false())
        };
        self.rows.iter().map(line).collect()
    }

    /// Formats a line for each property, followed by the observations as assertions.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        for row in &self.rows {
            let (line, more) = row.said();
            out.push_str(&format!("{line}\n"));
            if let Some(more) = more {
                out.push_str(&format!("  {more}\n"));
            }
        }
        for observed in self.rows.iter().filter_map(|row| row.observed.as_ref()) {
            out.push_str(&format!("{observed}\n"));
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out
    }
}

/// Formats a value; a fraction has two decimals.
fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    text.strip_suffix(".00").map_or(text.clone(), str::to_owned)
}
