//! A validation as text.

use costlens_ide::present::size_meaning;

use super::found::{OfPattern, Validated};
use super::observe::Stopped;
use super::sections::{self, counted};

/// Formats the whole validation.
pub(super) fn text(validated: &Validated) -> String {
    let mut out = String::new();
    for pattern in &validated.patterns {
        out.push_str(&of_pattern(validated, pattern));
    }
    out.push_str(&format!("{}\n", last_line(validated)));
    out
}

/// Returns the summary line: `all bounds held in 312 runs`, or the number of violations.
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
        out.push_str(&sections::of_resource(validated, ran, of).text());
    }
    match (&ran.time, &validated.clock) {
        (Some(Ok(time)), Some(clock)) => {
            out.push_str(&sections::of_time(ran, time, clock).text());
        }
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

/// Returns the reason why larger sizes were not tried, as a sentence without its full stop.
pub(super) fn why_stopped(stopped: Stopped) -> String {
    match stopped {
        Stopped::Enough => "larger sizes were not tried: enough was counted".to_owned(),
        Stopped::Limit(limit) => format!("larger sizes were not tried: {limit} reached"),
        Stopped::Time => "not all sizes were tried: the limit on time was reached".to_owned(),
    }
}
