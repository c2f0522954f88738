//! The run of a clause from the call to the body (head and leading tests), and from the end of the body to the arguments on success.

use std::collections::BTreeMap;

use costlens_algebra::Expr;
use costlens_body::{Goal, conjuncts};
use costlens_compile::events::CallMode;
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{Term, TermId, Terms};

use super::Runner;
use super::point::model::{CostModel, Head, Literal};
use super::point::{BodyPart, ClauseScope, PendingGoal, Point, fail};
use crate::lattice::datum::Datum;
use crate::lattice::types::{Pattern, Type};
use crate::state::State;
use crate::summary::node::Output;
use crate::tree::{Step, Tree};
use crate::world::questions::{Split, Truth};

/// The maximum number of terms in a clause that is run.
const LARGEST_CLAUSE: usize = 20_000;

impl Runner<'_> {
    /// Runs one clause. Returns `None` if the clause cannot match and none of its events are counted.
    pub(super) fn clause(
        &self,
        clause: &Clause,
        scope: &ClauseScope<'_>,
    ) -> Result<Option<Tree>, Split> {
        self.fuel.set(self.fuel.get().saturating_sub(1));
        let (terms, model) = (&*clause.terms, &*scope.model);
        let mut state = State::new(terms, self.types.clone());
        state.counted = self.counted.cloned();
        let mut point = Point {
            model: model.start(),
            ..Point::new(state)
        };
        if let Some(reason) = unreadable(clause, model) {
            return Ok(Some(self.give_up(scope, point, None, reason, "")));
        }
        let is_single_sided = clause.kind == ClauseKind::SingleSided;
        let head: Vec<TermId> = terms.args(clause.head).to_vec();
        let refused = match is_single_sided {
            true => self.refused(terms, &head),
            false => Vec::new(),
        };
        if !refused.is_empty() && !model.counts_before_entry() {
            return Ok(None);
        }
        let mut truths = self.unify_head(&mut point.state, terms, &head)?;
        for (at, truth) in refused {
            truths[at] = truth;
        }
        match model.head(scope, &mut point, &truths)? {
            Head::Untried => return Ok(None),
            Head::Fails => return Ok(Some(fail(point))),
            Head::Unifies => {}
        }
        let mut goals: Vec<PendingGoal> = Vec::new();
        let conjunction = |t: TermId| conjuncts(terms, t).into_iter().rev().map(PendingGoal::Term);
        goals.extend(clause.body.into_iter().flat_map(conjunction));
        if is_single_sided {
            goals.push(PendingGoal::Commit);
            goals.extend(clause.guard.into_iter().flat_map(conjunction));
        }
        if !self.leading_tests(scope, &mut point, &mut goals)? {
            // The clause is not entered, but its tests run up to the first that fails.
            return Ok(model.counts_before_entry().then(|| fail(point)));
        }
        point.steps.push(Step::Enter);
        model.enters(scope, &mut point, clause);
        let part = BodyPart {
            head: Some(&head),
            depth: 0,
            local_cut: false,
            certain: true,
            until: None,
        };
        self.run(scope, point, goals, part).map(Some)
    }

    /// Unifies the bound arguments of the call with the head. Unification with an unbound argument always succeeds.
    fn unify_head(
        &self,
        state: &mut State,
        terms: &Terms,
        head: &[TermId],
    ) -> Result<Vec<Truth>, Split> {
        let node = &self.nodes[self.node];
        let mut truths = vec![Truth::True; head.len()];
        let is_param = |e: &Expr| self.is_param(e);
        let s = self.scope(terms, &is_param);
        for (i, &argument) in head.iter().enumerate() {
            let datum = node.datum(i);
            if datum.ty != Type::Free {
                truths[i] = state.unify_datum(&s, &datum, argument)?.0;
                if truths[i] == Truth::False {
                    break;
                }
            }
        }
        Ok(truths)
    }

    /// Runs the leading tests, which belong to clause selection. Returns false if one of them fails.
    fn leading_tests(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goals: &mut Vec<PendingGoal>,
    ) -> Result<bool, Split> {
        let terms = scope.terms;
        while let Some(PendingGoal::Term(goal)) = goals.last().copied() {
            let lowered = Goal::lower(terms, goal);
            let is_leading = match lowered {
                Goal::Compare(..) | Goal::CompareTerms(..) => true,
                Goal::Type(test, _) => !self.is_redefined(test),
                _ => false,
            };
            if !is_leading {
                break;
            }
            goals.pop();
            let literal = Literal { goal, text: goal };
            scope.model.begins(scope, point, literal);
            let truth = self
                .test(&mut point.state, terms, lowered)?
                .unwrap_or(Truth::Maybe);
            if self.fails(scope, point, goal, truth)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the arguments that the call passes unbound and that are not variables occurring only once in the head. Since the head of a
    /// single-sided rule binds no arguments, it may not match them. The last of these arguments certainly fails if no earlier one does.
    fn refused(&self, terms: &Terms, head: &[TermId]) -> Vec<(usize, Truth)> {
        let mut seen: BTreeMap<u32, usize> = BTreeMap::new();
        for &argument in head {
            for part in terms.subterms(argument) {
                if let Term::Var(v) = terms.get(part) {
                    *seen.entry(*v).or_default() += 1;
                }
            }
        }
        let types = &self.nodes[self.node].pattern.0;
        let mut refused: Vec<(usize, Truth)> = (head.iter().zip(types).enumerate())
            .filter(|(_, (_, ty))| **ty == Type::Free)
            .filter_map(|(at, (&argument, _))| match terms.get(argument) {
                Term::Var(v) if seen.get(v) == Some(&1) => None,
                Term::Var(_) => Some((at, Truth::Maybe)),
                _ => Some((at, Truth::False)),
            })
            .collect();
        if refused.iter().all(|(_, truth)| *truth == Truth::Maybe)
            && let Some((_, last)) = refused.last_mut()
        {
            *last = Truth::False;
        }
        refused
    }

    /// Returns the head's arguments at the end of a clause.
    pub(super) fn arguments(&self, state: &State, terms: &Terms, head: &[TermId]) -> Vec<Datum> {
        let node = &self.nodes[self.node];
        head.iter()
            .enumerate()
            .map(|(i, &t)| {
                let mut datum = state.datum(terms, t).raised(&self.types.defined);
                if let Some(v) = state.unbound(terms, t) {
                    // The argument is still unbound, and shared if the variable also occurs in another argument.
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
                    let ty = before.meet(&datum.ty);
                    let size = match ty.metric() {
                        Some(metric) => datum.measured(metric),
                        None => datum.size.clone(),
                    };
                    let element = ty.element_metric().and_then(|m| datum.element_bound(m));
                    datum = Datum {
                        ty,
                        size,
                        element,
                        ..datum
                    };
                }
                datum
            })
            .collect()
    }

    /// Returns bounds on the elements of the head's arguments at the end of a clause, for arguments whose element bounds are being
    /// inferred.
    pub(super) fn open_elements(
        &self,
        state: &State,
        terms: &Terms,
        head: &[TermId],
    ) -> Vec<(usize, Option<Vec<Expr>>)> {
        let node = &self.nodes[self.node];
        let open = (node.elements.iter().enumerate()).filter(|(_, e)| **e == Output::Symbolic);
        open.filter_map(|(i, _)| {
            let metric = node.success.as_ref()?.get(i)?.element_metric()?;
            Some((i, state.element_sizes(terms, *head.get(i)?, metric)))
        })
        .collect()
    }
}

/// Returns the argument modes of a call pattern.
pub(super) fn modes(pattern: &Pattern) -> Vec<CallMode> {
    let mode = |ty: &Type| match ty {
        Type::Free => CallMode::Output,
        ty if ty.is_bound() => CallMode::Input,
        _ => CallMode::Either,
    };
    pattern.0.iter().map(mode).collect()
}

/// Returns the reason why a clause is not run.
fn unreadable(clause: &Clause, model: &dyn CostModel) -> Option<String> {
    if clause.terms.len() > LARGEST_CLAUSE {
        return Some(format!(
            "the clause has {} terms; more than {LARGEST_CLAUSE} are not analysed",
            clause.terms.len()
        ));
    }
    match clause.kind {
        ClauseKind::Dcg => Some("grammar rules (`-->`) are not translated yet".to_owned()),
        _ if !model.covers(clause) => {
            Some("single-sided rules (`=>`) are not among what is counted here".to_owned())
        }
        _ => None,
    }
}
