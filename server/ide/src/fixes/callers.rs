//! The calls that a predicate is known to have: what is declared for it, or what all callers of a local predicate pass.

use costlens_analysis::queries::breakdown;
use costlens_analysis::report::{Functor, Origin, PatternReport};
use costlens_program::calls::calls_in;
use costlens_program::workspace::terms;
use costlens_program::{SourceFile, callees, component_of, facts, find, predicates};

use crate::db::{Db, reached_report};
use crate::navigate::names::{Role, names};

/// Callers of callers that are asked.
const DEEPEST: usize = 4;
/// Callers of one predicate.
const MOST_CALLERS: usize = 16;

/// The reports for the patterns that a predicate is known to be called with. None where others may call it in any way: a guess is no proof.
pub(crate) fn known_calls(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Vec<PatternReport>> {
    known(db, file, functor, 0)
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
    depth: usize,
) -> Option<Vec<PatternReport>> {
    let report = reached_report(db, file, functor)?;
    let of_others = |p: &&PatternReport| p.origin != Origin::Inferred;
    let declared = |p: &PatternReport| matches!(p.origin, Origin::Declared | Origin::Entry);
    if report.patterns.iter().any(declared) {
        // What is declared, and what calls pass beside.
        return Some(report.patterns.iter().filter(of_others).cloned().collect());
    }
    if depth >= DEEPEST || !is_local(db, file, functor) {
        return None;
    }
    let mut calls: Vec<&PatternReport> = Vec::new();
    let callers = callers(db, file, functor);
    if callers.is_empty() || callers.len() > MOST_CALLERS {
        return None;
    }
    for caller in &callers {
        let patterns = known(db, file, caller, depth + 1)?;
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
    let of_it = places.iter().filter(|n| n.functor == *functor);
    let mut goals = 0;
    for name in of_it {
        match name.role {
            Role::Head | Role::Call => goals += 1,
            Role::Directive | Role::Update | Role::Declaration => return false,
        }
    }
    // As often as the name stands anywhere: nothing else may be made a goal of it.
    let read = terms(db, file);
    let named = |clause: &costlens_syntax::term::ReadClause| {
        let found = clause.terms.ids().filter_map(|id| clause.terms.functor(id));
        found.filter(|(name, _)| **name == functor.name).count()
    };
    read.clauses.iter().map(named).sum::<usize>() == goals
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
