//! Cached results for separate texts. Each text is analysed in its own database. Most edits do not change the text on which a predicate
//! depends, so results are kept between queries.

use std::sync::{Mutex, PoisonError};

use costlens_algebra::Expr;
use costlens_analysis::report::SizeVariable;
use rustc_hash::FxHashMap;

/// The maximum number of cached results of each kind.
const MOST: usize = 512;

/// A text, and a query on it.
pub(super) type QueryKey = (String, String);

/// The cache, shared by all snapshots of a host.
#[derive(Debug, Default)]
pub struct AdviceCache {
    /// The steps of a call without its recursive calls, and the sizes on which these steps depend.
    pub(super) local: Answers<Option<(Vec<SizeVariable>, Expr)>>,
}

/// Cached results of one kind.
#[derive(Debug)]
pub(super) struct Answers<T>(Mutex<FxHashMap<QueryKey, T>>);

impl<T> Default for Answers<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> Answers<T> {
    /// Returns the cached result, or else computes and caches it.
    pub(super) fn get_or_compute(&self, key: QueryKey, find: impl FnOnce() -> T) -> T {
        if let Some(found) = self.kept().get(&key) {
            return found.clone();
        }
        // The lock is not held during the computation, so that other threads can query other predicates.
        let found = find();
        let mut kept = self.kept();
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(key, found.clone());
        found
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, FxHashMap<QueryKey, T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_found_once_for_each_text_and_question() {
        let answers = Answers::default();
        let mut asked = 0;
        let mut ask = |text: &str, about: &str| {
            answers.get_or_compute((text.to_owned(), about.to_owned()), || {
                asked += 1;
                asked
            })
        };
        assert_eq!(ask("p.", "p/0"), 1);
        assert_eq!(ask("p.", "p/0"), 1);
        assert_eq!(ask("p.", "q/0"), 2);
        assert_eq!(ask("q.", "p/0"), 3);
        assert_eq!(ask("p.", "p/0"), 1);
    }
}
