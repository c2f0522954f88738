//! Amortised bounds: what a loop costs whose calls take long only where earlier ones have put something aside (Tarjan 1985).
//!
//! ```text
//! bincnt(0, _).
//! bincnt(N, B) :- N > 0, inc(B, B1), N1 is N-1, bincnt(N1, B1).
//! ```
//!
//! One `inc/2` may walk over the whole counter, n of them take less than 2n steps and the ones that were there at the start: a call that
//! takes c steps leaves o - c + 2 ones of o. Such a *tie* between what a successful call costs, sizes before and sizes behind it is found as
//! relations between sizes are ([`super::relations`]), with the cost as one more variable, and with the weight of a symbol beside sizes
//! where that is what pays ([`super::weight`]). In the equations of the loop the cost of the call is then a local that the tie binds, and
//! the ordinary solver finds and proves 3n+o+1: the potential is the part of the bound that the state has.
//!
//! The loop and the predicates of the file that compute its state are looked at together as one component, with the types, sizes and numbers
//! of solutions that are known of them ([`component`]), under a budget, and only where there is a chance that it pays ([`chance`]). What has
//! been proved of weights is then read as a bound for sizes ([`sizes`]): a list of length m has at most m ones.

mod chance;
mod coarse;
mod component;
mod joined;
mod sizes;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use costlens_algebra::growth::{compare, growth};
use costlens_algebra::linear::Region;
use costlens_algebra::system::{Direction, SolvedPiece, System, Value};
use costlens_algebra::{Expr, Var};
use smol_str::SmolStr;

use super::explore::RegionRuns;
use super::solve::{Component, is_fuel};
use super::summary::Pieces;

/// Better upper bounds of a predicate under a pattern, and what they were proved of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amortised {
    /// The symbol that was counted.
    counted: Option<SmolStr>,
    /// The functions of the system.
    pub(crate) names: Vec<String>,
    pub(crate) system: System,
    /// What was proved of it, weights included.
    pub(crate) pieces: Vec<Vec<SolvedPiece>>,
    /// How, for the function of the predicate itself.
    pub(crate) proof: Vec<String>,
    /// The bound over all solutions, in the sizes of the predicate.
    bound: Pieces,
}

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
    let symbols = chance.symbols.iter().cloned().map(Some);
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

/// Whether a bound is missing, or worse than linear.
fn is_improvable(value: &Value) -> bool {
    match value {
        Value::Known(e) => !e.is_linear(),
        Value::Unknown(_) => !is_fuel(value),
        Value::Diverges => false,
    }
}

fn attempt(
    of: &Component<'_>,
    chance: &chance::Chance<'_>,
    counted: Option<SmolStr>,
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
    proof.retain(|line| line.starts_with("function 0: "));
    Some(Amortised {
        names: places.iter().map(name).collect(),
        counted,
        system,
        pieces: solution.functions,
        proof,
        bound,
    })
}

impl Amortised {
    /// What was tied to what.
    pub(crate) fn to_text(&self) -> String {
        let what = match &self.counted {
            Some(symbol) => format!("how often `{symbol}` occurs in the state"),
            None => "the sizes of the state".to_owned(),
        };
        format!("amortised: what a call in the loop takes is tied to {what} before and behind it")
    }

    /// The better of the two bounds, piece by piece. One that grows less is better, even if it is more at a few points.
    pub(crate) fn better(&self, than: &Pieces) -> Pieces {
        let mut result = Pieces::new();
        for old in than {
            if !is_improvable(&old.value) {
                result.push(old.clone());
                continue;
            }
            let mut left = vec![old.region.clone()];
            for new in &self.bound {
                let region = old.region.and_all(&new.region);
                if region.is_empty() || !is_better(&new.value, &old.value, &region) {
                    continue;
                }
                left = (left.iter())
                    .flat_map(|r| r.difference(&new.region))
                    .collect();
                result.push(SolvedPiece {
                    region: region.simplified(),
                    value: new.value.clone(),
                });
            }
            result.extend(left.into_iter().map(|region| SolvedPiece {
                region,
                value: old.value.clone(),
            }));
        }
        joined_pieces(result)
    }
}

fn is_better(new: &Value, old: &Value, on: &Region) -> bool {
    let Value::Known(new) = new else { return false };
    let Value::Known(old) = old else { return true };
    let fixed: BTreeMap<Var, Expr> = (on.variables().into_iter())
        .filter_map(|v| match on.bounds(&Expr::var(v)) {
            (Some(low), Some(high)) if low == high => Some((v, Expr::constant(low))),
            _ => None,
        })
        .collect();
    let (Some(new), Some(old)) = (new.substitute(&fixed), old.substitute(&fixed)) else {
        return false;
    };
    compare(&growth(&new), &growth(&old)) == Some(std::cmp::Ordering::Less)
}

/// Neighbouring pieces of one value as one.
fn joined_pieces(mut pieces: Pieces) -> Pieces {
    'again: loop {
        for i in 0..pieces.len() {
            for j in i + 1..pieces.len() {
                if pieces[i].value == pieces[j].value
                    && let Some(union) = pieces[i].region.union_if_convex(&pieces[j].region)
                {
                    pieces[i].region = union.simplified();
                    pieces.remove(j);
                    continue 'again;
                }
            }
        }
        return pieces;
    }
}
