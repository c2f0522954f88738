//! Families of inputs, each with a distinctive property.

use std::fmt;

/// The distinctive property of a call's input. A family determines properties that the types leave open. If the types leave none of these
/// properties open (`sorted` for an atom), the input is like that of [`Family::Plain`] or [`Family::Mixed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// A mixture that changes between arguments and elements; subterms are repeated.
    Mixed,
    /// Small distinct natural numbers, in any order.
    Plain,
    /// Lists are sorted: `[1,2,3,4]`.
    Sorted,
    /// Lists are sorted and then reversed: `[4,3,2,1]`.
    Reversed,
    /// All elements of a list are the same: `[2,2,2,2]`.
    Equal,
    /// Lists alternate between their least and greatest elements: `[1,4,2,3]`.
    Alternating,
    /// Lists of lists of very different lengths: `[[],[1,2,3,4,5,6],[7]]`.
    Ragged,
    /// Numbers are negative.
    Negative,
    /// Numbers are zero.
    Zero,
    /// Numbers are at the limits of a machine word or a cell, and beyond.
    Extreme,
    /// Numbers of the program and their neighbours.
    NearConstants,
    /// Constants and functors come from the clause heads of the program.
    FromHeads,
    /// Terms that the program is unlikely to expect, if the type admits them: strings, floats, improper lists, other functors.
    Foreign,
    /// Unbound and shared variables and partial lists, if the type admits them.
    Partial,
}

impl Family {
    /// All families.
    pub const ALL: [Self; 14] = [
        Self::Mixed,
        Self::Plain,
        Self::Sorted,
        Self::Reversed,
        Self::Equal,
        Self::Alternating,
        Self::Ragged,
        Self::Negative,
        Self::Zero,
        Self::Extreme,
        Self::NearConstants,
        Self::FromHeads,
        Self::Foreign,
        Self::Partial,
    ];

    /// Returns the family's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Mixed => "mixed",
            Self::Plain => "plain",
            Self::Sorted => "sorted",
            Self::Reversed => "reversed",
            Self::Equal => "equal",
            Self::Alternating => "alternating",
            Self::Ragged => "ragged",
            Self::Negative => "negative",
            Self::Zero => "zero",
            Self::Extreme => "extreme",
            Self::NearConstants => "near constants",
            Self::FromHeads => "from heads",
            Self::Foreign => "foreign",
            Self::Partial => "partial",
        }
    }

    /// Returns true if the family prescribes the order of list elements.
    pub(super) fn orders(self) -> bool {
        matches!(
            self,
            Self::Plain | Self::Sorted | Self::Reversed | Self::Equal | Self::Alternating
        )
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
