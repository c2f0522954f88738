//! Files without a module, which become parts of the module that loads them.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::load_target::targets;
use crate::directives::{LoadKind, facts, loads};
use crate::workspace::{Db, Role, SourceFile, Workspace, workspace};

/// Returns the files that load a file as a part of a module: by `ensure_loaded`, `include` or `[file]` for a file without a module. Each
/// comes with the module into which it loads the file, if the directive names a module.
pub(super) fn loaded_plainly_by(db: &dyn Db, file: SourceFile) -> &[PlainLoader] {
    static NONE: Vec<PlainLoader> = Vec::new();
    match workspace(db) {
        Some(workspace) => plain_loaders(db, workspace).get(&file).map_or(&NONE, |v| v),
        None => &NONE,
    }
}

/// Returns the files without a module that directives load into an explicit module other than the module of the directive's file:
/// `:- m:consult(extra)`.
pub(super) fn loaded_into<'db>(db: &'db dyn Db, module: &str) -> &'db [SourceFile] {
    static NONE: Vec<SourceFile> = Vec::new();
    match workspace(db) {
        Some(workspace) => into_modules(db, workspace).get(module).map_or(&NONE, |v| v),
        None => &NONE,
    }
}

/// Returns the files in [`loaded_into`], by module. *Invalidated* when a directive changes, or a file is added or removed.
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

/// Returns the files that define a module with this name.
pub(super) fn files_of_module<'db>(db: &'db dyn Db, module: &str) -> &'db [SourceFile] {
    static NONE: Vec<SourceFile> = Vec::new();
    match workspace(db) {
        Some(workspace) => module_files(db, workspace).get(module).map_or(&NONE, |v| v),
        None => &NONE,
    }
}

/// Returns the files of each module. *Invalidated* when a directive changes, or a file is added or removed.
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

/// Returns whether a file is not a module and no known file loads it.
pub fn is_loaded_by_nobody(db: &dyn Db, file: SourceFile) -> bool {
    facts(db, file).module.is_none()
        && file.role(db) == Role::User
        && loaded_plainly_by(db, file).is_empty()
}

/// A file with a directive that loads another file, and the module into which that file is loaded, if the directive names a module other
/// than the file's own.
pub(super) type PlainLoader = (SourceFile, Option<SmolStr>);

/// Returns, for each file without a module, the files that load it as a part of a module. *Invalidated* when a directive changes, or a file
/// is added or removed.
#[salsa::tracked(returns(ref))]
fn plain_loaders(db: &dyn Db, workspace: Workspace) -> FxHashMap<SourceFile, Vec<PlainLoader>> {
    let mut found: FxHashMap<SourceFile, Vec<PlainLoader>> = FxHashMap::default();
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

/// Returns whether a loaded file becomes a part of the file that loads it. `use_module` of a file without a module is an error, and loads nothing.
pub(crate) fn is_part(db: &dyn Db, kind: LoadKind, target: SourceFile) -> bool {
    kind == LoadKind::Include || kind == LoadKind::Plain && facts(db, target).module.is_none()
}
