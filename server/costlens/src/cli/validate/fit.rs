//! Fits a function to observations, with the status `obs`: least squares over a few shapes, selected by leave-one-out cross-validation over
//! sizes.
//!
//! The shapes are the monomials of the upper bound (`n²`, `n` and `1` for `n²/2+3n/2+1`) or, without a bound, common growth classes. The
//! function is fitted to the greatest count at each size; every size has the same weight, regardless of its count. The function proves
//! nothing.

use costlens_algebra::growth::printing_order;
use costlens_algebra::text::{Names, upper_f64};
use costlens_algebra::{Expr, Rat, rat};
use costlens_analysis::report::{Bound, PatternReport, SizeVariable};
use costlens_calibrate::{Described, described};
use costlens_ide::present::formula;
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

use super::axes::number;
use super::compare::{SizesRow, values};

/// Sizes above this are not used as exponents.
const MOST_EXPONENT: f64 = 300.0;
/// A candidate with more shapes must reduce the error by this factor.
const BETTER: f64 = 0.7;
/// The largest denominator to which coefficients are rounded.
const MOST_DENOMINATOR: i64 = 12;

/// A fitted function.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::cli) struct Fitted {
    /// The function with rounded coefficients, for display.
    pub(in crate::cli) shown: String,
    /// The shapes with their coefficients.
    terms: Vec<(Expr, f64)>,
    /// True if the shapes are those of the upper bound.
    pub(in crate::cli) of_bound: bool,
    /// The root mean square of the relative leave-one-out errors.
    pub(in crate::cli) error: f64,
    /// The number of sizes.
    pub(in crate::cli) points: usize,
}

impl Fitted {
    /// Returns the function's value at sizes of the axes.
    pub(super) fn value_at(&self, axes: &[SizeVariable], sizes: &[BigInt]) -> Option<f64> {
        let terms = self.terms.iter();
        terms
            .map(|(shape, coefficient)| Some(coefficient * value(shape, axes, sizes)?))
            .sum()
    }
}

/// Fits the rows of a resource. Returns `None` if there are too few sizes for any shape.
pub(super) fn fit(
    report: &PatternReport,
    axes: &[SizeVariable],
    rows: &[SizesRow],
) -> Option<Fitted> {
    // A bound that holds only for some sizes is compared at these sizes.
    let main = report.main_piece()?;
    let inside = |row: &&SizesRow| {
        let at = values(report, axes, &row.sizes);
        main.when.contains(&|v| at.get(&v).cloned())
    };
    let is_violated = rows.iter().any(|row| row.violates);
    let whole = |row: &&SizesRow| row.cut == 0;
    let rows: Vec<&SizesRow> = rows.iter().filter(inside).filter(whole).collect();
    let (of_bound, candidates) = match &main.all.upper {
        Bound::Finite(e) if !is_violated => (true, vec![shapes(e)]),
        _ => (false, usual(axes)),
    };
    let mut best: Option<(Vec<(Expr, f64)>, f64)> = None;
    for candidate in candidates {
        let Some(Described {
            coefficients,
            error,
        }) = fitted(&candidate, axes, &rows)
        else {
            continue;
        };
        // The coefficient of the fastest-growing term must be positive.
        if !of_bound && candidate.len() > 1 && coefficients.last().is_some_and(|c| *c <= 0.0) {
            continue;
        }
        let is_better = best.as_ref().is_none_or(|(before, least)| {
            let enough = if candidate.len() > before.len() {
                BETTER
            } else {
                1.0
            };
            error < enough * least
        });
        if is_better {
            best = Some((candidate.into_iter().zip(coefficients).collect(), error));
        }
    }
    let (terms, error) = best?;
    Some(Fitted {
        shown: shown(&terms, axes),
        terms,
        of_bound,
        error,
        points: rows.len(),
    })
}

/// Returns the monomials of a bound, plus a constant.
fn shapes(bound: &Expr) -> Vec<Expr> {
    let mut all: Vec<Expr> = (bound.terms())
        .map(|(monomial, _)| Expr::monomial(monomial.clone(), rat(1)))
        .collect();
    if !all.contains(&Expr::int(1)) {
        all.push(Expr::int(1));
    }
    all
}

/// Returns common growth classes, slowest first; in each class, the fastest-growing shape is last.
fn usual(axes: &[SizeVariable]) -> Vec<Vec<Expr>> {
    let one = || Expr::int(1);
    let mut all = vec![vec![one()]];
    for size in axes {
        let n = Expr::var(size.var);
        if let Some(log) = Expr::flog(2, &(&n + &one())) {
            all.push(vec![one(), log.clone()]);
            all.push(vec![one(), n.clone()]);
            all.push(vec![one(), n.clone(), &n * &log]);
        }
        all.push(vec![one(), n.clone(), n.pow(2)]);
        all.push(vec![one(), n.clone(), n.pow(2), n.pow(3)]);
        for base in [Rat::new(809.into(), 500.into()), rat(2), rat(3)] {
            all.extend(Expr::exponential(&base, size.var).map(|e| vec![one(), e]));
        }
    }
    for (i, a) in axes.iter().enumerate() {
        for b in &axes[i + 1..] {
            let (n, m) = (Expr::var(a.var), Expr::var(b.var));
            all.push(vec![one(), n.clone(), m.clone()]);
            all.push(vec![one(), n.clone(), m.clone(), &n * &m]);
        }
    }
    all
}

/// Returns the value of a shape, or `None` if it cannot be computed or is not finite.
fn value(shape: &Expr, axes: &[SizeVariable], sizes: &[BigInt]) -> Option<f64> {
    let of = |v| {
        let mut all = axes.iter().zip(sizes);
        all.find(|(size, _)| size.var == v).map(|(_, k)| k.clone())
    };
    let exponents = shape.terms().flat_map(|(m, _)| m.exponentials.keys());
    for v in exponents {
        if number(&of(*v)?).abs() > MOST_EXPONENT {
            return None;
        }
    }
    Some(upper_f64(&shape.eval(&of)?)).filter(|value| value.is_finite())
}

/// Fits a set of shapes. Returns `None` if the rows do not determine the coefficients.
fn fitted(shapes: &[Expr], axes: &[SizeVariable], rows: &[&SizesRow]) -> Option<Described> {
    let of_row = |row: &&SizesRow| -> Option<Vec<f64>> {
        let shapes = shapes.iter();
        shapes.map(|shape| value(shape, axes, &row.sizes)).collect()
    };
    let cells: Vec<Vec<f64>> = rows.iter().map(of_row).collect::<Option<_>>()?;
    let observed: Vec<f64> = rows.iter().map(|row| row.most as f64).collect();
    described(&cells, &observed)
}

/// Formats the function for display, the fastest-growing term first. A coefficient is shown as a fraction if possible, otherwise with three
/// digits.
fn shown(terms: &[(Expr, f64)], axes: &[SizeVariable]) -> String {
    let names = Names::new(|v| {
        let size = axes.iter().find(|size| size.var == v);
        size.map_or_else(|| format!("v{}", v.0), |size| size.name.clone())
    });
    let all = terms
        .iter()
        .fold(Expr::zero(), |sum, (shape, _)| &sum + shape);
    let order: Vec<Expr> = (printing_order(&all).into_iter())
        .map(|(monomial, _)| Expr::monomial(monomial.clone(), rat(1)))
        .collect();
    let place = |shape: &Expr| order.iter().position(|o| o == shape);
    let mut ordered: Vec<&(Expr, f64)> = terms.iter().collect();
    ordered.sort_by_key(|(shape, _)| place(shape));
    let mut out = String::new();
    for (shape, coefficient) in ordered {
        let text = term(shape, coefficient.abs(), &names);
        if text == "0" {
            continue;
        }
        let sign = match (out.is_empty(), *coefficient < 0.0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        out.push_str(sign);
        out.push_str(&text);
    }
    match out.is_empty() {
        true => "0".to_owned(),
        false => out,
    }
}

/// Formats a term: `n²/2`, `3.73·⌊log₂ (n+1)⌋`.
fn term(shape: &Expr, coefficient: f64, names: &Names<'_>) -> String {
    if let Some(fraction) = fraction(coefficient) {
        return formula(&shape.scale(&fraction), names);
    }
    let digits = usize::try_from(2 - coefficient.log10().floor() as i64).unwrap_or(0);
    match shape.as_constant() {
        Some(_) => format!("{coefficient:.digits$}"),
        None => format!("{coefficient:.digits$}·{}", formula(shape, names)),
    }
}

/// Returns the fraction with a small denominator that equals a coefficient.
fn fraction(coefficient: f64) -> Option<Rat> {
    (1..=MOST_DENOMINATOR).find_map(|denominator| {
        let scaled = coefficient * denominator as f64;
        let whole = scaled.round();
        // For large numbers a relative tolerance would accept fractions everywhere.
        let is_whole = (scaled - whole).abs() < 1e-6;
        Some(Rat::new(
            whole.to_i64().filter(|_| is_whole)?.into(),
            denominator.into(),
        ))
    })
}

#[cfg(test)]
mod tests {
    use costlens_algebra::Var;
    use costlens_analysis::types::Metric;

    use super::*;

    fn text(terms: &[(Expr, f64)]) -> String {
        let axes = [SizeVariable {
            var: Var(0),
            argument: 1,
            metric: Metric::Int,
            element: false,
            name: "n".to_owned(),
        }];
        shown(terms, &axes)
    }

    #[test]
    fn fractions_are_fractions_and_other_numbers_have_three_digits() {
        let n = Expr::var(Var(0));
        let one = Expr::int(1);
        let terms = [(n.pow(2), 0.5), (n.clone(), 1.5), (one.clone(), 1.0)];
        assert_eq!(text(&terms), "n²/2 + 3n/2 + 1");
        let log = Expr::flog(2, &(&n + &one)).unwrap();
        assert_eq!(
            text(&[(one.clone(), -2.7213), (log, 3.7312)]),
            "3.73·⌊log₂ (n+1)⌋ - 2.72"
        );
        assert_eq!(text(&[(one.clone(), 12_345.67), (n, 0.0)]), "12346");
        assert_eq!(text(&[(one, 0.0)]), "0");
    }
}
