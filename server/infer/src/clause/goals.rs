//! The goals of a body, run in order: each goal is dispatched to the module for its kind.

use std::sync::Arc;

use costlens_body::{Call, Collector, Goal, conjuncts, cuts_clause};
use costlens_catalog::{
    Relation, counts_nothing, is_fixed, is_transparent_to_cut, meta_arguments, relation,
};
use costlens_program::Clause;
use costlens_syntax::term::{Term, TermId, Terms};

use super::Runner;
use super::aggregate::AggregateGoal;
use super::collect::CollectGoal;
use super::control::Condition;
use super::exceptions::CatchGoal;
use super::literals::goal_from_data;
use super::point::model::Literal;
use super::point::{BodyPart, ClauseScope, PendingGoal, Point, fail};
use super::wrapped::runs_once;
use crate::lattice::size::Size;
use crate::lattice::types::Type;
use crate::report::Functor;
use crate::state::State;
use crate::tree::{End, Exit, Tree};
use crate::world::questions::{Split, Truth};

/// The maximum number of cuts in the run of one clause: each cut wraps all preceding steps.
const MOST_CUTS: usize = 64;

/// The ways in which the run of a part continues after a goal. If there are several continuations, each one runs the remaining goals.
enum Next {
    /// Continues with the remaining goals.
    Rest,
    /// Stops: the goal fails.
    Fails,
    /// Continues with the branches of a condition.
    Condition(Condition),
    /// Continues with the branches of a disjunction, which is the first term.
    Disjunction(TermId, [TermId; 2]),
    /// Continues after the goal of `catch/3` and after its recovery goal.
    Catch(CatchGoal),
    /// Continues after each fact of a called table.
    Facts(TermId, Arc<[Clause]>),
    /// Stops: the clause exceeds the limit on cuts, or the cut is in a goal that is not followed.
    GivesUp(TermId),
}

impl Runner<'_> {
    /// Runs goals (in reverse order) up to the end of the part.
    pub(super) fn run(
        &self,
        scope: &ClauseScope<'_>,
        mut point: Point,
        mut goals: Vec<PendingGoal>,
        part: BodyPart<'_>,
    ) -> Result<Tree, Split> {
        while let Some(pending) = goals.pop() {
            self.fuel.set(self.fuel.get().saturating_sub(1));
            match self.next(scope, &mut point, &mut goals, part, pending)? {
                Next::Rest => {}
                Next::Fails => return Ok(fail(point)),
                Next::Condition(condition) => {
                    return self.condition(scope, point, goals, part, condition);
                }
                Next::Disjunction(whole, branches) => {
                    return self.disjunction(scope, point, goals, part, whole, branches);
                }
                Next::Catch(caught) => {
                    return self.catch(scope, point, goals, part, caught);
                }
                Next::Facts(goal, facts) => {
                    return self.each_fact(scope, point, &goals, part, goal, &facts);
                }
                Next::GivesUp(cut) => {
                    let is_cut = matches!(Goal::lower(scope.terms, cut), Goal::Cut);
                    let (reason, help) = match is_cut {
                        true => ("the clause has too many cuts", "Split the clause."),
                        false => (
                            "a cut in what another module does (`Module:Goal`) cuts this clause, which is not followed",
                            "Put the cut behind the goal.",
                        ),
                    };
                    return Ok(self.give_up(scope, point, Some(cut), reason.to_owned(), help));
                }
            }
        }
        Ok(self.end(scope, point, part))
    }

    /// Runs the next goals, up to the first goal with several continuations.
    fn next(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goals: &mut Vec<PendingGoal>,
        part: BodyPart<'_>,
        pending: PendingGoal,
    ) -> Result<Next, Split> {
        let terms = scope.terms;
        match pending {
            // A variable goal `G` is `call(G)`: cuts in its value are local.
            PendingGoal::Term(goal) if matches!(terms.get(goal), Term::Var(_)) => {
                let goal = point.state.resolve(terms, goal);
                return self.called(scope, point, goals, part, goal);
            }
            PendingGoal::Term(goal) => return self.goal(scope, point, goals, part, goal),
            PendingGoal::Opaque(goal) => return self.called(scope, point, goals, part, goal),
            PendingGoal::Commit => {
                scope.model.commits(point);
                self.cut(scope, point, part);
            }
            PendingGoal::Fail => {
                scope.model.fails(scope, point);
                return Ok(Next::Fails);
            }
            PendingGoal::Code(spot) => scope.model.reaches(scope, point, spot),
            PendingGoal::Not(goal) => return Ok(Next::Condition(Condition::negation(goal))),
            PendingGoal::Once(goal) => return Ok(Next::Condition(Condition::once(goal))),
            PendingGoal::Cleanup(goal) => self.cleanup(scope, point, part, goal)?,
            PendingGoal::Caught(sink) => {
                let truth = self.caught_text(scope, point, sink, Size::at_least(0))?;
                return self.behind(scope, point, sink, truth);
            }
        }
        Ok(Next::Rest)
    }

    /// Runs a goal whose cuts are local, in place if it contains none.
    fn called(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goals: &mut Vec<PendingGoal>,
        part: BodyPart<'_>,
        goal: TermId,
    ) -> Result<Next, Split> {
        let terms = scope.terms;
        self.converted(point, terms, goal);
        if !cuts_clause(terms, &[point.state.resolve(terms, goal)]) {
            return self.goal(scope, point, goals, part, goal);
        }
        Ok(match self.opaque(scope, point, part, goal)? {
            Truth::False => Next::Fails,
            truth => {
                point.note(truth);
                Next::Rest
            }
        })
    }

    /// Continues after a goal with the given outcome.
    fn behind(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        text: TermId,
        truth: Truth,
    ) -> Result<Next, Split> {
        Ok(match self.fails(scope, point, text, truth)? {
            true => Next::Fails,
            false => Next::Rest,
        })
    }

    /// Runs a goal that is written in a clause or in a called term.
    fn goal(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goals: &mut Vec<PendingGoal>,
        part: BodyPart<'_>,
        text: TermId,
    ) -> Result<Next, Split> {
        let terms = scope.terms;
        let goal = point.state.resolve(terms, text);
        let is_cut_next = matches!(goals.last(), Some(&PendingGoal::Term(next)) if matches!(Goal::lower(terms, next), Goal::Cut));
        self.is_once
            .set(self.run_once.take() == Some(text) || is_cut_next);
        let Some((name, arity)) = terms.functor(goal) else {
            if self.argument_called(scope, point, goal, goal).is_some() {
                return Ok(Next::Rest);
            }
            let reason =
                "this goal is a variable, and which goal it holds is not known from the text of the program"
                    .to_owned();
            let help = "Call a predicate by its name, or choose by the data which one to call.";
            let cause = self.cause(scope, goal, (reason.clone(), help.to_owned()), None);
            if (self.by_its_cost(scope, point, &goal_from_data(), &cause)).is_some() {
                return Ok(Next::Rest);
            }
            self.obstacle(scope, point, Some(goal), reason, help);
            point.state.expose(terms, goal, &Type::Any);
            point.state.pure = false;
            return Ok(Next::Rest);
        };
        let lowered = Goal::lower(terms, goal);
        let redefined = self.is_own_control(name, arity);
        let literal = Literal { goal, text };
        match redefined || !counts_nothing(name, arity) {
            true => scope.model.begins(scope, point, literal),
            false => scope.model.begins_control(scope, point, literal),
        }
        if redefined {
            let truth = self.literal(scope, point, goal, lowered)?;
            return self.behind(scope, point, text, truth);
        }
        self.converted_arguments(point, terms, goal, lowered);
        match lowered {
            Goal::Conjunction(..) => {
                let inside = conjuncts(terms, goal).into_iter().rev();
                goals.extend(inside.map(PendingGoal::Term));
            }
            Goal::True | Goal::Otherwise => {}
            Goal::Cut if scope.cuts.get() >= MOST_CUTS => return Ok(Next::GivesUp(goal)),
            Goal::Cut => self.cut(scope, point, part),
            // A cut in `M:(G, !)` cuts the clause.
            Goal::Qualified { goal: inner, .. } if may_cut(terms, inner) => {
                return Ok(Next::GivesUp(goal));
            }
            Goal::Disjunction(left, right) | Goal::Bar(left, right) => {
                return Ok(Next::Disjunction(goal, [left, right]));
            }
            _ => match Condition::lower(lowered) {
                Some(condition) => return Ok(Next::Condition(condition)),
                None => return self.meta_call(scope, point, goals, part, (lowered, goal, text)),
            },
        }
        Ok(Next::Rest)
    }

    /// Runs a goal that is not a control construct. Goals that replace it become the next goals.
    fn meta_call(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goals: &mut Vec<PendingGoal>,
        part: BodyPart<'_>,
        (lowered, goal, text): (Goal<'_>, TermId, TermId),
    ) -> Result<Next, Split> {
        let terms = scope.terms;
        match lowered {
            Goal::CallN { closure, added: [] } if self.is_goal(&point.state, terms, closure) => {
                goals.push(PendingGoal::Opaque(closure));
            }
            Goal::Cleanup {
                setup,
                goal,
                cleanup,
            } => {
                goals.extend([PendingGoal::Opaque(goal), PendingGoal::Cleanup(cleanup)]);
                goals.extend(setup.map(PendingGoal::Once));
            }
            // `G`, followed by a message with its run time.
            Goal::Timed(inner) => match self.hooked(terms, &Functor::new("time", 1), &[inner]) {
                Some((reason, help)) => {
                    self.not_known(scope, point, goal, reason, help);
                }
                None => goals.push(PendingGoal::Opaque(inner)),
            },
            Goal::Call(Call {
                name,
                args: args @ &[.., inner],
            }) if runs_once(name, args.len()) => {
                self.locks(point, terms, args);
                goals.push(PendingGoal::Once(inner));
            }
            Goal::Captured { sink, goal } => {
                goals.extend([PendingGoal::Caught(sink), PendingGoal::Once(goal)]);
            }
            Goal::Catch {
                goal,
                ball,
                recovery,
                ..
            } => {
                return Ok(Next::Catch(CatchGoal {
                    goal,
                    ball,
                    recovery,
                }));
            }
            Goal::CallN { closure, .. }
                if !self.is_goal(&point.state, terms, closure)
                    && let Some(truth) = self.argument_called(scope, point, goal, closure) =>
            {
                return self.behind(scope, point, text, truth);
            }
            _ => {
                if let Some(facts) = self.facts_followed(scope, point, goal, goals) {
                    return Ok(Next::Facts(goal, facts));
                }
                let explored = usize::from(explores_all(lowered));
                self.collecting.set(self.collecting.get() + explored);
                let truth = self.solved(scope, point, part, lowered, goal);
                self.collecting.set(self.collecting.get() - explored);
                return self.behind(scope, point, text, truth?);
            }
        }
        Ok(Next::Rest)
    }

    /// Runs a literal, or a goal that explores all solutions of another goal.
    fn solved(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        part: BodyPart<'_>,
        lowered: Goal<'_>,
        goal: TermId,
    ) -> Result<Truth, Split> {
        match lowered {
            Goal::Forall { condition, action } => {
                self.forall(scope, point, part, goal, condition, action)
            }
            Goal::Collect {
                collector,
                template,
                goal,
                result,
                rest,
            } => match collector {
                Collector::FindAll => {
                    let collected = CollectGoal {
                        template,
                        goal,
                        list: result,
                    };
                    self.findall(scope, point, part, collected, rest)
                }
                Collector::BagOf | Collector::SetOf => {
                    let once = collector == Collector::SetOf;
                    let collected = CollectGoal {
                        template,
                        goal,
                        list: result,
                    };
                    self.grouped(scope, point, part, collected, once)
                }
                Collector::Aggregate => {
                    let aggregated = AggregateGoal {
                        what: template,
                        discriminator: None,
                        goal,
                        result,
                    };
                    self.aggregate_all(scope, point, part, aggregated)
                }
            },
            Goal::Call(Call {
                name,
                args: &[what, discriminator, goal, result],
            }) if relation(name, 4) == Some(Relation::Aggregate) => {
                let aggregated = AggregateGoal {
                    what,
                    discriminator: Some(discriminator),
                    goal,
                    result,
                };
                self.aggregate_all(scope, point, part, aggregated)
            }
            Goal::Assertion(goal) => self.asserted(scope, point, part, goal),
            _ => self.literal(scope, point, goal, lowered),
        }
    }

    /// Ends a part after all its goals have succeeded.
    fn end(&self, scope: &ClauseScope<'_>, mut point: Point, part: BodyPart<'_>) -> Tree {
        scope.leaves.set(scope.leaves.get() + 1);
        scope.model.leaves(scope, &mut point, part);
        let arguments = part
            .head
            .map(|head| self.arguments(&point.state, scope.terms, head))
            .unwrap_or_default();
        let elements = part
            .head
            .map(|head| self.open_elements(&point.state, scope.terms, head))
            .unwrap_or_default();
        Tree {
            steps: point.steps,
            end: End::Success(Box::new(Exit {
                state: point.state,
                arguments,
                elements,
            })),
            cut_inside: false,
        }
    }

    /// Returns whether the program redefines a predicate for which [`Runner::run`] has its own case: `forall/2`, `findall/4`.
    pub(super) fn is_own_control(&self, name: &str, arity: usize) -> bool {
        let is_special = counts_nothing(name, arity) || !meta_arguments(name, arity).is_empty();
        is_special
            && !is_fixed(name, arity)
            && (self.program).may_redefine(&Functor::new(name, arity))
    }

    pub(super) fn is_goal(&self, state: &State, terms: &Terms, goal: TermId) -> bool {
        terms.functor(state.resolve(terms, goal)).is_some()
    }
}

/// Returns whether a goal explores all solutions of another goal.
fn explores_all(lowered: Goal<'_>) -> bool {
    match lowered {
        Goal::Forall { .. } | Goal::Collect { .. } => true,
        Goal::Call(Call { name, args }) => relation(name, args.len()) == Some(Relation::Aggregate),
        _ => false,
    }
}

/// Returns whether a cut in a goal, if it has one, cuts the clause.
fn may_cut(terms: &Terms, goal: TermId) -> bool {
    (terms.functor(goal)).is_some_and(|(name, arity)| {
        is_transparent_to_cut(name, arity) || (name.as_str(), arity) == ("!", 0)
    })
}
