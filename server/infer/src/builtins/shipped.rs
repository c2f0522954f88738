//! Summaries of predicates that SWI-Prolog implements in C, from the records of the catalogue. The records are `trust` assertions, parsed
//! on first use by the reader that also parses the user's assertions.
//!
//! ```prolog
//! :- trust pred number_codes(+A:num, -B:list(int)) + (det, no_exception, size_lb(B, 1)).
//! ```
//!
//! The first assertions of a predicate cover calls with more precise types; the last one covers every call.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use costlens_catalog::trust_assertions;
use costlens_program::Functor;
use costlens_syntax::assertions::{Assertion, Status, assertions};
use costlens_syntax::read_text;

use crate::lattice::regular::Regulars;
use crate::lattice::types::{Pattern, Type};
use crate::report::{Determinism, Origin};
use crate::summary::Summary;
use crate::trusted::{TrustedAssertion, trusted};

static LINES: LazyLock<BTreeMap<Functor, Vec<Assertion>>> = LazyLock::new(|| {
    let mut found: BTreeMap<Functor, Vec<Assertion>> = BTreeMap::new();
    let text = trust_assertions();
    for assertion in assertions(&text, &read_text(&text)).list {
        if assertion.status == Status::Trust {
            let functor = Functor::new(assertion.name.clone(), assertion.arity);
            found.entry(functor).or_default().push(assertion);
        }
    }
    found
});

static NO_TYPES: LazyLock<Regulars> = LazyLock::new(Regulars::default);

/// Returns whether the records contain a predicate.
pub(crate) fn is_shipped(name: &str, arity: usize) -> bool {
    LINES.contains_key(&Functor::new(name, arity))
}

/// Returns the predicates with assertions in the records.
pub fn stated_built_ins() -> impl Iterator<Item = &'static Functor> {
    LINES.keys()
}

/// Returns whether a built-in fails or raises an exception in every call.
pub fn never_succeeds(functor: &Functor) -> bool {
    let any = Pattern(vec![Type::Any; functor.arity]);
    let summary = summary(functor, &any);
    summary.is_some_and(|s| s.report(Origin::Called).determinism == Determinism::Failure)
}

/// The maximum number of cached summaries. The records contain about two hundred predicates, and programs call most of them with few
/// patterns.
const MOST_KEPT: usize = 20_000;

type KeptSummaries = HashMap<(Functor, Pattern), Option<Arc<Summary>>>;

/// Cached summaries: they depend only on the records, and programs call the same built-ins repeatedly.
static KNOWN: LazyLock<RwLock<KeptSummaries>> = LazyLock::new(RwLock::default);

/// Returns the summary for calls to a predicate in the records, or `None` for other predicates.
pub(crate) fn summary(predicate: &Functor, pattern: &Pattern) -> Option<Arc<Summary>> {
    let key = (predicate.clone(), pattern.clone());
    // After a panic in another thread, all entries are still complete.
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = known.get(&key) {
        return known.clone();
    }
    drop(known);
    let found = computed(predicate, pattern).map(Arc::new);
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= MOST_KEPT {
        known.clear();
    }
    known.insert(key, found.clone());
    found
}

fn computed(predicate: &Functor, pattern: &Pattern) -> Option<Summary> {
    let lines: Vec<TrustedAssertion<'_>> = (LINES.get(predicate)?.iter())
        .map(|assertion| TrustedAssertion {
            id: None,
            assertion,
            types: &NO_TYPES,
        })
        .collect();
    trusted(predicate, pattern, &lines)
}

#[cfg(test)]
mod tests {
    use costlens_catalog::system_predicates;

    use super::*;

    #[test]
    fn the_records_have_no_errors_and_say_something_of_any_call() {
        let text = trust_assertions();
        let found = assertions(&text, &read_text(&text));
        assert_eq!(found.errors, []);
        assert!(found.list.iter().all(|a| a.status == Status::Trust));
        let stated: usize = system_predicates().iter().map(|p| p.statements.len()).sum();
        assert_eq!(found.list.len(), stated);
        // If the goal of a predicate is not followed, the records state only some calls: `phrase/2` of a text.
        let is_followed = |f: &&Functor| costlens_catalog::unfollowed(&f.name, f.arity).is_none();
        for functor in LINES.keys().filter(is_followed) {
            let any = Pattern(vec![Type::Any; functor.arity]);
            let found = summary(functor, &any);
            let found = found.unwrap_or_else(|| panic!("{functor}: nothing on any call"));
            assert_eq!(found.unknown, [], "{functor}: its steps");
        }
    }

    #[test]
    fn what_raises_or_fails_never_succeeds() {
        let never = |name: &str, arity| never_succeeds(&Functor::new(name, arity));
        assert!(never("fail", 0) && never("throw", 1) && never("type_error", 2));
        assert!(!never("true", 0) && !never("atom_length", 2) && !never("nobody_has_this", 1));
    }

    #[test]
    fn what_is_known_of_a_call_depends_on_its_types() {
        let name = Functor::new("atom_length", 2);
        let of = |types: &[Type]| summary(&name, &Pattern(types.to_vec())).unwrap();
        let exact = of(&[Type::Atom, Type::Free]);
        assert!(!exact.errors_possible);
        assert_eq!(exact.success, Some(vec![Type::Atom, Type::Int]));
        let any = of(&[Type::Any, Type::Free]);
        assert!(any.errors_possible);
        assert_eq!(any.success, Some(vec![Type::Any, Type::Int]));
    }
}
