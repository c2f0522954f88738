//! Bounds on the integers that arithmetic computes in the runs of a component ([`crate::summary::integers`]).

use std::collections::BTreeSet;
use std::rc::Rc;

use costlens_algebra::Var;

use super::for_each_step;
use crate::component::Component;
use crate::lattice::size::Size;
use crate::summary::integers::{Integers, MeasuredQuantity, measured, of_handed_on, of_value};
use crate::tree::runs::RegionRuns;
use crate::tree::{CallStep, Callee, Step};

/// Computes bounds on the integers in calls of the first node, as a fixpoint from below over all nodes.
pub(super) fn of_entry(component: &Component<'_>, runs: &[Rc<[RegionRuns]>]) -> Integers {
    let mut found = vec![Integers::default(); runs.len()];
    loop {
        let next: Vec<Integers> = (0..runs.len())
            .map(|node| of_node(component, &runs[node], node, &found))
            .collect();
        if next == found {
            return found.into_iter().next().unwrap_or_default();
        }
        found = next;
    }
}

fn of_node(
    component: &Component<'_>,
    runs: &[RegionRuns],
    node: usize,
    others: &[Integers],
) -> Integers {
    let params = &component.nodes[node].params;
    let size = |v: Var| {
        let slot = params.iter().find(|p| p.var == v)?.slot;
        measured(slot.argument, slot.metric, !slot.is_plain())
    };
    let mut all = others[node].clone();
    let clauses = (runs.iter().flat_map(|region| &region.worlds)).flat_map(|world| &world.clauses);
    for clause in clauses {
        for_each_step(&clause.tree, &mut |step| match step {
            Step::Integers(values) => values.iter().for_each(|v| all.join(of_value(v, &size))),
            Step::Call(call) => all.join(of_call(component, call, others, &size)),
            _ => {}
        });
    }
    all
}

fn of_call(
    component: &Component<'_>,
    call: &CallStep,
    others: &[Integers],
    size: &dyn Fn(Var) -> Option<MeasuredQuantity>,
) -> Integers {
    let (slots, integers): (Vec<Option<MeasuredQuantity>>, Integers) = match &call.callee {
        Callee::Inside(node) => {
            let slots = component.nodes[*node].params.iter().map(|p| p.slot);
            let measured = slots.map(|s| measured(s.argument, s.metric, !s.is_plain()));
            (measured.collect(), others[*node].clone())
        }
        Callee::Outside(callee) => {
            let params = callee.params.iter();
            let measured = params.map(|p| measured(p.argument - 1, p.metric, p.element));
            let events = component.shared.program.events(callee);
            (measured.collect(), events.integers.clone())
        }
    };
    let Integers::Bounded(needed) = integers else {
        return Integers::Unbounded;
    };
    let is_inside = matches!(call.callee, Callee::Inside(_));
    let mut all = Integers::Bounded(BTreeSet::new());
    for argument in needed {
        let place = slots
            .iter()
            .position(|s| *s == Some(MeasuredQuantity::Value(argument)));
        let value = place.and_then(|place| call.args.get(place));
        let value = value.cloned().unwrap_or_else(Size::unknown);
        all.join(match is_inside {
            true => of_handed_on(&value, size),
            false => of_value(&value, size),
        });
    }
    all
}
