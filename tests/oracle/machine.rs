//! The counting interpreter: runs a goal and counts clause entries.
//!
//! A *step* is a clause entry: a goal unified with a clause head whose leading tests also hold. Built-ins count none. Control is an explicit
//! continuation (frames), a choice point stack and a trail; nothing recurses on terms or on the depth of a run.

use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use costlens_compile::ppdp08::Operation;
use costlens_events::Event;
use num_bigint::BigInt;
use smol_str::SmolStr;

use crate::heap::{Heap, OutOfWork, Record, Ref};
use crate::instructions::Counter;
use crate::program::{Clause, Program};

/// The reason that the execution of a goal cannot continue.
#[derive(Debug)]
pub(crate) enum Stop {
    /// An exception with this ball.
    Throw(Ref),
    /// The step or work limit is reached.
    Limit,
    /// Something that the oracle cannot run.
    Unsupported(String),
}

impl From<OutOfWork> for Stop {
    fn from(_: OutOfWork) -> Self {
        Self::Limit
    }
}

/// The end of a run, or of the part of it up to its first solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A solution; over all solutions: every solution was explored.
    Success,
    /// No solution.
    Failure,
    /// An uncaught exception, printed.
    Exception(String),
    /// A limit was reached.
    Limit,
    /// The program needs something that the oracle cannot run.
    Unsupported(String),
}

/// The counts of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    /// The end of the search for the first solution.
    pub(crate) first: Outcome,
    /// Steps up to there.
    pub(crate) first_steps: u64,
    /// The end of exploring every solution.
    pub(crate) all: Outcome,
    /// Steps up to there.
    pub(crate) all_steps: u64,
    /// Solutions found.
    pub(crate) solutions: u64,
}

/// Limits of one run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) steps: u64,
    /// Heap cells that may be visited.
    pub(crate) work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 100_000,
            work: 20_000_000,
        }
    }
}

pub(crate) type FrameId = usize;

/// A continuation: an action, and the frame after it.
#[derive(Clone, Debug)]
struct Frame {
    kind: FrameKind,
    next: FrameId,
}

#[derive(Clone, Debug)]
pub(crate) enum FrameKind {
    /// The query succeeded.
    Done,
    /// Call a goal; a cut in it goes back to this height of the choice point stack.
    Goal(Ref, usize),
    /// The condition of an if-then-else, or the goal of `once/1`, succeeded.
    CutTo(usize),
    /// The condition of `*->` succeeded.
    SoftCut(usize),
    /// The goal of `\+` succeeded.
    NotExit(usize),
    /// The goal of `catch/3` succeeded.
    PopCatch(u64),
    /// The goal of `findall/3` succeeded: choice point and template.
    Collect(usize, Ref),
    /// Instructions run, and the next goal ends with one that may fail.
    Instructions(Rc<(Vec<Operation>, Option<Operation>)>),
}

#[derive(Debug)]
pub(crate) struct Choice {
    kind: ChoiceKind,
    trail: usize,
    cells: usize,
    frames: usize,
    next: FrameId,
}

#[derive(Debug)]
pub(crate) enum ChoiceKind {
    /// Clauses, starting from an index, for a goal.
    Clauses(Ref, Rc<Vec<Rc<Clause>>>, usize),
    /// Another goal instead.
    Goal(Ref, usize),
    /// Continue: the goal of `\+` failed.
    Continue,
    /// An active `catch/3`: id, catcher, recovery, height for cuts in the recovery goal.
    Catch(u64, Ref, Ref),
    /// A running `findall/3`: results, and the list to unify them with (`findall/4`: and its tail).
    Findall(Vec<Record>, Ref, Option<Ref>, (Aggregate, bool)),
    /// `between/3`, starting from a value, up to a limit if there is one.
    Between(BigInt, Option<BigInt>, Ref),
    /// `length/2` of a partial list: tail to complete, elements to add, length so far, the length argument.
    Length(Ref, usize, usize, Ref),
    /// `retract/1` of these clauses, starting from an index: the clause argument as `Head :- Body`.
    Retract(Ref, Rc<Vec<Rc<Clause>>>, usize),
    /// Terms to unify with one after the other.
    Terms(Ref, Rc<Vec<Record>>, usize),
    Repeat,
    /// Nothing: the condition of `*->` succeeded before.
    Dead,
}

/// The form of the result of a `findall`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aggregate {
    List,
    /// Fails if there is none (`bagof/3` without free variables).
    NonEmptyList,
    /// Sorted and non-empty (`setof/3` without free variables).
    NonEmptySet,
    Set,
    Count,
    Sum,
    Max,
    Min,
    /// `max(X, W)`, `min(X, W)`: of pairs of a number and a witness.
    MaxWitness,
    MinWitness,
}

/// One run.
pub(crate) struct Machine {
    pub(crate) heap: Heap,
    /// Copied when the run changes it.
    pub(crate) program: Rc<Program>,
    pub(crate) library: Rc<Program>,
    pub(crate) output: String,
    pub(crate) globals: std::collections::HashMap<SmolStr, Record>,
    frames: Vec<Frame>,
    pub(crate) choices: Vec<Choice>,
    pub(crate) catches: u64,
    pub(crate) steps: u64,
    pub(crate) limits: Limits,
    /// The number of choice points above which a run is abandoned.
    backtracks: u64,
    /// Counts instructions, if requested.
    pub(crate) counter: Option<Counter>,
    /// Its counts at the first solution.
    pub(crate) first_instructions: BTreeMap<Event, u64>,
}

pub(crate) enum Next {
    Frame(FrameId),
    Fail,
}

impl Machine {
    pub(crate) fn new(program: &Rc<Program>, library: &Rc<Program>, limits: Limits) -> Self {
        Self {
            heap: Heap {
                work: limits.work,
                ..Heap::default()
            },
            program: Rc::clone(program),
            library: program.beside(library),
            output: String::new(),
            globals: std::collections::HashMap::new(),
            frames: Vec::new(),
            choices: Vec::new(),
            catches: 0,
            steps: 0,
            limits,
            backtracks: 0,
            counter: None,
            first_instructions: BTreeMap::new(),
        }
    }

    /// Runs a goal on the heap to its first solution and then through all others. `at_solution` is called with the machine at each solution.
    pub(crate) fn count(&mut self, goal: Ref, mut at_solution: impl FnMut(&mut Self)) -> Count {
        self.frames.clear();
        self.choices.clear();
        self.steps = 0;
        let done = self.frame(FrameKind::Done, 0);
        let start = self.frame(FrameKind::Goal(goal, 0), done);
        let mut outcome = self.run(Next::Frame(start));
        let (first, first_steps) = (outcome.clone(), self.steps);
        self.first_instructions = self.instructions_so_far();
        let mut solutions = 0;
        while outcome == Outcome::Success {
            solutions += 1;
            at_solution(self);
            outcome = self.run(Next::Fail);
        }
        let all = match outcome {
            Outcome::Failure if solutions > 0 => Outcome::Success,
            other => other,
        };
        Count {
            first,
            first_steps,
            all,
            all_steps: self.steps,
            solutions,
        }
    }

    pub(crate) fn frame(&mut self, kind: FrameKind, next: FrameId) -> FrameId {
        self.frames.push(Frame { kind, next });
        self.frames.len() - 1
    }

    pub(crate) fn choice(&mut self, kind: ChoiceKind, next: FrameId) {
        self.choices.push(Choice {
            kind,
            trail: self.heap.trail.len(),
            cells: self.heap.cells.len(),
            frames: self.frames.len(),
            next,
        });
    }

    fn run(&mut self, mut next: Next) -> Outcome {
        loop {
            let (result, continuation) = match next {
                Next::Frame(id) => {
                    let Frame { kind, next: after } = self.frames[id].clone();
                    if matches!(kind, FrameKind::Done) {
                        return Outcome::Success;
                    }
                    (self.execute(kind, after), after)
                }
                Next::Fail => {
                    let Some(choice) = self.choices.last() else {
                        return Outcome::Failure;
                    };
                    let after = choice.next;
                    (self.backtrack(), after)
                }
            };
            next = match result {
                Ok(next) => next,
                Err(Stop::Limit) => return Outcome::Limit,
                Err(Stop::Unsupported(what)) => return Outcome::Unsupported(what),
                Err(Stop::Throw(ball)) => match self.throw(ball, continuation) {
                    Ok(next) => next,
                    Err(Stop::Throw(ball)) => {
                        return Outcome::Exception(crate::write::text(&mut self.heap, ball));
                    }
                    Err(_) => return Outcome::Limit,
                },
            };
        }
    }

    /// Resumes the newest choice point.
    fn backtrack(&mut self) -> Result<Next, Stop> {
        self.backtracks += 1;
        if self.backtracks > self.limits.work / 4 {
            return Err(Stop::Limit);
        }
        let height = self.choices.len() - 1;
        let choice = &mut self.choices[height];
        let (trail, cells, frames, next) = (choice.trail, choice.cells, choice.frames, choice.next);
        self.heap.undo(trail, cells);
        self.frames.truncate(frames);
        match &mut choice.kind {
            ChoiceKind::Clauses(goal, clauses, from) => {
                let (goal, clauses, from) = (*goal, Rc::clone(clauses), *from);
                self.choices.truncate(height);
                self.clauses(goal, &clauses, from, next)
            }
            ChoiceKind::Goal(goal, cut) => {
                let (goal, cut) = (*goal, *cut);
                self.choices.truncate(height);
                Ok(Next::Frame(self.frame(FrameKind::Goal(goal, cut), next)))
            }
            ChoiceKind::Continue => {
                self.choices.truncate(height);
                Ok(Next::Frame(next))
            }
            ChoiceKind::Catch(..) | ChoiceKind::Dead => {
                self.choices.truncate(height);
                Ok(Next::Fail)
            }
            ChoiceKind::Findall(results, out, tail, aggregate) => {
                let (results, out, tail, aggregate) =
                    (std::mem::take(results), *out, *tail, *aggregate);
                self.choices.truncate(height);
                let results: Vec<Ref> = results.iter().map(|r| self.heap.restore(r)).collect();
                match self.aggregate(aggregate, results, tail)? {
                    Some(value) if self.heap.unify(out, value)? => Ok(Next::Frame(next)),
                    _ => Ok(Next::Fail),
                }
            }
            ChoiceKind::Between(from, to, out) => {
                let (value, out) = (from.clone(), *out);
                *from += 1;
                if to.as_ref().is_some_and(|to| value >= *to) {
                    self.choices.truncate(height);
                }
                let value = self.heap.int(value);
                self.continue_if_unified(out, value, next)
            }
            ChoiceKind::Length(tail, added, length, out) => {
                let (tail, elements, length, out) = (*tail, *added, *length, *out);
                *added += 1;
                let elements: Vec<Ref> = (0..elements).map(|_| self.heap.var()).collect();
                let total = self.heap.int(length + elements.len());
                let rest = self.heap.list(&elements, None);
                if !self.heap.unify(tail, rest)? {
                    return Ok(Next::Fail);
                }
                self.continue_if_unified(out, total, next)
            }
            ChoiceKind::Terms(target, terms, at) => {
                let (target, terms, now) = (*target, Rc::clone(terms), *at);
                *at += 1;
                if *at >= terms.len() {
                    self.choices.truncate(height);
                }
                let Some(term) = terms.get(now) else {
                    return Ok(Next::Fail);
                };
                let term = self.heap.restore(term);
                self.continue_if_unified(target, term, next)
            }
            ChoiceKind::Retract(target, clauses, from) => {
                let (target, clauses, from) = (*target, Rc::clone(clauses), *from);
                self.choices.truncate(height);
                self.retract(target, &clauses, from, next)
            }
            ChoiceKind::Repeat => Ok(Next::Frame(next)),
        }
    }

    pub(crate) fn continue_if_unified(
        &mut self,
        a: Ref,
        b: Ref,
        next: FrameId,
    ) -> Result<Next, Stop> {
        Ok(if self.heap.unify(a, b)? {
            Next::Frame(next)
        } else {
            Next::Fail
        })
    }

    fn aggregate(
        &mut self,
        (aggregate, is_distinct): (Aggregate, bool),
        mut results: Vec<Ref>,
        tail: Option<Ref>,
    ) -> Result<Option<Ref>, Stop> {
        if is_distinct {
            // Pairs with the discriminator first: each once, and then without it.
            self.sort_unique(&mut results)?;
            self.enter()?;
            for result in &mut results {
                self.enter()?;
                *result = self.heap.matches::<2>(*result, "-").unwrap()[1];
            }
            self.enter()?;
            let (once, each) = match aggregate {
                Aggregate::Sum => (2, 1),
                Aggregate::Max | Aggregate::Min if !results.is_empty() => (1, 1),
                Aggregate::Max | Aggregate::Min => (1, 0),
                Aggregate::MaxWitness | Aggregate::MinWitness if !results.is_empty() => (1, 1),
                _ => (0, 0),
            };
            for _ in 0..once + each * results.len() {
                self.enter()?;
            }
        }
        match aggregate {
            Aggregate::NonEmptyList
            | Aggregate::NonEmptySet
            | Aggregate::Max
            | Aggregate::Min
            | Aggregate::MaxWitness
            | Aggregate::MinWitness
                if results.is_empty() =>
            {
                return Ok(None);
            }
            Aggregate::NonEmptySet | Aggregate::Set => self.sort_unique(&mut results)?,
            _ => {}
        }
        Ok(Some(match aggregate {
            Aggregate::Count => self.heap.int(results.len()),
            Aggregate::Sum | Aggregate::Max | Aggregate::Min => {
                let (name, mut total) = match aggregate {
                    Aggregate::Sum => ("+", self.heap.int(0)),
                    Aggregate::Max => ("max", results[0]),
                    _ => ("min", results[0]),
                };
                for result in results {
                    let sum = self.heap.compound(name, &[total, result]);
                    total = self.evaluate(sum)?;
                }
                total
            }
            Aggregate::MaxWitness | Aggregate::MinWitness => {
                let name = if aggregate == Aggregate::MaxWitness {
                    "max"
                } else {
                    "min"
                };
                let mut best: Option<[Ref; 2]> = None;
                for result in results {
                    let pair @ [number, _] = self.heap.matches::<2>(result, "-").unwrap();
                    let value = self.evaluate(number)?;
                    best = Some(match best {
                        None => pair,
                        Some(old) => {
                            let extreme = self.heap.compound(name, &[old[0], value]);
                            let extreme = self.evaluate(extreme)?;
                            // The first one of several.
                            if self.heap.compare(extreme, old[0])?.is_eq() {
                                old
                            } else {
                                pair
                            }
                        }
                    });
                }
                let [number, witness] = best.unwrap();
                self.heap.compound(name, &[number, witness])
            }
            _ => self.heap.list(&results, tail),
        }))
    }

    /// Unwinds to the innermost active `catch/3` whose catcher unifies with the ball.
    fn throw(&mut self, ball: Ref, continuation: FrameId) -> Result<Next, Stop> {
        let ball = self.heap.record(ball)?;
        let mut active = HashSet::new();
        let mut frame = continuation;
        loop {
            match self.frames[frame].kind {
                FrameKind::PopCatch(id) => {
                    active.insert(id);
                }
                FrameKind::Done => break,
                _ => {}
            }
            frame = self.frames[frame].next;
        }
        while let Some(choice) = self.choices.pop() {
            self.heap.undo(choice.trail, choice.cells);
            let ChoiceKind::Catch(id, catcher, recovery) = choice.kind else {
                continue;
            };
            if !active.contains(&id) {
                continue;
            }
            self.frames.truncate(choice.frames);
            let thrown = self.heap.restore(&ball);
            if self.heap.unify(catcher, thrown)? {
                let goal = FrameKind::Goal(recovery, self.choices.len());
                return Ok(Next::Frame(self.frame(goal, choice.next)));
            }
            self.heap.undo(choice.trail, choice.cells);
        }
        let ball = self.heap.restore(&ball);
        Err(Stop::Throw(ball))
    }

    fn execute(&mut self, kind: FrameKind, next: FrameId) -> Result<Next, Stop> {
        match kind {
            FrameKind::Done => Ok(Next::Frame(next)),
            FrameKind::Goal(goal, cut) => {
                let result = self.call(goal, cut, next);
                if let Some(counter) = &mut self.counter {
                    match &result {
                        Ok(next) => counter.goal_ended(matches!(next, Next::Frame(_))),
                        Err(_) => counter.pending = None,
                    }
                }
                result
            }
            FrameKind::Instructions(part) => {
                if let Some(counter) = &mut self.counter {
                    counter.count(&part.0);
                    counter.pending.clone_from(&part.1);
                }
                Ok(Next::Frame(next))
            }
            FrameKind::CutTo(height) => {
                self.choices.truncate(height);
                Ok(Next::Frame(next))
            }
            FrameKind::SoftCut(height) => {
                self.choices[height].kind = ChoiceKind::Dead;
                Ok(Next::Frame(next))
            }
            FrameKind::NotExit(height) => {
                self.choices.truncate(height);
                Ok(Next::Fail)
            }
            FrameKind::PopCatch(id) => {
                let top = self.choices.last().map(|c| &c.kind);
                if matches!(top, Some(ChoiceKind::Catch(i, ..)) if *i == id) {
                    self.choices.pop();
                }
                Ok(Next::Frame(next))
            }
            FrameKind::Collect(height, template) => {
                let result = self.heap.record(template)?;
                if let ChoiceKind::Findall(results, ..) = &mut self.choices[height].kind {
                    results.push(result);
                }
                Ok(Next::Fail)
            }
        }
    }
}
