//! Formats bounds on time in suitable units.

use costlens_algebra::display::{Outward, display_decimal, spaced};
use costlens_algebra::text::Names;
use costlens_algebra::{Expr, Rat, rat};
use costlens_analysis::report::{Bound, Condition, PatternReport, PieceKind, SizeVariable};
use num_traits::ToPrimitive;

use super::reach::{reach_text, thousands};
use super::values::steps_at_sizes;
use super::{headline, names};
use crate::resources::Calibrated;

/// The times, in nanoseconds, for which the reachable sizes are shown together with a bound on time.
const TIMES: [(i64, &str); 2] = [(1_000_000, "1 ms"), (1_000_000_000, "1 s")];

/// Formats bounds on time, and the sizes that fit certain times: `0.12n² + 0.3n µs; 1 ms up to n = 90, 1 s up to n ≈ 2,800`.
#[must_use]
pub fn time_words(time: &PatternReport) -> String {
    let names = names(&time.sizes);
    let words = |_: PieceKind, lower: &Bound, upper: &Bound| time_text(lower, upper, &names);
    let shown = conditional(time, headline::qualified(time, &names, &words));
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

/// Formats a headline with the condition of its upper bound: `≤ 0.12n² µs, for integers below 2⁶³`.
#[must_use]
pub fn conditional(time: &PatternReport, text: String) -> String {
    match time.condition {
        Some(condition) if matches!(time.headline.envelope().1, Bound::Finite(_)) => {
            format!("{text}, {}", condition.text())
        }
        _ => text,
    }
}

/// Formats bounds on time, rounded outward, in the unit that suits the largest coefficient: `≤ 0.12n² + 0.3n + 0.05 µs`.
#[must_use]
pub fn time_text(lower: &Bound, upper: &Bound, names: &Names<'_>) -> String {
    match (lower, upper) {
        (Bound::Infinite, _) => "diverges".to_owned(),
        (_, Bound::Infinite) => headline::EVENTUALLY.to_owned(),
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

/// Removes the rounding mark from a formula.
fn unmarked(text: &str) -> &str {
    text.trim_start_matches(['≈', ' '])
}

/// Time units and their lengths in nanoseconds.
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

/// The sizes at which a time is displayed. The first size with a time below [`LONGEST`] is used.
pub(super) const SIZES: [i64; 5] = [1_000, 100, 30, 20, 10];

/// Ten seconds in nanoseconds. For longer times, a smaller size is used.
const LONGEST: f64 = 1e10;

/// A range of times at one size.
pub(super) struct AtSize<'r> {
    /// The sizes on which the time depends. All have the value `size`.
    pub(super) sizes: Vec<&'r str>,
    pub(super) size: i64,
    /// The bounds in nanoseconds, including the error of the constants.
    pub(super) least: f64,
    pub(super) most: f64,
}

/// Returns the time at the first size for which it is below [`LONGEST`], widened by the error of the constants. Returns `None` if there is no
/// upper bound, or if the time is too long at every size.
pub(super) fn at_size<'r>(
    time: &'r PatternReport,
    on: &Calibrated,
    tried: &[i64],
) -> Option<AtSize<'r>> {
    let (lower, upper) = time.headline.where_bounded();
    let Bound::Finite(upper) = upper else {
        return None;
    };
    let mentioned = |s: &&SizeVariable| {
        let of_lower = matches!(lower, Bound::Finite(e) if e.variables().contains(&s.var));
        of_lower || upper.variables().contains(&s.var)
    };
    let sizes = (time.sizes.iter().filter(mentioned)).map(|s| s.name.as_str());
    let at = |size: i64| {
        let all = time.sizes.iter().map(|s| (s.var, size.into())).collect();
        let values = steps_at_sizes(time, &all).all;
        Some((values.lower.at_most()?, values.upper.at_least()?))
    };
    let mut all = tried.iter().filter_map(|&size| Some((size, at(size)?)));
    let (size, (least, most)) = all.find(|(_, (_, most))| *most <= LONGEST)?;
    let factor = error_of(on, time);
    Some(AtSize {
        sizes: sizes.collect(),
        size,
        least: least / factor,
        most: most * factor,
    })
}

/// Returns the error factor of a predicted time.
pub(super) fn error_of(on: &Calibrated, time: &PatternReport) -> f64 {
    let factor = on.factor.as_ref().and_then(ToPrimitive::to_f64);
    let wider = time.wider.map_or(1.0, |w| f64::from(w.quarters()) / 4.0);
    factor.unwrap_or(1.0).max(1.0) * wider
}

/// Formats the time at one size, including its possible error: `At n = 1000: 0.21 to 0.24 ms on SWI-Prolog 9.0.4`.
///
/// All sizes have this value. If the time does not depend on a size, it applies to every call.
#[must_use]
pub fn time_at(time: &PatternReport, on: &Calibrated) -> Option<String> {
    let found = at_size(time, on, &SIZES)?;
    let range = range_text(found.least, found.most);
    let whose = match on.here {
        true => "this machine",
        false => "constants of another machine",
    };
    let condition = time.condition.map(|c| format!(", {}", c.text()));
    let condition = condition.unwrap_or_default();
    let wider = time.wider.map(|w| format!("; {}", w.text()));
    let wider = wider.unwrap_or_default();
    let said = format!("{range} on {} ({whose}{wider}){condition}", on.engine);
    Some(match found.sizes.is_empty() {
        true => format!("Time: {said}"),
        false => format!("At {} = {}: {said}", found.sizes.join(" = "), found.size),
    })
}

/// Formats the time for a hint. If the ends of the range differ by a factor of at most 4, their geometric mean is shown, `≈ 12 µs at n=100`;
/// otherwise the upper end, `≤ 40 µs at n=100`.
#[must_use]
pub fn time_hint(time: &PatternReport, on: &Calibrated) -> Option<String> {
    let found = at_size(time, on, &SIZES[1..])?;
    let text = match time.condition {
        Some(Condition::Words) => format!("{} if ints < 2⁶³", found.text(found.is_close())),
        None => found.text(found.is_close()),
    };
    Some(match found.sizes.is_empty() {
        true => text,
        false => format!("{text} at {}={}", found.sizes.join("="), found.size),
    })
}

/// The times of a predicate before and after an edit of its clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeChange {
    /// The time before: `≈ 6.6 ms`.
    pub before: String,
    /// The time after.
    pub after: String,
    /// The size and the engine: `n = 1,000 on SWI-Prolog 9.0.4`, `any size on …`.
    pub at: String,
    /// True if the time may have increased.
    pub is_longer: bool,
}

impl TimeChange {
    /// Formats both times: `≈ 6.6 ms → ≈ 14 µs at n = 1,000 on SWI-Prolog 9.0.4`.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{} → {} at {}", self.before, self.after, self.at)
    }
}

/// Returns the times of two versions of a predicate, at the first size for which both times are below ten seconds. Returns `None` if either
/// time has no upper bound.
#[must_use]
pub fn change(old: &PatternReport, new: &PatternReport, on: &Calibrated) -> Option<TimeChange> {
    let (was, is) = SIZES.iter().find_map(|size| {
        let at = |time| at_size(time, on, std::slice::from_ref(size));
        at(old).zip(at(new))
    })?;
    let mut sizes = was.sizes.clone();
    for size in &is.sizes {
        if !sizes.contains(size) {
            sizes.push(size);
        }
    }
    let size = match sizes.is_empty() {
        true => "any size".to_owned(),
        false => format!(
            "{} = {}",
            sizes.join(" = "),
            thousands(&was.size.to_string())
        ),
    };
    // A mean must not be compared with an upper end, so both times are shown in the same way.
    let are_close = [&was, &is].iter().all(|at| at.is_close());
    let [before, after] = [&was, &is].map(|at| at.text(are_close));
    let condition = old.condition.or(new.condition);
    let condition = condition.map(|c| format!(", {}", c.text()));
    Some(TimeChange {
        before,
        after,
        at: format!("{size} on {}{}", on.engine, condition.unwrap_or_default()),
        is_longer: is.most > was.most,
    })
}

impl AtSize<'_> {
    /// Returns true if the ends differ by at most a factor of [`CLOSE`].
    fn is_close(&self) -> bool {
        self.least * CLOSE >= self.most
    }

    /// Formats the range as one time: its geometric mean, `≈ 12 µs`, or its upper end, `≤ 40 µs`.
    fn text(&self, as_mean: bool) -> String {
        let (mark, ns) = match as_mean {
            true => ("≈", (self.least * self.most).sqrt()),
            false => ("≤", self.most),
        };
        let (unit, per) = in_unit(ns);
        format!("{mark} {} {unit}", two_digits(ns, per))
    }
}

/// The maximum ratio between the ends of a range, including the error, that is displayed as one time.
const CLOSE: f64 = 4.0;

/// Formats a range of nanoseconds to two digits: `0.21 to 0.24 ms`, `30 ns to 42 µs`, `at most 12 µs`.
pub(super) fn range_text(least: f64, most: f64) -> String {
    /// The minimum ratio between the ends at which both are shown in the same unit.
    const SHARED: f64 = 0.1;
    let (unit, per) = in_unit(most);
    let high = two_digits(most, per);
    if least < SHARED {
        return format!("at most {high} {unit}");
    }
    if least / per < SHARED {
        let (own, of_own) = in_unit(least);
        return format!("{} {own} to {high} {unit}", two_digits(least, of_own));
    }
    let low = two_digits(least, per);
    match low == high {
        true => format!("≈ {high} {unit}"),
        false => format!("{low} to {high} {unit}"),
    }
}

/// Formats nanoseconds to two digits, in a unit of `per` nanoseconds.
fn two_digits(ns: f64, per: f64) -> String {
    let value = ns / per;
    let digits = match value {
        v if v < 1.0 => 2,
        v if v < 10.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$}")
}

/// Returns the unit that suits a time in nanoseconds, and its length in nanoseconds.
#[must_use]
pub fn in_unit(ns: f64) -> (&'static str, f64) {
    match ns {
        ns if ns < 1e3 => ("ns", 1.0),
        ns if ns < 1e6 => ("µs", 1e3),
        ns if ns < 1e9 => ("ms", 1e6),
        _ => ("s", 1e9),
    }
}

/// Formats a time in nanoseconds to four digits: `131.3 µs`.
#[must_use]
pub fn duration_text(ns: f64) -> String {
    let (unit, per) = in_unit(ns);
    let value = ns / per;
    let digits = match value {
        v if v < 10.0 => 3,
        v if v < 100.0 => 2,
        v if v < 1000.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_range_can_be_read() {
        for (least, most, text) in [
            (210_000.0, 240_000.0, "210 to 240 µs"),
            (900_000.0, 1_240_000.0, "0.90 to 1.2 ms"),
            (30.0, 42_000.0, "30 ns to 42 µs"),
            (0.0, 42_000.0, "at most 42 µs"),
            (4_060.0, 2_500_000.0, "4.1 µs to 2.5 ms"),
            (7_100_000.0, 7_110_000.0, "≈ 7.1 ms"),
            (3.0, 18.0, "3.0 to 18 ns"),
        ] {
            assert_eq!(range_text(least, most), text);
        }
    }
}
