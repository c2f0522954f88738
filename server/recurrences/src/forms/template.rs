//! Templates: forms with free coefficients, for bounds that are not exact.

use costlens_algebra::{Expr, Monomial, Rat, Rounding, Var, rat};

use crate::forms::families::Families;
use crate::forms::monomials::polynomials;
use crate::forms::products::Products;
use crate::graph::quotients::Logarithm;

/// The number of variables of which one may be the one with a logarithm, or alone.
pub(crate) const VARIABLE_LIMIT: usize = 3;

/// A family of forms with free coefficients, the same for all cells of a component.
#[derive(Clone, Debug)]
pub(crate) enum Template {
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

impl Template {
    /// The functions of which the coefficients are looked for; none where the template does not apply.
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

    /// True for polynomials, those of one variable included.
    pub(crate) fn is_polynomial(&self) -> bool {
        matches!(
            self,
            Self::Polynomial(_) | Self::OfOne(_) | Self::LooselyOfOne(_)
        )
    }

    /// The templates with logarithms that the equations suggest.
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

/// The functions of a logarithm that a bound that is not exact may have; `k` is the logarithm of x, rounded, to base b.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LogForm {
    /// `k`.
    Depth,
    /// `k` and `k²`.
    DepthSquared,
    /// `n` and `x·k - b/(b-1)·b^k`, the convex function with slope k between neighbouring powers (`x·k - 1/(b-1)·b^k` for the logarithm
    /// that is rounded up): what halves of a list and a pass over it cost together.
    Convex,
    /// `n`, `(a/b)^k`, `n·(a/b)^k`, `a^k`: a parts of a b-th each, and a pass.
    Power(Rat),
}

/// The functions of a template with a logarithm.
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
