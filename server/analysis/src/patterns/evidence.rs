//! Types that are proved by the use of an argument in the clauses, for mode lines that leave types open. A type is never stronger than the
//! evidence for it.
//!
//! `%! sum(+Xs, -S)` states that `Xs` is bound. The clauses `sum([], 0). sum([X|Xs], S) :- sum(Xs, T), S is T+X.` traverse `Xs` as a list,
//! which is evidence of a list. There is no evidence that its elements are integers: they are added, but floats can be added as well, and
//! an element that is not a number raises an error. The line is therefore *completed* to `(list(any), var)`, which covers more calls than
//! the guess `(list(int), var)`.

use std::sync::Arc;

use costlens_infer::opaque::Opaque;
use costlens_infer::regular::{Regular, Regulars, Shape, known_type};
use costlens_infer::types::{Pattern, Type};
use costlens_syntax::assertions::{Argument, Assertion, AssertionKind, Mode, Status};

use super::Guess;
use super::declared::assertion_pattern;
use super::shapes::{ShapeIndex, Shapes};

/// Returns the type that the use of a value proves, or `None` if it proves no type with a size.
///
/// - A value that is traversed as a list is a list, and so is an element that is itself traversed; other elements may be any terms.
/// - A value that is passed to a library as a term of an opaque type is one, with any contents.
/// - A value that is decomposed into parts of the same kind is a tree of these shapes, whose other parts may be any terms.
/// - A value used in arithmetic is an integer only if an integer is written in its place, or if the operation accepts only integers: an
///   arbitrary number has no size.
pub(super) fn of_use(shapes: &Shapes, node: ShapeIndex, types: &Regulars) -> Option<Type> {
    match shapes.type_of(node, types)? {
        Type::Int => shapes.uses(node).integer.then_some(Type::Int),
        of @ (Type::List(_) | Type::Tree(_) | Type::Opaque(_)) => Some(shown(&of, types)),
        _ => None,
    }
}

/// Returns a type that shapes suggest, without those facts about its parts that the use does not prove.
fn shown(of: &Type, types: &Regulars) -> Type {
    match of {
        // At most `DEEPEST_LIST` deep.
        Type::List(element) => Type::list(match &**element {
            walked @ (Type::List(_) | Type::Tree(_)) => shown(walked, types),
            _ => Type::Any,
        }),
        Type::Tree(tree) => Type::Tree(tree_of_anything(tree, types)),
        Type::Opaque(of) => Type::Opaque(Opaque::new(of.name, Type::Any, Type::Any).into()),
        other => other.clone(),
    }
}

/// Returns a tree of the same shapes whose other parts may be any terms. Types that the file defines are left unchanged: their names show
/// the intended meaning.
fn tree_of_anything(tree: &Arc<Regular>, types: &Regulars) -> Arc<Regular> {
    if types.followed.contains(tree) {
        return Arc::clone(tree);
    }
    let part = |of: &Type| match of {
        Type::Itself => Type::Itself,
        Type::List(element) if **element == Type::Itself => of.clone(),
        of @ (Type::List(_) | Type::Tree(_)) => shown(of, types),
        _ => Type::Any,
    };
    let shapes = tree.shapes.iter().map(|shape| Shape {
        functor: shape.functor.clone(),
        args: shape.args.iter().map(part).collect(),
    });
    let leaf = tree.leaf.clone();
    Regular::new(tree.name.clone(), shapes.collect(), leaf).unwrap_or_else(|| Arc::clone(tree))
}

/// Returns the first declared pattern that leaves types of inputs open, completed with the types that their use proves. Returns `None` if
/// no type is left open, or if the use proves nothing.
#[must_use]
pub fn completed(assertions: &[Assertion], guess: &Guess, types: &Regulars) -> Option<Pattern> {
    assertions
        .iter()
        .filter(|a| {
            a.kind != AssertionKind::Entry && a.declares_calls() && a.status != Status::False
        })
        .find_map(|assertion| {
            let declared = assertion_pattern(assertion, types);
            let arguments = assertion.arguments.iter().enumerate();
            let completed = arguments.zip(&declared.0).map(|((i, argument), of)| {
                let shown = guess.evidence.get(i).cloned().flatten();
                match shown.filter(|_| is_open(argument, of, guess.pattern.0.get(i), types)) {
                    Some(shown) => shown,
                    None => of.clone(),
                }
            });
            let completed = Pattern(completed.collect());
            (completed != declared).then_some(completed)
        })
}

/// Returns whether a mode line leaves the type of an input open. `?` does not: the argument may also be unbound, so its use proves nothing.
/// The mode line of a grammar rule gives no mode for the text.
fn is_open(argument: &Argument, declared: &Type, guessed: Option<&Type>, types: &Regulars) -> bool {
    let has_type = argument
        .call
        .as_ref()
        .is_some_and(|t| known_type(t, types).is_some());
    // A cost with `length(Xs)` also determines the type of `Xs`.
    let untyped = !has_type && matches!(declared, Type::Nonvar | Type::Any);
    let input = match argument.mode {
        Some(Mode::In | Mode::Unchanged | Mode::Mutable) => true,
        None => guessed.is_some_and(Type::is_bound),
        _ => false,
    };
    untyped && input
}
