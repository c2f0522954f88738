//! The systems of equations from which a predicate's bounds are derived, with certificates for their solutions.
//!
//! The equations (`1 + nrev(n-1) + n`) represent the clauses (`nrev([H|T], R) :- nrev(T, S), append(S, [H], R)`); the certificate only
//! covers the equations.

use std::cell::RefCell;

use costlens_recurrences::certify::{Certificate, certify};
use costlens_recurrences::{Direction, SolvedPiece, System, halving};

use crate::component::Component;
use crate::component::systems::SolvedSystem;
use crate::program::Program;
use crate::summary::Summary;

/// The system of a component, its solution, and the proof of the solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certified {
    /// The meaning of each function: `steps of nrev/2 (list(any), var)`.
    pub names: Vec<String>,
    /// The equations.
    pub system: System,
    /// The direction of the bounds.
    pub direction: Direction,
    /// The claimed bounds.
    pub pieces: Vec<Vec<SolvedPiece>>,
    /// The proofs of the claims.
    pub certificate: Certificate,
}

/// Returns the systems for sizes, solutions and steps of the predicate whose summary [`crate::infer`] returned as `known`. The function
/// runs the phases again.
#[must_use]
pub fn certified(known: &Summary, program: &dyn Program, fuel: u64) -> Vec<Certified> {
    let mut component = Component::again(known, program, fuel);
    component.kept = Some(RefCell::default());
    let costs = component.phases_again(known);
    let n = component.nodes.len();
    let name = |f: usize| match (f / n.max(1), f % n.max(1)) {
        (0, node) => format!("steps over all solutions of {}", component.called(node)),
        (1, node) => format!("steps to the first solution of {}", component.called(node)),
        _ => match component.sums.node(f) {
            Some(node) => format!(
                "sum of the steps over all solutions of {}",
                component.called(node)
            ),
            None => "a function that is infinite".to_owned(),
        },
    };
    let sides = [
        (costs.upper, Direction::Upper, costs.upper_solution),
        (costs.lower, Direction::Lower, costs.lower_solution),
    ];
    let steps = sides.map(|(system, direction, solution)| SolvedSystem {
        names: (0..system.functions.len()).map(name).collect(),
        system,
        direction,
        pieces: solution.functions,
    });
    let amortised = costs.amortised.get(&0).map(|a| SolvedSystem {
        names: (a.names.iter())
            .map(|name| format!("{name}, amortised"))
            .collect(),
        system: a.system.clone(),
        direction: Direction::Upper,
        pieces: a.pieces.clone(),
    });
    let before = component
        .kept
        .take()
        .map(RefCell::into_inner)
        .unwrap_or_default();
    (before.into_iter().chain(steps).chain(amortised))
        .map(with_certificate)
        .collect()
}

/// Adds the certificate. If the claims are not inductive over one unfolding of the equations, they may be inductive over two; the
/// certificate then covers the unfolded equations.
fn with_certificate(kept: SolvedSystem) -> Certified {
    let mut certificate = certify(&kept.system, &kept.pieces, kept.direction);
    let mut system = kept.system;
    let proofs = |c: &Certificate| c.pieces.iter().flatten().flatten().count();
    if kept.direction == Direction::Upper
        && let Some(unfolded) = halving(&system)
    {
        let other = certify(&unfolded, &kept.pieces, kept.direction);
        if proofs(&other) > proofs(&certificate) {
            (system, certificate) = (unfolded, other);
        }
    }
    Certified {
        certificate,
        names: kept.names,
        system,
        direction: kept.direction,
        pieces: kept.pieces,
    }
}
