//! Sizes that are known only by how they relate to others: the parts of a split list, of which the sum is known.
//!
//! After `part(L, X, L1, L2)` the lengths of `L1` and `L2` get a variable each, a *local*, with what `part/4`'s relation says
//! of them: `l1 + l2 = n`. A local stands for some integer that satisfies these facts; in a recurrence system the maximum or
//! minimum over all of them counts (`qs(n) = max over l1 + l2 = n - 1 of qs(l1) + qs(l2) + …`).

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::system::{Alternative, Function};
use costlens_algebra::{Expr, Monomial, Relation, Var};
use num_traits::{Signed, Zero};

use super::exec::Runner;
use super::size::Size;
use super::state::State;
use super::summary::Relation as Tie;
use super::tree::{CallStep, Callee, ClauseRun, End, Step, Tree};
use super::world::World;
use crate::types::{Metric, Type};

/// The locals of runs, each with the facts of the call that it comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Locals(BTreeMap<Var, Region>);

impl Locals {
    pub(crate) fn of(runs: &[ClauseRun]) -> Self {
        Self::inside(runs.iter().map(|r| &*r.tree).collect())
    }

    fn inside(mut stack: Vec<&Tree>) -> Self {
        let mut locals = Self::default();
        while let Some(tree) = stack.pop() {
            for step in &tree.steps {
                match step {
                    Step::Call(call) => {
                        for &v in &call.locals {
                            locals.0.insert(v, call.facts.clone());
                        }
                    }
                    Step::Once(t, _)
                    | Step::Goal(t, _)
                    | Step::Failed(t)
                    | Step::AllOf(t)
                    | Step::PartOf(t) => stack.push(t),
                    _ => {}
                }
            }
            if let End::Either(parts) | End::Each(parts) = &tree.end {
                stack.extend(parts);
            }
        }
        locals
    }

    /// The locals among variables, those that their facts mention, and all these facts.
    fn closure(&self, vars: impl IntoIterator<Item = Var>) -> (BTreeSet<Var>, Region) {
        let (mut found, mut facts) = (BTreeSet::new(), Region::default());
        let mut open: Vec<Var> = vars.into_iter().collect();
        while let Some(v) = open.pop() {
            if let Some(more) = self.0.get(&v)
                && found.insert(v)
            {
                facts = facts.and_all(more);
                open.extend(more.variables());
            }
        }
        (found, facts)
    }

    /// What holds wherever sizes with these locals are there: the calls that they come from have succeeded.
    pub(crate) fn known_of<'s>(&self, sizes: impl IntoIterator<Item = &'s Size>) -> Region {
        let vars = sizes
            .into_iter()
            .flat_map(|s| [&s.lower, &s.upper])
            .flatten()
            .flat_map(Expr::variables);
        self.closure(vars).1
    }

    /// The size without these locals: bounds over what else it depends on.
    fn removed(&self, size: &Size, region: &Region) -> Size {
        let side = |e: &Option<Expr>, low: bool| {
            let e = e.as_ref()?;
            let (locals, facts) = self.closure(e.variables());
            if locals.is_empty() {
                return Some(e.clone());
            }
            let value = Var(NUMBERED);
            let defined = Constraint::eq(&Expr::var(value), e)?;
            let region = region.and_all(&facts).and(defined);
            let locals: Vec<Var> = locals.into_iter().collect();
            let shadow = region.project_out(&locals)?;
            shadow.constraints().iter().find_map(|c| {
                let mut m = Monomial::one();
                m.powers.insert(value, 1);
                let a = c.expr().coefficient(&m);
                let wanted = if low {
                    a.is_positive()
                } else {
                    a.is_negative()
                };
                if !wanted && (a.is_zero() || c.relation() != Relation::Zero) {
                    return None;
                }
                Some((&Expr::var(value).scale(&a) - &c.expr()).scale(&a.recip()))
            })
        };
        Size {
            lower: side(&size.lower, true),
            upper: side(&size.upper, false),
        }
    }

    /// Makes the locals that an alternative mentions its own.
    ///
    /// An alternative without any value of its locals would vanish, and with it what a run costs up to the call that then
    /// fails. So facts are used only where at every point of the region some values are proved to satisfy them.
    pub(crate) fn bind(&self, alternative: &mut Alternative, on: &Region) {
        if self.0.is_empty() {
            return;
        }
        let mut mentioned: Vec<Var> = alternative.value.iter().flat_map(Expr::variables).collect();
        for result in &alternative.results {
            mentioned.extend(result.args.iter().flat_map(Expr::variables));
        }
        mentioned.extend(alternative.constraints.variables());
        let (locals, facts) = self.closure(mentioned);
        if locals.is_empty() {
            return;
        }
        let about = |c: &&Constraint| c.variables().any(|v| locals.contains(&v));
        let facts: Region = facts.constraints().iter().filter(about).cloned().collect();
        alternative.locals.extend(locals.iter().copied());
        let strong = alternative.constraints.and_all(&facts);
        let possible = on
            .and_all(&strong)
            .project_inside(&alternative.locals)
            .is_some_and(|shadow| on.implies_all(&shadow));
        if possible {
            alternative.constraints = strong;
            return;
        }
        let alone = |c: &&Constraint| c.variables().count() == 1;
        for c in facts.constraints().iter().filter(alone) {
            // Lower bounds of single variables hold for every size that is large enough.
            if c.relation() == Relation::NonNegative
                && let Some(v) = c.variables().next()
                && Region::default()
                    .and(c.clone())
                    .bounds(&Expr::var(v))
                    .0
                    .is_some()
            {
                alternative.constraints = alternative.constraints.and(c.clone());
            }
        }
    }
}

/// The number of solutions of a goal, for outside of it: each solution has sizes of its own, which nothing there may mention.
pub(crate) fn solutions_of(tree: &Tree, region: &Region) -> Size {
    Locals::inside(vec![tree]).removed(&tree.solutions(region), region)
}

/// From here on variables of alternatives are numbered, so that equal alternatives of different worlds are equal.
const NUMBERED: u32 = 0x3000_0000;

/// Renames locals and results of each alternative, in order.
pub(crate) fn number_variables(functions: &mut [Function]) {
    for cell in functions.iter_mut().flat_map(|f| &mut f.cells) {
        for alternative in &mut cell.alternatives {
            if let Some(renamed) = renamed(alternative) {
                *alternative = renamed;
            }
        }
        let mut seen: Vec<Alternative> = Vec::new();
        for alternative in std::mem::take(&mut cell.alternatives) {
            if !seen.contains(&alternative) {
                seen.push(alternative);
            }
        }
        cell.alternatives = seen;
    }
}

fn renamed(alternative: &Alternative) -> Option<Alternative> {
    let mut names: BTreeMap<Var, Var> = BTreeMap::new();
    let results = alternative.results.iter().map(|r| r.var);
    for (i, v) in alternative
        .locals
        .iter()
        .copied()
        .chain(results)
        .enumerate()
    {
        names.insert(v, Var(NUMBERED + u32::try_from(i).ok()?));
    }
    let by: BTreeMap<Var, Expr> = names.iter().map(|(&v, &w)| (v, Expr::var(w))).collect();
    let mut renamed = alternative.clone();
    for v in &mut renamed.locals {
        *v = names[v];
    }
    for result in &mut renamed.results {
        result.var = names[&result.var];
        for arg in &mut result.args {
            *arg = arg.substitute(&by)?;
        }
    }
    renamed.constraints = renamed.constraints.substitute(&by)?;
    if let Some(value) = &mut renamed.value {
        *value = value.substitute(&by)?;
    }
    Some(renamed)
}

impl Runner<'_> {
    /// The world, and what the calls so far have made known.
    pub(super) fn here(&self, state: &State) -> World {
        let region = self.world.region().and_all(&state.facts);
        self.world.within(region)
    }

    /// After the success of a call: sizes of outputs that its relation ties to others become locals.
    ///
    /// `sizes` are those of the arguments on success, with their types; `unbound` says which of them were unbound before.
    pub(super) fn relate(
        &self,
        state: &mut State,
        step: &mut CallStep,
        relation: &Tie,
        params: &[Var],
        after: &mut [super::datum::Datum],
        unbound: &dyn Fn(usize) -> bool,
    ) {
        let tied = tied(relation, after);
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
        let all = || tied.iter().chain(&weighed);
        if all().next().is_none() && charge.is_none() || !all().all(|&i| unbound(i)) {
            return;
        }
        let fresh = || {
            let v = Var(self.next_var.get());
            self.next_var.set(v.0 + 1);
            v
        };
        let (mut by, mut facts, mut locals) = (BTreeMap::new(), Region::default(), Vec::new());
        let mut stand_in = |size: &Size, least: Option<i64>, locals: &mut Vec<Var>| {
            let v = fresh();
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
            return;
        };
        facts = facts.and_all(&related);
        if self.here(state).region().and_all(&facts).is_empty() {
            return; // no success here: what follows is not reached, and may say anything
        }
        for i in tied {
            if let Some(e) = by.get(&relation.outputs[&i]) {
                after[i].size = Size::exact(e.clone());
            }
        }
        for i in weighed {
            if let Some(e) = by.get(&relation.weights[&i]) {
                after[i].weight = Some(Box::new(Size::exact(e.clone())));
            }
        }
        step.charge = charge.and_then(|v| by.get(&v)?.variables().first().copied());
        state.facts = state.facts.and_all(&facts);
        step.locals = locals;
        step.facts = facts;
    }
}

impl Tie {
    /// Whether what a successful call costs is tied to its outputs, and not by the sizes at the call alone: `inc/2` takes as many steps as
    /// ones get fewer, and two.
    pub(crate) fn amortises(&self) -> bool {
        let Some(cost) = self.cost.filter(|&c| is_equated(&self.constraints, c)) else {
            return false;
        };
        let outputs: Vec<Var> = self
            .outputs
            .values()
            .chain(self.weights.values())
            .copied()
            .collect();
        (self.constraints.equalities().project_out(&outputs))
            .is_some_and(|alone| !is_equated(&alone, cost))
    }
}

/// Whether an equality says something of the variable.
fn is_equated(region: &Region, v: Var) -> bool {
    region
        .constraints()
        .iter()
        .any(|c| c.relation() == Relation::Zero && c.variables().any(|w| w == v))
}

/// Outputs that an equality, or an inequality between two of them, says more of than their own bounds do.
fn tied(relation: &Tie, after: &[super::datum::Datum]) -> Vec<usize> {
    let open = |i: usize| {
        after.get(i).is_some_and(|d| {
            d.ty.metric().is_some() && d.size.as_exact().is_none() && d.ty != Type::Free
        })
    };
    let mut tied: Vec<usize> = relation
        .outputs
        .iter()
        .filter(|&(&i, v)| {
            open(i)
                && relation.constraints.constraints().iter().any(|c| {
                    let others = relation
                        .outputs
                        .values()
                        .filter(|w| c.variables().any(|x| x == **w));
                    c.variables().any(|x| x == *v)
                        && (c.relation() == Relation::Zero || others.count() > 1)
                })
        })
        .map(|(&i, _)| i)
        .collect();
    tied.sort_unstable();
    tied
}
