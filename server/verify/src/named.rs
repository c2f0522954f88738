//! Atoms that are represented by variables.

use costlens_algebra::{Atom, Expr, Monomial, Rat, Region, Rounding, Var, rat};
use num_bigint::BigInt;
use serde_json::Value;

use crate::read::index;
use crate::{Check, refuse};

/// A region, with the meanings of its variables.
pub(crate) struct NamedRegion<'a> {
    pub(crate) region: &'a Region,
    /// The atoms that variables of the region represent.
    pub(crate) named: &'a NamedAtoms,
}

/// Atoms with their variables; the power of a logarithm is represented by the next variable.
#[derive(Default)]
pub(crate) struct NamedAtoms(pub(crate) Vec<(Atom, Var)>);

/// A logarithm with its variables.
pub(crate) struct Log<'a> {
    pub(crate) base: Rat,
    pub(crate) rounding: Rounding,
    pub(crate) of: &'a Expr,
    pub(crate) log: Expr,
    pub(crate) power: Expr,
}

impl<'a> Log<'a> {
    /// Returns a logarithm as an atom.
    pub(crate) fn alone(atom: &'a Atom) -> Check<Self> {
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

    /// Returns the base to the power `k`.
    pub(crate) fn scale(&self, k: u32) -> Rat {
        self.base.pow(i32::try_from(k).unwrap_or(0))
    }
}

impl NamedAtoms {
    /// Returns the logarithm with an index among the atoms.
    pub(crate) fn log(&self, place: &Value) -> Check<Log<'_>> {
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

    /// Returns the variable that represents an atom.
    fn variable(&self, atom: &Atom) -> Check<Var> {
        match self.0.iter().find(|(a, _)| a == atom) {
            Some((_, v)) => Ok(*v),
            None => refuse("an atom has no variable"),
        }
    }

    /// Returns the expression with atoms replaced by their variables.
    pub(crate) fn replaced(&self, e: &Expr) -> Check<Expr> {
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
                    // (b^k)^v equals (b^v)^k.
                    Some(k) => *plain.powers.entry(power_of(v)).or_insert(0) += k,
                    None => drop(plain.exponentials.insert(v, b.clone())),
                }
            }
            result.add_monomial(plain, c.clone());
        }
        Ok(result)
    }
}

/// Returns the variable for the power of a logarithm.
pub(crate) fn power_of(v: Var) -> Var {
    Var(v.0 + 1)
}
