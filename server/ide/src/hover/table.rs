//! Formats the hover for a predicate in Markdown: signature, cost, table of bounds, and derivation.

use costlens_algebra::rat;
use costlens_algebra::text::Names;
use costlens_analysis::report::{
    AllWork, Bound, Evaluated, Explanation, Functor, Headline, Interval, Origin, OutputSize,
    PatternReport, Piece, PieceKind, PredicateReport, Side, SizeVariable,
};
use costlens_analysis::types::Metric;

use super::blame::{no_bound, open_costs, unknown};
use crate::plot::{as_markdown, plot};
use crate::present::collected::collected_at;
use crate::present::headline::{in_words, only_for, plain, qualified};
use crate::present::markup::{code_list, escaped, line, table};
use crate::present::parameters::{assumptions_text, parameter_meaning};
use crate::present::reach::reach_text;
use crate::present::regions::region_readable;
use crate::present::times::{time_at, time_words};
use crate::present::{
    argument_name, describe, determinism_text, evaluated, exact_text, finite, first_is_all,
    headline_class, hint_text, indicator, names_in, origin_sentence, outward, readable,
    report_head, size_meaning, solutions_text, why_loose, work_by, work_shown,
};
use crate::resources::Calibrated;

/// The maximum number of patterns or reasons that are listed. Longer lists are replaced by a count.
const LONGEST_LIST: usize = 6;

/// The maximum number of regions of sizes that are displayed. `explain` shows all.
const MOST_REGIONS: usize = 4;

/// The maximum number of equations, and the maximum length of an equation. `explain` shows all.
const MOST_EQUATIONS: usize = 4;
const LONGEST_EQUATION: usize = 100;

/// Additions to the report of the most informative pattern.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Extras {
    /// A Markdown sentence about the call that dominates the bound.
    pub(super) dominating: Option<String>,
    /// The text of the predicate's comment, in Markdown.
    pub(super) documentation: Option<String>,
    /// True if the client does not render tables in Markdown.
    pub(super) plain_tables: bool,
    /// The derivation of the bounds.
    pub(super) explanation: Option<Explanation>,
    /// Upper bounds at small sizes, if there is no closed form.
    pub(super) evaluated: Option<Evaluated>,
    /// The trusted lines on which the bounds depend, as files and line numbers.
    pub(super) rests_on: Vec<String>,
    /// The files that contain clauses of a multifile predicate, if there are several.
    pub(super) clauses_from: Vec<String>,
    /// True to draw the bounds.
    pub(super) plot: bool,
    /// A Markdown sentence about an input that attains the upper bound.
    pub(super) attained: Option<String>,
    /// The time on a platform.
    pub(super) time: Option<Time>,
}

/// The time of a pattern, and the number of cells that it builds if the platform collects garbage.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Time {
    /// Bounds for the platform named by the user, shown in full.
    Bounds(Calibrated, PatternReport, Option<PatternReport>),
    /// A single value, for the default platform of the file.
    AtASize(Calibrated, PatternReport, Option<PatternReport>),
    /// The named platform is not stored.
    NotStored(String),
}

/// Formats the entire hover: the most informative pattern in full, and each other pattern on one line.
#[must_use]
pub(super) fn predicate(
    report: &PredicateReport,
    arguments: &[Option<String>],
    extras: &Extras,
) -> String {
    let mut text = String::new();
    let Some(telling) = report.telling() else {
        let name = indicator(&report.predicate);
        line(
            &mut text,
            &format!("### `{name}`\n\nNo call pattern is known."),
        );
        return text;
    };
    pattern(&mut text, &report.predicate, telling, arguments, extras);
    let is_other = |p: &&PatternReport| !std::ptr::eq(*p, telling);
    let others: Vec<&PatternReport> = report.patterns.iter().filter(is_other).collect();
    if !others.is_empty() {
        text.push_str("\nOther call patterns:\n\n");
        for p in others.iter().take(LONGEST_LIST) {
            let head = report_head(&report.predicate.name, p, arguments);
            let cost = hint_text(p).map_or_else(|| "cost ?".to_owned(), |(_, t)| t);
            line(&mut text, &format!("- `{head}`: {}", escaped(&cost)));
        }
        if others.len() > LONGEST_LIST {
            line(
                &mut text,
                &format!("- and {} more", others.len() - LONGEST_LIST),
            );
        }
    }
    text
}

fn pattern(
    text: &mut String,
    predicate: &Functor,
    report: &PatternReport,
    arguments: &[Option<String>],
    extras: &Extras,
) {
    let names = names_in(report);
    let head = report_head(&predicate.name, report, arguments);
    let mut signature = format!("### `{head}` is {}", determinism_text(report.determinism));
    if report.errors_possible {
        signature.push_str(", or raises an exception");
    }
    line(text, &signature);
    let is_unbounded = is_unbounded(report);
    let comment = |text: &mut String| {
        if let Some(comment) = &extras.documentation {
            line(text, &format!("\n{comment}"));
        }
    };
    // If bounds are missing, the reasons come first.
    let is_missing = report.headline.all.upper == Bound::Unknown;
    if !is_missing {
        comment(text);
    }
    if is_unbounded {
        no_bound(text, predicate, report);
        let sizes = meanings(report, arguments, extras.evaluated.is_some());
        if !sizes.is_empty() {
            line(text, &format!("\nSizes: {}.", sizes.join(", ")));
        }
    } else {
        line(text, &format!("\n{}", cost(report, arguments)));
        let assumed = assumptions_text(report, arguments, "`");
        if !assumed.is_empty() {
            line(text, &format!("\nIf {}.", assumed.join(", and if ")));
        }
        open_costs(text, predicate, report);
        unknown(text, predicate, report, "No upper bound");
    }
    if is_missing {
        comment(text);
    }
    if let Some(by) = work_by(report, "`") {
        line(
            text,
            &format!(
                "\nThe work is more than the steps by {by}. A term of unknown size counts as one unit."
            ),
        );
    }
    if report.work == AllWork::Unknown && !is_missing {
        line(
            text,
            "\nNo close bound on the work of its built-ins is known.",
        );
    }
    if let Some(why) = report.headline.loose {
        line(
            text,
            &format!("\nThe upper bound may be loose: {}.", why_loose(why)),
        );
    }
    if report.main_piece().is_some() && !is_unbounded {
        bounds_table(text, report, &names, extras.plain_tables);
    }
    at_sizes(text, report, extras);
    outputs(text, report, &names, arguments);
    if extras.plot
        && let Some(svg) = plot(report, arguments, extras.evaluated.as_ref())
    {
        line(text, &format!("\n{}", as_markdown(&svg)));
    }
    if let Some(sentence) = &extras.dominating {
        line(text, &format!("\n{sentence}"));
    }
    sources(text, report.origin, extras);
    if let Some(explanation) = &extras.explanation {
        derivation(text, report, explanation);
    }
}

/// Formats the headline as a sentence, followed by the meanings of its sizes.
fn cost(report: &PatternReport, arguments: &[Option<String>]) -> String {
    let mut words = escaped(&in_words(report));
    let mut all = meanings(report, arguments, false);
    if let Some(work) = work_shown(report) {
        words = format!("{}. {words}", escaped(&work_in_words(work)));
        for meaning in meanings(work, arguments, false) {
            if !all.contains(&meaning) {
                all.push(meaning);
            }
        }
    }
    let meanings = all;
    match meanings.is_empty() {
        true => format!("**{words}**"),
        false => format!("**{words}** where {}", meanings.join(", ")),
    }
}

/// Formats a bound on all work: `O(n²) work: 3n² + 3 to 5n² + 4n + 3 units`.
fn work_in_words(work: &PatternReport) -> String {
    let names = names_in(work);
    let class = headline_class(work, &names).unwrap_or_default();
    let bounds = qualified(work, &names, &|kind, lower, upper| {
        format!("{} units", describe(kind, lower, upper, &names))
    });
    format!("{class} work, {bounds}")
}

/// Formats, as code, the meanings of the sizes that the hover mentions. With `all`, the meanings of all sizes are returned, for values at
/// given sizes.
fn meanings(report: &PatternReport, arguments: &[Option<String>], all: bool) -> Vec<String> {
    (report.sizes.iter())
        .filter(|s| all || is_mentioned(report, s))
        .map(|s| size_meaning(s, arguments))
        .chain((report.parameters.iter()).map(|p| parameter_meaning(p, arguments)))
        .map(|meaning| format!("`{meaning}`"))
        .collect()
}

/// Returns true if there is no bound on steps for any size.
fn is_unbounded(report: &PatternReport) -> bool {
    let (lower, upper) = report.headline.envelope();
    report.steps.len() == 1
        && matches!((lower, upper), (Bound::Finite(e), Bound::Unknown) if e.is_zero())
}

/// Returns true if the part of the hover about a pattern mentions a size.
fn is_mentioned(report: &PatternReport, size: &SizeVariable) -> bool {
    let in_bound = |bound: &Bound| finite(bound).is_some_and(|e| e.variables().contains(&size.var));
    let in_interval = |i: &Interval| in_bound(&i.lower) || in_bound(&i.upper);
    let in_piece = |p: &Piece| {
        in_interval(&p.first) || in_interval(&p.all) || p.when.variables().contains(&size.var)
    };
    let in_output = |o: &OutputSize| {
        let sides = [&o.lower, &o.upper];
        (sides.into_iter().flatten()).any(|e| e.variables().contains(&size.var))
    };
    let regions = report.headline.bounded.as_ref();
    in_interval(&report.headline.first)
        || in_interval(&report.headline.all)
        || regions.is_some_and(|r| in_interval(&r.first) || in_interval(&r.all))
        || report.steps.len() > 1 && report.steps.iter().any(in_piece)
        || in_interval(&report.solutions)
        || report.outputs.iter().any(in_output)
}

/// Writes concrete consequences of the bounds: values at small sizes, an input that attains them, times, and the sizes that fit a budget.
fn at_sizes(text: &mut String, report: &PatternReport, extras: &Extras) {
    if let Some(evaluated) = &extras.evaluated {
        line(
            text,
            &format!("\n{}.", escaped(&evaluated::words(evaluated))),
        );
    }
    if let Some(sentence) = &extras.attained {
        line(text, &format!("\n{sentence}"));
    }
    let is_loose = report.headline.loose.is_some();
    let time = (extras.time.as_ref()).and_then(|time| time_text(time, is_loose));
    let reach = || {
        let (of, called) = match work_shown(report) {
            Some(work) => (work, "10⁶ units of work"),
            None => (report, "10⁶ steps"),
        };
        let sentence = reach_text(of, &rat(1_000_000), called)?;
        Some(format!("{sentence}."))
    };
    if let Some(sentence) = time.or_else(reach) {
        line(text, &format!("\n{sentence}"));
    }
}

/// Writes the origins of the pattern, of the clauses, and of trusted facts.
fn sources(text: &mut String, origin: Origin, extras: &Extras) {
    let sentence = format!("Call pattern: {}.", origin_sentence(origin));
    if origin == Origin::Inferred {
        line(text, &format!("\n*{sentence}*"));
    } else {
        line(text, &format!("\n{sentence}"));
    }
    if !extras.clauses_from.is_empty() {
        line(
            text,
            &format!(
                "\nIts clauses come from {}.",
                code_list(&extras.clauses_from)
            ),
        );
    }
    for sentence in rests_on(&extras.rests_on) {
        line(text, &format!("\n{sentence}"));
    }
}

/// Describes the origins of trusted facts: lines of the user, and libraries and built-ins with facts built into Costlens.
fn rests_on(places: &[String]) -> Vec<String> {
    let (shipped, own): (Vec<&String>, Vec<&String>) =
        places.iter().partition(|place| place.starts_with(SHIPPED));
    let mut names: Vec<String> = (shipped.into_iter())
        .filter_map(|place| place.strip_prefix(SHIPPED)?.split(':').next())
        .map(ToOwned::to_owned)
        .collect();
    names.dedup();
    let own: Vec<String> = own.into_iter().cloned().collect();
    let mut sentences = Vec::new();
    if !names.is_empty() {
        let names = code_list(&names);
        sentences.push(format!("Rests on what Costlens states of {names}."));
    }
    if !own.is_empty() {
        sentences.push(format!("Rests on trust: {}.", code_list(&own)));
    }
    sentences
}

/// The prefix of the names of files that ship with Costlens.
const SHIPPED: &str = "costlens:";

/// Formats the time in Markdown. Returns `None` if no useful bound is known.
fn time_text(time: &Time, is_loose: bool) -> Option<String> {
    match time {
        Time::Bounds(on, time, cells) => {
            let platform = &on.prices.platform;
            let words = escaped(&time_words(time));
            let at = at_a_size(on, time, cells.as_ref());
            let at = at.map_or_else(String::new, |at| format!(" {at}"));
            let loose = match is_loose {
                true => ", as loose as the bound on steps may be",
                false => "",
            };
            Some(format!("Time on `{platform}`{loose}: {words}.{at}"))
        }
        Time::AtASize(..) if is_loose => None,
        Time::AtASize(on, time, cells) => at_a_size(on, time, cells.as_ref()),
        Time::NotStored(platform) => {
            let platform = platform.replace('`', "'");
            Some(format!("Time: no platform `{platform}` is stored."))
        }
    }
}

/// Formats the time at one size, and a sentence about garbage collection.
fn at_a_size(
    on: &Calibrated,
    time: &PatternReport,
    cells: Option<&PatternReport>,
) -> Option<String> {
    let at = escaped(&time_at(time, on)?);
    let collected = cells.and_then(|cells| collected_at(time, cells, on));
    Some(match collected {
        Some(words) => format!("{at}; {}.", escaped(&words)),
        None => format!("{at}."),
    })
}

/// Writes a short derivation of the bound: the equations of a recursion, if there are few, and whether the solution was proved by induction.
/// `explain` shows the full derivation.
fn derivation(text: &mut String, report: &PatternReport, e: &Explanation) {
    let is_short = |e: &String| e.chars().count() <= LONGEST_EQUATION && !e.contains('?');
    if (1..=MOST_EQUATIONS).contains(&e.equations.len())
        && e.equations.iter().all(is_short)
        && e.equations.iter().any(|e| is_recurrence(e))
    {
        line(text, "\n```text");
        for equation in &e.equations {
            line(text, equation);
        }
        line(text, "```");
    }
    if finite(report.headline.where_bounded().1).is_none() {
        return;
    }
    let is_said = |word: &str| e.verification.iter().any(|v| v.contains(word));
    if is_said("induction") {
        line(text, "\nProved by induction.");
    } else if is_said("read off") {
        line(text, "\nProved: it does not call itself.");
    }
}

/// Returns true for a recurrence, such as `nrev(n) = nrev(n-1)+n+1`, and false for an explicit equation, such as `show(n) = 2n+1`.
fn is_recurrence(equation: &str) -> bool {
    let sides = equation.split_once('(').zip(equation.split_once(" = "));
    sides.is_some_and(|((name, _), (_, value))| value.contains(&format!("{name}(")))
}

/// Writes a table of the bounds: the headline, followed by regions of sizes.
///
/// The headline takes one row, or two rows if the first solution and all solutions have different costs. Its row is omitted if it covers
/// only some sizes and all regions follow. The row of a region is omitted if it repeats the headline.
fn bounds_table(text: &mut String, report: &PatternReport, names: &Names<'_>, is_plain: bool) {
    let Headline { first, all, .. } = &report.headline;
    let regions = match report.steps.len() {
        1 => &[],
        _ => report.steps.as_slice(),
    };
    let only_for = only_for(report, names);
    let is_left_out = !only_for.is_empty() && (1..=MOST_REGIONS).contains(&regions.len());
    let corner = if is_left_out { "steps" } else { "" };
    let mut rows = vec![[corner, "lower", "upper"].map(ToOwned::to_owned).to_vec()];
    if !is_left_out {
        let label = |runs: &str| format!("{}{only_for}", format!("steps {runs}").trim_end());
        rows.extend(interval_rows([first, all], names, label));
    }
    // If there are many regions, those that the headline does not cover come first.
    let mut shown: Vec<usize> = (0..regions.len()).collect();
    if !is_left_out {
        shown.sort_by_key(|i| !report.headline.except.contains(i));
    }
    for piece in shown
        .iter()
        .filter_map(|&i| regions.get(i))
        .take(MOST_REGIONS)
    {
        let said = only_for.is_empty().then_some([first, all]);
        rows.extend(region_rows(piece, report, names, said));
    }
    let is_sentence = first == all && all.upper == Bound::Unknown && regions.is_empty();
    if is_sentence {
        return;
    }
    text.push('\n');
    table(text, &rows, !is_plain);
    match regions.len().saturating_sub(MOST_REGIONS) {
        0 => {}
        1 => line(text, "\nand 1 more region of sizes"),
        more => line(text, &format!("\nand {more} more regions of sizes")),
    }
}

/// Writes the rows of a region, for the first solution and for all solutions. Facts that hold for all sizes are not repeated.
fn region_rows(
    piece: &Piece,
    report: &PatternReport,
    names: &Names<'_>,
    said: Option<[&Interval; 2]>,
) -> Vec<Vec<String>> {
    let when = plain(&piece.when, &[], &report.sizes);
    let when = region_readable(&when, names);
    if piece.kind == PieceKind::Failure {
        return vec![vec![when, "fails".to_owned(), "fails".to_owned()]];
    }
    let bounds = [&piece.first, &piece.all];
    if said == Some(bounds) {
        return Vec::new();
    }
    let label = |runs: &str| match runs {
        "" => when.clone(),
        runs => format!("{when}, {runs}"),
    };
    let mut rows = interval_rows(bounds, names, label);
    if let (Some([first, all]), 2) = (said, rows.len()) {
        let is_said = [piece.first == *first, piece.all == *all];
        let mut is_said = is_said.into_iter();
        rows.retain(|_| is_said.next() != Some(true));
    }
    rows
}

/// Writes one row if the first solution and all solutions have the same cost, and otherwise two rows. A label names the runs that each row
/// covers.
fn interval_rows(
    [first, all]: [&Interval; 2],
    names: &Names<'_>,
    label: impl Fn(&str) -> String,
) -> Vec<Vec<String>> {
    // Equal bounds are rounded in the same direction, different bounds outward.
    let side = |i: &Interval, side: Side| match (i.lower == i.upper, side) {
        (true, _) => readable(&i.upper, names),
        (false, Side::Lower) => outward(&i.lower, names, side),
        (false, Side::Upper) => outward(&i.upper, names, side),
    };
    let row =
        |runs: &str, i: &Interval| vec![label(runs), side(i, Side::Lower), side(i, Side::Upper)];
    match first == all {
        true => vec![row("", all)],
        false => vec![
            row("to the first solution", first),
            row("for all solutions", all),
        ],
    }
}

fn outputs(
    text: &mut String,
    report: &PatternReport,
    names: &Names<'_>,
    arguments: &[Option<String>],
) {
    let mut parts = Vec::new();
    for o in &report.outputs {
        let what = format!("{}({})", o.metric, argument_name(o.argument, arguments));
        let show = |e: &costlens_algebra::Expr| crate::present::formula(e, names);
        let lower = o.lower.as_ref().filter(|_| !is_trivial(o));
        match (lower, &o.upper) {
            (Some(l), Some(u)) if l == u => parts.push(format!("`{what} = {}`", show(u))),
            (Some(l), Some(u)) => parts.push(format!("`{} ≤ {what} ≤ {}`", show(l), show(u))),
            (None, Some(u)) => parts.push(format!("`{what} ≤ {}`", show(u))),
            (Some(l), None) => parts.push(format!("`{what} ≥ {}`", show(l))),
            (None, None) => {}
        }
    }
    if !parts.is_empty() {
        line(text, &format!("\nOn success {}.", parts.join(", ")));
    }
    let says_nothing = matches!(
        (&report.solutions.lower, &report.solutions.upper),
        (Bound::Finite(e), Bound::Unknown) if e.is_zero()
    );
    let solutions = exact_text(&report.solutions.upper, names);
    let is_one = first_is_all(report) && matches!(solutions.as_deref(), Some("1"));
    if !is_one && !says_nothing {
        let count = escaped(&solutions_text(&report.solutions, names));
        line(text, &format!("\nSolutions: {count}."));
    }
}

/// Returns true if the lower bound on an output's size holds for every list or term.
fn is_trivial(output: &OutputSize) -> bool {
    let least = match output.metric {
        Metric::Length | Metric::Chars | Metric::Keys => 0,
        Metric::Size => 1,
        Metric::Int => return false,
    };
    let below = |e: &costlens_algebra::Expr| e.as_constant().is_some_and(|c| c <= rat(least));
    output.lower != output.upper && output.lower.as_ref().is_some_and(below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{nrev, unknown};

    fn table_text(patterns: Vec<PatternReport>) -> String {
        let predicate = Functor {
            name: "nrev".into(),
            arity: 2,
        };
        let names = [Some("Xs".to_owned()), Some("Ys".to_owned())];
        super::predicate(
            &PredicateReport {
                predicate,
                patterns,
            },
            &names,
            &Extras::default(),
        )
    }

    #[test]
    fn an_exact_cost_is_one_row() {
        let text = table_text(vec![nrev()]);
        for part in [
            "### `nrev(+Xs:list(any), -Ys)` is det\n",
            "**Exactly n²/2 + 3n/2 + 1 steps** where `n = length(Xs)`",
            "| steps | n²/2 + 3n/2 + 1 | n²/2 + 3n/2 + 1 |",
            "`n = length(Xs)`",
            "`length(Ys) = n`",
            "Call pattern: declared.",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("Solutions"), "{text}");
    }

    #[test]
    fn what_is_unknown_says_where_and_what_to_do() {
        let text = table_text(vec![unknown(), nrev()]);
        assert!(
            text.contains("**At least 1 step; no upper bound found**"),
            "{text}"
        );
        assert!(!text.contains("| steps | 1 | ? |"), "{text}");
        assert!(
            text.contains("No upper bound: in `q/3`, the closure is not known. Declare"),
            "{text}"
        );
        assert!(text.contains("Other call patterns"), "{text}");
    }
}
