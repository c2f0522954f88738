//! Comparing and sorting terms in the standard order.

use std::cmp::Ordering;

use crate::atoms::{self, EQUALS, GREATER, LESS, MINUS, NIL};
use crate::cell::Cell;
use crate::error::Throw;
use crate::machine::{Entry, Machine};
use crate::number::Number;
use crate::store::{Store, View};

pub(crate) const TABLE: &[Entry] = &[
    ("compare", 3, compare),
    ("@<", 2, |m, a| Ok(m.store.compare(a[0], a[1]).is_lt())),
    ("@>", 2, |m, a| Ok(m.store.compare(a[0], a[1]).is_gt())),
    ("@=<", 2, |m, a| Ok(m.store.compare(a[0], a[1]).is_le())),
    ("@>=", 2, |m, a| Ok(m.store.compare(a[0], a[1]).is_ge())),
    ("=@=", 2, |m, a| Ok(m.store.variant(a[0], a[1]))),
    ("\\=@=", 2, |m, a| Ok(!m.store.variant(a[0], a[1]))),
    ("sort", 2, sort),
    ("msort", 2, msort),
    ("keysort", 2, keysort),
    ("sort", 4, sort_by_key),
];

fn compare(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    match machine.store.view(args[0]) {
        View::Variable(_) | View::Atom(LESS | EQUALS | GREATER) => {}
        View::Atom(_) => return Err(machine.store.domain_error("order", args[0])),
        _ => return Err(machine.store.type_error("atom", args[0])),
    }
    let order = match machine.store.compare(args[1], args[2]) {
        Ordering::Less => LESS,
        Ordering::Equal => EQUALS,
        Ordering::Greater => GREATER,
    };
    Ok(machine.store.unify(args[0], Cell::atom(order)))
}

/// Returns the elements of a proper list.
pub(crate) fn proper_list(store: &mut Store, cell: Cell) -> Result<Vec<Cell>, Throw> {
    let (elements, end) = store.list(cell);
    if end == Cell::atom(NIL) {
        Ok(elements)
    } else if store.is_variable(end) {
        Err(store.instantiation_error())
    } else {
        Err(store.type_error("list", cell))
    }
}

fn unify_list(store: &mut Store, target: Cell, elements: &[Cell]) -> Result<bool, Throw> {
    store.room(2 * elements.len())?;
    let list = store.list_of(elements);
    Ok(store.unify(target, list))
}

fn sort(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let mut elements = proper_list(store, args[0])?;
    elements.sort_by(|&a, &b| store.compare(a, b));
    elements.dedup_by(|a, b| store.compare(*a, *b).is_eq());
    unify_list(store, args[1], &elements)
}

fn msort(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let mut elements = proper_list(store, args[0])?;
    elements.sort_by(|&a, &b| store.compare(a, b));
    unify_list(store, args[1], &elements)
}

fn keysort(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let elements = proper_list(store, args[0])?;
    let mut pairs = Vec::with_capacity(elements.len());
    for element in elements {
        match store.view(element) {
            View::Compound(MINUS, 2, first) => pairs.push((store.cell(first), element)),
            View::Variable(_) => {
                let error = store.instantiation_error();
                return Err(store.error_in_bare(error, "keysort", 2));
            }
            _ => {
                let error = store.type_error("pair", element);
                return Err(store.error_in_bare(error, "keysort", 2));
            }
        }
    }
    pairs.sort_by(|a, b| store.compare(a.0, b.0));
    let sorted: Vec<Cell> = pairs.into_iter().map(|(_, pair)| pair).collect();
    unify_list(store, args[1], &sorted)
}

/// Implements `sort(Key, Order, List, Sorted)`: sorts by an argument of the elements, or by whole elements if the key is 0.
fn sort_by_key(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let key = match store.view(args[0]) {
        View::Variable(_) => return Err(store.instantiation_error()),
        View::Integer(n) => match usize::try_from(n) {
            Ok(key) => Some(key),
            Err(_) => return Err(store.domain_error("not_less_than_one", args[0])),
        },
        // An atom would be the key of a dict, and the machine has no dicts.
        View::Atom(_) => None,
        _ => return Err(store.type_error("sort_key", args[0])),
    };
    let (descending, unique) = match store.view(args[1]) {
        View::Variable(_) => return Err(store.instantiation_error()),
        View::Atom(name) => match store.atoms.text(name).as_str() {
            "@<" => (false, true),
            "@=<" => (false, false),
            "@>" => (true, true),
            "@>=" => (true, false),
            _ => return Err(store.domain_error("order", args[1])),
        },
        _ => return Err(store.type_error("atom", args[1])),
    };
    let mut keyed = Vec::new();
    for element in proper_list(store, args[2])? {
        keyed.push((sort_key(store, key, element)?, element));
    }
    keyed.sort_by(|a, b| {
        let order = store.compare(a.0, b.0);
        if descending { order.reverse() } else { order }
    });
    if unique {
        keyed.dedup_by(|a, b| store.compare(a.0, b.0).is_eq());
    }
    let sorted: Vec<Cell> = keyed.into_iter().map(|(_, element)| element).collect();
    unify_list(store, args[3], &sorted)
}

fn sort_key(store: &mut Store, key: Option<usize>, element: Cell) -> Result<Cell, Throw> {
    if key == Some(0) {
        return Ok(element);
    }
    match (store.view(element), key) {
        (View::Compound(_, arity, first), Some(key)) if key <= arity => {
            Ok(store.cell(first + key - 1))
        }
        (View::Compound(..), Some(key)) => {
            let (kind, key) = (
                store.atom("argument"),
                store.number_cell(Number::from(key as u64)),
            );
            let formal = store.compound(atoms::EXISTENCE_ERROR, &[kind, key, element]);
            Err(Throw::error(formal))
        }
        (View::Variable(_), _) => Err(store.instantiation_error()),
        _ => Err(store.type_error("compound", element)),
    }
}
