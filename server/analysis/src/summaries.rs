//! Queries for summaries: for one call, and for the calls of a component that are solved together.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_algebra::work::apart;
use costlens_infer::report::{EvaluatedPoint, Functor, SizeVariable, TrustLine};
use costlens_infer::types::Pattern;
use costlens_infer::{DEFAULT_FUEL, Program, Solved, Summary, infer_at, infer_together};
use costlens_program::{Component, find, is_made};

use crate::db::{CallKey, Db};
use crate::guesses::own_patterns;
use crate::kept::{Fingerprint, Kind, Portable, kept_or};
use crate::open::is_open;
use crate::table::{self, is_table};
use crate::trust::with_trust;
use crate::view::{Knowledge, View};

/// A summary, and the callees from which it was computed.
#[derive(Clone, Debug)]
pub(crate) struct SummaryMemo {
    pub(crate) summary: Arc<Summary>,
    /// The summary from the clauses alone, without trusted assertions about the predicate itself.
    pub(crate) inferred: Arc<Summary>,
    /// The keys of the callees' summaries that were used.
    pub(crate) callees: Arc<[salsa::Id]>,
    /// The fingerprint for traces, if results are kept.
    pub(crate) portable: Option<Portable>,
}

/// Callers only read the summary. If the same summary is computed in another way, nothing changes for them.
impl PartialEq for SummaryMemo {
    fn eq(&self, other: &Self) -> bool {
        self.summary == other.summary && self.inferred == other.inferred
    }
}

/// Returns the summary of a predicate under a pattern.
///
/// *Invalidated* when a clause of the predicate's component, the summary of a callee, or the predicate to which a called name refers
/// changes. *Cycles*: none; recursion inside a component is solved by [`infer`].
#[salsa::tracked]
pub(crate) fn summary<'db>(db: &'db dyn Db, key: CallKey<'db>) -> SummaryMemo {
    apart(|| {
        if let Some(counted) = table::summary(db, key.file(db), key.functor(db), key.pattern(db)) {
            return memo(db, key, counted, Arc::from([]));
        }
        let view = View::with_knowledge(db, key.file(db), Knowledge::Component(OnceCell::new()));
        let (functor, pattern) = (key.functor(db), key.pattern(db));
        let infer = |program: &dyn Program| db.inference()(functor, pattern, program, DEFAULT_FUEL);
        let mut inferred = kept_or(
            &view,
            Kind::Summary,
            (functor, pattern),
            Fingerprint::default(),
            &infer,
        );
        inferred.rests_on.append(&mut view.trust.borrow_mut());
        memo(db, key, inferred, view.callees.into_inner().order.into())
    })
}

fn memo(
    db: &dyn Db,
    key: CallKey<'_>,
    inferred: Summary,
    callees: Arc<[salsa::Id]>,
) -> SummaryMemo {
    let inferred = Arc::new(inferred);
    let summary = with_trust(db, key, &inferred);
    let is_kept = db.memory().store().is_some();
    SummaryMemo {
        portable: is_kept.then(|| Portable::of(db, &*summary)).flatten(),
        summary,
        inferred,
        callees,
    }
}

/// The summaries for the calls of a component, by predicate and pattern, and their dependencies.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SolvedCalls {
    pub(crate) calls: BTreeMap<(Functor, Pattern), Solved>,
    pub(crate) trust: Vec<TrustLine>,
    pub(crate) callees: Vec<salsa::Id>,
}

/// Returns the calls of a component that are solved one after another: the declared and guessed patterns of its members. Patterns from
/// calls outside the component are not included, so that no caller is read.
///
/// *Invalidated* when an assertion of a member or the guess for it changes.
#[salsa::tracked(returns(deref))]
fn own_calls<'db>(db: &'db dyn Db, component: Component<'db>) -> Vec<(Functor, Pattern)> {
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

/// Returns the summaries for the calls of a component after its own calls up to index `last` have been solved. Each index is a separate
/// query, so that the results for earlier calls are kept if a summary is missing for a later call.
///
/// *Invalidated* together with the summaries. *Cycles*: none; it queries no summary of its own component.
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
        let view = View::with_knowledge(
            db,
            component.file(db),
            Knowledge::Before(Arc::clone(&before)),
        );
        view.note_trust(&before.trust);
        view.callees.borrow_mut().add(&before.callees);
        let (name, pattern) = call;
        let infer = |program: &dyn Program| infer_together(name, pattern, program, DEFAULT_FUEL);
        let found = kept_or(
            &view,
            Kind::Together,
            (name, pattern),
            Fingerprint::default(),
            &infer,
        );
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

/// Returns the summaries for the calls of a component after all its own calls have been solved. Returns `None` for a component with a
/// single member.
pub(crate) fn solved_calls<'db>(
    db: &'db dyn Db,
    component: Component<'db>,
) -> Option<Arc<SolvedCalls>> {
    if component.members(db).len() < 2 {
        return None;
    }
    // The calls are solved one after another, so that no query recurses deeply.
    let own = 0..own_calls(db, component).len();
    own.map(|i| solved_up_to(db, component, i)).last()
}

/// Evaluates the upper bound of a predicate under a pattern at numbers for the sizes of its summary, from the equations.
///
/// *Invalidated* together with the summary. *Cycles*: none; the callers are in other components.
#[salsa::tracked(returns(clone))]
pub(crate) fn at_numbers<'db>(
    db: &'db dyn Db,
    key: CallKey<'db>,
    numbers: Vec<i64>,
) -> Option<EvaluatedPoint> {
    apart(|| {
        let (file, functor) = (key.file(db), key.functor(db));
        if is_table(db, file, functor) {
            return None;
        }
        let known = &summary(db, key).inferred;
        let number = |size: &SizeVariable| {
            let at = known.params.iter().position(|p| p.var == size.var)?;
            numbers.get(at).copied()
        };
        let choose = |sizes: &[SizeVariable]| {
            let point: Option<Vec<i64>> = sizes.iter().map(number).collect();
            point.into_iter().collect()
        };
        let infer = |program: &dyn Program| {
            let found = infer_at(known, program, DEFAULT_FUEL, &choose);
            found.points.into_iter().next()
        };
        let call = (functor, key.pattern(db));
        let is_kept = db.memory().store().is_some();
        let of = is_kept.then(|| Portable::of(db, &**known)).flatten();
        let with = Fingerprint::of(&(&numbers, of.map(|of| of.fingerprint)));
        kept_or(&View::new(db, file), Kind::AtNumbers, call, with, &infer)
    })
}
