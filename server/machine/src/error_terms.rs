//! Terms of the standard errors.

use crate::atoms::{self, Atom};
use crate::cell::Cell;
use crate::error::Throw;
use crate::store::Store;

/// The errors of ISO/IEC 13211-1 7.12.2.
impl Store {
    fn formal(&mut self, name: Atom, arguments: &[Cell]) -> Throw {
        self.for_error(|store| Throw::error(store.compound_or_atom(name, arguments)))
    }

    /// Builds a part of an error. Its cells are not charged to the program ([`Store::error_cells`]).
    pub(crate) fn for_error<T>(&mut self, build: impl FnOnce(&mut Self) -> T) -> T {
        let (cells, before) = (self.used(), self.error_cells);
        let built = build(self);
        let cells = self.used().saturating_sub(cells);
        self.error_cells = before + u64::try_from(cells).unwrap_or(u64::MAX);
        built
    }

    /// Builds `instantiation_error`.
    #[must_use]
    pub fn instantiation_error(&mut self) -> Throw {
        self.formal(atoms::INSTANTIATION_ERROR, &[])
    }

    /// Builds `type_error(Expected, Culprit)`.
    #[must_use]
    pub fn type_error(&mut self, expected: &str, culprit: Cell) -> Throw {
        let expected = self.atom(expected);
        self.formal(atoms::TYPE_ERROR, &[expected, culprit])
    }

    /// Builds `domain_error(Expected, Culprit)`.
    #[must_use]
    pub fn domain_error(&mut self, expected: &str, culprit: Cell) -> Throw {
        let expected = self.atom(expected);
        self.formal(atoms::DOMAIN_ERROR, &[expected, culprit])
    }

    /// Builds `existence_error(Kind, What)`.
    #[must_use]
    pub fn existence_error(&mut self, kind: &str, what: Cell) -> Throw {
        let kind = self.atom(kind);
        self.formal(atoms::EXISTENCE_ERROR, &[kind, what])
    }

    /// Builds `permission_error(Action, Type, Culprit)`.
    #[must_use]
    pub fn permission_error(&mut self, action: &str, kind: &str, culprit: Cell) -> Throw {
        let (action, kind) = (self.atom(action), self.atom(kind));
        self.formal(atoms::PERMISSION_ERROR, &[action, kind, culprit])
    }

    /// Builds `representation_error(What)`.
    #[must_use]
    pub fn representation_error(&mut self, what: &str) -> Throw {
        let what = self.atom(what);
        self.formal(atoms::REPRESENTATION_ERROR, &[what])
    }

    /// Builds `evaluation_error(What)`.
    #[must_use]
    pub fn evaluation_error(&mut self, what: &str) -> Throw {
        let what = self.atom(what);
        self.formal(atoms::EVALUATION_ERROR, &[what])
    }

    /// Builds `resource_error(What)`.
    #[must_use]
    pub fn resource_error(&mut self, what: &str) -> Throw {
        let what = self.atom(what);
        self.formal(atoms::RESOURCE_ERROR, &[what])
    }

    /// Builds `syntax_error(What)`.
    #[must_use]
    pub fn syntax_error(&mut self, what: &str) -> Throw {
        let what = self.atom(what);
        self.formal(atoms::SYNTAX_ERROR, &[what])
    }

    /// Builds `Name/Arity`.
    pub fn indicator(&mut self, name: Atom, arity: usize) -> Cell {
        let arity = self.integer(i64::try_from(arity).unwrap_or(i64::MAX));
        self.compound(atoms::SLASH, &[Cell::atom(name), arity])
    }
}
