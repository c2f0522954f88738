//! The report of a validation: sections for each call pattern that ran, from which its text and its page are made.

use costlens_ide::present::size_meaning;

use super::found::{OfPattern, Ran, Validated};
use super::observe::Stopped;
use super::sections::{of_resource, of_time};
use crate::report::{Note, Part, Report, Section, counted};

/// Returns the report of a validation.
pub(super) fn report(validated: &Validated) -> Report<'_> {
    Report {
        kind: "Validation",
        subject: &validated.predicate,
        place: format!("{}:{}", validated.file, validated.line),
        summary: summary(validated),
        parts: (validated.patterns.iter())
            .map(|pattern| part(validated, pattern))
            .collect(),
    }
}

/// Returns the summary: `no bound was contradicted in 312 runs (seed 1)`, or the number of violations.
fn summary(validated: &Validated) -> String {
    let violated: usize = validated.resources().map(|r| r.compared.violated).sum();
    let (runs, seed) = (validated.runs(), validated.seed);
    let runs = format!("{} (seed {seed})", counted(runs, "run", "runs"));
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
    let of = counted(timed, "input", "inputs");
    let times = match outside {
        0 => format!("the times of {of} are within what is predicted"),
        _ => format!("the times of {outside} of {of} are outside of what is predicted"),
    };
    format!("{counts}; on {}, {times}", clock.name)
}

fn part<'v>(validated: &'v Validated, pattern: &'v OfPattern) -> Part<'v> {
    let (names, sections, notes) = match &pattern.ran {
        Ok(ran) => (
            names(validated, ran),
            sections(validated, ran),
            notes(validated, ran),
        ),
        Err(why) => (None, Vec::new(), vec![note(format!("not run: {why}"))]),
    };
    Part {
        title: &pattern.head,
        names,
        sections,
        notes,
    }
}

/// Describes the sizes that grow.
fn names(validated: &Validated, ran: &Ran) -> Option<String> {
    let meanings: Vec<String> = (ran.axes.iter())
        .map(|size| size_meaning(size, &validated.arguments))
        .collect();
    (!meanings.is_empty()).then(|| meanings.join(", "))
}

fn sections<'v>(validated: &'v Validated, ran: &'v Ran) -> Vec<Section<'v>> {
    let counts = ran.resources.iter();
    let counts = counts.map(|of| of_resource(validated, ran, of));
    let times = (ran.time.iter().flatten().zip(&validated.clock))
        .map(|(time, clock)| of_time(validated, ran, time, clock));
    counts.chain(times).collect()
}

/// Explains missing times, and why larger sizes were not tried.
fn notes(validated: &Validated, ran: &Ran) -> Vec<Note> {
    let missing = match (&ran.time, &validated.clock) {
        (Some(Err(why)), Some(clock)) => Some(format!("no times on {}: {why}", clock.name)),
        _ => None,
    };
    let stopped = ran.observed.stopped.iter();
    let stopped = stopped.map(|stopped| match stopped {
        Stopped::Enough => "larger sizes were not tried: enough was counted".to_owned(),
        Stopped::Limit(limit) => format!("larger sizes were not tried: {limit} reached"),
        Stopped::Time => "not all sizes were tried: the limit on time was reached".to_owned(),
    });
    missing.into_iter().chain(stopped).map(note).collect()
}

fn note(sentence: String) -> Note {
    Note {
        mark: None,
        sentence,
    }
}
