//! Records of the symbolic run of a clause: the literals in order, and the branches.

pub(crate) mod later;
pub(crate) mod locals;
pub(crate) mod remembered;
pub(crate) mod runs;

use std::rc::Rc;
use std::sync::Arc;

use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, Var};
use costlens_events::{Counts, Event};
use costlens_syntax::term::TermId;

use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::report::Functor;
use crate::state::State;
use crate::summary::Summary;
use crate::summary::relation::Consumption;

/// A quantity that equations describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// The steps up to the first solution, failure or exception.
    First,
    /// The steps over all solutions.
    All,
    /// The number of solutions.
    Solutions,
}

/// The callee of a call, resolved to a predicate and a pattern.
#[derive(Clone, Debug)]
pub(crate) enum Callee {
    /// A node of the component that is being solved, by its index.
    Inside(usize),
    /// A predicate of another component that is already solved.
    Outside(Arc<Summary>),
}

/// An unknown literal, and the reason why it is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Obstacle {
    pub(crate) clause: usize,
    pub(crate) literal: Option<TermId>,
    pub(crate) reason: String,
    pub(crate) help: String,
    /// True for a built-in that calls no goals and for which only the number of solutions is unknown.
    pub(crate) calls_nothing: bool,
    /// The unknown predicate, if an unknown predicate is the reason.
    pub(crate) missing: Option<Functor>,
}

/// A call to a predicate of the program.
#[derive(Clone, Debug)]
pub(crate) struct CallStep {
    pub(crate) callee: Callee,
    /// The sizes passed for the callee's size variables, in the same order.
    pub(crate) args: Vec<Size>,
    /// The literal, for messages.
    pub(crate) literal: TermId,
    /// The call's unsolved output sizes: the argument (from 0), and the variable that represents its size.
    pub(crate) outputs: Vec<(usize, Var)>,
    /// Variables for output sizes that are known only through their relations ([`crate::tree::locals`]).
    pub(crate) locals: Vec<Var>,
    /// The facts about these variables on success.
    pub(crate) facts: Region,
    /// The locals whose values differ between any two solutions.
    pub(crate) distinct: Vec<Var>,
    /// A bound on the steps of the call if it succeeds.
    pub(crate) charge: Option<Charge>,
    /// True if the call certainly succeeds or does not end.
    pub(crate) sure: bool,
    /// The number of solutions, once solved.
    pub(crate) solutions: Option<Size>,
}

/// Bounds on the cost of a successful call, in terms of its outputs ([`crate::amortised`], [`crate::equations::relations::consumption`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Charge {
    /// The steps.
    pub(crate) steps: Expr,
    /// The work, where it is known.
    pub(crate) work: Option<Expr>,
    /// True if they bound only the cost to the first solution.
    pub(crate) first_only: bool,
}

impl CallStep {
    /// Returns the bounds on the cost of the call, if it succeeds, to its first solution or over all solutions.
    pub(crate) fn charged(&self, quantity: Quantity) -> Option<&Charge> {
        let charge = self.charge.as_ref()?;
        (!charge.first_only || quantity == Quantity::First).then_some(charge)
    }

    /// Returns the consumption of a callee outside the component.
    pub(crate) fn consumption(&self) -> Option<&Consumption> {
        match &self.callee {
            Callee::Outside(summary) => summary.relation.consumption.as_ref(),
            Callee::Inside(_) => None,
        }
    }
}

/// A step of a run.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A test, unification or built-in that may fail; its cost is zero.
    Maybe,
    /// A clause entry: one resolution step.
    Enter,
    /// A clause is added to a predicate, or to one that is not known; no cost.
    Adds(Option<Functor>),
    /// Events counted in addition to resolution steps; recorded only on request ([`crate::event_costs`]).
    Count(Arc<Counts>),
    /// The work of a built-in whose time grows with its arguments; recorded if events are counted.
    Work(Box<(Event, Size)>),
    /// Calls of built-ins and evaluations of arithmetic functions, for [`costlens_events::Event::TotalWork`]. This step has no other cost and
    /// does not fail.
    BuiltIn(u32),
    /// The integers that arithmetic reads and computes; recorded if events are counted. This step has no cost and does not fail.
    Integers(Box<[Size]>),
    /// Events of a goal that may fail; a [`Step::Maybe`] follows.
    Test(Arc<Tested>),
    /// A call.
    Call(CallStep),
    /// A goal with this number of solutions and no cost (`between/3`), and the goal itself if it is written in the clause.
    Solutions(Size, Option<Box<Generator>>),
    /// A goal that runs only to its first solution. The flag is true for a condition that succeeds, false for the goals before a cut.
    Once(Box<Tree>, bool),
    /// A goal that fails, such as the condition on the path to the else branch, or a goal that must fail: `\+ G`, followed by a
    /// [`Step::Maybe`].
    Failed(Box<Tree>),
    /// A goal whose solutions are all explored (`findall/3`).
    AllOf(Box<Tree>),
    /// A goal that runs at least to its first solution or failure, and at most over all solutions (`forall/2`, the condition of `*->`).
    PartOf(Box<Tree>),
    /// A goal that runs like a call to a separate predicate: cuts in it are local (`call/1`, `catch/3`). The flag is true if the goal is
    /// known to succeed, like the condition of `*->` before the then branch.
    Goal(Box<Tree>, bool),
    /// Sizes related to other sizes by a built-in ([`locals`]). This step has no cost and does not fail.
    Sizes(Vec<Var>, Region),
    /// The sizes that pass a test, after its [`Step::Maybe`]: the constraint holds for the following steps. This step has no cost and does
    /// not fail.
    Tested(Region),
    /// An unknown literal, as an index into the run's list of obstacles.
    Unknown(usize),
}

/// A goal that may have more than one solution.
#[derive(Clone, Debug)]
pub(crate) struct Generator {
    pub(crate) predicate: Functor,
    pub(crate) literal: TermId,
    /// The locals whose values differ between any two solutions.
    pub(crate) distinct: Vec<Var>,
    /// True if the goal has infinitely many solutions (`repeat/0`).
    pub(crate) endless: bool,
    /// True if the solutions end, even if their number is unbounded (`clause/2`).
    pub(crate) ends: bool,
}

/// The events of a goal that may fail.
#[derive(Clone, Debug)]
pub(crate) struct Tested {
    pub(crate) either: Counts,
    pub(crate) succeeds: Counts,
    pub(crate) fails: Counts,
}

/// The end of a run.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// The run succeeds.
    Success(Box<Exit>),
    /// The run fails.
    Fail,
    /// Exactly one of several continuations runs; it is unknown which.
    Either(Vec<Tree>),
    /// All of several branches are explored in order: a disjunction.
    Each(Vec<Tree>),
}

/// The state and the arguments at a success.
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    pub(crate) state: State,
    /// The head's arguments on success; empty for goals inside a clause.
    pub(crate) arguments: Vec<Datum>,
    /// Bounds on the elements of arguments whose largest elements are being inferred; `None` if an element has no bound.
    pub(crate) elements: Vec<(usize, Option<Vec<Expr>>)>,
}

/// The run of a clause or goal.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) steps: Vec<Step>,
    pub(crate) end: End,
    /// True if a cut inside [`End::Either`] or [`End::Each`] may prune branches outside it.
    pub(crate) cut_inside: bool,
}

impl Tree {
    /// Drops the values of the clause's variables at its exits: readers of a complete run need only its steps, the head's arguments and the
    /// facts about sizes. In a clause with many branches, the values take most of the memory.
    pub(crate) fn forget_values(&mut self) {
        let mut open = vec![self];
        while let Some(tree) = open.pop() {
            for step in &mut tree.steps {
                match step {
                    Step::Once(inner, _)
                    | Step::Failed(inner)
                    | Step::AllOf(inner)
                    | Step::PartOf(inner)
                    | Step::Goal(inner, _) => open.push(inner),
                    Step::Maybe
                    | Step::Enter
                    | Step::Adds(_)
                    | Step::Count(_)
                    | Step::Work(_)
                    | Step::BuiltIn(_)
                    | Step::Integers(_)
                    | Step::Test(_)
                    | Step::Call(_)
                    | Step::Solutions(..)
                    | Step::Sizes(..)
                    | Step::Tested(_)
                    | Step::Unknown(_) => {}
                }
            }
            match &mut tree.end {
                End::Success(exit) => exit.state.values = Vec::new(),
                End::Fail => {}
                End::Either(parts) | End::Each(parts) => open.extend(parts),
            }
        }
    }

    /// Returns whether the run certainly has a solution or does not end.
    pub(crate) fn cannot_fail(&self) -> bool {
        self.steps.iter().all(Step::cannot_fail) && self.end_cannot_fail()
    }

    /// Returns the goals before the cut of a run, if the cut is not inside a branch.
    pub(crate) fn cut_first(&self) -> Option<&Tree> {
        match self.steps.first() {
            Some(Step::Once(before, false)) => Some(before),
            _ => None,
        }
    }

    /// Returns whether nothing after a step fails, so that only the first solution of the step is used.
    pub(crate) fn is_last_to_fail(&self, step: usize) -> bool {
        self.steps[step + 1..].iter().all(Step::cannot_fail) && self.end_cannot_fail()
    }

    /// Returns whether the end of the tree, after its steps, certainly has a solution.
    pub(crate) fn end_cannot_fail(&self) -> bool {
        match &self.end {
            // A cut in one branch prunes the other branches, so only the first branch is certainly reached.
            End::Each(parts) if self.cut_inside => parts.first().is_some_and(Tree::cannot_fail),
            end => end.cannot_fail(),
        }
    }

    /// Returns the number of solutions, as far as the numbers of solutions of the calls are known.
    pub(crate) fn solutions(&self, region: &Region) -> Size {
        let mut count = Size::exact(Expr::int(1));
        for step in &self.steps {
            let factor = match step {
                Step::Enter
                | Step::Adds(_)
                | Step::Count(_)
                | Step::Work(_)
                | Step::BuiltIn(_)
                | Step::Integers(_)
                | Step::Test(_)
                | Step::AllOf(_)
                | Step::Failed(_)
                | Step::Once(_, true)
                | Step::Sizes(..)
                | Step::Tested(_)
                | Step::PartOf(_) => continue,
                Step::Call(call) => call.solutions.clone().unwrap_or_else(at_least_none),
                Step::Solutions(size, _) => size.clone(),
                Step::Unknown(_) => at_least_none(),
                Step::Maybe => at_most_one(false),
                Step::Once(tree, false) => at_most_one(tree.cannot_fail()),
                Step::Goal(tree, succeeds) => {
                    let mut inner = tree.solutions(region);
                    if *succeeds || tree.cannot_fail() {
                        inner.lower = inner.lower.filter(|l| *l != Expr::zero());
                        inner.lower.get_or_insert_with(|| Expr::int(1));
                    }
                    inner
                }
            };
            count = count.times(&factor, region);
        }
        let end = match &self.end {
            End::Success(_) => return count,
            End::Fail => Size::exact(Expr::zero()),
            End::Either(parts) => parts
                .iter()
                .map(|p| p.solutions(region))
                .reduce(|a, b| a.hull(&b, region))
                .unwrap_or_default(),
            End::Each(parts) => parts
                .iter()
                .map(|p| p.solutions(region))
                .reduce(|a, b| a.plus(&b))
                .unwrap_or_default(),
        };
        let mut count = count.times(&end, region);
        if self.cut_inside {
            count.lower = Some(Expr::zero());
        }
        count
    }

    /// Returns the states and arguments at all successes.
    pub(crate) fn exits(&self) -> Vec<&Exit> {
        let (mut found, mut stack) = (Vec::new(), vec![self]);
        while let Some(tree) = stack.pop() {
            match &tree.end {
                End::Success(exit) => found.push(&**exit),
                End::Fail => {}
                End::Either(parts) | End::Each(parts) => stack.extend(parts.iter().rev()),
            }
        }
        found
    }
}

/// Visits all steps of a tree, including those in nested goals and branches, in an unspecified order.
pub(crate) fn for_each_step(tree: &Tree, f: &mut dyn FnMut(&Step)) {
    let mut stack = vec![tree];
    while let Some(tree) = stack.pop() {
        for step in &tree.steps {
            f(step);
            match step {
                Step::Once(t, _)
                | Step::Failed(t)
                | Step::AllOf(t)
                | Step::PartOf(t)
                | Step::Goal(t, _) => stack.push(t),
                _ => {}
            }
        }
        match &tree.end {
            End::Either(parts) | End::Each(parts) => stack.extend(parts),
            _ => {}
        }
    }
}

impl Step {
    /// Returns whether a goal has infinitely many solutions, so that exploring all solutions never ends.
    pub(crate) fn is_endless(&self) -> bool {
        matches!(self, Step::Solutions(_, Some(goal)) if goal.endless)
    }

    pub(crate) fn cannot_fail(&self) -> bool {
        match self {
            Step::Enter
            | Step::Adds(_)
            | Step::Count(_)
            | Step::Work(_)
            | Step::BuiltIn(_)
            | Step::Integers(_)
            | Step::Test(_)
            | Step::Once(_, true)
            | Step::Failed(_)
            | Step::AllOf(_)
            | Step::Sizes(..)
            | Step::Tested(_)
            | Step::PartOf(_) => true,
            Step::Maybe | Step::Unknown(_) => false,
            Step::Call(call) => call.sure,
            // This is used only for counts whose lower bound is a number.
            Step::Solutions(size, _) => size
                .lower
                .as_ref()
                .and_then(Expr::as_constant)
                .is_some_and(|c| c >= costlens_algebra::rat(1)),
            Step::Once(tree, false) => tree.cannot_fail(),
            Step::Goal(tree, succeeds) => *succeeds || tree.cannot_fail(),
        }
    }
}

impl End {
    pub(crate) fn cannot_fail(&self) -> bool {
        match self {
            End::Success(_) => true,
            End::Fail => false,
            End::Either(parts) => !parts.is_empty() && parts.iter().all(Tree::cannot_fail),
            End::Each(parts) => parts.iter().any(Tree::cannot_fail),
        }
    }
}

fn at_least_none() -> Size {
    Size {
        lower: Some(Expr::zero()),
        upper: None,
    }
}

fn at_most_one(surely: bool) -> Size {
    Size {
        lower: Some(Expr::int(i64::from(surely))),
        upper: Some(Expr::int(1)),
    }
}

/// The run of a clause in a world.
#[derive(Clone, Debug)]
pub(crate) struct ClauseRun {
    /// The index of the clause in its predicate.
    pub(crate) clause: usize,
    pub(crate) tree: Rc<Tree>,
    /// True if a cut may be reached, so that later clauses may be skipped. (If a cut is certainly reached, there are no runs of later
    /// clauses.)
    pub(crate) may_cut: bool,
    /// True if the run may raise an exception.
    pub(crate) raises: bool,
}
