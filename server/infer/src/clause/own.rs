//! Resources that a program declares: the literals that are called, and the asserted costs of built-ins.
//!
//! ```prolog
//! :- resource bits.
//! :- trust pred put_byte(_) + cost(exact, bits, 8).
//! p(X) :- Y is X mod 256, put_byte(Y).     % two literals, eight bits
//! ```

use costlens_catalog::is_fixed;
use costlens_events::{Counts, Event};

use super::point::model::{CostModel, Literal};
use super::point::{ClauseScope, Point};
use crate::lattice::size::Size;
use crate::lattice::types::Pattern;
use crate::report::Functor;
use crate::summary::node::Slot;
use crate::tree::{Callee, Step};

/// The model that counts the resources of the program.
pub(super) struct Own;

impl CostModel for Own {
    fn begins(&self, scope: &ClauseScope<'_>, point: &mut Point, literal: Literal) {
        let goal = literal.goal;
        if literal.is_written() {
            point.count(Counts::once(Event::Literal));
        }
        let (runner, terms) = (scope.runner, scope.terms);
        let Some((name, arity)) = terms.functor(goal) else {
            return;
        };
        // Other trusted predicates are calls, which are counted as such.
        if !is_fixed(name, arity) {
            return;
        }
        let built_in = Functor::new(name.clone(), arity);
        let data = runner.passed(&point.state, terms, terms.args(goal), &[]);
        let pattern = Pattern(data.iter().map(|d| d.ty.clone()).collect());
        let Some(stated) = runner.program.stated_of_built_in(&built_in, &pattern) else {
            return;
        };
        let params: Vec<Slot> = stated.params.iter().map(Slot::from_size).collect();
        let callee = Callee::Outside(stated);
        let mut step = runner.record(callee, &params, &data, goal, Vec::new());
        step.solutions = Some(Size::exact(costlens_algebra::Expr::int(1)));
        step.sure = true;
        point.steps.push(Step::Call(step));
    }
}
