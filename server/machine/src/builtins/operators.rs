//! `op/3`, and the enumeration for `current_op/3`.

use costlens_syntax::operators::Position;
use costlens_syntax::{Operator, OperatorType};

use crate::atoms::NIL;
use crate::cell::Cell;
use crate::error::Throw;
use crate::machine::{Entry, Machine};
use crate::store::View;

pub(crate) const TABLE: &[Entry] = &[("op", 3, op), ("$operators", 2, operators)];

fn op(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let priority = match store.view(args[0]) {
        View::Variable(_) => return Err(store.instantiation_error()),
        View::Integer(n @ 0..=1200) => n as u16,
        View::Integer(_) | View::Big(_) => {
            return Err(store.domain_error("operator_priority", args[0]));
        }
        _ => return Err(store.type_error("integer", args[0])),
    };
    let kind = match store.view(args[1]) {
        View::Variable(_) => return Err(store.instantiation_error()),
        View::Atom(name) => OperatorType::from_name(store.atoms.text(name)),
        _ => return Err(store.type_error("atom", args[1])),
    };
    let Some(kind) = kind else {
        return Err(store.domain_error("operator_specifier", args[1]));
    };
    let (mut names, end) = store.list(args[2]);
    let listed = !names.is_empty() || end == Cell::atom(NIL);
    if !listed {
        names.push(args[2]);
    } else if store.is_variable(end) {
        return Err(store.instantiation_error());
    } else if end != Cell::atom(NIL) {
        return Err(store.type_error("list", args[2]));
    }
    for cell in names {
        let cell = machine.without_module(cell)?;
        let name = match machine.store.view(cell) {
            View::Variable(_) => return Err(machine.store.instantiation_error()),
            View::Atom(name) => machine.store.atoms.text(name).clone(),
            _ if listed => return Err(machine.store.type_error("atom", cell)),
            _ => return Err(machine.store.type_error("list", cell)),
        };
        forbidden(machine, &name, priority, kind, cell)?;
        let operator = Operator {
            priority,
            kind,
            name,
        };
        machine.operators.add(operator.clone());
        machine.program_operators.push(operator);
    }
    Ok(true)
}

/// Throws an error for a name that must not be an operator, or not an operator of this type.
fn forbidden(
    machine: &mut Machine,
    name: &str,
    priority: u16,
    kind: OperatorType,
    culprit: Cell,
) -> Result<(), Throw> {
    let store = &mut machine.store;
    match name {
        "," => Err(store.permission_error("modify", "operator", culprit)),
        "|" if kind.position() != Position::Infix || priority > 0 && priority < 1001 => {
            Err(store.permission_error("create", "operator", culprit))
        }
        _ => Ok(()),
    }
}

/// Implements `'$operators'(Name, List)`: the list of `op(Priority, Type, Name)` for a name, or for all operators if it is unbound.
fn operators(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let all: Vec<Operator> = match machine.store.view(args[0]) {
        View::Variable(_) => machine.operators.sorted(),
        View::Atom(name) => {
            let name = machine.store.atoms.text(name).clone();
            machine
                .operators
                .sorted()
                .into_iter()
                .filter(|o| o.name == name)
                .collect()
        }
        _ => return Err(machine.store.type_error("atom", args[0])),
    };
    let functor = machine.store.atoms.intern("op");
    let mut terms = Vec::new();
    for operator in all {
        let kind = machine.store.atom(operator.kind.name());
        let name = machine.store.atom(&operator.name);
        terms.push(machine.store.compound(
            functor,
            &[Cell::small(i64::from(operator.priority)), kind, name],
        ));
    }
    let list = machine.store.list_of(&terms);
    Ok(machine.store.unify(args[1], list))
}
