//! Which summaries may be asked for on this thread.

use std::cell::RefCell;
use std::panic::resume_unwind;

use costlens_program::Component;
use rustc_hash::FxHashSet;
use salsa::plumbing::AsId as _;

use crate::db::Db;

/// The payload of the unwinding: these summaries are needed first.
pub(crate) struct NotReady(pub(crate) Vec<salsa::Id>);

impl NotReady {
    pub(crate) fn throw(self) -> ! {
        resume_unwind(Box::new(self))
    }
}

/// The answer to whether a summary may be asked for.
pub(crate) enum Readiness {
    Ready,
    /// It has to be visited first.
    NotReady,
    /// It waits for the one that asks.
    Cyclic,
}

/// The summaries that a visit has done, and those that wait for others.
#[derive(Default)]
pub(crate) struct Progress {
    done: FxHashSet<salsa::Id>,
    pub(crate) cyclic: FxHashSet<salsa::Id>,
    /// The keys that the top of the driver's stack is visited for.
    pub(crate) path: FxHashSet<salsa::Id>,
    /// How many summaries are being computed on top of each other.
    depth: usize,
}

thread_local! {
    /// The visit that runs on this thread. Outside of salsa's values: it decides when a query runs, never what it gives.
    pub(crate) static PROGRESS: RefCell<Option<Progress>> = const { RefCell::new(None) };
}

/// Tells whether the summary of a key may be asked for on this thread.
pub(crate) fn readiness(db: &dyn Db, key: salsa::Id) -> Readiness {
    PROGRESS.with_borrow_mut(|progress| match progress {
        // Not driven: salsa recurses.
        None => Readiness::Ready,
        Some(p) if p.done.contains(&key) => Readiness::Ready,
        Some(p) if p.cyclic.contains(&key) => Readiness::Cyclic,
        Some(p) => {
            // Another visit may have been here before.
            let revision = salsa::plumbing::current_revision(db);
            if !db.memory().is_done(revision, key) {
                return Readiness::NotReady;
            }
            p.done.insert(key);
            Readiness::Ready
        }
    })
}

/// Summaries that are computed on top of each other at most.
const MOST_ON_TOP: usize = 12;

/// The stack that one of them finds at least, and the size of a new piece of it. Runs are bounded in depth.
const STACK_LEFT: usize = 1 << 20;
const STACK_PIECE: usize = 4 << 20;

/// Computes a summary that is not there, on top of the query that misses it; whether it is there now. Not one that was there in an earlier
/// revision (salsa would look through all that it was computed from, however deep), and not where a query about its component is under
/// way: it could wait for this one. What asks for it has to unwind then.
pub(crate) fn on_top(
    db: &dyn Db,
    id: salsa::Id,
    component: Option<Component<'_>>,
    compute: &dyn Fn(),
) -> bool {
    let is_possible = PROGRESS.with_borrow(|progress| {
        (progress.as_ref()).is_some_and(|p| p.depth < MOST_ON_TOP && !p.path.contains(&id))
    });
    if !is_possible || db.memory().was_done(id) {
        return false;
    }
    let claimed = component.map_or(id, |c| c.as_id());
    let Some(_under_way) = db.memory().begin_alone(claimed) else {
        return false;
    };
    {
        let _deeper = Deeper::begin();
        stacker::maybe_grow(STACK_LEFT, STACK_PIECE, compute);
    }
    note_done(db, id);
    true
}

/// A summary that is being computed on top of another one.
struct Deeper;

impl Deeper {
    fn begin() -> Self {
        change_depth(|depth| depth + 1);
        Deeper
    }
}

impl Drop for Deeper {
    fn drop(&mut self) {
        change_depth(|depth| depth.saturating_sub(1));
    }
}

fn change_depth(change: impl Fn(usize) -> usize) {
    PROGRESS.with_borrow_mut(|progress| {
        if let Some(p) = progress {
            p.depth = change(p.depth);
        }
    });
}

/// Takes down that a summary is there.
pub(crate) fn note_done(db: &dyn Db, key: salsa::Id) {
    PROGRESS.with_borrow_mut(|p| p.get_or_insert_default().done.insert(key));
    let revision = salsa::plumbing::current_revision(db);
    db.memory().note_done(revision, key);
}

/// Puts the thread's progress away when a visit ends, by unwinding too.
pub(crate) struct Visit;

impl Visit {
    pub(crate) fn begin() -> Self {
        PROGRESS.set(Some(Progress::default()));
        Visit
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        PROGRESS.set(None);
    }
}

/// Looks at the keys that the top of this thread's stack is visited for, or changes them.
pub(crate) fn with_path<T>(f: impl FnOnce(&mut FxHashSet<salsa::Id>) -> T) -> T {
    PROGRESS.with_borrow_mut(|progress| f(&mut progress.get_or_insert_default().path))
}
