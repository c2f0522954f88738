//! Files that are not yet read but belong to the program of a known file, because they load it or add clauses to its module.
//!
//! ```prolog
//! % tests.pl, which no open document loads
//! :- use_module(tables).         % loads tables.pl
//! :- dynamic tables:row/2.       % and changes a predicate of its module
//! ```
//! Conversely, `tables.pl` belongs to the program of `tests.pl`. A file that is loaded into a module shares the module with the file that
//! defines it, even if the defining file does not load the other file.
//!
//! Bounds in `tables.pl` depend on such files, whether or not they are open. Therefore a caller with access to the workspace requests the
//! [`Kin`] of a snapshot, adds the files that mention it, and repeats this until no such file is left. A new server, a long-running server,
//! and the command line then know the same files. This module opens no files.

use std::collections::BTreeSet;

use costlens_program::directives::{loads_of, modules_changed};
use costlens_program::workspace::terms;
use costlens_program::workspace::{candidates, is_installed, place_of};
use costlens_program::{SourceFile, facts};
use costlens_syntax::term::{ReadClause, TermId, Terms};
use costlens_syntax::{FileSpec, read_text};
use smol_str::SmolStr;

use super::Cancelled;
use super::snapshot::Snapshot;
use crate::db::Db;
use crate::navigate::beyond::stem;

/// The names by which other files may refer to the known files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kin {
    places: BTreeSet<SmolStr>,
    modules: BTreeSet<SmolStr>,
    /// Modules to which the known files add clauses, or which they mention in directives.
    named: BTreeSet<SmolStr>,
}

impl Kin {
    /// Returns true if no further search is needed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && self.modules.is_empty() && self.named.is_empty()
    }

    /// Drops the names that were searched for before.
    pub fn drop_all_of(&mut self, before: &Kin) {
        self.places.retain(|place| !before.places.contains(place));
        (self.modules).retain(|module| !before.modules.contains(module));
        self.named.retain(|module| !before.named.contains(module));
    }

    /// Adds the names of another set.
    pub fn extend(&mut self, more: Kin) {
        self.places.extend(more.places);
        self.modules.extend(more.modules);
        self.named.extend(more.named);
    }

    /// Returns names such that every text that refers to the known files contains at least one of them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let stems = self.places.iter().map(|place| stem(place));
        stems.chain(self.modules.iter().chain(&self.named).map(SmolStr::as_str))
    }

    /// Returns true if the file at this place loads a known file, adds clauses to a known file's module, or defines a module that a known
    /// file names.
    #[must_use]
    pub fn has(&self, place: &str, said: &FileMentions) -> bool {
        let is_loaded = |spec: &FileSpec| match &spec.alias {
            None => (candidates(place, spec, &[], &[]).iter()).any(|at| self.places.contains(at)),
            // The file that defines this path alias may be unknown, so only the file names are compared.
            Some(alias) => {
                alias != "library" && self.places.iter().any(|at| stem(at) == stem(&spec.path))
            }
        };
        said.modules.iter().any(|m| self.modules.contains(m))
            || said.defines.iter().any(|m| self.named.contains(m))
            || said.loads.iter().any(is_loaded)
    }
}

/// The files that a text loads, and the modules that it defines, to which it adds clauses, or which it mentions in directives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileMentions {
    loads: Vec<FileSpec>,
    modules: BTreeSet<SmolStr>,
    defines: Option<SmolStr>,
}

impl FileMentions {
    /// Parses a text.
    #[must_use]
    pub fn in_text(text: &str) -> Self {
        FileMentions::collect(&read_text(text).clauses)
    }

    fn collect(clauses: &[ReadClause]) -> Self {
        let mut said = FileMentions::default();
        for clause in clauses {
            said.add(&clause.terms, clause.root);
        }
        said
    }

    fn add(&mut self, terms: &Terms, root: TermId) {
        let named = |term: TermId| match terms.matches(term, ":", 2) {
            Some(&[module, _]) => terms.as_atom(module).cloned(),
            _ => None,
        };
        if let Some(&[goal]) = terms.matches(root, ":-", 1) {
            (self.loads).extend(loads_of(terms, goal).into_iter().map(|load| load.spec));
            (self.modules).extend(terms.subterms(root).into_iter().filter_map(named));
            self.modules.extend(modules_changed(terms, goal));
            let module = terms
                .matches(goal, "module", 2)
                .and_then(|args| terms.as_atom(args[0]));
            self.defines = self.defines.take().or_else(|| module.cloned());
            return;
        }
        let rule = [":-", "-->", "=>"].iter();
        let head = { rule }.find_map(|arrow| terms.matches(root, arrow, 2)?.first().copied());
        self.modules.extend(named(head.unwrap_or(root)));
    }
}

impl Snapshot {
    /// Returns the names by which other files may refer to the user's files. Installed libraries are left out.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn kin(&self) -> Result<Kin, Cancelled> {
        self.read("kin", |db| kin(db, &self.files))
    }
}

fn kin(db: &dyn Db, files: &[SourceFile]) -> Kin {
    let mut found = Kin::default();
    for &file in files {
        let Some(place) = place_of(db, file).filter(|_| !is_installed(db, file)) else {
            continue;
        };
        found.places.insert(place.clone());
        found.modules.extend(facts(db, file).module.clone());
        found.named.extend(said(db, file).modules.iter().cloned());
    }
    found
}

#[salsa::tracked(returns(ref))]
fn said(db: &dyn Db, file: SourceFile) -> FileMentions {
    FileMentions::collect(&terms(db, file).clauses)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kin_of(place: &str, module: &str) -> Kin {
        Kin {
            places: [place.into()].into(),
            modules: [module.into()].into(),
            named: BTreeSet::new(),
        }
    }

    #[test]
    fn loading_a_file_or_giving_clauses_to_its_module_is_kin() {
        let kin = kin_of("/w/lib/tables.pl", "tables");
        for (text, expected) in [
            (":- use_module('../lib/tables').", true),
            (":- use_module(lib/tables).", false),
            (":- use_module(library(tables)).", false),
            (":- use_module(app(tables)).", true),
            (":- @(ensure_loaded('../lib/tables'), user).", true),
            ("tables:row(1, 2).", true),
            ("tables:row(X, Y) :- p(X, Y).", true),
            (":- dynamic tables:row/2.", true),
            (":- initialization(m:import(tables:row/2)).", true),
            (":- @(ensure_loaded(rows), tables).", true),
            (":- add_import_module(tables, rows, end).", true),
            (":- add_import_module(rows, tables, end).", false),
            ("p(X) :- tables:row(X, _).", false),
            ("tables(row).", false),
        ] {
            let said = FileMentions::in_text(text);
            assert_eq!(kin.has("/w/src/tests.pl", &said), expected, "{text}");
        }
    }

    #[test]
    fn defining_a_module_that_a_known_file_names_is_kin() {
        let kin = Kin {
            named: ["rows".into()].into(),
            ..Kin::default()
        };
        for (text, expected) in [
            (":- module(rows, [row/2]).", true),
            (":- module(columns, [row/2]).", false),
            (":- rows:ensure_loaded(tables).", false),
        ] {
            assert_eq!(
                kin.has("/w/other.pl", &FileMentions::in_text(text)),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn what_was_looked_for_is_dropped() {
        let mut kin = kin_of("/w/a.pl", "a");
        kin.extend(kin_of("/w/b.pl", "b"));
        kin.drop_all_of(&kin_of("/w/a.pl", "a"));
        assert_eq!(kin, kin_of("/w/b.pl", "b"));
        assert_eq!(kin.names().collect::<Vec<_>>(), ["b", "b"]);
    }
}
