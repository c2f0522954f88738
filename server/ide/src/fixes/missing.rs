//! `declare-for-variant` proposes the declaration that makes a cheaper variant available. `condition-missing` reports the missing condition
//! if no declaration can state it.
//!
//! ```text
//! turned([], []).                         Declare `turned(+Xs:list, -Ys)` if the declaration matches all calls of `turned/2`, to
//! turned([X|Xs], Ys) :- …                 enable a cheaper variant: Reverse with an accumulator …
//! ```
//!
//! The clauses have the form that a rewrite needs, but a condition on the predicate's calls is not proved. A mode line that states the
//! condition is added on trial, and is proposed only if the variant becomes available. Whether the mode line is true is unknown to the
//! analysis.

use std::collections::BTreeMap;

use costlens_analysis::report::{Origin as From, PatternReport};
use costlens_analysis::types::{Pattern, Type};
use costlens_program::positions::positions;
use costlens_syntax::assertions::Origin;
use costlens_syntax::term::{CONS, Term, TermId, Terms};

use super::callers::violation;
use super::conditions::{Condition, Shape};
use super::declare::narrowed;
use super::proposal::Proposal;
use super::rewrites::Rewrite;
use super::site::{Site, variable};
use super::variant::Variant;
use super::{Action, Blamed, kept, rules};
use super::{Tried, cheaper, if_cheaper};
use crate::db::reached_report;
use crate::file::Edit;
use crate::predicate::arguments::argument_names;
use crate::predicate::mode_line::{is_declarable, mode_line};
use crate::present::indicator;

/// Returns the mode lines that proposals lack, without duplicates, each with the first proposal that lacks it. Also returns the conditions
/// that no mode line can state.
pub(super) fn actions(
    site: &Site<'_>,
    refused: &[(&'static Rewrite, Proposal, Vec<Condition>)],
) -> Vec<Action> {
    let mut found: BTreeMap<String, Action> = BTreeMap::new();
    for of in refused {
        site.db.unwind_if_revision_cancelled();
        let mut actions = declared(site, of);
        if actions.is_empty() {
            actions.extend(conditional(site, of));
        }
        for action in actions {
            let line: String = action.edits.iter().map(|edit| edit.text.as_str()).collect();
            let key = if line.is_empty() {
                action.title.clone()
            } else {
                line
            };
            found.entry(key).or_insert(action);
        }
    }
    found.into_values().collect()
}

/// Returns an action without edits that names the only condition that a proposal lacks. Returns `None` if several conditions are missing, or
/// if the variant would still not be offered.
fn conditional(
    site: &Site<'_>,
    (_, proposal, missing): &(&'static Rewrite, Proposal, Vec<Condition>),
) -> Option<Action> {
    let [only] = &missing[..] else {
        return None;
    };
    // If no calls are known, a declaration is missing instead.
    site.calls()?;
    let offered = cheaper(site, &rules::CONDITION_MISSING, proposal, None, Tried::Not).ok()?;
    let condition = only.words(site);
    let title = format!("{}: {}", sentence(&condition), offered.title);
    Some(Action {
        title,
        better_for: String::new(),
        tested_inputs: 0,
        missing: vec![condition],
        edits: Vec::new(),
        ..offered
    })
}

/// Returns an action without edits that names the call that prevents a variant.
pub(super) fn blamed(site: &Site<'_>, of: &Blamed) -> Action {
    let Blamed { words, title, gain } = of;
    Action {
        title: format!("{words}; this prevents a cheaper variant: {title}"),
        rule: &rules::CONDITION_MISSING,
        predicate: site.functor.clone(),
        offset: site.places.first().map_or(0, |place| place.range.0),
        cost: gain.cost.clone(),
        unit: gain.unit.clone(),
        better_for: String::new(),
        times: None,
        tested_inputs: 0,
        missing: vec![words.clone()],
        edits: Vec::new(),
    }
}

/// Capitalises the first letter.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first
        .into_iter()
        .chain([letters.as_str().to_owned()])
        .collect()
}

/// Returns the actions that declare the conditions that a proposal lacks: one that also rewrites the clauses, and one that only declares.
/// Returns none if other conditions are missing, or if the variant would still not be offered.
fn declared(site: &Site<'_>, of: &(&'static Rewrite, Proposal, Vec<Condition>)) -> Vec<Action> {
    let Some((declaring, line)) = declaring(site, of) else {
        return Vec::new();
    };
    let both = rewriting(site, &of.1, &declaring, &line);
    both.into_iter().chain([declaring]).collect()
}

/// Returns the action that writes a mode line, as another action does, and also rewrites the clauses.
fn rewriting(
    site: &Site<'_>,
    proposal: &Proposal,
    declaring: &Action,
    line: &str,
) -> Option<Action> {
    // Clauses of other files would be missing, and what a caller sees is not the predicate's own gain.
    let is_plain = proposal.beside.is_empty() && proposal.seen_by.is_none();
    (is_plain && !declaring.edits.is_empty()).then_some(())?;
    let gain = match proposal.short_runs.local() {
        Some(gain) => gain.to_owned(),
        None => format!(
            "{} → {} {}",
            declaring.cost.0, declaring.cost.1, declaring.unit
        ),
    };
    let mut edits = [&declaring.edits[..], &proposal.edits[..]].concat();
    edits.sort_by_key(|edit| edit.range.start);
    kept::refusal(site, &edits).is_none().then_some(())?;
    Some(Action {
        title: format!("{} and declare `{line}`: {gain}", proposal.what),
        rule: &rules::DECLARE_AND_REWRITE,
        edits,
        ..declaring.clone()
    })
}

/// Returns the action that declares the conditions that a proposal lacks, and the mode line; or the action without edits that names a call
/// that does not match it.
fn declaring(
    site: &Site<'_>,
    (rewrite, proposal, missing): &(&'static Rewrite, Proposal, Vec<Condition>),
) -> Option<(Action, String)> {
    let (line, condition) = declaration(site, proposal, missing)?;
    let (place, _) = site.places.first()?.range;
    let edit = narrowed(site.db, site.file, site.functor, &line).unwrap_or_else(|| Edit {
        range: place..place,
        text: format!("%! {line}.{}", site.line_end()),
    });
    let variant = Variant::with_edits(
        site.db,
        site.file,
        site.functor,
        std::slice::from_ref(&edit),
    );
    let places = positions(&variant.db, variant.file);
    let places = places.iter().find(|p| p.functor == *site.functor)?;
    let mut offered = None;
    Site::visit(
        &variant.db,
        variant.file,
        site.functor,
        &places.clauses,
        |site| {
            let all = rewrite.propose(site).into_iter();
            offered = all
                .filter(|p| p.what == proposal.what && texts(p) == texts(proposal))
                .find_map(|p| if_cheaper(site, rewrite.rule, &p, None).ok());
        },
    );
    let offered: Action = offered?;
    // The declaration must also hold for the calls in other files.
    let declared = reached_report(&variant.db, variant.file, site.functor)?;
    let declared = declared.patterns.iter().map(|p| p.pattern.clone());
    let declared: Vec<Pattern> = declared.collect();
    if let Some(of) = violation(site.db, site.file, site.functor, &declared) {
        let action = Action {
            title: format!(
                "{}; this rules out declaring `{line}`, which would enable a cheaper variant: {}",
                of.words(site.db, site.file),
                offered.title
            ),
            rule: &rules::CONDITION_MISSING,
            offset: place,
            better_for: String::new(),
            times: None,
            tested_inputs: 0,
            missing: vec![of.words(site.db, site.file)],
            edits: Vec::new(),
            ..offered
        };
        return Some((action, line));
    }
    let action = Action {
        title: format!(
            "Declare `{line}` if {condition}, to enable a cheaper variant: {}",
            offered.title
        ),
        rule: &rules::DECLARE_FOR_VARIANT,
        predicate: site.functor.clone(),
        offset: place,
        cost: offered.cost,
        unit: offered.unit,
        better_for: String::new(),
        times: None,
        tested_inputs: 0,
        missing: vec![format!("if {condition}")],
        edits: vec![edit],
    };
    Some((action, line))
}

/// Returns the new texts of a proposal.
fn texts(proposal: &Proposal) -> Vec<&str> {
    proposal
        .edits
        .iter()
        .map(|edit| edit.text.as_str())
        .collect()
}

/// Returns the mode line that states the missing conditions, and the conditions in words. Returns `None` if no mode line can state them.
fn declaration(
    site: &Site<'_>,
    proposal: &Proposal,
    missing: &[Condition],
) -> Option<(String, String)> {
    // The undeclared patterns of calls change when the mode line is added.
    let declared = |report: &PatternReport| matches!(report.origin, From::Declared | From::Entry);
    let known: Option<Vec<Pattern>> = site.calls().map(|calls| {
        let all = calls.into_iter().filter(declared);
        all.map(|report| report.pattern).collect()
    });
    let report = reached_report(site.db, site.file, site.functor)?;
    let mut pattern = match &known {
        // A single mode line cannot state the conditions for several patterns.
        Some(all) => match &all[..] {
            [only] => only.clone(),
            _ => return None,
        },
        // A rewrite of goals needs nothing of the other arguments.
        None if proposal.short_runs.local().is_some() => {
            Pattern(vec![Type::Any; site.functor.arity])
        }
        None => report.telling()?.pattern.clone(),
    };
    let before = pattern.clone();
    // Only the conditions on the calls matter at this point. The conditions on the variant are checked once it exists.
    for condition in &proposal.needs {
        demand(site, condition, &mut pattern);
    }
    pattern.0.iter().all(is_declarable).then_some(())?;
    let names = argument_names(site.db, site.file, site.functor);
    let line = mode_line(site.functor, &pattern, &names);
    let of = indicator(site.functor);
    let condition = match (&known, missing) {
        (Some(_), _) if pattern == before => return None,
        (Some(_), [only]) => only.words(site).trim_start_matches("if ").to_owned(),
        (Some(_), _) => return None,
        (None, _) => {
            // A directive that declares other properties is kept.
            let assertions = costlens_program::file_assertions(site.db, site.file);
            let mut own = assertions.list.iter();
            let stated = own.any(|a| {
                a.origin == Origin::Directive
                    && (a.name.as_str(), a.arity)
                        == (site.functor.name.as_str(), site.functor.arity)
            });
            if stated {
                return None;
            }
            format!("the declaration matches all calls of `{of}`")
        }
    };
    Some((line, condition))
}

/// Narrows the argument types of a call to those that a condition requires, if the condition restricts an argument of the head.
fn demand(site: &Site<'_>, condition: &Condition, pattern: &mut Pattern) {
    match condition {
        Condition::Argument { argument, is } => {
            if let Some(of) = pattern.0.get_mut(*argument) {
                narrow(of, *is);
            }
        }
        Condition::Before {
            clause, term, is, ..
        } => {
            let of = &site.clauses[*clause];
            let Some(v) = variable(&of.terms, *term) else {
                return;
            };
            let heads = of.terms.args(of.head);
            for (ty, &head) in pattern.0.iter_mut().zip(heads) {
                match place_in(&of.terms, head, v) {
                    Some(VariablePosition::Whole | VariablePosition::Rest) => narrow(ty, *is),
                    Some(VariablePosition::Element) if *is == Shape::Integer => {
                        narrow(ty, Shape::Integers)
                    }
                    Some(VariablePosition::Element) if *is == Shape::Ground => {
                        narrow(ty, Shape::GroundList)
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// The position of a variable in an argument of a head.
enum VariablePosition {
    Whole,
    /// An element of a list literal.
    Element,
    /// The tail of the list.
    Rest,
}

fn place_in(terms: &Terms, head: TermId, v: u32) -> Option<VariablePosition> {
    let is_it = |id: TermId| *terms.get(id) == Term::Var(v);
    if is_it(head) {
        return Some(VariablePosition::Whole);
    }
    let mut at = head;
    while let Some(&[first, rest]) = terms.matches(at, CONS, 2) {
        if is_it(first) {
            return Some(VariablePosition::Element);
        }
        at = rest;
    }
    (at != head && is_it(at)).then_some(VariablePosition::Rest)
}

/// Narrows a type to a shape, unless the type already implies it.
fn narrow(ty: &mut Type, is: Shape) {
    if is.holds(ty) {
        return;
    }
    let element = match ty {
        Type::List(element) => (**element).clone(),
        _ => Type::Any,
    };
    *ty = match is {
        Shape::List => Type::list(element),
        Shape::GroundList => Type::list(Type::Ground),
        Shape::Integers => Type::list(Type::Int),
        Shape::Lists => Type::list(Type::list(Type::Any)),
        Shape::Ground => Type::Ground,
        Shape::Integer => Type::Int,
        Shape::Unbound => Type::Free,
        Shape::UnboundOrList => return,
    };
}
