//! Draws upper bounds at given sizes as rings. No line connects them, since there are no bounds for the sizes in between.

use std::fmt::Write as _;

use costlens_analysis::report::Evaluated;
use num_traits::ToPrimitive as _;

use costlens_analysis::report::PatternReport;
use num_bigint::BigInt;

use super::{
    AREA, Curve, LOWER, PlotFrame, Quantity, UPPER, axis_names, curve, ground, legend_entry, line,
};
use crate::present::values::steps_at_sizes;
use crate::present::{argument_name, evaluated, names as of_sizes, readable};

/// The maximum value on a linear axis. Beyond it, the axis is logarithmic.
const WIDE: f64 = 10_000.0;

/// Draws the values as rings and the lower bound as a curve, with all sizes equal. Returns `None` if there are fewer than two values.
pub(super) fn plot_points(
    report: &PatternReport,
    arguments: &[Option<String>],
    evaluated: &Evaluated,
) -> Option<String> {
    let size = evaluated.sizes.first()?;
    let rings: Vec<(f64, f64)> = (evaluated.points.iter())
        .filter_map(|p| Some((*p.sizes.first()? as f64, p.all.to_f64()?)))
        .filter(|(_, y)| y.is_finite())
        .collect();
    let (&(from, _), &(to, _)) = (rings.first()?, rings.last()?);
    let highest = rings.iter().fold(0.0, |most: f64, (_, y)| most.max(*y));
    if rings.len() < 2 || highest <= 0.0 {
        return None;
    }
    let lower: Curve = (rings.iter())
        .map(|&(x, _)| {
            let at = (report.sizes.iter()).map(|s| (s.var, BigInt::from(x as i64)));
            let at = steps_at_sizes(report, &at.collect());
            (x, at.first.lower.at_most())
        })
        .collect();
    let frame = PlotFrame {
        x: (from, to),
        log: highest > WIDE,
        top: highest,
        of: Quantity::Steps,
    };
    let title = evaluated::words(evaluated);
    let mut svg = ground(&title, &frame);
    let mut names: Vec<String> = (evaluated.sizes.iter().skip(1))
        .map(|s| format!("{} = ", s.name))
        .collect();
    names.push(format!(
        "{} = {}({})",
        size.name,
        size.metric,
        argument_name(size.argument, arguments)
    ));
    axis_names(&mut svg, &names.concat(), &frame);
    curve(&mut svg, &frame, &lower, LOWER);
    for (x, y) in &rings {
        line(&mut svg, &ring(frame.x(*x), frame.y(*y)));
    }
    let mut key = ring(AREA.0 + 8.0, 20.0);
    let _ = write!(
        key,
        "<text x=\"{}\" y=\"24\" fill=\"{UPPER}\">upper, at these sizes</text>",
        AREA.0 + 22.0
    );
    line(&mut svg, &key);
    let formula = readable(&report.headline.first.lower, &of_sizes(&report.sizes));
    legend_entry(&mut svg, 1, LOWER, &format!("lower {formula}"));
    svg.push_str("</svg>\n");
    Some(svg)
}

fn ring(x: f64, y: f64) -> String {
    format!(
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"none\" stroke=\"{UPPER}\" stroke-width=\"1.5\"/>"
    )
}

#[cfg(test)]
mod tests {
    use costlens_analysis::report::{Bound, EvaluatedPoint};

    use super::*;
    use crate::plot::plot;
    use crate::samples::{n, unknown};

    fn evaluated(values: &[(i64, i64)]) -> Evaluated {
        Evaluated {
            sizes: unknown().sizes,
            points: (values.iter())
                .map(|&(k, y)| EvaluatedPoint {
                    sizes: vec![k],
                    all: y.into(),
                    first: y.into(),
                })
                .collect(),
        }
    }

    #[test]
    fn evaluated_bounds_are_rings_and_no_curve() {
        let mut report = unknown();
        report.steps[0].first.lower = Bound::Finite(n());
        let found = evaluated(&[(0, 1), (1, 3), (2, 9), (4, 81), (8, 6561)]);
        let svg = plot(&report, &[Some("Xs".to_owned())], Some(&found)).unwrap();
        assert_eq!(
            svg.matches("<circle").count(),
            6,
            "five and one in the legend"
        );
        assert!(!svg.contains(&format!(
            "fill=\"none\" stroke=\"{UPPER}\" stroke-width=\"2.5\""
        )));
        insta::assert_snapshot!(svg);
    }

    #[test]
    fn a_proved_upper_bound_is_drawn_instead() {
        let found = evaluated(&[(0, 1), (1, 3)]);
        let drawn = plot(&crate::samples::nrev(), &[], Some(&found));
        assert_eq!(drawn, plot(&crate::samples::nrev(), &[], None));
    }

    #[test]
    fn one_value_is_no_picture_of_its_own() {
        let mut report = unknown();
        report.steps[0].first.lower = Bound::Finite(n());
        let svg = plot(&report, &[], Some(&evaluated(&[(0, 1)]))).unwrap();
        assert!(svg.contains("upper ?"), "{svg}");
    }
}
