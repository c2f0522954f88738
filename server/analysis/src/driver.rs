//! Determines the order in which summaries are computed and re-validated: callees before callers, in every revision.
//!
//! salsa computes and re-validates a query by recursion through its dependencies, so a chain of some ten thousand predicates would overflow
//! the stack. The driver visits summaries in the order of the dependencies that it recorded in the previous revision, with an explicit
//! stack. Every query then finds its dependencies computed, and the recursion is at most two levels deep. If an edit makes a summary depend
//! on another that has not been visited yet, the query unwinds with a private payload, as salsa does for cancellation (no panic hook runs).
//! The driver then visits the missing summary first and repeats the query. salsa records nothing for a query that unwound, so its
//! dependencies remain unchanged.
//!
//! A query that unwinds loses its intermediate results. For a clause with ten goals, this may happen ten times, once for each missing
//! summary. A summary that was never computed is therefore computed inside the query that needs it, up to a small depth (`on_top`).

pub use crate::memory::Memory;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::Duration;

use costlens_program::names::group_order;
use costlens_program::{Component, Functor, SourceFile, component_of, components, find, is_made};
use rustc_hash::FxHashSet;
use salsa::plumbing::{AsId as _, FromId as _};

use crate::db::{CallKey, Db, key_of};
use crate::guesses::guesses;
use crate::memory::{Callees, Visited};
use crate::near::{Near, guessed_for};
use crate::open::is_open;
use crate::readiness::{
    NotReady, PROGRESS, Visit, begin_slice, forget_given_up, gives_up, note_done, with_path,
};
use crate::shown::{patterns, shown};
use crate::summaries::summary;

/// Computes or re-validates all summaries that a file's report needs, callees first.
pub(crate) fn visit(db: &dyn Db, file: SourceFile) {
    visit_telling(db, file, &mut |_| {});
}

/// Computes or re-validates all summaries that a file's report needs, and calls `tell` for each component whose dependencies are complete.
/// If everything is already computed, `tell` is not called. The order does not affect any result.
pub fn visit_telling(db: &dyn Db, file: SourceFile, tell: &mut dyn FnMut(Component<'_>)) {
    let revision = salsa::plumbing::current_revision(db);
    let before = db.memory().visited(file);
    if before.as_ref().is_some_and(|b| b.revision == revision) {
        return;
    }
    let mut walk = Walk::begin(db, file, before.as_deref());
    for &component in &components(db, file).order {
        walk.component(component);
        told(component, tell);
    }
    let callees = std::mem::take(&mut walk.now);
    db.memory().remember(file, Visited { revision, callees });
}

/// Computes or re-validates the summaries that the reports for some predicates of a file need. Apart from these predicates, only their
/// dependencies are computed, so that a user who looks at a few predicates does not wait for the rest of a long file.
pub fn visit_some(db: &dyn Db, file: SourceFile, wanted: &dyn Fn(&Functor) -> bool) {
    visit_wanted(db, file, wanted, &[None], &mut |_| {});
}

/// Visits some predicates like [`visit_some`], and calls `tell` for each of their components whose dependencies are complete: first for those
/// that take little time.
pub fn visit_some_telling(
    db: &dyn Db,
    file: SourceFile,
    wanted: &dyn Fn(&Functor) -> bool,
    tell: &mut dyn FnMut(Component<'_>),
) {
    visit_wanted(db, file, wanted, &SLICES, tell);
}

fn visit_wanted(
    db: &dyn Db,
    file: SourceFile,
    wanted: &dyn Fn(&Functor) -> bool,
    slices: &[Option<Duration>],
    tell: &mut dyn FnMut(Component<'_>),
) {
    let before = db.memory().visited(file);
    let revision = salsa::plumbing::current_revision(db);
    if before.as_ref().is_some_and(|b| b.revision == revision) {
        return;
    }
    let order = components(db, file).order.iter().copied();
    let is_wanted = |component: &Component<'_>| component.members(db).iter().any(wanted);
    let some: Vec<Component<'_>> = order.filter(is_wanted).collect();
    Walk::begin_near(db, file, &some, before.as_deref()).in_slices(slices, some, tell);
}

/// Calls `tell` for a component whose summaries are computed, so that salsa recurses at most two levels deep.
fn told(component: Component<'_>, tell: &mut dyn FnMut(Component<'_>)) {
    let progress = PROGRESS.take();
    tell(component);
    PROGRESS.set(progress);
}

/// Computes the summary of a call, and the summaries that it needs, unless they are already computed. Call it after a visit of a file from
/// which the call is reachable.
pub(crate) fn visit_call(db: &dyn Db, key: CallKey<'_>) {
    let revision = salsa::plumbing::current_revision(db);
    if !db.memory().is_done(revision, key.as_id()) {
        Walk::new(db, None, Visit::begin()).visit(key.as_id());
    }
}

/// The treatment of summaries that another thread is computing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contention {
    /// They are left out.
    Skip,
    /// The thread waits for them.
    Wait,
}

/// Computes one share of the work of visiting a file. Several threads, each with its own clone of the database, take one share each. A
/// later `visit` uses the summaries that the threads have computed; the order of computation does not affect any result.
///
/// Returns whether nothing was skipped.
pub fn visit_share(
    db: &dyn Db,
    file: SourceFile,
    share: usize,
    of: usize,
    contention: Contention,
) -> bool {
    let before = db.memory().visited(file);
    let mut walk = Walk::begin(db, file, before.as_deref());
    walk.may_wait = contention == Contention::Wait;
    let order = &components(db, file).order;
    for &component in order.iter().skip(share).step_by(of.max(1)) {
        walk.component(component);
    }
    !walk.has_left_out
}

/// Chooses the call patterns that are shown for the predicates of a file, in an order in which no query recurses deeply.
pub(crate) fn choose_patterns(db: &dyn Db, file: SourceFile) {
    let order = &components(db, file).order;
    if !group_order(db, file).is_empty() {
        guess_before(db, file, &guessed_for(db, file, order.iter().copied()));
    }
    for &component in order {
        guesses(db, component);
    }
    // Proceeds from callers to callees, so that the recursion is no deeper than the recursion of guesses.
    for &component in order.iter().rev() {
        shown(db, component);
    }
}

/// Chooses the shown patterns of some components. These patterns depend on the components' callers, whose patterns depend on the guesses
/// for their callees.
fn choose_patterns_near(db: &dyn Db, file: SourceFile, some: &[Component<'_>]) {
    let near = Near::new(db, file, some);
    guess_before(db, file, &near.guessed);
    let order = &components(db, file).order;
    for &component in order.iter().filter(|c| near.guessed.contains(c)) {
        guesses(db, component);
    }
    for &component in order.iter().rev().filter(|c| near.shown.contains(c)) {
        shown(db, component);
    }
}

/// Computes the guesses for components of the files on which a file depends, callees first. Summaries of the file do not need these
/// guesses, but the choice of patterns does.
///
/// The guesses for the libraries that ship are computed when they are needed: their calls are not deep, and a program uses few of them.
fn guess_before<'db>(db: &'db dyn Db, file: SourceFile, some: &FxHashSet<Component<'db>>) {
    let files: FxHashSet<SourceFile> = some.iter().map(|component| component.file(db)).collect();
    for &other in group_order(db, file).iter().filter(|f| files.contains(f)) {
        let order = &components(db, other).order;
        for &component in order.iter().filter(|c| some.contains(c)) {
            guesses(db, component);
        }
    }
}

/// The time for each component in several rounds. What one round gives up, the next one begins again.
const SLICES: [Option<Duration>; 3] = [
    Some(Duration::from_millis(25)),
    Some(Duration::from_millis(150)),
    None,
];

/// The maximum number of retries of a query for a summary after another thread that was computing the summary unwound.
const MOST_RETRIES: usize = 1_000;

struct Walk<'a> {
    db: &'a dyn Db,
    before: Option<&'a Callees>,
    now: Callees,
    /// True if the walk may wait for other threads that are computing the next summary.
    may_wait: bool,
    /// True if a summary was left to another thread.
    has_left_out: bool,
    /// Prevents queries for summaries that are not yet computed while the walk lasts.
    _visit: Visit,
}

/// A summary on the driver's stack.
struct Waiting {
    key: salsa::Id,
    /// True if the summary's callees in the last revision have been pushed above it.
    expanded: bool,
}

impl<'a> Walk<'a> {
    fn begin(db: &'a dyn Db, file: SourceFile, before: Option<&'a Visited>) -> Self {
        let visit = Visit::begin();
        choose_patterns(db, file);
        Self::new(db, before, visit)
    }

    fn begin_near(
        db: &'a dyn Db,
        file: SourceFile,
        some: &[Component<'a>],
        before: Option<&'a Visited>,
    ) -> Self {
        let visit = Visit::begin();
        choose_patterns_near(db, file, some);
        Self::new(db, before, visit)
    }

    fn new(db: &'a dyn Db, before: Option<&'a Visited>, visit: Visit) -> Self {
        Walk {
            db,
            before: before.map(|b| &b.callees),
            now: Callees::default(),
            may_wait: true,
            has_left_out: false,
            _visit: visit,
        }
    }

    /// Visits components, and calls `tell` for each one whose summaries are computed. Those that take long come last, so that the others need
    /// not wait for them.
    fn in_slices(
        &mut self,
        slices: &[Option<Duration>],
        mut components: Vec<Component<'_>>,
        tell: &mut dyn FnMut(Component<'_>),
    ) {
        for &slice in slices {
            components.retain(|&component| {
                let before = cyclic();
                begin_slice(slice);
                let is_done = self.component(component);
                begin_slice(None);
                if is_done {
                    told(component, tell);
                } else {
                    // The summaries that waited when the component was given up will be computed.
                    PROGRESS.with_borrow_mut(|p| p.get_or_insert_default().cyclic = before);
                }
                !is_done
            });
            forget_given_up();
        }
    }

    /// Visits the summaries of the patterns shown for a component. Returns false if some were given up because they take too long.
    fn component(&mut self, component: Component<'_>) -> bool {
        let (db, file) = (self.db, component.file(self.db));
        for functor in component.members(db).iter() {
            let Some(predicate) = find(db, file, functor) else {
                continue;
            };
            // Generated predicates are not shown; they are analysed when a caller needs them.
            if is_open(db, predicate) || is_made(db, predicate) {
                continue;
            }
            for (pattern, _) in patterns(db, predicate) {
                if !self.visit(key_of(db, predicate, pattern).as_id()) {
                    return false;
                }
            }
        }
        true
    }

    /// Visits a summary and those that it needs. Returns false if one was given up because it takes too long.
    fn visit(&mut self, root: salsa::Id) -> bool {
        let mut stack = vec![Waiting {
            key: root,
            expanded: false,
        }];
        // The path consists of the keys whose visit led to the top of the stack. Other keys below the top merely wait for their turn.
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
            if gives_up(key, &|| self.is_under_way(key)) {
                return false;
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
                return true;
            }
            match self.ask(key) {
                Ok(callees) => {
                    note_done(self.db, key);
                    // Summaries that were already computed are also recorded, so that the next visit knows their callees.
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
                    // The first callee is visited first.
                    stack.extend(new.into_iter().rev().map(|key| Waiting {
                        key,
                        expanded: false,
                    }));
                }
            }
        }
        true
    }

    /// Returns the callees of the last revision that still exist and are not yet computed.
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

    /// Returns whether another thread is computing a summary of the same component.
    fn is_under_way(&self, key: salsa::Id) -> bool {
        let revision = salsa::plumbing::current_revision(self.db);
        let (memory, claim) = (self.db.memory(), self.claim(key));
        !memory.is_done(revision, key) && memory.under_way(|all| all.contains_key(&claim))
    }

    /// Returns the id that represents a summary in progress: its component.
    fn claim(&self, key: salsa::Id) -> salsa::Id {
        let call = CallKey::from_id(key);
        let predicate = find(self.db, call.file(self.db), call.functor(self.db));
        let component = predicate.and_then(|p| component_of(self.db, p));
        component.map_or(key, |c| c.as_id())
    }

    /// Queries salsa for a summary whose known callees are all computed.
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

/// Returns the summaries of this visit that wait for other summaries.
fn cyclic() -> FxHashSet<salsa::Id> {
    PROGRESS.with_borrow(|progress| {
        progress
            .as_ref()
            .map_or_else(FxHashSet::default, |p| p.cyclic.clone())
    })
}

/// Returns whether another thread that computed the same summary unwound, most likely because it needed a summary that was not ready.
fn is_propagated(payload: &(dyn Any + Send)) -> bool {
    matches!(
        payload.downcast_ref::<salsa::Cancelled>(),
        Some(salsa::Cancelled::PropagatedPanic)
    )
}
