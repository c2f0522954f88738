//! The call patterns of predicates: declared, or guessed from their clauses.

use std::sync::Arc;

use costlens_algebra::work::apart;
use costlens_infer::regular::Regular;
use costlens_infer::report::Origin;
use costlens_infer::types::{Pattern, Type};
use costlens_program::calls::declared_closures;
use costlens_program::language;
use costlens_program::rewriting::expansion::telling_clauses;
use costlens_program::workspace;
use costlens_program::{
    Component, Functor, Predicate, Resolved, SourceFile, assertions_of, callees, component_of,
    find, in_one_circle, predicates, resolve,
};

use crate::db::Db;
use crate::narrower::without_floats;
use crate::patterns::{
    Guess, KnownCallee, Member, completed as patterns_completed, declared_patterns,
    inferred_patterns, is_well_known, measured, refined,
};
use crate::regular_queries::{guessed_types, regulars};
use crate::trust::known_as_stated;

/// Returns the guesses for the members of a component, in the members' order. They do not depend on callers.
///
/// *Invalidated* when a clause of a member changes, or the guess or declaration for a callee.
#[salsa::tracked(returns(deref))]
pub(crate) fn guesses<'db>(db: &'db dyn Db, component: Component<'db>) -> Vec<Guess> {
    apart(|| {
        let file = component.file(db);
        let declared_closures = declared_closures(db, file);
        let closures = |f: &Functor| declared_closures.get(f).cloned().unwrap_or_default();
        let members: Vec<Member> = component
            .members(db)
            .iter()
            .filter_map(|functor| {
                let predicate = find(db, file, functor)?;
                let first = declared(db, predicate).first();
                Some(Member {
                    functor: functor.clone(),
                    clauses: telling_clauses(db, predicate),
                    declared: first.map(|(pattern, _)| pattern.clone()),
                    closures: closures(functor),
                })
            })
            .collect();
        let callee = |functor: &Functor| {
            // The written clauses contain more calls than the clauses from which components are built.
            let member = component.members(db).first()?;
            if in_one_circle(db, file, member, functor) {
                return None;
            }
            known(db, file, functor)
        };
        inferred_patterns(&members, &callee, &closures, guessed_types(db, file))
    })
}

/// Looks up a predicate that is called in a file. Use it only for callees in other components.
pub(crate) fn known(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<KnownCallee> {
    let resolved = followed(db, file, functor);
    // Assertions about a library predicate contain its types.
    if matches!(resolved, None | Some(Resolved::Other(_)))
        && let Some(stated) = known_as_stated(db, file, functor)
    {
        return Some(stated);
    }
    let resolved = resolved?;
    // A module-qualified name may refer to a member of the component for which guesses are being computed.
    if language::split(functor).is_some() && matches!(resolved, Resolved::Own(_)) {
        return None;
    }
    let guess = guess_of(db, resolved.predicate())?;
    let usual = || {
        Some(with_text(
            usual_pattern(db, resolved.predicate())?,
            &guess.pattern,
        ))
    };
    Some(match resolved {
        Resolved::Own(_) => KnownCallee {
            pattern: usual(),
            open: guess.open,
            fills: guess.fills,
            scheme: guess.scheme,
            own: true,
        },
        Resolved::Other(_) => KnownCallee {
            pattern: usual(),
            open: guess.open,
            fills: guess.fills,
            scheme: guess.scheme,
            own: false,
        },
        // For library predicates, the usual call pattern is often more precise.
        Resolved::Library(_) => KnownCallee {
            pattern: match is_well_known(functor) {
                true => None,
                false => usual(),
            },
            open: guess.open,
            fills: guess.fills,
            scheme: guess.scheme,
            own: false,
        },
    })
}

/// Adds the guess for the text of a nonterminal that writes to a pattern, if the mode line leaves out the text, as for `atom//1`.
fn with_text(mut pattern: Pattern, guess: &Pattern) -> Pattern {
    if let ([.., text, rest], [.., Type::Free, Type::Free]) = (&mut pattern.0[..], &guess.0[..])
        && (&*text, &*rest) == (&Type::Any, &Type::Any)
    {
        (*text, *rest) = (Type::Free, Type::Free);
    }
    pattern
}

/// The maximum number of tree types taken from the guesses in a file.
const MOST_SUGGESTED: usize = 12;

/// Returns the tree types that occur in a file's guesses and whose parts may contain variables.
///
/// *Invalidated* when a clause of the file changes; the result is usually equal.
#[salsa::tracked(returns(clone))]
pub(crate) fn suggested_types(db: &dyn Db, file: SourceFile) -> Arc<[Arc<Regular>]> {
    let mut found: Vec<Arc<Regular>> = Vec::new();
    for &predicate in predicates(db, file) {
        let types = guess_of(db, predicate).map(|guess| guess.pattern.0);
        for ty in types.iter().flatten() {
            let mut inner = ty;
            while let Type::List(element) = inner {
                inner = element;
            }
            if let Type::Tree(regular) = inner
                && !regular.ground
                && !found.contains(regular)
            {
                found.push(Arc::clone(regular));
            }
        }
    }
    // The first matching type is chosen for a constructed term, so recursive types come first.
    found.sort_by_key(|regular| (!regular.recurs(), Arc::clone(regular)));
    found.truncate(MOST_SUGGESTED);
    found.into()
}

pub(crate) fn guess_of(db: &dyn Db, predicate: Predicate<'_>) -> Option<Guess> {
    let component = component_of(db, predicate)?;
    let place = component
        .members(db)
        .iter()
        .position(|m| m == predicate.functor(db))?;
    guesses(db, component).get(place).cloned()
}

/// Returns the declared patterns of a predicate. *Invalidated* when an assertion of the predicate changes.
#[salsa::tracked(returns(deref))]
pub(crate) fn declared<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Vec<(Pattern, Origin)> {
    let types = regulars(db, predicate.file(db));
    declared_patterns(assertions_of(db, predicate), types)
}

/// Returns the patterns that follow from a predicate's own clauses and assertions, independent of its callers: the declared patterns, then
/// the pattern that completes them ([`completed`]), then the guess if it has a size that the previous patterns lack.
pub(crate) fn own_patterns(db: &dyn Db, predicate: Predicate<'_>) -> Vec<(Pattern, Origin)> {
    let mut own = declared(db, predicate).to_vec();
    if let Some(guess) = guess_of(db, predicate).filter(|_| !own.is_empty()) {
        for (pattern, _) in &mut own {
            *pattern = measured(pattern, &guess.pattern);
        }
    }
    let further = [
        completed(db, predicate).clone(),
        usual_pattern(db, predicate),
    ];
    // A counting loop may not terminate for floats, since rounding can leave them unchanged; for integers it usually terminates.
    let is_loop = || {
        let members = component_of(db, predicate).map_or(0, |c| c.members(db).len());
        members > 1 || callees(db, predicate).contains(predicate.functor(db))
    };
    let of_integers = (own.first())
        .and_then(|(pattern, _)| without_floats(pattern))
        .filter(|_| is_loop());
    for pattern in further.into_iter().chain([of_integers]).flatten() {
        let known = |p: &Pattern| {
            let measured = |(p, new): (&Type, &Type)| p == new || p.is_bound() && same_size(p, new);
            p.0.iter().zip(&pattern.0).all(measured)
        };
        // A guess that is less precise than the completed mode line is not shown.
        let narrower =
            |(p, origin): &(Pattern, Origin)| *origin == Origin::Inferred && p.is_within(&pattern);
        if !own.iter().any(|own| known(&own.0) || narrower(own)) {
            own.push((pattern, Origin::Inferred));
        }
    }
    own
}

/// Returns whether both types have the same size metric, so that bounds for the wider type also hold for the narrower type.
fn same_size(wide: &Type, narrow: &Type) -> bool {
    let same_shapes = matches!((wide, narrow), (Type::Tree(a), Type::Tree(b)) if a.name == b.name && a.shapes == b.shapes);
    (same_shapes || narrow.is_within(wide))
        && wide.metric().is_some()
        && wide.metric() == narrow.metric()
        && wide.element_metric() == narrow.element_metric()
}

/// Returns the pattern that completes a mode line: types that the line does not state are inferred from the use of the inputs.
/// *Invalidated* when an assertion of the predicate or the guess for it changes.
#[salsa::tracked(returns(ref))]
pub(crate) fn completed<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<Pattern> {
    let guess = guess_of(db, predicate)?;
    let types = regulars(db, predicate.file(db));
    patterns_completed(assertions_of(db, predicate), &guess, types)
}

/// Returns the most likely call pattern. This is the first declared pattern, with guessed types for arguments that are only declared as
/// bound. If no pattern is declared, it is the guess from the clauses.
pub(crate) fn usual_pattern(db: &dyn Db, predicate: Predicate<'_>) -> Option<Pattern> {
    let guess = guess_of(db, predicate).map(|g| g.pattern);
    let Some((first, _)) = declared(db, predicate).first() else {
        return guess;
    };
    let refined = guess.and_then(|guess| refined(first, &guess));
    Some(refined.unwrap_or_else(|| first.clone()))
}

/// Resolves a call to the predicate whose clauses inference analyses. Returns `None` for a predicate of an installed library for which
/// inference has its own rules (`aggregate_all/3`), since they are more precise than the library's source.
pub(crate) fn followed<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Resolved<'db>> {
    let found = resolve(db, file, functor)?;
    let is_known =
        |file| workspace::is_installed(db, file) && !workspace::is_edited_library(db, file);
    let has_rules = matches!(found, Resolved::Other(p) if is_known(p.file(db)))
        && costlens_infer::has_rules(&functor.name, functor.arity);
    (!has_rules).then_some(found)
}
