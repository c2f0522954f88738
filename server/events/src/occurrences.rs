//! The number of times that variables occur: one that also occurs outside of a control construct is handed to the predicate that stands for it.

use std::collections::BTreeMap;

use costlens_syntax::term::{TermId, Terms};

/// The variables of terms, and how often each occurs in them.
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
