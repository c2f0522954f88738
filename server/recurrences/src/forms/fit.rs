//! Fitting closed forms to exact values: the smallest form that passes through all sampled points of a cell.

use std::collections::BTreeSet;

use costlens_algebra::linear::fraction::{Fraction, FreeUnknowns, solve_all};
use costlens_algebra::{Constraint, Expr, Monomial, Region, Var, rat};

use crate::forms::families::Families;
use crate::forms::products::Products;
use crate::forms::sample::{Sample, active};
use crate::forms::{bases, echelon, products};
use crate::values::compiled::{Compiled, Points, Slots};

/// Returns the first form that passes through all values, with spare points unless the sample is complete.
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
            .or_else(|| with_factorials(params, sample, values, &families.products, fuel));
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

/// Returns the first form with logarithms that also passes through the values at more distant points ([`crate::forms::sample::far`]).
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

/// Returns whether a form has the given values, as far as they can be computed.
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

/// Returns whether a form contains such a high power of some parameter that it would fit any values at the few sampled values of that
/// parameter. For example, a cubic passes through `0, 0, 1, 2`, the values of `max(m-1, 0)`.
pub(crate) fn has_no_spare(params: &[Var], sample: &Sample, form: &Expr) -> bool {
    !sample.complete
        && params.iter().enumerate().any(|(i, v)| {
            let powers = form.terms().filter_map(|(m, _)| m.powers.get(v));
            let degree = powers.max().map_or(0, |&k| k as usize);
            let values: BTreeSet<i128> = sample.points.iter().map(|p| p[i]).collect();
            degree > 0 && degree + 1 >= values.len()
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
        if let Some(e) = interpolate(params, &sample.points, values, &basis) {
            return Some(e);
        }
    }
    None
}

/// Returns a cut of the cell such that forms pass through the values on both sides. It cuts along `v <= w` for two parameters (the cost of
/// `zip/3` depends on the shorter list), or after the first one or two values of a parameter.
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

/// The maximum number of cuts that are tried.
const CUT_LIMIT: usize = 10;

fn interpolate(
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
    let coefficients = solve_all(rows?.into_iter(), basis.len(), FreeUnknowns::Zero)?;
    Some(combination(basis, &coefficients))
}

/// Compiles the monomials for fast evaluation.
pub(crate) fn compile_basis(params: &[Var], basis: &[Monomial]) -> Option<Vec<Compiled>> {
    let slots = Slots::new(params.to_vec());
    basis
        .iter()
        .map(|m| Compiled::new(&Expr::monomial(m.clone(), rat(1)), &slots))
        .collect()
}

/// Returns the values of the monomials at a point.
pub(crate) fn basis_at(basis: &[Compiled], point: &[i128]) -> Option<Vec<Fraction>> {
    let point: Vec<Fraction> = point.iter().map(|&x| Fraction::int(x)).collect();
    basis.iter().map(|m| m.eval(&point)).collect()
}

/// Returns `Σ coefficientᵢ·monomialᵢ`.
pub(crate) fn combination(basis: &[Monomial], coefficients: &[Fraction]) -> Expr {
    let mut e = Expr::zero();
    for (m, c) in basis.iter().zip(coefficients) {
        e.add_monomial(m.clone(), c.rat());
    }
    e
}

/// Returns the first form with factorials that passes through all values, with spare points.
fn with_factorials(
    params: &[Var],
    sample: &Sample,
    values: &[Fraction],
    products: &Products,
    fuel: &mut u64,
) -> Option<Expr> {
    for form in products::forms(&sample.active, products) {
        if form.len() + 2 > values.len() || form.len() > products::SIZE_LIMIT {
            continue;
        }
        *fuel = fuel.checked_sub(1)?;
        if let Some(e) = through_long(params, &sample.points, values, &form) {
            return Some(e);
        }
    }
    None
}

/// Returns the combination that has the given values at all points, with coefficients of arbitrary length, since factorials make them long.
fn through_long(
    params: &[Var],
    points: &[Vec<i128>],
    values: &[Fraction],
    form: &[Expr],
) -> Option<Expr> {
    let slots = Slots::new(params.to_vec());
    let compiled: Vec<Compiled> = form
        .iter()
        .map(|e| Compiled::new(e, &slots))
        .collect::<Option<_>>()?;
    let mut rows: Vec<Vec<Fraction>> = Vec::with_capacity(points.len());
    for (point, value) in points.iter().zip(values) {
        let point: Vec<Fraction> = point.iter().map(|&x| Fraction::int(x)).collect();
        let mut row: Vec<Fraction> = compiled
            .iter()
            .map(|e| e.eval(&point))
            .collect::<Option<_>>()?;
        row.push(*value);
        rows.push(row);
    }
    let coefficients = echelon::solution(&rows)?;
    let mut e = Expr::zero();
    for (f, c) in form.iter().zip(coefficients) {
        e += &f.scale(&c);
    }
    Some(e)
}
