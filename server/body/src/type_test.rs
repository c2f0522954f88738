//! Type tests.

/// Built-ins that test the type of their argument. They bind no variables and raise no exceptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TypeTest {
    /// `var/1`.
    Var,
    /// `nonvar/1`.
    Nonvar,
    /// `atom/1`.
    Atom,
    /// `number/1`.
    Number,
    /// `integer/1`.
    Integer,
    /// `float/1`.
    Float,
    /// `rational/1`.
    Rational,
    /// `atomic/1`.
    Atomic,
    /// `compound/1`.
    Compound,
    /// `callable/1`.
    Callable,
    /// `string/1`.
    String,
    /// `is_list/1`: a proper list.
    IsList,
    /// `ground/1`.
    Ground,
}

impl TypeTest {
    /// All tests.
    pub const ALL: [TypeTest; 13] = [
        TypeTest::Var,
        TypeTest::Nonvar,
        TypeTest::Atom,
        TypeTest::Number,
        TypeTest::Integer,
        TypeTest::Float,
        TypeTest::Rational,
        TypeTest::Atomic,
        TypeTest::Compound,
        TypeTest::Callable,
        TypeTest::String,
        TypeTest::IsList,
        TypeTest::Ground,
    ];

    /// Returns the predicate's name.
    #[must_use]
    pub fn predicate(self) -> &'static str {
        match self {
            TypeTest::Var => "var",
            TypeTest::Nonvar => "nonvar",
            TypeTest::Atom => "atom",
            TypeTest::Number => "number",
            TypeTest::Integer => "integer",
            TypeTest::Float => "float",
            TypeTest::Rational => "rational",
            TypeTest::Atomic => "atomic",
            TypeTest::Compound => "compound",
            TypeTest::Callable => "callable",
            TypeTest::String => "string",
            TypeTest::IsList => "is_list",
            TypeTest::Ground => "ground",
        }
    }

    /// Returns the type test for a predicate with one argument.
    #[must_use]
    pub fn from_predicate(predicate: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.predicate() == predicate)
    }
}

#[cfg(test)]
mod tests {
    use super::TypeTest;

    #[test]
    fn tests_are_found_by_their_predicates() {
        for test in TypeTest::ALL {
            assert_eq!(TypeTest::from_predicate(test.predicate()), Some(test));
        }
        assert_eq!(TypeTest::from_predicate("dict"), None);
    }
}
