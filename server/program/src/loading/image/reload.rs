//! Files that are loaded again: `consult/1` undoes their effects and repeats them.
//!
//! ```prolog
//! :- consult(m1).
//! :- m1:reexport(m2).     % m1 exports what m2 exports,
//! :- consult(m1).         % and here no longer
//! ```

use rustc_hash::FxHashSet;

use super::loader::Loader;
use super::state::{Module, Name};
use crate::directives::acts::{What, acts};
use crate::directives::{Imports, facts, loads};
use crate::language::Functor;
use crate::loading::load_target::target;
use crate::workspace::SourceFile;

impl Loader<'_> {
    /// Reloads a file because of a directive in another file, together with the files that it consults itself.
    pub(super) fn reload(&mut self, by: SourceFile, file: SourceFile) {
        let db = self.db;
        let mut seen: FxHashSet<SourceFile> = FxHashSet::default();
        let mut stack = vec![file];
        while let Some(file) = stack.pop() {
            if !seen.insert(file) || !self.loaded.contains_key(&file) {
                continue;
            }
            self.renew_module(by, file);
            self.clear_declared(file);
            self.import_later_exports(by, file);
            self.import_over_own(by, file);
            let all = loads(db, file).loads.iter().enumerate();
            let again = all.filter(|(_, load)| load.again);
            stack.extend(again.filter_map(|(number, _)| target(db, file, number)));
        }
    }

    /// Records that a module that is loaded again has the import modules of a new module, and only the exports of its own file.
    fn renew_module(&mut self, by: SourceFile, file: SourceFile) {
        let Some(name) = facts(self.db, file).module.clone() else {
            return;
        };
        let of = self.module(&name);
        if of.bases != Module::new(&name).bases {
            of.bases_unclear = Some(by);
        }
        of.exported_late |= of.exported_by_others;
    }

    /// Marks as unclear the names that a file imports when it is read again, because the imported modules have gained exports from other
    /// files. The file's own clauses for such a name are then rejected, and clauses for the predicate to which the name referred may also
    /// be rejected.
    ///
    /// ```prolog
    /// :- module(m3, [a/1]).
    /// :- use_module(m4).       % `:- m4:reexport(m3)` came in between: m4 exports a/1,
    /// a(_).                    % and this clause is rejected the second time
    /// ```
    fn import_later_exports(&mut self, by: SourceFile, file: SourceFile) {
        let db = self.db;
        let imported =
            (0..loads(db, file).loads.len()).filter_map(|number| target(db, file, number));
        for other in imported {
            let facts = facts(db, other);
            let Some(module) = facts.module.clone() else {
                continue;
            };
            let of = self.module(&module);
            if !of.exported_by_others {
                continue;
            }
            let exports = of.exports.iter().filter(|f| !facts.is_exported(f));
            let exports: Vec<Functor> = exports.cloned().collect();
            self.image.modules.values_mut().for_each(|of| {
                for functor in &exports {
                    if let Some(name) = of.names.get_mut(functor) {
                        *name = Name::Unclear(by, true);
                    }
                }
            });
        }
    }

    /// Marks as unclear the imports of names that the file defines: an import of a whole module binds such a name until the file's own
    /// clauses override the import, and modules that import the name in the meantime keep the imported predicate.
    ///
    /// ```prolog
    /// :- module(m3, [last/2]).
    /// :- use_module(library(lists)).   % the second time, importers of m3 get last/2 of the library
    /// last(_, _).
    /// ```
    fn import_over_own(&mut self, by: SourceFile, file: SourceFile) {
        let Some(module) = facts(self.db, file).module.clone() else {
            return;
        };
        let own = self.module(&module).names.iter();
        let own = own.filter(|(_, name)| matches!(name, Name::Local(_)));
        let mut taken: Vec<Functor> = own.map(|(functor, _)| functor.clone()).collect();
        taken.retain(|functor| self.is_imported_by_all(file, functor));
        for functor in &taken {
            for name in (self.image.modules.values_mut()).filter_map(|of| of.names.get_mut(functor))
            {
                if let Name::Imported { from, there, .. } = name
                    && *from == module
                    && there == functor
                {
                    *name = Name::Unclear(by, true);
                }
            }
        }
    }

    /// Returns true if a directive of the file imports a whole module that may export the name.
    pub(super) fn is_imported_by_all(&self, file: SourceFile, functor: &Functor) -> bool {
        let mut all = loads(self.db, file).loads.iter().enumerate();
        all.any(|(number, load)| {
            !matches!(load.imports, Imports::Only(_)) && self.may_give(file, number, load, functor)
        })
    }

    /// Records that predicates declared in the file lose the clauses that another file has added since the first load.
    ///
    /// ```prolog
    /// :- discontiguous p/1.    % in a part, and the clauses of p/1 in another one
    /// ```
    fn clear_declared(&mut self, file: SourceFile) {
        let db = self.db;
        let Some(home) = self.loaded.get(&file).cloned() else {
            return;
        };
        for act in acts(db, file) {
            let What::Declare(functor) = &act.what else {
                continue;
            };
            let module = act.module.as_ref().unwrap_or(&home).clone();
            let names = &mut self.module(&module).names;
            if let Some(Name::Local(definers)) = names.get(functor)
                && definers.iter().any(|d| d.clauses && d.file != file)
                && !facts(db, file).multifile.contains(functor)
            {
                names.insert(functor.clone(), Name::Unclear(file, true));
            }
        }
    }
}
