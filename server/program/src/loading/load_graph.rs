//! The files that load a file.

use rustc_hash::FxHashMap;

use super::load_target::target;
use crate::directives::{LoadKind, loads};
use crate::workspace::{Db, SourceFile, Workspace};

/// Returns the files that load each file. *Invalidated* when a directive changes, or a file is added or removed.
#[salsa::tracked(returns(ref))]
pub(super) fn loaders(db: &dyn Db, workspace: Workspace) -> FxHashMap<SourceFile, Vec<SourceFile>> {
    let mut found: FxHashMap<SourceFile, Vec<SourceFile>> = Default::default();
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
