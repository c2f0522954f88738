//! Calls in the alternatives of a quantity: calls to solved functions, and to functions of the system.

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{Alternative, CallResult, Value};

use super::{Alternatives, CostColumn, Quantifier, Quantity};
use crate::lattice::size::Size;
use crate::summary::Summary;
use crate::summary::parameters::least_value;
use crate::summary::pieces::Sides;
use crate::tree::{CallStep, Callee};
use crate::world::lookup::CallArguments;

impl Quantifier<'_> {
    pub(super) fn call(&self, call: &CallStep, quantity: Quantity) -> Alternatives {
        match &call.callee {
            Callee::Outside(summary) => self.solved_call(call, summary, quantity),
            Callee::Inside(node) => {
                let mut alternative = Alternative::default();
                let result = self.inside_result(
                    &mut alternative,
                    (self.function_of)(*node, quantity),
                    *node,
                    &call.args,
                );
                alternative.value = Some(Expr::var(result));
                vec![alternative]
            }
        }
    }

    /// Adds a call to a function that is being solved. Returns the variable for its value.
    pub(crate) fn inside_result(
        &self,
        alternative: &mut Alternative,
        function: usize,
        node: usize,
        sizes: &[Size],
    ) -> Var {
        let of = &self.nodes[node];
        let sizes_least = of.params.iter().map(|param| param.slot.metric.least());
        let least = sizes_least.chain(of.parameters.iter().map(|&v| Some(least_value(v))));
        let args = sizes
            .iter()
            .zip(least)
            .map(|(size, least)| match size.as_exact() {
                Some(e) => e.clone(),
                None => {
                    let local = self.fresh();
                    alternative.locals.push(local);
                    let mut own = interval(local, size, least);
                    if !(self.upper() && self.tells_failure || self.always_fits(local, size, &own))
                    {
                        // An alternative without a value would disappear.
                        let open = Size {
                            upper: None,
                            ..size.clone()
                        };
                        own = interval(local, &open, least);
                    }
                    alternative.constraints = alternative.constraints.and_all(&own);
                    Expr::var(local)
                }
            })
            .collect();
        let var = self.fresh();
        alternative.results.push(CallResult {
            var,
            function,
            args,
        });
        var
    }

    /// Returns whether a size that is known as an interval has a value at every point. If the interval is empty, an earlier call has
    /// failed.
    pub(super) fn always_fits(&self, local: Var, size: &Size, own: &Region) -> bool {
        if size.upper.is_none() {
            return true;
        }
        let here = (self.world.region()).and_all(&self.locals.known_of([size]));
        let shadow = here.and_all(own).project_inside(&[local]);
        shadow.is_some_and(|shadow| here.implies_all(&shadow))
    }

    pub(super) fn solved_call(
        &self,
        call: &CallStep,
        summary: &Summary,
        quantity: Quantity,
    ) -> Alternatives {
        let own;
        let of_events = match self.column {
            CostColumn::Steps | CostColumn::Work | CostColumn::Adds(_) => None,
            _ => Some(self.program.events(summary)),
        };
        // Otherwise, the bounds on steps apply.
        let column = of_events.as_ref().and_then(|e| self.column.bounds(e));
        let column = column.as_deref();
        let sides: &Sides = match (quantity, column) {
            (Quantity::First | Quantity::All, None)
                if let CostColumn::Adds(functor) = self.column =>
            {
                own = summary.added.sides(functor);
                &own
            }
            (Quantity::First, None) if *self.column == CostColumn::Work => {
                own = summary.work.sides(&summary.first, |work| &work.first);
                &own
            }
            (Quantity::All, None) if *self.column == CostColumn::Work => {
                own = summary.work.sides(&summary.all, |work| &work.all);
                &own
            }
            (Quantity::First, None) => &summary.first,
            (Quantity::All, None) => &summary.all,
            (Quantity::First, Some(column)) => &column.first,
            (Quantity::All, Some(column)) => &column.all,
            (Quantity::Solutions, _) => &summary.solutions,
        };
        let pieces = if self.upper() {
            &sides.upper
        } else {
            &sides.lower
        };
        let here = (self.world.region()).and_all(&self.locals.known_of(&call.args));
        let settled = self.world.restricted(here).unsplit();
        let at = CallArguments::new(&summary.vars(), &call.args, &settled);
        let Ok(values) = at.values_of_pieces(pieces, &|_| false) else {
            return self.nothing();
        };
        if values.is_empty() {
            return self.nothing();
        }
        let are_several = self.upper() && values.len() > 1;
        let is_apart = are_several && self.cases.are_kept(&at);
        self.union(
            values
                .into_iter()
                .map(|met| match (met.value, met.size) {
                    (Value::Known(_), Some(size)) => {
                        let value = if self.upper() {
                            size.upper
                        } else {
                            size.lower.or_else(|| Some(Expr::zero()))
                        };
                        let constraints = match &value {
                            Some(value) if is_apart => at.implied(met.region, value),
                            _ => Region::default(),
                        };
                        vec![Alternative {
                            value,
                            constraints,
                            ..Alternative::default()
                        }]
                    }
                    (Value::Diverges, _) if !self.upper() => self.for_ever(),
                    _ => self.nothing(),
                })
                .collect(),
        )
    }
}

/// Returns the constraints on a variable that represents a size.
pub(super) fn interval(local: Var, size: &Size, least: Option<i64>) -> Region {
    let least = least.and_then(|least| Constraint::ge(&Expr::var(local), &Expr::int(least)));
    (size.constraints_on(local).into_iter())
        .chain(least)
        .collect()
}
