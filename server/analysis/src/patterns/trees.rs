//! Types of terms that shapes suggest: a type that the file defines or, if none fits, a type composed of the terms that the clauses
//! decompose.
//!
//! `depth(leaf, 0). depth(node(L, R), D) :- depth(L, A), depth(R, B), …` accepts trees of `leaf` and `node/2`. Other terms may still be
//! passed, so this type is a guess, like everything in these modules.

use std::collections::BTreeSet;
use std::sync::Arc;

use costlens_infer::regular::{Regular, Regulars, Shape, compound_key};
use costlens_infer::types::{DEEPEST_LIST, Type};
use smol_str::{SmolStr, format_smolstr};

use super::shapes::{Hint, ShapeIndex, Shapes, is_list_functor};

/// The maximum number of shapes in a type; larger types are not created.
const MOST_SHAPES: usize = 12;
/// The maximum number of shapes in the name of a type that the file does not define.
const MOST_NAMED: usize = 4;

/// Returns the file's type that admits all observed uses of a value and has the fewest shapes.
pub(super) fn defined_by(
    shapes: &Shapes,
    node: ShapeIndex,
    types: &Regulars,
) -> Option<Arc<Regular>> {
    let uses = shapes.uses(node);
    if uses.other || uses.string {
        return None;
    }
    let fits = |regular: &&Arc<Regular>| {
        let leaf = &regular.leaf;
        let number = !uses.is_number() || (*leaf != Type::None && uses.number().is_within(leaf));
        let atom = !uses.atom || (*leaf != Type::None && Type::Atom.is_within(leaf));
        let functors = uses.functors.keys().all(|(name, arity)| {
            let key = key(name, *arity);
            regular.shape(&key).is_some() || (*arity == 0 && Type::Atom.is_within(leaf))
        });
        number && atom && functors
    };
    types
        .followed
        .iter()
        .filter(fits)
        .min_by_key(|regular| (regular.shapes.len(), &regular.name))
        .cloned()
}

/// Returns a type with the observed shapes, if it is recursive or contains a recursive type: `busy(_-[Job|Jobs], J) :- member(J, Jobs).`
/// accepts pairs with a list.
pub(super) fn suggested_by(
    shapes: &Shapes,
    node: ShapeIndex,
    types: &Regulars,
    above: &mut BTreeSet<ShapeIndex>,
) -> Option<Arc<Regular>> {
    let node = shapes.find(node);
    let uses = shapes.uses(node);
    let recurs = uses
        .functors
        .values()
        .flatten()
        .any(|&part| shapes.find(part) == node);
    if uses.other
        || uses.string
        || uses.functors.len() > MOST_SHAPES
        || uses.functors.keys().any(is_list_functor)
        || above.len() >= DEEPEST_LIST
        || !above.insert(node)
    {
        return None;
    }
    // `queue([], Q-Q).` contains a list with an open tail.
    let are_apart = |parts: &Vec<ShapeIndex>| {
        let parts: Vec<ShapeIndex> = parts.iter().map(|&part| shapes.find(part)).collect();
        let differs = |(i, part): (usize, &ShapeIndex)| !parts[..i].contains(part);
        parts.iter().enumerate().all(differs)
    };
    let is_walked = |shape: &Shape| {
        let mut parts = shape.args.iter();
        parts.any(|of| matches!(of, Type::List(_) | Type::Tree(_)))
    };
    let mut part = |part: ShapeIndex| {
        if shapes.find(part) == node {
            return Type::Itself;
        }
        match shapes.type_within(part, types, above) {
            // The value of the part is unknown, except possibly that it is bound.
            None | Some(Type::Nonvar) => Type::Any,
            Some(of) => of,
        }
    };
    let found: Vec<Shape> = uses
        .functors
        .iter()
        .map(|((name, arity), parts)| Shape {
            functor: key(name, *arity),
            args: parts.iter().map(|&p| part(p)).collect(),
        })
        .collect();
    above.remove(&node);
    let holds_list = found.iter().any(is_walked) && uses.functors.values().all(are_apart);
    if !recurs && !holds_list {
        return None;
    }
    let leaf = match (uses.is_number(), uses.atom) {
        (true, true) => return None,
        (true, false) => uses.number(),
        (false, true) => Type::Atom,
        (false, false) if found.iter().all(|s| s.args.contains(&Type::Itself)) => {
            // `find(X, t(X, _, _)). find(X, t(_, L, _)) :- find(X, L).`: trees must end, usually in a constant.
            Type::Atom
        }
        (false, false) => Type::None,
    };
    Regular::new(name(&found, &leaf), found, leaf)
}

/// Returns the name of a type from its shapes, such as `leaf|node/2`.
fn name(shapes: &[Shape], leaf: &Type) -> SmolStr {
    let mut parts: Vec<String> = shapes
        .iter()
        .map(|shape| {
            let mut bare = shape.functor.as_str();
            if shape.args.is_empty() {
                bare = bare.trim_matches('\'');
            }
            bare.replace('\'', "")
        })
        .collect();
    parts.sort_by_key(|p| p.contains('/'));
    if *leaf != Type::None {
        parts.insert(0, leaf.to_string());
    }
    if parts.len() > MOST_NAMED {
        parts.truncate(MOST_NAMED - 1);
        parts.push("…".to_owned());
    }
    SmolStr::from(parts.join("|"))
}

fn key(name: &SmolStr, arity: usize) -> SmolStr {
    if arity == 0 {
        format_smolstr!("'{name}'")
    } else {
        compound_key(name, arity)
    }
}

/// Creates a shape for the terms of a type.
pub(super) fn shape_of(shapes: &mut Shapes, regular: &Regular) -> ShapeIndex {
    let node = shapes.fresh();
    match regular.leaf {
        Type::Int => shapes.hint(node, Hint::Integer),
        Type::Number => shapes.hint(node, Hint::Real),
        Type::Atom | Type::Text(_) => shapes.hint(node, Hint::Atom),
        Type::None => {}
        _ => shapes.hint(node, Hint::Other),
    }
    for shape in &regular.shapes {
        // Types are defined by earlier types, so this terminates.
        let arguments: Vec<ShapeIndex> = shape
            .args
            .iter()
            .map(|of| match of {
                Type::Itself => node,
                Type::List(element) if **element == Type::Itself => shapes.list_of(node),
                of => shapes.of_type(of),
            })
            .collect();
        let bare = match shape.functor.rsplit_once('/') {
            Some((name, _)) if !arguments.is_empty() => name,
            _ => &shape.functor,
        };
        let Some(name) = bare.strip_prefix('\'').and_then(|n| n.strip_suffix('\'')) else {
            // A number or a string.
            shapes.hint(node, Hint::Other);
            continue;
        };
        shapes.functor(node, &name.into(), &arguments);
    }
    node
}
