//! Files that a file names in its directives, and what they do to its operators.
//!
//! A clause behind `:- use_module(tables).` is read under the operators that `tables.pl` exports. Which file that is, and what is
//! in it, is for others to find out: they read its directives with [`crate::read_directives`], and give what they found as
//! [`KnownFiles`] when the file that names it is read.

use std::collections::BTreeMap;
use std::fmt;

use smol_str::SmolStr;

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
}

/// Operators of files that are known, by the names that one file has for them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KnownFiles(pub BTreeMap<FileSpec, FileOperators>);

/// The operator patterns of an import list: `[p/1, op(700, xfx, _)]` has one. A part that is a variable is none here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) priority: Option<u16>,
    pub(crate) kind: Option<OperatorType>,
    pub(crate) name: Option<SmolStr>,
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
    pub(crate) fn given(&self, kind: ImportKind, patterns: &[Pattern]) -> Vec<Operator> {
        let own: &[Operator] = match kind {
            ImportKind::Autoload => &[],
            ImportKind::Include => &self.declared,
            ImportKind::Load if !self.module => &self.declared,
            ImportKind::Load | ImportKind::Module | ImportKind::Reexport => &self.exported,
        };
        let fit = own.iter().filter(|o| patterns.iter().any(|p| p.fits(o)));
        // A module that is loaded on demand may never be.
        let global: &[Operator] = if kind == ImportKind::Autoload {
            &[]
        } else {
            &self.global
        };
        fit.chain(global).cloned().collect()
    }
}
