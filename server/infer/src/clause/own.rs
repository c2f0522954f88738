//! Resources that a program declares: the literals that are called, and the asserted costs of built-ins.
//!
//! ```prolog
//! :- resource bits.
//! :- trust pred put_byte(_) + cost(exact, bits, 8).
//! p(X) :- Y is X mod 256, put_byte(Y).     % two literals, eight bits
//! ```

use costlens_catalog::is_fixed;
use costlens_events::{Counts, Event};
use costlens_syntax::term::TermId;

use super::Runner;
use super::point::{ClauseScope, Point};
use crate::lattice::size::Size;
use crate::lattice::types::Pattern;
use crate::report::Functor;
use crate::summary::node::Slot;
use crate::tree::{Callee, Step};

impl Runner<'_> {
    /// Counts a goal before it runs; `text` is the goal as written in the clause.
    pub(super) fn count_own(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        text: TermId,
    ) {
        if text == goal {
            self.count(point, || Counts::once(Event::Literal));
        }
        let Some((name, arity)) = scope.terms.functor(goal) else {
            return;
        };
        // Other trusted predicates are calls, which are counted as such.
        if !is_fixed(name, arity) {
            return;
        }
        let built_in = Functor::new(name.clone(), arity);
        let args = scope.terms.args(goal);
        let data = self.passed(&point.state, scope.terms, args, &[]);
        let pattern = Pattern(data.iter().map(|d| d.ty.clone()).collect());
        let Some(stated) = self.program.stated_of_built_in(&built_in, &pattern) else {
            return;
        };
        let params: Vec<Slot> = stated.params.iter().map(Slot::of).collect();
        let mut step = self.record(Callee::Outside(stated), &params, &data, goal, Vec::new());
        step.solutions = Some(Size::exact(costlens_algebra::Expr::int(1)));
        step.sure = true;
        point.steps.push(Step::Call(step));
    }
}
