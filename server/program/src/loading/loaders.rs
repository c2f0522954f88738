//! Who loads a file, and which files are loaded before it.

use rustc_hash::FxHashSet;

use super::load_target::target;
use super::one_module::unit;
use crate::directives::{LoadKind, loads};
use crate::workspace::{Db, SourceFile, Workspace, is_installed};

/// The files that may be loaded before a file: those that it loads, and those that are loaded by whatever loads it. Installed libraries are taken
/// to be loaded by themselves; what is loaded when it is first called is not there yet.
pub(crate) fn loaded_with(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let mut tops = vec![file];
    tops.extend(unit(db, file));
    if !is_installed(db, file)
        && let Some(workspace) = Workspace::try_get(db)
    {
        let loaders = loaders(db, workspace);
        let mut at = 0;
        while let Some(&top) = tops.get(at) {
            at += 1;
            for &loader in loaders.get(&top).into_iter().flatten() {
                if !tops.contains(&loader) {
                    tops.push(loader);
                }
            }
        }
    }
    let mut seen: FxHashSet<SourceFile> = FxHashSet::default();
    let mut found = Vec::new();
    while let Some(top) = tops.pop() {
        if !seen.insert(top) {
            continue;
        }
        found.push(top);
        for (number, load) in loads(db, top).loads.iter().enumerate() {
            if load.kind != LoadKind::Autoload {
                tops.extend(target(db, top, number));
            }
        }
    }
    found.sort_by(|a, b| a.path(db).cmp(b.path(db)));
    found
}

/// Who loads each file. *Invalidated* when a directive changes, or a file comes or goes.
#[salsa::tracked(returns(ref))]
pub(super) fn loaders(
    db: &dyn Db,
    workspace: Workspace,
) -> rustc_hash::FxHashMap<SourceFile, Vec<SourceFile>> {
    let mut found: rustc_hash::FxHashMap<SourceFile, Vec<SourceFile>> = Default::default();
    for &file in workspace.files(db).values() {
        for (number, load) in loads(db, file).loads.iter().enumerate() {
            if load.kind != LoadKind::Autoload
                && let Some(other) = target(db, file, number)
                && other != file
            {
                found.entry(other).or_default().push(file);
            }
        }
    }
    found
}
