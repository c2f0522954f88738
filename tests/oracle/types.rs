//! A check whether terms on the heap have a type.

use costlens_machine::generate::{Form, Type};
use costlens_syntax::term::NIL;

use crate::heap::{self, Cell, Heap, Ref};

fn fits_constant(ty: &Type, cell: &Cell) -> bool {
    match (ty, cell) {
        (Type::Int, Cell::Int(_)) | (Type::Number, Cell::Int(_) | Cell::Float(_)) => true,
        (Type::Atom | Type::AtomOrString, Cell::Atom(name)) => name != NIL,
        (Type::String | Type::AtomOrString, Cell::Str(_)) => true,
        _ => false,
    }
}

/// Returns whether a term has a type.
pub(crate) fn fits(heap: &mut Heap, ty: &Type, term: Ref) -> bool {
    let mut stack = vec![(ty.clone(), term)];
    while let Some((ty, term)) = stack.pop() {
        let ok = match (&ty, heap.value(term)) {
            (Type::Any, _) => true,
            (Type::Int, Cell::Int(_)) | (Type::Number, Cell::Int(_) | Cell::Float(_)) => true,
            (Type::Atom | Type::AtomOrString, Cell::Atom(name)) => name != NIL,
            (Type::String | Type::AtomOrString, Cell::Str(_)) => true,
            (Type::Nil, Cell::Atom(name)) => name == NIL,
            (Type::Nonvar, cell) => !matches!(cell, Cell::Var(_)),
            (Type::Ground, _) => heap.is_ground(term).unwrap(),
            (Type::List(element), _) => {
                let (elements, rest) = heap.elements(term).unwrap();
                stack.extend(elements.into_iter().map(|e| ((**element).clone(), e)));
                heap.is_atom(rest, NIL)
            }
            (Type::Defined(types, name), _) => {
                // One level; its parts are pushed.
                let fitting =
                    types
                        .forms(name)
                        .iter()
                        .find(|form| match (form, heap.value(term)) {
                            (Form::Constant(c), cell) => heap::constant(c) == *cell,
                            (Form::Compound(f, parts), Cell::Compound(g, _, k)) => {
                                f == g && parts.len() == *k
                            }
                            (Form::Other(t), cell) => {
                                let atomic = !matches!(cell, Cell::Var(_) | Cell::Compound(..));
                                matches!(t, Type::Ground) || (atomic && fits_constant(t, cell))
                            }
                            _ => false,
                        });
                match (fitting, heap.value(term)) {
                    (Some(Form::Compound(_, parts)), Cell::Compound(_, start, _)) => {
                        let parts = (parts.iter().enumerate())
                            .map(|(i, part)| (part.resolve(types), start + i));
                        stack.extend(parts);
                        true
                    }
                    (Some(Form::Other(Type::Ground)), _) => heap.is_ground(term).unwrap(),
                    (found, _) => found.is_some(),
                }
            }
            _ => false,
        };
        if !ok {
            return false;
        }
    }
    true
}
