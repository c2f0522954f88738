//! Derives the proof obligations from equations and claims.
//!
//! *Upper*: a non-negative function that is at least one unfolding of its equations is above their least solution (Park). *Lower*: a
//! function that is at most one unfolding is below the least solution if unfolding ends or has a cost. Levels order the pieces; within a
//! level, each call costs at least 1 or decreases a measure that is bounded below.

mod arguments;
mod branches;

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::{Atom, Expr, Monomial, Rat, Region, Var, rat};
use num_traits::{One, Signed};
use serde_json::Value;

use crate::read::{Alternative, Cell, Claim, Function, Piece, System, field, index, items};
use crate::rows::{WorkLimit, at_least};
use crate::{Check, Refused, must, refuse};

/// The maximum number of calls in an alternative, and of arguments in a call.
const CALL_LIMIT: usize = 200;
const ARITY_LIMIT: usize = 32;

/// A piece, by function and index.
type Id = (usize, usize);

/// Checks the claims. Returns the outcome for each function and piece; `None` if the piece makes no claim.
pub(crate) fn check(system: &System<'_>) -> Vec<Vec<Option<Check>>> {
    let mut outcomes: Vec<Vec<Option<Check>>> = Vec::new();
    let mut rests_on: BTreeMap<Id, BTreeSet<Id>> = BTreeMap::new();
    for (f, function) in system.functions.iter().enumerate() {
        let mut own = Vec::new();
        for (p, piece) in function.pieces.iter().enumerate() {
            let mut checker = Checker {
                system,
                function,
                piece,
                id: (f, p),
                work: WorkLimit::new(),
                used: BTreeSet::new(),
            };
            let outcome = match &piece.claim {
                Claim::Nothing => None,
                _ if piece.proof.is_null() => Some(refuse("it has no proof")),
                _ => Some(checker.piece()),
            };
            own.push(outcome);
            rests_on.insert((f, p), checker.used);
        }
        outcomes.push(own);
    }
    // A claim is not verified if it depends on an unverified claim.
    loop {
        let holds = |id: &Id| matches!(&outcomes[id.0][id.1], Some(Ok(())));
        let fallen = rests_on.iter().find_map(|(id, used)| {
            let missing = used.iter().find(|u| !holds(u))?;
            holds(id).then_some((*id, *missing))
        });
        let Some((id, on)) = fallen else {
            return outcomes;
        };
        let name = &system.functions[on.0].name;
        outcomes[id.0][id.1] = Some(refuse(format!(
            "it rests on piece {} of {name}, which is not verified",
            on.1
        )));
    }
}

struct Checker<'a> {
    system: &'a System<'a>,
    function: &'a Function<'a>,
    piece: &'a Piece<'a>,
    id: Id,
    work: WorkLimit,
    /// The claims on which the proof depends.
    used: BTreeSet<Id>,
}

impl Checker<'_> {
    fn piece(&mut self) -> Check {
        let (piece, proof) = (self.piece, self.piece.proof);
        let regions: Vec<Region> = self
            .function
            .cells
            .iter()
            .map(|c| c.region.clone())
            .collect();
        self.work
            .covered(&piece.region, &regions, field(proof, "cover")?)?;
        if let Claim::Bound(bound) = &piece.claim {
            let atoms = bound.atoms();
            let defined = items(proof, "defined")?;
            self.work
                .defined(atoms.into_iter(), &piece.region, defined)?;
            if self.system.upper {
                let proof = field(proof, "nonnegative")?;
                self.work.nonnegative(bound, &piece.region, proof)?;
            } else {
                let level = index(field(proof, "level")?)?;
                must(level < self.system.levels.len(), "there is no such level")?;
            }
        } else {
            must(!self.system.upper, "an upper bound is not infinite")?;
        }
        let proofs = items(proof, "cells")?;
        must(
            proofs.len() == self.function.cells.len(),
            "proofs for other cells",
        )?;
        for (c, (cell, proof)) in self.function.cells.iter().zip(proofs).enumerate() {
            let on = piece.region.and_all(&cell.region);
            (self.cell(cell, &on, proof)).map_err(|e| Refused(format!("cell {c}: {e}")))?;
        }
        Ok(())
    }

    /// Checks that a lower bound is at most 0 and therefore always holds.
    fn no_claim(&mut self, on: &Region, proof: &Value) -> Check {
        match &self.piece.claim {
            Claim::Bound(bound) if !self.system.upper => self.work.nonnegative(&-bound, on, proof),
            _ => refuse("something is claimed here"),
        }
    }

    fn cell(&mut self, cell: &Cell, on: &Region, proof: &Value) -> Check {
        if let Some(refutation) = proof.get("apart") {
            return self.work.refuted(on, refutation);
        }
        if let Some(proof) = proof.get("no_claim") {
            return self.no_claim(on, proof);
        }
        let proofs = items(proof, "alternatives")?;
        must(
            proofs.len() == cell.alternatives.len(),
            "proofs for other alternatives",
        )?;
        if !self.system.upper {
            // If no alternative is feasible, the value is 0.
            must(
                !cell.alternatives.is_empty(),
                "a cell without alternatives has the value 0",
            )?;
            if !cell.exhaustive {
                let without = cell.alternatives.iter().filter(|a| !a.has_locals);
                let parts: Vec<Region> = without.map(|a| a.constraints.clone()).collect();
                self.work.covered(on, &parts, field(proof, "usable")?)?;
            }
        }
        for (i, (a, proof)) in cell.alternatives.iter().zip(proofs).enumerate() {
            must(
                a.calls.len() <= CALL_LIMIT && a.calls.iter().all(|c| c.args.len() <= ARITY_LIMIT),
                "too many calls or arguments",
            )?;
            let mut on = on.and_all(&a.constraints);
            for &r in &a.nested {
                on = on.and(at_least(&Expr::var(r), &Expr::zero())?);
            }
            self.alternative(a, &on, proof)
                .map_err(|e| Refused(format!("alternative {i}: {e}")))?;
        }
        Ok(())
    }

    fn alternative(&mut self, a: &Alternative, on: &Region, proof: &Value) -> Check {
        if let Some(refutation) = proof.get("impossible") {
            return self.work.refuted(on, refutation);
        }
        if let Some(proof) = proof.get("no_claim") {
            return self.no_claim(on, proof);
        }
        let Some(value) = &a.value else {
            return refuse("an alternative has no bound");
        };
        self.monotone(value, &a.results, on, items(proof, "monotone")?)?;
        if matches!(self.piece.claim, Claim::Diverges) {
            return self.endless(a, value, on, proof);
        }
        self.branches(a, value, on, items(proof, "nodes")?)
    }

    /// Checks that a value is non-decreasing in the results for results of at least 0: no product of results has a negative factor, and no
    /// exponent of a base below 1 contains a result.
    fn monotone(&mut self, value: &Expr, results: &[Var], on: &Region, by: &[Value]) -> Check {
        let mut factors: BTreeMap<Monomial, Expr> = BTreeMap::new();
        for (m, c) in value.terms() {
            if !m.variables().any(|v| results.contains(&v)) {
                continue;
            }
            let inside = |a: &Atom| a.argument().variables().iter().any(|v| results.contains(v));
            must(
                !m.all_atoms().any(inside),
                "a result is in a floor, logarithm or sequence",
            )?;
            let (mut product, mut rest) = (Monomial::one(), m.clone());
            product.powers = m.powers.clone();
            product.exponentials = m.exponentials.clone();
            product.powers.retain(|v, _| results.contains(v));
            product.exponentials.retain(|v, _| results.contains(v));
            rest.powers.retain(|v, _| !results.contains(v));
            rest.exponentials.retain(|v, _| !results.contains(v));
            must(
                product.exponentials.values().all(|b| *b >= Rat::one()),
                "a power of a number below 1 decreases",
            )?;
            factors
                .entry(product)
                .or_default()
                .add_monomial(rest, c.clone());
        }
        let mut by = by.iter();
        for factor in factors.values() {
            match (factor.as_constant(), by.next()) {
                (Some(c), _) if c.is_negative() => return refuse("a result is subtracted"),
                (Some(_), None) => {}
                (Some(_), Some(_)) => return refuse("a proof for a constant factor"),
                (None, Some(proof)) => self.work.nonnegative(factor, on, proof)?,
                (None, None) => return refuse("a factor of a result has no proof"),
            }
        }
        Ok(())
    }

    /// Checks that the value is at least 1 if all results are 0.
    fn costs(&mut self, a: &Alternative, value: &Expr, on: &Region, proof: &Value) -> Check {
        let zero = a.results.iter().map(|&r| (r, Expr::zero())).collect();
        let own = self.work.substitute(value, &zero)?;
        self.work.nonnegative(&(&own - &Expr::int(1)), on, proof)
    }

    /// Checks that a call certainly lands in a diverging piece, costs at least 1, and has a coefficient of at least 1.
    fn endless(&mut self, a: &Alternative, value: &Expr, on: &Region, proof: &Value) -> Check {
        let i = index(field(proof, "call")?)?;
        let Some(call) = a.calls.get(i) else {
            return refuse("a call that is not there");
        };
        let args = self.arguments(a, i, on, field(proof, "arguments")?)?;
        let mut targets = Vec::new();
        let pieces = &self.system.functions[call.function].pieces;
        for (p, piece) in pieces.iter().enumerate() {
            if matches!(piece.claim, Claim::Diverges) {
                targets.push(self.work.substitute_region(&piece.region, &args.linear)?);
                self.used.insert((call.function, p));
            }
        }
        self.work
            .covered(&args.here, &targets, field(proof, "cover")?)?;
        self.costs(a, value, on, field(proof, "cost")?)?;
        let s = coefficient(value, a.results[i], &a.results)?;
        self.work
            .nonnegative(&(&s - &Expr::int(1)), on, field(proof, "coefficient")?)
    }
}

/// Returns the coefficient of a result where it occurs alone. Its other occurrences only increase the value.
fn coefficient(value: &Expr, result: Var, results: &[Var]) -> Check<Expr> {
    let mut sum = Expr::zero();
    for (m, c) in value.terms() {
        must(
            !m.exponentials.contains_key(&result),
            "an infinite result is in an exponent",
        )?;
        if m.powers.get(&result) == Some(&1) && of_results(m, results) == 1 {
            let mut rest = m.clone();
            rest.powers.remove(&result);
            sum.add_monomial(rest, c.clone());
        }
    }
    must(
        sum != Expr::constant(rat(0)),
        "an infinite result does not count",
    )?;
    Ok(sum)
}

/// Returns the degree of a monomial in the results; exponentials count as more than 1.
fn of_results(m: &Monomial, results: &[Var]) -> u32 {
    let powers = m.powers.iter().filter(|(v, _)| results.contains(v));
    let powers: u32 = powers.map(|(_, &k)| k).sum();
    let inside = |a: &Atom| a.argument().variables().iter().any(|v| results.contains(v));
    let more = m.exponentials.keys().any(|v| results.contains(v)) || m.all_atoms().any(inside);
    powers + 2 * u32::from(more)
}
