//! Counts instructions as events: the code of tried heads, and of goals that begin.
//!
//! [`super::walk`] follows a run from instruction to instruction, and needs to know the outcome of every goal and the existing choice
//! points. The counts here need neither: a head counts up to the mismatching argument, a goal counts all of its code when it begins, and a
//! last call counts as a call that reuses the frame. Control code between goals is covered by the events derived from the text
//! (`conditions`, `cuts`).

use super::counts::CountedClause;
use super::instruction::CodePart;
use crate::code::Outcome;
use costlens_events::swi::Opcode;
use costlens_events::{Counts, Event};
use costlens_syntax::term::TermId;

impl CountedClause {
    /// Counts a tried head. Arguments are unified from left to right. If an argument does not match, the code up to its last instruction
    /// that may fail counts.
    #[must_use]
    pub fn tried(&self, outcomes: &[Outcome], optimised: bool) -> Counts {
        let of = |i: usize| outcomes.get(i).copied().unwrap_or(Outcome::Either);
        let head = &self.code.instructions[..self.body];
        let all_match = (0..self.arity).all(|i| of(i) == Outcome::Succeeds);
        let last_to_fail = |argument| {
            let own = |part| part == CodePart::Argument(argument);
            head.iter()
                .rposition(|i| own(i.part) && i.opcode.may_fail())
        };
        let mut counts = Counts::default();
        let (mut is_sure, mut ends) = (true, false);
        let mut argument = None;
        for (at, instruction) in head.iter().enumerate() {
            if let CodePart::Argument(i) = instruction.part
                && argument != Some(i)
            {
                // Arguments without instructions do not fail, or the failing instruction is unknown.
                let skipped = argument.map_or(0, |a| a + 1)..i;
                is_sure &= skipped.clone().all(|a| of(a) == Outcome::Succeeds);
                ends |= skipped.into_iter().any(|a| of(a) == Outcome::Fails);
                argument = Some(i);
            }
            if ends {
                break;
            }
            match instruction.part {
                CodePart::Argument(i) => {
                    count(&mut counts, instruction.opcode, is_sure, optimised);
                    if last_to_fail(i) == Some(at) {
                        ends |= of(i) == Outcome::Fails;
                        is_sure &= of(i) == Outcome::Succeeds;
                    }
                }
                _ => count(&mut counts, instruction.opcode, all_match, optimised),
            }
        }
        counts
    }

    /// Returns whether the code of a goal calls a predicate; not for `call/N`, which calls a term.
    #[must_use]
    pub fn is_call(&self, goal: TermId) -> bool {
        (self.code.instructions.iter())
            .filter(|i| i.part == CodePart::Goal(goal))
            .any(|i| i.opcode.calls_predicate())
    }

    /// Counts a goal that begins; zero if the goal has no code of its own.
    #[must_use]
    pub fn begun(&self, goal: TermId, optimised: bool) -> Counts {
        let mut counts = Counts::default();
        let own = (self.code.instructions.iter()).filter(|i| i.part == CodePart::Goal(goal));
        let mut left = usize::MAX;
        for instruction in own {
            if left == 0 {
                break;
            }
            left -= 1;
            if instruction.opcode == Opcode::LNoLco {
                // The plain call that follows is for the debugger.
                left = instruction.skips().unwrap_or(left);
            }
            count(&mut counts, instruction.opcode, true, optimised);
        }
        counts
    }
}

fn count(counts: &mut Counts, opcode: Opcode, is_sure: bool, optimised: bool) {
    if let Some(opcode) = opcode.counted() {
        counts.add_between(Event::Swi(opcode, optimised), u64::from(is_sure), 1);
    }
}
