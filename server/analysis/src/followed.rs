//! Follows all calls to which a goal leads, from all clauses, and infers facts that hold for every call of a run.
//!
//! Nothing is inferred if a call cannot be followed: a goal in a variable, a predicate whose clauses are added and removed, a hook, or the
//! recovery goal for an exception that the analysis does not foresee.

use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_algebra::work::apart;
use costlens_body::Goal;
use costlens_catalog::meta_arguments;
use costlens_infer::types::{Pattern, Type};
use costlens_infer::{DEFAULT_FUEL, GoalCall, Program as _, follow};
use costlens_program::{Clause, ClauseKind, Functor, Role, SourceFile, find, first_order, is_made};
use costlens_syntax::term::{Term, TermId};
use rustc_hash::FxHashSet;

use crate::db::{CallKey, Db, key_of};
use crate::driver;
use crate::open::is_open;
use crate::summaries::summary;
use crate::table::is_table;
use crate::view::View;

/// Reasons why a call is not followed.
const UNDEFINED: &str = "it has no clauses";
const RECOVERS: &str = "a goal may run behind an exception";

/// The maximum number of calls that are followed.
const MOST_CALLS: usize = 3_000;

/// The facts that hold for every call to a predicate to which a goal leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EveryCall {
    /// True if no call fails without a solution. A call may still run forever or end in an exception.
    pub never_fails: bool,
    /// True if the first argument is bound. False for a predicate without arguments.
    pub binds_first: bool,
}

/// A call made by a goal of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReachedCall {
    /// The predicate whose clause contains the call: the requested predicate, or a predicate in its recursive component.
    pub caller: Functor,
    /// The index of the clause among the analysed clauses.
    pub clause: usize,
    /// The goal in the clause's terms.
    pub goal: TermId,
    /// The file of the callee.
    pub file: SourceFile,
    /// The callee, by its name in that file.
    pub callee: Functor,
    /// The types of the arguments.
    pub pattern: Pattern,
}

/// Returns the calls that a predicate's clauses make under a pattern, with the types of their arguments. Goals that the analysis does not
/// follow contribute no calls. Returns `None` for a predicate whose clauses do not determine how a call runs.
///
/// *Invalidated* together with the summary.
pub fn calls_made(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    pattern: &Pattern,
) -> Option<Arc<[ReachedCall]>> {
    driver::visit_some(db, file, &|f| f == functor);
    let predicate = find(db, file, functor).filter(|&p| !is_open(db, p))?;
    if is_table(db, file, functor) {
        return None;
    }
    let key = key_of(db, predicate, pattern);
    driver::visit_call(db, key);
    Some(key_calls(db, key))
}

#[salsa::tracked(returns(clone))]
fn key_calls<'db>(db: &'db dyn Db, key: CallKey<'db>) -> Arc<[ReachedCall]> {
    apart(|| {
        let view = View::new(db, key.file(db));
        let calls = follow(key.functor(db), key.pattern(db), &view, DEFAULT_FUEL);
        let reached = |call: GoalCall| {
            let to = view.key(&call.callee, &call.pattern);
            ReachedCall {
                caller: call.caller,
                clause: call.clause,
                goal: call.goal,
                file: to.file(db),
                callee: to.functor(db).clone(),
                pattern: call.pattern,
            }
        };
        calls.goals.into_iter().map(reached).collect()
    })
}

/// The reason why not all calls of a run are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFollowed {
    /// The predicate that is not followed, or whose clause contains a goal that is not followed.
    pub predicate: Functor,
    /// The cause, as a message to users.
    pub reason: String,
}

impl NotFollowed {
    fn new(predicate: &Functor, reason: impl Into<String>) -> Self {
        NotFollowed {
            predicate: predicate.clone(),
            reason: reason.into(),
        }
    }
}

/// Follows all calls to which a predicate without arguments leads. Returns the facts about each predicate that is reached, regardless of
/// the file that defines it.
///
/// # Errors
/// A call cannot be followed.
pub fn followed(
    db: &dyn Db,
    file: SourceFile,
    entry: &Functor,
) -> Result<BTreeMap<Functor, EveryCall>, NotFollowed> {
    driver::visit_some(db, file, &|functor| functor == entry);
    let predicate = find(db, file, entry).ok_or_else(|| NotFollowed::new(entry, UNDEFINED))?;
    let mut walk = Walk {
        db,
        found: BTreeMap::new(),
        seen: FxHashSet::default(),
        waiting: Vec::new(),
    };
    walk.visit(key_of(db, predicate, &Pattern(Vec::new())));
    while let Some(key) = walk.waiting.pop() {
        if walk.seen.len() > MOST_CALLS {
            return Err(NotFollowed::new(entry, "it leads to too many calls"));
        }
        walk.key(key)?;
    }
    Ok(walk.found)
}

struct Walk<'db> {
    db: &'db dyn Db,
    found: BTreeMap<Functor, EveryCall>,
    seen: FxHashSet<CallKey<'db>>,
    waiting: Vec<CallKey<'db>>,
}

impl<'db> Walk<'db> {
    fn visit(&mut self, key: CallKey<'db>) {
        if self.seen.insert(key) {
            self.waiting.push(key);
        }
    }

    /// Follows a call.
    fn key(&mut self, key: CallKey<'db>) -> Result<(), NotFollowed> {
        let (db, file, functor) = (self.db, key.file(self.db), key.functor(self.db));
        let because = |reason: &str| NotFollowed::new(functor, reason);
        let predicate = find(db, file, functor).ok_or_else(|| because(UNDEFINED))?;
        if is_open(db, predicate) {
            return Err(because("its clauses are not all that may run"));
        }
        driver::visit_call(db, key);
        let known = &summary(db, key).summary;
        if is_table(db, file, functor) {
            self.note(functor, key.pattern(db), known.never_fails());
            return Ok(());
        }
        let clauses = first_order(db, predicate);
        if clauses.iter().any(recovers) {
            return Err(because(RECOVERS));
        }
        let view = View::new(db, file);
        let calls = follow(functor, key.pattern(db), &view, DEFAULT_FUEL);
        if let Some((of, reason)) = calls.open {
            return Err(NotFollowed::new(&of, reason));
        }
        for (number, call) in calls.inside.iter().enumerate() {
            let because = |reason: &str| NotFollowed::new(&call.predicate, reason);
            let of = find(db, file, &call.predicate).ok_or_else(|| because(UNDEFINED))?;
            let clauses = first_order(db, of);
            if clauses.iter().any(recovers) {
                return Err(because(RECOVERS));
            }
            // Calls to tables of constants run inline, so some of them are not observed.
            let is_seen = !clauses.iter().all(is_row);
            let never_fails = call.never_fails || number == 0 && known.never_fails();
            self.note(&call.predicate, &call.pattern, is_seen && never_fails);
            if is_made(db, of) {
                self.forget(&call.predicate);
            }
        }
        for (callee, pattern) in calls.outside {
            if view.is_defined(&callee) {
                self.visit(view.key(&callee, &pattern));
                continue;
            }
            // Shipped assertions describe predicates implemented in C. These call goals only if this is their purpose.
            let because = |reason: &str| NotFollowed::new(&callee, reason);
            let trusted = { view.trusted(&callee, &pattern) }.ok_or_else(|| because(UNDEFINED))?;
            let ships =
                |line: &costlens_infer::report::TrustLine| line.home.role(db) == Role::Library;
            let calls_none = meta_arguments(&callee.name, callee.arity).is_empty();
            if !calls_none || !trusted.rests_on.iter().all(ships) {
                return Err(because("nothing is known about what it calls"));
            }
        }
        Ok(())
    }

    fn note(&mut self, functor: &Functor, pattern: &Pattern, never_fails: bool) {
        let of_all = self.found.entry(functor.clone()).or_insert(EveryCall {
            never_fails: true,
            binds_first: true,
        });
        of_all.never_fails &= never_fails;
        of_all.binds_first &= pattern.0.first().is_some_and(Type::is_bound);
    }

    /// Removes the facts about the original of a specialised copy: calls to `each(double)/1` are calls to `each/2`.
    fn forget(&mut self, copy: &Functor) {
        let Some((original, _)) = copy.name.split_once('(') else {
            return;
        };
        for arity in 0..=copy.arity + MOST_CLOSURES {
            let nothing = EveryCall {
                never_fails: false,
                binds_first: false,
            };
            self.found.insert(Functor::new(original, arity), nothing);
        }
    }
}

/// The maximum number of closures that a copy may have replaced: each removes an argument of the original and adds one for each value that
/// the closure contains.
const MOST_CLOSURES: usize = 16;

/// Returns whether a clause contains a recovery goal. The analysis follows this goal if it foresees the exception; it never foresees a lack
/// of memory.
fn recovers(clause: &Clause) -> bool {
    let terms = &clause.terms;
    terms.ids().any(|id| match Goal::lower(terms, id) {
        Goal::Catch { recovery, .. } => !matches!(
            Goal::lower(terms, recovery),
            Goal::True | Goal::Fail | Goal::False
        ),
        _ => false,
    })
}

/// Returns whether a clause is a fact whose arguments are all constants.
fn is_row(clause: &Clause) -> bool {
    let mut arguments = clause.terms.args(clause.head).iter();
    clause.kind == ClauseKind::Fact
        && arguments.all(|&t| !matches!(clause.terms.get(t), Term::Var(_) | Term::Compound(..)))
}
