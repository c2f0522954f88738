//! The forms that are tried, smallest first.

use crate::expr::{Monomial, Rat, Var};

/// Bases with more monomials than this are not tried.
const SIZE_LIMIT: usize = 14;

/// Lists of monomials over the variables, in the order in which a fit is tried: constants, polynomials of growing degree, and
/// polynomials with exponentials `b^v` for each of the numbers.
pub(super) fn ordered(vars: &[Var], exponents: &[Rat]) -> Vec<Vec<Monomial>> {
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
pub(super) fn polynomials(vars: &[Var], degree: u32) -> Vec<Monomial> {
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

fn exponential(b: &Rat, v: Var) -> Monomial {
    times_exponential(Monomial::one(), b, v)
}

fn times_exponential(mut m: Monomial, b: &Rat, v: Var) -> Monomial {
    m.exponentials.insert(v, b.clone());
    m
}
