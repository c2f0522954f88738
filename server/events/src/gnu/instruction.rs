//! Instructions, and what of their operands is kept.

use std::fmt;

use costlens_syntax::term::TermId;

use super::vocabulary::Opcode;
pub use crate::part::Part;

/// A place that instructions read and write, before registers are given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Register {
    /// One of the arguments of a call.
    Fixed(usize),
    /// A variable or an intermediate result, which is written once.
    Temporary(usize),
}

/// An instruction whose variables have no registers yet. Slots of the environment are no registers.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) opcode: Opcode,
    pub(super) part: Part,
    /// The registers that are read, in order.
    pub(super) reads: Vec<Register>,
    /// The registers that are written.
    pub(super) writes: Vec<Register>,
    /// True where it does nothing but copy a register to another one.
    pub(super) copies: bool,
    /// The term that a register is unified with.
    pub(super) term: Option<TermId>,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// The operation.
    pub opcode: Opcode,
    /// The part of the clause that it is code of.
    pub part: Part,
    /// The registers that it reads.
    pub reads: Vec<usize>,
    /// The registers that it writes.
    pub writes: Vec<usize>,
    /// The term that a register is unified with; of `get_structure` the compound.
    pub term: Option<TermId>,
}

impl Instruction {
    /// The term that it unifies a register with.
    #[must_use]
    pub fn unifies(&self, register: usize) -> Option<TermId> {
        self.term.filter(|_| self.reads == [register])
    }
}

/// The name alone.
impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.opcode.fmt(f)
    }
}
