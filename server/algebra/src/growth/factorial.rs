//! How factorials grow, and the words for that.

use num_traits::{One, Signed, Zero};

use super::profile::InOne;
use crate::display::superscript_number;
use crate::expr::{Expr, Monomial, Rat, Var, rat};
use crate::text::{Names, to_text};

/// `(v!)^factor · factor^(factor·v) · v^power`.
pub(super) struct FactorialGrowth {
    pub(super) factor: Rat,
    pub(super) power: Rat,
}

/// The growth of `(c·v + s)!`: by Stirling's formula `(c·v)!` is within constants of `(v!)^c · c^(c·v) · v^((1-c)/2)`, and each
/// number of s less is a factor v less. None where the variable makes it smaller.
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

/// Whether all factorials are of variables: then the class is a product of words for each variable.
pub(super) fn is_plain(m: &Monomial) -> bool {
    m.atoms.keys().filter(|a| a.is_factorial()).all(|a| {
        let of = a.argument();
        matches!(of.variables()[..], [v] if *of == Expr::var(v))
    })
}

/// `n!`, `(n!)²`.
pub(super) fn word(one: &InOne, name: &str) -> Option<String> {
    if one.factorials.is_zero() {
        return None;
    }
    Some(if one.factorials.is_one() {
        format!("{name}!")
    } else {
        format!("({name}!)^{}", one.factorials)
    })
}

/// `(n-1)!`.
pub(super) fn text(of: &Expr, names: &Names<'_>) -> String {
    bracketed(of, &to_text(of, names))
}

/// `n!` to the power, `(2n)!`: as hints show it.
pub(crate) fn display(of: &Expr, shown: &str, power: u32) -> String {
    let factorial = bracketed(of, shown);
    if power == 1 {
        factorial
    } else {
        format!("({factorial}){}", superscript_number(i64::from(power)))
    }
}

/// The factorial of what is written so.
fn bracketed(of: &Expr, text: &str) -> String {
    match of.variables()[..] {
        [v] if *of == Expr::var(v) => format!("{text}!"),
        _ => format!("({text})!"),
    }
}
