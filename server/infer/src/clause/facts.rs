//! Tables of facts that guide a recursion: after `edge(X, Z)`, the call `path(Z, Y)` receives constants from the facts of `edge/2`.
//!
//! ```prolog
//! edge(a, b). edge(b, c). edge(a, d).
//! path(X, Y) :- edge(X, Y).
//! path(X, Y) :- edge(X, Z), path(Z, Y).
//! ```
//!
//! A call to such a table runs as the disjunction of its facts, so that each recursive call receives a constant. Calls with a constant have
//! their own node ([`crate::summary::node::Called`]). If the facts contain no cycle, the recursion ends, and its cost is a number.
//!
//! A few numbers from which the argument of a recursive call is computed are run one by one as well:
//!
//! ```prolog
//! coin(1). coin(2). coin(5).
//! pay(0).
//! pay(N) :- coin(C), C =< N, M is N - C, pay(M).      % f(n) = f(n-1) + f(n-2) + f(n-5) + 4
//! ```

use std::sync::Arc;

use costlens_algebra::Expr;
use costlens_body::Goal;
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{NIL, Term, TermId, Terms};

use super::Runner;
use super::point::{BodyPart, ClauseScope, PendingGoal, Point, fail};
use crate::lattice::regular::{Types, is_constant};
use crate::lattice::types::Type;
use crate::report::Functor;
use crate::state::State;
use crate::tree::{End, Step, Tree};
use crate::world::questions::{Split, Truth};
use crate::written::goals;

/// The maximum number of facts in a table whose facts are run one by one.
const MOST_FACTS: usize = 40;

/// The maximum number of facts whose numbers are put into arithmetic one by one.
const MOST_NUMBERS: usize = 8;

impl Runner<'_> {
    /// Returns the facts of a goal if a later goal of the clause recurs with their constants, or if a call with a constant looks the goal
    /// up.
    pub(super) fn facts_followed(
        &self,
        scope: &ClauseScope<'_>,
        point: &Point,
        goal: TermId,
        later: &[PendingGoal],
    ) -> Option<Arc<[Clause]>> {
        let terms = scope.terms;
        if !scope.model.may_follow_facts() || later.iter().any(|g| g.may_cut(terms)) {
            return None;
        }
        let given = point.state.unbound_inside(terms, goal);
        let is_constant = |&t: &TermId| {
            let datum = point.state.datum(terms, t);
            datum.key.as_ref().is_some_and(|key| is_constant(key))
        };
        if !self.nodes[self.node].constants.is_empty() && terms.args(goal).iter().any(is_constant) {
            return self.table(&Functor::from_term(terms, goal)?);
        }
        let goes_on = |later: &PendingGoal| match later {
            PendingGoal::Term(later) => self.is_recursive(&point.state, terms, *later, &given),
            _ => false,
        };
        if given.is_empty() {
            return None;
        }
        if later.iter().any(goes_on) {
            return self.table(&Functor::from_term(terms, goal)?);
        }
        if !self.is_computed(&point.state, terms, &given, later) {
            return None;
        }
        let table = self.table(&Functor::from_term(terms, goal)?)?;
        (table.len() <= MOST_NUMBERS).then_some(table)
    }

    /// Returns whether an argument of a later recursive call is computed from one of the given variables.
    fn is_computed(
        &self,
        state: &State,
        terms: &Terms,
        given: &[u32],
        later: &[PendingGoal],
    ) -> bool {
        let mut computed: Vec<u32> = Vec::new();
        for goal in later.iter().rev() {
            let &PendingGoal::Term(goal) = goal else {
                continue;
            };
            match Goal::lower(terms, goal) {
                Goal::Is { result, expression } => {
                    let from = state.unbound_inside(terms, expression);
                    let is_from = |v| given.contains(v) || computed.contains(v);
                    if from.iter().any(is_from) {
                        computed.extend(state.unbound(terms, result));
                    }
                }
                _ if self.is_recursive(state, terms, goal, &computed) => return true,
                _ => {}
            }
        }
        false
    }

    /// Returns whether a goal is a recursive call with one of the given variables as an argument.
    fn is_recursive(&self, state: &State, terms: &Terms, goal: TermId, given: &[u32]) -> bool {
        let own = &self.nodes[self.node].name;
        let is_given = |&t: &TermId| state.unbound(terms, t).is_some_and(|v| given.contains(&v));
        Functor::from_term(terms, goal).is_some_and(|name| self.program.same_component(own, &name))
            && terms.args(goal).iter().any(is_given)
    }

    /// Returns the clauses of a predicate that is a small table of constants, in any file: facts have no goals whose meaning could differ
    /// between files.
    ///
    /// A call to the table must do no more than its clauses: no argument is module-sensitive, and no exception is raised for `:- det`.
    fn table(&self, name: &Functor) -> Option<Arc<[Clause]>> {
        let is_followed = name.arity > 0
            && self.program.is_defined(name)
            && !self.program.is_dynamic(name)
            && !self.program.is_trusted(name)
            && !self.program.is_declared_det(name)
            && self.program.qualified_arguments(name).is_empty();
        if !is_followed {
            return None;
        }
        let clauses = self.program.clauses(name)?;
        let is_row = |clause: &Clause| {
            let mut args = clause.terms.args(clause.head).iter();
            clause.kind == ClauseKind::Fact && args.all(|&t| is_entry(clause.terms.get(t)))
        };
        (clauses.len() <= MOST_FACTS && clauses.iter().all(is_row)).then_some(clauses)
    }

    /// Runs a call to a table as the disjunction of its facts, each followed by the remaining goals.
    pub(super) fn each_fact(
        &self,
        scope: &ClauseScope<'_>,
        point: Point,
        later: &[PendingGoal],
        part: BodyPart<'_>,
        goal: TermId,
        facts: &[Clause],
    ) -> Result<Tree, Split> {
        let is_param = |e: &Expr| self.is_param(e);
        let s = self.scope(scope.terms, &is_param);
        let mut trees = Vec::new();
        for fact in facts {
            let mut inside = Point::new(point.state.clone());
            let mut truth = Truth::True;
            let row = State::new(&fact.terms, Types::default());
            for (&arg, &entry) in (scope.terms.args(goal).iter()).zip(fact.terms.args(fact.head)) {
                let datum = row.datum(&fact.terms, entry);
                let before = inside.state.datum(scope.terms, arg).ty;
                truth = truth.and(inside.state.unify_datum(&s, &datum, arg)?.0);
                if truth == Truth::False {
                    break;
                }
                inside.state.pure &= before.is_ground() || before == Type::Free;
            }
            if truth == Truth::False {
                continue;
            }
            inside.note(truth);
            inside.steps.push(Step::Enter);
            let entered = std::mem::take(&mut inside.steps);
            let mut tree = self.branch(scope, &inside, later.to_vec(), part)?;
            tree.steps.splice(0..0, entered);
            trees.push(tree);
        }
        if trees.is_empty() {
            return Ok(fail(point));
        }
        let cut_inside = trees.iter().any(|t| t.cut_inside);
        Ok(Tree {
            steps: point.steps,
            end: End::Each(trees),
            cut_inside,
        })
    }

    /// Returns whether some clause of a predicate looks up the given argument in a table.
    pub(super) fn is_looked_up(&self, clauses: &[Clause], argument: usize) -> bool {
        clauses.iter().any(|clause| {
            let terms = &*clause.terms;
            let Some(&Term::Var(v)) =
                (terms.args(clause.head).get(argument)).map(|&t| terms.get(t))
            else {
                return false;
            };
            let has_it = |&t: &TermId| matches!(terms.get(t), Term::Var(w) if *w == v);
            goals(clause).into_iter().any(|goal| {
                terms.args(goal).iter().any(has_it)
                    && Functor::from_term(terms, goal)
                        .is_some_and(|name| self.table(&name).is_some())
            })
        })
    }
}

/// Returns whether a term is an atom or an integer. The empty list does not count, because it is the shortest of many lists.
fn is_entry(t: &Term) -> bool {
    matches!(t, Term::Integer(_)) || matches!(t, Term::Atom(name) if name != NIL)
}
