//! Clauses to code for an abstract machine.
//!
//! The code of a clause is what its cost is counted by (PPDP'08 §2) and what the machine runs. [`Instruction`] is the
//! instruction set of Costlens' own machine and says what each does; [`ClauseCode`] and [`PredicateCode`] are what compiling
//! gives.

mod compile;
mod constant;
mod counts;
mod emit;
mod error;
mod goal;
mod index;
mod instruction;
mod liveness;
mod shape;
mod verify;

pub use costlens_body::{Comparison, TypeTest};

pub use compile::{
    ClauseText, argument_key, compile_clause, compile_clause_with, compile_goal, first_argument,
    functor,
};
pub use constant::{Constant, ConstantKind};
pub use counts::{
    Chosen, CountedClause, Mode, Modes, Outcome, Stretch, counted_names, inside_built_in,
    is_counted, perhaps, primitives,
};
pub use error::CompileError;
pub use index::{index, predicate, predicate_indexed, switches};
pub use instruction::{Instruction, Label, Location, Operand, Register, Slot, StructureName, Test};
pub use shape::{
    ArgumentIndex, Chain, ClauseCode, Extent, Index, Indexing, Key, Part, PredicateCode, Section,
};
pub use verify::{Fault, verify};
