//! Draws lower and upper bounds as an SVG over one size, with the other sizes fixed.
//!
//! The colours have medium brightness, so that the image is legible on both light and dark backgrounds: an image in a hover cannot determine
//! the theme. The code is hand-written, because plotting crates depend on font and raster libraries, whereas only two curves and a legend are
//! needed.

pub mod observed;
mod rings;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use costlens_algebra::growth::growth;
use costlens_algebra::{Expr, Var};
use costlens_analysis::report::{Bound, Evaluated, PatternReport, Piece, SizeVariable};
use num_bigint::BigInt;

use crate::present::times::{in_unit, time_words};
use crate::present::values::{BoundValue, steps_at_sizes};
use crate::present::{argument_name, finite, headline, names_in, rank, readable};
use crate::settings::Threshold;

/// The width and height of the image.
const SIZE: (f64, f64) = (420.0, 240.0);
/// The plot area: left, top, right, bottom.
const AREA: (f64, f64, f64, f64) = (58.0, 40.0, 404.0, 204.0);
/// The maximum number of points of a curve.
const MOST_POINTS: i64 = 80;
/// The maximum size on the axis, for exponential and for other bounds.
const LARGEST: (i64, i64) = (24, 100);
/// The value of each size that is not on the axis.
const OTHERS: i64 = 10;

const INK: &str = "#7d828b";
const UPPER: &str = "#e0803a";
const LOWER: &str = "#3d8fd1";

/// The points of a curve. A value is `None` if it is unknown or infinite.
type Curve = Vec<(f64, Option<f64>)>;

/// The quantity on the vertical axis.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Quantity {
    Steps,
    /// Time in the given unit.
    Time(&'static str),
}

/// Draws the bounds of a pattern over its main size as an SVG. If there is no upper bound for all sizes, upper bounds at single sizes are
/// drawn, if any. Returns `None` if the bounds do not depend on a size or nothing is known.
#[must_use]
pub fn plot(
    report: &PatternReport,
    arguments: &[Option<String>],
    evaluated: Option<&Evaluated>,
) -> Option<String> {
    let main = report.main_piece()?;
    if main.all.upper == Bound::Unknown
        && let Some(drawn) = evaluated.and_then(|e| rings::plot_points(report, arguments, e))
    {
        return Some(drawn);
    }
    drawn(report, arguments, main, false)
}

/// Draws bounds on time, in nanoseconds, like [`plot`]. The axis uses the unit that suits the largest value.
#[must_use]
pub fn plot_time(time: &PatternReport, arguments: &[Option<String>]) -> Option<String> {
    drawn(time, arguments, time.main_piece()?, true)
}

fn drawn(
    report: &PatternReport,
    arguments: &[Option<String>],
    main: &Piece,
    is_time: bool,
) -> Option<String> {
    let size = main_size(report, main)?;
    let exponential = is_exponential(main);
    let from = first_size(main, size, report);
    let to = from + if exponential { LARGEST.0 } else { LARGEST.1 };
    let step = ((to - from) / MOST_POINTS).max(1);
    let (mut lower, mut upper): (Curve, Curve) = (Vec::new(), Vec::new());
    for k in (from..=to).step_by(usize::try_from(step).unwrap_or(1)) {
        let at = steps_at_sizes(report, &point(report, size, k));
        let x = k as f64;
        lower.push((x, at.first.lower.at_most()));
        upper.push((x, at.all.upper.at_least()));
        debug_assert!(at.all.upper != BoundValue::Infinite || at.all.upper.at_least().is_none());
    }
    let values = || lower.iter().chain(&upper).filter_map(|(_, y)| *y);
    let mut highest = values().fold(0.0, f64::max);
    if highest <= 0.0 {
        return None;
    }
    let mut of = Quantity::Steps;
    if is_time {
        let (unit, per) = in_unit(highest);
        of = Quantity::Time(unit);
        highest /= per;
        for (_, y) in lower.iter_mut().chain(&mut upper) {
            *y = y.map(|ns| ns / per);
        }
    }
    // A logarithmic axis starts at 1. Costs are integers, and a cost of 0 is drawn at the same height as 1.
    let frame = PlotFrame {
        x: (from as f64, to as f64),
        log: exponential && !is_time && highest > 10_000.0,
        top: highest,
        of,
    };
    Some(picture(report, arguments, size, &frame, &lower, &upper))
}

/// Returns the size for the horizontal axis: the first size in which the upper bound of the main piece grows, or else a size that the lower
/// bound mentions.
fn main_size<'r>(report: &'r PatternReport, main: &Piece) -> Option<&'r SizeVariable> {
    let mentioned = |b: &Bound| finite(b).map(Expr::variables).unwrap_or_default();
    let mut variables = mentioned(&main.all.upper);
    variables.extend(mentioned(&main.first.lower));
    report.sizes.iter().find(|s| variables.contains(&s.var))
}

fn is_exponential(main: &Piece) -> bool {
    let grows = |b: &Bound| finite(b).is_some_and(|e| rank(&growth(e)) == Threshold::Exponential);
    grows(&main.all.upper) || grows(&main.first.lower)
}

/// Returns the size in the main piece that is closest to 0.
fn first_size(main: &Piece, size: &SizeVariable, report: &PatternReport) -> i64 {
    let inside = |k: i64| {
        let at = point(report, size, k);
        main.when.contains(&|v| at.get(&v).cloned())
    };
    if inside(0) {
        return 0;
    }
    let least = main.when.bounds(&Expr::var(size.var)).0;
    let least = least.and_then(|l| i64::try_from(l.ceil().to_integer()).ok());
    least.filter(|l| (1..1_000).contains(l)).unwrap_or(0)
}

fn point(report: &PatternReport, size: &SizeVariable, k: i64) -> BTreeMap<Var, BigInt> {
    (report.sizes.iter())
        .map(|s| {
            let value = if s.var == size.var { k } else { OTHERS };
            (s.var, BigInt::from(value))
        })
        .collect()
}

/// Maps values to image coordinates.
struct PlotFrame {
    x: (f64, f64),
    top: f64,
    log: bool,
    of: Quantity,
}

impl PlotFrame {
    fn x(&self, x: f64) -> f64 {
        let (left, _, right, _) = AREA;
        left + (x - self.x.0) / (self.x.1 - self.x.0) * (right - left)
    }

    fn y(&self, y: f64) -> f64 {
        let (_, top, _, bottom) = AREA;
        let part = if self.log {
            y.max(1.0).log10() / self.top.max(10.0).log10()
        } else {
            y / self.top
        };
        bottom - part.clamp(0.0, 1.0) * (bottom - top)
    }

    /// Returns round numbers for the ticks of the vertical axis.
    fn y_ticks(&self) -> Vec<f64> {
        if self.log {
            let decades = self.top.max(10.0).log10();
            let step = (decades / 5.0).ceil().max(1.0);
            let count = (decades / step).floor();
            return (0..)
                .map(f64::from)
                .take_while(|i| *i <= count)
                .map(|i| 10f64.powf(i * step))
                .collect();
        }
        round_numbers(0.0, self.top, 4.0)
    }
}

/// Returns about as many integers as requested, in steps of 1, 2, 2.5 or 5 times a power of ten: 0, 250, 500, …
fn round_numbers(from: f64, to: f64, about: f64) -> Vec<f64> {
    let rough = ((to - from) / about).max(1.0);
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .find(|s| *s >= rough && s.fract() == 0.0)
        .unwrap_or(10.0 * power);
    let first = (from / step).ceil();
    (0..)
        .map(|i| (first + f64::from(i)) * step)
        .take_while(|x| *x <= to)
        .collect()
}

fn picture(
    report: &PatternReport,
    arguments: &[Option<String>],
    size: &SizeVariable,
    frame: &PlotFrame,
    lower: &Curve,
    upper: &Curve,
) -> String {
    let names = names_in(report);
    let title = match frame.of {
        Quantity::Steps => format!("Steps: {}", headline::display(report, &names)),
        Quantity::Time(..) => format!("Time: {}", time_words(report)),
    };
    let mut svg = ground(&title, frame);
    let mut name = format!(
        "{} = {}({})",
        size.name,
        size.metric,
        argument_name(size.argument, arguments)
    );
    for other in report.sizes.iter().filter(|s| s.var != size.var) {
        let _ = write!(name, ", {} = {OTHERS}", other.name);
    }
    axis_names(&mut svg, &name, frame);
    let exact = match frame.of {
        Quantity::Steps => lower == upper,
        Quantity::Time(..) => {
            let (lower, upper) = report.headline.where_bounded();
            lower == upper
        }
    };
    if !exact {
        if let Some(d) = area(frame, lower, upper) {
            line(
                &mut svg,
                &format!("<path d=\"{d}\" fill=\"{UPPER}\" fill-opacity=\"0.12\"/>"),
            );
        }
        curve(&mut svg, frame, lower, LOWER);
    }
    curve(&mut svg, frame, upper, UPPER);
    legend(&mut svg, report, frame.of, exact);
    svg.push_str("</svg>\n");
    svg
}

/// Starts the SVG with the title and the labelled axes. The caller adds the curves and closes it.
fn ground(title: &str, frame: &PlotFrame) -> String {
    let (width, height) = SIZE;
    let (left, top, right, bottom) = AREA;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\" font-size=\"11\">\n"
    );
    line(&mut svg, &format!("<title>{}</title>", escaped(title)));
    for y in frame.y_ticks() {
        let at = frame.y(y);
        line(
            &mut svg,
            &format!(
                "<path d=\"M{left} {at:.1}H{right}\" stroke=\"{INK}\" stroke-opacity=\"0.25\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{INK}\">{}</text>",
                left - 6.0,
                at + 4.0,
                short(y)
            ),
        );
    }
    for x in round_numbers(frame.x.0, frame.x.1, 6.0) {
        let at = frame.x(x);
        line(
            &mut svg,
            &format!(
                "<path d=\"M{at:.1} {bottom}v4\" stroke=\"{INK}\"/>\
                 <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{INK}\">{}</text>",
                bottom + 16.0,
                short(x)
            ),
        );
    }
    line(
        &mut svg,
        &format!("<path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"{INK}\"/>"),
    );
    svg
}

/// Writes the names of the axes, `n = length(Xs)` and `steps`, and the values of the other sizes.
fn axis_names(svg: &mut String, name: &str, frame: &PlotFrame) {
    let values = match frame.of {
        Quantity::Steps if frame.log => "steps (log)".to_owned(),
        Quantity::Steps => "steps".to_owned(),
        Quantity::Time(unit) => format!("time in {unit}"),
    };
    named_axes(svg, name, &values);
}

/// Writes the names of both axes.
fn named_axes(svg: &mut String, name: &str, values: &str) {
    let (left, top, right, bottom) = AREA;
    line(
        svg,
        &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{INK}\">{}</text>",
            f64::midpoint(left, right),
            bottom + 31.0,
            escaped(name)
        ),
    );
    let values = escaped(values);
    line(
        svg,
        &format!(
            "<text x=\"14\" y=\"{0:.1}\" text-anchor=\"middle\" fill=\"{INK}\" transform=\"rotate(-90 14 {0:.1})\">{values}</text>",
            f64::midpoint(top, bottom)
        ),
    );
}

/// Writes the formulas of the headline above the curves, in their colours. Formulas of times are part of the title instead, because their
/// constants are long.
fn legend(svg: &mut String, report: &PatternReport, of: Quantity, exact: bool) {
    let names = names_in(report);
    let text = |word: &str, bound: &Bound| match of {
        Quantity::Steps => format!("{word} {}", readable(bound, &names)),
        Quantity::Time(..) => word.to_owned(),
    };
    let word = match of {
        _ if !exact => "upper",
        Quantity::Steps => "exactly",
        Quantity::Time(..) => "estimate",
    };
    let (lower, upper) = report.headline.where_bounded();
    legend_entry(svg, 0, UPPER, &text(word, upper));
    if !exact {
        legend_entry(svg, 1, LOWER, &text("lower", lower));
    }
}

fn legend_entry(svg: &mut String, place: usize, colour: &str, text: &str) {
    let short: String = if text.chars().count() > 34 {
        text.chars().take(33).chain(['…']).collect()
    } else {
        text.to_owned()
    };
    let text = escaped(&short);
    let x = AREA.0 + if place == 0 { 0.0 } else { 184.0 };
    line(
        svg,
        &format!(
            "<path d=\"M{x} 20h16\" stroke=\"{colour}\" stroke-width=\"2.5\"/>\
             <text x=\"{}\" y=\"24\" fill=\"{colour}\">{text}</text>",
            x + 22.0
        ),
    );
}

/// Draws a polyline through the points, with gaps at missing values.
fn curve(svg: &mut String, frame: &PlotFrame, points: &Curve, colour: &str) {
    let mut d = String::new();
    let mut pen_down = false;
    for (x, y) in points {
        match y {
            Some(y) => {
                let _ = write!(
                    d,
                    "{}{:.1} {:.1}",
                    if pen_down { "L" } else { "M" },
                    frame.x(*x),
                    frame.y(*y)
                );
                pen_down = true;
            }
            None => pen_down = false,
        }
    }
    if !d.is_empty() {
        line(
            svg,
            &format!(
                "<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>"
            ),
        );
    }
}

/// Returns the area between the curves, over the range in which both have values.
fn area(frame: &PlotFrame, lower: &Curve, upper: &Curve) -> Option<String> {
    let both: Vec<(f64, f64, f64)> = (lower.iter().zip(upper))
        .filter_map(|((x, l), (_, u))| Some((*x, (*l)?, (*u)?)))
        .collect();
    if both.len() < 2 {
        return None;
    }
    let mut d = String::new();
    let there = both.iter().map(|(x, _, u)| (x, u));
    let back = both.iter().rev().map(|(x, l, _)| (x, l));
    for (i, (x, y)) in there.chain(back).enumerate() {
        let command = if i == 0 { "M" } else { "L" };
        let _ = write!(d, "{command}{:.1} {:.1}", frame.x(*x), frame.y(*y));
    }
    d.push('Z');
    Some(d)
}

/// Abbreviates a number: `950`, `2.5k`, `40M`, `10⁹`.
fn short(value: f64) -> String {
    let power = value.max(1.0).log10();
    if value >= 1e9 {
        let exponent = power.round();
        let digits: String = format!("{exponent}")
            .chars()
            .filter_map(|c| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(c.to_digit(10)? as usize))
            .collect();
        let factor = value / 10f64.powf(exponent);
        if (factor - 1.0).abs() < 1e-9 {
            return format!("10{digits}");
        }
        return format!("{factor:.1}·10{digits}");
    }
    let (scaled, unit) = match value {
        v if v >= 1e6 => (v / 1e6, "M"),
        v if v >= 1e3 => (v / 1e3, "k"),
        v => (v, ""),
    };
    // Two decimals suffice for the round numbers on an axis.
    let text = format!("{scaled:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}{unit}")
}

fn line(svg: &mut String, what: &str) {
    svg.push_str(what);
    svg.push('\n');
}

/// Escapes text for SVG or HTML.
#[must_use]
pub fn escaped(text: &str) -> String {
    (text.replace('&', "&amp;").replace('<', "&lt;")).replace('>', "&gt;")
}

/// Returns the image as Markdown: `![…](data:image/svg+xml;base64,…)`.
#[must_use]
pub fn as_markdown(svg: &str) -> String {
    // The image is scaled down for a hover.
    let (width, height) = SIZE;
    let small = svg.replacen(
        &format!("width=\"{width}\" height=\"{height}\""),
        &format!("width=\"{}\" height=\"{}\"", width * 0.75, height * 0.75),
        1,
    );
    format!(
        "![lower and upper bound](data:image/svg+xml;base64,{})",
        base64(small.as_bytes())
    )
}

/// Encodes bytes in base64, as defined in RFC 4648 §4.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            if i <= chunk.len() {
                let letter = usize::try_from(bits >> (18 - 6 * i) & 63).unwrap_or(0);
                out.push(char::from(LETTERS[letter]));
            } else {
                out.push('=');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use costlens_algebra::rat;
    use costlens_analysis::report::PieceKind;

    use super::*;
    use crate::samples::{N, at_least, exact, interval, n, nrev, piece, unknown, with_pieces};

    #[test]
    fn an_exact_bound_is_one_curve() {
        insta::assert_snapshot!(plot(&nrev(), &[Some("Xs".to_owned())], None).unwrap());
    }

    #[test]
    fn an_exponential_bound_is_drawn_on_a_logarithmic_axis() {
        let power = |b: i64| Expr::exponential(&rat(b), N).unwrap();
        let steps = interval(
            Bound::Finite(n()),
            Bound::Finite(&power(2).scale(&rat(3)) - &Expr::int(1)),
        );
        let pieces = vec![piece(at_least(0), steps, PieceKind::Bounded)];
        let report = with_pieces(nrev(), pieces);
        insta::assert_snapshot!(plot(&report, &[], None).unwrap());
    }

    #[test]
    fn an_unknown_upper_bound_leaves_the_lower_curve() {
        let mut report = unknown();
        report.steps[0].first.lower = Bound::Finite(n());
        report.headline.first.lower = Bound::Finite(n());
        let svg = plot(&report, &[], None).unwrap();
        assert!(
            svg.contains(LOWER) && !svg.contains("fill-opacity"),
            "{svg}"
        );
        assert!(svg.contains("upper ?"), "{svg}");
    }

    #[test]
    fn times_have_an_axis_in_the_unit_that_suits_them() {
        // The axis then reaches 5,150 units of 1 µs.
        let mut time = nrev();
        for piece in &mut time.steps {
            for bound in [&mut piece.all.upper, &mut piece.first.lower] {
                if let Bound::Finite(e) = bound {
                    *e = e.scale(&rat(1_000));
                }
            }
        }
        let svg = plot_time(&time, &[Some("Xs".to_owned())]).unwrap();
        for part in ["time in ms", ">4</text>", "n = length(Xs)", "<title>Time: "] {
            assert!(svg.contains(part), "{part}\n{svg}");
        }
        assert!(!svg.contains("steps"), "{svg}");
    }

    #[test]
    fn without_a_size_there_is_no_picture() {
        let mut report = nrev();
        report.steps = vec![piece(at_least(0), exact(&Expr::int(3)), PieceKind::Bounded)];
        assert_eq!(plot(&report, &[], None), None);
    }

    #[test]
    fn names_cannot_break_the_picture() {
        let svg = plot(&nrev(), &[Some("<&>".to_owned())], None).unwrap();
        assert!(svg.contains("length(&lt;&amp;&gt;)"), "{svg}");
    }

    #[test]
    fn axes_have_round_numbers() {
        assert_eq!(round_numbers(0.0, 5151.0, 4.0), [0.0, 2000.0, 4000.0]);
        assert_eq!(round_numbers(0.0, 3.0, 4.0), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(short(2500.0), "2.5k");
        assert_eq!(short(4e7), "40M");
        assert_eq!(short(1e12), "10¹²");
    }

    #[test]
    fn base64_is_that_of_the_standard() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }
}
