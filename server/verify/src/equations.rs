//! From equations and claims to what has to be proved.
//!
//! *Upper*: a function that is not negative and at least one unfolding of its equations is above their least solution (Park). *Lower*: one
//! that is at most one unfolding is below it, if unfolding ends or costs: levels order the pieces, and within a level each call
//! costs at least 1, or a measure that is bounded below decreases.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::{Atom, Expr, Monomial, Rat, Region, Var, rat};
use num_traits::{One, Signed};
use serde_json::Value;

use crate::read::{
    Alternative, Cell, Claim, Function, OF_PROOFS, Piece, System, field, index, items, rational,
    var,
};
use crate::rows::{Work, at_least};
use crate::{Check, Refused, must, refuse};

/// Calls of one alternative, and arguments of one call.
const CALL_LIMIT: usize = 200;
const ARITY_LIMIT: usize = 32;

/// A piece by function and position.
type Id = (usize, usize);

/// What becomes of the claims: for each function and piece, nothing where nothing is claimed.
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
                work: Work::new(),
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
    // What rests on a claim that is not verified is not verified.
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
    work: Work,
    /// The claims that the proof uses.
    used: BTreeSet<Id>,
}

/// What a call contributes on a branch.
#[derive(Clone)]
enum Landed {
    Bound(Id, Expr),
    Infinite,
    Nothing,
}

/// The calls so far, each with a piece that it lands in.
struct Branch {
    node: usize,
    region: Region,
    landed: Vec<Landed>,
}

/// The parameters of a callee in terms of the caller.
struct Arguments {
    values: BTreeMap<Var, Expr>,
    /// With variables in place of floors, and of each other argument that is not linear.
    linear: BTreeMap<Var, Expr>,
    /// Whether both say the same.
    is_flat: bool,
    /// Where these variables are.
    here: Region,
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

    /// A lower bound of at most 0 holds anyway.
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
            // Where no alternative can be used the value is 0.
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
        let nodes = items(proof, "nodes")?;
        let mut open = vec![Branch {
            node: 0,
            region: on.clone(),
            landed: Vec::new(),
        }];
        while let Some(branch) = open.pop() {
            self.work.spend(1000)?;
            let Some(node) = nodes.get(branch.node) else {
                return refuse("a branch ends nowhere");
            };
            if branch.landed.len() < a.calls.len() {
                self.land(a, &branch, node, &mut open)?;
            } else {
                self.judge(a, value, &branch, node)?;
            }
        }
        Ok(())
    }

    /// That a value does not decrease where results grow from 0 on: no product of results has a negative factor, and no power of a number
    /// below 1 has one in its exponent.
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

    /// The arguments of a call, which have to be integers.
    fn arguments(
        &mut self,
        a: &Alternative,
        position: usize,
        on: &Region,
        proof: &Value,
    ) -> Check<Arguments> {
        let call = &a.calls[position];
        let callee = &self.system.functions[call.function];
        let natural = self.natural(on, items(proof, "natural")?)?;
        let mut arguments = Arguments {
            values: BTreeMap::new(),
            linear: BTreeMap::new(),
            is_flat: true,
            here: on.clone(),
        };
        let mut floors = BTreeMap::new();
        for floor in items(proof, "floors")? {
            let (Some(of), Some(v), Some(why)) = (floor.get(0), floor.get(1), floor.get(2)) else {
                return refuse("a floor has an argument, a variable and perhaps a proof");
            };
            let (of, v) = (crate::read::expr(of)?, var(v)?);
            must(of.is_linear(), "a floor of what is not linear")?;
            arguments.here = self.work.floor(&of, v, arguments.here, on, why)?;
            floors.insert(Atom::Floor(of), v);
        }
        for (i, (&param, arg)) in (0u32..).zip(callee.params.iter().zip(&call.args)) {
            self.integer_valued(arg, &natural)?;
            arguments.values.insert(param, arg.clone());
            let linear = match without_floors(arg, &floors) {
                Some(linear) => linear,
                None => {
                    arguments.is_flat = false;
                    Expr::var(stand_in(position, i))
                }
            };
            arguments.linear.insert(param, linear);
        }
        for known in items(proof, "at_least")? {
            let (Some(i), Some(least), Some(proof)) = (known.get(0), known.get(1), known.get(2))
            else {
                return refuse("a fact about an argument has a place, a number and a proof");
            };
            let (i, least) = (index(i)?, Expr::constant(rational(least)?));
            let (Some(arg), Ok(number)) = (call.args.get(i), u32::try_from(i)) else {
                return refuse("a fact about an argument that is not there");
            };
            self.work.nonnegative(&(arg - &least), on, proof)?;
            let stand_in = Expr::var(stand_in(position, number));
            arguments.here = arguments.here.and(at_least(&stand_in, &least)?);
        }
        Ok(arguments)
    }

    /// Variables that are proved to be natural numbers.
    fn natural(&mut self, on: &Region, by: &[Value]) -> Check<BTreeSet<Var>> {
        let mut natural = BTreeSet::new();
        for pair in by {
            let (Some(v), Some(by)) = (pair.get(0), pair.get(1)) else {
                return refuse("a natural number has a variable and a proof");
            };
            let v = var(v)?;
            self.work
                .implied(on, &at_least(&Expr::var(v), &Expr::zero())?, by)?;
            natural.insert(v);
        }
        Ok(natural)
    }

    /// That an expression is an integer at integer points: its coefficients and bases are integers, or it is a polynomial that is one on a
    /// grid as large as its degree (Pólya).
    fn integer_valued(&mut self, e: &Expr, natural: &BTreeSet<Var>) -> Check {
        let integral = |m: &Monomial| {
            m.atoms.keys().all(Atom::is_integer_valued)
                && (m.atom_exponentials.iter())
                    .all(|(a, b)| b.is_integer() && matches!(a, Atom::Log { .. }))
                && (m.exponentials.iter()).all(|(v, b)| b.is_integer() && natural.contains(v))
        };
        if e.terms().all(|(m, c)| c.is_integer() && integral(m)) {
            return Ok(());
        }
        must(e.is_polynomial(), "an expression may not be an integer")?;
        let vars = e.variables();
        let side = u64::from(e.terms().map(|(m, _)| m.degree()).max().unwrap_or(0)) + 1;
        let points = u32::try_from(vars.len())
            .ok()
            .and_then(|k| side.checked_pow(k));
        let Some(points) = points.filter(|p| *p <= 256) else {
            return refuse("an expression may not be an integer");
        };
        for code in 0..points {
            let mut rest = code;
            let mut at = BTreeMap::new();
            for &v in &vars {
                at.insert(v, rest % side);
                rest /= side;
            }
            self.work.spend(e.terms().count())?;
            let value = e.eval(&|v| at.get(&v).map(|&k| k.into()));
            must(
                value.is_some_and(|r| r.is_integer()),
                "an expression may not be an integer",
            )?;
        }
        Ok(())
    }

    fn land(
        &mut self,
        a: &Alternative,
        branch: &Branch,
        node: &Value,
        open: &mut Vec<Branch>,
    ) -> Check {
        let position = branch.landed.len();
        let call = &a.calls[position];
        let callee = &self.system.functions[call.function];
        let landings = items(node, "landings")?;
        must(!landings.is_empty(), "a call lands nowhere")?;
        let mut go_on = |region: Region, landed: Landed, landing: &Value| -> Check {
            let mut all = branch.landed.clone();
            all.push(landed);
            let node = index(field(landing, "node")?)?;
            must(node > branch.node, "a branch goes in circles")?;
            open.push(Branch {
                node,
                region,
                landed: all,
            });
            Ok(())
        };
        let mut somewhere = Vec::new();
        for landing in landings {
            match field(landing, "piece")? {
                // Anything from 0 on, which covers every case.
                Value::Null if !self.system.upper => {
                    go_on(branch.region.clone(), Landed::Nothing, landing)?;
                }
                piece => somewhere.push((index(piece)?, landing)),
            }
        }
        if somewhere.is_empty() {
            return Ok(());
        }
        let args = self.arguments(a, position, &branch.region, field(node, "arguments")?)?;
        let mut targets = Vec::new();
        for (p, landing) in &somewhere {
            let Some(piece) = callee.pieces.get(*p) else {
                return refuse("a call lands in a piece that is not there");
            };
            let target = self.work.substitute_region(&piece.region, &args.linear)?;
            let mut region = args.here.and_all(&target);
            targets.push(target);
            let id = (call.function, *p);
            let landed = match &piece.claim {
                Claim::Bound(e) => Landed::Bound(
                    id,
                    match self.work.substitute(e, &args.values) {
                        Err(_) if args.is_flat => self.work.substitute(e, &args.linear)?,
                        substituted => substituted?,
                    },
                ),
                Claim::Diverges if !self.system.upper => Landed::Infinite,
                _ => return refuse("a call lands where nothing is claimed"),
            };
            self.used.insert(id);
            // A result in arguments is at most (at least) what is claimed of it.
            if let (Some(side), Landed::Bound(_, e)) = (landing.get("side"), &landed) {
                let result = Expr::var(a.results[position]);
                must(
                    a.nested.contains(&a.results[position]),
                    "this result is in no argument",
                )?;
                let is_below = self.system.upper || level_of(piece)? < level_of(self.piece)?;
                must(is_below, "a size of the same level steers the recursion")?;
                let proof = field(landing, "by")?;
                let side = crate::read::expr(side)?;
                let may_occur = |v: &Var| v.0 < OF_PROOFS;
                must(
                    side.variables().iter().all(may_occur),
                    "a side has variables of proofs",
                )?;
                let known = if self.system.upper {
                    self.work.nonnegative(&(&side - e), &region, proof)?;
                    at_least(&side, &result)?
                } else {
                    self.work.nonnegative(&(e - &side), &region, proof)?;
                    at_least(&result, &side)?
                };
                region = region.and(known);
            }
            go_on(region, landed, landing)?;
        }
        if somewhere.len() < landings.len() {
            return Ok(());
        }
        self.work
            .covered(&args.here, &targets, field(node, "cover")?)
    }

    /// The inequality at the end of a branch.
    fn judge(&mut self, a: &Alternative, value: &Expr, branch: &Branch, node: &Value) -> Check {
        let (upper, region) = (self.system.upper, &branch.region);
        if let Some(proof) = node.get("no_claim") {
            return self.no_claim(region, proof);
        }
        let Claim::Bound(bound) = &self.piece.claim else {
            return refuse("nothing is claimed here");
        };
        if let Some(result) = node.get("infinite") {
            let result = index(result)?;
            must(
                matches!(branch.landed.get(result), Some(Landed::Infinite)),
                "a result is not infinite",
            )?;
            let s = coefficient(value, a.results[result], &a.results)?;
            let proof = field(node, "coefficient")?;
            return self.work.nonnegative(&(&s - &Expr::int(1)), region, proof);
        }
        let zero: Vec<usize> = items(node, "zero")?
            .iter()
            .map(index)
            .collect::<Check<_>>()?;
        must(
            !upper || zero.is_empty(),
            "a result is not 0 in an upper bound",
        )?;
        let products = value.terms().any(|(m, _)| of_results(m, &a.results) > 1);
        let proofs = items(node, "nonnegative")?;
        let mut by = BTreeMap::new();
        for (i, landed) in branch.landed.iter().enumerate() {
            let r = a.results[i];
            if a.nested.contains(&r) {
                continue;
            }
            let replaced = match landed {
                _ if zero.contains(&i) => Expr::zero(),
                Landed::Bound(_, e) => {
                    // A negative lower bound is fine in a sum, not in a product.
                    if !upper && products {
                        let given = proofs.iter().find(|p| p.get(0) == Some(&Value::from(i)));
                        let Some(proof) = given.and_then(|p| p.get(1)) else {
                            return refuse("a factor may be negative");
                        };
                        self.work.nonnegative(e, region, proof)?;
                    }
                    e.clone()
                }
                _ => return refuse("a result has no bound"),
            };
            by.insert(r, replaced);
        }
        let value_here = self.work.substitute(value, &by)?;
        let mut difference = if upper {
            bound - &value_here
        } else {
            &value_here - bound
        };
        for extreme in items(node, "extremes")? {
            let (Some(i), Some(proofs)) =
                (extreme.get(0), extreme.get(1).and_then(Value::as_array))
            else {
                return refuse("an extreme has a result and proofs");
            };
            let i = index(i)?;
            let (Some(landed), Some(&r)) = (branch.landed.get(i), a.results.get(i)) else {
                return refuse("an extreme of a result that is not there");
            };
            must(
                a.nested.contains(&r),
                "an extreme of a result in no argument",
            )?;
            let at = match landed {
                Landed::Bound(_, e) => e.clone(),
                Landed::Nothing => Expr::zero(),
                Landed::Infinite => return refuse("an extreme of an infinite result"),
            };
            let towards = if upper {
                -&difference
            } else {
                difference.clone()
            };
            // The bound may be negative, where only a linear function is sure to be monotone.
            let linear = (difference.terms()).all(|(m, _)| of_results(m, &[r]) <= 1);
            must(upper || linear, "a difference is not linear in a result")?;
            self.monotone(&towards, &[r], region, proofs)?;
            difference = self
                .work
                .substitute(&difference, &BTreeMap::from([(r, at)]))?;
        }
        self.work
            .nonnegative(&difference, region, field(node, "proof")?)?;
        if upper {
            Ok(())
        } else {
            self.descent(a, value, branch, &zero, node)
        }
    }

    /// That lower bounds of the same level may be used.
    fn descent(
        &mut self,
        a: &Alternative,
        value: &Expr,
        branch: &Branch,
        zero: &[usize],
        node: &Value,
    ) -> Check {
        let own = level_of(self.piece)?;
        let mut inside = Vec::new();
        for (i, landed) in branch.landed.iter().enumerate() {
            let Landed::Bound(id, _) = landed else {
                continue;
            };
            let is_nested = a.nested.contains(&a.results[i]);
            if zero.contains(&i) && !is_nested {
                continue;
            }
            let level = level_of(&self.system.functions[id.0].pieces[id.1])?;
            must(level <= own, "a lower bound rests on one of a higher level")?;
            if level == own {
                must(!is_nested, "a size of the same level steers the recursion")?;
                inside.push(i);
            }
        }
        if inside.is_empty() {
            return Ok(());
        }
        let (descent, region) = (field(node, "descent")?, &branch.region);
        let level = &self.system.levels[own];
        if !level.always {
            // Where a clause's own cost counts, results have to count in integers.
            let with_results = a.results.iter().try_fold(region.clone(), |r, &v| {
                Ok(r.and(at_least(&Expr::var(v), &Expr::zero())?))
            })?;
            let natural = self.natural(&with_results, items(descent, "natural")?)?;
            self.integer_valued(value, &natural)?;
        }
        if let Some(proof) = descent.get("cost") {
            must(!level.always, "in this level a measure decreases always")?;
            return self.costs(a, value, region, proof);
        }
        let measure_of = |f: usize| match level.measures.get(f) {
            Some(Some(measure)) => Ok(measure),
            _ => refuse("a function of the level has no measure"),
        };
        let before = measure_of(self.id.0)?;
        let least = Expr::constant(rational(field(descent, "least")?)?);
        self.work.implied(
            region,
            &at_least(before, &least)?,
            field(descent, "bounded")?,
        )?;
        let proofs = items(descent, "decreases")?;
        must(
            proofs.len() == inside.len(),
            "a measure decreases in other calls",
        )?;
        for (i, proof) in inside.into_iter().zip(proofs) {
            let call = &a.calls[i];
            let params = self.system.functions[call.function].params.iter().copied();
            let by: BTreeMap<Var, Expr> = params.zip(call.args.iter().cloned()).collect();
            let after = self.work.substitute(measure_of(call.function)?, &by)?;
            let by_one = &(before - &after) - &Expr::int(1);
            self.work.nonnegative(&by_one, region, proof)?;
        }
        Ok(())
    }

    /// That the value is at least 1 where all results are 0.
    fn costs(&mut self, a: &Alternative, value: &Expr, on: &Region, proof: &Value) -> Check {
        let zero = a.results.iter().map(|&r| (r, Expr::zero())).collect();
        let own = self.work.substitute(value, &zero)?;
        self.work.nonnegative(&(&own - &Expr::int(1)), on, proof)
    }

    /// A call that surely lands where it diverges, costs at least 1 and counts at least once.
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

/// The level of a lower bound.
fn level_of(piece: &Piece<'_>) -> Check<usize> {
    field(piece.proof, "level").and_then(index)
}

/// The variable for an argument that is not linear.
fn stand_in(position: usize, argument: u32) -> Var {
    let position = u32::try_from(position).unwrap_or(0);
    Var(OF_PROOFS + 0x100 + position * 32 + argument)
}

/// A linear expression with variables in place of floors; none for others.
fn without_floors(e: &Expr, floors: &BTreeMap<Atom, Var>) -> Option<Expr> {
    let mut linear = Expr::zero();
    for (m, c) in e.terms() {
        match m.single_atom() {
            Some(atom) => linear += &Expr::var(*floors.get(atom)?).scale(c),
            None => linear.add_monomial(m.clone(), c.clone()),
        }
    }
    linear.is_linear().then_some(linear)
}

/// What a result is multiplied by where it occurs alone; what else it occurs in only adds to that.
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

/// The degree of a monomial in results; an exponential counts as more than 1.
fn of_results(m: &Monomial, results: &[Var]) -> u32 {
    let powers = m.powers.iter().filter(|(v, _)| results.contains(v));
    let powers: u32 = powers.map(|(_, &k)| k).sum();
    let inside = |a: &Atom| a.argument().variables().iter().any(|v| results.contains(v));
    let more = m.exponentials.keys().any(|v| results.contains(v)) || m.all_atoms().any(inside);
    powers + 2 * u32::from(more)
}
