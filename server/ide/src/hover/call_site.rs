//! The hover over a call in a body: the callee's bounds at the sizes there, in the sizes of the clause's own predicate.

use costlens_algebra::Region;
use costlens_algebra::text::Names;
use costlens_analysis::report::{Functor, PatternReport};

use crate::costs::calls::{CallCost, case_sizes};
use crate::present::markup::{self, line};
use crate::present::regions::region_readable;
use crate::present::{indicator, names, pattern_head, readable, size_meaning};

/// More cases than this are counted, not listed.
const MOST_CASES: usize = 4;

/// The part of the hover about the call itself; the callee's own report follows it.
#[must_use]
pub(crate) fn markdown(
    call: &CallCost,
    caller: &Functor,
    arguments: &[Option<String>],
    report: &PatternReport,
    is_plain: bool,
) -> String {
    let names = names(&report.sizes);
    let own = format!("`{}`", indicator(caller));
    let mut text = String::new();
    let head = pattern_head(&call.callee.name, &call.pattern, &[]);
    line(&mut text, &format!("**This call**, `{head}`, in {own}:\n"));
    table(
        &mut text,
        call,
        (&indicator(caller), report),
        &names,
        is_plain,
    );
    let own_sizes: Vec<String> = (report.sizes.iter())
        .map(|s| format!("`{}`", size_meaning(s, arguments)))
        .collect();
    // An argument of the call may have the name of one of the head.
    let meanings: Vec<String> = [
        ("in the head", own_sizes),
        ("in the call", argument_sizes(call, &names)),
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
            "One such call is"
        } else {
            "All its calls together are at most"
        };
        let most = if call.dominating {
            ". It dominates the bound"
        } else {
            ""
        };
        line(
            &mut text,
            &format!("\n{what} this much of the upper bound of {own}: {percents}{most}."),
        );
    }
    text
}

fn table(
    text: &mut String,
    call: &CallCost,
    (own, report): (&str, &PatternReport),
    names: &Names<'_>,
    is_plain: bool,
) {
    // What holds for all sizes of the main piece, that a length is not negative for instance, goes without saying.
    let always = |when: &Region| {
        when.constraints().is_empty()
            || (report.main_piece()).is_some_and(|main| main.when.implies_all(when))
    };

    let mut rows = vec![["steps", "lower", "upper"].map(ToOwned::to_owned).to_vec()];
    for case in call.cases.iter().take(MOST_CASES) {
        let when = if always(&case.when) {
            String::new()
        } else {
            format!(", {}", region_readable(&case.when, names))
        };
        rows.push(vec![
            format!("one call{when}"),
            readable(&case.steps.lower, names),
            readable(&case.steps.upper, names),
        ]);
    }
    if call.cases.len() > MOST_CASES {
        let more = format!("and {} more cases", call.cases.len() - MOST_CASES);
        rows.push(vec![more, String::new(), String::new()]);
    }
    if let Some(total) = &call.total {
        let total = crate::present::formula(total, names);
        rows.push(vec![
            format!("all its calls in one of {own}"),
            String::new(),
            total,
        ]);
    }
    markup::table(text, &rows, !is_plain);
}

/// The sizes of the call's arguments in the last, most general case: `length(Zs) = n-1`.
fn argument_sizes(call: &CallCost, names: &Names<'_>) -> Vec<String> {
    let Some(case) = call.cases.last() else {
        return Vec::new();
    };
    case_sizes(call, case, names)
        .into_iter()
        .map(|s| format!("`{}`", s.replace('`', "'")))
        .collect()
}
