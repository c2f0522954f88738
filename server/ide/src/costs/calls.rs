//! The calls in a predicate's clauses with their places and texts: what each costs there, and how much of the bound that is.

use std::sync::Arc;

use costlens_algebra::text::Names;
use costlens_algebra::{Expr, Region};
use costlens_analysis::queries::breakdown;
use costlens_analysis::report::{
    ArgumentSize, Breakdown, Evaluated, Explanation, Functor, LiteralCase, LiteralCost,
    PatternReport, PredicateReport,
};
use costlens_analysis::types::Pattern;
use costlens_program::definitions::all_clauses;
use costlens_program::positions::clause_position;
use costlens_program::{Clause, SourceFile, find};
use costlens_syntax::term::TermId;

use super::share::{self, Share};
use crate::db::Db;
use crate::present::markup::escaped;
use crate::present::{indicator, names};

/// Longer goals are shortened.
const LONGEST_GOAL: usize = 48;
/// Longer arguments are called by their number.
const LONGEST_ARGUMENT: usize = 20;

/// One call in a body.
#[derive(Clone, Debug, PartialEq)]
pub struct CallCost {
    /// The clause, from 1.
    pub clause: usize,
    /// The goal in the clause's terms.
    pub literal: TermId,
    /// The first byte of the goal in the file; none where the goal is not written there (grammar rules).
    pub offset: Option<usize>,
    /// The goal as it is written, in one line.
    pub goal: String,
    /// Its arguments as they are written; none for long ones.
    pub arguments: Vec<Option<String>>,
    /// The callee.
    pub callee: Functor,
    /// The types of the arguments there.
    pub pattern: Pattern,
    /// True where the callee calls back.
    pub recursive: bool,
    /// The cost of one call, in the sizes of the calling predicate.
    pub cases: Vec<LiteralCase>,
    /// An upper bound on all its calls on all levels of the recursion.
    pub total: Option<Expr>,
    /// The share of the bound: of all calls, for a recursive one of one call.
    pub share: Option<Share>,
    /// True where more of the bound is spent than below any other call.
    pub dominating: bool,
}

/// An upper bound by regions; where no region holds, nothing is known.
pub type Portion = Vec<(Region, Expr)>;

/// The derivation of the bounds under a pattern.
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

/// Upper bounds under a pattern at small sizes, where there is no closed form.
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

/// The calls that a predicate makes under a pattern.
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
            let mut call = of(db, file, functor, report, literal);
            call.dominating = dominating == Some((literal.clause, literal.literal));
            call
        })
        .collect()
}

/// Upper bounds on the parts of a pattern's steps; together they are all of them.
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

/// One of them, and the pattern of the predicate that it was found under: the first one that reaches it.
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
        let mut call = of(db, file, caller, pattern, literal);
        call.dominating = share::dominating(pattern, &found).is_some_and(|d| d.literal == literal);
        Some((call, pattern))
    })
}

fn of(
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
    CallCost {
        clause: literal.clause + 1,
        literal: literal.literal,
        offset: written.as_ref().map(|w| w.offset),
        goal,
        arguments: written.map(|w| w.arguments).unwrap_or_default(),
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

/// A goal in the text.
struct Written {
    offset: usize,
    goal: String,
    arguments: Vec<Option<String>>,
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
    // What other files give to a predicate has no place in this one.
    let (_, place) =
        clause_position(db, file, caller, clause).filter(|(there, _)| *there == file)?;
    let text = &file.parsed(db).text;
    let slice = |id: TermId| {
        let (from, to) = place.of(id)?;
        text.get(from..to)
    };
    let in_one_line = |t: &str| t.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown = in_one_line(slice(goal)?);
    if shown.chars().count() > LONGEST_GOAL {
        shown = shown.chars().take(LONGEST_GOAL - 1).chain(['…']).collect();
    }
    let arguments = (read.terms.args(goal).iter())
        .map(|&a| {
            let argument = in_one_line(slice(a)?);
            (argument.chars().count() <= LONGEST_ARGUMENT).then_some(argument)
        })
        .collect();
    Some(Written {
        offset: place.of(goal)?.0,
        goal: shown,
        arguments,
    })
}

/// Additions of a hover to the bounds.
#[derive(Clone, Debug, Default)]
pub(crate) struct About {
    /// Where most of the bound is spent, as a sentence in Markdown. None where that is not known, or where there is no call.
    pub(crate) dominating: Option<String>,
    /// The derivation of the bounds.
    pub(crate) explanation: Option<Explanation>,
    /// Upper bounds at small sizes, where there is no closed form.
    pub(crate) evaluated: Option<Evaluated>,
}

/// Collects what a hover adds to the bounds of a predicate of the file.
pub(crate) fn about(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    report: &PatternReport,
) -> Option<About> {
    let found = breakdown(db, file, functor, &report.pattern)?;
    let dominating = share::dominating(report, &found).map(|d| {
        let mut call = of(db, file, functor, report, d.literal);
        call.dominating = true;
        sentence(&call, report)
    });
    Some(About {
        dominating,
        explanation: Some(found.explanation.clone()),
        evaluated: found.evaluated.clone(),
    })
}

fn sentence(call: &CallCost, report: &PatternReport) -> String {
    let share = (call.share.as_ref()).and_then(|s| s.text(report));
    let share = share.map_or_else(String::new, |s| format!(", {s}"));
    let goal = format!("`{}`", call.goal.replace('`', "'"));
    match &call.total {
        _ if call.recursive => format!(
            "Dominated by its own recursion, most of it through {goal} in clause {}{share}.",
            call.clause
        ),
        Some(total) => {
            let total = crate::present::formula(total, &names(&report.sizes));
            format!(
                "Dominated by {goal} in clause {}: {} steps{share}.",
                call.clause,
                escaped(&total)
            )
        }
        None => format!("Dominated by {goal} in clause {}{share}.", call.clause),
    }
}

/// The name of an argument of a call: as it is written, else by its number.
#[must_use]
pub fn argument_text(call: &CallCost, argument: usize) -> String {
    (argument.checked_sub(1))
        .and_then(|i| call.arguments.get(i)?.clone())
        .unwrap_or_else(|| format!("argument {argument}"))
}

/// The sizes of the call's arguments in a case, as far as they are known.
#[must_use]
pub fn case_sizes(call: &CallCost, case: &LiteralCase, names: &Names<'_>) -> Vec<String> {
    let show = |e| crate::present::formula(e, names);
    // What `[X]` or `7` is as an argument everybody sees.
    let written_out = |s: &&ArgumentSize| {
        let constant = |e: &Option<Expr>| e.as_ref().is_some_and(|e| e.as_constant().is_some());
        let argument = argument_text(call, s.argument);
        constant(&s.lower)
            && constant(&s.upper)
            && !argument.starts_with(|c: char| c.is_uppercase() || c == '_')
    };
    (case.sizes.iter())
        .filter(|s| !written_out(s))
        .filter_map(|s: &ArgumentSize| {
            let what = format!("{}({})", s.metric, argument_text(call, s.argument));
            match (&s.lower, &s.upper) {
                (Some(l), Some(u)) if l == u => Some(format!("{what} = {}", show(u))),
                (Some(l), Some(u)) if l.is_zero() => Some(format!("{what} ≤ {}", show(u))),
                (Some(l), Some(u)) => Some(format!("{} ≤ {what} ≤ {}", show(l), show(u))),
                (None, Some(u)) => Some(format!("{what} ≤ {}", show(u))),
                (Some(l), None) if !l.is_zero() => Some(format!("{what} ≥ {}", show(l))),
                _ => None,
            }
        })
        .collect()
}
