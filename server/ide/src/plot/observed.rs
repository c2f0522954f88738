//! Draws observed costs together with the bounds and a fitted function. A bar at each size ranges from the minimum to the maximum.
//!
//! Bounds are solid lines, because they hold for every size. The fitted function is dashed, because it is only an estimate.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use costlens_algebra::Var;
use costlens_analysis::report::{PatternReport, SizeVariable};
use num_bigint::BigInt;

use super::{
    AREA, Curve, INK, LOWER, MOST_POINTS, PlotFrame, Quantity, UPPER, area, curve, ground,
    is_exponential, line, named_axes,
};
use crate::present::argument_name;
use crate::present::times::in_unit;
use crate::present::values::steps_at_sizes;

/// The colour of observations.
const SEEN: &str = "#3f9a5f";
/// The colour of violations of a bound.
const WRONG: &str = "#d64545";
/// The ratio of the bounds to the observations above which the observations would be invisible on a linear axis.
const FAR_ABOVE: f64 = 12.0;

/// The runs of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// The size on the axis.
    pub size: i64,
    /// The minimum cost of a run.
    pub least: f64,
    /// The maximum cost of a run.
    pub most: f64,
    /// True if a run contradicts a bound.
    pub violates: bool,
}

/// The data to draw.
#[derive(Clone, Debug)]
pub struct PlotData<'o> {
    /// The bounds.
    pub report: &'o PatternReport,
    /// The names of the predicate's arguments.
    pub arguments: &'o [Option<String>],
    /// The resource that is measured.
    pub resource: &'o str,
    /// The error factor of predicted times. `None` for counts.
    pub error: Option<f64>,
    /// The size on the axis.
    pub axis: &'o SizeVariable,
    /// The other sizes with their values, sorted by name.
    pub others: &'o [(&'o SizeVariable, BigInt)],
    /// The runs, by size. Not empty.
    pub seen: &'o [Seen],
    /// The fitted function at sizes on the axis. Empty if there is none.
    pub fitted: &'o [(f64, f64)],
}

/// Draws the data as an SVG.
#[must_use]
pub fn plot_observed(of: &PlotData<'_>) -> Option<String> {
    let from = of.seen.iter().map(|s| s.size).min()?;
    let to = of.seen.iter().map(|s| s.size).max()?.max(from + 1);
    let (mut lower, mut upper) = bounds(of, from, to);
    let most_seen = of.seen.iter().map(|s| s.most).fold(1.0, f64::max);
    let values = lower.iter().chain(&upper).filter_map(|(_, y)| *y);
    let top = values.fold(most_seen, f64::max);
    let exponential = of.report.main_piece().is_some_and(is_exponential);
    let log = top > FAR_ABOVE * most_seen || exponential && top > 10_000.0;
    // Times are drawn in the unit that suits the largest time. A logarithmic axis starts at 1, which is one nanosecond.
    let (unit, per) = match of.error {
        Some(_) if log => ("ns", 1.0),
        Some(_) => in_unit(most_seen),
        None => ("", 1.0),
    };
    for (_, y) in lower.iter_mut().chain(&mut upper) {
        *y = y.map(|y| y / per);
    }
    let fitted: Vec<(f64, f64)> = of.fitted.iter().map(|&(x, y)| (x, y / per)).collect();
    let frame = PlotFrame {
        x: (from as f64, to as f64),
        top: top / per,
        log,
        of: Quantity::Steps,
    };
    let title = format!(
        "Observed {} of {} sizes, with lower and upper bound",
        of.resource,
        of.seen.len()
    );
    let mut svg = ground(&title, &frame);
    let scale = if frame.log { " (log)" } else { "" };
    let unit = match of.error {
        Some(_) => format!(" in {unit}"),
        None => String::new(),
    };
    named_axes(
        &mut svg,
        &axis_name(of),
        &format!("{}{unit}{scale}", of.resource),
    );
    // Draws the error band of predicted times.
    if let Some(error) = of.error.filter(|error| *error > 1.0)
        && let Some(d) = area(&frame, &scaled(&lower, 1.0 / error), &scaled(&upper, error))
    {
        line(
            &mut svg,
            &format!("<path d=\"{d}\" fill=\"{UPPER}\" fill-opacity=\"0.07\"/>"),
        );
    }
    if let Some(d) = area(&frame, &lower, &upper) {
        line(
            &mut svg,
            &format!("<path d=\"{d}\" fill=\"{UPPER}\" fill-opacity=\"0.12\"/>"),
        );
    }
    curve(&mut svg, &frame, &lower, LOWER);
    curve(&mut svg, &frame, &upper, UPPER);
    dashed(&mut svg, &frame, &fitted);
    for seen in of.seen {
        let seen = Seen {
            least: seen.least / per,
            most: seen.most / per,
            ..*seen
        };
        bar(&mut svg, &frame, &seen);
    }
    let wrong = of.seen.iter().any(|s| s.violates);
    let wrong = wrong.then_some(match of.error {
        Some(_) => "outside of what is predicted",
        None => "contradicts a bound",
    });
    key(&mut svg, &lower, &upper, !of.fitted.is_empty(), wrong);
    svg.push_str("</svg>\n");
    Some(svg)
}

/// Returns a curve multiplied by a factor.
fn scaled(curve: &Curve, by: f64) -> Curve {
    let points = curve.iter();
    points.map(|(x, y)| (*x, y.map(|y| y * by))).collect()
}

/// Returns the bounds along the axis: lower bounds to the first solution, and upper bounds over all solutions.
fn bounds(of: &PlotData<'_>, from: i64, to: i64) -> (Curve, Curve) {
    let mut at: BTreeMap<Var, BigInt> = (of.others.iter())
        .map(|(size, value)| (size.var, value.clone()))
        .collect();
    let step = ((to - from) / MOST_POINTS).max(1);
    let (mut lower, mut upper) = (Curve::new(), Curve::new());
    let inner = (from..to).step_by(usize::try_from(step).unwrap_or(1));
    for k in inner.chain([to]) {
        at.insert(of.axis.var, BigInt::from(k));
        let values = steps_at_sizes(of.report, &at);
        let x = k as f64;
        lower.push((x, values.first.lower.at_most()));
        upper.push((x, values.all.upper.at_least()));
    }
    (lower, upper)
}

/// Formats the axis name: `n = length(Xs), m = 4`.
fn axis_name(of: &PlotData<'_>) -> String {
    let element = if of.axis.element { "largest " } else { "" };
    let mut name = format!(
        "{} = {element}{}({})",
        of.axis.name,
        of.axis.metric,
        argument_name(of.axis.argument, of.arguments)
    );
    for (size, value) in of.others {
        let _ = write!(name, ", {} = {value}", size.name);
    }
    name
}

fn dashed(svg: &mut String, frame: &PlotFrame, points: &[(f64, f64)]) {
    let mut d = String::new();
    for (i, (x, y)) in points.iter().enumerate() {
        let command = if i == 0 { "M" } else { "L" };
        let _ = write!(d, "{command}{:.1} {:.1}", frame.x(*x), frame.y(*y));
    }
    if !d.is_empty() {
        line(
            svg,
            &format!(
                "<path d=\"{d}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\"/>"
            ),
        );
    }
}

/// Draws a dot at the maximum and a line down to the minimum, or a cross if a bound is violated.
fn bar(svg: &mut String, frame: &PlotFrame, seen: &Seen) {
    let (x, low, high) = (
        frame.x(seen.size as f64),
        frame.y(seen.least),
        frame.y(seen.most),
    );
    if low - high > 1.0 {
        line(
            svg,
            &format!(
                "<path d=\"M{x:.1} {low:.1}V{high:.1}\" stroke=\"{SEEN}\" stroke-width=\"2\" stroke-opacity=\"0.6\"/>"
            ),
        );
    }
    line(
        svg,
        &match seen.violates {
            true => cross(x, high),
            false => dot(x, high),
        },
    );
}

fn dot(x: f64, y: f64) -> String {
    format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{SEEN}\"/>")
}

fn cross(x: f64, y: f64) -> String {
    format!(
        "<path d=\"M{:.1} {:.1}l9 9m0 -9l-9 9\" stroke=\"{WRONG}\" stroke-width=\"2.5\"/>",
        x - 4.5,
        y - 4.5
    )
}

/// An entry of the key: a function that draws its mark at a position, the colour, and the label.
type Entry<'e> = (Box<dyn Fn(f64) -> String>, &'e str, &'e str);

/// Draws the key above the curves.
fn key(svg: &mut String, lower: &Curve, upper: &Curve, fitted: bool, wrong: Option<&str>) {
    let is_drawn = |c: &Curve| c.iter().any(|(_, y)| y.is_some());
    let swatch = |colour: &str, dashes: &str, x: f64| {
        format!("<path d=\"M{x} 20h16\" stroke=\"{colour}\" stroke-width=\"2.5\"{dashes}/>")
    };
    let mut entries: Vec<Entry<'_>> = Vec::new();
    entries.push((Box::new(|x| dot(x + 8.0, 20.0)), SEEN, "observed"));
    if let Some(wrong) = wrong {
        entries.push((Box::new(|x| cross(x + 8.0, 20.0)), WRONG, wrong));
    }
    if is_drawn(upper) && lower == upper {
        entries.push((
            Box::new(move |x| swatch(UPPER, "", x)),
            UPPER,
            "exact bound",
        ));
    } else {
        if is_drawn(upper) {
            entries.push((Box::new(move |x| swatch(UPPER, "", x)), UPPER, "upper"));
        }
        if is_drawn(lower) {
            entries.push((Box::new(move |x| swatch(LOWER, "", x)), LOWER, "lower"));
        }
    }
    if fitted {
        let dashes = " stroke-dasharray=\"5 4\"";
        entries.push((Box::new(move |x| swatch(INK, dashes, x)), INK, "fitted"));
    }
    let mut x = AREA.0;
    for (mark, colour, word) in entries {
        line(
            svg,
            &format!(
                "{}<text x=\"{}\" y=\"24\" fill=\"{colour}\">{word}</text>",
                mark(x),
                x + 22.0
            ),
        );
        x += 34.0 + 6.2 * word.chars().count() as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{nrev, unknown};

    fn seen(values: &[(i64, f64, f64)]) -> Vec<Seen> {
        (values.iter())
            .map(|&(size, least, most)| Seen {
                size,
                least,
                most,
                violates: false,
            })
            .collect()
    }

    fn drawn(report: &PatternReport, seen: &[Seen], fitted: &[(f64, f64)]) -> String {
        let of = PlotData {
            report,
            arguments: &[Some("Xs".to_owned())],
            resource: "steps",
            error: None,
            axis: &report.sizes[0],
            others: &[],
            seen,
            fitted,
        };
        plot_observed(&of).unwrap()
    }

    #[test]
    fn times_have_a_unit_and_the_error_of_what_is_predicted() {
        let report = nrev();
        let mut runs = seen(&[(0, 900.0, 1_000.0), (40, 700_000.0, 860_000.0)]);
        let draw = |error, seen: &[Seen]| {
            plot_observed(&PlotData {
                report: &report,
                arguments: &[None],
                resource: "time",
                error,
                axis: &report.sizes[0],
                others: &[],
                seen,
                fitted: &[],
            })
            .unwrap()
        };
        let svg = draw(Some(1.3), &runs);
        assert!(svg.contains("time in µs") && svg.contains("0.07"), "{svg}");
        // If there is no known error, no band is drawn.
        assert!(!draw(Some(1.0), &runs).contains("0.07"));
        runs[1].violates = true;
        let svg = draw(Some(1.3), &runs);
        assert!(svg.contains("outside of what is predicted"), "{svg}");
    }

    #[test]
    fn observations_stand_on_the_curve_of_an_exact_bound() {
        let runs = seen(&[(0, 1.0, 1.0), (1, 3.0, 3.0), (4, 15.0, 15.0)]);
        let svg = drawn(&nrev(), &runs, &[(0.0, 1.0), (4.0, 15.0)]);
        for part in ["exact bound", "observed", "fitted", "stroke-dasharray"] {
            assert!(svg.contains(part), "{part}\n{svg}");
        }
        assert_eq!(
            svg.matches("<circle").count(),
            4,
            "three and one in the key"
        );
        assert!(!svg.contains(WRONG) && !svg.contains("(log)"), "{svg}");
    }

    #[test]
    fn a_contradiction_is_a_cross() {
        let mut runs = seen(&[(0, 1.0, 1.0), (2, 6.0, 9.0)]);
        runs[1].violates = true;
        let svg = drawn(&nrev(), &runs, &[]);
        assert!(svg.contains("contradicts a bound"), "{svg}");
        assert_eq!(svg.matches(WRONG).count(), 3, "{svg}");
    }

    #[test]
    fn without_an_upper_bound_the_observations_have_the_picture() {
        let svg = drawn(&unknown(), &seen(&[(0, 1.0, 2.0), (9, 50.0, 400.0)]), &[]);
        assert!(svg.contains("lower") && !svg.contains(">upper"), "{svg}");
    }

    #[test]
    fn one_size_is_a_picture_too() {
        let svg = drawn(&nrev(), &seen(&[(3, 10.0, 10.0)]), &[]);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn bounds_far_above_leave_room_on_a_logarithmic_axis() {
        let svg = drawn(&nrev(), &seen(&[(0, 1.0, 1.0), (100, 101.0, 101.0)]), &[]);
        assert!(svg.contains("steps (log)"), "{svg}");
    }
}
