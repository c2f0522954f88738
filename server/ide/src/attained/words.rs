//! Formats the results of runs.

use costlens_algebra::text::decimal;
use costlens_analysis::report::{PatternReport, Side};
use num_bigint::BigInt;

use super::{Attained, AttainedRun, BoundViolation, Evidence, Phase};
use crate::present::first_is_all;
use crate::present::markup::escaped;

/// The maximum length of a goal in a hover.
const LONGEST_GOAL: usize = 60;

/// Formats the evidence for `explain`, one line for each bound: `upper bound reached: qs([3,2,1],A) runs 10 steps, the bound at n = 3`.
#[must_use]
pub fn lines(attained: &Attained, report: &PatternReport) -> Vec<String> {
    let trial = match attained {
        Attained::NotTried(why) => return vec![format!("not tried: {why}")],
        Attained::Tried(trial) => trial,
    };
    let mut lines: Vec<String> = trial.violations.iter().map(violation).collect();
    if trial.runs == 0 {
        lines.push("not tried: no inputs of small sizes were found".to_owned());
    }
    // If the bounds for both phases are equal, one line for each side suffices.
    let same = first_is_all(report);
    let told = |e: &&Evidence| !same || e.phase == Phase::All;
    let told: Vec<&Evidence> = trial.evidence.iter().filter(told).collect();
    let mut rest = &told[..];
    while let [e, more @ ..] = rest {
        rest = more;
        // A single run shows that both bounds are exact.
        if let [f, more @ ..] = more
            && e.phase == f.phase
            && e.nearest.is_none()
            && (e.reached, &e.nearest) == (f.reached, &f.nearest)
            && let (Some(w), Some(v)) = (&e.witness, &f.witness)
            && (&w.goal, w.steps) == (&v.goal, v.steps)
        {
            rest = more;
            lines.push(evidence(e, "lower and upper bound", same));
            continue;
        }
        let side = match e.side {
            Side::Lower => "lower bound",
            Side::Upper => "upper bound",
        };
        lines.push(evidence(e, side, same));
    }
    lines
}

fn evidence(e: &Evidence, bound: &str, same: bool) -> String {
    let phase = match e.phase {
        _ if same => "",
        Phase::First => " to the first solution",
        Phase::All => " over all solutions",
    };
    let (extreme, between) = match e.side {
        Side::Upper => ("largest", "of"),
        Side::Lower => ("smallest", "instead of"),
    };
    let near = |run: &AttainedRun| {
        let at = sizes_text(&run.sizes);
        let AttainedRun { goal, steps, .. } = run;
        let bound = decimal(&run.bound);
        format!("{extreme} seen {steps} {between} {bound}{at}, by {goal}")
    };
    let sizes = match (e.reached, e.tried) {
        _ if e.witness.as_ref().is_none_or(|w| w.sizes.is_empty()) => String::new(),
        (reached, tried) if reached == tried => " (and at all sizes tried)".to_owned(),
        (reached, tried) => format!(" (at {reached} of {tried} sizes tried)"),
    };
    match (&e.witness, &e.nearest) {
        (Some(w), nearest) => {
            let steps = plural(w.steps);
            let elsewhere =
                (nearest.as_ref()).map_or_else(String::new, |n| format!("; {}", near(n)));
            let at = match sizes_text(&w.sizes) {
                none if none.is_empty() => "the bound".to_owned(),
                at => format!("the bound{at}"),
            };
            format!(
                "{bound}{phase} reached: {} runs {steps}, {at}{sizes}{elsewhere}",
                w.goal
            )
        }
        (None, Some(n)) => format!("{bound}{phase} not reached by a run: {}", near(n)),
        (None, None) => format!("{bound}{phase}: no run"),
    }
}

fn violation(v: &BoundViolation) -> String {
    let phase = match v.phase {
        Phase::First => " to the first solution",
        Phase::All => " over all solutions",
    };
    let bound = match (&v.bound, v.side) {
        (None, _) => "where it is said to run for ever".to_owned(),
        (Some(b), Side::Upper) => format!("more than the upper bound {}", decimal(b)),
        (Some(b), Side::Lower) => format!("less than the lower bound {}", decimal(b)),
    };
    let trust = if !v.on_trust {
        String::new()
    } else {
        " (unless what is trusted is not true)".to_owned()
    };
    format!(
        "{} runs {}{phase}{}, {bound}: the bound is wrong, please report it{trust}",
        v.goal,
        plural(v.steps),
        sizes_text(&v.sizes),
    )
}

fn plural(steps: u64) -> String {
    match steps {
        1 => "1 step".to_owned(),
        n => format!("{n} steps"),
    }
}

/// Formats the sizes of a run: ` at n = 3, m = 2`.
fn sizes_text(sizes: &[(String, BigInt)]) -> String {
    if sizes.is_empty() {
        return String::new();
    }
    format!(" at {}", values(sizes))
}

fn values(sizes: &[(String, BigInt)]) -> String {
    let values: Vec<String> = sizes.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    values.join(", ")
}

/// Formats a sentence for hovers, in Markdown. It describes a violation, or else a call that attains the upper bound: `` `qs([3,2,1],_)`
/// takes 19 steps, the upper bound for n = 3. `` Returns `None` if the bound is exact and needs no witness, or if there is no short sentence.
#[must_use]
pub fn sentence(attained: &Attained, report: &PatternReport) -> Option<String> {
    let Attained::Tried(trial) = attained else {
        return None;
    };
    if let Some(v) = trial.violations.first() {
        let told = violation(v).replace(": the bound is wrong, please", "; please");
        return Some(format!("**Wrong bound**: {}.", escaped(&told)));
    }
    let (lower, upper) = report.headline.where_bounded();
    if lower == upper {
        return None;
    }
    let upper = (trial.evidence.iter()).find(|e| e.phase == Phase::All && e.side == Side::Upper)?;
    let run = upper.witness.as_ref().filter(|run| run.steps > 0)?;
    let goal = without_names(&run.goal);
    if goal.contains('`') || goal.chars().count() > LONGEST_GOAL || has_inner_variable(&goal) {
        return None;
    }
    let sizes = if run.sizes.is_empty() {
        String::new()
    } else {
        format!(" for {}", values(&run.sizes))
    };
    let steps = plural(run.steps);
    Some(format!("`{goal}` takes {steps}, the upper bound{sizes}."))
}

/// Returns true if a variable occurs inside an argument: `p([_,_,B,B])` is hard to read.
fn has_inner_variable(goal: &str) -> bool {
    let (mut depth, mut before) = (0_i32, ' ');
    goal.chars().any(|c| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        let begins = !before.is_alphanumeric() && !matches!(before, '_' | '\'' | '"');
        before = c;
        depth > 1 && begins && (c == '_' || c.is_uppercase())
    })
}

/// Replaces variables that occur once in a goal by `_`.
fn without_names(goal: &str) -> String {
    let (mut tokens, mut word, mut quote) = (Vec::new(), String::new(), None);
    let mut escaped = false;
    // Splits the goal into words and the characters between them; quoted text is a single unit.
    for c in goal.chars() {
        if let Some(q) = quote {
            word.push(c);
            if c == q && !escaped {
                quote = None;
            }
            escaped = c == '\\' && !escaped;
        } else if c.is_alphanumeric() || c == '_' {
            word.push(c);
        } else if matches!(c, '\'' | '"') {
            word.push(c);
            quote = Some(c);
        } else {
            tokens.push(std::mem::take(&mut word));
            tokens.push(c.to_string());
        }
    }
    tokens.push(word);
    let is_variable = |t: &str| t.starts_with(|c: char| c.is_ascii_uppercase());
    let times = |t: &String| tokens.iter().filter(|u| *u == t).count();
    (tokens.iter())
        .map(|t| match is_variable(t) && times(t) == 1 {
            true => "_",
            false => t.as_str(),
        })
        .collect()
}
