//! Formats upper bounds at given sizes, for patterns without a known closed form.

use costlens_analysis::report::{Evaluated, EvaluatedPoint};

/// The maximum number of values on a line.
const MOST_SHOWN: usize = 8;
/// The maximum number of digits of a value. A longer value ends the line.
const MOST_DIGITS: usize = 12;

/// Formats the evaluated bounds: `n = 0 1 2 4: 1 3 9 81 steps at most, evaluated from the recurrence; no closed form is proved`.
#[must_use]
pub fn words(evaluated: &Evaluated) -> String {
    let short = |p: &&EvaluatedPoint| p.all.to_string().len() <= MOST_DIGITS;
    let shown: Vec<&EvaluatedPoint> = (evaluated.points.iter())
        .take_while(short)
        .take(MOST_SHOWN)
        .collect();
    let costs: Vec<String> = shown.iter().map(|p| p.all.to_string()).collect();
    let costs = costs.join(" ");
    let said = "steps at most, evaluated from the recurrence; no closed form is proved";
    let names: Vec<&str> = evaluated.sizes.iter().map(|s| s.name.as_str()).collect();
    if names.is_empty() {
        return format!("{costs} {said}");
    }
    let sizes: Vec<String> = (shown.iter())
        .filter_map(|p| Some(p.sizes.first()?.to_string()))
        .collect();
    format!(
        "{} = {}: {costs} {said}",
        names.join(" = "),
        sizes.join(" ")
    )
}
