//! Caches the quick fixes of recently requested predicates, so that they are available when the cursor returns.
//!
//! The cache belongs to one revision of the database: any change of any input, in any file or folder, clears it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use costlens_program::{Functor, SourceFile};
use rustc_hash::FxHashMap;
use salsa::Revision;

use super::OfPredicate;
use crate::db::Db;
use crate::resources::Calibrated;

/// The maximum number of predicates in the cache: those of a long file, whose quick fixes are requested together.
const MOST: usize = 4_096;

/// The cached quick fixes by predicate, shared by all snapshots of a host.
#[derive(Debug, Default)]
pub struct Remembered {
    cache: Mutex<FixCache>,
    /// True while a thread looks for the quick fixes of several predicates.
    is_searching: AtomicBool,
}

/// The search of one thread for the quick fixes of several predicates. Dropping it ends the search.
pub(super) struct Search<'a>(&'a AtomicBool);

impl Drop for Search<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

#[derive(Debug, Default)]
struct FixCache {
    revision: Option<Revision>,
    of: FxHashMap<(SourceFile, Functor), (Option<Calibrated>, Arc<OfPredicate>)>,
}

impl Remembered {
    /// Returns the quick fixes of a predicate, with times on a platform. If they are not cached, `find` computes them.
    pub(super) fn get_or_find(
        &self,
        db: &dyn Db,
        file: SourceFile,
        functor: &Functor,
        on: Option<&Calibrated>,
        find: impl FnOnce() -> OfPredicate,
    ) -> Arc<OfPredicate> {
        if let Some(known) = self.known(db, file, functor, on) {
            return known;
        }
        let revision = db.zalsa().current_revision();
        // The lock is not held during the computation, so that other threads can query other predicates.
        let found = Arc::new(find());
        let mut kept = self.cache();
        if kept.revision == Some(revision) {
            if kept.of.len() >= MOST {
                kept.of.clear();
            }
            let key = (file, functor.clone());
            kept.of.insert(key, (on.cloned(), Arc::clone(&found)));
        }
        found
    }

    /// Returns the quick fixes of a predicate if they are cached.
    pub(super) fn known(
        &self,
        db: &dyn Db,
        file: SourceFile,
        functor: &Functor,
        on: Option<&Calibrated>,
    ) -> Option<Arc<OfPredicate>> {
        let revision = db.zalsa().current_revision();
        let mut kept = self.cache();
        if kept.revision != Some(revision) {
            kept.revision = Some(revision);
            kept.of.clear();
        }
        let (of, found) = kept.of.get(&(file, functor.clone()))?;
        (of.as_ref() == on).then(|| Arc::clone(found))
    }

    /// Begins a search for the quick fixes of several predicates. Returns `None` if another thread is searching: a user who asks again while
    /// a long file is searched starts no second search.
    pub(super) fn begin_search(&self) -> Option<Search<'_>> {
        let is_searching = self.is_searching.swap(true, Ordering::AcqRel);
        (!is_searching).then_some(Search(&self.is_searching))
    }

    fn cache(&self) -> MutexGuard<'_, FixCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use costlens_program::Role;
    use costlens_syntax::Parsed;
    use salsa::Setter as _;

    use super::*;
    use crate::db::Database;

    #[test]
    fn fixes_are_found_again_after_a_change_alone() {
        let mut db = Database::new();
        let file = |db: &Database, name: &str| {
            SourceFile::new(db, name.to_owned(), Parsed::new("p(1).\n"), Role::User)
        };
        let (own, other) = (file(&db, "a.pl"), file(&db, "b.pl"));
        let remembered = Remembered::default();
        let (p, q) = (Functor::new("p", 1), Functor::new("q", 1));
        let mut found = 0;
        let mut ask = |db: &Database, file: SourceFile, functor: &Functor| {
            remembered.get_or_find(db, file, functor, None, || {
                found += 1;
                OfPredicate::default()
            });
            found
        };
        assert_eq!(ask(&db, own, &p), 1);
        assert_eq!(ask(&db, own, &p), 1);
        assert_eq!(ask(&db, own, &q), 2);
        assert_eq!(ask(&db, other, &p), 3);
        assert_eq!(ask(&db, own, &p), 3);
        let known = |db: &Database, functor| remembered.known(db, own, functor, None).is_some();
        assert!(known(&db, &p) && known(&db, &q) && !known(&db, &Functor::new("r", 1)));
        // This file may load the requested file.
        other.set_parsed(&mut db).to(Parsed::new("p(2).\n"));
        assert!(remembered.known(&db, own, &p, None).is_none());
        assert_eq!(ask(&db, own, &p), 4);
    }

    #[test]
    fn one_thread_searches() {
        let remembered = Remembered::default();
        let search = remembered.begin_search();
        assert!(search.is_some() && remembered.begin_search().is_none());
        drop(search);
        assert!(remembered.begin_search().is_some());
    }
}
