//! The symbolic run of a clause in a world.
//!
//! Literals run left to right over abstract values; what is recorded ([`Tree`]) is enough to read costs, numbers of solutions
//! and output sizes from, without running again.

mod built_in;
mod calls;
mod collect;
mod control;
mod exceptions;
mod guards;
mod instructions;
mod literals;
mod machine;
mod modes;
mod sized;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use costlens_algebra::system::{SolvedPiece, Value as Bound};
use costlens_algebra::{Expr, Var};
use costlens_events as events;
use costlens_events::code::{Chosen, CountedClause, Extent, Section};
use costlens_events::ppdp08::{Code, Instruction, Operation, Place, Unsupported};
use costlens_events::{Counts, Event, Mode, Vocabulary};
use costlens_program::language::{is_leading_test, is_type_test};
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{NIL, Term, TermId, Terms};

use super::arith::{self, Comparison};
use super::builtins;
use super::datum::Datum;
use super::lookup::At;
use super::node::{Node, Output, Slot};
use super::remainders;
use super::remembered::{KeptRun, Remembered};
use super::size::Size;
use super::state::{Scope, State, Value, identical, is_constant, sizes_equal};
use super::summary::Sides;
use super::tree::{CallStep, Callee, ClauseRun, End, Exit, Generator, Step, Tree};
use super::world::{Answer, Question, Split, Truth, World, ordered};
use super::{MOST_PATTERNS, Program, Summary, is_locked};
use crate::regular::Regular;
use crate::report::PredicateName;
use crate::types::{Pattern, Type};

/// Clauses with more terms than this are not run.
pub(crate) const LARGEST_CLAUSE: usize = 20_000;
/// How deep conditions, negations and branches may nest.
const DEEPEST_CONTROL: usize = 24;
/// How many cuts the run of one clause may pass: each wraps what stands before it.
const MOST_CUTS: usize = 64;
/// How many leaves the run of one clause may have.
const MOST_LEAVES: usize = 64;
/// How many branches of disjunctions and conditions one clause may be run through, those that end in failure among them.
const MOST_BRANCHES: usize = 4096;

/// A literal of which nothing is known, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Obstacle {
    pub(crate) clause: usize,
    pub(crate) literal: Option<TermId>,
    pub(crate) reason: String,
    pub(crate) help: String,
}

/// Everything a run shares.
pub(crate) struct Runner<'a> {
    pub(crate) program: &'a dyn Program,
    /// The types that it defines.
    pub(crate) types: &'a Arc<[Arc<Regular>]>,
    pub(crate) nodes: &'a [Node],
    pub(crate) node: usize,
    pub(crate) world: &'a World,
    pub(crate) next_var: &'a Cell<u32>,
    pub(crate) fuel: &'a Cell<u64>,
    pub(crate) obstacles: &'a RefCell<Vec<Obstacle>>,
    /// Patterns of the component that are called and have no node yet.
    pub(crate) discovered: &'a RefCell<Vec<(PredicateName, Pattern)>>,
    pub(crate) errors: &'a Cell<bool>,
    /// Whether the types of the component are solved, so that no new pattern can be taken in.
    pub(crate) settled: bool,
    /// What is recorded beside resolution steps.
    pub(crate) counting: Option<Vocabulary>,
    /// The symbol that is counted in terms ([`super::weight`]).
    pub(crate) counted: Option<&'a smol_str::SmolStr>,
    /// The runs of before.
    pub(crate) remembered: &'a Remembered,
}

/// A goal still to run.
#[derive(Clone, Copy, Debug)]
enum Goal {
    Term(TermId),
    /// A goal whose cuts are local to it, as `call/1` runs it.
    Opaque(TermId),
    /// A goal of which the first solution is used.
    Once(TermId),
    /// `\+ G`.
    Not(TermId),
    /// The cut of a condition or negation would be here; nothing runs.
    Fail,
    /// The cut of the clause between the guard of a single-sided rule and its body.
    Commit,
}

impl Goal {
    /// Whether a cut in it is one of the clause.
    fn may_cut(self, terms: &Terms) -> bool {
        match self {
            Goal::Term(t) => control::has_cut(terms, &[t]),
            Goal::Commit => true,
            _ => false,
        }
    }
}

/// Where a clause run stands.
#[derive(Clone)]
struct Point {
    state: State,
    steps: Vec<Step>,
    /// No step so far may fail.
    sure: bool,
    /// Where the run is in the code of its clause; none where instructions are not counted.
    at: Option<usize>,
    /// A goal in place that has begun, where instructions are counted.
    begun: Option<machine::Begun>,
}

impl Point {
    fn new(state: State) -> Self {
        Point {
            state,
            steps: Vec::new(),
            sure: true,
            at: None,
            begun: None,
        }
    }
}

struct ClauseScope<'a> {
    clause: usize,
    terms: &'a Terms,
    leaves: Cell<usize>,
    branches: Cell<usize>,
    cuts: Cell<usize>,
    may_cut: Cell<bool>,
    sure_cut: Cell<bool>,
    /// Where instructions are counted.
    code: Option<Code>,
    machine: Option<machine::MachineClause>,
}

/// How a run of a part of a clause ends: at exits of the clause's head, or inside the clause.
#[derive(Clone, Copy)]
struct Part<'a> {
    head: Option<&'a [TermId]>,
    depth: usize,
    /// Whether a cut here is local (condition, negation, call/1).
    local_cut: bool,
    /// Whether this part is run on every path (not inside a branch).
    certain: bool,
    /// Where a goal inside the clause ends in its code.
    until: Option<usize>,
}

impl Runner<'_> {
    /// Runs the clauses of the node in its world, in order, up to one whose cut is reached for certain.
    pub(crate) fn clauses(&self, clauses: &[Clause]) -> Result<Vec<ClauseRun>, Split> {
        let mut runs = Vec::new();
        let mut machine: Vec<Option<CountedClause>> = Vec::new();
        let mut chosen = Chosen::new(Vec::new(), false);
        if self.counts_machine() {
            machine = self.machine_clauses(clauses);
            chosen = self.chosen(clauses, &machine)?;
            // The call itself: like a clause that fails.
            let mut point = Point::new(State::new(&Terms::default(), Arc::clone(self.types)));
            self.count(&mut point, || chosen.call());
            runs.push(ClauseRun {
                clause: 0,
                tree: Rc::new(fail(point)),
                may_cut: false,
            });
        }
        for (index, clause) in clauses.iter().enumerate() {
            // In the code of a machine a clause depends on which others are tried.
            let may_keep = !self.counts_machine();
            if may_keep
                && let Some((kept, errors)) = self.remembered.clause(self.node, index, self.world)
            {
                runs.extend(kept.run);
                self.errors.set(self.errors.get() || errors);
                if kept.is_last {
                    return Ok(runs);
                }
                continue;
            }
            let machine = machine.get_mut(index).and_then(Option::take);
            let code = self.code(clause, Place::of(index, clauses.len()));
            let (code, unsupported) = match code {
                None => (None, None),
                Some(Ok(code)) => (Some(code), None),
                Some(Err(unsupported)) => (None, Some(unsupported)),
            };
            let scope = ClauseScope {
                clause: index,
                terms: &clause.terms,
                leaves: Cell::new(0),
                branches: Cell::new(0),
                cuts: Cell::new(0),
                may_cut: Cell::new(false),
                sure_cut: Cell::new(false),
                code,
                machine: self.machine_clause(machine, index, &chosen),
            };
            let raised_before = self.errors.replace(false);
            let ended = self.clause(clause, &scope, unsupported);
            let errors = self.errors.replace(raised_before || self.errors.get());
            let run = ended?.map(|mut tree| {
                tree.forget_values();
                ClauseRun {
                    clause: index,
                    tree: Rc::new(tree),
                    may_cut: scope.may_cut.get(),
                }
            });
            let is_last = run.is_some() && scope.sure_cut.get();
            let ended = KeptRun { run, is_last };
            if may_keep {
                let (node, world) = (self.node, self.world);
                (self.remembered).keep_clause(node, index, world, &ended, errors);
            }
            runs.extend(ended.run);
            if is_last {
                return Ok(runs);
            }
        }
        if clauses.iter().any(|c| c.kind == ClauseKind::SingleSided) {
            // Where no rule matches, that is an error.
            self.errors.set(true);
        }
        Ok(runs)
    }

    fn scope<'s>(&'s self, terms: &'s Terms, is_param: &'s dyn Fn(&Expr) -> bool) -> Scope<'s> {
        Scope {
            terms,
            world: self.world,
            is_param,
        }
    }

    /// Whether only the entry's size variables occur, so that a world may be split on it.
    fn is_param(&self, e: &Expr) -> bool {
        let params = &self.nodes[self.node].params;
        e.variables()
            .iter()
            .all(|v| params.iter().any(|p| p.var == *v))
    }

    fn clause(
        &self,
        clause: &Clause,
        scope: &ClauseScope<'_>,
        unsupported: Option<Unsupported>,
    ) -> Result<Option<Tree>, Split> {
        self.fuel.set(self.fuel.get().saturating_sub(1));
        let terms = &*clause.terms;
        let mut point = Point::new(State::new(terms, Arc::clone(self.types)));
        point.state.counted = self.counted.cloned();
        let is_single_sided = clause.kind == ClauseKind::SingleSided;
        if let Some(reason) = unreadable(clause, self.counting.is_some()) {
            return Ok(Some(self.give_up(scope, point, None, reason, "")));
        }
        let head: Vec<TermId> = terms.args(clause.head).to_vec();
        // Bound arguments first: what an unbound argument is unified with never fails.
        let node = &self.nodes[self.node];
        let mut truths = vec![Truth::True; head.len()];
        if is_single_sided && !self.leaves_unbound(terms, &head) {
            return Ok(None);
        }
        {
            let is_param = |e: &Expr| self.is_param(e);
            let s = self.scope(terms, &is_param);
            for (i, &argument) in head.iter().enumerate() {
                let datum = node.datum(i);
                if datum.ty != Type::Free {
                    truths[i] = point.state.unify_datum(&s, &datum, argument)?.0;
                    if truths[i] == Truth::False {
                        break;
                    }
                }
            }
        }
        if let Some(unsupported) = unsupported {
            let reason = unsupported.to_string();
            self.obstacle(scope, &mut point, unsupported.goal, reason, "");
        }
        if self.counts_machine() && scope.machine.is_none() {
            let reason = "the instructions of the clause are not known";
            self.obstacle(scope, &mut point, None, reason.to_owned(), "");
        }
        if let Some(machine) = &scope.machine {
            match self.machine_enter(&mut point, machine, (terms, clause.head), &truths) {
                None => return Ok(None),
                Some(false) => return Ok(Some(fail(point))),
                Some(true) => {}
            }
        } else if let Some(code) = &scope.code {
            if !self.enter(&mut point, code, &truths) {
                return Ok(Some(fail(point)));
            }
        } else {
            let truth = truths.iter().fold(Truth::True, |all, &t| all.and(t));
            if truth == Truth::False {
                // A clause without code costs something unknown even where it does not match.
                let counted = matches!(
                    self.counting,
                    Some(Vocabulary::Ppdp08 | Vocabulary::Machine)
                );
                return Ok(counted.then(|| fail(point)));
            }
            self.note(&mut point, truth);
        }
        self.count_high(&mut point, || Counts::once(Event::HeadUnification));
        let mut goals: Vec<Goal> = Vec::new();
        let conjunction = |t: TermId| terms.chain(t, ",").into_iter().rev().map(Goal::Term);
        goals.extend(clause.body.into_iter().flat_map(conjunction));
        if is_single_sided {
            goals.push(Goal::Commit);
            goals.extend(clause.guard.into_iter().flat_map(conjunction));
        }
        // Leading tests belong to the selection of the clause.
        while let Some(Goal::Term(goal)) = goals.last().copied() {
            let leading = terms.functor(goal).is_some_and(|(name, arity)| {
                is_leading_test(name, arity) && !(arity == 1 && self.is_redefined(name))
            });
            if !leading {
                break;
            }
            goals.pop();
            self.begin(scope, &mut point, goal, goal);
            let truth = self
                .test(&mut point.state, terms, goal)?
                .unwrap_or(Truth::Maybe);
            if self.fails(scope, &mut point, goal, truth) {
                // Not entered, but the tests before and this one have run.
                return Ok(self.counting.is_some().then(|| fail(point)));
            }
        }
        point.steps.push(Step::Enter);
        self.count_high(&mut point, || {
            events::head(terms, clause.head, &modes(&node.pattern))
        });
        let part = Part {
            head: Some(&head),
            depth: 0,
            local_cut: false,
            certain: true,
            until: None,
        };
        self.run(scope, point, goals, part).map(Some)
    }

    /// Whether the head of a single-sided rule can match what the call passes unbound: such an argument is not bound by the head, so
    /// that only a variable that occurs nowhere else in the head matches it.
    fn leaves_unbound(&self, terms: &Terms, head: &[TermId]) -> bool {
        let mut seen: BTreeMap<u32, usize> = BTreeMap::new();
        for &argument in head {
            for part in terms.subterms(argument) {
                if let Term::Var(v) = terms.get(part) {
                    *seen.entry(*v).or_default() += 1;
                }
            }
        }
        let types = &self.nodes[self.node].pattern.0;
        (head.iter().zip(types))
            .filter(|(_, ty)| **ty == Type::Free)
            .all(|(&t, _)| matches!(terms.get(t), Term::Var(v) if seen.get(v) == Some(&1)))
    }

    fn note(&self, point: &mut Point, truth: Truth) {
        if truth == Truth::Maybe {
            point.steps.push(Step::Maybe);
            point.sure = false;
        }
    }

    fn count(&self, point: &mut Point, counts: impl FnOnce() -> Counts) {
        if self.counting.is_some() {
            let counts = counts();
            if !counts.is_empty() {
                point.steps.push(Step::Count(Arc::new(counts)));
            }
        }
    }

    /// Counts events that are read off the text of clauses.
    fn count_high(&self, point: &mut Point, counts: impl FnOnce() -> Counts) {
        if self.counting == Some(Vocabulary::HighLevel) {
            self.count(point, counts);
        }
    }

    /// Counts what comes before a goal runs; `text` is what is written in its place.
    fn begin(&self, scope: &ClauseScope<'_>, point: &mut Point, goal: TermId, text: TermId) {
        match self.counting {
            None => {}
            Some(Vocabulary::HighLevel) => {
                self.count_literal(point, scope.terms, goal, text == goal);
            }
            Some(Vocabulary::Machine) => self.machine_begin(scope, point, goal, text),
            Some(Vocabulary::Ppdp08) => {
                if let Some(part) = scope.code.as_ref().and_then(|c| c.goals.get(&text)) {
                    self.operations(point, &part.before);
                    let called = |o: &Operation| o.instruction == Instruction::Call;
                    if part.before.last().is_some_and(called) {
                        self.count(point, || self.built_in(scope.terms, goal));
                    }
                }
            }
        }
    }

    /// Notes how a goal has ended; true if it has failed.
    fn fails(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        text: TermId,
        truth: Truth,
    ) -> bool {
        self.machine_end(scope, point, truth);
        let part = scope.code.as_ref().and_then(|c| c.goals.get(&text));
        match part.and_then(|p| p.last.as_ref()) {
            Some(last) => self.outcome(point, last, truth),
            None => self.note(point, truth),
        }
        truth == Truth::False
    }

    /// What a literal counts before it runs: the terms that it builds, where it is written here, and itself and what it
    /// evaluates, where it is a built-in.
    fn count_literal(&self, point: &mut Point, terms: &Terms, goal: TermId, is_written: bool) {
        self.count(point, || {
            let mut counts = Counts::default();
            if is_written {
                counts.extend(&events::written(terms, goal));
            }
            counts.extend(&self.built_in(terms, goal));
            counts
        });
    }

    /// The call of a built-in and what it evaluates; nothing for predicates of the program.
    fn built_in(&self, terms: &Terms, goal: TermId) -> Counts {
        match terms.functor(goal) {
            Some((name, arity))
                if is_locked(name, arity)
                    || !self
                        .program
                        .is_defined(&PredicateName::new(name.clone(), arity)) =>
            {
                events::builtin(terms, goal)
            }
            _ => Counts::default(),
        }
    }

    fn give_up(
        &self,
        scope: &ClauseScope<'_>,
        mut point: Point,
        literal: Option<TermId>,
        reason: String,
        help: &str,
    ) -> Tree {
        self.obstacle(scope, &mut point, literal, reason, help);
        // The goals that were not run may bind anything and may cut.
        scope.may_cut.set(true);
        point.state.pure = false;
        for value in &mut point.state.values {
            if *value == Value::Unbound {
                *value = Value::Known(Datum::any());
            }
        }
        let exit = Exit {
            arguments: self.nodes[self.node]
                .pattern
                .0
                .iter()
                .map(|_| Datum::any())
                .collect(),
            state: point.state,
        };
        Tree {
            steps: point.steps,
            end: End::Success(Box::new(exit)),
            cut_inside: true,
        }
    }

    fn obstacle(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        literal: Option<TermId>,
        reason: String,
        help: &str,
    ) {
        // What is not followed may raise an exception, too.
        self.errors.set(true);
        let obstacle = Obstacle {
            clause: scope.clause,
            literal,
            reason,
            help: help.to_owned(),
        };
        let mut all = self.obstacles.borrow_mut();
        let index = all.iter().position(|o| *o == obstacle).unwrap_or_else(|| {
            all.push(obstacle);
            all.len() - 1
        });
        point.steps.push(Step::Unknown(index));
        point.sure = false;
    }

    /// Runs goals (the last one first) to the end of the part.
    fn run(
        &self,
        scope: &ClauseScope<'_>,
        mut point: Point,
        mut goals: Vec<Goal>,
        part: Part<'_>,
    ) -> Result<Tree, Split> {
        let terms = scope.terms;
        while let Some(goal) = goals.pop() {
            self.fuel.set(self.fuel.get().saturating_sub(1));
            let goal = match goal {
                // `G` is `call(G)`: a cut in what it holds is local to that.
                Goal::Term(goal) if matches!(terms.get(goal), Term::Var(_)) => {
                    Goal::Opaque(point.state.resolve(terms, goal))
                }
                goal => goal,
            };
            let goal = match goal {
                Goal::Term(goal) => goal,
                Goal::Commit => {
                    self.cut(scope, &mut point, part);
                    continue;
                }
                Goal::Fail => {
                    self.machine_fail(scope, &mut point);
                    return Ok(fail(point));
                }
                Goal::Not(goal) => {
                    let branches = (goal, None, None);
                    return self.if_then_else(scope, point, goals, part, branches, false);
                }
                Goal::Once(goal) => {
                    let branches = (goal, Some(TRUE), None);
                    return self.if_then_else(scope, point, goals, part, branches, false);
                }
                Goal::Opaque(goal) if self.is_plain_goal(&point.state, terms, goal) => goal,
                Goal::Opaque(goal) if self.is_goal(&point.state, terms, goal) => {
                    match self.opaque(scope, &mut point, part, goal)? {
                        Truth::False => return Ok(fail(point)),
                        truth => self.note(&mut point, truth),
                    }
                    continue;
                }
                Goal::Opaque(goal) => goal,
            };
            let text = goal;
            let goal = point.state.resolve(terms, goal);
            let Some((name, _)) = terms.functor(goal) else {
                let reason = "this goal is a variable, and which goal it holds is not to be seen in the program".to_owned();
                self.obstacle(
                    scope,
                    &mut point,
                    Some(goal),
                    reason,
                    "Call a predicate by its name, or choose by the data which one to call.",
                );
                point.state.expose(terms, goal, &Type::Any);
                point.state.pure = false;
                continue;
            };
            let args = terms.args(goal);
            // What is no core built-in can be defined by the user.
            let redefined = (matches!(
                name.as_str(),
                "ignore"
                    | "not"
                    | "forall"
                    | "otherwise"
                    | "|"
                    | "aggregate_all"
                    | "catch_with_backtrace"
            ) || (name == "findall" && args.len() == 4))
                && (self.program).may_redefine(&PredicateName::new(name.clone(), args.len()));
            let is_instruction = matches!(
                self.counting,
                Some(Vocabulary::Ppdp08 | Vocabulary::Machine)
            );
            if redefined || is_instruction || !events::is_control(name, args.len()) {
                self.begin(scope, &mut point, goal, text);
            }
            match (name.as_str(), args) {
                _ if redefined => {
                    let truth = self.literal(scope, &mut point, goal)?;
                    if self.fails(scope, &mut point, text, truth) {
                        return Ok(fail(point));
                    }
                }
                (",", &[_, _]) => {
                    goals.extend(terms.chain(goal, ",").into_iter().rev().map(Goal::Term));
                }
                ("true" | "otherwise", []) => {}
                ("!", []) if scope.cuts.get() >= MOST_CUTS => {
                    let reason = "the clause has too many cuts".to_owned();
                    return Ok(self.give_up(scope, point, Some(goal), reason, "Split the clause."));
                }
                ("!", []) => self.cut(scope, &mut point, part),
                (";" | "|", &[left, right]) => {
                    return self.disjunction(scope, point, goals, part, (goal, left, right));
                }
                ("->" | "*->", &[condition, then]) => {
                    let soft = name == "*->";
                    return self.if_then_else(
                        scope,
                        point,
                        goals,
                        part,
                        (condition, Some(then), None),
                        soft,
                    );
                }
                ("\\+" | "not", &[inner]) => {
                    return self.if_then_else(
                        scope,
                        point,
                        goals,
                        part,
                        (inner, None, None),
                        false,
                    );
                }
                ("once", &[inner]) => {
                    let branches = (inner, Some(TRUE), None);
                    return self.if_then_else(scope, point, goals, part, branches, false);
                }
                ("ignore", &[inner]) => {
                    let branches = (inner, Some(TRUE), Some(TRUE));
                    return self.if_then_else(scope, point, goals, part, branches, false);
                }
                ("call", &[inner]) if self.is_goal(&point.state, terms, inner) => {
                    goals.push(Goal::Opaque(inner));
                }
                ("catch" | "catch_with_backtrace", &[inner, ball, recovery]) => {
                    return self.catch(scope, point, goals, part, (inner, ball, recovery));
                }
                _ => {
                    let truth = match (name.as_str(), args) {
                        ("forall", &[generator, condition]) => {
                            self.forall(scope, &mut point, part, (goal, generator, condition))?
                        }
                        ("findall", &[template, inner, list]) => {
                            let (goal, result) = ((template, inner), (list, None));
                            self.findall(scope, &mut point, part, goal, result)?
                        }
                        ("findall", &[template, inner, list, tail]) => {
                            let (goal, result) = ((template, inner), (list, Some(tail)));
                            self.findall(scope, &mut point, part, goal, result)?
                        }
                        ("aggregate_all", &[what, inner, result]) => {
                            let of = (what, None, inner);
                            self.aggregate_all(scope, &mut point, part, of, result)?
                        }
                        ("aggregate_all", &[what, discriminator, inner, result]) => {
                            let of = (what, Some(discriminator), inner);
                            self.aggregate_all(scope, &mut point, part, of, result)?
                        }
                        _ => self.literal(scope, &mut point, goal)?,
                    };
                    if self.fails(scope, &mut point, text, truth) {
                        return Ok(fail(point));
                    }
                }
            }
        }
        scope.leaves.set(scope.leaves.get() + 1);
        match part.until {
            Some(place) => self.machine_to(scope, &mut point, place),
            None if part.head.is_some() => self.machine_leave(scope, &mut point),
            None => {}
        }
        if let (Some(_), Some(code)) = (part.head, &scope.code) {
            self.operations(&mut point, &code.end);
        }
        let arguments = part
            .head
            .map(|head| self.arguments(&point.state, terms, head))
            .unwrap_or_default();
        Ok(Tree {
            steps: point.steps,
            end: End::Success(Box::new(Exit {
                state: point.state,
                arguments,
            })),
            cut_inside: false,
        })
    }

    /// The head's arguments at the end of a clause.
    fn arguments(&self, state: &State, terms: &Terms, head: &[TermId]) -> Vec<Datum> {
        let node = &self.nodes[self.node];
        head.iter()
            .enumerate()
            .map(|(i, &t)| {
                let mut datum = state.datum(terms, t).raised(self.types);
                if let Some(v) = state.unbound(terms, t) {
                    // Still unbound; shared if it occurs in another argument too.
                    let shared = head
                        .iter()
                        .enumerate()
                        .any(|(j, &u)| j != i && state.unbound_inside(terms, u).contains(&v));
                    datum.ty = if shared { Type::Any } else { Type::Free };
                }
                let before = &node.pattern.0[i];
                if *before != Type::Free {
                    datum.ty = if datum.ty == Type::Free {
                        Type::Any
                    } else {
                        datum.ty
                    };
                    let ty = before.meet(&datum.ty);
                    let size = match ty.metric() {
                        Some(metric) => datum.measured(metric),
                        None => datum.size.clone(),
                    };
                    let element = ty.element_metric().and_then(|m| datum.element_bound(m));
                    datum = Datum {
                        ty,
                        size,
                        element,
                        ..datum
                    };
                }
                datum
            })
            .collect()
    }

    fn is_goal(&self, state: &State, terms: &Terms, goal: TermId) -> bool {
        terms.functor(state.resolve(terms, goal)).is_some()
    }

    /// A call that can be run in place: no cut inside, and not a variable.
    fn is_plain_goal(&self, state: &State, terms: &Terms, goal: TermId) -> bool {
        let goal = state.resolve(terms, goal);
        terms.functor(goal).is_some() && !control::has_cut(terms, &[goal])
    }
}

/// How a call of the pattern passes its arguments.
fn modes(pattern: &Pattern) -> Vec<Mode> {
    let mode = |ty: &Type| match ty {
        Type::Free => Mode::Output,
        ty if ty.is_bound() => Mode::Input,
        _ => Mode::Either,
    };
    pattern.0.iter().map(mode).collect()
}

/// Stands for the goal `true` where the clause has none.
const TRUE: TermId = TermId(u32::MAX);

fn fail(point: Point) -> Tree {
    Tree {
        steps: point.steps,
        end: End::Fail,
        cut_inside: false,
    }
}

fn unreadable(clause: &Clause, is_counted: bool) -> Option<String> {
    if clause.terms.len() > LARGEST_CLAUSE {
        return Some(format!(
            "the clause has {} terms; more than {LARGEST_CLAUSE} are not analysed",
            clause.terms.len()
        ));
    }
    match clause.kind {
        ClauseKind::Dcg => Some("grammar rules (`-->`) are not translated yet".to_owned()),
        ClauseKind::SingleSided if is_counted => {
            Some("single-sided rules (`=>`) are analysed for resolution steps alone".to_owned())
        }
        _ => None,
    }
}
