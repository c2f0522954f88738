//! Quantities of a run: steps to the first solution, steps over all solutions, number of solutions, output sizes.
//!
//! Each quantity of a recorded run ([`Tree`]) becomes alternatives of a recurrence system. If all solutions are explored, `Sols` of a
//! literal multiplies the cost of the following literals (PADL'07 §2.1, equation 1). Up to the first solution, only literals before a
//! literal that may fail can be retried.

mod calls;
mod outputs;
mod spread;

use std::borrow::Cow;

use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, Var, rat};
use costlens_events::{Count, Counts, Event, OwnPart};
use costlens_recurrences::{Alternative, CallResult, Direction, Value};

use self::calls::interval;
pub(crate) use self::outputs::symbolic_calls;
use self::spread::{Spread, limited};
use super::cases::Cases;
use super::sums::Sums;
use crate::lattice::size::Size;
use crate::program::Program;
use crate::report::Functor;
use crate::summary::event_bounds::{EventBounds, EventSummary};
use crate::summary::node::Node;
pub(crate) use crate::tree::Quantity;
use crate::tree::locals::Locals;
use crate::tree::{Callee, Charge, ClauseRun, End, Step, Tree, for_each_step};
use crate::world::World;

/// The maximum number of alternatives; a quantity with more is abandoned.
const MOST_ALTERNATIVES: usize = 64;

/// The maximum number of alternatives of the clauses after a cut for which reaching and not reaching the cut are separate alternatives.
const MOST_SKIPPED: usize = 8;

/// The events that a cost sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CostColumn {
    /// Resolution steps.
    Steps,
    /// An event of the runs.
    Event(Event),
    /// Any event that occurs neither in the runs nor in their callees.
    Rest,
    /// An event, which may be resolution steps, excluding costs asserted as time; `None` means [`CostColumn::Rest`].
    BesideTimed(Option<Event>),
    /// Asserted time, in nanoseconds.
    Timed,
    /// All work, with the work of callees as their summaries have it.
    Work,
    /// The clauses that are added to predicates of this name, or to predicates that are not known.
    Adds(Option<Functor>),
}

impl CostColumn {
    /// Returns whether each clause entry counts as one event.
    fn counts_entries(&self) -> bool {
        matches!(
            self,
            CostColumn::Steps
                | CostColumn::Work
                | CostColumn::Event(Event::TotalWork | Event::Own(_, OwnPart::Heads))
                | CostColumn::BesideTimed(Some(Event::Step))
        )
    }

    /// Returns how often the column's event occurs according to these counts.
    fn count(&self, counts: &Counts) -> Count {
        match self {
            CostColumn::Event(Event::Own(_, OwnPart::Literals)) => counts.get(&Event::Literal),
            CostColumn::Event(event) | CostColumn::BesideTimed(Some(event)) => counts.get(event),
            CostColumn::Steps
            | CostColumn::Work
            | CostColumn::Rest
            | CostColumn::BesideTimed(None)
            | CostColumn::Timed
            | CostColumn::Adds(_) => Count::default(),
        }
    }

    /// Returns the column's bound on the cost of a successful call that is tied to its outputs.
    pub(crate) fn of_charge<'c>(&self, charge: &'c Charge) -> Option<&'c Expr> {
        match self {
            CostColumn::Steps => Some(&charge.steps),
            CostColumn::Work => charge.work.as_ref(),
            _ => None,
        }
    }

    /// Returns whether the column sums all work.
    fn is_work(&self) -> bool {
        matches!(self, CostColumn::Work | CostColumn::Event(Event::TotalWork))
    }

    /// Returns the column's bounds for a call, or `None` if they are the step bounds in the callee's summary.
    pub(crate) fn bounds<'e>(&self, of: &'e EventSummary) -> Option<Cow<'e, EventBounds>> {
        match self {
            CostColumn::Steps | CostColumn::Work | CostColumn::Adds(_) => None,
            CostColumn::Event(event) => of.own_column(event).map(Cow::Borrowed),
            CostColumn::Rest => Some(Cow::Borrowed(&of.rest)),
            CostColumn::BesideTimed(event) => of.beside_timed(event.as_ref()).map(Cow::Borrowed),
            CostColumn::Timed => Some(match &of.timed {
                Some(timed) => Cow::Borrowed(&timed.stated),
                None => Cow::Owned(EventBounds::nothing()),
            }),
        }
    }
}

/// Converts runs to alternatives, for one world.
pub(crate) struct Quantifier<'a> {
    pub(crate) nodes: &'a [Node],
    pub(crate) world: &'a World,
    /// The locals of the runs in the world.
    pub(crate) locals: &'a Locals,
    pub(crate) direction: Direction,
    pub(crate) next_var: &'a std::cell::Cell<u32>,
    /// The function for a node's quantity in the system under construction.
    pub(crate) function_of: &'a dyn Fn(usize, Quantity) -> usize,
    /// The function that represents callees proved to run forever.
    pub(crate) diverging: usize,
    /// The events that a cost sums.
    pub(crate) column: &'a CostColumn,
    /// True if successful calls cost what their outputs are tied to.
    pub(crate) charges: bool,
    pub(crate) program: &'a dyn Program,
    /// True if calls that fail because of their output sizes are separate alternatives, so that these sizes may constrain the following
    /// goals.
    pub(crate) tells_failure: bool,
    pub(crate) sums: &'a Sums,
    /// The treatment of the cases of callees.
    pub(crate) cases: &'a Cases,
}

/// Alternative values: the greatest (for upper bounds) or the least (for lower bounds) counts.
type Alternatives = Vec<Alternative>;

impl Quantifier<'_> {
    fn upper(&self) -> bool {
        self.direction == Direction::Upper
    }

    fn constant(&self, n: i64) -> Alternatives {
        vec![Alternative {
            value: Some(Expr::int(n)),
            ..Alternative::default()
        }]
    }

    fn counted(&self, count: Count) -> Alternatives {
        let n = if self.upper() {
            count.most
        } else {
            count.least
        };
        match i64::try_from(n) {
            Ok(n) => self.constant(n),
            Err(_) => self.nothing(),
        }
    }

    /// Returns the alternatives of an unknown quantity: no upper bound, and 0 as the lower bound.
    fn nothing(&self) -> Alternatives {
        vec![Alternative {
            value: if self.upper() {
                None
            } else {
                Some(Expr::zero())
            },
            ..Alternative::default()
        }]
    }

    /// Returns the quantity of all clauses tried in the world, in order.
    pub(crate) fn clauses(&self, quantity: Quantity, runs: &[ClauseRun]) -> Alternatives {
        if self.upper() {
            return self.clauses_upper(quantity, runs);
        }
        if quantity == Quantity::First {
            return self.first_of_clauses(runs);
        }
        let mut rest = self.constant(0);
        for run in runs.iter().rev() {
            rest = match run.tree.cut_first() {
                // Either the clause reaches its cut, or it ends earlier and the following clauses are tried. After an earlier cut they are
                // not tried.
                Some(before) if !is_zero(&rest) && before.cut_first().is_none() => {
                    let skipped = match quantity {
                        Quantity::Solutions => rest,
                        _ => self.plus(self.tree(Quantity::First, before), rest),
                    };
                    self.union(vec![self.tree(quantity, &behind_cut(&run.tree)), skipped])
                }
                // The next clause may not be tried.
                _ if run.may_cut => self.tree(quantity, &run.tree),
                _ => self.plus(self.tree(quantity, &run.tree), rest),
            };
        }
        rest
    }

    /// Returns a lower bound on the steps to the first solution or to failure.
    ///
    /// ```prolog
    /// diff([X|Xs], D, R) :- has(X, D), !, diff(Xs, D, R).    % reaches its cut, or the next clause is tried: it recurs in any case
    /// diff([X|Xs], D, [X|R]) :- diff(Xs, D, R).
    /// ```
    fn first_of_clauses(&self, runs: &[ClauseRun]) -> Alternatives {
        let mut rest = self.constant(0);
        for run in runs.iter().rev() {
            let own = |tree: &Tree| self.tree(Quantity::First, tree);
            rest = match run.tree.cut_first() {
                Some(before)
                    if !is_zero(&rest)
                        && rest.len() < MOST_SKIPPED
                        && before.cut_first().is_none() =>
                {
                    let skipped = self.plus(own(before), rest);
                    self.union(vec![own(&behind_cut(&run.tree)), skipped])
                }
                // The next clause is certainly tried only if this one cannot succeed.
                _ if run.may_cut || !never_succeeds(&run.tree) => own(&run.tree),
                _ => self.plus(own(&run.tree), rest),
            };
        }
        rest
    }

    /// Returns an upper bound for all clauses.
    fn clauses_upper(&self, quantity: Quantity, runs: &[ClauseRun]) -> Alternatives {
        // The first clause that succeeds ends the search for the first solution.
        let last = (runs.iter())
            .position(|run| quantity == Quantity::First && run.tree.cannot_fail())
            .map_or(runs.len(), |i| i + 1);
        self.one_after_the_other(quantity, runs[..last].iter().map(|run| &*run.tree))
    }

    /// Returns an upper bound on the sum over clauses or branches in the order in which they are tried. A clause whose cut may be reached
    /// has two alternatives: it reaches the cut, or it ends earlier and the later clauses are tried. Therefore the bound for
    /// `del(X, [X|Xs], Ys) :- !, del(X, Xs, Ys). del(X, [Y|Xs], [Y|Ys]) :- del(X, Xs, Ys).` is linear, even if it is unknown which elements
    /// equal `X`.
    fn one_after_the_other<'t>(
        &self,
        quantity: Quantity,
        trees: impl DoubleEndedIterator<Item = &'t Tree>,
    ) -> Alternatives {
        let mut rest = self.constant(0);
        for tree in trees.rev() {
            let own = self.tree(quantity, tree);
            rest = match tree.cut_first() {
                Some(before) if before.cannot_fail() => own,
                Some(before) if !is_zero(&rest) => {
                    let skipped = match quantity {
                        Quantity::Solutions => rest,
                        _ => self.plus(self.failing(before), rest),
                    };
                    self.union(vec![own, skipped])
                }
                _ => self.plus(own, rest),
            };
        }
        rest
    }

    /// Returns an upper bound on the steps of goals that fail: the goals after the last goal that may fail do not run.
    ///
    /// ```prolog
    /// pick([X|T], [X|R]) :- X > 0, pick(T, R), !.    % if pick/2 cannot fail, this clause fails in its test
    /// ```
    fn failing(&self, tree: &Tree) -> Alternatives {
        let last = tree.steps.iter().rposition(|step| !step.cannot_fail());
        match last {
            Some(last) if tree.end_cannot_fail() => {
                // A call of a table of facts that fails enters none.
                let enters_none = matches!(&tree.steps[last], Step::Call(call)
                    if matches!(&call.callee, Callee::Outside(summary) if summary.is_table()));
                let up_to = Tree {
                    steps: tree.steps[..last + usize::from(!enters_none)].to_vec(),
                    end: End::Fail,
                    cut_inside: false,
                };
                self.tree(Quantity::First, &up_to)
            }
            _ => self.tree(Quantity::First, tree),
        }
    }

    fn tree(&self, quantity: Quantity, tree: &Tree) -> Alternatives {
        match (quantity, self.direction) {
            (Quantity::First, Direction::Upper) => self.first_upper(tree, 0),
            (Quantity::First, Direction::Lower) => self.first_lower(tree),
            (Quantity::All, _) => self.all_solutions(tree),
            (Quantity::Solutions, _) => self.solutions(tree),
        }
    }

    /// Returns the steps over all solutions.
    fn all_solutions(&self, tree: &Tree) -> Alternatives {
        if tree.cut_inside && !self.upper() {
            // A cut in a branch prunes the remaining solutions of earlier goals, and the other branches.
            return self.first_lower(tree);
        }
        let mut total = self.constant(0);
        let mut times = self.constant(1);
        let mut failed: Vec<Alternatives> = Vec::new();
        let mut known = self.world.region().clone();
        let mut spread = Spread::default();
        for step in &tree.steps {
            if let Some(passed) = self.passed(step, &mut known) {
                failed.push(total.clone());
                if self.mentions_locals(&total) {
                    spread.forget();
                } else if spread.is_one(&known, self.locals) {
                    times = self.constant(1);
                }
                total = limited(total, passed);
                continue;
            }
            let before = known.clone();
            let mut may_fail = self.is_perhaps_behind_failure(step);
            if may_fail {
                failed.push(total.clone());
            }
            let has_no_sizes = self.may_have_no_sizes(step, &mut known);
            let mut cost = self.step_all(step);
            let tested = self.passed_inside(step, &mut known);
            may_fail |= tested.is_some();
            if is_one(&times) {
                if has_no_sizes {
                    failed.push(self.plus(total.clone(), cost.clone()));
                }
                if let Some(charge) = self.charge(step, Quantity::All) {
                    // Either the call fails and its outputs are unknown, or its cost is tied to them.
                    failed.push(self.plus(total.clone(), cost));
                    cost = charge;
                }
            } else {
                // Any of several calls may fail: facts about sizes on success hold only for the goals after the call.
                let together = self.together(&spread, step, Quantity::All, &before);
                cost = together.unwrap_or_else(|| self.each_time(&times, cost, &before));
                if has_no_sizes {
                    failed.push(self.plus(total.clone(), cost.clone()));
                }
                may_fail |= has_no_sizes;
            }
            total = self.plus(total, cost);
            if may_fail && self.mentions_locals(&total) {
                spread.forget();
            }
            times = self.multiplied(times, step, &mut spread, &known);
            if is_zero(&times) {
                return self.either(failed, total);
            }
            if let Some(tested) = tested {
                failed.push(total.clone());
                total = limited(total, &tested);
            }
        }
        let end = match &tree.end {
            End::Success(_) | End::Fail => return self.either(failed, total),
            End::Either(parts) => self.union(parts.iter().map(|p| self.all_solutions(p)).collect()),
            End::Each(parts) => self.each(Quantity::All, parts),
        };
        let total = self.plus(total, self.for_each(&times, &spread, end, &known));
        self.either(failed, total)
    }

    /// Returns whether a call may have no output sizes that satisfy the facts about success; such a call fails.
    ///
    /// ```prolog
    /// sorted(N, L1, L3, S) :- sorted(H, L1, L2, S1), sorted(R, L2, L3, S2), merged(S1, S2, S).
    /// ```
    ///
    /// takes N elements from the front of a list, which may be shorter than N
    fn may_have_no_sizes(&self, step: &Step, known: &mut Region) -> bool {
        let (locals, facts) = match step {
            Step::Call(call) => (&call.locals, &call.facts),
            Step::Sizes(locals, facts) => (locals, facts),
            _ => return false,
        };
        if locals.is_empty() || !self.upper() || !self.tells_failure {
            return false;
        }
        let all = known.and_all(facts);
        let possible =
            (all.project_inside(locals)).is_some_and(|shadow| known.implies_all(&shadow));
        *known = all;
        !possible
    }

    /// Returns whether the arguments of a call are intervals that may be empty; if one is empty, an earlier call has failed.
    fn is_perhaps_behind_failure(&self, step: &Step) -> bool {
        let Step::Call(call) = step else { return false };
        let Callee::Inside(node) = call.callee else {
            return false;
        };
        let mut args = call.args.iter().zip(&self.nodes[node].params);
        self.upper()
            && self.tells_failure
            && args.any(|(size, param)| {
                let local = Var(self.next_var.get());
                let own = interval(local, size, param.slot.metric.least());
                size.as_exact().is_none() && !self.always_fits(local, size, &own)
            })
    }

    fn either(&self, mut failed: Vec<Alternatives>, total: Alternatives) -> Alternatives {
        if failed.is_empty() {
            return total;
        }
        failed.push(total);
        self.union(failed)
    }

    /// Returns the steps of a goal that succeeds, over all solutions or to its first, if those of a call in it are tied to its outputs
    /// ([`crate::amortised`], [`super::relations::consumption`]).
    fn charge(&self, step: &Step, quantity: Quantity) -> Option<Alternatives> {
        if !self.upper() || !self.charges {
            return None;
        }
        match step {
            Step::Call(call) => {
                let charge = self.column.of_charge(call.charged(quantity)?)?;
                Some(vec![Alternative {
                    value: Some(charge.clone()),
                    ..Alternative::default()
                }])
            }
            // The goals before a cut, or a condition.
            Step::Once(tree, _) if matches!(tree.end, End::Success(_)) => {
                let mut total = self.constant(0);
                let mut any = false;
                for (i, step) in tree.steps.iter().enumerate() {
                    let is_last = tree.is_last_to_fail(i);
                    let (quantity, plain) = match is_last {
                        true => (Quantity::First, self.step_first(step)),
                        false if at_most_one(&self.step_solutions(step)) => {
                            (Quantity::All, self.step_all(step))
                        }
                        false => return None,
                    };
                    let charge = self.charge(step, quantity);
                    any |= charge.is_some();
                    total = self.plus(total, charge.unwrap_or(plain));
                }
                any.then_some(total)
            }
            _ => None,
        }
    }

    /// Returns an upper bound on the steps to the first solution or to failure. As long as the preceding goals have at most one solution,
    /// the rest is entered once; otherwise it may be run once per solution.
    fn first_upper(&self, tree: &Tree, from: usize) -> Alternatives {
        let mut total = self.constant(0);
        let mut failed: Vec<Alternatives> = Vec::new();
        let mut known = self.world.region().clone();
        for (i, step) in tree.steps.iter().enumerate().skip(from) {
            if let Some(passed) = self.passed(step, &mut known) {
                failed.push(total.clone());
                total = limited(total, passed);
                continue;
            }
            if self.is_perhaps_behind_failure(step) {
                failed.push(total.clone());
            }
            if self.may_have_no_sizes(step, &mut known) {
                failed.push(self.plus(total.clone(), self.step_all(step)));
            }
            let rest_sure =
                tree.steps[i + 1..].iter().all(Step::cannot_fail) && tree.end_cannot_fail();
            if rest_sure {
                let charge = self.charge(step, Quantity::First);
                if charge.is_some() {
                    // An exception ends the call like a failure.
                    failed.push(self.plus(total.clone(), self.step_first(step)));
                }
                total = self.plus(total, charge.unwrap_or_else(|| self.step_first(step)));
                continue;
            }
            if !at_most_one(&self.step_solutions(step)) {
                let rest = Tree {
                    steps: tree.steps[i..].to_vec(),
                    end: tree.end.clone(),
                    cut_inside: tree.cut_inside,
                };
                let total = self.plus(total, self.all_solutions(&rest));
                return self.either(failed, total);
            }
            let mut cost = self.step_all(step);
            let tested = self.passed_inside(step, &mut known);
            if let Some(charge) = self.charge(step, Quantity::All) {
                failed.push(self.plus(total.clone(), cost));
                cost = charge;
            }
            total = self.plus(total, cost);
            if let Some(tested) = tested {
                failed.push(total.clone());
                total = limited(total, &tested);
            }
        }
        let end = match &tree.end {
            End::Success(_) | End::Fail => return self.either(failed, total),
            End::Either(parts) => {
                self.union(parts.iter().map(|p| self.first_upper(p, 0)).collect())
            }
            End::Each(parts) => {
                let last = parts.iter().position(Tree::cannot_fail);
                let last = last.map_or(parts.len(), |i| i + 1);
                self.each(Quantity::First, &parts[..last])
            }
        };
        let total = self.plus(total, end);
        self.either(failed, total)
    }

    /// Returns a lower bound on the steps to the first solution or to failure: the steps up to and including the first literal that may
    /// fail.
    ///
    /// ```prolog
    /// wait :- repeat, fail.    % a body that never succeeds explores everything before its end
    /// ```
    fn first_lower(&self, tree: &Tree) -> Alternatives {
        self.begun_lower(tree, true)
    }

    /// Returns the lower bound of [`Self::first_lower`]. If a failure may end the run, like that of the condition in `forall/2`, the run
    /// does not backtrack into remaining solutions.
    fn begun_lower(&self, tree: &Tree, goes_back: bool) -> Alternatives {
        let mut total = self.constant(0);
        let explores_all = goes_back && !tree.cut_inside && never_succeeds(tree);
        for (i, step) in tree.steps.iter().enumerate() {
            if explores_all && may_be_endless(step) {
                let rest = Tree {
                    steps: tree.steps[i..].to_vec(),
                    end: tree.end.clone(),
                    cut_inside: false,
                };
                return self.plus(total, self.all_solutions(&rest));
            }
            total = self.plus(total, self.step_first(step));
            if !step.cannot_fail() {
                return total;
            }
        }
        let end = match &tree.end {
            End::Success(_) | End::Fail => return total,
            End::Either(parts) => {
                let parts = parts.iter().map(|p| self.begun_lower(p, goes_back));
                self.union(parts.collect())
            }
            End::Each(parts) => {
                let mut sum = self.constant(0);
                for part in parts {
                    sum = self.plus(sum, self.begun_lower(part, goes_back));
                    // The next branch is certainly tried only if this one fails.
                    if !goes_back || tree.cut_inside || !never_succeeds(part) {
                        break;
                    }
                }
                sum
            }
        };
        self.plus(total, end)
    }

    fn solutions(&self, tree: &Tree) -> Alternatives {
        let mut times = self.constant(1);
        let mut failed: Vec<Alternatives> = Vec::new();
        let mut known = self.world.region().clone();
        let mut spread = Spread::default();
        for step in &tree.steps {
            if let Some(passed) = self.passed(step, &mut known) {
                failed = vec![self.constant(0)];
                if spread.is_one(&known, self.locals) {
                    times = self.constant(1);
                }
                times = limited(times, passed);
                continue;
            }
            if self.may_have_no_sizes(step, &mut known) || self.is_perhaps_behind_failure(step) {
                failed = vec![self.constant(0)];
            }
            if let Some(tested) = self.passed_inside(step, &mut known) {
                failed = vec![self.constant(0)];
                times = limited(times, &tested);
            }
            times = self.multiplied(times, step, &mut spread, &known);
            if is_zero(&times) {
                return times;
            }
        }
        let end = match &tree.end {
            End::Success(_) => return self.either(failed, times),
            End::Fail => return self.constant(0),
            End::Either(parts) => self.union(parts.iter().map(|p| self.solutions(p)).collect()),
            End::Each(parts) => self.each(Quantity::Solutions, parts),
        };
        if tree.cut_inside && !self.upper() {
            return self.constant(i64::from(tree.cannot_fail()));
        }
        let times = self.for_each(&times, &spread, end, &known);
        self.either(failed, times)
    }

    /// Returns the quantity of the branches of a disjunction.
    fn each(&self, quantity: Quantity, parts: &[Tree]) -> Alternatives {
        if self.upper() {
            return self.one_after_the_other(quantity, parts.iter());
        }
        let mut sum = self.constant(0);
        for part in parts {
            sum = self.plus(sum, self.tree(quantity, part));
        }
        sum
    }

    fn step_all(&self, step: &Step) -> Alternatives {
        match step {
            Step::Solutions(..) if step.is_endless() => match self.upper() {
                true => self.nothing(),
                false => self.for_ever(),
            },
            Step::Maybe
            | Step::Integers(_)
            | Step::Solutions(..)
            | Step::Sizes(..)
            | Step::Tested(_) => self.constant(0),
            Step::Enter => self.constant(i64::from(self.column.counts_entries())),
            Step::Adds(functor) => {
                let is_counted = matches!(self.column, CostColumn::Adds(of) if of == functor);
                self.constant(i64::from(is_counted))
            }
            Step::Count(counts) => self.counted(self.column.count(counts)),
            Step::BuiltIn(calls) => match self.column.is_work() {
                true => self.constant(i64::from(*calls)),
                false => self.constant(0),
            },
            Step::Work(work) if self.column.is_work() => self.bound(&work.1),
            Step::Work(work) => match self.column {
                CostColumn::Event(event) | CostColumn::BesideTimed(Some(event))
                    if *event == work.0 =>
                {
                    self.bound(&work.1)
                }
                _ => self.constant(0),
            },
            Step::Test(tested) => self.counted(self.column.count(&tested.either)),
            Step::Call(call) => self.call(call, Quantity::All),
            // The steps up to the first solution or failure.
            Step::Once(tree, _) => self.detached(tree, self.tree(Quantity::First, tree)),
            Step::Failed(tree) => self.tree(Quantity::First, tree),
            Step::PartOf(tree) => {
                if self.upper() {
                    self.all_solutions(tree)
                } else {
                    self.begun_lower(tree, false)
                }
            }
            Step::AllOf(tree) | Step::Goal(tree, _) => self.all_solutions(tree),
            Step::Unknown(_) => self.nothing(),
        }
    }

    fn step_first(&self, step: &Step) -> Alternatives {
        match step {
            Step::Call(call) => self.call(call, Quantity::First),
            Step::Goal(tree, _) => self.tree(Quantity::First, tree),
            Step::Solutions(..) => self.constant(0),
            other => self.step_all(other),
        }
    }

    fn step_solutions(&self, step: &Step) -> Alternatives {
        match step {
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
            | Step::PartOf(_) => self.constant(1),
            Step::Maybe => self.constant(i64::from(self.upper())),
            Step::Call(call) => match &call.solutions {
                Some(size) => self.bound(size),
                None => self.call(call, Quantity::Solutions),
            },
            Step::Solutions(size, _) => self.bound(size),
            Step::Once(tree, false) if self.upper() || tree.cannot_fail() => self.constant(1),
            // One if there is a solution, otherwise zero.
            Step::Once(tree, false) => self.union(vec![self.constant(1), self.solutions(tree)]),
            Step::Goal(_, true) if !self.upper() => self.constant(1),
            Step::Goal(tree, _) if !self.upper() && tree.cannot_fail() => self.constant(1),
            Step::Goal(tree, _) => self.solutions(tree),
            Step::Unknown(_) => self.nothing(),
        }
    }

    /// Returns the cost of a goal that runs forever.
    fn for_ever(&self) -> Alternatives {
        let var = self.fresh();
        vec![Alternative {
            results: vec![CallResult {
                var,
                function: self.diverging,
                args: Vec::new(),
            }],
            value: Some(Expr::var(var)),
            ..Alternative::default()
        }]
    }

    /// Returns the lower or upper bound on a size, depending on the direction.
    fn bound(&self, size: &Size) -> Alternatives {
        match (self.upper(), &size.lower, &size.upper) {
            (true, _, Some(e)) | (false, Some(e), _) => vec![Alternative {
                value: Some(e.clone()),
                ..Alternative::default()
            }],
            _ => self.nothing(),
        }
    }

    fn fresh(&self) -> Var {
        let v = Var(self.next_var.get());
        self.next_var.set(v.0 + 1);
        v
    }

    fn plus(&self, a: Alternatives, b: Alternatives) -> Alternatives {
        self.combine(a, b, |x, y| x + y)
    }

    fn times(&self, a: Alternatives, b: Alternatives) -> Alternatives {
        if is_zero(&a) || is_one(&b) {
            return a;
        }
        if is_zero(&b) || is_one(&a) {
            return b;
        }
        self.combine(a, b, |x, y| x * y)
    }

    fn combine(
        &self,
        a: Alternatives,
        b: Alternatives,
        op: impl Fn(&Expr, &Expr) -> Expr,
    ) -> Alternatives {
        if a.len() * b.len() > MOST_ALTERNATIVES {
            return self.nothing();
        }
        let mut combined = Vec::with_capacity(a.len() * b.len());
        for x in &a {
            for y in &b {
                combined.push(Alternative {
                    locals: x.locals.iter().chain(&y.locals).copied().collect(),
                    constraints: x.constraints.and_all(&y.constraints),
                    results: x.results.iter().chain(&y.results).cloned().collect(),
                    value: match (&x.value, &y.value) {
                        (Some(x), Some(y)) => Some(op(x, y)),
                        _ => None,
                    },
                });
            }
        }
        combined
    }

    fn union(&self, parts: Vec<Alternatives>) -> Alternatives {
        let mut all: Alternatives = Vec::new();
        for alternative in parts.into_iter().flatten() {
            if !all.contains(&alternative) {
                all.push(alternative);
            }
        }
        if all.len() > MOST_ALTERNATIVES || all.is_empty() {
            return self.nothing();
        }
        all
    }
}

fn never_succeeds(tree: &Tree) -> bool {
    match &tree.end {
        End::Success(_) => tree.steps.iter().any(|s| matches!(s, Step::Call(c) if c.solutions.as_ref().and_then(|s| s.upper.as_ref()).is_some_and(Expr::is_zero))),
        End::Fail => true,
        End::Either(parts) | End::Each(parts) => parts.iter().all(never_succeeds),
    }
}

/// Returns whether a goal may have infinitely many solutions, according to the facts known so far.
fn may_be_endless(step: &Step) -> bool {
    match step {
        Step::Call(call) => match &call.callee {
            Callee::Outside(summary) => {
                (summary.all.lower.iter()).any(|piece| piece.value == Value::Diverges)
            }
            Callee::Inside(_) => false,
        },
        Step::Goal(tree, _) => {
            let mut found = false;
            for_each_step(tree, &mut |step| found |= step.is_endless());
            found
        }
        step => step.is_endless(),
    }
}

fn is_zero(a: &Alternatives) -> bool {
    a.iter()
        .all(|x| x.value.as_ref().is_some_and(Expr::is_zero))
}

fn is_one(a: &Alternatives) -> bool {
    matches!(a.as_slice(), [x] if x.results.is_empty() && x.constraints.constraints().is_empty() && x.value.as_ref().is_some_and(|e| *e == Expr::int(1)))
}

fn at_most_one(a: &Alternatives) -> bool {
    a.iter().all(|x| {
        x.value
            .as_ref()
            .and_then(Expr::as_constant)
            .is_some_and(|c| c <= rat(1))
    })
}

/// Returns the run restricted to the case in which it reaches this cut.
fn behind_cut(tree: &Tree) -> Tree {
    let mut reached = tree.clone();
    if let Some(Step::Once(_, succeeds)) = reached.steps.first_mut() {
        *succeeds = true;
    }
    reached
}
