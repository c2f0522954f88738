//! Clauses without control constructs: the form of a clause before code is generated.

use costlens_body::Goal;
use costlens_syntax::term::TermId;

use costlens_events::gnu::Function;

/// A variable of the clause or, numbered after these, one that holds a choice point.
pub(super) type Variable = u32;

/// A predicate: that of the clause, or one that implements a disjunction in it.
#[derive(Debug)]
pub(super) struct Predicate {
    /// Its arity, including variables for choice points of enclosing clauses.
    pub(super) arity: usize,
    /// The variable that holds the choice point of a call, if a clause needs it. It is an additional argument.
    pub(super) choice: Option<Variable>,
    pub(super) clauses: Vec<Clause>,
}

#[derive(Debug)]
pub(super) struct Clause {
    pub(super) head: Vec<Argument>,
    pub(super) steps: Vec<Step>,
}

/// An argument of a head or of a call.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    Term(TermId),
    /// A variable passed to a predicate that implements a disjunction.
    Variable(Variable),
    /// An atom that does not occur in the text.
    Atom,
    Integer,
}

/// A goal, or a part of it.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) kind: StepKind,
    /// The goal to which it belongs; `None` for code that control constructs need.
    pub(super) goal: Option<TermId>,
}

#[derive(Debug)]
pub(super) enum StepKind {
    /// Unifies a variable with a variable or another term.
    Bind(TermId, TermId),
    /// Two terms that do not unify.
    Clash(TermId, TermId),
    /// The goal `fail`: the following steps have no code.
    Fail,
    /// Saves the youngest choice point.
    Choice(Variable),
    Cut(Variable),
    SoftCut(Variable),
    Call(Vec<Argument>),
    Inline(Function, Vec<TermId>),
    /// Sets the name of the evaluating predicate, for error messages, before the two variants below. Qualified goals do not need it.
    TellsName,
    /// `Result is Expression`.
    Evaluate(TermId, TermId),
    Compare(Function, [TermId; 2]),
}

impl StepKind {
    /// Returns whether it ends a chunk: temporaries do not outlive it.
    pub(super) fn ends_chunk(&self) -> bool {
        matches!(self, StepKind::Call(_) | StepKind::Fail)
    }
}

/// Returns the arguments that identify the caller, which some system predicates take for error messages.
pub(super) fn caller() -> [Argument; 3] {
    [Argument::Atom, Argument::Integer, Argument::Atom]
}

/// Returns true for a goal whose system predicate also takes arguments that identify the caller.
pub(super) fn takes_caller(goal: &Goal<'_>) -> bool {
    matches!(
        goal,
        Goal::CallN { added: [], .. }
            | Goal::Catch {
                keeps_backtrace: false,
                ..
            }
            | Goal::Throw(_)
    )
}
