//! The modules of a loaded program, and the bindings of names in them.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::language::Functor;
use crate::loading::home::USER;
use crate::workspace::SourceFile;

/// The module of built-in predicates.
pub(crate) const SYSTEM: &str = "system";

/// The modules of a program, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Image {
    pub(crate) modules: FxHashMap<SmolStr, Module>,
    /// The module to which the clauses of each file were first added.
    pub(crate) homes: FxHashMap<SourceFile, SmolStr>,
    /// Names that a directive imports before the module provides them, with the directive's file. SWI-Prolog binds such a name to its
    /// current meaning, which may be a built-in, and rejects other definitions.
    pub(crate) early: FxHashMap<Functor, SourceFile>,
    /// True if a module may inherit from itself. SWI-Prolog then reads no further clauses of this module, and loads the rest of the current
    /// files into other modules.
    pub(crate) is_circle: bool,
    /// The file that turns autoloading off or restricts it.
    pub(crate) no_autoload: Option<SourceFile>,
}

/// One module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Module {
    /// The file of `:- module(…)`; `None` for `user` and for modules that occur only in goals.
    pub(crate) file: Option<SourceFile>,
    /// Another file that declares the same module, and is therefore not loaded.
    pub(crate) twin: Option<SourceFile>,
    pub(crate) names: FxHashMap<Functor, Name>,
    /// Imports from files that are not loaded in this image, in order.
    pub(crate) outside: Vec<Outside>,
    pub(crate) bases: Vec<SmolStr>,
    /// A file that changes the module's import modules in an unknown way.
    pub(crate) bases_unclear: Option<SourceFile>,
    pub(super) exports: Vec<Functor>,
    /// True if some exports were added after the file's importers had imported it (`:- initialization(reexport(m2))`).
    pub(super) exported_late: bool,
    /// The exports that depend on a condition.
    pub(super) exported_perhaps: FxHashSet<Functor>,
    /// True if other files add exports to the module (`:- m1:reexport(m2)`), which are lost when the module is loaded again.
    pub(super) exported_by_others: bool,
}

/// The binding of a name in a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// The module contains clauses or a declaration for the name.
    Local(Vec<Definer>),
    /// The name is bound to a predicate of another module.
    Imported {
        from: SmolStr,
        there: Functor,
        /// True if an import list contains the name.
        listed: bool,
        /// The time of the import, which precedes later imports from outside.
        at: usize,
    },
    /// The binding depends on a condition in this file; the flag is true if an import list contains the name.
    Unclear(SourceFile, bool),
}

/// A file that defines or declares a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Definer {
    pub(crate) file: SourceFile,
    /// True if the file contains clauses for the predicate.
    pub(crate) clauses: bool,
    /// True if the file contains clauses for it regardless of conditions.
    pub(crate) certain: bool,
    /// True if the file belongs to the module; otherwise the clauses are module-qualified.
    pub(crate) belongs: bool,
    pub(crate) at: usize,
}

/// An import from an installed library or from an unknown file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outside {
    /// The file with the directive, and the directive's index among the file's loads.
    pub(crate) file: SourceFile,
    pub(crate) number: usize,
    pub(crate) certain: bool,
    /// True if the module's own file is loaded later.
    pub(crate) is_before: bool,
    pub(crate) at: usize,
}

impl Image {
    pub(super) fn exports(&self, module: &str, functor: &Functor) -> bool {
        let of = self.modules.get(module);
        of.is_some_and(|of| of.exports.contains(functor))
    }
}

impl Module {
    pub(crate) fn new(name: &str) -> Self {
        let bases = match name {
            SYSTEM => Vec::new(),
            USER => vec![SYSTEM.into()],
            _ => vec![USER.into()],
        };
        Self {
            file: None,
            twin: None,
            names: FxHashMap::default(),
            outside: Vec::new(),
            bases,
            bases_unclear: None,
            exports: Vec::new(),
            exported_late: false,
            exported_perhaps: FxHashSet::default(),
            exported_by_others: false,
        }
    }

    /// Adds the exports that a file's directive declares.
    pub(super) fn export(
        &mut self,
        by: SourceFile,
        names: impl IntoIterator<Item = Functor>,
        certain: bool,
    ) {
        for name in names {
            if !certain && !self.exports.contains(&name) {
                self.exported_perhaps.insert(name.clone());
            }
            self.exports.push(name);
        }
        self.exported_by_others |= self.file != Some(by);
    }
}
