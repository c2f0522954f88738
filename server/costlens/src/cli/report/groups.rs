//! Root causes of missing bounds: one cause may affect many predicates.

use std::collections::BTreeMap;

use costlens_analysis::report::Functor;
use costlens_ide::present::indicator;

use crate::cli::json::report::{Cause, Missing, Predicate};

/// The maximum number of affected predicates that are named for a cause.
const MOST_EXAMPLES: usize = 5;

/// Returns the root causes, sorted by decreasing number of affected predicates.
pub(super) fn causes(predicates: &[Predicate]) -> Vec<Cause> {
    let mut by: BTreeMap<&Missing, Vec<&Predicate>> = BTreeMap::new();
    for predicate in predicates {
        if let Some(missing) = &predicate.unknown {
            by.entry(missing).or_default().push(predicate);
        }
    }
    let mut causes: Vec<Cause> = (by.into_iter())
        .map(|(missing, of)| Cause {
            missing: missing.clone(),
            predicates: of.len(),
            examples: of.iter().take(MOST_EXAMPLES).map(|p| name(p)).collect(),
        })
        .collect();
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.predicates));
    causes
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
        }
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
        assert_eq!(found[0].examples.len(), MOST_EXAMPLES);
        assert_eq!(found[1].examples, ["p4/1"]);
    }
}
