//! Compilation of clauses to code for an abstract machine.
//!
//! The code of a clause is the basis for counting its cost (PPDP'08 §2), and the machine runs it. [`Instruction`] is the instruction set of
//! Costlens' own machine and defines the effect of each instruction; [`ClauseCode`] and [`PredicateCode`] are the results of compilation.

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
mod tree;
mod verify;

pub use costlens_body::{Comparison, TypeTest};

pub use compile::{
    ClauseText, argument_key, compile_clause, compile_clause_with, compile_goal, first_argument,
    functor,
};
pub use constant::{Constant, ConstantKind};
pub use counts::{
    Chosen, CountedClause, Modes, Outcome, Stretch, TermState, inside_built_in, perhaps, primitives,
};
pub use error::CompileError;
pub use index::{index, predicate, predicate_indexed, switches};
pub use instruction::{Instruction, Label, Location, Operand, Register, Slot, StructureName, Test};
pub use shape::{
    ArgumentIndex, Chain, ClauseCode, ClauseIndex, ClausePart, ConstructPart, Extent, IndexKey,
    Indexing, PredicateCode,
};
pub use verify::{Fault, verify};
