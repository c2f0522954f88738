//! The inequalities of a linear program.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use costlens_algebra::linear::fraction::Fraction;

use super::unfolding::turns;
use super::unknowns::CellUnknowns;
use crate::forms::fit::basis_at;
use crate::forms::template::{LogForm, Template};
use crate::graph::CellId;
use crate::solver::state::SolverState;
use crate::system::Direction;

/// A row, and a lower bound on its product with the unknowns.
pub(crate) type Inequality = (Vec<Fraction>, Fraction);

/// Returns the inequalities at a point, at the extreme values of locals or at `every` value, or `None` if something could not be computed.
pub(crate) fn at_point(
    state: &mut SolverState<'_>,
    blocks: &BTreeMap<CellId, CellUnknowns>,
    id: CellId,
    point: &[i128],
    every: bool,
    rows: &mut Vec<Inequality>,
) -> Option<()> {
    let block = &blocks[&id];
    let unknowns = blocks.values().map(|b| b.start + b.basis.len()).max()?;
    let mut own = vec![Fraction::ZERO; unknowns];
    for (i, b) in basis_at(&block.compiled, point)?.into_iter().enumerate() {
        own[block.start + i] = b;
    }
    if state.direction == Direction::Upper {
        rows.push((own.clone(), Fraction::ZERO));
    }
    let cell = &state.system.functions[id.0].cells[id.1];
    if cell.alternatives.is_empty() && state.direction == Direction::Lower {
        rows.push((negated(&own)?, Fraction::ZERO));
    }
    let is_open = |cell: CellId| blocks.contains_key(&cell);
    for turn in turns(state, &is_open, id, point, every)?.iter() {
        let mut row = own.clone();
        for (factor, cell, args) in &turn.calls {
            let block = &blocks[cell];
            for (i, b) in basis_at(&block.compiled, args)?.into_iter().enumerate() {
                let entry = &mut row[block.start + i];
                *entry = entry.sub(b.mul(*factor)?)?;
            }
        }
        match state.direction {
            Direction::Upper => rows.push((row, turn.cost)),
            Direction::Lower => rows.push((negated(&row)?, turn.cost.negated()?)),
        }
    }
    Some(())
}

/// Returns the row with all signs reversed.
pub(crate) fn negated(row: &[Fraction]) -> Option<Vec<Fraction>> {
    row.iter().map(|x| x.negated()).collect()
}

/// Adds inequalities that exclude concave and decreasing forms, which are useless as lower bounds for large sizes.
pub(crate) fn without_concave(
    blocks: &BTreeMap<CellId, CellUnknowns>,
    template: &Template,
    unknowns: usize,
) -> Vec<Inequality> {
    if matches!(template, Template::Logarithmic(_, LogForm::Power(_), _)) {
        return Vec::new();
    }
    let mut rows = Vec::new();
    for block in blocks.values() {
        for (i, e) in block.basis.iter().enumerate() {
            if !e.is_linear() {
                let mut row = vec![Fraction::ZERO; unknowns];
                row[block.start + i] = Fraction::ONE;
                rows.push((row, Fraction::ZERO));
            }
        }
    }
    rows
}

/// Removes weaker inequalities with the same row. If the remaining inequalities exceed a limit, also removes inequalities at regular
/// intervals.
pub(crate) fn thin_out(rows: &mut Vec<Inequality>, limit: Option<usize>) {
    rows.sort_by(|a, b| compare(&a.0, &b.0).then_with(|| b.1.compare(a.1)));
    rows.dedup_by(|later, earlier| later.0 == earlier.0);
    if let Some(limit) = limit
        && rows.len() > limit
    {
        let step = rows.len().div_ceil(limit);
        *rows = std::mem::take(rows).into_iter().step_by(step).collect();
    }
}

fn compare(a: &[Fraction], b: &[Fraction]) -> Ordering {
    a.iter()
        .zip(b)
        .map(|(&x, &y)| x.compare(y))
        .find(|o| o.is_ne())
        .unwrap_or(Ordering::Equal)
}
