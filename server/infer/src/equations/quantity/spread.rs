//! Goals with several solutions, and the sizes in which these differ ([`crate::component::distinct`]): how many go on behind a test, and what a call
//! costs for all of them.

use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{Alternative, CallResult};

use super::{Alternatives, Quantifier, Quantity, at_most_one};
use crate::lattice::size::Size;
use crate::summary::relation::is_equated;
use crate::tree::locals::Locals;
use crate::tree::{Callee, Step};

/// The goal with several solutions, while there is only one.
#[derive(Default)]
pub(super) enum Spread<'t> {
    #[default]
    Nowhere,
    /// By sizes that differ in any two solutions.
    Over(&'t [Var]),
    Anyhow,
}

impl<'t> Spread<'t> {
    pub(super) fn over(&mut self, step: &'t Step, solutions: &Alternatives) {
        if at_most_one(solutions) {
            return;
        }
        *self = match (&*self, step) {
            (Self::Nowhere, Step::Call(call)) => Self::Over(&call.distinct),
            _ => Self::Anyhow,
        };
    }

    /// Tells whether only one of the solutions has sizes in this region, since it determines one of those that differ.
    pub(super) fn is_one(&self, region: &Region, locals: &Locals) -> bool {
        let Self::Over(vars) = self else { return false };
        let all = region.variables();
        vars.iter().any(|v| {
            let others = all.iter().filter(|w| *w != v && locals.contains(**w));
            let others: Vec<Var> = others.copied().collect();
            (region.equalities().project_out(&others)).is_some_and(|alone| is_equated(&alone, *v))
        })
    }
}

impl Quantifier<'_> {
    /// A quantity of a call inside the component, over all solutions of the goal with several before it, where these give it sizes that differ.
    pub(super) fn together(
        &self,
        spread: &Spread<'_>,
        step: &Step,
        quantity: Quantity,
        known: &Region,
    ) -> Option<Alternatives> {
        let (Spread::Over(differ), Step::Call(call)) = (spread, step) else {
            return None;
        };
        let Callee::Inside(node) = call.callee else {
            return None;
        };
        if !self.upper() || !self.tells_failure {
            return None;
        }
        if quantity == Quantity::Solutions && call.solutions.is_some() {
            return None;
        }
        let exact: Option<Vec<Expr>> = call.args.iter().map(|a| a.as_exact().cloned()).collect();
        let mut args = exact?;
        let has_locals = |e: &Expr| e.variables().iter().any(|v| self.locals.contains(*v));
        let over = args.iter().position(has_locals)?;
        let locals = args[over]
            .variables()
            .into_iter()
            .filter(|v| self.locals.contains(*v));
        let locals: Vec<Var> = locals.collect();
        let [local] = locals.as_slice() else {
            return None;
        };
        let others = args.iter().skip(over + 1).any(has_locals);
        if others || !differ.contains(local) || !args[over].is_linear() {
            return None;
        }
        self.nodes[node].params[over].slot.metric.least()?;
        let most = (self.locals).removed(&Size::exact(args[over].clone()), known);
        args[over] = most
            .upper
            .filter(|e| e.is_linear() && e.terms().all(|(_, c)| c.is_integer()))?;
        let function = self
            .sums
            .of((self.function_of)(node, quantity), node, over)?;
        let var = self.fresh();
        Some(vec![Alternative {
            results: vec![CallResult {
                var,
                function,
                args,
            }],
            value: Some(Expr::var(var)),
            ..Alternative::default()
        }])
    }

    /// Tells whether alternatives depend on sizes that are not determined by those of the call.
    pub(super) fn mentions_locals(&self, all: &Alternatives) -> bool {
        all.iter().any(|a| {
            let args = a.results.iter().flat_map(|r| &r.args);
            let of_values = args.chain(&a.value).flat_map(Expr::variables);
            let mut all = of_values.chain(a.constraints.variables());
            all.any(|v| self.locals.contains(v))
        })
    }

    /// The sizes that pass a test, where what comes before it is an alternative of its own.
    pub(super) fn passed<'s>(&self, step: &'s Step, known: &mut Region) -> Option<&'s Region> {
        let Step::Tested(passed) = step else {
            return None;
        };
        *known = known.and_all(passed);
        (self.upper() && self.tells_failure).then_some(passed)
    }
}

/// The alternatives where sizes satisfy these constraints.
pub(super) fn limited(mut all: Alternatives, to: &Region) -> Alternatives {
    for alternative in &mut all {
        alternative.constraints = alternative.constraints.and_all(to);
    }
    all
}
