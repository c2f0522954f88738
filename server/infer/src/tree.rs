//! Records of the symbolic run of a clause: the literals in order, and where the run branches.

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

/// Which predicate and pattern a call reaches.
#[derive(Clone, Debug)]
pub(crate) enum Callee {
    /// One of the component that is being solved, by its index.
    Inside(usize),
    /// A predicate of another component, solved already.
    Outside(Arc<Summary>),
}

/// A literal of which nothing is known, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Obstacle {
    pub(crate) clause: usize,
    pub(crate) literal: Option<TermId>,
    pub(crate) reason: String,
    pub(crate) help: String,
    /// True of a built-in that calls nothing, of which only the number of solutions is not known.
    pub(crate) calls_nothing: bool,
    /// The predicate of which nothing is known, where that is the reason.
    pub(crate) missing: Option<Functor>,
}

/// A call of a predicate of the program.
#[derive(Clone, Debug)]
pub(crate) struct CallStep {
    pub(crate) callee: Callee,
    /// One size for each size variable of the callee.
    pub(crate) args: Vec<Size>,
    /// The literal, for messages.
    pub(crate) literal: TermId,
    /// Output sizes of the call that are not solved yet: the argument (from 0) and the variable that stands for its size.
    pub(crate) outputs: Vec<(usize, Var)>,
    /// Variables for sizes of outputs of which only relations are known ([`crate::tree::locals`]).
    pub(crate) locals: Vec<Var>,
    /// Facts about them on success.
    pub(crate) facts: Region,
    /// Those that differ in any two solutions.
    pub(crate) distinct: Vec<Var>,
    /// A local that all its steps do not exceed if it succeeds ([`crate::amortised`]).
    pub(crate) charge: Option<Var>,
    /// True if it succeeds for certain (or does not end).
    pub(crate) sure: bool,
    /// The number of solutions, once it is solved.
    pub(crate) solutions: Option<Size>,
}

/// One step of a run.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A test, unification or built-in that may fail; it costs nothing.
    Maybe,
    /// The clause is entered: one resolution step.
    Enter,
    /// Events that are counted here beside resolution steps; recorded only where that is asked for ([`crate::event_costs`]).
    Count(Arc<Counts>),
    /// The work of a built-in whose time grows with its arguments; recorded where events are counted.
    Work(Box<(Event, Size)>),
    /// The integers that arithmetic reads and gives here; recorded where events are counted. It costs nothing and does not fail.
    Integers(Box<[Size]>),
    /// Events of a goal that may fail; [`Step::Maybe`] comes behind it.
    Test(Arc<Tested>),
    /// A call.
    Call(CallStep),
    /// A goal with this many solutions, which costs nothing (`between/3`); which one it is, where it is written.
    Solutions(Size, Option<Box<Generator>>),
    /// A goal of which only the first solution is used: what stands before a cut, or (true) a condition that succeeds here.
    Once(Box<Tree>, bool),
    /// A goal that fails here, as a condition does on the way to the else branch, or that has to: `\+ G`, before a [`Step::Maybe`].
    Failed(Box<Tree>),
    /// A goal of which all solutions are explored (`findall/3`).
    AllOf(Box<Tree>),
    /// A goal that runs at least to its first solution or failure, and of which at most all solutions are explored
    /// (`forall/2`, the condition of `*->`).
    PartOf(Box<Tree>),
    /// A goal that runs like a call of a predicate of its own: a cut inside is local to it (`call/1`, `catch/3`). With true it is
    /// known to succeed, as the condition of `*->` is on the way to what follows it.
    Goal(Box<Tree>, bool),
    /// Sizes that a built-in makes known by how they relate to others ([`locals`]). It costs nothing and does not fail.
    Sizes(Vec<Var>, Region),
    /// The sizes that pass a test, behind its [`Step::Maybe`]: it holds for what follows. It costs nothing and does not fail.
    Tested(Region),
    /// A literal of which nothing is known; index into the run's list of obstacles.
    Unknown(usize),
}

/// A goal that may succeed more than once.
#[derive(Clone, Debug)]
pub(crate) struct Generator {
    pub(crate) predicate: Functor,
    pub(crate) literal: TermId,
    /// A local that differs in any two solutions.
    pub(crate) distinct: Vec<Var>,
    /// True if it has solutions without end (`repeat/0`).
    pub(crate) endless: bool,
    /// True if its solutions end, even where their number has no bound (`clause/2`).
    pub(crate) ends: bool,
}

/// The events of a goal that may fail.
#[derive(Clone, Debug)]
pub(crate) struct Tested {
    pub(crate) either: Counts,
    pub(crate) succeeds: Counts,
    pub(crate) fails: Counts,
}

/// How a run ends.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// It succeeds.
    Success(Box<Exit>),
    /// It fails.
    Fail,
    /// One of these happens, and it is not known which.
    Either(Vec<Tree>),
    /// All of these are explored, in this order: a disjunction.
    Each(Vec<Tree>),
}

/// State and arguments at a success.
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    pub(crate) state: State,
    /// The arguments of the head on success; empty for goals inside a clause.
    pub(crate) arguments: Vec<Datum>,
    /// Bounds on the elements of arguments whose largest elements are being worked out. None where an element has no bound.
    pub(crate) elements: Vec<(usize, Option<Vec<Expr>>)>,
}

/// The run of a clause or goal.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) steps: Vec<Step>,
    pub(crate) end: End,
    /// True if a cut inside [`End::Either`] or [`End::Each`] may prune what stands outside of it.
    pub(crate) cut_inside: bool,
}

impl Tree {
    /// Forgets the values of the clause's variables where it ends: what is read from a whole run are its steps, the arguments of the head, and
    /// what is known of sizes. In a clause with many branches the values are most of what there is.
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
                    | Step::Count(_)
                    | Step::Work(_)
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

    /// Tells whether it has a solution for certain (or does not end).
    pub(crate) fn cannot_fail(&self) -> bool {
        self.steps.iter().all(Step::cannot_fail) && self.end_cannot_fail()
    }

    /// Tells whether what follows the steps has a solution for certain.
    pub(crate) fn end_cannot_fail(&self) -> bool {
        match &self.end {
            // A cut in one branch prunes the others, so only the first one is reached for certain.
            End::Each(parts) if self.cut_inside => parts.first().is_some_and(Tree::cannot_fail),
            end => end.cannot_fail(),
        }
    }

    /// The number of solutions, as far as those of its calls are known.
    pub(crate) fn solutions(&self, region: &Region) -> Size {
        let mut count = Size::exact(Expr::int(1));
        for step in &self.steps {
            let factor = match step {
                Step::Enter
                | Step::Count(_)
                | Step::Work(_)
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

    /// The states and arguments at all successes.
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

/// Visits all steps of a tree, those inside of goals and of branches included; the order is none to rely on.
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
    /// True for a goal that has solutions without end: all of them are never explored.
    pub(crate) fn is_endless(&self) -> bool {
        matches!(self, Step::Solutions(_, Some(goal)) if goal.endless)
    }

    pub(crate) fn cannot_fail(&self) -> bool {
        match self {
            Step::Enter
            | Step::Count(_)
            | Step::Work(_)
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
            // Only counts of which the lower bound is a number are asked for here.
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

/// The run of one clause in one world.
#[derive(Clone, Debug)]
pub(crate) struct ClauseRun {
    /// The clause's index in its predicate.
    pub(crate) clause: usize,
    pub(crate) tree: Rc<Tree>,
    /// True if a cut may be reached, so that later clauses may be skipped. (Where one is reached for certain, there are no
    /// later clauses.)
    pub(crate) may_cut: bool,
    /// True if an exception is possible in it.
    pub(crate) raises: bool,
}
