//! The six comparisons, on numbers and on terms.

use std::cmp::Ordering;

/// A comparison of numbers (`<`) or of terms in the standard order (`@<`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Comparison {
    /// `=:=` and `==`.
    Equal,
    /// `=\=` and `\==`.
    NotEqual,
    /// `<` and `@<`.
    Less,
    /// `=<` and `@=<`.
    LessOrEqual,
    /// `>` and `@>`.
    Greater,
    /// `>=` and `@>=`.
    GreaterOrEqual,
}

impl Comparison {
    /// All comparisons.
    pub const ALL: [Comparison; 6] = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ];

    /// Returns the name of the predicate that compares numbers in this way.
    #[must_use]
    pub fn arithmetic_predicate(self) -> &'static str {
        ["=:=", "=\\=", "<", "=<", ">", ">="][self as usize]
    }

    /// Returns the name of the predicate that compares terms in this way.
    #[must_use]
    pub fn term_predicate(self) -> &'static str {
        ["==", "\\==", "@<", "@=<", "@>", "@>="][self as usize]
    }

    /// Returns the numeric comparison that a predicate makes.
    #[must_use]
    pub fn of_numbers(predicate: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|c| c.arithmetic_predicate() == predicate)
    }

    /// Returns the term comparison that a predicate makes.
    #[must_use]
    pub fn of_terms(predicate: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|c| c.term_predicate() == predicate)
    }

    /// Returns true if the comparison holds for two values with this ordering: `=<` holds for equal values.
    #[must_use]
    pub fn holds(self, ordering: Ordering) -> bool {
        match self {
            Comparison::Equal => ordering.is_eq(),
            Comparison::NotEqual => ordering.is_ne(),
            Comparison::Less => ordering.is_lt(),
            Comparison::LessOrEqual => ordering.is_le(),
            Comparison::Greater => ordering.is_gt(),
            Comparison::GreaterOrEqual => ordering.is_ge(),
        }
    }

    /// Returns the comparison with swapped operands: it holds for `B` and `A` when this comparison holds for `A` and `B` (`>` for `<`).
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Comparison::Equal => Comparison::Equal,
            Comparison::NotEqual => Comparison::NotEqual,
            Comparison::Less => Comparison::Greater,
            Comparison::LessOrEqual => Comparison::GreaterOrEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        }
    }

    /// Returns the comparison that holds exactly when this comparison does not: `>=` for `<`. For NaN, neither holds.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
            Comparison::Less => Comparison::GreaterOrEqual,
            Comparison::LessOrEqual => Comparison::Greater,
            Comparison::Greater => Comparison::LessOrEqual,
            Comparison::GreaterOrEqual => Comparison::Less,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Comparison;

    #[test]
    fn comparisons_are_found_by_their_predicates() {
        for c in Comparison::ALL {
            assert_eq!(Comparison::of_numbers(c.arithmetic_predicate()), Some(c));
            assert_eq!(Comparison::of_terms(c.term_predicate()), Some(c));
            assert_eq!(c.turned().turned(), c);
            assert_eq!(c.negated().negated(), c);
            for (ordering, mirrored) in [(1.cmp(&2), 2.cmp(&1)), (1.cmp(&1), 1.cmp(&1))] {
                assert_eq!(c.turned().holds(mirrored), c.holds(ordering));
                assert_ne!(c.negated().holds(ordering), c.holds(ordering));
            }
        }
        assert_eq!(Comparison::of_numbers("@<"), None);
    }
}
