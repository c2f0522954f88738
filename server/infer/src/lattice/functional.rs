//! Calls that always have the same answers.

use super::types::{TextType, Type};

/// The restrictions on argument types under which repeated calls have the same answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Functional {
    /// True if the predicate evaluates arithmetic. Arguments other than integers may then be expressions such as `random(6)`, and results
    /// for floats depend on flags.
    pub(crate) computes: bool,
    /// True if the predicate compares terms in the standard order. The order of floats and integers depends on a flag.
    pub(crate) orders: bool,
}

impl Functional {
    /// Returns whether an argument type satisfies the restrictions: ground terms whose parts are unaffected by flags.
    pub(crate) fn admits(self, ty: &Type) -> bool {
        match ty {
            Type::Int | Type::None => true,
            Type::List(element) => self.admits(element),
            Type::Atom | Type::Text(TextType::Atom) => !self.computes,
            ty => !self.computes && !self.orders && ty.is_ground(),
        }
    }
}
