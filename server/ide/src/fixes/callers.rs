//! The calls that a predicate is known to have: what is declared for it, or what all callers of a local predicate pass. That no call of the workspace passes
//! something else is proved by `passed`.

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
use crate::navigate::names::{Role, names};

/// Callers of callers that are asked.
const DEEPEST: usize = 4;
/// Callers of one predicate.
const MOST_CALLERS: usize = 16;

/// The callers that a predicate may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callers {
    /// All that the program lets it have.
    Any,
    /// The same, each of which passes what is declared: that is proved apart.
    AsDeclared,
    /// Clauses of the file alone: its name was made for them.
    OfFile,
}

/// The reports for the patterns that a predicate is known to be called with. None where others may call it in any way: a guess is no proof.
pub(crate) fn known_calls(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    callers: Callers,
) -> Option<Vec<PatternReport>> {
    known(db, file, functor, (callers, 0))
}

/// The other predicates of the file that call it.
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
    (of, depth): (Callers, usize),
) -> Option<Vec<PatternReport>> {
    let report = reached_report(db, file, functor)?;
    let of_others = |p: &&PatternReport| p.origin != Origin::Inferred;
    let declared = |p: &PatternReport| matches!(p.origin, Origin::Declared | Origin::Entry);
    if report.patterns.iter().any(declared) {
        // What is declared, and what calls of the file are seen to pass as well.
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
        let patterns = known(db, file, caller, (Callers::Any, depth + 1))?;
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
    // And what its recursive calls pass.
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

/// True for a predicate of a module that does not export it, which only plain goals of the module's own clauses name.
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
    // Predicates of other arities have the name, too.
    let (mut all, mut goals) = (BTreeSet::new(), 0);
    for name in places.iter().filter(|n| n.functor.name == functor.name) {
        match name.role {
            Role::Head => {}
            Role::Call if name.functor == *functor => goals += 1,
            Role::Call => {}
            Role::Declaration if name.functor != *functor => {}
            Role::Directive | Role::Update | Role::Declaration => return false,
        }
        all.insert((name.range.start, name.range.end));
    }
    // As often as the name stands anywhere: nothing else may be made a goal of it.
    let read = terms(db, file);
    let named = |clause: &costlens_syntax::term::ReadClause| {
        let found = clause.terms.ids().filter_map(|id| clause.terms.functor(id));
        found.filter(|(name, _)| **name == functor.name).count()
    };
    // The module may have the predicate's name.
    let module = usize::from(facts.module.as_deref() == Some(functor.name.as_str()));
    read.clauses.iter().map(named).sum::<usize>() == all.len() + module
        && goals_of_predicates(db, file, functor) == goals
        && !is_named_elsewhere(db, file, functor)
        && !loads_clauses(db, file)
        && !makes_goals(db, file)
}

/// True where the clauses of other files become clauses of the module, and may call what it does not export: `:- ensure_loaded(rest)`, `consult(F)` in a body.
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

/// True where a file is loaded together with others whose names are computed, `:- [a], F = 'b.inc', load_files(F, [])`: these may have clauses for a file without a module.
pub(super) fn is_loaded_with_others(db: &dyn Db, file: SourceFile) -> bool {
    facts(db, file).module.is_none()
        && files(db, file).into_iter().any(|other| {
            let all = loads(db, other);
            let mut numbers = 0..all.loads.len();
            all.unreadable > 0
                && (other == file || numbers.any(|n| target(db, other, n) == Some(file)))
        })
}

/// The number of goals of a predicate in the clauses of the file's predicates. A clause for another module, `user:portray(X) :- …`, is of none.
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

/// True where another file has a goal of the module with the predicate's name: `lists_of_mine:total(Xs, S)`.
fn is_named_elsewhere(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    let Some(module) = &facts(db, file).module else {
        return false;
    };
    let before = format!("{module}:");
    // `M:total(Xs, S)`
    let of_any = format!(":{}(", functor.name);
    // `:- set_base_module(m)`
    let inherits = ["set_base_module(", "add_import_module(", "set_module(base("];
    let files = Workspace::try_get(db).map(|workspace| workspace.files(db));
    files.iter().flat_map(|files| files.values()).any(|&other| {
        let has = |part: &str| other.parsed(db).text.contains(part);
        let may_be = has(&before) || has(&of_any) || inherits.into_iter().any(has);
        other != file && !is_installed(db, other) && may_be && has(&functor.name)
    })
}

/// True where a clause calls a goal that it has made of data, such as `atom_concat(on_, E, G), call(G)`, or that others hand to the module without a
/// `:- meta_predicate` that says whose it is: nothing tells which predicate that is.
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

/// True where a goal of the user's files may export more of the module than its export list: `:- export(run/1)`, `:- m:export(run/1)`.
fn exports_by_goals(db: &dyn Db, file: SourceFile) -> bool {
    files(db, file).into_iter().any(|other| {
        let text = &*other.parsed(db).text;
        let mut all = text.match_indices("export(");
        all.any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

/// True where the clauses of a predicate make no other calls of another one than these, by clause and goal.
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

/// True for a predicate that is recursive through no other.
pub(crate) fn is_alone(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    let component = find(db, file, functor).and_then(|p| component_of(db, p));
    component.is_some_and(|c| c.members(db).len() == 1)
}

/// True where every recursive call of a predicate fits the calls that it is known to have.
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

/// True where the clauses are not followed to their ends for some calls.
pub(crate) fn has_unknown(report: &PatternReport) -> bool {
    use costlens_analysis::report::PieceKind;
    let mut all = report.steps.iter();
    all.any(|piece| piece.kind == PieceKind::Unknown)
}
