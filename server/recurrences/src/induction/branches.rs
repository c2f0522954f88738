//! Branches: the calls of an alternative, each with a piece in which it may land.

use std::collections::BTreeMap;

use costlens_algebra::{Constraint, Expr, Monomial, Region, Rounding, Var, prove};

use super::checker::Checker;
use crate::graph::{
    Arguments, CellId, RESULT_LIMIT, arguments, degree_in_results, linear_coefficient, monotone,
    nested_results,
};
use crate::system::{Alternative, Direction, Value, Why};

/// The contribution of a call on a branch.
#[derive(Clone, Debug)]
enum Landed {
    /// The value is bounded by a piece.
    Bound(Expr),
    /// The value is proved to be infinite.
    Infinite,
    /// The value is only known to be at least 0.
    Nothing,
}

/// The calls of an alternative in order, each with a piece in which it may land.
struct LandedBranch {
    region: Region,
    landed: Vec<Landed>,
}

impl LandedBranch {
    /// Returns the branch without calls.
    fn start(on: &Region) -> Self {
        Self {
            region: on.clone(),
            landed: Vec::new(),
        }
    }

    /// Returns the branch extended by a call.
    fn extended(&self, region: Region, landed: Landed) -> Self {
        let mut all = self.landed.clone();
        all.push(landed);
        Self {
            region,
            landed: all,
        }
    }
}

impl Checker<'_> {
    /// Proves the bound for an alternative. Returns the number of branches.
    pub(super) fn alternative(
        &mut self,
        id: CellId,
        at: usize,
        alternative: &Alternative,
        on: &Region,
        bound: &Expr,
    ) -> Result<usize, Why> {
        let refused = || Why::NotProved(bound.clone());
        let Some(value) = &alternative.value else {
            return if self.direction == Direction::Upper {
                Err(Why::Unbounded)
            } else if self.no_claim(bound, on) {
                Ok(0)
            } else {
                Err(refused())
            };
        };
        if alternative.results.len() > RESULT_LIMIT {
            return Err(Why::Fuel);
        }
        if alternative.results.is_empty() {
            let difference = self.difference(bound, value);
            return if self.nonnegative(&difference, on) || self.no_claim(bound, on) {
                Ok(0)
            } else {
                Err(refused())
            };
        }
        let results: Vec<Var> = alternative.results.iter().map(|r| r.var).collect();
        if !monotone(value, &results, on) {
            return if self.no_claim(bound, on) {
                Ok(0)
            } else {
                Err(refused())
            };
        }
        let nested = nested_results(alternative);
        if self.direction == Direction::Lower && !self.lower_is_sound(id, at, alternative, &nested)
        {
            return if self.no_claim(bound, on) {
                Ok(0)
            } else {
                Err(refused())
            };
        }
        let mut open = vec![LandedBranch::start(on)];
        let mut steps = 0;
        while let Some(branch) = open.pop() {
            *self.fuel = self.fuel.checked_sub(1).ok_or(Why::Fuel)?;
            if branch.landed.len() < results.len() {
                self.land(alternative, &nested, branch, &mut open)?;
                continue;
            }
            steps += 1;
            if !self.judge(value, alternative, &nested, &branch, bound) {
                return Err(refused());
            }
        }
        Ok(steps)
    }

    /// Extends a branch by the next call, once for each piece in which the call may land.
    fn land(
        &mut self,
        alternative: &Alternative,
        nested: &[Var],
        branch: LandedBranch,
        open: &mut Vec<LandedBranch>,
    ) -> Result<(), Why> {
        let call = &alternative.results[branch.landed.len()];
        let missing =
            |open: &mut Vec<LandedBranch>, branch: &LandedBranch, region: Region| match self
                .direction
            {
                Direction::Upper => Err(Why::Callee),
                Direction::Lower => {
                    open.push(branch.extended(region, Landed::Nothing));
                    Ok(())
                }
            };
        let (Some(callee), Some(pieces)) = (
            self.system.functions.get(call.function),
            self.table.get(call.function),
        ) else {
            return missing(open, &branch, branch.region.clone());
        };
        let Some(args) = arguments(call, branch.landed.len(), callee, &branch.region) else {
            return missing(open, &branch, branch.region.clone());
        };
        let here = args
            .facts
            .iter()
            .fold(branch.region.clone(), |r, c| r.and(c.clone()));
        let mut targets = Vec::new();
        let mut covered = false;
        for piece in pieces {
            let Some(target) = piece.region.substitute(&args.linear) else {
                return missing(open, &branch, here);
            };
            let mut region = here.and_all(&target);
            if region.is_empty() {
                continue;
            }
            let whole = here.implies_all(&target);
            if whole {
                region = here.clone();
            }
            match self.contribution(&piece.value, &args) {
                None => missing(open, &branch, region.clone())?,
                Some(landed) => {
                    if nested.contains(&call.var)
                        && let Some(fact) = self.fact(call.var, &landed)
                    {
                        region = region.and(fact);
                    }
                    open.push(branch.extended(region, landed));
                }
            }
            if whole {
                covered = true;
                break;
            }
            targets.push(target);
        }
        if !covered && !here.covered_by(&targets) {
            missing(open, &branch, here)?;
        }
        Ok(())
    }

    /// Returns the contribution of a call that lands in a piece with this value, or `None` if it is unknown.
    fn contribution(&self, value: &Value, args: &Arguments) -> Option<Landed> {
        match value {
            Value::Known(bound) => args.bound(bound).map(Landed::Bound),
            Value::Diverges if self.direction == Direction::Lower => Some(Landed::Infinite),
            Value::Diverges | Value::Unknown(_) => None,
        }
    }

    /// Returns the constraint that a bound imposes on a result on which later calls depend.
    fn fact(&self, result: Var, landed: &Landed) -> Option<Constraint> {
        let Landed::Bound(e) = landed else {
            return None;
        };
        let r = Expr::var(result);
        match self.direction {
            Direction::Upper => Constraint::le(&r, &prove::linear_side(e, Rounding::Up)?),
            Direction::Lower => Constraint::ge(&r, &prove::linear_side(e, Rounding::Down)?),
        }
    }

    /// Returns true only if the difference is proved non-negative on a complete branch.
    fn judge(
        &mut self,
        value: &Expr,
        alternative: &Alternative,
        nested: &[Var],
        branch: &LandedBranch,
        bound: &Expr,
    ) -> bool {
        let region = &branch.region;
        let results: Vec<Var> = alternative.results.iter().map(|r| r.var).collect();
        let products = value
            .terms()
            .any(|(m, _)| degree_in_results(m, &results) > 1);
        let mut by = BTreeMap::new();
        for (call, landed) in alternative.results.iter().zip(&branch.landed) {
            let replaced = match landed {
                Landed::Bound(e) => {
                    // A negative lower bound is acceptable in a sum, but not in a product.
                    if self.direction == Direction::Lower
                        && products
                        && !self.nonnegative(e, region)
                    {
                        Expr::zero()
                    } else {
                        e.clone()
                    }
                }
                Landed::Infinite => {
                    if linear_coefficient(value, call.var, &results)
                        .is_some_and(|s| self.nonnegative(&(&s - &Expr::int(1)), region))
                    {
                        return true;
                    }
                    Expr::zero()
                }
                Landed::Nothing => Expr::zero(),
            };
            if !nested.contains(&call.var) {
                by.insert(call.var, replaced);
            }
        }
        let Some(value) = value.substitute(&by) else {
            return self.no_claim(bound, region);
        };
        let mut difference = self.difference(bound, &value);
        // Sizes in arguments are replaced by their bounds, from the last to the first, if this cannot increase the difference.
        for (call, landed) in alternative.results.iter().zip(&branch.landed).rev() {
            if !nested.contains(&call.var) || !difference.variables().contains(&call.var) {
                continue;
            }
            let extreme = match landed {
                Landed::Bound(e) => e.clone(),
                Landed::Nothing if self.direction == Direction::Lower => Expr::zero(),
                Landed::Infinite | Landed::Nothing => continue,
            };
            // A lower bound may be negative, and a function that increases for arguments of at least 0 need not increase below 0.
            let of_result = |m: &Monomial| degree_in_results(m, &[call.var]);
            if self.direction == Direction::Lower
                && difference.terms().any(|(m, _)| of_result(m) > 1)
                && !self.nonnegative(&extreme, region)
            {
                continue;
            }
            let towards = match self.direction {
                Direction::Upper => -&difference,
                Direction::Lower => difference.clone(),
            };
            if monotone(&towards, &[call.var], region)
                && let Some(e) = difference.substitute(&BTreeMap::from([(call.var, extreme)]))
            {
                difference = e;
            }
        }
        self.nonnegative(&difference, region) || self.no_claim(bound, region)
    }
}
