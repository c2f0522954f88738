//! The calls in a predicate's clauses with their places and texts: the cost of each call, and its share of the bound.

use std::sync::Arc;

use costlens_algebra::{Expr, Region, Var};
use costlens_analysis::queries::breakdown;
use costlens_analysis::report::{
    ArgumentSize, Breakdown, Evaluated, Explanation, Functor, LiteralCase, LiteralCost,
    PatternReport, PredicateReport,
};
use costlens_analysis::types::Pattern;
use costlens_program::definitions::all_clauses;
use costlens_program::positions::clause_position;
use costlens_program::{Clause, CopyName, SourceFile, find};
use costlens_syntax::term::TermId;

use super::share::{self, Dominating, Share};
use crate::db::Db;
use crate::predicate::arguments::name_lists;
use crate::present::headline::steps;
use crate::present::markup::escaped;
use crate::present::{indicator, names_in};

/// The maximum length of a goal; a longer goal is abbreviated.
const LONGEST_GOAL: usize = 48;
/// The maximum length of an argument; a longer argument is identified by its index.
const LONGEST_ARGUMENT: usize = 20;

/// A call in a clause body.
#[derive(Clone, Debug, PartialEq)]
pub struct CallCost {
    /// The clause number, from 1.
    pub clause: usize,
    /// The goal, as a term of the clause.
    pub literal: TermId,
    /// The offset of the goal in the file. `None` if the goal does not appear in the text (grammar rules).
    pub offset: Option<usize>,
    /// The goal as written, on one line.
    pub goal: String,
    /// The callee's arguments as written, or `argument 2` if the text is long. `None` for a part of a closure that is not an argument of
    /// the goal.
    pub arguments: Vec<Option<String>>,
    /// The callee.
    pub callee: Functor,
    /// The argument types of this call.
    pub pattern: Pattern,
    /// True if the callee and the caller are mutually recursive.
    pub recursive: bool,
    /// The cost of one call, in the caller's sizes.
    pub cases: Vec<LiteralCase>,
    /// An upper bound on the total cost of this call, over all levels of the recursion.
    pub total: Option<Expr>,
    /// The share of the bound that all executions of this call contribute. For a recursive call, the share of a single execution.
    pub share: Option<Share>,
    /// True if this call contributes more to the bound than any other call.
    pub dominating: bool,
}

/// Upper bounds by region. Outside of the regions, the bound is unknown.
pub type Portion = Vec<(Region, Expr)>;

/// Returns the derivation of the bounds under a pattern.
pub(crate) fn explanation(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    report: &PatternReport,
) -> Explanation {
    breakdown(db, file, functor, &report.pattern)
        .map(|found| found.explanation.clone())
        .unwrap_or_default()
}

/// Returns upper bounds under a pattern at small sizes, if there is no closed form.
pub(crate) fn evaluated(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    report: &PatternReport,
) -> Option<Evaluated> {
    breakdown(db, file, functor, &report.pattern)?
        .evaluated
        .clone()
}

/// Returns the calls that a predicate makes under a pattern.
pub(crate) fn calls(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    report: &PatternReport,
) -> Vec<CallCost> {
    let Some(found) = breakdown(db, file, functor, &report.pattern) else {
        return Vec::new();
    };
    let dominating =
        share::dominating(report, &found).map(|d| (d.literal.clause, d.literal.literal));
    (found.literals.iter())
        .map(|literal| {
            let mut call = call_cost(db, file, functor, report, literal);
            call.dominating = dominating == Some((literal.clause, literal.literal));
            call
        })
        .collect()
}

/// Returns upper bounds on the parts that together make up a pattern's steps.
pub(crate) fn portions(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    report: &PatternReport,
) -> Vec<Portion> {
    let Some(found) = breakdown(db, file, functor, &report.pattern) else {
        return vec![Portion::new()];
    };
    let others = found.literals.iter().filter(|l| !l.recursive);
    (others.map(|l| l.total.clone()))
        .chain([found.entries.clone(), found.elsewhere.clone()])
        .collect()
}

/// Returns a call, and the first pattern of the predicate under which the call is reached.
pub(crate) fn call<'r>(
    db: &dyn Db,
    file: SourceFile,
    caller: &Functor,
    report: &'r PredicateReport,
    clause: usize,
    goal: TermId,
) -> Option<(CallCost, &'r PatternReport)> {
    const MOST_TRIED: usize = 3;
    report.patterns.iter().take(MOST_TRIED).find_map(|pattern| {
        let found: Arc<Breakdown> = breakdown(db, file, caller, &pattern.pattern)?;
        let literal = (found.literals.iter()).find(|l| l.clause == clause && l.literal == goal)?;
        let mut call = call_cost(db, file, caller, pattern, literal);
        call.dominating = share::dominating(pattern, &found).is_some_and(|d| d.literal == literal);
        Some((call, pattern))
    })
}

fn call_cost(
    db: &dyn Db,
    file: SourceFile,
    caller: &Functor,
    report: &PatternReport,
    literal: &LiteralCost,
) -> CallCost {
    let all = share::of_all_calls(report, literal);
    let one = || share::of_one_call(report, literal);
    let written = written(db, file, caller, literal.clause, literal.literal);
    let goal = (written.as_ref()).map_or_else(|| indicator(&literal.callee), |w| w.goal.clone());
    let arguments = written
        .as_ref()
        .map(|w| arguments(&literal.callee, &w.arguments));
    CallCost {
        clause: literal.clause + 1,
        literal: literal.literal,
        offset: written.as_ref().map(|w| w.offset),
        goal,
        arguments: arguments.unwrap_or_else(|| numbered(literal.callee.arity)),
        callee: literal.callee.clone(),
        pattern: literal.pattern.clone(),
        recursive: literal.recursive,
        cases: literal.cases.clone(),
        total: all.as_ref().map(|(e, _)| e.clone()),
        share: if literal.recursive {
            one()
        } else {
            all.map(|(_, share)| share)
        },
        dominating: false,
    }
}

/// A goal as written in the text.
struct Written {
    offset: usize,
    goal: String,
    arguments: Vec<String>,
}

fn numbered(arity: usize) -> Vec<Option<String>> {
    (1..=arity).map(|i| Some(format!("argument {i}"))).collect()
}

/// Returns the text of each of the callee's arguments.
///
/// `maplist(add(N), Xs, Ys)` calls `maplist(add(_1))/3`, whose first argument is `N` and whose second is `Xs`.
fn arguments(callee: &Functor, written: &[String]) -> Vec<Option<String>> {
    if CopyName::read(callee).is_none() {
        return written.iter().cloned().map(Some).collect();
    }
    let is_it = |name: &CopyName<'_>| (name.original()).is_some_and(|of| of.arity == written.len());
    let Some(name) = CopyName::read(callee).filter(is_it) else {
        return vec![None; callee.arity];
    };
    (0..callee.arity)
        .map(|i| written.get(name.argument(i)?).cloned())
        .collect()
}

fn written(
    db: &dyn Db,
    file: SourceFile,
    caller: &Functor,
    clause: usize,
    goal: TermId,
) -> Option<Written> {
    let clauses = all_clauses(db, find(db, file, caller)?);
    let read: &Clause = clauses.get(clause)?;
    // Clauses that other files add to a predicate have no place in this file.
    let (_, place) =
        clause_position(db, file, caller, clause).filter(|(there, _)| *there == file)?;
    let text = &file.parsed(db).text;
    let slice = |id: TermId| {
        let (from, to) = place.range(id)?;
        text.get(from..to)
    };
    let in_one_line = |t: &str| t.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown = in_one_line(slice(goal)?);
    if shown.chars().count() > LONGEST_GOAL {
        shown = shown.chars().take(LONGEST_GOAL - 1).chain(['…']).collect();
    }
    let number = |i: usize| format!("argument {}", i + 1);
    let mut arguments: Vec<Option<String>> = (read.terms.args(goal).iter().enumerate())
        .map(|(i, &a)| {
            let argument = in_one_line(slice(a)?);
            let is_short = argument.chars().count() <= LONGEST_ARGUMENT;
            Some(if is_short { argument } else { number(i) })
        })
        .collect();
    if read.grammar_rule && arguments.last() == Some(&None) {
        name_lists(&mut arguments);
    }
    let arguments = (arguments.into_iter().enumerate())
        .map(|(i, argument)| argument.unwrap_or_else(|| number(i)))
        .collect();
    Some(Written {
        offset: place.range(goal)?.0,
        goal: shown,
        arguments,
    })
}

/// Additional information that a hover shows with the bounds.
#[derive(Clone, Debug, Default)]
pub(crate) struct About {
    /// A Markdown sentence about the call that dominates the bound. `None` if the shares are unknown or there are no calls.
    pub(crate) dominating: Option<String>,
    /// The derivation of the bounds.
    pub(crate) explanation: Option<Explanation>,
    /// Upper bounds at small sizes, if there is no closed form.
    pub(crate) evaluated: Option<Evaluated>,
}

/// Collects the additional information that a hover shows about a predicate of the file.
pub(crate) fn hover_facts(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    report: &PatternReport,
) -> Option<About> {
    let found = breakdown(db, file, functor, &report.pattern)?;
    let is_news = |d: &Dominating<'_>| !d.recursion || is_uneven(report, &found);
    let dominating = share::dominating(report, &found).filter(is_news).map(|d| {
        let mut call = call_cost(db, file, functor, report, d.literal);
        call.dominating = true;
        sentence(&call, report, &|text| escaped(text).to_string())
    });
    Some(About {
        dominating,
        explanation: Some(found.explanation.clone()),
        evaluated: found.evaluated.clone(),
    })
}

/// Returns the call of another predicate that dominates a bound, as its offset and a sentence in plain text.
pub(crate) fn dominating_call(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    report: &PatternReport,
) -> Option<(usize, String)> {
    let found = breakdown(db, file, functor, &report.pattern)?;
    let dominating = share::dominating(report, &found).filter(|d| !d.recursion)?;
    let call = call_cost(db, file, functor, report, dominating.literal);
    let said = sentence(&call, report, &str::to_owned);
    Some((call.offset?, said))
}

/// Returns true if several recursive calls have different costs.
fn is_uneven(report: &PatternReport, found: &Breakdown) -> bool {
    let recursive = found.literals.iter().filter(|l| l.recursive);
    let mut shares = recursive.map(|l| share::of_one_call(report, l));
    let first = shares.next();
    shares.any(|share| Some(share) != first)
}

/// Describes the call that dominates a bound. `escape` adapts formulas to the surrounding text.
fn sentence(call: &CallCost, report: &PatternReport, escape: &dyn Fn(&str) -> String) -> String {
    let share = (call.share.as_ref()).and_then(|s| s.text(report));
    let share = share.map_or_else(String::new, |s| format!(", {s}"));
    let goal = format!("`{}`", call.goal.replace('`', "'"));
    match &call.total {
        _ if call.recursive => format!(
            "Dominated by its own recursion, most of it through {goal} in clause {}{share}.",
            call.clause
        ),
        Some(total) => {
            let total = crate::present::formula(total, &names_in(report));
            format!(
                "Dominated by {goal} in clause {}: {}{share}.",
                call.clause,
                escape(&steps(&total))
            )
        }
        None => format!("Dominated by {goal} in clause {}{share}.", call.clause),
    }
}

/// Returns the text of an argument of a call, or its index if the text is long. Returns `None` for a part of a closure.
#[must_use]
pub fn argument_text(call: &CallCost, argument: usize) -> Option<&str> {
    call.arguments.get(argument.checked_sub(1)?)?.as_deref()
}

/// Returns the known argument sizes of a call in one case, in the caller's sizes and without duplicates.
#[must_use]
pub fn case_sizes(call: &CallCost, case: &LiteralCase, report: &PatternReport) -> Vec<String> {
    let mut found = Vec::new();
    for size in &case.sizes {
        let text = size_text(call, size, report);
        found.extend(text.filter(|text| !found.contains(text)));
    }
    found
}

/// Formats the size of an argument: `length(Xs) = n - 1`. Returns `None` for obvious sizes, such as one element for `[X]`, and for sizes that
/// depend on unnamed variables.
fn size_text(call: &CallCost, size: &ArgumentSize, report: &PatternReport) -> Option<String> {
    let names = names_in(report);
    let show = |e| crate::present::formula(e, &names);
    let argument = argument_text(call, size.argument)?;
    let is_constant = |e: &Option<Expr>| e.as_ref().is_some_and(|e| e.as_constant().is_some());
    let is_variable = argument.starts_with(|c: char| c.is_uppercase() || c == '_');
    if is_constant(&size.lower) && is_constant(&size.upper) && !is_variable {
        return None;
    }
    let what = format!("{}({argument})", size.metric);
    let named = |e: &Option<Expr>| e.clone().filter(|e| is_named(&e.variables(), report));
    match (&named(&size.lower), &named(&size.upper)) {
        (Some(l), Some(u)) if l == u => Some(format!("{what} = {}", show(u))),
        (Some(l), Some(u)) if l.is_zero() => Some(format!("{what} ≤ {}", show(u))),
        (Some(l), Some(u)) => Some(format!("{} ≤ {what} ≤ {}", show(l), show(u))),
        (None, Some(u)) => Some(format!("{what} ≤ {}", show(u))),
        (Some(l), None) if !l.is_zero() => Some(format!("{what} ≥ {}", show(l))),
        _ => None,
    }
}

/// Returns true if the report names all the variables.
pub(crate) fn is_named<'v>(
    variables: impl IntoIterator<Item = &'v Var>,
    report: &PatternReport,
) -> bool {
    let mut variables = variables.into_iter();
    variables.all(|v| report.sizes.iter().any(|size| size.var == *v))
}
