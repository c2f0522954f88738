//! The value of a solved function at a call, from the pieces that may contain the arguments.

use std::collections::BTreeMap;

use costlens_algebra::linear::{Constraint, Region, Substitution};
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Expr, Rat, Relation, Var};
use costlens_recurrences::Value;
use num_traits::Signed as _;

use super::World;
use super::questions::Split;
use crate::lattice::size::{Size, interval_eval};
use crate::report::Side;
use crate::summary::pieces::Pieces;

/// The arguments of a call in terms of its caller.
pub(crate) struct CallArguments<'a> {
    world: &'a World,
    of: BTreeMap<Var, Size>,
    by: Substitution,
    /// The sizes at the call, with constraints on arguments that are not linear expressions.
    on: Region,
}

/// A piece of a function that may contain the arguments.
pub(crate) struct MetPiece<'p> {
    pub(crate) region: &'p Region,
    pub(crate) value: Value,
    /// The value at the arguments, if the piece has one.
    pub(crate) size: Option<Size>,
}

impl<'a> CallArguments<'a> {
    pub(crate) fn new(params: &[Var], args: &[Size], world: &'a World) -> Self {
        let of: BTreeMap<Var, Size> = params.iter().copied().zip(args.iter().cloned()).collect();
        let (by, context) = linearised(&of);
        let on = world.region().and_all(&context);
        let by = Substitution::new(by);
        CallArguments { world, of, by, on }
    }

    /// Returns the values of a function, one for each piece that may contain the arguments. If the arguments are intervals, each value is
    /// also an interval; a value is `None` if its piece has no value.
    pub(crate) fn values(
        &self,
        pieces: &Pieces,
        is_param: &dyn Fn(&Expr) -> bool,
    ) -> Result<Vec<(Value, Option<Size>)>, Split> {
        let found = self.values_of_pieces(pieces, is_param)?.into_iter();
        Ok(found.map(|met| (met.value, met.size)).collect())
    }

    /// Returns the values of a function with the regions of their pieces.
    pub(crate) fn values_of_pieces<'p>(
        &self,
        pieces: &'p Pieces,
        is_param: &dyn Fn(&Expr) -> bool,
    ) -> Result<Vec<MetPiece<'p>>, Split> {
        let mut found = Vec::new();
        for piece in pieces {
            let (inside, partial) = restricted(&piece.region, &self.by);
            let here = self.on.and_all(&inside);
            if here.is_empty() {
                continue;
            }
            if !partial
                && self.world.may_split()
                && let Some(c) = inside
                    .constraints()
                    .iter()
                    .find(|c| is_param(&c.expr()) && !self.world.region().implies(c))
            {
                return Err(Split::Region(c.clone()));
            }
            let size = match &piece.value {
                Value::Known(e) if e.as_constant().is_some() => Some(Size::exact(e.clone())),
                Value::Known(e) => {
                    let of = narrowed(&self.of, e, &piece.region, &here);
                    Some(interval_eval(e, &of, self.world.region()))
                }
                _ => None,
            };
            found.push(MetPiece {
                region: &piece.region,
                value: piece.value.clone(),
                size,
            });
        }
        Ok(found)
    }

    /// Returns whether an argument is not a linear expression.
    pub(crate) fn has_unknown(&self) -> bool {
        self.of
            .values()
            .any(|size| !size.as_exact().is_some_and(Expr::is_linear))
    }

    /// Returns the constraints on the sizes in a value that hold if the arguments lie in a piece: of the length of an element that is more
    /// than `k`, and at most `m`, there remains `k+1 <= m`.
    pub(crate) fn implied(&self, piece: &Region, value: &Expr) -> Region {
        let here = self.on.and_all(&restricted(piece, &self.by).0);
        let unknown: Vec<Var> = (here.variables().into_iter())
            .filter(|v| v.0 >= UNKNOWN_ARGUMENTS)
            .collect();
        if unknown.is_empty() {
            return Region::default();
        }
        let sizes = value.variables();
        let is_new =
            |c: &&Constraint| c.variables().any(|v| sizes.contains(&v)) && !self.on.implies(c);
        let known = here.project_out(&unknown).unwrap_or_default();
        known.constraints().iter().filter(is_new).cloned().collect()
    }

    /// Returns the value of a piece that bounds, on one side, the values of all pieces that may contain the arguments. For the pieces `2`
    /// at n = 2 and `n` for n ≥ 3, this is `n`, for any argument such as n/2.
    pub(crate) fn envelope(&self, pieces: &Pieces, side: Side) -> Option<Expr> {
        let mut met: Vec<(&Region, &Expr)> = Vec::new();
        for piece in pieces {
            let (inside, _) = restricted(&piece.region, &self.by);
            if self.on.and_all(&inside).is_empty() {
                continue;
            }
            let Value::Known(e) = &piece.value else {
                return None;
            };
            met.push((&piece.region, e));
        }
        let bounds = |e: &Expr| {
            met.iter().all(|(region, other)| {
                let excess = match side {
                    Side::Lower => *other - e,
                    Side::Upper => e - *other,
                };
                nonnegative(&excess, region)
            })
        };
        let (_, e) = met.iter().find(|(_, e)| bounds(e))?;
        let size = interval_eval(e, &self.of, self.world.region());
        match side {
            Side::Lower => size.lower,
            Side::Upper => size.upper,
        }
    }
}

/// Returns the values of a function at a call ([`CallArguments::values`]).
pub(crate) fn values_at(
    pieces: &Pieces,
    params: &[Var],
    args: &[Size],
    world: &World,
    is_param: &dyn Fn(&Expr) -> bool,
) -> Result<Vec<(Value, Option<Size>)>, Split> {
    CallArguments::new(params, args, world).values(pieces, is_param)
}

/// Narrows inexact arguments by the constraints of a piece: for some n >= 2, `n/2+1` is at least 2. `here` is the piece's region in terms
/// of the call. Only variables in the value are considered.
fn narrowed(
    of: &BTreeMap<Var, Size>,
    value: &Expr,
    piece: &Region,
    here: &Region,
) -> BTreeMap<Var, Size> {
    let mut of = of.clone();
    let bounded = piece.variables();
    for v in value
        .variables()
        .into_iter()
        .filter(|v| bounded.contains(v))
    {
        let Some(size) = of.get_mut(&v).filter(|s| s.as_exact().is_none()) else {
            continue;
        };
        let argument = Var(v.0 + UNKNOWN_ARGUMENTS);
        let alone = without_unknown(here, argument);
        let here = alone.as_ref().unwrap_or(here);
        let (least, most) = here.bounds(&Expr::var(argument));
        let (lowest, highest) = limits(argument, here);
        let at_least = |a: &Expr, b: &Expr| nonnegative(&(a - b), here);
        for least in least.map(Expr::constant).into_iter().chain(lowest) {
            if (size.lower.as_ref()).is_none_or(|l| at_least(&least, l)) {
                size.lower = Some(least);
            }
        }
        for most in most.map(Expr::constant).into_iter().chain(highest) {
            if (size.upper.as_ref()).is_none_or(|u| at_least(u, &most)) {
                size.upper = Some(most);
            }
        }
    }
    of
}

/// Returns a region without the unknown arguments other than one, if there are any: for `a < b` and `b <= n`, `a < n`.
fn without_unknown(here: &Region, except: Var) -> Option<Region> {
    let others: Vec<Var> = (here.variables().into_iter())
        .filter(|&v| v.0 >= UNKNOWN_ARGUMENTS && v != except)
        .collect();
    let has_others = !others.is_empty();
    has_others.then(|| here.project_out(&others)).flatten()
}

/// Returns the expressions in known sizes that bound an unknown size from below and from above: for `m <= n`, where n is known, m is at
/// most n.
pub(crate) fn limits(argument: Var, here: &Region) -> (Vec<Expr>, Vec<Expr>) {
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for c in here.constraints() {
        let factor = c.coefficient(argument);
        let of_known = |(v, _): &(Var, i128)| *v == argument || v.0 < UNKNOWN_ARGUMENTS;
        if factor == 0 || !c.coefficients().iter().all(of_known) {
            continue;
        }
        // factor·argument + rest is at least 0, or 0.
        let factor = Rat::from_integer(factor.into());
        let rest = &c.expr() - &Expr::var(argument).scale(&factor);
        let limit = rest.scale(&-factor.recip());
        let is_equal = c.relation() == Relation::Zero;
        if is_equal || factor.is_positive() {
            lower.push(limit.clone());
        }
        if is_equal || factor.is_negative() {
            upper.push(limit);
        }
    }
    (lower, upper)
}

/// The first variable that represents an argument that is not a linear expression.
const UNKNOWN_ARGUMENTS: u32 = 0x4000_0000;

/// Returns the arguments as linear expressions: the argument itself if it is linear, otherwise a variable between its bounds.
fn linearised(of: &BTreeMap<Var, Size>) -> (BTreeMap<Var, Expr>, Region) {
    let mut by = BTreeMap::new();
    let mut context = Region::default();
    for (&v, size) in of {
        match size.as_exact() {
            Some(e) if e.is_linear() => {
                by.insert(v, e.clone());
            }
            _ => {
                // Caller and callee use the same variable numbers, so the unknown value gets a separate number.
                let unknown = Var(v.0 + UNKNOWN_ARGUMENTS);
                for c in size.constraints_on(unknown) {
                    context = context.and(c);
                }
                by.insert(v, Expr::var(unknown));
            }
        }
    }
    (by, context)
}

/// Returns a piece's region in terms of the call, and whether constraints were dropped because they became nonlinear.
fn restricted(region: &Region, by: &Substitution) -> (Region, bool) {
    let (mut inside, mut partial) = (Region::default(), false);
    for c in region.constraints() {
        match by.apply(c) {
            Some(c) => inside = inside.and(c),
            None => partial = true,
        }
    }
    (inside, partial)
}
