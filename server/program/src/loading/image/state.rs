//! Modules of a loaded program, and what names mean in them.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::language::Functor;
use crate::loading::home::USER;
use crate::workspace::SourceFile;

/// The module that built-in predicates are in.
pub(crate) const SYSTEM: &str = "system";

/// The modules of a program by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Image {
    pub(crate) modules: FxHashMap<SmolStr, Module>,
    /// Which module the clauses of each file went to first.
    pub(crate) homes: FxHashMap<SourceFile, SmolStr>,
    /// Names that a directive imports before the module has them, with its file: SWI-Prolog binds them to what they mean by then, which may be
    /// a built-in predicate, and refuses other definitions.
    pub(crate) early: FxHashMap<Functor, SourceFile>,
    /// True where a module may inherit from itself. SWI-Prolog reads no further clause of it, and reads the files that are being loaded on into other
    /// modules.
    pub(crate) is_circle: bool,
    /// The file that turns autoloading off or restricts it.
    pub(crate) no_autoload: Option<SourceFile>,
}

/// One module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Module {
    /// The file of `:- module(…)`; none for `user` and modules that only goals name.
    pub(crate) file: Option<SourceFile>,
    /// Another file that says that it is the module: it is not loaded.
    pub(crate) twin: Option<SourceFile>,
    pub(crate) names: FxHashMap<Functor, Name>,
    /// Imports from files that are not loaded here, in their order.
    pub(crate) outside: Vec<Outside>,
    pub(crate) bases: Vec<SmolStr>,
    /// A file that changes the bases in a way that is not known.
    pub(crate) bases_unclear: Option<SourceFile>,
    pub(super) exports: Vec<Functor>,
    /// True where some of them were exported when the file was loaded, which is after the imports from it
    /// (`:- initialization(reexport(m2))`).
    pub(super) exported_late: bool,
    /// Those of them that it may not export: a condition holds, or not.
    pub(super) exported_perhaps: FxHashSet<Functor>,
    /// True where other files than its own have it export something (`:- m1:reexport(m2)`), which is gone when it is loaded again.
    pub(super) exported_by_others: bool,
}

/// The meaning of a name in a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// It has clauses there or is declared there.
    Local(Vec<Definer>),
    /// It is what another module has under a name.
    Imported {
        from: SmolStr,
        there: Functor,
        /// True where a list names it.
        listed: bool,
        /// Its place among all that is done: it comes before imports from outside that come later.
        at: usize,
    },
    /// It depends on a condition that this file asks; whether a list names it.
    Unclear(SourceFile, bool),
}

/// A file that defines or declares a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Definer {
    pub(crate) file: SourceFile,
    /// True where it gives clauses.
    pub(crate) clauses: bool,
    /// True where it gives them whatever conditions say.
    pub(crate) certain: bool,
    /// True where the file belongs to the module; otherwise the module is written before the clauses.
    pub(crate) belongs: bool,
    pub(crate) at: usize,
}

/// An import from an installed library or from a file that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outside {
    /// The file with the directive, and its number among the file's loads.
    pub(crate) file: SourceFile,
    pub(crate) number: usize,
    pub(crate) certain: bool,
    /// True where the module's own file is loaded later.
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

    /// Adds exports that a directive of a file makes.
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
