//! Computes turns. A turn evaluates the locals, the solved cells and the cost of one unfolding.

use std::rc::Rc;

use costlens_algebra::linear::fraction::Fraction;
use rustc_hash::FxHashMap;

use super::extremes::extremes;
use crate::graph::CellId;
use crate::solver::state::SolverState;
use crate::solver::turns::{Turn, TurnCall};
use crate::system::Direction;
use crate::values::evaluate::Worth;

/// The maximum number of values for one local, and for several locals together.
const CHOICES: (usize, usize) = (60, 400);

/// Returns the turns at a point, at the extreme values of locals or at `every` value, or `None` if something could not be computed.
pub(crate) fn turns(
    state: &mut SolverState<'_>,
    is_open: &dyn Fn(CellId) -> bool,
    id: CellId,
    point: &[i128],
    every: bool,
) -> Option<Rc<[Turn]>> {
    let key = (id, point.to_vec(), every);
    if let Some(known) = state.turns.known.get(&key) {
        return Some(known.clone());
    }
    let found: Rc<[Turn]> = looked_up(state, is_open, id, point, every)?.into();
    state.turns.known.insert(key, found.clone());
    Some(found)
}

fn looked_up(
    state: &mut SolverState<'_>,
    is_open: &dyn Fn(CellId) -> bool,
    id: CellId,
    point: &[i128],
    every: bool,
) -> Option<Vec<Turn>> {
    let mut turns = Turning::default();
    let cell = &state.system.functions[id.0].cells[id.1];
    for (a, alternative) in cell.alternatives.iter().enumerate() {
        if state.graph.landings[id.0][id.1][a].is_none() {
            continue;
        }
        let limit = if alternative.locals.len() > 1 {
            CHOICES.1
        } else {
            CHOICES.0
        };
        let choices = state.evaluator.choices(id, a, point, limit)?;
        let (from, to) = (point.len(), point.len() + alternative.locals.len());
        let choices = if every {
            choices
        } else {
            extremes(choices, from, to)
        };
        let nested: Vec<bool> = (0..alternative.results.len())
            .map(|i| {
                let result = alternative.results[i].var;
                let mut later = alternative.results[i + 1..].iter().flat_map(|r| &r.args);
                later.any(|e| e.variables().contains(&result))
            })
            .collect();
        'choices: for mut values in choices {
            let mut internal: Vec<(usize, CellId, Vec<i128>)> = Vec::new();
            for (i, &is_nested) in nested.iter().enumerate() {
                let (callee, args, slot) = state.evaluator.call(id, a, i, &values)?;
                let target = state.evaluator.cell_of(callee, &args).map(|c| (callee, c));
                if let Some(target) = target.filter(|&t| is_open(t)) {
                    internal.push((slot, target, args.iter().map(|&x| x.into()).collect()));
                    if !is_nested {
                        continue;
                    }
                }
                match state.evaluator.worth(callee, &args) {
                    Worth::Finite(x) => values[slot] = x,
                    Worth::Infinite if state.direction == Direction::Lower => continue 'choices,
                    _ if state.direction == Direction::Lower => {}
                    _ => return None,
                }
            }
            for (slot, ..) in &internal {
                values[*slot] = Fraction::ZERO;
            }
            let cost = match (state.evaluator.value(id, a, &values), state.direction) {
                (Some(cost), _) => cost,
                (None, Direction::Lower) if alternative.value.is_none() => Fraction::ZERO,
                (None, _) => return None,
            };
            let mut calls = Vec::with_capacity(internal.len());
            for (slot, target, args) in internal {
                values[slot] = Fraction::ONE;
                let factor = state.evaluator.value(id, a, &values)?.sub(cost)?;
                values[slot] = Fraction::ZERO;
                calls.push((factor, target, args));
            }
            turns.add(state.direction, cost, calls)?;
        }
    }
    Some(turns.turns)
}

/// The turns so far. Among turns with the same calls, only the most expensive turn counts: alternatives often differ in details on which no
/// bound depends, such as the term that a case of a balance factor builds.
#[derive(Default)]
struct Turning {
    turns: Vec<Turn>,
    /// The indices of turns, keyed by their calls.
    places: FxHashMap<Vec<TurnCall>, usize>,
}

impl Turning {
    fn add(&mut self, direction: Direction, cost: Fraction, calls: Vec<TurnCall>) -> Option<()> {
        let Some(&at) = self.places.get(&calls) else {
            self.places.insert(calls.clone(), self.turns.len());
            self.turns.push(Turn { cost, calls });
            return Some(());
        };
        let known = &mut self.turns[at].cost;
        let asks_for_more = match direction {
            Direction::Upper => known.less(cost)?,
            Direction::Lower => cost.less(*known)?,
        };
        if asks_for_more {
            *known = cost;
        }
        Some(())
    }
}
