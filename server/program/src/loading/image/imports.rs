//! Imports into the modules of a program during loading.

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::loader::Loader;
use super::state::{Name, Outside};
use crate::directives::acts::{What, acts};
use crate::directives::{Imports, Load, LoadKind, facts, loads};
use crate::language::Functor;
use crate::loading::load_target::target;
use crate::workspace::SourceFile;

impl Loader<'_> {
    /// Performs the import of a directive from the file that it names. Returns whether SWI-Prolog accepts the import.
    pub(super) fn import(
        &mut self,
        by: SourceFile,
        number: usize,
        into: &str,
        certain: bool,
    ) -> bool {
        let Some(load) = loads(self.db, by).loads.get(number) else {
            return true;
        };
        let Some(other) = target(self.db, by, number) else {
            return true;
        };
        let Some(name) = facts(self.db, other).module.clone() else {
            return true;
        };
        let certain = certain && !load.conditional;
        if let Imports::Only(list) = &load.imports
            && self.late.contains(&(by, number))
        {
            // `use_module(m2, [r/1 as p])` defines p/1 in the module to which the file's clauses belong.
            let renamed = list.iter().filter(|(here, there)| here.name != there.name);
            let renamed: Vec<Functor> = renamed.map(|(here, _)| here.clone()).collect();
            (self.image.early).extend(renamed.into_iter().map(|name| (name, by)));
        }
        let is_accepted = self.import_all(by, certain, &name, into, &load.imports);
        if load.reexports {
            let names: Vec<Functor> = match &load.imports {
                Imports::Only(list) => list.keys().cloned().collect(),
                imports => {
                    let all = self.module(&name).exports.clone().into_iter();
                    all.filter(|f| imports.there(f).is_some()).collect()
                }
            };
            let late = self.late.contains(&(by, number));
            let of = self.module(into);
            of.export(by, names, certain);
            of.exported_late |= late;
        }
        is_accepted
    }

    /// Performs an import from a module with a given name. Returns whether SWI-Prolog accepts the import.
    pub(super) fn import_all(
        &mut self,
        by: SourceFile,
        certain: bool,
        name: &str,
        into: &str,
        imports: &Imports,
    ) -> bool {
        match imports {
            Imports::Only(list) => {
                for (here, there) in list {
                    self.take(by, into, here, (name, there), true, certain);
                }
            }
            // SWI-Prolog rejects the directive if the module does not export an excluded predicate.
            Imports::Except(out)
                if !self.may_reexport(name) && out.iter().any(|f| !self.image.exports(name, f)) =>
            {
                return false;
            }
            Imports::All | Imports::Except(_) => {
                let refused = |f: &Functor| !self.image.exports(name, f);
                let certain = certain
                    && !matches!(imports, Imports::Except(out) if out.iter().any(refused))
                    && !self.module(name).exported_late;
                for there in self.module(name).exports.clone() {
                    if imports.there(&there).is_none() {
                        continue;
                    }
                    let certain = certain && !self.module(name).exported_perhaps.contains(&there);
                    if self.is_given(name, &there) {
                        self.take(by, into, &there, (name, &there), false, certain);
                    } else {
                        // SWI-Prolog binds the name to a built-in predicate if one exists.
                        self.image.early.insert(there, by);
                    }
                }
            }
        }
        true
    }

    /// Records the imports of a directive from a file that is not part of the image.
    pub(super) fn import_from_outside(
        &mut self,
        by: SourceFile,
        number: usize,
        load: &Load,
        into: &str,
        certain: bool,
    ) {
        self.record_import(by, number, into, certain);
        if let (LoadKind::Autoload, Imports::Only(list)) = (load.kind, &load.imports) {
            let of = self.module(into);
            let defined: Vec<&Functor> = list.keys().filter(|f| of.names.contains_key(f)).collect();
            for name in defined {
                self.image.early.insert(name.clone(), by);
            }
        }
        if load.reexports {
            // The names are resolved when they are looked up.
            self.reexported(by, into, &load.imports, certain);
        }
    }

    /// Records a directive that may import a name when it is looked up.
    pub(super) fn record_import(
        &mut self,
        by: SourceFile,
        number: usize,
        into: &str,
        certain: bool,
    ) {
        let at = self.clock;
        self.module(into).outside.push(Outside {
            file: by,
            number,
            certain,
            is_before: false,
            at,
        });
    }

    /// Returns whether a module may reexport predicates from a file that is not part of the image.
    fn may_reexport(&self, module: &str) -> bool {
        let of = self.image.modules.get(module);
        let mut outside = of.into_iter().flat_map(|of| &of.outside);
        outside.any(|by| {
            let load = loads(self.db, by.file).loads.get(by.number);
            load.is_some_and(|load| load.reexports)
        })
    }

    /// Records reexports from a file that is not part of the image.
    fn reexported(&mut self, by: SourceFile, module: &str, imports: &Imports, certain: bool) {
        if let Imports::Only(list) = imports {
            let of = self.module(module);
            of.export(by, list.keys().cloned(), certain);
        }
    }

    /// Returns whether a module defines a predicate that it exports. An export without a definition is not imported.
    fn is_given(&mut self, module: &str, functor: &Functor) -> bool {
        let of = self.module(module);
        if of.names.contains_key(functor) || !of.outside.is_empty() {
            return true;
        }
        // The definition may still be loaded.
        let file = of.file;
        file.is_some_and(|file| {
            self.defines(file, module, functor) || !loads(self.db, file).loads.is_empty()
        })
    }

    /// Returns true if a file defines or declares a predicate of a module.
    pub(super) fn defines(&self, file: SourceFile, module: &str, functor: &Functor) -> bool {
        acts(self.db, file)
            .iter()
            .filter(|act| act.module.as_deref().is_none_or(|m| m == module))
            .any(|act| matches!(&act.what, What::Define(f) | What::Declare(f) if f == functor))
    }

    /// Returns true if a module neither defines nor declares a name.
    fn lacks(&self, module: &str, functor: &Functor) -> bool {
        let of = self.image.modules.get(module);
        let is_known = of.is_some_and(|of| of.names.contains_key(functor));
        !is_known && !self.image.exports(module, functor) && !self.may_reexport(module)
    }

    /// Imports one predicate under a name.
    ///
    /// ```prolog
    /// :- use_module(m1, [p/1 as q]).   % defines the clause `q(X) :- m1:p(X)`
    /// ```
    pub(super) fn take(
        &mut self,
        by: SourceFile,
        into: &str,
        here: &Functor,
        (from, there): (&str, &Functor),
        listed: bool,
        certain: bool,
    ) {
        let at = self.clock;
        if listed && self.lacks(from, there) {
            self.image.early.insert(there.clone(), by);
            self.image.early.insert(here.clone(), by);
        }
        let from = match here.name == there.name {
            true => self.origin(from, there),
            // The clause that calls the predicate looks up its name at run time.
            false => from.into(),
        };
        if from == into {
            // The module's later state determines whether subsequent clauses are rejected. No predicate gets another name in its own module:
            // `:- use_module(m2, [r/1 as p])` in a file that is loaded into m2 defines no p/1.
            if listed {
                let names = &mut self.module(into).names;
                (names.entry(here.clone())).or_insert(Name::Unclear(by, true));
            }
            return;
        }
        let renames = here.name != there.name;
        if renames && self.loaded.get(&by).is_none_or(|home| home != into) {
            // SWI-Prolog adds the calling clause to another module.
            self.image.early.insert(here.clone(), by);
        }
        let unclear = (self.unclear(&from, there))
            .or_else(|| self.is_to_be_taken_back(&from, there).then_some(by));
        let names = &mut self.module(into).names;
        match names.get(here) {
            Some(Name::Imported {
                from: f, there: t, ..
            }) if *f == from && t == there => return,
            // The name has two definitions, and an import list renames a predicate to it.
            Some(_) if renames => {
                names.insert(here.clone(), Name::Unclear(by, true));
                return;
            }
            // If the name has not been imported before, the list imports it.
            Some(Name::Unclear(_, false)) if listed => {
                names.insert(here.clone(), Name::Unclear(by, true));
                return;
            }
            Some(_) => return,
            None => {}
        }
        let name = match (certain, unclear) {
            (true, None) => Name::Imported {
                from,
                there: there.clone(),
                listed,
                at,
            },
            (_, unclear) => Name::Unclear(unclear.unwrap_or(by), listed),
        };
        names.insert(here.clone(), name);
    }

    /// Returns the module that provides the predicate to which a module's name is bound. If that module later changes the name, existing
    /// imports are not affected.
    ///
    /// ```prolog
    /// :- use_module(m2).          % exports p/1
    /// :- m1:import(user:p/1).     % binds it to that of m2
    /// p(_).                       % takes the name back from m2 in `user` only
    /// ```
    fn origin(&self, module: &str, functor: &Functor) -> SmolStr {
        let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
        let mut at: SmolStr = module.into();
        while seen.insert(at.clone()) {
            match self.name(&at, functor) {
                Some(Name::Imported {
                    from,
                    there,
                    at: taken,
                    ..
                }) if there == functor && !self.is_outside_before(&at, functor, *taken) => {
                    at = from.clone();
                }
                _ => break,
            }
        }
        at
    }

    /// Returns true if a directive before a point in time may have bound a module's name to a predicate from outside the image. SWI-Prolog
    /// refuses a later import of the name, and importers of the module get that predicate.
    ///
    /// ```prolog
    /// :- use_module(library(lists)).
    /// :- reexport(m2).             % exports sum_list/2: "No permission to import m2:sum_list/2"
    /// ```
    fn is_outside_before(&self, module: &str, functor: &Functor, time: usize) -> bool {
        let of = self.image.modules.get(module);
        let mut outside = of.into_iter().flat_map(|of| &of.outside);
        outside.any(|by| {
            let load = loads(self.db, by.file).loads.get(by.number);
            by.at < time
                && load.is_some_and(|load| {
                    load.kind != LoadKind::Autoload
                        && self.may_give(by.file, by.number, load, functor)
                })
        })
    }

    /// Returns true for a name in a module that is being loaded, if an import of a whole module may bind the name until the file's own
    /// clauses override the import. Files that import the name in the meantime keep the imported predicate.
    ///
    /// ```prolog
    /// :- module(m3, [last/2]).
    /// :- use_module(library(lists)).
    /// :- use_module(m2).               % m2 also loads m3, and gets last/2 of the library
    /// last(_, _).
    /// ```
    fn is_to_be_taken_back(&self, module: &str, functor: &Functor) -> bool {
        let file = (self.image.modules.get(module)).and_then(|of| of.file);
        let is_own = matches!(self.name(module, functor), Some(Name::Local(_)));
        let has_clauses =
            |file| self.given.contains(functor) || self.defines(file, module, functor);
        file.is_some_and(|file| {
            !is_own
                && self.unfinished.contains(&file)
                && has_clauses(file)
                && self.is_imported_by_all(file, functor)
        })
    }

    /// Returns the file whose conditions determine the binding of a name in a module.
    fn unclear(&self, module: &str, functor: &Functor) -> Option<SourceFile> {
        match self.name(module, functor) {
            Some(Name::Unclear(by, _)) => Some(*by),
            _ => None,
        }
    }

    fn name(&self, module: &str, functor: &Functor) -> Option<&Name> {
        self.image.modules.get(module)?.names.get(functor)
    }
}
