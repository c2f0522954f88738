//! The predicates that clauses call.

use std::collections::BTreeSet;

use costlens_body::Goal;
use costlens_catalog::meta_arguments;
use costlens_syntax::term::{Term, TermId, Terms};

use super::meta_predicates::declared_closures;
use crate::definitions::{Predicate, all_clauses, gathered};
use crate::language::{
    BodyCall, Clause, Functor, MOST_ADDED, OtherGoals, all_calls, assigning, join, modules_bound,
    split,
};
use crate::loading::is_home;
use crate::workspace::{Db, SourceFile};

/// Returns the calls of a body in a file, including closures declared by `:- meta_predicate`.
#[must_use]
pub fn calls_in(db: &dyn Db, file: SourceFile, terms: &Terms, body: TermId) -> Vec<BodyCall> {
    let declared = declared_closures(db, file);
    all_calls(
        terms,
        body,
        &|f| declared.get(f),
        &mut OtherGoals::default(),
    )
}

/// Returns the callees of a body in a file, each with its arguments that are not goals. Returns `None` if the body also runs goals that do
/// not occur in it.
pub(crate) fn goals_in(
    db: &dyn Db,
    file: SourceFile,
    terms: &Terms,
    body: TermId,
) -> Option<Vec<(Functor, Vec<TermId>)>> {
    let declared = declared_closures(db, file);
    let mut others = OtherGoals::default();
    let calls = all_calls(terms, body, &|f| declared.get(f), &mut others);
    if others.unbound || others.lambda {
        return None;
    }
    let is_variable = |t: TermId| matches!(terms.get(t), Term::Var(_));
    let mut found = Vec::new();
    for call in calls {
        let args = terms.args(call.goal);
        let (name, arity) = (call.callee.name.as_str(), call.callee.arity);
        let own = declared.get(&call.callee).into_iter().flatten().copied();
        let mut data = args.to_vec();
        for closure in meta_arguments(name, arity).into_iter().chain(own) {
            let goal = args.get(closure.argument).filter(|&&a| !is_variable(a))?;
            data.retain(|t| t != goal);
        }
        found.push((unqualified(db, file, call.callee), data));
    }
    // `M:goal`
    let in_unknown_module = |t: TermId| match Goal::lower(terms, t) {
        Goal::Qualified { module, .. } => terms.as_atom(module).is_none(),
        _ => false,
    };
    let is_seen = !others.qualified || !terms.subterms(body).into_iter().any(in_unknown_module);
    is_seen.then_some(found)
}

/// The callee that represents goals held by variables.
pub const BY_DATA: (&str, usize) = ("call", 1);

/// Returns the callees of a predicate, sorted and without duplicates. The call graph depends on this query instead of the bodies. A called
/// variable appears as `call/1`, a module-qualified goal also as `:/2`, and a lambda expression used as a goal as `>>/2`.
///
/// *Invalidated* when a clause of the predicate changes.
#[salsa::tracked(returns(deref))]
pub fn callees<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Vec<Functor> {
    let mut found = called_by(db, predicate.file(db), &all_clauses(db, predicate));
    let elsewhere = called_elsewhere(db, predicate);
    if !elsewhere.is_empty() {
        found.extend(elsewhere);
        found.sort_unstable();
        found.dedup();
    }
    found
}

/// Returns the callees of a file's clauses, sorted and without duplicates; the file's own module is omitted.
pub(crate) fn called_by(db: &dyn Db, file: SourceFile, clauses: &[Clause]) -> Vec<Functor> {
    let declared = declared_closures(db, file);
    let (mut callees, mut others) = (BTreeSet::new(), OtherGoals::default());
    for clause in clauses {
        for part in clause.guard.iter().chain(&clause.body) {
            let calls = all_calls(&clause.terms, *part, &|f| declared.get(f), &mut others);
            callees.extend(calls.into_iter().map(|c| unqualified(db, file, c.callee)));
            let all = clause.terms.subterms(*part);
            // A predicate that receives an unknown closure may call it.
            callees.extend(assigning(&clause.terms, &all));
            for (module, goal) in modules_bound(&clause.terms, &all) {
                others.qualified = true;
                let Some((name, arity)) = clause.terms.functor(goal) else {
                    continue;
                };
                let Some(joined) = join(module, name) else {
                    continue;
                };
                callees.extend((0..=MOST_ADDED).map(|added| {
                    unqualified(db, file, Functor::new(joined.clone(), arity + added))
                }));
            }
        }
    }
    let pseudo = [
        (others.unbound, BY_DATA),
        (others.qualified, (":", 2)),
        (others.lambda, (">>", 2)),
    ];
    let pseudo = pseudo.into_iter().filter(|(seen, _)| *seen);
    callees.extend(pseudo.map(|(_, (name, arity))| Functor::new(name, arity)));
    callees.into_iter().collect()
}

/// Returns the callee without its module if the module is the file's own: `p/1` for `m:p/1` in `m`.
fn unqualified(db: &dyn Db, file: SourceFile, callee: Functor) -> Functor {
    match split(&callee) {
        Some((module, plain)) if is_home(db, file, module) => plain,
        _ => callee,
    }
}

/// Returns the callees of clauses in other files, by their names in the predicate's file.
fn called_elsewhere(db: &dyn Db, predicate: Predicate<'_>) -> Vec<Functor> {
    let file = predicate.file(db);
    let Some(Ok(all)) = gathered(db, file, predicate.functor(db)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for given in all.iter().filter(|g| g.file != file) {
        for callee in called_by(db, given.file, std::slice::from_ref(&given.written)) {
            if let Some(module) = &given.body_in
                && let Some(joined) = join(module, &callee.name)
            {
                found.push(Functor::new(joined, callee.arity));
            }
            found.push(callee);
        }
    }
    found
}
