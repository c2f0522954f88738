//! The report of a calibration as a page: predicted and measured times, constants with their intervals, and published constants.
//!
//! The page is a single file without scripts, fonts or external pictures. Colours follow the reader's light or dark theme.

mod scatter;

use costlens_algebra::Rat;
use costlens_algebra::text::upper_f64;
use costlens_calibrate::{Errors, Explored, Fitted, errors};
use costlens_events::Event;
use costlens_ide::present::times::duration_text;
use costlens_platform::{Constant, Platform};
use maud::{Markup, PreEscaped, html};

use self::scatter::scatter;
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

/// Renders the page. `papers` contains the platforms whose constants are shown for comparison.
pub(super) fn page(found: &Calibration, papers: &[Platform]) -> String {
    let platform = &found.platform;
    let title = format!("Calibration of {}", platform.engine);
    let factor = factor(platform);
    let apart = "They are not part of the fit.";
    let page = html! {
        (PreEscaped("<!doctype html>\n"))
        html lang="en" { "\n"
            meta charset="utf-8"; "\n"
            meta name="viewport" content="width=device-width"; "\n"
            title { (title) } "\n"
            style { "\n" (PreEscaped(STYLE)) "\n" } "\n"
            h1 { (title) } "\n"
            (summary(found))
            h2 { "Predicted against measured times" } "\n"
            (scatter(found))
            (programs("Control programs", apart, &found.controls, factor))
            (programs("The programs of PPDP'08, Table 7", apart, &found.targets, factor))
            (constants(platform))
            (beside_papers(platform, papers))
            (explored(&found.explored))
            (programs("Calibrators", "The constants were fitted to these.", &found.fit.rows, factor))
        } "\n"
    };
    page.into_string()
}

fn factor(platform: &Platform) -> Option<f64> {
    platform.factor().map(upper_f64)
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// Formats a number of nanoseconds with one decimal.
fn tenths(ns: f64) -> String {
    format!("{ns:.1}")
}

/// Renders a table from rendered rows.
fn table(columns: &[&str], rows: &Markup) -> Markup {
    html! {
        table {
            tr { @for column in columns { th { (column) } } } "\n"
            (rows)
        } "\n"
    }
}

/// Renders the platform, the machine, and the errors in a table.
fn summary(found: &Calibration) -> Markup {
    let platform = &found.platform;
    let machine: Vec<String> = (platform.machine.iter())
        .map(|(key, value)| format!("{key}: {value}"))
        .collect();
    let programs = [
        ("control programs", &found.controls),
        ("PPDP'08, Table 7", &found.targets),
    ];
    let rows = html! {
        (errors_row("calibrators", found.fit.rows.len(), &found.errors))
        @for (name, programs) in programs {
            @if let Some(off) = errors(programs) { (errors_row(name, programs.len(), &off)) }
        }
    };
    let columns = ["programs", "number", "root mean square", "mean", "worst"];
    html! {
        p { b { (platform.name) } ", " (platform.date) ". " (platform.origin) } "\n"
        p class="soft" { (machine.join(" · ")) } "\n"
        (table(&columns, &rows))
        p { "Noise of the measured times: " (percent(found.noise)) "." (control_text(found).unwrap_or_default()) } "\n"
    }
}

fn errors_row(name: &str, number: usize, off: &Errors) -> Markup {
    html! {
        tr {
            td { (name) }
            td { (number) }
            td { (percent(off.root_mean_square)) }
            td { (percent(off.mean_absolute)) }
            td { (percent(off.worst)) }
        } "\n"
    }
}

/// States the number of control programs that lie within the platform's factor.
fn control_text(found: &Calibration) -> Option<String> {
    let factor = factor(&found.platform)?;
    let controls = &found.controls;
    let within = controls.iter().filter(|c| is_within(c, factor)).count();
    Some(format!(
        " Nine in ten predictions of calibrators left out of the fit are within a factor of {factor:.2}; of the control programs, {within} of {}.",
        controls.len()
    ))
}

fn is_within(row: &Fitted, factor: f64) -> bool {
    let ratio = row.predicted / row.observed;
    ratio <= factor && ratio * factor >= 1.0
}

/// Renders a table of programs, sorted by decreasing error.
fn programs(heading: &str, sentence: &str, rows: &[Fitted], factor: Option<f64>) -> Markup {
    let mut sorted: Vec<&Fitted> = rows.iter().collect();
    let off = |r: &Fitted| (r.predicted / r.observed).ln().abs();
    sorted.sort_by(|a, b| off(b).total_cmp(&off(a)));
    let is_off = |row: &Fitted| factor.is_some_and(|factor| !is_within(row, factor));
    let rows = html! {
        @for row in sorted {
            tr {
                td { (row.name) }
                td { (duration_text(row.observed)) }
                td { (duration_text(row.predicted)) }
                td class=[is_off(row).then_some("off")] {
                    (format!("{:+.0}%", 100.0 * (row.predicted / row.observed - 1.0)))
                }
            } "\n"
        }
    };
    html! {
        h2 { (heading) } "\n"
        p { (sentence) } "\n"
        (table(&["program", "measured", "predicted", "difference"], &rows))
    }
}

/// The width of the bar next to a constant.
const BAR: f64 = 260.0;

/// Renders the constants with their intervals, in decreasing order.
fn constants(platform: &Platform) -> Markup {
    let ns = |value: &Rat| upper_f64(value);
    let mut sorted: Vec<(&Event, &Constant)> = platform.constants.iter().collect();
    sorted.sort_by(|(_, a), (_, b)| b.ns.cmp(&a.ns));
    let most = sorted.iter().map(|(_, c)| ns(&c.high)).fold(0.0, f64::max);
    // Use square roots, so that small constants remain visible.
    let at = |value: f64| (value / most).sqrt() * BAR;
    let rows = html! {
        @for (event, constant) in sorted {
            @let [low, here, high] = [&constant.low, &constant.ns, &constant.high].map(ns);
            tr {
                td { code { (event.to_string()) } }
                td { (tenths(here)) }
                td { (tenths(low)) }
                td { (tenths(high)) }
                td { (bar([low, here, high].map(at))) }
            } "\n"
        }
    };
    html! {
        h2 { "Constants" } "\n"
        p { "Nanoseconds an event; the bar is the 90% interval, on a scale of square roots." } "\n"
        (table(&["event", "ns", "from", "to", ""], &rows))
    }
}

/// Draws an interval with its estimate.
fn bar([low, here, high]: [f64; 3]) -> Markup {
    html! {
        svg viewBox=(format!("0 0 {BAR} 12")) width=(BAR) height="12" {
            line x1=(tenths(low)) y1="6" x2=(tenths(high)) y2="6" stroke="var(--fit)" stroke-width="3" {}
            circle cx=(tenths(here)) cy="6" r="4" fill="var(--control)" {}
        }
    }
}

/// Renders published constants next to the measured constants.
fn beside_papers(platform: &Platform, papers: &[Platform]) -> Markup {
    let measured = &platform.constants;
    let shared = |paper: &&Platform| paper.constants.keys().any(|e| measured.contains_key(e));
    let papers: Vec<&Platform> = papers.iter().filter(shared).collect();
    if papers.is_empty() {
        return Markup::default();
    }
    let ns = |platform: &Platform, event: &Event| {
        let constant = platform.constants.get(event);
        constant.map_or_else(|| "0".to_owned(), |c| tenths(upper_f64(&c.ns)))
    };
    let is_printed = |event: &&Event| papers.iter().any(|p| p.constants.contains_key(*event));
    let rows = html! {
        @for event in measured.keys().filter(is_printed) {
            tr {
                td { code { (event.to_string()) } }
                td { (ns(platform, event)) }
                @for paper in &papers { td { (ns(paper, event)) } }
            } "\n"
        }
    };
    let names = papers.iter().map(|paper| paper.name.as_str());
    let columns: Vec<&str> = ["event", "here"].into_iter().chain(names).collect();
    html! {
        h2 { "The papers' constants" } "\n"
        p { "Nanoseconds an event, on the machines of their time; 0 where a model leaves the event out." } "\n"
        (table(&columns, &rows))
    }
}

/// Renders the models of PADL'07 in the form of its Table 2.
fn explored(models: &[Explored]) -> Markup {
    let Some(largest) = models.iter().max_by_key(|model| model.constants.len()) else {
        return Markup::default();
    };
    let events: Vec<&Event> = largest.constants.keys().collect();
    let names: Vec<String> = events.iter().map(ToString::to_string).collect();
    let names = names.iter().map(String::as_str);
    let columns: Vec<&str> = (["S"].into_iter().chain(names))
        .chain(["control programs"])
        .collect();
    let rows = html! {
        @for model in models {
            tr {
                td { (percent(model.standard_error)) }
                @for event in &events {
                    td { @if let Some(ns) = model.constants.get(*event) { (tenths(*ns)) } }
                }
                td { @if let Some(off) = &model.controls { (percent(off.root_mean_square)) } }
            } "\n"
        }
    };
    html! {
        h2 { "Models of PADL'07" } "\n"
        p {
            "Every subset of six events, in nanoseconds, fitted to the calibrators without built-ins by least squares; S is the standard error as a share of \
             the times, the last column the root mean square over control programs without built-ins."
        } "\n"
        (table(&columns, &rows))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use costlens_calibrate::{ProgramRow, fit};
    use costlens_platform::{FACTOR, measured, stored};

    use super::*;

    #[test]
    fn a_page_has_the_programs_the_constants_and_those_of_the_papers() {
        let row = |name: &str, steps: f64, ns: f64| ProgramRow {
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
            "<td>far&lt;away&gt;</td><td>1.000 µs</td><td>2.000 µs</td><td class=\"off\">+100%",
            "<td>near</td><td>1.000 µs</td><td>1.100 µs</td><td>+10%",
            "<code>&lt;/2</code></td><td>20.0</td><td>18.0</td><td>25.0",
            "<th>padl07-intel-1",
            "<tr><td>25.0%</td><td>9.5</td><td></td></tr>",
            "<title>long: 100.0 µs",
            "<td>append</td><td>1.000 µs</td><td>1.900 µs",
        ] {
            assert!(page.contains(part), "{part}\n{page}");
        }
        assert_eq!(page.matches("<circle").count(), 4 + 2 + 1 + 2);
    }
}
