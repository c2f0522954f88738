//! Weights: what is counted in a ground term beside its size.
//!
//! The cost of incrementing a binary counter follows from its ones, not from its length: in
//!
//! ```text
//! inc([], [1]).    inc([0|T], [1|T]).    inc([1|T], [0|R]) :- inc(T, R).
//! ```
//!
//! the ones of the output are those of the input, one more, and one less for each clause entry but the last. Where
//! [`crate::amortised`] asks for it, one symbol is counted in each ground argument beside its size. The weight of a term is that of
//! its parts, and one more where its own functor is the symbol, whatever type is known of it; the empty list and its cells are never
//! counted. What may hold variables has no weight, since a later binding could change it.
//!
//! Where a term is taken apart by way of the list of its arguments, what pays is another number: in
//!
//! ```text
//! count(T, N) :- T =.. [_|Ts], counts(Ts, N).    counts([T|Ts], N) :- count(T, A), counts(Ts, B), N is A+B.
//! ```
//!
//! the list has a cell more for each argument than the term, and `counts/2` costs what the elements do. Counting the cells of such a list
//! beside its size tells the two apart.

use costlens_algebra::linear::Constraint;
use costlens_algebra::{Expr, Var, rat};
use smol_str::SmolStr;

use super::datum::Datum;
use super::size::Size;
use super::types::{Metric, Type};

/// A weight of ground terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    /// How often a constant or functor occurs in it.
    Symbol(SmolStr),
    /// The cells of the list that it is: 2 of `[a, [b]]`, none of what is no list.
    Cells,
}

impl Counted {
    /// Tells whether values of a type have a weight. Of a list the cells are its length.
    pub(crate) fn is_in(&self, ty: &Type) -> bool {
        match self {
            Counted::Symbol(_) => has_symbols(ty),
            Counted::Cells => ty.is_ground() && ty.metric() == Some(Metric::Size),
        }
    }

    /// Tells whether the size as one term goes with it: for a list of terms of which the cells are counted.
    pub(crate) fn goes_with_whole(&self, ty: &Type) -> bool {
        *self == Counted::Cells
            && ty.is_ground()
            && matches!(ty.element_metric(), Some(Metric::Size | Metric::Length))
    }

    /// How often it is counted for a constant or functor by itself, whatever its arguments are.
    pub(crate) fn of_symbol(&self, symbol: &SmolStr) -> i64 {
        match self {
            Counted::Symbol(counted) => i64::from(counted == symbol),
            Counted::Cells => 0,
        }
    }

    /// The weight of a constant.
    pub(crate) fn of_constant(&self, symbol: &SmolStr) -> Size {
        Size::exact(Expr::int(self.of_symbol(symbol)))
    }

    /// The weight of a compound that is no cell of a list.
    pub(crate) fn of_compound(&self, functor: &SmolStr, parts: &[Datum]) -> Size {
        let own = self.of_constant(functor);
        match self {
            Counted::Symbol(_) => parts.iter().fold(own, |sum, p| sum.plus(&p.weighed())),
            Counted::Cells => own,
        }
    }

    /// The weight of a list of these elements and a rest.
    pub(crate) fn of_cells(&self, heads: &[Datum], rest: &Datum) -> Size {
        match self {
            Counted::Symbol(_) => {
                (heads.iter()).fold(rest.weighed(), |sum, h| sum.plus(&h.weighed()))
            }
            Counted::Cells => heads.iter().fold(rest.weighed(), |sum, _| sum.shifted(1)),
        }
    }

    /// The weight of a list without its first element.
    pub(crate) fn of_rest(&self, list: &Datum, first: &Datum) -> Size {
        match self {
            Counted::Symbol(_) => without(&list.weighed(), &first.weighed()),
            Counted::Cells => list.size.shifted(-1),
        }
    }
}

/// Tells whether symbols can be counted in values of a type.
pub(crate) fn has_symbols(ty: &Type) -> bool {
    ty.is_ground() && matches!(ty.metric(), Some(Metric::Length | Metric::Size))
}

impl Datum {
    /// How often the counted symbol occurs in the value.
    pub(crate) fn weighed(&self) -> Size {
        if !self.ty.is_ground() {
            return Size::at_least(0);
        }
        if let Some(weight) = &self.weight {
            return Size::clone(weight);
        }
        match &self.ty {
            Type::List(element) if **element == Type::None => Size::exact(Expr::zero()),
            ty if ty.is_constant() => Size {
                upper: Some(Expr::int(1)),
                ..Size::at_least(0)
            },
            _ => Size::at_least(0),
        }
    }
}

/// A list of k cells has a size of 2k+1 at least.
pub(crate) fn cells_fit(cells: Var, size: Var) -> Option<Constraint> {
    let least = Expr::var(cells).scale(&rat(2));
    Constraint::ge(&Expr::var(size), &(&least + &Expr::int(1)))
}

/// Takes a part from a weight; at least nothing.
fn without(whole: &Size, part: &Size) -> Size {
    match (whole.as_exact(), part.as_exact()) {
        (Some(w), Some(p)) => Size::exact(w - p),
        _ => Size {
            upper: whole.plus(&part.negated()).upper,
            ..Size::at_least(0)
        },
    }
}
