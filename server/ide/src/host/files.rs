//! The files of a program that the user has not opened: their places, and the files still to be read.
//!
//! This module opens no files. A caller with file access asks [`Host::missing`] for the places to search, passes the files found to
//! [`Host::add`], and repeats until no file is missing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use costlens_machine::run_hooks;
use costlens_program::calls::missing;
use costlens_program::loading::{is_loaded_by_nobody, names_unknown_folder};
pub use costlens_program::workspace::{
    ExpansionRunner, FolderLibrary, RunHooks, Version, is_released, ruled_names, shipped_names,
    stated_names,
};
use costlens_program::workspace::{
    Library, TEXTS, Workspace, candidates, distrust, normal, place_of, set_edited, set_library,
    stated_libraries,
};
use costlens_program::{Functor, Role, SourceFile};
use costlens_syntax::term::Term;
use costlens_syntax::{
    Dialect, ImportKind, Parsed, ReadOptions, dialect_of, read_directives, read_text,
};
use rustc_hash::FxHashMap;
use salsa::{Durability, Setter as _};
use smol_str::SmolStr;

use super::snapshot::Snapshot;
use super::{Cancelled, File, Host};
use crate::db::Db;

/// Folders of library files, with the indices written by SWI-Prolog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LibraryFolders {
    /// The folders searched for `library(…)`, best first.
    pub folders: Vec<String>,
    /// The text of each `INDEX.pl`, preceded by its folder.
    pub indices: Vec<(String, String)>,
    /// Libraries in the folders that also ship with Costlens as clauses.
    pub shipped: Vec<FolderLibrary>,
    /// Libraries with facts built into Costlens whose text, in a folder named by the user, differs from that of the release.
    pub edited: Vec<String>,
    /// The version of SWI-Prolog to which the library belongs. `None` if the folders do not state a version.
    pub version: Option<Version>,
}

/// The library on which answers are based.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryInUse {
    /// The SWI-Prolog version of the library, if known.
    pub version: Option<Version>,
    /// The places of installed libraries that are read instead of the shipped libraries.
    pub places: Vec<String>,
}

/// Returns the place for a file name: the path of a `file:` URI, or the path itself. Returns `None` for documents outside of any folder.
#[must_use]
pub fn place(name: &str) -> Option<SmolStr> {
    if let Some(rest) = name.strip_prefix("file://") {
        // The URI may contain a host: `file:///folder/…`, `file://localhost/…`.
        let path = rest.find('/').map(|at| &rest[at..])?;
        return Some(normal(&decoded(path)));
    }
    // `untitled:Untitled-1` is a URI; a single letter before the colon is a drive letter.
    let scheme = name.split_once(':').map(|(scheme, _)| scheme);
    if scheme.is_some_and(|s| s.len() > 1 && s.chars().all(|c| c.is_ascii_alphanumeric())) {
        return None;
    }
    Some(normal(&name.replace('\\', "/")))
}

/// Decodes percent-encoded characters such as `%20`. Invalid UTF-8 is replaced.
fn decoded(path: &str) -> String {
    let bytes = path.as_bytes();
    let (mut out, mut i) = (Vec::with_capacity(bytes.len()), 0);
    while i < bytes.len() {
        let hex = path
            .get(i + 1..i + 3)
            .and_then(|h| u8::from_str_radix(h, 16).ok());
        match hex.filter(|_| bytes[i] == b'%') {
            Some(byte) => {
                out.push(byte);
                i += 3;
            }
            None => {
                out.push(bytes[i]);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

impl Host {
    /// Sets whether expansion hooks of pure code are run on the embedded machine.
    pub fn set_expansions(&mut self, are_run: bool) {
        let wanted = are_run.then_some(run_hooks as RunHooks);
        match ExpansionRunner::try_get(&self.db) {
            None => drop(ExpansionRunner::new(&self.db, wanted)),
            Some(runner) if runner.run(&self.db).is_some() != are_run => {
                runner.set_run(&mut self.db).to(wanted);
            }
            Some(_) => {}
        }
    }

    /// Sets the dialect of all user files. With `None`, the dialect of each file is detected from its text.
    pub fn set_dialect(&mut self, dialect: Option<Dialect>) {
        if self.dialect == dialect {
            return;
        }
        self.dialect = dialect;
        for (name, file) in self.files.clone() {
            let before = file.parsed(&self.db);
            let (text, was) = (before.text.clone(), before.dialect());
            let now = self.parse(&name, &text);
            if now.dialect() != was {
                file.set_parsed(&mut self.db).to(now);
            }
        }
    }

    /// Returns the place of the file with a name.
    fn place_called(&self, name: &str) -> Option<SmolStr> {
        (self.places.get(name).cloned()).or_else(|| place(name))
    }

    /// Opens a file like [`Host::open`], with an explicit place instead of the place derived from the name.
    pub fn open_at(&mut self, name: &str, place: &str, text: &str) -> File {
        self.places.insert(name.to_owned(), normal(place));
        self.open(name, text)
    }

    /// Adds a file like [`Host::add`], with an explicit place instead of the place derived from the name.
    pub fn add_at(&mut self, name: &str, place: &str, text: &str) -> File {
        self.places.insert(name.to_owned(), normal(place));
        self.add(name, text)
    }

    /// Records a symbolic link, so that a file searched for at `from` is found at `to`.
    pub fn link(&mut self, from: &str, to: &str) {
        let to = normal(to);
        self.set_links(|links| {
            if links.get(from) != Some(&to) {
                links.insert(normal(from), to);
            }
        });
    }

    /// Removes links for which the predicate returns false.
    pub fn keep_links(&mut self, mut is_so: impl FnMut(&str, &str) -> bool) {
        self.set_links(|links| links.retain(|from, to| is_so(from, to)));
    }

    fn set_links(&mut self, change: impl FnOnce(&mut BTreeMap<SmolStr, SmolStr>)) {
        let workspace = Workspace::get_or_create(&mut self.db);
        let before = workspace.links(&self.db);
        let mut links = BTreeMap::clone(before.as_ref());
        change(&mut links);
        if before.as_ref() != &links {
            workspace
                .set_links(&mut self.db)
                .with_durability(Durability::MEDIUM)
                .to(Arc::new(links));
        }
    }

    /// Returns the file with a name, or else the file at the name's place, which is then renamed. A file that is open under another name is
    /// not returned.
    pub(crate) fn known(&mut self, name: &str) -> Option<SourceFile> {
        if let Some(&file) = self.files.get(name) {
            return Some(file);
        }
        let file = self.file_at(&self.place_called(name)?)?.0;
        let before = file.path(&self.db).to_owned();
        if self.opened.contains(&before) || !self.files.contains_key(&before) {
            return None;
        }
        file.set_path(&mut self.db).to(name.to_owned());
        self.files.remove(&before);
        self.files.insert(name.to_owned(), file);
        self.places.remove(&before);
        if self.aside.remove(&before) {
            self.aside.insert(name.to_owned());
        }
        Some(file)
    }

    /// Parses a text in the dialect that applies to the named file.
    pub(crate) fn parse(&self, name: &str, text: &str) -> Parsed {
        let chosen = self.dialect.filter(|_| !self.is_in_library(name));
        Parsed::in_dialect(text, chosen.unwrap_or_else(|| dialect_of(text)))
    }

    /// Returns true for a name inside a library folder.
    fn is_in_library(&self, name: &str) -> bool {
        Workspace::try_get(&self.db).is_some_and(|workspace| {
            let folders = workspace.libraries(&self.db);
            (self.place_called(name)).is_some_and(|p| folders.iter().any(|f| p.starts_with(&**f)))
        })
    }

    /// Adds a file that other files load, or replaces the text of a known file. Edits of open files never re-validate it.
    pub fn add(&mut self, name: &str, text: &str) -> File {
        let parsed = self.parse(name, text).read_once();
        if self.is_in_library(name) {
            self.aside.insert(name.to_owned());
        }
        self.opened.remove(name);
        if let Some(file) = self.known(name) {
            file.set_parsed(&mut self.db)
                .with_durability(Durability::MEDIUM)
                .to(parsed);
            // An opened document may have been registered at the same place.
            self.put(name, file);
            return File(file);
        }
        let file = SourceFile::builder(name.to_owned(), parsed, Role::User)
            .durability(Durability::MEDIUM)
            .new(&self.db);
        self.files.insert(name.to_owned(), file);
        self.put(name, file);
        File(file)
    }

    /// Registers a file so that other files can load it.
    pub(crate) fn put(&mut self, name: &str, file: SourceFile) {
        let Some(place) = self.place_called(name) else {
            return;
        };
        let workspace = Workspace::get_or_create(&mut self.db);
        let mut files = Arc::clone(workspace.files(&self.db));
        if files.get(&place) != Some(&file) {
            Arc::make_mut(&mut files).insert(place, file);
            workspace
                .set_files(&mut self.db)
                .with_durability(Durability::MEDIUM)
                .to(files);
        }
    }

    /// Removes a file.
    pub fn remove(&mut self, file: File) {
        let workspace = Workspace::get_or_create(&mut self.db);
        let mut files = Arc::clone(workspace.files(&self.db));
        if let Some(place) = place_of(&self.db, file.0).cloned() {
            Arc::make_mut(&mut files).remove(&place);
            workspace
                .set_files(&mut self.db)
                .with_durability(Durability::MEDIUM)
                .to(files);
        }
        let name = file.0.path(&self.db).to_owned();
        self.files.retain(|_, known| *known != file.0);
        self.places.remove(&name);
        self.opened.remove(&name);
        file.0.set_parsed(&mut self.db).to(Parsed::new(""));
    }

    /// Returns the file at a place, if it is known.
    #[must_use]
    pub fn file_at(&self, place: &str) -> Option<File> {
        Workspace::try_get(&self.db)?
            .file_at(&self.db, place)
            .map(File)
    }

    /// Returns the display name of a file.
    #[must_use]
    pub fn name(&self, file: File) -> &str {
        file.0.path(&self.db)
    }

    /// Returns the places of the files on which the user works. Libraries loaded by these files are not included.
    #[must_use]
    pub fn own_places(&self) -> BTreeSet<String> {
        self.own_files()
            .filter_map(|file| place_of(&self.db, file.0).map(ToString::to_string))
            .collect()
    }

    /// Adds a library file to the files on which the user works.
    pub fn make_own(&mut self, file: File) {
        self.aside.remove(file.0.path(&self.db));
    }

    /// Sets the library folders.
    pub fn set_libraries(&mut self, libraries: &LibraryFolders) {
        let folders: Arc<[SmolStr]> = libraries.folders.iter().map(|f| normal(f)).collect();
        let mut index = FxHashMap::default();
        for (folder, text) in &libraries.indices {
            read_index(folder, text, &mut index);
        }
        let workspace = Workspace::get_or_create(&mut self.db);
        workspace
            .set_libraries(&mut self.db)
            .with_durability(Durability::HIGH)
            .to(folders);
        workspace
            .set_autoload(&mut self.db)
            .with_durability(Durability::HIGH)
            .to(Arc::new(index));
        set_library(&mut self.db, libraries.version, &libraries.shipped);
        set_edited(&mut self.db, &libraries.edited);
    }

    /// Returns the library on which answers are based.
    #[must_use]
    pub fn library_in_use(&self) -> LibraryInUse {
        let library = Library::try_get(&self.db);
        LibraryInUse {
            version: library.and_then(|library| library.version(&self.db)),
            places: library.map_or_else(Vec::new, |library| {
                let places = library.places(&self.db).iter();
                places.map(|(_, place)| place.to_string()).collect()
            }),
        }
    }

    /// Returns the library texts that differ from those shipped for the oldest version.
    #[must_use]
    pub fn other_library_texts(&self) -> Vec<Arc<str>> {
        let library = Library::try_get(&self.db).map(|library| library.files(&self.db));
        (library.unwrap_or_default().iter())
            .filter(|file| {
                let name: &str = file.path(&self.db);
                !TEXTS.contains(&(name, &*file.parsed(&self.db).text))
            })
            .map(|file| Arc::clone(&file.parsed(&self.db).text))
            .collect()
    }

    /// Stops trusting the built-in facts about a library, or about all libraries if the name is `all`. Returns whether there are such facts.
    pub fn distrust(&mut self, library: &str) -> bool {
        if library == "all" {
            for name in stated_libraries(&self.db) {
                distrust(&mut self.db, &name);
            }
            return true;
        }
        distrust(&mut self.db, library)
    }

    /// Returns the candidate places of the files that a file loads and that are not yet known: one list for each file, best candidate
    /// first.
    #[must_use]
    pub fn missing(&self, file: File) -> Vec<Vec<String>> {
        missing_places(&self.db, file.0)
    }
}

/// Queries for the places of files.
impl Snapshot {
    /// Returns the place of a file. Returns `None` for a document outside of any folder.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn place(&self, file: File) -> Result<Option<String>, Cancelled> {
        self.read("place", |db| place_of(db, file.0).map(ToString::to_string))
    }

    /// Returns true if there is a known file at this place.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn is_known(&self, place: &str) -> Result<bool, Cancelled> {
        self.read("is_known", |db| {
            Workspace::try_get(db).is_some_and(|w| w.file_at(db, place).is_some())
        })
    }
}

/// The search around a file for files that its own directives do not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurroundingFiles {
    /// True to search for files that include the file: it is not a module, and no known file loads it.
    pub loaders: bool,
    /// True to search for files that define a path alias used in the file: `:- use_module(app(tables))`.
    pub folders: bool,
}

impl Snapshot {
    /// Returns the kinds of files to search for around a file.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn surroundings(&self, file: File) -> Result<SurroundingFiles, Cancelled> {
        self.read("around", |db| SurroundingFiles {
            loaders: is_loaded_by_nobody(db, file.0),
            folders: names_unknown_folder(db, file.0),
        })
    }
}

impl SurroundingFiles {
    /// Returns true if any search is needed.
    #[must_use]
    pub fn is_any(self) -> bool {
        self.loaders || self.folders
    }

    /// Returns true if the text of a file at `place` matches this search for the file at `by`.
    #[must_use]
    pub fn is_found_in(self, text: &str, place: &str, by: &str) -> bool {
        let name = by.rsplit('/').next().unwrap_or_default();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        if self.folders && text.contains("file_search_path") {
            return true;
        }
        if !self.loaders || stem.is_empty() || !text.contains(stem) {
            return false;
        }
        let parsed = Parsed::in_dialect(text, dialect_of(text));
        (read_directives(&parsed, &ReadOptions::default()).imports)
            .into_iter()
            .filter(|import| matches!(import.kind, ImportKind::Load | ImportKind::Include))
            .any(|import| (candidates(place, &import.file, &[], &[]).iter()).any(|at| at == by))
    }
}

/// Returns the known file with this name. It does not matter which file loads it.
pub(crate) fn known_file(db: &dyn Db, name: &str) -> Option<SourceFile> {
    let files = Workspace::try_get(db)?.files(db);
    files.values().copied().find(|file| file.path(db) == name)
}

/// Returns the candidate places of the missing files that a file loads.
pub(crate) fn missing_places(db: &dyn Db, file: SourceFile) -> Vec<Vec<String>> {
    let strings = |places: Vec<SmolStr>| places.iter().map(ToString::to_string).collect();
    missing(db, file).into_iter().map(strings).collect()
}

/// Parses the entries of a library index, `index((append), 3, lists, lists).`: name, arity, module, file. SWI-Prolog writes one entry a line;
/// the reader parses only the lines with other than plain names.
fn read_index(folder: &str, text: &str, index: &mut FxHashMap<Functor, SmolStr>) {
    let mut others = String::new();
    for line in text.lines() {
        let Some((name, arity, file)) = plain_entry(line) else {
            others.push_str(line);
            others.push('\n');
            continue;
        };
        index
            .entry(Functor::new(name, arity))
            .or_insert_with(|| normal(&format!("{folder}/{file}.pl")));
    }
    read_entries(folder, &others, index);
}

/// Returns the name, arity and file of an index entry without quotes and operators.
fn plain_entry(line: &str) -> Option<(&str, usize, &str)> {
    let (name, rest) = line.strip_prefix("index((")?.split_once("), ")?;
    let fields: Vec<&str> = rest.strip_suffix(").")?.split(", ").collect();
    let &[arity, _, file] = &fields[..] else {
        return None;
    };
    let is_plain = |atom: &str| {
        atom.starts_with(|c: char| c.is_ascii_lowercase())
            && atom.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let arity = arity.parse().ok()?;
    (is_plain(name) && is_plain(file)).then_some((name, arity, file))
}

/// Parses index entries of any form.
fn read_entries(folder: &str, text: &str, index: &mut FxHashMap<Functor, SmolStr>) {
    for clause in read_text(text).clauses {
        let terms = &clause.terms;
        let Some(&[name, arity, _, file]) = terms.matches(clause.root, "index", 4) else {
            continue;
        };
        let (Some(name), Some(file)) = (terms.as_atom(name), terms.as_atom(file)) else {
            continue;
        };
        let Term::Integer(arity) = terms.get(arity) else {
            continue;
        };
        let Ok(arity) = usize::try_from(arity) else {
            continue;
        };
        let place = normal(&format!("{folder}/{file}.pl"));
        index
            .entry(Functor::new(name.clone(), arity))
            .or_insert(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_places() {
        for (name, expected) in [
            ("a/./b/../c.pl", Some("a/c.pl")),
            ("/a/../../c.pl", Some("/c.pl")),
            ("file:///x/a%20b/c.pl", Some("/x/a b/c.pl")),
            ("file:///c%3A/x.pl", Some("/c:/x.pl")),
            ("untitled:Untitled-1", None),
            ("..\\x.pl", Some("../x.pl")),
        ] {
            assert_eq!(place(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn a_library_index_names_places() {
        let mut index = FxHashMap::default();
        read_index(
            "/lib",
            "index((append), 3, lists, lists).\nindex((&), 2, m, 'x/y').\nother.",
            &mut index,
        );
        assert_eq!(index.len(), 2);
        assert_eq!(index[&Functor::new("append", 3)], "/lib/lists.pl");
        assert_eq!(index[&Functor::new("&", 2)], "/lib/x/y.pl");
    }
}
