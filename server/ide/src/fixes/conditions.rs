//! The conditions of rewrites: the requirements for a variant to give the same answers. Each is proved by the analysis, or reported.
//!
//! The analysis itself determines the value of a variable at the beginning of a goal: in a separate text, a call of a predicate that accepts anything
//! is inserted before the goal, and the types found for this call are those of the variable.

mod signs;

use std::collections::BTreeSet;

use costlens_analysis::queries::breakdown;
use costlens_analysis::report::{Determinism, PatternReport};
use costlens_analysis::types::{Pattern, Type};
use costlens_syntax::term::{NIL, TermId};

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
    /// A term has this form when a goal begins.
    Before {
        clause: usize,
        goal: TermId,
        term: TermId,
        is: Shape,
    },
    /// An argument, from 0, has this form in every call.
    Argument { argument: usize, is: Shape },
    /// An integer argument, from 0, is nonnegative in every call from outside.
    NeverNegative { argument: usize },
    /// A goal has at most one solution, whichever calls reach it.
    Once { clause: usize, goal: TermId },
    /// No call raises an exception.
    NoException,
    /// Every call succeeds exactly once.
    Succeeds,
    /// No call of the variant raises an exception or has a second solution.
    Settled,
}

impl Condition {
    /// A term of a clause has this form when a goal begins.
    pub(super) fn before(clause: usize, goal: TermId, term: TermId, is: Shape) -> Self {
        Condition::Before {
            clause,
            goal,
            term,
            is,
        }
    }

    /// Returns the condition under which a term is a proper list when a goal begins: none if it is written as one. For a partial list the condition
    /// is about its tail.
    pub(super) fn list(site: &Site<'_>, clause: usize, goal: TermId, term: TermId) -> Option<Self> {
        let terms = &site.clauses[clause].terms;
        let (_, rest) = terms.list(term);
        let is_written = terms.matches(rest, NIL, 0).is_some();
        (!is_written).then_some(Condition::before(clause, goal, rest, Shape::List))
    }

    /// Returns the conditions under which a variable is unbound when a goal begins and occurs in no other term: none if it is new in the goal.
    pub(super) fn unbound(
        site: &Site<'_>,
        clause: usize,
        goal: TermId,
        term: TermId,
    ) -> Option<Self> {
        let v = variable(&site.clauses[clause].terms, term);
        let is_new = v.is_some_and(|v| site.is_fresh(clause, v, goal));
        (!is_new).then_some(Condition::before(clause, goal, term, Shape::Unbound))
    }
}

/// The form that a value must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A proper list, whatever its elements are.
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
    /// The same, or a proper list.
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
    /// Returns the condition in words: ``if `Xs` is always a proper list``.
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
            Condition::NoException => "if no call ends in an exception".to_owned(),
            Condition::Succeeds => "if every call succeeds, once".to_owned(),
            Condition::Settled => {
                "if no call ends in an exception or has a second solution".to_owned()
            }
        }
    }
}

/// Returns the name of an argument, from 0: `` `Xs` ``, else `argument 2`.
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
    // These require the analysis of a text, and are checked only if the others hold.
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

/// Checks the conditions about the variant, for all patterns that the predicate is known to be called with.
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
        // Including recursive calls.
        Condition::Argument { argument, is } => {
            are_closed(site.db, site.file, site.functor, &calls)
                && calls.iter().all(|report| {
                    let of = report.pattern.0.get(*argument);
                    of.is_some_and(|of| is.holds(of))
                })
        }
        Condition::NeverNegative { argument } => is_never_negative(site, *argument),
        Condition::Once { clause, goal } => has_one_solution(site, &calls, (*clause, *goal)),
        Condition::NoException => calls.iter().all(|report| !report.errors_possible),
        Condition::Succeeds => (calls.iter()).all(|r| r.determinism == Determinism::Det),
        // Checked when the variant exists.
        Condition::Settled => true,
    }
}

/// Returns true for a goal of a clause that has at most one solution in all these calls.
fn has_one_solution(site: &Site<'_>, calls: &[PatternReport], goal: (usize, TermId)) -> bool {
    // Mutually recursive calls may have other patterns.
    let (db, file) = (site.db, site.file);
    is_alone(db, file, site.functor)
        && calls.iter().all(|of| {
            let found = breakdown(db, file, site.functor, &of.pattern);
            let literals = found.iter().flat_map(|found| &found.literals);
            let mut here = literals
                .filter(|l| (l.clause, l.literal) == goal)
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

/// Returns the types of the terms of [`Condition::Before`] in all calls that reach the goals. Returns `None` if they are not known for all of them.
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
        let (from, to) = site.places.get(*clause)?.of(*goal)?;
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
    let variant = Variant::with(site, &edits, &format!("{definitions}\n"));
    let report = reached_report(&variant.db, variant.file, site.functor)?;
    let mut types = vec![BTreeSet::new(); conditions.len()];
    for pattern in &patterns {
        let of = report.patterns.iter().find(|p| p.pattern == *pattern)?;
        if has_unknown(of) {
            return None;
        }
        let found = breakdown(&variant.db, variant.file, site.functor, pattern)?;
        for literal in &found.literals {
            if literal.callee == *site.functor {
                let known = |p: &Pattern| literal.pattern.is_within(p);
                if !patterns.iter().any(known) {
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

/// Returns the name, as written, of a predicate that accepts anything.
fn probe(number: usize) -> String {
    format!("'costlens looks at {number}'")
}
