//! The order in which summaries are computed and re-validated: callees before callers, in every revision.
//!
//! salsa computes and re-validates a query by recursion through its dependencies, so a chain of some ten thousand predicates
//! would overflow the stack. The driver visits summaries in the order of the dependencies that it saw in the revision before,
//! with a stack of its own; then every query finds its dependencies done and the recursion is never deeper than one or two.
//! Where an edit made a summary need one that was not visited yet, the query unwinds with a private payload, as salsa does for
//! cancellation (no panic hook runs), the driver visits the missing one first and asks again. Nothing is remembered of a query
//! that unwound, so salsa's dependencies stay what they are.
//!
//! What a query that unwinds had found is lost, and of a clause with ten goals each may be missing in turn. So a summary that never was there
//! is computed in the place where it is missed, on top of the one that misses it, a few deep and no more (`on_top`).

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use costlens_program::names::group_order;
use costlens_program::{
    Component, Functor, Library, Role, SourceFile, component_of, components, find, is_made,
};
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::plumbing::{AsId as _, FromId as _};

use crate::open::is_open;
use crate::queries::{CallKey, Db, guesses, key_of, summary};
use crate::shown::{patterns, shown};
use crate::systems::Systems;

/// Whose summaries each summary of a file was computed from, when the file was last visited.
type Callees = FxHashMap<salsa::Id, Arc<[salsa::Id]>>;

/// What the driver remembers between revisions, shared by the clones of a database. Only advice.
#[derive(Debug, Default)]
pub struct Memory {
    files: Mutex<FxHashMap<SourceFile, Arc<Visited>>>,
    done: RwLock<Done>,
    /// How many queries about each component are under way, on all threads.
    under_way: Mutex<FxHashMap<salsa::Id, usize>>,
    systems: Systems,
}

/// The summaries that are there in a revision, whichever visit computed them: asking for one of them recurses nowhere.
#[derive(Debug, Default)]
struct Done {
    revision: Option<salsa::Revision>,
    keys: FxHashSet<salsa::Id>,
    /// Those of all revisions. To look whether one of them still holds, salsa looks at all that it was computed from.
    ever: FxHashSet<salsa::Id>,
}

#[derive(Debug)]
struct Visited {
    revision: salsa::Revision,
    callees: Callees,
}

impl Memory {
    /// The systems that were solved.
    pub(crate) fn systems(&self) -> &Systems {
        &self.systems
    }

    fn of(&self, file: SourceFile) -> Option<Arc<Visited>> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.get(&file).cloned()
    }

    fn remember(&self, file: SourceFile, visited: Visited) {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.insert(file, Arc::new(visited));
    }

    /// Whether a summary is there in this revision.
    fn is_done(&self, revision: salsa::Revision, key: salsa::Id) -> bool {
        let done = self.done.read().unwrap_or_else(PoisonError::into_inner);
        done.revision == Some(revision) && done.keys.contains(&key)
    }

    fn note_done(&self, revision: salsa::Revision, key: salsa::Id) {
        let mut done = self.done.write().unwrap_or_else(PoisonError::into_inner);
        if done.revision != Some(revision) {
            done.revision = Some(revision);
            done.keys.clear();
        }
        done.keys.insert(key);
        done.ever.insert(key);
    }

    /// Whether a summary was there in some revision.
    fn was_done(&self, key: salsa::Id) -> bool {
        let done = self.done.read().unwrap_or_else(PoisonError::into_inner);
        done.ever.contains(&key)
    }

    fn under_way<T>(&self, f: impl FnOnce(&mut FxHashMap<salsa::Id, usize>) -> T) -> T {
        let mut under_way = self
            .under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        f(&mut under_way)
    }

    /// Takes down that a query about a component is under way, until what is returned is dropped.
    fn begin(&self, component: salsa::Id) -> UnderWay<'_> {
        self.under_way(|all| *all.entry(component).or_default() += 1);
        UnderWay {
            memory: self,
            component,
        }
    }

    /// The same, if none is.
    fn begin_alone(&self, component: salsa::Id) -> Option<UnderWay<'_>> {
        let is_alone = self.under_way(|all| {
            let is_alone = !all.contains_key(&component);
            if is_alone {
                all.insert(component, 1);
            }
            is_alone
        });
        // Not made where it is not wanted: what drops it ends a query that somebody else has begun.
        is_alone.then(|| UnderWay {
            memory: self,
            component,
        })
    }
}

/// A query about a component that is under way.
struct UnderWay<'a> {
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

/// The payload of the unwinding: these summaries are needed first.
pub(crate) struct NotReady(pub(crate) Vec<salsa::Id>);

impl NotReady {
    pub(crate) fn throw(self) -> ! {
        resume_unwind(Box::new(self))
    }
}

/// Whether a summary may be asked for.
pub(crate) enum Readiness {
    Ready,
    /// It has to be visited first.
    NotReady,
    /// It waits for the one that asks.
    Cyclic,
}

/// The summaries that a visit has done, and those that wait for others.
#[derive(Default)]
struct Progress {
    done: FxHashSet<salsa::Id>,
    cyclic: FxHashSet<salsa::Id>,
    /// The keys that the top of the driver's stack is visited for.
    path: FxHashSet<salsa::Id>,
    /// How many summaries are being computed on top of each other.
    depth: usize,
}

thread_local! {
    /// The visit that runs on this thread. Outside of salsa's values: it decides when a query runs, never what it gives.
    static PROGRESS: RefCell<Option<Progress>> = const { RefCell::new(None) };
}

/// Whether the summary of a key may be asked for on this thread.
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
pub(crate) fn on_top(db: &dyn Db, key: CallKey<'_>, component: Option<Component<'_>>) -> bool {
    let id = key.as_id();
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
        stacker::maybe_grow(STACK_LEFT, STACK_PIECE, || summary(db, key));
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
fn note_done(db: &dyn Db, key: salsa::Id) {
    PROGRESS.with_borrow_mut(|p| p.get_or_insert_default().done.insert(key));
    let revision = salsa::plumbing::current_revision(db);
    db.memory().note_done(revision, key);
}

/// Puts the thread's progress away when a visit ends, by unwinding too.
struct Visit;

impl Visit {
    fn begin() -> Self {
        PROGRESS.set(Some(Progress::default()));
        Visit
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        PROGRESS.set(None);
    }
}

/// Computes or re-validates everything that the report of a file needs, callees first.
pub(crate) fn visit(db: &dyn Db, file: SourceFile) {
    visit_telling(db, file, &|_| false, &mut |_| {});
}

/// The same, what somebody looks at (and what it calls) first. Tells of each component when what its reports need is there; of none
/// where all of it is there already. The order changes no result.
pub fn visit_telling(
    db: &dyn Db,
    file: SourceFile,
    looked_at: &dyn Fn(&Functor) -> bool,
    tell: &mut dyn FnMut(Component<'_>),
) {
    let revision = salsa::plumbing::current_revision(db);
    let before = db.memory().of(file);
    if before.as_ref().is_some_and(|b| b.revision == revision) {
        return;
    }
    let mut walk = Walk::begin(db, file, before.as_deref());
    let (mut first, mut later) = (Vec::new(), Vec::new());
    for &component in &components(db, file).order {
        if component.members(db).iter().any(looked_at) {
            first.push(component);
        } else {
            later.push(component);
        }
    }
    for component in first.into_iter().chain(later) {
        walk.component(component);
        // What the reports need is done, so salsa recurses no deeper than one or two.
        let progress = PROGRESS.take();
        tell(component);
        PROGRESS.set(progress);
    }
    let callees = std::mem::take(&mut walk.now);
    db.memory().remember(file, Visited { revision, callees });
}

/// Computes a share of what the visit of a file does: that of one of several threads, each with its own clone of the database. What the
/// threads have done, `visit` finds there; in what order they did it changes no result.
///
/// A thread that may not wait leaves out what another one is at work on; whether it left out nothing.
pub fn visit_share(db: &dyn Db, file: SourceFile, share: usize, of: usize, may_wait: bool) -> bool {
    let before = db.memory().of(file);
    let mut walk = Walk::begin(db, file, before.as_deref());
    walk.may_wait = may_wait;
    let order = &components(db, file).order;
    for &component in order.iter().skip(share).step_by(of.max(1)) {
        walk.component(component);
    }
    !walk.has_left_out
}

/// Decides for which calls the predicates of a file are shown, in an order in which no query recurses deeply.
pub(crate) fn choose_patterns(db: &dyn Db, file: SourceFile) {
    // Guesses first, which summaries of this file do not need but the choice of patterns does.
    if file.role(db) == Role::User
        && let Some(library) = Library::try_get(db)
    {
        for &other in library.files(db) {
            guess_all(db, other);
        }
    }
    for &other in group_order(db, file) {
        guess_all(db, other);
    }
    guess_all(db, file);
    // From callers to callees, so that this recurses no deeper than guesses do.
    for &component in components(db, file).order.iter().rev() {
        shown(db, component);
    }
}

fn guess_all(db: &dyn Db, file: SourceFile) {
    for &component in &components(db, file).order {
        guesses(db, component);
    }
}

/// How often a summary is asked for again after another thread, at work on the same one, unwound.
const MOST_RETRIES: usize = 1_000;

struct Walk<'a> {
    db: &'a dyn Db,
    before: Option<&'a Callees>,
    now: Callees,
    /// For other threads, that are at work on what is needed next.
    may_wait: bool,
    /// Whether something was left to them.
    has_left_out: bool,
    /// Lets nobody ask for what is not done, as long as the walk lasts.
    _visit: Visit,
}

/// A summary on the driver's stack.
struct Waiting {
    key: salsa::Id,
    /// Whether the callees of the last revision have been put on top of it.
    expanded: bool,
}

impl<'a> Walk<'a> {
    fn begin(db: &'a dyn Db, file: SourceFile, before: Option<&'a Visited>) -> Self {
        let visit = Visit::begin();
        choose_patterns(db, file);
        Walk {
            db,
            before: before.map(|b| &b.callees),
            now: Callees::default(),
            may_wait: true,
            has_left_out: false,
            _visit: visit,
        }
    }

    /// The summaries that a component is shown with.
    fn component(&mut self, component: Component<'_>) {
        let (db, file) = (self.db, component.file(self.db));
        for functor in component.members(db).iter() {
            let Some(predicate) = find(db, file, functor) else {
                continue;
            };
            // Made predicates are shown nowhere: they are analysed when a caller needs them.
            if is_open(db, predicate) || is_made(db, predicate) {
                continue;
            }
            for (pattern, _) in patterns(db, predicate) {
                self.visit(key_of(db, predicate, pattern).as_id());
            }
        }
    }

    fn visit(&mut self, root: salsa::Id) {
        let mut stack = vec![Waiting {
            key: root,
            expanded: false,
        }];
        // The keys that the top of the stack is visited for are its path. Other keys below it merely wait for their turn.
        with_path(FxHashSet::clear);
        while let Some(top) = stack.last_mut() {
            let key = top.key;
            if self.now.contains_key(&key) {
                if top.expanded {
                    with_path(|path| path.remove(&key));
                }
                stack.pop();
                continue;
            }
            if !std::mem::replace(&mut top.expanded, true) {
                with_path(|path| path.insert(key));
                let mut missing: Vec<salsa::Id> = self.remembered(key).collect();
                with_path(|path| missing.retain(|c| !path.contains(c)));
                if !missing.is_empty() {
                    stack.extend(missing.into_iter().rev().map(|key| Waiting {
                        key,
                        expanded: false,
                    }));
                    continue;
                }
            }
            if !self.may_wait && self.is_under_way(key) {
                self.has_left_out = true;
                return;
            }
            match self.ask(key) {
                Ok(callees) => {
                    note_done(self.db, key);
                    // Those that were there already come by here too, so that the next visit knows their callees.
                    let there = callees.iter().filter(|c| !self.now.contains_key(c));
                    stack.extend(there.map(|&key| Waiting {
                        key,
                        expanded: false,
                    }));
                    self.now.insert(key, callees);
                }
                Err(NotReady(needed)) => {
                    let (waiting, new): (Vec<_>, Vec<_>) =
                        with_path(|path| needed.into_iter().partition(|key| path.contains(key)));
                    PROGRESS.with_borrow_mut(|p| p.get_or_insert_default().cyclic.extend(waiting));
                    // The first one is visited first.
                    stack.extend(new.into_iter().rev().map(|key| Waiting {
                        key,
                        expanded: false,
                    }));
                }
            }
        }
    }

    /// The callees of the last revision that are still there and not yet done.
    fn remembered(&self, key: salsa::Id) -> impl Iterator<Item = salsa::Id> {
        let callees = self.before.and_then(|b| b.get(&key)).cloned();
        let (db, now) = (self.db, &self.now);
        (0..callees.as_ref().map_or(0, |c| c.len()))
            .filter_map(move |i| callees.as_ref().map(|c| c[i]))
            .filter(move |c| !now.contains_key(c))
            .filter(move |&c| {
                let key = CallKey::from_id(c);
                find(db, key.file(db), key.functor(db)).is_some()
            })
    }

    /// Whether another thread is at work on a summary, or on one of the same component.
    fn is_under_way(&self, key: salsa::Id) -> bool {
        let revision = salsa::plumbing::current_revision(self.db);
        let (memory, claim) = (self.db.memory(), self.claim(key));
        !memory.is_done(revision, key) && memory.under_way(|all| all.contains_key(&claim))
    }

    /// What stands for a summary that is under way: its component.
    fn claim(&self, key: salsa::Id) -> salsa::Id {
        let call = CallKey::from_id(key);
        let predicate = find(self.db, call.file(self.db), call.functor(self.db));
        let component = predicate.and_then(|p| component_of(self.db, p));
        component.map_or(key, |c| c.as_id())
    }

    /// Asks salsa for a summary whose callees are done, as far as is known.
    fn ask(&self, key: salsa::Id) -> Result<Arc<[salsa::Id]>, NotReady> {
        let call = CallKey::from_id(key);
        let claim = self.claim(key);
        for _ in 0..MOST_RETRIES {
            let under_way = self.db.memory().begin(claim);
            let asked = catch_unwind(AssertUnwindSafe(|| {
                Arc::clone(&summary(self.db, call).callees)
            }));
            drop(under_way);
            match asked {
                Ok(callees) => return Ok(callees),
                Err(payload) => match payload.downcast::<NotReady>() {
                    Ok(not_ready) => return Err(*not_ready),
                    Err(payload) if is_propagated(&*payload) => std::thread::yield_now(),
                    Err(payload) => resume_unwind(payload),
                },
            }
        }
        resume_unwind(Box::new(salsa::Cancelled::PropagatedPanic))
    }
}

/// Looks at the keys that the top of this thread's stack is visited for, or changes them.
fn with_path<T>(f: impl FnOnce(&mut FxHashSet<salsa::Id>) -> T) -> T {
    PROGRESS.with_borrow_mut(|progress| f(&mut progress.get_or_insert_default().path))
}

/// Whether another thread that computed the same summary unwound, most likely because it was not ready there.
fn is_propagated(payload: &(dyn Any + Send)) -> bool {
    matches!(
        payload.downcast_ref::<salsa::Cancelled>(),
        Some(salsa::Cancelled::PropagatedPanic)
    )
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
