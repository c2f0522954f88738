//! The report of a calibration as a page: predicted and measured times, constants with their intervals, and published constants.

mod scatter;

use costlens_algebra::Rat;
use costlens_algebra::text::upper_f64;
use costlens_calibrate::{Errors, Explored, Fitted, by_error, errors};
use costlens_events::Event;
use costlens_ide::present::times::duration_text;
use costlens_platform::{Constant, Platform};
use maud::{Markup, html};

use self::scatter::scatter;
use super::Calibration;
use crate::report::html::{code, table};
use crate::report::{columns, html, percent};

const STYLE: &str = "\
:root { --fit: light-dark(#8c959f, #7d8590); --control: light-dark(#c4571b, #f0883e); --band: light-dark(#eef2f6, #20262d); }
.off { color: var(--control); }
svg { max-width: 100%; height: auto; } svg text { fill: var(--quiet); font-size: 12px; }
";

/// Renders the page. `papers` contains the platforms whose constants are shown for comparison.
pub(super) fn page(found: &Calibration, papers: &[Platform]) -> String {
    let platform = &found.platform;
    let title = format!("Calibration of {}", platform.engine);
    let factor = factor(platform);
    let apart = "They are not part of the fit.";
    let body = html! {
        h1 { (title) } "\n"
        (summary(found))
        h2 { "Predicted against measured times" } "\n"
        (scatter(found))
        (programs("Control programs", apart, &found.controls, factor))
        (programs("The programs of PPDP'08, Table 7", apart, &found.targets, factor))
        (constants(platform))
        (next_to_papers(platform, papers))
        (explored(&found.explored))
        (programs("Calibrators", "The constants were fitted to these.", &found.fit.rows, factor))
    };
    html::page(&title, &body, STYLE, "")
}

fn factor(platform: &Platform) -> Option<f64> {
    platform.factor().map(upper_f64)
}

/// Formats a number of nanoseconds with one decimal.
fn tenths(ns: f64) -> String {
    format!("{ns:.1}")
}

/// Renders a table of numbers, each row with a name.
fn numbers(caption: &str, head: &[&str], rows: impl Iterator<Item = Vec<Markup>>) -> Markup {
    let (name, numbers) = head.split_at(1);
    let columns = columns(name, numbers.iter().map(ToString::to_string));
    table(caption, &columns, rows)
}

/// Renders the platform, the machine, and the errors in a table.
fn summary(found: &Calibration) -> Markup {
    let platform = &found.platform;
    let machine: Vec<String> = (platform.machine.iter())
        .map(|(key, value)| format!("{key}: {value}"))
        .collect();
    let apart = [
        ("control programs", &found.controls),
        ("PPDP'08, Table 7", &found.targets),
    ];
    let apart = apart
        .into_iter()
        .filter_map(|(name, programs)| Some(errors_row(name, programs.len(), &errors(programs)?)));
    let fitted = errors_row("calibrators", found.fit.rows.len(), &found.errors);
    let rows = std::iter::once(fitted).chain(apart);
    let head = ["programs", "number", "root mean square", "mean", "worst"];
    html! {
        p { b { (platform.name) } ", " (platform.date) ". " (platform.origin) } "\n"
        p class="quiet" { (machine.join(" · ")) } "\n"
        (numbers("Errors of predictions", &head, rows))
        p { "Noise of the measured times: " (percent(found.noise)) "." (control_text(found).unwrap_or_default()) } "\n"
    }
}

fn errors_row(name: &str, number: usize, off: &Errors) -> Vec<Markup> {
    let errors = [off.root_mean_square, off.mean_absolute, off.worst];
    let errors = errors.map(|error| html! { (percent(error)) });
    [html! { (name) }, html! { (number) }]
        .into_iter()
        .chain(errors)
        .collect()
}

/// States the number of control programs that lie within the platform's factor.
fn control_text(found: &Calibration) -> Option<String> {
    let factor = factor(&found.platform)?;
    let controls = &found.controls;
    let within = controls.iter().filter(|c| c.is_within(factor)).count();
    Some(format!(
        " Nine in ten predictions of calibrators left out of the fit are within a factor of {factor:.2}; of the control programs, {within} of {}.",
        controls.len()
    ))
}

/// Renders a table of programs, sorted by decreasing error.
fn programs(heading: &str, caption: &str, programs: &[Fitted], factor: Option<f64>) -> Markup {
    let is_off = |row: &Fitted| factor.is_some_and(|factor| !row.is_within(factor));
    let rows = by_error(programs).into_iter().map(|row| {
        let difference = format!("{:+.0}%", 100.0 * (row.ratio() - 1.0));
        vec![
            html! { (row.name) },
            html! { (duration_text(row.observed)) },
            html! { (duration_text(row.predicted)) },
            html! { span class=[is_off(row).then_some("off")] { (difference) } },
        ]
    });
    let head = ["program", "measured", "predicted", "difference"];
    html! {
        h2 { (heading) } "\n"
        (numbers(caption, &head, rows))
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
    let rows = sorted.into_iter().map(|(event, constant)| {
        let [low, here, high] = [&constant.low, &constant.ns, &constant.high].map(ns);
        let times = [here, low, high].map(|time| html! { (tenths(time)) });
        let mut cells = vec![code(&event.to_string())];
        cells.extend(times);
        cells.push(bar([low, here, high].map(at)));
        cells
    });
    let head = ["event", "ns", "from", "to", "interval"];
    let caption = "Nanoseconds an event; the bar is the 90% interval, on a scale of square roots.";
    html! {
        h2 { "Constants" } "\n"
        (numbers(caption, &head, rows))
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
fn next_to_papers(platform: &Platform, papers: &[Platform]) -> Markup {
    let measured = &platform.constants;
    let shared = |paper: &&Platform| paper.constants.keys().any(|e| measured.contains_key(e));
    let papers: Vec<&Platform> = papers.iter().filter(shared).collect();
    if papers.is_empty() {
        return Markup::default();
    }
    let ns = |platform: &Platform, event: &Event| {
        let constant = platform.constants.get(event);
        let ns = constant.map_or_else(|| "0".to_owned(), |c| tenths(upper_f64(&c.ns)));
        html! { (ns) }
    };
    let is_printed = |event: &&Event| papers.iter().any(|p| p.constants.contains_key(*event));
    let rows = measured.keys().filter(is_printed).map(|event| {
        let published = papers.iter().map(|paper| ns(paper, event));
        let names = [code(&event.to_string()), ns(platform, event)];
        names.into_iter().chain(published).collect()
    });
    let names = papers.iter().map(|paper| paper.name.as_str());
    let head: Vec<&str> = ["event", "here"].into_iter().chain(names).collect();
    let caption = "Nanoseconds an event, on the machines of their time; 0 where a model leaves the event out.";
    html! {
        h2 { "The papers' constants" } "\n"
        (numbers(caption, &head, rows))
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
    let head: Vec<&str> = (["S"].into_iter().chain(names))
        .chain(["control programs"])
        .collect();
    let rows = models.iter().map(|model| {
        let constants = events.iter().map(|event| model.constants.get(*event));
        let constants = constants.map(|ns| ns.copied().map(tenths));
        let controls = model.controls.map(|off| percent(off.root_mean_square));
        let cells = std::iter::once(Some(percent(model.standard_error)))
            .chain(constants)
            .chain([controls]);
        cells
            .map(|cell| html! { (cell.unwrap_or_default()) })
            .collect()
    });
    let caption = "Every subset of six events, in nanoseconds, fitted to the calibrators without built-ins by least squares; S is the standard error as a \
                   share of the times, the last column the root mean square over control programs without built-ins.";
    html! {
        h2 { "Models of PADL'07" } "\n"
        (numbers(caption, &head, rows))
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
        let shown = |name: &str, numbers: &[&str]| {
            let numbers: Vec<String> = (numbers.iter())
                .map(|number| format!("<td class=\"number\">{number}</td>"))
                .collect();
            format!("<th scope=\"row\">{name}</th>{}", numbers.concat())
        };
        let off = "<span class=\"off\">+100%</span>";
        for part in [
            "of the control programs, 1 of 2",
            "<th scope=\"col\" class=\"number\">padl07-intel-1",
            "<title>long: 100.0 µs",
            &shown("far&lt;away&gt;", &["1.000 µs", "2.000 µs", off]),
            &shown("near", &["1.000 µs", "1.100 µs", "<span>+10%</span>"]),
            &shown("<code>&lt;/2</code>", &["20.0", "18.0", "25.0"]),
            &shown("25.0%", &["9.5", ""]),
            &shown("append", &["1.000 µs", "1.900 µs"]),
        ] {
            assert!(page.contains(part), "{part}\n{page}");
        }
        assert_eq!(page.matches("<circle").count(), 4 + 2 + 1 + 2);
    }
}
