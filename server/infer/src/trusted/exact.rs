//! Functions in asserted costs, applied to exact arguments.

use costlens_algebra::{Expr, Rat, rat};
use costlens_syntax::assertions::CostFunction;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The largest power of a sum that is expanded.
const LARGEST_POWER: u32 = 64;
/// The maximum number of monomials in an expanded product.
const MOST_MONOMIALS: usize = 2_000;

/// Applies a function to exact expressions. The error is a sentence that describes why the result has no exact expression.
pub(super) fn apply(function: CostFunction, arguments: &[&Expr]) -> Result<Expr, String> {
    use CostFunction as F;
    let too_large = || Err("the asserted expression is too large to be multiplied out".to_owned());
    match (function, arguments) {
        (F::Add, [a, b]) => Ok(*a + *b),
        (F::Subtract, [a, b]) => Ok(*a - *b),
        (F::Negate, [a]) => Ok(-*a),
        (F::Multiply, [a, b]) => product(a, b).map_or_else(too_large, Ok),
        (F::Divide, [a, b]) => match b.as_constant() {
            Some(c) if !c.is_zero() => Ok(a.scale(&(Rat::one() / c))),
            Some(_) => Err("the asserted cost divides by 0".into()),
            None => Err(
                "the asserted cost divides by a size, which Costlens does not compare yet".into(),
            ),
        },
        (F::Power, [base, exponent]) => power(base, exponent),
        (F::Maximum | F::Minimum, [a, b]) => match (a.as_constant(), b.as_constant()) {
            (Some(x), Some(y)) => Ok(Expr::constant(if (function == F::Maximum) == (x >= y) {
                x
            } else {
                y
            })),
            _ => Err("max and min of sizes are not compared yet".into()),
        },
        (F::Factorial, [n]) => {
            factorial(n).ok_or_else(|| "fact of this expression is not compared yet".into())
        }
        (F::Exponential, _) => {
            Err("exp/1 is not compared yet; 2**N and other rational bases are".into())
        }
        (F::SquareRoot, _) => Err("sqrt is not compared yet".into()),
        (F::Sum | F::Product, _) => Err("sum and prod are not compared yet".into()),
        _ => Err("a function of the asserted cost has the wrong number of arguments".into()),
    }
}

fn product(a: &Expr, b: &Expr) -> Option<Expr> {
    (a.terms().count() * b.terms().count() <= MOST_MONOMIALS).then(|| a * b)
}

fn power(base: &Expr, exponent: &Expr) -> Result<Expr, String> {
    if let Some(k) = exponent.as_constant().filter(Rat::is_integer) {
        if let Some(k) = k.to_integer().to_u32().filter(|&k| k <= LARGEST_POWER) {
            let mut result = Expr::int(1);
            for _ in 0..k {
                result = product(&result, base)
                    .ok_or("the asserted expression is too large to be multiplied out")?;
            }
            return Ok(result);
        }
        if base.as_constant().is_none() {
            return Err(format!("a power of {k} is not compared"));
        }
    }
    match base.as_constant() {
        Some(b) if b.is_positive() => Expr::power_of(&b, exponent)
            .ok_or_else(|| "an exponent that is no linear expression of sizes with integers is not compared yet".into()),
        Some(_) => Err("a power of a number that is not positive is not compared".into()),
        None => Err("a size to the power of a size is not compared yet".into()),
    }
}

fn factorial(n: &Expr) -> Option<Expr> {
    /// The largest number whose factorial is expanded.
    const LARGEST: i64 = 200;
    let is_small = |c: &Rat| c.is_integer() && *c <= rat(LARGEST);
    if !n.as_constant().as_ref().is_none_or(is_small) {
        return None;
    }
    Expr::factorial(n)
}
