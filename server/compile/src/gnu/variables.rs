//! The variables of a clause: variables in the environment, and variables that occur once.

use costlens_syntax::term::{TermId, Terms};

use super::source::{Argument, Clause, GoalStep, StepKind, Variable};
use crate::occurrences::{Occurrences, VariableKind};

/// The variables of a clause.
pub(super) struct Variables {
    /// The occurrences of the clause's variables, by chunk.
    occurrences: Occurrences<usize>,
    /// True if the clause has an environment.
    pub(super) has_environment: bool,
    /// The number of the last chunk.
    pub(super) last_chunk: usize,
}

impl Variables {
    /// Classifies the variables. `choice` is the variable that contains the choice point of a call. The head belongs to the first chunk,
    /// which ends with the first call.
    pub(super) fn classify(terms: &Terms, clause: &Clause, choice: Option<Variable>) -> Self {
        let mut occurrences = Occurrences::default();
        for argument in &clause.head {
            meet_argument(&mut occurrences, terms, argument, 0);
        }
        if let Some(choice) = choice {
            occurrences.meet(choice, 0);
        }
        let mut chunk = 0;
        for step in &clause.steps {
            meet_step(&mut occurrences, terms, step, chunk);
            chunk += usize::from(step.kind.ends_chunk());
        }
        let (last, before) = match clause.steps.split_last() {
            Some((last, before)) => (Some(last), before),
            None => (None, &[][..]),
        };
        Self {
            has_environment: before.iter().any(|s| s.kind.ends_chunk())
                || occurrences.permanent().next().is_some(),
            last_chunk: chunk - usize::from(last.is_some_and(|s| s.kind.ends_chunk())),
            occurrences,
        }
    }

    pub(super) fn kind(&self, variable: Variable) -> VariableKind {
        self.occurrences.kind(variable)
    }

    /// Returns whether a term contains a variable in a register.
    pub(super) fn has_temporary(&self, terms: &Terms, term: TermId) -> bool {
        let is_temporary = |&v: &Variable| self.kind(v) == VariableKind::Temporary;
        terms.variables_of(term).iter().any(is_temporary)
    }
}

fn meet_argument(
    occurrences: &mut Occurrences<usize>,
    terms: &Terms,
    argument: &Argument,
    chunk: usize,
) {
    match argument {
        Argument::Term(term) => occurrences.meet_all(terms, *term, chunk),
        Argument::Variable(variable) => {
            occurrences.meet(*variable, chunk);
        }
        Argument::Atom | Argument::Integer => {}
    }
}

fn meet_step(occurrences: &mut Occurrences<usize>, terms: &Terms, step: &GoalStep, chunk: usize) {
    let mut meet = |term: TermId| occurrences.meet_all(terms, term, chunk);
    match &step.kind {
        StepKind::Choice(v) | StepKind::Cut(v) | StepKind::SoftCut(v) => {
            occurrences.meet(*v, chunk);
        }
        StepKind::Call(arguments) => {
            for argument in arguments {
                meet_argument(occurrences, terms, argument, chunk);
            }
        }
        StepKind::Inline(_, arguments) => arguments.iter().for_each(|&a| meet(a)),
        StepKind::Bind(l, r)
        | StepKind::Clash(l, r)
        | StepKind::Evaluate(l, r)
        | StepKind::Compare(_, [l, r]) => {
            meet(*l);
            meet(*r);
        }
        StepKind::TellsName | StepKind::Fail => {}
    }
}
