//! The calls of an alternative, each with a piece in which it lands, and the remaining inequality.

use std::collections::BTreeMap;

use costlens_algebra::{Expr, Region, Var};
use serde_json::Value;

use super::arguments::Arguments;
use super::{Checker, Id, coefficient, of_results};
use crate::read::{Alternative, Claim, OF_PROOFS, Piece, field, index, items, rational};
use crate::rows::at_least;
use crate::{Check, must, refuse};

/// The contribution of a call on a branch.
#[derive(Clone)]
enum Landed {
    /// The bound of a piece.
    Bound(Id, Expr),
    /// The call diverges.
    Infinite,
    /// The value is only known to be at least 0.
    Nothing,
}

/// The calls so far, each with the piece in which it lands.
struct Branch {
    node: usize,
    region: Region,
    landed: Vec<Landed>,
}

impl Checker<'_> {
    /// Checks all branches of an alternative, starting from a region.
    pub(super) fn branches(
        &mut self,
        a: &Alternative,
        value: &Expr,
        on: &Region,
        nodes: &[Value],
    ) -> Check {
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

    /// Checks the pieces in which the next call may land, and opens a branch for each piece.
    fn land(
        &mut self,
        a: &Alternative,
        branch: &Branch,
        node: &Value,
        open: &mut Vec<Branch>,
    ) -> Check {
        let position = branch.landed.len();
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
                // The value may be any number of at least 0, which covers every case.
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
            let (target, region, landed) = self.land_in(a, position, &args, *p, landing)?;
            targets.push(target);
            go_on(region, landed, landing)?;
        }
        if somewhere.len() < landings.len() {
            return Ok(());
        }
        self.work
            .covered(&args.here, &targets, field(node, "cover")?)
    }

    /// Checks one piece in which a call may land. Returns the piece's region in terms of the caller, the part of the region that the call
    /// reaches, and the contribution of the call.
    fn land_in(
        &mut self,
        a: &Alternative,
        position: usize,
        args: &Arguments,
        p: usize,
        landing: &Value,
    ) -> Check<(Region, Region, Landed)> {
        let id = (a.calls[position].function, p);
        let Some(piece) = self.system.functions[id.0].pieces.get(p) else {
            return refuse("a call lands in a piece that is not there");
        };
        let target = self.work.substitute_region(&piece.region, &args.linear)?;
        let mut region = args.here.and_all(&target);
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
        // A result in arguments is at most the claimed bound (for upper bounds), or at least the claimed bound (for lower bounds).
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
        Ok((target, region, landed))
    }

    /// Checks the inequality at the end of a branch.
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
        let value_here = self.value_on(a, value, branch, &zero, node)?;
        let difference = if upper {
            bound - &value_here
        } else {
            &value_here - bound
        };
        let difference = self.at_extremes(a, difference, branch, node)?;
        self.work
            .nonnegative(&difference, region, field(node, "proof")?)?;
        if upper {
            Ok(())
        } else {
            self.descent(a, value, branch, &zero, node)
        }
    }

    /// Returns the value after substituting bounds for the results that do not occur in arguments; results in `zero` are replaced by 0.
    fn value_on(
        &mut self,
        a: &Alternative,
        value: &Expr,
        branch: &Branch,
        zero: &[usize],
        node: &Value,
    ) -> Check<Expr> {
        let (upper, region) = (self.system.upper, &branch.region);
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
                    // A negative lower bound is acceptable in a sum, but not in a product.
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
        self.work.substitute(value, &by)
    }

    /// Returns the difference after replacing the results in arguments by their bounds, which minimises it.
    fn at_extremes(
        &mut self,
        a: &Alternative,
        difference: Expr,
        branch: &Branch,
        node: &Value,
    ) -> Check<Expr> {
        let (upper, region) = (self.system.upper, &branch.region);
        let mut difference = difference;
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
            // The bound may be negative, and for negative arguments only a linear function is guaranteed to be monotone.
            let linear = (difference.terms()).all(|(m, _)| of_results(m, &[r]) <= 1);
            must(upper || linear, "a difference is not linear in a result")?;
            self.monotone(&towards, &[r], region, proofs)?;
            difference = self
                .work
                .substitute(&difference, &BTreeMap::from([(r, at)]))?;
        }
        Ok(difference)
    }

    /// Checks that lower bounds of the same level may be used.
    fn descent(
        &mut self,
        a: &Alternative,
        value: &Expr,
        branch: &Branch,
        zero: &[usize],
        node: &Value,
    ) -> Check {
        let own = level_of(self.piece)?;
        let has_no_proof = |landed: &Landed| match landed {
            Landed::Bound(id, _) => self.system.functions[id.0].pieces[id.1].proof.is_null(),
            _ => false,
        };
        if branch.landed.iter().any(has_no_proof) {
            // The bound is refused, because it rests on one without a proof.
            return Ok(());
        }
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
            // If the decreasing quantity is the clause's own cost, results must be multiplied by integers.
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
}

/// Returns the level of a lower bound.
fn level_of(piece: &Piece<'_>) -> Check<usize> {
    field(piece.proof, "level").and_then(index)
}
