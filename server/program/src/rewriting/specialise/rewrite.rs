//! Rewrites the goals of a clause: known closures are substituted into the predicates that call them.
//!
//! - `call(add(N), X, Y)` becomes `add(N, X, Y)`;
//! - `maplist(add(N), Xs, Ys)` becomes a call of `maplist(add(_1))` with `N`, `Xs` and `Ys`;
//! - `phrase(digits(D), Xs)` becomes `digits(D, Xs, [])`.
//!
//! Literals are replaced in place, so that a literal keeps its id and thus its position in the text.

pub(super) mod closure;
pub(super) mod lambda;
pub(super) mod module_goals;

use std::collections::BTreeMap;

use costlens_body::{Goal, build, conjuncts};
use costlens_catalog::{MetaArgument, Relation, goal_arguments, is_leading_test, relation};
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};
use smol_str::{SmolStr, format_smolstr};

use self::closure::{Closure, Skeleton, SkeletonBuilder, is_control_goal};
use self::lambda::Lifted;
use self::module_goals::InModule;
use crate::language::{Clause, Functor, grammar_rule, split_name};

/// The result of rewriting a goal once.
enum Round {
    /// The goal was replaced by another goal, which is rewritten in turn.
    Again,
    /// The goal stays; its subgoals remain to be rewritten.
    Done(Vec<TermId>),
}

impl Round {
    fn from_change(is_changed: bool) -> Self {
        match is_changed {
            true => Round::Again,
            false => Round::Done(Vec::new()),
        }
    }
}

/// A goal with the check that `phrase/3` makes: its argument must be a list or a partial list.
pub const PHRASE_CHECK: &str = "$list_or_partial_list";

/// The maximum length of the names of copies. It stops closures that grow with each call.
const LONGEST_NAME: usize = 400;

/// The maximum number of goals examined in one clause.
const MOST_GOALS: usize = 20_000;

/// The maximum number of times that a goal is rewritten, as for `call(maplist(double), Xs, Ys)`.
const MOST_ROUNDS: usize = 8;

/// The maximum number of variables whose unifications are recorded.
const MOST_BINDINGS: usize = 32;

/// The information about the program that a rewriter needs.
pub(super) trait Scope {
    /// Returns whether the file itself has clauses for a predicate.
    fn is_own(&self, functor: &Functor) -> bool;
    /// Returns the indices (from 0) of the arguments that a predicate calls and that can be substituted.
    fn called_arguments(&self, functor: &Functor) -> Vec<usize>;
    /// Returns the name of the copy that replaces a predicate of another file with which this file is recursive.
    fn copy_across(&self, functor: &Functor) -> Option<SmolStr>;
    /// Returns whether the clauses of a predicate only call an argument (from 0), so that they cannot observe its module or a renamed
    /// predicate.
    fn only_calls(&self, functor: &Functor, argument: usize) -> bool;
    /// Returns whether a module is the file's own module.
    fn is_home(&self, module: &str) -> bool;
    /// Resolves a name in another module.
    fn in_module(&self, module: &str, functor: &Functor) -> InModule;
    /// Returns whether no atom of the file looks like a module-qualified predicate name.
    fn may_join(&self) -> bool;
    /// Returns the arguments that a predicate is declared to call (`:- meta_predicate`). Returns `None` if the predicate accesses its
    /// caller's module in other ways.
    fn closures_of(&self, functor: &Functor) -> Option<Vec<MetaArgument>>;
    /// Returns whether a predicate behaves the same in every module context.
    fn ignores_context(&self, functor: &Functor) -> bool;
    /// Returns whether calls of the predicate may be compiled to other goals ([`macros`](crate::rewriting::expansion)).
    fn may_be_expanded(&self, functor: &Functor) -> bool;
    /// Returns whether some predicate with this name may call this argument (from 0): the first one of `maplist`.
    fn may_call_argument(&self, name: &str, argument: usize) -> bool;
    /// Returns whether predicates such as `maplist/3` call their closures at run time, rather than being compiled to loops with inlined
    /// closures.
    fn loops_call(&self) -> bool;
    /// Returns whether the program, or another version of `library(yall)`, defines `>>/N` or `//N`, so that a lambda expression calls that
    /// definition.
    fn redefines_lambdas(&self) -> bool;
    /// Returns whether lambda expressions are compiled. Returns `None` if only some of them may be.
    fn compiles_lambdas(&self) -> Option<bool>;
}

/// A copy that is needed.
#[derive(Clone, Debug)]
pub(super) struct NeededCopy {
    /// The original predicate.
    pub(super) from: Functor,
    /// The indices (from 0) of the replaced arguments, with their replacements.
    pub(super) closures: Vec<(usize, Skeleton)>,
}

/// A clause being rewritten.
pub(super) struct Rewriter<'a> {
    pub(super) scope: &'a dyn Scope,
    pub(super) terms: Terms,
    pub(super) head: TermId,
    pub(super) guard: Option<TermId>,
    pub(super) body: Option<TermId>,
    /// The variables that an earlier goal unified with a callable term, at the current goal.
    bindings: BTreeMap<u32, TermId>,
    changed: bool,
    /// The number of grammar body parts that may still be translated. The limit is needed because a variable may be bound to a body that
    /// contains it.
    grammars: usize,
    /// The callees of the rewritten goals.
    pub(super) wanted: BTreeMap<Functor, NeededCopy>,
    pub(super) lifted: Vec<Lifted>,
    /// The goals that replace calls of closures, including lambda expressions.
    pub(super) asked: Vec<Functor>,
    /// The goals written as `call/N`, each with the number of arguments that the closure already has.
    pub(super) called: Vec<(TermId, usize)>,
    /// The goals whose closure is itself written as `call/N`, once for each of them.
    pub(super) nested: Vec<TermId>,
}

/// A goal that remains to be examined, with the bindings known before it.
struct Pending {
    goal: TermId,
    bindings: BTreeMap<u32, TermId>,
    /// True if all preceding goals are tests, so that a test here is part of the clause selection.
    leading: bool,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(scope: &'a dyn Scope, clause: &Clause) -> Self {
        Rewriter {
            scope,
            terms: Terms::clone(&clause.terms),
            head: clause.head,
            guard: clause.guard,
            body: clause.body,
            bindings: BTreeMap::new(),
            changed: false,
            grammars: MOST_GOALS,
            wanted: BTreeMap::new(),
            lifted: Vec::new(),
            asked: Vec::new(),
            called: Vec::new(),
            nested: Vec::new(),
        }
    }

    /// Rewrites the body. Returns whether anything changed.
    pub(super) fn run(&mut self) -> bool {
        let Some(body) = self.body else {
            return false;
        };
        let mut stack = vec![Pending {
            goal: body,
            bindings: BTreeMap::new(),
            leading: true,
        }];
        let mut budget = MOST_GOALS;
        while let Some(Pending {
            goal,
            bindings,
            mut leading,
        }) = stack.pop()
        {
            self.bindings = bindings;
            for part in conjuncts(&self.terms, goal) {
                budget = budget.saturating_sub(1);
                if budget == 0 {
                    return self.changed;
                }
                let is_test = Goal::lower(&self.terms, part).is_leading_test();
                for inner in self.goal(part, leading) {
                    stack.push(Pending {
                        goal: inner,
                        bindings: self.bindings.clone(),
                        leading: false,
                    });
                }
                leading &= is_test;
                self.learn(part);
            }
        }
        self.changed
    }

    /// Records a unification such as `F = add(N)`: `F` is known from this goal on.
    fn learn(&mut self, goal: TermId) {
        let Goal::Unify(left, right) = Goal::lower(&self.terms, goal) else {
            return;
        };
        for (variable, value) in [(left, right), (right, left)] {
            if let Term::Var(v) = self.terms.get(variable)
                && self.terms.functor(value).is_some()
                && self.bindings.len() < MOST_BINDINGS
                && !self.terms.subterms(value).contains(&variable)
            {
                self.bindings.entry(*v).or_insert(value);
            }
        }
    }

    /// Returns the term with which a variable was unified, or the term itself if no unification is known.
    pub(super) fn known(&self, term: TermId) -> TermId {
        match self.terms.get(term) {
            Term::Var(v) => self.bindings.get(v).copied().unwrap_or(term),
            _ => term,
        }
    }

    /// Returns the term without its module qualifiers, and the innermost qualifier: an atom, or a variable known to be one. Returns `None`
    /// if there is no qualifier, or if a qualifier is unknown.
    pub(super) fn stripped(&self, term: TermId) -> Option<(SmolStr, TermId)> {
        let (mut found, mut at) = (None, term);
        while let Goal::Qualified { module, goal } = Goal::lower(&self.terms, at) {
            found = Some((self.terms.as_atom(self.known(module))?.clone(), goal));
            at = goal;
        }
        found
    }

    /// Rewrites one goal. Returns its subgoals.
    fn goal(&mut self, goal: TermId, leading: bool) -> Vec<TermId> {
        for _ in 0..MOST_ROUNDS {
            if let Round::Done(inside) = self.round(goal, leading) {
                return inside;
            }
        }
        Vec::new()
    }

    /// Rewrites one goal, once.
    fn round(&mut self, goal: TermId, leading: bool) -> Round {
        let Some((name, arity)) = self.terms.functor(goal) else {
            return Round::Done(Vec::new());
        };
        let functor = Functor::new(name.clone(), arity);
        let args: Vec<TermId> = self.terms.args(goal).to_vec();
        if let Some(round) = self.construct(goal, &functor, &args, leading) {
            return round;
        }
        if self.specialise(goal, &functor, &args) {
            return Round::Done(Vec::new());
        }
        if let Some(name) = self.scope.copy_across(&functor) {
            self.set(goal, name.clone(), &args);
            let made = Functor::new(name, functor.arity);
            self.wanted.entry(made).or_insert_with(|| NeededCopy {
                from: functor,
                closures: Vec::new(),
            });
            return Round::Done(Vec::new());
        }
        if self.scope.may_be_expanded(&functor) && self.terms.functor(args[0]).is_some() {
            self.set(goal, format_smolstr!("${}", functor.name), &args);
            return Round::Done(Vec::new());
        }
        if self.scope.is_own(&functor) {
            return Round::Done(Vec::new());
        }
        let inside = goal_arguments(&functor.name, functor.arity);
        Round::Done(inside.filter_map(|i| args.get(i).copied()).collect())
    }

    /// Rewrites a goal that runs another goal: `call/N`, a qualified goal, a lambda expression, a grammar body. Returns `None` for all
    /// other goals.
    fn construct(
        &mut self,
        goal: TermId,
        functor: &Functor,
        args: &[TermId],
        leading: bool,
    ) -> Option<Round> {
        let relation = relation(&functor.name, functor.arity);
        let is_own = |rewriter: &Self| rewriter.scope.is_own(functor);
        Some(
            match (Goal::lower(&self.terms, goal), functor.name.as_str(), args) {
                (Goal::Qualified { .. }, ..) => Round::from_change(self.qualified(goal, leading)),
                (Goal::InContext { goal: inner, .. }, ..) if !is_own(self) => {
                    Round::from_change(self.with_context(goal, inner))
                }
                (Goal::CallN { closure, added: [] }, ..) => {
                    return self.call_of_known(goal, closure, leading);
                }
                (Goal::CallN { closure, .. }, _, [_, extra @ ..]) => {
                    let is_changed = self.call(goal, closure, extra, leading);
                    if is_changed {
                        self.note_call(goal, extra.len());
                    }
                    Round::from_change(is_changed)
                }
                // This literal is a cost centre of profiles, or determines its counts.
                (_, "cost_center", &[_, inner])
                | (_, "cost_depends", &[inner, _])
                | (_, "cost_independent", &[inner])
                    if !is_own(self) =>
                {
                    self.set_call(goal, inner);
                    Round::Again
                }
                (_, ">>" | "/", [lambda, body, extra @ ..]) if !is_own(self) => {
                    let closure = (self.terms).compound(functor.name.clone(), &[*lambda, *body]);
                    Round::from_change(self.call(goal, closure, extra, leading))
                }
                (_, _, &[grammar, list, ref rest @ ..]) if relation == Some(Relation::Phrase) => {
                    let rest = rest.first().copied();
                    Round::Done(self.phrase(goal, grammar, list, rest, true))
                }
                (_, _, &[grammar, list, rest])
                    if relation == Some(Relation::CallDcg) && !is_own(self) =>
                {
                    Round::Done(self.phrase(goal, grammar, list, Some(rest), false))
                }
                _ => return None,
            },
        )
    }

    /// Rewrites `call(G)` where `G` is known: `G = m:p(X), call(G)`, `call([]>>G)`, and `G = [X]>>p(X), call(G)`, which raises an exception.
    fn call_of_known(&mut self, goal: TermId, closure: TermId, leading: bool) -> Option<Round> {
        let inner = self.known(closure);
        if self.stripped(inner).is_some()
            && let Goal::Qualified {
                module,
                goal: behind,
            } = Goal::lower(&self.terms, inner)
        {
            self.set_qualified(goal, module, behind);
            return Some(Round::Again);
        }
        is_lambda(&self.terms, inner)
            .then(|| Round::from_change(self.call(goal, closure, &[], leading)))
    }

    /// Replaces `call(add(N), X, Y)` by `add(N, X, Y)`.
    fn call(&mut self, goal: TermId, closure: TermId, extra: &[TermId], leading: bool) -> bool {
        let closure = self.known(closure);
        if let Some(lifted) = self.lift(closure) {
            let arguments: Vec<TermId> = lifted.passed.iter().chain(extra).copied().collect();
            let functor = Functor::new(lifted.functor.name.clone(), arguments.len());
            if self.scope.is_own(&functor) {
                return false;
            }
            self.set(goal, functor.name.clone(), &arguments);
            self.lifted.push(lifted);
            self.asked.push(functor);
            return true;
        }
        let (module, closure) = match self.in_its_module(closure) {
            Some((module, inner)) => (Some(module), inner),
            None => (None, closure),
        };
        let Some((name, _)) = self.terms.functor(closure) else {
            return false;
        };
        if is_control_goal(&self.terms, closure) || is_no_closure(name) {
            return false;
        }
        let name = match split_name(name) {
            Some((_, name)) if module.is_some() => SmolStr::from(name),
            _ => name.clone(),
        };
        let arguments: Vec<TermId> = self
            .terms
            .args(closure)
            .iter()
            .chain(extra)
            .copied()
            .collect();
        if let Some(module) = module {
            let inner = self.terms.compound_or_atom(name, &arguments);
            let module = self.terms.atom(module);
            self.set_qualified(goal, module, inner);
            return true;
        }
        if leading && is_leading_test(&name, arguments.len()) {
            // A test would become part of the clause selection.
            let inner = self.terms.compound(name, &arguments);
            self.set_call(goal, inner);
            return false;
        }
        // This is the name of a lambda expression in a predicate into which it was substituted; the call may have more arguments than the
        // lambda expression has parameters.
        self.asked.push(Functor::new(name.clone(), arguments.len()));
        self.set(goal, name, &arguments);
        true
    }

    /// Records that a goal has replaced a call of a closure with `extra` additional arguments.
    fn note_call(&mut self, goal: TermId, extra: usize) {
        if self.called.iter().any(|(noted, _)| *noted == goal) {
            self.nested.push(goal);
        } else if self.scope.loops_call() {
            let inner = self.stripped(goal).map_or(goal, |(_, inner)| inner);
            let captured = self.terms.args(inner).len().saturating_sub(extra);
            self.called.push((goal, captured));
        }
    }

    /// Splits a module-qualified closure, written as such or as a predicate name in a skeleton, into the module and the unqualified term.
    fn in_its_module(&self, closure: TermId) -> Option<(SmolStr, TermId)> {
        if let Some((module, inner)) = self.stripped(closure) {
            return Some((module, self.known(inner)));
        }
        let (name, _) = self.terms.functor(closure)?;
        let (module, _) = split_name(name)?;
        let is_free = self.scope.may_join();
        is_free.then(|| (module.into(), closure))
    }

    /// Replaces `phrase(digits(D), Xs, Rest)` by `digits(D, Xs, Rest)`, preceded by the check of the lists, and `phrase((a, b), Xs, Rest)`
    /// by the translation of a rule with that body between `Xs` and `Rest`, as a separate goal. Returns the goals to examine.
    fn phrase(
        &mut self,
        goal: TermId,
        grammar: TermId,
        list: TermId,
        rest: Option<TermId>,
        is_checked: bool,
    ) -> Vec<TermId> {
        let grammar = self.known(grammar);
        let (module, grammar) = match self.in_its_module(grammar) {
            Some((module, inner)) if self.scope.is_home(&module) => (None, inner),
            Some((module, inner)) => (Some(module), inner),
            None => (None, grammar),
        };
        let rest = rest.unwrap_or_else(|| self.terms.atom(NIL));
        let (call, inside) = if grammar_rule::is_body(&self.terms, grammar) {
            // In another module, the nonterminals would be resolved in that module.
            let grammar = match module {
                None => self.whole_grammar(grammar),
                Some(_) => None,
            };
            let body = grammar.and_then(|g| grammar_rule::body(&mut self.terms, g, list, rest));
            let Some(body) = body else {
                return Vec::new();
            };
            // A cut in the body is local.
            (build::call_n(&mut self.terms, body, &[]), body)
        } else {
            let Some((name, _)) = self.terms.functor(grammar) else {
                return Vec::new();
            };
            if is_control_goal(&self.terms, grammar) || is_no_closure(name) {
                return Vec::new();
            }
            let name = match split_name(name) {
                Some((_, name)) if module.is_some() => SmolStr::from(name),
                _ => name.clone(),
            };
            let mut arguments: Vec<TermId> = self.terms.args(grammar).to_vec();
            arguments.extend([list, rest]);
            let mut call = self.terms.compound(name, &arguments);
            if let Some(module) = module {
                call = self.in_module(&module, call);
            }
            (call, call)
        };
        if !is_checked {
            let (name, arguments) = match self.terms.functor(call) {
                Some((name, _)) => (name.clone(), self.terms.args(call).to_vec()),
                None => return Vec::new(),
            };
            self.set(goal, name, &arguments);
            return vec![if inside == call { goal } else { inside }];
        }
        let checks = [list, rest].map(|t| self.terms.compound(PHRASE_CHECK, &[t]));
        let tail = build::conjunction(&mut self.terms, checks[1], call);
        build::put_conjunction(&mut self.terms, goal, checks[0], tail);
        self.changed = true;
        vec![inside]
    }

    /// Returns a grammar body in which variables are replaced by the bodies to which they are known to be bound: `phrase/3` translates the
    /// whole body when it is called, so a cut in one of them cuts the whole body. Returns `None` if a variable may be bound to an unknown
    /// body.
    fn whole_grammar(&mut self, grammar: TermId) -> Option<TermId> {
        enum Task {
            Look(TermId),
            Join(SmolStr, usize),
        }
        let (mut done, mut tasks) = (Vec::new(), vec![Task::Look(grammar)]);
        while let Some(task) = tasks.pop() {
            match task {
                Task::Look(part) => {
                    let part = self.known(part);
                    self.grammars = self.grammars.checked_sub(1)?;
                    if is_control_goal(&self.terms, part) {
                        let (name, arity) = self.terms.functor(part)?;
                        tasks.push(Task::Join(name.clone(), arity));
                        tasks.extend(self.terms.args(part).iter().rev().map(|&a| Task::Look(a)));
                        continue;
                    }
                    let terminals = match self.terms.get(part) {
                        Term::String(text) => text.len(),
                        _ => self.terms.list(part).0.len(),
                    };
                    self.grammars = self.grammars.checked_sub(terminals)?;
                    match (self.terms.get(part), self.terms.matches(part, "{}", 1)) {
                        (Term::Var(_), _) => return None,
                        (_, Some(&[goal])) if self.calls_variable(goal) => return None,
                        _ => done.push(part),
                    }
                }
                Task::Join(name, arity) => {
                    let parts = done.split_off(done.len().checked_sub(arity)?);
                    done.push(self.terms.compound(name, &parts));
                }
            }
        }
        done.pop()
    }

    /// Returns whether a goal calls a variable in a position where a cut in its value would cut the whole goal.
    fn calls_variable(&self, goal: TermId) -> bool {
        let mut stack = vec![goal];
        while let Some(part) = stack.pop() {
            match Goal::lower(&self.terms, part) {
                Goal::Variable(_) => return true,
                lowered => stack.extend(lowered.operands()),
            }
        }
        false
    }

    /// Substitutes the closures passed by a call into the called predicate.
    fn specialise(&mut self, goal: TermId, functor: &Functor, args: &[TermId]) -> bool {
        let called = self.scope.called_arguments(functor);
        if called.is_empty() {
            return false;
        }
        let mut lifted = Vec::new();
        let closures: Vec<(usize, Closure)> = called
            .into_iter()
            .filter_map(|i| {
                let before = lifted.len();
                let closure = SkeletonBuilder::closure(self, *args.get(i)?, &mut lifted)?;
                if !closure.is_as_written && !self.scope.only_calls(functor, i) {
                    lifted.truncate(before);
                    return None;
                }
                Some((i, closure))
            })
            .collect();
        if closures.is_empty() {
            return false;
        }
        let name = made_name(functor, &closures);
        let mut arguments = Vec::new();
        for (i, &argument) in args.iter().enumerate() {
            match closures.iter().find(|(j, _)| *j == i) {
                Some((_, closure)) => arguments.extend(&closure.passed),
                None => arguments.push(argument),
            }
        }
        let made = Functor::new(name.clone(), arguments.len());
        if name.len() > LONGEST_NAME || self.scope.is_own(&made) {
            return false;
        }
        self.set(goal, name, &arguments);
        self.lifted.append(&mut lifted);
        self.wanted.entry(made).or_insert_with(|| NeededCopy {
            from: functor.clone(),
            closures: closures.into_iter().map(|(i, c)| (i, c.skeleton)).collect(),
        });
        true
    }

    pub(super) fn set(&mut self, goal: TermId, name: SmolStr, arguments: &[TermId]) {
        self.terms.replace(goal, name, arguments);
        self.changed = true;
    }

    /// Replaces a goal by `call(G)`.
    pub(super) fn set_call(&mut self, goal: TermId, inner: TermId) {
        build::put_call(&mut self.terms, goal, inner);
        self.changed = true;
    }

    /// Replaces a goal by `M:G`.
    fn set_qualified(&mut self, goal: TermId, module: TermId, inner: TermId) {
        build::put_qualified(&mut self.terms, goal, module, inner);
        self.changed = true;
    }
}

/// Returns the name of a copy, such as `maplist(add(_1))`; arguments without a closure that precede one with a closure are written `_`.
fn made_name(functor: &Functor, closures: &[(usize, Closure)]) -> SmolStr {
    let last = closures.iter().map(|(i, _)| *i).max().unwrap_or(0);
    let parts: Vec<&str> = (0..=last)
        .map(|i| {
            closures
                .iter()
                .find(|(j, _)| *j == i)
                .map_or("_", |(_, c)| c.skeleton.text.as_str())
        })
        .collect();
    format_smolstr!("{}({})", functor.name, parts.join(", "))
}

fn is_lambda(terms: &Terms, term: TermId) -> bool {
    (terms.functor(term))
        .is_some_and(|(name, arity)| matches!(name.as_str(), ">>" | "/") && arity >= 2)
}

/// Returns true for the names of terms that are not plain goals once arguments are added.
fn is_no_closure(name: &str) -> bool {
    matches!(
        name,
        "[]" | "{}" | "!" | CONS | ">>" | "/" | ":" | "^" | "{|}"
    )
}
