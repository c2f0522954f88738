//! Files that a file names in its directives, and their effect on its operators.
//!
//! A clause after `:- use_module(tables).` is read with the operators that `tables.pl` exports. Locating that file and reading it is left to
//! callers: they read its directives with [`crate::read_directives`], and pass the result as [`KnownFiles`] when the file that names it is
//! read.

use std::collections::BTreeMap;
use std::fmt;

use smol_str::SmolStr;

use crate::dialect::QuotedAs;
use crate::operators::{Operator, OperatorType};

/// A file as a directive names it: `library(http/json)`, `lib/tables`, `'tables.pl'`.
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

/// The way in which a file is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImportKind {
    /// `use_module/1,2`: imports a module's exported operators.
    Module,
    /// `reexport/1,2`: like `Module`, and the operators are exported again.
    Reexport,
    /// `ensure_loaded/1`, `consult/1`, `[F]`, `load_files/2`: a module is imported as by `Module`; any other file is read as a part of this
    /// one's module, and its declarations stay in force.
    Load,
    /// `include/1`: the file's text is inserted here.
    Include,
    /// `autoload/1,2`: predicates on demand, and no operators.
    Autoload,
}

/// A file named in a directive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Import {
    /// The file.
    pub file: FileSpec,
    /// The way in which it is named.
    pub kind: ImportKind,
    /// True if it may contribute operators: not if an import list names none.
    pub operators: bool,
    /// The clause of [`crate::FileTerms::clauses`] that names it.
    pub clause: usize,
}

/// The operators that a file declares for others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FileOperators {
    /// True if the file is a module.
    pub module: bool,
    /// The operators in its export list, and those that it re-exports.
    pub exported: Vec<Operator>,
    /// The operators of its `op/3` directives.
    pub declared: Vec<Operator>,
    /// The operators of its directives `op(P, T, user:N)`, which are in force everywhere from then on.
    pub global: Vec<Operator>,
    /// The name of the module, if the file declares one.
    pub name: Option<SmolStr>,
    /// All of this in the order of the directives, with the files that they load.
    pub events: Vec<OperatorEvent>,
}

/// A directive's effect on operators and quotes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OperatorEvent {
    /// `op/3`.
    Declare {
        /// The named module, or that of the file if none is named.
        module: Option<SmolStr>,
        /// The operators.
        operators: Vec<Operator>,
    },
    /// `set_prolog_flag/2` for the meaning of quotes.
    Quotes(Quotes),
    /// A file is named.
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
    /// Applies the settings of another value.
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
    /// The way in which the file is named.
    pub kind: ImportKind,
    /// The module into which it is loaded, if one is written: `m:consult(f)`.
    pub into: Option<SmolStr>,
    /// The exported operators that are imported.
    pub admitted: Admitted,
    /// True if a file that is already loaded is read again.
    pub again: bool,
    /// The imported operators, if the file is a library of the system.
    pub library: Vec<Operator>,
}

impl OperatorLoad {
    /// Returns the imported operators among those that a module exports.
    pub fn admits<'a>(
        &'a self,
        exported: &'a [Operator],
    ) -> impl Iterator<Item = &'a Operator> + use<'a> {
        let admitted = &self.admitted;
        exported.iter().filter(move |o| admitted.fits(o))
    }
}

/// The operators and quotes in force where another file loads this one, and the changes by the files that it loads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Surroundings {
    /// Operators in force before the first clause, in addition to those of the dialect.
    pub operators: Vec<Operator>,
    /// The meaning of quotes there.
    pub quotes: Quotes,
    /// True if it shares the module of a file that loads it.
    pub is_part: bool,
    /// The changes after each directive that names a file, by the file and the number of times it was named before.
    pub behind: BTreeMap<(FileSpec, usize), Changed>,
}

/// Changes by a file that was loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Changed {
    /// Operators; priority 0 removes one.
    pub operators: Vec<Operator>,
    /// The meaning of quotes.
    pub quotes: Quotes,
}

/// Known operators of files, by the names that one file uses for them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KnownFiles(pub BTreeMap<FileSpec, FileOperators>);

/// The operator patterns of an import list: `[p/1, op(700, xfx, _)]` has one. A variable part is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pattern {
    pub(crate) priority: Option<u16>,
    pub(crate) kind: Option<OperatorType>,
    pub(crate) name: Option<SmolStr>,
}

/// The operators imported from a module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Admitted {
    /// The operators that match a pattern of an import list.
    Only(Vec<Pattern>),
    /// All operators except those that match a pattern in `except(…)`.
    AllBut(Vec<Pattern>),
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

impl Pattern {
    pub(crate) fn fits(&self, operator: &Operator) -> bool {
        self.priority.is_none_or(|p| p == operator.priority)
            && self.kind.is_none_or(|k| k == operator.kind)
            && self.name.as_ref().is_none_or(|n| *n == operator.name)
    }
}

impl FileOperators {
    /// Returns the operators imported when the file is named this way.
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
