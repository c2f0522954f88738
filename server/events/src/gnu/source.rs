//! Clauses without control constructs: what the compiler makes of a clause before it makes code.

use costlens_body::Goal;
use costlens_syntax::term::TermId;

use super::vocabulary::Function;

/// A variable of the clause, or, behind these, one that keeps a choice point.
pub(super) type Variable = usize;

/// A predicate: that of the clause, or one that stands for a disjunction in it.
#[derive(Debug)]
pub(super) struct Predicate {
    /// Its arity, variables for choice points of clauses around it included.
    pub(super) arity: usize,
    /// The variable that keeps the choice point of a call, if a clause needs it. It is one more argument.
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
    /// Passed on to a predicate that stands for a disjunction.
    Variable(Variable),
    /// Something that nobody has written.
    Atom,
    Integer,
}

/// A goal, or a part of it.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) kind: StepKind,
    /// The goal that it is code of; none for what control constructs need.
    pub(super) goal: Option<TermId>,
}

#[derive(Debug)]
pub(super) enum StepKind {
    /// A variable is unified with a variable or another term.
    Bind(TermId, TermId),
    /// Two terms that do not unify.
    Clash(TermId, TermId),
    /// The goal `fail`: what stands behind it has no code.
    Fail,
    /// Keeps the youngest choice point.
    Choice(Variable),
    Cut(Variable),
    SoftCut(Variable),
    Call(Vec<Argument>),
    Inline(Function, Vec<TermId>),
    /// Tells who evaluates, for messages, in front of the two below. Goals behind a module do not.
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

/// Arguments that tell who has called, which some system predicates take for messages.
pub(super) fn caller() -> [Argument; 3] {
    [Argument::Atom, Argument::Integer, Argument::Atom]
}

/// The system predicate in the place of a goal that calls goals, told who has called.
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
