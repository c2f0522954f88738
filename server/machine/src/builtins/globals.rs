//! Global variables.

use crate::atoms::Atom;
use crate::cell::{Cell, Tag};
use crate::error::Throw;
use crate::machine::{Entry, Machine};
use crate::store::View;

pub(crate) const TABLE: &[Entry] = &[
    ("b_setval", 2, |m, a| {
        let key = key(m, a[0])?;
        m.set_until_backtracking(key, a[1]);
        Ok(true)
    }),
    ("nb_setval", 2, |m, a| {
        let key = key(m, a[0]).map_err(|error| m.store.error_in(error, "nb_linkval", 2))?;
        m.set_for_good(key, a[1]);
        Ok(true)
    }),
    ("b_getval", 2, get),
    ("nb_getval", 2, get),
    ("nb_setarg", 3, nb_setarg),
];

fn key(machine: &mut Machine, cell: Cell) -> Result<Atom, Throw> {
    match machine.store.view(cell) {
        View::Atom(key) => Ok(key),
        View::Variable(_) => Err(machine.store.instantiation_error()),
        _ => Err(machine.store.type_error("atom", cell)),
    }
}

fn get(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let key = key(machine, args[0])?;
    match machine.global_value(key) {
        Some(value) => Ok(machine.store.unify(args[1], value)),
        None => Err(machine.store.existence_error("variable", args[0])),
    }
}

/// Implements `nb_setarg(N, Term, Value)`, which permanently stores a copy of the value. While the current choice points exist, the copy
/// stays on the heap: they no longer truncate the heap below it.
fn nb_setarg(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let Some(address) = super::terms::argument_place(&mut machine.store, args)? else {
        return Ok(false);
    };
    let stored = machine.store.store(args[2]);
    machine.store.room(stored.size())?;
    let value = machine.store.fetch(&stored);
    machine.store.heap[address] = value;
    if !matches!(value.tag(), Tag::Atom | Tag::Integer) {
        machine.keep_heap();
    }
    Ok(true)
}
