//! Follows the code of a clause along a run: from goal to goal, into the parts of control constructs and out of them.

use costlens_events::swi::Opcode;
use costlens_syntax::term::TermId;

use super::counts::CountedClause;
use super::instruction::CodePart;
use super::stretch::{FrameState, LEFT, Position, Stretch};
use crate::code::{ConstructPart, Extent};

/// The control code that a stretch may pass.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ControlCode {
    Any,
    /// Code that does not start a part of a construct.
    Plain,
}

impl CountedClause {
    /// Returns the position after the head.
    #[must_use]
    pub fn body(&self) -> Position {
        let is_fact = self.code.instructions.len() == self.body;
        Position {
            at: if is_fact { LEFT } else { self.body },
            is_sure: true,
        }
    }

    /// Returns the extent of a part of a control construct.
    #[must_use]
    pub fn section(&self, section: ConstructPart) -> Option<Extent> {
        self.code.sections.get(&section).copied()
    }

    /// Returns the control code before a goal, and the code of the goal itself. Returns `None` if any other code follows.
    #[must_use]
    pub fn to_goal(&self, from: Position, goal: TermId, frame: FrameState) -> Option<Stretch> {
        let mut stretch = Stretch::starting_at(from);
        while self.passes_control(&mut stretch, ControlCode::Plain) {}
        let begin = stretch.to.at;
        let rest = self.code.instructions.get(begin..).unwrap_or_default();
        let own = rest.iter().take_while(|i| i.part == CodePart::Goal(goal));
        let end = begin + own.count();
        if end == begin {
            let is_without = self.without_code.contains(&goal);
            return is_without.then(|| Stretch::starting_at(from));
        }
        self.run(&mut stretch, begin, end, frame);
        Some(stretch)
    }

    /// Adds the instructions of a goal. A last call has two forms.
    fn run(&self, stretch: &mut Stretch, begin: usize, end: usize, frame: FrameState) {
        let instructions = &self.code.instructions;
        let is_sure = stretch.to.is_sure;
        let last = instructions[end - 1].opcode;
        let departs = matches!(
            last,
            Opcode::IDepart | Opcode::IDepartM | Opcode::IDepartAtM | Opcode::IDepartAtMV
        );
        stretch.calls = departs || last.calls();
        // Instructions that overwrite the frame precede the other instructions.
        let overwriting = match (instructions[begin].opcode, instructions[begin].skips()) {
            (Opcode::LNoLco, Some(skips)) => Some(begin + 1..begin + 1 + skips),
            _ => None,
        };
        for at in begin..end {
            let kind = match &overwriting {
                Some(_) if at == begin => None,
                Some(own) => Some(own.contains(&at)),
                None => None,
            };
            let runs = match (kind, frame) {
                (None, _) => Some(is_sure),
                (Some(_), FrameState::Either) => Some(false),
                (Some(overwrites), _) => {
                    (overwrites == (frame == FrameState::Reused)).then_some(is_sure)
                }
            };
            stretch.instructions.extend(runs.map(|sure| (at, sure)));
        }
        stretch.to = match frame {
            FrameState::Reused if departs => Position { at: LEFT, is_sure },
            FrameState::Either if departs => Position {
                at: end,
                is_sure: false,
            },
            _ => Position { at: end, is_sure },
        };
    }

    /// Returns the control code before the failure of `\+ G` after `G` has succeeded, and the failing instruction itself.
    #[must_use]
    pub fn to_failure(&self, from: Position) -> Option<Stretch> {
        let mut stretch = Stretch::starting_at(from);
        while self.passes_control(&mut stretch, ControlCode::Plain) {}
        let at = stretch.to.at;
        (self.code.instructions.get(at)?.opcode == Opcode::CFail).then(|| {
            stretch.instructions.push((at, stretch.to.is_sure));
            stretch.to.at = LEFT;
            stretch
        })
    }

    /// Returns the control code up to a position, which may be reached by a jump.
    #[must_use]
    pub fn to_place(&self, from: Position, place: usize) -> Option<Stretch> {
        let mut stretch = Stretch::starting_at(from);
        while stretch.to.at != place {
            if !self.passes_control(&mut stretch, ControlCode::Any) {
                return None;
            }
        }
        Some(stretch)
    }

    /// Returns the control code up to the return from the clause; empty if its last goal was a last call in its frame.
    #[must_use]
    pub fn to_return(&self, from: Position) -> Option<Stretch> {
        let mut stretch = Stretch::starting_at(from);
        while stretch.to.at != LEFT {
            if !self.passes_control(&mut stretch, ControlCode::Plain) {
                return None;
            }
        }
        Some(stretch)
    }

    /// Adds the next instruction if it is control code of an admitted kind.
    fn passes_control(&self, stretch: &mut Stretch, admitted: ControlCode) -> bool {
        let at = stretch.to.at;
        let Some(instruction) = self.code.instructions.get(at) else {
            return false;
        };
        // Jumps only lead forward.
        stretch.to.at = match instruction.opcode {
            _ if instruction.part != CodePart::Control => return false,
            Opcode::CFail | Opcode::CDetFalse => return false,
            Opcode::COr
            | Opcode::CIfThenElse
            | Opcode::CFastCond
            | Opcode::CIfThen
            | Opcode::CSoftIf
            | Opcode::CSoftIfThen
            | Opcode::CNot
            | Opcode::CDet
                if admitted == ControlCode::Plain =>
            {
                return false;
            }
            Opcode::CJmp => at + 1 + instruction.skips().unwrap_or_default(),
            Opcode::IExit => LEFT,
            _ => at + 1,
        };
        stretch.instructions.push((at, stretch.to.is_sure));
        true
    }
}
