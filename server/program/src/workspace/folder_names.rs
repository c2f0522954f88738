//! Folder aliases: `user:file_search_path(app, Folder)`, in facts, rules and directives.
//!
//! ```prolog
//! user:file_search_path(lib, '../lib').
//! user:file_search_path(tables, lib(tables)).
//! user:file_search_path(app, Here) :- prolog_load_context(directory, Here).
//! :- prolog_load_context(directory, Here), asserta(user:file_search_path(app, Here)).
//! add_core :- user:file_search_path(app, App), directory_file_path(App, core, Core), asserta(user:file_search_path(core, Core)).
//! :- add_core.
//! ```
//!
//! An alias applies to the whole program, so it also applies in other files of the workspace. No goal is run: a folder is known if the
//! preceding goals are among those above, which compute the folder of the file and paths derived from it.

use std::sync::Arc;

use costlens_body::{Goal, conjuncts};
use costlens_syntax::term::{NIL, Term, TermId, Terms};
use costlens_syntax::{FileSpec, ReadClause, ReadOptions, read};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

use super::db::Db;
use super::places::{Workspace, is_installed, place_of};
use super::source_file::SourceFile;
use crate::language::{directive, file_spec, is_library};

/// A word that every file with aliases contains. Files without this word need not be read for aliases.
const NAME: &str = "file_search_path";

/// A folder with an alias.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// The alias: `app` in `app(tables)`.
    pub alias: SmolStr,
    /// The folder.
    pub to: FileSpec,
    /// The folder to which a relative path refers; `None` means the folder of the file that uses the alias.
    pub from: Option<SmolStr>,
    /// True if `asserta/1` adds it before the folders that the system has for the alias.
    pub is_first: bool,
}

/// An alias in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WrittenAlias {
    alias: SmolStr,
    to: FileSpec,
    /// True if the folder is relative to the file's folder.
    from_here: bool,
    /// True if `asserta/1` adds it.
    is_first: bool,
}

impl WrittenAlias {
    /// Returns the folder; `here` is the folder of the file.
    fn seen_from(&self, here: &str) -> Folder {
        Folder {
            alias: self.alias.clone(),
            to: self.to.clone(),
            from: self.from_here.then(|| here.into()),
            is_first: self.is_first,
        }
    }
}

/// Returns the aliases defined in the clauses and directives of a file. An alias added by `asserta/1` precedes earlier aliases.
///
/// *Invalidated* by every edit; the result is nearly always equal.
#[salsa::tracked(returns(deref))]
fn written(db: &dyn Db, file: SourceFile) -> Vec<WrittenAlias> {
    let parsed = file.parsed(db);
    if !parsed.text.contains(NAME) {
        return Vec::new();
    }
    // These are not the shared terms, because reading the shared terms requires the folders. Operators of other files do not matter for
    // aliases.
    let read = read(parsed, &ReadOptions::default());
    let mut found = FileFolders {
        clauses: &read.clauses,
        folders: Vec::new(),
    };
    for clause in &read.clauses {
        let terms = &clause.terms;
        match directive(terms, clause.root) {
            None => found.folders.extend(of_clause(terms, clause.root)),
            Some(goal) => found.run(terms, goal, &mut FxHashMap::default(), DEEPEST),
        }
    }
    found.folders
}

/// The maximum nesting depth of calls followed from a directive.
const DEEPEST: usize = 4;

/// The folders of a file according to its directives.
struct FileFolders<'a> {
    clauses: &'a [ReadClause],
    folders: Vec<WrittenAlias>,
}

impl FileFolders<'_> {
    /// Follows the goals of a directive, or of the only clause of a predicate that the directive calls.
    fn run(
        &mut self,
        terms: &Terms,
        body: TermId,
        known: &mut FxHashMap<u32, SmolStr>,
        depth: usize,
    ) {
        for goal in conjuncts(terms, body) {
            let goal = match Goal::lower(terms, goal) {
                Goal::Qualified { goal, .. } => goal,
                _ => goal,
            };
            match (terms.functor(goal)).map(|(n, _)| (n.as_str(), terms.args(goal))) {
                Some((name @ ("assert" | "asserta" | "assertz"), &[clause])) => {
                    if let Some(mut folder) = of_head(terms, clause, known) {
                        folder.is_first = name == "asserta";
                        let at = if folder.is_first {
                            0
                        } else {
                            self.folders.len()
                        };
                        self.folders.insert(at, folder);
                    }
                }
                Some((NAME, &[alias, folder])) => {
                    if let (Some(path), Term::Var(v)) =
                        (self.folder(terms, alias), terms.get(folder))
                    {
                        known.insert(*v, path);
                    }
                }
                _ if !bind(terms, goal, known) && depth > 0 => {
                    self.call(terms, goal, known, depth - 1);
                }
                _ => {}
            }
        }
    }

    /// Returns the folder for which an alias is defined at this point, relative to the file's folder.
    fn folder(&self, terms: &Terms, alias: TermId) -> Option<SmolStr> {
        let alias = terms.as_atom(alias)?;
        let mut written = self.folders.iter();
        let found = written.find(|written| written.alias == *alias && written.from_here)?;
        Some(found.to.path.clone())
    }

    /// Follows a call, with variables as arguments, of a predicate in the file that has one clause.
    fn call(
        &mut self,
        terms: &Terms,
        goal: TermId,
        known: &mut FxHashMap<u32, SmolStr>,
        depth: usize,
    ) {
        let Some((name, arity)) = terms.functor(goal) else {
            return;
        };
        let clauses = self.clauses;
        let mut own = clauses.iter().filter_map(|clause| {
            let &[head, body] = clause.terms.matches(clause.root, ":-", 2)? else {
                return None;
            };
            (clause.terms.functor(head) == Some((name, arity))).then_some((
                &clause.terms,
                head,
                body,
            ))
        });
        let (Some((of, head, body)), None) = (own.next(), own.next()) else {
            return;
        };
        let pairs: Vec<(u32, TermId)> = (of.args(head).iter().zip(terms.args(goal)))
            .filter_map(|(&formal, &actual)| match of.get(formal) {
                Term::Var(v) => Some((*v, actual)),
                _ => None,
            })
            .collect();
        let mut inside = FxHashMap::default();
        for &(formal, actual) in &pairs {
            if let Some(text) = text_of(terms, actual, known) {
                inside.insert(formal, text);
            }
        }
        self.run(of, body, &mut inside, depth);
        for (formal, actual) in pairs {
            if let (Some(text), Term::Var(v)) = (inside.get(&formal), terms.get(actual)) {
                known.insert(*v, text.clone());
            }
        }
    }
}

/// Parses `file_search_path(Alias, Folder)`, with or without a body.
fn of_clause(terms: &Terms, root: TermId) -> Option<WrittenAlias> {
    let mut known = FxHashMap::default();
    match terms.matches(root, ":-", 2) {
        Some(&[head, body]) => {
            for goal in conjuncts(terms, body) {
                bind(terms, goal, &mut known);
            }
            of_head(terms, head, &known)
        }
        _ => of_head(terms, root, &known),
    }
}

/// Parses the head of a clause of `file_search_path/2`.
fn of_head(terms: &Terms, head: TermId, known: &FxHashMap<u32, SmolStr>) -> Option<WrittenAlias> {
    let head = match terms.matches(head, ":", 2) {
        Some(&[_, inner]) => inner,
        _ => head,
    };
    let &[alias, folder] = terms.matches(head, NAME, 2)? else {
        return None;
    };
    let alias = terms.as_atom(alias)?.clone();
    let (to, from_here) = match terms.get(folder) {
        Term::Var(v) => {
            let path = known.get(v)?.clone();
            (FileSpec { alias: None, path }, true)
        }
        _ => (file_spec(terms, folder)?, false),
    };
    Some(WrittenAlias {
        alias,
        to,
        from_here,
        is_first: false,
    })
}

/// Records the bindings made by a goal that precedes the folder; `.` is the folder of the file. Returns false for unsupported goals.
fn bind(terms: &Terms, goal: TermId, known: &mut FxHashMap<u32, SmolStr>) -> bool {
    let text = |t: TermId| text_of(terms, t, known);
    let bound: Option<(TermId, SmolStr)> = match Goal::lower(terms, goal) {
        Goal::Variable(_) | Goal::NotCallable | Goal::Unreadable => return true,
        Goal::Unify(path, whole) => text(path).map(|path| (whole, path)),
        Goal::Call(call) => match (call.name.as_str(), call.args) {
            ("prolog_load_context", &[key, value]) => match terms.as_atom(key).map(SmolStr::as_str)
            {
                Some("directory") => Some((value, ".".into())),
                Some("source" | "file") => Some((value, "./file".into())),
                _ => None,
            },
            ("source_location", &[file, _]) => Some((file, "./file".into())),
            ("file_directory_name", &[file, folder]) => text(file).and_then(|path| {
                let (folder_of, _) = path.rsplit_once('/')?;
                Some((folder, folder_of.into()))
            }),
            ("atom_concat" | "string_concat", &[one, two, both]) => text(one)
                .zip(text(two))
                .map(|(a, b)| (both, format_smolstr!("{a}{b}"))),
            ("directory_file_path", &[folder, inside, both]) => text(folder)
                .zip(text(inside))
                .map(|(a, b)| (both, format_smolstr!("{a}/{b}"))),
            ("atomic_list_concat", &[parts, whole]) => {
                let texts: Option<Vec<SmolStr>> =
                    terms.list(parts).0.into_iter().map(text).collect();
                texts.map(|texts| (whole, texts.concat().into()))
            }
            // `absolute_file_name(Here/'..', App)`
            ("absolute_file_name", &[path, whole]) => text(path).map(|path| (whole, path)),
            ("relative_file_name", &[path, file, relative]) => {
                text(file).zip(text(relative)).and_then(|(file, relative)| {
                    let (folder_of, _) = file.rsplit_once('/')?;
                    Some((path, format_smolstr!("{folder_of}/{relative}")))
                })
            }
            _ => return false,
        },
        _ => return false,
    };
    if let Some((variable, path)) = bound
        && let Term::Var(v) = terms.get(variable)
    {
        known.insert(*v, path);
    }
    true
}

/// Returns the text of an atom, a string, a variable with a known value, or `a/b` of these.
fn text_of(terms: &Terms, t: TermId, known: &FxHashMap<u32, SmolStr>) -> Option<SmolStr> {
    let parts: Option<Vec<&str>> = (terms.chain(t, "/").into_iter())
        .map(|part| match terms.get(part) {
            Term::Var(v) => known.get(v).map(SmolStr::as_str),
            Term::String(text) => Some(text.as_str()),
            _ => (terms.as_atom(part).filter(|a| *a != NIL)).map(SmolStr::as_str),
        })
        .collect();
    Some(parts?.join("/").into())
}

/// Returns the aliases defined in the user's files, each with the folder of its file.
///
/// *Invalidated* when a clause of `file_search_path/2`, or a file, is added or removed.
#[salsa::tracked(returns(clone))]
fn aliases(db: &dyn Db, workspace: Workspace) -> Arc<[(SmolStr, Folder)]> {
    let mut found = Vec::new();
    for (place, &file) in workspace.files(db).iter() {
        let here = folder_of(place);
        for written in written(db, file) {
            // Aliases of installed files refer to folders outside the user's programs, except for `file_search_path(chr, library(chr))`.
            if is_installed(db, file) && !is_library(&written.to) {
                continue;
            }
            found.push((here.into(), written.seen_from(here)));
        }
    }
    found.into()
}

/// Returns the aliased folders for a file: its own aliases, then those of the nearest file above or below it that defines the alias.
/// Aliases from elsewhere may belong to other programs; so may an alias that two equally near files define differently.
///
/// *Invalidated* when an alias or a file is added or removed.
#[salsa::tracked(returns(deref))]
pub(crate) fn folders(db: &dyn Db, file: SourceFile) -> Vec<Folder> {
    let (Some(workspace), Some(place)) = (Workspace::try_get(db), place_of(db, file)) else {
        return Vec::new();
    };
    let here = folder_of(place);
    let mut found: Vec<Folder> = (written(db, file).iter())
        .map(|written| written.seen_from(here))
        .collect();
    let own = found.len();
    let others = aliases(db, workspace);
    let near = |of: &str| is_within(here, of) || is_within(of, here);
    for (of, folder) in others.iter() {
        let same = |(_, f): &&(SmolStr, Folder)| f.alias == folder.alias;
        if !near(of) || (found[..own].iter()).any(|f| f.alias == folder.alias) {
            continue;
        }
        let rival = (others.iter().filter(same)).any(|(other, _)| {
            other != of && near(other) && nearness(here, other) >= nearness(here, of)
        });
        if rival {
            continue;
        }
        found.push(folder.clone());
        // A relative path such as `'../lib'` that leads nowhere from the using file is resolved relative to the defining file.
        if folder.from.is_none() && folder.to.alias.is_none() {
            let from = Some(of.clone());
            found.push(Folder {
                from,
                ..folder.clone()
            });
        }
    }
    found
}

/// Returns the folder of a path; empty for the base of relative paths.
pub(super) fn folder_of(place: &str) -> &str {
    place.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns whether a folder equals another or is inside it.
pub(super) fn is_within(folder: &str, other: &str) -> bool {
    if other.is_empty() {
        return !folder.starts_with('/') && !folder.starts_with("..");
    }
    (folder.strip_prefix(other)).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the number of leading folders that two paths have in common.
fn nearness(one: &str, other: &str) -> usize {
    let pairs = one.split('/').zip(other.split('/'));
    pairs.take_while(|(a, b)| a == b).count()
}
