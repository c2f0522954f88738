//! The value of `A mod B` if both are sizes. Euclid's algorithm is fast because the remainder is A - B if B is greater than half of A.

use costlens_algebra::Expr;
use costlens_algebra::linear::{Constraint, Region};
use costlens_syntax::term::{Term, TermId};

use super::arith::evaluate;
use super::{Scope, State};
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::Type;
use crate::world::parts::quotient_key;
use crate::world::questions::{Answer, Question, Split, Truth};

/// The largest constant divisor whose remainders are tracked. A division by a larger number does not complete within two unfoldings of a
/// recursion.
const LARGEST_DIVISOR: u32 = 64;

/// Before `R is A mod B` is evaluated, queries whether the quotient of A and B is 0, 1, or greater. If the divisor is a constant, the
/// remainder is small anyway.
pub(crate) fn ask(state: &State, scope: &Scope<'_>, t: TermId) -> Result<(), Split> {
    let t = state.resolve(scope.terms, t);
    let (Term::Compound(name, _), &[a, b]) = (scope.terms.get(t), scope.terms.args(t)) else {
        return Ok(());
    };
    if name == "//" {
        return ask_sign(state, scope, a, b);
    }
    if name != "mod" && name != "rem" {
        return Ok(());
    }
    let (a, b) = (
        evaluate(state, scope, a).datum,
        evaluate(state, scope, b).datum,
    );
    let (Some(a), Some(b)) = (a.size.as_exact(), b.size.as_exact()) else {
        return Ok(());
    };
    let region = scope.world.region();
    let holds = |c: Option<Constraint>| c.is_some_and(|c| region.implies(&c));
    let ask = |c: Option<Constraint>, of: &Expr| match c {
        Some(c) => scope.world.sizes(&c, (scope.is_param)(of)),
        None => Ok(Truth::Maybe),
    };
    let is_negative = |e: &Expr| holds(Constraint::le(e, &Expr::int(-1)));
    // `A mod B` is `-(-A mod -B)`; the sign of `A rem B` is that of A, and the sign of B is irrelevant.
    let (less, under) = (is_negative(b), -b);
    let b = if less { &under } else { b };
    if name == "rem" && a.is_linear() {
        ask(Constraint::ge(a, &Expr::int(0)), a)?;
    }
    let over = -a;
    let mirrored = if name == "mod" { less } else { is_negative(a) };
    let a = match mirrored {
        true => &over,
        false => a,
    };
    let positive = holds(Constraint::ge(b, &Expr::int(1)));
    if !positive || b.as_constant().is_some() || !b.is_linear() || !a.is_linear() {
        return Ok(());
    }
    if ask(Constraint::ge(a, b), &(a - b))? == Truth::True {
        let twice = b + b;
        ask(Constraint::ge(a, &twice), &(a - &twice))?;
    } else {
        ask(Constraint::ge(a, &Expr::int(0)), a)?;
    }
    Ok(())
}

/// Queries the sign of a dividend: `//` rounds towards 0, and the sign determines whether this is up or down (`Mid is (Lo+Hi)//2`).
fn ask_sign(state: &State, scope: &Scope<'_>, a: TermId, b: TermId) -> Result<(), Split> {
    let (a, b) = (
        evaluate(state, scope, a).datum,
        evaluate(state, scope, b).datum,
    );
    if let (Some(a), Some(_), Type::Int) = (a.size.as_exact(), divisor(&b), &a.ty)
        && let Some(c) = Constraint::ge(a, &Expr::zero())
    {
        scope.world.sizes(&c, (scope.is_param)(a))?;
    }
    Ok(())
}

/// Before `A mod 2` is compared with a number, queries whether A, an argument of the entry, is even. The answer determines the quotient,
/// and shows that an odd number is followed by an even one:
///
/// ```prolog
/// pow(B, E, R) :- E > 0, E mod 2 =:= 1, F is E-1, pow(B, F, S), R is B*S.
/// ```
pub(crate) fn ask_multiple(
    state: &State,
    scope: &Scope<'_>,
    t: TermId,
    with: TermId,
) -> Result<(), Split> {
    let (t, with) = (
        state.resolve(scope.terms, t),
        state.resolve(scope.terms, with),
    );
    let (Term::Compound(name, _), &[a, b], Term::Integer(_)) = (
        scope.terms.get(t),
        scope.terms.args(t),
        scope.terms.get(with),
    ) else {
        return Ok(());
    };
    if name != "mod" && name != "rem" {
        return Ok(());
    }
    let (a, b) = (
        evaluate(state, scope, a).datum,
        evaluate(state, scope, b).datum,
    );
    let Some(of) = divisor(&b) else { return Ok(()) };
    // Other divisors do not make any bound logarithmic. In worlds in which a size is `5·q + r`, narrower patterns would lose bounds that
    // wider patterns have.
    if of != 2 {
        return Ok(());
    }
    let is_argument = (a.size.as_exact()).is_some_and(|e| (scope.is_param)(e) && e.is_linear());
    let Some(key) = a.key.filter(|_| a.ty == Type::Int && is_argument) else {
        return Ok(());
    };
    let plain = key
        .strip_prefix('a')
        .is_some_and(|n| n.parse::<usize>().is_ok());
    if plain {
        let cases = || vec![Answer::Yes, Answer::No];
        scope.world.ask(Question::Multiple { key, of }, cases)?;
    }
    Ok(())
}

/// Returns the divisor if it is a constant between 2 and [`LARGEST_DIVISOR`].
fn divisor(b: &Datum) -> Option<u32> {
    let value = b.size.as_exact()?.as_constant()?;
    let value = u32::try_from(value.is_integer().then(|| value.to_integer())?).ok()?;
    (b.ty == Type::Int && (2..=LARGEST_DIVISOR).contains(&value)).then_some(value)
}

/// Returns the remainder of two values, if the world determines it.
pub(crate) fn known(scope: &Scope<'_>, a: &Datum, b: &Datum) -> Option<Size> {
    let (key, of) = (a.key.clone()?, divisor(b)?);
    let answer = scope.world.answer(&Question::Multiple { key, of })?;
    Some(match answer {
        Answer::Yes => Size::exact(Expr::zero()),
        _ => Size {
            lower: Some(Expr::int(1)),
            upper: Some(Expr::int(i64::from(of) - 1)),
        },
    })
}

/// Returns the quotient of a value by a constant, if the world has a variable for it. `//` rounds towards 0.
pub(crate) fn quotient(scope: &Scope<'_>, a: &Datum, by: u32, floors: bool) -> Option<Size> {
    let key = a.key.clone()?;
    let variable = scope.world.parts().sizes.get(&quotient_key(&key, by))?;
    let question = Question::Multiple { key, of: by };
    let is_multiple = scope.world.answer(&question) == Some(&Answer::Yes);
    (floors || is_multiple || a.size.is_nonnegative(scope.world.region()))
        .then(|| Size::exact(Expr::var(*variable)))
}

/// Returns the size of `A mod B`, or of `A rem B` for non-negative A, for `B >= 1`. In general it is between 0 and B-1; if the quotient is
/// 1 or 0, it is A - B or A.
pub(crate) fn size(a: &Size, b: &Size, region: &Region) -> Size {
    let at_least = |x: &Expr, y: &Expr| Constraint::ge(x, y).is_some_and(|c| region.implies(&c));
    if let (Some(a), Some(b)) = (a.as_exact(), b.as_exact())
        && a.is_linear()
        && b.is_linear()
    {
        if at_least(a, &Expr::int(0)) && at_least(b, &(a + &Expr::int(1))) {
            return Size::exact(a.clone());
        }
        if at_least(a, b) && at_least(&(b + b), &(a + &Expr::int(1))) {
            return Size::exact(a - b);
        }
    }
    Size {
        lower: Some(Expr::zero()),
        upper: b.upper.as_ref().map(|u| u - &Expr::int(1)),
    }
}
