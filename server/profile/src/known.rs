//! Facts about predicates that make part of the instrumentation unnecessary (Mera et al. 2010, Fig. 5), from assertions about all calls.

use costlens_syntax::FileTerms;
use costlens_syntax::assertions::{Assertion, Property, SolutionsClaim, Status, assertions};
use smol_str::SmolStr;

/// A fact about all calls of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The calls leave no choice point.
    NoChoicePoint,
    /// The calls do not fail.
    NotFails,
}

/// Returns the facts that a file asserts with the status `true` or `trust`, with the name and arity of the predicate.
#[must_use]
pub fn known(text: &str, file: &FileTerms) -> Vec<(SmolStr, usize, Fact)> {
    let stated = assertions(text, file).list;
    let of_all = stated.iter().filter(|a| speaks_of_every_call(a));
    of_all
        .flat_map(|a| {
            let facts = a.properties.iter().filter_map(|p| fact(&p.property));
            facts.map(|fact| (a.name.clone(), a.arity, fact))
        })
        .collect()
}

fn speaks_of_every_call(assertion: &Assertion) -> bool {
    matches!(assertion.status, Status::True | Status::Trust)
        && !assertion.unknown_precondition
        && assertion.limits.is_empty()
        && !assertion.declares_calls()
}

fn fact(property: &Property) -> Option<Fact> {
    match property {
        Property::Solutions(SolutionsClaim::AtLeastOne) => Some(Fact::NotFails),
        Property::NotVerified(name) if name.starts_with("no_choicepoint") => {
            Some(Fact::NoChoicePoint)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_true_of_every_call() {
        let text = ":- true pred p(X) + (no_choicepoint, not_fails).\n:- pred q(X) + not_fails.\n:- trust pred r(X) : int(X) + not_fails.\n:- trust pred s(+X) + not_fails.\np(_). q(_). r(_). s(_).\n";
        let found = known(text, &costlens_syntax::read_text(text));
        let p = |fact| ("p".into(), 1, fact);
        assert_eq!(found, [p(Fact::NoChoicePoint), p(Fact::NotFails)]);
    }
}
