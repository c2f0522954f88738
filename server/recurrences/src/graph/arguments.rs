//! Call arguments: a callee's parameters in terms of the caller.

use std::collections::BTreeMap;

use costlens_algebra::prove::{self, RESERVED_VARIABLES};
use costlens_algebra::{Atom, Constraint, Expr, Rat, Region, Var};
use num_traits::Zero;

use crate::system::{CallResult, Function};

/// The maximum number of arguments of a call.
const ARITY_LIMIT: usize = 32;

/// The parameters of a callee in terms of the caller, for substitution into regions.
pub(crate) struct Arguments {
    /// The exact arguments.
    pub(crate) values: BTreeMap<Var, Expr>,
    /// The arguments, with an integer variable in place of each nonlinear argument.
    pub(crate) linear: BTreeMap<Var, Expr>,
    /// Constraints on these variables.
    pub(crate) facts: Vec<Constraint>,
    /// True if `linear` is equivalent to `values`, because its only nonlinear terms are floors.
    pub(crate) is_flat: bool,
}

impl Arguments {
    /// Returns a callee's bound in terms of the caller. A logarithm of half a list's length can be expressed directly; other bounds that
    /// depend on the half can be substituted only if a variable represents it.
    pub(crate) fn bound(&self, of: &Expr) -> Option<Expr> {
        let flat = || self.is_flat.then(|| of.substitute(&self.linear))?;
        of.substitute(&self.values).or_else(flat)
    }
}

/// Substitutes the arguments of a call for parameters. Returns `None` if their number is wrong or one of them is not integer-valued.
///
/// `position`, the index of the call in its alternative, distinguishes the replacement variables of different calls.
pub(crate) fn arguments(
    call: &CallResult,
    position: usize,
    callee: &Function,
    on: &Region,
) -> Option<Arguments> {
    if call.args.len() != callee.params.len() || call.args.len() > ARITY_LIMIT {
        return None;
    }
    let mut arguments = Arguments {
        values: BTreeMap::new(),
        linear: BTreeMap::new(),
        facts: Vec::new(),
        is_flat: true,
    };
    let mut on = on.clone();
    for (i, (&param, arg)) in callee.params.iter().zip(&call.args).enumerate() {
        if !integer_valued(arg, &on) {
            return None;
        }
        arguments.values.insert(param, arg.clone());
        if arg.is_linear() {
            arguments.linear.insert(param, arg.clone());
            continue;
        }
        if let Some((flat, facts)) = prove::without_floors(arg, &on) {
            arguments.linear.insert(param, flat);
            for fact in facts {
                on = on.and(fact.clone());
                arguments.facts.push(fact);
            }
            continue;
        }
        arguments.is_flat = false;
        let number = u32::try_from(position * ARITY_LIMIT + i).ok()?;
        let stand_in = Expr::var(Var(RESERVED_VARIABLES + 0x100 + number));
        for bound in [1, 0] {
            let bound = Expr::int(bound);
            if prove::nonnegative(&(arg - &bound), &on) {
                arguments.facts.extend(Constraint::ge(&stand_in, &bound));
                break;
            }
        }
        arguments.linear.insert(param, stand_in);
    }
    Some(arguments)
}

/// Returns true only if the values at the integer points of a region are proved to be integers. For a polynomial, it suffices to check
/// 0..=degree in each variable (Pólya). For other expressions, coefficients and bases must be integers, and exponents at least 0.
pub(crate) fn integer_valued(e: &Expr, on: &Region) -> bool {
    let natural = |v: Var| {
        on.bounds(&Expr::var(v))
            .0
            .is_some_and(|low| low >= Rat::zero())
    };
    if e.terms().all(|(m, c)| {
        c.is_integer()
            && m.atoms.keys().all(Atom::is_integer_valued)
            && m.atom_exponentials
                .iter()
                .all(|(atom, b)| b.is_integer() && matches!(atom, Atom::Log { .. }))
            && m.exponentials
                .iter()
                .all(|(&v, b)| b.is_integer() && natural(v))
    }) {
        return true;
    }
    if !e.is_polynomial() {
        return false;
    }
    let vars = e.variables();
    let degree = e.terms().map(|(m, _)| m.degree()).max().unwrap_or(0);
    let Some(points) =
        (u64::from(degree) + 1).checked_pow(u32::try_from(vars.len()).unwrap_or(u32::MAX))
    else {
        return false;
    };
    if points > 256 {
        return false;
    }
    (0..points).all(|mut code| {
        let mut at = BTreeMap::new();
        for &v in &vars {
            at.insert(v, code % (u64::from(degree) + 1));
            code /= u64::from(degree) + 1;
        }
        e.eval(&|v| at.get(&v).map(|&k| k.into()))
            .is_some_and(|r| r.is_integer())
    })
}
