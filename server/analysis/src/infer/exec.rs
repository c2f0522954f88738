//! The symbolic run of a clause in a world.
//!
//! Literals run left to right over abstract values; what is recorded ([`Tree`]) is enough to read costs, numbers of solutions
//! and output sizes from, without running again.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use costlens_algebra::system::{SolvedPiece, Value as Bound};
use costlens_algebra::{Expr, Var};
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{NIL, Term, TermId, Terms};

use super::Program;
use super::arith::{self, Comparison};
use super::builtins::{self, Success};
use super::datum::Datum;
use super::lookup::values_at;
use super::node::{Node, Output};
use super::size::Size;
use super::state::{Scope, State, Value, identical};
use super::tree::{CallStep, Callee, ClauseRun, End, Exit, Step, Tree};
use super::world::{Answer, Question, Split, Truth, World, ordered};
use crate::report::PredicateName;
use crate::types::{Pattern, Type};

/// Clauses with more terms than this are not run.
pub(crate) const LARGEST_CLAUSE: usize = 20_000;
/// How deep conditions, negations and branches may nest.
const DEEPEST_CONTROL: usize = 24;
/// How many cuts the run of one clause may pass: each wraps what stands before it.
const MOST_CUTS: usize = 64;
/// How many leaves the run of one clause may have.
const MOST_LEAVES: usize = 64;

/// A literal of which nothing is known, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Obstacle {
    pub(crate) clause: usize,
    pub(crate) literal: Option<TermId>,
    pub(crate) reason: String,
    pub(crate) help: String,
    /// The root cause, if it lies in another predicate.
    pub(crate) root: Option<crate::report::Unknown>,
}

/// Everything a run shares.
pub(crate) struct Runner<'a> {
    pub(crate) program: &'a dyn Program,
    pub(crate) nodes: &'a [Node],
    pub(crate) node: usize,
    pub(crate) world: &'a World,
    pub(crate) next_var: &'a Cell<u32>,
    pub(crate) fuel: &'a Cell<u64>,
    pub(crate) obstacles: &'a RefCell<Vec<Obstacle>>,
    /// Patterns of the component that are called and have no node yet.
    pub(crate) discovered: &'a RefCell<Vec<(PredicateName, Pattern)>>,
    pub(crate) errors: &'a Cell<bool>,
}

/// A goal still to run.
#[derive(Clone, Copy, Debug)]
enum Goal {
    Term(TermId),
    /// The cut of a condition or negation would be here; nothing runs.
    Fail,
}

/// Where a clause run stands.
#[derive(Clone)]
struct Point {
    state: State,
    steps: Vec<Step>,
    /// No step so far may fail.
    sure: bool,
}

struct ClauseScope<'a> {
    clause: usize,
    terms: &'a Terms,
    leaves: Cell<usize>,
    cuts: Cell<usize>,
    may_cut: Cell<bool>,
    sure_cut: Cell<bool>,
}

/// How a run of a part of a clause ends: at exits of the clause's head, or inside the clause.
#[derive(Clone, Copy)]
struct Part<'a> {
    head: Option<&'a [TermId]>,
    depth: usize,
    /// Whether a cut here is local (condition, negation, call/1).
    local_cut: bool,
    /// Whether this part is run on every path (not inside a branch).
    certain: bool,
}

impl Runner<'_> {
    /// Runs the clauses of the node in its world, in order, up to one whose cut is reached for certain.
    pub(crate) fn clauses(&self, clauses: &[Clause]) -> Result<Vec<ClauseRun>, Split> {
        let mut runs = Vec::new();
        for (index, clause) in clauses.iter().enumerate() {
            let scope = ClauseScope {
                clause: index,
                terms: &clause.terms,
                leaves: Cell::new(0),
                cuts: Cell::new(0),
                may_cut: Cell::new(false),
                sure_cut: Cell::new(false),
            };
            if let Some(tree) = self.clause(clause, &scope)? {
                runs.push(ClauseRun {
                    clause: index,
                    tree,
                    may_cut: scope.may_cut.get(),
                });
                if scope.sure_cut.get() {
                    break;
                }
            }
        }
        Ok(runs)
    }

    fn scope<'s>(&'s self, terms: &'s Terms, is_param: &'s dyn Fn(&Expr) -> bool) -> Scope<'s> {
        Scope {
            terms,
            world: self.world,
            is_param,
        }
    }

    /// Whether only the entry's size variables occur, so that a world may be split on it.
    fn is_param(&self, e: &Expr) -> bool {
        let params = &self.nodes[self.node].params;
        e.variables()
            .iter()
            .all(|v| params.iter().any(|p| p.var == *v))
    }

    fn clause(&self, clause: &Clause, scope: &ClauseScope<'_>) -> Result<Option<Tree>, Split> {
        let terms = &*clause.terms;
        let mut point = Point {
            state: State::new(terms),
            steps: Vec::new(),
            sure: true,
        };
        if let Some(reason) = unreadable(clause) {
            return Ok(Some(self.give_up(scope, point, None, reason, "")));
        }
        let head: Vec<TermId> = terms.args(clause.head).to_vec();
        // Bound arguments first: what an unbound argument is unified with never fails.
        let node = &self.nodes[self.node];
        let mut truth = Truth::True;
        {
            let is_param = |e: &Expr| self.is_param(e);
            let s = self.scope(terms, &is_param);
            for (i, &argument) in head.iter().enumerate() {
                let datum = node.datum(i);
                if datum.ty != Type::Free {
                    truth = truth.and(point.state.unify_datum(&s, &datum, argument)?.0);
                    if truth == Truth::False {
                        return Ok(None);
                    }
                }
            }
        }
        self.note(&mut point, truth);
        let mut goals: Vec<Goal> = Vec::new();
        if let Some(body) = clause.body {
            goals.extend(terms.chain(body, ",").into_iter().rev().map(Goal::Term));
        }
        // Leading tests belong to the selection of the clause.
        while let Some(Goal::Term(goal)) = goals.last().copied() {
            let leading = terms.functor(goal).is_some_and(|(name, arity)| {
                builtins::is_leading_test(name, arity) && !(arity == 1 && self.is_redefined(name))
            });
            if !leading {
                break;
            }
            goals.pop();
            let truth = self
                .test(&mut point.state, terms, goal)?
                .unwrap_or(Truth::Maybe);
            if truth == Truth::False {
                return Ok(None);
            }
            self.note(&mut point, truth);
        }
        point.steps.push(Step::Enter);
        let part = Part {
            head: Some(&head),
            depth: 0,
            local_cut: false,
            certain: true,
        };
        self.run(scope, point, goals, part).map(Some)
    }

    fn note(&self, point: &mut Point, truth: Truth) {
        if truth == Truth::Maybe {
            point.steps.push(Step::Maybe);
            point.sure = false;
        }
    }

    fn give_up(
        &self,
        scope: &ClauseScope<'_>,
        mut point: Point,
        literal: Option<TermId>,
        reason: String,
        help: &str,
    ) -> Tree {
        self.obstacle(scope, &mut point, literal, reason, help, None);
        // The goals that were not run may bind anything and may cut.
        scope.may_cut.set(true);
        point.state.pure = false;
        for value in &mut point.state.values {
            if *value == Value::Unbound {
                *value = Value::Known(Datum::any());
            }
        }
        let exit = Exit {
            arguments: self.nodes[self.node]
                .pattern
                .0
                .iter()
                .map(|_| Datum::any())
                .collect(),
            state: point.state,
        };
        Tree {
            steps: point.steps,
            end: End::Success(Box::new(exit)),
            cut_inside: true,
        }
    }

    fn obstacle(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        literal: Option<TermId>,
        reason: String,
        help: &str,
        root: Option<crate::report::Unknown>,
    ) {
        let obstacle = Obstacle {
            clause: scope.clause,
            literal,
            reason,
            help: help.to_owned(),
            root,
        };
        let mut all = self.obstacles.borrow_mut();
        let index = all.iter().position(|o| *o == obstacle).unwrap_or_else(|| {
            all.push(obstacle);
            all.len() - 1
        });
        point.steps.push(Step::Unknown(index));
        point.sure = false;
    }

    /// Runs goals (the last one first) to the end of the part.
    fn run(
        &self,
        scope: &ClauseScope<'_>,
        mut point: Point,
        mut goals: Vec<Goal>,
        part: Part<'_>,
    ) -> Result<Tree, Split> {
        let terms = scope.terms;
        while let Some(goal) = goals.pop() {
            self.fuel.set(self.fuel.get().saturating_sub(1));
            let Goal::Term(goal) = goal else {
                return Ok(fail(point));
            };
            let goal = point.state.resolve(terms, goal);
            let Some((name, _)) = terms.functor(goal) else {
                let reason = "the goal is a variable: what it calls is not known here".to_owned();
                self.obstacle(
                    scope,
                    &mut point,
                    Some(goal),
                    reason,
                    "Call the predicate by its name.",
                    None,
                );
                point.state.expose(terms, goal, &Type::Any);
                point.state.pure = false;
                continue;
            };
            let args = terms.args(goal);
            // What is no core built-in can be defined by the user.
            let redefined = matches!(
                name.as_str(),
                "ignore" | "not" | "forall" | "otherwise" | "|"
            ) && self
                .program
                .clauses(&PredicateName::new(name.clone(), args.len()))
                .is_some();
            match (name.as_str(), args) {
                _ if redefined => {
                    let truth = self.literal(scope, &mut point, goal)?;
                    if truth == Truth::False {
                        return Ok(fail(point));
                    }
                    self.note(&mut point, truth);
                }
                (",", &[_, _]) => {
                    goals.extend(terms.chain(goal, ",").into_iter().rev().map(Goal::Term));
                }
                ("true" | "otherwise", []) => {}
                ("!", []) if scope.cuts.get() >= MOST_CUTS => {
                    let reason = "the clause has too many cuts".to_owned();
                    return Ok(self.give_up(scope, point, Some(goal), reason, "Split the clause."));
                }
                ("!", []) => self.cut(scope, &mut point, part),
                (";" | "|", &[left, right]) => {
                    return self.disjunction(scope, point, goals, part, left, right);
                }
                ("->" | "*->", &[condition, then]) => {
                    let soft = name == "*->";
                    return self.if_then_else(
                        scope,
                        point,
                        goals,
                        part,
                        (condition, Some(then), None),
                        soft,
                    );
                }
                ("\\+" | "not", &[inner]) => {
                    return self.if_then_else(
                        scope,
                        point,
                        goals,
                        part,
                        (inner, None, None),
                        false,
                    );
                }
                ("once", &[inner]) => {
                    let branches = (inner, Some(TRUE), None);
                    return self.if_then_else(scope, point, goals, part, branches, false);
                }
                ("ignore", &[inner]) => {
                    let branches = (inner, Some(TRUE), Some(TRUE));
                    return self.if_then_else(scope, point, goals, part, branches, false);
                }
                ("call", &[inner]) if self.is_plain_goal(&point.state, terms, inner) => {
                    goals.push(Goal::Term(inner))
                }
                ("forall", &[generator, condition]) => {
                    self.forall(scope, &mut point, part, generator, condition)?;
                }
                ("findall", &[template, inner, list]) => {
                    let _ = template;
                    match self.findall(scope, &mut point, part, inner, list)? {
                        Truth::False => return Ok(fail(point)),
                        truth => self.note(&mut point, truth),
                    }
                }
                _ => {
                    let truth = self.literal(scope, &mut point, goal)?;
                    if truth == Truth::False {
                        return Ok(fail(point));
                    }
                    self.note(&mut point, truth);
                }
            }
        }
        scope.leaves.set(scope.leaves.get() + 1);
        let arguments = part
            .head
            .map(|head| self.arguments(&point.state, terms, head))
            .unwrap_or_default();
        Ok(Tree {
            steps: point.steps,
            end: End::Success(Box::new(Exit {
                state: point.state,
                arguments,
            })),
            cut_inside: false,
        })
    }

    /// The head's arguments at the end of a clause.
    fn arguments(&self, state: &State, terms: &Terms, head: &[TermId]) -> Vec<Datum> {
        let node = &self.nodes[self.node];
        head.iter()
            .enumerate()
            .map(|(i, &t)| {
                let mut datum = state.datum(terms, t);
                if let Some(v) = state.unbound(terms, t) {
                    // Still unbound; shared if it occurs in another argument too.
                    let shared = head
                        .iter()
                        .enumerate()
                        .any(|(j, &u)| j != i && state.unbound_inside(terms, u).contains(&v));
                    datum.ty = if shared { Type::Any } else { Type::Free };
                }
                let before = &node.pattern.0[i];
                if *before != Type::Free {
                    datum.ty = if datum.ty == Type::Free {
                        Type::Any
                    } else {
                        datum.ty
                    };
                    datum = Datum {
                        ty: before.meet(&datum.ty),
                        ..datum
                    };
                }
                datum
            })
            .collect()
    }

    fn cut(&self, scope: &ClauseScope<'_>, point: &mut Point, part: Part<'_>) {
        scope.cuts.set(scope.cuts.get() + 1);
        if !part.local_cut {
            if part.certain && point.sure {
                scope.sure_cut.set(true);
            } else if !scope.sure_cut.get() {
                scope.may_cut.set(true);
            }
        }
        // What stands before is used for its first solution only.
        let before = Tree {
            steps: std::mem::take(&mut point.steps),
            end: End::Success(Box::new(Exit {
                state: point.state.clone(),
                arguments: Vec::new(),
            })),
            cut_inside: false,
        };
        point.steps.push(Step::Once(Box::new(before), false));
    }

    fn disjunction(
        &self,
        scope: &ClauseScope<'_>,
        point: Point,
        goals: Vec<Goal>,
        part: Part<'_>,
        left: TermId,
        right: TermId,
    ) -> Result<Tree, Split> {
        let terms = scope.terms;
        for (arrow, soft) in [("->", false), ("*->", true)] {
            if let Some(&[condition, then]) = terms.matches(left, arrow, 2) {
                return self.if_then_else(
                    scope,
                    point,
                    goals,
                    part,
                    (condition, Some(then), Some(right)),
                    soft,
                );
            }
        }
        let steps = point.steps.clone();
        let mut trees = Vec::new();
        for branch in [left, right] {
            let mut rest = goals.clone();
            rest.push(Goal::Term(branch));
            trees.push(self.branch(scope, &point, rest, part)?);
        }
        let cut_inside = trees.iter().any(|t| t.cut_inside)
            || has_cut(terms, &[left, right])
            || goals
                .iter()
                .any(|g| matches!(g, Goal::Term(t) if has_cut(terms, &[*t])));
        Ok(Tree {
            steps,
            end: End::Each(trees),
            cut_inside,
        })
    }

    /// Continues in one of several branches: the steps so far stay with the caller.
    fn branch(
        &self,
        scope: &ClauseScope<'_>,
        point: &Point,
        goals: Vec<Goal>,
        part: Part<'_>,
    ) -> Result<Tree, Split> {
        let inner = Point {
            state: point.state.clone(),
            steps: Vec::new(),
            sure: point.sure,
        };
        if part.depth >= DEEPEST_CONTROL || scope.leaves.get() >= MOST_LEAVES {
            let reason = "the clause has too many branches".to_owned();
            return Ok(self.give_up(
                scope,
                inner,
                None,
                reason,
                "Split the clause into several predicates.",
            ));
        }
        let deeper = Part {
            depth: part.depth + 1,
            certain: false,
            ..part
        };
        self.run(scope, inner, goals, deeper)
    }

    /// `(C -> T ; E)`, `(C -> T)`, `\+ C` (no then), `once(C)`, `ignore(C)`. `None` stands for failure.
    fn if_then_else(
        &self,
        scope: &ClauseScope<'_>,
        mut point: Point,
        goals: Vec<Goal>,
        part: Part<'_>,
        (condition, then, otherwise): (TermId, Option<TermId>, Option<TermId>),
        soft: bool,
    ) -> Result<Tree, Split> {
        let terms = scope.terms;
        let negated = then.is_none();
        let continue_with = |mut rest: Vec<Goal>, branch: Option<TermId>| {
            match branch {
                Some(TRUE) => {}
                Some(t) => rest.push(Goal::Term(t)),
                None => rest.push(Goal::Fail),
            }
            rest
        };
        // \+ C: fails where C succeeds, goes on where C fails.
        let (on_true, on_false) = if negated {
            (None, Some(TRUE))
        } else {
            (then, otherwise)
        };
        if part.depth >= DEEPEST_CONTROL {
            let reason = "conditions are nested too deeply".to_owned();
            return Ok(self.give_up(scope, point, Some(condition), reason, "Split the clause."));
        }
        // The condition as a run of its own.
        let inner = Part {
            head: None,
            depth: part.depth + 1,
            local_cut: true,
            certain: false,
        };
        let start = Point {
            state: point.state.clone(),
            steps: Vec::new(),
            sure: true,
        };
        let tree = self.run(scope, start, vec![Goal::Term(condition)], inner)?;
        let exits = tree.exits();
        let after = exits
            .iter()
            .map(|e| e.state.clone())
            .reduce(|a, b| a.join(&b, terms, self.world));
        let surely = tree.cannot_fail();
        let Some(after) = after else {
            push_condition(&mut point, tree, false, soft);
            let rest = continue_with(goals, on_false);
            return self.run(scope, point, rest, part);
        };
        if surely {
            push_condition(&mut point, tree, true, soft);
            if !negated {
                point.state = after;
            }
            let rest = continue_with(goals, on_true);
            return self.run(scope, point, rest, part);
        }
        // Both outcomes are possible.
        let cut_in_branches = [then, otherwise]
            .into_iter()
            .flatten()
            .any(|t| t != TRUE && has_cut(terms, &[t]))
            || goals
                .iter()
                .any(|g| matches!(g, Goal::Term(t) if has_cut(terms, &[*t])));
        let steps = std::mem::take(&mut point.steps);
        let mut success = point.clone();
        if !negated {
            success.state = after;
        }
        let mut taken =
            self.branch(scope, &success, continue_with(goals.clone(), on_true), part)?;
        let mut skipped = self.branch(scope, &point, continue_with(goals, on_false), part)?;
        let mut before = Point {
            state: point.state.clone(),
            steps: Vec::new(),
            sure: true,
        };
        push_condition(&mut before, tree.clone(), true, soft);
        taken.steps.splice(0..0, before.steps);
        let mut before = Point {
            state: point.state.clone(),
            steps: Vec::new(),
            sure: true,
        };
        push_condition(&mut before, tree, false, soft);
        skipped.steps.splice(0..0, before.steps);
        let cut_inside = taken.cut_inside || skipped.cut_inside || cut_in_branches;
        Ok(Tree {
            steps,
            end: End::Either(vec![taken, skipped]),
            cut_inside,
        })
    }

    /// `forall(G, C)` is `\+ (G, \+ C)`: it succeeds or fails and binds nothing.
    fn forall(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        part: Part<'_>,
        generator: TermId,
        condition: TermId,
    ) -> Result<(), Split> {
        let inner = Part {
            head: None,
            depth: part.depth + 1,
            local_cut: true,
            certain: false,
        };
        if part.depth >= DEEPEST_CONTROL {
            self.obstacle(
                scope,
                point,
                Some(generator),
                "conditions are nested too deeply".to_owned(),
                "Split the clause.",
                None,
            );
            return Ok(());
        }
        let start = Point {
            state: point.state.clone(),
            steps: Vec::new(),
            sure: true,
        };
        // It ends at the first solution of G without one of C; at the latest when all of (G, C) is explored.
        let goals = vec![Goal::Term(condition), Goal::Term(generator)];
        let tree = self.run(scope, start, goals, inner)?;
        point.steps.push(Step::PartOf(Box::new(tree)));
        point.steps.push(Step::Maybe);
        point.sure = false;
        Ok(())
    }

    fn findall(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        part: Part<'_>,
        inner_goal: TermId,
        list: TermId,
    ) -> Result<Truth, Split> {
        let terms = scope.terms;
        let inner = Part {
            head: None,
            depth: part.depth + 1,
            local_cut: true,
            certain: false,
        };
        if part.depth >= DEEPEST_CONTROL {
            self.obstacle(
                scope,
                point,
                Some(inner_goal),
                "goals are nested too deeply".to_owned(),
                "Split the clause.",
                None,
            );
            point.state.expose(terms, list, &Type::Any);
            return Ok(Truth::Maybe);
        }
        let start = Point {
            state: point.state.clone(),
            steps: Vec::new(),
            sure: true,
        };
        let tree = self.run(scope, start, vec![Goal::Term(inner_goal)], inner)?;
        let size = tree.solutions(&self.world.region);
        point.steps.push(Step::AllOf(Box::new(tree)));
        let datum = Datum::sized(Type::list(Type::Any), size);
        let is_param = |e: &Expr| self.is_param(e);
        let s = self.scope(terms, &is_param);
        Ok(point.state.unify_datum(&s, &datum, list)?.0)
    }

    /// A call that can be run in place: no cut inside, and not a variable.
    fn is_plain_goal(&self, state: &State, terms: &Terms, goal: TermId) -> bool {
        let goal = state.resolve(terms, goal);
        terms.functor(goal).is_some() && !has_cut(terms, &[goal])
    }

    /// A literal that is no control construct: a test, a unification, a built-in or a call.
    fn literal(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
    ) -> Result<Truth, Split> {
        let terms = scope.terms;
        let Some((name, arity)) = terms.functor(goal) else {
            return Ok(Truth::Maybe);
        };
        let args = terms.args(goal);
        let predicate = PredicateName::new(name.clone(), arity);
        if let Some(truth) = self.test(&mut point.state, terms, goal)? {
            return Ok(truth);
        }
        let is_param = |e: &Expr| self.is_param(e);
        let s = self.scope(terms, &is_param);
        match (name.as_str(), args) {
            ("=", &[a, b]) => return point.state.unify(&s, a, b),
            ("\\=", &[a, b]) => {
                let truth = point.state.clone().unify(&s, a, b)?;
                return Ok(match truth {
                    Truth::True => Truth::False,
                    Truth::False => Truth::True,
                    Truth::Maybe => Truth::Maybe,
                });
            }
            ("is", &[left, right]) => {
                let value = arith::evaluate(&point.state, &s, right);
                if value.may_raise {
                    self.errors.set(true);
                }
                let (truth, _) = point.state.unify_datum(&s, &value.datum, left)?;
                return Ok(truth);
            }
            (":", &[_, _]) => {
                let reason = "calls into other modules are not followed yet".to_owned();
                self.obstacle(scope, point, Some(goal), reason, "", None);
                point.state.expose(terms, goal, &Type::Any);
                point.state.pure = false;
                return Ok(Truth::True);
            }
            _ => {}
        }
        if self.program.is_defined(&predicate) {
            return self.call(scope, point, goal, predicate);
        }
        match (name.as_str(), args) {
            ("length", &[list, length]) => return self.length(scope, point, goal, list, length),
            ("between", &[low, high, value]) => {
                return self.between(scope, point, goal, low, high, value);
            }
            _ => {}
        }
        if let Some(builtin) = builtins::lookup(name, arity) {
            return Ok(self.builtin(point, terms, goal, &builtin));
        }
        self.errors.set(true);
        let (reason, help) = match builtins::not_analysed(name, arity) {
            Some(reason) => (format!("`{predicate}`: {reason}"), String::new()),
            None if self.program.is_dynamic(&predicate) => (
                format!("`{predicate}` is dynamic: its clauses may change while the program runs"),
                String::new(),
            ),
            None => (
                format!(
                    "`{predicate}` is not defined in this file or in the libraries that Costlens knows"
                ),
                format!("Define `{predicate}`, or state its cost."),
            ),
        };
        self.obstacle(scope, point, Some(goal), reason, &help, None);
        point.state.expose(terms, goal, &Type::Any);
        point.state.pure = false;
        Ok(Truth::True)
    }

    fn builtin(
        &self,
        point: &mut Point,
        terms: &Terms,
        goal: TermId,
        builtin: &builtins::Builtin,
    ) -> Truth {
        if builtin.may_raise {
            self.errors.set(true);
        }
        let args = terms.args(goal);
        if builtin.success == Success::Never {
            return Truth::False;
        }
        let source = builtin
            .same_length
            .map(|(from, _)| point.state.datum(terms, args[from]));
        let mut fails = builtin.success != Success::Always;
        for (i, &argument) in args.iter().enumerate() {
            // What was bound before may be text of another kind: `number_codes(N, "12")` accepts a string.
            if point.state.unbound(terms, argument).is_none() {
                continue;
            }
            if let Some((_, ty)) = builtin.outputs.iter().find(|(j, _)| *j == i) {
                self.learn(&mut point.state, terms, argument, &Datum::of(ty.clone()));
            }
            if builtin.same_length.is_some_and(|(_, to)| to == i)
                && let Some(source) = &source
                && matches!(source.ty, Type::List(_))
            {
                // A sort of a proper list always succeeds when its result is unbound.
                fails = false;
                let datum = Datum {
                    key: None,
                    ..source.clone()
                };
                self.learn(&mut point.state, terms, argument, &datum);
            }
        }
        point.state.expose(terms, goal, &Type::Any);
        point.state.pure &= args
            .iter()
            .all(|&a| point.state.datum(terms, a).ty.is_ground())
            || args.is_empty();
        match builtin.success {
            Success::Often => {
                point.steps.push(Step::Solutions(Size {
                    lower: Some(Expr::zero()),
                    upper: None,
                }));
                point.sure = false;
                Truth::True
            }
            _ if fails => Truth::Maybe,
            _ => Truth::True,
        }
    }

    /// Records what is known of a term after a goal succeeded.
    fn learn(&self, state: &mut State, terms: &Terms, t: TermId, after: &Datum) {
        let t = state.resolve(terms, t);
        if let Term::Var(v) = terms.get(t) {
            let slot = &mut state.values[*v as usize];
            match slot {
                Value::Unbound if after.ty != Type::Free => *slot = Value::Known(after.clone()),
                Value::Known(d) => {
                    let met = d.ty.meet(&after.ty);
                    let mut refined =
                        d.refined(if met == Type::None && !matches!(d.ty, Type::List(_)) {
                            d.ty.clone()
                        } else {
                            met
                        });
                    if d.ty.metric() != refined.ty.metric()
                        && refined.ty.metric() == after.ty.metric()
                    {
                        refined.size = after.size.clone();
                    }
                    *slot = Value::Known(refined);
                }
                _ => {}
            }
            return;
        }
        let inside = if after.ty.is_ground() {
            Type::Ground
        } else {
            Type::Any
        };
        state.expose(terms, t, &inside);
    }

    fn length(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        list: TermId,
        length: TermId,
    ) -> Result<Truth, Split> {
        let terms = scope.terms;
        let is_param = |e: &Expr| self.is_param(e);
        let s = self.scope(terms, &is_param);
        let datum = point.state.datum(terms, list);
        if let Type::List(_) = datum.ty {
            let key = datum
                .key
                .as_ref()
                .map(|k| smol_str::format_smolstr!("length({k})"));
            let n = Datum::sized(Type::Int, datum.size.clone()).with_key(key);
            if !matches!(point.state.datum(terms, length).ty, Type::Free | Type::Int) {
                self.errors.set(true);
            }
            return Ok(point.state.unify_datum(&s, &n, length)?.0);
        }
        let n = point.state.datum(terms, length);
        if datum.ty == Type::Free && n.ty == Type::Int {
            // length(-L, +N): a list of N unbound elements; fails for N < 0.
            let made = Datum::sized(Type::list(Type::Any), n.size.clone());
            let sure = n.size.is_nonnegative(&self.world.region);
            self.learn(&mut point.state, terms, list, &made);
            return Ok(if sure { Truth::True } else { Truth::Maybe });
        }
        self.errors.set(true);
        let reason =
            "`length/2` of something that may be an open list has no bounded number of solutions"
                .to_owned();
        self.obstacle(
            scope,
            point,
            Some(goal),
            reason,
            "Declare the list's type: `%! p(+Xs:list, …)`.",
            None,
        );
        self.learn(
            &mut point.state,
            terms,
            list,
            &Datum::of(Type::list(Type::Any)),
        );
        self.learn(&mut point.state, terms, length, &Datum::of(Type::Int));
        point.state.pure = false;
        Ok(Truth::True)
    }

    fn between(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        low: TermId,
        high: TermId,
        value: TermId,
    ) -> Result<Truth, Split> {
        let terms = scope.terms;
        let data = [low, high, value].map(|t| point.state.datum(terms, t));
        let [l, h, v] = data;
        if l.ty != Type::Int || h.ty != Type::Int {
            if !(l.ty.is_ground() && h.ty.is_ground()) {
                self.errors.set(true);
            }
            let reason = "the limits of `between/3` are not known to be integers".to_owned();
            self.obstacle(
                scope,
                point,
                Some(goal),
                reason,
                "Declare the types: `%! p(+N:int, …)`.",
                None,
            );
            self.learn(&mut point.state, terms, value, &Datum::of(Type::Int));
            return Ok(Truth::True);
        }
        if v.ty != Type::Free {
            if v.ty != Type::Int {
                self.errors.set(true);
                self.learn(&mut point.state, terms, value, &Datum::of(Type::Int));
                point.state.pure = false;
            }
            return Ok(Truth::Maybe);
        }
        let mut count = h.size.plus(&l.size.negated()).shifted(1);
        let empty = count
            .as_exact()
            .and_then(|e| costlens_algebra::linear::Constraint::ge(&Expr::zero(), e));
        let none = match (&empty, count.as_exact()) {
            (Some(c), Some(e)) => self.world.sizes(c, self.is_param(e))?,
            _ => Truth::Maybe,
        };
        match none {
            Truth::True => return Ok(Truth::False),
            Truth::False => {}
            Truth::Maybe => count.lower = Some(Expr::zero()),
        }
        if none == Truth::Maybe && !count.is_nonnegative(&self.world.region) {
            count.upper = None;
        }
        point.steps.push(Step::Solutions(count));
        point.sure &= none == Truth::False;
        let within = Datum::sized(
            Type::Int,
            Size {
                lower: l.size.lower,
                upper: h.size.upper,
            },
        );
        self.learn(&mut point.state, terms, value, &within);
        Ok(Truth::True)
    }

    /// A call of a predicate of the program.
    fn call(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        predicate: PredicateName,
    ) -> Result<Truth, Split> {
        let terms = scope.terms;
        let args: Vec<TermId> = terms.args(goal).to_vec();
        let mut data: Vec<Datum> = args.iter().map(|&a| point.state.datum(terms, a)).collect();
        for i in 0..args.len() {
            if let Some(v) = point.state.unbound(terms, args[i]) {
                let shared = (0..args.len())
                    .any(|j| j != i && point.state.unbound_inside(terms, args[j]).contains(&v));
                if shared {
                    data[i] = Datum::any();
                }
            }
        }
        let pattern = Pattern(data.iter().map(|d| d.ty.clone()).collect());
        let inside = self
            .program
            .same_component(&self.nodes[self.node].name, &predicate);
        let (callee, params, success, outputs, solutions, may_raise) = if inside {
            let found = self
                .nodes
                .iter()
                .position(|n| n.name == predicate && n.pattern == pattern)
                .or_else(|| {
                    self.nodes.iter().position(|n| {
                        n.name == predicate
                            && pattern.is_within(&n.pattern)
                            && self.is_crowded(&predicate)
                    })
                });
            let Some(index) = found else {
                self.discovered.borrow_mut().push((predicate, pattern));
                return Ok(Truth::False); // bottom: nothing is known to succeed yet
            };
            let node = &self.nodes[index];
            let Some(success) = node.success.clone() else {
                // So far no clause of it is known to succeed; what it costs counts all the same.
                point.steps.push(Step::Call(
                    self.record(
                        Callee::Inside(index),
                        &node
                            .params
                            .iter()
                            .map(|p| (p.argument, p.metric))
                            .collect::<Vec<_>>(),
                        &data,
                        goal,
                        Vec::new(),
                    ),
                ));
                return Ok(Truth::False);
            };
            let params: Vec<_> = node.params.iter().map(|p| (p.argument, p.metric)).collect();
            let vars = node.vars();
            (
                Callee::Inside(index),
                (params, vars),
                success,
                node.outputs.clone(),
                node.solutions.clone(),
                node.errors_possible,
            )
        } else {
            let summary = self.program.summary(&predicate, &pattern);
            if summary.errors_possible {
                self.errors.set(true);
            }
            let params: Vec<_> = summary
                .params
                .iter()
                .map(|p| (p.argument - 1, p.metric))
                .collect();
            let vars = summary.vars();
            let outputs = (0..args.len())
                .map(|i| {
                    summary
                        .outputs
                        .get(&i)
                        .map_or(Output::Unsized, |s| Output::Solved(s.clone()))
                })
                .collect();
            let solutions = Some(summary.solutions.clone());
            let raises = summary.errors_possible;
            let success = match &summary.success {
                Some(success) => success.clone(),
                None => {
                    let step = self.record(
                        Callee::Outside(Arc::clone(&summary)),
                        &params,
                        &data,
                        goal,
                        Vec::new(),
                    );
                    self.split_on_cost(&summary, &step)?;
                    point.steps.push(Step::Call(step));
                    return Ok(Truth::False);
                }
            };
            (
                Callee::Outside(summary),
                (params, vars),
                success,
                outputs,
                solutions,
                raises,
            )
        };
        if may_raise {
            self.errors.set(true);
        }
        let (params, vars) = params;
        let mut step = self.record(callee, &params, &data, goal, Vec::new());
        if let Callee::Outside(summary) = &step.callee {
            self.split_on_cost(summary, &step)?;
        }
        let is_param = |e: &Expr| self.is_param(e);
        // The arguments after success.
        let mut after: Vec<Datum> = success.into_iter().map(Datum::of).collect();
        for (i, datum) in after.iter_mut().enumerate() {
            if datum.ty.metric().is_none() || data[i].ty != Type::Free {
                continue;
            }
            match &outputs[i] {
                Output::Unsized => {}
                Output::Symbolic => {
                    let v = Var(self.next_var.get());
                    self.next_var.set(v.0 + 1);
                    step.outputs.push((i, v));
                    datum.size = Size::exact(Expr::var(v));
                }
                Output::Solved(sides) => {
                    let side = |pieces: &Vec<SolvedPiece>,
                                low: bool|
                     -> Result<Option<Expr>, Split> {
                        let values = values_at(pieces, &vars, &step.args, self.world, &is_param)?;
                        let mut result: Option<Size> = None;
                        for (value, size) in values {
                            let Some(size) = size.filter(|_| matches!(value, Bound::Known(_)))
                            else {
                                return Ok(None);
                            };
                            result = Some(match result {
                                None => size,
                                Some(other) => other.hull(&size, &self.world.region),
                            });
                        }
                        Ok(result.and_then(|s| if low { s.lower } else { s.upper }))
                    };
                    let lower = side(&sides.lower, true)?;
                    let upper = side(&sides.upper, false)?;
                    datum.size = Size {
                        lower: lower.or_else(|| datum.size.lower.clone()),
                        upper,
                    };
                }
            }
        }
        if let Some(sides) = &solutions {
            let (count, sure) = self.solutions_at(sides, &vars, &step.args)?;
            step.sure = sure;
            step.solutions = Some(count);
        }
        let never = step
            .solutions
            .as_ref()
            .and_then(|s| s.upper.as_ref())
            .is_some_and(Expr::is_zero);
        point.sure &= step.sure;
        point.steps.push(Step::Call(step));
        if never {
            return Ok(Truth::False);
        }
        let pure = data.iter().all(|d| d.ty.is_ground() || d.ty == Type::Free);
        for (i, &argument) in args.iter().enumerate() {
            if after[i].ty == Type::Free && data[i].ty == Type::Free {
                continue; // still unbound
            }
            self.learn(&mut point.state, terms, argument, &after[i]);
        }
        for &argument in &args {
            // Variables inside structures may have been bound or shared.
            if !matches!(
                terms.get(point.state.resolve(terms, argument)),
                Term::Var(_)
            ) {
                point.state.expose(terms, argument, &Type::Any);
            }
        }
        point.state.pure &= pure;
        Ok(Truth::True)
    }

    /// The number of solutions of a call, and whether there is one for certain.
    fn solutions_at(
        &self,
        sides: &super::summary::Sides,
        vars: &[Var],
        args: &[Size],
    ) -> Result<(Size, bool), Split> {
        let is_param = |e: &Expr| self.is_param(e);
        let region = &self.world.region;
        let uppers = values_at(&sides.upper, vars, args, self.world, &is_param)?;
        let lowers = values_at(&sides.lower, vars, args, self.world, &is_param)?;
        let at_least_one = |size: &Option<Size>| {
            size.as_ref()
                .and_then(|s| s.lower.as_ref())
                .is_some_and(|l| costlens_algebra::prove::nonnegative(&(l - &Expr::int(1)), region))
        };
        let sure = !lowers.is_empty() && lowers.iter().all(|(_, size)| at_least_one(size));
        let lower = match lowers.as_slice() {
            [(_, Some(size))] => size.lower.clone(),
            _ if sure => Some(Expr::int(1)),
            _ => None,
        };
        let mut upper = Some(Size::exact(Expr::zero()));
        for (_, size) in uppers {
            upper = match (upper, size) {
                (Some(a), Some(b)) => Some(a.hull(&b, region)),
                _ => None,
            };
        }
        let count = Size {
            lower: lower.or_else(|| Some(Expr::zero())),
            upper: upper.and_then(|s| s.upper),
        };
        Ok((count, sure))
    }

    fn is_crowded(&self, predicate: &PredicateName) -> bool {
        self.nodes.iter().filter(|n| n.name == *predicate).count() >= super::MOST_PATTERNS
    }

    fn record(
        &self,
        callee: Callee,
        params: &[(usize, crate::types::Metric)],
        data: &[Datum],
        literal: TermId,
        outputs: Vec<(usize, Var)>,
    ) -> CallStep {
        let args = params
            .iter()
            .map(|&(argument, metric)| {
                let d = &data[argument];
                if d.ty.metric() == Some(metric) {
                    d.size.clone()
                } else {
                    Size::unknown()
                }
            })
            .collect();
        CallStep {
            callee,
            args,
            literal,
            outputs,
            sure: false,
            solutions: None,
        }
    }

    /// Makes sure that in this world each bound of the callee comes from one piece, as far as sizes can tell.
    fn split_on_cost(&self, summary: &super::Summary, step: &CallStep) -> Result<(), Split> {
        let is_param = |e: &Expr| self.is_param(e);
        let vars = summary.vars();
        for pieces in [
            &summary.all.upper,
            &summary.first.lower,
            &summary.solutions.upper,
        ] {
            values_at(pieces, &vars, &step.args, self.world, &is_param)?;
        }
        Ok(())
    }

    /// Tests: they bind nothing and take no step. None if the goal is no test.
    fn test(&self, state: &mut State, terms: &Terms, goal: TermId) -> Result<Option<Truth>, Split> {
        let Some((name, _)) = terms.functor(goal) else {
            return Ok(None);
        };
        let is_param = |e: &Expr| self.is_param(e);
        let s = self.scope(terms, &is_param);
        match terms.args(goal) {
            &[a, b] => {
                if let Some(op) = Comparison::of(name) {
                    let (truth, may_raise) = arith::compare(state, &s, op, a, b)?;
                    if may_raise {
                        self.errors.set(true);
                    }
                    return Ok(Some(truth));
                }
                let truth = match name.as_str() {
                    "==" => self.same(state, &s, a, b)?,
                    "\\==" => match self.same(state, &s, a, b)? {
                        Truth::True => Truth::False,
                        Truth::False => Truth::True,
                        Truth::Maybe => Truth::Maybe,
                    },
                    "@<" | "@=<" | "@>" | "@>=" => self.order(state, &s, name, a, b)?,
                    _ => return Ok(None),
                };
                Ok(Some(truth))
            }
            &[a] if builtins::is_type_test(name) && !self.is_redefined(name) => {
                self.type_test(state, &s, name, a).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Type tests outside the core can be defined by the user (`is_list/1` often is).
    fn is_redefined(&self, name: &str) -> bool {
        matches!(
            name,
            "is_list" | "ground" | "string" | "rational" | "callable" | "blob"
        ) && self.program.clauses(&PredicateName::new(name, 1)).is_some()
    }

    fn same(&self, state: &State, s: &Scope<'_>, a: TermId, b: TermId) -> Result<Truth, Split> {
        let (ra, rb) = (state.resolve(s.terms, a), state.resolve(s.terms, b));
        if ra == rb
            || matches!((s.terms.get(ra), s.terms.get(rb)), (Term::Var(v), Term::Var(w)) if v == w)
        {
            return Ok(Truth::True);
        }
        let (d, e) = (state.datum(s.terms, a), state.datum(s.terms, b));
        if d.ty == Type::Free || e.ty == Type::Free {
            // An unbound variable is identical to nothing else; and a term that holds it is not the variable.
            return Ok(Truth::False);
        }
        if d.ty.meet(&e.ty) == Type::None
            && !(matches!(d.ty, Type::List(_)) && matches!(e.ty, Type::List(_)))
        {
            return Ok(Truth::False);
        }
        if d.ty == Type::Int
            && e.ty == Type::Int
            && let Some(truth) = super::state::sizes_equal(s, &d.size, &e.size)?
        {
            return Ok(truth);
        }
        let trusted = |d: &Datum| d.ty.is_ground() || state.pure;
        if trusted(&d) && trusted(&e) {
            if let (Some(k), Some(l)) = (&d.key, &e.key) {
                let constants = is_constant(k) && is_constant(l);
                if constants {
                    return Ok(Truth::of(k == l));
                }
            }
            return identical(s, &d, &e);
        }
        Ok(Truth::Maybe)
    }

    fn order(
        &self,
        state: &State,
        s: &Scope<'_>,
        name: &str,
        a: TermId,
        b: TermId,
    ) -> Result<Truth, Split> {
        let (d, e) = (state.datum(s.terms, a), state.datum(s.terms, b));
        let trusted = |d: &Datum| d.ty.is_ground() || (state.pure && d.ty != Type::Free);
        let (Some(k), Some(l)) = (&d.key, &e.key) else {
            return Ok(Truth::Maybe);
        };
        if !(trusted(&d) && trusted(&e)) {
            return Ok(Truth::Maybe);
        }
        if k == l {
            return Ok(Truth::of(matches!(name, "@=<" | "@>=")));
        }
        let (k, l, swapped) = ordered(k, l);
        let cases = || vec![Answer::Less, Answer::Same, Answer::Greater];
        let Some(answer) = s.world.ask(Question::Terms { a: k, b: l }, cases)? else {
            return Ok(Truth::Maybe);
        };
        let (less, greater) = if swapped {
            (Answer::Greater, Answer::Less)
        } else {
            (Answer::Less, Answer::Greater)
        };
        Ok(Truth::of(match name {
            "@<" => *answer == less,
            "@>" => *answer == greater,
            "@=<" => *answer != greater,
            _ => *answer != less,
        }))
    }

    fn type_test(
        &self,
        state: &mut State,
        s: &Scope<'_>,
        name: &str,
        t: TermId,
    ) -> Result<Truth, Split> {
        let resolved = state.resolve(s.terms, t);
        let d = state.datum(s.terms, resolved);
        if let Some(truth) = type_answer(name, &d.ty, s.terms, resolved) {
            return Ok(truth);
        }
        let learnt = match name {
            "integer" => Some(Type::Int),
            "number" | "float" | "rational" => Some(Type::Number),
            "atom" | "atomic" | "string" | "ground" => Some(Type::Ground),
            "is_list" => Some(Type::list(if d.ty.is_ground() {
                Type::Ground
            } else {
                Type::Any
            })),
            "nonvar" | "compound" | "callable" => Some(Type::Nonvar),
            _ => None,
        };
        let trusted = d.ty.is_ground() || state.pure;
        let mut truth = Truth::Maybe;
        if let (Some(key), true) = (&d.key, trusted) {
            let question = Question::Test {
                name: name.into(),
                key: key.clone(),
            };
            if let Some(answer) = s.world.ask(question, || vec![Answer::Yes, Answer::No])? {
                truth = Truth::of(*answer == Answer::Yes);
            }
        }
        if truth != Truth::False
            && let Some(ty) = learnt
            && let Term::Var(v) = s.terms.get(resolved)
            && matches!(state.values[*v as usize], Value::Known(_))
        {
            // A test binds nothing: where the value was untouched before, it still is the one at the call.
            let met = d.ty.meet(&ty);
            if met != Type::None {
                let mut refined = d.refined(met);
                refined.key = d.key.filter(|_| trusted);
                state.values[*v as usize] = Value::Known(refined);
            }
        }
        Ok(truth)
    }
}

/// Stands for the goal `true` where the clause has none.
const TRUE: TermId = TermId(u32::MAX);

fn fail(point: Point) -> Tree {
    Tree {
        steps: point.steps,
        end: End::Fail,
        cut_inside: false,
    }
}

/// Records a condition that succeeded or failed.
fn push_condition(point: &mut Point, tree: Tree, succeeded: bool, soft: bool) {
    if tree.steps.is_empty() && matches!(tree.end, End::Success(_) | End::Fail) {
        return;
    }
    match (succeeded, soft) {
        (true, true) => {
            // `*->`: all solutions of the condition are used. They are counted, their bindings are joined already.
            point.steps.push(Step::PartOf(Box::new(tree)));
            point.steps.push(Step::Solutions(Size {
                lower: Some(Expr::zero()),
                upper: None,
            }));
        }
        (true, false) => point.steps.push(Step::Once(Box::new(tree), true)),
        (false, _) => point.steps.push(Step::Failed(Box::new(tree))),
    }
}

/// Whether a cut that is not inside a condition or negation occurs.
fn has_cut(terms: &Terms, goals: &[TermId]) -> bool {
    let mut stack = goals.to_vec();
    while let Some(t) = stack.pop() {
        if t == TRUE {
            continue;
        }
        match (
            terms.functor(t).map(|(n, a)| (n.as_str(), a)),
            terms.args(t),
        ) {
            (Some(("!", 0)), _) => return true,
            (Some(("," | ";" | "|", 2)), args) => stack.extend(args),
            (Some(("->" | "*->", 2)), &[_, then]) => stack.push(then),
            _ => {}
        }
    }
    false
}

fn is_constant(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '\'' || c == '"' || c == '[')
        || key.starts_with("float:")
}

fn unreadable(clause: &Clause) -> Option<String> {
    if clause.terms.len() > LARGEST_CLAUSE {
        return Some(format!(
            "the clause has {} terms; more than {LARGEST_CLAUSE} are not analysed",
            clause.terms.len()
        ));
    }
    match clause.kind {
        ClauseKind::Dcg => Some("grammar rules (`-->`) are not translated yet".to_owned()),
        ClauseKind::SingleSided => {
            Some("single-sided rules (`=>`) are not analysed yet".to_owned())
        }
        _ => None,
    }
}

/// What a type alone says about a type test.
fn type_answer(name: &str, ty: &Type, terms: &Terms, t: TermId) -> Option<Truth> {
    let is = |b: bool| Some(Truth::of(b));
    match name {
        "var" => match ty {
            Type::Free => is(true),
            ty if ty.is_bound() => is(false),
            _ => None,
        },
        "nonvar" => match ty {
            Type::Free => is(false),
            ty if ty.is_bound() => is(true),
            _ => None,
        },
        _ if *ty == Type::Free => is(false),
        "integer" => match ty {
            Type::Int => is(true),
            Type::Atom | Type::List(_) => is(false),
            _ => None,
        },
        "number" => match ty {
            Type::Int | Type::Number => is(true),
            Type::Atom | Type::List(_) => is(false),
            _ => None,
        },
        "float" | "string" => match ty {
            Type::Int | Type::Atom | Type::List(_) => is(false),
            _ => None,
        },
        "atom" => match (ty, terms.get(t)) {
            (_, Term::Atom(a)) => is(a != NIL),
            (Type::Atom, _) => is(true),
            (Type::Int | Type::Number, _) => is(false),
            _ => None,
        },
        "atomic" => match ty {
            Type::Int | Type::Number | Type::Atom => is(true),
            _ => None,
        },
        "compound" => match ty {
            Type::Int | Type::Number | Type::Atom => is(false),
            _ => None,
        },
        "is_list" => match ty {
            Type::List(_) => is(true),
            Type::Int | Type::Number | Type::Atom => is(false),
            _ => None,
        },
        "ground" if ty.is_ground() => is(true),
        _ => None,
    }
}
