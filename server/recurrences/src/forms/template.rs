//! Templates: forms with unknown coefficients, for inexact bounds.

use costlens_algebra::{Expr, Monomial, Rat, Rounding, Var, rat};

use crate::forms::families::Families;
use crate::forms::monomials::polynomials;
use crate::forms::products::Products;
use crate::graph::quotients::Logarithm;

/// The maximum number of variables for templates that single out one of them.
pub(crate) const VARIABLE_LIMIT: usize = 3;

/// A family of forms with unknown coefficients, used for all cells of a component.
#[derive(Clone, Debug)]
pub(crate) enum Template {
    Polynomial(u32),
    /// A quadratic form in one of the varying variables: traversing several trees together, or to a depth, costs as much as the size of one
    /// tree.
    OfOne(usize),
    /// The form of [`Template::OfOne`] with some slack: the sample excludes sizes that do not occur, but the proof cannot.
    LooselyOfOne(usize),
    /// A polynomial and `b^v` for the varying variables.
    Exponential(u32, Rat),
    /// A constant plus `b` to the power of a signed sum of the varying variables: `2^(n+m)`, `2^(m-n)`.
    Branching(Rat, [i8; 2]),
    /// A form with a logarithm of one of the varying variables; no other variables occur except in depths.
    Logarithmic(Logarithm, LogForm, usize),
    /// Factorials with their accompanying functions ([`Products::monomials`]).
    Factorial(u32, Products),
}

impl Template {
    /// Returns the functions whose coefficients are unknown, or `None` if the template does not apply.
    pub(crate) fn basis(&self, active: &[Var]) -> Option<Vec<Expr>> {
        let exprs =
            |monomials: Vec<Monomial>| monomials.into_iter().map(|m| Expr::monomial(m, rat(1)));
        let all = |degree| exprs(polynomials(active, degree));
        match self {
            Self::Polynomial(degree) => Some(all(*degree).collect()),
            Self::OfOne(at) | Self::LooselyOfOne(at) => {
                let one = active.get(*at).copied();
                Some(exprs(polynomials(one.as_slice(), 2)).collect())
            }
            Self::Exponential(degree, b) => {
                let powers = active.iter().filter_map(|&v| Expr::exponential(b, v));
                Some(all(*degree).chain(powers).collect())
            }
            Self::Branching(b, signs) => {
                let [v, w] = *active else {
                    return (active.len() < 2).then(|| all(0).collect());
                };
                let power = |v: Var, sign: i8| {
                    let base = if sign > 0 { b.clone() } else { b.recip() };
                    Expr::exponential(&base, v)
                };
                let power = &power(v, signs[0])? * &power(w, signs[1])?;
                Some(all(0).chain([power]).collect())
            }
            Self::Factorial(level, products) => {
                Some(exprs(products.monomials(active, *level)).collect())
            }
            Self::Logarithmic(log, form, at) => match active {
                [] => Some(all(0).collect()),
                [v] if *at == 0 => log_form(*v, *log, form),
                _ if *form == LogForm::Depth => log_form(*active.get(*at)?, *log, form),
                _ => None,
            },
        }
    }

    /// Returns whether the template consists of polynomials, possibly in a single variable.
    pub(crate) fn is_polynomial(&self) -> bool {
        matches!(
            self,
            Self::Polynomial(_) | Self::OfOne(_) | Self::LooselyOfOne(_)
        )
    }

    /// Returns the templates with logarithms that the equations suggest.
    pub(crate) fn logarithmic(families: &Families) -> Vec<Self> {
        let mut templates = Vec::new();
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
                templates.extend(forms.map(|f| Self::Logarithmic(*log, f, at)));
            }
        }
        templates
    }
}

/// The functions of a logarithm in an inexact bound; `k` is the rounded logarithm of x to base b.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LogForm {
    /// `k`.
    Depth,
    /// `k` and `k²`.
    DepthSquared,
    /// `n` and `x·k - b/(b-1)·b^k`, the convex function with slope k between neighbouring powers (`x·k - 1/(b-1)·b^k` for the logarithm
    /// rounded up). This is the total cost of halving a list with a pass over it on each level.
    Convex,
    /// `n`, `(a/b)^k`, `n·(a/b)^k`, `a^k`: recursion into a parts, each 1/b of the size, with one pass.
    Power(Rat),
}

/// Returns the functions of a template with a logarithm.
fn log_form(v: Var, log: Logarithm, form: &LogForm) -> Option<Vec<Expr>> {
    let n = log.side(v);
    let (x, b) = (&n - &Expr::int(log.shift), rat(log.base.into()));
    let k = Expr::log(log.base, log.rounding, &x)?;
    let power = |base: &Rat| Expr::power_of(base, &k);
    let one = Expr::int(1);
    Some(match form {
        LogForm::Depth => vec![one, k],
        LogForm::DepthSquared => vec![one, k.clone(), &k * &k],
        LogForm::Convex => {
            let factor = match log.rounding {
                Rounding::Down => &b / (&b - rat(1)),
                Rounding::Up => (&b - rat(1)).recip(),
            };
            let convex = &(&x * &k) - &power(&b)?.scale(&factor);
            vec![one, n, convex]
        }
        LogForm::Power(a) => {
            let shrinking = power(&(a / &b))?;
            vec![
                one,
                n.clone(),
                shrinking.clone(),
                &n * &shrinking,
                power(a)?,
            ]
        }
    })
}
