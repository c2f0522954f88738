//! Line charts.

use std::fmt::Write as _;

/// A line: its name, its colour, its points.
pub(crate) type Line<'l> = (&'l str, &'l str, Vec<(f64, f64)>);

/// A chart with two axes; both may be logarithmic.
pub(crate) struct Chart<'c> {
    pub(crate) title: &'c str,
    pub(crate) across: &'c str,
    pub(crate) logarithmic: bool,
    pub(crate) lines: Vec<Line<'c>>,
}

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 300.0;

/// Charts beside each other: error in per cent upwards.
pub(crate) fn svg(charts: &[Chart<'_>]) -> String {
    #[allow(clippy::cast_precision_loss)]
    let width = WIDTH * charts.len() as f64;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"{width}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    for (number, chart) in charts.iter().enumerate() {
        #[allow(clippy::cast_precision_loss)]
        let left = WIDTH * number as f64;
        let _ = writeln!(
            out,
            "<g transform=\"translate({left},0)\">{}</g>",
            drawn(chart)
        );
    }
    out.push_str("</svg>\n");
    out
}

fn drawn(chart: &Chart<'_>) -> String {
    let points = || chart.lines.iter().flat_map(|(.., points)| points);
    let scale = |x: f64| if chart.logarithmic { x.ln() } else { x };
    let least = points().map(|p| scale(p.0)).fold(f64::INFINITY, f64::min);
    let most = points()
        .map(|p| scale(p.0))
        .fold(f64::NEG_INFINITY, f64::max);
    let top = points().map(|p| p.1).fold(0.0, f64::max).max(0.01);
    let at = |(x, y): (f64, f64)| {
        (
            50.0 + (scale(x) - least) / (most - least) * 350.0,
            260.0 - y / top * 210.0,
        )
    };
    let mut out = format!(
        "<text x=\"50\" y=\"16\" font-size=\"13\">{}</text><text x=\"225\" y=\"292\" text-anchor=\"middle\">{}</text>",
        chart.title, chart.across
    );
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let y = 260.0 - share * 210.0;
        let _ = write!(
            out,
            "<line x1=\"50\" x2=\"400\" y1=\"{y}\" y2=\"{y}\" stroke=\"#ddd\"/><text x=\"46\" y=\"{}\" text-anchor=\"end\">{:.1}%</text>",
            y + 4.0,
            share * top * 100.0
        );
    }
    if let Some((.., points)) = chart.lines.first() {
        for &(x, _) in points.iter().step_by(2) {
            let (place, _) = at((x, 0.0));
            let _ = write!(
                out,
                "<text x=\"{place}\" y=\"276\" text-anchor=\"middle\">{x}</text>"
            );
        }
    }
    for (number, (name, colour, points)) in chart.lines.iter().enumerate() {
        let path: Vec<String> = points
            .iter()
            .map(|&p| at(p))
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        #[allow(clippy::cast_precision_loss)]
        let y = 34.0 + 14.0 * number as f64;
        let _ = write!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/><line x1=\"280\" x2=\"300\" y1=\"{y}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"2\"/><text x=\"305\" y=\"{}\">{name}</text>",
            path.join(" "),
            y + 4.0
        );
    }
    out
}
