//! Compilation of clauses to the code of SWI-Prolog's virtual machine, version 9.0.4: the output of `vm_list/1`, computed from the text of a
//! clause alone.
//!
//! `app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).` compiles to
//!
//! ```text
//! H_LIST_FF(3,4)      H_VOID              H_LIST              H_VAR(3)            H_FIRSTVAR(5)       H_POP
//! I_ENTER
//! L_NOLCO             L_VAR(0,4)          L_VAR(2,5)          I_TCALL
//! B_VAR(4)            B_VAR1              B_VAR(5)            I_DEPART(app/3)     I_EXIT
//! ```
//!
//! # The state that instructions work on
//!
//! * **The frame** of a call contains its arguments in the slots `0 … arity-1`, then the other variables of the clause that occur more than
//!   once, then one slot for each choice point to which a control construct refers later. A variable that is itself an argument of the head
//!   uses the slot of that argument; a variable that occurs once has no slot.
//! * **The argument pointer** moves over the arguments of the call (`H_…` instructions) or over the arguments of the next frame (`B_…`).
//!   `…_FUNCTOR` and `…_LIST` descend into a compound and `…_POP` returns; the last argument of a compound is entered without a return
//!   (`…_RFUNCTOR`, `…_RLIST`).
//! * A slot has no value until the *first* occurrence of its variable, for which there are separate instructions. If two paths join and
//!   only one of them has met a variable, `C_VAR` creates the variable on the other path.
//!
//! Leading unifications of an argument with a term are compiled into the head (`p(X) :- X = f(Y), …`), and no code for them remains in the
//! body. A last call whose arguments are all variables or small constants is compiled twice: first as `L_…` instructions that overwrite the
//! frame, and then, for the debugger, as a plain call.
//!
//! Goals expanded by hooks, functional notation on dicts, and attributed variables are out of scope: the input is the clause that the
//! compiler receives.

mod argument;
mod arithmetic;
mod compile;
mod control;
mod counts;
mod emit;
mod events;
mod goal;
mod inline;
mod instruction;
mod refusal;
mod settings;
mod simplify;
mod stretch;
mod type_tests;
mod variables;
mod walk;

pub(crate) use argument::is_small;
pub(crate) use arithmetic::integer_sums;
pub use compile::{Code, compile};
pub use counts::{CountedClause, Executed};
pub use instruction::{CodePart, Instruction, Operand};
pub use refusal::Refusal;
pub use settings::Settings;
pub use simplify::simplify;
pub use stretch::{FrameState, LEFT, Position, Stretch};
