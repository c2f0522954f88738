//! The monomials from which forms are built.

use costlens_algebra::{Expr, Monomial, Rat, Var, rat};

use crate::graph::quotients::Logarithm;

/// Returns all monomials up to a degree.
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

/// Returns the basis extended by the given monomials other than 1.
pub(super) fn joined(mut basis: Vec<Monomial>, more: &[Monomial]) -> Vec<Monomial> {
    basis.extend(more.iter().filter(|m| !m.is_one()).cloned());
    basis
}

/// Returns the basis together with its products with a variable.
pub(super) fn times_linear(basis: &[Monomial], v: Var) -> Vec<Monomial> {
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

/// Returns the atom of an expression that, up to integer factors and summands, is a single atom.
fn atom_of(e: &Expr) -> Option<Monomial> {
    e.terms()
        .find(|(m, _)| !m.is_plain())
        .map(|(m, _)| m.clone())
}

/// Returns `⌊(v+r)/c⌋`.
pub(super) fn floor(v: Var, r: u32, c: u32) -> Option<Expr> {
    let above = &Expr::var(v) + &Expr::int(r.into());
    Expr::floor(&above.scale(&rat(c.into()).recip()))
}

/// Returns the monomial if an expression is a single monomial.
pub(super) fn single(e: &Expr) -> Option<Monomial> {
    let mut terms = e.terms();
    let (m, _) = terms.next()?;
    terms.next().is_none().then(|| m.clone())
}

/// Returns `b^e` with coefficient 1.
pub(super) fn raised(b: &Rat, e: &Expr) -> Option<Monomial> {
    single(&Expr::power_of(b, e)?)
}

/// Returns the logarithm and the power of its base.
pub(super) fn logarithm(v: Var, log: Logarithm) -> Option<(Monomial, Monomial)> {
    let of = &log.side(v) - &Expr::int(log.shift);
    let log_of = atom_of(&Expr::log(log.base, log.rounding, &of)?)?;
    let power = raised(
        &rat(log.base.into()),
        &Expr::monomial(log_of.clone(), rat(1)),
    )?;
    Some((log_of, power))
}

/// Returns `u(v), …, u(v+d-1)`.
pub(super) fn sequence(coefficients: &[Rat], v: Var) -> Vec<Monomial> {
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

/// Returns `b^v`.
pub(super) fn exponential(b: &Rat, v: Var) -> Monomial {
    times_exponential(Monomial::one(), b, v)
}

/// Returns `m·b^v`.
pub(super) fn times_exponential(mut m: Monomial, b: &Rat, v: Var) -> Monomial {
    m.exponentials.insert(v, b.clone());
    m
}
