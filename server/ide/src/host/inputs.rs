//! The dependencies of query results on files, which allow results to be stored between runs.

use std::fmt::Write as _;

use costlens_program::names::influences;
use costlens_program::workspace::{Workspace, place_of};
use costlens_program::{Library, Role, SourceFile, predicates};
use costlens_syntax::term::Term;
use rustc_hash::FxHashMap;

use super::{Cancelled, File, Snapshot};
use crate::db::Db;

/// The inputs of query results. Equal inputs give equal results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// The inputs of all results: the files with their places, their directives, and the names of their predicates.
    pub shared: String,
    /// The texts of files, each with its name and place.
    pub texts: Vec<String>,
    /// For each requested file, the index of its own text, and the indices of all texts on which its results may depend.
    pub of: Vec<(usize, Vec<usize>)>,
}

/// The texts on which bounds depend, as listed in certificates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputTexts {
    /// The files of the program, including installed libraries: names and texts, sorted by name.
    pub program: Vec<(String, String)>,
    /// The texts of the libraries that ship with Costlens, in a fixed order.
    pub shipped: Vec<String>,
}

impl Snapshot {
    /// Returns the texts on which the bounds of files depend.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn texts(&self, files: &[File]) -> Result<InputTexts, Cancelled> {
        let files: Vec<SourceFile> = files.iter().map(|file| file.0).collect();
        self.read("texts", |db| texts(db, &files))
    }

    /// Returns the inputs of the results for files.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn inputs(&self, files: &[File]) -> Result<Inputs, Cancelled> {
        let files: Vec<SourceFile> = files.iter().map(|file| file.0).collect();
        self.read("inputs", |db| inputs(db, &files))
    }
}

fn inputs(db: &dyn Db, files: &[SourceFile]) -> Inputs {
    let mut found = Inputs {
        shared: shared(db, files),
        ..Inputs::default()
    };
    let mut numbers: FxHashMap<SourceFile, usize> = FxHashMap::default();
    for (&file, near) in files.iter().zip(influences(db, files)) {
        let mut number = |file: SourceFile| {
            *numbers.entry(file).or_insert_with(|| {
                found.texts.push(text(db, file));
                found.texts.len() - 1
            })
        };
        let own = number(file);
        found.of.push((own, near.into_iter().map(number).collect()));
    }
    found
}

fn texts(db: &dyn Db, files: &[SourceFile]) -> InputTexts {
    let near = influences(db, files).into_iter().flatten();
    let mut all: Vec<SourceFile> = files.iter().copied().chain(near).collect();
    all.retain(|file| file.role(db) == Role::User);
    let of = |file: SourceFile| (file.path(db).to_string(), file.parsed(db).text.to_string());
    let mut program: Vec<(String, String)> = all.into_iter().map(of).collect();
    program.sort();
    program.dedup();
    let shipped = Library::try_get(db).map(|library| library.files(db).to_vec());
    let mut shipped: Vec<(String, String)> =
        shipped.unwrap_or_default().into_iter().map(of).collect();
    shipped.sort();
    InputTexts {
        program,
        shipped: shipped.into_iter().map(|(_, text)| text).collect(),
    }
}

fn text(db: &dyn Db, file: SourceFile) -> String {
    format!("{}\0{}", identity(db, file), file.parsed(db).text)
}

/// Returns the place, name, role and dialect of a file.
fn identity(db: &dyn Db, file: SourceFile) -> String {
    let place = place_of(db, file).map_or("", |place| place.as_str());
    let dialect = file.parsed(db).dialect().name();
    format!("{place}\0{}\0{:?}\0{dialect}", file.path(db), file.role(db))
}

fn shared(db: &dyn Db, files: &[SourceFile]) -> String {
    let mut out = String::new();
    let mut all: Vec<SourceFile> = files.to_vec();
    if let Some(workspace) = Workspace::try_get(db) {
        let _ = writeln!(out, "{:?}", workspace.links(db));
        let _ = writeln!(out, "{:?}", workspace.libraries(db));
        let mut autoloaded: Vec<String> = (workspace.autoload(db).iter())
            .map(|(predicate, place)| format!("{predicate} {place}"))
            .collect();
        autoloaded.sort_unstable();
        let _ = writeln!(out, "{autoloaded:?}");
        all.extend(workspace.files(db).values());
    }
    all.sort_by_key(|&file| identity(db, file));
    all.dedup();
    for file in all {
        let _ = writeln!(out, "{}", identity(db, file));
        outline(db, file, &mut out);
    }
    out
}

/// Writes the directives of a file and the names of its predicates to `out`.
fn outline(db: &dyn Db, file: SourceFile, out: &mut String) {
    let parsed = file.parsed(db);
    let read = costlens_program::workspace::terms(db, file);
    for clause in &read.clauses {
        let is_directive = |name: &str| clause.terms.matches(clause.root, name, 1).is_some();
        let is_read = !matches!(clause.terms.get(clause.root), Term::Error);
        if is_directive(":-") || is_directive("?-") || !is_read {
            let (from, to) = clause.range;
            let _ = writeln!(out, "{}", parsed.text.get(from..to).unwrap_or_default());
        }
    }
    for predicate in predicates(db, file) {
        let _ = writeln!(out, "{}", predicate.functor(db));
    }
}
