//! Hovers: a predicate's cost, shown for its name in clause heads and calls.

mod blame;
mod call_site;
mod table;

use std::ops::Range;

use costlens_analysis::queries::library_report;
use costlens_analysis::report::{Functor, ParameterKind, PredicateReport, Unknown};
use costlens_analysis::time_shapes::{Growth, time_shapes};
use costlens_analysis::types::Pattern;
use costlens_program::language::calls;
use costlens_program::positions::{ClausePosition, positions};
use costlens_program::{Clause, ClauseKind, CopyName, Role, SourceFile, file_assertions, find};
use costlens_syntax::assertions::{Mode, Origin, Property, StatedProperty};
use costlens_syntax::term::TermId;

use self::table::{Extras, Time};
use crate::attained::growth::judged;
use crate::attained::{self, Effort};
use crate::costs::calls::{About, CallCost, call, hover_facts};
use crate::db::{Db, reached_report};
use crate::document::assertion_words::word_at;
use crate::fixes::equals;
use crate::navigate::names::name_at;
use crate::navigate::{TargetPredicate, meant};
use crate::predicate::arguments::{argument_names, written_name};
use crate::predicate::documentation::documentation;
use crate::predicate::mode_line::proposed;
use crate::predicate::{clauses_from, trust_lines};
use crate::resources::{cells, time};
use crate::settings::{Chosen, Settings};

/// A hover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The range that the hover describes.
    pub range: Range<usize>,
    /// The text in Markdown.
    pub markdown: String,
}

/// Returns the cost of the predicate whose name is at the offset, with its comment below the signature. For a call, the cost of that call
/// comes first.
pub fn hover(db: &dyn Db, file: SourceFile, offset: usize, settings: &Settings) -> Option<Hover> {
    if let Some(hover) = assertion_word(db, file, offset) {
        return Some(hover);
    }
    let name = name_at(db, file, offset);
    let said = (name.as_ref())
        .filter(|_| settings.hover_documentation)
        .and_then(|name| said(db, &meant(db, file, name)));
    let cost = cost(db, file, offset, settings, said.as_ref()).or_else(|| {
        // The name of a goal in a directive: `:- initialization(main).`
        let name = name.as_ref().filter(|name| name.owner.is_none())?;
        let TargetPredicate { home, functor } = meant(db, file, name);
        let home = home.filter(|home| home.role(db) == Role::User);
        Some(Hover {
            range: name.range.clone(),
            markdown: whole(db, home.unwrap_or(file), &functor, settings, said.as_ref())?,
        })
    });
    cost.or_else(|| {
        Some(Hover {
            range: name?.range,
            markdown: said?,
        })
    })
}

/// Returns the explanation of a keyword in an assertion.
fn assertion_word(db: &dyn Db, file: SourceFile, offset: usize) -> Option<Hover> {
    let assertions = file_assertions(db, file);
    let is_cost = |stated: &StatedProperty| matches!(stated.property, Property::Cost(_));
    let mut stated = (assertions.list.iter().zip(&assertions.places))
        // Mode lines have keywords of their own.
        .filter(|(a, _)| a.origin == Origin::Directive || a.properties.iter().all(is_cost))
        .flat_map(|(_, place)| &place.properties);
    let &(from, to) = stated.find(|(from, to)| (*from..*to).contains(&offset))?;
    let (word, range) = word_at(&file.parsed(db).text, &(from..to), offset)?;
    Some(Hover {
        range,
        markdown: format!("```prolog\n{}\n```\n\n{}", word.form, word.meaning),
    })
}

/// Returns the comment of a user's predicate, or the known facts about any other predicate.
fn said(db: &dyn Db, target: &TargetPredicate) -> Option<String> {
    let TargetPredicate { home, functor } = target;
    if let Some(home) = home.filter(|home| home.role(db) == Role::User) {
        let comment = documentation(db, home, functor)?;
        return Some(comment.text).filter(|text| !text.is_empty());
    }
    let known = costlens_catalog::find(&functor.name, functor.arity)?;
    let description = known.description.as_ref()?;
    let origin = known.library().map_or_else(
        || "built in".to_owned(),
        |library| format!("library({library})"),
    );
    let time = time_shape(&functor.name, functor.arity, &description.arguments);
    Some(format!(
        "`{}` ({origin})\n\n{}{time}",
        description.template, description.text
    ))
}

/// Describes the growth of a built-in's time, on a line of its own.
fn time_shape(name: &str, arity: usize, names: &[&str]) -> String {
    let mut parts = Vec::new();
    for shape in time_shapes(name, arity) {
        let how = match shape.growth() {
            Growth::Constant => "constant".to_owned(),
            Growth::Sizes => format!("O({})", shape.function(names)),
            Growth::Unbounded => "not bounded by its arguments".to_owned(),
        };
        let given: Vec<&str> = (shape.modes.iter().zip(names))
            .filter(|(mode, _)| matches!(mode, Some(Mode::In)))
            .map(|(_, &name)| name)
            .collect();
        parts.push(match given.as_slice() {
            [] => how,
            given => format!("{how} where {} given", list(given)),
        });
    }
    if parts.is_empty() {
        return String::new();
    }
    format!("\n\nNo step; time: {}.", parts.join("; else "))
}

/// Formats a list of names with a verb: `A is`, `A and B are`.
fn list(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [one] => format!("{one} is"),
        some => format!("{} are", some.join(" and ")),
    }
}

fn cost(
    db: &dyn Db,
    file: SourceFile,
    offset: usize,
    settings: &Settings,
    said: Option<&String>,
) -> Option<Hover> {
    let found = predicate_at(db, file, offset)?;
    let markdown = match &found.call {
        None => whole(db, file, &found.functor, settings, said)?,
        Some(call) => {
            let here = here(db, file, call, settings);
            // A library predicate is described only for the pattern of the call. Its own patterns are not very informative, and computing
            // them would require the analysis of an entire library.
            let library = here
                .as_ref()
                .and_then(|(_, call)| library_report(db, file, &found.functor, &call.pattern));
            let callee = match library {
                Some(mut pattern) => {
                    // Don't suggest edits to library code.
                    for unknown in &mut pattern.unknown {
                        if unknown.is_recursion() {
                            unknown.help.clear();
                        }
                    }
                    let report = PredicateReport {
                        predicate: found.functor.clone(),
                        patterns: vec![pattern],
                    };
                    let names = argument_names(db, file, &found.functor);
                    let extras = Extras {
                        documentation: said.cloned(),
                        plain_tables: settings.plain_tables,
                        ..Extras::default()
                    };
                    Some(table::predicate(&report, &names, &extras))
                }
                None => explained(db, file, &found.functor, About::default(), settings, said),
            };
            // If the call was specialised, the general cost of the predicate does not apply to it.
            let is_followed =
                |(_, call): &(String, CallCost)| CopyName::read(&call.callee).is_some();
            let callee = callee.filter(|_| !here.as_ref().is_some_and(is_followed));
            let here = here.map(|(text, _)| text);
            let here = match (to_blame(db, file, call), here) {
                (Some(why), Some(here)) => Some(format!("{why}\n{here}")),
                (why, here) => why.or(here),
            };
            match (here, callee.or_else(|| said.cloned())) {
                (Some(here), Some(callee)) => format!("{here}\n---\n\n{callee}"),
                (here, None) => here?,
                // A comment without a cost does not justify a hover.
                (None, callee) => callee.filter(|text| Some(text) != said)?,
            }
        }
    };
    Some(Hover {
        range: found.range,
        markdown,
    })
}

/// Returns the hover for a predicate that is given by name, as the tooltip of its hint. No inputs are run.
pub fn tooltip(
    db: &dyn Db,
    file: SourceFile,
    predicate: &Functor,
    settings: &Settings,
) -> Option<String> {
    let settings = Settings {
        hover_runs: false,
        ..settings.clone()
    };
    let own = TargetPredicate {
        home: Some(file),
        functor: predicate.clone(),
    };
    let said = (settings.hover_documentation)
        .then(|| said(db, &own))
        .flatten();
    whole(db, file, predicate, &settings, said.as_ref())
}

fn whole(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    settings: &Settings,
    said: Option<&String>,
) -> Option<String> {
    let about = reached_report(db, file, functor)
        .and_then(|r| hover_facts(db, file, functor, r.telling()?))
        .unwrap_or_default();
    explained(db, file, functor, about, settings, said)
}

fn explained(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    about: About,
    settings: &Settings,
    said: Option<&String>,
) -> Option<String> {
    let report = judged(db, file, reached_report(db, file, functor)?);
    let report = proposed(db, file, report);
    let time = (settings.platform.as_ref())
        .and_then(|chosen| time_on(db, file, functor, &report.telling()?.pattern, chosen));
    let telling = (report.telling())
        .and_then(|told| report.patterns.iter().position(|p| std::ptr::eq(p, told)))
        .filter(|_| settings.hover_runs && find(db, file, functor).is_some());
    let attained = telling.and_then(|pattern| {
        let found = attained::evidence(db, file, functor, pattern, Effort::Glance);
        attained::sentence(&found, report.patterns.get(pattern)?)
    });
    Some(table::predicate(
        &report,
        &argument_names(db, file, functor),
        &Extras {
            documentation: said.cloned(),
            plain_tables: settings.plain_tables,
            attained,
            dominating: about.dominating,
            explanation: about.explanation,
            evaluated: about.evaluated,
            rests_on: (report.telling())
                .map(|told| trust_lines::places(db, &told.rests_on))
                .unwrap_or_default(),
            clauses_from: clauses_from(db, file, functor),
            plot: settings.hover_plot,
            time,
        },
    ))
}

/// Returns the time for a predicate's pattern, if the settings enable times.
fn time_on(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    pattern: &Pattern,
    chosen: &Chosen,
) -> Option<Time> {
    if let Chosen::Missing(name) = chosen {
        return Some(Time::NotStored(name.clone()));
    }
    let on = chosen.for_dialect(file.parsed(db).dialect())?;
    let times = time(db, file, functor, &on.prices)?;
    let mut all = times.estimate.patterns.iter();
    let times = all.find(|p| p.pattern == *pattern)?.clone();
    let cells = (on.collection.as_ref()).and_then(|c| cells(db, file, functor, c));
    let cells = cells.and_then(|r| r.patterns.iter().find(|p| p.pattern == *pattern).cloned());
    Some(match chosen {
        Chosen::OfDialect(_) => Time::AtASize(on.clone(), times, cells),
        _ => Time::Bounds(on.clone(), times, cells),
    })
}

/// Describes the cost of a call at its place.
fn here(
    db: &dyn Db,
    file: SourceFile,
    at: &CallAt,
    settings: &Settings,
) -> Option<(String, CallCost)> {
    let report = reached_report(db, file, &at.caller)?;
    let (found, pattern) = call(db, file, &at.caller, &report, at.clause, at.goal)?;
    let arguments = argument_names(db, file, &at.caller);
    let plain = settings.plain_tables;
    let own = written_name(db, file, &at.caller);
    let mut text = call_site::markdown(&found, &own, &arguments, pattern, plain);
    let cheaper = equals::cheaper(db, file, &at.caller, &found.callee, &found.pattern);
    if let Some(cheaper) = cheaper {
        text.push_str(&format!("\n{cheaper}\n"));
    }
    Some((text, found))
}

/// Returns the reason for a predicate's missing bounds if this goal is the root cause, such as `call(G)` with an unknown G.
fn to_blame(db: &dyn Db, file: SourceFile, at: &CallAt) -> Option<String> {
    let caller = at.caller.clone();
    let report = reached_report(db, file, &at.caller)?;
    let is_here = |u: &Unknown| u.cause == caller && u.literal == Some((at.clause, at.goal));
    let own = written_name(db, file, &caller);
    let mut causes = report.patterns.iter().flat_map(|p| &p.unknown);
    if let Some(why) = causes.find(|u| is_here(u)) {
        return Some(blame::to_blame(&own, why));
    }
    let mut costs = (report.patterns.iter().flat_map(|p| &p.parameters))
        .filter(|p| p.parameter.kind == ParameterKind::Cost);
    costs.find_map(|p| {
        let why = p.why.as_deref().filter(|why| is_here(why))?;
        Some(blame::open_cost(&own, p, why))
    })
}

/// An occurrence of a predicate's name in the text.
struct NameAt {
    range: Range<usize>,
    functor: Functor,
    /// The call. `None` if the name is in a head.
    call: Option<CallAt>,
}

/// A call in a body.
struct CallAt {
    caller: Functor,
    clause: usize,
    goal: TermId,
}

/// Returns the predicate whose name is at an offset, in a head or a body.
fn predicate_at(db: &dyn Db, file: SourceFile, offset: usize) -> Option<NameAt> {
    for p in positions(db, file).iter() {
        for (i, clause) in p.clauses.iter().enumerate() {
            if !(clause.range.0..clause.range.1).contains(&offset) {
                continue;
            }
            if (clause.name.0..=clause.name.1).contains(&offset) {
                return Some(NameAt {
                    range: clause.name.0..clause.name.1,
                    functor: p.functor.clone(),
                    call: None,
                });
            }
            let clauses = find(db, file, &p.functor)?.clauses(db);
            let text = &file.parsed(db).text;
            let (range, functor, goal) = call_at(clauses.get(i)?, clause, text, offset)?;
            return Some(NameAt {
                range,
                functor,
                call: Some(CallAt {
                    caller: p.functor.clone(),
                    clause: i,
                    goal,
                }),
            });
        }
    }
    None
}

/// Returns the innermost call whose name is at the offset.
fn call_at(
    clause: &Clause,
    position: &ClausePosition,
    text: &str,
    offset: usize,
) -> Option<(Range<usize>, Functor, TermId)> {
    let bodies = clause.guard.into_iter().chain(clause.body);
    let mut best: Option<(Range<usize>, Functor, TermId)> = None;
    for call in bodies.flat_map(|body| calls(&clause.terms, body)) {
        let Some((from, to)) = position.range(call.goal) else {
            continue;
        };
        let Some(written) = text.get(from..to) else {
            continue;
        };
        // The goal is written as `name(…)` or `name`. The place of an infix operator is unknown, but an infix goal does not call a user's
        // predicate.
        let arguments = clause.terms.args(call.goal);
        let length = match arguments.first().and_then(|&a| position.range(a)) {
            None => written.len(),
            Some((first, _)) => match text.get(from..first).map(str::trim_end) {
                Some(before) if before.len() > 1 && before.ends_with('(') => before.len() - 1,
                _ => continue,
            },
        };
        if !(from..=from + length).contains(&offset) {
            continue;
        }
        let mut callee = call.callee;
        if clause.kind == ClauseKind::Dcg {
            callee.arity += 2;
        }
        best = Some((from..from + length, callee, call.goal));
    }
    best
}
