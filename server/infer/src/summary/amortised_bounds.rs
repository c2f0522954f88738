//! Upper bounds for loops whose calls are expensive only if earlier calls have accumulated potential.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use costlens_algebra::growth::{compare, growth};
use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{SolvedPiece, System, Value, Why};
use serde::{Deserialize, Serialize};

use super::pieces::{Pieces, is_fuel};
use crate::lattice::weight::TermWeight;

/// Better upper bounds for a predicate with a call pattern, and the system in which they were proved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amortised {
    /// The weight that is counted.
    pub(crate) counted: Option<TermWeight>,
    /// The names of the system's functions.
    pub(crate) names: Vec<String>,
    pub(crate) system: System,
    /// The proved bounds for the functions, including weights.
    pub(crate) pieces: Vec<Vec<SolvedPiece>>,
    /// The proof for the function of the predicate itself.
    pub(crate) proof: Vec<(usize, String)>,
    /// The bound over all solutions, in the predicate's sizes.
    pub(crate) bound: Pieces,
}

impl Amortised {
    /// Describes, in a sentence, how the costs are tied to the state.
    pub(crate) fn to_text(&self) -> String {
        let what = match &self.counted {
            Some(TermWeight::Cells) => {
                return "lists of terms are measured by their size and by the number of their cells"
                    .to_owned();
            }
            Some(TermWeight::Symbol(symbol)) => format!("how often `{symbol}` occurs in the state"),
            None => "the sizes of the state".to_owned(),
        };
        format!("amortised: what a call in the loop takes is tied to {what} before and behind it")
    }

    /// Returns the better of the two bounds, piece by piece. A bound that grows more slowly is better, even if it is greater at a few
    /// points.
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
    compared(new, old, on) == Some(Ordering::Less)
}

/// Compares how fast two upper bounds grow in a region; no bound is the greatest. Returns `None` if the new bound is unknown, or if neither
/// is known to grow faster.
pub(crate) fn compared(new: &Value, old: &Value, on: &Region) -> Option<Ordering> {
    let Value::Known(new) = new else { return None };
    let Value::Known(old) = old else {
        return Some(Ordering::Less);
    };
    let fixed: BTreeMap<Var, Expr> = (on.variables().into_iter())
        .filter_map(|v| match on.bounds(&Expr::var(v)) {
            (Some(low), Some(high)) if low == high => Some((v, Expr::constant(low))),
            _ => None,
        })
        .collect();
    let (new, old) = (new.substitute(&fixed)?, old.substitute(&fixed)?);
    compare(&growth(&new), &growth(&old))
}

/// Merges neighbouring pieces with equal values.
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

/// Returns whether a bound is missing or worse than linear, and another measure of the terms may give a better one. It cannot where the cost
/// of a goal is unknown.
pub(crate) fn is_worth_another_measure(value: &Value) -> bool {
    is_improvable(value) && !matches!(value, Value::Unknown(Why::Unbounded))
}

/// Returns whether a bound is missing or worse than linear.
fn is_improvable(value: &Value) -> bool {
    match value {
        Value::Known(e) => !e.is_linear(),
        Value::Unknown(_) => !is_fuel(value),
        Value::Diverges => false,
    }
}
