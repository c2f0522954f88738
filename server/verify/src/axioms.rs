//! Axioms about logarithms and sequences that are represented by variables (listed in `docs/certificates.md`).

use costlens_algebra::{Atom, Constraint, Expr, Rat, Rounding};
use num_traits::{One, Signed, ToPrimitive, Zero};
use serde_json::Value;

use crate::named::{Log, NamedAtoms};
use crate::read::{rational, small, text};
use crate::rows::{at_least, equal};
use crate::{Check, must, refuse};

/// The conditions of an axiom, and the constraints that follow from them.
pub(crate) type Axiom = (Vec<Constraint>, Vec<Constraint>);

/// Instantiates an axiom. For a logarithm, `v` is its value, `p = b^v`, `e` its argument.
pub(crate) fn axiom(named: &NamedAtoms, fact: &[Value]) -> Check<Axiom> {
    let (Some(name), Some(place)) = (fact.first(), fact.get(1)) else {
        return refuse("a fact has a name and a place");
    };
    let fact = Fact { named, fact, place };
    match text(name)? {
        name @ ("least" | "most" | "tangent" | "power" | "power_from") => fact.of_one(name),
        name @ ("at_most" | "powers" | "same" | "next") => fact.of_two(name),
        "sequence" => fact.of_sequence(),
        other => refuse(format!("no fact `{other}`")),
    }
}

/// A fact, as named in the certificate.
struct Fact<'a> {
    named: &'a NamedAtoms,
    /// The fact's name, the index of the atom, and further arguments.
    fact: &'a [Value],
    place: &'a Value,
}

impl Fact<'_> {
    fn argument(&self, k: usize) -> Check<&Value> {
        match self.fact.get(k) {
            Some(v) => Ok(v),
            None => refuse("a fact lacks an argument"),
        }
    }

    fn bounded(&self, k: usize) -> Check<u32> {
        let k = small(self.argument(k)?)?;
        must(k <= 64, "a power in a fact is too large")?;
        Ok(k)
    }

    fn log(&self) -> Check<Log<'_>> {
        self.named.log(self.place)
    }

    /// Returns two logarithms with the same base.
    fn two(&self) -> Check<(Log<'_>, Log<'_>)> {
        let (a, b) = (self.log()?, self.named.log(self.argument(2)?)?);
        must(
            a.base == b.base,
            "a fact about logarithms of different bases",
        )?;
        Ok((a, b))
    }

    /// Returns the difference between two logarithms, and its absolute value.
    fn shift(&self) -> Check<(i64, u32)> {
        match self.argument(3)?.as_i64() {
            Some(d) if d.abs() <= 64 => Ok((d, d.unsigned_abs() as u32)),
            _ => refuse("a fact has no moderate difference"),
        }
    }

    /// Instantiates an axiom about a logarithm and a number.
    fn of_one(&self, name: &str) -> Check<Axiom> {
        let (l, k) = (self.log()?, self.bounded(2)?);
        Ok(match name {
            // v >= k: e is at least b^k (if rounded down), or above b^(k-1).
            "least" => {
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
                let most = match l.rounding {
                    Rounding::Down => &Expr::constant(l.scale(k + 1)) - &Expr::int(1),
                    Rounding::Up => Expr::constant(l.scale(k)),
                };
                (
                    vec![at_least(&most, l.of)?],
                    vec![at_least(&number(k), &l.log)?],
                )
            }
            // b^v is convex: for an integer v, it lies on or above the line through its values at k and k+1.
            "tangent" => {
                let slope = l.scale(k + 1) - l.scale(k);
                let line = &(&l.log - &number(k)).scale(&slope) + &Expr::constant(l.scale(k));
                (Vec::new(), vec![at_least(&l.power, &line)?])
            }
            "power" => {
                let power = Expr::constant(l.scale(k));
                (
                    vec![equal(&l.log, &number(k))?],
                    vec![equal(&l.power, &power)?],
                )
            }
            "power_from" => {
                let power = Expr::constant(l.scale(k));
                (
                    vec![at_least(&l.log, &number(k))?],
                    vec![at_least(&l.power, &power)?],
                )
            }
            _ => return refuse(format!("no fact `{name}`")),
        })
    }

    /// Instantiates an axiom about two logarithms with the same base.
    fn of_two(&self, name: &str) -> Check<Axiom> {
        let (a, b) = self.two()?;
        Ok(match name {
            // v <= w + d, where f is the argument of the second logarithm. With rounding down, b^d·f + b^d - 1 is the greatest number whose
            // quotient by b^d, rounded down, is f. For d = -c the same holds with the roles exchanged: w >= v + c.
            "at_most" => {
                let (d, size) = self.shift()?;
                must(a.rounding == b.rounding, "a fact about different roundings")?;
                let scale = a.scale(size);
                let rest = Expr::constant(&scale - Rat::one());
                let conditions = match (a.rounding, d >= 0) {
                    (Rounding::Down, true) => vec![at_least(&(&b.of.scale(&scale) + &rest), a.of)?],
                    (Rounding::Up, true) => vec![at_least(&b.of.scale(&scale), a.of)?],
                    (Rounding::Down, false) => vec![at_least(b.of, &a.of.scale(&scale))?],
                    // ⌈f/b^c⌉ >= e, and since e is not 1, each division by b reduces the logarithm by one.
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
                let (d, size) = self.shift()?;
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
            // ⌊log e⌋ and ⌈log e⌉ are equal if e is a power; otherwise they are neighbours.
            name @ ("same" | "next") => {
                let (down, up) = (a, b);
                must(
                    down.rounding == Rounding::Down
                        && up.rounding == Rounding::Up
                        && down.of == up.of,
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
            _ => return refuse(format!("no fact `{name}`")),
        })
    }

    /// Instantiates an axiom about a sequence. If its coefficients are non-negative and add up to at least 1, no member is less than the
    /// least of the d preceding members.
    fn of_sequence(&self) -> Check<Axiom> {
        let Some((
            Atom::CFinite {
                coefficients,
                index,
            },
            v,
        )) = self.named.0.get(crate::read::index(self.place)?)
        else {
            return refuse("a fact about a sequence that is not there");
        };
        let (first, least) = (small(self.argument(2)?)?, rational(self.argument(3)?)?);
        let sum: Rat = coefficients.iter().sum();
        must(
            coefficients.iter().all(|a| !a.is_negative()) && sum >= Rat::one(),
            "a fact about a sequence that may decrease",
        )?;
        let least_of_them = least_from(coefficients, first)?;
        // A negative minimum would decrease when multiplied by more than 1.
        must(
            least <= least_of_them && !least_of_them.is_negative(),
            "a sequence has a lesser value",
        )?;
        let known = at_least(&Expr::var(*v), &Expr::constant(least))?;
        Ok((vec![at_least(index, &number(first))?], vec![known]))
    }
}

fn number(n: u32) -> Expr {
    Expr::int(n.into())
}

/// Returns the least of d consecutive members of a sequence that begins with d-1 zeros and a 1.
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
