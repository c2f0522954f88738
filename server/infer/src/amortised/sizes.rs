//! Conversion of bounds in weights to bounds in sizes.

use std::collections::BTreeMap;

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Expr, Monomial, Var};
use costlens_recurrences::{SolvedPiece, Value, Why};
use num_traits::Signed;

use crate::lattice::types::{Metric, Type};
use crate::summary::node::{Node, Param};
use crate::summary::pieces::Pieces;

/// The maximum number of pieces during the conversion.
const MOST_PIECES: usize = 24;

/// Converts bounds in sizes and weights to bounds in the sizes of a node without weights: at each point, the maximum over all weights
/// possible for values of these sizes.
pub(super) fn in_sizes(pieces: &[SolvedPiece], weighed: &Node, plain: &Node) -> Option<Pieces> {
    let slot = |p: &Param| (p.slot.argument, p.slot.element);
    let mut names: BTreeMap<Var, Expr> = BTreeMap::new();
    for p in weighed.params.iter().filter(|p| !is_beside(p)) {
        let own = plain.params.iter().find(|q| slot(q) == slot(p))?;
        names.insert(p.var, Expr::var(own.var));
    }
    let weights: Vec<(Var, Option<Expr>)> = (weighed.params.iter())
        .filter(|p| is_beside(p))
        .map(|p| (p.var, most_of(weighed, p)))
        .collect();
    let mut sized = weighed.domain.clone();
    for (weight, most) in &weights {
        if let Some(most) = most
            && let Some(c) = Constraint::le(&Expr::var(*weight), most)
        {
            sized = sized.and(c);
        }
    }
    let forget: Vec<Var> = weights.iter().map(|w| w.0).collect();
    let mut bounds: Vec<(Region, Option<Expr>)> = Vec::new();
    for piece in pieces {
        let region = sized.and_all(&piece.region);
        if region.is_empty() {
            continue;
        }
        let shadow = region.project_out(&forget)?.simplified();
        let value = match &piece.value {
            Value::Known(e) => without_weights(e, &weights),
            _ => None,
        };
        bounds = greatest(bounds, shadow, value);
        if bounds.len() > MOST_PIECES {
            return None;
        }
    }
    let named = bounds.into_iter().map(|(region, value)| {
        let value = match value {
            Some(e) => Value::Known(e.substitute(&names)?),
            None => Value::Unknown(Why::Callee),
        };
        Some(SolvedPiece {
            region: region.substitute(&names)?,
            value,
        })
    });
    named.collect()
}

/// Returns whether a parameter is a weight, or a size that a node without weights lacks.
fn is_beside(param: &Param) -> bool {
    param.slot.weight || param.slot.whole
}

/// Returns the maximum of a weight, in terms of the sizes of its argument.
fn most_of(node: &Node, weight: &Param) -> Option<Expr> {
    let argument = weight.slot.argument;
    let of = |is_it: &dyn Fn(&Param) -> bool| {
        let mut own = (node.params.iter()).filter(|p| p.slot.argument == argument);
        own.find(|p| is_it(p)).map(|p| (Expr::var(p.var), p.slot))
    };
    let (size, slot) = of(&|p| p.slot.is_plain())?;
    if weight.slot.whole {
        // One cell per element, each element as large as the largest, and `[]`. A list of k constants has size 2k+1.
        let (element, of) = of(&|p| p.slot.element)?;
        let element = match of.metric {
            Metric::Size => element,
            Metric::Length | Metric::Int | Metric::Chars | Metric::Keys => return None,
        };
        return Some(&(&size * &(&element + &Expr::int(1))) + &Expr::int(1));
    }
    let is_constant = Type::is_constant;
    let is_bounded = match &node.pattern.0[argument] {
        Type::List(element) => is_constant(element),
        _ => slot.metric == Metric::Size,
    };
    is_bounded.then_some(size)
}

/// Returns the maximum over all weights, where each ranges from 0 to its maximum.
fn without_weights(e: &Expr, weights: &[(Var, Option<Expr>)]) -> Option<Expr> {
    let mut by = BTreeMap::new();
    for (weight, most) in weights {
        let occurs = |m: &Monomial| m.variables().any(|v| v == *weight);
        let mut alone = Monomial::one();
        alone.powers.insert(*weight, 1);
        // The weight must occur linearly with a constant factor.
        if e.terms().any(|(m, _)| occurs(m) && *m != alone) {
            return None;
        }
        let factor = e.coefficient(&alone);
        if factor.is_positive() {
            by.insert(*weight, most.clone()?);
        } else {
            by.insert(*weight, Expr::zero());
        }
    }
    e.substitute(&by)
}

/// Adds a bound that may overlap other bounds; overlaps take the greater bound.
fn greatest(
    bounds: Vec<(Region, Option<Expr>)>,
    region: Region,
    value: Option<Expr>,
) -> Vec<(Region, Option<Expr>)> {
    let mut result = Vec::new();
    let mut left = vec![region.clone()];
    for (other, bound) in bounds {
        let both = other.and_all(&region);
        if both.is_empty() {
            result.push((other, bound));
            continue;
        }
        left = left.iter().flat_map(|r| r.difference(&other)).collect();
        let greater = match (&bound, &value) {
            (Some(a), Some(b)) if nonnegative(&(a - b), &both) => Some(a.clone()),
            (Some(a), Some(b)) if nonnegative(&(b - a), &both) => Some(b.clone()),
            // Neither bound is negative, so their sum is at least the greater one.
            (Some(a), Some(b)) => Some(a + b),
            _ => None,
        };
        if greater == bound {
            result.push((other, bound));
            continue;
        }
        result.extend(
            other
                .difference(&region)
                .into_iter()
                .map(|r| (r, bound.clone())),
        );
        result.push((both, greater));
    }
    result.extend(left.into_iter().map(|r| (r, value.clone())));
    result.retain(|(r, _)| !r.is_empty());
    result
}
