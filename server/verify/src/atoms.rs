//! Floors, logarithms and sequences as variables, and the axioms about them.

use costlens_algebra::{Atom, Constraint, Expr, Monomial, Rat, Region, Rounding, Var, rat};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use serde_json::Value;

use crate::proof::On;
use crate::read::{field, index, items, rational, small, text, var};
use crate::rows::{Work, at_least, equal};
use crate::{Check, must, refuse};

/// Variables for floors: from here on, away from those that stand for other arguments.
const OF_FLOORS: u32 = crate::read::OF_PROOFS + 0x4000;

/// Atoms with their variables; the power of a logarithm is the variable after.
#[derive(Default)]
pub(crate) struct Named(Vec<(Atom, Var)>);

/// A logarithm with its variables.
struct Log<'a> {
    base: Rat,
    rounding: Rounding,
    of: &'a Expr,
    log: Expr,
    power: Expr,
}

impl<'a> Log<'a> {
    /// A logarithm as an atom.
    fn alone(atom: &'a Atom) -> Check<Self> {
        let Atom::Log { base, rounding, of } = atom else {
            return refuse("a line of what is no logarithm");
        };
        let (base, log) = (rat((*base).into()), Expr::atom(atom.clone()));
        let Some(power) = Expr::power_of(&base, &log) else {
            return refuse("a power of a logarithm is not covered");
        };
        Ok(Log {
            base,
            rounding: *rounding,
            of,
            log,
            power,
        })
    }

    fn scale(&self, k: u32) -> Rat {
        self.base.pow(i32::try_from(k).unwrap_or(0))
    }
}

impl Named {
    fn log(&self, place: &Value) -> Check<Log<'_>> {
        match self.0.get(index(place)?) {
            Some((Atom::Log { base, rounding, of }, v)) => Ok(Log {
                base: rat((*base).into()),
                rounding: *rounding,
                of,
                log: Expr::var(*v),
                power: Expr::var(power_of(*v)),
            }),
            _ => refuse("a fact about a logarithm that is not there"),
        }
    }

    fn variable(&self, atom: &Atom) -> Check<Var> {
        match self.0.iter().find(|(a, _)| a == atom) {
            Some((_, v)) => Ok(*v),
            None => refuse("an atom has no variable"),
        }
    }

    /// The expression with the variables in place of the atoms.
    fn replaced(&self, e: &Expr) -> Check<Expr> {
        let mut result = Expr::zero();
        for (m, c) in e.terms() {
            let mut plain = Monomial::one();
            plain.powers = m.powers.clone();
            plain.exponentials = m.exponentials.clone();
            for (atom, k) in &m.atoms {
                *plain.powers.entry(self.variable(atom)?).or_insert(0) += k;
            }
            for (atom, b) in &m.atom_exponentials {
                let v = self.variable(atom)?;
                let of_base = match atom {
                    Atom::Log { base, .. } => {
                        (1..=4u32).find(|k| Rat::from_integer(BigInt::from(*base).pow(*k)) == *b)
                    }
                    _ => None,
                };
                match of_base {
                    // (b^k)^v is (b^v)^k.
                    Some(k) => *plain.powers.entry(power_of(v)).or_insert(0) += k,
                    None => drop(plain.exponentials.insert(v, b.clone())),
                }
            }
            result.add_monomial(plain, c.clone());
        }
        Ok(result)
    }
}

fn power_of(v: Var) -> Var {
    Var(v.0 + 1)
}

/// Where an atom has a value; none for floors, which have one everywhere.
pub(crate) fn domain(atom: &Atom) -> Check<Option<Constraint>> {
    Ok(match atom {
        Atom::Floor(_) => None,
        Atom::Log { of, .. } => Some(at_least(of, &Expr::int(1))?),
        Atom::CFinite { index: of, .. } | Atom::Factorial(of) | Atom::Arrangements { of, .. } => {
            Some(at_least(of, &Expr::zero())?)
        }
    })
}

/// `q = ⌊a/d⌋` is `d·q <= a <= d·q + d - 1`; `k = ⌊log_b e⌋` with `p = b^k` is `p <= e <= b·p - 1`, `k = ⌈log_b e⌉` is `e <= p <= b·e - 1`.
fn definition(atom: &Atom, v: Var) -> Check<Vec<Constraint>> {
    match atom {
        Atom::Floor(e) => {
            let d = e.terms().fold(BigInt::one(), |d, (_, c)| d.lcm(c.denom()));
            let d = Rat::from_integer(d);
            let rest = &e.scale(&d) - &Expr::var(v).scale(&d);
            let most = Expr::constant(d - Rat::one());
            Ok(vec![
                at_least(&rest, &Expr::zero())?,
                at_least(&most, &rest)?,
            ])
        }
        Atom::Log { base, rounding, of } => {
            let power = Expr::var(power_of(v));
            let (less, more) = match rounding {
                Rounding::Down => (&power, of),
                Rounding::Up => (of, &power),
            };
            let most = &less.scale(&rat((*base).into())) - &Expr::int(1);
            Ok(vec![at_least(more, less)?, at_least(&most, more)?])
        }
        Atom::CFinite { .. } | Atom::Factorial(_) | Atom::Arrangements { .. } => Ok(Vec::new()),
    }
}

impl Work {
    /// That every atom of an expression has a value.
    pub(crate) fn defined<'a>(
        &mut self,
        atoms: impl ExactSizeIterator<Item = &'a Atom>,
        on: &Region,
        by: &[Value],
    ) -> Check {
        must(
            atoms.len() == by.len(),
            "proofs for other atoms than there are",
        )?;
        for (atom, by) in atoms.zip(by) {
            if let Some(c) = domain(atom)? {
                self.implied(on, &c, by)?;
            }
        }
        Ok(())
    }

    /// Atoms become variables.
    pub(crate) fn atoms(&mut self, e: &Expr, on: &Region, proof: &Value) -> Check {
        let (names, by) = (items(proof, "names")?, items(proof, "defined")?);
        let atoms: Vec<Atom> = e.atoms().into_iter().cloned().collect();
        must(
            atoms.len() == names.len(),
            "other atoms than the expression has",
        )?;
        must(
            atoms.len() == by.len(),
            "proofs for other atoms than there are",
        )?;
        let mut taken = e.variables();
        taken.extend(on.variables());
        let mut named = Named::default();
        let mut region = on.clone();
        for ((atom, name), by) in atoms.into_iter().zip(names).zip(by) {
            let v = var(name)?;
            if let Atom::Floor(of) = &atom {
                let is_new = by.as_array().is_none_or(Vec::is_empty);
                must(
                    !is_new || !taken.contains(&v),
                    "a variable for an atom is taken",
                )?;
                region = self.floor(of, v, region, on, by)?;
                named.0.push((atom, v));
                taken.push(v);
                continue;
            }
            self.defined([&atom].into_iter(), on, std::slice::from_ref(by))?;
            for w in [v, power_of(v)] {
                must(!taken.contains(&w), "a variable for an atom is taken")?;
                taken.push(w);
            }
            for c in definition(&atom, v)? {
                region = region.and(c);
            }
            named.0.push((atom, v));
        }
        let e = named.replaced(e)?;
        let (region, named) = (&region, &named);
        self.proved(&e, &On { region, named }, field(proof, "then")?)
    }

    /// A variable for a floor: one of the region that is proved to be it, or a new one.
    pub(crate) fn floor(
        &mut self,
        of: &Expr,
        v: Var,
        region: Region,
        on: &Region,
        by: &Value,
    ) -> Check<Region> {
        let facts = definition(&Atom::Floor(of.clone()), v)?;
        if let Some(by) = by.as_array().filter(|by| !by.is_empty()) {
            must(by.len() == facts.len(), "two refutations expected")?;
            for (c, by) in facts.iter().zip(by) {
                // An inequality has one half of a negation.
                let by = Value::Array(vec![by.clone()]);
                self.implied(on, c, &by)?;
            }
        } else {
            let is_new = v.0 >= OF_FLOORS && !region.variables().contains(&v);
            must(is_new, "a variable for a floor is taken")?;
        }
        Ok(facts.into_iter().fold(region, |r, c| r.and(c)))
    }

    /// With `w = b/(b-1)` rounded down and `1/(b-1)` up, `c(e) = e·v - w·b^v` is convex for e >= 1 and above each of its lines
    /// `e·t - w·b^t` for an integer t.
    pub(crate) fn line(&mut self, e: &Expr, on: &On<'_>, proof: &Value) -> Check {
        let (atom, reference) = (field(proof, "atom")?, field(proof, "reference")?);
        let (factor, by) = (
            rational(field(proof, "factor")?)?,
            field(proof, "by")?.as_i64(),
        );
        must(
            !factor.is_negative(),
            "a convex function has a negative factor",
        )?;
        let Some(by) = by.filter(|d| d.abs() <= 64) else {
            return refuse("a line has no moderate slope");
        };
        let atoms: Vec<Atom> = e.atoms().into_iter().cloned().collect();
        let (a, b) = if on.named.0.is_empty() {
            let both = [atom, reference].map(|i| index(i).ok().and_then(|i| atoms.get(i)));
            let [Some(a), Some(b)] = both else {
                return refuse("a line of a logarithm that is not there");
            };
            self.defined([a, b].into_iter(), on.region, items(proof, "defined")?)?;
            (Log::alone(a)?, Log::alone(b)?)
        } else {
            (on.named.log(atom)?, on.named.log(reference)?)
        };
        must(
            a.base == b.base,
            "a line between logarithms of different bases",
        )?;
        let weight = match a.rounding {
            Rounding::Down => &a.base / (&a.base - Rat::one()),
            Rounding::Up => (&a.base - Rat::one()).recip(),
        };
        let slope = &b.log + &Expr::int(by);
        let power = b.power.scale(&a.base.pow(i32::try_from(by).unwrap_or(0)));
        let above = &(a.of * &(&a.log - &slope)) - &(&a.power - &power).scale(&weight);
        self.spend(e.terms().count() + above.terms().count())?;
        let line = e - &above.scale(&factor);
        self.proved(&line, on, field(proof, "then")?)
    }

    /// What an axiom says becomes a constraint, if its conditions hold.
    pub(crate) fn fact(&mut self, e: &Expr, on: &On<'_>, proof: &Value) -> Check {
        let fact = items(proof, "fact")?;
        let (conditions, known) = axiom(on.named, fact)?;
        let by = items(proof, "by")?;
        must(by.len() == conditions.len(), "a fact has other conditions")?;
        for (c, by) in conditions.iter().zip(by) {
            self.implied(on.region, c, by)?;
        }
        let region = &known.into_iter().fold(on.region.clone(), |r, c| r.and(c));
        let named = on.named;
        self.proved(e, &On { region, named }, field(proof, "then")?)
    }
}

/// The conditions of an axiom and what it says. For a logarithm, `v` is its value, `p = b^v`, `e` its argument.
fn axiom(named: &Named, fact: &[Value]) -> Check<(Vec<Constraint>, Vec<Constraint>)> {
    let (Some(name), Some(i)) = (fact.first(), fact.get(1)) else {
        return refuse("a fact has a name and a place");
    };
    let number = |n: u32| Expr::int(n.into());
    let argument = |k: usize| match fact.get(k) {
        Some(v) => Ok(v),
        None => refuse("a fact lacks an argument"),
    };
    let bounded = |k: usize| -> Check<u32> {
        let k = small(argument(k)?)?;
        must(k <= 64, "a power in a fact is too large")?;
        Ok(k)
    };
    // Two logarithms of one base, and how much greater the first is.
    let two = || -> Check<(Log<'_>, Log<'_>)> {
        let (a, b) = (named.log(i)?, named.log(argument(2)?)?);
        must(
            a.base == b.base,
            "a fact about logarithms of different bases",
        )?;
        Ok((a, b))
    };
    let shift = || match argument(3)?.as_i64() {
        Some(d) if d.abs() <= 64 => Ok((d, d.unsigned_abs() as u32)),
        _ => refuse("a fact has no moderate difference"),
    };
    Ok(match text(name)? {
        // v >= k: e is at least b^k, or above b^(k-1).
        "least" => {
            let (l, k) = (named.log(i)?, bounded(2)?);
            let least = match (l.rounding, k) {
                (_, 0) => None,
                (Rounding::Down, k) => Some(Expr::constant(l.scale(k))),
                (Rounding::Up, k) => Some(&Expr::constant(l.scale(k - 1)) + &Expr::int(1)),
            };
            let conditions = least.map(|least| at_least(l.of, &least)).transpose()?;
            (
                conditions.into_iter().collect(),
                vec![at_least(&l.log, &number(k))?],
            )
        }
        // v <= k: e is below b^(k+1), or at most b^k.
        "most" => {
            let (l, k) = (named.log(i)?, bounded(2)?);
            let most = match l.rounding {
                Rounding::Down => &Expr::constant(l.scale(k + 1)) - &Expr::int(1),
                Rounding::Up => Expr::constant(l.scale(k)),
            };
            (
                vec![at_least(&most, l.of)?],
                vec![at_least(&number(k), &l.log)?],
            )
        }
        // b^v is convex: not below the line through its values at t and t+1, for an integer v.
        "tangent" => {
            let (l, t) = (named.log(i)?, bounded(2)?);
            let slope = l.scale(t + 1) - l.scale(t);
            let line = &(&l.log - &number(t)).scale(&slope) + &Expr::constant(l.scale(t));
            (Vec::new(), vec![at_least(&l.power, &line)?])
        }
        "power" => {
            let (l, k) = (named.log(i)?, bounded(2)?);
            let power = Expr::constant(l.scale(k));
            (
                vec![equal(&l.log, &number(k))?],
                vec![equal(&l.power, &power)?],
            )
        }
        "power_from" => {
            let (l, k) = (named.log(i)?, bounded(2)?);
            let power = Expr::constant(l.scale(k));
            (
                vec![at_least(&l.log, &number(k))?],
                vec![at_least(&l.power, &power)?],
            )
        }
        // v <= w + d, where f is the argument of the second. Rounded down: b^d·f + b^d - 1 is the greatest number that a division by b^d,
        // rounded down, takes to f. For d = -c the same with the roles exchanged: w >= v + c.
        "at_most" => {
            let ((a, b), (d, size)) = (two()?, shift()?);
            must(a.rounding == b.rounding, "a fact about different roundings")?;
            let scale = a.scale(size);
            let rest = Expr::constant(&scale - Rat::one());
            let conditions = match (a.rounding, d >= 0) {
                (Rounding::Down, true) => vec![at_least(&(&b.of.scale(&scale) + &rest), a.of)?],
                (Rounding::Up, true) => vec![at_least(&b.of.scale(&scale), a.of)?],
                (Rounding::Down, false) => vec![at_least(b.of, &a.of.scale(&scale))?],
                // ⌈f/b^c⌉ >= e, and since e is not 1 dividing by b takes one from the logarithm each time.
                (Rounding::Up, false) => vec![
                    at_least(b.of, &(&a.of.scale(&scale) - &rest))?,
                    at_least(a.of, &Expr::int(2))?,
                ],
            };
            (
                conditions,
                vec![at_least(&(&b.log + &Expr::int(d)), &a.log)?],
            )
        }
        // v = w + d makes p = b^d·q.
        "powers" => {
            let ((a, b), (d, size)) = (two()?, shift()?);
            let scale = a.scale(size);
            let powers = if d >= 0 {
                equal(&a.power, &b.power.scale(&scale))?
            } else {
                equal(&a.power.scale(&scale), &b.power)?
            };
            (
                vec![equal(&a.log, &(&b.log + &Expr::int(d)))?],
                vec![powers],
            )
        }
        // ⌊log e⌋ and ⌈log e⌉ agree where e is a power, else they are neighbours.
        name @ ("same" | "next") => {
            let (down, up) = two()?;
            must(
                down.rounding == Rounding::Down && up.rounding == Rounding::Up && down.of == up.of,
                "a fact about other roundings of one logarithm",
            )?;
            if name == "same" {
                let condition = equal(down.of, &down.power)?;
                let known = [equal(&up.log, &down.log)?, equal(&up.power, &down.power)?];
                (vec![condition], known.into())
            } else {
                let condition = at_least(down.of, &(&down.power + &Expr::int(1)))?;
                let known = [
                    equal(&up.log, &(&down.log + &Expr::int(1)))?,
                    equal(&up.power, &down.power.scale(&down.base))?,
                ];
                (vec![condition], known.into())
            }
        }
        // With coefficients that are not negative and add up to at least 1, no member is less than the least of d neighbours before it.
        "sequence" => {
            let Some((
                Atom::CFinite {
                    coefficients,
                    index,
                },
                v,
            )) = named.0.get(crate::read::index(i)?)
            else {
                return refuse("a fact about a sequence that is not there");
            };
            let (first, least) = (small(argument(2)?)?, rational(argument(3)?)?);
            let sum: Rat = coefficients.iter().sum();
            must(
                coefficients.iter().all(|a| !a.is_negative()) && sum >= Rat::one(),
                "a fact about a sequence that may decrease",
            )?;
            let least_of_them = least_from(coefficients, first)?;
            // A negative least value would not stay one under multiplication by more than 1.
            must(
                least <= least_of_them && !least_of_them.is_negative(),
                "a sequence has a lesser value",
            )?;
            let known = at_least(&Expr::var(*v), &Expr::constant(least))?;
            (vec![at_least(index, &number(first))?], vec![known])
        }
        other => return refuse(format!("no fact `{other}`")),
    })
}

/// The least of d neighbours of a sequence that begins with d-1 zeros and a 1.
fn least_from(coefficients: &[Rat], first: u32) -> Check<Rat> {
    let d = coefficients.len();
    must(first <= 1000, "a sequence is asked for too far out")?;
    let first = first.to_usize().unwrap_or(0);
    let mut values: Vec<Rat> = vec![Rat::zero(); d.saturating_sub(1)];
    values.push(Rat::one());
    while values.len() < first + d {
        let before = values.iter().rev();
        let next: Rat = coefficients.iter().zip(before).map(|(a, u)| a * u).sum();
        must(next.numer().bits() <= 20_000, "a number is too large")?;
        values.push(next);
    }
    match values[first..first + d].iter().min() {
        Some(least) => Ok(least.clone()),
        None => refuse("a sequence without members"),
    }
}
