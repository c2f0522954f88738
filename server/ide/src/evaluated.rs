//! Upper bounds at given sizes where no closed form is known, in words.

use costlens_analysis::queries::evaluated_at;
use costlens_analysis::report::{
    Evaluated, EvaluatedPoint, PatternReport, PredicateName, SizeVariable,
};
use costlens_program::SourceFile;
use num_traits::ToPrimitive as _;

use crate::at::{GivenSize, Value, steps_at};
use crate::reports::{Db, functor};

/// Values that a line shows at most.
const MOST_SHOWN: usize = 8;
/// A value of more digits than this ends the line.
const MOST_DIGITS: usize = 12;

/// `n = 0 1 2 4: 1 3 9 81 steps at most, evaluated from the recurrence; no closed form is proved`.
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

/// The upper bound at given sizes; none where the closed forms say it, and where the table of calls has no end within its limits.
pub fn evaluate(
    db: &dyn Db,
    file: SourceFile,
    predicate: &PredicateName,
    report: &PatternReport,
    given: &[GivenSize],
) -> Option<EvaluatedPoint> {
    if steps_at(report, given).all.upper != Value::Unknown {
        return None;
    }
    let of = |size: &SizeVariable| {
        let found = given.iter().find(|g| g.is_of(size))?;
        found.value.to_i64().filter(|&value| {
            // No list has a negative length.
            size.metric.least().is_none_or(|least| value >= least)
        })
    };
    evaluated_at(db, file, &functor(predicate), &report.pattern, &of)
}
