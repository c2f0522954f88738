//! Weights determined by the answers of a world.

use costlens_algebra::Expr;
use costlens_algebra::linear::{Constraint, Region};
use smol_str::{SmolStr, format_smolstr};

use super::questions::Answer;
use crate::lattice::size::Size;
use crate::lattice::types::Type;
use crate::lattice::weight::TermWeight;
use crate::summary::node::Param;

/// The maximum number of list elements for which a world has answers.
const MOST_ELEMENTS: usize = 8;

/// Returns the weight of a list's first element, from the world's answers about its shape.
pub(crate) fn of_element(
    counted: &TermWeight,
    element: &Type,
    answer: Option<&Answer>,
) -> Option<Size> {
    let TermWeight::Symbol(symbol) = counted else {
        return None;
    };
    let is_constant = matches!(element, Type::Int | Type::Number | Type::Atom);
    match answer? {
        Answer::Is(found) if is_constant => Some(counted.of_constant(found)),
        Answer::IsNot(others) if is_constant && others.contains(symbol) => {
            Some(Size::exact(Expr::zero()))
        }
        _ => None,
    }
}

/// Bounds the weight of an argument that is a list of constants. A list of length m whose first element is counted and whose second element
/// is not has a weight between 1 and m-1.
pub(crate) fn of_list(
    counted: &SmolStr,
    weight: &Param,
    length: &Param,
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
