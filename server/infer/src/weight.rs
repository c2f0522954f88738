//! Weights: how often one constant or functor occurs in a ground term.
//!
//! What an increment of a binary counter costs does not follow from its length but from its ones: in
//!
//! ```text
//! inc([], [1]).    inc([0|T], [1|T]).    inc([1|T], [0|R]) :- inc(T, R).
//! ```
//!
//! the ones of the output are those of the input, one more, and one less for each clause entry but the last. Where
//! [`super::amortised`] asks for it, one symbol is counted in each ground argument beside its size. The weight of a term is that of
//! its parts, and one more where its own functor is the symbol, whatever type is known of it; the empty list and its cells are never
//! counted. What may hold variables has no weight, since a later binding could change it.

use costlens_algebra::Expr;
use costlens_algebra::linear::{Constraint, Region};
use smol_str::{SmolStr, format_smolstr};

use super::datum::Datum;
use super::node::Param;
use super::size::Size;
use super::world::{Answer, World};
use crate::types::{Metric, Type};

/// Elements of a list of which a world is asked.
const MOST_ELEMENTS: usize = 8;

/// Whether values of a type have a weight.
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

/// What is left of a weight without a part of it; at least nothing.
pub(crate) fn without(whole: &Size, part: &Size) -> Size {
    match (whole.as_exact(), part.as_exact()) {
        (Some(w), Some(p)) => Size::exact(w - p),
        _ => Size {
            upper: whole.plus(&part.negated()).upper,
            ..Size::at_least(0)
        },
    }
}

/// The weight of the first element of a list, by what the world says of it.
pub(crate) fn of_element(
    counted: &SmolStr,
    element: &Type,
    key: Option<&SmolStr>,
    world: &World,
) -> Option<Size> {
    let is_constant = matches!(element, Type::Int | Type::Number | Type::Atom);
    let answer = key.and_then(|k| shape(world, k))?;
    match answer {
        Answer::Is(symbol) if is_constant => Some(of_symbol(counted, symbol)),
        Answer::IsNot(others) if is_constant && others.contains(counted) => {
            Some(Size::exact(Expr::zero()))
        }
        _ => None,
    }
}

fn shape<'w>(world: &'w World, key: &SmolStr) -> Option<&'w Answer> {
    let question = super::world::Question::Shape { key: key.clone() };
    world.answer(&question)
}

/// What a world says of the weight of an argument that is a list of constants: a list of length m in which the first element is counted
/// and the second is not has a weight from 1 to m-1.
pub(crate) fn of_list(
    counted: &SmolStr,
    (weight, length): (&Param, &Param),
    element: &Type,
    answer: &dyn Fn(&SmolStr) -> Option<Answer>,
) -> Region {
    let is_constant = matches!(element, Type::None | Type::Int | Type::Number | Type::Atom);
    if !is_constant {
        return Region::default();
    }
    let (mut least, mut others) = (0, 0);
    let mut tail = format_smolstr!("a{}", weight.slot.argument + 1);
    for _ in 0..MOST_ELEMENTS {
        match answer(&format_smolstr!("{tail}.h")) {
            Some(Answer::Is(symbol)) if symbol == *counted => least += 1,
            Some(Answer::Is(_)) => others += 1,
            Some(Answer::IsNot(set)) if set.contains(counted) => others += 1,
            _ => {}
        }
        tail = format_smolstr!("{tail}.t");
    }
    let (weight, length) = (Expr::var(weight.var), Expr::var(length.var));
    [
        Constraint::ge(&weight, &Expr::int(least)),
        Constraint::le(&weight, &(&length - &Expr::int(others))),
    ]
    .into_iter()
    .flatten()
    .collect()
}
