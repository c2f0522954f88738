//! Counts instructions as events: the code of tried heads, and of goals that begin.
//!
//! As for SWI-Prolog, a head counts up to the mismatching argument, in code order, and a goal counts all of its code when it begins.
//! Control code between goals, clause selection, and the calls of predicates for disjunctions are covered by the events derived from the
//! text (`conditions`, `disjunctions`, `cuts`, `first_searches`, `tries`). A negated goal is data for this machine, not code.

use costlens_events::gnu::Opcode;
use costlens_events::{Counts, Event};
use costlens_syntax::term::{TermId, Terms};

use super::compile::{Code, compile};
use super::instruction::{CodePart, Instruction};
use super::refusal::Refusal;
use crate::code::{ClauseText, Outcome};
use crate::occurrences::Occurrences;

/// A clause whose instructions are counted.
#[derive(Clone, Debug)]
pub struct CountedClause {
    code: Code,
    /// For each argument, true if its match is independent of the other arguments: none of its variables occurs twice in the head.
    matches_alone: Vec<bool>,
}

impl CountedClause {
    /// Compiles a clause.
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

    /// Counts a tried head. The outcome of an argument describes its own match, regardless of the other arguments.
    #[must_use]
    pub fn tried(&self, outcomes: &[Outcome]) -> Counts {
        let given = |i: usize| outcomes.get(i).copied().unwrap_or(Outcome::Either);
        let arguments = 0..self.matches_alone.len();
        let all_match = (arguments.clone()).all(|i| given(i) == Outcome::Succeeds);
        // If a variable occurs twice, the argument at which unification fails depends on the code order.
        let of = |i: usize| match self.matches_alone[i] || all_match {
            true => given(i),
            false => Outcome::Either,
        };
        let head: Vec<&Instruction> = (self.code.own.iter())
            .take_while(|i| matches!(i.part, CodePart::Neck | CodePart::Argument(_)))
            .collect();
        let last_to_fail = |argument| {
            head.iter()
                .rposition(|i| i.part == CodePart::Argument(argument) && i.opcode.may_fail())
        };
        let mut counts = Counts::default();
        let mut is_sure = true;
        for (at, instruction) in head.iter().enumerate() {
            count(&mut counts, instruction.opcode, is_sure);
            if let CodePart::Argument(i) = instruction.part
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

    /// Counts a goal that begins; zero if the goal has no code of its own.
    #[must_use]
    pub fn begun(&self, goal: TermId) -> Counts {
        let others = self.code.others.iter().flat_map(|other| &other.clauses);
        let all = std::iter::once(&self.code.own).chain(others).flatten();
        let mut counts = Counts::default();
        for instruction in all.filter(|i| i.part == CodePart::Goal(goal)) {
            count(&mut counts, instruction.opcode, true);
        }
        counts
    }
}

fn count(counts: &mut Counts, opcode: Opcode, is_sure: bool) {
    counts.add_between(Event::Gnu(opcode), u64::from(is_sure), 1);
}

/// Returns, for each argument of a head, whether none of its variables occurs twice in the head.
fn matching_alone(terms: &Terms, head: TermId) -> Vec<bool> {
    let occurrences = Occurrences::count(terms, [head]);
    let is_alone = |&argument: &TermId| {
        let mut variables = terms.variables_of(argument).into_iter();
        variables.all(|v| occurrences.times(v) == 1)
    };
    terms.args(head).iter().map(is_alone).collect()
}
