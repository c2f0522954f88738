//! Arguments of calls: checks that they are integers, and substitutes them for a callee's parameters.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::{Atom, Expr, Monomial, Region, Var};
use serde_json::Value;

use super::Checker;
use crate::read::{Alternative, OF_PROOFS, index, items, rational, var};
use crate::rows::at_least;
use crate::{Check, must, refuse};

/// The parameters of a callee in terms of the caller.
pub(super) struct Arguments {
    /// The exact arguments.
    pub(super) values: BTreeMap<Var, Expr>,
    /// The arguments with variables in place of floors and of all other nonlinear arguments.
    pub(super) linear: BTreeMap<Var, Expr>,
    /// True if `values` and `linear` are equivalent.
    pub(super) is_flat: bool,
    /// The region with the constraints on these variables.
    pub(super) here: Region,
}

impl Checker<'_> {
    /// Reads the arguments of a call and checks that they are integers.
    pub(super) fn arguments(
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

    /// Checks proofs that variables are natural numbers, and returns these variables.
    pub(super) fn natural(&mut self, on: &Region, by: &[Value]) -> Check<BTreeSet<Var>> {
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

    /// Checks that an expression is an integer at integer points. Either its coefficients and bases are integers, or it is a polynomial
    /// with integer values on a grid as large as its degree (Pólya).
    pub(super) fn integer_valued(&mut self, e: &Expr, natural: &BTreeSet<Var>) -> Check {
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
}

/// Returns the variable that represents a nonlinear argument.
fn stand_in(position: usize, argument: u32) -> Var {
    let position = u32::try_from(position).unwrap_or(0);
    Var(OF_PROOFS + 0x100 + position * 32 + argument)
}

/// Returns a linear expression with variables in place of floors, or `None` for other expressions.
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
