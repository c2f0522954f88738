//! Calls of predicates, with the keys under which their past runs are stored.

use costlens_history::{Inputs, Program, inputs_of};
use costlens_ide::reports::runnable::Runnable;
use costlens_machine::{Cell, Indexing, Machine};
use costlens_program::Functor;
use costlens_syntax::term::{TermId, Terms};

/// A call of a predicate of the program, with the keys of its past runs.
pub(crate) struct PredictedCall {
    pub(crate) terms: Terms,
    pub(crate) goal: TermId,
    pub(crate) predicate: Functor,
    pub(crate) inputs: Inputs,
    /// The fingerprint of the reachable code.
    pub(crate) code: String,
}

/// Returns the clauses of a program.
pub(crate) fn program(runnable: &Runnable) -> Program {
    let files: Vec<_> = runnable
        .parts
        .iter()
        .map(|part| part.terms.as_ref())
        .collect();
    Program::new(&files, &runnable.order)
}

/// Returns the fingerprint of the code that a predicate reaches, as stored with its past runs.
pub(crate) fn code_of(program: &Program, predicate: &Functor, index: Indexing) -> String {
    // Blocks depend on the version of the compiler.
    let salt = format!("{} {index:?}", env!("CARGO_PKG_VERSION"));
    program.code_of(predicate, &salt)
}

impl PredictedCall {
    /// Interprets a goal as a call. Returns `None` if the goal is not a call of a predicate of the program.
    pub(crate) fn new(
        machine: &Machine,
        goal: Cell,
        program: &Program,
        index: Indexing,
    ) -> Option<Self> {
        let mut terms = Terms::default();
        let goal = machine.store.write_out(goal, &mut terms, &mut Vec::new())?;
        let predicate = Functor::from_term(&terms, goal)?;
        if !program.clauses.contains_key(&predicate) {
            return None;
        }
        Some(PredictedCall {
            inputs: inputs_of(&terms, goal),
            code: code_of(program, &predicate, index),
            terms,
            goal,
            predicate,
        })
    }
}
