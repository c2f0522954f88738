//! Text: the characters of atoms, strings, numbers, and lists of codes or characters.

use std::borrow::Cow;

use crate::atoms::{self, NIL, QUOTED_NIL};
use crate::cell::Cell;
use crate::error::Throw;
use crate::number::{Number, float_text};
use crate::store::{Store, View};

/// The kinds of elements of a list of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Characters {
    /// Codes, `[97]`.
    Codes,
    /// Atoms, `[a]`.
    Atoms,
}

/// Formats a number as Prolog writes it.
pub(crate) fn number_text(number: &Number) -> String {
    match number {
        Number::Small(n) => n.to_string(),
        Number::Big(n) => n.to_string(),
        Number::Rational(q) => format!("{}r{}", q.numer(), q.denom()),
        Number::Float(x) => float_text(*x),
    }
}

impl Store {
    /// Returns the atom with this text. For `[]` this is the atom `'[]'`, not the empty list.
    pub fn atom_of_text(&mut self, text: &str) -> Cell {
        if text == "[]" {
            Cell::atom(QUOTED_NIL)
        } else {
            self.atom(text)
        }
    }

    /// Returns the text of an atom, string or number. Returns `None` for `[]`.
    #[must_use]
    pub fn atomic_text(&self, cell: Cell) -> Option<Cow<'_, str>> {
        match self.view(cell) {
            View::Atom(NIL) => None,
            View::Atom(name) => Some(Cow::Borrowed(self.atoms.characters(name))),
            View::String(text) => Some(Cow::Borrowed(text)),
            View::Variable(_) | View::Compound(..) => None,
            _ => self.number(cell).map(|n| Cow::Owned(number_text(&n))),
        }
    }

    /// Returns the text of a proper list of codes or of characters, or `None` for any other term.
    #[must_use]
    pub fn list_text(&self, cell: Cell) -> Option<String> {
        let (elements, end) = self.list(cell);
        if end != Cell::atom(NIL) {
            return None;
        }
        let kind = self.kind_of(elements.first().copied());
        let character = |&e: &Cell| self.character(e).filter(|_| self.kind_of(Some(e)) == kind);
        elements.iter().map(character).collect()
    }

    /// Returns the text of any term that has text: atomic terms, and lists of codes or characters, including `[]`.
    #[must_use]
    pub fn text(&self, cell: Cell) -> Option<Cow<'_, str>> {
        self.atomic_text(cell)
            .or_else(|| self.list_text(cell).map(Cow::Owned))
    }

    /// Returns a code or a one-character atom as a character.
    #[must_use]
    pub fn character(&self, cell: Cell) -> Option<char> {
        match self.view(cell) {
            View::Integer(code) => u32::try_from(code).ok().and_then(char::from_u32),
            View::Atom(name) if name != NIL => {
                let mut characters = self.atoms.characters(name).chars();
                characters.next().filter(|_| characters.next().is_none())
            }
            _ => None,
        }
    }

    fn kind_of(&self, element: Option<Cell>) -> Characters {
        match element.map(|e| self.view(e)) {
            Some(View::Atom(name)) if self.atoms.characters(name).chars().count() == 1 => {
                Characters::Atoms
            }
            _ => Characters::Codes,
        }
    }

    /// Returns the text of a term that must be a list of codes or characters; strings are also accepted.
    ///
    /// # Errors
    /// Returns an error for an unbound variable in the list, for a term that is not a list, and for an element that is neither a code nor a
    /// character.
    pub fn list_text_or_error(&mut self, cell: Cell) -> Result<String, Throw> {
        if let View::String(text) = self.view(cell) {
            return Ok(text.to_owned());
        }
        let (elements, end) = self.list(cell);
        if self.is_variable(end) {
            return Err(self.instantiation_error());
        }
        if end != Cell::atom(NIL) {
            return Err(self.type_error("list", cell));
        }
        let kind = self.kind_of(elements.first().copied());
        let mut text = String::with_capacity(elements.len());
        for element in elements {
            match self.character(element) {
                Some(c) if self.kind_of(Some(element)) == kind => text.push(c),
                _ if self.is_variable(element) => return Err(self.instantiation_error()),
                _ => {
                    let expected = match kind {
                        Characters::Codes => "character_code",
                        Characters::Atoms => "character",
                    };
                    return Err(self.type_error(expected, element));
                }
            }
        }
        Ok(text)
    }

    /// Returns the text of an atomic term.
    ///
    /// # Errors
    /// Returns an error for an unbound variable, `type_error(expected, Term)` for compounds, and `type_error(for_nil, [])` for the empty
    /// list.
    pub fn atomic_text_or_error(
        &mut self,
        cell: Cell,
        expected: &str,
        for_nil: &str,
    ) -> Result<String, Throw> {
        if let Some(text) = self.atomic_text(cell) {
            return Ok(text.into_owned());
        }
        Err(if self.is_variable(cell) {
            self.instantiation_error()
        } else if self.deref(cell) == Cell::atom(NIL) {
            self.type_error(for_nil, cell)
        } else {
            self.type_error(expected, cell)
        })
    }

    /// Returns the text of any term that has text.
    ///
    /// # Errors
    /// Returns an error for an unbound variable, and otherwise `type_error(expected, Term)`.
    pub fn text_or_error(&mut self, cell: Cell, expected: &str) -> Result<String, Throw> {
        if let Some(text) = self.text(cell) {
            return Ok(text.into_owned());
        }
        Err(if self.is_variable(cell) {
            self.instantiation_error()
        } else {
            self.type_error(expected, cell)
        })
    }

    /// Builds a list of codes or characters from text, followed by a tail.
    ///
    /// # Errors
    /// Returns an error if the memory limit is reached.
    pub(crate) fn character_list(
        &mut self,
        text: &str,
        kind: Characters,
        tail: Cell,
    ) -> Result<Cell, Throw> {
        self.room(2 * text.len())?;
        let mut elements = Vec::with_capacity(text.len());
        let mut buffer = [0; 4];
        for c in text.chars() {
            elements.push(match kind {
                Characters::Codes => Cell::small(i64::from(u32::from(c))),
                Characters::Atoms => self.atom_of_text(c.encode_utf8(&mut buffer)),
            });
        }
        Ok(self.partial_list_of(&elements, tail))
    }

    /// Builds an error whose context names a predicate of module `system` other than the called built-in.
    pub(crate) fn error_in(&mut self, error: Throw, name: &str, arity: usize) -> Throw {
        self.error_with_context(error, Some(atoms::SYSTEM), name, arity)
    }

    /// Builds an error whose context names a predicate without a module, as in some errors of SWI-Prolog.
    pub(crate) fn error_in_bare(&mut self, error: Throw, name: &str, arity: usize) -> Throw {
        self.error_with_context(error, None, name, arity)
    }

    fn error_with_context(
        &mut self,
        error: Throw,
        module: Option<atoms::Atom>,
        name: &str,
        arity: usize,
    ) -> Throw {
        let Throw::Error {
            formal, message, ..
        } = error
        else {
            return error;
        };
        let name = self.atoms.intern(name);
        let mut indicator = self.indicator(name, arity);
        if let Some(module) = module {
            indicator = self.compound(atoms::COLON, &[Cell::atom(module), indicator]);
        }
        let message = match message {
            Some(message) => message,
            None => self.variable(),
        };
        let context = self.compound(atoms::CONTEXT, &[indicator, message]);
        Throw::Ball(self.compound(atoms::ERROR, &[formal, context]))
    }
}
