//! Bounds on resources other than resolution steps, as incremental queries: events, and their costs at given prices.
//!
//! All bounds are computed on request. Bounds on events have the same keys as summaries, and read clauses and callees in the same way.
//! Prices are applied last, so that a change of platform only repeats the multiplication and infers nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use costlens_algebra::work::apart;
use costlens_catalog::is_of_another_text;
use costlens_events::{Event, Vocabulary};
use costlens_infer::report::{
    Bound, Condition, Functor, PatternReport, Piece, PieceKind, PredicateReport, TrustLine, Wider,
};
use costlens_infer::types::Pattern;
use costlens_infer::{
    DEFAULT_FUEL, EventSelection, EventSummary, MOST_TOLD, Program, Summary, Work, are_words,
    infer_events, unforeseen,
};
use costlens_program::language::is_own_name;
use costlens_program::{Clause, Predicate, Role, SourceFile, predicates};
use rustc_hash::FxHashSet;
use salsa::plumbing::{AsId as _, FromId as _};
use smol_str::SmolStr;

use crate::db::{CallKey, Db, key_of};
use crate::driver;
use crate::kept::Traced as _;
use crate::open::why_open;
use crate::own_resources::{OwnResource, declared};
use crate::priced::{Priced, price};
pub use crate::prices::{Price, Prices};
use crate::queries::{nothing_known, report};
use crate::shown::patterns;
use crate::summaries::summary;
use crate::table::is_table;
use crate::trust::{events_without_clauses, stated_beside_clauses};
use crate::view::{View, called};

/// A resource as a key. *Identity*: the value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Resource {
    /// The number of occurrences of an event.
    Event(Event),
    /// The number of occurrences of an event, if only these events are requested. The other events of the vocabulary are not solved.
    OneOf(Event, Arc<BTreeSet<Event>>),
    /// The number of occurrences of an event, counted in a vocabulary: `is/2` in [`Vocabulary::Portable`] does not include increments.
    Among(Event, Vocabulary),
    /// The time of all events, at the estimated prices.
    Time(Arc<Prices>),
    /// The time of all events, with lower bounds at the minimum prices and upper bounds at the maximum prices.
    CautiousTime(Arc<Prices>),
    /// A resource that the program declares.
    Own(Arc<OwnResource>),
}

impl Resource {
    /// Returns the vocabulary that contains the resource's events.
    #[must_use]
    pub fn vocabulary(&self) -> Vocabulary {
        match self {
            Resource::Event(event) | Resource::OneOf(event, _) => event.vocabulary(),
            Resource::Among(_, vocabulary) => *vocabulary,
            Resource::Time(prices) | Resource::CautiousTime(prices) => prices.vocabulary(),
            Resource::Own(_) => Vocabulary::Own,
        }
    }

    /// Returns the resource for a single requested event.
    #[must_use]
    pub fn alone(event: Event) -> Self {
        let asked = Arc::new(BTreeSet::from([event.clone()]));
        Resource::OneOf(event, asked)
    }

    /// Returns the events to solve for the resource.
    fn wanted(&self) -> EventSelection {
        match self {
            // The parts of a declared resource bound each other.
            Resource::OneOf(event, asked) if event.vocabulary() != Vocabulary::Own => {
                EventSelection::Only(Arc::clone(asked))
            }
            _ => EventSelection::Every,
        }
    }

    /// Returns the key of the query whose result contains the resource's bounds.
    fn question(&self) -> EventQuestion {
        EventQuestion {
            vocabulary: self.vocabulary(),
            wanted: self.wanted(),
        }
    }
}

/// The events to bound: a vocabulary, or some of its events. *Identity*: the value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EventQuestion {
    vocabulary: Vocabulary,
    wanted: EventSelection,
}

impl From<Vocabulary> for EventQuestion {
    fn from(vocabulary: Vocabulary) -> Self {
        let wanted = EventSelection::Every;
        EventQuestion { vocabulary, wanted }
    }
}

/// Returns the event or declared resource with a name that is visible in a file. Returns `None` for `time` and for undeclared names.
pub fn resource_of(db: &dyn Db, file: SourceFile, name: &SmolStr) -> Option<Resource> {
    match name.parse() {
        Ok(event) => Some(Resource::Event(event)),
        Err(_) => declared(db, file, name).map(Resource::Own),
    }
}

/// The prices of the chosen platform, or `None` without a platform. *Identity*: the value. Never reclaimed: a session uses few price lists.
#[salsa::interned(revisions = usize::MAX)]
pub(crate) struct PriceList<'db> {
    pub(crate) prices: Option<Arc<Prices>>,
}

/// Returns the bounds on the events of a predicate under a call pattern.
///
/// *Invalidated* together with the summary for the same key, and when the events of a callee change. *Cycles*: none; the query reads the
/// events of the predicates from which the summary was computed.
#[salsa::tracked(returns(clone))]
fn event_bounds<'db>(
    db: &'db dyn Db,
    key: CallKey<'db>,
    question: EventQuestion,
) -> Arc<EventSummary> {
    apart(|| {
        let memo = summary(db, key);
        if is_table(db, key.file(db), key.functor(db)) {
            return Arc::new(EventSummary::nothing_known(&memo.inferred));
        }
        let view = EventView {
            view: View::new(db, key.file(db)),
            callees: Arc::clone(&memo.callees),
            question: question.clone(),
        };
        let EventQuestion { vocabulary, wanted } = question;
        let mut events = infer_events(&memo.inferred, vocabulary, &wanted, &view, DEFAULT_FUEL);
        if vocabulary == Vocabulary::Own {
            // The program defines its own resources in assertions; clauses do not refine them.
            let stated = stated_beside_clauses(db, key.file(db), &memo.inferred);
            let is_own = |event: &Event| matches!(event, Event::Own(..));
            let own = stated
                .columns
                .into_iter()
                .filter(|(event, _)| is_own(event));
            events.columns.extend(own);
            events.rests_on.extend(stated.lines);
        }
        Arc::new(events)
    })
}

/// Computes the costs of events at given prices. A change of platform repeats only this last step.
///
/// *Invalidated* when the summary or the bounds on events change.
#[salsa::tracked(returns(clone))]
fn priced<'db>(db: &'db dyn Db, key: CallKey<'db>, list: PriceList<'db>) -> Arc<Priced> {
    apart(|| {
        let steps = Arc::clone(&summary(db, key).summary);
        let free = Prices::default();
        let prices = list.prices(db).as_deref().unwrap_or(&free);
        let events = event_bounds(db, key, prices.vocabulary().into());
        Arc::new(price(&steps, &events, prices))
    })
}

/// The view of a file for the inference of events. It contains the summaries from which the summary with the same key was computed.
struct EventView<'db> {
    view: View<'db>,
    callees: Arc<[salsa::Id]>,
    question: EventQuestion,
}

impl Program for EventView<'_> {
    fn beneath(&self) -> Option<&dyn Program> {
        Some(&self.view)
    }

    fn clauses(&self, predicate: &Functor) -> Option<Arc<[Clause]>> {
        self.view.clauses(predicate)
    }

    fn same_component(&self, a: &Functor, b: &Functor) -> bool {
        self.view.same_component(a, b)
    }

    fn is_dynamic(&self, predicate: &Functor) -> bool {
        self.view.is_dynamic(predicate)
    }

    fn summary(&self, predicate: &Functor, pattern: &Pattern) -> Arc<Summary> {
        if let Some(trusted) = self.view.trusted(predicate, pattern) {
            return trusted;
        }
        if let Some(relative) = self.view.relative(predicate, pattern) {
            return relative;
        }
        let db = self.view.db;
        let key = self.view.key(predicate, pattern);
        if self.callees.contains(&key.as_id()) {
            called(db, self.view.file(), key, predicate)
        } else {
            // The static call graph lacks an edge, so the summary was computed without the callee's summary.
            Arc::new(unforeseen(predicate, pattern))
        }
    }

    fn events(&self, callee: &Summary) -> Arc<EventSummary> {
        let (file, is_seen) = (self.view.file(), self.view.is_defined(&callee.predicate));
        if !is_seen
            && let Some(stated) =
                events_without_clauses(self.view.db, file, callee, self.question.vocabulary)
        {
            return Arc::new(stated);
        }
        let key = self.view.key(&callee.predicate, &callee.pattern);
        let of_library = key.file(self.view.db).role(self.view.db) == Role::Library;
        let functor = key.functor(self.view.db);
        let elsewhere = match self.question.vocabulary {
            // The machine has its own versions of the libraries.
            Vocabulary::Machine => of_library,
            Vocabulary::Heap => of_library && is_of_another_text(&functor.name, functor.arity),
            _ => false,
        };
        // If a predicate is called by another name, the code of the calling clause is unknown.
        let elsewhere = elsewhere || !is_own_name(&callee.predicate, key.functor(self.view.db));
        if self.callees.contains(&key.as_id()) && !elsewhere {
            let found = event_bounds(self.view.db, key, self.question.clone());
            let home = key.file(self.view.db);
            match home == self.view.file() {
                true => found,
                false => Arc::new(found.in_file(home)),
            }
        } else {
            Arc::new(EventSummary::nothing_known(callee))
        }
    }
}

/// The keys whose events have been computed.
pub(crate) type Prepared = FxHashSet<(salsa::Id, EventQuestion)>;

/// Computes or re-validates the events that a key needs, callees first; salsa would recurse instead (see [`driver`]). The summaries must
/// already be computed.
fn visit_events<'db>(
    db: &'db dyn Db,
    root: CallKey<'db>,
    question: &EventQuestion,
    done: &mut Prepared,
) {
    let mut stack = vec![(root.as_id(), false)];
    while let Some((id, expanded)) = stack.pop() {
        if done.contains(&(id, question.clone())) {
            continue;
        }
        let key = CallKey::from_id(id);
        if expanded {
            done.insert((id, question.clone()));
            event_bounds(db, key, question.clone());
            continue;
        }
        stack.push((id, true));
        let memo = summary(db, key);
        stack.extend(memo.callees.iter().map(|&callee| (callee, false)));
    }
}

/// Returns the bounds on a resource for a predicate: one report for each pattern in its report on steps, in the same order.
///
/// Runs the driver; do not call it from within a query.
pub fn resource_report<'db>(
    db: &'db dyn Db,
    predicate: Predicate<'db>,
    resource: &Resource,
) -> Arc<PredicateReport> {
    driver::visit(db, predicate.file(db));
    prepare(
        db,
        predicate,
        &resource.question(),
        &mut Prepared::default(),
    );
    report_on(db, predicate, resource)
}

/// Returns the [`resource_report`] of every predicate in a file, in the order of their first clauses.
pub fn file_resource(
    db: &dyn Db,
    file: SourceFile,
    resource: &Resource,
) -> Arc<[Arc<PredicateReport>]> {
    driver::visit(db, file);
    let mut done = Prepared::default();
    predicates(db, file)
        .iter()
        .map(|&predicate| {
            prepare(db, predicate, &resource.question(), &mut done);
            report_on(db, predicate, resource)
        })
        .collect()
}

/// Returns the events, including steps, that a predicate may count under its first pattern.
///
/// Runs the driver; do not call it from within a query.
pub fn counted_events<'db>(
    db: &'db dyn Db,
    predicate: Predicate<'db>,
    vocabulary: Vocabulary,
) -> Vec<Event> {
    driver::visit(db, predicate.file(db));
    prepare(db, predicate, &vocabulary.into(), &mut Prepared::default());
    let first = patterns(db, predicate).iter().next();
    let Some((pattern, _)) = first.filter(|_| why_open(db, predicate).is_none()) else {
        return Vec::new();
    };
    let events = event_bounds(db, key_of(db, predicate, pattern), vocabulary.into());
    let others = events.columns.keys().cloned();
    std::iter::once(Event::Step).chain(others).collect()
}

/// Computes the events of a predicate under all its patterns. Call it before a query reads them.
pub(crate) fn prepare<'db>(
    db: &'db dyn Db,
    predicate: Predicate<'db>,
    question: &EventQuestion,
    done: &mut Prepared,
) {
    if why_open(db, predicate).is_none() {
        for (pattern, _) in patterns(db, predicate) {
            visit_events(db, key_of(db, predicate, pattern), question, done);
        }
    }
}

/// Adds the trust lines on which the events depend.
fn rest_on(costs: &mut Summary, lines: &[TrustLine]) {
    for line in lines {
        if !costs.rests_on.contains(line) {
            costs.rests_on.push(line.clone());
        }
    }
}

/// Returns the report on a resource whose events have been computed.
pub(crate) fn report_on<'db>(
    db: &'db dyn Db,
    predicate: Predicate<'db>,
    resource: &Resource,
) -> Arc<PredicateReport> {
    let steps = report(db, predicate);
    if *resource == Resource::Event(Event::Step) {
        return steps;
    }
    if let Some(why) = why_open(db, predicate) {
        let of_pattern =
            |p: &PatternReport| nothing_known(&steps.predicate, &p.pattern, p.origin, &why);
        return Arc::new(PredicateReport {
            predicate: steps.predicate.clone(),
            patterns: steps.patterns.iter().map(of_pattern).collect(),
        });
    }
    let of_pattern = |p: &PatternReport| {
        let key = key_of(db, predicate, &p.pattern);
        let steps = Arc::clone(&summary(db, key).summary);
        let mut costs = Summary {
            work: Work::default(),
            ..Summary::clone(&steps)
        };
        match resource {
            Resource::Event(Event::TotalWork) | Resource::OneOf(Event::TotalWork, _)
                if let Some(work) = steps.of_work() =>
            {
                costs = work;
            }
            Resource::Event(event) | Resource::OneOf(event, _) | Resource::Among(event, _) => {
                let events = event_bounds(db, key, resource.question());
                let column = events.column(event);
                costs.first.clone_from(&column.first);
                costs.all.clone_from(&column.all);
                costs.unknown.clone_from(&column.unknown);
                rest_on(&mut costs, &events.rests_on);
            }
            Resource::Own(own) => {
                let prices = Some(Arc::clone(&own.prices));
                let priced = priced(db, key, PriceList::new(db, prices));
                costs.first.clone_from(&priced.cautious.first);
                costs.all.clone_from(&priced.cautious.all);
                costs.unknown.clone_from(&priced.unknown);
                let events = event_bounds(db, key, Vocabulary::Own.into());
                rest_on(&mut costs, &events.rests_on);
                own.forget_uppers(&mut costs);
            }
            Resource::Time(prices) | Resource::CautiousTime(prices) => {
                let priced = priced(db, key, PriceList::new(db, Some(Arc::clone(prices))));
                let cautious = matches!(resource, Resource::CautiousTime(_));
                let sums = if cautious {
                    &priced.cautious
                } else {
                    &priced.estimate
                };
                costs.first.clone_from(&sums.first);
                costs.all.clone_from(&sums.all);
                costs.unknown.clone_from(&priced.unknown);
                costs.runs_as_long_as(&summary(db, key).summary);
                let events = event_bounds(db, key, resource.question());
                if events.timed.is_some() {
                    rest_on(&mut costs, &events.rests_on);
                }
            }
        }
        let mut found = costs.report_from(p.origin, &p.least);
        if let Resource::Time(_) | Resource::CautiousTime(_) = resource {
            let events = event_bounds(db, key, resource.question());
            let integers = &events.integers;
            found.wider = match resource.vocabulary() {
                Vocabulary::FirstArgument | Vocabulary::Gnu => {
                    let several = events.predicates.len() >= MOST_TOLD;
                    several.then_some(Wider::SeveralPredicates)
                }
                vocabulary if vocabulary.is_portable() => {
                    events.searches_unbound.then_some(Wider::UnboundSearch)
                }
                _ => None,
            };
            let has_upper = |piece: &Piece| matches!(piece.all.upper, Bound::Finite(_));
            let is_conditional = found.steps.iter().any(has_upper)
                && !are_words(integers, &summary(db, key).summary);
            found.condition = is_conditional.then_some(Condition::Words);
        }
        for piece in &mut found.steps {
            // A call may succeed without counting the event.
            if piece.kind == PieceKind::Failure {
                piece.kind = PieceKind::Bounded;
            }
        }
        found
    };
    Arc::new(PredicateReport {
        predicate: steps.predicate.clone(),
        patterns: steps.patterns.iter().map(of_pattern).collect(),
    })
}
