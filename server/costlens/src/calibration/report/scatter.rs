//! Plots predicted against measured times.

use costlens_calibrate::Fitted;
use costlens_ide::present::times::{duration_text, in_unit};
use maud::{Markup, html};

use super::super::Calibration;
use super::{factor, tenths};

/// The width and height of the plot, and the margin for its axes.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 460.0;
const MARGIN: f64 = 64.0;

/// Plots predicted against measured times on logarithmic axes, with the diagonal and the band of the platform's factor.
pub(super) fn scatter(found: &Calibration) -> Markup {
    let groups = [
        (&found.fit.rows, "fit", 3.0),
        (&found.controls, "control", 4.0),
        (&found.targets, "control", 4.0),
    ];
    let Some(scale) = Scale::new(groups.iter().flat_map(|(rows, ..)| rows.iter())) else {
        return Markup::default();
    };
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) width=(WIDTH) role="img" aria-label="predicted over measured times" { "\n"
            clipPath id="area" {
                rect x=(MARGIN) y=(MARGIN) width=(WIDTH - 2.0 * MARGIN) height=(HEIGHT - 2.0 * MARGIN) {}
            } "\n"
            @if let Some(factor) = factor(&found.platform) { (scale.band(factor)) }
            (scale.diagonal())
            @for decade in scale.decades() { (scale.decade(decade)) }
            @for (rows, colour, radius) in groups {
                @for row in rows.iter().filter(|row| is_timed(row)) { (scale.point(row, colour, radius)) }
            }
            (legend())
        } "\n"
    }
}

fn is_timed(row: &Fitted) -> bool {
    row.observed > 0.0 && row.predicted > 0.0
}

/// The decades of both axes, as logarithms of nanoseconds.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// Returns a scale that covers the times of all programs, or `None` if all times are equal.
    fn new<'f>(programs: impl Iterator<Item = &'f Fitted>) -> Option<Self> {
        let times = programs.flat_map(|row| [row.observed, row.predicted]);
        let times = times.filter(|time| *time > 0.0);
        let (least, most) = times.fold((f64::INFINITY, 0.0_f64), |(a, b), t| (a.min(t), b.max(t)));
        (least < most).then(|| Scale {
            low: least.log10().floor(),
            high: most.log10().ceil(),
        })
    }

    /// Returns the position of a time on the axis, between 0 and 1.
    fn part(&self, ns: f64) -> f64 {
        (ns.log10() - self.low) / (self.high - self.low)
    }

    fn x(&self, ns: f64) -> f64 {
        MARGIN + self.part(ns) * (WIDTH - 2.0 * MARGIN)
    }

    fn y(&self, ns: f64) -> f64 {
        HEIGHT - MARGIN - self.part(ns) * (HEIGHT - 2.0 * MARGIN)
    }

    /// Returns the least and the greatest time of the axes.
    fn ends(&self) -> (f64, f64) {
        (10_f64.powf(self.low), 10_f64.powf(self.high))
    }

    fn decades(&self) -> impl Iterator<Item = f64> + use<> {
        let (from, to) = self.ends();
        std::iter::successors(Some(from), |decade| Some(decade * 10.0))
            .take_while(move |decade| *decade <= to * 1.01)
    }

    /// Draws the band of points with errors below the factor.
    fn band(&self, factor: f64) -> Markup {
        let (from, to) = self.ends();
        let corners = [
            (from, from / factor),
            (from, from * factor),
            (to, to * factor),
            (to, to / factor),
        ];
        let corners = corners.map(|(a, b)| format!("{:.1},{:.1}", self.x(a), self.y(b)));
        html! { polygon clip-path="url(#area)" fill="var(--band)" points=(corners.join(" ")) {} "\n" }
    }

    fn diagonal(&self) -> Markup {
        let (from, to) = self.ends();
        html! {
            line x1=(tenths(self.x(from))) y1=(tenths(self.y(from))) x2=(tenths(self.x(to))) y2=(tenths(self.y(to)))
                stroke="var(--line)" {} "\n"
        }
    }

    /// Draws the grid line of a power of ten, with its label on both axes.
    fn decade(&self, ns: f64) -> Markup {
        let (x, y) = (tenths(self.x(ns)), tenths(self.y(ns) + 4.0));
        let (bottom, below) = (tenths(HEIGHT - MARGIN), tenths(HEIGHT - MARGIN + 18.0));
        let label = duration_label(ns);
        html! {
            line x1=(x) y1=(MARGIN) x2=(x) y2=(bottom) stroke="var(--line)" stroke-dasharray="2 4" {}
            text x=(x) y=(below) text-anchor="middle" { (label) }
            text x=(tenths(MARGIN - 8.0)) y=(y) text-anchor="end" { (label) } "\n"
        }
    }

    fn point(&self, row: &Fitted, colour: &str, radius: f64) -> Markup {
        let (x, y) = (tenths(self.x(row.observed)), tenths(self.y(row.predicted)));
        let [measured, predicted] = [row.observed, row.predicted].map(duration_text);
        html! {
            circle cx=(x) cy=(y) r=(radius) fill={ "var(--" (colour) ")" } {
                title { (row.name) ": " (measured) ", predicted " (predicted) }
            } "\n"
        }
    }
}

/// Labels the axes and the colours.
fn legend() -> Markup {
    html! {
        text x=(tenths(WIDTH / 2.0)) y=(tenths(HEIGHT - MARGIN + 40.0)) text-anchor="middle" { "measured" }
        text x=(MARGIN) y=(tenths(MARGIN - 12.0)) text-anchor="middle" { "predicted" }
        @for (from_right, radius, colour, name) in [(250.0, "3", "fit", "calibrators"), (150.0, "4", "control", "control programs")] {
            circle cx=(tenths(WIDTH - from_right)) cy="24" r=(radius) fill={ "var(--" (colour) ")" } {}
            text x=(tenths(WIDTH - from_right + 10.0)) y="28" { (name) }
        }
    }
}

/// Formats a power of ten of nanoseconds: `1 µs`.
fn duration_label(ns: f64) -> String {
    // A computed power of ten may be slightly too small.
    let (unit, per) = in_unit(ns * 1.001);
    format!("{:.0} {unit}", ns / per)
}
