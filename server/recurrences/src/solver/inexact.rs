//! Inexact bounds, with the coefficients of a form computed by a linear program.
//!
//! For the unknown coefficients `c` of a form `c·B` in each cell, "one unfolding is at most the form" is linear in `c` at each sampled
//! point (if calls stay in the component, `c·B(x) - Σ s·c·B(args) >= cost`). The program minimises the sum of the values at the points (for
//! lower bounds, it maximises the sum). Like any guess, its solution must be proved.

mod extremes;
mod inequalities;
mod linear_program;
mod points;
mod unfolding;
mod unknowns;

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::Rat;
use costlens_algebra::linear::fraction::Fraction;

use crate::forms::families::Families;
use crate::forms::sample::Sample;
use crate::forms::template::{LogForm, Template, VARIABLE_LIMIT};
use crate::graph::CellId;
use crate::solver::state::{ProvedBounds, SolverState};
use crate::system::{Direction, Value};
use crate::values::compiled::{Compiled, Slots};
use linear_program::LinearProgram;
use points::{PointDistance, points};

/// The maximum number of unfoldings per program.
const EVALUATION_FUEL: u64 = 2_000;

/// Denominators for the coefficient of the fastest-growing monomial, tried if its best value is not proved.
const LOOSER: [i128; 2] = [4, 1];

/// The denominators for squares, whose factors are small: the cost of flattening a tree contains eighteenths.
const LOOSER_SQUARES: [i128; 3] = [12, 2, 1];

/// The denominator to which slopes are rounded that only approach their limit as points are added: 10/11, 99/100, ….
const STEEPER: i128 = 2;

pub(crate) type Samples = BTreeMap<CellId, Sample>;

/// Returns proved upper bounds that are depths of divisions, for functions of several sizes: on their few closely spaced values, a
/// logarithm looks like a line.
pub(crate) fn depths(
    state: &mut SolverState<'_>,
    samples: &Samples,
    families: &Families,
) -> Option<ProvedBounds> {
    let several = samples.values().any(|s| s.active.len() > 1);
    if state.direction == Direction::Lower || !families.descends || !several {
        return None;
    }
    let templates = Template::logarithmic(families);
    let depth = |s: &&Template| matches!(s, Template::Logarithmic(_, LogForm::Depth, _));
    // Most cells have few points; a form shared by all cells has more data.
    for scope in [Scope::Functions, Scope::Cells] {
        let mut best: Option<(Fraction, ProvedBounds)> = None;
        for template in templates.iter().filter(depth) {
            let to_beat = best.as_ref().map(|(worth, _)| *worth);
            if let Some(found) = with_template(state, samples, template, scope, to_beat)
                && let Some(worth) = worth(state, samples, &found.values)
                && to_beat.is_none_or(|other| is_better(state.direction, worth, other))
            {
                best = Some((worth, found));
            }
        }
        if let Some((_, found)) = best {
            return Some(found);
        }
    }
    None
}

/// Returns proved bounds for all sampled cells together.
pub(crate) fn search(
    state: &mut SolverState<'_>,
    samples: &Samples,
    exponents: &[Rat],
    families: &Families,
) -> Option<ProvedBounds> {
    let mut templates = ordered(state.direction, samples, exponents, families);
    if samples.values().all(|s| s.active.is_empty()) {
        // All other forms are constant on these samples.
        templates = vec![Template::Polynomial(0)];
    }
    // No form with logarithms contains another, so use the best form.
    let mut best: Option<(Fraction, ProvedBounds)> = None;
    for (tried, (template, scope)) in
        (attempts(state.direction, samples, templates).into_iter()).enumerate()
    {
        if tried == 1 && state.direction == Direction::Upper && state.turns.are_circular() {
            return None;
        }
        let is_logarithmic = matches!(template, Template::Logarithmic(..));
        state.settle();
        if state.fuel == 0 || (best.is_some() && !is_logarithmic) {
            break;
        }
        let to_beat = best.as_ref().map(|(worth, _)| *worth);
        let Some(found) = with_template(state, samples, &template, scope, to_beat) else {
            continue;
        };
        if !is_logarithmic {
            return Some(found);
        }
        let Some(worth) = worth(state, samples, &found.values) else {
            return Some(found);
        };
        if to_beat.is_none_or(|other| is_better(state.direction, worth, other)) {
            best = Some((worth, found));
        }
    }
    match best {
        Some((_, found)) => Some(found),
        None => steepened(state, samples),
    }
}

/// Returns linear upper bounds with slopes that are rounded up. If points are added to a program, its slopes may approach those of a bound
/// without ever being those.
fn steepened(state: &mut SolverState<'_>, samples: &Samples) -> Option<ProvedBounds> {
    if state.direction == Direction::Lower || state.fuel == 0 {
        return None;
    }
    let mut program =
        LinearProgram::new(state, samples, &Template::Polynomial(1), Scope::Functions)?;
    if !program.steepen(STEEPER, state) {
        return None;
    }
    program.proved(state, samples)
}

/// Returns the templates in the order in which they are tried. For upper bounds, smaller templates come first; for lower bounds, larger
/// templates, which include the smaller templates.
fn ordered(
    direction: Direction,
    samples: &Samples,
    exponents: &[Rat],
    families: &Families,
) -> Vec<Template> {
    let mut templates = Vec::new();
    let logarithmic = Template::logarithmic(families);
    let products = &families.products;
    let factorial = |level: u32| Template::Factorial(level, products.clone());
    let levels = if products.is_empty() { 0 } else { 3 };
    match direction {
        Direction::Upper => {
            let is_depth = |s: &Template| {
                matches!(
                    s,
                    Template::Logarithmic(_, LogForm::Depth | LogForm::DepthSquared, _)
                )
            };
            let (depths, others): (Vec<Template>, Vec<Template>) =
                logarithmic.into_iter().partition(is_depth);
            templates.push(Template::Polynomial(0));
            templates.extend(depths);
            templates.push(Template::Polynomial(1));
            templates.extend(others);
            let several = samples.values().map(|s| s.active.len()).max().unwrap_or(0);
            templates.push(Template::Polynomial(2));
            if (2..=VARIABLE_LIMIT).contains(&several) {
                templates.extend((0..several).map(Template::OfOne));
            }
            templates.extend((0..several.min(VARIABLE_LIMIT)).map(Template::LooselyOfOne));
            templates.extend((0..levels).map(factorial));
            for b in exponents {
                templates.push(Template::Exponential(0, b.clone()));
                templates.push(Template::Exponential(1, b.clone()));
            }
            templates.push(Template::Polynomial(3));
            if samples.values().any(|s| s.active.len() == 2) {
                for b in exponents {
                    let signs = [[1, 1], [1, -1], [-1, 1]];
                    templates.extend(signs.map(|s| Template::Branching(b.clone(), s)));
                }
            }
        }
        Direction::Lower => {
            templates.extend((0..levels).rev().map(factorial));
            for b in exponents.iter().rev() {
                templates.push(Template::Exponential(0, b.clone()));
                templates.push(Template::Exponential(1, b.clone()));
            }
            templates.push(Template::Polynomial(2));
            templates.extend(logarithmic);
            templates.extend([1, 0].map(Template::Polynomial));
        }
    }
    templates
}

/// Returns whether a bound with the given worth is tighter than another.
fn is_better(direction: Direction, worth: Fraction, other: Fraction) -> bool {
    let (less, more) = match direction {
        Direction::Upper => (worth, other),
        Direction::Lower => (other, worth),
    };
    less.less(more) == Some(true)
}

/// Returns proved bounds that are instances of a template. The program's first solution is the tightest instance of the template: if it is
/// no better than an existing bound, no proof is attempted.
fn with_template(
    state: &mut SolverState<'_>,
    samples: &Samples,
    template: &Template,
    scope: Scope,
    to_beat: Option<Fraction>,
) -> Option<ProvedBounds> {
    let mut program = LinearProgram::new(state, samples, template, scope)?;
    if let Some(other) = to_beat
        && let Some(worth) = worth(state, samples, &program.guesses())
        && !is_better(state.direction, worth, other)
    {
        return None;
    }
    let is_loose = matches!(template, Template::LooselyOfOne(_));
    let mut found = None;
    if !is_loose {
        found = program.proved(state, samples);
    }
    if is_loose || matches!(template, Template::Logarithmic(..)) {
        // With some slack, the proof does not depend on optimal coefficients.
        let room: &[i128] = if is_loose { &LOOSER_SQUARES } else { &LOOSER };
        for &q in room {
            if found.is_none() && program.loosen(q, state) {
                found = program.proved(state, samples);
            }
        }
    }
    let found = found?;
    if program.round(state) {
        let rounded = program.guesses();
        if let Ok(lines) = state.proved(&rounded) {
            return Some(ProvedBounds {
                values: rounded,
                lines,
            });
        }
    }
    Some(found)
}

/// Returns the sum of the bounds' values at the sampled points and at more distant ones, where growth dominates.
fn worth(
    state: &SolverState<'_>,
    samples: &Samples,
    guesses: &BTreeMap<CellId, Value>,
) -> Option<Fraction> {
    let mut sum = Fraction::ZERO;
    for (id, sample) in samples {
        let Value::Known(e) = guesses.get(id)? else {
            return None;
        };
        let slots = Slots::new(state.system.functions[id.0].params.clone());
        let e = Compiled::new(e, &slots)?;
        for point in points(sample, PointDistance::Far, Scope::Cells) {
            let point: Vec<Fraction> = point.iter().map(|&x| Fraction::int(x)).collect();
            if let Some(value) = e.eval(&point) {
                sum = sum.add(value)?;
            }
        }
    }
    Some(sum)
}

/// The selection of points and unknowns for a linear program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// One form per cell, at sampled points.
    Cells,
    /// One form per cell, at every point near the start: a form may be too small between sampled points.
    Dense,
    /// One form for all cells of a function, which keeps the number of unknowns small for many cells.
    Functions,
}

/// Returns each template with the scopes that are worth trying.
fn attempts(
    direction: Direction,
    samples: &Samples,
    templates: Vec<Template>,
) -> Vec<(Template, Scope)> {
    let functions: BTreeSet<usize> = samples.keys().map(|id| id.0).collect();
    let many = samples.len() > functions.len();
    let line = samples.values().all(|s| s.active.len() <= 1);
    let mut attempts = Vec::new();
    for template in templates {
        let more = matches!(template, Template::Polynomial(1 | 2)) && direction == Direction::Upper;
        attempts.push((template.clone(), Scope::Cells));
        if more && line {
            attempts.push((template.clone(), Scope::Dense));
        }
        if more && many {
            attempts.push((template, Scope::Functions));
        }
    }
    attempts
}
