//! Translates higher-order to first-order predicates: predicates are specialised for the closures with which they are called.
//!
//! If the closure is written in the call (`maplist(add(N), Xs, Ys)`), the callee is copied with the closure substituted for the argument,
//! and the call is changed accordingly: `maplist(add(_1))` has the clauses of `maplist/3` with `add(N)` for the variable `Goal`, and `N` as
//! an argument. Unification with the head would have the same effect, so each clause entry of the copy corresponds to one of the original,
//! and later phases need not know about closures: the types and sizes of terms passed through a closure reach its callee, recursion through
//! `maplist/3` is recursion in the call graph, and components remain static. (Removal of higher order by specialisation; Warren,
//! "Higher-order extensions to Prolog: are they needed?", 1982, gives the translation with one dispatching predicate; this is its partial
//! evaluation.)
//!
//! Meta-predicates of the library and of the user are treated the same way; calls of variables with unknown values are not changed.

mod across;
mod branches;
mod closed;
mod flow;
mod rewrite;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use costlens_body::{Goal, build};
use costlens_catalog::{
    MetaArgument, Relation, find, ignores_module, is_fixed, meta_arguments, relation,
};
use costlens_syntax::term::{Term, TermId, Terms};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

pub use self::branches::{NOT_ENTERED, UNDECIDED, has_alternatives};
pub use self::rewrite::PHRASE_CHECK;
use self::rewrite::{NeededCopy, Rewriter, Scope};
use super::expansion::{clpfd, dicts, expanded_clauses, lambdas, macros, rdf_meta};
use super::specialise::rewrite::lambda::Lifted;
use super::specialise::rewrite::module_goals::InModule;
use crate::calls::{callees, declared_closures};
use crate::definitions::{Predicate, all_clauses, all_predicates, find_written};
use crate::directives::{facts, is_ambiguous_in};
use crate::language::{
    Clause, ClosureCalls, Functor, MetaMode, OtherGoals, all_calls, closures, in_order,
    is_own_name, join, split,
};
use crate::loading::{Home, home_module, is_home};
use crate::names::{
    Reach, Resolved, module_in, reach_of_module, reach_written, resolve_written as resolve,
    same_group,
};
use crate::workspace::{Db, Role, SourceFile, is_edited, is_edited_library, is_installed};

/// The maximum number of copies for one file; beyond this number, calls are left unchanged.
const MOST_MADE: usize = 400;

/// The maximum number of rounds for finding further predicates that call an argument.
const MOST_ROUNDS: usize = 32;

/// The arities of `>>` and `//` in calls of lambda expressions.
const LAMBDA_ARITIES: std::ops::RangeInclusive<usize> = 2..=16;

/// The module-qualified names of predicates.
type QualifiedNames = FxHashMap<Functor, SmolStr>;

/// The result of specialising a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct Specialised<'db> {
    /// The file's predicates whose clauses call copies, with the rewritten clauses.
    rewritten: FxHashMap<Functor, Arc<[Clause]>>,
    /// The copies, sorted by name.
    pub made: Vec<Predicate<'db>>,
    index: FxHashMap<Functor, Predicate<'db>>,
    /// The indices (from 0) of the copies' arguments to which a call of the original adds the caller's module.
    qualified: FxHashMap<Functor, Box<[usize]>>,
}

impl Specialised<'_> {
    /// Returns the rewritten clauses of a predicate in the file, if they call copies.
    pub(crate) fn rewritten(&self, functor: &Functor) -> Option<&Arc<[Clause]>> {
        self.rewritten.get(functor)
    }
}

/// Returns the copies for a file, and the file's own clauses that call them.
///
/// *Invalidated* by edits of clauses; equal as long as no clause that involves closures changes. The order of the clauses in the file does
/// not matter.
#[salsa::tracked]
pub fn specialised<'db>(db: &'db dyn Db, file: SourceFile) -> Specialised<'db> {
    let scope = FileScope::new(db, file);
    let mut result = Specialised::default();
    let mut making = Making::default();
    for &predicate in concerned(db, file) {
        if let Some(clauses) = making.alternatives(&scope, predicate) {
            result
                .rewritten
                .insert(predicate.functor(db).clone(), clauses);
            continue;
        }
        let expanded = expanded_clauses(db, predicate);
        let clauses = match &expanded {
            Some(clauses) => making.rewritten(&scope, clauses),
            None => making.rewritten(&scope, &all_clauses(db, predicate)),
        };
        if let Some(clauses) = clauses.or(expanded) {
            result
                .rewritten
                .insert(predicate.functor(db).clone(), clauses);
        }
    }
    while making.made.len() < MOST_MADE {
        if let Some((functor, wanted)) = making.waiting.pop_first() {
            if making.made.contains_key(&functor) {
                continue;
            }
            let from = scope.followed(&wanted.from);
            // An import list may rename another predicate to this name, which then has a separate clause.
            let from = from.filter(|p| is_own_name(&wanted.from, p.functor(db)));
            let modes = from.and_then(|p| facts(db, p.file(db)).meta.get(p.functor(db)));
            if let Some(qualified) = modes.map(|modes| qualified(modes, &wanted)) {
                result.qualified.insert(functor.clone(), qualified);
            }
            let clauses: Arc<[Clause]> = from
                .and_then(|p| Some((p, scope.names_of_home(p)?)))
                .into_iter()
                .flat_map(|(p, names)| {
                    let clauses = expanded_clauses(db, p).unwrap_or_else(|| all_clauses(db, p));
                    let rewritten = clauses.iter().map(|clause| names.rewritten(clause));
                    rewritten.collect::<Vec<_>>()
                })
                .filter_map(|clause| instance(&clause, &functor, &wanted))
                .map(|clause| match scope.may_be_expanded(&wanted.from) {
                    true => macros::perhaps_entered(&clause),
                    false => clause,
                })
                .collect();
            making.made.insert(functor.clone(), Arc::clone(&clauses));
            if let Some(clauses) = making.rewritten(&scope, &clauses) {
                making.made.insert(functor, clauses);
            }
        } else if let Some(functor) = making.asked.pop() {
            let lambda = making.lambdas.get(&functor.name);
            if let Some(lambda) = lambda.and_then(|l| l.with_arity(functor.arity)) {
                making.add(&scope, vec![lambda]);
            }
        } else {
            break;
        }
    }
    let made = making.made;
    for (functor, clauses) in made {
        let clauses: Arc<[Clause]> = clauses.iter().cloned().map(in_order).collect();
        let predicate = Predicate::new(db, file, functor.clone(), clauses, false, false);
        result.made.push(predicate);
        result.index.insert(functor, predicate);
    }
    result
}

/// Returns the indices of a copy's arguments to which a call of the original adds a module: the arguments declared as meta-arguments that
/// are not closures.
fn qualified(modes: &[MetaMode], wanted: &NeededCopy) -> Box<[usize]> {
    let (mut found, mut position) = (Vec::new(), 0);
    for (i, mode) in modes.iter().enumerate() {
        match wanted.closures.iter().find(|(j, _)| *j == i) {
            Some((_, skeleton)) => position += skeleton.passes(),
            None => {
                found.extend(mode.is_in_callers_module().then_some(position));
                position += 1;
            }
        }
    }
    found.into()
}

/// Returns the indices (from 0) of a copy's arguments to which a call adds the caller's module, according to the declaration of the
/// original.
#[must_use]
pub fn qualified_in_copy(db: &dyn Db, file: SourceFile, functor: &Functor) -> Vec<usize> {
    let specialised = specialised(db, file);
    let positions = specialised.qualified.get(functor);
    positions.map(|p| p.to_vec()).unwrap_or_default()
}

/// Returns the predicates of a file whose clauses may involve closures, sorted by name.
///
/// *Invalidated* when the calls of a clause change; the result is usually equal, so that these predicates need not be rewritten again.
#[salsa::tracked(returns(deref))]
fn concerned<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<Predicate<'db>> {
    let scope = FileScope::new(db, file);
    let is_about = |c: &Functor| scope.is_higher_order(c) || clpfd::is_about(c);
    let is_translated = |p| dicts::is_concerned(db, p) || rdf_meta::may_be_translated(db, p);
    let mut found: Vec<Predicate<'db>> = all_predicates(db, file)
        .filter(|&p| p.conditional(db) || callees(db, p).iter().any(is_about) || is_translated(p))
        .collect();
    found.sort_by(|a, b| a.functor(db).cmp(b.functor(db)));
    found
}

/// Returns the specialised predicate with this name in the file.
pub(crate) fn find_made<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Predicate<'db>> {
    // The names of copies contain their closures in parentheses.
    if !functor.name.ends_with(')') {
        return None;
    }
    specialised(db, file).index.get(functor).copied()
}

/// Returns the clauses of a predicate in the form that is analysed: calls with closures are replaced by calls of copies.
///
/// *Invalidated* when the clauses or the copies that they call change.
#[salsa::tracked(returns(clone))]
pub fn first_order<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Arc<[Clause]> {
    match specialised(db, predicate.file(db)).rewritten(predicate.functor(db)) {
        Some(clauses) => Arc::clone(clauses),
        None => all_clauses(db, predicate),
    }
}

/// Returns whether the predicate is a specialised copy, so that its clauses are not written in any file.
pub fn is_made(db: &dyn Db, predicate: Predicate<'_>) -> bool {
    let functor = predicate.functor(db);
    functor.name.ends_with(')') && find_written(db, predicate.file(db), functor).is_none()
}

/// The copies made so far, and those still needed.
#[derive(Default)]
struct Making {
    waiting: BTreeMap<Functor, NeededCopy>,
    made: BTreeMap<Functor, Arc<[Clause]>>,
    /// The lambda expressions, by the names of their predicates.
    lambdas: BTreeMap<SmolStr, Lifted>,
    /// The callees, including lambda expressions called with more or fewer arguments than they have parameters.
    asked: Vec<Functor>,
}

impl Making {
    /// Rewrites clauses. Returns `None` if nothing changes.
    fn rewritten(&mut self, scope: &FileScope<'_>, clauses: &[Clause]) -> Option<Arc<[Clause]>> {
        let mut any = false;
        let mut after = Vec::with_capacity(clauses.len());
        let mut lifted = Vec::new();
        for clause in clauses {
            let (clause, changed) = self.clause(scope, clause, &mut lifted);
            any |= changed;
            after.push(clause);
        }
        self.add(scope, lifted);
        any.then(|| after.into())
    }

    fn clause(
        &mut self,
        scope: &FileScope<'_>,
        clause: &Clause,
        lifted: &mut Vec<Lifted>,
    ) -> (Clause, bool) {
        let mut rewriter = Rewriter::new(scope, clause);
        let changed = rewriter.run();
        self.waiting.append(&mut rewriter.wanted);
        self.asked.append(&mut rewriter.asked);
        lifted.append(&mut rewriter.lifted);
        let clause = clause.clone();
        if !changed {
            return (clause, false);
        }
        let terms = Arc::new(rewriter.terms);
        let mut closures = ClosureCalls::clone(&clause.closures);
        closures.called.append(&mut rewriter.called);
        closures.nested.append(&mut rewriter.nested);
        let clause = Clause {
            terms,
            closures: closures.into(),
            ..clause
        };
        (clause, true)
    }

    /// Adds the predicates for lambda expressions. Each may contain further closures and lambda expressions, and is rewritten like any
    /// clause.
    fn add(&mut self, scope: &FileScope<'_>, mut lifted: Vec<Lifted>) {
        while let Some(lambda) = lifted.pop() {
            if self.made.contains_key(&lambda.functor) || self.made.len() >= MOST_MADE {
                continue;
            }
            let (clause, _) = self.clause(scope, &lambda.clause, &mut lifted);
            self.made
                .insert(lambda.functor.clone(), Arc::from([clause]));
            let name = lambda.functor.name.clone();
            self.lambdas.entry(name).or_insert(lambda);
        }
    }
}

/// The names in the clauses of a predicate, as they must be written in another file.
struct HomeNames<'db> {
    names: QualifiedNames,
    /// The arguments that predicates of the original file are declared to call.
    closures: &'db FxHashMap<Functor, Vec<MetaArgument>>,
}

impl HomeNames<'_> {
    /// Returns whether a clause may call a goal with which it unifies a variable: `P = helper, maplist(P, Xs)`. The name in the unification
    /// is data, which cannot be qualified.
    fn may_bind_closure(&self, clause: &Clause) -> bool {
        let terms = &clause.terms;
        let parts = clause.guard.iter().chain(&clause.body);
        let all: Vec<TermId> = parts.flat_map(|part| terms.subterms(*part)).collect();
        let called: Vec<u32> = (all.iter())
            .flat_map(|&t| self.called_in(terms, t))
            .filter_map(|t| match terms.get(t) {
                Term::Var(v) => Some(*v),
                _ => None,
            })
            .collect();
        // `P = helper, P`
        let mut others = OtherGoals::default();
        for part in clause.guard.iter().chain(&clause.body) {
            all_calls(terms, *part, &|f| self.closures.get(f), &mut others);
        }
        let is_called = |t: TermId| match terms.get(t) {
            Term::Var(v) => others.unbound || called.contains(v),
            _ => false,
        };
        all.iter().any(|&t| match Goal::lower(terms, t) {
            Goal::Unify(left, right) => {
                is_called(left) && terms.functor(right).is_some()
                    || is_called(right) && terms.functor(left).is_some()
            }
            _ => false,
        })
    }

    /// Returns the arguments that a goal calls.
    fn called_in(&self, terms: &Terms, goal: TermId) -> Vec<TermId> {
        let Some(functor) = Functor::from_term(terms, goal) else {
            return Vec::new();
        };
        let declared = self.closures.get(&functor).into_iter().flatten().copied();
        let known = meta_arguments(&functor.name, functor.arity);
        let places = declared.chain(known).map(|closure| closure.argument);
        let args = terms.args(goal);
        places.filter_map(|i| args.get(i).copied()).collect()
    }

    /// Rewrites a clause as it would be written in the other file: its callees, and the closures that it passes, are qualified with the
    /// module of the original file.
    fn rewritten(&self, clause: &Clause) -> Clause {
        if self.names.is_empty() {
            return clause.clone();
        }
        let mut terms = Terms::clone(&clause.terms);
        let declared = |functor: &Functor| self.closures.get(functor);
        for part in clause.guard.iter().chain(&clause.body) {
            let calls = all_calls(&clause.terms, *part, &declared, &mut OtherGoals::default());
            for call in calls {
                if let Some(name) = self.names.get(&call.callee) {
                    let arguments = clause.terms.args(call.goal).to_vec();
                    terms.replace(call.goal, name.clone(), &arguments);
                }
            }
        }
        Clause {
            terms: Arc::new(terms),
            ..clause.clone()
        }
    }
}

/// Returns a clause with closures substituted for variables of its head.
fn instance(clause: &Clause, made: &Functor, wanted: &NeededCopy) -> Option<Clause> {
    let mut terms = Terms::clone(&clause.terms);
    for &part in clause.guard.iter().chain(&clause.body) {
        call_variables(&mut terms, part);
    }
    let written: Vec<_> = terms.args(clause.head).to_vec();
    let mut arguments = Vec::with_capacity(made.arity);
    for (i, &argument) in written.iter().enumerate() {
        match wanted.closures.iter().find(|(j, _)| *j == i) {
            None => arguments.push(argument),
            Some((_, skeleton)) => {
                let Term::Var(v) = terms.get(argument) else {
                    return None;
                };
                let v = *v;
                let (root, variables) = skeleton.instance(&mut terms)?;
                terms.bind(v, root);
                arguments.extend(variables);
            }
        }
    }
    terms.replace(clause.head, made.name.clone(), &arguments);
    Some(Clause {
        terms: Arc::new(terms),
        ..clause.clone()
    })
}

/// Replaces `G` as a goal by `call(G)`, so that a cut in its replacement is local.
fn call_variables(terms: &mut Terms, body: TermId) {
    let mut stack = vec![body];
    while let Some(goal) = stack.pop() {
        match Goal::lower(terms, goal) {
            Goal::Variable(v) => {
                let variable = terms.push(Term::Var(v));
                build::put_call(terms, goal, variable);
            }
            lowered => stack.extend(lowered.operands()),
        }
    }
}

/// Returns, for each predicate of a file that calls some of its arguments, the indices of these arguments.
///
/// *Invalidated* by edits of clauses; the result is usually equal.
#[salsa::tracked]
fn called_arguments(db: &dyn Db, file: SourceFile) -> FxHashMap<Functor, Box<[usize]>> {
    let mut found: FxHashMap<Functor, Box<[usize]>> = FxHashMap::default();
    // The predicates to examine: first those that may call an argument themselves, then their callers.
    let mut fresh: BTreeSet<Functor> = BTreeSet::new();
    for round in 0..MOST_ROUNDS {
        let of = |functor: &Functor| match found.get(functor) {
            Some(positions) => positions.to_vec(),
            None => match resolve(db, file, functor) {
                Some(Resolved::Library(p) | Resolved::Other(p))
                    if !same_group(db, file, p.file(db)) =>
                {
                    let library = called_arguments(db, p.file(db));
                    library.get(functor).map(|p| p.to_vec()).unwrap_or_default()
                }
                _ => Vec::new(),
            },
        };
        let mut changes: BTreeMap<Functor, Box<[usize]>> = BTreeMap::new();
        for predicate in all_predicates(db, file) {
            let mut callees = callees(db, predicate).iter();
            let looked_at = match round {
                0 => callees.any(|c| !meta_arguments(&c.name, c.arity).is_empty()),
                _ => callees.any(|c| fresh.contains(c)),
            };
            if !looked_at || predicate.functor(db).arity == 0 {
                continue;
            }
            let functor = predicate.functor(db);
            let positions = flow::called(&all_clauses(db, predicate), functor.arity, &of);
            if !positions.is_empty() && found.get(functor).is_none_or(|old| **old != *positions) {
                changes.insert(functor.clone(), positions.into());
            }
        }
        if changes.is_empty() {
            break;
        }
        fresh = changes.keys().cloned().collect();
        found.extend(changes);
    }
    found
}

/// Returns the [`called_arguments`] that the clauses only call, so that a closure's module does not matter.
///
/// *Invalidated* by edits of clauses; the result is usually equal.
#[salsa::tracked]
fn only_called_arguments(db: &dyn Db, file: SourceFile) -> FxHashMap<Functor, Box<[usize]>> {
    let mut left = called_arguments(db, file).clone();
    for _ in 0..MOST_ROUNDS {
        let of = |functor: &Functor| only_called(db, file, &left, functor);
        let mut changes: Vec<(Functor, Box<[usize]>)> = Vec::new();
        for predicate in all_predicates(db, file) {
            let functor = predicate.functor(db);
            let Some(positions) = left.get(functor).filter(|p| !p.is_empty()) else {
                continue;
            };
            let touched = flow::touched(&all_clauses(db, predicate), positions, &of);
            if !touched.is_empty() {
                let kept = positions.iter().filter(|i| !touched.contains(i));
                changes.push((functor.clone(), kept.copied().collect()));
            }
        }
        if changes.is_empty() {
            return left;
        }
        left.extend(changes);
    }
    FxHashMap::default()
}

/// Returns the arguments that a predicate only calls; for predicates of this file, those known so far. Returns `None` for an unknown
/// predicate.
fn only_called(
    db: &dyn Db,
    file: SourceFile,
    own: &FxHashMap<Functor, Box<[usize]>>,
    functor: &Functor,
) -> Option<Vec<usize>> {
    let system = || {
        let called = meta_arguments(&functor.name, functor.arity);
        called.into_iter().map(|m| m.argument)
    };
    let is_system = find(&functor.name, functor.arity).is_some() || system().next().is_some();
    let Some(found) =
        resolve(db, file, functor).filter(|_| !is_fixed(&functor.name, functor.arity))
    else {
        return is_system.then(|| system().collect());
    };
    let there = found.predicate().file(db);
    if there == file {
        return Some(own.get(functor).map(|p| p.to_vec()).unwrap_or_default());
    }
    let ships = there.role(db) == Role::Library || is_installed(db, there);
    let mut called: Vec<usize> = system().filter(|_| ships).collect();
    if !same_group(db, file, there) {
        let of_file = only_called_arguments(db, there);
        called.extend(of_file.get(functor).iter().flat_map(|p| p.iter().copied()));
    }
    Some(called)
}

/// The program as one file sees it.
struct FileScope<'db> {
    db: &'db dyn Db,
    file: SourceFile,
}

impl<'db> FileScope<'db> {
    fn new(db: &'db dyn Db, file: SourceFile) -> Self {
        FileScope { db, file }
    }

    /// Returns whether calls of the predicate may be rewritten.
    fn is_higher_order(&self, functor: &Functor) -> bool {
        let relation = relation(&functor.name, functor.arity);
        matches!(relation, Some(Relation::Phrase | Relation::CallDcg))
            || matches!(
                (functor.name.as_str(), functor.arity),
                ("call", 2..)
                    | (":" | "@" | "cost_center" | "cost_depends", 2)
                    | ("cost_independent", 1)
                    | (">>" | "/", 2..)
            )
            || split(functor).is_some()
            || self.may_be_expanded(functor)
            || self.copy_across(functor).is_some()
            || !self.called_arguments(functor).is_empty()
    }

    /// Returns the names that must be module-qualified in a copy that runs in this file, so that they refer to the same predicates as in
    /// the original file. Returns `None` if qualification cannot achieve this.
    fn names_of_home(&self, predicate: Predicate<'db>) -> Option<HomeNames<'db>> {
        let home = predicate.file(self.db);
        let mut names = QualifiedNames::default();
        let closures = declared_closures(self.db, home);
        if home == self.file {
            return Some(HomeNames { names, closures });
        }
        let reached = |file, c: &Functor| reach_written(self.db, file, c).predicate();
        for callee in callees(self.db, predicate) {
            let there = reached(home, callee);
            if reached(self.file, callee) == there {
                continue;
            }
            // A call back into this file.
            if let Some(own) = there.filter(|p| p.file(self.db) == self.file) {
                let own = own.functor(self.db);
                if !is_own_name(callee, own) || reached(self.file, own) != there {
                    return None;
                }
                names.insert(callee.clone(), own.name.clone());
                continue;
            }
            let module = home_module(self.db, home).as_ref();
            let name = join(module?, &callee.name).filter(|_| self.may_join())?;
            if reached(self.file, &Functor::new(name.clone(), callee.arity)) != there {
                return None;
            }
            names.insert(callee.clone(), name);
        }
        let names = HomeNames { names, closures };
        let clauses = all_clauses(self.db, predicate);
        let (here, there) = (home_module(self.db, self.file), home_module(self.db, home));
        let is_clear = here == there || !clauses.iter().any(|c| names.may_bind_closure(c));
        is_clear.then_some(names)
    }

    /// Returns whether a closure written in this file has the same meaning in the predicate to which it is passed. A predicate of another
    /// module looks up a closure in its own module, unless `:- meta_predicate` declares the argument.
    fn sees_closure(&self, predicate: Predicate<'db>, argument: usize) -> bool {
        let home = predicate.file(self.db);
        if home == self.file || home.role(self.db) == Role::Library {
            return true;
        }
        let (here, there) = (home_module(self.db, self.file), home_module(self.db, home));
        let facts = facts(self.db, home);
        let functor = predicate.functor(self.db);
        here.is_some() && here == there
            || facts.transparent.contains(functor)
            || facts.meta.get(functor).is_some_and(|arguments| {
                arguments
                    .get(argument)
                    .is_some_and(|a| a.is_in_callers_module())
            })
    }

    /// Returns whether a call adds the caller's module to an argument. The original's clauses see this module, but a copy that contains the
    /// closure does not.
    fn adds_module(&self, predicate: Predicate<'db>, argument: usize) -> bool {
        let facts = facts(self.db, predicate.file(self.db));
        let modes = facts.meta.get(predicate.functor(self.db));
        let mode = modes.and_then(|modes| modes.get(argument));
        mode.is_some_and(|mode| mode.is_in_callers_module())
    }

    fn only_calls_in(&self, predicate: Predicate<'db>, argument: usize) -> bool {
        let only = only_called_arguments(self.db, predicate.file(self.db));
        let positions = only.get(predicate.functor(self.db));
        positions.is_some_and(|p| p.contains(&argument))
    }

    /// Returns whether a name in another module refers to this file's own predicate with that name.
    fn is_way_back(&self, module: &str, functor: &Functor) -> bool {
        let Some(own) = find_written(self.db, self.file, functor) else {
            return false;
        };
        reach_of_module(self.db, self.file, module, functor).predicate() == Some(own)
    }
}

impl Scope for FileScope<'_> {
    fn is_home(&self, module: &str) -> bool {
        is_home(self.db, self.file, module)
    }

    fn in_module(&self, module: &str, functor: &Functor) -> InModule {
        let Some(joined) = join(module, &functor.name) else {
            return InModule::Unknown;
        };
        if self.is_way_back(module, functor) {
            return InModule::Here;
        }
        match reach_written(self.db, self.file, &Functor::new(joined, functor.arity)) {
            Reach::Shipped(there) => match reach_written(self.db, self.file, functor) {
                Reach::Shipped(here) if here == there => InModule::SameLibrary,
                _ => InModule::Predicate,
            },
            Reach::Own(_) | Reach::Other(_) => InModule::Predicate,
            Reach::Nothing => match module_in(self.db, self.file, module) {
                // This excludes names that the module may import from elsewhere, and built-ins that this file redefines.
                Some(Home::File(there))
                    if !facts(self.db, there).is_open(functor)
                        && reach_written(self.db, self.file, functor) == Reach::Nothing =>
                {
                    InModule::BuiltIn
                }
                _ => InModule::Unknown,
            },
            Reach::Ambiguous(..)
            | Reach::Missing(..)
            | Reach::Conditional(..)
            | Reach::Unsettled(..) => InModule::Unknown,
        }
    }

    fn may_join(&self) -> bool {
        !is_ambiguous_in(self.db, self.file)
    }

    fn closures_of(&self, functor: &Functor) -> Option<Vec<MetaArgument>> {
        let Some(found) = resolve(self.db, self.file, functor) else {
            return Some(Vec::new());
        };
        let predicate = found.predicate();
        let facts = facts(self.db, predicate.file(self.db));
        let functor = predicate.functor(self.db);
        if facts.transparent.contains(functor) {
            return None;
        }
        let modes = facts.meta.get(functor);
        Some(modes.map(|modes| closures(modes)).unwrap_or_default())
    }

    fn ignores_context(&self, functor: &Functor) -> bool {
        let Some(found) = resolve(self.db, self.file, functor) else {
            return ignores_module(&functor.name, functor.arity);
        };
        let predicate = found.predicate();
        let facts = facts(self.db, predicate.file(self.db));
        let functor = predicate.functor(self.db);
        !facts.transparent.contains(functor)
            && !facts.meta.contains_key(functor)
            // Libraries that ship with Costlens have no declarations.
            && meta_arguments(&functor.name, functor.arity).is_empty()
    }

    fn is_own(&self, functor: &Functor) -> bool {
        !is_fixed(&functor.name, functor.arity)
            && find_written(self.db, self.file, functor).is_some()
    }

    fn may_be_expanded(&self, functor: &Functor) -> bool {
        macros::is_about(functor) && macros::reach(self.db, self.file)
    }

    fn loops_call(&self) -> bool {
        !macros::reach(self.db, self.file)
    }

    fn compiles_lambdas(&self) -> Option<bool> {
        lambdas::compiles(self.db, self.file)
    }

    fn copy_across(&self, functor: &Functor) -> Option<SmolStr> {
        FileScope::copy_across(self, functor)
    }

    fn called_arguments(&self, functor: &Functor) -> Vec<usize> {
        let Some(predicate) = self.followed(functor) else {
            return Vec::new();
        };
        let home = predicate.file(self.db);
        let there = predicate.functor(self.db);
        // Calls run the built-in, even if the program contains clauses for it.
        if is_fixed(&there.name, there.arity) {
            return Vec::new();
        }
        // Inference has its own rules for this predicate, which are more precise than copies of the installed text.
        let has_rules = find(&there.name, there.arity).is_some_and(|p| p.has_rules);
        if has_rules && is_installed(self.db, home) && !is_edited_library(self.db, home) {
            return Vec::new();
        }
        let Some(positions) = called_arguments(self.db, home).get(there) else {
            return Vec::new();
        };
        if self.is_closed(predicate) && self.names_of_home(predicate).is_some() {
            let here = |i: &usize| {
                self.sees_closure(predicate, *i)
                    && (!self.adds_module(predicate, *i) || self.only_calls_in(predicate, *i))
            };
            positions.iter().copied().filter(here).collect()
        } else {
            Vec::new()
        }
    }

    fn redefines_lambdas(&self) -> bool {
        let is_own = |functor: Functor| {
            let found = resolve(self.db, self.file, &functor).map(Resolved::predicate);
            let home = found.map(|p| p.file(self.db));
            home.is_some_and(|file| {
                file.role(self.db) == Role::User && !is_installed(self.db, file)
            })
        };
        is_edited(self.db, "yall")
            || [">>", "/"].iter().any(|name| {
                LAMBDA_ARITIES
                    .clone()
                    .any(|arity| is_own(Functor::new(*name, arity)))
            })
    }

    fn only_calls(&self, functor: &Functor, argument: usize) -> bool {
        self.followed(functor)
            .is_some_and(|found| self.only_calls_in(found, argument))
    }

    fn may_call_argument(&self, name: &str, argument: usize) -> bool {
        (argument + 1..argument + 9).any(|arity| {
            self.called_arguments(&Functor::new(name, arity))
                .contains(&argument)
        })
    }
}
