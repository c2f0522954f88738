//! Formats the reasons for missing bounds in Markdown: the cause, and the remedy.

use std::fmt::Write as _;

use costlens_analysis::report::{
    Functor, ParameterKind, ParameterVariable, PatternReport, Side, Unknown,
};
use costlens_program::CopyName;

use crate::present::markup::{escaped, line};
use crate::present::{indicator, quoted};

/// The maximum number of causes that are displayed.
const MOST_CAUSES: usize = 6;

/// Formats the text for a goal that is the root cause of a missing bound.
#[must_use]
pub(super) fn to_blame(caller: &str, why: &Unknown) -> String {
    let side = side_word(why.side);
    let mut text = String::new();
    let reason = escaped(why.reason.trim_end_matches('.'));
    line(
        &mut text,
        &format!("**This goal** keeps `{caller}` from an {side} bound: {reason}.",)
            .replace("an lower", "a lower"),
    );
    if !why.help.is_empty() {
        line(&mut text, &format!("\n{}", escaped(&why.help)));
    }
    text
}

/// Formats the text for a goal whose cost is a parameter of its caller's bound.
#[must_use]
pub(super) fn open_cost(caller: &str, parameter: &ParameterVariable, why: &Unknown) -> String {
    let (name, reason) = (&parameter.name, escaped(why.reason.trim_end_matches('.')));
    let mut text = String::new();
    line(
        &mut text,
        &format!("**This goal** makes `{name}` part of the bound of `{caller}`: {reason}."),
    );
    if !why.help.is_empty() {
        line(&mut text, &format!("\n{}", escaped(&why.help)));
    }
    text
}

/// Writes why costs of callees are parameters, one paragraph for each reason.
pub(super) fn open_costs(text: &mut String, predicate: &Functor, report: &PatternReport) {
    let costs = report
        .parameters
        .iter()
        .filter(|p| p.parameter.kind == ParameterKind::Cost);
    let mut said: Vec<&str> = Vec::new();
    for (p, why) in costs.filter_map(|p| Some((p, p.why.as_deref()?))) {
        if said.contains(&why.reason.as_str()) || said.len() >= MOST_CAUSES {
            continue;
        }
        said.push(&why.reason);
        let (cause, reason) = (cause_in(predicate, why), escaped(plain_reason(why)));
        let help = match why.help.is_empty() {
            true => String::new(),
            false => format!(" {}", escaped(&why.help)),
        };
        line(
            text,
            &format!("\nNo bound on `{}`: {cause}{reason}.{help}", p.name),
        );
    }
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::Lower => "lower",
        Side::Upper => "upper",
    }
}

/// Writes that there is no bound on steps, and the reasons.
pub(super) fn no_bound(text: &mut String, predicate: &Functor, report: &PatternReport) {
    const NO_BOUND: &str = "**No bound found**";
    match report.unknown.is_empty() {
        true => line(text, &format!("\n{NO_BOUND}.")),
        false => unknown(text, predicate, report, NO_BOUND),
    }
}

/// Writes the reasons for missing upper bounds, one paragraph for each cause and its remedy. A remedy for several causes is written once. The
/// first paragraph begins with `begin`.
pub(super) fn unknown(text: &mut String, predicate: &Functor, report: &PatternReport, begin: &str) {
    let (mut said, mut reasons): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for (i, u) in report.unknown.iter().take(MOST_CAUSES).enumerate() {
        if reasons.contains(&u.reason.as_str()) {
            continue;
        }
        reasons.push(&u.reason);
        let side = format!("No {} bound", side_word(u.side));
        let begin = if i == 0 && u.side == Side::Upper {
            begin
        } else {
            &side
        };
        let _ = write!(
            text,
            "\n{begin}: {}{}.",
            cause_in(predicate, u),
            escaped(plain_reason(u))
        );
        if u.help.is_empty() || said.contains(&u.help.as_str()) {
            text.push('\n');
        } else {
            line(text, &format!(" {}", escaped(&u.help)));
        }
        said.push(&u.help);
    }
}

/// Returns the reason without the prefix `incomplete: `, which editors search for after syntax errors.
fn plain_reason(why: &Unknown) -> &str {
    let reason = why.reason.trim_end_matches('.');
    reason.strip_prefix("incomplete: ").unwrap_or(reason)
}

/// Returns ``in `q/3`, `` if the cause is a predicate other than the one hovered over, and the reason does not already name it.
fn cause_in(predicate: &Functor, why: &Unknown) -> String {
    let cause = indicator(&why.cause);
    let is_plain =
        CopyName::read(&why.cause).is_some() || why.cause == *predicate && why.home.is_none();
    // For a grammar rule, the reason contains `words//1`.
    match is_plain
        || why
            .reason
            .contains(&format!("`{}/", quoted(&why.cause.name)))
    {
        true => String::new(),
        false => format!("in `{cause}`, "),
    }
}
