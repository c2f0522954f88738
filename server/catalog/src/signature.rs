//! The meaning of a predicate's arguments: a relation, interpreted by several crates, and the arguments that it relates.

use smallvec::SmallVec;

/// A relation between arguments. The doc of each variant lists its arguments in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `Low`, `High`, `Value`: an integer in an interval.
    Between,
    /// `List`, `Length`: a list and the number of its elements; either may be unbound.
    Length,
    /// `List`, `Length`, `Tail`: the cells of a list and the tail after them.
    Spine,
    /// `Index`, `List`, `Left`, `Rest`: the part of a list that begins at or before an index.
    Seek,
    /// `A`, `B`, `C`: integers with `A + B = C`.
    Sum,
    /// `A`, `B`: natural numbers with `A + 1 = B`.
    Successor,
    /// `From`, `To`: a term and a copy with fresh variables.
    Copy,
    /// `List`, `Sorted`: the elements in the standard order of terms.
    Sorted,
    /// `List`, `Sorted`: the elements in the standard order, without duplicates.
    SortedSet,
    /// `List`, `Sorted`: key-value pairs, sorted by key.
    SortedPairs,
    /// `Key`, `Order`, `List`, `Sorted`: elements sorted by one of their arguments; without duplicates unless the order is `@=<` or `@>=`.
    SortedBy,
    /// `Order`, `A`, `B`: the order of two terms.
    Order,
    /// `Text`, `Length`: a text and the number of its characters.
    Characters,
    /// `Character`, `Code`.
    Code,
    /// `Term`, `Name`, `Arity`.
    Functor,
    /// `Term`, `Name`, `Arity`: like `Functor`, for compound terms only.
    CompoundFunctor,
    /// `Term`, `List`: the name and the arguments of a term.
    Parts,
    /// `Term`, `Name`, `Arguments`: the name and the arguments of a compound term.
    CompoundParts,
    /// `Index`, `Term`, `Argument`.
    Argument,
    /// `Type`, `Value`: a value that must have a type of library(error); otherwise an exception is raised.
    OfType,
    /// `Text`, `Separators`, `Padding`, `Parts`.
    Split,
    /// `Parts`, `Whole`: the concatenation of texts.
    Joined,
    /// `Parts`, `Separator`, `Whole`: the concatenation of texts with separators; splits the whole if the parts are unbound.
    JoinedBy,
    /// `Text`, `Before`, `Length`, `After`, `Part`: a part of a text, as an atom.
    AtomPart,
    /// `Text`, `Before`, `Length`, `After`, `Part`: a part of a text, as a string.
    StringPart,
    /// `A`, `B`, `Whole`: the concatenation of two lists.
    Append,
    /// `Lists`, `Whole`: the concatenation of a list of lists.
    Concatenation,
    /// `Element`, `List`: each element of a list, one after another.
    Member,
    /// `A`, `B`: terms that can never become equal.
    Different,
    /// `A`, `B`: terms that unify without cycles.
    Acyclic,
    /// `Goal`, lists: a goal called with the elements at each position.
    Maps,
    /// `Goal`, lists, `First`, `Last`: a goal called with the elements at each position and an accumulator.
    Folds,
    /// `Goal`, `List`, selections: a goal called with each element.
    Filters,
    /// `Goal`, `List`, `Results`: a goal called with each element, and the results of the calls that succeed.
    MapsSome,
    /// `Goal`, `List`, `Pairs`: a goal called with each element, which computes its key.
    Keys,
    /// `Goal`, `List`, `Sorted`: the elements, sorted with a goal that compares two elements.
    SortedWith,
    /// `Body`, `List`, optionally `Rest`: a grammar body that parses a list.
    Phrase,
    /// `Template`, …, `Result`: an aggregate of the solutions of a goal.
    Aggregate,
    /// `Sink`, …: output to a term such as `atom(A)`.
    Written,
    /// `Goal`, …: the last argument runs as with `once/1`, without further cost.
    Once,
    /// `Mutex`, `Goal`: the goal runs as with `once/1`, while it holds a mutex.
    OnceLocked,
    /// `Result`, `Expression`: the value of an arithmetic expression.
    Value,
    /// `Body`, `State`, `Rest`: a grammar body applied to any state.
    CallDcg,
    /// `Goal`: a goal that must succeed; otherwise an exception is raised.
    Assertion,
}

/// The words for relations in the data file.
pub(crate) const RELATIONS: &[(&str, Relation)] = &[
    ("between", Relation::Between),
    ("length", Relation::Length),
    ("spine", Relation::Spine),
    ("seek", Relation::Seek),
    ("sum", Relation::Sum),
    ("successor", Relation::Successor),
    ("copy", Relation::Copy),
    ("sorted", Relation::Sorted),
    ("sorted_set", Relation::SortedSet),
    ("sorted_pairs", Relation::SortedPairs),
    ("sorted_by", Relation::SortedBy),
    ("order", Relation::Order),
    ("characters", Relation::Characters),
    ("code", Relation::Code),
    ("functor", Relation::Functor),
    ("compound_functor", Relation::CompoundFunctor),
    ("parts", Relation::Parts),
    ("compound_parts", Relation::CompoundParts),
    ("argument", Relation::Argument),
    ("of_type", Relation::OfType),
    ("split", Relation::Split),
    ("joined", Relation::Joined),
    ("joined_by", Relation::JoinedBy),
    ("atom_part", Relation::AtomPart),
    ("string_part", Relation::StringPart),
    ("append", Relation::Append),
    ("concatenation", Relation::Concatenation),
    ("member", Relation::Member),
    ("different", Relation::Different),
    ("acyclic", Relation::Acyclic),
    ("maps", Relation::Maps),
    ("folds", Relation::Folds),
    ("filters", Relation::Filters),
    ("maps_some", Relation::MapsSome),
    ("keys", Relation::Keys),
    ("sorted_with", Relation::SortedWith),
    ("phrase", Relation::Phrase),
    ("aggregate", Relation::Aggregate),
    ("written", Relation::Written),
    ("once", Relation::Once),
    ("once_locked", Relation::OnceLocked),
    ("value", Relation::Value),
    ("call_dcg", Relation::CallDcg),
    ("assertion", Relation::Assertion),
];

/// A relation and the arguments (from 0) that it relates, in the relation's order: `copy(2,1)` copies the second argument to the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The relation.
    pub relation: Relation,
    /// The indices of the arguments; empty if the relation has the predicate's arguments in order.
    pub arguments: SmallVec<[u8; 4]>,
}

impl Signature {
    /// Parses `copy` or `copy(2,1)`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (word, arguments) = call(text)?;
        let relation = (RELATIONS.iter()).find_map(|&(name, of)| (name == word).then_some(of))?;
        Some(Signature {
            relation,
            arguments,
        })
    }

    /// Returns the arguments of a call in the relation's order.
    #[must_use]
    pub fn arguments_of<T: Copy>(&self, args: &[T]) -> SmallVec<[T; 5]> {
        if self.arguments.is_empty() {
            return args.iter().copied().collect();
        }
        let places = self.arguments.iter();
        places
            .filter_map(|&place| args.get(usize::from(place)).copied())
            .collect()
    }

    /// Returns the index in a call of one of the relation's arguments, both from 0.
    #[must_use]
    pub fn place(&self, argument: usize) -> usize {
        (self.arguments.get(argument)).map_or(argument, |&place| usize::from(place))
    }
}

/// The cells that a predicate builds on SWI-Prolog's global stack internally, in addition to its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// No cells: `atom_length/2`.
    None,
    /// No cells if the argument is an atom: `must_be(list, X)`.
    NoneOfAtom(usize),
    /// A list as long as the argument, three cells for each element: `msort/2`.
    List(usize),
    /// A fixed number of cells, and the list in the argument if it is unbound at the call: `length/2`.
    AndList(u64, usize),
    /// A cell at the end of the list in the argument, if the list ends in a variable: `memberchk/2`.
    End(usize),
    /// A copy of the argument, and one cell: `throw/1`.
    Copy(usize),
}

impl Cells {
    /// Parses `none`, `none(1)`, `list(1)`, `2+list(1)`, `end(2)` or `copy(1)`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (fixed, built) = match text.split_once('+') {
            Some((fixed, built)) => (Some(fixed.parse().ok()?), built),
            None => (None, text),
        };
        let (word, arguments) = call(built)?;
        let argument = arguments.first().map(|&place| usize::from(place));
        Some(match (fixed, word, argument) {
            (None, "none", None) => Cells::None,
            (None, "none", Some(of)) => Cells::NoneOfAtom(of),
            (None, "list", Some(of)) => Cells::List(of),
            (Some(fixed), "list", Some(of)) => Cells::AndList(fixed, of),
            (None, "end", Some(of)) => Cells::End(of),
            (None, "copy", Some(of)) => Cells::Copy(of),
            _ => return None,
        })
    }
}

/// The inferences of a call, as `statistics(inferences, I)` of SWI-Prolog counts them, except for those of the goals that it calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inferences {
    /// The number depends on what the catalogue does not describe.
    Unknown,
    /// A known number.
    Known {
        /// The least number.
        least: u64,
        /// The greatest number.
        most: u64,
        /// The number for each solution of the called goal, in addition: `findall/3`.
        each: u64,
        /// The argument (from 0) that makes the number the least one if it is a list at the call.
        of_list: Option<usize>,
    },
}

impl Inferences {
    /// The inferences of a predicate in C that calls no predicate: the call itself.
    pub const CALL: Inferences = Inferences::Known {
        least: 1,
        most: 1,
        each: 0,
        of_list: None,
    };

    /// Returns the least and the greatest number, or `None` if they are unknown.
    #[must_use]
    pub fn as_range(self) -> Option<(u64, u64)> {
        match self {
            Inferences::Unknown => None,
            Inferences::Known { least, most, .. } => Some((least, most)),
        }
    }

    /// Parses `unknown`, `3`, `2..3`, `2..4(1)` or `10+each(1)`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        if text == "unknown" {
            return Some(Inferences::Unknown);
        }
        let (fixed, each) = match text.split_once("+each(") {
            Some((fixed, each)) => (fixed, each.strip_suffix(')')?.parse().ok()?),
            None => (text, 0),
        };
        let (fixed, arguments) = call(fixed)?;
        let (least, most) = fixed.split_once("..").unwrap_or((fixed, fixed));
        let (least, most) = (least.parse().ok()?, most.parse().ok()?);
        (least <= most).then_some(Inferences::Known {
            least,
            most,
            each,
            of_list: arguments.first().map(|&place| usize::from(place)),
        })
    }
}

/// Parses `word(2,1)`: a word and argument numbers, which are counted from 1 in the text.
fn call(text: &str) -> Option<(&str, SmallVec<[u8; 4]>)> {
    let Some((word, rest)) = text.split_once('(') else {
        return Some((text, SmallVec::new()));
    };
    let places = rest.strip_suffix(')')?.split(',');
    let places = places.map(|place| place.parse::<u8>().ok()?.checked_sub(1));
    Some((word, places.collect::<Option<_>>()?))
}

/// The extent to which Prolog systems agree on a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Portable {
    /// The predicate behaves the same in every system.
    Plain,
    /// The predicate behaves the same except for the standard order of terms.
    Order,
    /// The predicate behaves the same, and creates names and terms that are not written in the program.
    Names,
}

/// The atoms that a predicate may return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atoms {
    /// Only atoms in its arguments: `=../2`.
    Given,
    /// No atoms: the predicate throws, or checks its arguments: `must_be/2`.
    None,
}

/// The use of a global variable, whose value shares with the second argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalUse {
    /// Reads the variable: `nb_getval/2`.
    Reads,
    /// Stores a value in the variable: `b_setval/2`.
    Stores,
}

/// A value from outside the program that does not come from a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brought {
    /// A message: `thread_get_message/1`.
    Message,
    /// The time: `get_time/1`.
    Time,
}

/// The integers with which a built-in computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integers {
    /// The integers in its arguments: `plus/3`.
    Arguments,
    /// Any integer: `number_codes/2` reads an integer of any length.
    Any,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_have_arguments_in_any_order() {
        let copy = Signature::read("copy(2,1)").unwrap();
        assert_eq!(copy.relation, Relation::Copy);
        assert_eq!(copy.arguments_of(&['a', 'b'])[..], ['b', 'a']);
        assert_eq!((copy.place(0), copy.place(1)), (1, 0));
        let sum = Signature::read("sum").unwrap();
        assert_eq!(sum.arguments_of(&[1, 2, 3])[..], [1, 2, 3]);
        for wrong in ["sums", "sum(", "sum(0)", "sum(a)", "sum(1"] {
            assert_eq!(Signature::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn inferences_are_read() {
        let known = |least, most, each, of_list| {
            Some(Inferences::Known {
                least,
                most,
                each,
                of_list,
            })
        };
        for (text, inferences) in [
            ("unknown", Some(Inferences::Unknown)),
            ("1", Some(Inferences::CALL)),
            ("2..5", known(2, 5, 0, None)),
            ("2..4(2)", known(2, 4, 0, Some(1))),
            ("10+each(1)", known(10, 10, 1, None)),
            ("5..2", None),
            ("10+each(", None),
            ("each(1)", None),
            ("", None),
        ] {
            assert_eq!(Inferences::read(text), inferences, "{text}");
        }
    }

    #[test]
    fn cells_are_read() {
        for (text, cells) in [
            ("none", Some(Cells::None)),
            ("none(1)", Some(Cells::NoneOfAtom(0))),
            ("list(2)", Some(Cells::List(1))),
            ("2+list(1)", Some(Cells::AndList(2, 0))),
            ("end(2)", Some(Cells::End(1))),
            ("copy(1)", Some(Cells::Copy(0))),
            ("2+none", None),
            ("list", None),
            ("x+list(1)", None),
        ] {
            assert_eq!(Cells::read(text), cells, "{text}");
        }
    }
}
