//! The goals of a clause, by the way in which SWI-Prolog runs them, and the branches that are tried after the failure of other goals.

use costlens_body::Goal;
use costlens_catalog::{OF_CALL_DCG, Relation, goal_arguments, inferences_of_phrase, relation};
use costlens_program::PHRASE_CHECK;
use costlens_syntax::term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::clause::instructions::is_made;

/// The way in which a goal runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The goal is compiled with its clause.
    Clause,
    /// The goal is part of a term that is compiled when it is called: `B` in `findall(X, (A, B), L)`.
    Term,
    /// The goal is called: `A` in `findall(X, A, L)`.
    Called,
}

/// The end of the goals before a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The clause or the called term succeeds, and may be retried.
    Exit,
    /// A condition holds, so that the branch is not tried.
    Holds,
}

/// A goal, and the link of the goal after it.
struct Link {
    goal: TermId,
    next: Option<usize>,
}

/// The goals before a branch, which is tried when they have failed.
struct Before {
    first: TermId,
    next: Option<usize>,
    ending: Ending,
}

/// The places of goals, and what runs before the branches, by the condition or disjunction to which they belong.
#[derive(Default)]
pub(super) struct Places {
    goals: FxHashMap<TermId, Place>,
    branches: FxHashMap<TermId, Before>,
    /// The goals of `once(G)` and similar predicates, whose failure leads to no branch.
    plain: FxHashSet<TermId>,
    links: Vec<Link>,
    /// The checks of the lists of `phrase/2,3`, which represent the call: with its inferences, or `None` if they are unknown.
    phrases: FxHashMap<TermId, Option<(u64, u64)>>,
    /// The inferences that a goal takes in addition to those of its predicate, or `None` if they are unknown.
    more: FxHashMap<TermId, Option<u64>>,
}

/// A goal that is looked at, with the goals after it.
#[derive(Clone, Copy)]
struct Open {
    goal: TermId,
    place: Place,
    next: Option<usize>,
    ending: Ending,
}

impl Open {
    /// Returns a part of the goal whose failure is the goal's.
    fn part(self, goal: TermId) -> Self {
        let place = match self.place {
            Place::Clause => Place::Clause,
            Place::Term | Place::Called => Place::Term,
        };
        Open {
            goal,
            place,
            ..self
        }
    }

    /// Returns a condition in the goal.
    fn condition(self, goal: TermId) -> Self {
        Open {
            next: None,
            ending: Ending::Holds,
            ..self.part(goal)
        }
    }
}

impl Places {
    /// Returns the places of the goals of a clause. `written` are its terms in the source if they are known, with the same ids; `called` are
    /// the goals that replace calls of closures.
    pub(super) fn of_goals(
        terms: &Terms,
        written: Option<&Terms>,
        goals: &[TermId],
        called: &[TermId],
    ) -> Self {
        let mut places = Places::default();
        let mut next = None;
        for &goal in goals.iter().rev() {
            let open = Open {
                goal,
                place: Place::Clause,
                next,
                ending: Ending::Exit,
            };
            places.add(terms, written, open);
            next = Some(places.link(goal, next));
        }
        for &goal in called {
            places.goals.insert(goal, Place::Called);
        }
        places
    }

    fn link(&mut self, goal: TermId, next: Option<usize>) -> usize {
        self.links.push(Link { goal, next });
        self.links.len() - 1
    }

    fn branch(&mut self, key: TermId, before: Open) {
        let Open {
            goal, next, ending, ..
        } = before;
        let before = Before {
            first: goal,
            next,
            ending,
        };
        self.branches.insert(key, before);
    }

    /// Adds a call of `phrase/2,3`, which is rewritten as checks of two lists and a call of a nonterminal or a translated body. Returns whether
    /// the goal is one.
    fn add_phrase(&mut self, terms: &Terms, written: Option<&Terms>, goal: TermId) -> bool {
        let check = |t: TermId| terms.matches(t, PHRASE_CHECK, 1).is_some();
        let Goal::Conjunction(list, rest) = Goal::lower(terms, goal) else {
            return false;
        };
        let Goal::Conjunction(tail, call) = Goal::lower(terms, rest) else {
            return false;
        };
        if !check(list) || !check(tail) {
            return false;
        }
        let is_translated = matches!(Goal::lower(terms, call), Goal::CallN { added: [], .. });
        let arity = written.and_then(|w| w.functor(goal).map(|(_, arity)| arity));
        let counted = match is_translated {
            true => None,
            false => inferences_of_phrase(arity),
        };
        self.phrases.insert(list, counted);
        self.phrases.insert(tail, Some((0, 0)));
        self.goals.insert(call, Place::Called);
        true
    }

    /// Adds what a goal takes if another one is written in its place, other than a call of a closure.
    fn add_replaced(&mut self, terms: &Terms, written: Option<&Terms>, goal: TermId) {
        let Some(written) = written.filter(|w| w.holds(goal)) else {
            return;
        };
        let (Some((before, arity)), Some((name, _))) = (written.functor(goal), terms.functor(goal))
        else {
            return;
        };
        if before == name && Some((before, arity)) == terms.functor(goal) {
            return;
        }
        let is_call = matches!(
            Goal::lower(written, goal),
            Goal::CallN { .. } | Goal::Qualified { .. }
        );
        if is_call || is_made(name) {
            return;
        }
        let more = match relation(before, arity) {
            Some(Relation::CallDcg) if !matches!(Goal::lower(terms, goal), Goal::CallN { .. }) => {
                self.goals.insert(goal, Place::Called);
                Some(OF_CALL_DCG)
            }
            _ => None,
        };
        self.more.insert(goal, more);
    }

    /// Adds an inference for a goal whose closure is itself written as a call.
    pub(super) fn add_nested(&mut self, goal: TermId) {
        if let Some(more) = self.more.entry(goal).or_insert(Some(0)) {
            *more += 1;
        }
    }

    /// Returns the inferences that a goal takes in addition to those of its predicate, or `None` if they are unknown.
    pub(super) fn more(&self, goal: TermId) -> Option<u64> {
        self.more.get(&goal).copied().unwrap_or(Some(0))
    }

    fn add(&mut self, terms: &Terms, written: Option<&Terms>, whole: Open) {
        let mut stack = vec![whole];
        while let Some(open) = stack.pop() {
            let goal = open.goal;
            if self.add_phrase(terms, written, goal) {
                continue;
            }
            match Goal::lower(terms, goal) {
                Goal::Conjunction(a, b) => {
                    let next = Some(self.link(b, open.next));
                    stack.push(open.part(b));
                    stack.push(Open {
                        next,
                        ..open.part(a)
                    });
                }
                Goal::Disjunction(a, b) | Goal::Bar(a, b) => {
                    self.branch(goal, open.part(a));
                    stack.extend([open.part(a), open.part(b)]);
                }
                Goal::IfThenElse {
                    condition,
                    then,
                    otherwise,
                    ..
                } => {
                    self.branch(condition, open.condition(condition));
                    stack.extend([
                        open.condition(condition),
                        open.part(then),
                        open.part(otherwise),
                    ]);
                }
                Goal::IfThen {
                    condition, then, ..
                } => {
                    self.plain.insert(condition);
                    stack.extend([open.condition(condition), open.part(then)]);
                }
                Goal::Not(negated) => {
                    self.branch(negated, open.condition(negated));
                    stack.push(open.condition(negated));
                }
                Goal::Qualified { goal: inner, .. } | Goal::Quantified { goal: inner, .. } => {
                    self.goals.insert(goal, open.place);
                    stack.push(Open {
                        goal: inner,
                        ..open
                    });
                }
                lowered => {
                    self.goals.insert(goal, open.place);
                    self.add_replaced(terms, written, goal);
                    let is_negation = matches!(lowered, Goal::NotCalled(_));
                    for argument in goals_inside(terms, goal) {
                        let called = Open {
                            place: Place::Called,
                            ..open.condition(argument)
                        };
                        match is_negation {
                            true => self.branch(argument, called),
                            false => drop(self.plain.insert(argument)),
                        }
                        stack.push(Open {
                            ending: Ending::Exit,
                            ..called
                        });
                    }
                }
            }
        }
    }

    /// Returns the place of a goal, or `None` for a goal of a term that the clause does not contain as a goal.
    pub(super) fn of(&self, goal: TermId) -> Option<Place> {
        self.goals.get(&goal).copied()
    }

    /// Returns the inferences of `phrase/2,3` for its first check of a list, and none for the other one. Returns `None` if the goal is another
    /// one.
    pub(super) fn phrase(&self, goal: TermId) -> Option<Option<(u64, u64)>> {
        self.phrases.get(&goal).copied()
    }

    /// Returns the goals that run before the branch of a condition or disjunction, in order, and their end. Control constructs other than
    /// conjunctions are single goals.
    pub(super) fn before(&self, terms: &Terms, key: TermId) -> Option<(Vec<TermId>, Ending)> {
        let before = self.branches.get(&key)?;
        let (mut goals, mut open) = (Vec::new(), vec![before.first]);
        let mut next = before.next;
        loop {
            while let Some(goal) = open.pop() {
                match Goal::lower(terms, goal) {
                    Goal::Conjunction(a, b) => open.extend([b, a]),
                    _ => goals.push(goal),
                }
            }
            let Some(link) = next.and_then(|at| self.links.get(at)) else {
                return Some((goals, before.ending));
            };
            open.push(link.goal);
            next = link.next;
        }
    }

    /// Returns true for the goal of a predicate such as `once/1`, or the condition of an `->` without a branch for its failure.
    pub(super) fn is_plain(&self, goal: TermId) -> bool {
        self.plain.contains(&goal) && !self.branches.contains_key(&goal)
    }
}

/// Returns the goals among the arguments of a goal.
fn goals_inside(terms: &Terms, goal: TermId) -> Vec<TermId> {
    let arguments = terms.args(goal);
    let Some((name, arity)) = terms.functor(goal) else {
        return Vec::new();
    };
    let places = goal_arguments(name, arity);
    places.filter_map(|at| arguments.get(at).copied()).collect()
}
