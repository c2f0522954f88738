//! The six comparisons, of numbers and of terms.

use std::cmp::Ordering;

/// Comparisons of numbers (`<`) or, in the standard order, of terms (`@<`).
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
    /// Every comparison.
    pub const ALL: [Comparison; 6] = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ];

    /// The predicate that compares numbers so.
    #[must_use]
    pub fn arithmetic_predicate(self) -> &'static str {
        ["=:=", "=\\=", "<", "=<", ">", ">="][self as usize]
    }

    /// The predicate that compares terms so.
    #[must_use]
    pub fn term_predicate(self) -> &'static str {
        ["==", "\\==", "@<", "@=<", "@>", "@>="][self as usize]
    }

    /// The comparison of numbers that a predicate makes.
    #[must_use]
    pub fn of_numbers(predicate: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|c| c.arithmetic_predicate() == predicate)
    }

    /// The comparison of terms that a predicate makes.
    #[must_use]
    pub fn of_terms(predicate: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|c| c.term_predicate() == predicate)
    }

    /// True where it holds of two values that are ordered so: `=<` holds of equal ones.
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

    /// The comparison that holds of `B` and `A` where this one holds of `A` and `B`: `>` for `<`.
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

    /// The comparison that holds exactly where this one does not: `>=` for `<`. Of floats that are no numbers neither holds.
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
