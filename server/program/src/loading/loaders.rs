//! The files that may be loaded before a file.

use rustc_hash::FxHashSet;

use super::load_graph::loaders;
use super::load_target::target;
use super::one_module::unit;
use crate::directives::{LoadKind, loads};
use crate::workspace::{Db, SourceFile, Workspace, is_installed};

/// Returns the files that may be loaded before a file: files that it loads, and files loaded by the files that load it. Installed libraries
/// are assumed to be loaded separately; autoloaded files are not yet loaded.
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
