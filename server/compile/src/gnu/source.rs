//! Clauses without control constructs, the representation before code generation.

use costlens_body::Goal;
use costlens_syntax::term::TermId;

use costlens_events::gnu::Function;

/// A variable of the clause, or a variable with a higher number that contains a choice point.
pub(super) type Variable = u32;

/// The predicate of the clause, or a predicate that implements a disjunction in the clause.
#[derive(Debug)]
pub(super) struct CompiledPredicate {
    /// The arity, including variables for choice points of enclosing clauses.
    pub(super) arity: usize,
    /// The variable that contains the choice point of a call, if a clause needs it. It is an additional argument.
    pub(super) choice: Option<Variable>,
    pub(super) clauses: Vec<Clause>,
}

#[derive(Debug)]
pub(super) struct Clause {
    pub(super) head: Vec<Argument>,
    pub(super) steps: Vec<GoalStep>,
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

/// A goal or a part of a goal.
#[derive(Debug)]
pub(super) struct GoalStep {
    pub(super) kind: StepKind,
    /// The goal to which the step belongs; `None` for code that control constructs need.
    pub(super) goal: Option<TermId>,
}

#[derive(Debug)]
pub(super) enum StepKind {
    /// Unifies a variable with a variable or another term.
    Bind(TermId, TermId),
    /// A unification of two terms that cannot unify.
    Clash(TermId, TermId),
    /// The goal `fail`: the following steps have no code.
    Fail,
    /// Saves the newest choice point.
    Choice(Variable),
    Cut(Variable),
    SoftCut(Variable),
    Call(Vec<Argument>),
    Inline(Function, Vec<TermId>),
    /// Sets the name of the evaluating predicate, for error messages, before the variants `Evaluate` and `Compare`. Qualified goals do not
    /// need it.
    TellsName,
    /// `Result is Expression`.
    Evaluate(TermId, TermId),
    Compare(Function, [TermId; 2]),
}

impl StepKind {
    /// Returns whether the step ends a chunk, so that temporary variables do not survive it.
    pub(super) fn ends_chunk(&self) -> bool {
        matches!(self, StepKind::Call(_) | StepKind::Fail)
    }
}

/// Returns the arguments that identify the caller, which some system predicates need for error messages.
pub(super) fn caller() -> [Argument; 3] {
    [Argument::Atom, Argument::Integer, Argument::Atom]
}

/// Returns true for a goal whose system predicate takes additional arguments that identify the caller.
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
