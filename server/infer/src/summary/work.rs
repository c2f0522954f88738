//! The work of calls ([`costlens_events::Event::TotalWork`]), in relation to their resolution steps.

use std::sync::Arc;

use costlens_algebra::{Expr, rat};
use costlens_recurrences::{SolvedPiece, Value, Why};
use serde::{Deserialize, Serialize};

use super::pieces::{Pieces, Sides};
use crate::report::Functor;

/// The work of calls, as their callers use it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Work {
    /// At most this many units for each resolution step, so that work and steps have the same class.
    OfSteps(u32),
    /// At most this many units for each step of the upper bound on steps.
    OfBound(u32),
    /// Bounds of its own.
    Bounds(Arc<WorkBounds>),
    /// No bound is known, even if there is one on steps.
    Unknown,
}

/// Bounds on work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkBounds {
    /// Up to the first solution, failure or exception.
    pub first: Sides,
    /// Over all solutions.
    pub all: Sides,
    /// The goals whose work is more than a constant number of units for each step: built-ins, and called predicates.
    pub by: Vec<Functor>,
}

impl Default for Work {
    /// The work of clauses that run no built-ins.
    fn default() -> Self {
        Work::OfSteps(1)
    }
}

impl Work {
    /// Returns the work where steps have these bounds; `of` selects from bounds of work what `steps` is among bounds of steps.
    pub(crate) fn sides(&self, steps: &Sides, of: fn(&WorkBounds) -> &Sides) -> Sides {
        match self {
            Work::OfSteps(1) => steps.clone(),
            Work::OfSteps(factor) | Work::OfBound(factor) => Sides {
                lower: steps.lower.clone(),
                upper: scaled(&steps.upper, *factor),
            },
            Work::Bounds(bounds) => of(bounds).clone(),
            Work::Unknown => Sides {
                lower: steps.lower.clone(),
                upper: steps.upper.iter().map(unknown).collect(),
            },
        }
    }

    /// Returns the bounds, for changing their variables or regions.
    pub(crate) fn sides_mut(&mut self) -> impl Iterator<Item = &mut Sides> {
        let bounds = match self {
            Work::Bounds(bounds) => Some(Arc::make_mut(bounds)),
            Work::OfSteps(_) | Work::OfBound(_) | Work::Unknown => None,
        };
        bounds
            .into_iter()
            .flat_map(|bounds| [&mut bounds.first, &mut bounds.all])
    }

    /// Returns the bounds.
    pub(crate) fn own_sides(&self) -> impl Iterator<Item = &Sides> {
        let bounds = match self {
            Work::Bounds(bounds) => Some(bounds),
            Work::OfSteps(_) | Work::OfBound(_) | Work::Unknown => None,
        };
        bounds
            .into_iter()
            .flat_map(|bounds| [&bounds.first, &bounds.all])
    }
}

fn scaled(pieces: &Pieces, factor: u32) -> Pieces {
    let of_piece = |p: &SolvedPiece| match &p.value {
        Value::Known(e) => SolvedPiece {
            region: p.region.clone(),
            value: Value::Known(Expr::scale(e, &rat(i64::from(factor)))),
        },
        // A multiple of an unproved form is no candidate.
        Value::Unknown(Why::NotProved(_)) => unknown(p),
        Value::Diverges | Value::Unknown(_) => p.clone(),
    };
    pieces.iter().map(of_piece).collect()
}

fn unknown(piece: &SolvedPiece) -> SolvedPiece {
    SolvedPiece {
        region: piece.region.clone(),
        value: Value::Unknown(Why::NoForm),
    }
}
