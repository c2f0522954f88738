//! A predicate's cost in Markdown, for hovers and tooltips.

use std::fmt::Write as _;

use costlens_algebra::rat;
use costlens_algebra::text::Names;
use costlens_analysis::report::{
    Bound, Evaluated, Explanation, Functor, Headline, Origin, PatternReport, PieceKind,
    PredicateReport, Side, Unknown,
};

use crate::plot::{as_markdown, plot};
use crate::present::headline::{in_words, plain};
use crate::present::markup::{code_list, escaped, line, table};
use crate::present::reach::reach_text;
use crate::present::regions::region_readable;
use crate::present::times::time_words;
use crate::present::{
    WHY_LOOSE, argument_name, determinism_text, evaluated, exact_text, first_is_all, hint_text,
    indicator, names, origin_sentence, outward, pattern_head, readable, size_meaning,
    solutions_text,
};

/// More patterns or reasons than this are counted, not listed.
const LONGEST_LIST: usize = 6;

/// More regions of sizes than this are left to `explain`.
const MOST_REGIONS: usize = 4;

/// More or longer equations than these are left to `explain`.
const MOST_EQUATIONS: usize = 4;
const LONGEST_EQUATION: usize = 100;

/// Additions of a hover to the report of the most telling pattern.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Extras {
    /// The call on which most of the bound is spent: a sentence in Markdown.
    pub(super) dominating: Option<String>,
    /// The text of the predicate's comment, in Markdown.
    pub(super) documentation: Option<String>,
    /// True where the client shows no tables in Markdown.
    pub(super) plain_tables: bool,
    /// The derivation of the bounds.
    pub(super) explanation: Option<Explanation>,
    /// Upper bounds at small sizes, where there is no closed form.
    pub(super) evaluated: Option<Evaluated>,
    /// The trusted lines that the bounds rest on: files and lines.
    pub(super) rests_on: Vec<String>,
    /// The files that a multifile predicate has its clauses from, where there are several.
    pub(super) clauses_from: Vec<String>,
    /// A picture of the bounds is drawn.
    pub(super) plot: bool,
    /// An input on which the upper bound is attained: a sentence in Markdown.
    pub(super) attained: Option<String>,
    /// The time on the chosen platform: its name, and the report if there is such a platform.
    pub(super) time: Option<(String, Option<PatternReport>)>,
}

/// The whole hover: the most telling pattern in full, the others in a line each.
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
            let head = pattern_head(&report.predicate.name, &p.pattern, arguments);
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
    let names = names(&report.sizes);
    let head = pattern_head(&predicate.name, &report.pattern, arguments);
    let mut signature = format!("### `{head}` is {}", determinism_text(report.determinism));
    if report.errors_possible {
        signature.push_str(", or raises");
    }
    line(text, &signature);
    if let Some(comment) = &extras.documentation {
        line(text, &format!("\n{comment}"));
    }
    line(text, &format!("\n{}", cost(report, arguments)));
    unknown(text, report);
    if report.headline.loose {
        line(
            text,
            &format!("\nThe upper bound may be loose: {WHY_LOOSE}."),
        );
    }
    if report.main_piece().is_some() {
        text.push('\n');
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
        derivation(text, explanation);
    }
}

/// The headline in a sentence, with what its sizes mean.
fn cost(report: &PatternReport, arguments: &[Option<String>]) -> String {
    let words = in_words(report);
    let mut letters = words.chars();
    let begin: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    let words = format!("{begin}{}", letters.as_str());
    let meanings: Vec<String> = (report.sizes.iter())
        .map(|s| format!("`{}`", size_meaning(s, arguments)))
        .collect();
    match meanings.is_empty() {
        true => format!("**{}**", escaped(&words)),
        false => format!("**{}** where {}", escaped(&words), meanings.join(", ")),
    }
}

/// Writes what the bounds come to: values at small sizes, an input that attains them, times, and the reach of a budget.
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
    match &extras.time {
        Some((platform, Some(time))) => {
            line(text, &format!("\n{}", time_sentence(platform, time)));
        }
        Some((platform, None)) => {
            let platform = platform.replace('`', "'");
            line(
                text,
                &format!("\nTime: no platform `{platform}` is stored."),
            );
        }
        None => {
            if let Some(sentence) = reach_text(report, &rat(1_000_000), "10⁶ steps") {
                line(text, &format!("\n{sentence}."));
            }
        }
    }
}

/// Says where the pattern, the clauses and trusted facts come from.
fn sources(text: &mut String, origin: Origin, extras: &Extras) {
    let sentence = format!("Call pattern {}.", origin_sentence(origin));
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
    if !extras.rests_on.is_empty() {
        line(
            text,
            &format!("\nRests on trust: {}.", code_list(&extras.rests_on)),
        );
    }
}

/// Writes the time in Markdown.
fn time_sentence(platform: &str, time: &PatternReport) -> String {
    format!("Time on `{platform}`: {}.", escaped(&time_words(time)))
}

/// How the bound came about, in short; `explain` has it all: the equations of the predicate, where they are few, and how what was
/// found was verified.
fn derivation(text: &mut String, e: &Explanation) {
    if (1..=MOST_EQUATIONS).contains(&e.equations.len())
        && e.equations
            .iter()
            .all(|e| e.chars().count() <= LONGEST_EQUATION)
    {
        line(text, "\n```text");
        for equation in &e.equations {
            line(text, equation);
        }
        line(text, "```");
    }
    let verified = || e.verification.iter().filter(|v| !v.contains("unknown"));
    let proof = verified().find(|v| v.contains("induction"));
    if let Some(sentence) = proof.or_else(|| verified().next()) {
        let sentence = escaped(sentence.trim_end_matches('.'));
        line(text, &format!("\nVerified: {sentence}."));
    }
}

/// A row for the headline, or two where the first solution and all solutions cost differently, and one for each of the first regions of sizes.
fn bounds_table(text: &mut String, report: &PatternReport, names: &Names<'_>, is_plain: bool) {
    // Equal bounds are rounded alike, others outward.
    let side = |lower: &Bound, upper: &Bound, side: Side| match side {
        _ if lower == upper => readable(upper, names),
        Side::Lower => outward(lower, names, side),
        Side::Upper => outward(upper, names, side),
    };
    let row = |what: String, lower: &Bound, upper: &Bound| {
        vec![
            what,
            side(lower, upper, Side::Lower),
            side(lower, upper, Side::Upper),
        ]
    };
    let Headline { first, all, .. } = &report.headline;
    let mut rows = vec![["", "lower", "upper"].map(ToOwned::to_owned).to_vec()];
    if first == all {
        rows.push(row("steps".to_owned(), &all.lower, &all.upper));
    } else {
        rows.push(row(
            "steps to the first solution".to_owned(),
            &first.lower,
            &first.upper,
        ));
        rows.push(row(
            "steps for all solutions".to_owned(),
            &all.lower,
            &all.upper,
        ));
    }
    let pieces = match report.steps.len() {
        1 => &[],
        _ => report.steps.as_slice(),
    };
    for piece in pieces.iter().take(MOST_REGIONS) {
        let when = plain(&piece.when, &[], &report.sizes);
        let when = region_readable(&when, names);
        let (lower, upper) = piece.envelope();
        rows.push(match piece.kind {
            PieceKind::Failure => vec![when, "fails".to_owned(), "fails".to_owned()],
            _ => row(when, lower, upper),
        });
    }
    table(text, &rows, !is_plain);
    if let Some(more @ 1..) = pieces.len().checked_sub(MOST_REGIONS) {
        line(text, &format!("\nand {more} more regions of sizes"));
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
        match (&o.lower, &o.upper) {
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
    let solutions = exact_text(&report.solutions.upper, names);
    if !first_is_all(report) || !matches!(solutions.as_deref(), Some("1")) {
        let count = escaped(&solutions_text(&report.solutions, names));
        line(text, &format!("\nSolutions: {count}."));
    }
}

/// The text for a goal that is the root cause of a missing bound.
#[must_use]
pub(crate) fn to_blame(caller: &Functor, why: &Unknown) -> String {
    let side = side_word(why.side);
    let mut text = String::new();
    let reason = escaped(why.reason.trim_end_matches('.'));
    line(
        &mut text,
        &format!(
            "**This goal** keeps `{}` from an {side} bound: {reason}.",
            indicator(caller)
        )
        .replace("an lower", "a lower"),
    );
    if !why.help.is_empty() {
        line(&mut text, &format!("\n{}", escaped(&why.help)));
    }
    text
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::Lower => "lower",
        Side::Upper => "upper",
    }
}

fn unknown(text: &mut String, report: &PatternReport) {
    for u in report.unknown.iter().take(LONGEST_LIST) {
        let side = side_word(u.side);
        let _ = write!(
            text,
            "\nNo {side} bound: in `{}`, {}.",
            indicator(&u.cause),
            escaped(u.reason.trim_end_matches('.'))
        );
        if u.help.is_empty() {
            text.push('\n');
        } else {
            line(text, &format!(" {}", escaped(&u.help)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{nrev, unknown};

    fn of(patterns: Vec<PatternReport>) -> String {
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
        let text = of(vec![nrev()]);
        for part in [
            "### `nrev(+Xs:list(any), -Ys)` is det\n",
            "**Exactly n²/2 + 3n/2 + 1 steps** where `n = length(Xs)`",
            "| steps | n²/2 + 3n/2 + 1 | n²/2 + 3n/2 + 1 |",
            "`n = length(Xs)`",
            "`length(Ys) = n`",
            "Call pattern declared.",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("Solutions"), "{text}");
    }

    #[test]
    fn what_is_unknown_says_where_and_what_to_do() {
        let text = of(vec![unknown(), nrev()]);
        assert!(text.contains("| steps | 1 | ? |"), "{text}");
        assert!(
            text.contains("No upper bound: in `q/3`, the closure is not known. Declare"),
            "{text}"
        );
        assert!(text.contains("Other call patterns"), "{text}");
    }
}
