//! The calls that a body makes: processes the goals of a clause from left to right, tracking facts about its variables.
//!
//! `main :- numlist(1, 9, L), sum(L, S), print(S).` calls `sum/2` with `(list(int), var)`. A call is *sure* if every part of it comes from
//! constants, from arguments with observed or declared types, or from applying arithmetic and built-ins to these. It is not sure if some
//! value was computed by a predicate of the program, whose shapes are only guesses.

mod values;

use std::sync::Arc;

use costlens_body::{Goal, Related, TypeTest};
use costlens_catalog::{Relation, meta_arguments, relation};
use costlens_infer::regular::Regulars;
use costlens_infer::types::{Pattern, Type};
use costlens_program::{Clause, ClauseKind, Functor, StartedGoal};
use costlens_syntax::term::{CONS, Term, TermId, Terms};

use super::KnownCallee;
use super::bodies::{self, catcher};
use super::library::usual_pattern;
use super::shapes::{Scheme, ShapeIndex, Shapes};
use super::signatures::{ground_arguments, signature_of};
use super::typing::{self, goal_shapes};
use super::variables::unbound;

/// The maximum number of goals examined in one body.
const MOST_GOALS: usize = 400;

/// A call found in the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeenCall {
    /// The callee.
    pub callee: Functor,
    /// The call pattern.
    pub pattern: Pattern,
    /// True if no part of the pattern is guessed.
    pub sure: bool,
    /// The indices of the arguments that are structures with only unbound variables as arguments.
    pub hollow: Vec<usize>,
    /// The indices of the arguments that are bound and certainly contain unbound variables, so that no ground type admits them.
    pub partial: Vec<usize>,
}

/// A call pattern of the caller.
#[derive(Clone, Copy, Debug)]
pub struct CallContext<'a> {
    /// The pattern.
    pub pattern: &'a Pattern,
    /// True if the pattern is declared or observed.
    pub sure: bool,
    /// The shapes of the values that the caller passes through.
    pub scheme: &'a Scheme,
}

/// The program to which a body belongs.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// Returns the known facts about a predicate.
    pub callee: &'a dyn Fn(&Functor) -> Option<KnownCallee>,
    /// Returns whether the calls of a predicate should be reported.
    pub wanted: &'a dyn Fn(&Functor) -> bool,
    /// The regular types that the file defines.
    pub types: &'a Regulars,
}

/// Returns the calls that a clause makes when it is called with the context's pattern.
#[must_use]
pub fn calls_of_clause(
    clause: &Clause,
    context: CallContext<'_>,
    around: Surroundings<'_>,
) -> Vec<SeenCall> {
    let terms = &clause.terms;
    let head = terms.args(clause.head);
    if clause.kind == ClauseKind::Dcg || head.len() != context.pattern.0.len() {
        return Vec::new();
    }
    let bodies: Vec<TermId> = [clause.guard, clause.body].into_iter().flatten().collect();
    let seeded = typing::Seed {
        head,
        scheme: context.scheme,
        pattern: context.pattern,
    };
    let Some((shapes, nodes)) = goal_shapes(terms, Some(seeded), &bodies, around.callee) else {
        return Vec::new();
    };
    let mut walk = Walk::new(terms, shapes, nodes, around);
    for (&argument, of) in head.iter().zip(&context.pattern.0) {
        walk.enter(argument, of, context.sure);
    }
    for body in bodies {
        walk.body(body);
    }
    walk.found
}

/// Returns the calls that a goal outside any clause makes.
#[must_use]
pub fn calls_of_goal(started: &StartedGoal, around: Surroundings<'_>) -> Vec<SeenCall> {
    let StartedGoal { terms, goal } = started;
    let Some((shapes, nodes)) = goal_shapes(terms, None, &[*goal], around.callee) else {
        return Vec::new();
    };
    let mut walk = Walk::new(terms, shapes, nodes, around);
    walk.body(*goal);
    walk.found
}

/// The known state of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BindingState {
    Unbound {
        sure: bool,
    },
    Bound {
        sure: bool,
        /// True if the value certainly contains no variable.
        ground: bool,
    },
    /// A proper list of fresh variables: `length(L, 3)`.
    Spine {
        sure: bool,
    },
    /// Possibly bound, possibly shared.
    Anything {
        sure: bool,
    },
}

impl BindingState {
    fn is_sure(self) -> bool {
        match self {
            BindingState::Unbound { sure }
            | BindingState::Bound { sure, .. }
            | BindingState::Spine { sure }
            | BindingState::Anything { sure } => sure,
        }
    }
}

/// An argument of a call: as written, or added by a meta-predicate.
#[derive(Clone, Debug)]
enum CallArgument {
    Term(TermId),
    Of(Type, bool),
}

enum Step {
    Goal(TermId, Vec<CallArgument>),
    /// From here on, every variable of the goal is known.
    Learn(TermId),
    /// An exception has been unified with this term at this point.
    Caught(TermId),
    /// The start of the second branch of a disjunction, with the variable that its condition tested to be unbound.
    Or(Option<u32>),
    /// The end of both branches.
    Joined,
    /// Bindings made since the start of the branch are undone.
    Undone,
}

/// Facts about the variables at one point of a body.
#[derive(Clone)]
struct Knowledge {
    states: Vec<BindingState>,
    /// Unifications such as `X = f(Y)` with both sides unknown.
    pending: Vec<(TermId, TermId)>,
}

struct Walk<'a> {
    terms: &'a Arc<Terms>,
    shapes: Shapes,
    nodes: Vec<ShapeIndex>,
    around: Surroundings<'a>,
    knowledge: Knowledge,
    /// The facts at the start of each enclosing disjunction, or at the end of its first branch.
    branches: Vec<Knowledge>,
    /// The types of variables that are arguments of the head, or elements or tails of lists in it.
    given: Vec<Option<Type>>,
    found: Vec<SeenCall>,
}

impl<'a> Walk<'a> {
    fn new(
        terms: &'a Arc<Terms>,
        shapes: Shapes,
        nodes: Vec<ShapeIndex>,
        around: Surroundings<'a>,
    ) -> Self {
        Self {
            knowledge: Knowledge {
                states: vec![BindingState::Unbound { sure: true }; terms.variables() as usize],
                pending: Vec::new(),
            },
            branches: Vec::new(),
            given: vec![None; terms.variables() as usize],
            found: Vec::new(),
            terms,
            shapes,
            nodes,
            around,
        }
    }

    /// Assigns the type on call to an argument of the head.
    fn enter(&mut self, argument: TermId, of: &Type, sure: bool) {
        let mut at = argument;
        loop {
            match (self.terms.get(at), of) {
                (_, Type::Free) => {
                    for v in self.variables(at) {
                        self.set(v, BindingState::Unbound { sure });
                    }
                    return;
                }
                (Term::Var(v), of) => return self.give(*v, of, sure),
                (Term::Compound(name, _), Type::List(element)) if name == CONS => {
                    let &[first, rest] = self.terms.args(at) else {
                        return;
                    };
                    for v in self.variables(first) {
                        match self.terms.get(first) {
                            Term::Var(_) => self.give(v, element, sure),
                            _ => self.set(v, state_inside(element, sure)),
                        }
                    }
                    at = rest;
                }
                (_, of) => {
                    let state = state_inside(of, sure);
                    for v in self.variables(at) {
                        self.set(v, state);
                    }
                    return;
                }
            }
        }
    }

    /// Assigns a type to a variable.
    fn give(&mut self, variable: u32, of: &Type, sure: bool) {
        if of.is_bound() && *of != Type::Nonvar {
            self.given[variable as usize].get_or_insert_with(|| of.clone());
        }
        let state = match of {
            Type::Free => BindingState::Unbound { sure },
            of if of.is_bound() => BindingState::Bound {
                sure,
                ground: of.is_ground(),
            },
            _ => BindingState::Anything { sure },
        };
        self.set(variable, state);
    }

    fn set(&mut self, variable: u32, state: BindingState) {
        let known = &mut self.knowledge.states[variable as usize];
        if !matches!(known, BindingState::Bound { .. }) {
            *known = state;
        }
    }

    fn variables(&self, term: TermId) -> Vec<u32> {
        let variable = |t: TermId| match self.terms.get(t) {
            Term::Var(v) => Some(*v),
            _ => None,
        };
        self.terms
            .subterms(term)
            .into_iter()
            .filter_map(variable)
            .collect()
    }

    fn body(&mut self, body: TermId) {
        let mut steps = vec![Step::Goal(body, Vec::new())];
        let mut seen = 0;
        while let Some(step) = steps.pop() {
            seen += 1;
            if seen > MOST_GOALS {
                return;
            }
            match step {
                Step::Goal(goal, added) => self.goal(goal, added, &mut steps),
                Step::Caught(catcher) => self.enter(catcher, &Type::Nonvar, true),
                Step::Or(unbound) => {
                    if let Some(before) = self.branches.pop() {
                        self.branches
                            .push(std::mem::replace(&mut self.knowledge, before));
                    }
                    if let Some(v) = unbound {
                        let sure = self.knowledge.states[v as usize].is_sure();
                        let ground = false;
                        self.set(v, BindingState::Bound { sure, ground });
                    }
                }
                Step::Undone => {
                    if let Some(before) = self.branches.pop() {
                        self.knowledge = before;
                    }
                }
                Step::Joined => {
                    if let Some(first) = self.branches.pop() {
                        self.join(first);
                    }
                }
                Step::Learn(goal) => {
                    let sure = self.is_sure(goal) && self.is_known_builtin(goal);
                    self.learn_of_builtin(goal, sure);
                }
            }
        }
    }

    /// Ends a disjunction. A binding made by only one branch counts for the subsequent goals, which is sufficient for a guess.
    fn join(&mut self, first: Knowledge) {
        for (v, state) in (0..).zip(first.states) {
            if matches!(
                state,
                BindingState::Bound { .. } | BindingState::Spine { .. }
            ) {
                self.set(v, state);
            }
        }
        for unification in first.pending {
            if !self.knowledge.pending.contains(&unification) {
                self.knowledge.pending.push(unification);
            }
        }
        self.settle();
    }

    fn goal(&mut self, goal: TermId, added: Vec<CallArgument>, steps: &mut Vec<Step>) {
        let Some((name, arity)) = self.terms.functor(goal) else {
            return;
        };
        let args = self.terms.args(goal);
        let functor = Functor::new(name.clone(), arity + added.len());
        if (self.around.wanted)(&functor) {
            self.call(functor, args, &added);
            return self.learn(goal, false);
        }
        if let Some((parameters, inner)) = bodies::lambda(self.terms, goal) {
            return self.lambda(&parameters, inner, added, steps);
        }
        let lowered = Goal::lower(self.terms, goal);
        match lowered {
            // A callee in another module does not belong to the file.
            Goal::Qualified { goal, .. } => self.learn(goal, false),
            Goal::Quantified { goal, .. } => steps.push(Step::Goal(goal, added)),
            Goal::Disjunction(..) | Goal::Bar(..) | Goal::IfThenElse { .. } => {
                if let &[left, right] = args {
                    self.disjunction(lowered, left, right, steps);
                }
            }
            Goal::Conjunction(left, right)
            | Goal::IfThen {
                condition: left,
                then: right,
                ..
            } => {
                steps.push(Step::Goal(right, Vec::new()));
                steps.push(Step::Goal(left, Vec::new()));
            }
            Goal::Type(TypeTest::Var, value) => self.unbind(value),
            Goal::Unify(left, right) => {
                self.knowledge.pending.push((left, right));
                self.settle();
            }
            Goal::Is { result, expression } => {
                let sure = self.is_sure(expression);
                self.learn(expression, false);
                self.learn_ground(result, sure);
            }
            _ if bodies::is_undone(lowered) => {
                self.branches.push(self.knowledge.clone());
                steps.push(Step::Undone);
                let goals = args.iter().rev();
                steps.extend(goals.map(|&goal| Step::Goal(goal, Vec::new())));
            }
            Goal::Call(_) if unbound(self.terms, goal).is_some() => {}
            _ => self.meta_call(goal, lowered, &functor, steps),
        }
    }

    /// Processes a disjunction or a conditional: both branches, and the bindings of either.
    fn disjunction(
        &mut self,
        lowered: Goal<'_>,
        left: TermId,
        right: TermId,
        steps: &mut Vec<Step>,
    ) {
        self.branches.push(self.knowledge.clone());
        let test = match lowered {
            Goal::IfThenElse { condition, .. } => bodies::binding_test(self.terms, condition),
            _ => None,
        };
        let unbound = test.and_then(|(v, is_bound)| (!is_bound).then_some(v));
        steps.push(Step::Joined);
        steps.push(Step::Goal(right, Vec::new()));
        steps.push(Step::Or(unbound));
        steps.push(Step::Goal(left, Vec::new()));
    }

    /// Processes a call of `[X, Y]>>G` with these values for the parameters.
    fn lambda(
        &mut self,
        parameters: &[TermId],
        inner: TermId,
        added: Vec<CallArgument>,
        steps: &mut Vec<Step>,
    ) {
        for (&parameter, value) in parameters.iter().zip(&added) {
            let (of, sure) = match value {
                CallArgument::Of(of, sure) => (of.clone(), *sure),
                CallArgument::Term(t) => self.type_of(*t),
            };
            self.enter(parameter, &of, sure);
        }
        let rest = added.into_iter().skip(parameters.len()).collect();
        steps.push(Step::Goal(inner, rest));
    }

    /// Records that a variable is now unbound, regardless of its previous state.
    fn unbind(&mut self, value: TermId) {
        if let Term::Var(v) = self.terms.get(value) {
            let state = &mut self.knowledge.states[*v as usize];
            *state = BindingState::Unbound {
                sure: state.is_sure(),
            };
        }
    }

    /// Processes a call of a predicate from outside the file: the bindings that it makes, and the goals and closures that it calls.
    fn meta_call(
        &mut self,
        goal: TermId,
        lowered: Goal<'_>,
        functor: &Functor,
        steps: &mut Vec<Step>,
    ) {
        let args = self.terms.args(goal);
        let given = match lowered {
            Goal::CallN { added, .. } => added.iter().map(|&a| CallArgument::Term(a)).collect(),
            _ => self.given(functor, args),
        };
        let catcher = catcher(lowered);
        steps.push(Step::Learn(goal));
        if catcher.is_some() {
            self.branches.push(self.knowledge.clone());
            steps.push(Step::Joined);
        }
        for meta in meta_arguments(&functor.name, functor.arity)
            .into_iter()
            .rev()
        {
            let Some(&closure) = args.get(meta.argument) else {
                continue;
            };
            if meta.added == given.len() {
                steps.push(Step::Goal(closure, given.clone()));
            } else if meta.added == 0 {
                steps.push(Step::Goal(closure, Vec::new()));
            }
            // Steps are popped from the end: the goal, then the exception, then the recovery.
            if let Some(catcher) = catcher.filter(|_| meta.argument == 2) {
                steps.push(Step::Caught(catcher));
                steps.push(Step::Or(None));
            }
        }
    }

    /// Returns the arguments that a known meta-predicate passes to its closure.
    fn given(&self, functor: &Functor, args: &[TermId]) -> Vec<CallArgument> {
        let element = |list: &TermId| {
            let (of, sure) = self.type_of(*list);
            match of {
                Type::List(element) if *element == Type::None => CallArgument::Of(Type::Any, sure),
                // Unknown elements are most likely bound.
                Type::List(element) if *element == Type::Any && !sure => {
                    CallArgument::Of(Type::Nonvar, false)
                }
                Type::List(element) => CallArgument::Of(*element, sure),
                Type::Free => CallArgument::Of(Type::Free, sure),
                _ => CallArgument::Of(Type::Any, false),
            }
        };
        let relation = relation(&functor.name, functor.arity);
        match (relation.filter(|_| args.len() == functor.arity), args) {
            (Some(Relation::Maps), [_, lists @ ..]) => lists.iter().map(element).collect(),
            (Some(Relation::Folds), [_, lists @ .., from, _]) if !lists.is_empty() => lists
                .iter()
                .map(element)
                .chain([
                    CallArgument::Term(*from),
                    CallArgument::Of(Type::Free, true),
                ])
                .collect(),
            (Some(Relation::Filters), [_, list, ..]) => vec![element(list)],
            (Some(Relation::Phrase), [_, list]) => {
                vec![
                    CallArgument::Term(*list),
                    CallArgument::Of(Type::list(Type::Any), true),
                ]
            }
            (Some(Relation::Phrase), [_, list, rest]) => {
                vec![CallArgument::Term(*list), CallArgument::Term(*rest)]
            }
            _ => Vec::new(),
        }
    }

    fn call(&mut self, callee: Functor, args: &[TermId], added: &[CallArgument]) {
        let values: Vec<CallArgument> = args
            .iter()
            .map(|&a| CallArgument::Term(a))
            .chain(added.iter().cloned())
            .collect();
        let mut occurrences: Vec<u32> = values
            .iter()
            .flat_map(|value| match value {
                CallArgument::Term(t) => self.variables(*t),
                CallArgument::Of(..) => Vec::new(),
            })
            .collect();
        occurrences.sort_unstable();
        let (mut types, mut sure) = (Vec::new(), true);
        for value in &values {
            let (of, known) = match value {
                CallArgument::Of(of, known) => (of.clone(), *known),
                CallArgument::Term(t) if self.is_nil(*t) => (self.type_of_nil(*t), true),
                CallArgument::Term(t) => self.type_of(*t),
            };
            let of = match value {
                CallArgument::Term(t) if of == Type::Free => {
                    let shared = self
                        .variables(*t)
                        .iter()
                        .any(|v| occurrences.iter().filter(|o| *o == v).count() > 1);
                    if shared { Type::Any } else { of }
                }
                _ => of,
            };
            types.push(of);
            sure &= known;
        }
        let is_hollow =
            |i: &usize| matches!(values[*i], CallArgument::Term(t) if self.is_hollow(t));
        let hollow = (0..values.len()).filter(is_hollow).collect();
        let is_partial =
            |i: &usize| matches!(values[*i], CallArgument::Term(t) if self.is_partial(t));
        let partial = (0..values.len()).filter(is_partial).collect();
        self.found.push(SeenCall {
            callee,
            pattern: Pattern(types),
            sure,
            hollow,
            partial,
        });
    }

    fn is_sure(&self, term: TermId) -> bool {
        let variables = self.variables(term);
        variables
            .iter()
            .all(|&v| self.knowledge.states[v as usize].is_sure())
    }

    fn is_bound(&self, term: TermId) -> bool {
        self.variables(term).iter().all(|&v| {
            matches!(
                self.knowledge.states[v as usize],
                BindingState::Bound { .. }
            )
        })
    }

    /// Returns whether shapes describe the results of a goal.
    fn is_known_builtin(&self, goal: TermId) -> bool {
        self.terms.functor(goal).is_some_and(|(name, arity)| {
            meta_arguments(name, arity).is_empty()
                && signature_of(&Functor::new(name.clone(), arity)).is_some()
        })
    }

    fn learn(&mut self, term: TermId, sure: bool) {
        let ground = false;
        for v in self.variables(term) {
            self.set(v, BindingState::Bound { sure, ground });
        }
        self.settle();
    }

    /// Records that all variables of the term are bound to ground values.
    fn learn_ground(&mut self, term: TermId, sure: bool) {
        let ground = true;
        for v in self.variables(term) {
            self.set(v, BindingState::Bound { sure, ground });
        }
        self.settle();
    }

    /// Records the success of a goal that does not call a predicate of the program.
    fn learn_of_builtin(&mut self, goal: TermId, sure: bool) {
        if let Some(list) = self.made_by_length(goal) {
            let sure = self.knowledge.states[list as usize].is_sure();
            self.knowledge.states[list as usize] = BindingState::Spine { sure };
        }
        let ground = match sure {
            true => self.ground_results(goal),
            false => Vec::new(),
        };
        for v in self.variables(goal) {
            let is_spine = matches!(
                self.knowledge.states[v as usize],
                BindingState::Spine { .. }
            );
            if !(is_spine && self.of_length(goal).is_some()) {
                let ground = ground.contains(&v);
                self.set(v, BindingState::Bound { sure, ground });
            }
        }
        self.settle();
    }

    /// Returns the arguments of a goal `length(List, Length)`.
    fn of_length(&self, goal: TermId) -> Option<[TermId; 2]> {
        Related::arguments(self.terms, goal, Relation::Length)
    }

    /// Returns the unbound variable that `length(L, N)` binds to a list.
    fn made_by_length(&self, goal: TermId) -> Option<u32> {
        let [list, _] = self.of_length(goal)?;
        let Term::Var(v) = self.terms.get(list) else {
            return None;
        };
        let is_unbound = matches!(
            self.knowledge.states[*v as usize],
            BindingState::Unbound { .. }
        );
        (is_unbound && !self.is_built(*v)).then_some(*v)
    }

    /// Returns the variables that are certainly ground after a call of a built-in.
    fn ground_results(&self, goal: TermId) -> Vec<u32> {
        let Some(functor) = Functor::from_term(self.terms, goal) else {
            return Vec::new();
        };
        let args = self.terms.args(goal);
        let makes_ground = ground_arguments(&functor);
        let is_output = |i: usize| {
            let usual = usual_pattern(&functor);
            usual.is_some_and(|p| p.0.get(i) == Some(&Type::Free))
        };
        let joins = matches!(
            relation(&functor.name, functor.arity),
            Some(Relation::Append | Relation::Concatenation)
        );
        let is_split = joins && args.last().is_some_and(|&a| self.is_ground(a));
        let mut found = Vec::new();
        for (i, &argument) in args.iter().enumerate() {
            let others_are_ground = || {
                let mut others = args.iter().enumerate().filter(|(j, _)| *j != i);
                others.all(|(j, &other)| is_output(j) || self.is_ground(other))
            };
            let is_ground = makes_ground.get(i).copied().unwrap_or_default();
            if is_ground || is_split || is_output(i) && others_are_ground() {
                found.extend(self.variables(argument));
            }
        }
        found
    }

    /// Returns whether a term certainly contains no variable.
    fn is_ground(&self, term: TermId) -> bool {
        self.variables(term).iter().all(|&v| {
            let state = self.knowledge.states[v as usize];
            matches!(state, BindingState::Bound { ground: true, .. })
        })
    }

    /// Resolves the unifications with one known side. Each unification is resolved once, so this terminates.
    fn settle(&mut self) {
        while let Some(at) =
            (self.knowledge.pending.iter()).position(|&(a, b)| self.is_bound(a) || self.is_bound(b))
        {
            let (a, b) = self.knowledge.pending.swap_remove(at);
            let sure = self.is_sure(a) && self.is_sure(b);
            let ground = self.is_ground(a) || self.is_ground(b);
            for v in self.variables(a).into_iter().chain(self.variables(b)) {
                self.set(v, BindingState::Bound { sure, ground });
            }
        }
    }
}

/// Returns the state of a variable that occurs inside a value of this type.
fn state_inside(of: &Type, sure: bool) -> BindingState {
    if of.is_ground() {
        // The type of the variable is suggested by shapes.
        BindingState::Bound {
            sure: false,
            ground: true,
        }
    } else {
        BindingState::Anything { sure }
    }
}
