//! Programs: a root file, which no other file loads, with all files that it loads, in the order in which clauses are added.
//!
//! ```prolog
//! :- multifile area/2.
//! area(none, 0).                 % first
//! :- ensure_loaded(circle).      % then the clauses of circle.pl
//! area(point, 0).                % then this one
//! ```

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};

use super::load_graph::loaders;
use super::load_target::target;
use crate::directives::{Conditions, LoadKind, Presence, facts, loads, number_of_loads};
use crate::language::{directive, is_library};
use crate::workspace::{
    Db, Role, SourceFile, Workspace, is_installed, place_of, shipped_library, terms,
};

/// A part of a file between two loading directives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FilePart {
    pub(crate) file: SourceFile,
    /// The number of loading directives before it in the file.
    pub(crate) after: usize,
    /// True if the file is loaded regardless of conditions.
    pub(crate) certain: bool,
}

/// A file with all files that it loads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LoadedProgram {
    /// The parts of the files, in loading order.
    pub(crate) stretches: Vec<FilePart>,
    /// Files that are loaded when one of their predicates is first called, at an unknown time.
    pub(crate) later: Vec<SourceFile>,
    /// Files that are included more than once.
    pub(crate) again: Vec<SourceFile>,
    /// A description of unknown files that may add clauses; `None` if all files of the user's program are known.
    pub(crate) open: Option<SmolStr>,
    /// A description of a file that the program names and that was not read.
    pub(crate) missing: Option<SmolStr>,
}

/// Returns the programs that contain a file, each represented by its root file, which no file loads; sorted by path. Empty if files load
/// each other and no other file loads them.
///
/// *Invalidated* when a directive changes, or a file is added or removed.
#[salsa::tracked(returns(deref))]
pub(crate) fn roots(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let Some(workspace) = Workspace::try_get(db) else {
        return vec![file];
    };
    let loaders = loaders(db, workspace);
    let mut seen: FxHashSet<SourceFile> = FxHashSet::from_iter([file]);
    let (mut found, mut waiting) = (Vec::new(), vec![file]);
    while let Some(top) = waiting.pop() {
        match loaders.get(&top) {
            None => found.push(top),
            Some(all) => waiting.extend(all.iter().copied().filter(|&f| seen.insert(f))),
        }
    }
    found.sort_by(|&a, &b| place_of(db, a).cmp(&place_of(db, b)));
    found
}

/// Returns the program with this root file. Each file is loaded once, at the first directive that names it.
///
/// *Invalidated* when a directive changes, or a file is added or removed.
#[salsa::tracked(returns(ref))]
pub(crate) fn program(db: &dyn Db, root: SourceFile) -> LoadedProgram {
    let mut program = LoadedProgram::default();
    let mut seen: FxHashSet<SourceFile> = FxHashSet::from_iter([root]);
    let mut later = Vec::new();
    let mut stack = vec![FilePart {
        file: root,
        after: 0,
        certain: true,
    }];
    while let Some(top) = stack.last_mut() {
        let here = *top;
        program.stretches.push(here);
        let Some(load) = loads(db, here.file).loads.get(here.after) else {
            stack.pop();
            continue;
        };
        top.after += 1;
        let Some(other) = target(db, here.file, here.after) else {
            continue;
        };
        if load.kind == LoadKind::Autoload {
            later.push(other);
        } else if seen.insert(other) {
            stack.push(FilePart {
                file: other,
                after: 0,
                certain: here.certain && !load.conditional,
            });
        } else if load.kind == LoadKind::Include {
            program.again.push(other);
        }
    }
    while let Some(file) = later.pop() {
        if seen.insert(file) {
            program.later.push(file);
            later.extend((0..loads(db, file).loads.len()).filter_map(|n| target(db, file, n)));
        }
    }
    program.missing = not_read(db, &seen);
    program.open = may_grow(db, root).or_else(|| program.missing.clone());
    program
}

/// Returns the clauses of a program in loading order: runs of clauses of the user's files, by index, each between two loading directives.
/// Returns `None` for a file that other files load, or whose program includes a file twice.
///
/// *Invalidated* by every edit of one of the program's files.
#[must_use]
pub fn load_order(db: &dyn Db, root: SourceFile) -> Option<Vec<(SourceFile, Range<usize>)>> {
    let program = program(db, root);
    if roots(db, root) != [root] || !program.again.is_empty() {
        return None;
    }
    let mut all: FxHashMap<SourceFile, Vec<usize>> = FxHashMap::default();
    let own = |f: SourceFile| f.role(db) == Role::User && !is_installed(db, f);
    let stretches = program.stretches.iter().filter(|s| own(s.file));
    let runs = stretches.map(|stretch| {
        let after = all
            .entry(stretch.file)
            .or_insert_with(|| loads_before(db, stretch.file));
        let from = after.partition_point(|&n| n < stretch.after);
        (
            stretch.file,
            from..after.partition_point(|&n| n <= stretch.after),
        )
    });
    Some(runs.collect())
}

/// Returns, for each clause of a file, the number of loading directives before it.
fn loads_before(db: &dyn Db, file: SourceFile) -> Vec<usize> {
    let mut conditions = Conditions::for_file(db, file);
    let mut count = 0;
    (terms(db, file).clauses.iter())
        .map(|read| {
            let before = count;
            if let Some(goal) = directive(&read.terms, read.root) {
                conditions.read(read, goal);
                if conditions.presence() != Presence::Absent {
                    count += number_of_loads(&read.terms, goal);
                }
            }
            before
        })
        .collect()
}

/// Describes unknown files that may belong to a program. Files loaded by libraries are excluded, because they cannot define the user's
/// predicates.
fn may_grow(db: &dyn Db, root: SourceFile) -> Option<SmolStr> {
    let facts = facts(db, root);
    if facts.module.is_some() && !facts.is_main {
        return Some("files that load this one".into());
    }
    place_of(db, root).is_none().then(|| "other files".into())
}

/// Describes a file that the user's files in a program load, and that was not read.
fn not_read(db: &dyn Db, files: &FxHashSet<SourceFile>) -> Option<SmolStr> {
    let mut own: Vec<SourceFile> = (files.iter().copied())
        .filter(|&f| !is_installed(db, f))
        .collect();
    own.sort_by(|&a, &b| place_of(db, a).cmp(&place_of(db, b)));
    own.into_iter().find_map(|file| {
        let uses = loads(db, file);
        if uses.unreadable > 0 {
            let path = file.path(db);
            return Some(format_smolstr!("a file that `{path}` names by a variable"));
        }
        (uses.loads.iter().enumerate()).find_map(|(number, load)| {
            let is_shipped =
                || is_library(&load.spec) && shipped_library(db, &load.spec.path).is_some();
            let is_read = load.kind == LoadKind::Autoload
                || target(db, file, number).is_some()
                || is_shipped();
            (!is_read).then(|| format_smolstr!("`{}`, which was not read,", load.spec))
        })
    })
}
