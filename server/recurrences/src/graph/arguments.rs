//! Arguments of calls: a callee's parameters in terms of the caller.

use std::collections::BTreeMap;

use costlens_algebra::prove::{self, RESERVED_VARIABLES};
use costlens_algebra::{Atom, Constraint, Expr, Rat, Region, Var};
use num_traits::Zero;

use crate::system::{CallResult, Function};

/// Calls with more arguments are not considered.
const ARITY_LIMIT: usize = 32;

/// The parameters of a callee in terms of the caller, ready for substitution into regions.
pub(crate) struct Arguments {
    /// The exact arguments.
    pub(crate) values: BTreeMap<Var, Expr>,
    /// The same with an integer variable in place of each argument that is not linear.
    pub(crate) linear: BTreeMap<Var, Expr>,
    /// Constraints on those variables.
    pub(crate) facts: Vec<Constraint>,
    /// Set if `linear` is equivalent to `values`: only floors are not linear there.
    pub(crate) is_flat: bool,
}

impl Arguments {
    /// Returns a bound of the callee in terms of the caller. A logarithm of half a list's length is an expression; other bounds of the half
    /// can only be substituted if the half is a variable.
    pub(crate) fn bound(&self, of: &Expr) -> Option<Expr> {
        let flat = || self.is_flat.then(|| of.substitute(&self.linear))?;
        of.substitute(&self.values).or_else(flat)
    }
}

/// Substitutes the arguments of a call for parameters. Returns `None` if their number is wrong or one is not integer-valued.
///
/// `position`, the place of the call in its alternative, distinguishes the replacement variables of different calls.
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

/// Returns true only if it is proved that the values at the integer points of a region are integers. For a polynomial it suffices to check
/// 0..=degree in each variable (Pólya). Otherwise coefficients and bases must be integers and exponents at least 0.
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
