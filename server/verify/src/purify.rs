//! Purification: replaces floors, logarithms and sequences by variables.

use costlens_algebra::{Atom, Constraint, Expr, Rat, Region, Rounding, Var, rat};
use num_traits::{One, Signed};
use serde_json::Value;

use crate::axioms::axiom;
use crate::named::{Log, NamedAtoms, NamedRegion, power_of};
use crate::read::{field, index, items, rational, var};
use crate::rows::{WorkLimit, at_least};
use crate::{Check, must, refuse};

/// The first variable for floors. These variables are disjoint from those that represent other arguments.
const OF_FLOORS: u32 = crate::read::OF_PROOFS + 0x4000;

/// Returns the constraint under which an atom is defined, or `None` for floors, which are defined everywhere.
pub(crate) fn domain(atom: &Atom) -> Check<Option<Constraint>> {
    Ok(match atom {
        Atom::Floor(_) => None,
        Atom::Log { of, .. } => Some(at_least(of, &Expr::int(1))?),
        Atom::CFinite { index: of, .. } | Atom::Factorial(of) | Atom::Arrangements { of, .. } => {
            Some(at_least(of, &Expr::zero())?)
        }
    })
}

/// Returns the definition of an atom: `q = ⌊a/d⌋` is `d·q <= a <= d·q + d - 1`; `k = ⌊log_b e⌋` with `p = b^k` is `p <= e <= b·p - 1`,
/// `k = ⌈log_b e⌉` is `e <= p <= b·e - 1`.
fn definition(atom: &Atom, v: Var) -> Check<Vec<Constraint>> {
    match atom {
        Atom::Floor(e) => {
            let d = Rat::from_integer(e.common_denominator());
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

impl WorkLimit {
    /// Checks that every atom of an expression is defined.
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

    /// Replaces atoms by variables.
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
        let mut named = NamedAtoms::default();
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
        self.proved(&e, &NamedRegion { region, named }, field(proof, "then")?)
    }

    /// Returns the variable for a floor: a variable of the region that is proved equal to the floor, or a new variable.
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
                // An inequality, unlike an equality, has a single negation.
                let by = Value::Array(vec![by.clone()]);
                self.implied(on, c, &by)?;
            }
        } else {
            let is_new = v.0 >= OF_FLOORS && !region.variables().contains(&v);
            must(is_new, "a variable for a floor is taken")?;
        }
        Ok(facts.into_iter().fold(region, |r, c| r.and(c)))
    }

    /// Checks a line below a convex function. Let `w = b/(b-1)`, rounded down, and `1/(b-1)`, rounded up. Then `c(e) = e·v - w·b^v` is
    /// convex for e >= 1, and it lies above each of its lines `e·t - w·b^t` for an integer t.
    pub(crate) fn line(&mut self, e: &Expr, on: &NamedRegion<'_>, proof: &Value) -> Check {
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

    /// Adds the constraints of an axiom, if its conditions hold.
    pub(crate) fn fact(&mut self, e: &Expr, on: &NamedRegion<'_>, proof: &Value) -> Check {
        let fact = items(proof, "fact")?;
        let (conditions, known) = axiom(on.named, fact)?;
        let by = items(proof, "by")?;
        must(by.len() == conditions.len(), "a fact has other conditions")?;
        for (c, by) in conditions.iter().zip(by) {
            self.implied(on.region, c, by)?;
        }
        let region = &known.into_iter().fold(on.region.clone(), |r, c| r.and(c));
        let named = on.named;
        self.proved(e, &NamedRegion { region, named }, field(proof, "then")?)
    }
}
