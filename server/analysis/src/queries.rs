#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]
//! Inference as incremental queries.
//!
//! A summary is keyed by predicate and call pattern, reads the clauses of its component and the summaries of callees, and no
//! positions. The queries of this module never recurse deeply: [`crate::driver`] visits callees before callers, in every
//! revision, and a summary that needs one which was not visited yet unwinds to the driver instead of computing it
//! (`NotReady` in [`crate::driver`]).

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_algebra::system::{Direction, Solution, System};
use costlens_algebra::work::apart;
use costlens_algebra::{Expr, Region};
use costlens_program::definitions;
use costlens_program::language;
use costlens_program::language::is_own_name;
use costlens_program::workspace;
use costlens_program::{
    Clause, ClauseKind, Component, Functor, Predicate, Resolved, SourceFile, assertions_of,
    component_of, facts, find, first_order, in_one_circle, is_made, predicates, resolve,
    why_undefined, why_unreached,
};
use rustc_hash::FxHashSet;
use salsa::plumbing::AsId as _;

use crate::driver::{self, Memory};
use crate::infer::{
    Certified, DEFAULT_FUEL, Program, Relation, Sides, Solved, Summary, WhyOpen, break_down,
    certified, infer, infer_at, infer_together,
};
use crate::lookups::{Lookups, looked_up};
use crate::open::{is_open, why_declared_open, why_open};
use crate::patterns::{
    Guess, Known, Member, completed as patterns_completed, declared_patterns, inferred_patterns,
    refined,
};
use crate::regular::Regular;
use crate::regular_queries::{guessed_types, regulars};
use crate::report::{
    Bound, Breakdown, Determinism, EvaluatedPoint, Interval, Origin, PatternReport, Piece,
    PieceKind, PredicateName, PredicateReport, Side, SizeVariable, TrustLine, Unknown,
};
use crate::shown::patterns;
use crate::table::{self, is_table};
use crate::trust::{is_trusted, known_as_stated, trusted_summary, with_trust};
use crate::types::{Pattern, Type};

/// How a summary is computed: [`infer`], unless a test puts something simpler in its place.
pub type Inference = fn(&PredicateName, &Pattern, &dyn Program, u64) -> Summary;

/// The database of this room and of all rooms above it.
#[salsa::db]
pub trait Db: costlens_program::Db {
    /// How summaries are computed; the same for the whole life of a database.
    fn inference(&self) -> Inference;
    /// What the driver remembers between revisions. It is advice on the order of visits and never changes a result.
    fn memory(&self) -> &Memory;
}

/// The database.
#[salsa::db]
#[derive(Clone)]
pub struct Database {
    storage: salsa::Storage<Self>,
    inference: Inference,
    memory: Arc<Memory>,
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl costlens_program::Db for Database {}

#[salsa::db]
impl Db for Database {
    fn inference(&self) -> Inference {
        self.inference
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }
}

impl Default for Database {
    fn default() -> Self {
        Self::new()
    }
}

/// The library files that ship with Costlens: name and text.
pub const LIBRARY: &[(&str, &str)] = costlens_program::workspace::TEXTS;

/// Sees salsa's events: which queries are executed.
pub type EventSink = Box<dyn Fn(salsa::Event) + Send + Sync + 'static>;

impl Database {
    /// A database with the library files that ship with Costlens.
    #[must_use]
    pub fn new() -> Self {
        Self::with(infer, LIBRARY, None)
    }

    /// A database with another inference, other library files, or someone who watches queries being executed.
    #[must_use]
    pub fn with(inference: Inference, library: &[(&str, &str)], events: Option<EventSink>) -> Self {
        let mut db = Self {
            storage: salsa::Storage::new(events),
            inference,
            memory: Arc::default(),
        };
        costlens_program::install_library(&mut db, library);
        workspace::install_stated(&mut db, crate::trust::LIBRARIES);
        db
    }
}

/// A predicate under a call pattern. *Identity*: the values. Never reclaimed, because the driver remembers ids.
#[salsa::interned(revisions = usize::MAX)]
pub struct CallKey<'db> {
    /// The file that defines the predicate.
    #[returns(copy)]
    pub file: SourceFile,
    /// The predicate.
    pub functor: Functor,
    /// The types of the arguments at the call.
    pub pattern: Pattern,
}

/// A summary and whom it was computed from.
#[derive(Clone, Debug)]
pub(crate) struct SummaryMemo {
    pub(crate) summary: Arc<Summary>,
    /// The same from clauses alone, without what is trusted of the predicate itself.
    pub(crate) inferred: Arc<Summary>,
    /// The keys of the callees' summaries that were used.
    pub(crate) callees: Arc<[salsa::Id]>,
}

/// Callers see the summary alone: another way to the same result changes nothing for them.
impl PartialEq for SummaryMemo {
    fn eq(&self, other: &Self) -> bool {
        self.summary == other.summary && self.inferred == other.inferred
    }
}

/// The summary of a predicate under a pattern.
///
/// *Invalidated* when a clause of its component changes, or the summary of a callee, or what a called name refers to.
/// *Cycles*: none; recursion inside a component is solved by [`infer`].
#[salsa::tracked]
pub(crate) fn summary<'db>(db: &'db dyn Db, key: CallKey<'db>) -> SummaryMemo {
    apart(|| {
        if let Some(counted) = table::summary(db, key.file(db), key.functor(db), key.pattern(db)) {
            let counted = Arc::new(counted);
            return SummaryMemo {
                summary: with_trust(db, key, &counted),
                inferred: counted,
                callees: Arc::from([]),
            };
        }
        let view = View {
            knowledge: Knowledge::Component(OnceCell::new()),
            ..View::new(db, key.file(db))
        };
        let mut inferred = db.inference()(key.functor(db), key.pattern(db), &view, DEFAULT_FUEL);
        inferred.rests_on.append(&mut view.trust.borrow_mut());
        let inferred = Arc::new(inferred);
        SummaryMemo {
            summary: with_trust(db, key, &inferred),
            inferred,
            callees: view.callees.into_inner().order.into(),
        }
    })
}

/// What is known of the calls of a component, by predicate and pattern, and what it was computed from.
#[derive(Clone, Debug, Default, PartialEq)]
struct SolvedCalls {
    calls: BTreeMap<(PredicateName, Pattern), Solved>,
    trust: Vec<TrustLine>,
    callees: Vec<salsa::Id>,
}

/// The calls of a component that are solved one after the other: what is declared of its members, or guessed. One that is not called from the
/// members alone says nothing here, so that no caller is read.
///
/// *Invalidated* when an assertion of a member changes, or what is guessed of it.
#[salsa::tracked(returns(deref))]
fn own_calls<'db>(db: &'db dyn Db, component: Component<'db>) -> Vec<(PredicateName, Pattern)> {
    let mut calls = Vec::new();
    for functor in component.members(db).iter() {
        let predicate = find(db, component.file(db), functor);
        let Some(predicate) = predicate.filter(|&p| !is_open(db, p) && !is_made(db, p)) else {
            continue;
        };
        if is_table(db, component.file(db), functor) {
            continue;
        }
        let own = own_patterns(db, predicate).into_iter();
        calls.extend(own.map(|(pattern, _)| (functor.clone(), pattern)));
    }
    calls
}

/// What is known of the calls of a component when the first of its own calls are solved, up to this one. Each is a query of its own, so that
/// what is missing for a later one costs nothing of the earlier ones.
///
/// *Invalidated* as a summary is. *Cycles*: none; it asks for no summary of its own component.
#[salsa::tracked(returns(clone))]
fn solved_up_to<'db>(db: &'db dyn Db, component: Component<'db>, last: usize) -> Arc<SolvedCalls> {
    apart(|| {
        let before = match last.checked_sub(1) {
            Some(before) => solved_up_to(db, component, before),
            None => Arc::default(),
        };
        let Some(call) = own_calls(db, component).get(last) else {
            return before;
        };
        if before.calls.get(call).is_some_and(|known| !known.is_alone) {
            return before;
        }
        let view = View {
            knowledge: Knowledge::Before(Arc::clone(&before)),
            ..View::new(db, component.file(db))
        };
        view.note_trust(&before.trust);
        view.callees.borrow_mut().add(&before.callees);
        let (name, pattern) = call;
        let found = infer_together(name, pattern, &view, DEFAULT_FUEL);
        let mut calls = before.calls.clone();
        for solved in found {
            let call = (
                solved.summary.predicate.clone(),
                solved.summary.pattern.clone(),
            );
            calls.insert(call, solved);
        }
        Arc::new(SolvedCalls {
            calls,
            trust: view.trust.into_inner(),
            callees: view.callees.into_inner().order,
        })
    })
}

/// What is known of the calls of a component when all of its own calls are solved. None for a predicate that no other one calls that it calls.
fn solved_calls<'db>(db: &'db dyn Db, component: Component<'db>) -> Option<Arc<SolvedCalls>> {
    if component.members(db).len() < 2 {
        return None;
    }
    // One after the other, so that none recurses deeply.
    let own = 0..own_calls(db, component).len();
    own.map(|i| solved_up_to(db, component, i)).last()
}

/// What a view knows of calls of the component that is solved.
enum Knowledge<'db> {
    /// Nothing: all of the component is solved anew.
    Nothing,
    /// What was solved before.
    Before(Arc<SolvedCalls>),
    /// All that is solved together, once it is asked for; of which component, the first question says.
    Component(OnceCell<(Component<'db>, Option<Arc<SolvedCalls>>)>),
}

/// What the calls in a predicate's clauses contribute to its bound under a pattern; nothing for one of whose clauses nothing
/// is known. To be asked when the file's report was.
///
/// *Invalidated* as the summary is.
#[salsa::tracked(returns(clone))]
fn key_breakdown<'db>(db: &'db dyn Db, key: CallKey<'db>) -> Arc<Breakdown> {
    apart(|| {
        // Of the clauses of a table none is looked at.
        if is_table(db, key.file(db), key.functor(db)) {
            return Arc::default();
        }
        let view = View::new(db, key.file(db));
        Arc::new(break_down(&summary(db, key).inferred, &view, DEFAULT_FUEL))
    })
}

/// What the calls in the clauses of a predicate of the file contribute to its bound under a pattern.
pub fn breakdown(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    pattern: &Pattern,
) -> Option<Arc<Breakdown>> {
    driver::visit(db, file);
    let predicate = find(db, file, functor).filter(|&p| !is_open(db, p))?;
    Some(key_breakdown(db, key_of(db, predicate, pattern)))
}

/// The upper bound of a predicate of the file under a pattern at given sizes, from the equations alone. Nothing of it is kept.
pub fn evaluated_at(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    pattern: &Pattern,
    given: &dyn Fn(&SizeVariable) -> Option<i64>,
) -> Option<EvaluatedPoint> {
    driver::visit(db, file);
    let predicate = find(db, file, functor).filter(|&p| !is_open(db, p))?;
    if is_table(db, file, functor) {
        return None;
    }
    let known = &summary(db, key_of(db, predicate, pattern)).inferred;
    let choose = |sizes: &[SizeVariable]| {
        let point: Option<Vec<i64>> = sizes.iter().map(given).collect();
        point.into_iter().collect()
    };
    let found = infer_at(known, &View::new(db, file), DEFAULT_FUEL, &choose);
    found.points.into_iter().next()
}

/// The systems behind the bounds of a predicate of the file under a pattern, with certificates. Nothing of it is kept.
pub fn certificates(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    pattern: &Pattern,
) -> Vec<Certified> {
    driver::visit(db, file);
    let Some(predicate) = find(db, file, functor).filter(|&p| !is_open(db, p)) else {
        return Vec::new();
    };
    if is_table(db, file, functor) {
        return Vec::new();
    }
    let known = &summary(db, key_of(db, predicate, pattern)).inferred;
    certified(known, &View::new(db, file), DEFAULT_FUEL)
}

/// What a call reaches and inference follows into clauses. What inference has rules of its own for (`aggregate_all/3`) it knows better than
/// from the text of an installed library.
fn followed<'db>(db: &'db dyn Db, file: SourceFile, functor: &Functor) -> Option<Resolved<'db>> {
    let found = resolve(db, file, functor)?;
    let has_rules = matches!(found, Resolved::Other(p) if workspace::is_installed(db, p.file(db)))
        && crate::infer::has_rules(&functor.name, functor.arity);
    (!has_rules).then_some(found)
}

/// The keys of summaries in the order in which they were asked for first, each once: runs ask for the same ones thousands of times.
#[derive(Default)]
struct Callees {
    order: Vec<salsa::Id>,
    seen: FxHashSet<salsa::Id>,
}

impl Callees {
    fn add(&mut self, keys: &[salsa::Id]) {
        let new = keys.iter().filter(|&&key| self.seen.insert(key));
        self.order.extend(new);
    }
}

/// A file as inference sees it.
pub(crate) struct View<'db> {
    pub(crate) db: &'db dyn Db,
    file: SourceFile,
    callees: RefCell<Callees>,
    /// The summaries that are missing, while they are gathered.
    missing: RefCell<Option<Vec<salsa::Id>>>,
    /// What is trusted that the summaries rest on which were asked for.
    trust: RefCell<Vec<TrustLine>>,
    knowledge: Knowledge<'db>,
    known: Lookups<'db>,
}

impl<'db> View<'db> {
    pub(crate) fn new(db: &'db dyn Db, file: SourceFile) -> Self {
        View {
            db,
            file,
            callees: RefCell::default(),
            missing: RefCell::default(),
            trust: RefCell::default(),
            knowledge: Knowledge::Nothing,
            known: Lookups::default(),
        }
    }

    pub(crate) fn file(&self) -> SourceFile {
        self.file
    }

    /// The key of the summary that a call in the file asks for.
    pub(crate) fn key(&self, predicate: &PredicateName, pattern: &Pattern) -> CallKey<'db> {
        match self.predicate(predicate) {
            // An import may have given it another name here.
            Some(found) => key_of(self.db, found, pattern),
            None => CallKey::new(self.db, self.file, predicate.clone(), pattern.clone()),
        }
    }

    /// What is trusted of calls of a predicate that has no clauses which tell how a call runs.
    pub(crate) fn trusted(
        &self,
        predicate: &PredicateName,
        pattern: &Pattern,
    ) -> Option<Arc<Summary>> {
        if self.is_defined(predicate) {
            return None;
        }
        let key = self.key(predicate, pattern);
        let found = trusted_summary(self.db, key)?;
        Some(seen_from(self.file, &found, key.file(self.db), predicate))
    }

    fn note_trust(&self, lines: &[TrustLine]) {
        let mut trust = self.trust.borrow_mut();
        for line in lines {
            if !trust.contains(line) {
                trust.push(line.clone());
            }
        }
    }

    fn predicate(&self, functor: &Functor) -> Option<Predicate<'db>> {
        looked_up(&self.known.predicates, functor, || {
            followed(self.db, self.file, functor).map(Resolved::predicate)
        })
    }

    fn is_open(&self, predicate: Predicate<'db>) -> bool {
        looked_up(&self.known.open, &predicate, || is_open(self.db, predicate))
    }

    fn component(&self, functor: &Functor) -> Option<Component<'db>> {
        let predicate = self.predicate(functor)?;
        looked_up(&self.known.components, &predicate, || {
            component_of(self.db, predicate)
        })
    }
}

impl Program for View<'_> {
    fn clauses(&self, predicate: &PredicateName) -> Option<Arc<[Clause]>> {
        let found = self.predicate(predicate)?;
        (!self.is_open(found)).then(|| first_order(self.db, found))
    }

    fn is_defined(&self, predicate: &PredicateName) -> bool {
        self.predicate(predicate).is_some_and(|p| !self.is_open(p))
    }

    fn is_rewritten(&self, predicate: &PredicateName) -> bool {
        self.predicate(predicate)
            .is_some_and(|p| first_order(self.db, p) != *p.clauses(self.db))
    }

    fn same_component(&self, a: &PredicateName, b: &PredicateName) -> bool {
        let component = self.component(a);
        component.is_some() && component == self.component(b)
    }

    fn is_at_home(&self, predicate: &PredicateName) -> bool {
        self.predicate(predicate)
            .is_some_and(|p| p.file(self.db) == self.file && p.functor(self.db) == predicate)
    }

    fn is_dynamic(&self, predicate: &PredicateName) -> bool {
        match self.predicate(predicate) {
            Some(found) => self.is_open(found),
            None => why_declared_open(self.db, self.file, predicate).is_some(),
        }
    }

    fn qualified_arguments(&self, predicate: &PredicateName) -> Vec<usize> {
        let Some(found) = self.predicate(predicate) else {
            return Vec::new();
        };
        let facts = facts(self.db, found.file(self.db));
        let modes = facts.meta.get(found.functor(self.db));
        let modes = modes.into_iter().flatten().enumerate();
        (modes
            .filter(|(_, m)| m.is_in_callers_module())
            .map(|(i, _)| i))
        .collect()
    }

    fn is_declared_det(&self, predicate: &PredicateName) -> bool {
        let Some(found) = self.predicate(predicate) else {
            return false;
        };
        let (facts, functor) = (facts(self.db, found.file(self.db)), found.functor(self.db));
        // A copy with a closure in it is called after the predicate: `each(double)/1`.
        let is_original = |f: &Functor| {
            let copied = functor.name.strip_prefix(f.name.as_str());
            copied.is_some_and(|rest| rest.starts_with('('))
        };
        facts.det.contains(functor) || is_made(self.db, found) && facts.det.iter().any(is_original)
    }

    fn is_trusted(&self, predicate: &PredicateName) -> bool {
        is_trusted(self.db, self.file, predicate)
    }

    fn why_unreached(&self, predicate: &PredicateName) -> Option<costlens_program::Unreached> {
        why_unreached(self.db, self.file, predicate)
    }

    fn hooked_in(&self, hook: &PredicateName) -> Option<String> {
        // A document that is nowhere has no program.
        if self.is_defined(hook) || facts(self.db, self.file).is_open(hook) {
            return Some("this file".to_owned());
        }
        let by = definitions::hooked_in(self.db, self.file, hook)?;
        Some(match by == self.file {
            true => "this file".to_owned(),
            false => format!("`{}`", by.path(self.db)),
        })
    }

    fn why_undefined(&self, predicate: &PredicateName) -> Option<costlens_program::Unreached> {
        why_undefined(self.db, self.file, predicate)
    }

    fn why_dynamic(&self, predicate: &PredicateName) -> Option<WhyOpen> {
        match self.predicate(predicate) {
            Some(found) => why_open(self.db, found),
            None => why_declared_open(self.db, self.file, predicate),
        }
    }

    fn types(&self) -> Arc<[Arc<Regular>]> {
        Arc::clone(&regulars(self.db, self.file).followed)
    }

    fn summary(&self, predicate: &PredicateName, pattern: &Pattern) -> Arc<Summary> {
        let call = (predicate.clone(), pattern.clone());
        if let Some(known) = self.known.summaries.borrow().get(&call) {
            return Arc::clone(known);
        }
        if let Some(trusted) = self.trusted(predicate, pattern) {
            self.note_trust(&trusted.rests_on);
            let known = Arc::clone(&trusted);
            self.known.summaries.borrow_mut().insert(call, known);
            return trusted;
        }
        let key = self.key(predicate, pattern);
        match driver::readiness(self.db, key.as_id()) {
            driver::Readiness::Ready => {}
            driver::Readiness::NotReady
                if driver::on_top(self.db, key, self.component(predicate)) => {}
            driver::Readiness::NotReady => match &mut *self.missing.borrow_mut() {
                Some(missing) => {
                    missing.push(key.as_id());
                    return Arc::new(never(predicate, pattern));
                }
                None => driver::NotReady(vec![key.as_id()]).throw(),
            },
            driver::Readiness::Cyclic => {
                // The static call graph missed an edge. What is not known of the callee is unknown, which is always right.
                return Arc::new(self.db.inference()(predicate, pattern, &Nothing, 0));
            }
        }
        self.callees.borrow_mut().add(&[key.as_id()]);
        let found = called(self.db, self.file, key, predicate);
        self.note_trust(&found.rests_on);
        let known = Arc::clone(&found);
        self.known.summaries.borrow_mut().insert(call, known);
        found
    }

    fn solve(&self, system: &System, direction: Direction, fuel: u64) -> Solution {
        self.db.memory().systems().solve(system, direction, fuel)
    }

    fn gather(&self) {
        *self.missing.borrow_mut() = Some(Vec::new());
    }

    fn gathered(&self) {
        let missing = self.missing.take().unwrap_or_default();
        if !missing.is_empty() {
            driver::NotReady(missing).throw();
        }
    }

    fn solved(&self, predicate: &PredicateName, pattern: &Pattern) -> Option<Solved> {
        let all = match &self.knowledge {
            Knowledge::Nothing => return None,
            Knowledge::Before(all) => all,
            Knowledge::Component(all) => {
                let component = self.component(predicate)?;
                let (of, all) = all.get_or_init(|| {
                    let all = solved_calls(self.db, component);
                    if let Some(all) = &all {
                        self.callees.borrow_mut().add(&all.callees);
                        self.note_trust(&all.trust);
                    }
                    (component, all)
                });
                all.as_ref().filter(|_| *of == component)?
            }
        };
        let name = self.predicate(predicate)?.functor(self.db).clone();
        all.calls.get(&(name, pattern.clone())).cloned()
    }
}

/// What a call is like of which it is not known yet whether it ever succeeds.
fn never(predicate: &PredicateName, pattern: &Pattern) -> Summary {
    Summary {
        predicate: predicate.clone(),
        pattern: pattern.clone(),
        params: Vec::new(),
        domain: Region::default(),
        success: None,
        outputs: BTreeMap::new(),
        relation: Relation::default(),
        solutions: Sides::default(),
        first: Sides::default(),
        all: Sides::default(),
        amortised: None,
        errors_possible: false,
        unknown: Vec::new(),
        rests_on: Vec::new(),
    }
}

/// The summary behind a key as another file sees it: under the name that it has there, and causes with the files that they are in.
pub(crate) fn called(
    db: &dyn Db,
    from: SourceFile,
    key: CallKey<'_>,
    name: &PredicateName,
) -> Arc<Summary> {
    seen_from(from, &summary(db, key).summary, key.file(db), name)
}

/// A summary of one file as another one sees it.
fn seen_from(
    from: SourceFile,
    found: &Arc<Summary>,
    home: SourceFile,
    name: &PredicateName,
) -> Arc<Summary> {
    let home = Some(home).filter(|&home| home != from);
    let placed = home.is_none() || found.unknown.iter().all(|u| u.home.is_some());
    if placed && found.predicate == *name {
        return Arc::clone(found);
    }
    let mut seen = Summary {
        predicate: name.clone(),
        ..Summary::clone(found)
    };
    if !is_own_name(name, &found.predicate) {
        // The clause that calls it by this name.
        (seen.first, seen.all) = (found.first.one_more(), found.all.one_more());
        seen.amortised = None;
    }
    for unknown in &mut seen.unknown {
        unknown.home = unknown.home.or(home);
    }
    Arc::new(seen)
}

/// A program of which nothing is known.
pub(crate) struct Nothing;

impl Program for Nothing {
    fn clauses(&self, _: &PredicateName) -> Option<Arc<[Clause]>> {
        None
    }

    fn same_component(&self, _: &PredicateName, _: &PredicateName) -> bool {
        false
    }

    fn is_dynamic(&self, _: &PredicateName) -> bool {
        true
    }

    fn summary(&self, predicate: &PredicateName, pattern: &Pattern) -> Arc<Summary> {
        // Never asked: without clauses there are no calls.
        Arc::new(infer(predicate, pattern, self, 0))
    }
}

/// What is guessed of the members of a component, in their order. Never from callers.
///
/// *Invalidated* when a clause of a member changes, or what is guessed of a callee or declared for it.
#[salsa::tracked(returns(deref))]
pub(crate) fn guesses<'db>(db: &'db dyn Db, component: Component<'db>) -> Vec<Guess> {
    apart(|| {
        let file = component.file(db);
        let members: Vec<Member> = component
            .members(db)
            .iter()
            .filter_map(|functor| {
                let predicate = find(db, file, functor)?;
                let first = declared(db, predicate).first();
                Some(Member {
                    functor: functor.clone(),
                    clauses: definitions::clauses_in_order(db, predicate),
                    declared: first.map(|(pattern, _)| pattern.clone()),
                })
            })
            .collect();
        let callee = |functor: &Functor| {
            // The clauses are the written ones, which call more than those that components are made of.
            let member = component.members(db).first()?;
            if in_one_circle(db, file, member, functor) {
                return None;
            }
            known(db, file, functor)
        };
        inferred_patterns(&members, &callee, guessed_types(db, file))
    })
}

/// What is known of a predicate that is called in a file, whoever calls it. To be asked for callees of other components.
pub(crate) fn known(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<Known> {
    let resolved = followed(db, file, functor);
    // What is stated of a library's predicate names its types.
    if matches!(resolved, None | Some(Resolved::Other(_)))
        && let Some(stated) = known_as_stated(db, file, functor)
    {
        return Some(stated);
    }
    let resolved = resolved?;
    // With its module a predicate of the file may be one of the component that is being guessed.
    if language::split(functor).is_some() && matches!(resolved, Resolved::Own(_)) {
        return None;
    }
    let guess = guess_of(db, resolved.predicate())?;
    Some(match resolved {
        Resolved::Own(predicate) => Known {
            pattern: usual_pattern(db, predicate),
            scheme: guess.scheme,
            own: true,
        },
        Resolved::Other(predicate) => Known {
            pattern: usual_pattern(db, predicate),
            scheme: guess.scheme,
            own: false,
        },
        // For the library, how a predicate is mostly called is known better.
        Resolved::Library(_) => Known {
            pattern: None,
            scheme: guess.scheme,
            own: false,
        },
    })
}

pub(crate) fn guess_of(db: &dyn Db, predicate: Predicate<'_>) -> Option<Guess> {
    let component = component_of(db, predicate)?;
    let place = component
        .members(db)
        .iter()
        .position(|m| m == predicate.functor(db))?;
    guesses(db, component).get(place).cloned()
}

/// The declared patterns of a predicate. *Invalidated* when an assertion of the predicate changes.
#[salsa::tracked(returns(deref))]
pub(crate) fn declared<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Vec<(Pattern, Origin)> {
    let types = regulars(db, predicate.file(db));
    declared_patterns(assertions_of(db, predicate), types)
}

/// The patterns that a predicate's clauses and assertions give, whoever calls it: what is declared, as it is declared; then what completes it
/// ([`completed`]); then the guess, where it measures what these do not.
pub(crate) fn own_patterns(db: &dyn Db, predicate: Predicate<'_>) -> Vec<(Pattern, Origin)> {
    let mut own = declared(db, predicate).to_vec();
    let further = [
        completed(db, predicate).clone(),
        usual_pattern(db, predicate),
    ];
    for pattern in further.into_iter().flatten() {
        let known = |p: &Pattern| {
            let measured = |(p, new): (&Type, &Type)| p == new || p.is_bound() && same_size(p, new);
            p.0.iter().zip(&pattern.0).all(measured)
        };
        // Nor a guess that says less than what completes a line.
        let narrower =
            |(p, origin): &(Pattern, Origin)| *origin == Origin::Inferred && p.is_within(&pattern);
        if !own.iter().any(|own| known(&own.0) || narrower(own)) {
            own.push((pattern, Origin::Inferred));
        }
    }
    own
}

/// Whether values of both types are measured alike: what is known of the wider one is what bounds of the narrower one rest on.
fn same_size(wide: &Type, narrow: &Type) -> bool {
    let same_shapes = matches!((wide, narrow), (Type::Tree(a), Type::Tree(b)) if a.name == b.name);
    (same_shapes || narrow.is_within(wide))
        && wide.metric().is_some()
        && wide.metric() == narrow.metric()
        && wide.element_metric() == narrow.element_metric()
}

/// The pattern that completes a mode line which leaves types of inputs open, with the types that their use shows. *Invalidated* when an assertion of
/// the predicate changes, or what is guessed of it.
#[salsa::tracked(returns(ref))]
pub(crate) fn completed<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<Pattern> {
    let guess = guess_of(db, predicate)?;
    let types = regulars(db, predicate.file(db));
    patterns_completed(assertions_of(db, predicate), &guess, types)
}

/// The calls that are most likely: the first declared pattern, with guessed types where it says no more than that an argument is
/// bound, or else what the clauses suggest.
pub(crate) fn usual_pattern(db: &dyn Db, predicate: Predicate<'_>) -> Option<Pattern> {
    let guess = guess_of(db, predicate).map(|g| g.pattern);
    let Some((first, _)) = declared(db, predicate).first() else {
        return guess;
    };
    let refined = guess.and_then(|guess| refined(first, &guess));
    Some(refined.unwrap_or_else(|| first.clone()))
}

/// The key of a predicate's summary.
pub(crate) fn key_of<'db>(
    db: &'db dyn Db,
    predicate: Predicate<'db>,
    pattern: &Pattern,
) -> CallKey<'db> {
    CallKey::new(
        db,
        predicate.file(db),
        predicate.functor(db).clone(),
        pattern.clone(),
    )
}

/// The report of one predicate; to be asked after [`file_report`] of its file in the same revision, which does all in an order
/// in which no query recurses deeply.
#[salsa::tracked(returns(clone))]
pub fn report<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Arc<PredicateReport> {
    apart(|| Arc::new(reported(db, predicate)))
}

/// The same, of which nothing is kept.
fn reported<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> PredicateReport {
    let open = why_open(db, predicate);
    let of_pattern = |(pattern, origin): &(Pattern, Origin)| match open {
        Some(ref why) => match trusted_summary(db, key_of(db, predicate, pattern)) {
            Some(trusted) if !trusted.rests_on.is_empty() => trusted.report(*origin),
            _ => nothing_known(predicate.functor(db), pattern, *origin, why),
        },
        None => summary(db, key_of(db, predicate, pattern))
            .summary
            .report(*origin),
    };
    let name = predicate.functor(db).clone();
    let mut patterns: Vec<PatternReport> = patterns(db, predicate).iter().map(of_pattern).collect();
    if patterns.iter().any(|p| !p.unknown.is_empty()) {
        let guess = guess_of(db, predicate).map(|g| g.pattern);
        crate::narrower::suggest(&name, &mut patterns, guess.as_ref());
    }
    if let Some(completed) = completed(db, predicate) {
        crate::report::show_completed(&mut patterns, completed);
    }
    if *has_single_sided(db, predicate) {
        // Where no rule matches, that is an exception and no failure.
        for piece in patterns.iter_mut().flat_map(|p| &mut p.steps) {
            if piece.kind == PieceKind::Failure {
                piece.kind = PieceKind::Bounded;
            }
        }
    }
    PredicateReport {
        predicate: name,
        patterns,
    }
}

/// Whether some clause is `Head => Body`. *Invalidated* when its clauses change; mostly equal then.
#[salsa::tracked]
fn has_single_sided<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> bool {
    let clauses = definitions::all_clauses(db, predicate);
    clauses.iter().any(|c| c.kind == ClauseKind::SingleSided)
}

/// The report of a predicate from its clauses, without what is trusted of it; to be asked as [`report`] is.
#[salsa::tracked(returns(clone))]
pub(crate) fn untrusting_report<'db>(
    db: &'db dyn Db,
    predicate: Predicate<'db>,
) -> Arc<PredicateReport> {
    apart(|| {
        let of_pattern = |(pattern, origin): &(Pattern, Origin)| {
            let memo = summary(db, key_of(db, predicate, pattern));
            memo.inferred.report(*origin)
        };
        Arc::new(PredicateReport {
            predicate: predicate.functor(db).clone(),
            patterns: patterns(db, predicate).iter().map(of_pattern).collect(),
        })
    })
}

/// The report of calls of which the clauses say nothing.
pub(crate) fn nothing_known(
    predicate: &Functor,
    pattern: &Pattern,
    origin: Origin,
    why: &WhyOpen,
) -> PatternReport {
    let unknown = Interval {
        lower: Bound::Finite(Expr::zero()),
        upper: Bound::Unknown,
    };
    PatternReport {
        pattern: pattern.clone(),
        origin,
        determinism: Determinism::Nondet,
        errors_possible: true,
        sizes: Vec::new(),
        outputs: Vec::new(),
        solutions: unknown.clone(),
        steps: vec![Piece {
            when: Region::everything(),
            first: unknown.clone(),
            all: unknown,
            kind: PieceKind::Unknown,
        }],
        main: 0,
        rests_on: Vec::new(),
        unknown: vec![Unknown {
            home: None,
            side: Side::Upper,
            fuel: false,
            reason: why.reason.clone().into_owned(),
            cause: predicate.clone(),
            literal: None,
            help: why.help.to_owned(),
            types_help: false,
        }],
    }
}

#[salsa::tracked(returns(clone))]
fn reports(db: &dyn Db, file: SourceFile) -> Arc<[Arc<PredicateReport>]> {
    predicates(db, file)
        .iter()
        .map(|&p| report(db, p))
        .collect()
}

/// What inference says of a library predicate under the pattern of a call, whose caller's report was asked for before. None if
/// it is a predicate of the file itself, or its clauses say nothing.
pub fn library_report(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    pattern: &Pattern,
) -> Option<PatternReport> {
    let (Resolved::Library(predicate) | Resolved::Other(predicate)) = followed(db, file, functor)?
    else {
        return None;
    };
    // What stands for a call may have other arguments than the goal that is written.
    if is_open(db, predicate) || pattern.0.len() != functor.arity {
        return None;
    }
    let found = summary(db, key_of(db, predicate, pattern));
    Some(found.summary.report(Origin::Called))
}

/// What inference says of the predicates of a file, in the order of their first clauses.
pub fn file_report(db: &dyn Db, file: SourceFile) -> Arc<[Arc<PredicateReport>]> {
    driver::visit(db, file);
    reports(db, file)
}

/// The same one after the other, for those who count them: of a whole library all reports together would take much memory.
pub fn each_report(db: &dyn Db, file: SourceFile, told: &mut dyn FnMut(&PredicateReport)) {
    driver::visit(db, file);
    for &predicate in predicates(db, file) {
        told(&reported(db, predicate));
    }
}

/// The patterns that the predicates of a file are shown for, without their bounds, in the order of their first clauses.
pub fn file_patterns(db: &dyn Db, file: SourceFile) -> Vec<(Functor, Vec<(Pattern, Origin)>)> {
    driver::choose_patterns(db, file);
    predicates(db, file)
        .iter()
        .map(|&p| (p.functor(db).clone(), patterns(db, p).to_vec()))
        .collect()
}
