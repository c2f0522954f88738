//! Follows the code of a clause along a run: from literal to literal, into the branches of control constructs and out of them.

use costlens_syntax::term::TermId;

use super::super::instruction::Instruction;
use super::super::shape::{ClausePart, ConstructPart, Extent};
use super::CountedClause;

/// A stretch of a run, with the instructions on its path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    /// The instructions, in order.
    pub(super) instructions: Vec<usize>,
    /// The instruction at which the run continues if the last instruction succeeds.
    pub to: usize,
    /// True if the last instruction is a call.
    pub calls: bool,
}

/// The control code that a stretch may pass.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ControlCode {
    Any,
    /// Code that neither creates nor changes a choice point of the clause.
    Plain,
}

impl CountedClause {
    /// Returns the position after the head.
    #[must_use]
    pub fn body(&self) -> usize {
        self.body
    }

    /// Returns the extent of a part of a control construct.
    #[must_use]
    pub fn section(&self, section: ConstructPart) -> Option<Extent> {
        self.code.sections.get(&section).copied()
    }

    /// Returns true if a goal is a literal of the clause that is not a control construct compiled inline.
    #[must_use]
    pub fn is_literal(&self, goal: TermId) -> bool {
        self.code.goals.contains(&Some(goal))
    }

    /// Returns the control code before a literal, and the literal itself. Returns `None` if any other code follows.
    #[must_use]
    pub fn to_literal(&self, from: usize, goal: TermId) -> Option<Stretch> {
        let is_it = |n: usize| self.code.goals.get(n) == Some(&Some(goal));
        let numbers: Vec<usize> = (0..self.code.goals.len()).filter(|&n| is_it(n)).collect();
        let mut ends = numbers.iter().map(|n| self.ends.get(*n).copied().flatten());
        if ends.all(|end| end.is_none()) && !numbers.is_empty() {
            // `X = Y` with a new variable has no code.
            return Some(Stretch {
                to: from,
                ..Stretch::default()
            });
        }
        let stretch = self.literal(from)?;
        let last = *stretch.instructions.last()?;
        match self.code.parts[last] {
            ClausePart::Literal(n) if is_it(n as usize) && numbers.len() == 1 => Some(stretch),
            _ => None,
        }
    }

    /// Returns the control code before the implicit `fail` of `\+ G`, and the `fail` instruction.
    #[must_use]
    pub fn to_failure(&self, from: usize) -> Option<Stretch> {
        let stretch = self.literal(from)?;
        let last = *stretch.instructions.last()?;
        match (self.code.parts[last], &self.code.instructions[last]) {
            (ClausePart::Literal(n), Instruction::Fail | Instruction::Jump(_))
                if self.code.goals.get(n as usize) == Some(&None) =>
            {
                Some(stretch)
            }
            _ => None,
        }
    }

    /// Returns the control code up to a position, which may be reached by a jump.
    #[must_use]
    pub fn to_place(&self, from: usize, place: usize) -> Option<Stretch> {
        let mut stretch = Stretch {
            to: from,
            ..Stretch::default()
        };
        while stretch.to != place {
            if !self.passes_control(&mut stretch, ControlCode::Any) {
                return None;
            }
        }
        Some(stretch)
    }

    /// Returns the control code up to the return from the clause; empty if its last goal was a last call.
    #[must_use]
    pub fn to_return(&self, from: usize) -> Option<Stretch> {
        let mut stretch = Stretch {
            to: from,
            ..Stretch::default()
        };
        while stretch.to != LEFT {
            if !self.passes_control(&mut stretch, ControlCode::Plain) {
                return None;
            }
        }
        Some(stretch)
    }

    /// Returns the next literal, and the control code before it.
    fn literal(&self, from: usize) -> Option<Stretch> {
        let mut stretch = Stretch {
            to: from,
            ..Stretch::default()
        };
        while self.passes_control(&mut stretch, ControlCode::Plain) {}
        let Some(ClausePart::Literal(number)) = self.code.parts.get(stretch.to) else {
            return None;
        };
        let end = self.ends.get(*number as usize).copied().flatten()?;
        for at in stretch.to..end {
            let own = match self.code.parts[at] {
                ClausePart::Literal(n) => n == *number,
                // `allocate` may be in the middle of a call.
                ClausePart::Control => true,
                ClausePart::Head => false,
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

    /// Adds the next instruction if it is control code of an admitted kind.
    fn passes_control(&self, stretch: &mut Stretch, admitted: ControlCode) -> bool {
        let at = stretch.to;
        if self.code.parts.get(at) != Some(&ClausePart::Control)
            || stretch.instructions.len() > self.code.parts.len()
        {
            return false;
        }
        stretch.to = match &self.code.instructions[at] {
            Instruction::Jump(label) => *label as usize,
            Instruction::Proceed => LEFT,
            Instruction::TryElse(_) | Instruction::RetryElse(_)
                if admitted == ControlCode::Plain =>
            {
                return false;
            }
            Instruction::Fail | Instruction::Test(..) => return false,
            _ => at + 1,
        };
        stretch.instructions.push(at);
        true
    }
}

/// The position of a run that has left the clause.
pub(super) const LEFT: usize = usize::MAX;
