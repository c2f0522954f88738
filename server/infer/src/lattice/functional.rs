//! Which calls have the same answers whenever they are made.

use super::types::{Text, Type};

/// Arguments with which calls are answered alike whenever they are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Functional {
    /// Something is computed. Then other terms than integers may be expressions, as `random(6)` is, and what floats give depends on flags.
    pub(crate) computes: bool,
    /// Something is compared in the standard order. The place of floats among integers depends on a flag.
    pub(crate) orders: bool,
}

impl Functional {
    /// Tells whether an argument of a type is one of those: a ground term, with nothing in it that flags may matter to.
    pub(crate) fn admits(self, ty: &Type) -> bool {
        match ty {
            Type::Int | Type::None => true,
            Type::List(element) => self.admits(element),
            Type::Atom | Type::Text(Text::Atom) => !self.computes,
            ty => !self.computes && !self.orders && ty.is_ground(),
        }
    }
}
