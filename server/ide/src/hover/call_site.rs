//! The hover for a call in a body: the callee's bounds at the sizes of this call, in terms of the caller's sizes.

use costlens_algebra::Region;
use costlens_algebra::text::Names;
use costlens_analysis::report::{Bound, PatternReport};
use costlens_program::CopyName;

use crate::costs::calls::{CallCost, case_sizes, is_named};
use crate::present::headline::plain;
use crate::present::markup::{self, line};
use crate::present::parameters::parameter_meaning;
use crate::present::regions::region_readable;
use crate::present::{names_in, pattern_head, readable, size_meaning};

/// The maximum number of cases that are listed. Further cases are only counted.
const MOST_CASES: usize = 4;

/// Formats the part of the hover that describes the call. The callee's own report follows.
#[must_use]
pub(crate) fn markdown(
    call: &CallCost,
    own: &str,
    arguments: &[Option<String>],
    report: &PatternReport,
    is_plain: bool,
) -> String {
    let names = names_in(report);
    let in_code = format!("`{own}`");
    let mut text = String::new();
    let head = match CopyName::read(&call.callee).is_some() {
        true => call.goal.replace('`', "'"),
        false => pattern_head(&call.callee.name, &call.pattern, &[]),
    };
    line(
        &mut text,
        &format!("**This call**, `{head}`, in {in_code}:\n"),
    );
    table(&mut text, call, own, report, &names, is_plain);
    let own_sizes: Vec<String> = (report.sizes.iter())
        .map(|s| size_meaning(s, arguments))
        .chain((report.parameters.iter()).map(|p| parameter_meaning(p, arguments)))
        .map(|meaning| format!("`{meaning}`"))
        .collect();
    // An argument of the call may have the same name as a head argument.
    let meanings: Vec<String> = [
        ("in the head", own_sizes),
        ("in the call", argument_sizes(call, report)),
    ]
    .into_iter()
    .filter(|(_, sizes)| !sizes.is_empty())
    .map(|(place, sizes)| format!("{place} {}", sizes.join(", ")))
    .collect();
    if !meanings.is_empty() {
        line(&mut text, &format!("\nwhere {}", meanings.join("; ")));
    }
    if let Some(share) = &call.share
        && let Some(percents) = share.text(report)
    {
        let what = if call.recursive {
            "one such call is"
        } else {
            "all its calls together are at most"
        };
        // Avoids `at most over 99%`.
        let what = match percents.starts_with(|c: char| c.is_alphabetic()) {
            true => what.trim_end_matches(" at most"),
            false => what,
        };
        let most = if call.dominating {
            ". It dominates the bound"
        } else {
            ""
        };
        line(
            &mut text,
            &format!("\nOf the upper bound of {in_code}, {what} {percents}{most}."),
        );
    }
    text
}

fn table(
    text: &mut String,
    call: &CallCost,
    own: &str,
    report: &PatternReport,
    names: &Names<'_>,
    is_plain: bool,
) {
    // Conditions that hold for all sizes of the main piece are omitted, for example that a length is nonnegative.
    let always = |when: &Region| {
        when.constraints().is_empty()
            || (report.main_piece()).is_some_and(|main| main.when.implies_all(when))
    };

    // Conditions on sizes that the report does not name are omitted.
    let named = |when: &Region| {
        let kept = when.constraints().iter();
        kept.filter(|c| is_named(&c.expr().variables(), report))
            .fold(Region::everything(), |all, c| all.and(c.clone()))
    };
    let value = |bound: &Bound| match bound {
        Bound::Finite(e) if !is_named(&e.variables(), report) => "?".to_owned(),
        other => readable(other, names),
    };
    let mut cases: Vec<Vec<String>> = Vec::new();
    for case in &call.cases {
        let when = plain(&named(&case.when), &[], &report.sizes);
        let when = match always(&when) {
            true => String::new(),
            false => format!(", {}", region_readable(&when, names)),
        };
        let row = vec![
            format!("one call{when}"),
            value(&case.steps.lower),
            value(&case.steps.upper),
        ];
        if !cases.contains(&row) {
            cases.push(row);
        }
    }
    let labels: Vec<String> = cases.iter().map(|row| row[0].clone()).collect();
    for row in &mut cases {
        if labels.iter().filter(|label| **label == row[0]).count() > 1 {
            row[0].push_str(", in some cases");
        }
    }
    let more = cases.len().saturating_sub(MOST_CASES);
    cases.truncate(MOST_CASES);
    let mut rows = vec![["steps", "lower", "upper"].map(ToOwned::to_owned).to_vec()];
    rows.extend(cases);
    if more > 0 {
        let noun = if more == 1 { "case" } else { "cases" };
        rows.push(vec![
            format!("and {more} more {noun}"),
            String::new(),
            String::new(),
        ]);
    }
    if let Some(total) = &call.total {
        let total = crate::present::formula(total, names);
        rows.push(vec![
            format!("all its calls, in one call of {own}"),
            String::new(),
            total,
        ]);
    }
    markup::table(text, &rows, !is_plain);
}

/// Formats the sizes of the call's arguments in the last, most general case: `length(Zs) = n-1`.
fn argument_sizes(call: &CallCost, report: &PatternReport) -> Vec<String> {
    let Some(case) = call.cases.last() else {
        return Vec::new();
    };
    case_sizes(call, case, report)
        .into_iter()
        .map(|s| format!("`{}`", s.replace('`', "'")))
        .collect()
}
