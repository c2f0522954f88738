//! The growth of a monomial with atoms, by variable.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use num_traits::{One, Signed, ToPrimitive, Zero};

use super::rate::{Rate, logarithm};
use crate::atom::Atom;
use crate::enclosure::Enclosure;
use crate::expr::{Monomial, Rat, Var, rat};

/// The growth of a monomial.
#[derive(Clone, Debug, Default)]
pub(super) struct Profile {
    variables: BTreeMap<Var, InOne>,
    /// Factors that depend on more than one variable, such as logarithms of sums, with their powers.
    others: Vec<(Opaque, u32)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Opaque {
    Factor(Atom),
    Exponential(Atom, Rat),
}

/// `(v!)^factorials · rate^v · v^power · log(v)^logarithms`.
#[derive(Clone, Debug)]
pub(super) struct InOne {
    pub(super) factorials: Rat,
    pub(super) rate: Rate,
    pub(super) power: Power,
    pub(super) logarithms: u32,
}

impl Default for InOne {
    fn default() -> Self {
        Self {
            factorials: Rat::zero(),
            rate: Rate::default(),
            power: Power {
                value: Enclosure::exact(Rat::zero()),
                whole: Rat::zero(),
                irrational: Vec::new(),
            },
            logarithms: 0,
        }
    }
}

/// An exponent that may be a sum of logarithms.
#[derive(Clone, Debug)]
pub(super) struct Power {
    pub(super) value: Enclosure,
    /// The part without logarithms.
    whole: Rat,
    /// `log_c b` for pairs (c, b).
    irrational: Vec<(u32, Rat)>,
}

impl Power {
    fn add(&mut self, k: &Rat) {
        self.value.low += k;
        self.value.high += k;
        self.whole += k;
    }

    fn compare(&self, other: &Self) -> Option<Ordering> {
        self.compare_exactly(other)
            .or_else(|| self.value.compare(&other.value))
    }

    /// Compares `k + log_c a` and `l + log_c b` as `c^(k-l)·a` and `b`: `n·(3/2)^(log₂ n)` grows like `3^(log₂ n)`.
    fn compare_exactly(&self, other: &Self) -> Option<Ordering> {
        let mut bases = self.irrational.iter().chain(&other.irrational);
        let Some((base, _)) = bases.next() else {
            return Some(self.whole.cmp(&other.whole));
        };
        if bases.any(|(c, _)| c != base) {
            return None;
        }
        let distance = &self.whole - &other.whole;
        let k = distance
            .is_integer()
            .then(|| distance.to_integer().to_i32())??;
        let product = |of: &Self| {
            of.irrational
                .iter()
                .fold(Rat::one(), |product, (_, b)| product * b)
        };
        Some((rat((*base).into()).pow(k) * product(self)).cmp(&product(other)))
    }
}

impl Profile {
    pub(super) fn from_monomial(m: &Monomial) -> Self {
        let mut profile = Self::default();
        for (&v, &k) in &m.powers {
            profile.entry(v).power.add(&rat(k.into()));
        }
        for (&v, b) in &m.exponentials {
            profile.entry(v).rate.push(b, &Rat::one());
        }
        for (atom, &k) in &m.atoms {
            profile.factor(atom, k);
        }
        for (atom, b) in &m.atom_exponentials {
            profile.exponential(atom, b);
        }
        profile
    }

    /// Returns the growth by variable, if there are no other factors.
    pub(super) fn by_variable(&self) -> Option<&BTreeMap<Var, InOne>> {
        self.others.is_empty().then_some(&self.variables)
    }

    fn entry(&mut self, v: Var) -> &mut InOne {
        self.variables.entry(v).or_default()
    }

    fn factor(&mut self, atom: &Atom, k: u32) {
        let variables = atom.argument().variables();
        match (atom, &variables[..]) {
            (Atom::Floor(_), [v]) => self.entry(*v).power.add(&rat(k.into())),
            (Atom::Log { .. }, [v]) => self.entry(*v).logarithms += k,
            (
                Atom::CFinite {
                    coefficients,
                    index,
                },
                _,
            ) if coefficients.iter().all(|a| !a.is_negative()) => {
                for (m, c) in index.terms() {
                    if let Some(&v) = m.powers.keys().next() {
                        let times = c * rat(k.into());
                        self.entry(v).rate.push_root(coefficients, &times);
                    }
                }
            }
            (Atom::Factorial(of) | Atom::Arrangements { of, .. }, [v]) => {
                match super::factorial::growth(of, *v) {
                    Some(growth) => {
                        let times = rat(k.into());
                        let one = self.entry(*v);
                        one.factorials += &growth.factor * &times;
                        one.rate.push(&growth.factor, &(&growth.factor * &times));
                        one.power.add(&(growth.power * times));
                    }
                    None => self.others.push((Opaque::Factor(atom.clone()), k)),
                }
            }
            _ => self.others.push((Opaque::Factor(atom.clone()), k)),
        }
    }

    fn exponential(&mut self, atom: &Atom, b: &Rat) {
        match atom {
            Atom::Floor(e) => {
                for (m, c) in e.terms() {
                    if let Some(&v) = m.powers.keys().next() {
                        self.entry(v).rate.push(b, c);
                    }
                }
            }
            Atom::Log { base, of, .. } => match (&of.variables()[..], logarithm(*base, b)) {
                ([v], Some(exponent)) => {
                    let power = &mut self.entry(*v).power;
                    power.value.low += &exponent.low;
                    power.value.high += &exponent.high;
                    if exponent.low == exponent.high {
                        power.whole += &exponent.low;
                    } else {
                        power.irrational.push((*base, b.clone()));
                    }
                }
                _ => self
                    .others
                    .push((Opaque::Exponential(atom.clone(), b.clone()), 1)),
            },
            Atom::CFinite { .. } | Atom::Factorial(_) | Atom::Arrangements { .. } => self
                .others
                .push((Opaque::Exponential(atom.clone(), b.clone()), 1)),
        }
    }

    pub(super) fn is_dominated(&self, other: &Self) -> bool {
        let nothing = InOne::default();
        let variables = self.variables.keys().chain(other.variables.keys());
        let by_variable = variables.copied().all(|v| {
            let (a, b) = (
                self.variables.get(&v).unwrap_or(&nothing),
                other.variables.get(&v).unwrap_or(&nothing),
            );
            a.compare(b).is_some_and(Ordering::is_le)
        });
        by_variable
            && self
                .others
                .iter()
                .all(|(o, k)| other.others.iter().any(|(p, l)| o == p && k <= l))
    }

    /// Compares for printing, by the growth for equal sizes. Growths too close to distinguish compare as equal.
    pub(super) fn compare_on_diagonal(&self, other: &Self) -> Ordering {
        let (a, b) = (self.diagonal(), other.diagonal());
        a.0.cmp(&b.0)
            .then_with(|| a.1.cmp(&b.1))
            .then_with(|| a.2.cmp(&b.2))
            .then_with(|| a.3.cmp(&b.3))
    }

    fn diagonal(&self) -> (Rat, Rat, Rat, u32) {
        let (mut factorials, mut rate) = (Rat::zero(), Rat::one());
        let (mut power, mut logarithms) = (Rat::zero(), 0);
        for one in self.variables.values() {
            factorials += &one.factorials;
            if let Some(enclosure) = one.rate.enclosure() {
                rate *= enclosure.middle();
            }
            power += one.power.value.middle();
            logarithms += one.logarithms;
        }
        for (opaque, k) in &self.others {
            match opaque {
                Opaque::Factor(Atom::Floor(_)) => power += rat((*k).into()),
                Opaque::Factor(Atom::Log { .. }) => logarithms += k,
                Opaque::Factor(Atom::Factorial(_) | Atom::Arrangements { .. }) => {
                    factorials += rat((*k).into());
                }
                Opaque::Factor(Atom::CFinite { .. }) | Opaque::Exponential(..) => rate += rat(1),
            }
        }
        (factorials, rate, power, logarithms)
    }
}

impl InOne {
    fn compare(&self, other: &Self) -> Option<Ordering> {
        Some(
            self.factorials
                .cmp(&other.factorials)
                .then(self.rate.compare(&other.rate)?)
                .then(self.power.compare(&other.power)?)
                .then(self.logarithms.cmp(&other.logarithms)),
        )
    }
}
