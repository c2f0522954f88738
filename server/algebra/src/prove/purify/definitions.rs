//! Definitions of atoms: the domain on which an atom has a value, and the constraints on the integer variables that represent floors and
//! logarithms.

use num_traits::{One, Signed};

use crate::atom::{Atom, Rounding};
use crate::expr::{Expr, Rat, Var, rat};
use crate::linear::{Constraint, Implied, Region};
use crate::prove::RESERVED_VARIABLES;

/// Returns true only if every atom of the expression is proved to have a value at every integer point of the region.
pub(in crate::prove) fn defined(expr: &Expr, on: &Region) -> bool {
    expr.atoms().into_iter().all(|atom| is_defined(atom, on))
}

fn is_defined(atom: &Atom, on: &Region) -> bool {
    matches!(atom, Atom::Floor(_)) || domain(atom).is_some_and(|c| on.implies(&c))
}

/// Returns the constraint under which an atom is defined, or `None` for floors, which are always defined.
pub(super) fn domain(atom: &Atom) -> Option<Constraint> {
    let least = match atom {
        Atom::Floor(_) => return None,
        Atom::Log { .. } => 1,
        Atom::CFinite { .. } | Atom::Factorial(_) | Atom::Arrangements { .. } => 0,
    };
    Constraint::ge(atom.argument(), &Expr::int(least))
}

/// Proves that every atom has a value. Returns one proof per atom, which is empty for a floor.
pub(in crate::prove) fn why_defined(atoms: &[&Atom], on: &Region) -> Option<Vec<Implied>> {
    let why = |atom: &&Atom| match (atom, domain(atom)) {
        (Atom::Floor(_), _) => Some(Implied::new()),
        (_, Some(c)) => on.implication(&c),
        _ => None,
    };
    atoms.iter().map(why).collect()
}

/// Returns the definition of a floor or a logarithm as constraints on the variable that represents it.
pub(super) fn definition(atom: &Atom, v: Var) -> Vec<Constraint> {
    let both: [Option<Constraint>; 2] = match atom {
        Atom::Floor(of) => floor_facts(of, &Expr::var(v)).into(),
        Atom::Log { base, rounding, of } => {
            let (power, b) = (Expr::var(Var(v.0 + 1)), rat((*base).into()));
            let (less, more) = match rounding {
                Rounding::Down => (&power, of),
                Rounding::Up => (of, &power),
            };
            [
                Constraint::ge(more, less),
                Constraint::le(more, &(&less.scale(&b) - &Expr::int(1))),
            ]
        }
        Atom::CFinite { .. } | Atom::Factorial(_) | Atom::Arrangements { .. } => return Vec::new(),
    };
    both.into_iter().flatten().collect()
}

/// The first variable that represents a floor in the arguments of calls.
const QUOTIENTS: u32 = RESERVED_VARIABLES + 0x4000;

/// Implements [`crate::prove::without_floors`].
pub(in crate::prove) fn without_floors(
    expr: &Expr,
    on: &Region,
) -> Option<(Expr, Vec<Constraint>)> {
    let (mut linear, mut facts) = (Expr::zero(), Vec::new());
    let used = on
        .variables()
        .into_iter()
        .filter(|v| (QUOTIENTS..RESERVED_VARIABLES + 0x8000).contains(&v.0));
    let mut next = used.map(|v| v.0 + 1).max().unwrap_or(QUOTIENTS);
    for (m, c) in expr.terms() {
        if m.is_plain() {
            linear.add_monomial(m.clone(), c.clone());
            continue;
        }
        let Some(Atom::Floor(of)) = m.single_atom() else {
            return None;
        };
        let quotient = match quotient(of, on) {
            Some(v) => Expr::var(v),
            None => {
                let v = Expr::var(Var(next));
                next += 1;
                let (low, high) = floor_facts(of, &v);
                facts.extend(low.into_iter().chain(high));
                v
            }
        };
        linear += &quotient.scale(c);
    }
    linear.is_linear().then_some((linear, facts))
}

/// Returns `d·q <= a` and `a <= d·q + d-1`, which define q as the floor of a/d.
fn floor_facts(of: &Expr, q: &Expr) -> (Option<Constraint>, Option<Constraint>) {
    let d = Rat::from_integer(of.common_denominator());
    let rest = &of.scale(&d) - &q.scale(&d);
    let most = Expr::constant(d - Rat::one());
    (
        Constraint::ge(&rest, &Expr::zero()),
        Constraint::le(&rest, &most),
    )
}

/// Proves that a variable equals the given floor.
pub(in crate::prove) fn why_floor(of: &Expr, v: Var, on: &Region) -> Option<[Implied; 2]> {
    let (low, high) = floor_facts(of, &Expr::var(v));
    Some([on.implication(&low?)?, on.implication(&high?)?])
}

/// Returns the region's variable that already equals the given floor, if any.
pub(in crate::prove) fn quotient(of: &Expr, on: &Region) -> Option<Var> {
    let variables = on.variables().into_iter();
    variables
        .filter(|v| v.0 >= QUOTIENTS && v.0 < RESERVED_VARIABLES + 0x8000)
        .find(|&v| {
            let (low, high) = floor_facts(of, &Expr::var(v));
            [low, high]
                .iter()
                .all(|fact| fact.as_ref().is_some_and(|c| on.implies(c)))
        })
}

/// Returns a linear expression that is an upper or lower bound on the given expression at integers: floors are replaced by their arguments,
/// adjusted by the greatest rounding loss. Constraints on integers in which the floor is the only other term stay equivalent
/// (`r <= ⌊n/2⌋` is `2r <= n`).
pub(in crate::prove) fn relaxed(e: &Expr, to: Rounding) -> Option<Expr> {
    let mut result = Expr::zero();
    for (m, c) in e.terms() {
        if m.is_plain() {
            result.add_monomial(m.clone(), c.clone());
            continue;
        }
        let Some(Atom::Floor(of)) = m.single_atom() else {
            return None;
        };
        result += &of.scale(c);
        if c.is_positive() != (to == Rounding::Up) {
            let lost = Rat::one() - Rat::from_integer(of.common_denominator()).recip();
            result += &Expr::constant(-(lost * c));
        }
    }
    (result.is_linear() && !result.has_atoms()).then_some(result)
}
