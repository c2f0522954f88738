//! Abstract values of arguments: modes and types, and the call patterns composed of them.
//!
//! A declared type is never interpreted as a stronger type: `ground` is not a tree, `int` is not `nat`, and the elements of a
//! `list(list(int))` may differ in length.

use serde::{Deserialize, Serialize};

use std::fmt;
use std::sync::Arc;

use super::opaque::Opaque;
use super::regular::Regular;

/// Regular types of bounded depth, ordered by [`Type::join`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Type {
    /// The empty type: the element type of `[]`.
    None,
    /// An integer.
    Int,
    /// A number of any kind.
    Number,
    /// An atom, excluding `[]`.
    Atom,
    /// An atom or a string, measured by its number of characters.
    Text(TextType),
    /// A proper list whose elements have the type. Its spine is bound; elements of type [`Type::Any`] may be unbound.
    List(Box<Type>),
    /// A term of a user-defined type, bound as far as the type requires.
    Tree(Arc<Regular>),
    /// A term that only the predicates of a library build.
    Opaque(Arc<Opaque>),
    /// A recursive reference, within the definition of a user-defined type.
    Itself,
    /// A term without variables.
    Ground,
    /// A bound term whose arguments may contain variables.
    Nonvar,
    /// An unbound variable that occurs nowhere else: not in another argument of the call, nor in a structure.
    Free,
    /// Any term, including unbound and shared variables.
    Any,
}

/// The kinds of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TextType {
    /// An atom.
    Atom,
    /// A string.
    String,
    /// An atom or a string.
    Either,
}

/// The maximum nesting depth of list types; deeper element types are widened to [`Type::Any`] or [`Type::Ground`].
pub const DEEPEST_LIST: usize = 3;

impl Type {
    /// Returns `list(element)`.
    #[must_use]
    pub fn list(element: Type) -> Self {
        Type::List(Box::new(element)).widened(DEEPEST_LIST)
    }

    fn widened(self, depth: usize) -> Self {
        match self {
            Type::List(e) if depth == 0 => {
                if e.is_ground() {
                    Type::Ground
                } else {
                    Type::Nonvar
                }
            }
            Type::List(e) => Type::List(Box::new(e.widened(depth - 1))),
            other => other,
        }
    }

    /// Returns whether all values of the type are ground.
    #[must_use]
    pub fn is_ground(&self) -> bool {
        match self {
            Type::None | Type::Int | Type::Number | Type::Atom | Type::Ground => true,
            Type::Text(_) => true,
            Type::List(e) => e.is_ground(),
            Type::Tree(r) => r.ground,
            Type::Opaque(o) => o.is_ground(),
            // The rest of the definition decides.
            Type::Itself => true,
            Type::Nonvar | Type::Free | Type::Any => false,
        }
    }

    /// Returns the shapes of the values, if the type determines them.
    #[must_use]
    pub fn shapes(&self) -> Option<Arc<Regular>> {
        match self {
            Type::Tree(regular) => Some(Arc::clone(regular)),
            Type::Opaque(opaque) => opaque.shapes(),
            _ => None,
        }
    }

    /// Returns whether every value is an atom, a number or a string.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        matches!(
            self,
            Type::None | Type::Int | Type::Number | Type::Atom | Type::Text(_)
        )
    }

    /// Returns the kind of text of the values, or `None` if some values may not be texts.
    #[must_use]
    pub fn text(&self) -> Option<TextType> {
        match self {
            Type::Atom => Some(TextType::Atom),
            Type::Text(text) => Some(*text),
            _ => None,
        }
    }

    /// Returns whether every value of the type is bound.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        !matches!(self, Type::Free | Type::Any)
    }

    /// Returns whether every value of this type is also a value of the other type.
    #[must_use]
    pub fn is_within(&self, other: &Type) -> bool {
        match (self, other) {
            (a, b) if a == b => true,
            (Type::None, _) | (_, Type::Any) => true,
            (Type::Int, Type::Number) => true,
            (a, Type::Text(TextType::Either)) => a.text().is_some(),
            // These types have the same values, with and without a size.
            (Type::Atom, Type::Text(TextType::Atom)) | (Type::Text(TextType::Atom), Type::Atom) => {
                true
            }
            (Type::List(a), Type::List(b)) => a.is_within(b),
            (Type::Opaque(a), Type::Opaque(b)) => a.is_within(b),
            (a, Type::Tree(r)) if r.leaf != Type::None && a.is_within(&r.leaf) => true,
            (a, Type::Ground) => a.is_ground(),
            (a, Type::Nonvar) => a.is_bound(),
            _ => false,
        }
    }

    /// Returns the least type that contains both types.
    #[must_use]
    pub fn join(&self, other: &Type) -> Type {
        if let (Some(a), Some(b)) = (self.text(), other.text()) {
            return match a == b {
                true if *self == Type::Atom => other.clone(),
                true => self.clone(),
                false => Type::Text(TextType::Either),
            };
        }
        if self.is_within(other) {
            return other.clone();
        }
        if other.is_within(self) {
            return self.clone();
        }
        match (self, other) {
            (Type::List(a), Type::List(b)) => Type::list(a.join(b)),
            (Type::Opaque(a), Type::Opaque(b)) if a.name == b.name => {
                let joined = a.combined(b, Type::join);
                joined.map_or(Type::Nonvar, |o| Type::Opaque(Arc::new(o)))
            }
            (Type::Int | Type::Number, Type::Int | Type::Number) => Type::Number,
            (a, b) if a.is_ground() && b.is_ground() => Type::Ground,
            (a, b) if a.is_bound() && b.is_bound() => Type::Nonvar,
            _ => Type::Any,
        }
    }

    /// Returns a type that contains every value of both types, or [`Type::None`] if they have no common value.
    #[must_use]
    pub fn meet(&self, other: &Type) -> Type {
        if let (Some(a), Some(b)) = (self.text(), other.text()) {
            return match (a, b) {
                (TextType::Atom, TextType::Atom) if *self == *other => self.clone(),
                (TextType::Either, both) | (both, TextType::Either) => Type::Text(both),
                (a, b) if a == b => Type::Text(a),
                _ => Type::None,
            };
        }
        if self.is_within(other) {
            return self.clone();
        }
        if other.is_within(self) {
            return other.clone();
        }
        match (self, other) {
            (Type::List(a), Type::List(b)) => Type::list(a.meet(b)),
            (Type::List(e), Type::Ground) | (Type::Ground, Type::List(e)) => {
                Type::list(e.meet(&Type::Ground))
            }
            (Type::Nonvar, g) | (g, Type::Nonvar) if g.is_ground() => g.clone(),
            (Type::Free, _) | (_, Type::Free) => Type::Free,
            (Type::Opaque(a), Type::Opaque(b)) if a.name == b.name => {
                let met = a.combined(b, Type::meet);
                met.map_or(Type::None, |o| Type::Opaque(Arc::new(o)))
            }
            // A leaf is a constant, and the types of terms that programs build do not show who built them.
            (o @ Type::Opaque(_), Type::Tree(_) | Type::Ground | Type::Atom | Type::Text(_))
            | (Type::Tree(_) | Type::Ground | Type::Atom | Type::Text(_), o @ Type::Opaque(_)) => {
                o.clone()
            }
            // A tree may be a constant, and two types may share shapes.
            (Type::Tree(_), other) | (other, Type::Tree(_)) => other.clone(),
            _ => Type::None,
        }
    }

    /// Returns the metric for values of this type, if any.
    #[must_use]
    pub fn metric(&self) -> Option<Metric> {
        match self {
            Type::Int => Some(Metric::Int),
            Type::List(_) => Some(Metric::Length),
            Type::Text(_) => Some(Metric::Chars),
            Type::Ground | Type::Tree(_) => Some(Metric::Size),
            Type::Opaque(_) => Some(Metric::Keys),
            _ => None,
        }
    }

    /// Returns the minimum size of a value as a term.
    #[must_use]
    pub fn least_size(&self) -> i64 {
        match self {
            Type::Tree(regular) => i64::try_from(regular.least_size()).unwrap_or(1),
            _ => 1,
        }
    }

    /// Returns whether values of the type have no size at the call, so that only success determines one: `ph(N, [X|K])` with an unbound
    /// `K`.
    #[must_use]
    pub fn is_unsized(&self) -> bool {
        matches!(self, Type::Free | Type::Any | Type::Nonvar)
    }

    /// Returns the metric for the elements of a list: the size of the largest element is a further size of the list (`list(list(int))`).
    #[must_use]
    pub fn element_metric(&self) -> Option<Metric> {
        match self {
            Type::List(e) => e.metric().filter(|m| *m != Metric::Int),
            _ => None,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::None => f.write_str("none"),
            Type::Int => f.write_str("int"),
            Type::Number => f.write_str("num"),
            Type::Atom | Type::Text(TextType::Atom) => f.write_str("atm"),
            Type::Text(TextType::String) => f.write_str("string"),
            Type::Text(TextType::Either) => f.write_str("atom_or_string"),
            // The recursion is at most DEEPEST_LIST deep.
            Type::List(e) if **e == Type::None => f.write_str("list"),
            Type::List(e) => write!(f, "list({e})"),
            Type::Tree(r) => f.write_str(&r.name),
            Type::Opaque(o) => o.fmt(f),
            Type::Itself => f.write_str("itself"),
            Type::Ground => f.write_str("ground"),
            Type::Nonvar => f.write_str("nonvar"),
            Type::Free => f.write_str("var"),
            Type::Any => f.write_str("any"),
        }
    }
}

/// The size metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Metric {
    /// The length of a proper list.
    Length,
    /// The value of an integer.
    Int,
    /// The size of a ground term: constants and functors count one each.
    Size,
    /// The number of characters of an atom or string.
    Chars,
    /// The number of keys in a term of an opaque type.
    Keys,
}

impl Metric {
    /// Returns the metric with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [
            Metric::Length,
            Metric::Int,
            Metric::Size,
            Metric::Chars,
            Metric::Keys,
        ];
        all.into_iter().find(|metric| metric.to_string() == name)
    }

    /// Returns the minimum size of a value.
    #[must_use]
    pub fn least(self) -> Option<i64> {
        match self {
            Metric::Length | Metric::Chars | Metric::Keys => Some(0),
            Metric::Int => None,
            Metric::Size => Some(1),
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Metric::Length => "length",
            Metric::Int => "int",
            Metric::Size => "size",
            Metric::Chars => "chars",
            Metric::Keys => "keys",
        })
    }
}

/// The types of a call's arguments. Together with the predicate, they are the key of a summary.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Pattern(pub Vec<Type>);

impl Pattern {
    /// Returns whether every call that matches this pattern also matches the other pattern.
    #[must_use]
    pub fn is_within(&self, other: &Pattern) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| a.is_within(b))
    }

    /// Returns the least pattern that contains both patterns.
    #[must_use]
    pub fn join(&self, other: &Pattern) -> Pattern {
        Pattern(
            self.0
                .iter()
                .zip(&other.0)
                .map(|(a, b)| a.join(b))
                .collect(),
        )
    }

    /// Returns the modes in mode-line notation: `+` bound, `-` unbound and unshared, `?` either.
    #[must_use]
    pub fn modes(&self) -> Vec<&'static str> {
        self.0
            .iter()
            .map(|t| match t {
                Type::Free => "-",
                t if t.is_bound() => "+",
                _ => "?",
            })
            .collect()
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (i, t) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{t}")?;
        }
        f.write_str(")")
    }
}
