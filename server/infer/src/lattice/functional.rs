//! Calls that have the same answers whenever they are made.

use super::types::{Text, Type};

/// The argument types for which calls have the same answers whenever they are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Functional {
    /// Something is computed. Terms other than integers may then be expressions, such as `random(6)`, and results for floats depend on
    /// flags.
    pub(crate) computes: bool,
    /// Something is compared in the standard order. The order of floats and integers depends on a flag.
    pub(crate) orders: bool,
}

impl Functional {
    /// Returns whether a type is one of them: ground terms that contain nothing that flags affect.
    pub(crate) fn admits(self, ty: &Type) -> bool {
        match ty {
            Type::Int | Type::None => true,
            Type::List(element) => self.admits(element),
            Type::Atom | Type::Text(Text::Atom) => !self.computes,
            ty => !self.computes && !self.orders && ty.is_ground(),
        }
    }
}
