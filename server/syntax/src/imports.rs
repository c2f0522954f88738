//! Files that a file names in its directives, and what they do to its operators.
//!
//! A clause behind `:- use_module(tables).` is read under the operators that `tables.pl` exports. Which file that is, and what is
//! in it, is for others to find out: they read its directives with [`crate::read_directives`], and give what they found as
//! [`KnownFiles`] when the file that names it is read.

use std::collections::BTreeMap;
use std::fmt;

use smol_str::SmolStr;

use crate::dialect::QuotedAs;
use crate::operators::{Operator, OperatorType};

/// A file as a directive names it: `library(http/json)`, `lib/tables`, `'tables.pl'`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileSpec {
    /// `library` of `library(http/json)`; none of a path.
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

/// How a file is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImportKind {
    /// `use_module/1,2`: a module's exported operators come along.
    Module,
    /// `reexport/1,2`: as `Module`, and they are exported again.
    Reexport,
    /// `ensure_loaded/1`, `consult/1`, `[F]`, `load_files/2`: of a module as `Module`; a file that is none is read as a part of
    /// this one's module, and what it declares stays in force.
    Load,
    /// `include/1`: the file's text stands here.
    Include,
    /// `autoload/1,2`: predicates on demand, and no operators.
    Autoload,
}

/// One file that a directive names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Import {
    /// The file.
    pub file: FileSpec,
    /// How it is named.
    pub kind: ImportKind,
    /// True if operators may come from it: not if an import list names none.
    pub operators: bool,
    /// The clause of [`crate::FileTerms::clauses`] that names it.
    pub clause: usize,
}

/// The operators that a file declares for others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FileOperators {
    /// True if the file is a module.
    pub module: bool,
    /// Those that its export list names, and those that it re-exports.
    pub exported: Vec<Operator>,
    /// Those of its `op/3` directives.
    pub declared: Vec<Operator>,
    /// Those of its directives `op(P, T, user:N)`, which are in force everywhere from then on.
    pub global: Vec<Operator>,
    /// The name of the module, if the file is one that says so.
    pub name: Option<SmolStr>,
    /// All of this in the order of the directives, with the files that they load.
    pub events: Vec<OperatorEvent>,
}

/// A directive's effect on operators and quotes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OperatorEvent {
    /// `op/3`.
    Declare {
        /// The module that is named; that of the file where there is none.
        module: Option<SmolStr>,
        /// The operators.
        operators: Vec<Operator>,
    },
    /// `set_prolog_flag/2` on the meaning of quotes.
    Quotes(Quotes),
    /// A file is named.
    Load(OperatorLoad),
}

/// The meaning of quoted items; none where no directive has set it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Quotes {
    /// That of `"…"`.
    pub double: Option<QuotedAs>,
    /// That of `` `…` ``.
    pub back: Option<QuotedAs>,
}

impl Quotes {
    /// Sets what another one sets.
    pub fn set(&mut self, other: Quotes) {
        self.double = other.double.or(self.double);
        self.back = other.back.or(self.back);
    }
}

/// A directive that names a file, for what it does to operators.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OperatorLoad {
    /// The file.
    pub file: FileSpec,
    /// How it is named.
    pub kind: ImportKind,
    /// The module that it is loaded into, where one is written: `m:consult(f)`.
    pub into: Option<SmolStr>,
    /// The exported operators that come along.
    pub admitted: Admitted,
    /// True if the file is read again where it is loaded already.
    pub again: bool,
    /// The operators that a library of the system exports, as far as they come along.
    pub library: Vec<Operator>,
}

impl OperatorLoad {
    /// The operators that come along, of those that a module exports.
    pub fn admits<'a>(
        &'a self,
        exported: &'a [Operator],
    ) -> impl Iterator<Item = &'a Operator> + use<'a> {
        let admitted = &self.admitted;
        exported.iter().filter(move |o| admitted.fits(o))
    }
}

/// The operators and quotes that a file finds where another one loads it, and what the files that it loads change in turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Surroundings {
    /// In force before the first clause, besides those of the dialect.
    pub operators: Vec<Operator>,
    /// The meaning of quotes there.
    pub quotes: Quotes,
    /// True if it shares the module of a file that loads it.
    pub is_part: bool,
    /// What is changed behind each directive that names a file, by the file and how often it was named before.
    pub behind: BTreeMap<(FileSpec, usize), Changed>,
}

/// Changes by a file that was loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Changed {
    /// Operators; those at priority 0 are none any more.
    pub operators: Vec<Operator>,
    /// The meaning of quotes.
    pub quotes: Quotes,
}

/// Operators of files that are known, by the names that one file has for them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KnownFiles(pub BTreeMap<FileSpec, FileOperators>);

/// The operator patterns of an import list: `[p/1, op(700, xfx, _)]` has one. A part that is a variable is none here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pattern {
    pub(crate) priority: Option<u16>,
    pub(crate) kind: Option<OperatorType>,
    pub(crate) name: Option<SmolStr>,
}

/// The operators that come along with a module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Admitted {
    /// Those that one of the patterns of an import list fits.
    Only(Vec<Pattern>),
    /// All but those that a pattern in `except(…)` fits.
    AllBut(Vec<Pattern>),
}

impl Admitted {
    /// All that it exports.
    pub(crate) fn all() -> Self {
        Admitted::AllBut(Vec::new())
    }

    /// Returns whether no operator can come along.
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
    /// The operators that come along when the file is named so.
    pub(crate) fn given(&self, kind: ImportKind, admitted: &Admitted) -> Vec<Operator> {
        let own: &[Operator] = match kind {
            ImportKind::Autoload => &[],
            ImportKind::Include => &self.declared,
            ImportKind::Load if !self.module => &self.declared,
            ImportKind::Load | ImportKind::Module | ImportKind::Reexport => &self.exported,
        };
        let fit = own.iter().filter(|o| admitted.fits(o));
        // A module that is loaded on demand may never be.
        let global: &[Operator] = if kind == ImportKind::Autoload {
            &[]
        } else {
            &self.global
        };
        fit.chain(global).cloned().collect()
    }
}
