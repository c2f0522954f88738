//! Exceptions, and the primitives of `findall/3`.

use crate::atoms::NIL;
use crate::cell::Cell;
use crate::error::{Limit, Throw};
use crate::machine::{Entry, Machine};

pub(crate) const TABLE: &[Entry] = &[
    ("true", 0, |_, _| Ok(true)),
    ("otherwise", 0, |_, _| Ok(true)),
    ("fail", 0, |_, _| Ok(false)),
    ("false", 0, |_, _| Ok(false)),
    ("throw", 1, throw),
    ("$findall_begin", 0, findall_begin),
    ("$findall_add", 1, findall_add),
    ("$findall_end", 1, findall_end),
    ("$findall_end", 2, findall_end_with_tail),
    ("$findall_count", 1, findall_count),
    ("$choice_points", 1, choice_points),
];

fn throw(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    if machine.store.is_variable(args[0]) {
        return Err(machine.store.instantiation_error());
    }
    Err(Throw::Ball(args[0]))
}

/// Returns the number of choice points. If it differs before and after a goal, the goal has left choice points.
#[expect(clippy::unnecessary_wraps, reason = "a built-in")]
fn choice_points(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let count = i64::try_from(machine.choices.len()).unwrap_or(i64::MAX);
    Ok(machine.store.unify(args[0], Cell::small(count)))
}

/// Begins a collection. Every caller also ends the collection, unless an exception intervenes.
#[expect(clippy::unnecessary_wraps, reason = "a built-in")]
fn findall_begin(machine: &mut Machine, _: &[Cell]) -> Result<bool, Throw> {
    machine.findalls.push(Vec::new());
    Ok(true)
}

/// Adds a copy of a term to the collection.
fn findall_add(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let term = machine.store.store(args[0]);
    machine.stored_cells += term.size();
    if machine.memory() > machine.limits.cells {
        return Err(Throw::Limit(Limit::Memory));
    }
    if let Some(found) = machine.findalls.last_mut() {
        found.push(term);
    }
    Ok(true)
}

/// Ends the collection and returns the list.
fn findall_end(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    collected(machine, Cell::atom(NIL), args[0])
}

/// Implements the end of `findall/4`: unifies the list with its given tail.
fn findall_end_with_tail(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    collected(machine, args[1], args[0])
}

fn collected(machine: &mut Machine, tail: Cell, list: Cell) -> Result<bool, Throw> {
    let found = machine.findalls.pop().unwrap_or_default();
    let cells: usize = found.iter().map(|t| t.size() + 2).sum();
    machine.stored_cells = machine.stored_cells.saturating_sub(cells - 2 * found.len());
    machine.store.room(cells)?;
    let elements: Vec<Cell> = found.iter().map(|term| machine.store.fetch(term)).collect();
    let result = machine.store.partial_list_of(&elements, tail);
    Ok(machine.store.unify(list, result))
}

/// Ends the collection and returns the number of collected terms.
fn findall_count(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let found = machine.findalls.pop().unwrap_or_default();
    let cells: usize = found.iter().map(crate::Stored::size).sum();
    machine.stored_cells = machine.stored_cells.saturating_sub(cells);
    let count = machine
        .store
        .integer(i64::try_from(found.len()).unwrap_or(i64::MAX));
    Ok(machine.store.unify(args[0], count))
}
