//! Joining and splitting texts: the deterministic part of `atom_concat/3`, `sub_atom/5` and related predicates.

use crate::atoms::NIL;
use crate::cell::Cell;
use crate::error::Throw;
use crate::machine::{Entry, Machine};
use crate::number::Number;
use crate::store::{Store, View};

use super::text::TextKind;

pub(crate) const TABLE: &[Entry] = &[
    ("$atom_concat", 4, |m, a| concat(m, a, TextKind::Atom)),
    ("$string_concat", 4, |m, a| concat(m, a, TextKind::String)),
    ("atomic_concat", 3, |m, a| {
        let mut text = m.store.atomic_text_or_error(a[0], "atomic", "atom")?;
        text += &m.store.atomic_text_or_error(a[1], "atomic", "atom")?;
        let atom = m.store.atom_of_text(&text);
        Ok(m.store.unify(a[2], atom))
    }),
    ("atomic_list_concat", 2, atomic_list_concat),
    ("atomic_list_concat", 3, atomic_list_concat_with),
    ("$sub_atom", 6, |m, a| sub_text(m, a, TextKind::Atom)),
    ("$sub_string", 6, |m, a| sub_text(m, a, TextKind::String)),
    ("$text_part", 5, text_part),
    ("sub_atom_icasechk", 3, sub_atom_icasechk),
];

fn kind_of(flag: TextKind) -> (&'static str, &'static str) {
    match flag {
        TextKind::Atom => ("atom_concat", "sub_atom"),
        TextKind::String => ("string_concat", "sub_string"),
    }
}

/// Implements `'$atom_concat'(X, Y, Z, More)`: `atom_concat/3` if it has at most one answer; then `More` is `[]`. Otherwise `More` is the
/// length of `Z`, and Prolog enumerates its split points.
fn concat(machine: &mut Machine, args: &[Cell], kind: TextKind) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let answer = concat_once(store, args, kind);
    answer.map_err(|error| machine.store.error_in(error, kind_of(kind).0, 3))
}

fn concat_once(store: &mut Store, args: &[Cell], kind: TextKind) -> Result<bool, Throw> {
    let mut texts = [None, None, None];
    for (text, &cell) in texts.iter_mut().zip(args) {
        if !store.is_variable(cell) {
            *text = Some(match kind {
                TextKind::Atom => store.atomic_text_or_error(cell, "atomic", "atom")?,
                TextKind::String => store.text_or_error(cell, "atomic")?,
            });
        }
    }
    let nil = Cell::atom(NIL);
    let answer = match &texts {
        [Some(x), Some(y), None] => {
            store.room((x.len() + y.len()) / 8)?;
            let whole = store.text_cell(&format!("{x}{y}"), kind);
            store.unify(args[2], whole)
        }
        [Some(x), Some(y), Some(z)] => {
            z.len() == x.len() + y.len() && z.starts_with(x) && z.ends_with(y)
        }
        [Some(x), None, Some(z)] => match z.strip_prefix(x.as_str()) {
            Some(rest) => {
                let rest = store.text_cell(rest, kind);
                store.unify(args[1], rest)
            }
            None => false,
        },
        [None, Some(y), Some(z)] => match z.strip_suffix(y.as_str()) {
            Some(rest) => {
                let rest = store.text_cell(rest, kind);
                store.unify(args[0], rest)
            }
            None => false,
        },
        [None, None, Some(z)] => {
            let length = store.number_cell(Number::from(z.chars().count() as u64));
            return Ok(store.unify(args[3], length));
        }
        _ => return Err(store.instantiation_error()),
    };
    Ok(answer && store.unify(args[3], nil))
}

/// Returns the texts of the list elements before the first unbound element or tail.
fn element_texts(store: &mut Store, list: Cell) -> Result<(Vec<Option<String>>, Cell), Throw> {
    let (elements, end) = store.list(list);
    let mut texts = Vec::with_capacity(elements.len());
    for element in elements {
        texts.push(if store.is_variable(element) {
            None
        } else {
            Some(store.atomic_text_or_error(element, "text", "text")?)
        });
    }
    Ok((texts, end))
}

fn atomic_list_concat(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let (texts, end) = element_texts(store, args[0])?;
    if store.is_variable(end) {
        return Err(store.instantiation_error());
    }
    if end != Cell::atom(NIL) {
        return Err(store.type_error("list", args[0]));
    }
    let Some(texts) = texts.into_iter().collect::<Option<Vec<String>>>() else {
        return Err(store.instantiation_error());
    };
    let atom = store.atom_of_text(&texts.concat());
    Ok(store.unify(args[1], atom))
}

/// Joins the elements if all are known, otherwise splits the text.
fn atomic_list_concat_with(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let separator = store.atomic_text_or_error(args[1], "text", "text")?;
    let (texts, end) = element_texts(store, args[0])?;
    if end != Cell::atom(NIL) && !store.is_variable(end) {
        return Err(store.type_error("list", args[0]));
    }
    if end == Cell::atom(NIL)
        && let Some(texts) = texts.into_iter().collect::<Option<Vec<String>>>()
    {
        let atom = store.atom_of_text(&texts.join(&separator));
        return Ok(store.unify(args[2], atom));
    }
    let whole = store.atomic_text_or_error(args[2], "text", "text")?;
    if separator.is_empty() {
        return Err(store.domain_error("non_empty_atom", args[1]));
    }
    let parts: Vec<Cell> = whole
        .split(separator.as_str())
        .map(|part| store.atom_of_text(part))
        .collect();
    let list = store.list_of(&parts);
    Ok(store.unify(args[0], list))
}

/// Returns the byte offset of a character.
fn byte_of(text: &str, character: usize) -> Option<usize> {
    if text.is_ascii() {
        return (character <= text.len()).then_some(character);
    }
    text.char_indices()
        .map(|(at, _)| at)
        .chain([text.len()])
        .nth(character)
}

/// Implements `'$sub_atom'(Atom, Before, Length, After, Sub, More)`: `sub_atom/5` if it has at most one answer; then `More` is `[]`.
/// Otherwise `More` describes the enumeration in Prolog: `sub(Places)` for a known `Sub` that begins at `Places`; `both(N)` for every part
/// of the `N` characters; `length(N)`, `before(N)`, `after(N)` if one of the three numbers is known and determines the number of parts.
fn sub_text(machine: &mut Machine, args: &[Cell], kind: TextKind) -> Result<bool, Throw> {
    let answer = sub_text_once(&mut machine.store, args, kind);
    answer.map_err(|error| machine.store.error_in(error, kind_of(kind).1, 5))
}

fn sub_text_once(store: &mut Store, args: &[Cell], kind: TextKind) -> Result<bool, Throw> {
    let text = match kind {
        TextKind::Atom => store.atomic_text_or_error(args[0], "atom", "atom")?,
        TextKind::String => store.text_or_error(args[0], "text")?,
    };
    let mut numbers = [None; 3];
    for (number, &cell) in numbers.iter_mut().zip(&args[1..4]) {
        if !store.is_variable(cell) {
            *number = Some(super::terms::natural(store, cell)?.unwrap_or(usize::MAX));
        }
    }
    let total = text.chars().count();
    if !store.is_variable(args[4]) {
        let sub = match kind {
            TextKind::Atom => store.atomic_text_or_error(args[4], "atom", "atom")?,
            TextKind::String => store.text_or_error(args[4], "text")?,
        };
        return places(store, args, &text, &sub);
    }
    let (before, length) = match numbers {
        [Some(b), Some(l), _] => (b, l),
        [Some(b), None, Some(a)] => match total.checked_sub(b).and_then(|rest| rest.checked_sub(a))
        {
            Some(l) => (b, l),
            None => return Ok(false),
        },
        [None, Some(l), Some(a)] => match total.checked_sub(l).and_then(|rest| rest.checked_sub(a))
        {
            Some(b) => (b, l),
            None => return Ok(false),
        },
        [before, length, after] => {
            let (name, known) = match (before, length, after) {
                (Some(b), ..) => ("before", b),
                (_, Some(l), _) => ("length", l),
                (.., Some(a)) => ("after", a),
                _ => ("both", 0),
            };
            let Some(rest) = total.checked_sub(known) else {
                return Ok(false);
            };
            let (name, rest) = (store.atoms.intern(name), Number::from(rest as u64));
            let rest = store.number_cell(rest);
            let more = store.compound(name, &[rest]);
            return Ok(store.unify(args[5], more));
        }
    };
    if before.checked_add(length).is_none_or(|end| end > total) {
        return Ok(false);
    }
    let part = part(store, &text, before, length, kind);
    let numbers = [before, length, total - before - length];
    for (number, &cell) in numbers.into_iter().zip(&args[1..4]) {
        if !store.unify(cell, Cell::small(number as i64)) {
            return Ok(false);
        }
    }
    Ok(store.unify(args[4], part) && store.unify(args[5], Cell::atom(NIL)))
}

fn part(store: &mut Store, text: &str, before: usize, length: usize, kind: TextKind) -> Cell {
    let start = byte_of(text, before).unwrap_or(text.len());
    let end = start + byte_of(&text[start..], length).unwrap_or(text.len() - start);
    store.text_cell(&text[start..end], kind)
}

/// Unifies `More` with the positions at which a known part begins.
fn places(store: &mut Store, args: &[Cell], text: &str, sub: &str) -> Result<bool, Throw> {
    let (total, length) = (text.chars().count(), sub.chars().count());
    let mut begins = Vec::new();
    let (mut from, mut before) = (0, 0);
    while let Some(found) = text[from..].find(sub) {
        before += text[from..from + found].chars().count();
        let after = Cell::small((total - before - length) as i64);
        begins.push(store.compound(crate::atoms::MINUS, &[Cell::small(before as i64), after]));
        // The next occurrence may overlap.
        let Some(next) = text[from + found..].chars().next() else {
            break;
        };
        from += found + next.len_utf8();
        before += 1;
    }
    if !store.unify(args[2], Cell::small(length as i64)) {
        return Ok(false);
    }
    store.room(2 * begins.len())?;
    let begins = store.list_of(&begins);
    let name = store.atoms.intern("sub");
    let more = store.compound(name, &[begins]);
    Ok(store.unify(args[5], more))
}

/// Implements `'$text_part'(Kind, Text, Before, Length, Part)` for numbers within range.
fn text_part(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let kind = match store.view(args[0]) {
        View::Atom(name) if store.atoms.text(name) == "atom" => TextKind::Atom,
        _ => TextKind::String,
    };
    let text = store.text_or_error(args[1], "text")?;
    let (before, length) = (
        super::terms::count(store, args[2])?,
        super::terms::count(store, args[3])?,
    );
    let part = part(store, &text, before, length, kind);
    Ok(store.unify(args[4], part))
}

/// Implements `sub_atom_icasechk(Text, Start, Sub)`: the first position at which `Sub` occurs, ignoring case.
fn sub_atom_icasechk(machine: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
    let store = &mut machine.store;
    let text = store.text_or_error(args[0], "text")?.to_lowercase();
    let sub = store.text_or_error(args[2], "text")?.to_lowercase();
    let start = match store.view(args[1]) {
        View::Variable(_) => {
            let Some(found) = text.find(&sub) else {
                return Ok(false);
            };
            text[..found].chars().count()
        }
        _ => {
            let start = super::terms::count(store, args[1])?;
            let Some(byte) = byte_of(&text, start) else {
                return Ok(false);
            };
            if !text[byte..].starts_with(&sub) {
                return Ok(false);
            }
            start
        }
    };
    Ok(store.unify(args[1], Cell::small(start as i64)))
}
