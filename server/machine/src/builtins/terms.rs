//! Inspecting, building and copying terms.

use crate::atoms::{self, DOLLAR_VAR, NIL};
use crate::cell::Cell;
use crate::error::Throw;
use crate::machine::{Entry, Machine};
use crate::number::Number;
use crate::store::{Store, View};

use super::order::proper_list;

pub(crate) const TABLE: &[Entry] = &[
    ("functor", 3, functor),
    ("$arg", 3, arg),
    ("=..", 2, univ),
    ("compound_name_arity", 3, compound_name_arity),
    ("compound_name_arguments", 3, compound_name_arguments),
    ("copy_term", 2, copy_term),
    ("duplicate_term", 2, copy_term),
    ("term_variables", 2, term_variables),
    ("term_variables", 3, term_variables_and_tail),
    ("nonground", 2, nonground),
    ("setarg", 3, setarg),
    ("numbervars", 3, numbervars),
    ("unify_with_occurs_check", 2, unify_with_occurs_check),
    ("?=", 2, decided),
    ("subsumes_term", 2, subsumes),
    ("same_term", 2, |m, a| {
        Ok(m.store.deref(a[0]) == m.store.deref(a[1]))
    }),
    ("term_size", 2, term_size),
    ("$length", 4, length),
    ("$list_end", 2, |m, a| {
        let (_, end) = m.store.list(a[0]);
        Ok(m.store.unify(a[1], end))
    }),
    ("$skip_list", 3, skip_list),
    ("$seek_list", 4, seek_list),
    ("memberchk", 2, memberchk),
];

/// Returns the value of an argument that must be a small natural number.
pub(crate) fn natural(store: &mut Store, cell: Cell) -> Result<Option<usize>, Throw> {
    match store.view(cell) {
        View::Variable(_) => Err(store.instantiation_error()),
        View::Integer(n) => match usize::try_from(n) {
            Ok(n) => Ok(Some(n)),
            Err(_) => Err(store.domain_error("not_less_than_zero", cell)),
        },
        // This number exceeds any possible count.
        View::Big(n) if n.sign() == num_bigint::Sign::Plus => Ok(None),
        View::Big(_) => Err(store.domain_error("not_less_than_zero", cell)),
        _ => Err(store.type_error("integer", cell)),
    }
}

/// Returns the value of an argument that must be a natural number. A number that exceeds memory ends the run.
pub(crate) fn count(store: &mut Store, cell: Cell) -> Result<usize, Throw> {
    match natural(store, cell)? {
        Some(n) if n <= crate::cell::MAX_ARITY => Ok(n),
        _ => Err(store.resource_error("stack")),
    }
}

fn functor(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let (name, arity) = match store.view(args[0]) {
        View::Variable(_) => return make_from_functor(store, args),
        View::Compound(_, 0, _) => {
            return Err(store.domain_error("compound_non_zero_arity", args[0]));
        }
        View::Compound(name, arity, _) => (Cell::atom(name), arity),
        _ => (args[0], 0),
    };
    let arity = store.number_cell(Number::from(arity as u64));
    Ok(store.unify(args[1], name) && store.unify(args[2], arity))
}

fn make_from_functor(store: &mut Store, args: &[Cell]) -> Result<bool, Throw> {
    let name = match store.view(args[1]) {
        View::Variable(_) => return Err(store.instantiation_error()),
        View::Compound(..) => return Err(store.type_error("atomic", args[1])),
        View::Atom(name) => Some(name),
        _ => None,
    };
    let arity = count(store, args[2])?;
    let made = match name {
        _ if arity == 0 => args[1],
        Some(name) => {
            store.room(arity + 1)?;
            store.compound_of_variables(name, arity).0
        }
        None => return Err(store.type_error("atom", args[1])),
    };
    Ok(store.unify(args[0], made))
}

/// Implements `arg/3` for an integer index.
fn arg(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let (first, arity) = match store.view(args[1]) {
        View::Compound(_, arity, first) => (first, arity),
        View::Variable(_) => {
            let error = store.instantiation_error();
            return Err(store.error_in_bare(error, "arg", 3));
        }
        _ => {
            let error = store.type_error("compound", args[1]);
            return Err(store.error_in_bare(error, "arg", 3));
        }
    };
    match natural(store, args[0]) {
        Ok(Some(n)) if (1..=arity).contains(&n) => {
            let argument = store.cell(first + n - 1);
            Ok(store.unify(args[2], argument))
        }
        Ok(_) => Ok(false),
        Err(error) => Err(store.error_in(error, "arg", 3)),
    }
}

fn univ(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let mut elements = Vec::new();
    match store.view(args[0]) {
        View::Variable(_) => return make_from_list(store, args),
        View::Compound(_, 0, _) => {
            return Err(store.domain_error("compound_non_zero_arity", args[0]));
        }
        View::Compound(name, arity, first) => {
            elements.push(Cell::atom(name));
            elements.extend((first..first + arity).map(|i| store.cell(i)));
        }
        _ => elements.push(args[0]),
    }
    let (_, end) = store.list(args[1]);
    if !store.is_variable(end) && end != Cell::atom(NIL) {
        return Err(store.type_error("list", end));
    }
    let list = store.list_of(&elements);
    Ok(store.unify(args[1], list))
}

fn make_from_list(store: &mut Store, args: &[Cell]) -> Result<bool, Throw> {
    let elements = proper_list(store, args[1])?;
    let made = match elements.as_slice() {
        [] => return Err(store.domain_error("non_empty_list", args[1])),
        &[only] => match store.view(only) {
            View::Variable(_) => return Err(store.instantiation_error()),
            View::Compound(..) => return Err(store.type_error("atomic", only)),
            _ => only,
        },
        [name, arguments @ ..] => match store.view(*name) {
            View::Variable(_) => return Err(store.instantiation_error()),
            View::Atom(atom) => {
                store.room(elements.len())?;
                store.compound(atom, arguments)
            }
            _ => return Err(store.type_error("atom", *name)),
        },
    };
    Ok(store.unify(args[0], made))
}

fn compound_name_arity(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    match store.view(args[0]) {
        View::Compound(name, arity, _) => {
            let arity = store.number_cell(Number::from(arity as u64));
            Ok(store.unify(args[1], Cell::atom(name)) && store.unify(args[2], arity))
        }
        View::Variable(_) => {
            let name = compound_name(store, args[1])?;
            let arity = count(store, args[2])?;
            store.room(arity + 1)?;
            let made = store.compound_of_variables(name, arity).0;
            Ok(store.unify(args[0], made))
        }
        _ => Err(store.type_error("compound", args[0])),
    }
}

fn compound_name(store: &mut Store, cell: Cell) -> Result<atoms::Atom, Throw> {
    match store.view(cell) {
        View::Atom(name) => Ok(name),
        View::Variable(_) => Err(store.instantiation_error()),
        _ => Err(store.type_error("atom", cell)),
    }
}

fn compound_name_arguments(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    match store.view(args[0]) {
        View::Compound(name, arity, first) => {
            let arguments: Vec<Cell> = (first..first + arity).map(|i| store.cell(i)).collect();
            let list = store.list_of(&arguments);
            Ok(store.unify(args[1], Cell::atom(name)) && store.unify(args[2], list))
        }
        View::Variable(_) => {
            let name = compound_name(store, args[1])?;
            let arguments = proper_list(store, args[2])?;
            store.room(arguments.len() + 1)?;
            let made = store.compound(name, &arguments);
            Ok(store.unify(args[0], made))
        }
        _ => Err(store.type_error("compound", args[0])),
    }
}

fn copy_term(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let stored = machine.store.store(args[0]);
    machine.store.room(stored.size())?;
    let copy = machine.store.fetch(&stored);
    Ok(machine.store.unify(args[1], copy))
}

fn term_variables(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    term_variables_before(machine, args[0], args[1], Cell::atom(NIL))
}

fn term_variables_and_tail(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    term_variables_before(machine, args[0], args[1], args[2])
}

fn term_variables_before(
    machine: &mut Machine,
    term: Cell,
    list: Cell,
    tail: Cell,
) -> Result<bool, Throw> {
    let variables = machine.store.variables(term);
    machine.store.room(2 * variables.len())?;
    let variables = machine.store.partial_list_of(&variables, tail);
    Ok(machine.store.unify(list, variables))
}

fn nonground(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let first = machine.store.variables(args[0]).first().copied();
    Ok(first.is_some_and(|v| machine.store.unify(args[1], v)))
}

/// Returns the address of the argument that `setarg/3` overwrites, or `None` if the argument does not exist.
pub(crate) fn argument_place(store: &mut Store, args: &[Cell]) -> Result<Option<usize>, Throw> {
    let place = natural(store, args[0])?;
    match (store.view(args[1]), place) {
        (View::Variable(_), _) => Err(store.instantiation_error()),
        (View::Compound(_, arity, first), Some(n)) if (1..=arity).contains(&n) => {
            Ok(Some(first + n - 1))
        }
        (View::Compound(..), _) | (_, Some(0)) => Ok(None),
        (View::Atom(name), _) if name != NIL => Ok(None),
        _ => Err(store.type_error("compound", args[1])),
    }
}

fn setarg(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let Some(address) = argument_place(store, args)? else {
        return Ok(false);
    };
    let value = store.deref(args[2]);
    // If the argument is an unbound variable itself, it stays unchanged.
    if value != Cell::reference(address) {
        store.assign(address, value);
    }
    Ok(true)
}

/// Implements `numbervars(Term, From, To)`: variables become `'$VAR'(N)`.
fn numbervars(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let from = match store.view(args[1]) {
        View::Integer(n) => n,
        View::Variable(_) => {
            let error = store.instantiation_error();
            return Err(store.error_in(error, "numbervars", 4));
        }
        _ => {
            let error = store.type_error("integer", args[1]);
            return Err(store.error_in(error, "numbervars", 4));
        }
    };
    let variables = store.variables(args[0]);
    store.room(2 * variables.len())?;
    let mut next = from;
    for variable in variables {
        let number = store.integer(next);
        let name = store.compound(DOLLAR_VAR, &[number]);
        store.bind(variable.address(), name);
        next = next.saturating_add(1);
    }
    let next = store.integer(next);
    Ok(store.unify(args[2], next))
}

fn unify_with_occurs_check(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    // If the term was acyclic before and is cyclic now, this unification made it cyclic.
    let before = store.is_acyclic(args[0]) && store.is_acyclic(args[1]);
    Ok(store.unify(args[0], args[1]) && (!before || store.is_acyclic(args[0])))
}

/// Implements `?=(X, Y)`: true if later bindings cannot change the result of `X == Y`.
fn decided(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    Ok(store.identical(args[0], args[1]) || !store.tentatively(|s| s.unify(args[0], args[1])))
}

/// Implements `subsumes_term(General, Specific)`: the terms unify without binding anything in `Specific`.
fn subsumes(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let variables = store.variables(args[1]);
    Ok(store.tentatively(|store| {
        if !store.unify(args[0], args[1]) {
            return false;
        }
        let after: Vec<Cell> = variables.iter().map(|&v| store.deref(v)).collect();
        let mut seen = rustc_hash::FxHashSet::default();
        after.iter().all(|v| v.is_reference() && seen.insert(*v))
    }))
}

/// Implements `term_size/2`: counts the cells of a term, each shared compound once.
fn term_size(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let mut stack = vec![args[0]];
    let mut seen = rustc_hash::FxHashSet::default();
    let mut size = 0_u64;
    while let Some(cell) = stack.pop() {
        let cell = machine.store.deref(cell);
        if let Some((first, arity)) = machine.store.arguments(cell)
            && seen.insert(cell)
        {
            size += arity as u64 + 1;
            stack.extend((first..first + arity).map(|i| machine.store.cell(i)));
        }
    }
    let size = machine.store.number_cell(Number::from(size));
    Ok(machine.store.unify(args[1], size))
}

/// Implements `'$length'(List, Length, Tail, Prefix)`: `length/2` if it has a single answer; then `Tail` is `[]`. For a partial list and an
/// unbound length, `Prefix` is the number of elements before the unbound `Tail`, and Prolog enumerates the lengths.
fn length(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let (elements, end) = store.list(args[0]);
    let asked = match store.view(args[1]) {
        View::Variable(_) => None,
        View::Integer(n) if n < 0 => {
            let error = store.domain_error("not_less_than_zero", args[1]);
            return Err(store.error_in_bare(error, "length", 2));
        }
        View::Integer(_) | View::Big(_) => match natural(store, args[1]) {
            Ok(n) => Some(n.unwrap_or(usize::MAX)),
            Err(error) => return Err(store.error_in_bare(error, "length", 2)),
        },
        _ => {
            let error = store.type_error("integer", args[1]);
            return Err(store.error_in_bare(error, "length", 2));
        }
    };
    let prefix = elements.len();
    let nil = Cell::atom(NIL);
    if end == nil {
        let length = store.number_cell(Number::from(prefix as u64));
        return Ok(store.unify(args[1], length) && store.unify(args[2], nil));
    }
    if !store.is_variable(end) {
        let error = store.type_error("list", args[0]);
        return Err(store.error_in_bare(error, "length", 2));
    }
    match asked {
        Some(n) if n < prefix => Ok(false),
        Some(n) => {
            let missing = n - prefix;
            if missing > store.max_cells {
                let error = store.resource_error("stack");
                return Err(store.error_in(error, "length", 2));
            }
            store.room(3 * missing)?;
            let variables: Vec<Cell> = (0..missing).map(|_| store.variable()).collect();
            let rest = store.list_of(&variables);
            Ok(store.unify(end, rest) && store.unify(args[2], nil))
        }
        // `length(L, L)` and similar goals have no answer.
        None if store.deref(args[1]) == end => Ok(false),
        None => {
            let prefix = store.number_cell(Number::from(prefix as u64));
            Ok(store.unify(args[2], end) && store.unify(args[3], prefix))
        }
    }
}

/// Implements `'$skip_list'(Length, List, Tail)`: the number of list cells of a term, and the tail after them.
fn skip_list(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let (elements, end) = store.list(args[1]);
    let length = store.number_cell(Number::from(elements.len() as u64));
    Ok(store.unify(args[0], length) && store.unify(args[2], end))
}

/// Implements `'$seek_list'(N, List, Left, Rest)`: skips up to `N` elements of a list. `Left` is the number of elements still to be skipped
/// at its end.
fn seek_list(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let count = match store.view(args[0]) {
        View::Variable(_) => return Err(store.instantiation_error()),
        View::Integer(n) => Some(n),
        View::Big(n) => i64::try_from(n).ok(),
        _ => return Err(store.type_error("integer", args[0])),
    };
    let Some(count) = count else {
        return Err(store.representation_error("int64_t"));
    };
    let (mut left, mut rest) = (count, store.deref(args[1]));
    while left > 0 {
        let View::Compound(atoms::CONS, 2, first) = store.view(rest) else {
            break;
        };
        rest = store.deref(store.cell(first + 1));
        left -= 1;
    }
    let left = store.number_cell(Number::from(left));
    Ok(store.unify(args[2], left) && store.unify(args[3], rest))
}

/// Implements `memberchk(X, Xs)`: unifies with the first element that unifies; a partial list is extended by one element.
fn memberchk(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let (elements, end) = store.list(args[1]);
    for element in elements {
        // Most elements obviously differ. Bindings must be undone if an element does not unify.
        if store.tentatively(|store| store.unify(args[0], element)) {
            return Ok(store.unify(args[0], element));
        }
    }
    if store.is_variable(end) {
        let tail = store.variable();
        let list = store.cons(args[0], tail);
        return Ok(store.unify(end, list));
    }
    if end == Cell::atom(NIL) || matches!(store.view(end), View::Compound(atoms::CONS, 2, _)) {
        return Ok(false);
    }
    let error = store.type_error("list", args[1]);
    Err(store.error_in(error, "$memberchk", 3))
}
