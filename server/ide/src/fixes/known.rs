//! Predicates that rewrites understand: library predicates, and copies of their clauses under other names.

use costlens_syntax::term::{TermId, Terms};

/// A predicate with known semantics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LibraryPredicate {
    Append,
    Reverse,
    Member,
    Length,
    Last,
    Msort,
    Sort,
    ListToSet,
    SumList,
    MaxList,
    MinList,
    Permutation,
    /// Tests that integers are in order.
    Ordered,
    /// Relates a list, an element, and the list followed by the element.
    AppendOne,
}

impl LibraryPredicate {
    /// Returns the library predicate with a name.
    pub(super) fn named(name: &str, arity: usize) -> Option<Self> {
        Some(match (name, arity) {
            ("append", 3) => LibraryPredicate::Append,
            ("reverse", 2) => LibraryPredicate::Reverse,
            ("member", 2) => LibraryPredicate::Member,
            ("length", 2) => LibraryPredicate::Length,
            ("last", 2) => LibraryPredicate::Last,
            ("msort", 2) => LibraryPredicate::Msort,
            ("sort", 2) => LibraryPredicate::Sort,
            ("list_to_set", 2) => LibraryPredicate::ListToSet,
            ("sum_list" | "sumlist", 2) => LibraryPredicate::SumList,
            ("max_list", 2) => LibraryPredicate::MaxList,
            ("min_list", 2) => LibraryPredicate::MinList,
            ("permutation", 2) => LibraryPredicate::Permutation,
            _ => return None,
        })
    }

    /// Returns the predicate that a name denotes in a rewrite's pattern.
    pub(super) fn of_pattern(name: &str, arity: usize) -> Option<Self> {
        match (name, arity) {
            ("ordered", 1) => Some(LibraryPredicate::Ordered),
            _ => Self::named(name, arity),
        }
    }

    /// Returns the predicate that a name denotes in a definition.
    pub(super) fn of_definition(name: &str) -> Option<Self> {
        match name {
            "append_one" => Some(LibraryPredicate::AppendOne),
            _ => (1..=3).find_map(|arity| Self::of_pattern(name, arity)),
        }
    }
}

/// A library predicate, or a predicate that is recognised by its clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Recognised {
    pub(super) known: LibraryPredicate,
    /// For each argument of the library predicate, its index in this predicate.
    pub(super) order: Vec<usize>,
    /// True if the predicates are equivalent only for proper lists, because a test or a cut may behave differently for other arguments.
    pub(super) for_lists: bool,
}

impl Recognised {
    /// Returns the library predicate itself.
    pub(super) fn library(known: LibraryPredicate, arity: usize) -> Self {
        Self {
            known,
            order: (0..arity).collect(),
            for_lists: false,
        }
    }

    /// Returns the arguments of a goal in the order of the library predicate.
    pub(super) fn arguments(&self, terms: &Terms, goal: TermId) -> Vec<TermId> {
        let args = terms.args(goal);
        let in_order = self.order.iter().filter_map(|&i| args.get(i).copied());
        in_order.collect()
    }

    /// Returns true if the predicate is equivalent for all calls, and its arguments are in the order of the library predicate.
    pub(super) fn is_plain(&self) -> bool {
        !self.for_lists && self.order.iter().enumerate().all(|(i, &at)| i == at)
    }
}
