//! Root causes of missing bounds: one cause may affect many predicates.

use std::collections::BTreeMap;

use costlens_analysis::report::Functor;
use costlens_ide::present::indicator;

use crate::cli::json::report::{Cause, Missing, Predicate};

/// The maximum number of affected predicates that are named for a cause.
const MOST_EXAMPLES: usize = 5;

/// Returns the root causes. The cause whose removal gives most predicates a bound comes first.
pub(super) fn causes(predicates: &[Predicate]) -> Vec<Cause> {
    let mut by: BTreeMap<Key<'_>, Vec<&Predicate>> = BTreeMap::new();
    for predicate in predicates {
        if let Some(missing) = &predicate.unknown {
            by.entry(key(missing)).or_default().push(predicate);
        }
    }
    let mut causes: Vec<Cause> = (by.into_values())
        .filter_map(|of| {
            Some(Cause {
                missing: of.first()?.unknown.clone()?,
                predicates: of.len(),
                alone: of.iter().filter(|p| p.has_one_cause).count(),
                examples: of.iter().take(MOST_EXAMPLES).map(|p| name(p)).collect(),
            })
        })
        .collect();
    causes.sort_by_key(|cause| std::cmp::Reverse((cause.alone, cause.predicates)));
    causes
}

/// The text of a cause, and its place unless the text names it.
type Key<'m> = (
    &'m str,
    &'m str,
    Option<(&'m str, Option<&'m str>, Option<usize>)>,
);

/// Returns what causes of different predicates have in common: "it may be expanded by `term_expansion/2` (clause 2, `macros.pl`)" is one cause,
/// while "it is dynamic" is one for each dynamic predicate.
fn key(missing: &Missing) -> Key<'_> {
    let place = (
        missing.cause.as_str(),
        missing.file.as_deref(),
        missing.line,
    );
    let is_named = missing.reason.contains('`');
    (&missing.reason, &missing.help, (!is_named).then_some(place))
}

/// Returns the name and arity of a predicate.
pub(super) fn name(predicate: &Predicate) -> String {
    indicator(&Functor::new(predicate.name.as_str(), predicate.arity))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn predicate(name: &str, cause: &str) -> Predicate {
        Predicate {
            file: "a.pl".to_owned(),
            line: 1,
            name: name.to_owned(),
            arity: 1,
            pattern: String::new(),
            class: "unknown".to_owned(),
            cost: "cost ?".to_owned(),
            guessed: false,
            loose: false,
            rests_on: Vec::new(),
            time: None,
            time_assumes: None,
            unknown: Some(Missing {
                kind: "… is not defined".to_owned(),
                cause: cause.to_owned(),
                file: None,
                line: None,
                reason: format!("`{cause}` is not defined"),
                help: String::new(),
            }),
            has_one_cause: cause == "z/0",
        }
    }

    #[test]
    fn one_effect_on_many_predicates_is_one_cause() {
        let of = |name: &str, reason: &str| {
            let mut of = predicate(name, &format!("{name}/1"));
            if let Some(missing) = &mut of.unknown {
                missing.reason = reason.to_owned();
            }
            of
        };
        let hook = "it may be expanded by `term_expansion/2` (clause 2, `macros.pl`)";
        let all = [
            of("p", hook),
            of("q", hook),
            of("r", "it is dynamic"),
            of("s", "it is dynamic"),
        ];
        let counts: Vec<usize> = causes(&all).iter().map(|c| c.predicates).collect();
        assert_eq!(counts, [2, 1, 1]);
    }

    #[test]
    fn what_keeps_most_from_a_bound_comes_first() {
        let all: Vec<Predicate> = (0..9)
            .map(|i| predicate(&format!("p{i}"), if i == 4 { "a/0" } else { "z/0" }))
            .collect();
        let found = causes(&all);
        let counts: Vec<(&str, usize)> = (found.iter())
            .map(|c| (c.missing.cause.as_str(), c.predicates))
            .collect();
        assert_eq!(counts, [("z/0", 8), ("a/0", 1)]);
        assert_eq!((found[0].alone, found[1].alone), (8, 0));
        assert_eq!(found[0].examples.len(), MOST_EXAMPLES);
        assert_eq!(found[1].examples, ["p4/1"]);
    }
}
