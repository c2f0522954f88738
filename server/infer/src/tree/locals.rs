//! Sizes that are known only through their relations to other sizes: the parts of a split list, whose sum is known.
//!
//! After `part(L, X, L1, L2)` a variable, called a *local*, represents the length of each of `L1` and `L2`, with the constraints of
//! `part/4`'s relation: `l1 + l2 = n`. A local is some integer that satisfies these facts; a recurrence system takes the maximum or minimum
//! over all such integers (`qs(n) = max over l1 + l2 = n - 1 of qs(l1) + qs(l2) + …`).

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Monomial, Relation, Var};
use costlens_recurrences::Alternative;
use num_traits::{Signed, Zero};

use super::{ClauseRun, End, Step, Tree};
use crate::lattice::size::Size;

/// The locals of runs, each with the facts about the call from which it comes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Locals(BTreeMap<Var, Region>);

impl Locals {
    pub(crate) fn collect(runs: &[ClauseRun]) -> Self {
        Self::collect_inside(runs.iter().map(|r| &*r.tree).collect())
    }

    fn collect_inside(mut stack: Vec<&Tree>) -> Self {
        let mut locals = Self::default();
        while let Some(tree) = stack.pop() {
            for step in &tree.steps {
                match step {
                    Step::Call(call) => {
                        for &v in &call.locals {
                            locals.0.insert(v, call.facts.clone());
                        }
                    }
                    Step::Sizes(vars, facts) => {
                        for &v in vars {
                            locals.0.insert(v, facts.clone());
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

    /// Returns the locals among the given variables, the locals that occur in their facts, and all facts about these locals.
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

    pub(crate) fn contains(&self, v: Var) -> bool {
        self.0.contains_key(&v)
    }

    /// Returns the facts that hold whenever sizes with these locals occur, because the calls from which the locals come have succeeded.
    pub(crate) fn known_of<'s>(&self, sizes: impl IntoIterator<Item = &'s Size>) -> Region {
        let vars = sizes
            .into_iter()
            .flat_map(|s| [&s.lower, &s.upper])
            .flatten()
            .flat_map(Expr::variables);
        self.closure(vars).1
    }

    /// Returns a size with the locals eliminated: bounds over its other variables.
    pub(crate) fn removed(&self, size: &Size, region: &Region) -> Size {
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

    /// Adds to an alternative the locals that occur in it.
    ///
    /// An alternative whose locals have no values would disappear, and with it the cost of a run up to the call that then fails. Facts are
    /// therefore used only if some values are proved to satisfy them at every point of the region, or if `tells_failure` indicates that
    /// this cost is a separate alternative.
    pub(crate) fn bind(&self, alternative: &mut Alternative, on: &Region, tells_failure: bool) {
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
        let is_possible = || {
            let shadow = on.and_all(&strong).project_inside(&alternative.locals);
            shadow.is_some_and(|shadow| on.implies_all(&shadow))
        };
        if tells_failure || is_possible() {
            alternative.constraints = strong;
            return;
        }
        let alone = |c: &&Constraint| c.variables().count() == 1;
        for c in facts.constraints().iter().filter(alone) {
            // Lower bounds on single variables hold for every sufficiently large size.
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

/// Returns the number of solutions of a goal for use outside the goal: each solution has its own sizes, which the result must not mention.
pub(crate) fn solutions_of(tree: &Tree, region: &Region) -> Size {
    Locals::collect_inside(vec![tree]).removed(&tree.solutions(region), region)
}

/// The first number for variables of alternatives ([`crate::equations::numbering`]).
pub(crate) const NUMBERED: u32 = 0x3000_0000;
