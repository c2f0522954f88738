//! Combines the proofs of the cases into one proof.

use num_traits::One;

use super::{CaseStep, Purified};
use crate::atom::{Atom, Rounding};
use crate::expr::{Expr, Rat};
use crate::linear::{Constraint, Implied, Region};
use crate::prove::proof::{Fact, Proof};
use crate::prove::purify::definitions::{definition, domain};
use crate::prove::purify::logarithms::Log;

impl Purified {
    /// Returns the proof on a region, given the proofs of the cases.
    pub(in crate::prove) fn written(
        &self,
        on: &Region,
        then: &mut dyn FnMut(&Region) -> Option<Proof>,
    ) -> Option<Proof> {
        let mut defined = Vec::new();
        for (atom, v) in &self.names {
            defined.push(match (atom, domain(atom)) {
                // A variable of the region that already equals this floor.
                (Atom::Floor(_), _) if on.variables().contains(v) => {
                    let both = definition(atom, *v).into_iter();
                    let why = both.map(|c| on.implication(&c));
                    why.collect::<Option<Vec<Implied>>>()?.concat()
                }
                (_, Some(c)) => on.implication(&c)?,
                (_, None) => Implied::new(),
            });
        }
        let named = (self.names.iter()).fold(on.clone(), |r, (atom, v)| {
            definition(atom, *v).into_iter().fold(r, |r, c| r.and(c))
        });
        Some(Proof::Atoms {
            names: self.names.clone(),
            defined,
            then: Box::new(self.tree(&self.steps, &named, then)?),
        })
    }

    /// Returns the proof, given the proofs of the cases in order; empty cases have no proof.
    fn tree(
        &self,
        steps: &[CaseStep],
        region: &Region,
        then: &mut dyn FnMut(&Region) -> Option<Proof>,
    ) -> Option<Proof> {
        let with = |region: &Region, all: &[Constraint]| {
            all.iter().fold(region.clone(), |r, c| r.and(c.clone()))
        };
        match steps.split_first() {
            None if region.is_empty() => Some(Proof::Empty(region.refutation()?)),
            None => then(region),
            Some((CaseStep::Fact(fact, constraints), rest)) => {
                let known = with(region, constraints);
                let then = self.tree(rest, &known, then)?;
                self.fact(fact.clone(), region, then)
            }
            Some((CaseStep::Split(parts), rest)) => {
                let mut proofs = Vec::new();
                for part in parts {
                    let mut regions = vec![with(region, &part.on)];
                    for (_, constraints) in &part.facts {
                        let known = with(regions.last()?, constraints);
                        regions.push(known);
                    }
                    let mut proof = self.tree(rest, &regions.pop()?, then)?;
                    for ((fact, _), region) in part.facts.iter().zip(&regions).rev() {
                        proof = self.fact(fact.clone(), region, proof)?;
                    }
                    proofs.push(proof);
                }
                let parts: Vec<Region> = (parts.iter())
                    .map(|p| p.on.iter().cloned().collect())
                    .collect();
                let cover = region.cover(&parts)?;
                let then = proofs;
                Some(Proof::Cases { parts, cover, then })
            }
        }
    }

    fn fact(&self, fact: Fact, region: &Region, then: Proof) -> Option<Proof> {
        let conditions = self.conditions(&fact)?;
        let by = conditions.iter().map(|c| region.implication(c));
        Some(Proof::Fact {
            by: by.collect::<Option<_>>()?,
            fact,
            then: Box::new(then),
        })
    }

    /// Returns the logarithm with the given index among the named atoms.
    fn log(&self, place: usize) -> Option<&Log> {
        self.logs.iter().find(|l| l.place == place)
    }

    /// Returns the conditions of a fact: see [`Fact`].
    fn conditions(&self, fact: &Fact) -> Option<Vec<Constraint>> {
        let number = |n: i64| Expr::int(n);
        let power = |l: &Log, k: u32| Expr::constant(l.scale(k));
        Some(match fact {
            Fact::Tangent(..) | Fact::Least(_, 0) => Vec::new(),
            Fact::Least(i, k) => {
                let l = self.log(*i)?;
                let least = match l.rounding {
                    Rounding::Down => power(l, *k),
                    Rounding::Up => &power(l, k - 1) + &number(1),
                };
                vec![Constraint::ge(&l.of, &least)?]
            }
            Fact::Most(i, k) => {
                let l = self.log(*i)?;
                let most = match l.rounding {
                    Rounding::Down => &power(l, k + 1) - &number(1),
                    Rounding::Up => power(l, *k),
                };
                vec![Constraint::le(&l.of, &most)?]
            }
            Fact::Power(i, k) => vec![Constraint::eq(&self.log(*i)?.log, &number((*k).into()))?],
            Fact::PowerFrom(i, k) => {
                vec![Constraint::ge(&self.log(*i)?.log, &number((*k).into()))?]
            }
            Fact::AtMost(i, j, d) => {
                let (a, b) = (self.log(*i)?, self.log(*j)?);
                let scale = a.scale(d.unsigned_abs());
                let rest = Expr::constant(&scale - Rat::one());
                match (a.rounding, *d >= 0) {
                    (Rounding::Down, true) => {
                        vec![Constraint::le(&a.of, &(&b.of.scale(&scale) + &rest))?]
                    }
                    (Rounding::Up, true) => vec![Constraint::le(&a.of, &b.of.scale(&scale))?],
                    (Rounding::Down, false) => vec![Constraint::ge(&b.of, &a.of.scale(&scale))?],
                    (Rounding::Up, false) => vec![
                        Constraint::ge(&b.of, &(&a.of.scale(&scale) - &rest))?,
                        Constraint::ge(&a.of, &number(2))?,
                    ],
                }
            }
            Fact::Powers(i, j, d) => {
                let (a, b) = (self.log(*i)?, self.log(*j)?);
                vec![Constraint::eq(&a.log, &(&b.log + &number((*d).into())))?]
            }
            Fact::Same(i, _) => {
                let l = self.log(*i)?;
                vec![Constraint::eq(&l.of, &l.power)?]
            }
            Fact::Next(i, _) => {
                let l = self.log(*i)?;
                vec![Constraint::gt(&l.of, &l.power)?]
            }
            Fact::Sequence(i, first, _) => {
                let index = self.names.get(*i)?.0.argument();
                vec![Constraint::ge(index, &number((*first).into()))?]
            }
        })
    }
}
