//! Explicit demands of a clause on values: `must_be(list, Xs)`, and type tests at the start of a body.
//!
//! `p(Xs) :- must_be(list, Xs), …` and `p(N) :- integer(N), …` show the calls for which the clause is meant. A test in another position is
//! weaker evidence: in `( integer(X) -> … ; … )`, the other branch is meant for other values.

use costlens_body::{Goal, TypeTest, conjuncts};
use costlens_syntax::term::{TermId, Terms};

use super::shapes::{Hint, ShapeIndex, Shapes};

/// The maximum number of type tests examined in one body.
const MOST_TESTS: usize = 32;
/// The maximum depth to which `list(list(…))` is followed.
const DEEPEST: usize = 3;

/// Records the type tests at the beginning of a body.
pub(super) fn leading_tests(
    shapes: &mut Shapes,
    nodes: &[ShapeIndex],
    terms: &Terms,
    body: TermId,
) {
    for goal in conjuncts(terms, body).into_iter().take(MOST_TESTS) {
        let Goal::Type(test, tested) = Goal::lower(terms, goal) else {
            return;
        };
        let value = nodes[tested.index()];
        match test {
            TypeTest::IsList => {
                let element = shapes.fresh();
                let list = shapes.list_of(element);
                shapes.unify(value, list);
            }
            TypeTest::Integer => shapes.hint(value, Hint::Integer),
            TypeTest::Number => shapes.hint(value, Hint::Arithmetic),
            TypeTest::Float => shapes.hint(value, Hint::Real),
            TypeTest::Atom => shapes.hint(value, Hint::Atom),
            _ => {}
        }
    }
}

/// Records a demand such as `must_be(list(integer), Xs)`.
pub(super) fn must_be(shapes: &mut Shapes, terms: &Terms, kind: TermId, value: ShapeIndex) {
    let (mut kind, mut value) = (kind, value);
    for _ in 0..DEEPEST {
        let Some((name, arity)) = terms.functor(kind) else {
            return;
        };
        match (name.as_str(), arity) {
            ("integer" | "nonneg" | "positive_integer" | "negative_integer", 0) => {
                return shapes.hint(value, Hint::Integer);
            }
            ("number", 0) => return shapes.hint(value, Hint::Arithmetic),
            ("float", 0) => return shapes.hint(value, Hint::Real),
            ("atom" | "symbol" | "boolean" | "bool", 0) => return shapes.hint(value, Hint::Atom),
            ("list" | "proper_list", 0) | ("list" | "list_of", 1) => {
                let element = shapes.fresh();
                let list = shapes.list_of(element);
                shapes.unify(value, list);
                let Some(&of) = terms.args(kind).first() else {
                    return;
                };
                (kind, value) = (of, element);
            }
            _ => return,
        }
    }
}
