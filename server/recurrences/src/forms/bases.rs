//! The forms that are tried, in ascending order of size.

use costlens_algebra::{Expr, Monomial, Rat, Var, rat};

use crate::forms::families::Families;
use crate::forms::monomials::{
    exponential, floor, joined, logarithm, polynomials, raised, sequence, single,
    times_exponential, times_linear,
};
use crate::graph::quotients::Logarithm;

/// The maximum number of monomials in a basis.
const SIZE_LIMIT: usize = 14;

/// Returns lists of monomials over the variables, in the order in which fits are tried: constants, polynomials of increasing degree, and
/// polynomials with exponentials `b^v` for each base `b` in `exponents`.
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
        // These forms have degree three, but are linear in all sizes except one. They arise as sums, along one size, of functions that are
        // linear in it. With more sizes, there are too few sample values to recognise such a form.
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
            // The exponential, multiplied by the monomials of a linear form.
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

/// Returns forms with floors and sequences, which a few neighbouring points suffice to distinguish.
pub(crate) fn with_atoms(vars: &[Var], families: &Families) -> Vec<Vec<Monomial>> {
    let mut bases = Vec::new();
    for (i, &v) in vars.iter().enumerate() {
        let others: Vec<Var> = [&vars[..i], &vars[i + 1..]].concat();
        for &c in &families.periods {
            let floors: Vec<Expr> = (0..c).filter_map(|r| floor(v, r, c)).collect();
            // The floors add up to v, so the last floor is linearly dependent.
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

/// Returns forms with logarithms of a variable, which require points far apart.
pub(crate) fn with_logarithms(v: Var, families: &Families) -> Vec<Vec<Monomial>> {
    let mut bases = Vec::new();
    // Of two equivalent logarithms, use the simpler one.
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
