//! The instructions that are events: the code of the heads that are tried, and of the goals that are begun.
//!
//! As for SWI-Prolog, a head counts up to the argument that does not match, in the order of the code, and a goal counts all of its code when it begins.
//! Control between goals, what chooses among clauses, and the calls of predicates for disjunctions are left to the events that are read off the
//! text (`conditions`, `disjunctions`, `cuts`, `first_searches`, `tries`). What a negation negates is data here, and no code.

use costlens_syntax::term::{TermId, Terms};

use super::compile::{Code, compile};
use super::instruction::{Instruction, Part};
use super::refusal::Refusal;
use super::vocabulary::Opcode;
use crate::code::{ClauseText, Outcome};
use crate::occurrences::occurrences;
use crate::{Counts, Event};

/// A clause whose instructions are counted.
#[derive(Clone, Debug)]
pub struct CountedClause {
    code: Code,
    /// For each argument, whether it matches or not whatever the others do: no variable of it occurs twice in the head.
    matches_alone: Vec<bool>,
}

impl CountedClause {
    /// The code of a clause.
    ///
    /// # Errors
    ///
    /// The errors of [`compile`].
    pub fn new(clause: &ClauseText<'_>) -> Result<Self, Refusal> {
        Ok(Self {
            code: compile(clause)?,
            matches_alone: matching_alone(clause.terms, clause.head),
        })
    }

    /// A head that is tried. The outcome of an argument is that of its own match, whatever the others do.
    #[must_use]
    pub fn tried(&self, outcomes: &[Outcome]) -> Counts {
        let given = |i: usize| outcomes.get(i).copied().unwrap_or(Outcome::Either);
        let arguments = 0..self.matches_alone.len();
        let all_match = (arguments.clone()).all(|i| given(i) == Outcome::Succeeds);
        // Where a variable occurs twice, which argument finds that it has two values depends on the order of the code.
        let of = |i: usize| match self.matches_alone[i] || all_match {
            true => given(i),
            false => Outcome::Either,
        };
        let head: Vec<&Instruction> = (self.code.own.iter())
            .take_while(|i| matches!(i.part, Part::Neck | Part::Argument(_)))
            .collect();
        let last_to_fail = |argument| {
            head.iter()
                .rposition(|i| i.part == Part::Argument(argument) && i.opcode.may_fail())
        };
        let mut counts = Counts::default();
        let mut is_sure = true;
        for (at, instruction) in head.iter().enumerate() {
            count(&mut counts, instruction.opcode, is_sure);
            if let Part::Argument(i) = instruction.part
                && last_to_fail(i) == Some(at)
            {
                match of(i) {
                    Outcome::Fails => return counts,
                    Outcome::Either => is_sure = false,
                    Outcome::Succeeds => {}
                }
            }
        }
        // A fact returns.
        if let Some(after) = self.code.own.get(head.len())
            && after.opcode == Opcode::Proceed
            && !arguments.into_iter().any(|i| of(i) == Outcome::Fails)
        {
            count(&mut counts, Opcode::Proceed, is_sure && all_match);
        }
        counts
    }

    /// A goal that is begun; nothing where it has no code of its own.
    #[must_use]
    pub fn begun(&self, goal: TermId) -> Counts {
        let others = self.code.others.iter().flat_map(|other| &other.clauses);
        let all = std::iter::once(&self.code.own).chain(others).flatten();
        let mut counts = Counts::default();
        for instruction in all.filter(|i| i.part == Part::Goal(goal)) {
            count(&mut counts, instruction.opcode, true);
        }
        counts
    }
}

fn count(counts: &mut Counts, opcode: Opcode, is_sure: bool) {
    counts.add_between(Event::Gnu(opcode), u64::from(is_sure), 1);
}

/// For each argument of a head, whether none of its variables occurs twice in the head.
fn matching_alone(terms: &Terms, head: TermId) -> Vec<bool> {
    let arguments = terms.args(head).iter();
    let all = occurrences(terms, arguments.clone().copied());
    let is_alone = |&argument: &TermId| {
        let mut variables = terms.variables_of(argument).into_iter();
        variables.all(|v| all.get(&v) == Some(&1))
    };
    arguments.map(is_alone).collect()
}

impl Opcode {
    /// Returns whether it may fail in a head.
    fn may_fail(self) -> bool {
        self.is_of_head()
            && !matches!(
                self,
                Opcode::GetVariable | Opcode::UnifyVariable | Opcode::UnifyVoid
            )
    }
}
