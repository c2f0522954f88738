//! A rank of growth rates, used to order the pieces of a summary.

use costlens_algebra::{Atom, Monomial};
use num_traits::One as _;

/// Returns a rough rank of a growth rate: factorials rank above exponentials, and exponentials above powers.
pub(super) fn growth_rank(m: &Monomial) -> u64 {
    let exponentials = m
        .exponentials
        .values()
        .filter(|b| **b > costlens_algebra::Rat::one())
        .count() as u64;
    let of_atoms = m
        .all_atoms()
        .filter(|a| matches!(a, Atom::CFinite { .. }) || m.atom_exponentials.contains_key(*a))
        .count() as u64;
    let factorials = m.atoms.keys().filter(|a| a.is_factorial()).count() as u64;
    // A logarithm is less than a power.
    let logarithms = u64::from(m.atoms.keys().any(|a| matches!(a, Atom::Log { .. })));
    factorials * 10_000 + (exponentials + of_atoms) * 1000 + 2 * u64::from(m.degree()) + logarithms
}
