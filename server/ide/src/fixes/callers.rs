//! The known calls of a predicate: its declared calls, or those that all callers of a local predicate make. The module `passed` proves that
//! the workspace contains no other calls.

mod index;
mod passed;
mod redefined;
mod written;

pub(super) use index::{files, means, mentioned, others};
pub(super) use passed::all_callers;
pub(crate) use passed::{Blame, reflecting, violation};
pub(super) use redefined::may_be_redefined;

use std::collections::BTreeSet;

use costlens_analysis::queries::breakdown;
use costlens_analysis::report::{Functor, Origin, PatternReport};
use costlens_catalog::makes_terms;
use costlens_program::calls::{calls_in, declared_closures, loads_while_running};
use costlens_program::directives::{Load, LoadKind, loads};
use costlens_program::language::{has_unbound_goal, is_library};
use costlens_program::loading::target;
use costlens_program::workspace::{Workspace, is_installed, terms};
use costlens_program::{SourceFile, callees, component_of, facts, find, predicates};

use crate::db::{Db, reached_report};
use crate::navigate::names::{NameRole, names};

/// The maximum number of caller levels that are followed.
const DEEPEST: usize = 4;
/// The maximum number of callers of one predicate.
const MOST_CALLERS: usize = 16;

/// The assumption about the callers of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callers {
    /// All callers that are possible in the program.
    Any,
    /// All callers, under the assumption that their calls match the declarations. The assumption is proved separately.
    AsDeclared,
    /// Only clauses of the file, because the predicate's name was generated for them.
    OfFile,
}

/// Returns the reports for the patterns of a predicate's known calls. Returns `None` if there may be other calls: an inferred pattern is not
/// a proof.
pub(crate) fn known_calls(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    callers: Callers,
) -> Option<Vec<PatternReport>> {
    known(db, file, functor, callers, 0)
}

/// Returns the other predicates of the file that call this predicate.
pub(crate) fn callers(db: &dyn Db, file: SourceFile, functor: &Functor) -> Vec<Functor> {
    let others = predicates(db, file).iter();
    let others = others.filter(|&&p| p.functor(db) != functor);
    (others.filter(|&&p| callees(db, p).contains(functor)))
        .map(|&p| p.functor(db).clone())
        .collect()
}

fn known(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    of: Callers,
    depth: usize,
) -> Option<Vec<PatternReport>> {
    let report = reached_report(db, file, functor)?;
    let of_others = |p: &&PatternReport| p.origin != Origin::Inferred;
    let declared = |p: &PatternReport| matches!(p.origin, Origin::Declared | Origin::Entry);
    if report.patterns.iter().any(declared) {
        // The declared patterns, and the patterns of further calls in the file.
        let is_known = |p: &&PatternReport| match of {
            Callers::AsDeclared => declared(p),
            Callers::Any | Callers::OfFile => of_others(p),
        };
        return Some(report.patterns.iter().filter(is_known).cloned().collect());
    }
    if depth >= DEEPEST || (of != Callers::OfFile && !is_local(db, file, functor)) {
        return None;
    }
    let mut calls: Vec<&PatternReport> = Vec::new();
    let callers = callers(db, file, functor);
    if callers.is_empty() || callers.len() > MOST_CALLERS {
        return None;
    }
    for caller in &callers {
        let patterns = known(db, file, caller, Callers::Any, depth + 1)?;
        let mut seen = Vec::new();
        for of in &patterns {
            if has_unknown(of) {
                return None;
            }
            for literal in &breakdown(db, file, caller, &of.pattern)?.literals {
                if literal.callee == *caller
                    && !patterns
                        .iter()
                        .any(|p| literal.pattern.is_within(&p.pattern))
                {
                    return None;
                }
                if literal.callee == *functor {
                    let covers = |p: &&PatternReport| literal.pattern.is_within(&p.pattern);
                    let found = report.patterns.iter().find(covers)?;
                    if !calls.contains(&found) {
                        calls.push(found);
                    }
                    seen.push((literal.clause, literal.literal));
                }
            }
        }
        if !is_alone(db, file, caller) || !are_all(db, file, caller, functor, &seen) {
            return None;
        }
    }
    // Includes the patterns of recursive calls.
    let mut next = 0;
    while let Some(&of) = calls.get(next) {
        next += 1;
        let found = breakdown(db, file, functor, &of.pattern);
        let literals = found.iter().flat_map(|found| &found.literals);
        for literal in literals.filter(|l| l.callee == *functor) {
            let covers = |p: &&PatternReport| literal.pattern.is_within(&p.pattern);
            if !calls.iter().any(&covers) {
                calls.extend(report.patterns.iter().find(covers));
            }
        }
    }
    (!calls.is_empty()).then(|| calls.into_iter().cloned().collect())
}

/// Returns true for a predicate that its module does not export and that occurs only as a plain goal in the module's own clauses.
pub(crate) fn is_local(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    let facts = facts(db, file);
    if facts.module.is_none()
        || facts.exports_all
        || facts.exports.contains(functor)
        || facts.started.contains(functor)
    {
        return false;
    }
    let places = names(db, file);
    // Predicates of other arities share the name.
    let (mut all, mut goals) = (BTreeSet::new(), 0);
    for name in places.iter().filter(|n| n.functor.name == functor.name) {
        match name.role {
            NameRole::Head => {}
            NameRole::Call if name.functor == *functor => goals += 1,
            NameRole::Call => {}
            NameRole::Declaration if name.functor != *functor => {}
            NameRole::Directive | NameRole::Update | NameRole::Declaration => return false,
        }
        all.insert((name.range.start, name.range.end));
    }
    // Every occurrence of the name must be accounted for, since any other occurrence might become a goal.
    let read = terms(db, file);
    let named = |clause: &costlens_syntax::term::ReadClause| {
        let found = clause.terms.ids().filter_map(|id| clause.terms.functor(id));
        found.filter(|(name, _)| **name == functor.name).count()
    };
    // The module may have the same name.
    let module = usize::from(facts.module.as_deref() == Some(functor.name.as_str()));
    read.clauses.iter().map(named).sum::<usize>() == all.len() + module
        && goals_of_predicates(db, file, functor) == goals
        && !is_named_elsewhere(db, file, functor)
        && !loads_clauses(db, file)
        && !makes_goals(db, file)
}

/// Returns true if clauses of other files become clauses of the module and may therefore call predicates that the module does not export: `:-
/// ensure_loaded(rest)`, `consult(F)` in a body.
fn loads_clauses(db: &dyn Db, file: SourceFile) -> bool {
    let all = loads(db, file).loads.iter().enumerate();
    let mut others = all.filter(|(_, load)| load.kind != LoadKind::Include);
    let is_module = |(number, load): (usize, &Load)| match target(db, file, number) {
        Some(other) => facts(db, other).module.is_some(),
        None => load.must_be_module || load.kind == LoadKind::Autoload || is_library(&load.spec),
    };
    loads(db, file).unreadable > 0
        || others.any(|of| !is_module(of))
        || loads_while_running(db, file).is_some()
}

/// Returns true if a file that is not a module is loaded together with files whose names are computed:
/// `:- [a], F = 'b.inc', load_files(F, [])`. These files may contain further clauses of the predicate.
pub(super) fn is_loaded_with_others(db: &dyn Db, file: SourceFile) -> bool {
    facts(db, file).module.is_none()
        && files(db, file).into_iter().any(|other| {
            let all = loads(db, other);
            let mut numbers = 0..all.loads.len();
            all.unreadable > 0
                && (other == file || numbers.any(|n| target(db, other, n) == Some(file)))
        })
}

/// Returns the number of goals of a predicate in the clauses of the file's predicates. A clause for another module, such as `user:portray(X)
/// :- …`, does not belong to any of these predicates.
fn goals_of_predicates(db: &dyn Db, file: SourceFile, functor: &Functor) -> usize {
    let clauses = predicates(db, file)
        .iter()
        .flat_map(|p| p.clauses(db).iter());
    let calls = clauses.flat_map(|clause| {
        let bodies = clause.guard.into_iter().chain(clause.body);
        bodies.flat_map(|body| calls_in(db, file, &clause.terms, body))
    });
    let goals: Vec<_> = calls.filter(|call| call.callee == *functor).collect();
    goals.len()
}

/// Returns true if another file contains a module-qualified goal with the predicate's name: `lists_of_mine:total(Xs, S)`.
fn is_named_elsewhere(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    let Some(module) = &facts(db, file).module else {
        return false;
    };
    let before = format!("{module}:");
    // The module may be a variable: `M:total(Xs, S)`.
    let of_any = format!(":{}(", functor.name);
    // Another module may inherit from this module: `:- set_base_module(m)`.
    let inherits = ["set_base_module(", "add_import_module(", "set_module(base("];
    let files = Workspace::try_get(db).map(|workspace| workspace.files(db));
    files.iter().flat_map(|files| files.values()).any(|&other| {
        let has = |part: &str| other.parsed(db).text.contains(part);
        let may_be = has(&before) || has(&of_any) || inherits.into_iter().any(has);
        other != file && !is_installed(db, other) && may_be && has(&functor.name)
    })
}

/// Returns true if a clause calls a goal constructed from data, as in `atom_concat(on_, E, G), call(G)`, or a goal that is passed to the
/// module without a `:- meta_predicate` declaration. Such a goal may call any predicate.
fn makes_goals(db: &dyn Db, file: SourceFile) -> bool {
    let (facts, closures) = (facts(db, file), declared_closures(db, file));
    let exports_more = facts.exports_all || exports_by_goals(db, file);
    predicates(db, file).iter().any(|p| {
        let functor = p.functor(db);
        let is_handed =
            (exports_more || facts.exports.contains(functor)) && !closures.contains_key(functor);
        p.clauses(db).iter().any(|clause| {
            let mut bodies = clause.guard.into_iter().chain(clause.body);
            let makes = |body| {
                let calls = calls_in(db, file, &clause.terms, body);
                calls
                    .iter()
                    .any(|call| makes_terms(&call.callee.name, call.callee.arity))
            };
            bodies.any(|body| has_unbound_goal(&clause.terms, body) && (is_handed || makes(body)))
        })
    })
}

/// Returns true if a goal in the user's files may export predicates that are not in the module's export list: `:- export(run/1)`, `:-
/// m:export(run/1)`.
fn exports_by_goals(db: &dyn Db, file: SourceFile) -> bool {
    files(db, file).into_iter().any(|other| {
        let text = &*other.parsed(db).text;
        let mut all = text.match_indices("export(");
        all.any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

/// Returns true if the clauses of a predicate contain no calls of another predicate except the given calls, each identified by clause and
/// goal.
fn are_all(
    db: &dyn Db,
    file: SourceFile,
    caller: &Functor,
    functor: &Functor,
    seen: &[(usize, costlens_syntax::term::TermId)],
) -> bool {
    let Some(predicate) = find(db, file, caller) else {
        return false;
    };
    let clauses = predicate.clauses(db).iter().enumerate();
    clauses.into_iter().all(|(number, clause)| {
        let bodies = clause.guard.into_iter().chain(clause.body);
        let calls = bodies.flat_map(|body| calls_in(db, file, &clause.terms, body));
        calls.into_iter().all(|call| {
            call.callee != *functor || (call.added == 0 && seen.contains(&(number, call.goal)))
        })
    })
}

/// Returns true for a predicate that is not mutually recursive.
pub(crate) fn is_alone(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    let component = find(db, file, functor).and_then(|p| component_of(db, p));
    component.is_some_and(|c| c.members(db).len() == 1)
}

/// Returns true if every recursive call of a predicate matches its known calls.
pub(crate) fn are_closed(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    calls: &[PatternReport],
) -> bool {
    is_alone(db, file, functor)
        && calls.iter().all(|of| {
            !has_unknown(of)
                && breakdown(db, file, functor, &of.pattern).is_some_and(|found| {
                    let mut own = found.literals.iter().filter(|l| l.callee == *functor);
                    own.all(|l| calls.iter().any(|p| l.pattern.is_within(&p.pattern)))
                })
        })
}

/// Returns true if the analysis gives up on some calls before the end of their clauses.
pub(crate) fn has_unknown(report: &PatternReport) -> bool {
    use costlens_analysis::report::PieceKind;
    let mut all = report.steps.iter();
    all.any(|piece| piece.kind == PieceKind::Unknown)
}
