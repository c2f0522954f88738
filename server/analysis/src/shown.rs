//! The patterns shown for the predicates of a file: declared patterns take precedence over observed patterns, and observed patterns over
//! guesses.
//!
//! Unlike in all other queries, callers come before callees: the arguments that a body passes determine the calls for which bounds of its
//! callees are shown. No summary reads these patterns. A caller therefore never changes the bounds of a callee, only the patterns that a
//! user sees.

use costlens_algebra::work::apart;
use costlens_infer::report::Origin;
use costlens_infer::types::Pattern;
use costlens_program::language;
use costlens_program::{
    Clause, Component, Functor, FunctorKey, Predicate, SourceFile, callers_of, component_of, find,
    queries, started_goals,
};

use crate::db::Db;
use crate::guesses::{declared, guess_of, known, own_patterns, usual_pattern};
use crate::patterns::{
    CallContext, KnownCallee, MOST_CALLERS_PATTERNS, MOST_CLAUSES, SeenCall, Surroundings,
    calls_of, calls_of_clause, calls_of_goal, chosen_patterns, undeclared_calls,
};
use crate::regular_queries::guessed_types;

/// The patterns of one predicate with their origins, the most likely first.
type Chosen = Vec<(Pattern, Origin)>;

/// Returns the patterns shown for a predicate.
#[salsa::tracked(returns(deref))]
pub(crate) fn patterns<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Chosen {
    let place = component_of(db, predicate).and_then(|component| {
        let members = component.members(db);
        let place = members.iter().position(|m| m == predicate.functor(db))?;
        shown(db, component).get(place)
    });
    place.cloned().unwrap_or_default()
}

/// Returns the patterns of the members of a component, in the members' order.
///
/// *Invalidated* when the arguments that callers pass change, or when the guess for a member or its declarations change.
#[salsa::tracked(returns(deref))]
pub(crate) fn shown<'db>(db: &'db dyn Db, component: Component<'db>) -> Vec<Chosen> {
    let file = component.file(db);
    let members = component.members(db);
    let predicates: Vec<Option<Predicate<'_>>> =
        members.iter().map(|m| find(db, file, m)).collect();
    let mut outside: Vec<Vec<SeenCall>> = members.iter().map(|m| seen(db, file, m)).collect();
    // A member that only other members call is processed later, with the arguments that these members pass under their own patterns.
    let mut settled: Vec<bool> = outside
        .iter()
        .zip(&predicates)
        .map(|(calls, p)| !calls.is_empty() || p.is_some_and(|p| !declared(db, p).is_empty()))
        .collect();
    let choose = |place: usize, calls: &[SeenCall]| match predicates[place] {
        Some(predicate) => chosen(db, predicate, calls),
        None => Vec::new(),
    };
    let mut fresh: Vec<usize> = (0..members.len()).filter(|&i| settled[i]).collect();
    while members.len() > 1 && !fresh.is_empty() {
        let mut calls = Vec::new();
        for &place in &fresh {
            let of = choose(place, &outside[place]);
            if let Some(caller) = predicates[place] {
                let wanted = |f: &Functor| members.iter().zip(&settled).any(|(m, s)| m == f && !s);
                calls.extend(calls_from(db, caller, &of, &wanted));
            }
        }
        fresh = (0..members.len())
            .filter(|&i| !settled[i] && calls.iter().any(|c| c.callee == members[i]))
            .collect();
        for &place in &fresh {
            settled[place] = true;
            outside[place] = calls_of(&members[place], calls.iter()).cloned().collect();
        }
    }
    (0..members.len())
        .map(|place| choose(place, &outside[place]))
        .collect()
}

fn chosen(db: &dyn Db, predicate: Predicate<'_>, calls: &[SeenCall]) -> Chosen {
    let calls: Vec<&SeenCall> = calls.iter().collect();
    let Some(usual) = usual_pattern(db, predicate) else {
        return Vec::new();
    };
    if declared(db, predicate).is_empty() {
        return chosen_patterns(&usual, &calls);
    }
    let own = own_patterns(db, predicate);
    let further = undeclared_calls(&own, &usual, &calls);
    own.into_iter().chain(further).collect()
}

/// Returns the calls to a predicate from outside its component.
fn seen(db: &dyn Db, file: SourceFile, functor: &Functor) -> Vec<SeenCall> {
    let started = started(db, file, FunctorKey::new(db, functor.clone()));
    let callers = callers_of(db, file, functor).iter();
    let made = callers.flat_map(|&caller| calls_of(functor, made(db, caller).iter()));
    started.iter().chain(made).cloned().collect()
}

/// Returns the calls by the members of a component to predicates outside it.
///
/// *Invalidated* when a clause or the patterns of a member change, or when the guess for a callee changes.
#[salsa::tracked(returns(deref))]
fn made<'db>(db: &'db dyn Db, component: Component<'db>) -> Vec<SeenCall> {
    apart(|| {
        let file = component.file(db);
        let members = component.members(db);
        let wanted = |f: &Functor| !members.contains(f) && find(db, file, f).is_some();
        let mut calls = Vec::new();
        for (functor, patterns) in members.iter().zip(shown(db, component)) {
            if let Some(caller) = find(db, file, functor) {
                calls.extend(calls_from(db, caller, patterns, &wanted));
            }
        }
        calls
    })
}

/// Returns the calls that a predicate makes under its first patterns.
fn calls_from(
    db: &dyn Db,
    caller: Predicate<'_>,
    patterns: &[(Pattern, Origin)],
    wanted: &dyn Fn(&Functor) -> bool,
) -> Vec<SeenCall> {
    let file = caller.file(db);
    let has_wanted = |clause: &&Clause| {
        let mut parts = [clause.guard, clause.body].into_iter().flatten();
        parts.any(|part| {
            let calls = language::calls(&clause.terms, part);
            calls.iter().any(|call| wanted(&call.callee))
        })
    };
    let clauses = caller.clauses(db).iter().take(MOST_CLAUSES);
    let clauses: Vec<&Clause> = clauses.filter(has_wanted).collect();
    let Some(guess) = guess_of(db, caller).filter(|_| !clauses.is_empty()) else {
        return Vec::new();
    };
    let callee = |f: &Functor| known(db, file, f);
    let around = Surroundings {
        callee: &callee,
        wanted,
        types: guessed_types(db, file),
    };
    let mut calls = Vec::new();
    for (pattern, origin) in patterns.iter().take(MOST_CALLERS_PATTERNS) {
        let context = CallContext {
            pattern,
            sure: *origin != Origin::Inferred || is_test(caller.functor(db)),
            scheme: &guess.scheme,
        };
        for clause in &clauses {
            calls.extend(calls_of_clause(clause, context, around));
        }
    }
    calls
}

/// Returns whether a test runner calls the predicate: `test(reverses, X == [2,1]) :- rev([1,2], X).`
fn is_test(functor: &Functor) -> bool {
    functor.name == "test" && matches!(functor.arity, 1 | 2)
}

/// Returns the calls in all goals that run when the file is loaded, and in the queries in the file's comments.
#[salsa::tracked(returns(deref))]
fn all_started(db: &dyn Db, file: SourceFile) -> Vec<SeenCall> {
    let callee = |f: &Functor| -> Option<KnownCallee> { known(db, file, f) };
    let wanted = |f: &Functor| find(db, file, f).is_some();
    let around = Surroundings {
        callee: &callee,
        wanted: &wanted,
        types: guessed_types(db, file),
    };
    let goals = started_goals(db, file).iter().chain(queries(db, file));
    goals.flat_map(|goal| calls_of_goal(goal, around)).collect()
}

/// Returns the started calls whose callee is a given predicate. This projection remains equal when other calls change.
#[salsa::tracked(returns(deref))]
fn started<'db>(db: &'db dyn Db, file: SourceFile, key: FunctorKey<'db>) -> Vec<SeenCall> {
    let all = all_started(db, file).iter();
    calls_of(key.functor(db), all).cloned().collect()
}
