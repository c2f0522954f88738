//! Closed forms through exact values: the smallest form that all sampled points of a cell lie on.

use costlens_algebra::linear::fraction::{Fraction, solve_all};
use costlens_algebra::{Constraint, Expr, Monomial, Region, Var, rat};

use crate::forms::families::Families;
use crate::forms::{bases, products};
use crate::values::compiled::{Compiled, Points, Slots};

/// The sampled points of a cell.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// Parameter values.
    pub(crate) points: Vec<Vec<i128>>,
    /// The parameters that vary from point to point.
    pub(crate) active: Vec<Var>,
    /// Whether these are all points of the region (up to parameters that do not matter).
    pub(crate) complete: bool,
}

/// Points of a region near the bounds of its variables. Parameters that do not matter get one value.
pub(crate) fn sample(
    region: &Region,
    params: &[Var],
    relevant: &[bool],
    stretch: i128,
) -> Option<Sample> {
    let slots = Slots::new(params.to_vec());
    let matter: Vec<Var> = params
        .iter()
        .zip(relevant)
        .filter(|&(_, &r)| r)
        .map(|(&p, _)| p)
        .collect();
    let (window, limit) = match matter.len() {
        0 | 1 => (11, 16),
        2 => (5, 60),
        3 => (3, 80),
        _ => (2, 90),
    };
    let window = window * stretch;
    let mut values = vec![0i128; params.len()];
    let points = Points::new(region, &slots, &matter)?;
    let mut found: Vec<Vec<i128>> = Vec::new();
    points.visit(&mut values, window, 4 * limit, &mut |p| {
        found.push(p.to_vec());
    });
    if found.is_empty() {
        return None;
    }
    let complete = found.len() <= limit
        && matter.iter().all(|&v| {
            let (low, high) = region.bounds(&Expr::var(v));
            low.is_some() && high.is_some()
        });
    if found.len() > limit {
        // Spread over what was enumerated rather than only its beginning.
        let step = found.len().div_ceil(limit);
        found = found.into_iter().step_by(step).collect();
    }
    Some(Sample {
        active: active(params, &found),
        points: found,
        complete,
    })
}

impl Sample {
    /// Keeps the points that occur.
    pub(crate) fn retain(&mut self, params: &[Var], mut occurs: impl FnMut(&[i128]) -> bool) {
        self.points.retain(|p| occurs(p));
        if !self.points.is_empty() {
            self.active = active(params, &self.points);
        }
    }
}

/// Points beyond the near ones of a cell with one size, next to the powers of a base: what grows like a logarithm shows itself
/// over several doublings only.
pub(crate) fn far(sample: &Sample, params: &[Var], base: u32) -> Option<Sample> {
    const NEAR: i128 = 40;
    let [v] = sample.active[..] else { return None };
    let at = params.iter().position(|&p| p == v)?;
    let least = sample.points.iter().map(|p| p[at]).min()?;
    if sample.complete || !(0..=64).contains(&least) {
        return None;
    }
    let most = if base > 4 { 1_002 } else { 130 };
    let mut values: Vec<i128> = (least..=least + NEAR).collect();
    let mut power = i128::from(base);
    while power <= most {
        values.extend([power - 1, power, power + 1]);
        power *= i128::from(base);
    }
    values.retain(|x| (least..=most.max(least + NEAR)).contains(x));
    values.sort_unstable();
    values.dedup();
    let points = values
        .into_iter()
        .map(|x| {
            let mut point = sample.points[0].clone();
            point[at] = x;
            point
        })
        .collect();
    Some(Sample {
        points,
        active: sample.active.clone(),
        complete: false,
    })
}

/// The first form that goes through all values; with spare points, unless there are no others.
pub(crate) fn exact(
    params: &[Var],
    sample: &Sample,
    values: &[Fraction],
    families: &Families,
    fuel: &mut u64,
) -> Option<Expr> {
    let mut all = bases::ordered(&sample.active, &families.exponents);
    if !families.products.is_empty() {
        let polynomials = all.iter().take_while(|b| plain(b)).cloned().collect();
        let form = first(params, sample, values, polynomials, fuel)
            .or_else(|| products::exact(params, sample, values, &families.products, fuel));
        if form.is_some() {
            return form;
        }
    }
    if families.has_atoms() {
        let polynomials = all.iter().take_while(|b| plain(b)).count();
        let with_atoms = bases::with_atoms(&sample.active, families);
        all.splice(polynomials..polynomials, with_atoms);
    }
    first(params, sample, values, all, fuel)
}

/// The first form with logarithms that goes through all values at [`far`] points.
pub(crate) fn logarithmic(
    params: &[Var],
    sample: &Sample,
    values: &[Fraction],
    families: &Families,
    fuel: &mut u64,
) -> Option<Expr> {
    let [v] = sample.active[..] else { return None };
    first(
        params,
        sample,
        values,
        bases::with_logarithms(v, families),
        fuel,
    )
}

/// Whether the form has these values, as far as they can be computed.
pub(crate) fn agrees(params: &[Var], sample: &Sample, values: &[Fraction], form: &Expr) -> bool {
    let slots = Slots::new(params.to_vec());
    let Some(form) = Compiled::new(form, &slots) else {
        return false;
    };
    sample.points.iter().zip(values).all(|(point, value)| {
        let point: Vec<Fraction> = point.iter().map(|&x| Fraction::int(x)).collect();
        form.eval(&point).is_none_or(|x| x == *value)
    })
}

fn plain(basis: &[Monomial]) -> bool {
    basis.iter().all(|m| m.exponentials.is_empty())
}

fn first(
    params: &[Var],
    sample: &Sample,
    values: &[Fraction],
    bases: Vec<Vec<Monomial>>,
    fuel: &mut u64,
) -> Option<Expr> {
    for basis in bases {
        let spare = if basis.len() == 1 || sample.complete {
            0
        } else {
            2
        };
        if basis.len() + spare > values.len() {
            continue;
        }
        *fuel = fuel.checked_sub(1)?;
        if let Some(e) = through(params, &sample.points, values, &basis) {
            return Some(e);
        }
    }
    None
}

/// A cut of the cell such that forms go through the values on either side: along `v <= w` for two parameters (`zip/3` is as long
/// as the shorter list), or beyond the first one or two values of a parameter.
pub(crate) fn cut(
    params: &[Var],
    sample: &Sample,
    values: &[Fraction],
    families: &Families,
    fuel: &mut u64,
) -> Option<Constraint> {
    let mut candidates = Vec::new();
    for (i, &v) in sample.active.iter().enumerate() {
        for &w in &sample.active[i + 1..] {
            for shift in [0, 1] {
                let right = &Expr::var(w) - &Expr::int(shift);
                candidates.extend(Constraint::le(&Expr::var(v), &right));
            }
        }
    }
    for &v in &sample.active {
        let at = params.iter().position(|&p| p == v)?;
        let least = sample.points.iter().map(|p| p[at]).min()?;
        for shift in [0, 1] {
            let bound = i64::try_from(least + shift).ok()?;
            candidates.extend(Constraint::le(&Expr::var(v), &Expr::int(bound)));
        }
    }
    candidates.truncate(CUT_LIMIT);
    let slots = Slots::new(params.to_vec());
    for cut in candidates {
        let inside = Points::new(&Region::everything().and(cut.clone()), &slots, &[])?;
        let mut sides = [(Vec::new(), Vec::new()), (Vec::new(), Vec::new())];
        for (point, &value) in sample.points.iter().zip(values) {
            let mut is_in = false;
            inside.visit(&mut point.clone(), 0, 1, &mut |_| is_in = true);
            let (points, values) = &mut sides[usize::from(is_in)];
            points.push(point.clone());
            values.push(value);
        }
        let fits = sides.into_iter().all(|(points, values)| {
            !points.is_empty() && {
                let sample = Sample {
                    active: active(params, &points),
                    points,
                    complete: false,
                };
                exact(params, &sample, &values, families, fuel).is_some()
            }
        });
        if fits {
            return Some(cut);
        }
    }
    None
}

/// Cuts that are tried.
const CUT_LIMIT: usize = 10;

fn active(params: &[Var], points: &[Vec<i128>]) -> Vec<Var> {
    params
        .iter()
        .enumerate()
        .filter(|&(i, _)| points.iter().any(|p| p[i] != points[0][i]))
        .map(|(_, &v)| v)
        .collect()
}

fn through(
    params: &[Var],
    points: &[Vec<i128>],
    values: &[Fraction],
    basis: &[Monomial],
) -> Option<Expr> {
    let compiled = compile_basis(params, basis)?;
    let rows: Option<Vec<(Vec<Fraction>, Fraction)>> = points
        .iter()
        .zip(values)
        .map(|(p, &v)| Some((basis_at(&compiled, p)?, v)))
        .collect();
    let coefficients = solve_all(rows?.into_iter(), basis.len(), true)?;
    Some(combination(basis, &coefficients))
}

/// The monomials for quick evaluation.
pub(crate) fn compile_basis(params: &[Var], basis: &[Monomial]) -> Option<Vec<Compiled>> {
    let slots = Slots::new(params.to_vec());
    basis
        .iter()
        .map(|m| Compiled::new(&Expr::monomial(m.clone(), rat(1)), &slots))
        .collect()
}

/// The values of the monomials at a point.
pub(crate) fn basis_at(basis: &[Compiled], point: &[i128]) -> Option<Vec<Fraction>> {
    let point: Vec<Fraction> = point.iter().map(|&x| Fraction::int(x)).collect();
    basis.iter().map(|m| m.eval(&point)).collect()
}

/// `Σ coefficientᵢ·monomialᵢ`.
pub(crate) fn combination(basis: &[Monomial], coefficients: &[Fraction]) -> Expr {
    let mut e = Expr::zero();
    for (m, c) in basis.iter().zip(coefficients) {
        e.add_monomial(m.clone(), c.rat());
    }
    e
}
