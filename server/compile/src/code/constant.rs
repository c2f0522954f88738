//! Atomic terms in code.

use std::fmt;

use costlens_syntax::term::{NIL, Term, TermId, Terms};
use costlens_syntax::write_term;
use num_bigint::BigInt;
use smol_str::SmolStr;

/// An atomic term, by value. Two constants are equal if they unify: `1` and `1.0` are different, and so are `0.0` and `-0.0`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Constant {
    /// An atom; the empty list has the name `[]`.
    Atom(SmolStr),
    /// A 64-bit integer.
    Integer(i64),
    /// Any other integer.
    Big(BigInt),
    /// A rational number that is not an integer: numerator and denominator, in lowest terms.
    Rational(Box<(BigInt, BigInt)>),
    /// A float, represented by its bits.
    Float(u64),
    /// A string object.
    String(SmolStr),
}

impl Constant {
    /// Converts a term to a constant. Returns `None` for variables, compounds and syntax errors.
    #[must_use]
    pub fn from_term(terms: &Terms, id: TermId) -> Option<Self> {
        Some(match terms.get(id) {
            Term::Atom(name) => Constant::Atom(name.clone()),
            Term::Integer(n) => {
                i64::try_from(n).map_or_else(|_| Constant::Big(n.to_big()), Constant::Integer)
            }
            Term::Rational(r) => Constant::Rational(r.clone()),
            Term::Float(bits) => Constant::Float(*bits),
            Term::String(text) => Constant::String(text.clone()),
            Term::Var(_) | Term::Compound(..) | Term::Error => return None,
        })
    }

    /// Returns true for `[]`.
    #[must_use]
    pub fn is_nil(&self) -> bool {
        matches!(self, Constant::Atom(name) if name == NIL)
    }

    /// Returns true for a number.
    #[must_use]
    pub fn is_number(&self) -> bool {
        !matches!(self, Constant::Atom(_) | Constant::String(_))
    }

    /// Returns the kind of constant that appears in instruction names: `nil`, `atom`, `int`, or `value` for constants larger than a cell (big
    /// integers, rationals, floats, strings).
    #[must_use]
    pub fn kind(&self) -> ConstantKind {
        match self {
            Constant::Atom(name) if name == NIL => ConstantKind::Nil,
            Constant::Atom(_) => ConstantKind::Atom,
            Constant::Integer(_) => ConstantKind::Integer,
            _ => ConstantKind::Value,
        }
    }
}

/// The kinds of constants in instruction names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantKind {
    /// The empty list.
    Nil,
    /// Another atom.
    Atom,
    /// A 64-bit integer.
    Integer,
    /// A big integer, a rational, a float or a string.
    Value,
}

/// Formats the constant in Prolog syntax: `[]`, `'a b'`, `1r3`, `"text"`.
impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut terms = Terms::default();
        let id = terms.push(match self {
            Constant::Atom(name) => Term::Atom(name.clone()),
            Constant::Integer(n) => return write!(f, "{n}"),
            Constant::Big(n) => return write!(f, "{n}"),
            Constant::Rational(r) => Term::Rational(r.clone()),
            Constant::Float(bits) => Term::Float(*bits),
            Constant::String(text) => Term::String(text.clone()),
        });
        f.write_str(&write_term(&terms, id, None))
    }
}
