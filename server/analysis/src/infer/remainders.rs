//! How large `A mod B` is where both are sizes: Euclid's algorithm is fast because the remainder is A - B where B is more than half of A.

use costlens_algebra::Expr;
use costlens_algebra::linear::{Constraint, Region};
use costlens_syntax::term::{Term, TermId};

use super::arith::evaluate;
use super::size::Size;
use super::state::{Scope, State};
use super::world::{Split, Truth};

/// Asks, before `R is A mod B` is evaluated, how often B goes into A: not at all, once, or more often. Of a divisor that is a number
/// the remainder is small anyway.
pub(crate) fn ask(state: &State, scope: &Scope<'_>, t: TermId) -> Result<(), Split> {
    let t = state.resolve(scope.terms, t);
    let (Term::Compound(name, _), &[a, b]) = (scope.terms.get(t), scope.terms.args(t)) else {
        return Ok(());
    };
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
    let positive = Constraint::ge(b, &Expr::int(1)).is_some_and(|c| region.implies(&c));
    if !positive || b.as_constant().is_some() || !b.is_linear() || !a.is_linear() {
        return Ok(());
    }
    let ask = |c: Option<Constraint>, of: &Expr| match c {
        Some(c) => scope.world.sizes(&c, (scope.is_param)(of)),
        None => Ok(Truth::Maybe),
    };
    if ask(Constraint::ge(a, b), &(a - b))? == Truth::True {
        let twice = b + b;
        ask(Constraint::ge(a, &twice), &(a - &twice))?;
    } else {
        ask(Constraint::ge(a, &Expr::int(0)), a)?;
    }
    Ok(())
}

/// The size of `A mod B`, or of `A rem B` where A is not negative, for `B >= 1`: from 0 to B-1 in general, the difference or A itself where B
/// goes into A once or not at all.
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
