//! Walks through clauses, for summaries of predicates in terms of their own arguments, and for the dependences around each call.

use std::collections::{BTreeMap, BTreeSet};

use costlens_analysis::report::Determinism;
use costlens_body::{Arrow, Collector, Goal, conjuncts};
use costlens_catalog::meta_arguments;
use costlens_program::Functor;
use costlens_program::language::{Clause, ClauseKind};
use costlens_syntax::term::{Term, TermId, Terms};
use rustc_hash::FxHashMap;

use super::builtins::{self, ArgumentMode};
use super::state::{Known, State};
use super::{Arguments, Once, Solutions, WORLD};
use crate::program::Program;

/// More deeply nested control constructs are not analysed.
const DEEPEST: usize = 100;
/// Clauses with more variables or terms are not analysed.
const LARGEST: usize = 4000;
/// The maximum number of rounds of the summaries. If they do not suffice, everything is taken to depend on everything.
const ROUNDS: usize = 200;

/// The summary of a predicate. Sets are sets of its own arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Summary {
    /// Arguments that are ground in every call.
    ground_in: Vec<bool>,
    /// Arguments that are in every call a variable that occurs nowhere else.
    free_in: Vec<bool>,
    /// Arguments that are ground on exit.
    ground_out: Vec<bool>,
    /// The arguments that flow into each argument.
    out: Vec<u64>,
    /// The arguments that decide which clauses run.
    pub(super) selects: u64,
    /// The arguments that decide whether and how often it succeeds.
    decides: u64,
    pub(super) clauses: Vec<OfClause>,
}

/// The goals of a clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct OfClause {
    pub(super) sites: Vec<Site>,
    /// The inputs that decide how often each literal is reached.
    pub(super) before: BTreeMap<TermId, u64>,
    /// The union of all dependences in it.
    pub(super) everything: u64,
    /// Set if it was not analysed.
    pub(super) opaque: bool,
}

/// A call of a predicate in a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Site {
    pub(super) callee: Functor,
    /// The inputs that each argument depends on.
    pub(super) arguments: Vec<u64>,
    /// The inputs that decide how often it is called.
    pub(super) before: u64,
    /// The inputs that decide whether backtracking returns to it.
    pub(super) redo: u64,
    /// Set if goals after the clause may also backtrack into it.
    pub(super) open: bool,
}

/// A goal passed on the walk through a clause, by its place in it.
struct Passed {
    goal: Option<TermId>,
    site: Option<usize>,
    /// The inputs that decide whether it fails.
    fails: u64,
}

/// Returns the summaries of the predicates that a call reaches.
pub(super) fn summaries(
    program: &Program,
    predicate: &Functor,
    (ground, free): (&[bool], &[bool]),
    (solutions, once): (&Solutions<'_>, &Once<'_>),
) -> FxHashMap<Functor, Summary> {
    let mut all: FxHashMap<Functor, Summary> = FxHashMap::default();
    let mut order = vec![predicate.clone()];
    all.insert(predicate.clone(), Summary::new(ground, free));
    let mut known = FxHashMap::default();
    for round in 0..ROUNDS {
        let mut changed = false;
        let (mut at, known_before) = (0, order.len());
        while at < order.len() {
            // Every second round goes from callees to callers, so that chains of calls take few rounds.
            let backwards = round % 2 == 1 && at < known_before;
            let functor = order[if backwards { known_before - 1 - at } else { at }].clone();
            at += 1;
            let Some(clauses) = program.clauses.get(&functor) else {
                continue;
            };
            let mut fresh = all[&functor].clone();
            fresh.clauses.clear();
            fresh.selects |= selects(clauses, &fresh.free_in);
            let mut walk = Walk {
                program,
                solutions,
                once,
                known: &mut known,
                all: &mut all,
                order: &mut order,
                changed: &mut changed,
            };
            for (clause, number) in clauses.iter().zip(1..) {
                walk.clause(clause, (&functor, number), &mut fresh);
            }
            fresh.decides |= fresh.selects;
            let old = all.get(&functor);
            // Calls on the way may have added knowledge of its arguments.
            if let Some(old) = old {
                fresh.ground_in.clone_from(&old.ground_in);
                fresh.free_in.clone_from(&old.free_in);
            }
            if old != Some(&fresh) {
                changed = true;
                all.insert(functor, fresh);
            }
        }
        if !changed {
            return all;
        }
    }
    // The rounds do not converge: everything is taken to depend on everything.
    all.values_mut()
        .for_each(|summary| summary.selects = u64::MAX);
    all
}

/// Returns the arguments that heads inspect. A free argument matches any term in a head, so it decides nothing.
fn selects(clauses: &[Clause], free: &[bool]) -> u64 {
    let mut selects = 0;
    for clause in clauses {
        let arguments = clause.terms.args(clause.head);
        let mut seen: Vec<(u32, usize)> = Vec::new();
        for (j, (&argument, _)) in
            (arguments.iter().zip(free).enumerate()).filter(|(_, (_, is_free))| !**is_free)
        {
            match clause.terms.get(argument) {
                Term::Var(v) => {
                    // The variable occurs twice in a head: both arguments are inspected.
                    if let Some(&(_, first)) = seen.iter().find(|(w, _)| w == v) {
                        selects |= Arguments::one(j).0 | Arguments::one(first).0;
                    }
                    seen.push((*v, j));
                }
                _ => selects |= Arguments::one(j).0,
            }
        }
    }
    selects
}

impl Summary {
    fn new(ground_in: &[bool], free_in: &[bool]) -> Self {
        let arity = ground_in.len();
        Summary {
            ground_out: vec![true; arity],
            out: vec![0; arity],
            ground_in: ground_in.to_vec(),
            free_in: free_in.to_vec(),
            ..Summary::default()
        }
    }
}

/// Returns the goal of `cost_independent(G)`, `cost_depends(G, Inputs)` and `cost_center(Name, G)`.
fn measured(terms: &Terms, goal: TermId) -> Option<TermId> {
    match (terms.functor(goal)?.0.as_str(), terms.args(goal)) {
        ("cost_independent", &[inner])
        | ("cost_depends", &[inner, _])
        | ("cost_center", &[_, inner]) => Some(inner),
        _ => None,
    }
}

struct Walk<'w, 's> {
    program: &'w Program,
    solutions: &'w Solutions<'s>,
    once: &'w Once<'s>,
    known: &'w mut FxHashMap<Functor, Vec<(Vec<bool>, Determinism)>>,
    all: &'w mut FxHashMap<Functor, Summary>,
    order: &'w mut Vec<Functor>,
    changed: &'w mut bool,
}

/// The walk through a clause.
struct Inside<'c> {
    terms: &'c Terms,
    /// The predicate, and the number of the clause.
    of: (&'c Functor, usize),
    state: State,
    found: OfClause,
    passed: Vec<Passed>,
    /// Pairs of places: from after the second place, there is no backtracking into goals from the first place on.
    barriers: Vec<(usize, usize)>,
}

impl Walk<'_, '_> {
    fn clause(&mut self, clause: &Clause, of: (&Functor, usize), summary: &mut Summary) {
        let terms = &clause.terms;
        let arguments = terms.args(clause.head);
        if terms.len() > LARGEST {
            summary.clauses.push(OfClause {
                everything: u64::MAX,
                opaque: true,
                ..OfClause::default()
            });
            summary.out.fill(u64::MAX);
            summary.ground_out.fill(false);
            summary.decides = u64::MAX;
            return;
        }
        let mut state = State::new(terms.variables());
        for (j, &argument) in arguments.iter().enumerate() {
            for v in terms.variables_of(argument) {
                let v = v as usize;
                state.deps[v] |= Arguments::one(j).0;
                match (summary.ground_in.get(j), summary.free_in.get(j)) {
                    (Some(true), _) => state.known[v] = Known::Ground,
                    // The caller considers it when the clause has ended.
                    (_, Some(true)) => {}
                    _ if state.known[v] != Known::Ground => state.known[v] = Known::Partial,
                    _ => {}
                }
            }
        }
        let mut inside = Inside {
            terms,
            of,
            state,
            found: OfClause::default(),
            passed: Vec::new(),
            barriers: Vec::new(),
        };
        let mut control = summary.selects;
        if let Some(guard) = clause.guard {
            control = self.goal(&mut inside, guard, control, 0);
        }
        if clause.kind == ClauseKind::SingleSided {
            inside.barriers.push((0, inside.passed.len()));
        }
        if let Some(body) = clause.body {
            control = self.goal(&mut inside, body, control, 0);
        }
        summary.decides |= control;
        for (j, &argument) in arguments.iter().enumerate() {
            let ground = inside.state.is_ground(terms, argument);
            let was_ground = summary.ground_in.get(j) == Some(&true);
            if let Some(out) = summary.ground_out.get_mut(j) {
                *out &= ground || was_ground;
            }
            if let Some(out) = summary.out.get_mut(j) {
                *out |= inside.state.deps_of(terms, argument);
                if !was_ground {
                    *out |= summary.selects;
                }
            }
        }
        summary.clauses.push(inside.finish(control));
    }

    /// Walks through a goal. Returns the inputs that decide whether the following goals are reached, given those in `control` before it.
    fn goal(&mut self, inside: &mut Inside<'_>, goal: TermId, control: u64, depth: usize) -> u64 {
        let terms = inside.terms;
        let mut control = control;
        for part in conjuncts(terms, goal) {
            let before = inside.passed.len();
            let behind = self.part(inside, part, control, depth);
            let (functor, number) = inside.of;
            if (self.once)(functor, number, part) {
                // The goal has never failed, nor been re-entered.
                for passed in inside.passed.iter_mut().skip(before) {
                    passed.fails = 0;
                }
            } else {
                control = behind;
            }
        }
        control
    }

    fn part(&mut self, inside: &mut Inside<'_>, goal: TermId, control: u64, depth: usize) -> u64 {
        let terms = inside.terms;
        inside.found.before.insert(goal, control);
        if depth > DEEPEST {
            inside.found.opaque = true;
            return u64::MAX;
        }
        let Some(functor) = Functor::of(terms, goal) else {
            // The goal is a variable whose value is not known statically.
            inside.found.opaque = true;
            return control | inside.state.deps_of(terms, goal) | WORLD;
        };
        let is_bound = |inner: &TermId| !matches!(terms.get(*inner), Term::Var(_));
        match Goal::of(terms, goal) {
            Goal::Qualified { goal, .. } => self.part(inside, goal, control, depth + 1),
            Goal::Cut => {
                inside.barriers.push((0, inside.passed.len()));
                control
            }
            Goal::IfThenElse {
                arrow,
                condition,
                then,
                otherwise,
            } => {
                let before = inside.state.clone();
                let at = self.condition(inside, (arrow, condition), control, depth);
                let mut behind = self.goal(inside, then, at, depth + 1);
                let taken = std::mem::replace(&mut inside.state, before);
                behind |= self.goal(inside, otherwise, at, depth + 1);
                inside.state.join(&taken);
                behind
            }
            Goal::Disjunction(left, right) | Goal::Bar(left, right) => {
                let before = inside.state.clone();
                let behind = self.goal(inside, left, control, depth + 1);
                let taken = std::mem::replace(&mut inside.state, before);
                let other = self.goal(inside, right, behind, depth + 1);
                inside.state.join(&taken);
                behind | other
            }
            Goal::IfThen {
                arrow,
                condition,
                then,
            } => {
                let at = self.condition(inside, (arrow, condition), control, depth);
                self.goal(inside, then, at, depth + 1)
            }
            Goal::Not(inner) => self.alone(inside, inner, control, depth),
            Goal::Forall { condition, action } => {
                let before = inside.state.clone();
                let begin = inside.passed.len();
                let at = self.goal(inside, condition, control, depth + 1);
                let at = self.goal(inside, action, at, depth + 1);
                inside.barriers.push((begin, inside.passed.len()));
                inside.state = before;
                at
            }
            Goal::Collect {
                collector,
                template,
                goal,
                result,
                rest: None,
            } => {
                let at = self.collect(inside, (template, goal, result), control, depth);
                // The other collectors fail if there is no solution.
                match collector {
                    Collector::FindAll => control,
                    _ => at,
                }
            }
            Goal::Once(inner) if is_bound(&inner) => self.first(inside, inner, control, depth),
            Goal::Ignore(inner) if is_bound(&inner) => {
                self.first(inside, inner, control, depth);
                control
            }
            Goal::CallN {
                closure: inner,
                added: [],
            } if is_bound(&inner) => self.goal(inside, inner, control, depth + 1),
            Goal::Catch {
                goal,
                ball,
                recovery,
                keeps_backtrace: false,
            } => {
                let before = inside.state.clone();
                let at = self.goal(inside, goal, control, depth + 1);
                let taken = std::mem::replace(&mut inside.state, before);
                inside.state.assign(terms, ball, at, false);
                let other = self.goal(inside, recovery, at, depth + 1);
                inside.state.join(&taken);
                at | other
            }
            Goal::Unify(a, b) => inside.unify(goal, a, b, control),
            _ => {
                if let Some(inner) = measured(terms, goal).filter(is_bound) {
                    return self.goal(inside, inner, control, depth + 1);
                }
                let arguments = terms.args(goal);
                if self.program.clauses.contains_key(&functor)
                    || self.program.dynamic.contains(&functor)
                {
                    self.call(inside, goal, &functor, arguments, control)
                } else {
                    self.system(inside, goal, &functor, arguments, control)
                }
            }
        }
    }

    /// Walks through the first solution of a goal: later goals do not backtrack into it.
    fn first(&mut self, inside: &mut Inside<'_>, goal: TermId, control: u64, depth: usize) -> u64 {
        let begin = inside.passed.len();
        let at = self.goal(inside, goal, control, depth + 1);
        inside.barriers.push((begin, inside.passed.len()));
        at
    }

    /// Walks through a condition: goals after `->` do not backtrack into it.
    fn condition(
        &mut self,
        inside: &mut Inside<'_>,
        (arrow, condition): (Arrow, TermId),
        control: u64,
        depth: usize,
    ) -> u64 {
        match arrow {
            Arrow::Hard => self.first(inside, condition, control, depth),
            Arrow::Soft => self.goal(inside, condition, control, depth + 1),
        }
    }

    /// Walks through a goal that binds nothing outside of it: `\+ G`.
    fn alone(&mut self, inside: &mut Inside<'_>, goal: TermId, control: u64, depth: usize) -> u64 {
        let before = inside.state.clone();
        let at = self.first(inside, goal, control, depth);
        inside.state = before;
        at
    }

    /// Walks through `findall(T, G, L)`: the list depends on all inputs that decide which solutions there are.
    fn collect(
        &mut self,
        inside: &mut Inside<'_>,
        (template, goal, list): (TermId, TermId, TermId),
        control: u64,
        depth: usize,
    ) -> u64 {
        let terms = inside.terms;
        let before = inside.state.clone();
        let mut inner = goal;
        while let Goal::Quantified { goal: below, .. } = Goal::of(terms, inner) {
            inner = below;
        }
        let at = self.first(inside, inner, control, depth);
        let deps = at | inside.state.deps_of(terms, template);
        let ground = inside.state.is_ground(terms, template);
        inside.state = before;
        inside.state.assign(terms, list, deps, ground);
        at
    }

    /// Returns the known number of solutions of a call: that of the first pattern that it fits.
    fn determinism(&mut self, functor: &Functor, free: &[bool]) -> Option<Determinism> {
        let solutions = self.solutions;
        let known = (self.known.entry(functor.clone())).or_insert_with(|| solutions(functor));
        let fits = |pattern: &[bool]| {
            pattern.len() == free.len() && pattern.iter().zip(free).all(|(p, f)| !p || *f)
        };
        let found = known.iter().find(|(pattern, _)| fits(pattern));
        found.map(|(_, determinism)| *determinism)
    }

    /// Walks through a call of a predicate of the program.
    fn call(
        &mut self,
        inside: &mut Inside<'_>,
        goal: TermId,
        functor: &Functor,
        arguments: &[TermId],
        control: u64,
    ) -> u64 {
        let terms = inside.terms;
        let deps: Vec<u64> = (arguments.iter())
            .map(|&a| inside.state.deps_of(terms, a))
            .collect();
        let free: Vec<bool> = (arguments.iter())
            .map(|&a| inside.state.is_free(terms, a))
            .collect();
        let ground: Vec<bool> = (arguments.iter())
            .map(|&a| inside.state.is_ground(terms, a))
            .collect();
        // A variable in two arguments has a value in one when the other is inspected.
        let unknown: Vec<bool> = (0..arguments.len())
            .map(|j| {
                let others = [&arguments[..j], &arguments[j + 1..]].concat();
                inside.state.is_apart(terms, arguments[j], &others)
            })
            .collect();
        let summary = self.meet(functor, &ground, &unknown);
        let mapped = |set: u64| map(set, &deps);
        let state = if self.program.dynamic.contains(functor) {
            WORLD
        } else {
            0
        };
        let mut decides = mapped(summary.decides) | state;
        let site = Site {
            callee: functor.clone(),
            arguments: deps.clone(),
            before: control,
            redo: 0,
            open: false,
        };
        let determinism = match state {
            0 => self.determinism(functor, &free),
            _ => None,
        };
        if matches!(determinism, Some(Determinism::Det)) {
            decides = 0;
        }
        for (j, &argument) in arguments.iter().enumerate() {
            let out = summary.out.get(j).copied().unwrap_or(u64::MAX);
            let ground_out = summary.ground_out.get(j) == Some(&true);
            let set = mapped(out) | control | state;
            inside
                .state
                .assign(terms, argument, set, ground_out && state == 0);
        }
        inside.state.share(terms, arguments);
        inside.found.sites.push(site);
        inside.passed.push(Passed {
            goal: Some(goal),
            site: Some(inside.found.sites.len() - 1),
            fails: match determinism {
                Some(Determinism::Multi) => 0,
                _ => decides,
            },
        });
        control | decides
    }

    /// Returns the summary of a predicate as far as it is known, after adding a call of it.
    fn meet(&mut self, functor: &Functor, ground: &[bool], free: &[bool]) -> Summary {
        let known = self.all.entry(functor.clone()).or_insert_with(|| {
            self.order.push(functor.clone());
            *self.changed = true;
            Summary::new(ground, free)
        });
        let grounds = known.ground_in.iter_mut().zip(ground);
        for (own, more) in grounds.chain(known.free_in.iter_mut().zip(free)) {
            if *own && !more {
                *own = false;
                *self.changed = true;
            }
        }
        known.clone()
    }

    /// Walks through a call of a predicate that the program does not define.
    fn system(
        &mut self,
        inside: &mut Inside<'_>,
        goal: TermId,
        functor: &Functor,
        arguments: &[TermId],
        control: u64,
    ) -> u64 {
        let terms = inside.terms;
        let (name, arity) = (functor.name.as_str(), functor.arity);
        let mut deps = inside.state.deps_of(terms, goal);
        if builtins::is_test(name, arity) {
            inside.pass(goal, None, deps);
            return control | deps;
        }
        let mut decides = deps;
        if builtins::is_of_the_world(name, arity) {
            deps |= WORLD;
            decides |= WORLD;
        }
        let mut closes = true;
        for meta in meta_arguments(name, arity) {
            if let Some(&closure) = arguments.get(meta.argument) {
                closes = false;
                let called = self.closure(inside, (closure, arguments), control | deps);
                match called {
                    Some((out, decided)) => {
                        deps |= out;
                        decides |= decided;
                    }
                    None => {
                        inside.found.opaque = true;
                        deps |= WORLD;
                        decides |= WORLD;
                    }
                }
            }
        }
        let free: Vec<bool> = (arguments.iter())
            .map(|&a| inside.state.is_free(terms, a))
            .collect();
        let modes = builtins::modes(name, arity);
        let is_input = |j: usize| {
            modes
                .as_ref()
                .is_some_and(|m| m.get(j) == Some(&ArgumentMode::Input))
        };
        let usual = modes.is_some() && (0..arity).all(|j| is_input(j) || free[j]);
        let inputs_ground = modes.is_some()
            && (0..arity).all(|j| !is_input(j) || inside.state.is_ground(terms, arguments[j]));
        let ground = closes
            && inputs_ground
            && (builtins::grounds(name, arity) || usual && name == "length");
        let once = usual && builtins::succeeds_once(name, arity)
            || self.determinism(functor, &free) == Some(Determinism::Det);
        if once && closes {
            decides = 0;
        }
        inside.found.sites.push(Site {
            callee: functor.clone(),
            arguments: vec![deps; arity],
            before: control,
            redo: 0,
            open: false,
        });
        for &argument in arguments {
            inside.state.assign(terms, argument, deps | control, ground);
        }
        inside.state.share(terms, arguments);
        let site = Some(inside.found.sites.len() - 1);
        inside.pass(goal, site, decides);
        control | decides
    }

    /// Walks through a closure that a library predicate calls. Returns the dependences of the values that its calls leave in its arguments,
    /// and the inputs that decide how they end, or `None` if the called predicate is not known statically.
    fn closure(
        &mut self,
        inside: &mut Inside<'_>,
        (closure, arguments): (TermId, &[TermId]),
        control: u64,
    ) -> Option<(u64, u64)> {
        let terms = inside.terms;
        let (name, own) = terms.functor(closure)?;
        if matches!((name.as_str(), own), (">>", 2)) {
            let &[_, body] = terms.args(closure) else {
                return None;
            };
            // Parameters may depend on any of the other arguments.
            let others = arguments.iter().filter(|&&a| a != closure);
            let deps = others.fold(0, |sum, &a| sum | inside.state.deps_of(terms, a));
            let before = inside.state.clone();
            inside.state.assign(terms, closure, deps | control, false);
            let at = self.goal(inside, body, control, DEEPEST / 2);
            let out = at | inside.state.deps_of(terms, closure);
            inside.state = before;
            return Some((out, at));
        }
        // These are the predicates with the closure's own arguments and some more.
        let named: BTreeSet<Functor> = (self.program.clauses.keys())
            .filter(|f| f.name == *name && f.arity >= own)
            .cloned()
            .collect();
        let system = named.is_empty();
        let all = arguments
            .iter()
            .fold(0, |sum, &a| sum | inside.state.deps_of(terms, a));
        let (mut out, mut decides) = (all, if system { all } else { 0 });
        for functor in named {
            let mut deps: Vec<u64> = (terms.args(closure).iter())
                .map(|&a| inside.state.deps_of(terms, a))
                .collect();
            let mut ground: Vec<bool> = (terms.args(closure).iter())
                .map(|&a| inside.state.is_ground(terms, a))
                .collect();
            // The added arguments come from all other arguments; if these are lists, in their order.
            let lists: Vec<TermId> = arguments
                .iter()
                .copied()
                .filter(|&a| a != closure)
                .collect();
            for extra in 0..functor.arity - own {
                let from = lists.get(extra).copied();
                deps.push(match lists.len() == functor.arity - own {
                    true => from.map_or(all, |a| inside.state.deps_of(terms, a)),
                    false => all,
                });
                ground.push(from.is_some_and(|a| inside.state.is_ground(terms, a)));
            }
            let free = vec![false; ground.len()];
            let summary = self.meet(&functor, &ground, &free);
            decides |= map(summary.decides, &deps);
            for set in &summary.out {
                out |= map(*set, &deps);
            }
            inside.found.sites.push(Site {
                callee: functor,
                arguments: deps,
                before: control,
                redo: 0,
                open: false,
            });
            let site = Some(inside.found.sites.len() - 1);
            inside.passed.push(Passed {
                goal: None,
                site,
                fails: decides,
            });
        }
        Some((out, decides))
    }
}

/// Maps a set of a predicate's arguments to the dependences of these.
pub(super) fn map(set: u64, arguments: &[u64]) -> u64 {
    if set == u64::MAX {
        return set;
    }
    let own = arguments.iter().enumerate();
    own.filter(|(j, _)| set & Arguments::one(*j).0 != 0)
        .fold(set & WORLD, |sum, (_, deps)| sum | deps)
}

impl Inside<'_> {
    fn pass(&mut self, goal: TermId, site: Option<usize>, fails: u64) {
        self.passed.push(Passed {
            goal: Some(goal),
            site,
            fails,
        });
    }

    fn unify(&mut self, goal: TermId, a: TermId, b: TermId, control: u64) -> u64 {
        let terms = self.terms;
        let deps = self.state.deps_of(terms, a) | self.state.deps_of(terms, b);
        // A variable that occurs nowhere else takes any value.
        let never_fails = self.state.is_free(terms, a) || self.state.is_free(terms, b);
        let (ground_a, ground_b) = (
            self.state.is_ground(terms, a),
            self.state.is_ground(terms, b),
        );
        let free = [a, b].map(|id| self.state.is_free(terms, id));
        let unbound = [a, b].map(|id| self.state.unbound(terms, id));
        self.state.assign(terms, a, deps | control, ground_b);
        self.state.assign(terms, b, deps | control, ground_a);
        self.state.share(terms, &[a, b]);
        match free {
            [true, _] => self.state.bind(terms, a, b, &unbound[1]),
            [false, true] => self.state.bind(terms, b, a, &unbound[0]),
            [false, false] => {}
        }
        let decides = if never_fails { 0 } else { deps };
        self.pass(goal, None, decides);
        control | decides
    }

    /// Returns the results, after adding to each goal the failures that backtrack into it.
    fn finish(self, control: u64) -> OfClause {
        let Inside {
            mut found,
            passed,
            barriers,
            state,
            ..
        } = self;
        let end = |at: usize| {
            let closing = barriers.iter().filter(|(from, to)| *from <= at && at < *to);
            closing.map(|(_, to)| *to).min()
        };
        for (at, goal) in passed.iter().enumerate() {
            let until = end(at);
            let behind = &passed[at..until.unwrap_or(passed.len()).max(at)];
            let redo = behind.iter().fold(0, |sum, p| sum | p.fails);
            if let Some(site) = goal.site.and_then(|n| found.sites.get_mut(n)) {
                site.redo |= redo;
                site.open |= until.is_none();
            }
            if let Some(before) = goal.goal.and_then(|g| found.before.get_mut(&g)) {
                *before |= redo;
            }
        }
        found.everything = state.deps.iter().fold(control, |sum, d| sum | d);
        if found.opaque {
            found.everything |= WORLD;
        }
        found
    }
}
