//! Adding and removing clauses. The engine implements `clause/2` and `retract/1`.

use crate::atoms::{self, CONS};
use crate::cell::Cell;
use crate::database::ClausesEnd;
use crate::error::Throw;
use crate::machine::{Entry, Machine};
use crate::store::View;

pub(crate) const TABLE: &[Entry] = &[
    ("assert", 1, |m, a| {
        m.assert_clause(a[0], ClausesEnd::Last).map(|()| true)
    }),
    ("assertz", 1, |m, a| {
        m.assert_clause(a[0], ClausesEnd::Last).map(|()| true)
    }),
    ("asserta", 1, |m, a| {
        m.assert_clause(a[0], ClausesEnd::First).map(|()| true)
    }),
    ("retractall", 1, |m, a| m.retract_all(a[0]).map(|()| true)),
    ("abolish", 1, abolish),
    ("dynamic", 1, dynamic),
    ("discontiguous", 1, |_, _| Ok(true)),
];

/// Returns the name and arity of `p/1`, ignoring modules.
fn indicator(machine: &mut Machine, term: Cell) -> Result<(atoms::Atom, usize), Throw> {
    let term = machine.without_module(term)?;
    let View::Compound(slash, 2, first) = machine.store.view(term) else {
        return Err(if machine.store.is_variable(term) {
            machine.store.instantiation_error()
        } else {
            machine.store.type_error("predicate_indicator", term)
        });
    };
    let hidden = match machine.store.atoms.text(slash).as_str() {
        "/" => 0,
        "//" => 2,
        _ => return Err(machine.store.type_error("predicate_indicator", term)),
    };
    let (name, arity) = (machine.store.cell(first), machine.store.cell(first + 1));
    if machine.store.is_variable(name) || machine.store.is_variable(arity) {
        return Err(machine.store.instantiation_error());
    }
    let name = match machine.store.view(name) {
        View::Atom(name) => name,
        _ => return Err(machine.store.type_error("atom", name)),
    };
    match machine.store.view(arity) {
        View::Integer(n) => match usize::try_from(n) {
            Ok(n) => Ok((name, n + hidden)),
            Err(_) => Err(machine.store.domain_error("not_less_than_zero", arity)),
        },
        _ => Err(machine.store.type_error("integer", arity)),
    }
}

fn abolish(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let (name, arity) = indicator(machine, args[0])?;
    let predicate = machine.modifiable(name, arity)?;
    machine.remove_all(predicate);
    Ok(true)
}

/// Implements `dynamic/1` for an indicator, or a list or conjunction of indicators.
fn dynamic(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let mut stack = vec![args[0]];
    let mut budget = machine.store.used();
    while let Some(top) = stack.pop() {
        match machine.store.view(top) {
            View::Compound(atoms::COMMA | CONS, 2, first) => {
                if budget == 0 {
                    return Err(machine.store.type_error("predicate_indicator", top));
                }
                budget -= 1;
                stack.extend([machine.store.cell(first + 1), machine.store.cell(first)]);
            }
            View::Atom(atoms::NIL) => {}
            _ => {
                let (name, arity) = indicator(machine, top)?;
                machine.modifiable(name, arity)?;
            }
        }
    }
    Ok(true)
}
