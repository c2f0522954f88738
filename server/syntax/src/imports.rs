//! The files that a file's directives name, and their effect on its operators.
//!
//! A clause after `:- use_module(tables).` is read with the operators that `tables.pl` exports. Callers locate and read that file: they
//! read its directives with [`crate::read_directives`], and pass the result as [`KnownFiles`] when they read the file that names it.

use std::collections::BTreeMap;
use std::fmt;

use smol_str::SmolStr;

use crate::dialect::QuotedAs;
use crate::operators::{Operator, OperatorType};

/// A file as named in a directive: `library(http/json)`, `lib/tables`, `'tables.pl'`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileSpec {
    /// `library` for `library(http/json)`; `None` for a path.
    pub alias: Option<SmolStr>,
    /// The path as written: `http/json`.
    pub path: SmolStr,
}

impl fmt::Display for FileSpec {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.alias {
            Some(alias) => write!(out, "{alias}({})", self.path),
            None => out.write_str(&self.path),
        }
    }
}

/// The kind of directive that names a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImportKind {
    /// `use_module/1,2`: imports a module's exported operators.
    Module,
    /// `reexport/1,2`: like `Module`, but the operators are also re-exported.
    Reexport,
    /// `ensure_loaded/1`, `consult/1`, `[F]`, `load_files/2`. A module is imported as by `Module`. Any other file is read as a part of this
    /// file's module, and its declarations remain in force.
    Load,
    /// `include/1`: the file's text is inserted in place of the directive.
    Include,
    /// `autoload/1,2`: predicates are loaded on demand; no operators are imported.
    Autoload,
}

/// A file named in a directive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Import {
    /// The file.
    pub file: FileSpec,
    /// The kind of directive.
    pub kind: ImportKind,
    /// True if the file may contribute operators; false for an import list without operators.
    pub operators: bool,
    /// The index in [`crate::FileTerms::clauses`] of the directive.
    pub clause: usize,
}

/// The operators that a file declares for other files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FileOperators {
    /// True if the file is a module.
    pub module: bool,
    /// The operators in the file's export list, and those that it re-exports.
    pub exported: Vec<Operator>,
    /// The operators of the file's `op/3` directives.
    pub declared: Vec<Operator>,
    /// The operators of the file's directives `op(P, T, user:N)`, which remain in force in all files.
    pub global: Vec<Operator>,
    /// The name of the module, if the file declares one.
    pub name: Option<SmolStr>,
    /// All operator events, in the order of the directives, with the files that they load.
    pub events: Vec<OperatorEvent>,
}

/// A directive's effect on operators and quotes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OperatorEvent {
    /// `op/3`.
    Declare {
        /// The named module, or the file's module if none is named.
        module: Option<SmolStr>,
        /// The operators.
        operators: Vec<Operator>,
    },
    /// `set_prolog_flag/2` with a flag that determines the meaning of quotes.
    Quotes(Quotes),
    /// A directive names a file.
    Load(OperatorLoad),
}

/// The meaning of quoted items; `None` if no directive has set it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Quotes {
    /// The meaning of `"…"`.
    pub double: Option<QuotedAs>,
    /// The meaning of `` `…` ``.
    pub back: Option<QuotedAs>,
}

impl Quotes {
    /// Overrides these settings with those that the other value contains.
    pub fn set(&mut self, other: Quotes) {
        self.double = other.double.or(self.double);
        self.back = other.back.or(self.back);
    }
}

/// A directive that names a file, with its effect on operators.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OperatorLoad {
    /// The file.
    pub file: FileSpec,
    /// The kind of directive.
    pub kind: ImportKind,
    /// The explicit module into which the file is loaded, if any: `m:consult(f)`.
    pub into: Option<SmolStr>,
    /// The exported operators that are imported.
    pub admitted: Admitted,
    /// True if the directive reloads a file that is already loaded.
    pub again: bool,
    /// The imported operators, if the file is a system library.
    pub library: Vec<Operator>,
}

impl OperatorLoad {
    /// Returns the imported operators among the operators that a module exports.
    pub fn admits<'a>(
        &'a self,
        exported: &'a [Operator],
    ) -> impl Iterator<Item = &'a Operator> + use<'a> {
        let admitted = &self.admitted;
        exported.iter().filter(move |o| admitted.fits(o))
    }
}

/// The operators and quotes in force at the point where another file loads this file, and the changes made by the files that this file
/// loads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Surroundings {
    /// Operators in force before the first clause, in addition to those of the dialect.
    pub operators: Vec<Operator>,
    /// The meaning of quotes before the first clause.
    pub quotes: Quotes,
    /// True if the file shares the module of a file that loads it.
    pub is_part: bool,
    /// The changes after each directive that names a file, by the file and the number of earlier directives that name it.
    pub behind: BTreeMap<(FileSpec, usize), Changed>,
}

/// The changes made by a loaded file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Changed {
    /// Operators; priority 0 removes an operator.
    pub operators: Vec<Operator>,
    /// The meaning of quotes.
    pub quotes: Quotes,
}

/// The known operators of files, by the names used for them in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KnownFiles(pub BTreeMap<FileSpec, FileOperators>);

/// An operator pattern in an import list: `[p/1, op(700, xfx, _)]` contains one. A variable component is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct OperatorPattern {
    pub(crate) priority: Option<u16>,
    pub(crate) kind: Option<OperatorType>,
    pub(crate) name: Option<SmolStr>,
}

/// The operators imported from a module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Admitted {
    /// The operators that match a pattern of an import list.
    Only(Vec<OperatorPattern>),
    /// All operators except those that match a pattern in `except(…)`.
    AllBut(Vec<OperatorPattern>),
}

impl Admitted {
    /// Admits all operators that the module exports.
    pub(crate) fn all() -> Self {
        Admitted::AllBut(Vec::new())
    }

    /// Returns whether no operator can be imported.
    pub(crate) fn is_none(&self) -> bool {
        matches!(self, Admitted::Only(patterns) if patterns.is_empty())
    }

    pub(crate) fn fits(&self, operator: &Operator) -> bool {
        match self {
            Admitted::Only(patterns) => patterns.iter().any(|p| p.fits(operator)),
            Admitted::AllBut(patterns) => !patterns.iter().any(|p| p.fits(operator)),
        }
    }
}

impl OperatorPattern {
    pub(crate) fn fits(&self, operator: &Operator) -> bool {
        self.priority.is_none_or(|p| p == operator.priority)
            && self.kind.is_none_or(|k| k == operator.kind)
            && self.name.as_ref().is_none_or(|n| *n == operator.name)
    }
}

impl FileOperators {
    /// Returns the operators imported by a directive of this kind.
    pub(crate) fn given(&self, kind: ImportKind, admitted: &Admitted) -> Vec<Operator> {
        let own: &[Operator] = match kind {
            ImportKind::Autoload => &[],
            ImportKind::Include => &self.declared,
            ImportKind::Load if !self.module => &self.declared,
            ImportKind::Load | ImportKind::Module | ImportKind::Reexport => &self.exported,
        };
        let fit = own.iter().filter(|o| admitted.fits(o));
        // A module loaded on demand may never be loaded.
        let global: &[Operator] = if kind == ImportKind::Autoload {
            &[]
        } else {
            &self.global
        };
        fit.chain(global).cloned().collect()
    }
}
