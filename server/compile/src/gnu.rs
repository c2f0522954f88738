//! Compilation of clauses to the code of GNU Prolog's abstract machine, version 1.4.5: the output of `gplc -W`, computed from the text of a
//! clause alone.
//!
//! `app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).` compiles to
//!
//! ```text
//! get_list(0)    unify_variable(x(3))    unify_variable(x(0))
//! get_list(2)    unify_value(x(3))       unify_variable(x(2))
//! execute(app/3)
//! ```
//!
//! # The state that instructions work on
//!
//! * **Registers** contain the arguments of a call. A variable that occurs in only one *chunk*, from a call to the next, is also in a
//!   register. Register allocation determines how many instructions remain that only copy a register (`registers.rs`).
//! * **The environment** contains the variables that outlive a call.
//! * A pointer moves over the arguments of a compound (`unify_…`). The last argument is entered without a return. Other compound arguments
//!   are handled afterwards, one after another, or are built before the compound.
//!
//! A disjunction is a call of a separate predicate, which has a clause for each alternative (`control.rs`). Arithmetic and tests are inline
//! (`call_c`).
//!
//! Grammar rules must already be translated. Hooks and modules are out of scope: the input is the clause that the compiler receives.

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

pub use compile::{Code, OtherPredicate, compile};
pub use counts::CountedClause;
pub use index::index;
pub use instruction::{CodePart, Instruction};
pub use refusal::Refusal;
