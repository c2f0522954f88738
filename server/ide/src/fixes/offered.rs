//! Determines which quick fixes may be offered for a predicate, so that hints do not repeat them.

use super::conditions::unproved;
use super::rewrites::REWRITES;
use super::site::Site;
use crate::diagnostics::rules::Rule;

/// Returns true if a rewrite of one of these rules matches a predicate and its conditions are proved. The gain is not checked.
pub(crate) fn may_be_offered(site: &Site<'_>, rules: &[&'static Rule]) -> bool {
    (REWRITES.iter())
        .filter(|rewrite| rules.contains(&rewrite.rule))
        .flat_map(|rewrite| rewrite.propose(site))
        .any(|proposal| unproved(site, &proposal.needs).is_empty())
}
