//! Trust lines in the program's files: the trusted assertions that apply to a call, and the summaries that follow from them.
//!
//! `:- trust pred row(T, R) : (atm(T), var(R)) + (cost(ub, steps, 0), is_det).` applies to the predicate of its own file, or to a call in
//! that file that no clause defines. In a file in the project's folder `costlens`, it applies to every call in files below this folder's
//! parent that reaches no clauses. The assertions about SWI-Prolog's libraries that ship with Costlens ([`LIBRARIES`]) apply to calls to
//! the libraries' predicates, whether or not the source of the libraries is available.

use std::sync::Arc;

use costlens_algebra::work::apart;
use costlens_catalog::is_fixed;
use costlens_events::{Event, Vocabulary};
use costlens_infer::regular::Regulars;
use costlens_infer::report::{Functor, TrustLine};
use costlens_infer::{
    EventSummary, Otherwise, StatedEvents, Summary, TrustedAssertion, better, event_of,
    stated_events, trusted, trusted_events, untrusted,
};
use costlens_program::definitions::stated_beside;
use costlens_program::graph::{reach, stated_instead};
use costlens_program::language::is_own_name;
use costlens_program::loading::unit;
use costlens_program::names::Reach;
use costlens_program::workspace::trust_files;
use costlens_program::{FunctorKey, Role, SourceFile, assertions_about};
use costlens_syntax::assertions::{Assertion, AssertionKind, Property, Status};

use crate::db::{CallKey, Db};
use crate::open::is_open;
use crate::patterns::{KnownCallee, stated};
use crate::regular_queries::regulars;

/// Shipped assertions about SWI-Prolog's libraries: the library's name, and a file of `trust` assertions.
pub(crate) const LIBRARIES: &[(&str, &str)] = &[
    ("assoc", include_str!("../library/swi/assoc.pl")),
    ("dcg/basics", include_str!("../library/swi/dcg/basics.pl")),
    ("debug", include_str!("../library/swi/debug.pl")),
    ("dif", include_str!("../library/swi/dif.pl")),
    ("error", include_str!("../library/swi/error.pl")),
    ("gensym", include_str!("../library/swi/gensym.pl")),
    ("nb_set", include_str!("../library/swi/nb_set.pl")),
    ("occurs", include_str!("../library/swi/occurs.pl")),
    ("option", include_str!("../library/swi/option.pl")),
    ("ordsets", include_str!("../library/swi/ordsets.pl")),
    ("random", include_str!("../library/swi/random.pl")),
    ("rbtrees", include_str!("../library/swi/rbtrees.pl")),
    ("readutil", include_str!("../library/swi/readutil.pl")),
    ("strings", include_str!("../library/swi/strings.pl")),
    ("terms", include_str!("../library/swi/terms.pl")),
];

/// Returns the trusted assertions about the predicate to which a name refers in a file, in the order in which they are consulted.
///
/// *Invalidated* when the name refers to another predicate, or when an assertion about the predicate changes.
#[salsa::tracked(returns(deref))]
fn lines<'db>(db: &'db dyn Db, file: SourceFile, key: FunctorKey<'db>) -> Vec<TrustLine> {
    let functor = key.functor(db);
    let mut homes: Vec<(SourceFile, Functor)> = Vec::new();
    match reach(db, file, functor) {
        Reach::Own(found) | Reach::Other(found) => {
            let (home, name) = (found.file(db), found.functor(db));
            let mut files = vec![home];
            if is_open(db, found) {
                files.extend(trust_files(db, home));
            }
            files.extend(stated_beside(db, found));
            homes.extend(files.into_iter().map(|f| (f, name.clone())));
        }
        Reach::Shipped(_) => return Vec::new(),
        Reach::Ambiguous(..)
        | Reach::Missing(..)
        | Reach::Conditional(..)
        | Reach::Unsettled(..)
        | Reach::Nothing => {
            homes.push((file, functor.clone()));
            // Declarations in files that include this file, or that this file includes, also count.
            homes.extend(unit(db, file).iter().map(|&f| (f, functor.clone())));
            homes.extend(
                trust_files(db, file)
                    .into_iter()
                    .map(|f| (f, functor.clone())),
            );
            homes.extend(stated_instead(db, file, functor));
        }
    }
    let mut found: Vec<TrustLine> = Vec::new();
    for (home, name) in homes {
        let all = assertions_about(db, home, FunctorKey::new(db, name.clone()));
        for (ordinal, assertion) in all.iter().enumerate() {
            let line = TrustLine {
                home,
                predicate: name.clone(),
                ordinal,
            };
            if assertion.status == Status::Trust
                && matches!(
                    assertion.kind,
                    AssertionKind::Pred | AssertionKind::Success | AssertionKind::Comp
                )
                && !found.contains(&line)
            {
                found.push(line);
            }
        }
    }
    found
}

/// Returns whether a trusted assertion exists about the predicate to which a name refers in a file.
pub(crate) fn is_trusted(db: &dyn Db, file: SourceFile, predicate: &Functor) -> bool {
    !lines(db, file, FunctorKey::new(db, predicate.clone())).is_empty()
}

/// Returns the call patterns of a library predicate, according to the assertions about it, for use in guesses.
pub(crate) fn known_as_stated(
    db: &dyn Db,
    file: SourceFile,
    name: &Functor,
) -> Option<KnownCallee> {
    let ids = lines(db, file, FunctorKey::new(db, name.clone()));
    let shipped = ids.iter().filter(|id| id.home.role(db) == Role::Library);
    let lines: Vec<(&Assertion, &Regulars)> = shipped
        .filter_map(|id| {
            let key = FunctorKey::new(db, id.predicate.clone());
            Some((
                assertions_about(db, id.home, key).get(id.ordinal)?,
                regulars(db, id.home),
            ))
        })
        .collect();
    stated(&lines)
}

/// Returns the trusted summary of a predicate under a pattern, regardless of its clauses. Returns `None` if no assertion applies.
///
/// *Invalidated* together with [`lines`]. It reads no clause.
#[salsa::tracked(returns(clone))]
pub(crate) fn trusted_summary<'db>(db: &'db dyn Db, key: CallKey<'db>) -> Option<Arc<Summary>> {
    apart(|| {
        let (file, name, pattern) = (key.file(db), key.functor(db), key.pattern(db));
        let ids = lines(db, file, FunctorKey::new(db, name.clone()));
        if ids.is_empty() {
            return None;
        }
        let found = trusted(name, pattern, &read(db, ids));
        let mut found = found.unwrap_or_else(|| {
            let is_own = ids.iter().any(|id| id.home.role(db) != Role::Library);
            untrusted(name, pattern, is_own)
        });
        if ids.iter().any(|id| !is_own_name(name, &id.predicate)) {
            // Adds the step of the clause that calls the predicate by this name.
            found.add_entry();
        }
        Some(Arc::new(found))
    })
}

/// Looks up the assertions with these ids.
fn read<'db>(db: &'db dyn Db, ids: &[TrustLine]) -> Vec<TrustedAssertion<'db>> {
    let line = |id: &TrustLine| {
        let key = FunctorKey::new(db, id.predicate.clone());
        Some(TrustedAssertion {
            id: Some(id.clone()),
            assertion: assertions_about(db, id.home, key).get(id.ordinal)?,
            types: regulars(db, id.home),
        })
    };
    ids.iter().filter_map(line).collect()
}

/// Returns the stated events for the calls of a summary, for the predicate to which a name refers in a file.
pub(crate) fn stated_beside_clauses(
    db: &dyn Db,
    file: SourceFile,
    summary: &Summary,
) -> StatedEvents {
    let key = FunctorKey::new(db, summary.predicate.clone());
    stated_events(summary, &read(db, lines(db, file, key)))
}

/// Returns whether any line about a predicate states the given event.
pub(crate) fn states_event(
    db: &dyn Db,
    file: SourceFile,
    predicate: &Functor,
    event: &Event,
) -> bool {
    let ids = lines(db, file, FunctorKey::new(db, predicate.clone()));
    let all = read(db, ids);
    let mut properties = all.iter().flat_map(|line| &line.assertion.properties);
    properties.any(|p| match &p.property {
        Property::Cost(cost) => match (event_of(&cost.resource), event) {
            (Some(Event::Own(name, _)), Event::Own(of, _)) => name == *of,
            (stated, event) => stated.as_ref() == Some(event),
        },
        _ => false,
    })
}

/// Returns the events of a call whose clauses are unknown, according to the assertions about it. Returns `None` without assertions.
pub(crate) fn events_without_clauses(
    db: &dyn Db,
    file: SourceFile,
    summary: &Summary,
    vocabulary: Vocabulary,
) -> Option<EventSummary> {
    let predicate = &summary.predicate;
    let ids = lines(db, file, FunctorKey::new(db, predicate.clone()));
    let of_libraries = || ids.iter().all(|id| id.home.role(db) == Role::Library);
    let otherwise = match vocabulary {
        Vocabulary::Own if is_fixed(&predicate.name, predicate.arity) => Otherwise::Nothing,
        Vocabulary::Own if of_libraries() => Otherwise::CallsOnly,
        _ => Otherwise::Unknown,
    };
    (!ids.is_empty()).then(|| trusted_events(summary, &read(db, ids), otherwise))
}

/// Improves an inferred summary with the trusted assertions about the same calls.
pub(crate) fn with_trust(db: &dyn Db, key: CallKey<'_>, inferred: &Arc<Summary>) -> Arc<Summary> {
    let trusted = trusted_summary(db, key);
    let both = trusted.and_then(|trusted| better(inferred, &trusted));
    both.map_or_else(|| Arc::clone(inferred), Arc::new)
}

#[cfg(test)]
mod tests {
    use super::LIBRARIES;

    /// If a library were missing from this list, its assertions would be trusted even in a folder with an edited copy of the library's
    /// source.
    #[test]
    fn the_text_of_each_stated_library_is_known() {
        let stated = LIBRARIES.iter().map(|(name, _)| *name);
        assert!(stated.eq(costlens_program::workspace::stated_names()));
    }
}
