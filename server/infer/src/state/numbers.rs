//! Integer functions of numbers, as SWI-Prolog computes them: `M is 27 mod 2`.

use costlens_algebra::Rat;
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};

/// The maximum number of bits of a computed result.
const MOST_BITS: u64 = 4_096;

/// Returns the value of an integer function. Returns `None` if the function raises an exception, does not return an integer, or is not
/// modelled.
pub(crate) fn apply(name: &str, arguments: &[Rat]) -> Option<Rat> {
    let whole: Option<Vec<BigInt>> = (arguments.iter())
        .map(|a| a.is_integer().then(|| a.to_integer()))
        .collect();
    let value = match whole?.as_slice() {
        [a] => unary(name, a)?,
        [a, b] => binary(name, a, b)?,
        _ => return None,
    };
    Some(Rat::from_integer(value))
}

fn unary(name: &str, a: &BigInt) -> Option<BigInt> {
    Some(match name {
        "abs" => a.abs(),
        "sign" => a.signum(),
        "msb" if a.is_positive() => (a.bits() - 1).into(),
        "\\" => !a,
        _ => return None,
    })
}

fn binary(name: &str, a: &BigInt, b: &BigInt) -> Option<BigInt> {
    let shift = || b.to_u64().filter(|&k| k + a.bits() <= MOST_BITS);
    Some(match name {
        "//" | "rem" | "div" | "mod" if b.is_zero() => return None,
        // Division rounds towards zero, unless a flag specifies otherwise.
        "//" => a / b,
        "rem" => a % b,
        "div" => a.div_floor(b),
        "mod" => a.mod_floor(b),
        "gcd" => a.gcd(b),
        "min" => a.min(b).clone(),
        "max" => a.max(b).clone(),
        ">>" => a >> shift()?,
        "<<" => a << shift()?,
        "/\\" => a & b,
        "\\/" => a | b,
        "xor" => a ^ b,
        "^" | "**" => {
            let exponent = b.to_u32()?;
            if a.bits().checked_mul(exponent.into())? > MOST_BITS {
                return None;
            }
            a.pow(exponent)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use costlens_algebra::rat;

    use super::apply;

    #[test]
    fn signs_are_those_of_swi_prolog() {
        let of = |name: &str, a, b| apply(name, &[rat(a), rat(b)]);
        assert_eq!(of("//", -7, 2), Some(rat(-3)));
        assert_eq!(of("div", -7, 2), Some(rat(-4)));
        assert_eq!(of("mod", -7, 2), Some(rat(1)));
        assert_eq!(of("mod", 7, -2), Some(rat(-1)));
        assert_eq!(of("rem", -7, 2), Some(rat(-1)));
        assert_eq!(of(">>", -7, 1), Some(rat(-4)));
        assert_eq!(of("gcd", -12, 18), Some(rat(6)));
        assert_eq!(of("^", -2, 3), Some(rat(-8)));
        assert_eq!(of("**", 2, 3), Some(rat(8)));
        assert_eq!(of("xor", 6, 3), Some(rat(5)));
    }

    #[test]
    fn what_raises_an_exception_has_no_value() {
        for (name, a, b) in [
            ("mod", 1, 0),
            ("//", 1, 0),
            ("^", 2, -1),
            ("**", 2, -1),
            ("<<", 1, 100_000),
        ] {
            assert_eq!(apply(name, &[rat(a), rat(b)]), None, "{name}");
        }
    }
}
