//! The driver's memory between revisions.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use costlens_program::SourceFile;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::kept::Store;
use crate::systems::Systems;

/// For each summary of a file, the summaries from which it was computed at the last visit.
pub(crate) type Callees = FxHashMap<salsa::Id, Arc<[salsa::Id]>>;

/// The driver's memory between revisions, shared by the clones of a database. It affects performance, never results.
#[derive(Debug, Default)]
pub struct Memory {
    files: Mutex<FxHashMap<SourceFile, Arc<Visited>>>,
    done: RwLock<Done>,
    /// For each component, the number of running queries about it, on all threads.
    under_way: Mutex<FxHashMap<salsa::Id, usize>>,
    systems: Systems,
    /// Where results outlive the process, if anywhere.
    store: OnceLock<Box<dyn Store>>,
}

/// The summaries computed in a revision, by any visit. A query for one of them does not recurse.
#[derive(Debug, Default)]
pub(crate) struct Done {
    revision: Option<salsa::Revision>,
    keys: FxHashSet<salsa::Id>,
    /// The summaries that were computed in any revision. To determine whether one of them still holds, salsa checks all of its inputs.
    ever: FxHashSet<salsa::Id>,
}

#[derive(Debug)]
pub(crate) struct Visited {
    pub(crate) revision: salsa::Revision,
    pub(crate) callees: Callees,
}

impl Memory {
    /// Returns the cache of solved systems.
    pub(crate) fn systems(&self) -> &Systems {
        &self.systems
    }

    /// Returns the store of results.
    pub(crate) fn store(&self) -> Option<&dyn Store> {
        self.store.get().map(|store| &**store)
    }

    /// Sets the store of results. The first one is kept.
    pub(crate) fn set_store(&self, store: Box<dyn Store>) {
        let _ = self.store.set(store);
    }

    pub(crate) fn visited(&self, file: SourceFile) -> Option<Arc<Visited>> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.get(&file).cloned()
    }

    pub(crate) fn remember(&self, file: SourceFile, visited: Visited) {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.insert(file, Arc::new(visited));
    }

    /// Returns whether a summary has been computed in this revision.
    pub(crate) fn is_done(&self, revision: salsa::Revision, key: salsa::Id) -> bool {
        let done = self.done.read().unwrap_or_else(PoisonError::into_inner);
        done.revision == Some(revision) && done.keys.contains(&key)
    }

    pub(crate) fn note_done(&self, revision: salsa::Revision, key: salsa::Id) {
        let mut done = self.done.write().unwrap_or_else(PoisonError::into_inner);
        if done.revision != Some(revision) {
            done.revision = Some(revision);
            done.keys.clear();
        }
        done.keys.insert(key);
        done.ever.insert(key);
    }

    /// Returns whether a summary was computed in some revision.
    pub(crate) fn was_done(&self, key: salsa::Id) -> bool {
        let done = self.done.read().unwrap_or_else(PoisonError::into_inner);
        done.ever.contains(&key)
    }

    pub(crate) fn under_way<T>(&self, f: impl FnOnce(&mut FxHashMap<salsa::Id, usize>) -> T) -> T {
        let mut under_way = self
            .under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        f(&mut under_way)
    }

    /// Records that a query about a component is running, until the returned guard is dropped.
    pub(crate) fn begin(&self, component: salsa::Id) -> UnderWay<'_> {
        self.under_way(|all| *all.entry(component).or_default() += 1);
        UnderWay {
            memory: self,
            component,
        }
    }

    /// Records that a query about a component is running, unless another such query is already running.
    pub(crate) fn begin_alone(&self, component: salsa::Id) -> Option<UnderWay<'_>> {
        let is_alone = self.under_way(|all| {
            let is_alone = !all.contains_key(&component);
            if is_alone {
                all.insert(component, 1);
            }
            is_alone
        });
        // The guard is only created if it is returned: dropping it would end another thread's query.
        is_alone.then(|| UnderWay {
            memory: self,
            component,
        })
    }
}

/// A running query about a component.
pub(crate) struct UnderWay<'a> {
    memory: &'a Memory,
    component: salsa::Id,
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.memory.under_way(|all| {
            if let Some(queries) = all.get_mut(&self.component) {
                *queries -= 1;
                if *queries == 0 {
                    all.remove(&self.component);
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_second_ends_no_query_of_the_first() {
        let (memory, component) = (Memory::default(), salsa::Id::from_bits(1));
        let first = memory.begin_alone(component);
        assert!(first.is_some());
        assert!(memory.begin_alone(component).is_none());
        assert!(memory.begin_alone(component).is_none());
        let other = memory.begin(component);
        drop(first);
        assert!(memory.begin_alone(component).is_none());
        drop(other);
        assert!(memory.begin_alone(component).is_some());
    }
}
