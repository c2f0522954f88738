//! Counts the SWI-Prolog instructions that run a clause: every instruction, with successes and failures counted separately.
//!
//! A run is processed piece by piece ([`super::walk`]): the head, then each goal with the control instructions before it. A call counts
//! once, when it is made; failures after it are not charged to the call. If it is unknown whether the frame is reused, either form of a
//! last call may run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use costlens_body::Goal;
use costlens_events::Counts;
use costlens_events::swi::Opcode;
use costlens_syntax::term::TermId;

use super::compile::{Code, compile};
use super::instruction::{CodePart, Instruction};
use super::refusal::Refusal;
use super::settings::Settings;
use super::stretch::Stretch;
use crate::code::{ClauseText, Outcome};
use crate::occurrences::Occurrences;

/// An executed instruction, with a flag for failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Executed {
    /// The instruction.
    pub opcode: Opcode,
    /// True if the instruction fails. `I_FAIL` and `C_FAIL` count as successful.
    pub fails: bool,
}

/// Prints `H_LIST`, `H_LIST(fail)`.
impl fmt::Display for Executed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.opcode.name())?;
        f.write_str(if self.fails { "(fail)" } else { "" })
    }
}

/// A clause whose instructions are counted.
#[derive(Clone, Debug)]
pub struct CountedClause {
    pub(super) code: Code,
    pub(super) arity: usize,
    /// The position after the head.
    pub(super) body: usize,
    /// Goals without code: a `true` in the body, and goals moved into the head.
    pub(super) without_code: Vec<TermId>,
    /// True if no variable occurs twice in the terms that the head unifies, so that each argument fails independently of the other
    /// arguments.
    is_linear: bool,
}

impl CountedClause {
    /// Compiles a clause. With the flag `optimise`, its goals must be those that [`super::simplify()`] returns, since other goals have no
    /// code.
    ///
    /// # Errors
    ///
    /// The errors of [`compile`].
    pub fn new(clause: &ClauseText<'_>, settings: &Settings<'_>) -> Result<Self, Refusal> {
        let code = compile(clause, settings)?;
        let is_head = |i: &Instruction| matches!(i.part, CodePart::Neck | CodePart::Argument(_));
        let body = code.instructions.iter().take_while(|i| is_head(i)).count();
        let terms = clause.terms;
        let is_true = |&goal: &TermId| Goal::lower(terms, goal) == Goal::True;
        let only = clause.body.filter(is_true);
        let unified = std::iter::once(clause.head).chain(code.moved.values().copied());
        Ok(Self {
            arity: terms.args(clause.head).len(),
            body,
            without_code: code.moved.values().copied().chain(only).collect(),
            // The argument of a unification that has moved into the head has one more occurrence in the head.
            is_linear: Occurrences::count(terms, unified).repetitions() == code.moved.len(),
            code,
        })
    }

    /// Returns the code.
    #[must_use]
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// Returns the body unifications that the head performs, by argument. The outcome of a moved argument in [`Self::head`] covers both
    /// unifications.
    #[must_use]
    pub fn moved(&self) -> &BTreeMap<usize, TermId> {
        &self.code.moved
    }

    /// Counts the instructions of the head up to the failing argument, or including the neck if no argument fails. Arguments without a
    /// known outcome may succeed or fail.
    #[must_use]
    pub fn head(&self, outcomes: &[Outcome]) -> Counts<Executed> {
        let of = |i: usize| outcomes.get(i).copied().unwrap_or(Outcome::Either);
        let sure = (0..self.arity).all(|i| of(i) == Outcome::Succeeds);
        let outcome = |part| match part {
            // If a variable occurs twice, unification may fail at an argument other than the mismatching argument.
            CodePart::Argument(_) if !self.is_linear && !sure => Outcome::Either,
            CodePart::Argument(at) => of(at),
            _ => Outcome::Succeeds,
        };
        let mut run = InstructionRun::default();
        for (at, instruction) in self.code.instructions[..self.body].iter().enumerate() {
            run.push(at, true, instruction, outcome(instruction.part));
        }
        // A failing argument ends the head, if its code shows the failing instruction.
        let fails = (0..self.arity).find(|&i| outcome(CodePart::Argument(i)) == Outcome::Fails);
        if let Some(argument) = fails {
            let last = (self.code.instructions[..self.body].iter())
                .rposition(|i| i.part == CodePart::Argument(argument) && i.opcode.may_fail());
            match last {
                Some(last) => run.ends_at(last),
                // The cause is elsewhere: only the preceding arguments certainly run.
                None => run.doubt(|at| {
                    !matches!(self.code.instructions[at].part, CodePart::Argument(i) if i < argument)
                }),
            }
        }
        self.count(&run)
    }

    /// Counts a stretch of a run. `outcome` is the outcome of its last instructions.
    #[must_use]
    pub fn stretch(&self, stretch: &Stretch, outcome: Outcome) -> Counts<Executed> {
        let mut run = InstructionRun::default();
        for &(at, is_sure) in &stretch.instructions {
            let instruction = &self.code.instructions[at];
            run.push(at, is_sure, instruction, outcome);
            if instruction.opcode == Opcode::IFail {
                // No further instruction runs.
                break;
            }
        }
        if outcome == Outcome::Fails
            && let Some(&last) = run.points.last()
        {
            run.ends_at(run.instructions[last].0);
        }
        self.count(&run)
    }

    fn count(&self, run: &InstructionRun) -> Counts<Executed> {
        let surely = run.points.first().copied().unwrap_or(usize::MAX);
        let mut counts = Counts::default();
        for (i, &(at, is_sure)) in run.instructions.iter().enumerate() {
            let executed = Executed {
                opcode: self.code.instructions[at].opcode,
                fails: false,
            };
            if run.fails && run.points.last().is_some_and(|&last| i >= last) {
                break;
            }
            counts.add_between(executed, u64::from(is_sure && i < surely), 1);
        }
        let failing: BTreeSet<Opcode> = (run.points.iter())
            .map(|&i| self.code.instructions[run.instructions[i].0].opcode)
            .collect();
        for &opcode in &failing {
            let is_it = run.fails && failing.len() == 1;
            let executed = Executed {
                opcode,
                fails: true,
            };
            counts.add_between(executed, u64::from(is_it), 1);
        }
        counts
    }
}

/// Consecutive instructions, up to the failing instruction.
#[derive(Default)]
struct InstructionRun {
    /// The instructions, each with a flag: true if it certainly runs unless an earlier instruction fails.
    instructions: Vec<(usize, bool)>,
    /// The indices of instructions that may fail.
    points: Vec<usize>,
    /// True if one of these instructions fails.
    fails: bool,
}

impl InstructionRun {
    fn push(&mut self, at: usize, is_sure: bool, instruction: &Instruction, outcome: Outcome) {
        if instruction.opcode.may_fail() && outcome != Outcome::Succeeds {
            self.points.push(self.instructions.len());
        }
        self.instructions.push((at, is_sure));
    }

    /// Marks some of the instructions as uncertain.
    fn doubt(&mut self, which: impl Fn(usize) -> bool) {
        for (at, is_sure) in &mut self.instructions {
            *is_sure &= !which(*at);
        }
    }

    /// Ends the run with a failure, at the given instruction or earlier.
    fn ends_at(&mut self, last: usize) {
        self.fails = true;
        let end = self.instructions.iter().position(|&(at, _)| at > last);
        if let Some(end) = end {
            self.instructions.truncate(end);
            self.points.retain(|&point| point < end);
        }
    }
}
