//! Converts bodies to trees of goals: control constructs are separated from calls, chains are flattened, and cuts are resolved to their
//! targets.
//!
//! `p :- ( q, ! -> r ; \+ s ; t ).` becomes one disjunction with three branches: a condition with a local cut, a negation (which is
//! `( s -> fail ; true )`, flattened into the same chain only if it is the whole goal), and a call.

use std::collections::BTreeSet;

use costlens_body::{Arrow, Goal, conjuncts};
use costlens_catalog::{counts_nothing, is_leading_test};
use costlens_syntax::term::{Term, TermId, Terms};

use super::error::CompileError;
use super::instruction::StructureName;
use super::shape::ConstructPart;
use super::tree::{ActionKind, Body, Disjunction, GoalBranch, GoalNode, Primitive, Variable};

/// The maximum nesting depth of control constructs; deeper constructs become `call/1` of their term.
const MAX_DEPTH: usize = 120;

/// Builds the tree for a body. The guard of a single-sided rule, if any, comes first and commits.
pub(super) fn body(
    terms: &Terms,
    is_redefined: &dyn Fn(&str, usize) -> bool,
    guard: Option<TermId>,
    commits: bool,
    body: Option<TermId>,
) -> Result<Body, CompileError> {
    let mut reader = Reader {
        terms,
        is_redefined,
        literals: Vec::new(),
        goals: Vec::new(),
        variables: terms.variables(),
        used_scopes: BTreeSet::new(),
    };
    let mut goals = Vec::new();
    if let Some(guard) = guard {
        // A cut in the guard is local to the guard.
        goals.push(reader.scoped(guard, 0)?);
    }
    if commits {
        goals.push(reader.primitive(ActionKind::Cut(None), ("!".into(), 0)));
    }
    if let Some(body) = body {
        goals.push(reader.goal(body, None, 0)?);
    }
    Ok(Body {
        goal: conjunction(goals),
        literals: reader.literals,
        goals: reader.goals,
        variables: reader.variables,
    })
}

fn conjunction(mut goals: Vec<GoalNode>) -> GoalNode {
    if goals.len() == 1 {
        return goals.remove(0);
    }
    let mut flat = Vec::with_capacity(goals.len());
    for goal in goals {
        match goal {
            GoalNode::Conjunction(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    GoalNode::Conjunction(flat)
}

struct Reader<'t> {
    terms: &'t Terms,
    /// Returns whether the program has its own clauses for a predicate that would be compiled inline.
    is_redefined: &'t dyn Fn(&str, usize) -> bool,
    literals: Vec<StructureName>,
    goals: Vec<Option<TermId>>,
    variables: u32,
    /// The levels to which cuts refer.
    used_scopes: BTreeSet<Variable>,
}

impl<'t> Reader<'t> {
    fn fresh(&mut self) -> Variable {
        self.variables += 1;
        self.variables - 1
    }

    fn primitive(&mut self, kind: ActionKind, literal: StructureName) -> GoalNode {
        self.literals.push(literal);
        self.goals.push(None);
        GoalNode::Primitive(Primitive {
            kind,
            literal: u32::try_from(self.literals.len() - 1).unwrap_or(u32::MAX),
            chunk: 0,
            number: 0,
        })
    }

    /// Converts a goal in which cuts are local.
    fn scoped(&mut self, id: TermId, depth: usize) -> Result<GoalNode, CompileError> {
        let level = self.fresh();
        let goal = self.goal(id, Some(level), depth)?;
        Ok(self.scope(level, goal, id))
    }

    /// Wraps a goal with a level if the goal contains cuts to it.
    fn scope(&self, level: Variable, goal: GoalNode, id: TermId) -> GoalNode {
        match self.used_scopes.contains(&level) {
            true => GoalNode::Scope(level, Box::new(goal), id),
            false => goal,
        }
    }

    /// Converts a goal whose cuts belong to a scope; `None` is the clause.
    fn goal(
        &mut self,
        id: TermId,
        scope: Option<Variable>,
        depth: usize,
    ) -> Result<GoalNode, CompileError> {
        let mut goals = Vec::new();
        for part in conjuncts(self.terms, id) {
            goals.push(self.part(part, scope, depth)?);
        }
        Ok(conjunction(goals))
    }

    /// Converts a goal that is not a conjunction.
    fn part(
        &mut self,
        id: TermId,
        scope: Option<Variable>,
        depth: usize,
    ) -> Result<GoalNode, CompileError> {
        let before = self.goals.len();
        let goal = self.part_of(id, scope, depth)?;
        if let (GoalNode::Primitive(_), Some(last)) = (&goal, self.goals.get_mut(before)) {
            *last = Some(id);
        }
        Ok(goal)
    }

    fn part_of(
        &mut self,
        mut id: TermId,
        scope: Option<Variable>,
        depth: usize,
    ) -> Result<GoalNode, CompileError> {
        let terms = self.terms;
        let mut lowered = self.lowered(id);
        // `m:goal`: modules are not distinguished.
        while let Goal::Qualified { module, goal } = lowered
            && terms.as_atom(module).is_some()
        {
            id = goal;
            lowered = self.lowered(id);
        }
        let Some((name, arity)) = terms.functor(id) else {
            return match lowered {
                Goal::Variable(_) => Ok(self.called(id)),
                Goal::Unreadable => Err(CompileError::Unreadable(id)),
                _ => Err(CompileError::NotCallable(id)),
            };
        };
        let (literal, args) = ((name.clone(), arity), terms.args(id));
        let kind = match lowered {
            Goal::Conjunction(..) => return self.goal(id, scope, depth),
            Goal::True | Goal::Otherwise => return Ok(GoalNode::Conjunction(Vec::new())),
            Goal::Fail | Goal::False => ActionKind::Fail,
            Goal::Cut => {
                if let Some(level) = scope {
                    self.used_scopes.insert(level);
                }
                ActionKind::Cut(scope)
            }
            Goal::Unify(a, b) => ActionKind::Unify(a, b),
            Goal::NotUnifiable(a, b) => ActionKind::NotUnifiable(a, b),
            Goal::Is { result, expression } => ActionKind::Is(result, expression),
            Goal::Compare(comparison, a, b) => ActionKind::Arithmetic(comparison, a, b),
            Goal::CompareTerms(comparison, a, b) => ActionKind::Compare(comparison, a, b),
            Goal::Type(test, a) => ActionKind::Type(test, a),
            Goal::Disjunction(..)
            | Goal::Bar(..)
            | Goal::IfThen { .. }
            | Goal::IfThenElse { .. }
            | Goal::Not(_)
            | Goal::NotCalled(_)
            | Goal::Once(_)
            | Goal::Ignore(_)
            | Goal::Forall { .. }
            | Goal::CallN { added: [], .. } => return self.construct(lowered, id, scope, depth),
            _ => ActionKind::Call(literal.clone(), args.to_vec()),
        };
        if let Some(&bad) = args.iter().find(|&&a| *terms.get(a) == Term::Error) {
            return Err(CompileError::Unreadable(bad));
        }
        Ok(self.primitive(kind, literal))
    }

    /// Lowers a goal. The result is a call if the program has its own clauses for a predicate that would be compiled inline.
    fn lowered(&self, id: TermId) -> Goal<'t> {
        let redefines = |name: &str, arity: usize| {
            has_code_in_place(name, arity) && (self.is_redefined)(name, arity)
        };
        Goal::of_program(self.terms, id, &redefines)
    }

    /// Builds `call(G)`.
    fn called(&mut self, goal: TermId) -> GoalNode {
        let literal: StructureName = ("call".into(), 1);
        self.primitive(ActionKind::Call(literal.clone(), vec![goal]), literal)
    }

    /// Returns whether a cut occurs anywhere in a term, so that it may cut the clause.
    fn has_cut(&self, id: TermId) -> bool {
        let parts = self.terms.subterms(id).into_iter();
        parts
            .map(|t| Goal::lower(self.terms, t))
            .any(|g| g == Goal::Cut)
    }

    fn construct(
        &mut self,
        goal: Goal<'_>,
        id: TermId,
        scope: Option<Variable>,
        depth: usize,
    ) -> Result<GoalNode, CompileError> {
        if depth >= MAX_DEPTH {
            return match self.has_cut(id) {
                true => Err(CompileError::TooDeep(id)),
                false => Ok(self.called(id)),
            };
        }
        let depth = depth + 1;
        let none = || GoalNode::Conjunction(Vec::new());
        let named = |goal| Some(ConstructPart::Condition(goal));
        let (branches, names) = match goal {
            Goal::Not(goal) | Goal::NotCalled(goal) => {
                (self.negation(goal, depth)?, vec![named(goal), None])
            }
            Goal::Once(goal) => (
                vec![self.condition(goal, none(), depth)?],
                vec![named(goal)],
            ),
            Goal::Ignore(goal) => (
                vec![
                    self.condition(goal, none(), depth)?,
                    GoalBranch::Plain(none()),
                ],
                vec![named(goal), None],
            ),
            Goal::Forall { condition, action } => {
                let level = self.fresh();
                let goal = self.goal(condition, Some(level), depth)?;
                let inner = self.negation(action, depth)?;
                let inner = self.disjunction(inner, vec![named(action), None]);
                let goal = self.scope(level, conjunction(vec![goal, inner]), id);
                let fail = self.primitive(ActionKind::Fail, ("fail".into(), 0));
                let branches = vec![self.test_of(goal, fail), GoalBranch::Plain(none())];
                (branches, vec![Some(ConstructPart::ForAll(id)), None])
            }
            Goal::CallN { closure, .. } => return self.scoped(closure, depth),
            _ => self.alternatives(id, scope, depth)?,
        };
        Ok(self.disjunction(branches, names))
    }

    fn negation(&mut self, goal: TermId, depth: usize) -> Result<Vec<GoalBranch>, CompileError> {
        let condition = self.scoped(goal, depth)?;
        let fail = self.primitive(ActionKind::Fail, ("fail".into(), 0));
        Ok(vec![
            self.test_of(condition, fail),
            GoalBranch::Plain(GoalNode::Conjunction(Vec::new())),
        ])
    }

    fn condition(
        &mut self,
        goal: TermId,
        then: GoalNode,
        depth: usize,
    ) -> Result<GoalBranch, CompileError> {
        let condition = self.scoped(goal, depth)?;
        Ok(self.test_of(condition, then))
    }

    fn test_of(&self, condition: GoalNode, then: GoalNode) -> GoalBranch {
        let tests = self.is_condition(&condition);
        GoalBranch::If {
            condition,
            then,
            tests,
        }
    }

    fn disjunction(
        &mut self,
        branches: Vec<GoalBranch>,
        names: Vec<Option<ConstructPart>>,
    ) -> GoalNode {
        // `C *-> T` without an alternative is `C, T`.
        let needs_level = branches
            .iter()
            .any(|b| matches!(b, GoalBranch::If { tests: false, .. }));
        GoalNode::Disjunction(Disjunction {
            level: needs_level.then(|| self.fresh()),
            branches,
            names,
            barrier: false,
            start: 0,
            end: 0,
        })
    }

    /// Converts the branches of a chain `A ; B ; C`. A branch is identified by its condition or, if it has none, by the disjunction of
    /// which it is the left side. A condition alone is a chain with one branch.
    fn alternatives(
        &mut self,
        id: TermId,
        scope: Option<Variable>,
        depth: usize,
    ) -> Result<(Vec<GoalBranch>, Vec<Option<ConstructPart>>), CompileError> {
        let (mut branches, mut names, mut next) = (Vec::new(), Vec::new(), Some(id));
        while let Some(whole) = next {
            let lowered = Goal::lower(self.terms, whole);
            next = match lowered {
                Goal::Disjunction(_, right)
                | Goal::Bar(_, right)
                | Goal::IfThenElse {
                    otherwise: right, ..
                } => Some(right),
                _ => None,
            };
            let (branch, name) = match lowered {
                Goal::IfThen {
                    arrow,
                    condition,
                    then,
                }
                | Goal::IfThenElse {
                    arrow,
                    condition,
                    then,
                    ..
                } => (
                    self.conditional(arrow, condition, then, scope, depth)?,
                    Some(ConstructPart::Condition(condition)),
                ),
                Goal::Disjunction(left, _) | Goal::Bar(left, _) => (
                    GoalBranch::Plain(self.goal(left, scope, depth)?),
                    Some(ConstructPart::Left(whole)),
                ),
                _ => (GoalBranch::Plain(self.goal(whole, scope, depth)?), None),
            };
            branches.push(branch);
            names.push(name);
        }
        Ok((branches, names))
    }

    /// Converts the branch `C -> T` or `C *-> T`.
    fn conditional(
        &mut self,
        arrow: Arrow,
        condition: TermId,
        then: TermId,
        scope: Option<Variable>,
        depth: usize,
    ) -> Result<GoalBranch, CompileError> {
        let condition = self.scoped(condition, depth)?;
        let then = self.goal(then, scope, depth)?;
        Ok(match arrow {
            Arrow::Hard => self.test_of(condition, then),
            Arrow::Soft => GoalBranch::Soft {
                condition,
                then,
                choice: self.fresh(),
            },
        })
    }

    /// Returns whether a condition can run without a choice point: it consists of tests, optionally followed by a unification with a
    /// constant, which binds nothing if it fails.
    fn is_condition(&self, goal: &GoalNode) -> bool {
        let goals = match goal {
            GoalNode::Conjunction(goals) => &goals[..],
            one => std::slice::from_ref(one),
        };
        let Some((last, before)) = goals.split_last() else {
            return true;
        };
        before.iter().all(|g| is_test(g, false))
            && (is_test(last, true) || self.binds_constant(last))
    }

    fn binds_constant(&self, goal: &GoalNode) -> bool {
        match goal {
            GoalNode::Primitive(Primitive {
                kind: ActionKind::Unify(a, b),
                ..
            }) => constant_unification(self.terms, *a, *b).is_some(),
            _ => false,
        }
    }
}

/// Returns the variable and the constant of `X = a` or `a = X`.
pub(super) fn constant_unification(
    terms: &Terms,
    a: TermId,
    b: TermId,
) -> Option<(Variable, TermId)> {
    let is_constant = |t: TermId| {
        !matches!(
            terms.get(t),
            Term::Var(_) | Term::Compound(..) | Term::Error
        )
    };
    match (terms.get(a), terms.get(b)) {
        (Term::Var(v), _) if is_constant(b) => Some((*v, b)),
        (_, Term::Var(v)) if is_constant(a) => Some((*v, a)),
        _ => None,
    }
}

/// Returns whether a goal binds nothing, calls nothing, and can be run by jumps that never re-enter a disjunction. A disjunction with a
/// remaining alternative may only come last, where the following code commits. (Re-entering it with the same bindings would not change the
/// truth value, but `( (true ; X < a), fail -> … )` throws.)
fn is_test(goal: &GoalNode, last: bool) -> bool {
    match goal {
        GoalNode::Conjunction(goals) => match goals.split_last() {
            Some((end, before)) => before.iter().all(|g| is_test(g, false)) && is_test(end, last),
            None => true,
        },
        GoalNode::Primitive(p) => matches!(
            p.kind,
            ActionKind::Fail
                | ActionKind::Type(..)
                | ActionKind::Arithmetic(..)
                | ActionKind::Compare(..)
                | ActionKind::NotUnifiable(..)
        ),
        GoalNode::Disjunction(d) => d
            .branches
            .iter()
            .enumerate()
            .all(|(i, branch)| match branch {
                GoalBranch::Plain(goal) => {
                    (last || i + 1 == d.branches.len()) && is_test(goal, last)
                }
                GoalBranch::If {
                    condition, then, ..
                } => is_test(condition, true) && is_test(then, last),
                GoalBranch::Soft { .. } => false,
            }),
        GoalNode::Scope(..) => false,
    }
}

/// Returns true for predicates that are compiled inline rather than called. A program may define them, in which case SWI-Prolog runs that
/// definition.
fn has_code_in_place(name: &str, arity: usize) -> bool {
    counts_nothing(name, arity) || is_leading_test(name, arity)
}

#[cfg(test)]
mod tests {
    use costlens_body::{Comparison, TypeTest};
    use costlens_catalog::{
        is_arithmetic_comparison, is_term_comparison, is_type_test, system_predicates,
    };

    use super::*;

    #[test]
    fn tests_of_the_catalogue_have_instructions_and_no_others_do() {
        for test in TypeTest::ALL {
            assert!(is_type_test(test.predicate(), 1), "{}", test.predicate());
        }
        for comparison in Comparison::ALL {
            assert!(is_arithmetic_comparison(
                comparison.arithmetic_predicate(),
                2
            ));
            assert!(is_term_comparison(comparison.term_predicate(), 2));
        }
        let tests = system_predicates()
            .iter()
            .filter(|p| p.test.is_some())
            .count();
        assert_eq!(tests, TypeTest::ALL.len() + 2 * Comparison::ALL.len());
    }

    #[test]
    fn a_program_is_asked_only_for_what_has_code_in_place() {
        for (name, arity) in [("forall", 2), ("not", 1), ("is_list", 1), ("otherwise", 0)] {
            assert!(has_code_in_place(name, arity), "{name}/{arity}");
        }
        for (name, arity) in [("findall", 3), ("time", 1), ("call", 2), ("append", 3)] {
            assert!(!has_code_in_place(name, arity), "{name}/{arity}");
        }
    }
}
