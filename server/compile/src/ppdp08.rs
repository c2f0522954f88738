//! The machine of *Towards Execution Time Estimation in Abstract Machine-Based Languages* (PPDP'08): its instructions, and the compilation of
//! clauses for it (Table 1).
//!
//! The machine is a plain Warren machine: clauses are tried one after another without an index (`try_me_else`, `retry_me_else`,
//! `trust_me`), every clause with variables has an environment, and heads are flattened: a compound in the head is built like a compound in
//! the body, then unified with the caller's argument. This code never runs; the published instruction times refer to it. (Programs run on
//! the machine of [`crate::code`].)

mod alternative;
mod code;
mod compile;
mod control;
mod term;

use std::fmt;

use costlens_events::ppdp08::Instruction;

pub use alternative::{Alternative, AlternativeKey};
pub use code::{BasicBlock, Callee, ChainPosition, Code, Unsupported};
pub use compile::compile;

/// An instruction with its operands, as in Table 1: `get_list(V1,V3)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The measured instruction.
    pub instruction: Instruction,
    /// The text in parentheses; empty if there are no operands.
    pub operands: String,
}

/// Prints `get_constant([],A0)`: Table 1 does not distinguish the kinds of constants.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.instruction.to_string();
        let kind = name.strip_suffix("_atom").or(name.strip_suffix("_int"));
        f.write_str(kind.unwrap_or(&name))?;
        let of_predicate = self.instruction.calls()
            || matches!(
                self.instruction,
                Instruction::TryMeElse | Instruction::RetryMeElse
            );
        match self.operands.as_str() {
            "" => Ok(()),
            predicate if of_predicate => write!(f, " {predicate}"),
            operands => write!(f, "({operands})"),
        }
    }
}
