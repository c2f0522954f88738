//! Cost models: the events of a clause's run at which a model records counts.
//!
//! The run of a clause is the same for all models, except where a method of [`CostModel`] says otherwise. `Runner::selection` names the model
//! of each vocabulary; the model is in the file about what it counts.

use costlens_compile::code::{ConstructPart, Modes, Outcome, Stretch};
use costlens_compile::ppdp08::AlternativeKey;
use costlens_events::Counts;
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{TermId, Terms};

use super::{BodyPart, ClauseScope, PendingGoal, Point, Spot};
use crate::builtins::time_shapes::TimeShape;
use crate::lattice::size::Size;
use crate::lattice::types::Type;
use crate::tree::Tree;
use crate::world::questions::{Split, Truth};

/// The way in which a call selects the clauses of a node, and the models of their runs.
pub(crate) struct Selection<'a> {
    /// The counts of the call itself, before any clause. `None` if the model does not count selections, so that the run of a clause does
    /// not depend on which other clauses are tried.
    pub(crate) call: Option<Counts>,
    /// Makes the model of the run of a clause, by its index.
    pub(crate) model: ModelOfClause<'a>,
}

pub(crate) type ModelOfClause<'a> = Box<dyn FnMut(usize) -> Box<dyn CostModel> + 'a>;

/// The part of a [`Point`] that belongs to its model.
#[derive(Clone, Default)]
pub(crate) enum PointModel {
    /// The model only adds steps.
    #[default]
    Stateless,
    Portable(PortablePoint),
    Machine(MachinePoint),
    /// The list that the running built-in builds.
    Heap(Option<TermId>),
    /// The running built-in, if its work depends on its result.
    Work(Option<LateWork>),
    /// The number of steps before the running goal.
    Inferences(usize),
}

/// The choice points of a run, and its running built-in.
#[derive(Clone)]
pub(crate) struct PortablePoint {
    /// The outcome for whether the run has left choice points for other clauses of its predicate or for branches of a disjunction.
    pub(crate) leaves: Outcome,
    /// The running built-in, if its work depends on its result.
    pub(crate) late: Option<LateWork>,
}

/// The position of a run in the code of its clause.
#[derive(Clone, Default)]
pub(crate) struct MachinePoint {
    /// The next instruction, or `None` where the code is not followed.
    pub(crate) at: Option<usize>,
    /// The inline goal that is running.
    pub(crate) begun: Option<Begun>,
    /// The running built-in, if its work depends on its result.
    pub(crate) late: Option<LateWork>,
}

/// An inline goal that is running.
#[derive(Clone)]
pub(crate) struct Begun {
    pub(crate) stretch: Stretch,
    pub(crate) modes: Modes,
    /// The number of steps recorded before the goal.
    pub(crate) steps: usize,
}

/// A running built-in whose work depends on its result.
#[derive(Clone, Copy)]
pub(crate) struct LateWork {
    pub(crate) goal: TermId,
    pub(crate) shape: &'static TimeShape,
}

/// Goals that run separately, as a model follows them.
#[derive(Clone)]
pub(crate) struct Inside {
    /// The position before the goals.
    pub(crate) start: PointModel,
    /// The place in the clause's code where the goals end, if the model follows the code.
    pub(crate) until: Option<usize>,
}

/// A control construct, as a model follows it.
pub(crate) struct Sections {
    /// The goals inside.
    pub(crate) inside: Inside,
    /// The position after they have succeeded.
    pub(crate) then: PointModel,
    /// The position after they have failed: of the `else` branch, or of the right side of a disjunction.
    pub(crate) otherwise: PointModel,
}

impl Sections {
    /// Makes the sections of a construct whose code a model does not follow: the goals after it continue where the construct begins.
    pub(crate) fn around_construct(start: PointModel, point: &Point) -> Self {
        Sections {
            inside: Inside { start, until: None },
            then: point.model.clone(),
            otherwise: point.model.clone(),
        }
    }
}

/// A goal that begins.
#[derive(Clone, Copy)]
pub(crate) struct Literal {
    /// The goal that runs.
    pub(crate) goal: TermId,
    /// The goal as written in the clause: a variable for a called term.
    pub(crate) text: TermId,
}

impl Literal {
    pub(crate) fn is_written(self) -> bool {
        self.goal == self.text
    }
}

/// The outcome of trying the head of a clause.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Head {
    /// The clause is not tried, or nothing of it is counted.
    Untried,
    /// The head does not unify, and the events up to its failure are counted.
    Fails,
    /// The head may unify.
    Unifies,
}

/// A cost model during the run of one clause, with its data about the clause.
///
/// The first methods answer questions about the run, the others are its events. By default, an event records nothing, except that
/// [`CostModel::head`] and [`CostModel::ends`] record whether the run can fail.
pub(crate) trait CostModel {
    /// Returns whether the model covers a clause of this kind. The costs of clauses that it does not cover are unknown. By default, all
    /// clauses but single-sided rules (`=>`) are covered.
    fn covers(&self, clause: &Clause) -> bool {
        clause.kind != ClauseKind::SingleSided
    }

    /// Returns true for the model of resolution steps, which a call without matching clauses does not take.
    fn counts_steps_only(&self) -> bool {
        false
    }

    /// Returns whether the events of a clause that is not entered count, for example those of a leading test that fails.
    fn counts_before_entry(&self) -> bool {
        true
    }

    /// Returns whether a call to a table of facts may run as the disjunction of these facts ([`crate::clause::facts`]), which is not how it is
    /// executed.
    fn may_follow_facts(&self) -> bool {
        false
    }

    /// Returns whether the goals run in the order of the clause's code. If not, `(A ; B), !` has one continuation after the cut, and
    /// `\+ G` has one for both outcomes.
    fn follows_code(&self) -> bool {
        false
    }

    /// Returns the position before goals that run separately and whose code the model does not follow.
    fn start(&self) -> PointModel {
        PointModel::Stateless
    }

    /// Tries a head with these outcomes of the unification of its arguments, up to the first one that fails.
    fn head(
        &self,
        _: &ClauseScope<'_>,
        point: &mut Point,
        truths: &[Truth],
    ) -> Result<Head, Split> {
        Ok(unified(point, truths))
    }

    /// Enters the clause, after its head and its leading tests.
    fn enters(&self, _: &ClauseScope<'_>, _point: &mut Point, _: &Clause) {}

    /// Begins a goal.
    fn begins(&self, _: &ClauseScope<'_>, _point: &mut Point, _: Literal) {}

    /// Begins a control construct, to which no event of the high-level vocabulary applies: `true`, `,`, `!`.
    fn begins_control(&self, _: &ClauseScope<'_>, _point: &mut Point, _: Literal) {}

    /// Ends a goal with an outcome.
    fn ends(&self, _: &ClauseScope<'_>, point: &mut Point, _text: TermId, truth: Truth) {
        point.note(truth);
    }

    /// Generates the integers of `between/3`.
    fn generates(&self, _point: &mut Point, _: &Terms, _goal: TermId) {}

    /// Returns the goals (in reverse order) that run for a goal whose solutions are collected. `written` is the goal in the clause.
    fn collected(&self, _written: TermId, goal: TermId) -> Vec<PendingGoal> {
        vec![PendingGoal::Term(goal)]
    }

    /// Runs the goal of `catch/3`, which may raise an exception.
    fn catches(&self, _point: &mut Point) {}

    /// Collects copies of a template in the list of `findall/3`.
    fn finds_all(&self, _: &ClauseScope<'_>, _point: &mut Point, _: &Copies<'_>) {}

    /// Collects the solutions of `bagof/3`, `setof/3` or `aggregate_all/3,4`.
    fn collects(&self, _: &ClauseScope<'_>, _point: &mut Point, _: &Collected<'_>) {}

    /// Computes the result of `aggregate_all/3,4`.
    fn aggregates(&self, _: &ClauseScope<'_>, _point: &mut Point, _: &Aggregated<'_>) {}

    /// Commits a single-sided rule to its body.
    fn commits(&self, _point: &mut Point) {}

    /// Cuts the other clauses, and the branches of disjunctions.
    fn cuts(&self, _point: &mut Point) {}

    /// Begins a disjunction.
    fn disjunction(&self, _point: &mut Point) {}

    /// Begins a condition or, if `is_negated`, the goal of a negation.
    fn condition(
        &self,
        _: &ClauseScope<'_>,
        _point: &mut Point,
        _condition: TermId,
        _is_negated: bool,
    ) {
    }

    /// Enters a section of a control construct.
    fn section(&self, _: &ClauseScope<'_>, point: &mut Point, _: ConstructPart) -> Sections {
        Sections::around_construct(self.start(), point)
    }

    /// Adds the goal of an alternative of a control construct, if there is one, to the goals that remain after it (in reverse order).
    fn alternative(
        &self,
        mut rest: Vec<PendingGoal>,
        _: AlternativeKey,
        goal: Option<PendingGoal>,
    ) -> Vec<PendingGoal> {
        rest.extend(goal);
        rest
    }

    /// Reaches code that belongs to no goal, which [`CostModel::alternative`] or [`CostModel::collected`] has added.
    fn reaches(&self, _: &ClauseScope<'_>, _point: &mut Point, _: Spot) {}

    /// Refines the run of a condition that is known to have succeeded (other than that of `*->`) or failed.
    fn sharpened(&self, condition: Tree, _has_succeeded: bool) -> Tree {
        condition
    }

    /// Fails after the goal of `\+ G` or the condition of an `->` without `else` has decided so.
    fn fails(&self, _: &ClauseScope<'_>, _point: &mut Point) {}

    /// Fails perhaps, since the action of `forall/2` may have failed.
    fn forall_may_fail(&self, _: &ClauseScope<'_>, _point: &mut Point, _: &Inside) {}

    /// Ends a part after all its goals have succeeded: the clause, or goals that run separately.
    fn leaves(&self, _: &ClauseScope<'_>, _point: &mut Point, _: BodyPart<'_>) {}
}

/// The copies of a template in the list of `findall/3`, one for each solution.
pub(crate) struct Copies<'a> {
    /// The runs of the goal.
    pub(crate) tree: &'a Tree,
    pub(crate) template: TermId,
    pub(crate) list: TermId,
}

/// The solutions that a collecting predicate sees.
pub(crate) struct Collected<'a> {
    /// The name and arity of the predicate.
    pub(crate) collector: (&'a str, usize),
    /// The runs of its goal.
    pub(crate) tree: &'a Tree,
    /// The copied terms.
    pub(crate) kept: &'a [TermId],
    /// True if the solutions are sorted.
    pub(crate) is_sorted: bool,
}

/// The result of `aggregate_all/3,4`.
pub(crate) struct Aggregated<'a> {
    pub(crate) goal: TermId,
    pub(crate) result: &'a Type,
    /// The number of solutions, if the result is a number.
    pub(crate) times: Option<&'a Size>,
    /// True for `count`.
    pub(crate) is_count: bool,
}

/// Records the outcome of a head without events.
pub(crate) fn unified(point: &mut Point, truths: &[Truth]) -> Head {
    let truth = truths.iter().fold(Truth::True, |all, &t| all.and(t));
    if truth == Truth::False {
        return Head::Untried;
    }
    point.note(truth);
    Head::Unifies
}

/// Records the outcome of a head whose clause has no code, for a model that counts instructions: the cost of the clause is unknown even if
/// the head does not unify.
pub(crate) fn uncompiled(point: &mut Point, truths: &[Truth]) -> Head {
    match unified(point, truths) {
        Head::Untried => Head::Fails,
        head => head,
    }
}

/// The model that counts only resolution steps.
pub(crate) struct Steps;

impl CostModel for Steps {
    fn counts_steps_only(&self) -> bool {
        true
    }

    fn covers(&self, _: &Clause) -> bool {
        true
    }

    fn counts_before_entry(&self) -> bool {
        false
    }

    fn may_follow_facts(&self) -> bool {
        true
    }
}
