//! Lookups by one query in its program: names, and summaries of calls.

use std::cell::{OnceCell, RefCell};
use std::hash::Hash;
use std::sync::Arc;

use costlens_infer::Summary;
use costlens_infer::types::Pattern;
use costlens_program::{Component, Functor, Predicate};
use rustc_hash::FxHashMap;

/// A cache of lookups, because inference looks up the same names and calls thousands of times.
#[derive(Default)]
pub(crate) struct Lookups<'db> {
    pub(crate) predicates: RefCell<FxHashMap<Functor, Option<Predicate<'db>>>>,
    pub(crate) open: RefCell<FxHashMap<Predicate<'db>, bool>>,
    pub(crate) components: RefCell<FxHashMap<Predicate<'db>, Option<Component<'db>>>>,
    pub(crate) summaries: RefCell<FxHashMap<(Functor, Pattern), Arc<Summary>>>,
    /// The same summaries with the costs of the predicates in place of unknown bounds.
    pub(crate) in_own_terms: RefCell<FxHashMap<(Functor, Pattern), Arc<Summary>>>,
    /// True if the file belongs to the user.
    pub(crate) of_user: OnceCell<bool>,
}

/// Returns the value for a key, computed at the first lookup.
pub(crate) fn looked_up<K: Clone + Eq + Hash, V: Copy>(
    known: &RefCell<FxHashMap<K, V>>,
    key: &K,
    compute: impl FnOnce() -> V,
) -> V {
    if let Some(&value) = known.borrow().get(key) {
        return value;
    }
    let value = compute();
    known.borrow_mut().insert(key.clone(), value);
    value
}
