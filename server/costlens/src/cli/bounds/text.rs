//! Bounds as text: a row for each pattern, with columns aligned over a file.

use costlens_algebra::text::Names;
use costlens_analysis::report::{
    AllWork, Bound, EvaluatedPoint, Origin, PatternReport, PieceKind, Side, SizeVariable,
};
use costlens_ide::predicate::assertion::assertion;
use costlens_ide::present::collected::{none_up_to, with_collections};
use costlens_ide::present::headline;
use costlens_ide::present::markup::aligned;
use costlens_ide::present::parameters::{assumptions_text, parameter_meaning};
use costlens_ide::present::regions::region_readable;
use costlens_ide::present::times::{conditional, duration_text, time_text};
use costlens_ide::present::values::{BoundValue, GivenSize, steps_at};
use costlens_ide::present::{
    describe, determinism_text, finite, first_is_all, headline_class, indicator, names_in,
    readable, report_head, size_meaning, why_loose, work_by, work_shown,
};
use costlens_ide::reports::bounds::Assumption;

use super::FileRows;
use crate::cli::resources::ResourceBounds;

/// Formats all bounds.
pub(super) fn as_text(all: &[FileRows], at: Option<&[GivenSize]>) -> String {
    let mut out = String::new();
    let mut inferred = false;
    for file in all {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&file.source.name);
        out.push('\n');
        if file.predicates.is_empty() {
            out.push_str("  no predicates\n");
            continue;
        }
        // Columns are aligned over the whole file, so the lines below each row are first kept separately.
        let (mut rows, mut below) = (Vec::new(), Vec::new());
        for p in &file.predicates {
            for i in 0..p.steps.report.patterns.len() {
                let mut lines = Vec::new();
                for (k, on) in p.on.iter().enumerate() {
                    let Some(pattern) = on.bounds.report.patterns.get(i) else {
                        continue;
                    };
                    // The row shows the first resource; lines below it show the other resources.
                    if k == 0 {
                        inferred |= pattern.origin == Origin::Inferred;
                        let evaluated = p.evaluated.get(i).and_then(Option::as_ref);
                        rows.push(row(on, pattern, &p.sizes(i), at, evaluated));
                    } else {
                        lines.push(format!("{}: {}", on.name, other(on, pattern, at)));
                    }
                    lines.extend(details(on, pattern, i, at));
                }
                below.push(lines);
            }
            if p.steps.report.patterns.is_empty() {
                rows.push(vec![
                    indicator(&p.steps.report.predicate),
                    "no call pattern".to_owned(),
                ]);
                below.push(Vec::new());
            }
        }
        let table = aligned(&rows, "  ");
        for (line, details) in table.lines().zip(below) {
            out.push_str(line);
            out.push('\n');
            for detail in details {
                out.push_str("      ");
                out.push_str(&detail);
                out.push('\n');
            }
        }
        for assumption in &file.rests_on {
            // Nearly every module assumes that `user` hides no library predicate.
            if !matches!(assumption, Assumption::NoOther(_)) {
                out.push_str(&format!("  assuming that {assumption}\n"));
            }
        }
    }
    if inferred {
        out.push_str("\n~ the call pattern is inferred from the clauses, not declared\n");
    }
    out
}

/// Formats the bounds on steps as assertions: one for each call pattern of each predicate, below the name of its file.
pub(super) fn as_assertions(all: &[FileRows]) -> String {
    let mut out = String::new();
    for file in all {
        out.push_str(&format!("% {}\n", file.source.name));
        for row in &file.predicates {
            let report = &row.steps.report;
            for pattern in &report.patterns {
                let names = &row.steps.arguments;
                match assertion("true", &report.predicate, pattern, names) {
                    Some(assertion) => out.push_str(&assertion),
                    None => out.push_str(&format!(
                        "% {}: a type of its arguments has no name",
                        indicator(&report.predicate)
                    )),
                }
                out.push('\n');
            }
        }
    }
    out
}

/// Returns the columns of a row: the pattern, its determinism, its class, its bounds, and their sizes.
fn row(
    on: &ResourceBounds,
    pattern: &PatternReport,
    sizes: &[SizeVariable],
    at: Option<&[GivenSize]>,
    evaluated: Option<&EvaluatedPoint>,
) -> Vec<String> {
    let names = names_in(pattern);
    let p = &on.bounds;
    let mark = if pattern.origin == Origin::Inferred {
        "~"
    } else {
        ""
    };
    let head = report_head(&p.report.predicate.name, pattern, &p.arguments);
    let (class, bounds) = match pattern.main_piece() {
        None => (String::new(), "nothing is known".to_owned()),
        Some(_) => match work_of(on, pattern) {
            Some(work) => {
                let names = names_in(work);
                let class = headline_class(work, &names).unwrap_or_default();
                (format!("{class} work"), headline_text(on, work, &names))
            }
            None => {
                let mut class = headline_class(pattern, &names).unwrap_or_default();
                if on.name == "steps" && pattern.work == AllWork::Unknown && !class.is_empty() {
                    class.push_str(" steps");
                }
                (class, headline_text(on, pattern, &names))
            }
        },
    };
    let parameters = pattern.parameters.iter();
    let meanings: Vec<String> = (sizes.iter())
        .map(|s| size_meaning(s, &p.arguments))
        .chain(parameters.map(|parameter| parameter_meaning(parameter, &p.arguments)))
        .collect();
    let mut cells = vec![
        format!("{mark}{head}"),
        determinism_text(pattern.determinism).to_owned(),
        class,
        bounds,
    ];
    if let Some(given) = at {
        let mut shown = values(on, pattern, given);
        if let Some(point) = evaluated.filter(|_| on.name == "steps") {
            shown.push_str(&format!(" (at most {} by the recurrence)", point.all));
        }
        cells.push(shown);
    }
    cells.push(meanings.join(", "));
    cells
}

/// Returns the report on all work if a row about steps shows it instead.
fn work_of<'r>(on: &ResourceBounds, pattern: &'r PatternReport) -> Option<&'r PatternReport> {
    work_shown(pattern).filter(|_| on.name == "steps")
}

/// Formats bounds in the wording for their resource.
fn bounds_text(
    on: &ResourceBounds,
    kind: PieceKind,
    lower: &Bound,
    upper: &Bound,
    names: &Names<'_>,
) -> String {
    if on.is_time {
        time_text(lower, upper, names)
    } else {
        describe(kind, lower, upper, names)
    }
}

/// Formats the headline, with its condition and its exceptions.
fn headline_text(on: &ResourceBounds, pattern: &PatternReport, names: &Names<'_>) -> String {
    let words = |kind, lower: &Bound, upper: &Bound| bounds_text(on, kind, lower, upper, names);
    conditional(pattern, headline::qualified(pattern, names, &words))
}

/// Formats the bounds on a resource other than the row's.
fn other(on: &ResourceBounds, pattern: &PatternReport, at: Option<&[GivenSize]>) -> String {
    let names = names_in(pattern);
    if pattern.main_piece().is_none() {
        return "nothing is known".to_owned();
    }
    let text = headline_text(on, pattern, &names);
    match at {
        Some(given) => format!("{text}, {}", values(on, pattern, given)),
        None => text,
    }
}

/// Formats values at given sizes: `at: 496`, `at: 30 to 496`.
fn values(on: &ResourceBounds, pattern: &PatternReport, given: &[GivenSize]) -> String {
    let at = steps_at(pattern, given);
    let show = |v: &BoundValue| match v {
        BoundValue::Infinite => "diverges".to_owned(),
        other => (if on.is_time {
            other.at_least().map(duration_text)
        } else {
            other.exact()
        })
        .unwrap_or_else(|| "?".to_owned()),
    };
    let (lower, upper) = (show(&at.first.lower), show(&at.all.upper));
    let loose = match pattern.headline.loose {
        Some(_) => ", which may be loose",
        None => "",
    };
    if lower == upper {
        format!("at: {upper}")
    } else {
        format!("at: {lower} to {upper}{loose}")
    }
}

/// Formats the garbage collections for a bound on time: `no garbage collection up to n ≈ 2,100; at most (3n)/6600 collections`.
fn garbage(on: &ResourceBounds, index: usize, at: Option<&[GivenSize]>) -> Option<String> {
    let (cells, collection) = on.collected.as_ref()?;
    let report = cells.report.patterns.get(index)?;
    let cells = finite(report.headline.where_bounded().1)?;
    let none = none_up_to(report, collection);
    if cells.as_constant().is_some() {
        return none;
    }
    let text = readable(report.headline.where_bounded().1, &names_in(report));
    let first = collection.first.to_integer();
    let often = format!("at most ({text})/{first} collections");
    let mut line = match none {
        Some(none) => format!("{none}; {often}"),
        None => often,
    };
    // The additional time of collections at the given sizes.
    let time = at.and_then(|given| {
        let time = steps_at(on.bounds.report.patterns.get(index)?, given);
        let cells = steps_at(report, given).all.upper.at_least()?;
        with_collections(time.all.upper.at_least()?, cells, collection)
    });
    if let Some(ns) = time {
        line.push_str(&format!(", with them at most {}", duration_text(ns)));
    }
    Some(line)
}

/// Formats pieces, bounds on the first solution, and reasons, one per line.
fn details(
    on: &ResourceBounds,
    pattern: &PatternReport,
    index: usize,
    at: Option<&[GivenSize]>,
) -> Vec<String> {
    let names = names_in(pattern);
    let mut lines = Vec::new();
    let p = &on.bounds;
    if work_of(on, pattern).is_some() {
        let class = headline_class(pattern, &names).unwrap_or_default();
        lines.push(format!(
            "steps: {class}  {}",
            headline_text(on, pattern, &names)
        ));
        if let Some(by) = work_by(pattern, "`") {
            lines.push(format!("more work than steps, by {by}"));
        }
    }
    let text = |kind, lower, upper| bounds_text(on, kind, lower, upper, &names);
    let (first, all) = headline::parts(pattern);
    // If the predicate diverges on redo, the headline already states this.
    if !first_is_all(pattern) && first != all && all.upper != Bound::Infinite {
        lines.push(format!(
            "to the first solution: {}",
            text(headline::kind(pattern), &first.lower, &first.upper)
        ));
    }
    if let Some(why) = pattern.headline.loose {
        lines.push(format!("may be loose: {}", why_loose(why)));
    }
    let is_said = headline::is_main(pattern);
    for (i, piece) in pattern.steps.iter().enumerate() {
        if i != pattern.main || !is_said {
            let (lower, upper) = piece.envelope();
            let when = headline::plain(&piece.when, &[], &pattern.sizes);
            let when = region_readable(&when, &names);
            let words = match (&piece.first.upper, upper) {
                (Bound::Finite(_), Bound::Infinite) => format!(
                    "{} to the first solution, {}",
                    text(PieceKind::Bounded, lower, &piece.first.upper),
                    headline::piece_redone(pattern, piece)
                ),
                _ => text(piece.kind, lower, upper),
            };
            lines.push(format!("for {when}: {words}"));
        }
    }
    let is_said = matches!(pattern.headline.envelope().1, Bound::Finite(_));
    if let Some(condition) = pattern.condition.filter(|_| !is_said) {
        lines.push(format!("upper bounds are {}", condition.text()));
    }
    lines.extend(garbage(on, index, at));
    if index == 0 && !p.clauses_from.is_empty() {
        lines.push(format!("clauses of {}", p.clauses_from.join(", ")));
    }
    if let Some(trust) = p.rests_on.get(index).filter(|t| !t.is_empty()) {
        lines.push(format!("rests on trust: {}", trust.join(", ")));
    }
    let places = p.parameters.get(index);
    for (i, parameter) in pattern.parameters.iter().enumerate() {
        if let Some(why) = &parameter.why {
            let place = (places.and_then(|all| all.get(i)?.as_ref()))
                .map_or_else(String::new, |place| {
                    format!(" ({}:{})", place.file, place.line)
                });
            let reason = why.reason.trim_end_matches('.');
            let line = format!("{}{place}: {reason}. {}", parameter.name, why.help);
            lines.push(line.trim_end().to_owned());
        }
    }
    for assumption in assumptions_text(pattern, &p.arguments, "`") {
        lines.push(format!("if {assumption}"));
    }
    for (i, u) in pattern.unknown.iter().enumerate() {
        let place = (p.causes.get(index).and_then(|c| c.get(i)?.as_ref()))
            .map_or_else(String::new, |place| {
                format!(" ({}:{})", place.file, place.line)
            });
        let side = match u.side {
            Side::Lower => "lower",
            Side::Upper => "upper",
        };
        let help = if u.help.is_empty() {
            String::new()
        } else {
            format!(" {}", u.help)
        };
        let reason = u.reason.trim_end_matches('.');
        let cause = (p.cause_names.get(index).and_then(|names| names.get(i)))
            .map_or_else(|| indicator(&u.cause), Clone::clone);
        lines.push(format!(
            "no {side} bound: in {cause}{place}, {reason}.{help}"
        ));
    }
    lines
}
