//! Exact bounds: values at a few points, a form that passes through these values, and the proof of the form.

use std::collections::BTreeMap;

use costlens_algebra::linear::fraction::Fraction;
use costlens_algebra::{Constraint, Expr, rat};

use crate::forms::families::Families;
use crate::forms::fit;
use crate::forms::sample::{self, Sample};
use crate::graph::CellId;
use crate::solver::state::{Cut, Failure, SolverState};
use crate::system::{Alternative, Value, Why};
use crate::values::evaluate::Worth;

/// The maximum number of unfoldings per cell while sampling.
const SAMPLE_FUEL: u64 = 3_000;

/// The factor by which the window of points is widened if some points do not occur.
const STRETCH: i128 = 2;

/// Returns sample points of a cell. If some points do not occur, the sample instead contains the occurring points of a wider window.
pub(crate) fn sample(state: &mut SolverState<'_>, id: CellId) -> Option<Sample> {
    let function = &state.system.functions[id.0];
    let (cell, params) = (&function.cells[id.1], &function.params);
    let sample = sample::sample_near(&cell.region, params, &state.relevant[id.0], 1)?;
    let whole = |a: &Alternative| cell.region.implies_all(&a.constraints);
    if !cell.exhaustive || cell.alternatives.iter().any(whole) {
        return Some(sample);
    }
    let mut found = occurring(state, id, sample.clone());
    if found.points.len() < sample.points.len() {
        let wider = sample::sample_near(&cell.region, params, &state.relevant[id.0], STRETCH)?;
        found = occurring(state, id, wider);
        found.points.truncate(sample.points.len());
    }
    (!found.points.is_empty()).then_some(found)
}

/// Returns the points of a sample that occur.
fn occurring(state: &mut SolverState<'_>, id: CellId, mut sample: Sample) -> Sample {
    let budget = SAMPLE_FUEL.min(state.fuel);
    state.evaluator.fuel = budget;
    let evaluator = &mut state.evaluator;
    sample.retain(&state.system.functions[id.0].params, |p| {
        let point: Option<Vec<i64>> = p.iter().map(|&x| i64::try_from(x).ok()).collect();
        point.is_some_and(|p| evaluator.worth(id.0, &p) != Worth::Absent)
    });
    state.fuel -= (budget - state.evaluator.fuel) / 8;
    sample
}

/// Fits forms to the exact values.
pub(crate) fn solve(
    state: &mut SolverState<'_>,
    samples: &BTreeMap<CellId, Sample>,
    families: &Families,
) -> Result<(), Failure> {
    let mut guesses = BTreeMap::new();
    let mut doubtful: Vec<(CellId, Vec<Fraction>)> = Vec::new();
    let mut misfit = None;
    for (&id, sample) in samples {
        if let Some(e) = read_off(state, id) {
            guesses.insert(id, Value::Known(e));
            continue;
        }
        let params = &state.system.functions[id.0].params;
        let values = sampled(state, id, sample);
        let far = far(state, id, sample, families);
        let mut form = values
            .as_ref()
            .and_then(|v| fit::exact(params, sample, v, families, &mut state.fuel));
        if let Some((far, values)) = &far {
            // Near points alone do not reveal a logarithm, which is constant on them.
            form = form
                .filter(|e| fit::agrees(params, far, values, e))
                .or_else(|| fit::logarithmic(params, far, values, families, &mut state.fuel));
        }
        if form.is_none()
            && let (Some(values), [_]) = (&values, &sample.active[..])
            && let Some(families) = Families::from_values(values)
        {
            form = fit::exact(params, sample, values, &families, &mut state.fuel);
        }
        match form {
            Some(e) => {
                // With few values, a logarithm also looks like a power.
                if !families.has_atoms() && fit::has_no_spare(params, sample, &e) {
                    doubtful.extend(values.map(|values| (id, values)));
                }
                guesses.insert(id, Value::Known(e));
            }
            None => {
                misfit = misfit.or(Some(id));
                if let Some(values) = values
                    && state.may_cut
                    && let Some(constraint) =
                        fit::cut(params, sample, &values, families, &mut state.fuel)
                {
                    state.cut = Some(Cut {
                        cell: id,
                        constraint,
                    });
                    break;
                }
            }
        }
    }
    state.evaluator.forget();
    if let Some(id) = misfit {
        return Err((id, Why::NoForm));
    }
    let lines = match state.proved(&guesses) {
        Ok(lines) => lines,
        Err(failure) => {
            for (id, values) in doubtful.iter().filter(|_| state.may_cut) {
                let params = &state.system.functions[id.0].params;
                let sample = &samples[id];
                if let Some(constraint) =
                    fit::cut(params, sample, values, families, &mut state.fuel)
                {
                    state.cut = Some(Cut {
                        cell: *id,
                        constraint,
                    });
                    break;
                }
            }
            return Err(failure);
        }
    };
    for (id, line) in lines {
        let value = guesses[&id].clone();
        let points = samples[&id].points.len();
        state.set(id, value, format!("exact at {points} points; {line}"));
    }
    Ok(())
}

/// Returns a cut of a cell such that forms pass through the values on both sides, using points of a wider window because too few near
/// points lie on one side.
pub(crate) fn wider_cut(
    state: &mut SolverState<'_>,
    id: CellId,
    families: &Families,
) -> Option<Constraint> {
    let function = &state.system.functions[id.0];
    let (region, params) = (&function.cells[id.1].region, &function.params);
    let sample = sample::sample_near(region, params, &state.relevant[id.0], STRETCH)?;
    if sample.complete || sample.active.len() < 2 || families.has_atoms() {
        return None;
    }
    let sample = occurring(state, id, sample);
    let values = sampled(state, id, &sample)?;
    fit::cut(params, &sample, &values, families, &mut state.fuel)
}

/// Returns more distant points, where logarithms become visible, and the values at these points.
fn far(
    state: &mut SolverState<'_>,
    id: CellId,
    sample: &Sample,
    families: &Families,
) -> Option<(Sample, Vec<Fraction>)> {
    let params = &state.system.functions[id.0].params;
    let base = families.logarithms.iter().map(|l| l.base).max()?;
    let mut sample = sample::far(sample, params, base)?;
    let values = sampled_as_far(state, id, &sample);
    // The evaluation stops early when values grow rapidly.
    if values.len() < 24.min(sample.points.len()) {
        return None;
    }
    sample.points.truncate(values.len());
    Some((sample, values))
}

/// Returns the value of a cell with a single alternative and no calls (`app([], L, L).`).
fn read_off(state: &SolverState<'_>, (f, c): CellId) -> Option<Expr> {
    let function = &state.system.functions[f];
    let cell = &function.cells[c];
    let [alternative] = &cell.alternatives[..] else {
        return None;
    };
    let value = alternative.value.as_ref()?;
    (alternative.results.is_empty()
        && alternative.locals.is_empty()
        && cell.region.implies_all(&alternative.constraints)
        && value
            .variables()
            .iter()
            .all(|v| function.params.contains(v))
        && value.as_constant().is_none_or(|c| c >= rat(0)))
    .then(|| value.clone())
}

/// Returns exact values at the points of a cell, or `None` if some point has no value.
fn sampled(state: &mut SolverState<'_>, id: CellId, sample: &Sample) -> Option<Vec<Fraction>> {
    let values = sampled_as_far(state, id, sample);
    (values.len() == sample.points.len()).then_some(values)
}

/// Returns exact values at the points of a cell, up to the first point without a value.
fn sampled_as_far(state: &mut SolverState<'_>, id: CellId, sample: &Sample) -> Vec<Fraction> {
    let budget = SAMPLE_FUEL.min(state.fuel);
    state.evaluator.fuel = budget;
    let mut values = Vec::with_capacity(sample.points.len());
    for point in &sample.points {
        let point: Option<Vec<i64>> = point.iter().map(|&x| i64::try_from(x).ok()).collect();
        let value = point.and_then(|p| state.evaluator.value_at(id.0, &p));
        match value {
            Some(v) => values.push(v),
            None => break,
        }
    }
    // An unfolding is cheaper than a proof step.
    state.fuel -= (budget - state.evaluator.fuel) / 8;
    values
}
