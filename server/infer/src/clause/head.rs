//! The run of a clause from the call to the body (head and leading tests), and from the end of the body to the arguments on success.

use std::collections::BTreeMap;

use costlens_algebra::Expr;
use costlens_body::{Goal, conjuncts};
use costlens_compile::code::Outcome;
use costlens_compile::events;
use costlens_compile::events::Mode;
use costlens_compile::ppdp08::Unsupported;
use costlens_events::{Counts, Event, Vocabulary};
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{Term, TermId, Terms};

use super::Runner;
use super::point::{BodyPart, ClauseScope, Pending, Point, fail};
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
        unsupported: Option<Unsupported>,
    ) -> Result<Option<Tree>, Split> {
        self.fuel.set(self.fuel.get().saturating_sub(1));
        let terms = &*clause.terms;
        let mut point = Point::new(State::new(terms, self.types.clone()));
        point.state.counted = self.counted.cloned();
        let is_single_sided = clause.kind == ClauseKind::SingleSided;
        if let Some(reason) = unreadable(clause, self.counting) {
            return Ok(Some(self.give_up(scope, point, None, reason, "")));
        }
        let head: Vec<TermId> = terms.args(clause.head).to_vec();
        let refused = match is_single_sided {
            true => self.refused(terms, &head),
            false => Vec::new(),
        };
        if !refused.is_empty() && self.counting.is_none() {
            return Ok(None);
        }
        let mut truths = self.unify_head(&mut point.state, terms, &head)?;
        for (at, truth) in refused {
            truths[at] = truth;
        }
        if let Some(built) = &scope.built {
            point.state.met = built.variables.met();
        }
        if let Some(unsupported) = unsupported {
            let reason = unsupported.to_string();
            self.obstacle(scope, &mut point, unsupported.goal, reason, "");
        }
        if self.counts_machine() && scope.machine.is_none() {
            let reason = "the instructions of the clause are not known";
            self.obstacle(scope, &mut point, None, reason.to_owned(), "");
        }
        let outcomes = self.outcomes(scope, &head, &truths)?;
        match self.matches(scope, &mut point, clause.head, (&truths, &outcomes)) {
            None => return Ok(None),
            Some(false) => return Ok(Some(fail(point))),
            Some(true) => {}
        }
        self.count_high(&mut point, || Counts::once(Event::HeadUnification));
        let mut goals: Vec<Pending> = Vec::new();
        let conjunction = |t: TermId| conjuncts(terms, t).into_iter().rev().map(Pending::Term);
        goals.extend(clause.body.into_iter().flat_map(conjunction));
        if is_single_sided {
            goals.push(Pending::Commit);
            goals.extend(clause.guard.into_iter().flat_map(conjunction));
        }
        if !self.leading_tests(scope, &mut point, &mut goals)? {
            // The clause is not entered, but its tests run up to the first that fails.
            return Ok(self.counting.is_some().then(|| fail(point)));
        }
        point.steps.push(Step::Enter);
        self.count_interpreted(&mut point, clause);
        self.count_high(&mut point, || {
            events::head(terms, clause.head, &modes(&self.nodes[self.node].pattern))
        });
        self.count_head_cells(&mut point, terms, clause.head);
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

    /// Returns whether the head matches, and counts its events. Returns `None` if it does not match and nothing is counted.
    fn matches(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        head: TermId,
        (truths, outcomes): (&[Truth], &[Outcome]),
    ) -> Option<bool> {
        if let Some(machine) = &scope.machine {
            return self.machine_enter(point, machine, (scope.terms, head), truths);
        }
        if let Some(code) = &scope.code {
            return Some(self.enter(point, code, truths));
        }
        if let Some(tried) = &scope.tried {
            return self.try_clause(point, tried, truths, outcomes);
        }
        let truth = truths.iter().fold(Truth::True, |all, &t| all.and(t));
        if truth == Truth::False {
            // The cost of a clause without code is unknown even if the head does not match.
            let counted = matches!(
                self.counting,
                Some(Vocabulary::Ppdp08 | Vocabulary::Machine)
            );
            return counted.then_some(false);
        }
        self.note(point, truth);
        Some(true)
    }

    /// Runs the leading tests, which belong to clause selection. Returns false if one of them fails.
    fn leading_tests(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goals: &mut Vec<Pending>,
    ) -> Result<bool, Split> {
        let terms = scope.terms;
        while let Some(Pending::Term(goal)) = goals.last().copied() {
            let lowered = Goal::of(terms, goal);
            let is_leading = match lowered {
                Goal::Compare(..) | Goal::CompareTerms(..) => true,
                Goal::Type(test, _) => !self.is_redefined(test),
                _ => false,
            };
            if !is_leading {
                break;
            }
            goals.pop();
            self.begin(scope, point, goal, goal);
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
pub(super) fn modes(pattern: &Pattern) -> Vec<Mode> {
    let mode = |ty: &Type| match ty {
        Type::Free => Mode::Output,
        ty if ty.is_bound() => Mode::Input,
        _ => Mode::Either,
    };
    pattern.0.iter().map(mode).collect()
}

/// Returns true for vocabularies whose numbers also cover SWI-Prolog's single-sided rules (`=>`).
fn has_single_sided(counting: Vocabulary) -> bool {
    matches!(
        counting,
        Vocabulary::Portable | Vocabulary::Swi | Vocabulary::SwiOptimised
    )
}

fn unreadable(clause: &Clause, counting: Option<Vocabulary>) -> Option<String> {
    if clause.terms.len() > LARGEST_CLAUSE {
        return Some(format!(
            "the clause has {} terms; more than {LARGEST_CLAUSE} are not analysed",
            clause.terms.len()
        ));
    }
    match clause.kind {
        ClauseKind::Dcg => Some("grammar rules (`-->`) are not translated yet".to_owned()),
        ClauseKind::SingleSided
            if !counting.is_none_or(|v| has_single_sided(v) && clause.guard.is_none()) =>
        {
            Some("single-sided rules (`=>`) are not among what is counted here".to_owned())
        }
        _ => None,
    }
}
