//! Caches the quick fixes of recently requested predicates, so that they are available when the cursor returns.
//!
//! The cache belongs to one revision of the database: any change of any input, in any file or folder, clears it.

use std::sync::{Arc, Mutex, PoisonError};

use costlens_program::{Functor, SourceFile};
use rustc_hash::FxHashMap;
use salsa::Revision;

use super::OfPredicate;
use crate::db::Db;
use crate::resources::Calibrated;

/// The maximum number of predicates in the cache.
const MOST: usize = 512;

/// The cached quick fixes by predicate, shared by all snapshots of a host.
#[derive(Debug, Default)]
pub struct Remembered(Mutex<FixCache>);

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
        let revision = db.zalsa().current_revision();
        let key = (file, functor.clone());
        {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.revision != Some(revision) {
                kept.revision = Some(revision);
                kept.of.clear();
            }
            if let Some((of, found)) = kept.of.get(&key)
                && of.as_ref() == on
            {
                return Arc::clone(found);
            }
        }
        // The lock is not held during the computation, so that other threads can query other predicates.
        let found = Arc::new(find());
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.revision == Some(revision) {
            if kept.of.len() >= MOST {
                kept.of.clear();
            }
            kept.of.insert(key, (on.cloned(), Arc::clone(&found)));
        }
        found
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
        // This file may load the requested file.
        other.set_parsed(&mut db).to(Parsed::new("p(2).\n"));
        assert_eq!(ask(&db, own, &p), 4);
    }
}
