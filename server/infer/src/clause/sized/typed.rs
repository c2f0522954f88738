//! `must_be/2`: the types of library(error).

use costlens_algebra::linear::Region;
use costlens_syntax::term::{TermId, Terms};

use super::Results;
use crate::lattice::datum::Datum;
use crate::lattice::types::{TextType, Type};
use crate::state::State;

/// Returns the results of `must_be(Kind, X)`. Returns `None` for a kind that library(error) does not define.
pub(super) fn must_be(
    state: &State,
    terms: &Terms,
    region: &Region,
    [kind, t]: [TermId; 2],
) -> Option<Results> {
    let (kind, d) = (state.resolve(terms, kind), state.datum(terms, t));
    let demanded = demanded(terms, state, kind)?;
    let holds = holds(terms.as_atom(kind).map_or("", |k| k.as_str()), &d, region);
    let learnt = demanded.filter(|ty| !holds && d.ty != Type::Free && d.ty.meet(ty) != Type::None);
    Some(Results {
        learnt: learnt.map(|ty| (t, Datum::from_type(ty))),
        ..Results::new(Vec::new()).raising(!holds)
    })
}

/// Returns true if a value certainly has a type of library(error).
fn holds(kind: &str, d: &Datum, region: &Region) -> bool {
    match kind {
        "integer" => d.ty == Type::Int,
        "nonneg" => d.ty == Type::Int && d.size.is_nonnegative(region),
        "number" => matches!(d.ty, Type::Int | Type::Number),
        "list" | "proper_list" => matches!(d.ty, Type::List(_)),
        "atom" | "symbol" => d.ty.text() == Some(TextType::Atom),
        "string" => d.ty.text() == Some(TextType::String),
        "ground" => d.ty.is_ground(),
        "nonvar" => is_nonvar(&d.ty),
        "any" => true,
        _ => false,
    }
}

/// Returns true for a type that contains no unbound variables.
pub(super) fn is_nonvar(ty: &Type) -> bool {
    ty.is_bound() && *ty != Type::None
}

/// Returns the type of a value after `must_be(Kind, X)` has returned: any other value raises an error. The outer option is `None` for a
/// kind that library(error) does not define, whose test is arbitrary; the inner one is `None` if no abstract type expresses the kind.
fn demanded(terms: &Terms, state: &State, kind: TermId) -> Option<Option<Type>> {
    let (name, arity) = terms.functor(kind)?;
    Some(match (name.as_str(), arity) {
        ("integer" | "nonneg" | "positive_integer" | "negative_integer", 0) => Some(Type::Int),
        ("number" | "float" | "rational", 0) => Some(Type::Number),
        ("atom" | "symbol" | "boolean" | "bool" | "char" | "order", 0) => Some(Type::Ground),
        ("code", 0) => Some(Type::Int),
        ("list" | "proper_list", 0) => Some(Type::list(Type::Any)),
        ("list" | "list_of", 1) => {
            // The kind of the elements must be known. The elements satisfy it now, but not necessarily later if they contain variables.
            let of = state.resolve(terms, terms.args(kind)[0]);
            demanded_of_elements(terms, of)?;
            Some(Type::list(Type::Any))
        }
        ("ground", 0) | ("oneof", 1) => Some(Type::Ground),
        ("nonvar" | "callable" | "compound" | "pair" | "atomic" | "string" | "constant", 0) => {
            Some(Type::Nonvar)
        }
        ("between", 2) => Some(Type::Number),
        (
            "any"
            | "var"
            | "cyclic"
            | "acyclic"
            | "text"
            | "chars"
            | "codes"
            | "type"
            | "list_or_partial_list"
            | "stream"
            | "dict",
            0,
        ) => None,
        _ => return None,
    })
}

/// Returns `None` unless the elements of `list(Kind)` are tested with an atomic kind of library(error).
fn demanded_of_elements(terms: &Terms, kind: TermId) -> Option<()> {
    let word = terms.as_atom(kind)?;
    matches!(
        word.as_str(),
        "any"
            | "atom"
            | "atomic"
            | "integer"
            | "nonneg"
            | "positive_integer"
            | "number"
            | "float"
            | "callable"
            | "compound"
            | "ground"
            | "nonvar"
            | "string"
            | "boolean"
            | "list"
            | "pair"
            | "var"
            | "text"
            | "char"
            | "code"
            | "symbol"
            | "rational"
    )
    .then_some(())
}
