//! A function fitted to what was observed, of status `obs`: least squares over a few shapes, chosen by leaving out one size after the other.
//!
//! The shapes are the monomials of the upper bound, `n²`, `n` and `1` of `n²/2+3n/2+1`; where there is no bound, usual classes of growth. It is
//! fitted to the most that was counted at each size, each size weighing the same whatever was counted there. It proves nothing.

use costlens_algebra::text::{Names, upper_f64};
use costlens_algebra::{Expr, Rat, rat};
use costlens_analysis::report::{Bound, PatternReport, SizeVariable};
use costlens_calibrate::{Described, described};
use costlens_ide::present::formula;
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

use super::axes::number;
use super::compare::{Row, values};

/// Sizes beyond this are no exponents.
const MOST_EXPONENT: f64 = 300.0;
/// A candidate with more shapes has to be this much better.
const BETTER: f64 = 0.7;
/// The largest denominator of a fraction that a coefficient may stand for.
const MOST_DENOMINATOR: i64 = 12;

/// A fitted function.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::cli) struct Fitted {
    /// The function, its coefficients rounded, for texts.
    pub(in crate::cli) shown: String,
    /// The shapes with their coefficients.
    terms: Vec<(Expr, f64)>,
    /// True where the shapes are those of the upper bound.
    pub(in crate::cli) of_bound: bool,
    /// The root mean square of the relative errors at sizes that the fit did not have.
    pub(in crate::cli) error: f64,
    /// The number of sizes.
    pub(in crate::cli) points: usize,
}

impl Fitted {
    /// Its value at sizes of the axes.
    pub(super) fn at(&self, axes: &[SizeVariable], sizes: &[BigInt]) -> Option<f64> {
        let terms = self.terms.iter();
        terms
            .map(|(shape, coefficient)| Some(coefficient * value(shape, axes, sizes)?))
            .sum()
    }
}

/// Fits the rows of a resource. None where there are too few sizes for any shape.
pub(super) fn fit(report: &PatternReport, axes: &[SizeVariable], rows: &[Row]) -> Option<Fitted> {
    // What is stated of some sizes is compared there.
    let main = report.main_piece()?;
    let inside = |row: &&Row| {
        let at = values(report, axes, &row.sizes);
        main.when.contains(&|v| at.get(&v).cloned())
    };
    let rows: Vec<&Row> = rows.iter().filter(inside).collect();
    let (of_bound, candidates) = match &main.all.upper {
        Bound::Finite(e) => (true, vec![shapes(e)]),
        Bound::Infinite | Bound::Unknown => (false, usual(axes)),
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
        // What grows fastest cannot shrink.
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

/// The monomials of a bound, and a constant.
fn shapes(bound: &Expr) -> Vec<Expr> {
    let mut all: Vec<Expr> = (bound.terms())
        .map(|(monomial, _)| Expr::monomial(monomial.clone(), rat(1)))
        .collect();
    if !all.contains(&Expr::int(1)) {
        all.push(Expr::int(1));
    }
    all
}

/// Usual classes of growth, what grows slowest first; the shape that grows fastest stands last.
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

/// The value of a shape; none where it is not to be had, or no number.
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

/// The fit of some shapes. None where the rows do not determine it.
fn fitted(shapes: &[Expr], axes: &[SizeVariable], rows: &[&Row]) -> Option<Described> {
    let of_row = |row: &&Row| -> Option<Vec<f64>> {
        let shapes = shapes.iter();
        shapes.map(|shape| value(shape, axes, &row.sizes)).collect()
    };
    let cells: Vec<Vec<f64>> = rows.iter().map(of_row).collect::<Option<_>>()?;
    let observed: Vec<f64> = rows.iter().map(|row| row.most as f64).collect();
    described(&cells, &observed)
}

/// The function as a person reads it: fractions where a coefficient is one, else three digits.
fn shown(terms: &[(Expr, f64)], axes: &[SizeVariable]) -> String {
    let mut sum = Expr::zero();
    for (shape, coefficient) in terms {
        sum = &sum + &shape.scale(&readable(*coefficient));
    }
    let names = Names::new(|v| {
        let size = axes.iter().find(|size| size.var == v);
        size.map_or_else(|| format!("v{}", v.0), |size| size.name.clone())
    });
    formula(&sum, &names)
}

/// A number near a coefficient that is short to write.
fn readable(coefficient: f64) -> Rat {
    for denominator in 1..=MOST_DENOMINATOR {
        let scaled = coefficient * denominator as f64;
        let whole = scaled.round();
        if (scaled - whole).abs() < 1e-6 * scaled.abs().max(1.0)
            && let Some(whole) = whole.to_i64()
        {
            return Rat::new(whole.into(), denominator.into());
        }
    }
    let digits = 2 - coefficient.abs().log10().floor() as i32;
    let scale = 10_f64.powi(digits);
    let rounded = (coefficient * scale).round();
    match (rounded.to_i64(), digits) {
        (Some(rounded), 0..=15) => {
            Rat::new(rounded.into(), BigInt::from(10).pow(digits.unsigned_abs()))
        }
        (Some(rounded), -15..0) => {
            rat(rounded) * Rat::from_integer(BigInt::from(10).pow(digits.unsigned_abs()))
        }
        _ => Rat::from_float(coefficient).unwrap_or_default(),
    }
}
