//! Character classes: `char_type/2` and `code_type/2` for one character; Prolog code enumerates characters.

use crate::cell::Cell;
use crate::error::Throw;
use crate::machine::{Entry, Machine};
use crate::store::{Store, View};

pub(crate) const TABLE: &[Entry] = &[
    ("$char_type", 2, |m, a| has_type(m, a, true)),
    ("$code_type", 2, |m, a| has_type(m, a, false)),
];

fn has_type(machine: &mut Machine, args: &[Cell], as_atom: bool) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let name = if as_atom { "char_type" } else { "code_type" };
    let class = match store.view(args[1]) {
        View::Variable(_) => {
            let error = store.instantiation_error();
            return Err(store.error_in_bare(error, name, 2));
        }
        View::Atom(class) => (store.atoms.text(class).clone(), None),
        View::Compound(class, 1, first) => {
            (store.atoms.text(class).clone(), Some(store.cell(first)))
        }
        _ => (String::new().into(), None),
    };
    let character = match store.view(args[0]) {
        View::Integer(-1) => return Ok(matches!(class.0.as_str(), "end_of_file" | "eof")),
        _ => store.character(args[0]),
    };
    let Some(c) = character else {
        let error = store.type_error("character", args[0]);
        return Err(store.error_in_bare(error, name, 2));
    };
    match answer(store, c, &class.0, class.1, as_atom) {
        Some(answer) => Ok(answer),
        None => {
            let error = store.type_error("char_type", args[1]);
            Err(store.error_in_bare(error, name, 2))
        }
    }
}

/// Returns whether a character belongs to a class, or `None` if the class does not exist.
fn answer(
    store: &mut Store,
    c: char,
    class: &str,
    argument: Option<Cell>,
    as_atom: bool,
) -> Option<bool> {
    if let Some(argument) = argument {
        return with_argument(store, c, class, argument, as_atom);
    }
    Some(match class {
        "alnum" => c.is_alphanumeric(),
        // Letters, digits, and `_`, as in SWI-Prolog.
        "alpha" => c.is_alphanumeric() || c == '_',
        "csym" => c.is_alphanumeric() || c == '_',
        "csymf" => c.is_alphabetic() || c == '_',
        "ascii" => c.is_ascii(),
        "white" => c == ' ' || c == '\t',
        "cntrl" => c.is_control(),
        "digit" => c.is_ascii_digit(),
        "space" => c.is_whitespace(),
        "end_of_line" => ('\n'..='\r').contains(&c),
        "lower" => c.is_lowercase(),
        "upper" => c.is_uppercase(),
        "punct" => !c.is_alphanumeric() && !c.is_whitespace() && !c.is_control(),
        "graph" => !c.is_whitespace() && !c.is_control(),
        "print" => !c.is_control(),
        "period" => matches!(c, '.' | '!' | '?'),
        "quote" => matches!(c, '\'' | '"' | '`'),
        "paren" => matches!(c, '(' | ')' | '[' | ']' | '{' | '}'),
        "end_of_file" | "eof" => false,
        "newline" => c == '\n',
        "prolog_var_start" => c.is_uppercase() || c == '_',
        "prolog_atom_start" => c.is_lowercase(),
        "prolog_identifier_continue" => c.is_alphanumeric() || c == '_',
        "prolog_symbol" => "#$&*+-./:<=>?@\\^~".contains(c),
        _ => return None,
    })
}

fn with_argument(
    store: &mut Store,
    c: char,
    class: &str,
    argument: Cell,
    as_atom: bool,
) -> Option<bool> {
    let upper = c.to_uppercase().next().unwrap_or(c);
    let lower = c.to_lowercase().next().unwrap_or(c);
    let other = match class {
        "digit" => {
            let weight = c.to_digit(10);
            return Some(weight.is_some_and(|w| store.unify(argument, Cell::small(i64::from(w)))));
        }
        "xdigit" => {
            let weight = c.to_digit(16);
            return Some(weight.is_some_and(|w| store.unify(argument, Cell::small(i64::from(w)))));
        }
        "upper" if c.is_uppercase() => lower,
        "lower" if c.is_lowercase() => upper,
        "upper" | "lower" => return Some(false),
        // `to_lower(U)`: `U` is the character in upper case; `to_upper(L)`: `L` is the character in lower case.
        "to_lower" => upper,
        "to_upper" => lower,
        "paren" => match c {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            _ => return Some(false),
        },
        _ => return None,
    };
    let other = if as_atom {
        store.atom_of_text(other.encode_utf8(&mut [0; 4]))
    } else {
        Cell::small(i64::from(u32::from(other)))
    };
    Some(store.unify(argument, other))
}
