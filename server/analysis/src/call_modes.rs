//! Infers the modes of calls: the types of the arguments before and after a call, and its number of solutions.
//!
//! ```prolog
//! top(L, M) :- kept(L, Ks), last(Ks, M).
//! kept([], []).
//! kept([X|Xs], Ks) :- ( X > 3 -> Ks = [X|Ys] ; Ks = Ys ), kept(Xs, Ys).
//! ```
//!
//! A call `top(list(int), var)` leads to calls `kept(list(int), var)`, and each of these succeeds with `kept(list(int), list(int))`. Costs
//! are not computed.

use std::collections::BTreeMap;

use costlens_algebra::work::apart;
use costlens_infer::report::{Determinism, Origin};
use costlens_infer::types::{Pattern, Type};
use costlens_infer::{DEFAULT_FUEL, Program as _, Summary, follow};
use costlens_program::{Functor, Predicate, find};
use costlens_syntax::term::{Term, TermId, Terms};
use rustc_hash::FxHashSet;

use crate::db::{CallKey, Db, key_of};
use crate::driver;
use crate::open::is_open;
use crate::queries::report;
use crate::summaries::summary;
use crate::table::is_table;
use crate::trust::trusted_summary;
use crate::view::View;

/// The maximum number of calls that are followed.
const MOST_CALLS: usize = 3_000;

/// The modes of the calls of one pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallModes {
    /// The types of the arguments at the call.
    pub pattern: Pattern,
    /// The types of the arguments on success; all are [`Type::None`] if no call succeeds.
    pub success: Vec<Type>,
    /// The number of solutions.
    pub determinism: Determinism,
}

/// The known calls to a predicate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownCalls {
    /// The modes, one for each pattern.
    pub modes: Vec<CallModes>,
    /// True if every call to the predicate that is reachable from the goal has one of these patterns.
    pub are_all: bool,
}

/// The known calls to each predicate, by its name in its own file.
pub type Modes = BTreeMap<Functor, KnownCalls>;

impl CallModes {
    fn new(pattern: &Pattern, success: Option<Vec<Type>>, determinism: Determinism) -> Self {
        CallModes {
            pattern: pattern.clone(),
            success: success.unwrap_or_else(|| vec![Type::None; pattern.0.len()]),
            determinism,
        }
    }

    /// Returns whether this pattern contains the calls of another pattern and is at least as precise about their success.
    fn covers(&self, other: &CallModes) -> bool {
        let mut success = self.success.iter().zip(&other.success);
        other.pattern != self.pattern
            && other.pattern.is_within(&self.pattern)
            && (self.determinism == Determinism::Det || self.determinism == other.determinism)
            && success.all(|(own, others)| own.is_ground() || !others.is_ground())
    }

    fn of_summary(summary: &Summary) -> Self {
        let determinism = summary.report(Origin::Called).determinism;
        Self::new(&summary.pattern, summary.success.clone(), determinism)
    }
}

/// Returns the pattern of a call that describes only how its arguments are bound: `(ground, var, any)` for `p(1, X, f(Y))`.
#[must_use]
pub fn bindings(terms: &Terms, goal: TermId) -> Pattern {
    let arguments = terms.args(goal);
    let variables: Vec<Vec<u32>> = arguments.iter().map(|&a| terms.variables_of(a)).collect();
    let occurs_once = |v: u32| variables.iter().flatten().filter(|w| **w == v).count() == 1;
    let of_argument = |(&argument, own): (&TermId, &Vec<u32>)| match terms.get(argument) {
        Term::Var(v) if occurs_once(*v) => Type::Free,
        _ if own.is_empty() => Type::Ground,
        _ => Type::Any,
    };
    Pattern(arguments.iter().zip(&variables).map(of_argument).collect())
}

/// Returns the modes of all calls to which a call to a predicate leads. The result is empty if there are too many.
pub fn reached_modes(db: &dyn Db, predicate: Predicate<'_>, pattern: &Pattern) -> Modes {
    driver::visit(db, predicate.file(db));
    let key = key_of(db, predicate, pattern);
    let mut walk = Walk {
        db,
        modes: Modes::default(),
        seen: FxHashSet::from_iter([key]),
        waiting: vec![key],
    };
    while let Some(key) = walk.waiting.pop() {
        if walk.seen.len() > MOST_CALLS {
            return Modes::default();
        }
        walk.key(key);
    }
    for known in walk.modes.values_mut() {
        let all = known.modes.clone();
        (known.modes).retain(|modes| !all.iter().any(|other| other.covers(modes)));
    }
    walk.modes
}

/// Returns the modes for the patterns shown for a predicate. Query it like [`report`].
pub fn shown_modes(db: &dyn Db, predicate: Predicate<'_>) -> KnownCalls {
    let success = |pattern: &Pattern| {
        let key = key_of(db, predicate, pattern);
        let unknown = vec![Type::Any; pattern.0.len()];
        match is_open(db, predicate) {
            true => trusted_summary(db, key).map_or(Some(unknown), |known| known.success.clone()),
            false => summary(db, key).summary.success.clone(),
        }
    };
    let patterns = &report(db, predicate).patterns;
    let modes =
        (patterns.iter()).map(|p| CallModes::new(&p.pattern, success(&p.pattern), p.determinism));
    KnownCalls {
        modes: modes.collect(),
        are_all: false,
    }
}

/// The traversal from call to call.
struct Walk<'db> {
    db: &'db dyn Db,
    modes: Modes,
    seen: FxHashSet<CallKey<'db>>,
    waiting: Vec<CallKey<'db>>,
}

impl<'db> Walk<'db> {
    /// Records the modes of a call, and follows the calls of its component.
    fn key(&mut self, key: CallKey<'db>) {
        let (db, file, functor) = (self.db, key.file(self.db), key.functor(self.db));
        if find(db, file, functor).is_none_or(|predicate| is_open(db, predicate)) {
            return;
        }
        self.note(key);
        if is_table(db, file, functor) {
            return;
        }
        let view = View::new(db, file);
        let calls = apart(|| follow(functor, key.pattern(db), &view, DEFAULT_FUEL));
        for call in &calls.inside {
            let inside = view.key(&call.predicate, &call.pattern);
            if self.seen.insert(inside) {
                self.note(inside);
            }
        }
        for (callee, pattern) in &calls.outside {
            let outside = view.key(callee, pattern);
            if view.is_defined(callee) && self.seen.insert(outside) {
                self.waiting.push(outside);
            }
        }
    }

    fn note(&mut self, key: CallKey<'db>) {
        driver::visit_call(self.db, key);
        let modes = CallModes::of_summary(&summary(self.db, key).summary);
        let known = self.modes.entry(key.functor(self.db).clone()).or_default();
        known.are_all = true;
        known.modes.push(modes);
    }
}
