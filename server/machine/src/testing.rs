//! Support for unit tests of built-ins: reads a goal, calls its built-in, and formats the result.

use costlens_syntax::term::Terms;
use costlens_syntax::{read_text, write_term};

use crate::cell::Cell;
use crate::error::Throw;
use crate::machine::{Limits, Machine};
use crate::store::View;

/// Calls a built-in. Returns the machine, the variables of the goal with their names, and the outcome.
pub(crate) fn call(goal: &str) -> (Machine, Vec<(String, Cell)>, Result<bool, Throw>) {
    let mut machine = Machine::new(Limits::default());
    let file = read_text(&format!("{goal}."));
    let clause = &file.clauses[0];
    assert!(clause.error.is_none(), "{goal}: {:?}", clause.error);
    let mut variables = Vec::new();
    let cell = machine
        .store
        .read_in(&clause.terms, clause.root, &mut variables);
    let (name, arguments) = match machine.store.view(cell) {
        View::Atom(name) => (name, Vec::new()),
        View::Compound(name, arity, first) => (
            name,
            (first..first + arity)
                .map(|i| machine.store.cell(i))
                .collect(),
        ),
        other => panic!("{goal}: {other:?} is no goal"),
    };
    let builtin = machine
        .builtin(name, arguments.len())
        .unwrap_or_else(|| panic!("no built-in for {goal}"));
    let result = builtin(&mut machine, &arguments);
    let names = clause.spans.variables.iter().map(ToString::to_string);
    let variables = names
        .zip(variables)
        .filter_map(|(name, cell)| Some((name, cell?)))
        .collect();
    (machine, variables, result)
}

/// Formats a term as plain text: quoted, with operators, variables `A`, `B`, … by first occurrence.
pub(crate) fn show(machine: &Machine, cell: Cell) -> String {
    let mut terms = Terms::default();
    let mut variables = Vec::new();
    let root = machine
        .store
        .write_out(cell, &mut terms, &mut variables)
        .unwrap();
    let names: Vec<_> = ('A'..='Z').map(|c| c.to_string().into()).collect();
    write_term(&terms, root, Some(&names))
}

/// Returns the value of a goal's variable after the call, or `None` if the call fails.
pub(crate) fn answer(goal: &str, variable: &str) -> Option<String> {
    let (machine, variables, result) = call(goal);
    match result {
        Ok(true) => {
            let (_, cell) = variables.iter().find(|(name, _)| name == variable).unwrap();
            Some(show(&machine, *cell))
        }
        Ok(false) => None,
        Err(Throw::Ball(cell) | Throw::Error { formal: cell, .. }) => {
            panic!("{goal}: {}", show(&machine, cell))
        }
        Err(Throw::Limit(limit)) => panic!("{goal}: {limit}"),
    }
}

/// Returns the formal term of the error that a call throws, or `None` if it throws no error.
pub(crate) fn error(goal: &str) -> Option<String> {
    let (machine, _, result) = call(goal);
    match result {
        Ok(_) => None,
        Err(Throw::Ball(cell) | Throw::Error { formal: cell, .. }) => Some(show(&machine, cell)),
        Err(Throw::Limit(limit)) => Some(limit.to_string()),
    }
}
