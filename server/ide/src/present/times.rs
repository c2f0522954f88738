//! Bounds on time in words, in the unit that suits them.

use costlens_algebra::display::{Outward, display_decimal, spaced};
use costlens_algebra::text::Names;
use costlens_algebra::{Expr, Rat, rat};
use costlens_analysis::report::{Bound, PatternReport};

use super::reach::reach_text;
use super::{headline, names};

/// The budgets whose reach is told with a bound on time, in nanoseconds.
const TIMES: [(i64, &str); 2] = [(1_000_000, "1 ms"), (1_000_000_000, "1 s")];

/// Bounds on time, and how far times reach: `0.12n² + 0.3n µs; 1 ms up to n = 90, 1 s up to n ≈ 2,800`.
#[must_use]
pub fn time_words(time: &PatternReport) -> String {
    let names = names(&time.sizes);
    let (lower, upper) = time.headline.envelope();
    let shown = headline::qualified(time, &names, &time_text(lower, upper, &names));
    let reaches: Vec<String> = (TIMES.iter())
        .filter_map(|(ns, called)| reach_text(time, &rat(*ns), called))
        .collect();
    let reaches = if reaches.is_empty() {
        String::new()
    } else {
        format!("; {}", reaches.join(", "))
    };
    format!("{shown}{reaches}")
}

/// Bounds on time as a person reads them, in the unit that suits the largest coefficient: `≤ 0.12n² + 0.3n + 0.05 µs`. Rounded
/// outward.
#[must_use]
pub fn time_text(lower: &Bound, upper: &Bound, names: &Names<'_>) -> String {
    match (lower, upper) {
        (Bound::Infinite, _) => "diverges".to_owned(),
        (_, Bound::Infinite) => "diverges on redo".to_owned(),
        (Bound::Finite(e), Bound::Unknown) => {
            let (unit, factor) = unit_of(e);
            let text = display_decimal(&e.scale(&factor), names, Outward::Down);
            format!("at least {} {unit}", spaced(unmarked(&text)))
        }
        (_, Bound::Unknown) => "time ?".to_owned(),
        (lower, Bound::Finite(e)) => {
            let (unit, factor) = unit_of(e);
            let text = display_decimal(&e.scale(&factor), names, Outward::Up);
            if *lower == Bound::Finite(e.clone()) {
                let mark = if text.starts_with('≈') { "≈ " } else { "" };
                format!("{mark}{} {unit}", spaced(unmarked(&text)))
            } else {
                format!("≤ {} {unit}", spaced(unmarked(&text)))
            }
        }
    }
}

/// A rounded formula without the mark that says so.
fn unmarked(text: &str) -> &str {
    text.trim_start_matches(['≈', ' '])
}

/// Nanoseconds in a unit.
const UNITS: [(&str, i64); 4] = [
    ("ns", 1),
    ("µs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
];

fn unit_of(e: &Expr) -> (&'static str, Rat) {
    let number = |n: i64| Rat::from_integer(n.into());
    let largest = e.terms().map(|(_, k)| k.clone()).max().unwrap_or_default();
    let (unit, ns) = UNITS
        .into_iter()
        .rev()
        .find(|&(_, ns)| largest >= number(ns))
        .unwrap_or(UNITS[0]);
    (unit, number(1) / number(ns))
}

/// A time in nanoseconds as a person reads it: `131.3 µs`. To four digits.
#[must_use]
pub fn duration_text(ns: f64) -> String {
    let (unit, per) = match ns {
        ns if ns < 1e3 => ("ns", 1.0),
        ns if ns < 1e6 => ("µs", 1e3),
        ns if ns < 1e9 => ("ms", 1e6),
        _ => ("s", 1e9),
    };
    let value = ns / per;
    let digits = match value {
        v if v < 10.0 => 3,
        v if v < 100.0 => 2,
        v if v < 1000.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}
