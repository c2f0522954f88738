//! Type tests.

use crate::atoms::NIL;
use crate::cell::Cell;
use crate::error::Throw;
use crate::machine::{Entry, Machine};
use crate::number::Number;
use crate::store::View;

pub(crate) const TABLE: &[Entry] = &[
    ("var", 1, |m, a| Ok(m.store.is_variable(a[0]))),
    ("nonvar", 1, |m, a| Ok(!m.store.is_variable(a[0]))),
    ("atom", 1, |m, a| {
        Ok(matches!(m.store.view(a[0]), View::Atom(name) if name != NIL))
    }),
    ("number", 1, |m, a| Ok(is_number(m, a[0]))),
    ("integer", 1, |m, a| {
        Ok(matches!(
            m.store.view(a[0]),
            View::Integer(_) | View::Big(_)
        ))
    }),
    ("float", 1, |m, a| {
        Ok(matches!(m.store.view(a[0]), View::Float(_)))
    }),
    ("rational", 1, |m, a| {
        Ok(matches!(
            m.store.view(a[0]),
            View::Integer(_) | View::Big(_) | View::Rational(_)
        ))
    }),
    ("rational", 3, rational),
    ("atomic", 1, |m, a| {
        Ok(!matches!(
            m.store.view(a[0]),
            View::Variable(_) | View::Compound(..)
        ))
    }),
    ("compound", 1, |m, a| {
        Ok(matches!(m.store.view(a[0]), View::Compound(..)))
    }),
    ("callable", 1, |m, a| {
        Ok(match m.store.view(a[0]) {
            View::Atom(name) => name != NIL,
            View::Compound(..) => true,
            _ => false,
        })
    }),
    ("is_list", 1, |m, a| {
        Ok(m.store.list(a[0]).1 == Cell::atom(NIL))
    }),
    ("string", 1, |m, a| {
        Ok(matches!(m.store.view(a[0]), View::String(_)))
    }),
    ("blob", 2, blob),
    ("is_dict", 1, |_, _| Ok(false)),
    ("is_stream", 1, |m, a| {
        Ok(match m.store.view(a[0]) {
            View::Atom(name) => matches!(
                m.store.atoms.text(name).as_str(),
                "user_output" | "user_error" | "user_input"
            ),
            _ => false,
        })
    }),
    ("ground", 1, |m, a| Ok(m.store.is_ground(a[0]))),
    ("cyclic_term", 1, |m, a| Ok(!m.store.is_acyclic(a[0]))),
    ("acyclic_term", 1, |m, a| Ok(m.store.is_acyclic(a[0]))),
];

fn is_number(machine: &Machine, cell: Cell) -> bool {
    matches!(
        machine.store.view(cell),
        View::Integer(_) | View::Big(_) | View::Rational(_) | View::Float(_)
    )
}

fn rational(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let Some(q) = machine.store.number(args[0]).and_then(|n| n.to_rational()) else {
        return Ok(false);
    };
    let numerator = machine.store.number_cell(Number::from(q.numer().clone()));
    let denominator = machine.store.number_cell(Number::from(q.denom().clone()));
    Ok(machine.store.unify(args[1], numerator) && machine.store.unify(args[2], denominator))
}

/// Implements `blob(X, Type)`: atoms are blobs of type `text`, `[]` of type `reserved_symbol`.
fn blob(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let kind = match machine.store.view(args[0]) {
        View::Atom(NIL) => "reserved_symbol",
        View::Atom(_) => "text",
        _ => return Ok(false),
    };
    let kind = machine.store.atom(kind);
    Ok(machine.store.unify(args[1], kind))
}
