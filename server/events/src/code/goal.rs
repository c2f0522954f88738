//! Bodies as trees of goals: control constructs told apart from calls, chains flattened, cuts resolved to what they cut.
//!
//! `p :- ( q, ! -> r ; \+ s ; t ).` is one disjunction of three branches: a condition with a cut of its own scope, a negation
//! (which is `( s -> fail ; true )`, flattened into the same chain only where it stands alone), and a call.

use std::collections::BTreeSet;

use costlens_catalog::{counts_nothing, is_fixed, is_leading_test};
use costlens_syntax::term::{Term, TermId, Terms};

use super::error::CompileError;
use super::instruction::{Comparison, StructureName, TypeTest};
use super::shape::Section;

/// A variable: one of the clause's, or, from [`Terms::variables`] on, a level that code keeps for a cut.
pub(super) type Variable = u32;

/// Control constructs inside one another that the compiler follows; deeper ones become `call/1` of their term.
const MAX_DEPTH: usize = 120;

/// A goal.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    /// Goals one after the other; none is `true`.
    Conjunction(Vec<Goal>),
    /// Something that is run at once.
    Primitive(Primitive),
    /// A disjunction, with or without conditions.
    Disjunction(Disjunction),
    /// A goal whose cuts drop the choice points since its start: `call((p, !, q))`. The variable keeps that level; the term is what
    /// is written.
    Scope(Variable, Box<Goal>, TermId),
}

/// A goal without goals inside.
#[derive(Clone, Debug)]
pub(super) struct Primitive {
    /// The action of the goal.
    pub(super) kind: Kind,
    /// Its place among the literals.
    pub(super) literal: u32,
    /// The stretch of code between calls that it is in, see [`super::liveness`].
    pub(super) chunk: u32,
    /// Its number in the order of the text, from 1; levels that are kept have numbers, too.
    pub(super) number: u32,
}

/// The action of a primitive goal.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// `fail`.
    Fail,
    /// Drops choice points: of the clause, or since the level that a variable keeps.
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

/// A disjunction: `( C -> A ; B ; D *-> E ; F )`. A chain of `;` to the right is one.
#[derive(Clone, Debug)]
pub(super) struct Disjunction {
    /// Its branches, at least one.
    pub(super) branches: Vec<Branch>,
    /// The name of each branch in [`super::shape::ClauseCode::branches`].
    pub(super) names: Vec<Option<Section>>,
    /// The variable that keeps the `B` of before, for the branches whose condition is no mere test.
    pub(super) level: Option<Variable>,
    /// True where a branch has a call or a choice point, so that no register survives.
    pub(super) barrier: bool,
    /// The primitives inside: from this number …
    pub(super) start: u32,
    /// … to before this one.
    pub(super) end: u32,
}

/// A branch.
#[derive(Clone, Debug)]
pub(super) enum Branch {
    /// No condition.
    Plain(Goal),
    /// `Condition -> Then`; `tests` says whether the condition can be run without a choice point.
    If {
        condition: Goal,
        then: Goal,
        tests: bool,
    },
    /// `Condition *-> Then`. The variable keeps the choice point that the other branches are the alternative of.
    Soft {
        condition: Goal,
        then: Goal,
        choice: Variable,
    },
}

/// A body as a tree.
pub(super) struct Body {
    pub(super) goal: Goal,
    pub(super) literals: Vec<StructureName>,
    /// The goal of each literal.
    pub(super) goals: Vec<Option<TermId>>,
    /// One more than the largest variable.
    pub(super) variables: u32,
}

/// The tree of a body. The guard of a single-sided rule, if any, comes first and commits.
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
        // A cut in the guard is local to it.
        goals.push(reader.scoped(guard, 0)?);
    }
    if commits {
        goals.push(reader.primitive(Kind::Cut(None), ("!".into(), 0)));
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

fn conjunction(mut goals: Vec<Goal>) -> Goal {
    if goals.len() == 1 {
        return goals.remove(0);
    }
    let mut flat = Vec::with_capacity(goals.len());
    for goal in goals {
        match goal {
            Goal::Conjunction(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    Goal::Conjunction(flat)
}

struct Reader<'t> {
    terms: &'t Terms,
    /// Tells where the program has clauses of its own for a predicate that would have code in place.
    is_redefined: &'t dyn Fn(&str, usize) -> bool,
    literals: Vec<StructureName>,
    goals: Vec<Option<TermId>>,
    variables: u32,
    /// The levels that cuts refer to.
    used_scopes: BTreeSet<Variable>,
}

impl Reader<'_> {
    fn fresh(&mut self) -> Variable {
        self.variables += 1;
        self.variables - 1
    }

    fn primitive(&mut self, kind: Kind, literal: StructureName) -> Goal {
        self.literals.push(literal);
        self.goals.push(None);
        Goal::Primitive(Primitive {
            kind,
            literal: u32::try_from(self.literals.len() - 1).unwrap_or(u32::MAX),
            chunk: 0,
            number: 0,
        })
    }

    /// A goal whose cuts are its own.
    fn scoped(&mut self, id: TermId, depth: usize) -> Result<Goal, CompileError> {
        let level = self.fresh();
        let goal = self.goal(id, Some(level), depth)?;
        Ok(if self.used_scopes.contains(&level) {
            Goal::Scope(level, Box::new(goal), id)
        } else {
            goal
        })
    }

    /// A goal whose cuts belong to a scope; none is the clause.
    fn goal(
        &mut self,
        id: TermId,
        scope: Option<Variable>,
        depth: usize,
    ) -> Result<Goal, CompileError> {
        let mut goals = Vec::new();
        for part in self.terms.chain(id, ",") {
            goals.push(self.part(part, scope, depth)?);
        }
        Ok(conjunction(goals))
    }

    /// A goal that is no conjunction.
    fn part(
        &mut self,
        id: TermId,
        scope: Option<Variable>,
        depth: usize,
    ) -> Result<Goal, CompileError> {
        let before = self.goals.len();
        let goal = self.part_of(id, scope, depth)?;
        if let (Goal::Primitive(_), Some(last)) = (&goal, self.goals.get_mut(before)) {
            *last = Some(id);
        }
        Ok(goal)
    }

    fn part_of(
        &mut self,
        mut id: TermId,
        scope: Option<Variable>,
        depth: usize,
    ) -> Result<Goal, CompileError> {
        // `m:goal`: modules are not told apart.
        while let Some(&[module, inner]) = self.terms.matches(id, ":", 2)
            && self.terms.as_atom(module).is_some()
        {
            id = inner;
            if self.terms.matches(id, ",", 2).is_some() {
                return self.goal(id, scope, depth);
            }
        }
        let Some((name, arity)) = self.terms.functor(id) else {
            return match self.terms.get(id) {
                Term::Var(_) => Ok(self.call("call", vec![id])),
                Term::Error => Err(CompileError::Unreadable(id)),
                _ => Err(CompileError::NotCallable(id)),
            };
        };
        let (name, args) = (name.clone(), self.terms.args(id));
        if may_be_redefined(&name, arity) && (self.is_redefined)(&name, arity) {
            let literal = (name, arity);
            return Ok(self.primitive(Kind::Call(literal.clone(), args.to_vec()), literal));
        }
        if is_construct(&name, arity) {
            if depth < MAX_DEPTH {
                return self.construct(&name, id, scope, depth + 1);
            }
            if self.has_cut(id) {
                return Err(CompileError::TooDeep(id));
            }
            return Ok(self.call("call", vec![id]));
        }
        let literal = (name.clone(), arity);
        let kind = match (name.as_str(), args) {
            ("true" | "otherwise", []) => return Ok(Goal::Conjunction(Vec::new())),
            ("fail" | "false", []) => Kind::Fail,
            ("!", []) => {
                if let Some(level) = scope {
                    self.used_scopes.insert(level);
                }
                Kind::Cut(scope)
            }
            ("=", &[a, b]) => Kind::Unify(a, b),
            ("\\=", &[a, b]) => Kind::NotUnifiable(a, b),
            ("is", &[a, b]) => Kind::Is(a, b),
            (_, &[a, b]) => {
                let by = |p: fn(Comparison) -> &'static str| {
                    Comparison::ALL.into_iter().find(|&c| p(c) == name)
                };
                if let Some(c) = by(Comparison::arithmetic_predicate) {
                    Kind::Arithmetic(c, a, b)
                } else if let Some(c) = by(Comparison::term_predicate) {
                    Kind::Compare(c, a, b)
                } else {
                    Kind::Call(literal.clone(), args.to_vec())
                }
            }
            (_, &[a]) => match TypeTest::ALL.into_iter().find(|t| t.predicate() == name) {
                Some(test) => Kind::Type(test, a),
                None => Kind::Call(literal.clone(), args.to_vec()),
            },
            _ => Kind::Call(literal.clone(), args.to_vec()),
        };
        if let Some(&bad) = args.iter().find(|&&a| *self.terms.get(a) == Term::Error) {
            return Err(CompileError::Unreadable(bad));
        }
        Ok(self.primitive(kind, literal))
    }

    fn call(&mut self, name: &'static str, args: Vec<TermId>) -> Goal {
        let functor: StructureName = (name.into(), args.len());
        self.primitive(Kind::Call(functor.clone(), args), functor)
    }

    /// Decides whether a cut stands anywhere in a term: where one does, it may be the clause's.
    fn has_cut(&self, id: TermId) -> bool {
        self.terms
            .subterms(id)
            .into_iter()
            .any(|t| self.terms.as_atom(t).is_some_and(|name| name == "!"))
    }

    fn construct(
        &mut self,
        name: &str,
        id: TermId,
        scope: Option<Variable>,
        depth: usize,
    ) -> Result<Goal, CompileError> {
        let none = || Goal::Conjunction(Vec::new());
        let (branches, names) = match (name, self.terms.args(id)) {
            (";" | "|", _) => self.alternatives(id, scope, depth)?,
            ("->" | "*->", _) => (
                vec![self.alternative(id, scope, depth)?],
                vec![self.condition_of(id)],
            ),
            ("\\+" | "not", &[goal]) => (
                self.negation(goal, depth)?,
                vec![Some(Section::Condition(goal)), None],
            ),
            ("once", &[goal]) => (
                vec![self.condition(goal, none(), depth)?],
                vec![Some(Section::Condition(goal))],
            ),
            ("ignore", &[goal]) => (
                vec![self.condition(goal, none(), depth)?, Branch::Plain(none())],
                vec![Some(Section::Condition(goal)), None],
            ),
            ("forall", &[condition, action]) => {
                let level = self.fresh();
                let goal = self.goal(condition, Some(level), depth)?;
                let inner = self.negation(action, depth)?;
                let inner = self.disjunction(inner, vec![Some(Section::Condition(action)), None]);
                let goal = conjunction(vec![goal, inner]);
                let goal = if self.used_scopes.contains(&level) {
                    Goal::Scope(level, Box::new(goal), id)
                } else {
                    goal
                };
                let fail = self.primitive(Kind::Fail, ("fail".into(), 0));
                let branches = vec![self.test_of(goal, fail), Branch::Plain(none())];
                (branches, vec![Some(Section::ForAll(id)), None])
            }
            ("call", &[goal]) => return self.scoped(goal, depth),
            _ => return Err(CompileError::NotCallable(id)),
        };
        Ok(self.disjunction(branches, names))
    }

    fn negation(&mut self, goal: TermId, depth: usize) -> Result<Vec<Branch>, CompileError> {
        let condition = self.scoped(goal, depth)?;
        let fail = self.primitive(Kind::Fail, ("fail".into(), 0));
        Ok(vec![
            self.test_of(condition, fail),
            Branch::Plain(Goal::Conjunction(Vec::new())),
        ])
    }

    fn condition(
        &mut self,
        goal: TermId,
        then: Goal,
        depth: usize,
    ) -> Result<Branch, CompileError> {
        let condition = self.scoped(goal, depth)?;
        Ok(self.test_of(condition, then))
    }

    fn test_of(&self, condition: Goal, then: Goal) -> Branch {
        let tests = self.is_condition(&condition);
        Branch::If {
            condition,
            then,
            tests,
        }
    }

    fn disjunction(&mut self, branches: Vec<Branch>, names: Vec<Option<Section>>) -> Goal {
        // `C *-> T` without an alternative is `C, T`.
        let needs_level = branches
            .iter()
            .any(|b| matches!(b, Branch::If { tests: false, .. }));
        Goal::Disjunction(Disjunction {
            level: needs_level.then(|| self.fresh()),
            branches,
            names,
            barrier: false,
            start: 0,
            end: 0,
        })
    }

    /// The branches of a chain `A ; B ; C`, and their names: the condition, or else the disjunction that the branch is the left
    /// side of.
    fn alternatives(
        &mut self,
        id: TermId,
        scope: Option<Variable>,
        depth: usize,
    ) -> Result<(Vec<Branch>, Vec<Option<Section>>), CompileError> {
        let (mut branches, mut names, mut rest) = (Vec::new(), Vec::new(), id);
        while let Some(&[left, right]) = self
            .terms
            .matches(rest, ";", 2)
            .or_else(|| self.terms.matches(rest, "|", 2))
        {
            branches.push(self.alternative(left, scope, depth)?);
            names.push(self.condition_of(left).or(Some(Section::Left(rest))));
            rest = right;
        }
        branches.push(self.alternative(rest, scope, depth)?);
        names.push(self.condition_of(rest));
        Ok((branches, names))
    }

    /// The condition of `C -> A` or `C *-> A`.
    fn condition_of(&self, id: TermId) -> Option<Section> {
        let arrow = |name| self.terms.matches(id, name, 2);
        let condition = arrow("->").or_else(|| arrow("*->"))?[0];
        Some(Section::Condition(condition))
    }

    fn alternative(
        &mut self,
        id: TermId,
        scope: Option<Variable>,
        depth: usize,
    ) -> Result<Branch, CompileError> {
        if let Some(&[condition, then]) = self.terms.matches(id, "->", 2) {
            let condition = self.scoped(condition, depth)?;
            let then = self.goal(then, scope, depth)?;
            return Ok(self.test_of(condition, then));
        }
        if let Some(&[condition, then]) = self.terms.matches(id, "*->", 2) {
            let condition = self.scoped(condition, depth)?;
            let then = self.goal(then, scope, depth)?;
            let choice = self.fresh();
            return Ok(Branch::Soft {
                condition,
                then,
                choice,
            });
        }
        Ok(Branch::Plain(self.goal(id, scope, depth)?))
    }

    /// Decides whether a condition can run without a choice point: tests, and at the end perhaps a unification with a constant,
    /// which binds nothing where it fails.
    fn is_condition(&self, goal: &Goal) -> bool {
        let goals = match goal {
            Goal::Conjunction(goals) => &goals[..],
            one => std::slice::from_ref(one),
        };
        let Some((last, before)) = goals.split_last() else {
            return true;
        };
        before.iter().all(|g| is_test(g, false))
            && (is_test(last, true) || self.binds_constant(last))
    }

    fn binds_constant(&self, goal: &Goal) -> bool {
        match goal {
            Goal::Primitive(Primitive {
                kind: Kind::Unify(a, b),
                ..
            }) => constant_unification(self.terms, *a, *b).is_some(),
            _ => false,
        }
    }
}

/// The variable and the constant of `X = a` or `a = X`.
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

/// Decides whether a goal binds nothing, calls nothing, and can be run by jumps, which go back into no disjunction: one that is
/// left with an alternative may only stand last, where what follows commits. (Coming back with the same bindings would change no
/// truth, but `( (true ; X < a), fail -> … )` throws.)
fn is_test(goal: &Goal, last: bool) -> bool {
    match goal {
        Goal::Conjunction(goals) => match goals.split_last() {
            Some((end, before)) => before.iter().all(|g| is_test(g, false)) && is_test(end, last),
            None => true,
        },
        Goal::Primitive(p) => matches!(
            p.kind,
            Kind::Fail
                | Kind::Type(..)
                | Kind::Arithmetic(..)
                | Kind::Compare(..)
                | Kind::NotUnifiable(..)
        ),
        Goal::Disjunction(d) => d
            .branches
            .iter()
            .enumerate()
            .all(|(i, branch)| match branch {
                Branch::Plain(goal) => (last || i + 1 == d.branches.len()) && is_test(goal, last),
                Branch::If {
                    condition, then, ..
                } => is_test(condition, true) && is_test(then, last),
                Branch::Soft { .. } => false,
            }),
        Goal::Scope(..) => false,
    }
}

/// The constructs with goals inside that have code of their own, conjunctions apart.
fn is_construct(name: &str, arity: usize) -> bool {
    counts_nothing(name, arity) && arity > 0 && name != ","
}

/// True for a predicate that has code in place here although SWI-Prolog lets a program define it, and then runs that definition.
fn may_be_redefined(name: &str, arity: usize) -> bool {
    !is_fixed(name, arity) && (counts_nothing(name, arity) || is_leading_test(name, arity))
}

#[cfg(test)]
mod tests {
    use costlens_catalog::{all, is_arithmetic_comparison, is_term_comparison, is_type_test};

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
        let tests = all().iter().filter(|p| p.test.is_some()).count();
        assert_eq!(tests, TypeTest::ALL.len() + 2 * Comparison::ALL.len());
    }

    #[test]
    fn only_what_a_program_may_define_may_be_redefined() {
        for (name, arity) in [("forall", 2), ("not", 1), ("is_list", 1), ("otherwise", 0)] {
            assert!(may_be_redefined(name, arity), "{name}/{arity}");
        }
        for (name, arity) in [("|", 2), ("*->", 2), ("call", 1), ("var", 1), ("append", 3)] {
            assert!(!may_be_redefined(name, arity), "{name}/{arity}");
        }
    }
}
