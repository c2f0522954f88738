//! The conditions of rewrites: requirements for a variant to give the same answers. The analysis proves each condition, or it is reported as
//! missing.
//!
//! The analysis itself infers the value of a variable before a goal. In a separate copy of the text, a call of a predicate that accepts any
//! arguments is inserted before the goal. The types inferred for this call are the types of the variable.

mod signs;

use std::collections::BTreeSet;

use costlens_analysis::queries::breakdown;
use costlens_analysis::report::{Determinism, PatternReport};
use costlens_analysis::types::{Pattern, Type};
use costlens_syntax::term::{NIL, TermId};

use super::after_success::is_proper_list;
use super::callers::{are_closed, has_unknown, is_alone};
use super::site::{Site, variable};
use super::variant::Variant;
use crate::db::reached_report;
use crate::file::Edit;
use crate::predicate::arguments::argument_names;
use signs::is_never_negative;

/// A condition of a rewrite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// A term has this form before a goal.
    Before {
        clause: usize,
        goal: TermId,
        term: TermId,
        is: Shape,
    },
    /// An argument, with an index from 0, has this form in every call.
    Argument { argument: usize, is: Shape },
    /// An integer argument, with an index from 0, is nonnegative in every nonrecursive call.
    NeverNegative { argument: usize },
    /// A goal has at most one solution, in all calls that reach it.
    Once { clause: usize, goal: TermId },
    /// No call raises an exception.
    NoException,
    /// Every call succeeds exactly once.
    Succeeds,
    /// No call of the variant raises an exception or has a second solution.
    Settled,
}

impl Condition {
    /// Returns the condition that a term of a clause has this form before a goal.
    pub(super) fn before_goal(clause: usize, goal: TermId, term: TermId, is: Shape) -> Self {
        Condition::Before {
            clause,
            goal,
            term,
            is,
        }
    }

    /// Returns the condition that a term is a proper list before a goal. Returns `None` if the term is written as a proper list. For a
    /// partial list, the condition concerns the tail.
    pub(super) fn list(site: &Site<'_>, clause: usize, goal: TermId, term: TermId) -> Option<Self> {
        let terms = &site.clauses[clause].terms;
        let (_, rest) = terms.list(term);
        let is_written = terms.matches(rest, NIL, 0).is_some();
        (!is_written).then_some(Condition::before_goal(clause, goal, rest, Shape::List))
    }

    /// Returns the conditions under which a variable is unbound before a goal and occurs in no other term. There are none if the variable
    /// first occurs in the goal.
    pub(super) fn unbound(
        site: &Site<'_>,
        clause: usize,
        goal: TermId,
        term: TermId,
    ) -> Option<Self> {
        let v = variable(&site.clauses[clause].terms, term);
        let is_new = v.is_some_and(|v| site.is_fresh(clause, v, goal));
        (!is_new).then_some(Condition::before_goal(clause, goal, term, Shape::Unbound))
    }
}

/// The required form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A proper list with any elements.
    List,
    /// A proper list without variables.
    GroundList,
    /// A proper list of integers.
    Integers,
    /// A proper list of proper lists.
    Lists,
    /// A term without variables.
    Ground,
    /// An integer.
    Integer,
    /// An unbound variable that occurs nowhere else.
    Unbound,
    /// An unbound variable that occurs nowhere else, or a proper list.
    UnboundOrList,
}

impl Shape {
    pub(super) fn holds(self, of: &Type) -> bool {
        match self {
            Shape::List => matches!(of, Type::List(_)),
            Shape::GroundList => matches!(of, Type::List(_)) && of.is_ground(),
            Shape::Integers => matches!(of, Type::List(e) if matches!(**e, Type::Int | Type::None)),
            Shape::Lists => {
                matches!(of, Type::List(e) if matches!(**e, Type::List(_) | Type::None))
            }
            Shape::Ground => of.is_ground(),
            Shape::Integer => *of == Type::Int,
            Shape::Unbound => *of == Type::Free,
            Shape::UnboundOrList => matches!(of, Type::Free | Type::List(_)),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Shape::List => "a proper list",
            Shape::GroundList => "a proper list without variables",
            Shape::Integers => "a proper list of integers",
            Shape::Lists => "a proper list of proper lists",
            Shape::Ground => "without variables",
            Shape::Integer => "an integer",
            Shape::Unbound => "unbound",
            Shape::UnboundOrList => "unbound, or a proper list",
        }
    }
}

impl Condition {
    /// Returns true if the goals of the clause alone prove the condition.
    pub(super) fn holds_in_every_call(&self, site: &Site<'_>) -> bool {
        match *self {
            Condition::Before {
                clause,
                goal,
                term,
                is: Shape::List,
            } => is_proper_list(site, clause, goal, term),
            _ => false,
        }
    }

    /// Describes the condition: ``if `Xs` is always a proper list``.
    pub(super) fn words(&self, site: &Site<'_>) -> String {
        match self {
            Condition::Before {
                clause, term, is, ..
            } => {
                let term = site.source(*clause, *term).unwrap_or("it");
                format!("if `{term}` is always {}", is.words())
            }
            Condition::Argument { argument, is } => {
                format!("if {} is always {}", name_of(site, *argument), is.words())
            }
            Condition::NeverNegative { argument } => {
                format!("if {} is never negative", name_of(site, *argument))
            }
            Condition::Once { clause, goal } => {
                let goal = site.source(*clause, *goal).unwrap_or("it");
                format!("if `{goal}` never has a second solution")
            }
            Condition::NoException => "if no call raises an exception".to_owned(),
            Condition::Succeeds => "if every call succeeds exactly once".to_owned(),
            Condition::Settled => {
                "if no call raises an exception or has a second solution".to_owned()
            }
        }
    }
}

/// Returns the name of an argument, with an index from 0: `` `Xs` ``, or else `argument 2`.
fn name_of(site: &Site<'_>, argument: usize) -> String {
    let names = argument_names(site.db, site.file, site.functor);
    let name = names.into_iter().nth(argument).flatten();
    let name = name.map(|name| format!("`{name}`"));
    name.unwrap_or_else(|| format!("argument {}", argument + 1))
}

/// Returns the conditions that are not proved.
pub(super) fn unproved(site: &Site<'_>, conditions: &[Condition]) -> Vec<Condition> {
    let open = |c: &&Condition| !holds(site, c);
    let (before, others): (Vec<&Condition>, Vec<&Condition>) =
        (conditions.iter()).partition(|c| matches!(c, Condition::Before { .. }));
    let mut missing: Vec<&Condition> = others.into_iter().filter(open).collect();
    // These conditions require the analysis of another text. They are checked only if all other conditions hold.
    if missing.is_empty() && !before.is_empty() {
        missing = match types_before(site, &before) {
            None => before,
            Some(types) => (before.into_iter().zip(types))
                .filter(|(c, of)| {
                    !matches!(c, Condition::Before { is, .. } if of.iter().all(|t| is.holds(t)))
                })
                .map(|(c, _)| c)
                .collect(),
        };
    }
    missing.into_iter().cloned().collect()
}

/// Returns whether the conditions on the variant hold, for all patterns of the predicate's known calls.
pub(super) fn hold_of_variant(
    site: &Site<'_>,
    conditions: &[Condition],
    variant: &Variant,
) -> bool {
    if !conditions.contains(&Condition::Settled) {
        return true;
    }
    let (patterns, report) = (
        site.patterns(),
        reached_report(&variant.db, variant.file, site.functor),
    );
    let (Some(patterns), Some(report)) = (patterns, report) else {
        return false;
    };
    patterns.iter().all(|pattern| {
        let of = report.patterns.iter().find(|p| p.pattern == *pattern);
        of.is_some_and(|p| {
            let once = matches!(p.determinism, Determinism::Det | Determinism::Semidet);
            once && !p.errors_possible
        })
    })
}

fn holds(site: &Site<'_>, condition: &Condition) -> bool {
    let Some(calls) = site.calls() else {
        return false;
    };
    match condition {
        Condition::Before { .. } => false,
        // The calls include recursive calls.
        Condition::Argument { argument, is } => {
            are_closed(site.db, site.file, site.functor, &calls)
                && calls.iter().all(|report| {
                    let of = report.pattern.0.get(*argument);
                    of.is_some_and(|of| is.holds(of))
                })
        }
        Condition::NeverNegative { argument } => is_never_negative(site, *argument),
        Condition::Once { clause, goal } => has_one_solution(site, &calls, *clause, *goal),
        Condition::NoException => calls.iter().all(|report| !report.errors_possible),
        Condition::Succeeds => (calls.iter()).all(|r| r.determinism == Determinism::Det),
        // Checked once the variant exists.
        Condition::Settled => true,
    }
}

/// Returns true if a goal of a clause has at most one solution in all these calls.
fn has_one_solution(site: &Site<'_>, calls: &[PatternReport], clause: usize, goal: TermId) -> bool {
    // Mutually recursive calls may have other patterns.
    let (db, file) = (site.db, site.file);
    is_alone(db, file, site.functor)
        && calls.iter().all(|of| {
            let found = breakdown(db, file, site.functor, &of.pattern);
            let literals = found.iter().flat_map(|found| &found.literals);
            let mut here = literals
                .filter(|l| (l.clause, l.literal) == (clause, goal))
                .peekable();
            !has_unknown(of)
                && here.peek().is_some()
                && here.all(|literal| {
                    let report = reached_report(db, file, &literal.callee);
                    let patterns = report.iter().flat_map(|r| &r.patterns);
                    let mut fitting = patterns.filter(|p| literal.pattern.is_within(&p.pattern));
                    fitting.any(|p| {
                        let once = matches!(p.determinism, Determinism::Det | Determinism::Semidet);
                        once && !has_unknown(p)
                    })
                })
        })
}

/// Returns the types of the terms of [`Condition::Before`] in all calls that reach the goals. Returns `None` if some type is unknown.
fn types_before(site: &Site<'_>, conditions: &[&Condition]) -> Option<Vec<BTreeSet<Type>>> {
    let patterns = site.patterns()?;
    // Mutually recursive calls may have other patterns.
    is_alone(site.db, site.file, site.functor).then_some(())?;
    let mut edits: Vec<Edit> = Vec::new();
    let mut definitions = String::new();
    for (number, condition) in conditions.iter().enumerate() {
        let Condition::Before {
            clause, goal, term, ..
        } = condition
        else {
            return None;
        };
        let (from, to) = site.places.get(*clause)?.range(*goal)?;
        let call = format!("{}({}), ", probe(number), site.source(*clause, *term)?);
        match edits.iter_mut().find(|e| e.range == (from..from)) {
            Some(edit) => edit.text.push_str(&call),
            None => {
                edits.push(Edit {
                    range: from..from,
                    text: format!("({call}"),
                });
                edits.push(Edit {
                    range: to..to,
                    text: ")".to_owned(),
                });
            }
        }
        definitions.push_str(&format!("\n{}(_).", probe(number)));
    }
    edits.sort_by_key(|e| (e.range.start, e.text != ")"));
    let variant = Variant::with_clauses(site, &edits, &format!("{definitions}\n"));
    let report = reached_report(&variant.db, variant.file, site.functor)?;
    let mut types = vec![BTreeSet::new(); conditions.len()];
    for pattern in &patterns {
        // The inserted call may change the sizes that are guessed for a declared type, and with them the pattern.
        let mut patterns_there = report.patterns.iter();
        let of = patterns_there
            .clone()
            .find(|p| p.pattern == *pattern)
            .or_else(|| patterns_there.find(|p| pattern.is_within(&p.pattern)))?;
        let there = &of.pattern;
        if has_unknown(of) {
            return None;
        }
        let found = breakdown(&variant.db, variant.file, site.functor, there)?;
        for literal in &found.literals {
            if literal.callee == *site.functor {
                let known = |p: &Pattern| literal.pattern.is_within(p);
                if !patterns.iter().chain([there]).any(known) {
                    return None;
                }
            }
            let number = (0..conditions.len()).find(|&n| {
                literal.callee.arity == 1 && probe(n).trim_matches('\'') == literal.callee.name
            });
            if let (Some(number), Some(of)) = (number, literal.pattern.0.first()) {
                types[number].insert(of.clone());
            }
        }
    }
    // A goal that is never reached proves nothing.
    types.iter().all(|of| !of.is_empty()).then_some(types)
}

/// Returns the quoted name of a predicate that accepts any arguments.
fn probe(number: usize) -> String {
    format!("'costlens looks at {number}'")
}
