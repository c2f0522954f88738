//! The catalogue in memory, read on first use.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::predicate::{Effect, SystemPredicate};
use crate::read::read;

/// The text of the catalogue.
const TEXT: &str = include_str!("../data/predicates.txt");

struct Catalogue {
    predicates: Vec<SystemPredicate>,
    places: FxHashMap<(&'static str, usize), usize>,
    /// The predicates with any number of further arguments, by name.
    variadic: FxHashMap<&'static str, usize>,
    /// Effects by name, regardless of arity.
    effects: FxHashMap<&'static str, Effect>,
    /// The names of predicates that change the meaning of a whole program's clauses.
    altering: FxHashSet<&'static str>,
    /// The names of predicates that call predicates whose names come from data.
    callers_of_names: FxHashSet<&'static str>,
    /// The libraries with records.
    libraries: FxHashSet<&'static str>,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    // A test checks that every line is well formed.
    let (predicates, _) = read(TEXT);
    let numbered = || predicates.iter().enumerate();
    Catalogue {
        places: numbered().map(|(i, p)| ((p.name, p.arity), i)).collect(),
        variadic: numbered()
            .filter(|(_, p)| p.variadic)
            .map(|(i, p)| (p.name, i))
            .collect(),
        effects: effects_by_name(&predicates),
        altering: predicates
            .iter()
            .filter(|p| p.alteration.is_some())
            .map(|p| p.name)
            .collect(),
        callers_of_names: predicates
            .iter()
            .filter(|p| p.calls_names)
            .map(|p| p.name)
            .collect(),
        libraries: predicates
            .iter()
            .filter_map(SystemPredicate::library)
            .collect(),
        predicates,
    }
});

fn effects_by_name(predicates: &[SystemPredicate]) -> FxHashMap<&'static str, Effect> {
    let mut effects = FxHashMap::default();
    for p in predicates {
        match p.effect {
            Some(Effect::State) => drop(effects.insert(p.name, Effect::State)),
            Some(Effect::Io) => drop(effects.entry(p.name).or_insert(Effect::Io)),
            None => {}
        }
    }
    effects
}

/// Returns all predicates, in the order of the data file.
pub fn system_predicates() -> &'static [SystemPredicate] {
    &CATALOGUE.predicates
}

/// Returns the predicate with this name and arity.
#[must_use]
pub fn find(name: &str, arity: usize) -> Option<&'static SystemPredicate> {
    let catalogue: &'static Catalogue = &CATALOGUE;
    // A shorter lifetime of the keys permits lookups by any name.
    let places: &FxHashMap<(&str, usize), usize> = &catalogue.places;
    catalogue.predicates.get(*places.get(&(name, arity))?)
}

/// Returns the effects of predicates by name.
pub(crate) fn effects() -> &'static FxHashMap<&'static str, Effect> {
    &CATALOGUE.effects
}

/// Returns the names of predicates that change the meaning of a whole program's clauses, regardless of arity.
pub(crate) fn altering() -> &'static FxHashSet<&'static str> {
    &CATALOGUE.altering
}

/// Returns the names of predicates that call predicates whose names come from data, regardless of arity.
pub(crate) fn callers_of_names() -> &'static FxHashSet<&'static str> {
    &CATALOGUE.callers_of_names
}

/// Returns the libraries with records.
pub(crate) fn libraries() -> &'static FxHashSet<&'static str> {
    &CATALOGUE.libraries
}

/// Returns the predicate with this name that takes at least this many arguments. Also returns the number of arguments beyond those in the
/// data file, which are passed to its closure: `call/12` is `call/8` with four more arguments.
pub(crate) fn find_variadic(name: &str, arity: usize) -> Option<(&'static SystemPredicate, usize)> {
    if let Some(exact) = find(name, arity) {
        return Some((exact, 0));
    }
    let catalogue: &'static Catalogue = &CATALOGUE;
    let longest = catalogue.predicates.get(*catalogue.variadic.get(name)?)?;
    let further = arity.checked_sub(longest.arity)?;
    Some((longest, further))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_are_found_by_name_and_arity() {
        let found = find("nth0", 3).unwrap();
        let description = found.description.as_ref().unwrap();
        assert_eq!(description.arguments, ["Index", "List", "Element"]);
        assert_eq!(found.library(), Some("lists"));
        let is = find("is", 2).unwrap().description.as_ref().unwrap();
        assert_eq!(is.template, "-Result is +Expression is semidet");
        assert!(is.arguments.is_empty());
        assert_eq!(find("true", 0).unwrap().library(), None);
        assert_eq!(find("nth0", 2), None);
    }

    #[test]
    fn variadic_predicates_hand_further_arguments_on() {
        let (call, further) = find_variadic("call", 12).unwrap();
        assert_eq!(call.meta_arguments(further)[0].added, 11);
        let (call, further) = find_variadic("call", 3).unwrap();
        assert_eq!(call.meta_arguments(further)[0].added, 2);
        assert!(find_variadic("call", 0).is_none());
        assert!(find_variadic("foldl", 12).is_none());
    }
}
