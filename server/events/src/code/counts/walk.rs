//! Walking through the code of a clause as a run of it goes: from literal to literal, into the branches of control constructs and
//! out of them.

use costlens_syntax::term::TermId;

use super::super::instruction::Instruction;
use super::super::shape::{Extent, Part, Section};
use super::CountedClause;

/// A stretch of a run: what it passes on its way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    /// The instructions, in order.
    pub(super) instructions: Vec<usize>,
    /// The instruction where the run goes on, if the last of them succeeds.
    pub to: usize,
    /// True where the last of them is a call.
    pub calls: bool,
}

impl CountedClause {
    /// Behind the head.
    #[must_use]
    pub fn body(&self) -> usize {
        self.body
    }

    /// The extent of a part of a control construct.
    #[must_use]
    pub fn section(&self, section: Section) -> Option<Extent> {
        self.code.sections.get(&section).copied()
    }

    /// True where a goal is a literal of the clause, other than the control constructs that are code in place.
    #[must_use]
    pub fn is_literal(&self, goal: TermId) -> bool {
        self.code.goals.contains(&Some(goal))
    }

    /// The control on the way to a literal, and the literal. None if what comes next is something else.
    #[must_use]
    pub fn to_literal(&self, from: usize, goal: TermId) -> Option<Stretch> {
        let is_it = |n: usize| self.code.goals.get(n) == Some(&Some(goal));
        let numbers: Vec<usize> = (0..self.code.goals.len()).filter(|&n| is_it(n)).collect();
        let mut ends = numbers.iter().map(|n| self.ends.get(*n).copied().flatten());
        if ends.all(|end| end.is_none()) && !numbers.is_empty() {
            // Nothing to do: `X = Y` with a new variable.
            return Some(Stretch {
                to: from,
                ..Stretch::default()
            });
        }
        let stretch = self.literal(from)?;
        let last = *stretch.instructions.last()?;
        match self.code.parts[last] {
            Part::Literal(n) if is_it(n as usize) && numbers.len() == 1 => Some(stretch),
            _ => None,
        }
    }

    /// The control on the way to a `fail` that is written nowhere, that of `\+ G`, and it.
    #[must_use]
    pub fn to_failure(&self, from: usize) -> Option<Stretch> {
        let stretch = self.literal(from)?;
        let last = *stretch.instructions.last()?;
        match (self.code.parts[last], &self.code.instructions[last]) {
            (Part::Literal(n), Instruction::Fail | Instruction::Jump(_))
                if self.code.goals.get(n as usize) == Some(&None) =>
            {
                Some(stretch)
            }
            _ => None,
        }
    }

    /// The control up to a place, which may be reached by a jump.
    #[must_use]
    pub fn to_place(&self, from: usize, place: usize) -> Option<Stretch> {
        let mut stretch = Stretch {
            to: from,
            ..Stretch::default()
        };
        while stretch.to != place {
            if !self.passes_control(&mut stretch, true) {
                return None;
            }
        }
        Some(stretch)
    }

    /// The control up to the return from the clause; nothing if its last goal was its last call.
    #[must_use]
    pub fn to_return(&self, from: usize) -> Option<Stretch> {
        let mut stretch = Stretch {
            to: from,
            ..Stretch::default()
        };
        while stretch.to != LEFT {
            if !self.passes_control(&mut stretch, false) {
                return None;
            }
        }
        Some(stretch)
    }

    /// The next literal, and the control before it.
    fn literal(&self, from: usize) -> Option<Stretch> {
        let mut stretch = Stretch {
            to: from,
            ..Stretch::default()
        };
        while self.passes_control(&mut stretch, false) {}
        let Some(Part::Literal(number)) = self.code.parts.get(stretch.to) else {
            return None;
        };
        let end = self.ends.get(*number as usize).copied().flatten()?;
        for at in stretch.to..end {
            let own = match self.code.parts[at] {
                Part::Literal(n) => n == *number,
                // `allocate` in the middle of a call.
                Part::Control => true,
                Part::Head => false,
            };
            if !own {
                return None;
            }
            stretch.instructions.push(at);
        }
        stretch.to = end;
        match &self.code.instructions[end - 1] {
            Instruction::Call(..) => stretch.calls = true,
            Instruction::Execute(_) => {
                stretch.calls = true;
                stretch.to = LEFT;
            }
            Instruction::Jump(label) => stretch.to = *label as usize,
            Instruction::Fail => stretch.to = LEFT,
            _ => {}
        }
        Some(stretch)
    }

    /// Takes the next instruction if it is control. `choices`: also one that makes or changes a choice point of the clause.
    fn passes_control(&self, stretch: &mut Stretch, choices: bool) -> bool {
        let at = stretch.to;
        if self.code.parts.get(at) != Some(&Part::Control)
            || stretch.instructions.len() > self.code.parts.len()
        {
            return false;
        }
        stretch.to = match &self.code.instructions[at] {
            Instruction::Jump(label) => *label as usize,
            Instruction::Proceed => LEFT,
            Instruction::TryElse(_) | Instruction::RetryElse(_) if !choices => return false,
            Instruction::Fail | Instruction::Test(..) => return false,
            _ => at + 1,
        };
        stretch.instructions.push(at);
        true
    }
}

/// The place of a run that has left the clause.
pub(super) const LEFT: usize = usize::MAX;
