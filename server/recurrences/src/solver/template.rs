//! Bounds that are not exact: the coefficients of a form from a linear program.
//!
//! For the unknown coefficients `c` of a form `c·B` in each cell, "one unfolding is at most the form" is linear in `c` at each
//! sampled point (where calls stay in the component, `c·B(x) - Σ s·c·B(args) >= cost`). The program minimises the sum of the
//! values at the points (maximises, for lower bounds); what it returns has to pass the proof as any guess does.

mod extremes;
mod points;
mod program;
mod turns;

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::linear::fraction::Fraction;
use costlens_algebra::{Expr, Rat, Var, rat};

use crate::forms::bases;
use crate::forms::bases::LogForm;
use crate::forms::families::{Families, Logarithm};
use crate::forms::fit::Sample;
use crate::forms::products::Products;
use crate::graph::CellId;
use crate::solver::component::Solver;
use crate::system::{Direction, Value};
use crate::values::compiled::{Compiled, Slots};

use points::{Reach, points};
use program::Program;

pub(crate) use turns::Turns;

/// Unfoldings for one program.
const EVALUATION_FUEL: u64 = 2_000;

/// Denominators for what grows fastest, where its best factor is not proved.
const LOOSER: [i128; 2] = [4, 1];

/// The same for squares, whose factors are small: the cost of flattening a tree has eighteenths.
const LOOSER_SQUARES: [i128; 3] = [12, 2, 1];

/// Of so many variables the first may be the one with a logarithm.
const VARIABLE_LIMIT: usize = 3;

pub(crate) type Samples = BTreeMap<CellId, Sample>;
pub(crate) type Found = (BTreeMap<CellId, Value>, BTreeMap<CellId, String>);

/// A family of forms, the same for all cells of a component.
#[derive(Clone, Debug)]
enum Shape {
    Polynomial(u32),
    /// A quadratic one in one of the variables that vary: trees that are walked together, or to a depth, cost what one of them is large.
    OfOne(usize),
    /// The same with some room: the points know sizes that do not occur, which the proof does not.
    LooselyOfOne(usize),
    /// A polynomial and `b^v` for the variables that vary.
    Exponential(u32, Rat),
    /// A number and `b` to the power of a sum of the variables that vary, each with its sign: `2^(n+m)`, `2^(m-n)`.
    Branching(Rat, [i8; 2]),
    /// With a logarithm of one of the variables that vary, the only one but for depths.
    Logarithmic(Logarithm, LogForm, usize),
    /// Factorials and what goes with them ([`Products::monomials`]).
    Factorial(u32, Products),
}

impl Shape {
    /// None where the form does not apply.
    fn basis(&self, active: &[Var]) -> Option<Vec<Expr>> {
        let polynomials = |degree| {
            let monomials = bases::polynomials(active, degree);
            monomials.into_iter().map(|m| Expr::monomial(m, rat(1)))
        };
        match self {
            Self::Polynomial(degree) => Some(polynomials(*degree).collect()),
            Self::OfOne(at) | Self::LooselyOfOne(at) => {
                let one = active.get(*at).copied();
                let monomials = bases::polynomials(one.as_slice(), 2).into_iter();
                Some(monomials.map(|m| Expr::monomial(m, rat(1))).collect())
            }
            Self::Exponential(degree, b) => {
                let powers = active.iter().filter_map(|&v| Expr::exponential(b, v));
                Some(polynomials(*degree).chain(powers).collect())
            }
            Self::Branching(b, signs) => {
                let [v, w] = *active else {
                    return (active.len() < 2).then(|| polynomials(0).collect());
                };
                let power = |v: Var, sign: i8| {
                    let base = if sign > 0 { b.clone() } else { b.recip() };
                    Expr::exponential(&base, v)
                };
                let power = &power(v, signs[0])? * &power(w, signs[1])?;
                Some(polynomials(0).chain([power]).collect())
            }
            Self::Factorial(level, products) => {
                let monomials = products.monomials(active, *level).into_iter();
                Some(monomials.map(|m| Expr::monomial(m, rat(1))).collect())
            }
            Self::Logarithmic(log, form, at) => match active {
                [] => Some(polynomials(0).collect()),
                [v] if *at == 0 => bases::log_form(*v, *log, form),
                _ if *form == LogForm::Depth => bases::log_form(*active.get(*at)?, *log, form),
                _ => None,
            },
        }
    }

    fn is_polynomial(&self) -> bool {
        matches!(
            self,
            Self::Polynomial(_) | Self::OfOne(_) | Self::LooselyOfOne(_)
        )
    }

    /// The forms with logarithms that the equations suggest.
    fn logarithmic(families: &Families) -> Vec<Self> {
        let mut shapes = Vec::new();
        for log in &families.logarithms {
            let base = rat(log.base.into());
            let mut forms = Vec::new();
            forms.push(LogForm::Depth);
            if families.descends {
                forms.push(LogForm::DepthSquared);
            }
            if families.splits || families.bases.contains(&base) {
                forms.push(LogForm::Convex);
            }
            for a in &families.bases {
                if *a > rat(1) && *a != base {
                    forms.push(LogForm::Power(a.clone()));
                }
            }
            for at in 0..VARIABLE_LIMIT {
                let depths = |f: &&LogForm| at == 0 || **f == LogForm::Depth;
                let forms = forms.iter().filter(depths).cloned();
                shapes.extend(forms.map(|f| Self::Logarithmic(*log, f, at)));
            }
        }
        shapes
    }
}

/// Proved upper bounds that are depths of divisions, for functions of several sizes: among their few values that are near each
/// other a logarithm looks like a line.
pub(crate) fn depths(
    solver: &mut Solver<'_>,
    samples: &Samples,
    families: &Families,
) -> Option<Found> {
    let several = samples.values().any(|s| s.active.len() > 1);
    if solver.direction == Direction::Lower || !families.descends || !several {
        return None;
    }
    let shapes = Shape::logarithmic(families);
    let depth = |s: &&Shape| matches!(s, Shape::Logarithmic(_, LogForm::Depth, _));
    // Most cells have few points; one form for all of them has more to go by.
    for scope in [Scope::Functions, Scope::Cells] {
        let mut best: Option<(Fraction, Found)> = None;
        for shape in shapes.iter().filter(depth) {
            let to_beat = best.as_ref().map(|(worth, _)| *worth);
            if let Some(found) = with_shape(solver, samples, shape, scope, to_beat)
                && let Some(worth) = worth(solver, samples, &found.0)
                && to_beat.is_none_or(|other| is_better(solver.direction, worth, other))
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

/// Proved bounds for all sampled cells together.
pub(crate) fn search(
    solver: &mut Solver<'_>,
    samples: &Samples,
    exponents: &[Rat],
    families: &Families,
) -> Option<Found> {
    let mut shapes = Vec::new();
    let logarithmic = Shape::logarithmic(families);
    let products = &families.products;
    let factorial = |level: u32| Shape::Factorial(level, products.clone());
    let levels = if products.is_empty() { 0 } else { 3 };
    match solver.direction {
        Direction::Upper => {
            let is_depth = |s: &Shape| {
                matches!(
                    s,
                    Shape::Logarithmic(_, LogForm::Depth | LogForm::DepthSquared, _)
                )
            };
            let (depths, others): (Vec<Shape>, Vec<Shape>) =
                logarithmic.into_iter().partition(is_depth);
            shapes.push(Shape::Polynomial(0));
            shapes.extend(depths);
            shapes.push(Shape::Polynomial(1));
            shapes.extend(others);
            let several = samples.values().map(|s| s.active.len()).max().unwrap_or(0);
            shapes.push(Shape::Polynomial(2));
            if (2..=VARIABLE_LIMIT).contains(&several) {
                shapes.extend((0..several).map(Shape::OfOne));
            }
            shapes.extend((0..several.min(VARIABLE_LIMIT)).map(Shape::LooselyOfOne));
            shapes.extend((0..levels).map(factorial));
            for b in exponents {
                shapes.push(Shape::Exponential(0, b.clone()));
                shapes.push(Shape::Exponential(1, b.clone()));
            }
            shapes.push(Shape::Polynomial(3));
            if samples.values().any(|s| s.active.len() == 2) {
                for b in exponents {
                    let signs = [[1, 1], [1, -1], [-1, 1]];
                    shapes.extend(signs.map(|s| Shape::Branching(b.clone(), s)));
                }
            }
        }
        // The larger forms contain the smaller ones.
        Direction::Lower => {
            shapes.extend((0..levels).rev().map(factorial));
            for b in exponents.iter().rev() {
                shapes.push(Shape::Exponential(0, b.clone()));
                shapes.push(Shape::Exponential(1, b.clone()));
            }
            shapes.push(Shape::Polynomial(2));
            shapes.extend(logarithmic);
            shapes.extend([1, 0].map(Shape::Polynomial));
        }
    }
    if samples.values().all(|s| s.active.is_empty()) {
        // All other forms are numbers there.
        shapes = vec![Shape::Polynomial(0)];
    }
    // Of the forms with logarithms, none of which contains the others, the best one.
    let mut best: Option<(Fraction, Found)> = None;
    for (tried, (shape, scope)) in
        (attempts(solver.direction, samples, shapes).into_iter()).enumerate()
    {
        if tried == 1 && solver.direction == Direction::Upper && solver.turns.are_circular() {
            return None;
        }
        let is_logarithmic = matches!(shape, Shape::Logarithmic(..));
        solver.settle();
        if solver.fuel == 0 || (best.is_some() && !is_logarithmic) {
            break;
        }
        let to_beat = best.as_ref().map(|(worth, _)| *worth);
        let Some(found) = with_shape(solver, samples, &shape, scope, to_beat) else {
            continue;
        };
        if !is_logarithmic {
            return Some(found);
        }
        let Some(worth) = worth(solver, samples, &found.0) else {
            return Some(found);
        };
        if to_beat.is_none_or(|other| is_better(solver.direction, worth, other)) {
            best = Some((worth, found));
        }
    }
    best.map(|(_, found)| found)
}

/// Whether a bound worth this much is tighter than another.
fn is_better(direction: Direction, worth: Fraction, other: Fraction) -> bool {
    let (less, more) = match direction {
        Direction::Upper => (worth, other),
        Direction::Lower => (other, worth),
    };
    less.less(more) == Some(true)
}

/// Proved bounds of a shape. What the program finds before it is refuted is as tight as bounds of the shape are: where that does not
/// beat another bound, no proof is tried.
fn with_shape(
    solver: &mut Solver<'_>,
    samples: &Samples,
    shape: &Shape,
    scope: Scope,
    to_beat: Option<Fraction>,
) -> Option<Found> {
    let mut program = Program::new(solver, samples, shape, scope)?;
    if let Some(other) = to_beat
        && let Some(worth) = worth(solver, samples, &program.guesses())
        && !is_better(solver.direction, worth, other)
    {
        return None;
    }
    let is_loose = matches!(shape, Shape::LooselyOfOne(_));
    let mut found = None;
    if !is_loose {
        found = program.proved(solver, samples);
    }
    if is_loose || matches!(shape, Shape::Logarithmic(..)) {
        // With some room the lines of the proof need not be the best ones.
        let room: &[i128] = if is_loose { &LOOSER_SQUARES } else { &LOOSER };
        for &q in room {
            if found.is_none() && program.loosen(q, solver) {
                found = program.proved(solver, samples);
            }
        }
    }
    let found = found?;
    if program.round(solver) {
        let rounded = program.guesses();
        if let Ok(lines) = solver.proved(&rounded) {
            return Some((rounded, lines));
        }
    }
    Some(found)
}

/// The sum of the bounds' values at the sampled points and further out, where growth decides.
fn worth(
    solver: &Solver<'_>,
    samples: &Samples,
    guesses: &BTreeMap<CellId, Value>,
) -> Option<Fraction> {
    let mut sum = Fraction::ZERO;
    for (id, sample) in samples {
        let Value::Known(e) = guesses.get(id)? else {
            return None;
        };
        let slots = Slots::new(solver.system.functions[id.0].params.clone());
        let e = Compiled::new(e, &slots)?;
        for point in points(sample, Reach::Far, Scope::Cells) {
            let point: Vec<Fraction> = point.iter().map(|&x| Fraction::int(x)).collect();
            if let Some(value) = e.eval(&point) {
                sum = sum.add(value)?;
            }
        }
    }
    Some(sum)
}

/// Which points and unknowns a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// A form for each cell, at points of its sample.
    Cells,
    /// The same, with every point near the beginning: between points that are looked at a form may be too small.
    Dense,
    /// One form for all cells of a function. Of many cells few unknowns remain.
    Functions,
}

/// Each shape with the scopes that are worth a try.
fn attempts(direction: Direction, samples: &Samples, shapes: Vec<Shape>) -> Vec<(Shape, Scope)> {
    let functions: BTreeSet<usize> = samples.keys().map(|id| id.0).collect();
    let many = samples.len() > functions.len();
    let line = samples.values().all(|s| s.active.len() <= 1);
    let mut attempts = Vec::new();
    for shape in shapes {
        let more = matches!(shape, Shape::Polynomial(1 | 2)) && direction == Direction::Upper;
        attempts.push((shape.clone(), Scope::Cells));
        if more && line {
            attempts.push((shape.clone(), Scope::Dense));
        }
        if more && many {
            attempts.push((shape, Scope::Functions));
        }
    }
    attempts
}
