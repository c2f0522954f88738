//! What one unfolding costs at a point and where it calls on.
//!
//! The inequality of a form at a point is made of it, whatever the form: `T(n) = T(i) + T(n-1-i) + n` asks at n = 4, i = 1 for
//! `f(4) - f(1) - f(2) >= 4`. Values of locals and of cells that are solved are looked up once for all the forms that are tried.

use std::rc::Rc;

use costlens_algebra::linear::fraction::Fraction;
use rustc_hash::FxHashMap;

use crate::graph::{CellId, components};
use crate::solver::component::Solver;
use crate::solver::template::extremes::extremes;
use crate::system::Direction;
use crate::values::evaluate::Worth;

/// Values of one local, and of several, that are looked at.
const CHOICES: (usize, usize) = (60, 400);

/// One alternative with one choice of its locals.
pub(crate) struct Turn {
    /// Without the calls below.
    pub(crate) cost: Fraction,
    pub(crate) calls: Vec<Call>,
}

/// A call of a cell that is not solved yet: how many times it counts, the cell, the arguments.
type Call = (Fraction, CellId, Vec<i128>);

/// A cell, a point of it, and whether every choice of the locals is meant.
type Place = (CellId, Vec<i128>, bool);

/// The turns that were looked up, for one set of open cells.
#[derive(Default)]
pub(crate) struct Turns {
    known: FxHashMap<Place, Rc<[Turn]>>,
}

impl Turns {
    /// To be called where other cells are solved than before.
    pub(crate) fn forget(&mut self) {
        self.known.clear();
    }

    /// Whether the value of a point that was looked up needs itself, and more: then no form is a bound. That is how it is where predicates call each
    /// other for the same sizes.
    pub(crate) fn are_circular(&self) -> bool {
        let all: Vec<(&Place, &Rc<[Turn]>)> = self.known.iter().collect();
        let mut numbers: FxHashMap<(CellId, &[i128]), Vec<usize>> = FxHashMap::default();
        for (number, ((cell, point, _), _)) in all.iter().enumerate() {
            numbers.entry((*cell, point)).or_default().push(number);
        }
        let nothing = Vec::new();
        let whole = |(factor, ..): &&Call| factor.less(Fraction::ONE) == Some(false);
        let calls = |turn: &Turn| -> Vec<usize> {
            let calls = turn.calls.iter().filter(whole);
            let to = calls
                .flat_map(|(_, cell, args)| numbers.get(&(*cell, &args[..])).unwrap_or(&nothing));
            to.copied().collect()
        };
        let edges: Vec<Vec<usize>> = all
            .iter()
            .map(|(_, turns)| turns.iter().flat_map(&calls).collect())
            .collect();
        let mut circle = vec![0; all.len()];
        for (i, members) in components(&edges).iter().enumerate() {
            for &member in members {
                circle[member] = i;
            }
        }
        all.iter().enumerate().any(|(from, (_, turns))| {
            let costly = turns.iter().filter(|turn| turn.cost.is_positive());
            costly.flat_map(&calls).any(|to| circle[to] == circle[from])
        })
    }
}

/// The turns at a point, at the extreme ones among the values of locals or at `every` one; none if something could not be computed.
pub(crate) fn turns(
    solver: &mut Solver<'_>,
    is_open: &dyn Fn(CellId) -> bool,
    id: CellId,
    point: &[i128],
    every: bool,
) -> Option<Rc<[Turn]>> {
    let place = (id, point.to_vec(), every);
    if let Some(known) = solver.turns.known.get(&place) {
        return Some(known.clone());
    }
    let found: Rc<[Turn]> = looked_up(solver, is_open, id, point, every)?.into();
    solver.turns.known.insert(place, found.clone());
    Some(found)
}

fn looked_up(
    solver: &mut Solver<'_>,
    is_open: &dyn Fn(CellId) -> bool,
    id: CellId,
    point: &[i128],
    every: bool,
) -> Option<Vec<Turn>> {
    let mut turns = Turning::default();
    let cell = &solver.system.functions[id.0].cells[id.1];
    for (a, alternative) in cell.alternatives.iter().enumerate() {
        if solver.graph.landings[id.0][id.1][a].is_none() {
            continue;
        }
        let limit = if alternative.locals.len() > 1 {
            CHOICES.1
        } else {
            CHOICES.0
        };
        let choices = solver.evaluator.choices(id, a, point, limit)?;
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
                let (callee, args, slot) = solver.evaluator.call(id, a, i, &values)?;
                let target = solver.evaluator.cell_of(callee, &args).map(|c| (callee, c));
                if let Some(target) = target.filter(|&t| is_open(t)) {
                    internal.push((slot, target, args.iter().map(|&x| x.into()).collect()));
                    if !is_nested {
                        continue;
                    }
                }
                match solver.evaluator.worth(callee, &args) {
                    Worth::Finite(x) => values[slot] = x,
                    Worth::Infinite if solver.direction == Direction::Lower => continue 'choices,
                    _ if solver.direction == Direction::Lower => {}
                    _ => return None,
                }
            }
            for (slot, ..) in &internal {
                values[*slot] = Fraction::ZERO;
            }
            let cost = match (solver.evaluator.value(id, a, &values), solver.direction) {
                (Some(cost), _) => cost,
                (None, Direction::Lower) if alternative.value.is_none() => Fraction::ZERO,
                (None, _) => return None,
            };
            let mut calls = Vec::with_capacity(internal.len());
            for (slot, target, args) in internal {
                values[slot] = Fraction::ONE;
                let factor = solver.evaluator.value(id, a, &values)?.sub(cost)?;
                values[slot] = Fraction::ZERO;
                calls.push((factor, target, args));
            }
            turns.add(solver.direction, cost, calls)?;
        }
    }
    Some(turns.turns)
}

/// Turns so far. Of those with the same calls only the one counts that asks for most: alternatives often differ in what no bound
/// depends on, such as what a case of a balance factor builds.
#[derive(Default)]
struct Turning {
    turns: Vec<Turn>,
    /// Where those with these calls are.
    places: FxHashMap<Vec<Call>, usize>,
}

impl Turning {
    fn add(&mut self, direction: Direction, cost: Fraction, calls: Vec<Call>) -> Option<()> {
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
