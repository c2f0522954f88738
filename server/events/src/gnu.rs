//! Clauses to the code of GNU Prolog's abstract machine, version 1.4.5: what `gplc -W` writes, found from the text of a clause alone.
//!
//! `app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).` is
//!
//! ```text
//! get_list(0)    unify_variable(x(3))    unify_variable(x(0))
//! get_list(2)    unify_value(x(3))       unify_variable(x(2))
//! execute(app/3)
//! ```
//!
//! # The state that instructions work on
//!
//! * **Registers** have the arguments of a call. A variable that occurs in one *chunk*, from a call to the next one, is in a register, too; how
//!   registers are given out decides which instructions are left that do nothing but copy one (`registers.rs`).
//! * **The environment** has the variables that outlive a call.
//! * A pointer walks over the arguments of a compound (`unify_…`). The last argument is entered without a way back; others that are
//!   compounds are taken in turn behind it, or are made before it.
//!
//! A disjunction is a call of a predicate of its own, which has a clause for each alternative (`control.rs`). Arithmetic is evaluated in line, and
//! so are tests (`call_c`).
//!
//! Grammar rules come translated. Hooks and modules are outside: what comes in is the clause that is compiled.

mod arithmetic;
mod compile;
mod control;
mod counts;
mod emit;
mod goal;
mod head;
mod index;
mod instruction;
mod refusal;
mod registers;
mod source;
mod term;
mod variables;
mod vocabulary;

pub use compile::{Code, OtherPredicate, compile};
pub use counts::CountedClause;
pub use index::index;
pub use instruction::{Instruction, Part};
pub use refusal::Refusal;
pub use vocabulary::{Function, Opcode};
