//! Amortised bounds: the cost of a loop whose calls are expensive only if earlier calls have accumulated potential (Tarjan 1985).
//!
//! ```text
//! bincnt(0, _).
//! bincnt(N, B) :- N > 0, inc(B, B1), N1 is N-1, bincnt(N1, B1).
//! ```
//!
//! A single `inc/2` may traverse the whole counter, but n calls take fewer than 2n steps plus the number of ones at the start: a call that
//! takes c steps changes the number of ones from o to o - c + 2. Such a *tie* between the cost of a successful call and the sizes before
//! and after it is inferred like relations between sizes ([`crate::equations::relations`]), with the cost as an additional variable. If a
//! symbol pays for the cost, its weight is an additional size ([`crate::lattice::weight`]). In the equations of the loop, the cost of the
//! call is then a local variable constrained by the tie, and the ordinary solver infers and proves 3n+o+1: the potential is the part of the
//! bound that depends on the state.
//!
//! The loop and the predicates in the file that compute its state are analysed together as one component. The types, sizes and numbers of
//! solutions are those already inferred ([`charging`]). The analysis runs under a budget, and only if amortising may improve the bound
//! ([`chance`]). A bound in terms of weights is then converted to a bound in sizes ([`sizes`]): a list of length m contains at most m ones.

mod cells;
mod chance;
mod charging;
mod coarse;
mod joined;
mod sizes;

use std::rc::Rc;
use std::sync::Arc;

use costlens_recurrences::Direction;

use crate::component::Component;
use crate::lattice::weight::TermWeight;
use crate::summary::amortised_bounds::{Amortised, is_worth_another_measure};
use crate::summary::pieces::Pieces;
use crate::tree::runs::RegionRuns;

pub(crate) use cells::by_cells;

/// Returns a better bound for the first node of a component with solved costs, if amortising yields one.
pub(crate) fn amortise(
    component: &Component<'_>,
    runs: &[Rc<[RegionRuns]>],
    upper: &Pieces,
) -> Option<Arc<Amortised>> {
    if !upper.iter().any(|p| is_worth_another_measure(&p.value)) {
        return None;
    }
    let chance = chance::chance(component, runs.first()?)?;
    let sizes = chance.sizes.then_some(None);
    let symbols = (chance.symbols.iter().cloned()).map(|symbol| Some(TermWeight::Symbol(symbol)));
    for counted in sizes.into_iter().chain(symbols) {
        let found = attempt(component, &chance, counted);
        if let Some(found) = found
            && found.better(upper) != *upper
        {
            return Some(Arc::new(found));
        }
    }
    None
}

fn attempt(
    of: &Component<'_>,
    chance: &chance::Chance<'_>,
    counted: Option<TermWeight>,
) -> Option<Amortised> {
    let mut component = Component::joined(of, &chance.joined, &chance.callees, counted.clone())?;
    if !component.charge(of)? {
        return None;
    }
    let runs = component.runs();
    let system = component.cost_system(&runs, Direction::Upper);
    let (places, system) =
        coarse::coarser(&system, &component.measured_by_weight(&chance.arguments))?;
    let solution = component.run_solver(&system, Direction::Upper);
    let bound = sizes::in_sizes(
        solution.functions.first()?,
        component.nodes.first()?,
        of.nodes.first()?,
    )?;
    let n = component.nodes.len();
    let name = |f: &usize| match (f / n, f % n) {
        (0, node) => format!("steps over all solutions of {}", component.called(node)),
        (1, node) => format!("steps to the first solution of {}", component.called(node)),
        _ => "a function that is infinite".to_owned(),
    };
    let mut proof = solution.proof;
    proof.retain(|&(f, _)| f == 0);
    Some(Amortised {
        names: places.iter().map(name).collect(),
        counted,
        system,
        pieces: solution.functions,
        proof,
        bound,
    })
}
