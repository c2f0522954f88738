//! Computes the clauses that a call may run and the goals in them. If all goals appear as goals in the text, other terms are ignored;
//! otherwise any term may be a goal.

use std::collections::{BTreeMap, BTreeSet};

use costlens_body::Goal;
use costlens_catalog::{
    Effect, Relation, assignment, find as find_built_in, is_arithmetic_comparison, named_effect,
    relation, system_predicates,
};
use costlens_program::language::{calls, plain_calls, split};
use costlens_program::{
    Clause, Functor, Predicate, Resolved, SourceFile, find, predicates, resolve,
};
use costlens_syntax::term::{CONS, Term, TermId, Terms};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::db::Db;

/// The functor of lambda expressions, for which the machine counts steps differently from bounds.
pub(super) const LAMBDA: &str = ">>";

/// The clauses and goals that a call may run.
pub(super) struct ReachedCode {
    /// The reached predicates, ordered by file and then by name.
    pub(super) predicates: Vec<(SourceFile, Functor)>,
    /// The goals and closures in the text, with the arities of their calls.
    calls: BTreeSet<Functor>,
    /// Terms that may be called, possibly with additional arguments. Empty if all goals appear as goals in the text.
    data: BTreeSet<Functor>,
    /// The name of a goal with a side effect, if any.
    pub(super) effect: Option<SmolStr>,
    /// True if a lambda expression may be called.
    pub(super) has_lambda: bool,
    /// True if a dict may be accessed.
    pub(super) has_dicts: bool,
}

impl ReachedCode {
    /// Returns one of the given predicates that some goal may call and that is not defined in a file of the program.
    pub(super) fn calls_any(
        &self,
        db: &dyn Db,
        files: &[SourceFile],
        all: &BTreeSet<Functor>,
    ) -> Option<Functor> {
        let is_own = |f: &&Functor| files.iter().any(|&file| find(db, file, f).is_some());
        let is_visible = |f: &&Functor| {
            let resolved = files.iter().filter_map(|&file| resolve(db, file, f));
            resolved
                .into_iter()
                .any(|r| matches!(r, Resolved::Library(_)))
        };
        let written = || self.calls.intersection(all).find(|f| !is_own(f));
        let may_be = |f: &&Functor| {
            let of_name = self.data.iter().filter(|d| d.name == f.name);
            of_name.into_iter().any(|d| d.arity <= f.arity)
        };
        let perhaps = || {
            let called = all.iter().filter(may_be);
            called.into_iter().find(|f| !is_own(f) && is_visible(f))
        };
        written().or_else(perhaps).cloned()
    }
}

/// Returns the clauses and goals that a call may run.
pub(super) fn reached(db: &dyn Db, files: &[SourceFile], from: &Functor) -> ReachedCode {
    gathered(db, files, from, false)
        .or_else(|| gathered(db, files, from, true))
        .unwrap_or_else(ReachedCode::nothing)
}

impl ReachedCode {
    fn nothing() -> Self {
        ReachedCode {
            predicates: Vec::new(),
            calls: BTreeSet::new(),
            data: BTreeSet::new(),
            effect: None,
            has_lambda: false,
            has_dicts: false,
        }
    }
}

/// Returns the clauses and goals that a call may run. Returns `None` if terms may be called (`call(G)`, a goal of another module, a lambda
/// expression) and `with_data` is false.
fn gathered(
    db: &dyn Db,
    files: &[SourceFile],
    from: &Functor,
    with_data: bool,
) -> Option<ReachedCode> {
    let mut of_name: BTreeMap<SmolStr, Vec<(usize, Predicate<'_>)>> = BTreeMap::new();
    for (place, &file) in files.iter().enumerate() {
        for p in predicates(db, file).iter() {
            let named = of_name.entry(p.functor(db).name.clone()).or_default();
            named.push((place, *p));
        }
    }
    let mut found = ReachedCode::nothing();
    let mut ordered: BTreeSet<(usize, Functor)> = BTreeSet::new();
    let mut waiting = vec![(from.clone(), false)];
    let mut seen: BTreeSet<(Functor, bool)> = BTreeSet::new();
    while let Some((functor, is_data)) = waiting.pop() {
        if !seen.insert((functor.clone(), is_data)) {
            continue;
        }
        let named = of_name.get(&functor.name).map_or(&[][..], Vec::as_slice);
        for (place, p) in named {
            let arity = p.functor(db).arity;
            let is_called = match is_data {
                true => functor.arity <= arity,
                false => functor.arity == arity,
            };
            if !is_called || !ordered.insert((*place, p.functor(db).clone())) {
                continue;
            }
            for clause in p.clauses(db).iter() {
                if !with_data && !is_plain(clause) {
                    return None;
                }
                let text = Text::new(clause, with_data);
                found.has_lambda |= text.has_lambda;
                found.has_dicts |= text.has_dicts;
                if found.effect.is_none() {
                    let is_own =
                        |f: &Functor| files.iter().any(|&file| find(db, file, f).is_some());
                    found.effect = text.effect(&is_own);
                }
                waiting.extend(text.calls.iter().map(|(_, f)| (f.clone(), false)));
                waiting.extend(text.data.iter().map(|f| (f.clone(), true)));
                found.calls.extend(text.calls.into_iter().map(|(_, f)| f));
                found.data.extend(text.data);
            }
        }
    }
    let of_files = ordered.into_iter();
    found.predicates = of_files.map(|(place, f)| (files[place], f)).collect();
    Some(found)
}

/// Returns true if all goals of a clause appear as goals in its text.
fn is_plain(clause: &Clause) -> bool {
    let bodies = clause.guard.into_iter().chain(clause.body);
    bodies
        .into_iter()
        .all(|body| plain_calls(&clause.terms, body).is_some())
}

/// The parts of a clause that determine what it calls.
struct Text<'c> {
    terms: &'c Terms,
    /// Goals and closures with the arities of their calls. Names are not module-qualified.
    calls: Vec<(TermId, Functor)>,
    /// Other terms, except those in arithmetic expressions.
    data: Vec<Functor>,
    /// Goals that write their output to a term.
    caught: FxHashSet<TermId>,
    has_lambda: bool,
    has_dicts: bool,
}

impl<'c> Text<'c> {
    fn new(clause: &'c Clause, with_data: bool) -> Self {
        let terms = &*clause.terms;
        let bodies: Vec<TermId> = clause.guard.into_iter().chain(clause.body).collect();
        let written = bodies.iter().flat_map(|&body| calls(terms, body));
        let calls: Vec<(TermId, Functor)> = written
            .map(|call| {
                let callee = split(&call.callee).map_or(call.callee.clone(), |(_, f)| f);
                (call.goal, callee)
            })
            .collect();
        let is_computed = |f: &Functor| {
            is_arithmetic_comparison(&f.name, f.arity)
                || relation(&f.name, f.arity) == Some(Relation::Value)
        };
        let mut left_out: FxHashSet<TermId> = FxHashSet::default();
        let mut caught: FxHashSet<TermId> = FxHashSet::default();
        for (goal, callee) in &calls {
            left_out.insert(*goal);
            if is_computed(callee) {
                left_out.extend(terms.subterms(*goal));
            }
            if let Goal::Captured { sink, goal } = Goal::lower(terms, *goal)
                && is_term(terms, sink)
            {
                caught.extend(terms.subterms(goal));
            }
        }
        let heads = terms.args(clause.head).iter().copied();
        let roots: Vec<TermId> = heads.chain(bodies.iter().copied()).collect();
        let all = roots.iter().flat_map(|&root| terms.subterms(root));
        let others: Vec<TermId> = all.filter(|t| !left_out.contains(t)).collect();
        let is_free_lambda = |t: TermId| {
            let free = terms
                .matches(t, "/", 2)
                .and_then(|args| terms.functor(args[0]));
            free.is_some_and(|(name, _)| name == "{}")
        };
        // `A >> B` may be any term. With a list of parameters, it is a lambda expression.
        let is_lambda = |t: TermId| {
            let is_it = |parameters: TermId| match terms.get(parameters) {
                Term::Var(_) => with_data,
                _ => {
                    terms
                        .functor(parameters)
                        .is_some_and(|(name, arity)| (name == "/" || name == CONS) && arity == 2)
                        || terms.as_atom(parameters).is_some_and(|name| name == "[]")
                }
            };
            let is_named = terms
                .functor(t)
                .is_some_and(|(name, arity)| name == LAMBDA && arity >= 2);
            is_named && terms.args(t).first().is_some_and(|&p| is_it(p)) || is_free_lambda(t)
        };
        let is_dict = |t: TermId| {
            let functor = terms.functor(t);
            functor.is_some_and(|(name, arity)| name == "." && arity > 0)
        };
        let named = || others.iter().filter_map(|&t| terms.functor(t));
        let data = match with_data {
            true => named()
                .map(|(name, arity)| Functor::new(name.clone(), arity))
                .collect(),
            false => Vec::new(),
        };
        Text {
            terms,
            data,
            caught,
            // `call({X}/positive(X))` calls a lambda expression.
            has_lambda: (others.iter().copied())
                .chain(calls.iter().map(|(goal, _)| *goal))
                .any(is_lambda),
            has_dicts: (bodies.iter().flat_map(|&body| terms.subterms(body))).any(is_dict),
            calls,
        }
    }

    /// Returns the name of a goal with a side effect: a goal that reads, writes, or changes more than bindings. Writing to a term is not a
    /// side effect.
    fn effect(&self, is_own: &dyn Fn(&Functor) -> bool) -> Option<SmolStr> {
        let written = self.calls.iter().find(|(goal, f)| {
            let has = effect(&f.name, f.arity).is_some() || assignment(&f.name, 3).is_some();
            let makes_term = relation(&f.name, f.arity) == Some(Relation::Written)
                && (self.terms.args(*goal).first()).is_some_and(|&sink| is_term(self.terms, sink));
            let is_caught =
                self.caught.contains(goal) && effect(&f.name, f.arity) == Some(Effect::Io);
            has && !joins_lists(f) && !makes_term && !is_caught && !is_own(f)
        });
        let perhaps = || {
            self.data.iter().find(|f| {
                (may_have_effect(&f.name, f.arity) || assignment(&f.name, 3).is_some())
                    && !joins_lists(f)
                    && !is_own(f)
            })
        };
        written
            .map(|(_, f)| f)
            .or_else(perhaps)
            .map(|f| f.name.clone())
    }
}

/// Returns true if the output goes to a term: `string(S)`, `codes(Cs, Rest)`.
fn is_term(terms: &Terms, sink: TermId) -> bool {
    matches!(terms.get(sink), Term::Compound(..)) && (1..=2).contains(&terms.args(sink).len())
}

/// Returns the side effect of a built-in.
fn effect(name: &str, arity: usize) -> Option<Effect> {
    find_built_in(name, arity)?.effect
}

/// Returns true for a term that, if called with or without additional arguments, may have a side effect.
fn may_have_effect(name: &str, arity: usize) -> bool {
    named_effect(name).is_some()
        && (system_predicates().iter())
            .any(|p| p.name == name && p.effect.is_some() && (p.arity >= arity || p.variadic))
}

/// Returns true for `append/2` and `append/3`, because a predicate that opens files has the same name.
fn joins_lists(f: &Functor) -> bool {
    matches!(
        relation(&f.name, f.arity),
        Some(Relation::Append | Relation::Concatenation)
    )
}
