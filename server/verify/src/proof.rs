//! Rules that prove an expression non-negative at the integer points of a region (listed in `docs/certificates.md`).

use std::collections::BTreeMap;

use costlens_algebra::{Atom, Expr, Rat, Region, Relation, Var};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use serde_json::Value;

use crate::named::{NamedAtoms, NamedRegion};
use crate::read::{OF_PROOFS, field, index, integer, items, rational, region, small, text, var};
use crate::rows::{WorkLimit, at_least};
use crate::{Check, Refused, must, refuse};

/// The maximum number of points that are checked one by one.
const POINT_LIMIT: usize = 1_000;

impl WorkLimit {
    /// Checks that `e >= 0` at every integer point of a region.
    pub(crate) fn nonnegative(&mut self, e: &Expr, region: &Region, proof: &Value) -> Check {
        let named = &NamedAtoms::default();
        self.proved(e, &NamedRegion { region, named }, proof)
    }

    /// Checks a proof by its rule. The depth is limited by the JSON parser.
    pub(crate) fn proved(&mut self, e: &Expr, on: &NamedRegion<'_>, proof: &Value) -> Check {
        self.spend(10 + e.terms().count())?;
        let rule = text(field(proof, "rule")?)?;
        self.by_rule(e, on, rule, proof)
            .map_err(|Refused(why)| Refused(format!("{rule}: {why}")))
    }

    fn by_rule(&mut self, e: &Expr, on: &NamedRegion<'_>, rule: &str, proof: &Value) -> Check {
        let region = on.region;
        match rule {
            "constant" => match e.as_constant() {
                Some(c) => must(!c.is_negative(), "a constant is negative"),
                None => refuse("an expression is not constant"),
            },
            "empty" => self.refuted(region, field(proof, "by")?),
            "linear" => self.implied(region, &at_least(e, &Expr::zero())?, field(proof, "by")?),
            "solve" => self.solve(e, region, proof),
            "weaken" => self.weaken(e, region, proof),
            "cases" => self.cases(e, on, proof),
            "corner" => self.corner(e, region, proof),
            "coefficients" => self.coefficients(e, region),
            "induction" => self.induction(e, region, proof),
            "points" => self.points(e, region, proof),
            "interval" => self.interval(e, region, proof),
            "products" => self.products(e, region, proof),
            "residues" => self.residues(e, region, proof),
            "atoms" => self.atoms(e, region, proof),
            "fact" => self.fact(e, on, proof),
            "line" => self.line(e, on, proof),
            "sequence" => self.sequence(e, region, proof),
            other => refuse(format!("no rule `{other}`")),
        }
    }

    /// Substitutes equalities: `a·v + rest = 0` with a = 1 or a = -1 determines v as an integer.
    fn solve(&mut self, e: &Expr, region: &Region, proof: &Value) -> Check {
        let (mut e, mut region) = (e.clone(), region.clone());
        for step in items(proof, "steps")? {
            let (Some(place), Some(v)) = (step.get(0), step.get(1)) else {
                return refuse("a step of `solve` has a place and a variable");
            };
            let v = var(v)?;
            let Some(c) = region.constraints().get(index(place)?) else {
                return refuse("`solve` uses a constraint that is not there");
            };
            let left = c.expr();
            let a = linear_coefficient(&left, v);
            must(
                c.relation() == Relation::Zero && a.abs().is_one(),
                "`solve` uses a constraint that does not determine the variable",
            )?;
            let value = (&Expr::var(v).scale(&a) - &left).scale(&a);
            let by = BTreeMap::from([(v, value)]);
            e = self.substitute(&e, &by)?;
            region = self.substitute_region(&region, &by)?;
        }
        self.nonnegative(&e, &region, field(proof, "then")?)
    }

    fn weaken(&mut self, e: &Expr, on: &Region, proof: &Value) -> Check {
        let to = region(field(proof, "region")?)?;
        let by = items(proof, "by")?;
        must(
            by.len() == to.constraints().len(),
            "`weaken` proves other constraints",
        )?;
        for (c, by) in to.constraints().iter().zip(by) {
            self.implied(on, c, by)?;
        }
        self.nonnegative(e, &to, field(proof, "then")?)
    }

    fn cases(&mut self, e: &Expr, on: &NamedRegion<'_>, proof: &Value) -> Check {
        let parts: Check<Vec<Region>> = items(proof, "parts")?.iter().map(region).collect();
        let (parts, then) = (parts?, items(proof, "then")?);
        must(
            parts.len() == then.len(),
            "`cases` has other parts than proofs",
        )?;
        self.covered(on.region, &parts, field(proof, "cover")?)?;
        for (part, proof) in parts.iter().zip(then) {
            let region = &on.region.and_all(part);
            let named = on.named;
            self.proved(e, &NamedRegion { region, named }, proof)?;
        }
        Ok(())
    }

    /// Replaces constraints `rᵢ >= 0` by variables. If each variable is identically a combination of the rᵢ, it suffices to consider all
    /// natural numbers as values of the rᵢ.
    fn corner(&mut self, e: &Expr, on: &Region, proof: &Value) -> Check {
        let mut rows = BTreeMap::new();
        let mut naturals = Region::everything();
        for (i, place) in (0u32..).zip(items(proof, "rows")?) {
            let Some(c) = on.constraints().get(index(place)?) else {
                return refuse("`corner` uses a constraint that is not there");
            };
            let slack = Var(OF_PROOFS + i);
            rows.insert(slack, c.expr());
            naturals = naturals.and(at_least(&Expr::var(slack), &Expr::zero())?);
        }
        let mut by = BTreeMap::new();
        for pair in items(proof, "values")? {
            let (Some(v), Some(value)) = (pair.get(0), pair.get(1)) else {
                return refuse("a value of `corner` has a variable and an expression");
            };
            let (v, value) = (var(v)?, crate::read::expr(value)?);
            must(value.is_linear(), "a value of `corner` is not linear")?;
            must(
                value.variables().iter().all(|t| rows.contains_key(t)),
                "a value of `corner` has other variables than constraints",
            )?;
            must(
                self.substitute(&value, &rows)? == Expr::var(v),
                "a value of `corner` is not that of its variable",
            )?;
            by.insert(v, value);
        }
        must(
            e.variables().iter().all(|v| by.contains_key(v)),
            "`corner` forgets a variable",
        )?;
        let e = self.substitute(e, &by)?;
        self.nonnegative(&e, &naturals, field(proof, "then")?)
    }

    /// Checks that an expression is a sum of products of natural numbers and positive numbers.
    fn coefficients(&mut self, e: &Expr, on: &Region) -> Check {
        self.naturals(e, on)?;
        let e = self.above_one(e)?;
        must(
            e.terms().all(|(_, c)| !c.is_negative()),
            "a coefficient is negative",
        )
    }

    /// Returns the expression with `1 + u`, for a natural number u, in place of each factorial and of each `Σ e!/k!·b^k` with positive b.
    /// If e is a natural number, these atoms are at least 1. Other atoms are rejected.
    fn above_one(&mut self, e: &Expr) -> Check<Expr> {
        let atoms: Vec<Atom> = e.atoms().into_iter().cloned().collect();
        for atom in &atoms {
            let positive = match atom {
                Atom::Factorial(_) => true,
                Atom::Arrangements { base, .. } => base.is_positive(),
                _ => false,
            };
            must(
                positive && atom.argument().terms().all(|(_, c)| !c.is_negative()),
                "`coefficients` meets what is not known to be positive",
            )?;
        }
        must(
            e.variables().iter().all(|v| v.0 < OF_PROOFS + 0x7000),
            "a variable is taken",
        )?;
        let mut result = Expr::zero();
        for (m, c) in e.terms() {
            must(
                m.atom_exponentials.is_empty(),
                "`coefficients` meets a power of an atom",
            )?;
            let mut plain = m.clone();
            plain.atoms.clear();
            let mut term = Expr::monomial(plain, c.clone());
            for (atom, &k) in &m.atoms {
                must(k <= 8, "a power of a factorial is too high")?;
                let u = (0u32..)
                    .zip(&atoms)
                    .find(|(_, a)| *a == atom)
                    .map(|(i, _)| i);
                let u = Expr::var(Var(OF_PROOFS + 0x7000 + u.unwrap_or(0)));
                self.spend(term.terms().count() * 10)?;
                term = &term * &(&u + &Expr::int(1)).pow(k);
            }
            result += &term;
        }
        Ok(result)
    }

    /// Checks that the region implies that each variable is a natural number.
    fn naturals(&mut self, e: &Expr, on: &Region) -> Check {
        self.spend(on.constraints().len())?;
        let natural = |v: &Var| {
            on.constraints().iter().any(|c| {
                let left = c.expr();
                let rest = &left - &Expr::var(*v);
                c.relation() == Relation::NonNegative
                    && rest.as_constant().is_some_and(|c| !c.is_positive())
            })
        };
        must(
            e.variables().iter().all(natural),
            "a variable is not known to be a natural number",
        )
    }

    fn induction(&mut self, e: &Expr, on: &Region, proof: &Value) -> Check {
        self.naturals(e, on)?;
        let naturals = e
            .variables()
            .into_iter()
            .try_fold(Region::everything(), |r, v| {
                Ok(r.and(at_least(&Expr::var(v), &Expr::zero())?))
            })?;
        let v = var(field(proof, "var")?)?;
        let rate = rational(field(proof, "rate")?)?;
        must(!rate.is_negative(), "a rate is negative")?;
        let next = BTreeMap::from([(v, &Expr::var(v) + &Expr::int(1))]);
        let step = &self.substitute(e, &next)? - &e.scale(&rate);
        let first = self.substitute(e, &BTreeMap::from([(v, Expr::zero())]))?;
        self.nonnegative(&step, &naturals, field(proof, "step")?)?;
        self.nonnegative(&first, &naturals, field(proof, "first")?)
    }

    /// Checks that a variable is between two numbers.
    fn check_between(
        &mut self,
        v: Var,
        low: &BigInt,
        high: &BigInt,
        on: &Region,
        proof: &Value,
    ) -> Check {
        let [by_low, by_high] = items(proof, "by")? else {
            return refuse("two bounds expected");
        };
        let number = |n: &BigInt| Expr::constant(Rat::from_integer(n.clone()));
        self.implied(on, &at_least(&Expr::var(v), &number(low))?, by_low)?;
        self.implied(on, &at_least(&number(high), &Expr::var(v))?, by_high)
    }

    /// Checks that `e >= 0` for each value of its only variable between `low` and `high`.
    fn each(&mut self, e: &Expr, v: Var, low: &BigInt, high: &BigInt) -> Check {
        must(
            e.variables().iter().all(|w| *w == v),
            "there is a further variable",
        )?;
        let count = (high - low).to_usize().filter(|n| *n <= POINT_LIMIT);
        let Some(count) = count else {
            return refuse("too many points, or none");
        };
        for k in 0..=count {
            let at = low + k;
            self.spend(1000 * e.terms().count())?;
            let value = e.eval(&|_| Some(at.clone()));
            must(
                value.is_some_and(|r| !r.is_negative()),
                "an expression is negative or undefined at a point",
            )?;
        }
        Ok(())
    }

    fn points(&mut self, e: &Expr, on: &Region, proof: &Value) -> Check {
        let v = var(field(proof, "var")?)?;
        let (low, high) = (
            integer(field(proof, "low")?)?,
            integer(field(proof, "high")?)?,
        );
        self.check_between(v, &low, &high, on, proof)?;
        self.each(e, v, &low, &high)
    }

    /// Checks a polynomial p on intervals of integers: `(1+u)^d·p((a+b·u)/(1+u))` has no negative coefficient.
    fn interval(&mut self, e: &Expr, on: &Region, proof: &Value) -> Check {
        let v = var(field(proof, "var")?)?;
        must(
            e.is_polynomial() && e.variables().iter().all(|w| *w == v),
            "`interval` is for polynomials of one variable",
        )?;
        let ends: Vec<BigInt> = items(proof, "ends")?
            .iter()
            .map(integer)
            .collect::<Check<_>>()?;
        let (Some(first), Some(last)) = (ends.first(), ends.last()) else {
            return refuse("`interval` has no ends");
        };
        self.check_between(v, first, last, on, proof)?;
        let degree = e.terms().map(|(m, _)| m.degree()).max().unwrap_or(0);
        must(degree <= 64, "a degree is too high")?;
        for pair in ends.windows(2) {
            let (a, b) = (&pair[0], &pair[1]);
            must(a <= b, "the ends of intervals are not in order")?;
            if b - a <= BigInt::one() {
                self.each(e, v, a, b)?;
                continue;
            }
            let number = |n: &BigInt| Expr::constant(Rat::from_integer(n.clone()));
            let u = Expr::var(v);
            let above = &number(a) + &u.scale(&Rat::from_integer(b.clone()));
            let below = &Expr::int(1) + &u;
            let mut moved = Expr::zero();
            for (m, c) in e.terms() {
                let k = m.degree();
                moved += &(&above.pow(k) * &below.pow(degree - k)).scale(c);
                self.spend(100 * (degree * degree) as usize)?;
            }
            must(
                moved.terms().all(|(_, c)| !c.is_negative()),
                "a coefficient is negative on an interval",
            )?;
        }
        if ends.len() == 1 {
            self.each(e, v, first, last)?;
        }
        Ok(())
    }

    /// Checks a certificate by Handelman: `e = Σ λ·Π constraints + Σ μ·squares` with λ, μ >= 0.
    fn products(&mut self, e: &Expr, on: &Region, proof: &Value) -> Check {
        let mut rest = e.clone();
        for term in items(proof, "terms")? {
            let (Some(factor), Some(places)) = (term.get(0), term.get(1)) else {
                return refuse("a product has a factor and places");
            };
            let factor = rational(factor)?;
            must(!factor.is_negative(), "a product has a negative factor")?;
            let mut product = Expr::constant(factor);
            for place in places
                .as_array()
                .map_or(&[][..], Vec::as_slice)
                .iter()
                .take(8)
            {
                let Some(c) = on.constraints().get(index(place)?) else {
                    return refuse("`products` uses a constraint that is not there");
                };
                self.spend(product.terms().count() * c.expr().terms().count())?;
                product = &product * &c.expr();
            }
            rest = &rest - &product;
        }
        for square in items(proof, "squares")? {
            let (Some(factor), Some(of)) = (square.get(0), square.get(1)) else {
                return refuse("a square has a factor and an expression");
            };
            let (factor, of) = (rational(factor)?, crate::read::expr(of)?);
            must(!factor.is_negative(), "a square has a negative factor")?;
            self.spend(of.terms().count() * of.terms().count())?;
            rest = &rest - &of.pow(2).scale(&factor);
        }
        must(
            rest.is_zero(),
            "the products do not add up to the expression",
        )
    }

    /// Checks `n = d·m + r` for r = 0, …, d-1.
    fn residues(&mut self, e: &Expr, on: &Region, proof: &Value) -> Check {
        let (v, m) = (var(field(proof, "var")?)?, var(field(proof, "quotient")?)?);
        let period = small(field(proof, "period")?)?;
        let then = items(proof, "then")?;
        must(
            m != v && !e.variables().contains(&m) && !on.variables().contains(&m),
            "`residues` needs a new variable",
        )?;
        must(
            period > 0 && then.len() == period as usize,
            "`residues` has other proofs than residues",
        )?;
        let multiple = Expr::var(m).scale(&Rat::from_integer(period.into()));
        for (r, proof) in (0u32..).zip(then) {
            let by = BTreeMap::from([(v, &multiple + &Expr::int(r.into()))]);
            let (e, on) = (self.substitute(e, &by)?, self.substitute_region(on, &by)?);
            self.nonnegative(&e, &on, proof)?;
        }
        Ok(())
    }

    /// Checks a recurrence with coefficients `aᵢ >= 0`: if `e(n) >= 0` for `low <= n < start + d` and `e(n+d) >= Σ aᵢ·e(n+d-i)` for
    /// `n >= start`, then e is non-negative for all n >= `low`.
    fn sequence(&mut self, e: &Expr, on: &Region, proof: &Value) -> Check {
        let v = var(field(proof, "var")?)?;
        let (low, start) = (
            integer(field(proof, "low")?)?,
            integer(field(proof, "start")?)?,
        );
        let number = |n: &BigInt| Expr::constant(Rat::from_integer(n.clone()));
        self.implied(
            on,
            &at_least(&Expr::var(v), &number(&low))?,
            field(proof, "by")?,
        )?;
        let coefficients: Vec<Rat> = items(proof, "coefficients")?
            .iter()
            .map(rational)
            .collect::<Check<_>>()?;
        must(
            coefficients.iter().all(|a| !a.is_negative()) && start >= low,
            "a coefficient of a recurrence is negative, or it starts too early",
        )?;
        must(
            !coefficients.is_empty(),
            "a recurrence without coefficients",
        )?;
        let last = &start + coefficients.len() - 1;
        self.each(e, v, &low, &last)?;
        let d = i64::try_from(coefficients.len()).unwrap_or(i64::MAX);
        let mut shifted =
            |by: i64| self.substitute(e, &BTreeMap::from([(v, &Expr::var(v) + &Expr::int(by))]));
        let mut step = shifted(d)?;
        for (i, a) in (1..).zip(&coefficients) {
            step = &step - &shifted(d - i)?.scale(a);
        }
        match field(proof, "step")? {
            Value::Null => must(step.is_zero(), "the step of a recurrence is not 0"),
            proof => {
                let from = at_least(&Expr::var(v), &number(&start))?;
                self.nonnegative(&step, &Region::everything().and(from), proof)
            }
        }
    }
}

/// Returns the coefficient of a variable in a linear expression.
pub(crate) fn linear_coefficient(e: &Expr, v: Var) -> Rat {
    let of_v = |m: &costlens_algebra::Monomial| *m == single(v);
    (e.terms().find(|(m, _)| of_v(m))).map_or_else(Rat::zero, |(_, c)| c.clone())
}

fn single(v: Var) -> costlens_algebra::Monomial {
    let mut m = costlens_algebra::Monomial::one();
    m.powers.insert(v, 1);
    m
}
