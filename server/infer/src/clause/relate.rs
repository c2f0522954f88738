//! Output sizes that a call's relation ties to other sizes ([`crate::tree::locals`]).

use std::borrow::Cow;
use std::collections::BTreeMap;

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Relation as Sign, Var};

use super::Runner;
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Type};
use crate::state::State;
use crate::summary::relation::{Relation, is_equated};
use crate::summary::work::Work;
use crate::tree::{CallStep, Callee, Charge};
use crate::world::World;

impl Runner<'_> {
    /// Returns the world extended by the facts that the calls so far have established.
    pub(super) fn here(&self, state: &State) -> World {
        let region = self.world.region().and_all(&state.facts);
        self.world.restricted(region)
    }

    /// Returns the world extended by the facts that the calls so far have established, without a copy if there are none.
    pub(super) fn known_here(&self, state: &State) -> Cow<'_, World> {
        match state.facts.constraints().is_empty() {
            true => Cow::Borrowed(self.world),
            false => Cow::Owned(self.here(state)),
        }
    }

    /// Relates output sizes after a successful call: sizes that its relation ties to others become locals.
    ///
    /// `sizes` contains the sizes and types of the arguments on success; `unbound` is true for arguments that were unbound before the call.
    /// Returns false if no sizes satisfy the relation, in which case the call fails.
    pub(super) fn relate(
        &self,
        state: &mut State,
        step: &mut CallStep,
        relation: &Relation,
        params: &[Var],
        after: &mut [Datum],
        unbound: &dyn Fn(usize) -> bool,
    ) -> bool {
        let mut tied = tied(relation, after);
        let weighed: Vec<usize> = (relation.weights.iter())
            .filter(|&(&i, v)| is_equated(&relation.constraints, *v) && after[i].ty.is_ground())
            .map(|(&i, _)| i)
            .collect();
        let is_loop = |node: usize| {
            let charged = self.nodes.get(node).and_then(|n| n.charged.as_ref());
            charged.is_some_and(|c| c.is_loop)
        };
        let inside =
            matches!(step.callee, Callee::Inside(callee) if is_loop(self.node) && !is_loop(callee));
        let charge = (relation.cost).filter(|&v| inside && is_equated(&relation.constraints, v));
        let consumption = (relation.consumption)
            .filter(|of| unbound(of.output) && relation.outputs.contains_key(&of.output));
        if let Some(of) = &consumption
            && !tied.contains(&of.output)
        {
            tied.push(of.output);
        }
        let all = || tied.iter().chain(&weighed);
        if all().next().is_none() && charge.is_none() || !all().all(|&i| unbound(i)) {
            return true;
        }
        let (mut by, mut facts, mut locals) = (BTreeMap::new(), Region::default(), Vec::new());
        let mut stand_in = |size: &Size, least: Option<i64>, locals: &mut Vec<Var>| {
            let v = self.fresh();
            locals.push(v);
            let mut known = size.constraints_on(v);
            if let Some(least) = least {
                known.extend(Constraint::ge(&Expr::var(v), &Expr::int(least)));
            }
            for c in known {
                facts = facts.and(c);
            }
            Expr::var(v)
        };
        for (&param, size) in params.iter().zip(&step.args) {
            let value = match size.as_exact() {
                Some(e) if e.is_linear() => e.clone(),
                _ => stand_in(size, None, &mut locals),
            };
            by.insert(param, value);
        }
        for (&i, &v) in &relation.outputs {
            let least = after[i].ty.metric().and_then(Metric::least);
            let value = match after[i].size.as_exact() {
                Some(e) if e.is_linear() => e.clone(),
                _ => stand_in(&after[i].size, least, &mut locals),
            };
            by.insert(v, value);
        }
        for v in relation.weights.values().copied().chain(relation.cost) {
            let value = stand_in(&Size::at_least(0), None, &mut locals);
            by.insert(v, value);
        }
        let Some(related) = relation.constraints.substitute(&by) else {
            return true;
        };
        facts = facts.and_all(&related);
        let consumed = consumption.as_ref().and_then(|of| {
            let input = by.get(params.get(of.input)?)?;
            let left = by.get(&relation.outputs[&of.output])?;
            if let Some(c) = Constraint::le(left, input) {
                facts = facts.and(c);
            }
            let consumed = input - left;
            let by_steps = || match &step.callee {
                Callee::Outside(summary) => match summary.work {
                    Work::OfSteps(factor) => of.steps.times(factor),
                    _ => None,
                },
                Callee::Inside(_) => None,
            };
            let work = of.work.or_else(by_steps);
            Some(Charge {
                steps: of.steps.bound(&consumed),
                work: work.map(|rate| rate.bound(&consumed)),
                first_only: of.first_only,
            })
        });
        if self.here(state).region().and_all(&facts).is_empty() {
            return false;
        }
        for i in tied {
            if let Some(e) = by.get(&relation.outputs[&i]) {
                after[i].size = Size::exact(e.clone());
                if relation.distinct.contains(&i) {
                    step.distinct.extend(e.variables());
                }
            }
        }
        for i in weighed {
            if let Some(e) = by.get(&relation.weights[&i]) {
                after[i].weight = Some(Box::new(Size::exact(e.clone())));
            }
        }
        step.charge = match charge {
            Some(charge) => by.get(&charge).and_then(|e| {
                Some(Charge {
                    steps: Expr::var(*e.variables().first()?),
                    work: None,
                    first_only: false,
                })
            }),
            None => consumed,
        };
        state.facts = state.facts.and_all(&facts);
        step.locals = locals;
        step.facts = facts;
        true
    }
}

/// Returns the outputs for which an equality, or an inequality between two outputs, is more precise than their own bounds, and the outputs
/// whose sizes differ between any two solutions.
fn tied(relation: &Relation, after: &[Datum]) -> Vec<usize> {
    let open = |i: usize| {
        after.get(i).is_some_and(|d| {
            d.ty.metric().is_some() && d.size.as_exact().is_none() && d.ty != Type::Free
        })
    };
    let mut tied: Vec<usize> = relation
        .outputs
        .iter()
        .filter(|&(&i, v)| {
            let says = |c: &Constraint| {
                let mut others = relation.outputs.values();
                let others = others.by_ref().filter(|w| c.variables().any(|x| x == **w));
                c.variables().any(|x| x == *v) && (c.relation() == Sign::Zero || others.count() > 1)
            };
            let constraints = relation.constraints.constraints();
            open(i) && (relation.distinct.contains(&i) || constraints.iter().any(says))
        })
        .map(|(&i, _)| i)
        .collect();
    tied.sort_unstable();
    tied
}
