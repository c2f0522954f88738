//! Instructions with their operands.

use std::fmt;

use costlens_events::swi::Opcode;
use costlens_syntax::term::TermId;
use smol_str::SmolStr;

pub use crate::part::CodePart;

/// An operand of an instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// The slot of a variable, an argument or a choice point.
    Slot(usize),
    /// The name and arity of a compound, a predicate or an arithmetic function.
    Functor(SmolStr, usize),
    /// A module.
    Module(SmolStr),
    /// A constant of the clause.
    Constant(TermId),
    /// A number of arguments, or the integer of `A_ADD_FC`.
    Number(i64),
    /// The number of following instructions that a jump skips.
    Skip(usize),
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// The operation.
    pub opcode: Opcode,
    /// The operands.
    pub operands: Vec<Operand>,
    /// The part of the clause to which it belongs.
    pub part: CodePart,
}

impl Instruction {
    pub(super) fn new(opcode: Opcode, operands: &[Operand], part: CodePart) -> Self {
        let operands = operands.to_vec();
        Self {
            opcode,
            operands,
            part,
        }
    }

    /// Returns the number of instructions that the instruction skips if it jumps.
    #[must_use]
    pub fn skips(&self) -> Option<usize> {
        self.operands.iter().find_map(|o| match o {
            Operand::Skip(n) => Some(*n),
            _ => None,
        })
    }

    /// Returns the slots among the operands.
    pub fn slots(&self) -> impl Iterator<Item = usize> {
        self.operands.iter().filter_map(|o| match o {
            Operand::Slot(slot) => Some(*slot),
            _ => None,
        })
    }
}

/// Prints `L_VAR(0,4)`; constants and jump distances are left out.
impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.opcode.name())?;
        let mut between = "(";
        for operand in &self.operands {
            match operand {
                Operand::Constant(_) | Operand::Skip(_) => continue,
                Operand::Slot(slot) => write!(f, "{between}{slot}")?,
                Operand::Number(number) => write!(f, "{between}{number}")?,
                Operand::Functor(name, arity) => write!(f, "{between}{name}/{arity}")?,
                Operand::Module(name) => write!(f, "{between}{name}")?,
            }
            between = ",";
        }
        f.write_str(if between == "," { ")" } else { "" })
    }
}
