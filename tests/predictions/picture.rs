//! Line charts, and scatter plots.

use std::fmt::Write as _;

/// A line: its name, its colour, its points.
pub(crate) type Line = (String, &'static str, Vec<(f64, f64)>);

/// The scale of an axis. Vertical axes begin at 0 unless they are logarithmic.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Axis {
    Plain,
    /// Plain, in per cent.
    Share,
    Logarithmic,
}

/// A chart.
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) across: &'static str,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    /// Points without a line through them.
    pub(crate) marks: bool,
    pub(crate) lines: Vec<Line>,
}

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 330.0;
/// The edges of the drawing area.
const LEFT: f64 = 56.0;
const RIGHT: f64 = 440.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 286.0;

/// Draws charts in rows of two.
pub(crate) fn svg(charts: &[Chart]) -> String {
    #[allow(clippy::cast_precision_loss)]
    let at = |number: usize| (WIDTH * (number % 2) as f64, HEIGHT * (number / 2) as f64);
    let width = WIDTH * if charts.len() > 1 { 2.0 } else { 1.0 };
    let height = at(charts.len() - 1).1 + HEIGHT;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (number, chart) in charts.iter().enumerate() {
        let (left, top) = at(number);
        let _ = writeln!(
            out,
            "<g transform=\"translate({left},{top})\">{}</g>",
            chart.drawn()
        );
    }
    out.push_str("</svg>\n");
    out
}

impl Axis {
    fn scale(self, value: f64) -> f64 {
        if self == Axis::Logarithmic {
            value.ln()
        } else {
            value
        }
    }

    fn back(self, value: f64) -> f64 {
        if self == Axis::Logarithmic {
            value.exp()
        } else {
            value
        }
    }

    fn written(self, value: f64) -> String {
        match self {
            Axis::Share => format!("{:.0}%", value * 100.0),
            _ if value >= 10.0 => format!("{value:.0}"),
            _ if value >= 1.0 => format!("{value:.1}"),
            _ => format!("{value:.3}").trim_end_matches('0').to_owned(),
        }
    }
}

impl Chart {
    /// Returns the least and the greatest of the drawn values, on the scale of the axis.
    fn range(&self, axis: Axis, of: impl Fn(&(f64, f64)) -> f64) -> (f64, f64) {
        let all = || self.lines.iter().flat_map(|(.., points)| points).map(&of);
        let least = all().map(|v| axis.scale(v)).fold(f64::INFINITY, f64::min);
        let most = { all() }
            .map(|v| axis.scale(v))
            .fold(f64::NEG_INFINITY, f64::max);
        (least, most.max(least + 1e-9))
    }

    fn drawn(&self) -> String {
        let (least, most) = self.range(self.x, |p| p.0);
        let (mut low, high) = self.range(self.y, |p| p.1);
        if self.y != Axis::Logarithmic {
            low = 0.0;
        }
        let across = |x: f64| LEFT + (self.x.scale(x) - least) / (most - least) * (RIGHT - LEFT);
        let up = |y: f64| BOTTOM - (self.y.scale(y) - low) / (high - low) * (BOTTOM - TOP);
        let mut out = format!(
            "<text x=\"{LEFT}\" y=\"16\" font-size=\"13\">{}</text><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            self.title,
            f64::midpoint(LEFT, RIGHT),
            BOTTOM + 32.0,
            self.across
        );
        for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let value = self.y.back(low + share * (high - low));
            let y = BOTTOM - share * (BOTTOM - TOP);
            let _ = write!(
                out,
                "<line x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
                LEFT - 4.0,
                y + 4.0,
                self.y.written(value)
            );
        }
        for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let value = self.x.back(least + share * (most - least));
            let _ = write!(
                out,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                LEFT + share * (RIGHT - LEFT),
                BOTTOM + 15.0,
                self.x.written(value)
            );
        }
        let mut legend = LEFT;
        for (name, colour, points) in &self.lines {
            let places = points.iter().map(|&(x, y)| (across(x), up(y)));
            if self.marks {
                for (x, y) in places {
                    let _ = write!(
                        out,
                        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
                    );
                }
            } else {
                let path: Vec<String> = places.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
                let _ = write!(
                    out,
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                    path.join(" ")
                );
            }
            let _ = write!(
                out,
                "<rect x=\"{legend}\" y=\"27\" width=\"12\" height=\"4\" fill=\"{colour}\"/><text x=\"{}\" y=\"34\">{name}</text>",
                legend + 16.0
            );
            #[allow(clippy::cast_precision_loss)]
            let wide = 26.0 + 5.6 * name.chars().count() as f64;
            legend += wide;
        }
        out
    }
}
