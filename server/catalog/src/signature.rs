//! The meaning of a predicate's arguments: a relation that several rooms interpret, and the arguments that it relates.

use smallvec::SmallVec;

/// A relation between arguments. Each variant names its arguments in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `Low`, `High`, `Value`: an integer between two others.
    Between,
    /// `List`, `Length`: a list and its number of elements; either may be unbound.
    Length,
    /// `List`, `Length`, `Tail`: the cells of a list and what follows them.
    Spine,
    /// `Index`, `List`, `Left`, `Rest`: the part of a list that begins at or before an index.
    Seek,
    /// `A`, `B`, `C`: integers with `A + B = C`.
    Sum,
    /// `A`, `B`: natural numbers with `A + 1 = B`.
    Successor,
    /// `From`, `To`: a term and a copy with fresh variables.
    Copy,
    /// `List`, `Sorted`: the same elements in the standard order.
    Sorted,
    /// `List`, `Sorted`: the same without duplicates.
    SortedSet,
    /// `List`, `Sorted`: pairs in the order of their keys.
    SortedPairs,
    /// `Key`, `Order`, `List`, `Sorted`: elements in the order of an argument; without duplicates unless the order is `@=<` or `@>=`.
    SortedBy,
    /// `Order`, `A`, `B`: the order of two terms.
    Order,
    /// `Text`, `Length`: the number of characters.
    Characters,
    /// `Character`, `Code`.
    Code,
    /// `Term`, `Name`, `Arity`.
    Functor,
    /// `Term`, `Name`, `Arity`: the same of compound terms only.
    CompoundFunctor,
    /// `Term`, `List`: the name and the arguments of a term.
    Parts,
    /// `Index`, `Term`, `Argument`.
    Argument,
    /// `Type`, `Value`: a value of a type of library(error), or an exception.
    OfType,
    /// `Text`, `Separators`, `Padding`, `Parts`.
    Split,
    /// `Parts`, `Whole`: texts in a row.
    Joined,
    /// `Parts`, `Separator`, `Whole`: texts in a row with separators; splits if the parts are unbound.
    JoinedBy,
    /// `Text`, `Before`, `Length`, `After`, `Part`: an atom that is a part of a text.
    AtomPart,
    /// `Text`, `Before`, `Length`, `After`, `Part`: a string that is a part of a text.
    StringPart,
    /// `A`, `B`, `Whole`: two lists in a row.
    Append,
    /// `Lists`, `Whole`: lists in a row.
    Concatenation,
    /// `Element`, `List`: each element of a list.
    Member,
    /// `A`, `B`: terms that never unify.
    Different,
    /// `A`, `B`: terms that unify without cycles.
    Acyclic,
    /// `Goal`, lists: a goal for the elements of each place.
    Maps,
    /// `Goal`, lists, `First`, `Last`: a goal for the elements of each place and an accumulator.
    Folds,
    /// `Goal`, `List`, selections: a goal for each element.
    Filters,
    /// `Goal`, `List`, `Results`: a goal for each element and a result that it may have.
    MapsSome,
    /// `Goal`, `List`, `Pairs`: a goal for each element and a key.
    Keys,
    /// `Goal`, `List`, `Sorted`: a goal that compares elements.
    SortedWith,
    /// `Body`, `List`, optionally `Rest`: a grammar body for a list.
    Phrase,
    /// `Template`, …, `Result`: an aggregate of the solutions of a goal.
    Aggregate,
    /// `Sink`, …: output to a term such as `atom(A)`.
    Written,
    /// `Goal`, …: the last argument runs as in `once/1`, without further cost.
    Once,
    /// `Mutex`, `Goal`: the same, with a mutex.
    OnceLocked,
    /// `Result`, `Expression`: the value of an expression.
    Value,
    /// `Body`, `State`, `Rest`: a grammar body for any state.
    CallDcg,
    /// `Goal`: succeeds, or an exception is raised.
    Assertion,
}

/// The words of the data file for relations.
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

/// A relation and the arguments that it relates, in its order, from 0: `copy(2,1)` copies the second argument to the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The relation.
    pub relation: Relation,
    /// The arguments; empty if the relation has those of the predicate in order.
    pub arguments: SmallVec<[u8; 4]>,
}

impl Signature {
    /// Reads `copy` or `copy(2,1)`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (word, arguments) = call(text)?;
        let relation = (RELATIONS.iter()).find_map(|&(name, of)| (name == word).then_some(of))?;
        Some(Signature {
            relation,
            arguments,
        })
    }

    /// Returns the arguments of a call in the order of the relation.
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

    /// Returns the place of one of the relation's arguments in a call, both from 0.
    #[must_use]
    pub fn place(&self, argument: usize) -> usize {
        (self.arguments.get(argument)).map_or(argument, |&place| usize::from(place))
    }
}

/// The cells that a predicate builds inside on SWI-Prolog's global stack, apart from its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// None: `atom_length/2`.
    None,
    /// None if the argument is an atom: `must_be(list, X)`.
    NoneOfAtom(usize),
    /// A list as long as the argument, three cells for each element: `msort/2`.
    List(usize),
    /// Some cells, and the list in the argument unless it is there: `length/2`.
    AndList(u64, usize),
    /// A cell at the end of the list in the argument, if it ends in a variable: `memberchk/2`.
    End(usize),
    /// A copy of the argument, and one cell: `throw/1`.
    Copy(usize),
}

impl Cells {
    /// Reads `none`, `none(1)`, `list(1)`, `2+list(1)`, `end(2)` or `copy(1)`.
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

/// Reads `word(2,1)`: a word and arguments, which the text counts from 1.
fn call(text: &str) -> Option<(&str, SmallVec<[u8; 4]>)> {
    let Some((word, rest)) = text.split_once('(') else {
        return Some((text, SmallVec::new()));
    };
    let places = rest.strip_suffix(')')?.split(',');
    let places = places.map(|place| place.parse::<u8>().ok()?.checked_sub(1));
    Some((word, places.collect::<Option<_>>()?))
}

/// The agreement of Prolog systems on a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Portable {
    /// It does the same in each.
    Plain,
    /// The same but for the standard order of terms.
    Order,
    /// The same, and it makes names and terms that the program does not write.
    Names,
}

/// The atoms that a predicate gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atoms {
    /// Those of its arguments only: `=../2`.
    Given,
    /// None: it throws, or checks its arguments: `must_be/2`.
    None,
}

/// The use of a global variable, which shares with the second argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalUse {
    /// Reads it: `nb_getval/2`.
    Reads,
    /// Stores a value in it: `b_setval/2`.
    Stores,
}

/// A value from outside the program that comes from no stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brought {
    /// A message: `thread_get_message/1`.
    Message,
    /// The time: `get_time/1`.
    Time,
}

/// The integers that a built-in computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integers {
    /// Those of its arguments: `plus/3`.
    Arguments,
    /// Any: `number_codes/2` reads one of any length.
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
