//! Growth of factorials.

use num_traits::{One, Signed};

use crate::expr::{Expr, Monomial, Rat, Var, rat};

/// `(v!)^factor · factor^(factor·v) · v^power`.
pub(super) struct FactorialGrowth {
    pub(super) factor: Rat,
    pub(super) power: Rat,
}

/// Returns the growth of `(c·v + s)!`: by Stirling's formula `(c·v)!` is within constant factors of `(v!)^c · c^(c·v) · v^((1-c)/2)`, and
/// each decrement of s removes a factor v. Returns `None` if the factorial decreases in the variable.
pub(super) fn growth(of: &Expr, v: Var) -> Option<FactorialGrowth> {
    let mut single = Monomial::one();
    single.powers.insert(v, 1);
    let factor = of.coefficient(&single);
    let shift = of.coefficient(&Monomial::one());
    let power = shift + (Rat::one() - &factor) / rat(2);
    factor
        .is_positive()
        .then_some(FactorialGrowth { factor, power })
}
