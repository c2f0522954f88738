//! The files that are known, by their places, and which of them a directive means.
#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use costlens_syntax::{FileOperators, FileSpec, KnownFiles, ReadOptions, read_directives};
use rustc_hash::FxHashMap;
use salsa::Durability;
use smol_str::SmolStr;

use super::folders::{Folder, folder_of, folders, is_within};
use super::load::{Imports, Load, LoadKind, is_library, loads};
use super::pieces::called_for_others;
use super::stated::is_stated;
use crate::clause::Functor;
use crate::directives::facts;
use crate::goals::callees;
use crate::predicate::{all_predicates, find_written, shipped, shipped_library};
use crate::qualified::split;
use crate::source::{Db, Role, SourceFile};

/// What is known of the files of a program beside their texts.
///
/// A *place* is a path with `/` between its parts and without `.` and `..` in it, absolute or relative to wherever all are. Each file has
/// one, whatever it is called; whoever reads files resolves links, and says which places lead to others. Files without a place (a document
/// that was never saved) load nothing and are loaded by nothing.
#[salsa::input(singleton)]
pub struct Workspace {
    /// The files by their places.
    pub files: Arc<BTreeMap<SmolStr, SourceFile>>,
    /// Places under which others look for files, through links, and where these are.
    pub links: Arc<BTreeMap<SmolStr, SmolStr>>,
    /// The folders that `library(…)` is searched in, in this order.
    pub libraries: Arc<[SmolStr]>,
    /// What is loaded when it is first called and nothing else defines it: predicate and place, as a library's index says.
    pub autoload: Arc<FxHashMap<Functor, SmolStr>>,
}

/// The workspace, empty where none was set.
fn workspace(db: &dyn Db) -> Option<Workspace> {
    Workspace::try_get(db)
}

impl Workspace {
    /// The workspace of a database; made where there is none.
    pub fn of(db: &mut dyn Db) -> Self {
        match Self::try_get(db) {
            Some(found) => found,
            None => Workspace::builder(
                Arc::default(),
                Arc::default(),
                Arc::default(),
                Arc::default(),
            )
            .durability(Durability::MEDIUM)
            .new(db),
        }
    }

    /// The file at a place.
    pub fn at(self, db: &dyn Db, place: &str) -> Option<SourceFile> {
        let files = self.files(db);
        let known = files.get(place);
        known
            .or_else(|| files.get(self.links(db).get(place)?))
            .copied()
    }
}

/// A path as a place: `a/./b/../c` is `a/c`.
#[must_use]
pub fn normal(path: &str) -> SmolStr {
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|p| *p != "..") => {
                parts.pop();
            }
            ".." if absolute => {}
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if absolute {
        format!("/{joined}").into()
    } else {
        joined.into()
    }
}

/// The places of files. *Invalidated* when a file comes or goes.
#[salsa::tracked(returns(ref))]
fn places(db: &dyn Db, workspace: Workspace) -> FxHashMap<SourceFile, SmolStr> {
    (workspace.files(db).iter())
        .map(|(place, &file)| (file, place.clone()))
        .collect()
}

/// Where a file is.
pub fn place_of(db: &dyn Db, file: SourceFile) -> Option<&SmolStr> {
    places(db, workspace(db)?).get(&file)
}

/// The folder of a project in which files of `trust` assertions stand.
const TRUST_FOLDER: &str = "costlens";

/// The files of trust assertions of the projects that a file is part of: those in a folder `costlens` beside it or beside a folder that it is
/// in. Nearer folders come first.
///
/// *Invalidated* when a file comes or goes.
#[salsa::tracked(returns(clone))]
pub fn trust_files(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let (Some(workspace), Some(place)) = (workspace(db), place_of(db, file)) else {
        return Vec::new();
    };
    let mut found: Vec<(usize, SourceFile)> = Vec::new();
    for (other, &of) in workspace.files(db).iter() {
        if let Some(project) = trust_project(other)
            && is_below(place, project)
        {
            found.push((usize::MAX - project.len(), of));
        }
    }
    // Stable: files of one folder stay in the order of their names.
    found.sort_by_key(|&(distance, _)| distance);
    found.into_iter().map(|(_, file)| file).collect()
}

/// Whether a place lies in a folder, which is empty for the one that relative places are relative to.
fn is_below(place: &str, folder: &str) -> bool {
    match folder {
        "" => !place.starts_with('/') && !place.starts_with("../"),
        folder => place.starts_with(folder),
    }
}

/// The project's folder, `/` at its end, of a file of trust assertions; none for other files.
fn trust_project(place: &str) -> Option<&str> {
    let (folder, name) = place.rsplit_once('/')?;
    let project = folder.strip_suffix(TRUST_FOLDER)?;
    let is_folder = project.is_empty() || project.ends_with('/');
    (is_folder && name.ends_with(".pl")).then_some(project)
}

/// Whether a file stands in a folder of the library.
pub fn is_installed(db: &dyn Db, file: SourceFile) -> bool {
    installed_as(db, file).is_some()
}

/// What `library(…)` calls an installed file: `dcg/basics`; none for a file that stands elsewhere.
pub fn installed_as(db: &dyn Db, file: SourceFile) -> Option<&str> {
    let place = place_of(db, file)?;
    let folders = workspace(db)?.libraries(db);
    let name = folders
        .iter()
        .find_map(|f| place.strip_prefix(&**f)?.strip_prefix('/'))?;
    Some(name.strip_suffix(".pl").unwrap_or(name))
}

/// The places where a file may be that is named in another, best first. `libraries` are the folders of `library(…)`, `folders` those that have
/// names (`modules::folders`).
#[must_use]
pub fn candidates(
    from: &str,
    spec: &FileSpec,
    libraries: &[SmolStr],
    folders: &[Folder],
) -> Vec<SmolStr> {
    let mut found = Vec::new();
    for base in bases(folder_of(from), from, spec, libraries, folders) {
        let name = base.rsplit('/').next().unwrap_or_default();
        let has_extension = name
            .rsplit_once('.')
            .is_some_and(|(stem, _)| !stem.is_empty());
        let with = [".pl", ".prolog", ".pro"].map(|e| normal(&format!("{base}{e}")));
        // A directive in a text that somebody opens must not lead to any file of the disk: what is not called like a Prolog file is
        // looked for only below the folder of the file that names it.
        let is_prolog = PROLOG.iter().any(|e| base.ends_with(e));
        let plain = normal(&base);
        let goes_elsewhere = spec.path.starts_with('/') || spec.path.split('/').any(|p| p == "..");
        let is_below = is_within(&plain, folder_of(from))
            || is_library(spec) && libraries.iter().any(|l| is_within(&plain, l));
        let stays = is_below && !goes_elsewhere;
        let as_written = (is_prolog || stays).then_some(plain);
        if has_extension {
            found.extend(as_written);
            found.extend(with);
        } else {
            found.extend(with);
            found.extend(as_written);
        }
    }
    found
}

/// A name of a folder may lead to another name, and these in a circle.
const MOST_NAMES: usize = 8;

/// The paths that a name of a file stands for, without an extension added. `here` is the folder that paths start from.
fn bases(
    here: &str,
    from: &str,
    spec: &FileSpec,
    libraries: &[SmolStr],
    folders: &[Folder],
) -> Vec<String> {
    let beside = |here: &str, path: &str| match path.strip_prefix('/') {
        Some(_) => path.to_owned(),
        None if here.is_empty() && !from.starts_with('/') => path.to_owned(),
        None => format!("{here}/{path}"),
    };
    let mut found = Vec::new();
    // Name, what stands behind it, the folder that a path starts from, and how many names came before.
    let mut waiting = vec![(spec.clone(), here.to_owned(), 0)];
    while let Some((spec, here, depth)) = waiting.pop() {
        let Some(alias) = &spec.alias else {
            found.push(beside(&here, &spec.path));
            continue;
        };
        if depth < MOST_NAMES {
            // The first one is to be looked at next.
            for folder in folders.iter().rev().filter(|f| f.alias == *alias) {
                let path = format!("{}/{}", folder.to.path, spec.path).into();
                let alias = folder.to.alias.clone();
                let start = folder.from.as_deref().unwrap_or(&here).to_owned();
                waiting.push((FileSpec { alias, path }, start, depth + 1));
            }
        }
        if is_library(&spec) {
            found.extend(libraries.iter().map(|l| format!("{l}/{}", spec.path)));
            found.extend(own_packs(from).map(|l| beside("", &format!("{l}/{}", spec.path))));
        }
    }
    found
}

/// The folder that a pack has its library in.
const PACK_LIBRARY: &str = "prolog";

/// Where the library of the pack that a file belongs to would be: in `prolog/` beside the file or beside a folder that it is in.
fn own_packs(from: &str) -> impl Iterator<Item = String> {
    let folders = std::iter::successors(Some(folder_of(from).to_owned()), |folder| {
        match folder.as_str() {
            "" if from.starts_with('/') => None,
            // Relative to wherever all are.
            "" => Some("..".to_owned()),
            above if above.ends_with("..") => Some(format!("{above}/..")),
            folder => Some(folder_of(folder).to_owned()),
        }
    });
    folders
        .take(MOST_NAMES)
        .map(|folder| match folder.as_str() {
            "" if from.starts_with('/') => format!("/{PACK_LIBRARY}"),
            "" => PACK_LIBRARY.to_owned(),
            folder => format!("{folder}/{PACK_LIBRARY}"),
        })
}

/// How names of Prolog files end.
const PROLOG: [&str; 4] = [".pl", ".prolog", ".pro", ".plt"];

/// The candidates of a file's directive.
fn candidates_of(db: &dyn Db, file: SourceFile, spec: &FileSpec) -> Vec<SmolStr> {
    let (Some(workspace), Some(from)) = (workspace(db), place_of(db, file)) else {
        return Vec::new();
    };
    candidates(from, spec, workspace.libraries(db), folders(db, file))
}

/// The file that another one calls so.
pub(super) fn file_named(db: &dyn Db, from: SourceFile, spec: &FileSpec) -> Option<SourceFile> {
    let workspace = workspace(db)?;
    let mut places = candidates_of(db, from, spec).into_iter();
    places.find_map(|p| workspace.at(db, &p))
}

/// The files that the directives of a file load, in their order; none for one that is not known.
///
/// *Invalidated* when a directive changes, or a file comes or goes.
#[salsa::tracked(returns(deref))]
fn targets(db: &dyn Db, file: SourceFile) -> Vec<Option<SourceFile>> {
    (loads(db, file).loads.iter())
        .map(|load| file_named(db, file, &load.spec))
        .collect()
}

/// The file that a directive of a file loads, by the directive's number among [`loads`].
pub fn target(db: &dyn Db, file: SourceFile, load: usize) -> Option<SourceFile> {
    targets(db, file).get(load).copied().flatten()
}

/// The files that a file loads, known ones alone, each once, in the order of the directives.
pub fn dependencies(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let mut found: Vec<SourceFile> = Vec::new();
    for other in targets(db, file).iter().copied().flatten() {
        if other != file && !found.contains(&other) {
            found.push(other);
        }
    }
    found
}

/// The places to look for what a file needs and nobody knows: for each directive whose file is not known, and for each predicate
/// that is called and only the library's index knows, the places that it may be at, best first. A library is needed where something
/// that it may define is called; what ships with Costlens does not need to be looked for.
pub fn missing(db: &dyn Db, file: SourceFile) -> Vec<Vec<SmolStr>> {
    let mut found: Vec<Vec<SmolStr>> = (loads(db, file).loads.iter().zip(targets(db, file)))
        .filter(|(load, target)| target.is_none() && is_needed(db, file, load))
        .map(|(load, _)| candidates_of(db, file, &load.spec))
        .filter(|places| !places.is_empty())
        .collect();
    if let Some(workspace) = workspace(db) {
        let wanted = autoloaded_places(db, file).iter();
        found.extend(
            wanted
                .filter(|p| workspace.at(db, p).is_none())
                .map(|p| vec![p.clone()]),
        );
    }
    found
}

/// A library that the file loads as a whole, and that nobody knows.
pub(crate) fn unread_library(db: &dyn Db, file: SourceFile) -> Option<&FileSpec> {
    let mut all = loads(db, file).loads.iter().zip(targets(db, file));
    let (load, _) = all.find(|(load, target)| {
        target.is_none()
            && is_library(&load.spec)
            && !matches!(load.imports, Imports::Only(_))
            && !shipped_library(db, &load.spec.path)
            && !is_stated(db, &load.spec.path)
    })?;
    Some(&load.spec)
}

/// Whether a file that is loaded may define something that is called here, or exported again.
fn is_needed(db: &dyn Db, file: SourceFile, load: &Load) -> bool {
    if !is_library(&load.spec) || load.reexports {
        return true;
    }
    // `use_module(library(foo), [])` and `foo:p(X)`
    let stem = load.spec.path.rsplit('/').next().unwrap_or_default();
    if (called(db, file).iter()).any(|c| split(c).is_some_and(|(module, _)| module == stem)) {
        return !shipped_library(db, &load.spec.path);
    }
    match &load.imports {
        Imports::Only(names) => (names.iter())
            .any(|(here, there)| shipped(db, there).is_none() && called(db, file).contains(here)),
        // Of what ships, the index says what else there is, and `autoloaded_places` looks at that.
        Imports::All | Imports::Except(_) => !shipped_library(db, &load.spec.path),
    }
}

/// Everything that the clauses of a file call. *Invalidated* when one of its predicates calls something else.
#[salsa::tracked(returns(ref))]
pub(super) fn called(db: &dyn Db, file: SourceFile) -> BTreeSet<Functor> {
    let own = all_predicates(db, file)
        .flat_map(|p| callees(db, p))
        .cloned();
    own.chain(called_for_others(db, file)).collect()
}

/// The places of library files that define what a file calls and neither defines nor finds among what ships with Costlens.
///
/// *Invalidated* when the file calls something else.
#[salsa::tracked(returns(deref))]
pub(super) fn autoloaded_places(db: &dyn Db, file: SourceFile) -> Vec<SmolStr> {
    let Some(workspace) = workspace(db) else {
        return Vec::new();
    };
    let index = workspace.autoload(db);
    if index.is_empty() || file.role(db) == Role::Library || !facts(db, file).autoloads {
        return Vec::new();
    }
    let mut places: Vec<SmolStr> = Vec::new();
    for callee in called(db, file) {
        if let Some(place) = index.get(callee)
            && find_written(db, file, callee).is_none()
            && shipped(db, callee).is_none()
            && !places.contains(place)
        {
            places.push(place.clone());
        }
    }
    places.sort_unstable();
    places
}

/// The library files that what a file calls is loaded from.
pub(super) fn autoload_targets(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let Some(workspace) = workspace(db) else {
        return Vec::new();
    };
    let places = autoloaded_places(db, file).iter();
    places.filter_map(|p| workspace.at(db, p)).collect()
}

/// The library file that is loaded when a predicate is first called.
pub(super) fn autoload(db: &dyn Db, functor: &Functor) -> Option<SourceFile> {
    let workspace = workspace(db)?;
    let place = workspace.autoload(db).get(functor)?;
    workspace.at(db, place)
}

/// The files that load a file as a part of a module: `ensure_loaded`, `include`, `[file]` of a file without a module; and the module, where
/// the directive names one.
pub(super) fn loaded_plainly_by(db: &dyn Db, file: SourceFile) -> &[Loader] {
    static NONE: Vec<Loader> = Vec::new();
    match workspace(db) {
        Some(workspace) => plain_loaders(db, workspace).get(&file).map_or(&NONE, |v| v),
        None => &NONE,
    }
}

/// The files without a module that directives load into a module which they name, where that is not the one of the file with the directive:
/// `:- m:consult(extra)`.
pub(super) fn loaded_into<'db>(db: &'db dyn Db, module: &str) -> &'db [SourceFile] {
    static NONE: Vec<SourceFile> = Vec::new();
    match workspace(db) {
        Some(workspace) => into_modules(db, workspace).get(module).map_or(&NONE, |v| v),
        None => &NONE,
    }
}

/// Such files by module. *Invalidated* when a directive changes, or a file comes or goes.
#[salsa::tracked(returns(ref))]
fn into_modules(db: &dyn Db, workspace: Workspace) -> FxHashMap<SmolStr, Vec<SourceFile>> {
    let mut found: FxHashMap<SmolStr, Vec<SourceFile>> = FxHashMap::default();
    for file in workspace.files(db).values() {
        for (_, into) in plain_loaders(db, workspace).get(file).into_iter().flatten() {
            if let Some(module) = into {
                let files = found.entry(module.clone()).or_default();
                if !files.contains(file) {
                    files.push(*file);
                }
            }
        }
    }
    found
}

/// The files that say that they are the module of this name.
pub(super) fn files_of_module<'db>(db: &'db dyn Db, module: &str) -> &'db [SourceFile] {
    static NONE: Vec<SourceFile> = Vec::new();
    match workspace(db) {
        Some(workspace) => module_files(db, workspace).get(module).map_or(&NONE, |v| v),
        None => &NONE,
    }
}

/// The files of each module. *Invalidated* when a directive changes, or a file comes or goes.
#[salsa::tracked(returns(ref))]
fn module_files(db: &dyn Db, workspace: Workspace) -> FxHashMap<SmolStr, Vec<SourceFile>> {
    let mut found: FxHashMap<SmolStr, Vec<SourceFile>> = FxHashMap::default();
    for &file in workspace.files(db).values() {
        if let Some(module) = &facts(db, file).module {
            found.entry(module.clone()).or_default().push(file);
        }
    }
    found
}

/// Whether a file is no module, and no file is known that loads it.
pub fn is_loaded_by_nobody(db: &dyn Db, file: SourceFile) -> bool {
    facts(db, file).module.is_none()
        && file.role(db) == Role::User
        && loaded_plainly_by(db, file).is_empty()
}

/// Whether a file names another one in a folder with a name, and is not led anywhere.
pub fn names_unknown_folder(db: &dyn Db, file: SourceFile) -> bool {
    let mut all = loads(db, file).loads.iter().zip(targets(db, file));
    all.any(|(load, target)| {
        target.is_none() && load.spec.alias.is_some() && !is_library(&load.spec)
    })
}

/// A file with a directive that loads another one, and the module that it is loaded into, where that is named and is not the file's own.
pub(super) type Loader = (SourceFile, Option<SmolStr>);

/// Who loads each file without a module as a part of a module. *Invalidated* when a directive changes, or a file comes or goes.
#[salsa::tracked(returns(ref))]
fn plain_loaders(db: &dyn Db, workspace: Workspace) -> FxHashMap<SourceFile, Vec<Loader>> {
    let mut found: FxHashMap<SourceFile, Vec<Loader>> = FxHashMap::default();
    for &file in workspace.files(db).values() {
        for (load, target) in loads(db, file).loads.iter().zip(targets(db, file)) {
            if let Some(target) = *target
                && target != file
                && is_part(db, load.kind, target)
            {
                let own = facts(db, file).module.as_ref();
                let into = load.into.clone().filter(|m| Some(m) != own);
                let loaders = found.entry(target).or_default();
                if !loaders.contains(&(file, into.clone())) {
                    loaders.push((file, into));
                }
            }
        }
    }
    found
}

/// Whether a file that is loaded becomes a part of the one that loads it. `use_module` of a file without a module is an error, and loads nothing.
pub(super) fn is_part(db: &dyn Db, kind: LoadKind, target: SourceFile) -> bool {
    kind == LoadKind::Include || kind == LoadKind::Plain && facts(db, target).module.is_none()
}

/// The operators that a file declares for others. *Invalidated* by every edit, mostly equal.
#[salsa::tracked(returns(clone))]
fn operators_of(db: &dyn Db, file: SourceFile) -> FileOperators {
    read_directives(file.parsed(db), &ReadOptions::default()).operators
}

/// What is known of the files that a file names, for reading it. Of the libraries the reader knows by itself.
pub(crate) fn known_files(db: &dyn Db, file: SourceFile) -> KnownFiles {
    let mut known = KnownFiles::default();
    let (Some(workspace), Some(from)) = (workspace(db), place_of(db, file)) else {
        return known;
    };
    if workspace.files(db).len() < 2 {
        return known;
    }
    for import in read_directives(file.parsed(db), &ReadOptions::default()).imports {
        // Of the libraries the reader has tables of its own.
        if is_library(&import.file) {
            continue;
        }
        let named = match import.file.alias {
            Some(_) => folders(db, file),
            None => &[],
        };
        let mut places = candidates(from, &import.file, &[], named).into_iter();
        if let Some(other) = places.find_map(|p| workspace.at(db, &p))
            && other != file
        {
            known.0.insert(import.file, operators_of(db, other));
        }
    }
    known
}
