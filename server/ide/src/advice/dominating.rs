//! `dominating-call`: the call that contributes most to a predicate's cost.
//!
//! ```text
//! nrev([X|Xs], Ys) :- nrev(Xs, Zs), append(Zs, [X], Ys).
//!                                   ^^^^^^^^^^^^^^^^^^^ takes n²/2 + n/2 of the n²/2 + 3n/2 + 1 steps
//! ```
//!
//! A predicate that merely wraps another predicate with the same cost does not get a hint. A call is named only if the recursion repeats
//! it, or if the costs of several calls grow.

use costlens_algebra::growth::growth;

use super::told::sizes_told;
use super::{Look, Remark};
use crate::costs::calls::{CallCost, calls};
use crate::diagnostics::rules;
use crate::present::headline::{only_for, steps};
use crate::present::{finite, formula, indicator, names_in, rank};
use crate::settings::Threshold;

/// The maximum length of a formula; a longer formula is replaced by its growth class.
const LONGEST: usize = 40;

pub(super) fn remarks(look: &Look<'_>) -> Vec<Remark> {
    remark(look).into_iter().collect()
}

fn remark(look: &Look<'_>) -> Option<Remark> {
    let (site, report) = (look.site, look.report);
    let is_dear = |e| rank(&growth(e)) >= Threshold::Quadratic;
    finite(report.headline.where_bounded().1)
        .filter(|e| is_dear(e) && report.headline.loose.is_none())?;
    let main = report.main_piece()?;
    let whole = finite(&main.all.upper).filter(|e| is_dear(e))?;
    let all = calls(site.db, site.file, site.functor, report);
    let call = all.iter().find(|call| call.dominating && !call.recursive)?;
    let grows = |call: &&CallCost| {
        let of = call.total.as_ref().filter(|_| !call.recursive);
        of.is_some_and(|total| rank(&growth(total)) >= Threshold::Linear)
    };
    let is_repeated = all.iter().any(|call| call.recursive);
    (is_repeated || all.iter().filter(grows).count() > 1).then_some(())?;
    let share = call.share.as_ref().filter(|share| share.dominates())?;
    let total = call.total.as_ref()?;
    let sizes = names_in(report);
    let shown = |e| {
        let text = formula(e, &sizes);
        match text.chars().count() > LONGEST {
            true => format!("O({})", growth(e).display(&sizes)),
            false => text,
        }
    };
    let (part, all) = (shown(total), shown(whole));
    let goal = &call.goal;
    let of = indicator(site.functor);
    let is_exact = finite(&main.first.lower) == Some(whole);
    let mut message = match is_exact {
        true => format!("`{goal}` takes {part} of the {} of `{of}`", steps(&all)),
        false => format!(
            "`{goal}` takes up to {part} of the at most {} of `{of}`",
            steps(&all)
        ),
    };
    if let Some(share) = share.text(report) {
        // The ratio between two upper bounds is not the share in an actual run.
        let by = if is_exact { "" } else { "by these bounds " };
        message.push_str(&format!(", {by}{share}"));
    }
    let only = only_for(report, &sizes);
    if !only.is_empty() {
        message.push_str(&format!(",{only}"));
    }
    message.push_str(&sizes_told(look, [total, whole]));
    look.remark(
        &rules::DOMINATING_CALL,
        call.clause - 1,
        call.literal,
        message,
    )
}
