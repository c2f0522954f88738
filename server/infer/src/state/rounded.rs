//! Integers obtained from quotients that may be floats: `M is floor(N / 3)`.

use costlens_algebra::{Expr, Rat, rat};
use num_traits::One;

use super::Scope;
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::Type;

/// The greatest supported divisor. For larger divisors, rounding might increase a quotient by more than [`rounded_ratio`] allows.
const LARGEST_DIVISOR: i64 = 1 << 32;

/// A function that rounds a quotient such as `N / 3` to an integer. `up` is the maximum amount that rounding adds, as a fraction.
#[derive(Clone, Copy)]
pub(super) struct Rounded {
    up: (i64, i64),
}

impl Rounded {
    pub(super) fn from_function(name: &str) -> Option<Self> {
        Some(match name {
            "floor" | "truncate" => Rounded { up: (0, 1) },
            "round" | "integer" => Rounded { up: (1, 2) },
            "ceiling" => Rounded { up: (1, 1) },
            _ => return None,
        })
    }
}

/// Returns the size of `floor(N / 3)` for non-negative `N`. The quotient may be a rounded float: small values are exact, but for a large
/// `N` the quotient may slightly exceed a third. It is then at most a half, and for `floor(N / 2)` at most two thirds.
pub(super) fn rounded_ratio(
    scope: &Scope<'_>,
    how: Rounded,
    over: &Datum,
    under: &Datum,
) -> Option<Size> {
    let divisor = (under.size.as_exact()?.as_constant()?).clone();
    if over.ty != Type::Int
        || under.ty != Type::Int
        || divisor < rat(2)
        || divisor > rat(LARGEST_DIVISOR)
        || !over.size.is_nonnegative(scope.world.region())
    {
        return None;
    }
    let less = if divisor == rat(2) {
        Rat::new(3.into(), 2.into())
    } else {
        divisor - Rat::one()
    };
    let up = Expr::constant(Rat::new(how.up.0.into(), how.up.1.into()));
    let upper = (over.size.upper.as_ref()).map(|upper| &upper.scale(&less.recip()) + &up);
    Some(Size::between_zero_and(&upper))
}
