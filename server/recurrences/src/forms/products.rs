//! Forms for equations in which the recursive call has a polynomial factor: `T(n) = n·T(n-1) + g(n)`.
//!
//! With the factor `a·(n+s)` the homogeneous solution is `H(n) = a^n·(n+s)!`. For a summand `g(n) = b^n·(polynomial)`, `b^n·(polynomial)`
//! absorbs all but a multiple of `b^n`, since `p(n) = b^n·n^d` leaves `p(n) - a·(n+s)·p(n-1)`, whose leading term is `-a/b·b^n·n^(d+1)`;
//! `a^n·A_(b/a)(n+s)`, with the numbers of arrangements `A` ([`costlens_algebra::atom`]), absorbs the multiple of `b^n`. Therefore the
//! number of steps of `perm([H|T], [X|R]) :- sel(X, [H|T], L), perm(L, R)`, which satisfies `n·T(n-1) + 2n+1`, is `3·A(n)-2`.
//!
//! For factors of higher degree that are products of linear factors (`n²`, `n·(n-1)`), `H` is a product of factorials, and a linear program
//! bounds the summand.

use std::collections::BTreeSet;

use costlens_algebra::{Atom, Constraint, Expr, Monomial, Rat, Region, Var, rat};
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::forms::monomials::polynomials;
use crate::graph::linear_coefficient;
use crate::system::{Alternative, System};

/// The factor `a·(n+s)·(n+s')·…`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Product {
    /// The constant factor a, which is positive.
    factor: Rat,
    /// The shifts s, s', …, sorted; at least one.
    shifts: Vec<i64>,
}

/// The largest shift that is considered.
const SHIFT_LIMIT: i64 = 8;

/// The highest degree that is considered.
const DEGREE_LIMIT: usize = 3;

/// The maximum number of products per component.
const PRODUCT_LIMIT: usize = 3;

/// The maximum number of functions per form.
pub(crate) const SIZE_LIMIT: usize = 14;

/// The products of a component.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Products {
    of_calls: BTreeSet<Product>,
    /// The bases of the exponentials in the summands.
    bases: BTreeSet<Rat>,
}

impl Products {
    pub(crate) fn is_empty(&self) -> bool {
        self.of_calls.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Product> {
        self.of_calls.iter().take(PRODUCT_LIMIT)
    }

    /// Returns the monomials of forms for a linear program: with a constant, with the functions that absorb the summand, and with a
    /// variable as a factor.
    pub(crate) fn monomials(&self, active: &[Var], level: u32) -> Vec<Monomial> {
        let mut monomials = polynomials(active, level.min(1));
        for product in self.iter() {
            for &v in active {
                let particular = product.particular(v, &Rat::one()).filter(|_| level > 0);
                for e in product.homogeneous(v).into_iter().chain(particular) {
                    monomials.extend(e.terms().map(|(m, _)| m.clone()));
                    if level > 1 {
                        let higher = &e * &Expr::var(v);
                        monomials.extend(higher.terms().map(|(m, _)| m.clone()));
                    }
                }
            }
        }
        let mut seen = BTreeSet::new();
        monomials.retain(|m| seen.insert(m.clone()));
        monomials
    }

    /// Records a factorial that occurs in a callee's bound or in a cost.
    pub(crate) fn note_atom(&mut self, atom: &Atom) {
        if !atom.is_factorial() {
            return;
        }
        let shift = atom.argument().coefficient(&Monomial::one()).to_integer();
        if let Some(shift) = shift.to_i64().filter(|s| s.abs() <= SHIFT_LIMIT) {
            self.of_calls.insert(Product {
                factor: Rat::one(),
                shifts: vec![shift],
            });
        }
        if let Atom::Arrangements { base, .. } = atom
            && !base.is_one()
        {
            self.bases.insert(base.clone());
        }
    }

    /// Records the factors of recursive calls that decrease the size by one. If `at_most` is set, calls that decrease the size by more are
    /// also recorded (`el(X, [_|L], R)` leaves any number of elements after X).
    pub(crate) fn note_calls(
        &mut self,
        system: &System,
        f: usize,
        alternative: &Alternative,
        internal: &[usize],
        on: &Region,
        at_most: bool,
    ) {
        let Some(value) = &alternative.value else {
            return;
        };
        let params = &system.functions[f].params;
        let results: Vec<Var> = alternative.results.iter().map(|r| r.var).collect();
        for (i, &v) in params.iter().enumerate() {
            let mut factor = Expr::zero();
            for &at in internal {
                let call = &alternative.results[at];
                let before = &Expr::var(v) - &Expr::int(1);
                let below = |arg: &Expr| {
                    let is_local =
                        matches!(arg.variables()[..], [l] if alternative.locals.contains(&l));
                    is_local && Constraint::le(arg, &before).is_some_and(|c| on.implies(&c))
                };
                let is_step = call.function == f
                    && (call.args.get(i))
                        .is_some_and(|arg| *arg == before || (at_most && below(arg)));
                if is_step && let Some(c) = linear_coefficient(value, call.var, &results) {
                    factor += &c;
                }
            }
            self.of_calls.extend(Product::from_polynomial(&factor, v));
        }
        for (m, _) in value.terms() {
            self.bases.extend(m.exponentials.values().cloned());
        }
    }
}

impl Product {
    /// Returns a polynomial in `v` of degree 1 to 3 as a product, if its roots are integers.
    fn from_polynomial(e: &Expr, v: Var) -> Option<Self> {
        let degree = e.terms().map(|(m, _)| m.degree()).max()?;
        let size = usize::try_from(degree).ok()?;
        if !e.is_polynomial() || !(1..=DEGREE_LIMIT).contains(&size) || e.variables() != [v] {
            return None;
        }
        let mut leading = Monomial::one();
        leading.powers.insert(v, degree);
        let factor = e.coefficient(&leading);
        let mut shifts = Vec::new();
        let mut expected = Expr::constant(factor.clone());
        for s in -SHIFT_LIMIT..=SHIFT_LIMIT {
            // To determine the multiplicity of a root, divide by the factor until a remainder is left.
            let root = |e: &Expr| e.eval(&|_| Some((-s).into())).is_some_and(|r| r.is_zero());
            let mut rest = e.clone();
            while shifts.len() < size && root(&rest) {
                shifts.push(s);
                expected = &expected * &(&Expr::var(v) + &Expr::int(s));
                rest = quotient(&rest, v, s)?;
            }
        }
        (factor.is_positive() && expected == *e).then_some(Self { factor, shifts })
    }

    /// Returns the homogeneous solution `a^v·(v+s)!·…`.
    fn homogeneous(&self, v: Var) -> Option<Expr> {
        let mut product = Expr::exponential(&self.factor, v)?;
        for &s in &self.shifts {
            product = &product * &Expr::factorial(&(&Expr::var(v) + &Expr::int(s)))?;
        }
        Some(product)
    }

    /// Returns `a^v·A_(b/a)(v+s)`, for a single linear factor.
    fn particular(&self, v: Var, base: &Rat) -> Option<Expr> {
        let [s] = self.shifts[..] else { return None };
        let of = &Expr::var(v) + &Expr::int(s);
        let arrangements = Expr::arrangements(&(base / &self.factor), &of)?;
        Some(&Expr::exponential(&self.factor, v)? * &arrangements)
    }
}

/// Returns `e/(v+s)` for a polynomial divisible by v+s.
fn quotient(e: &Expr, v: Var, s: i64) -> Option<Expr> {
    let degree = e.terms().map(|(m, _)| m.degree()).max()?;
    let power = |k: u32| {
        let mut m = Monomial::one();
        if k > 0 {
            m.powers.insert(v, k);
        }
        m
    };
    // Horner's scheme at -s.
    let (mut carry, mut result) = (Rat::zero(), Expr::zero());
    for k in (1..=degree).rev() {
        carry = e.coefficient(&power(k)) - carry * rat(s);
        result.add_monomial(power(k - 1), carry.clone());
    }
    Some(result)
}

/// Returns the forms with factorials, in ascending order of size.
pub(crate) fn forms(active: &[Var], products: &Products) -> Vec<Vec<Expr>> {
    let mut forms: Vec<Vec<Expr>> = Vec::new();
    for product in products.iter() {
        for (i, &v) in active.iter().enumerate() {
            let Some(h) = product.homogeneous(v) else {
                continue;
            };
            let powers = |d: u32| (0..=d).map(|k| Expr::var(v).pow(k));
            let with = |d: u32, more: &[&Expr]| {
                powers(d)
                    .chain(more.iter().map(|&e| e.clone()))
                    .collect::<Vec<Expr>>()
            };
            let (vh, vvh) = (&h * &Expr::var(v), &h * &Expr::var(v).pow(2));
            forms.push(vec![h.clone()]);
            forms.push(with(0, &[&h]));
            let a = product.particular(v, &Rat::one());
            if let Some(a) = &a {
                forms.push(with(0, &[a]));
                let va = a * &Expr::var(v);
                forms.push(with(0, &[a, &h]));
                forms.push(with(1, &[a, &h]));
                forms.push(with(1, &[a, &va]));
                forms.push(with(1, &[a, &va, &h]));
                let wide = with(1, &[a, &h, &vh]);
                forms.push(wide);
                forms.push(with(2, &[a, &h, &vh]));
                forms.push(with(2, &[a, &va, &h, &vh, &vvh]));
            } else {
                forms.push(with(1, &[&h]));
                forms.push(with(1, &[&h, &vh]));
            }
            for b in products.bases.iter().take(2) {
                let (Some(of_b), Some(power)) = (product.particular(v, b), Expr::exponential(b, v))
                else {
                    continue;
                };
                forms.push(vec![power.clone(), of_b.clone()]);
                forms.push(with(0, &[&power, &of_b, &h]));
                if let Some(a) = &a {
                    let vb = &power * &Expr::var(v);
                    forms.push(with(1, &[&power, &of_b, a, &h]));
                    forms.push(with(1, &[&power, &vb, &of_b, a, &h]));
                }
            }
            let others: Vec<Var> = [&active[..i], &active[i + 1..]].concat();
            if let [w] = others[..] {
                forms.extend(of_two(v, w, &h, a.as_ref()));
            }
        }
    }
    forms
}

/// Returns forms that are linear in a second size.
fn of_two(v: Var, w: Var, h: &Expr, a: Option<&Expr>) -> Vec<Vec<Expr>> {
    let (one, v, w) = (Expr::int(1), Expr::var(v), Expr::var(w));
    let vw = &v * &w;
    let low = [one.clone(), v.clone(), w.clone(), vw.clone()];
    let over = |of: &Expr, by: &[&Expr]| by.iter().map(|e| of * e).collect::<Vec<Expr>>();
    let mut forms = vec![over(h, &[&one, &w]), over(h, &[&one, &v, &w, &vw])];
    if let Some(a) = a {
        forms.push([&low[..], &over(a, &[&one, &w])].concat());
        forms.push([&low[..], &over(a, &[&one, &w]), &over(h, &[&one, &w])].concat());
        let by = [&one, &v, &w];
        forms.push([&low[..], &over(a, &by), &over(h, &by)].concat());
        let squares = [v.pow(2)];
        forms.push([&low[..], &squares, &over(a, &by), &over(h, &by)].concat());
    }
    forms
}
