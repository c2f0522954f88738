//! Decides which summaries may be queried on the current thread.

use std::cell::RefCell;
use std::panic::resume_unwind;
use std::time::{Duration, Instant};

use costlens_program::Component;
use rustc_hash::FxHashSet;
use salsa::plumbing::AsId as _;

use crate::db::Db;

/// The payload of an unwinding: the summaries that must be computed first.
pub(crate) struct NotReady(pub(crate) Vec<salsa::Id>);

impl NotReady {
    pub(crate) fn throw(self) -> ! {
        resume_unwind(Box::new(self))
    }
}

/// The state of a summary that a query requests.
pub(crate) enum Readiness {
    Ready,
    /// The summary must be visited first.
    NotReady,
    /// The summary waits for the summary that requests it.
    Cyclic,
}

/// The summaries that a visit has computed, and summaries that wait for other summaries.
#[derive(Default)]
pub(crate) struct Progress {
    done: FxHashSet<salsa::Id>,
    pub(crate) cyclic: FxHashSet<salsa::Id>,
    /// The keys whose visit led to the top of the driver's stack.
    pub(crate) path: FxHashSet<salsa::Id>,
    /// The summaries that are being computed, each inside the one before.
    nested: Vec<salsa::Id>,
    /// The end of the time slice, if the visit has one.
    until: Option<Instant>,
    /// The summaries that would not be computed within a time slice, and those that wait for them.
    given_up: FxHashSet<salsa::Id>,
}

impl Progress {
    /// Records that no summary that is being computed or waits is computed within a time slice.
    fn give_up(&mut self) {
        let waiting = self.path.iter().chain(&self.nested).copied();
        self.given_up.extend(waiting);
    }
}

thread_local! {
    /// The visit that runs on this thread. It is kept outside salsa's values, because it determines when a query runs, never its result.
    pub(crate) static PROGRESS: RefCell<Option<Progress>> = const { RefCell::new(None) };
}

/// Returns whether a summary may be queried on this thread.
pub(crate) fn readiness(db: &dyn Db, key: salsa::Id) -> Readiness {
    PROGRESS.with_borrow_mut(|progress| match progress {
        // Without a visit, salsa recurses.
        None => Readiness::Ready,
        Some(p) if p.done.contains(&key) => Readiness::Ready,
        Some(p) if p.cyclic.contains(&key) => Readiness::Cyclic,
        Some(p) => {
            // An earlier visit may have computed the summary.
            let revision = salsa::plumbing::current_revision(db);
            if !db.memory().is_done(revision, key) {
                return Readiness::NotReady;
            }
            p.done.insert(key);
            Readiness::Ready
        }
    })
}

/// The maximum number of nested computations of summaries.
const MOST_ON_TOP: usize = 12;

/// The minimum stack space for each nested computation, and the size of a new segment. The depth of inference is bounded.
const STACK_LEFT: usize = 1 << 20;
const STACK_PIECE: usize = 4 << 20;

/// Computes a missing summary inside the query that needs it. Returns whether it was computed. A summary that was computed in an earlier
/// revision is excluded, because salsa would re-validate its dependencies by recursion, however deep. A summary whose component has a
/// running query is also excluded, because that query might wait for this query. In these cases, the query that needs the summary must
/// unwind.
pub(crate) fn on_top(
    db: &dyn Db,
    id: salsa::Id,
    component: Option<Component<'_>>,
    compute: &dyn Fn(),
) -> bool {
    let is_possible = PROGRESS.with_borrow(|progress| {
        (progress.as_ref()).is_some_and(|p| {
            p.nested.len() < MOST_ON_TOP && !p.path.contains(&id) && !p.given_up.contains(&id)
        })
    });
    if !is_possible || db.memory().was_done(id) {
        return false;
    }
    let claimed = component.map_or(id, |c| c.as_id());
    let Some(_under_way) = db.memory().begin_alone(claimed) else {
        return false;
    };
    {
        let _nested = Nested::begin(id);
        stacker::maybe_grow(STACK_LEFT, STACK_PIECE, compute);
    }
    note_done(db, id);
    true
}

/// A guard for a summary that is being computed inside another summary.
struct Nested;

impl Nested {
    fn begin(id: salsa::Id) -> Self {
        change_nested(|nested| nested.push(id));
        Nested
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        change_nested(|nested| {
            nested.pop();
        });
    }
}

fn change_nested(change: impl Fn(&mut Vec<salsa::Id>)) {
    PROGRESS.with_borrow_mut(|progress| {
        if let Some(p) = progress {
            change(&mut p.nested);
        }
    });
}

#[expect(
    clippy::disallowed_methods,
    reason = "time slices determine the order of work, never an answer"
)]
fn now() -> Instant {
    Instant::now()
}

/// Begins a time slice of this thread's visit: a summary that takes longer is given up, so that others can be computed first. `None` ends
/// the slices: no summary is given up any more.
pub(crate) fn begin_slice(slice: Option<Duration>) {
    PROGRESS.with_borrow_mut(|progress| {
        let p = progress.get_or_insert_default();
        p.until = slice.map(|slice| now() + slice);
    });
}

/// Forgets the summaries that were given up.
pub(crate) fn forget_given_up() {
    PROGRESS.with_borrow_mut(|p| p.get_or_insert_default().given_up.clear());
}

/// Returns whether a visit with time slices gives up a summary: the slice has ended, the summary was given up before, or another thread is
/// computing it. It also gives up all summaries that wait for it.
pub(crate) fn gives_up(id: salsa::Id, is_under_way: &dyn Fn() -> bool) -> bool {
    PROGRESS.with_borrow_mut(|progress| {
        let Some((p, until)) = progress.as_mut().and_then(|p| p.until.map(|at| (p, at))) else {
            return false;
        };
        let gives_up = p.given_up.contains(&id) || until < now() || is_under_way();
        if gives_up {
            p.give_up();
        }
        gives_up
    })
}

/// Unwinds if the visit's time slice has ended.
pub(crate) fn unwind_if_late() {
    let is_late = PROGRESS.with_borrow_mut(|progress| match progress {
        Some(p) if p.until.is_some_and(|at| at < now()) => {
            p.give_up();
            true
        }
        _ => false,
    });
    if is_late {
        NotReady(Vec::new()).throw();
    }
}

/// Records that a summary has been computed.
pub(crate) fn note_done(db: &dyn Db, key: salsa::Id) {
    PROGRESS.with_borrow_mut(|p| p.get_or_insert_default().done.insert(key));
    let revision = salsa::plumbing::current_revision(db);
    db.memory().note_done(revision, key);
}

/// Clears the thread's progress when a visit ends, including by unwinding.
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

/// Reads or changes the keys whose visit led to the top of this thread's stack.
pub(crate) fn with_path<T>(f: impl FnOnce(&mut FxHashSet<salsa::Id>) -> T) -> T {
    PROGRESS.with_borrow_mut(|progress| f(&mut progress.get_or_insert_default().path))
}
