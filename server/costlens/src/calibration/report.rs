//! The report of a calibration as a page: predictions against measured times, constants with their intervals, the constants of the papers.
//!
//! One file without scripts, fonts or pictures from elsewhere. Colours follow the reader's light or dark theme.

use std::fmt::Write as _;

use costlens_algebra::Rat;
use costlens_algebra::text::upper_f64;
use costlens_calibrate::{Errors, Explored, Fitted, errors};
use costlens_events::Event;
use costlens_ide::plot::escaped;
use costlens_ide::present::times::{duration_text, in_unit};
use costlens_platform::{Constant, Platform};

use super::Calibration;

const STYLE: &str = "\
:root { color-scheme: light dark; --ink: light-dark(#24292f, #d5d9df); --soft: light-dark(#8c959f, #7d8590); \
--line: light-dark(#d0d7de, #3d444d); --fit: light-dark(#8c959f, #7d8590); --control: light-dark(#c4571b, #f0883e); --band: light-dark(#eef2f6, #20262d); }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .8rem .15rem 0; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
th { font-weight: 600; color: var(--soft); }
.off { color: var(--control); } .soft { color: var(--soft); }
svg { max-width: 100%; height: auto; } svg text { fill: var(--soft); font-size: 12px; }";

/// Renders the page. `papers` are the platforms whose constants are shown next to the measured ones.
pub(super) fn page(found: &Calibration, papers: &[Platform]) -> String {
    let platform = &found.platform;
    let title = format!("Calibration of {}", platform.engine);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n\
         <style>\n{STYLE}\n</style>\n<h1>{0}</h1>\n",
        escaped(&title)
    );
    page.push_str(&summary(found));
    page.push_str("<h2>Predicted against measured times</h2>\n");
    page.push_str(&scatter(found));
    page.push_str(&programs(
        "Control programs",
        "They are not part of the fit.",
        &found.controls,
        factor(platform),
    ));
    page.push_str(&programs(
        "The programs of PPDP'08, Table 7",
        "They are not part of the fit.",
        &found.targets,
        factor(platform),
    ));
    page.push_str(&constants(platform));
    page.push_str(&beside_papers(platform, papers));
    page.push_str(&explored(&found.explored));
    page.push_str(&programs(
        "Calibrators",
        "The constants were fitted to these.",
        &found.fit.rows,
        factor(platform),
    ));
    page.push_str("</html>\n");
    page
}

fn factor(platform: &Platform) -> Option<f64> {
    platform.factor().map(upper_f64)
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// Renders the platform, the machine, and the errors in a table.
fn summary(found: &Calibration) -> String {
    let platform = &found.platform;
    let mut text = format!(
        "<p><b>{}</b>, {}. {}</p>\n<p class=\"soft\">",
        escaped(&platform.name),
        escaped(&platform.date),
        escaped(&platform.origin)
    );
    let machine: Vec<String> = (platform.machine.iter())
        .map(|(key, value)| format!("{}: {}", escaped(key), escaped(value)))
        .collect();
    text.push_str(&machine.join(" · "));
    text.push_str(
        "</p>\n<table><tr><th>programs<th>number<th>root mean square<th>mean<th>worst</tr>\n",
    );
    let row = |name: &str, number: usize, off: &Errors| {
        format!(
            "<tr><td>{name}<td>{number}<td>{}<td>{}<td>{}</tr>\n",
            percent(off.root_mean_square),
            percent(off.mean_absolute),
            percent(off.worst)
        )
    };
    text.push_str(&row("calibrators", found.fit.rows.len(), &found.errors));
    for (programs, name) in [
        (&found.controls, "control programs"),
        (&found.targets, "PPDP'08, Table 7"),
    ] {
        if let Some(off) = errors(programs) {
            text.push_str(&row(name, programs.len(), &off));
        }
    }
    text.push_str("</table>\n");
    let _ = write!(
        text,
        "<p>Noise of the measured times: {}.",
        percent(found.noise)
    );
    if let Some(factor) = factor(platform) {
        let within = (found.controls.iter())
            .filter(|c| is_within(c, factor))
            .count();
        let _ = write!(
            text,
            " Nine in ten predictions of calibrators left out of the fit are within a factor of {factor:.2}; of the control programs, {within} of {}.",
            found.controls.len()
        );
    }
    text.push_str("</p>\n");
    text
}

fn is_within(row: &Fitted, factor: f64) -> bool {
    let ratio = row.predicted / row.observed;
    ratio <= factor && ratio * factor >= 1.0
}

/// Width and height of the picture of times, and the margin for its axes.
const PICTURE: (f64, f64) = (640.0, 460.0);
const MARGIN: f64 = 64.0;

/// Plots predicted over measured times on logarithmic axes, with the diagonal and the band of the factor.
fn scatter(found: &Calibration) -> String {
    let all = || {
        found
            .fit
            .rows
            .iter()
            .chain(&found.controls)
            .chain(&found.targets)
    };
    let times = all()
        .flat_map(|r| [r.observed, r.predicted])
        .filter(|t| *t > 0.0);
    let (least, most) = times.fold((f64::INFINITY, 0.0_f64), |(a, b), t| (a.min(t), b.max(t)));
    if least >= most {
        return String::new();
    }
    let (low, high) = (least.log10().floor(), most.log10().ceil());
    let (width, height) = PICTURE;
    let x = |ns: f64| MARGIN + (ns.log10() - low) / (high - low) * (width - 2.0 * MARGIN);
    let y = |ns: f64| height - MARGIN - (ns.log10() - low) / (high - low) * (height - 2.0 * MARGIN);
    let (from, to) = (10_f64.powf(low), 10_f64.powf(high));
    let mut svg = format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\" aria-label=\"predicted over measured times\">\n\
         <clipPath id=\"area\"><rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
        width - 2.0 * MARGIN,
        height - 2.0 * MARGIN
    );
    if let Some(factor) = factor(&found.platform) {
        let corner = |a: f64, b: f64| format!("{:.1},{:.1}", x(a), y(b));
        let _ = writeln!(
            svg,
            "<polygon clip-path=\"url(#area)\" fill=\"var(--band)\" points=\"{} {} {} {}\"/>",
            corner(from, from / factor),
            corner(from, from * factor),
            corner(to, to * factor),
            corner(to, to / factor)
        );
    }
    let _ = writeln!(
        svg,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"var(--line)\"/>",
        x(from),
        y(from),
        x(to),
        y(to)
    );
    let mut decade = from;
    while decade <= to * 1.01 {
        let label = duration_label(decade);
        let _ = writeln!(
            svg,
            "<line x1=\"{0:.1}\" y1=\"{MARGIN}\" x2=\"{0:.1}\" y2=\"{1:.1}\" stroke=\"var(--line)\" stroke-dasharray=\"2 4\"/>\
             <text x=\"{0:.1}\" y=\"{2:.1}\" text-anchor=\"middle\">{label}</text>\
             <text x=\"{3:.1}\" y=\"{4:.1}\" text-anchor=\"end\">{label}</text>",
            x(decade),
            height - MARGIN,
            height - MARGIN + 18.0,
            MARGIN - 8.0,
            y(decade) + 4.0
        );
        decade *= 10.0;
    }
    for (rows, colour, radius) in [
        (&found.fit.rows, "fit", 3.0),
        (&found.controls, "control", 4.0),
        (&found.targets, "control", 4.0),
    ] {
        for row in rows
            .iter()
            .filter(|r| r.observed > 0.0 && r.predicted > 0.0)
        {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"var(--{colour})\"><title>{}: {}, predicted {}</title></circle>",
                x(row.observed),
                y(row.predicted),
                escaped(&row.name),
                duration_text(row.observed),
                duration_text(row.predicted)
            );
        }
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">measured</text>\
         <text x=\"{MARGIN}\" y=\"{:.1}\" text-anchor=\"middle\">predicted</text>\
         <circle cx=\"{:.1}\" cy=\"24\" r=\"3\" fill=\"var(--fit)\"/><text x=\"{:.1}\" y=\"28\">calibrators</text>\
         <circle cx=\"{:.1}\" cy=\"24\" r=\"4\" fill=\"var(--control)\"/><text x=\"{:.1}\" y=\"28\">control programs</text></svg>",
        width / 2.0,
        height - MARGIN + 40.0,
        MARGIN - 12.0,
        width - 250.0,
        width - 240.0,
        width - 150.0,
        width - 140.0,
    );
    svg
}

/// Returns `1 µs` for a power of ten of nanoseconds.
fn duration_label(ns: f64) -> String {
    // A computed power of ten may be slightly too small.
    let (unit, per) = in_unit(ns * 1.001);
    format!("{:.0} {unit}", ns / per)
}

/// Renders a table of programs, those that are furthest off first.
fn programs(heading: &str, sentence: &str, rows: &[Fitted], factor: Option<f64>) -> String {
    let mut sorted: Vec<&Fitted> = rows.iter().collect();
    let off = |r: &Fitted| (r.predicted / r.observed).ln().abs();
    sorted.sort_by(|a, b| off(b).total_cmp(&off(a)));
    let mut text = format!(
        "<h2>{heading}</h2>\n<p>{sentence}</p>\n<table><tr><th>program<th>measured<th>predicted<th>difference</tr>\n"
    );
    for row in sorted {
        let is_off = factor.is_some_and(|factor| !is_within(row, factor));
        let _ = writeln!(
            text,
            "<tr><td>{}<td>{}<td>{}<td{}>{:+.0}%</tr>",
            escaped(&row.name),
            duration_text(row.observed),
            duration_text(row.predicted),
            if is_off { " class=\"off\"" } else { "" },
            100.0 * (row.predicted / row.observed - 1.0)
        );
    }
    text.push_str("</table>\n");
    text
}

/// Width of the picture next to a constant.
const BAR: f64 = 260.0;

/// Renders the constants with their intervals, the largest first.
fn constants(platform: &Platform) -> String {
    let ns = |value: &Rat| upper_f64(value);
    let mut all: Vec<(&Event, &Constant)> = platform.constants.iter().collect();
    all.sort_by(|(_, a), (_, b)| b.ns.cmp(&a.ns));
    let most = all.iter().map(|(_, c)| ns(&c.high)).fold(0.0, f64::max);
    // A square root leaves room for small ones.
    let at = |value: f64| (value / most).sqrt() * BAR;
    let mut text = String::from(
        "<h2>Constants</h2>\n<p>Nanoseconds an event; the bar is the 90% interval, on a scale of square roots.</p>\n\
         <table><tr><th>event<th>ns<th>from<th>to<th></tr>\n",
    );
    for (event, constant) in all {
        let (low, here, high) = (ns(&constant.low), ns(&constant.ns), ns(&constant.high));
        let _ = writeln!(
            text,
            "<tr><td><code>{}</code><td>{here:.1}<td>{low:.1}<td>{high:.1}<td><svg viewBox=\"0 0 {BAR} 12\" width=\"{BAR}\" height=\"12\">\
             <line x1=\"{:.1}\" y1=\"6\" x2=\"{:.1}\" y2=\"6\" stroke=\"var(--fit)\" stroke-width=\"3\"/><circle cx=\"{:.1}\" cy=\"6\" r=\"4\" fill=\"var(--control)\"/></svg></tr>",
            escaped(&event.to_string()),
            at(low),
            at(high),
            at(here)
        );
    }
    text.push_str("</table>\n");
    text
}

/// Renders the constants printed in papers next to the measured ones.
fn beside_papers(platform: &Platform, papers: &[Platform]) -> String {
    let shared = |paper: &&Platform| {
        paper
            .constants
            .keys()
            .any(|event| platform.constants.contains_key(event))
    };
    let papers: Vec<&Platform> = papers.iter().filter(shared).collect();
    if papers.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "<h2>The papers' constants</h2>\n<p>Nanoseconds an event, on the machines of their time; 0 where a model leaves the event out.</p>\n<table><tr><th>event<th>here",
    );
    for paper in &papers {
        let _ = write!(text, "<th>{}", escaped(&paper.name));
    }
    text.push_str("</tr>\n");
    let ns = |of: &Platform, event: &Event| {
        let constant = of.constants.get(event);
        constant.map_or_else(|| "0".to_owned(), |c| format!("{:.1}", upper_f64(&c.ns)))
    };
    let events = (platform.constants.keys())
        .filter(|event| papers.iter().any(|p| p.constants.contains_key(event)));
    for event in events {
        let _ = write!(
            text,
            "<tr><td><code>{}</code><td>{}",
            escaped(&event.to_string()),
            ns(platform, event)
        );
        for paper in &papers {
            let _ = write!(text, "<td>{}", ns(paper, event));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</table>\n");
    text
}

/// Renders the models of PADL'07 like its Table 2.
fn explored(models: &[Explored]) -> String {
    let Some(all) = models.iter().max_by_key(|model| model.constants.len()) else {
        return String::new();
    };
    let mut text = String::from(
        "<h2>Models of PADL'07</h2>\n<p>Every subset of six events, in nanoseconds, fitted to the calibrators without built-ins by least squares; S is the standard error as a share of \
         the times, the last column the root mean square over control programs without built-ins.</p>\n<table><tr><th>S",
    );
    for event in all.constants.keys() {
        let _ = write!(text, "<th>{event}");
    }
    text.push_str("<th>control programs</tr>\n");
    for model in models {
        let _ = write!(text, "<tr><td>{}", percent(model.standard_error));
        for event in all.constants.keys() {
            let ns = model.constants.get(event);
            let _ = write!(
                text,
                "<td>{}",
                ns.map_or_else(String::new, |ns| format!("{ns:.1}"))
            );
        }
        let off = model.controls.map(|off| percent(off.root_mean_square));
        let _ = writeln!(text, "<td>{}</tr>", off.unwrap_or_default());
    }
    text.push_str("</table>\n");
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use costlens_calibrate::{Row, fit};
    use costlens_platform::{FACTOR, measured, stored};

    use super::*;

    #[test]
    fn a_page_has_the_programs_the_constants_and_those_of_the_papers() {
        let row = |name: &str, steps: f64, ns: f64| Row {
            name: name.to_owned(),
            counts: [(Event::Step, steps)].into(),
            ns,
        };
        let fit = fit(&[
            row("walk", 100.0, 1_000.0),
            row("long", 10_000.0, 100_000.0),
        ])
        .unwrap();
        let ns = fit.constants[&Event::Step];
        let less = Event::Builtin("<".into(), 2);
        let constants = [
            (Event::Step, Constant::measured(ns, ns, ns).unwrap()),
            (less, Constant::measured(20.0, 18.0, 25.0).unwrap()),
        ];
        let control = |name: &str, predicted| Fitted {
            name: name.to_owned(),
            observed: 1_000.0,
            predicted,
        };
        let found = Calibration {
            model: "portable",
            errors: errors(&fit.rows).unwrap(),
            fit,
            controls: vec![control("near", 1_100.0), control("far<away>", 2_000.0)],
            targets: vec![control("append", 1_900.0)],
            explored: vec![Explored {
                constants: [(Event::Step, 9.5)].into(),
                standard_error: 0.25,
                controls: None,
            }],
            noise: 0.01,
            platform: Platform {
                name: "swi-portable".to_owned(),
                engine: "SWI-Prolog 9".to_owned(),
                source: "user".to_owned(),
                origin: String::new(),
                date: "2026-11-26".to_owned(),
                machine: BTreeMap::new(),
                constants: constants.into(),
                errors: [(FACTOR.to_owned(), measured(1.5).unwrap())].into(),
                programs: Vec::new(),
                collection: None,
            },
        };
        let papers: Vec<Platform> = (stored().unwrap().into_iter())
            .filter(|platform| platform.source == "paper")
            .collect();
        let page = page(&found, &papers);
        for part in [
            "of the control programs, 1 of 2",
            "<td>far&lt;away&gt;<td>1.000 µs<td>2.000 µs<td class=\"off\">+100%",
            "<td>near<td>1.000 µs<td>1.100 µs<td>+10%",
            "<code>&lt;/2</code><td>20.0<td>18.0<td>25.0",
            "<th>padl07-intel-1",
            "<tr><td>25.0%<td>9.5<td></tr>",
            "<title>long: 100.0 µs",
            "<td>append<td>1.000 µs<td>1.900 µs",
        ] {
            assert!(page.contains(part), "{part}\n{page}");
        }
        assert_eq!(page.matches("<circle").count(), 4 + 2 + 1 + 2);
    }
}
