//! Atoms replaced by variables, and the cases that add constraints on these variables.

mod written;

use std::collections::BTreeMap;

use num_traits::{One, Signed, ToPrimitive};

use super::definitions::{definition, quotient};
use super::logarithms::{Log, difference};
use crate::atom::{Atom, Rounding, integer_log};
use crate::expr::{Expr, Monomial, Rat, Var, rat};
use crate::linear::{Constraint, Region};
use crate::prove::RESERVED_VARIABLES;
use crate::prove::proof::Fact;

/// The maximum number of cases; when it is reached, no further splits are made.
const CASE_LIMIT: usize = 16;

/// The cases of the first logarithm.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::prove) enum SmallLogarithms {
    /// Small values are not told apart.
    Together,
    /// Each small value is a separate case, in which the logarithm's power is a constant.
    Apart,
}

/// Returns the atoms of an expression as variables, and the regions of the cases.
pub(in crate::prove) fn purified(
    expr: &Expr,
    on: &Region,
    small: SmallLogarithms,
) -> Option<(Purified, Vec<Region>)> {
    let mut purified = Purified {
        region: on.clone(),
        variables: BTreeMap::new(),
        logs: Vec::new(),
        names: Vec::new(),
        steps: Vec::new(),
    };
    for (i, atom) in expr.atoms().into_iter().enumerate() {
        purified.add(atom, u32::try_from(2 * i).ok()?)?;
    }
    let mut cases = vec![purified.region.clone()];
    if small == SmallLogarithms::Apart {
        purified.tell_apart(&mut cases);
    }
    purified.compare_roundings(&mut cases);
    for i in 0..purified.logs.len() {
        // Every logarithm is compared by cases with the first logarithm of the same base and rounding; all other pairs get only
        // inequalities.
        let first = (0..i).find(|&j| purified.logs[j].is_like(&purified.logs[i]));
        if let Some(first) = first {
            purified.compare(i, first, on, &mut cases);
        }
    }
    Some((purified, cases))
}

/// Atoms replaced by variables.
pub(in crate::prove) struct Purified {
    region: Region,
    variables: BTreeMap<Atom, Var>,
    pub(super) logs: Vec<Log>,
    /// The atoms in order.
    pub(in crate::prove) names: Vec<(Atom, Var)>,
    /// The steps that constructed the cases.
    pub(super) steps: Vec<CaseStep>,
}

/// A step in the construction of the cases.
pub(super) enum CaseStep {
    /// A constraint that holds in all cases.
    Fact(Fact, Vec<Constraint>),
    /// Splits each case into parts with additional constraints.
    Split(Vec<Case>),
}

/// A part of a region.
pub(super) struct Case {
    /// The constraints that define the part.
    pub(super) on: Vec<Constraint>,
    /// The facts that hold on the part.
    pub(super) facts: Vec<(Fact, Vec<Constraint>)>,
}

impl Purified {
    fn know(&mut self, fact: Fact, constraints: impl IntoIterator<Item = Option<Constraint>>) {
        let constraints: Vec<Constraint> = constraints.into_iter().flatten().collect();
        for c in &constraints {
            self.region = self.region.and(c.clone());
        }
        self.steps.push(CaseStep::Fact(fact, constraints));
    }

    /// Introduces a variable for an atom, constrained by the known facts about the atom.
    fn add(&mut self, atom: &Atom, number: u32) -> Option<()> {
        let v = match atom {
            Atom::Floor(of) => quotient(of, &self.region),
            _ => None,
        };
        let v = v.unwrap_or(Var(RESERVED_VARIABLES + 0x8000 + number));
        self.variables.insert(atom.clone(), v);
        let place = self.names.len();
        self.names.push((atom.clone(), v));
        for c in definition(atom, v) {
            self.region = self.region.and(c);
        }
        match atom {
            Atom::Floor(_) => Some(()),
            Atom::Log { base, rounding, of } => self.add_log(Log {
                place,
                base: *base,
                rounding: *rounding,
                of: of.clone(),
                log: Expr::var(v),
                power: Expr::var(Var(v.0 + 1)),
            }),
            Atom::CFinite {
                coefficients,
                index,
            } => self.add_sequence(place, v, coefficients, index),
            // Factorials and arrangements that occur together with other atoms get no constraints.
            Atom::Factorial(_) | Atom::Arrangements { .. } => Some(()),
        }
    }

    /// Adds the minimum and maximum of a logarithm on the region, and tangents of its power.
    fn add_log(&mut self, l: Log) -> Option<()> {
        let place = l.place;
        let b = rat(l.base.into());
        let (low, high) = self.region.bounds(&l.of);
        let log_at = |bound: &Rat| {
            let log = integer_log(l.base, l.rounding, &bound.to_integer())?;
            u32::try_from(log).ok()
        };
        let least = low.and_then(|low| log_at(&low.ceil())).unwrap_or(0);
        let bound = Constraint::ge(&l.log, &Expr::int(least.into()));
        self.know(Fact::Least(place, least), [bound]);
        if let Some(most) = high.and_then(|high| log_at(&high.floor())) {
            let bound = Constraint::le(&l.log, &Expr::int(most.into()));
            self.know(Fact::Most(place, most), [bound]);
            if most == least {
                let whole = Expr::constant(b.pow(i32::try_from(least).ok()?));
                let fixed = Constraint::eq(&l.power, &whole);
                self.know(Fact::Power(place, least), [fixed]);
            }
        }
        // Tangents: b^k >= b^t + (b^(t+1) - b^t)·(k - t).
        for t in 0..3u8 {
            let at = b.pow(t.into());
            let slope = &at * (&b - Rat::one());
            let line = &(&l.log - &Expr::int(t.into())).scale(&slope) + &Expr::constant(at);
            let bound = Constraint::ge(&l.power, &line);
            self.know(Fact::Tangent(place, t.into()), [bound]);
        }
        self.logs.push(l);
        Some(())
    }

    /// Adds the minimum of a non-decreasing sequence.
    fn add_sequence(
        &mut self,
        place: usize,
        v: Var,
        coefficients: &[Rat],
        index: &Expr,
    ) -> Option<()> {
        if coefficients.iter().any(Signed::is_negative)
            || coefficients.iter().sum::<Rat>() < Rat::one()
        {
            return Some(());
        }
        let low = self.region.bounds(index).0?;
        let first = low.ceil().to_integer().to_usize()?;
        if first > 200 {
            return Some(());
        }
        let values = Atom::beginning(coefficients, first + coefficients.len());
        if let Some(least) = values[first..].iter().min() {
            let bound = Constraint::ge(&Expr::var(v), &Expr::constant(least.clone()));
            let first = u32::try_from(first).ok()?;
            self.know(Fact::Sequence(place, first, least.clone()), [bound]);
        }
        Some(())
    }

    /// Replaces the atoms of an expression by their variables.
    pub(in crate::prove) fn replaced(&self, expr: &Expr) -> Option<Expr> {
        let mut result = Expr::zero();
        for (m, c) in expr.terms() {
            let mut n = Monomial::one();
            n.powers = m.powers.clone();
            n.exponentials = m.exponentials.clone();
            for (atom, k) in &m.atoms {
                *n.powers.entry(*self.variables.get(atom)?).or_insert(0) += k;
            }
            for (atom, base) in &m.atom_exponentials {
                let v = *self.variables.get(atom)?;
                match self.power_of(atom, base) {
                    Some((power, k)) => *n.powers.entry(power).or_insert(0) += k,
                    None => {
                        n.exponentials.insert(v, base.clone());
                    }
                }
            }
            result.add_monomial(n, c.clone());
        }
        Some(result)
    }

    /// Returns the variable for the power of a logarithm, and the exponent k such that `base` is the k-th power of the logarithm's base.
    fn power_of(&self, atom: &Atom, base: &Rat) -> Option<(Var, u32)> {
        let Atom::Log { base: b, .. } = atom else {
            return None;
        };
        let b = rat((*b).into());
        let k = (1..=4).find(|&k| b.pow(k) == *base)?;
        let v = *self.variables.get(atom)?;
        Some((Var(v.0 + 1), k.unsigned_abs()))
    }

    /// Splits every case into parts.
    fn split(&mut self, parts: Vec<Case>, cases: &mut Vec<Region>) {
        let with = |case: &Region, part: &Case| {
            let facts = part.facts.iter().flat_map(|(_, all)| all);
            part.on
                .iter()
                .chain(facts)
                .fold(case.clone(), |r, c| r.and(c.clone()))
        };
        *cases = (cases.iter())
            .flat_map(|case| parts.iter().map(|part| with(case, part)))
            .collect();
        self.steps.push(CaseStep::Split(parts));
    }

    /// Adds a separate case for each small value of the first logarithm.
    fn tell_apart(&mut self, cases: &mut Vec<Region>) {
        const VALUES: u32 = 3;
        let Some(first) = self.logs.first() else {
            return;
        };
        let power = |k: u32| Expr::constant(first.scale(k));
        let part = |on: Option<Constraint>, fact: Fact, known: Option<Constraint>| Case {
            on: on.into_iter().collect(),
            facts: vec![(fact, known.into_iter().collect())],
        };
        let mut parts: Vec<Case> = (0..VALUES)
            .map(|k| {
                part(
                    Constraint::eq(&first.log, &Expr::int(k.into())),
                    Fact::Power(first.place, k),
                    Constraint::eq(&first.power, &power(k)),
                )
            })
            .collect();
        parts.push(part(
            Constraint::ge(&first.log, &Expr::int(VALUES.into())),
            Fact::PowerFrom(first.place, VALUES),
            Constraint::ge(&first.power, &power(VALUES)),
        ));
        self.split(parts, cases);
    }

    /// Compares `⌊log e⌋` and `⌈log e⌉` for the same e: either they are equal and e is a power of the base, or they differ by 1.
    fn compare_roundings(&mut self, cases: &mut Vec<Region>) {
        for down in &self.logs.clone() {
            for up in &self.logs.clone() {
                if down.rounding != Rounding::Down
                    || up.rounding != Rounding::Up
                    || down.base != up.base
                    || down.of != up.of
                    || cases.len() * 2 > CASE_LIMIT
                {
                    continue;
                }
                let b = rat(down.base.into());
                let part = |on: Option<Constraint>, fact, known: [Option<Constraint>; 2]| Case {
                    on: on.into_iter().collect(),
                    facts: vec![(fact, known.into_iter().flatten().collect())],
                };
                let same = part(
                    Constraint::eq(&down.power, &down.of),
                    Fact::Same(down.place, up.place),
                    [
                        Constraint::eq(&up.log, &down.log),
                        Constraint::eq(&up.power, &down.power),
                    ],
                );
                let above = part(
                    Constraint::gt(&down.of, &down.power),
                    Fact::Next(down.place, up.place),
                    [
                        Constraint::eq(&up.log, &(&down.log + &Expr::int(1))),
                        Constraint::eq(&up.power, &down.power.scale(&b)),
                    ],
                );
                self.split(vec![same, above], cases);
            }
        }
    }

    /// Adds a case for each possible difference between two logarithms.
    fn compare(&mut self, i: usize, first: usize, on: &Region, cases: &mut Vec<Region>) {
        let (a, b) = (self.logs[i].clone(), self.logs[first].clone());
        let most = a.most_above(&b, on);
        let least = b.most_above(&a, on).map(|d| -d);
        let count = match (least, most) {
            (Some(least), Some(most)) if most >= least => usize::try_from(most - least + 1).ok(),
            _ => None,
        };
        let known = |d: i32, up: bool| {
            let other = &b.log + &Expr::int(d.into());
            if up {
                let fact = Fact::AtMost(a.place, b.place, d);
                (fact, Constraint::le(&a.log, &other))
            } else {
                let fact = Fact::AtMost(b.place, a.place, -d);
                (fact, Constraint::ge(&a.log, &other))
            }
        };
        let bounds =
            (most.map(|d| known(d, true)).into_iter()).chain(least.map(|d| known(d, false)));
        for (fact, c) in bounds {
            for case in cases.iter_mut() {
                *case = c.iter().fold(case.clone(), |r, c| r.and(c.clone()));
            }
            self.steps
                .push(CaseStep::Fact(fact, c.into_iter().collect()));
        }
        if let (Some(least), Some(count)) = (least, count)
            && cases.len() * count <= CASE_LIMIT
        {
            let parts = (least..=most.unwrap_or(least))
                .map(|d| {
                    let (logs, powers) = difference(&a, &b, d);
                    Case {
                        on: logs.into_iter().collect(),
                        facts: vec![(
                            Fact::Powers(a.place, b.place, d),
                            powers.into_iter().collect(),
                        )],
                    }
                })
                .collect();
            self.split(parts, cases);
        }
    }
}
