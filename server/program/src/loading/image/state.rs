//! Modules of a loaded program, and the meanings of names in them.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::language::Functor;
use crate::loading::home::USER;
use crate::workspace::SourceFile;

/// The module of built-in predicates.
pub(crate) const SYSTEM: &str = "system";

/// The modules of a program by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Image {
    pub(crate) modules: FxHashMap<SmolStr, Module>,
    /// The module to which the clauses of each file were first added.
    pub(crate) homes: FxHashMap<SourceFile, SmolStr>,
    /// Names that a directive imports before the module provides them, with its file: SWI-Prolog binds them to their current meaning, which may be a
    /// built-in predicate, and rejects other definitions.
    pub(crate) early: FxHashMap<Functor, SourceFile>,
    /// True if a module may inherit from itself. SWI-Prolog then reads no further clauses of it, and continues reading the files that are being
    /// loaded into other modules.
    pub(crate) is_circle: bool,
    /// The file that turns autoloading off or restricts it.
    pub(crate) no_autoload: Option<SourceFile>,
}

/// One module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Module {
    /// The file of `:- module(…)`; `None` for `user` and modules that only goals name.
    pub(crate) file: Option<SourceFile>,
    /// Another file that defines the same module: it is not loaded.
    pub(crate) twin: Option<SourceFile>,
    pub(crate) names: FxHashMap<Functor, Name>,
    /// Imports from files that are not loaded here, in their order.
    pub(crate) outside: Vec<Outside>,
    pub(crate) bases: Vec<SmolStr>,
    /// A file that changes the bases in an unknown way.
    pub(crate) bases_unclear: Option<SourceFile>,
    pub(super) exports: Vec<Functor>,
    /// True if some of them were exported when the file was loaded, which is after the imports from it
    /// (`:- initialization(reexport(m2))`).
    pub(super) exported_late: bool,
    /// Those of them that it may not export, because of a condition.
    pub(super) exported_perhaps: FxHashSet<Functor>,
    /// True if files other than its own make it export something (`:- m1:reexport(m2)`), which is lost when it is loaded again.
    pub(super) exported_by_others: bool,
}

/// The meaning of a name in a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// It has clauses or a declaration there.
    Local(Vec<Definer>),
    /// It is bound to a name of another module.
    Imported {
        from: SmolStr,
        there: Functor,
        /// True if an import list contains it.
        listed: bool,
        /// The time of the import: it precedes later imports from outside.
        at: usize,
    },
    /// It depends on a condition in this file; the flag says whether an import list contains it.
    Unclear(SourceFile, bool),
}

/// A file that defines or declares a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Definer {
    pub(crate) file: SourceFile,
    /// True if it has clauses for it.
    pub(crate) clauses: bool,
    /// True if it has them regardless of conditions.
    pub(crate) certain: bool,
    /// True if the file belongs to the module; otherwise the clauses are module-qualified.
    pub(crate) belongs: bool,
    pub(crate) at: usize,
}

/// An import from an installed library or from an unknown file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outside {
    /// The file with the directive, and its number among the file's loads.
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

    /// Adds the exports of a directive of a file.
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
