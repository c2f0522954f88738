//! The operators and quote settings in force where other files load a file.
//!
//! ```prolog
//! % main.pl
//! :- op(700, xfx, ===>).
//! :- consult(part).              % part.pl is read with `===>`: it shares the module of main.pl
//! :- use_module(tables).         % so is the module, since every module inherits from `user`
//! ```
//!
//! Programs are followed directive by directive in loading order, each from a root file that no other file loads. A file has surroundings
//! in each program that loads it; a program that loads it twice contributes two surroundings.

use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_syntax::operators::Position;
use costlens_syntax::{
    Changed, FileOperators, FileSpec, ImportKind, Operator, OperatorEvent, Quotes, Surroundings,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::candidates::candidates;
use super::db::Db;
use super::folder_names::folders;
use super::places::{Workspace, is_installed, place_of};
use super::said_of_files::said_of_files;
use super::source_file::{Role, SourceFile};

/// The surroundings in which one file loads another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LoadedBy {
    /// The loading file; `None` if no other file loads the file.
    pub(super) loader: Option<SourceFile>,
    pub(super) surroundings: Arc<Surroundings>,
}

/// Returns the distinct surroundings of a file, by loader. Empty for an installed library, which the user's files cannot change.
///
/// *Invalidated* when a directive about operators or files changes, or a file is added or removed; the result is usually equal.
#[salsa::tracked(returns(deref))]
pub(super) fn loaded_by(db: &dyn Db, file: SourceFile) -> Vec<LoadedBy> {
    let Some(workspace) = Workspace::try_get(db) else {
        return Vec::new();
    };
    if workspace.files(db).len() < 2 || !is_followed(db, file) {
        return Vec::new();
    }
    loaders_by_file(db, workspace)
        .get(&file)
        .cloned()
        .unwrap_or_default()
}

fn is_followed(db: &dyn Db, file: SourceFile) -> bool {
    file.role(db) == Role::User && !is_installed(db, file)
}

/// Reads the declarations and loads of a file, so that several threads can read several files in parallel. Does nothing for an installed
/// library.
pub fn read_operators(db: &dyn Db, file: SourceFile) {
    if is_followed(db, file) {
        declared(db, file);
    }
}

/// *Invalidated* by every edit; the result is nearly always equal.
#[salsa::tracked(returns(ref))]
fn declared(db: &dyn Db, file: SourceFile) -> FileOperators {
    said_of_files(db, file).1.clone()
}

/// Returns the files that a file's directives load, one for each load event.
///
/// *Invalidated* when a directive changes, or a file is added or removed.
#[salsa::tracked(returns(deref))]
fn targets(db: &dyn Db, file: SourceFile) -> Vec<Option<SourceFile>> {
    let (Some(workspace), Some(from)) = (Workspace::try_get(db), place_of(db, file)) else {
        return Vec::new();
    };
    let find = |event: &OperatorEvent| match event {
        OperatorEvent::Load(load) => {
            let named = match load.file.alias {
                Some(_) => folders(db, file),
                None => &[],
            };
            let mut places = candidates(from, &load.file, &[], named).into_iter();
            let found = places.find_map(|p| workspace.file_at(db, &p));
            found.filter(|&other| other != file && is_followed(db, other))
        }
        _ => None,
    };
    declared(db, file).events.iter().map(find).collect()
}

/// *Invalidated* when a directive about operators or files changes, or a file is added or removed.
#[salsa::tracked(returns(ref))]
fn loaders_by_file(db: &dyn Db, workspace: Workspace) -> FxHashMap<SourceFile, Vec<LoadedBy>> {
    let files: Vec<SourceFile> = (workspace.files(db).values().copied())
        .filter(|&file| is_followed(db, file))
        .collect();
    // SWI-Prolog loads test files after the program that they test.
    let is_tests = |file: SourceFile| place_of(db, file).is_some_and(|p| p.ends_with(TESTS));
    let (tests, programs): (Vec<_>, Vec<_>) =
        (roots(db, &files).into_iter()).partition(|&(root, _)| is_tests(root));
    let mut found = surroundings(db, &tests);
    found.extend(surroundings(db, &programs));
    found
}

/// The extension of test files.
const TESTS: &str = ".plt";

/// Computes the surroundings of files in programs. Each program is given by its root file and whether another file loads this root.
fn surroundings(db: &dyn Db, roots: &[(SourceFile, bool)]) -> FxHashMap<SourceFile, Vec<LoadedBy>> {
    let mut found: FxHashMap<SourceFile, Vec<LoadedBy>> = FxHashMap::default();
    for &(root, is_loaded) in roots {
        for (file, by) in Walk::new(db, root).found {
            // Any of several files that load each other may come first. If another file loads this file, only that load counts.
            if is_loaded && by.loader.is_none() {
                continue;
            }
            let known = found.entry(file).or_default();
            if known.iter().all(|k| k.surroundings != by.surroundings) {
                known.push(by);
            }
        }
    }
    found
}

/// Returns the root files of programs, each with whether another file loads it: files that no other file loads, and all files of a group
/// that load each other and are not loaded from outside.
fn roots(db: &dyn Db, files: &[SourceFile]) -> Vec<(SourceFile, bool)> {
    let mut loaded: FxHashSet<SourceFile> = FxHashSet::default();
    for &file in files {
        loaded.extend(targets(db, file).iter().copied().flatten());
    }
    let mut roots: Vec<(SourceFile, bool)> = (files.iter().copied())
        .filter(|file| !loaded.contains(file))
        .map(|file| (file, false))
        .collect();
    let mut reached: FxHashSet<SourceFile> = FxHashSet::default();
    let mut waiting: Vec<SourceFile> = roots.iter().map(|(file, _)| *file).collect();
    while let Some(top) = waiting.pop() {
        if reached.insert(top) {
            waiting.extend(targets(db, top).iter().copied().flatten());
        }
    }
    let rest = files.iter().filter(|file| !reached.contains(file));
    roots.extend(rest.map(|&file| (file, true)));
    roots
}

/// Operators by name and position; a removed operator has priority 0.
type Table = BTreeMap<(SmolStr, u8), Operator>;

fn key(operator: &Operator) -> (SmolStr, u8) {
    let position = match operator.kind.position() {
        Position::Prefix => 0,
        Position::Infix => 1,
        Position::Postfix => 2,
    };
    (operator.name.clone(), position)
}

/// Adds operators; an unchanged table remains the same object.
fn add<'a>(table: &mut Arc<Table>, operators: impl IntoIterator<Item = &'a Operator>) {
    for operator in operators {
        let key = key(operator);
        if table.get(&key) != Some(operator) {
            Arc::make_mut(table).insert(key, operator.clone());
        }
    }
}

/// The operators and quotes of one module, excluding inherited operators.
#[derive(Clone, Default)]
struct OfModule {
    operators: Arc<Table>,
    quotes: Quotes,
}

/// A file that is being loaded.
struct Open {
    file: SourceFile,
    /// The module to which the file's clauses belong.
    home: SmolStr,
    /// The index of the next event.
    next: usize,
    /// The number of times that each file has been named.
    named: FxHashMap<FileSpec, usize>,
    /// The index in `found` of the file's surroundings.
    place: usize,
    /// The index of the load in progress, and the view before it.
    under_way: Option<(usize, OperatorView)>,
}

/// The operators and quotes in force in a file: those of `user` and of its module.
#[derive(Clone)]
struct OperatorView {
    user: Arc<Table>,
    home: Arc<Table>,
    quotes: Quotes,
}

impl OperatorView {
    /// Returns all operators; operators of the module take precedence over inherited operators.
    fn operators(&self) -> Vec<Operator> {
        let home = match Arc::ptr_eq(&self.user, &self.home) {
            true => None,
            false => Some(&*self.home),
        };
        (self.user.values())
            .chain(home.into_iter().flat_map(|h| h.values()))
            .cloned()
            .collect()
    }

    /// Returns the changes from this view to a later view.
    fn changed(&self, after: &OperatorView) -> Changed {
        let of = |before: &Arc<Table>, after: &Arc<Table>| -> Vec<Operator> {
            if Arc::ptr_eq(before, after) {
                return Vec::new();
            }
            (after.iter())
                .filter(|(key, operator)| before.get(*key) != Some(*operator))
                .map(|(_, operator)| operator.clone())
                .collect()
        };
        let mut operators = of(&self.user, &after.user);
        // The module's own operators hide new operators in `user`.
        operators.retain(|o| !after.home.contains_key(&key(o)));
        operators.extend(of(&self.home, &after.home));
        let quotes = match self.quotes == after.quotes {
            true => Quotes::default(),
            false => after.quotes,
        };
        Changed { operators, quotes }
    }
}

/// The maximum number of loads, including repeated ones, that are followed in a program.
const MOST_BEGUN: usize = 20_000;

/// The module from which all other modules inherit.
const USER: &str = "user";

/// A program that is being loaded.
struct Walk<'db> {
    db: &'db dyn Db,
    modules: FxHashMap<SmolStr, OfModule>,
    /// The exported operators of each module, as far as it has been loaded.
    exported: FxHashMap<SourceFile, Vec<Operator>>,
    /// The module into which each file was loaded.
    loaded: FxHashMap<SourceFile, SmolStr>,
    /// The number of loads started, including repeated ones.
    begun: usize,
    open: Vec<Open>,
    found: Vec<(SourceFile, LoadedBy)>,
}

impl<'db> Walk<'db> {
    fn new(db: &'db dyn Db, root: SourceFile) -> Self {
        let mut walk = Walk {
            db,
            modules: FxHashMap::default(),
            exported: FxHashMap::default(),
            loaded: FxHashMap::default(),
            begun: 0,
            open: Vec::new(),
            found: Vec::new(),
        };
        let mut later = vec![(root, None)];
        while let Some((file, loader)) = later.pop() {
            if walk.loaded.contains_key(&file) {
                continue;
            }
            walk.begin(file, USER.into(), false, loader);
            while let Some(more) = walk.step() {
                later.extend(more);
            }
        }
        walk
    }

    fn view(&self, home: &str) -> OperatorView {
        let table = |of: Option<&OfModule>| of.map(|m| Arc::clone(&m.operators));
        let own = self.modules.get(home);
        OperatorView {
            user: table(self.modules.get(USER)).unwrap_or_default(),
            home: table(own).unwrap_or_default(),
            quotes: own.map(|m| m.quotes).unwrap_or_default(),
        }
    }

    /// Starts to load a file into a module: its own module, or the given module.
    fn begin(
        &mut self,
        file: SourceFile,
        into: SmolStr,
        is_included: bool,
        loader: Option<SourceFile>,
    ) {
        let said = declared(self.db, file);
        let home = match &said.name {
            _ if is_included || !said.module => into,
            Some(name) => name.clone(),
            // The module name is a variable.
            None => place_of(self.db, file).cloned().unwrap_or(into),
        };
        self.begun += 1;
        if !is_included {
            self.loaded.insert(file, home.clone());
        }
        let header = said.events.first();
        if let (true, Some(OperatorEvent::Declare { operators, .. })) = (said.module, header) {
            self.exported.insert(file, operators.clone());
        }
        let place = self.enter(file, &home, is_included, loader);
        self.open.push(Open {
            file,
            home,
            next: 0,
            named: FxHashMap::default(),
            place,
            under_way: None,
        });
    }

    /// Records the surroundings of a file.
    fn enter(
        &mut self,
        file: SourceFile,
        home: &str,
        is_included: bool,
        loader: Option<SourceFile>,
    ) -> usize {
        let view = self.view(home);
        let surroundings = Arc::new(Surroundings {
            operators: view.operators(),
            quotes: view.quotes,
            is_part: loader.is_some() && (is_included || !declared(self.db, file).module),
            behind: BTreeMap::default(),
        });
        let by = LoadedBy {
            loader,
            surroundings,
        };
        self.found.push((file, by));
        self.found.len() - 1
    }

    /// Performs the next directive. Returns the autoloaded files, or `None` if no directive is left.
    fn step(&mut self) -> Option<Vec<(SourceFile, Option<SourceFile>)>> {
        let db = self.db;
        self.arrive();
        let top = self.open.last_mut()?;
        let (file, home, number) = (top.file, top.home.clone(), top.next);
        let Some(event) = declared(db, file).events.get(number) else {
            self.open.pop();
            return Some(Vec::new());
        };
        top.next += 1;
        match event {
            OperatorEvent::Declare { module, operators } => {
                let module = match module.as_deref() {
                    Some("system") => USER.into(),
                    Some(module) => module.into(),
                    None => home,
                };
                add(
                    &mut self.modules.entry(module).or_default().operators,
                    operators,
                );
            }
            OperatorEvent::Quotes(quotes) => {
                self.modules.entry(home).or_default().quotes.set(*quotes);
            }
            OperatorEvent::Load(load) => {
                let target = targets(db, file).get(number).copied().flatten();
                if load.kind == ImportKind::Autoload {
                    return Some(target.map(|t| (t, Some(file))).into_iter().collect());
                }
                let before = self.view(&home);
                if let Some(top) = self.open.last_mut() {
                    top.under_way = Some((number, before));
                }
                let Some(target) = target else {
                    return Some(Vec::new());
                };
                let is_open = self.open.iter().any(|open| open.file == target);
                let is_included = load.kind == ImportKind::Include;
                let is_module = declared(db, target).module;
                let into = match (&load.into, load.kind) {
                    (Some(into), ImportKind::Load) => into.clone(),
                    _ => home,
                };
                let is_refused =
                    !is_module && matches!(load.kind, ImportKind::Module | ImportKind::Reexport);
                let is_due = match self.loaded.get(&target) {
                    _ if is_included => true,
                    None => !is_refused,
                    // A file that is part of one module is not loaded into another.
                    Some(before) => load.again && (is_module || *before == into),
                };
                if is_due && !is_open && self.begun < MOST_BEGUN {
                    self.begin(target, into, is_included, Some(file));
                }
            }
        }
        Some(Vec::new())
    }

    /// Ends the load in progress of the innermost open file: its effects are visible from this point on.
    fn arrive(&mut self) {
        let db = self.db;
        let Some(top) = self.open.last_mut() else {
            return;
        };
        let Some((number, before)) = top.under_way.take() else {
            return;
        };
        let (file, home, place) = (top.file, top.home.clone(), top.place);
        let Some(OperatorEvent::Load(load)) = declared(db, file).events.get(number) else {
            return;
        };
        let count = top.named.entry(load.file.clone()).or_default();
        let key = (load.file.clone(), *count);
        *count += 1;
        let target = targets(db, file).get(number).copied().flatten();
        let exported = target.and_then(|t| self.exported.get(&t)).cloned();
        let given: Vec<Operator> = match (&exported, target) {
            (Some(exported), _) => load.admits(exported).cloned().collect(),
            (None, None) => load.library.clone(),
            (None, Some(_)) => Vec::new(),
        };
        if !given.is_empty() {
            add(
                &mut self.modules.entry(home.clone()).or_default().operators,
                &given,
            );
            if load.kind == ImportKind::Reexport {
                self.exported.entry(file).or_default().extend(given);
            }
        }
        let changed = before.changed(&self.view(&home));
        if let Some((_, by)) = self.found.get_mut(place) {
            Arc::make_mut(&mut by.surroundings)
                .behind
                .insert(key, changed);
        }
    }
}
