//! Weights: how often one constant or functor occurs in a ground term.
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

use costlens_algebra::Expr;
use smol_str::SmolStr;

use super::datum::Datum;
use super::size::Size;
use super::types::{Metric, Type};

/// Tells whether values of a type have a weight.
pub(crate) fn is_weighed(ty: &Type) -> bool {
    ty.is_ground() && matches!(ty.metric(), Some(Metric::Length | Metric::Size))
}

/// The weight of a symbol by itself.
pub(crate) fn of_symbol(counted: &SmolStr, symbol: &SmolStr) -> Size {
    Size::exact(Expr::int(i64::from(counted == symbol)))
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
            Type::None | Type::Int | Type::Number | Type::Atom => Size {
                upper: Some(Expr::int(1)),
                ..Size::at_least(0)
            },
            _ => Size::at_least(0),
        }
    }
}

/// Takes a part from a weight; at least nothing.
pub(crate) fn without(whole: &Size, part: &Size) -> Size {
    match (whole.as_exact(), part.as_exact()) {
        (Some(w), Some(p)) => Size::exact(w - p),
        _ => Size {
            upper: whole.plus(&part.negated()).upper,
            ..Size::at_least(0)
        },
    }
}
