//! Calls to predicates that SWI-Prolog implements in C: they take no resolution steps, and trust assertions in the catalogue files specify
//! their summaries.

use costlens_algebra::Expr;
use costlens_recurrences::{SolvedPiece, Value as Bound};
use costlens_syntax::term::TermId;

use super::Runner;
use super::calls::forget_shared;
use super::generators::generator;
use super::point::{ClauseScope, Point};
use crate::builtins;
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Pattern, TextType, Type};
use crate::report::Functor;
use crate::summary::node::Slot;
use crate::tree::Step;
use crate::world::lookup::CallArguments;
use crate::world::questions::{Split, Truth};

impl Runner<'_> {
    /// Runs a call to a built-in. Returns `None` if no assertion covers it.
    pub(super) fn builtin(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        predicate: &Functor,
    ) -> Result<Option<Truth>, Split> {
        let terms = scope.terms;
        let args: Vec<TermId> = terms.args(goal).to_vec();
        let mut data: Vec<Datum> = args.iter().map(|&a| point.state.datum(terms, a)).collect();
        forget_shared(&point.state, terms, &args, &mut data);
        for datum in data.iter_mut().filter(|d| d.ty == Type::Atom) {
            datum.size = datum.measured(Metric::Chars);
            datum.ty = Type::Text(TextType::Atom);
        }
        let pattern = Pattern(data.iter().map(|d| d.ty.clone()).collect());
        let Some(summary) = builtins::shipped::summary(predicate, &pattern) else {
            return Ok(None);
        };
        if summary.errors_possible {
            self.errors.set(true);
        }
        let Some(success) = summary.success.clone() else {
            return Ok(Some(Truth::False));
        };
        let slots: Vec<Slot> = summary.params.iter().map(Slot::from_size).collect();
        let sizes = self.sizes(&slots, &data);
        let vars = summary.vars();
        let here = self.here(&point.state);
        let at = CallArguments::new(&vars, &sizes, &here);
        let is_param = |e: &Expr| self.is_param(e);
        let mut learnt = Vec::new();
        for (i, ty) in success.into_iter().enumerate() {
            // A bound argument may hold text of another type: `number_codes(N, "12")` accepts a string.
            if data[i].ty != Type::Free {
                continue;
            }
            let mut datum = Datum::from_type(ty);
            if let Some(sides) = summary.outputs.get(&i) {
                let side = |pieces: &Vec<SolvedPiece>| -> Result<Option<Size>, Split> {
                    let values = at.values(pieces, &is_param)?;
                    Ok(match values.as_slice() {
                        [(Bound::Known(_), size)] => size.clone(),
                        _ => None,
                    })
                };
                let lower = side(&sides.lower)?.and_then(|s| s.lower);
                let upper = side(&sides.upper)?.and_then(|s| s.upper);
                datum.size = Size {
                    lower: lower.or(datum.size.lower),
                    upper,
                };
            }
            learnt.push((args[i], datum));
        }
        let (mut count, sure) = self.solutions_at(&summary.solutions, &at, here.region())?;
        for (argument, datum) in learnt {
            self.learn(&mut point.state, terms, argument, &datum);
        }
        let met = self.clauses_met(scope, &point.state, goal);
        if let Some(met) = &met {
            count.upper = count.upper.or_else(|| met.number.clone());
        }
        point.state.expose(terms, goal, &Type::Any);
        for (argument, datum) in met.into_iter().flat_map(|met| met.arguments) {
            self.learn(&mut point.state, terms, argument, &datum);
        }
        point.state.pure &= args
            .iter()
            .all(|&a| point.state.datum(terms, a).ty.is_ground())
            || args.is_empty();
        let at_most = |n: i64| {
            let upper = count.upper.as_ref().and_then(Expr::as_constant);
            upper.is_some_and(|c| c <= costlens_algebra::rat(n))
        };
        Ok(Some(match (at_most(0), at_most(1), sure) {
            (true, ..) => Truth::False,
            (_, true, true) => Truth::True,
            (_, true, false) => Truth::Maybe,
            _ => {
                point.sure &= sure;
                point
                    .steps
                    .push(Step::Solutions(count, generator(terms, goal)));
                Truth::True
            }
        }))
    }
}
