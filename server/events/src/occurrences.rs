//! Occurrences of variables: a variable that also occurs outside a control construct is passed to the predicate that implements it.

use std::collections::BTreeMap;

use costlens_syntax::term::{TermId, Terms};

/// Returns the variables of terms, and how often each occurs in them.
pub(crate) fn occurrences(
    terms: &Terms,
    all: impl IntoIterator<Item = TermId>,
) -> BTreeMap<u32, usize> {
    let mut found = BTreeMap::new();
    for variable in all.into_iter().flat_map(|t| terms.variables_of(t)) {
        *found.entry(variable).or_default() += 1;
    }
    found
}
