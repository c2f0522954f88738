//! Atoms, strings, and lists of codes or characters.

use std::borrow::Cow;

use crate::atoms::{CONS, NIL};
use crate::cell::Cell;
use crate::error::Throw;
use crate::machine::{Entry, Machine};
use crate::number::{Number, parse_number};
use crate::store::{Store, View};
use crate::text::{Characters, number_text};

pub(crate) const TABLE: &[Entry] = &[
    ("atom_codes", 2, |m, a| {
        atom_to_list(m, a, "atom_codes", Characters::Codes)
    }),
    ("atom_chars", 2, |m, a| {
        atom_to_list(m, a, "atom_chars", Characters::Atoms)
    }),
    ("char_code", 2, char_code),
    ("number_codes", 2, |m, a| {
        number_to_list(m, a, "number_codes", Characters::Codes)
    }),
    ("number_chars", 2, |m, a| {
        number_to_list(m, a, "number_chars", Characters::Atoms)
    }),
    ("atom_number", 2, atom_number),
    ("number_string", 2, number_string),
    ("atom_string", 2, atom_string),
    ("string_chars", 2, |m, a| {
        string_to_list(m, a, Characters::Atoms)
    }),
    ("string_codes", 2, |m, a| {
        string_to_list(m, a, Characters::Codes)
    }),
    ("text_to_string", 2, text_to_string),
    ("atom_length", 2, text_length),
    ("string_length", 2, text_length),
    ("upcase_atom", 2, |m, a| {
        change_case(m, a, upper, TextKind::Atom)
    }),
    ("downcase_atom", 2, |m, a| {
        change_case(m, a, lower, TextKind::Atom)
    }),
    ("string_upper", 2, |m, a| {
        change_case(m, a, upper, TextKind::String)
    }),
    ("string_lower", 2, |m, a| {
        change_case(m, a, lower, TextKind::String)
    }),
    ("$string_code", 3, string_code),
    ("get_string_code", 3, string_code),
    ("split_string", 4, split_string),
    ("normalize_space", 2, normalize_space),
    ("term_to_atom", 2, term_to_atom),
    ("term_string", 2, term_string),
    ("atom_to_term", 3, atom_to_term),
    ("read_term_from_atom", 3, |m, a| {
        let text = m.store.text_or_error(a[0], "text")?;
        let read = m.read_term(&text)?;
        Ok(m.store.unify(a[1], read.term))
    }),
];

/// The kind of text: atom or string.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextKind {
    Atom,
    String,
}

impl Store {
    /// Returns text as an atom or a string.
    pub(crate) fn text_cell(&mut self, text: &str, kind: TextKind) -> Cell {
        match kind {
            TextKind::Atom => self.atom_of_text(text),
            TextKind::String => self.string(text),
        }
    }
}

/// Unifies a list of characters with a term that may also be a list of codes or a string.
fn unify_characters(
    store: &mut Store,
    list: Cell,
    text: &str,
    kind: Characters,
) -> Result<bool, Throw> {
    match store.view(list) {
        View::Variable(_) => {}
        View::Compound(..) | View::Atom(NIL) if store.list_text(list).is_none() => {
            let (_, end) = store.list(list);
            if !store.is_variable(end) && end != Cell::atom(NIL) {
                return Err(store.type_error("list", list));
            }
        }
        _ => return Ok(store.list_text_or_error(list)? == text),
    }
    let characters = store.character_list(text, kind, Cell::atom(NIL))?;
    Ok(store.unify(list, characters))
}

fn atom_to_list(
    machine: &mut Machine,
    args: &[Cell],
    name: &'static str,
    kind: Characters,
) -> Result<bool, Throw> {
    let store = &mut machine.store;
    if store.is_variable(args[0]) {
        let text = store.list_text_or_error(args[1])?;
        let atom = store.atom_of_text(&text);
        return Ok(store.unify(args[0], atom));
    }
    match store.atomic_text_or_error(args[0], "atom", "atom") {
        Ok(text) => unify_characters(store, args[1], &text, kind),
        Err(error) => Err(store.error_in_bare(error, name, 2)),
    }
}

fn number_to_list(
    machine: &mut Machine,
    args: &[Cell],
    name: &'static str,
    kind: Characters,
) -> Result<bool, Throw> {
    let store = &mut machine.store;
    if store.is_variable(args[0]) {
        let text = store.list_text_or_error(args[1])?;
        let number = read_number(store, &text, name)?;
        return Ok(store.unify(args[0], number));
    }
    let Some(number) = store.number(args[0]) else {
        let error = store.type_error("number", args[0]);
        return Err(store.error_in_bare(error, name, 2));
    };
    // A list that denotes the same number in different text (`['0','1']` for 1) is accepted.
    if let Some(text) = store.list_text(args[1])
        && !text.is_empty()
    {
        let read = read_number(store, &text, name)?;
        return Ok(store.unify(args[0], read));
    }
    unify_characters(store, args[1], &number_text(&number), kind)
}

/// Parses the number in text, after optional blanks.
fn read_number(store: &mut Store, text: &str, name: &'static str) -> Result<Cell, Throw> {
    match parse_number(text.trim_start()) {
        Some(number) => Ok(store.number_cell(number)),
        None => {
            let error = store.syntax_error("illegal_number");
            Err(store.error_in_bare(error, name, 2))
        }
    }
}

fn char_code(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let character = match store.view(args[0]) {
        View::Variable(_) => None,
        View::Atom(name) if name != NIL => match store.character(args[0]) {
            Some(c) => Some(c),
            None => return Err(store.type_error("character", args[0])),
        },
        _ => return Err(store.type_error("character", args[0])),
    };
    let code = match store.view(args[1]) {
        View::Variable(_) => None,
        View::Integer(_) => match store.character(args[1]) {
            Some(c) => Some(c),
            None => return Err(store.type_error("character_code", args[1])),
        },
        View::Big(_) => return Err(store.type_error("character_code", args[1])),
        _ => return Err(store.type_error("integer", args[1])),
    };
    match (character, code) {
        (Some(c), _) => Ok(store.unify(args[1], Cell::small(i64::from(u32::from(c))))),
        (None, Some(c)) => {
            let atom = store.atom_of_text(c.encode_utf8(&mut [0; 4]));
            Ok(store.unify(args[0], atom))
        }
        (None, None) => Err(store.instantiation_error()),
    }
}

fn atom_number(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let text = match store.view(args[0]) {
        View::Atom(name) if name != NIL => store.atoms.characters(name).to_owned(),
        View::String(text) => text.to_owned(),
        _ => {
            return match store.number(args[1]) {
                Some(number) => {
                    let atom = store.atom(&number_text(&number));
                    Ok(store.unify(args[0], atom))
                }
                None if !store.is_variable(args[1]) => Err(store.type_error("number", args[1])),
                None if store.is_variable(args[0]) => Err(store.instantiation_error()),
                None => Err(store.type_error("atom", args[0])),
            };
        }
    };
    match parse_number(&text) {
        Some(number) => {
            let number = store.number_cell(number);
            Ok(store.unify(args[1], number))
        }
        None => Ok(false),
    }
}

fn number_string(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    if store.is_variable(args[0]) {
        let text = store.list_text_or_error(args[1])?;
        return match parse_number(text.trim_start()) {
            Some(number) => {
                let number = store.number_cell(number);
                Ok(store.unify(args[0], number))
            }
            None => Ok(false),
        };
    }
    let Some(number) = store.number(args[0]) else {
        let error = store.type_error("number", args[0]);
        return Err(store.error_in_bare(error, "number_string", 2));
    };
    let string = store.string(&number_text(&number));
    Ok(store.unify(args[1], string))
}

fn atom_string(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    if let Some(text) = store.text(args[0]).map(Cow::into_owned) {
        return unify_string(store, args[1], &text);
    }
    if store.is_variable(args[1]) && !store.is_variable(args[0]) {
        return Err(store.type_error("atom", args[0]));
    }
    let text = store.text_or_error(args[1], "string")?;
    let atom = store.atom_of_text(&text);
    Ok(store.unify(args[0], atom))
}

/// Unifies a string with a variable, or compares it with any text.
fn unify_string(store: &mut Store, cell: Cell, text: &str) -> Result<bool, Throw> {
    if store.is_variable(cell) {
        let string = store.string(text);
        return Ok(store.unify(cell, string));
    }
    Ok(store.text(cell).is_some_and(|t| t == text))
}

fn string_to_list(machine: &mut Machine, args: &[Cell], kind: Characters) -> Result<bool, Throw> {
    let store = &mut machine.store;
    if store.is_variable(args[0]) {
        let text = store.list_text_or_error(args[1])?;
        let string = store.string(&text);
        return Ok(store.unify(args[0], string));
    }
    let text = store.text_or_error(args[0], "text")?;
    if let Some(given) = store.text(args[1]) {
        return Ok(given == text);
    }
    let characters = store.character_list(&text, kind, Cell::atom(NIL))?;
    Ok(store.unify(args[1], characters))
}

fn text_to_string(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let text = text_but_no_number(store, args[0])?;
    let string = store.string(&text);
    Ok(store.unify(args[1], string))
}

fn text_length(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let length = store.text_or_error(args[0], "text")?.chars().count();
    if !matches!(
        store.view(args[1]),
        View::Variable(_) | View::Integer(_) | View::Big(_)
    ) {
        return Err(store.type_error("integer", args[1]));
    }
    let length = store.number_cell(Number::from(length as u64));
    Ok(store.unify(args[1], length))
}

/// Converts to upper case, character by character: `ß` is unchanged.
fn upper(c: char) -> char {
    let mut all = c.to_uppercase();
    match (all.next(), all.next()) {
        (Some(u), None) => u,
        _ => c,
    }
}

fn lower(c: char) -> char {
    let mut all = c.to_lowercase();
    match (all.next(), all.next()) {
        (Some(l), None) => l,
        _ => c,
    }
}

fn change_case(
    machine: &mut Machine,
    args: &[Cell],
    change: fn(char) -> char,
    kind: TextKind,
) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let text = store.atomic_text_or_error(args[0], "atomic", "atom")?;
    let changed: String = text.chars().map(change).collect();
    if store.is_variable(args[1]) {
        let cell = store.text_cell(&changed, kind);
        return Ok(store.unify(args[1], cell));
    }
    // A bound result may be text of another kind.
    let expected = match kind {
        TextKind::Atom => "atom",
        TextKind::String => "string",
    };
    Ok(store.atomic_text_or_error(args[1], expected, expected)? == changed)
}

/// Implements `string_code/3` for an integer index.
fn string_code(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let answer = (|| {
        let place = super::terms::natural(store, args[0])?;
        let text = store.text_or_error(args[1], "text")?;
        let Some(place) = place.and_then(|p| p.checked_sub(1)) else {
            return Ok(None);
        };
        Ok(text.chars().nth(place))
    })();
    match answer {
        Ok(Some(c)) => Ok(store.unify(args[2], Cell::small(i64::from(u32::from(c))))),
        Ok(None) => Ok(false),
        Err(error) => Err(store.error_in(error, "string_code", 3)),
    }
}

/// Implements `split_string(Text, Separators, Pad, Parts)`: splits at each separator and strips pad characters from both ends of the parts.
fn split_string(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let text = text_but_no_number(store, args[0])?;
    let separators = text_but_no_number(store, args[1])?;
    let pad = text_but_no_number(store, args[2])?;
    let padding = |c: char| pad.contains(c);
    // Padding is stripped from the whole text first, as in SWI-Prolog.
    let whole = text.trim_matches(padding);
    let parts: Vec<&str> = if separators.is_empty() {
        vec![whole]
    } else {
        split_skipping(whole, &separators, &pad)
    };
    let parts: Vec<Cell> = parts.into_iter().map(|part| store.string(part)).collect();
    // Unify part by part: the argument's type error must come only after the preceding parts have unified.
    let mut rest = args[3];
    for (i, &part) in parts.iter().enumerate() {
        match store.view(rest) {
            View::Variable(_) => {
                let list = store.list_of(&parts[i..]);
                return Ok(store.unify(rest, list));
            }
            View::Compound(CONS, 2, first) => {
                if !store.unify(Cell::reference(first), part) {
                    return Ok(false);
                }
                rest = store.deref(Cell::reference(first + 1));
            }
            View::Atom(NIL) => return Ok(false),
            _ => return Err(store.type_error("list", rest)),
        }
    }
    Ok(store.unify(rest, Cell::atom(NIL)))
}

fn text_but_no_number(store: &mut Store, cell: Cell) -> Result<String, Throw> {
    if store.number(cell).is_some() {
        return Err(store.type_error("text", cell));
    }
    store.text_or_error(cell, "text")
}

/// Splits at separators. After a separator that is also a pad character, and at the start of a part that begins with a pad character that is
/// not a separator, all pad characters are skipped, including separators.
fn split_skipping<'a>(text: &'a str, separators: &str, pad: &str) -> Vec<&'a str> {
    let padding = |c: char| pad.contains(c);
    let mut parts = Vec::new();
    let mut rest = text;
    loop {
        let Some(end) = rest.find(|c| separators.contains(c)) else {
            parts.push(rest.trim_matches(padding));
            return parts;
        };
        parts.push(rest[..end].trim_matches(padding));
        let separator = rest[end..].chars().next().unwrap_or(' ');
        rest = &rest[end + separator.len_utf8()..];
        let pad_next = |c: char| padding(c) && !separators.contains(c);
        if padding(separator) || rest.starts_with(pad_next) {
            rest = rest.trim_start_matches(padding);
        }
    }
}

fn normalize_space(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let text = machine.store.text_or_error(args[1], "text")?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    machine.unify_sink(args[0], &text, "normalize_space", 2)
}

fn term_to_atom(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    term_to_text(machine, args, TextKind::Atom)
}

fn term_string(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    term_to_text(machine, args, TextKind::String)
}

fn term_to_text(machine: &mut Machine, args: &[Cell], kind: TextKind) -> Result<bool, Throw> {
    if machine.store.is_variable(args[0]) && !machine.store.is_variable(args[1])
        || !machine.store.is_variable(args[1]) && kind == TextKind::Atom
    {
        let text = machine.store.text_or_error(args[1], "text")?;
        let read = machine.read_term(&text)?;
        return Ok(machine.store.unify(args[0], read.term));
    }
    let text = machine.quoted_text(args[0])?;
    let cell = machine.store.text_cell(&text, kind);
    Ok(machine.store.unify(args[1], cell))
}

fn atom_to_term(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let text = machine.store.text_or_error(args[0], "text")?;
    let read = machine.read_term(&text)?;
    let mut bindings = Vec::new();
    for (name, variable) in read.names {
        let name = machine.store.atom(&name);
        bindings.push(
            machine
                .store
                .compound(crate::atoms::EQUALS, &[name, variable]),
        );
    }
    let bindings = machine.store.list_of(&bindings);
    Ok(machine.store.unify(args[1], read.term) && machine.store.unify(args[2], bindings))
}
