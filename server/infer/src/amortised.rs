//! Amortised bounds: what a loop costs whose calls take long only where earlier ones have put something aside (Tarjan 1985).
//!
//! ```text
//! bincnt(0, _).
//! bincnt(N, B) :- N > 0, inc(B, B1), N1 is N-1, bincnt(N1, B1).
//! ```
//!
//! One `inc/2` may walk over the whole counter, n of them take less than 2n steps and the ones that were there at the start: a call that
//! takes c steps leaves o - c + 2 ones of o. Such a *tie* between what a successful call costs, sizes before and sizes behind it is found as
//! relations between sizes are ([`crate::equations::relations`]), with the cost as one more variable, and with the weight of a symbol beside sizes
//! where that is what pays ([`crate::lattice::weight`]). In the equations of the loop the cost of the call is then a local that the tie binds, and
//! the ordinary solver finds and proves 3n+o+1: the potential is the part of the bound that the state has.
//!
//! The loop and the predicates of the file that compute its state are looked at together as one component, with the types, sizes and numbers
//! of solutions that are known of them ([`charging`]), under a budget, and only where there is a chance that it pays ([`chance`]). What has
//! been proved of weights is then read as a bound for sizes ([`sizes`]): a list of length m has at most m ones.

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
use crate::lattice::weight::Counted;
use crate::summary::amortised_bounds::{Amortised, is_improvable};
use crate::summary::pieces::Pieces;
use crate::tree::runs::RegionRuns;

pub(crate) use cells::by_cells;

/// A better bound for the first node of a component whose costs are solved, if amortising gives one.
pub(crate) fn amortise(
    component: &Component<'_>,
    runs: &[Rc<[RegionRuns]>],
    upper: &Pieces,
) -> Option<Arc<Amortised>> {
    if !upper.iter().any(|p| is_improvable(&p.value)) {
        return None;
    }
    let chance = chance::chance(component, runs.first()?)?;
    let sizes = chance.sizes.then_some(None);
    let symbols = (chance.symbols.iter().cloned()).map(|symbol| Some(Counted::Symbol(symbol)));
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
    counted: Option<Counted>,
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
