//! Trees of goals: the representation of a body before code is emitted.

use costlens_body::{Comparison, TypeTest};
use costlens_syntax::term::TermId;

use super::instruction::StructureName;
use super::shape::ConstructPart;

/// A variable of the clause. A number of at least `Terms::variables` denotes a level stored for a cut.
pub(super) type Variable = u32;

/// A goal as compiled.
#[derive(Clone, Debug)]
pub(super) enum GoalNode {
    /// Consecutive goals; an empty list is `true`.
    Conjunction(Vec<GoalNode>),
    /// A goal without subgoals.
    Primitive(Primitive),
    /// A disjunction, with or without conditions.
    Disjunction(Disjunction),
    /// A goal whose cuts drop the choice points created since its start: `call((p, !, q))`. The variable contains this level; the term is
    /// the goal as written.
    Scope(Variable, Box<GoalNode>, TermId),
}

/// A goal without subgoals.
#[derive(Clone, Debug)]
pub(super) struct Primitive {
    /// The action of the goal.
    pub(super) kind: ActionKind,
    /// The goal's index among the literals.
    pub(super) literal: u32,
    /// The chunk that contains the goal; see [`super::liveness`].
    pub(super) chunk: u32,
    /// The goal's number in text order, from 1; stored levels have numbers as well.
    pub(super) number: u32,
}

/// The action of a primitive goal.
#[derive(Clone, Debug)]
pub(super) enum ActionKind {
    /// `fail`.
    Fail,
    /// A cut, which drops choice points: the choice points of the clause, or those created since the level in a variable.
    Cut(Option<Variable>),
    /// `A = B`.
    Unify(TermId, TermId),
    /// `A is B`.
    Is(TermId, TermId),
    /// `integer(A)`.
    Type(TypeTest, TermId),
    /// `A < B`.
    Arithmetic(Comparison, TermId, TermId),
    /// `A @< B`.
    Compare(Comparison, TermId, TermId),
    /// `A \= B`.
    NotUnifiable(TermId, TermId),
    /// Any other predicate.
    Call(StructureName, Vec<TermId>),
}

/// A disjunction: `( C -> A ; B ; D *-> E ; F )`. A chain of `;` to the right is one disjunction.
#[derive(Clone, Debug)]
pub(super) struct Disjunction {
    /// The branches, at least one.
    pub(super) branches: Vec<GoalBranch>,
    /// The section of each branch, which is its key in [`super::shape::ClauseCode::sections`].
    pub(super) names: Vec<Option<ConstructPart>>,
    /// The variable that contains the previous `B`, for branches with a condition that is more than a test.
    pub(super) level: Option<Variable>,
    /// True if a branch contains a call or a choice point, so that no register survives.
    pub(super) barrier: bool,
    /// The number of the first primitive inside the disjunction.
    pub(super) start: u32,
    /// The number after the last primitive inside the disjunction.
    pub(super) end: u32,
}

/// A branch.
#[derive(Clone, Debug)]
pub(super) enum GoalBranch {
    /// A branch without a condition.
    Plain(GoalNode),
    /// `Condition -> Then`; `tests` is true if the condition can run without a choice point.
    If {
        condition: GoalNode,
        then: GoalNode,
        tests: bool,
    },
    /// `Condition *-> Then`. The variable contains the choice point whose alternative is the following branches.
    Soft {
        condition: GoalNode,
        then: GoalNode,
        choice: Variable,
    },
}

/// A body as a tree.
pub(super) struct Body {
    pub(super) goal: GoalNode,
    pub(super) literals: Vec<StructureName>,
    /// The goal of each literal.
    pub(super) goals: Vec<Option<TermId>>,
    /// The number of variables: 1 more than the largest variable number.
    pub(super) variables: u32,
}
