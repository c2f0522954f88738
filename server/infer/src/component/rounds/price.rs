//! The price of a round: a bound on the cost of every round that does not rise from one round to the next.
//!
//! It is made of sizes that do not rise, of sums that do not (the length of a list that gets an element in each round, plus the length of the
//! list that loses it), and of the greatest values of other sizes in terms of those.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Atom, Expr, Monomial, Var, rat};
use costlens_recurrences::{CallResult, Solution, System, Value};
use num_traits::Signed as _;

use super::count::common;
use super::{Loop, Round};
use crate::world::lookup::limits;

/// The weights of a size that may make up for the growth of another one.
const WEIGHTS: [i64; 3] = [1, 2, 4];

/// The maximum number of sizes whose signs are separate cases.
const MOST_SIGNED: usize = 2;

fn is_natural(domain: &Region, v: Var) -> bool {
    Constraint::ge(&Expr::var(v), &Expr::zero()).is_some_and(|c| domain.implies(&c))
}

fn is_at_most_zero(domain: &Region, v: Var) -> bool {
    Constraint::le(&Expr::var(v), &Expr::zero()).is_some_and(|c| domain.implies(&c))
}

/// The terms of a price.
pub(super) struct PriceTerms<'a> {
    params: &'a [Var],
    /// The sizes that do not rise.
    fixed: Vec<Var>,
    /// Those of them that are not negative.
    natural: Vec<Var>,
    /// Those of them that are negative or 0.
    negative: Vec<Var>,
    /// For other sizes, sums with them that do not rise.
    sums: BTreeMap<Var, Expr>,
}

impl Loop<'_> {
    /// Returns a bound on the cost of every round that does not rise from one round to the next.
    pub(super) fn price(&self) -> Option<Expr> {
        let params = &self.function.params;
        let fixed: Vec<Var> = (0..params.len())
            .filter(|&i| self.never_rises(&[(i, 1)]))
            .map(|i| params[i])
            .collect();
        let domain = self.domain()?;
        let is_natural = |v: &Var| is_natural(&domain, *v);
        let terms = PriceTerms {
            params,
            natural: fixed.iter().copied().filter(is_natural).collect(),
            negative: (fixed.iter().copied())
                .filter(|&v| is_at_most_zero(&domain, v))
                .collect(),
            sums: self.sums(&fixed),
            fixed,
        };
        let costs: Option<Vec<Expr>> = (self.rounds.iter())
            .map(|round| round.at_most(&terms))
            .collect();
        let costs = costs?;
        let logs = logarithms(&costs);
        let all = costs.into_iter().map(|cost| with_greatest(cost, &logs));
        Some(all.fold(Expr::zero(), |price, cost| most(&price, &cost)))
    }

    /// Returns, for sizes that rise, sums with other sizes that do not.
    fn sums(&self, fixed: &[Var]) -> BTreeMap<Var, Expr> {
        let params = &self.function.params;
        let mut found = BTreeMap::new();
        for (i, &v) in params
            .iter()
            .enumerate()
            .filter(|(_, v)| !fixed.contains(v))
        {
            let others = (0..params.len()).filter(|&j| j != i);
            let sum = WEIGHTS.into_iter().find_map(|weight| {
                let pays = |&j: &usize| self.never_rises(&[(i, 1), (j, weight)]);
                let j = others.clone().find(pays)?;
                Some(&Expr::var(v) + &Expr::var(params[j]).scale(&rat(weight)))
            });
            found.extend(sum.map(|sum| (v, sum)));
        }
        found
    }

    /// Returns whether a weighted sum of sizes never rises from one round to the next.
    fn never_rises(&self, sum: &[(usize, i64)]) -> bool {
        let of = |sizes: &[Expr]| {
            sum.iter().try_fold(Expr::zero(), |all, &(i, weight)| {
                Some(&all + &sizes.get(i)?.scale(&rat(weight)))
            })
        };
        let params: Vec<Expr> = self.function.params.iter().map(|&v| Expr::var(v)).collect();
        self.rounds.iter().all(|round| {
            round.again.iter().all(|(args, _)| {
                let change = of(args).zip(of(&params)).map(|(next, own)| &next - &own);
                change.is_some_and(|change| match change.as_constant() {
                    Some(c) => !c.is_positive(),
                    None => Constraint::le(&change, &Expr::zero())
                        .is_some_and(|c| round.known.implies(&c)),
                })
            })
        })
    }
}

impl<'a> Loop<'a> {
    pub(super) fn domain(&self) -> Option<Region> {
        let cells = &self.function.cells;
        let domain = common(cells.iter().map(|cell| Some(cell.region.clone())))?;
        Some(domain.and_all(&self.signs))
    }

    /// Returns the loop once for positive and once for other values of each size that may be negative, if the price is made of it and
    /// recursion does not change it.
    pub(super) fn by_signs(&self, price: &Expr) -> Vec<Self> {
        let params = &self.function.params;
        let Some(domain) = self.domain() else {
            return Vec::new();
        };
        let is_kept = |v: Var| {
            let at = params.iter().position(|&p| p == v);
            let again = self.rounds.iter().flat_map(|round| &round.again);
            at.is_some_and(|i| again.into_iter().all(|(args, _)| args[i] == Expr::var(v)))
        };
        let signed: Vec<Var> = (price.variables().into_iter())
            .filter(|&v| !is_natural(&domain, v) && !is_at_most_zero(&domain, v) && is_kept(v))
            .collect();
        if signed.is_empty() || signed.len() > MOST_SIGNED {
            return Vec::new();
        }
        let mut found = vec![self.signs.clone()];
        for v in signed.into_iter().map(Expr::var) {
            let sides = [
                Constraint::le(&v, &Expr::zero()),
                Constraint::ge(&v, &Expr::int(1)),
            ];
            let with_sides = |signs: &Region| {
                let signs = signs.clone();
                let sides = sides.clone().into_iter().flatten();
                sides.map(move |side| signs.and(side)).collect::<Vec<_>>()
            };
            found = found.iter().flat_map(with_sides).collect();
        }
        found.iter().map(|signs| self.within(signs)).collect()
    }
}

impl Round<'_> {
    /// Returns an upper bound on the cost in terms of sizes that do not rise, and of sums that do not. Sizes that may be negative are
    /// replaced by their greatest values where these are natural numbers.
    fn at_most(&self, of: &PriceTerms<'_>) -> Option<Expr> {
        let cost = positive(&self.cost);
        let mut by: BTreeMap<Var, Expr> = BTreeMap::new();
        for v in cost.variables() {
            if of.natural.contains(&v) {
                continue;
            }
            if of.negative.contains(&v) {
                by.insert(v, Expr::zero());
                continue;
            }
            let known = self.without(|w| *w != v && !of.params.contains(w))?;
            let (_, upper) = limits(v, &known);
            let within = |sizes: &[Var]| {
                let is_met = |e: &&Expr| e.variables().iter().all(|w| sizes.contains(w));
                upper.iter().find(is_met).map(positive)
            };
            let itself = || of.fixed.contains(&v).then(|| Expr::var(v));
            let in_sums = |e: &Expr| {
                let is_met = |w: &Var| of.fixed.contains(w) || of.sums.contains_key(w);
                let is_met = e.variables().iter().all(is_met);
                is_met.then(|| positive(e).substitute(&of.sums))?
            };
            let limit = within(&of.natural)
                .or_else(itself)
                .or_else(|| within(&of.fixed))
                .or_else(|| of.sums.get(&v).cloned())
                .or_else(|| upper.iter().find_map(in_sums))?;
            by.insert(v, limit);
        }
        cost.substitute(&by)
    }

    /// Returns the greatest cost over the values of locals with which it rises: for `k <= m+1` and k·⌈log₂ (k+n)⌉, that of k = m+1.
    pub(super) fn highest_cost(&self) -> Expr {
        let mut cost = self.cost.clone();
        for &v in &self.alternative.locals {
            if !self.rises_with(&cost, v) {
                continue;
            }
            let (_, upper) = limits(v, &self.known);
            let is_own = |e: &&Expr| {
                let mut locals = self.alternative.locals.iter();
                e.is_linear() && !locals.any(|w| e.variables().contains(w))
            };
            let highest = upper.iter().find(is_own);
            let at_highest =
                highest.and_then(|e| cost.substitute(&BTreeMap::from([(v, e.clone())])));
            cost = at_highest.unwrap_or(cost);
        }
        cost
    }

    /// Returns whether every term of a cost with a variable is a product of factors that are not negative and do not fall with it.
    fn rises_with(&self, cost: &Expr, v: Var) -> bool {
        let is_natural = |w: Var| is_natural(&self.known, w);
        let rises = |atom: &Atom| match atom {
            Atom::Log { of, .. } => {
                let is_met =
                    Constraint::ge(of, &Expr::int(1)).is_some_and(|c| self.known.implies(&c));
                let mut own = of.terms().filter(|(m, _)| m.variables().any(|w| w == v));
                is_met && own.all(|(_, c)| c.is_positive())
            }
            _ => false,
        };
        let mut own = cost.terms().filter(|(m, _)| m.variables().any(|w| w == v));
        own.all(|(monomial, coefficient)| {
            coefficient.is_positive()
                && monomial.exponentials.is_empty()
                && monomial.atom_exponentials.is_empty()
                && monomial.powers.keys().all(|&w| is_natural(w))
                && monomial.atoms.keys().all(rises)
        })
    }
}

/// Returns the factor of a result in a cost that is linear in it, and the rest.
pub(super) fn factored(cost: &Expr, result: Var) -> Option<(Expr, Expr)> {
    let (mut factor, mut rest) = (Expr::zero(), Expr::zero());
    for (monomial, coefficient) in cost.terms() {
        if !monomial.variables().any(|v| v == result) {
            rest.add_monomial(monomial.clone(), coefficient.clone());
            continue;
        }
        let mut plain = monomial.clone();
        if plain.powers.remove(&result) != Some(1) || plain.variables().any(|v| v == result) {
            return None;
        }
        factor.add_monomial(plain, coefficient.clone());
    }
    Some((factor, rest))
}

/// Returns an upper bound on the value of another function at the arguments of a call.
pub(super) fn most_of(
    system: &System,
    solution: &Solution,
    result: &CallResult,
    known: &Region,
) -> Option<Expr> {
    let params = &system.functions.get(result.function)?.params;
    let by: BTreeMap<Var, Expr> = (params.iter().copied())
        .zip(result.args.iter().cloned())
        .collect();
    let (mut found, mut regions, mut values) = (Expr::zero(), Vec::new(), Vec::new());
    for piece in solution.functions.get(result.function)? {
        let region = piece.region.substitute(&by)?;
        let there = known.and_all(&region);
        if there.is_empty() {
            continue;
        }
        let Value::Known(value) = &piece.value else {
            return None;
        };
        let value = value.substitute(&by)?;
        found = most(&found, &positive(&value));
        regions.push(region);
        values.push((value, there));
    }
    // Terms that were left out, or not added, may be negative where a size is.
    let is_above =
        |(value, there): &(Expr, Region)| *value == found || nonnegative(&(&found - value), there);
    (known.covered_by(&regions) && values.iter().all(is_above)).then_some(found)
}

/// Returns the terms with positive coefficients.
fn positive(e: &Expr) -> Expr {
    let mut found = Expr::zero();
    for (monomial, coefficient) in e.terms().filter(|(_, c)| c.is_positive()) {
        found.add_monomial(monomial.clone(), coefficient.clone());
    }
    found
}

/// Returns an expression that is at least each of two with positive coefficients, where no monomial is negative.
fn most(a: &Expr, b: &Expr) -> Expr {
    let mut found = a.clone();
    for (monomial, coefficient) in b.terms() {
        let excess = coefficient - &a.coefficient(monomial);
        if excess.is_positive() {
            found.add_monomial(monomial.clone(), excess);
        }
    }
    found
}

/// Returns the logarithms in some costs.
fn logarithms(costs: &[Expr]) -> BTreeSet<Atom> {
    let atoms = costs.iter().flat_map(Expr::atoms);
    atoms
        .filter(|atom| matches!(atom, Atom::Log { .. }))
        .cloned()
        .collect()
}

/// Returns whether a logarithm is at least another one wherever sizes are not negative: ⌈log₂ (n+m+2)⌉ and ⌈log₂ (n+2)⌉.
fn is_above(greater: &Atom, less: &Atom) -> bool {
    let (
        Atom::Log { base, rounding, of },
        Atom::Log {
            base: b,
            rounding: r,
            of: other,
        },
    ) = (greater, less)
    else {
        return false;
    };
    let excess = of - other;
    base == b && rounding == r && greater != less && excess.terms().all(|(_, c)| !c.is_negative())
}

/// Returns a cost with the greatest of some logarithms in place of smaller ones.
fn with_greatest(mut cost: Expr, logs: &BTreeSet<Atom>) -> Expr {
    for less in logs {
        let mut above = logs.iter().filter(|greater| is_above(greater, less));
        let Some(first) = above.next() else {
            continue;
        };
        let greatest = above.fold(first, |a, b| if is_above(b, a) { b } else { a });
        let mut replaced = Expr::zero();
        for (monomial, coefficient) in cost.terms() {
            let mut changed: Monomial = monomial.clone();
            if let Some(power) = changed.atoms.remove(less) {
                let other = changed.atoms.get(greatest).copied().unwrap_or(0);
                changed.atoms.insert(greatest.clone(), other + power);
            }
            replaced.add_monomial(changed, coefficient.clone());
        }
        cost = replaced;
    }
    cost
}
