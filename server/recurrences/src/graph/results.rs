//! Results of calls in values: their occurrences, and how a value depends on them.

use std::collections::BTreeMap;

use costlens_algebra::{Constraint, Expr, Monomial, Rat, Region, Var, prove, rat};
use num_traits::Zero;

use crate::system::Alternative;

/// The maximum number of calls in a clause.
pub(crate) const RESULT_LIMIT: usize = 200;

/// Returns the results that occur in later arguments of the same alternative.
pub(crate) fn nested_results(alternative: &Alternative) -> Vec<Var> {
    if alternative.results.len() > RESULT_LIMIT {
        return Vec::new();
    }
    let used: Vec<Var> = alternative
        .results
        .iter()
        .flat_map(|r| r.args.iter().flat_map(Expr::variables))
        .collect();
    alternative
        .results
        .iter()
        .map(|r| r.var)
        .filter(|v| used.contains(v))
        .collect()
}

/// Returns the points at which an alternative of a cell is feasible; results in arguments are at least 0.
pub(crate) fn enabled(cell: &Region, alternative: &Alternative) -> Region {
    let mut region = cell.and_all(&alternative.constraints);
    for v in nested_results(alternative) {
        if let Some(c) = Constraint::ge(&Expr::var(v), &Expr::zero()) {
            region = region.and(c);
        }
    }
    region
}

/// Returns the coefficient of a result in a value, if the result occurs linearly and not in a product with other results.
pub(crate) fn linear_coefficient(value: &Expr, result: Var, results: &[Var]) -> Option<Expr> {
    let mut coefficient = Expr::zero();
    for (m, c) in value.terms() {
        if m.exponentials.contains_key(&result) || in_atoms(m, &[result]) {
            return None;
        }
        let Some(&k) = m.powers.get(&result) else {
            continue;
        };
        if k != 1 || m.variables().any(|v| v != result && results.contains(&v)) {
            continue; // a further non-negative summand
        }
        let mut rest = m.clone();
        rest.powers.remove(&result);
        coefficient.add_monomial(rest, c.clone());
    }
    (!coefficient.is_zero()).then_some(coefficient)
}

/// Returns whether a result occurs inside an atom.
pub(crate) fn in_atoms(m: &Monomial, results: &[Var]) -> bool {
    m.all_atoms()
        .any(|a| a.argument().variables().iter().any(|v| results.contains(v)))
}

/// Returns `value` with every result replaced by 0, or a negative number if a result occurs in an atom.
pub(crate) fn own_cost(value: &Expr, results: &[Var]) -> Expr {
    let mut own = Expr::zero();
    for (m, c) in value.terms() {
        if in_atoms(m, results) {
            return Expr::int(-1); // the cost is unknown
        }
        if m.powers.keys().any(|v| results.contains(v)) {
            continue;
        }
        let mut rest = m.clone();
        rest.exponentials.retain(|v, _| !results.contains(v)); // b^0 is 1
        own.add_monomial(rest, c.clone());
    }
    own
}

/// Returns the coefficients of the products of results in a value, in the order of the products.
pub(crate) fn factors_of_results(value: &Expr, results: &[Var]) -> BTreeMap<Monomial, Expr> {
    let mut factors: BTreeMap<Monomial, Expr> = BTreeMap::new();
    for (m, c) in value.terms() {
        if !m.variables().any(|v| results.contains(&v)) {
            continue;
        }
        let (mut of_results, mut rest) = (m.clone(), m.clone());
        of_results.atoms.clear();
        of_results.atom_exponentials.clear();
        of_results.powers.retain(|v, _| results.contains(v));
        of_results.exponentials.retain(|v, _| results.contains(v));
        rest.powers.retain(|v, _| !results.contains(v));
        rest.exponentials.retain(|v, _| !results.contains(v));
        (factors.entry(of_results).or_default()).add_monomial(rest, c.clone());
    }
    factors
}

/// Returns the degree of a monomial in the results; exponentials and atoms count as more than 1.
pub(crate) fn degree_in_results(m: &Monomial, results: &[Var]) -> u32 {
    let inside = m.powers.iter().filter(|(v, _)| results.contains(v));
    let powers: u32 = inside.map(|(_, &k)| k).sum();
    let more = m.exponentials.keys().any(|v| results.contains(v)) || in_atoms(m, results);
    powers + 2 * u32::from(more)
}

/// Returns true only if the value is proved non-decreasing in every result, for non-negative results: each product of results has a
/// non-negative factor, and exponentials in results have bases above 1.
pub(crate) fn monotone(value: &Expr, results: &[Var], on: &Region) -> bool {
    if value.terms().any(|(m, _)| in_atoms(m, results)) {
        return false;
    }
    factors_of_results(value, results)
        .iter()
        .all(|(of_results, factor)| {
            let falls = |b: &Rat| *b < rat(1);
            !of_results.exponentials.values().any(falls)
                && match factor.as_constant() {
                    Some(c) => c >= Rat::zero(),
                    None => prove::nonnegative(factor, on),
                }
        })
}
