//! Opaque types: terms that only the predicates of a library build, so that the library's invariant holds for them.
//!
//! ```prolog
//! count(X, A0, A) :- get_assoc(X, A0, N0), N is N0+1, put_assoc(X, A0, N, A).      % A0: assoc(K, int), of depth O(log keys(A0))
//! ```
//!
//! The size of such a term is the number of its keys. Its keys and values have types, but no sizes. A term of the same shape that a program
//! writes itself (`t(k, v, <, t, t)`) does not have the type: nothing shows that it is balanced. A program, or a clause of the library, may
//! take a term apart: the keys of `t(K, V, B, L, R)` are `K`, those of `L` and those of `R`.

use std::fmt;
use std::sync::Arc;

use costlens_syntax::assertions::OpaqueName;
use serde::{Deserialize, Serialize};

use super::regular::{Regular, Shape, compound_key};
use super::types::Type;

/// A term of an opaque type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Opaque {
    /// The library's type.
    pub name: OpaqueName,
    /// The type of all keys; [`Type::None`] if there are none.
    pub key: Type,
    /// The type of all values; [`Type::None`] if there are none.
    pub value: Type,
}

impl Opaque {
    /// Returns the type with other contents. Contents that are opaque themselves are not followed.
    #[must_use]
    pub fn new(name: OpaqueName, key: Type, value: Type) -> Self {
        Opaque {
            name,
            key: content(key),
            value: content(value),
        }
    }

    /// Returns whether every term of this type is also a term of the other type.
    #[must_use]
    pub fn is_within(&self, other: &Opaque) -> bool {
        self.name == other.name
            && self.key.is_within(&other.key)
            && self.value.is_within(&other.value)
    }

    /// Returns whether all terms of the type are ground.
    #[must_use]
    pub fn is_ground(&self) -> bool {
        // The leaves of a red-black tree share a node whose key and value are variables.
        self.name == OpaqueName::Assoc && self.key.is_ground() && self.value.is_ground()
    }

    /// Returns the shapes of the terms: those of an AVL tree, whose branches are AVL trees themselves. A red-black tree has none: its leaves
    /// are shared, and a branch has no invariant of its own.
    #[must_use]
    pub fn shapes(self: &Arc<Self>) -> Option<Arc<Regular>> {
        if self.name != OpaqueName::Assoc {
            return None;
        }
        let branch = || Type::Opaque(Arc::clone(self));
        let node = Shape {
            functor: compound_key(&"t".into(), 5),
            args: vec![
                self.key.clone(),
                self.value.clone(),
                Type::Atom,
                branch(),
                branch(),
            ],
        };
        let leaf = Shape {
            functor: "'t'".into(),
            args: Vec::new(),
        };
        Regular::new(self.name.name().into(), vec![node, leaf], Type::None)
    }

    /// Returns the number of symbols for each key, apart from the key and its value, and the number of others. Shared leaves count at each
    /// place.
    #[must_use]
    pub fn symbols(&self) -> (i64, i64) {
        match self.name {
            // `t(K, V, B, L, R)`, and a leaf more than nodes.
            OpaqueName::Assoc => (3, 1),
            // `black(L, K, V, R)`, leaves `black('', _, _, '')`, and `t(Leaf, Tree)`.
            OpaqueName::RedBlack => (6, 11),
        }
    }

    /// Combines the contents of two types of the same name.
    pub(crate) fn combined(
        &self,
        other: &Opaque,
        of: impl Fn(&Type, &Type) -> Type,
    ) -> Option<Opaque> {
        (self.name == other.name).then(|| {
            Opaque::new(
                self.name,
                of(&self.key, &other.key),
                of(&self.value, &other.value),
            )
        })
    }
}

/// Returns the type of a key or value inside an opaque term, where a variable may be shared.
fn content(of: Type) -> Type {
    match of {
        Type::Free => Type::Any,
        Type::Opaque(inner) if inner.is_ground() => Type::Ground,
        Type::List(element) if matches!(*element, Type::Opaque(_)) => Type::list(Type::Nonvar),
        Type::Opaque(_) | Type::Itself => Type::Nonvar,
        other => other,
    }
}

impl fmt::Display for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.name();
        match (&self.key, &self.value) {
            (Type::Any, Type::Any) => f.write_str(name),
            // Contents are not opaque, so the recursion is at most as deep as lists nest.
            (key, value) => write!(f, "{name}({key}, {value})"),
        }
    }
}
