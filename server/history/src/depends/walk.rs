//! The traversal of a clause, which follows dependences through body goals and control constructs.

use costlens_body::{Arrow, Collector, Goal, conjuncts};
use costlens_program::Functor;
use costlens_program::language::{Clause, ClauseKind};
use costlens_syntax::term::{Term, TermId, Terms};

use super::state::VariableStates;
use super::summary::{ClauseFlow, ReachedSummaries, Site, Summary};
use super::{ArgumentBinding, WORLD};

/// The nesting depth beyond which control constructs are not analysed.
pub(super) const DEEPEST: usize = 100;
/// The number of variables or terms beyond which a clause is not analysed.
const LARGEST: usize = 4000;

/// A goal that the traversal has passed.
struct Passed {
    goal: Option<TermId>,
    site: Option<usize>,
    /// The inputs that control whether the goal fails.
    fails: u64,
}

/// The traversal of a clause.
pub(super) struct Walk<'w, 's> {
    pub(super) reached: &'w mut ReachedSummaries<'s>,
    pub(super) terms: &'w Terms,
    /// The predicate, and the number of the clause.
    place: (&'w Functor, usize),
    pub(super) state: VariableStates,
    pub(super) result: ClauseFlow,
    passed: Vec<Passed>,
    /// Pairs of positions: from the second position onwards, backtracking does not reach goals at or after the first position.
    barriers: Vec<(usize, usize)>,
}

/// Returns the goal in `cost_independent(G)`, `cost_depends(G, Inputs)` and `cost_center(Name, G)`.
fn measured(terms: &Terms, goal: TermId) -> Option<TermId> {
    match (terms.functor(goal)?.0.as_str(), terms.args(goal)) {
        ("cost_independent", &[inner])
        | ("cost_depends", &[inner, _])
        | ("cost_center", &[_, inner]) => Some(inner),
        _ => None,
    }
}

impl<'w, 's> Walk<'w, 's> {
    /// Adds a clause to the summary of its predicate.
    pub(super) fn clause(
        reached: &'w mut ReachedSummaries<'s>,
        clause: &'w Clause,
        place: (&'w Functor, usize),
        summary: &mut Summary,
    ) {
        let terms: &Terms = &clause.terms;
        if terms.len() > LARGEST {
            summary.clauses.push(ClauseFlow {
                everything: u64::MAX,
                opaque: true,
                ..ClauseFlow::default()
            });
            summary.effect.out.fill(u64::MAX);
            summary.effect.decides = u64::MAX;
            return;
        }
        let arguments = terms.args(clause.head);
        let mut walk = Walk {
            reached,
            terms,
            place,
            state: VariableStates::on_entry(terms, arguments, &summary.entry),
            result: ClauseFlow::default(),
            passed: Vec::new(),
            barriers: Vec::new(),
        };
        let control = walk.body(clause, summary.selects);
        let effect = &mut summary.effect;
        effect.decides |= control;
        for ((&argument, bound), out) in arguments.iter().zip(&summary.entry).zip(&mut effect.out) {
            *out |= walk.state.deps_of(terms, argument);
            if *bound != ArgumentBinding::Ground {
                *out |= summary.selects;
            }
        }
        summary.clauses.push(walk.finish(control));
    }

    /// Processes guard and body. Returns the inputs that control whether the end is reached.
    fn body(&mut self, clause: &Clause, selects: u64) -> u64 {
        let mut control = selects;
        if let Some(guard) = clause.guard {
            control = self.goal(guard, control, 0);
        }
        if clause.kind == ClauseKind::SingleSided {
            self.close(0);
        }
        match clause.body {
            Some(body) => self.goal(body, control, 0),
            None => control,
        }
    }

    /// Processes a goal. `control` contains the inputs that control whether the goal is reached. Returns the inputs that control whether
    /// the following goals are reached.
    pub(super) fn goal(&mut self, goal: TermId, control: u64, depth: usize) -> u64 {
        let mut control = control;
        for part in conjuncts(self.terms, goal) {
            let before = self.passed.len();
            let after = self.part(part, control, depth);
            let (functor, number) = self.place;
            if (self.reached.once)(functor, number, part) {
                // In all past runs, the goal has never failed or been re-entered.
                for passed in self.passed.iter_mut().skip(before) {
                    passed.fails = 0;
                }
            } else {
                control = after;
            }
        }
        control
    }

    fn part(&mut self, goal: TermId, control: u64, depth: usize) -> u64 {
        let terms = self.terms;
        self.result.before.insert(goal, control);
        if depth > DEEPEST {
            self.result.opaque = true;
            return u64::MAX;
        }
        let Some(functor) = Functor::from_term(terms, goal) else {
            // The goal is a variable whose value is not known statically.
            self.result.opaque = true;
            return control | self.state.deps_of(terms, goal) | WORLD;
        };
        let depth = depth + 1;
        let program = self.reached.program;
        let redefines = |name: &str, arity: usize| program.defines(&Functor::new(name, arity));
        let is_bound = |inner: &TermId| !matches!(terms.get(*inner), Term::Var(_));
        match Goal::of_program(terms, goal, &redefines) {
            Goal::Qualified { goal, .. } => self.part(goal, control, depth),
            Goal::Cut => {
                self.close(0);
                control
            }
            Goal::Unify(a, b) => self.unify(goal, a, b, control),
            Goal::True
            | Goal::Otherwise
            | Goal::Fail
            | Goal::False
            | Goal::NotUnifiable(..)
            | Goal::Compare(..)
            | Goal::CompareTerms(..)
            | Goal::Type(..) => self.test(goal, control),
            Goal::Once(inner) if is_bound(&inner) => self.first(inner, control, depth),
            Goal::Ignore(inner) if is_bound(&inner) => {
                self.first(inner, control, depth);
                control
            }
            Goal::CallN {
                closure: inner,
                added: [],
            } if is_bound(&inner) => self.goal(inner, control, depth),
            lowered @ (Goal::IfThenElse { .. }
            | Goal::IfThen { .. }
            | Goal::Disjunction(..)
            | Goal::Bar(..)
            | Goal::Catch {
                keeps_backtrace: false,
                ..
            }) => self.branches(lowered, control, depth),
            lowered @ (Goal::Not(..) | Goal::Forall { .. } | Goal::Collect { rest: None, .. }) => {
                self.inner(lowered, control, depth)
            }
            _ => match measured(terms, goal).filter(is_bound) {
                Some(inner) => self.goal(inner, control, depth),
                None if program.defines(&functor) => self.call(goal, &functor, control),
                None => self.system(goal, &functor, control),
            },
        }
    }

    /// Processes a control construct with alternative branches.
    fn branches(&mut self, lowered: Goal<'_>, control: u64, depth: usize) -> u64 {
        let before = self.state.clone();
        match lowered {
            Goal::IfThenElse {
                arrow,
                condition,
                then,
                otherwise,
            } => {
                let at = self.condition(arrow, condition, control, depth);
                let after = self.goal(then, at, depth);
                after | self.alternative(before, |walk| walk.goal(otherwise, at, depth))
            }
            Goal::IfThen {
                arrow,
                condition,
                then,
            } => {
                let at = self.condition(arrow, condition, control, depth);
                self.goal(then, at, depth)
            }
            Goal::Disjunction(left, right) | Goal::Bar(left, right) => {
                let after = self.goal(left, control, depth);
                after | self.alternative(before, |walk| walk.goal(right, after, depth))
            }
            Goal::Catch {
                goal,
                ball,
                recovery,
                ..
            } => {
                let at = self.goal(goal, control, depth);
                let other = self.alternative(before, |walk| {
                    walk.state.assign(walk.terms, ball, at, false);
                    walk.goal(recovery, at, depth)
                });
                at | other
            }
            _ => control,
        }
    }

    /// Processes a further branch, starting from the state before the first branch.
    fn alternative(
        &mut self,
        before: VariableStates,
        branch: impl FnOnce(&mut Self) -> u64,
    ) -> u64 {
        let taken = std::mem::replace(&mut self.state, before);
        let after = branch(self);
        self.state.join(&taken);
        after
    }

    /// Processes goals inside a goal that bind no outside variables.
    fn inner(&mut self, lowered: Goal<'_>, control: u64, depth: usize) -> u64 {
        let before = self.state.clone();
        match lowered {
            Goal::Not(inner) => {
                let at = self.first(inner, control, depth);
                self.state = before;
                at
            }
            Goal::Forall { condition, action } => {
                let begin = self.passed.len();
                let at = self.goal(condition, control, depth);
                let at = self.goal(action, at, depth);
                self.close(begin);
                self.state = before;
                at
            }
            Goal::Collect {
                collector,
                template,
                goal,
                result,
                ..
            } => {
                let at = self.collect(template, goal, result, control, depth);
                // The other collecting predicates fail without a solution.
                match collector {
                    Collector::FindAll => control,
                    _ => at,
                }
            }
            _ => control,
        }
    }

    /// Processes the first solution of a goal: later goals do not backtrack into the goal.
    fn first(&mut self, goal: TermId, control: u64, depth: usize) -> u64 {
        let begin = self.passed.len();
        let at = self.goal(goal, control, depth);
        self.close(begin);
        at
    }

    /// Processes a condition: goals after `->` do not backtrack into the condition.
    fn condition(&mut self, arrow: Arrow, condition: TermId, control: u64, depth: usize) -> u64 {
        match arrow {
            Arrow::Hard => self.first(condition, control, depth),
            Arrow::Soft => self.goal(condition, control, depth),
        }
    }

    /// Processes `findall(T, G, L)`: the list depends on all inputs that control the solutions.
    fn collect(
        &mut self,
        template: TermId,
        goal: TermId,
        list: TermId,
        control: u64,
        depth: usize,
    ) -> u64 {
        let terms = self.terms;
        let before = self.state.clone();
        let mut inner = goal;
        while let Goal::Quantified { goal: below, .. } = Goal::lower(terms, inner) {
            inner = below;
        }
        let at = self.first(inner, control, depth);
        let deps = at | self.state.deps_of(terms, template);
        let ground = self.state.is_ground(terms, template);
        self.state = before;
        self.state.assign(terms, list, deps, ground);
        at
    }

    /// Processes a goal without bindings.
    fn test(&mut self, goal: TermId, control: u64) -> u64 {
        let deps = self.state.deps_of(self.terms, goal);
        self.pass(Some(goal), None, deps);
        control | deps
    }

    fn unify(&mut self, goal: TermId, a: TermId, b: TermId, control: u64) -> u64 {
        let (terms, state) = (self.terms, &mut self.state);
        let deps = state.deps_of(terms, a) | state.deps_of(terms, b);
        let free = [a, b].map(|id| state.is_free(terms, id));
        state.unify(terms, a, b, deps | control);
        // A variable that occurs nowhere else accepts any value.
        let decides = if free.contains(&true) { 0 } else { deps };
        self.pass(Some(goal), None, decides);
        control | decides
    }

    /// Prevents backtracking into goals at or after a position.
    fn close(&mut self, begin: usize) {
        self.barriers.push((begin, self.passed.len()));
    }

    fn pass(&mut self, goal: Option<TermId>, site: Option<usize>, fails: u64) {
        self.passed.push(Passed { goal, site, fails });
    }

    /// Processes a call of a predicate.
    pub(super) fn pass_site(&mut self, goal: Option<TermId>, site: Site, fails: u64) {
        self.result.sites.push(site);
        self.pass(goal, Some(self.result.sites.len() - 1), fails);
    }

    /// Returns the result, after adding to each goal the inputs of the failures that backtrack into it.
    fn finish(self, control: u64) -> ClauseFlow {
        let Walk {
            mut result,
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
            let following = &passed[at..until.unwrap_or(passed.len()).max(at)];
            let redo = following.iter().fold(0, |sum, p| sum | p.fails);
            if let Some(site) = goal.site.and_then(|n| result.sites.get_mut(n)) {
                site.redo |= redo;
                site.open |= until.is_none();
            }
            if let Some(before) = goal.goal.and_then(|g| result.before.get_mut(&g)) {
                *before |= redo;
            }
        }
        result.everything = state.deps.iter().fold(control, |sum, d| sum | d);
        if result.opaque {
            result.everything |= WORLD;
        }
        result
    }
}
