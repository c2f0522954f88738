//! The forms that are tried, smallest first.

use costlens_algebra::{Expr, Monomial, Rat, Rounding, Var, rat};

use crate::forms::families::{Families, Logarithm};

/// Bases with more monomials than this are not tried.
const SIZE_LIMIT: usize = 14;

/// Lists of monomials over the variables, in the order in which a fit is tried: constants, polynomials of growing degree, and
/// polynomials with exponentials `b^v` for each of the numbers.
pub(crate) fn ordered(vars: &[Var], exponents: &[Rat]) -> Vec<Vec<Monomial>> {
    let mut bases = vec![polynomials(vars, 0)];
    if vars.is_empty() {
        return bases;
    }
    bases.push(polynomials(vars, 1));
    bases.push(polynomials(vars, 2));
    for low in [0, 1] {
        for b in exponents {
            for &v in vars {
                let mut basis = polynomials(vars, low);
                basis.push(exponential(b, v));
                bases.push(basis);
            }
        }
    }
    bases.push(polynomials(vars, 3));
    if vars.len() == 3 {
        // Of the third degree, but linear in all sizes but one: what is linear in them is summed up along that one. Of more
        // sizes too few values are looked at to tell such a form.
        for &v in vars {
            let others: Vec<Var> = vars.iter().copied().filter(|&w| w != v).collect();
            let linear = polynomials(&others, 1);
            let powers = polynomials(&[v], 2);
            let products = |m: &Monomial| powers.iter().map(|p| m.times(p)).collect::<Vec<_>>();
            bases.push(linear.iter().flat_map(products).collect());
        }
    }
    for b in exponents {
        for &v in vars {
            // The exponential times what a linear form has.
            let mut basis = polynomials(vars, 1);
            for m in polynomials(vars, 1) {
                basis.push(times_exponential(m, b, v));
            }
            bases.push(basis);
        }
    }
    if let [v] = vars[..] {
        bases.push(polynomials(vars, 4));
        for b in exponents {
            let mut basis = polynomials(vars, 2);
            for m in polynomials(vars, 2) {
                basis.push(times_exponential(m, b, v));
            }
            bases.push(basis);
        }
    }
    if let [first, second, ..] = exponents {
        for &v in vars {
            let mut basis = polynomials(vars, 1);
            basis.push(exponential(first, v));
            basis.push(exponential(second, v));
            bases.push(basis);
        }
    }
    bases.retain(|b| b.len() <= SIZE_LIMIT);
    bases
}

/// Every monomial up to a degree.
pub(crate) fn polynomials(vars: &[Var], degree: u32) -> Vec<Monomial> {
    let mut all = vec![Monomial::one()];
    let mut layer = vec![(Monomial::one(), 0usize)];
    for _ in 0..degree {
        let mut next = Vec::new();
        for (m, from) in &layer {
            for (i, &v) in vars.iter().enumerate().skip(*from) {
                let mut product = m.clone();
                *product.powers.entry(v).or_insert(0) += 1;
                next.push((product, i));
            }
        }
        all.extend(next.iter().map(|(m, _)| m.clone()));
        layer = next;
    }
    all
}

/// Forms with floors and sequences, which a few neighbouring points tell apart.
pub(crate) fn with_atoms(vars: &[Var], families: &Families) -> Vec<Vec<Monomial>> {
    let mut bases = Vec::new();
    for (i, &v) in vars.iter().enumerate() {
        let others: Vec<Var> = [&vars[..i], &vars[i + 1..]].concat();
        for &c in &families.periods {
            let floors: Vec<Expr> = (0..c).filter_map(|r| floor(v, r, c)).collect();
            // The floors add up to v: the last one is no atom of its own.
            let independent: Vec<Monomial> = floors.iter().filter_map(single).collect();
            let independent = &independent[..];
            if independent.is_empty() {
                continue;
            }
            for low in [0, 1] {
                bases.push(joined(polynomials(&[v], low), &independent[..1]));
            }
            bases.push(joined(polynomials(&[v], 1), independent));
            for b in &families.bases {
                let powers: Vec<Monomial> = floors.iter().filter_map(|e| raised(b, e)).collect();
                if powers.is_empty() {
                    continue;
                }
                bases.push(joined(polynomials(&[v], 0), &powers[..1]));
                bases.push(joined(joined(polynomials(&[v], 1), independent), &powers));
            }
            bases.push(times_linear(&joined(polynomials(&[v], 1), independent), v));
            if let [w] = others[..] {
                bases.push(times_linear(&joined(polynomials(&[v], 1), independent), w));
            }
        }
        for a in &families.sequences {
            let shifts = sequence(a, v);
            bases.push(shifts.clone());
            for low in [0, 1, 2] {
                bases.push(joined(polynomials(&[v], low), &shifts));
            }
            for b in &families.exponents {
                let form = joined(polynomials(&[v], 0), &shifts);
                bases.push(joined(form, &[exponential(b, v)]));
            }
            bases.push(times_linear(&joined(polynomials(&[v], 0), &shifts), v));
            if let [w] = others[..] {
                bases.push(times_linear(&joined(polynomials(&[v], 0), &shifts), w));
            }
        }
    }
    bases.retain(|b| b.len() <= SIZE_LIMIT);
    bases
}

/// Forms with logarithms of a variable, which take points far apart.
pub(crate) fn with_logarithms(v: Var, families: &Families) -> Vec<Vec<Monomial>> {
    let mut bases = Vec::new();
    // Of two that say the same the simpler one.
    let mut logarithms: Vec<&Logarithm> = families.logarithms.iter().collect();
    logarithms.sort_by_key(|l| l.shift.abs());
    for log in logarithms {
        let Some((k, p)) = logarithm(v, *log) else {
            continue;
        };
        let one = Monomial::one();
        let of = Expr::monomial(k.clone(), rat(1));
        let n = polynomials(&[v], 1)[1].clone();
        let (nk, kk) = (n.times(&k), k.times(&k));
        let list = |of: &[&Monomial]| of.iter().map(|&m| m.clone()).collect::<Vec<_>>();
        bases.push(list(&[&one, &k]));
        bases.push(list(&[&one, &n, &k]));
        for b in &families.bases {
            if let Some(power) = raised(b, &of) {
                bases.push(list(&[&one, &power]));
                bases.push(list(&[&one, &k, &power]));
                bases.push(list(&[&one, &n, &power]));
            }
        }
        bases.push(list(&[&one, &k, &kk]));
        bases.push(list(&[&one, &k, &p]));
        bases.push(list(&[&one, &n, &k, &nk, &p]));
        let (nn, np, kp) = (n.times(&n), n.times(&p), k.times(&p));
        let quadratic = list(&[&one, &n, &k, &nk, &p, &nn, &kk, &n.times(&kk), &kp]);
        bases.push(quadratic);
        bases.push(list(&[
            &one,
            &n,
            &k,
            &nk,
            &p,
            &nn,
            &np,
            &nn.times(&k),
            &p.times(&p),
        ]));
        for b in &families.bases {
            if let Some(power) = raised(b, &of) {
                bases.push(list(&[&one, &n, &k, &nk, &p, &power, &n.times(&power)]));
            }
        }
    }
    bases
}

/// Which functions of a logarithm a bound that is not exact may have; `k` is the logarithm of x, rounded, to base b.
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

/// A basis for bounds that are not exact.
pub(crate) fn log_form(v: Var, log: Logarithm, form: &LogForm) -> Option<Vec<Expr>> {
    let (x, b) = (&Expr::var(v) - &Expr::int(log.shift), rat(log.base.into()));
    let k = Expr::log(log.base, log.rounding, &x)?;
    let power = |base: &Rat| Expr::power_of(base, &k);
    let (one, n) = (Expr::int(1), Expr::var(v));
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

fn joined(mut basis: Vec<Monomial>, more: &[Monomial]) -> Vec<Monomial> {
    basis.extend(more.iter().filter(|m| !m.is_one()).cloned());
    basis
}

/// The basis and its products with a variable.
fn times_linear(basis: &[Monomial], v: Var) -> Vec<Monomial> {
    let factor = polynomials(&[v], 1)[1].clone();
    let mut all = basis.to_vec();
    for m in basis {
        let product = m.times(&factor);
        if !all.contains(&product) {
            all.push(product);
        }
    }
    all
}

/// The one atom of an expression that is an atom up to integers.
fn atom_of(e: &Expr) -> Option<Monomial> {
    e.terms()
        .find(|(m, _)| !m.is_plain())
        .map(|(m, _)| m.clone())
}

/// `⌊(v+r)/c⌋`.
fn floor(v: Var, r: u32, c: u32) -> Option<Expr> {
    let above = &Expr::var(v) + &Expr::int(r.into());
    Expr::floor(&above.scale(&rat(c.into()).recip()))
}

/// The monomial of which the expression consists.
fn single(e: &Expr) -> Option<Monomial> {
    let mut terms = e.terms();
    let (m, _) = terms.next()?;
    terms.next().is_none().then(|| m.clone())
}

/// `b^e`, without a factor.
fn raised(b: &Rat, e: &Expr) -> Option<Monomial> {
    single(&Expr::power_of(b, e)?)
}

/// The logarithm and the power of its base.
fn logarithm(v: Var, log: Logarithm) -> Option<(Monomial, Monomial)> {
    let of = &Expr::var(v) - &Expr::int(log.shift);
    let log_of = atom_of(&Expr::log(log.base, log.rounding, &of)?)?;
    let power = raised(
        &rat(log.base.into()),
        &Expr::monomial(log_of.clone(), rat(1)),
    )?;
    Some((log_of, power))
}

/// `u(v), …, u(v+d-1)`.
fn sequence(coefficients: &[Rat], v: Var) -> Vec<Monomial> {
    let d = coefficients.len();
    let mut initial = vec![rat(0); d];
    if let Some(last) = initial.last_mut() {
        *last = rat(1);
    }
    (0..d)
        .filter_map(|i| {
            let index = &Expr::var(v) + &Expr::int(i64::try_from(i).ok()?);
            atom_of(&Expr::cfinite(coefficients, &initial, &index)?)
        })
        .collect()
}

fn exponential(b: &Rat, v: Var) -> Monomial {
    times_exponential(Monomial::one(), b, v)
}

fn times_exponential(mut m: Monomial, b: &Rat, v: Var) -> Monomial {
    m.exponentials.insert(v, b.clone());
    m
}
