//! Weights: counts of symbols or cells in a ground term, in addition to its size.
//!
//! The cost of incrementing a binary counter depends on its number of ones, not on its length: in
//!
//! ```text
//! inc([], [1]).    inc([0|T], [1|T]).    inc([1|T], [0|R]) :- inc(T, R).
//! ```
//!
//! the ones of the output are those of the input, plus one, minus one for each clause entry except the last. When [`crate::amortised`]
//! requests it, the occurrences of one symbol are counted in each ground argument. The weight of a term is the sum of the weights of its
//! arguments, plus one if its own functor is the symbol, regardless of its type; the empty list and list cells are never counted. A value
//! that may contain variables has no weight, since a later binding could change it.
//!
//! If a term is decomposed into the list of its arguments, the number of cells pays for the cost: in
//!
//! ```text
//! count(T, N) :- T =.. [_|Ts], counts(Ts, N).    counts([T|Ts], N) :- count(T, A), counts(Ts, B), N is A+B.
//! ```
//!
//! the list has one cell per argument more than the term, and the cost of `counts/2` is the cost of its elements. Counting the cells of
//! such a list in addition to its size distinguishes the list from the term.

use costlens_algebra::linear::Constraint;
use costlens_algebra::{Expr, Var, rat};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::datum::Datum;
use super::size::Size;
use super::types::{Metric, Type};

/// A weight of ground terms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TermWeight {
    /// The number of occurrences of a constant or functor.
    Symbol(SmolStr),
    /// The number of cells if the value is a list: 2 for `[a, [b]]`; 0 for other terms.
    Cells,
}

impl TermWeight {
    /// Returns whether values of a type have a weight. For a list whose cells are counted, the length already is the weight.
    pub(crate) fn is_in(&self, ty: &Type) -> bool {
        match self {
            TermWeight::Symbol(_) => has_symbols(ty),
            TermWeight::Cells => ty.is_ground() && ty.metric() == Some(Metric::Size),
        }
    }

    /// Returns whether the size as a single term is recorded in addition to the weight, as for a list of terms whose cells are counted.
    pub(crate) fn goes_with_whole(&self, ty: &Type) -> bool {
        *self == TermWeight::Cells
            && ty.is_ground()
            && matches!(ty.element_metric(), Some(Metric::Size | Metric::Length))
    }

    /// Returns the count for a constant or functor itself, excluding its arguments.
    pub(crate) fn of_symbol(&self, symbol: &SmolStr) -> i64 {
        match self {
            TermWeight::Symbol(counted) => i64::from(counted == symbol),
            TermWeight::Cells => 0,
        }
    }

    /// Returns the weight of a constant.
    pub(crate) fn of_constant(&self, symbol: &SmolStr) -> Size {
        Size::exact(Expr::int(self.of_symbol(symbol)))
    }

    /// Returns the weight of a compound that is not a list cell.
    pub(crate) fn of_compound(&self, functor: &SmolStr, parts: &[Datum]) -> Size {
        let own = self.of_constant(functor);
        match self {
            TermWeight::Symbol(_) => parts.iter().fold(own, |sum, p| sum.plus(&p.weighed())),
            TermWeight::Cells => own,
        }
    }

    /// Returns the weight of a list with the given elements and tail.
    pub(crate) fn of_cells(&self, heads: &[Datum], rest: &Datum) -> Size {
        match self {
            TermWeight::Symbol(_) => {
                (heads.iter()).fold(rest.weighed(), |sum, h| sum.plus(&h.weighed()))
            }
            TermWeight::Cells => heads.iter().fold(rest.weighed(), |sum, _| sum.shifted(1)),
        }
    }

    /// Returns the weight of a list's tail.
    pub(crate) fn of_rest(&self, list: &Datum, first: &Datum) -> Size {
        match self {
            TermWeight::Symbol(_) => difference(&list.weighed(), &first.weighed()),
            TermWeight::Cells => list.size.shifted(-1),
        }
    }
}

/// Returns whether occurrences of symbols can be counted in values of a type.
pub(crate) fn has_symbols(ty: &Type) -> bool {
    ty.is_ground() && matches!(ty.metric(), Some(Metric::Length | Metric::Size))
}

impl Datum {
    /// Returns the value narrowed to a type. Its count may be more precise than the type: if a ground term is a list, its cells are its
    /// length.
    pub(crate) fn narrowed(&self, ty: &Type, counted: Option<&TermWeight>) -> Self {
        let mut refined = self.refined(ty.clone());
        if let (Type::Ground, Type::List(_), Some(TermWeight::Cells)) = (&self.ty, ty, counted) {
            refined.size = self.weighed();
        }
        refined
    }

    /// Returns how often the counted symbol occurs in the value.
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

/// Returns the constraint that a list with k cells has size at least 2k+1.
pub(crate) fn cells_fit(cells: Var, size: Var) -> Option<Constraint> {
    let least = Expr::var(cells).scale(&rat(2));
    Constraint::ge(&Expr::var(size), &(&least + &Expr::int(1)))
}

/// Subtracts the weight of a part; the result is at least 0.
fn difference(whole: &Size, part: &Size) -> Size {
    match (whole.as_exact(), part.as_exact()) {
        (Some(w), Some(p)) => Size::exact(w - p),
        _ => Size {
            upper: whole.plus(&part.negated()).upper,
            ..Size::at_least(0)
        },
    }
}
