//! Instructions, with only the operands that the analysis needs.

use std::fmt;

use costlens_events::gnu::Opcode;
use costlens_syntax::term::TermId;

pub use crate::part::CodePart;

/// A location that instructions read and write, before register allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Register {
    /// An argument of a call.
    Fixed(usize),
    /// A variable or an intermediate result, which is written once.
    Temporary(usize),
}

/// An instruction before register allocation. Slots of the environment are not registers.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) opcode: Opcode,
    pub(super) part: CodePart,
    /// The registers that are read, in order.
    pub(super) reads: Vec<Register>,
    /// The registers that are written.
    pub(super) writes: Vec<Register>,
    /// True if the instruction only copies one register to another.
    pub(super) copies: bool,
    /// The term with which a register is unified.
    pub(super) term: Option<TermId>,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// The operation.
    pub opcode: Opcode,
    /// The part of the clause to which it belongs.
    pub part: CodePart,
    /// The registers that the instruction reads.
    pub reads: Vec<usize>,
    /// The registers that the instruction writes.
    pub writes: Vec<usize>,
    /// The term with which a register is unified; the compound for `get_structure`.
    pub term: Option<TermId>,
}

impl Instruction {
    /// Returns the term with which the instruction unifies a register.
    #[must_use]
    pub fn unifies(&self, register: usize) -> Option<TermId> {
        self.term.filter(|_| self.reads == [register])
    }
}

/// Prints only the name.
impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.opcode.fmt(f)
    }
}
