//! Files on which results about a file may depend, for callers that cache results between runs.

use rustc_hash::{FxHashMap, FxHashSet};

use super::groups::depends_on;
use crate::workspace::{Db, Role, SourceFile, Workspace, is_installed, place_of, trust_files};

/// Returns, for each of these files, the file itself and all files whose clauses may affect it, sorted by place: its direct and indirect
/// dependencies, their files of trust assertions, and the files that depend on one of these. A library does not depend on its users, so
/// that two programs are not connected by `library(lists)`.
#[must_use]
pub fn influences(db: &dyn Db, of: &[SourceFile]) -> Vec<Vec<SourceFile>> {
    let known = Workspace::try_get(db).map(|workspace| workspace.files(db));
    let known = known.iter().flat_map(|files| files.values().copied());
    let users: Vec<SourceFile> = (known.chain(of.iter().copied()))
        .filter(|&file| file.role(db) != Role::Library && !is_installed(db, file))
        .collect();
    let is_user: FxHashSet<SourceFile> = users.iter().copied().collect();
    let mut used_by: FxHashMap<SourceFile, Vec<SourceFile>> = FxHashMap::default();
    for &user in &users {
        for &needed in depends_on(db, user).iter().filter(|f| is_user.contains(f)) {
            used_by.entry(needed).or_default().push(user);
        }
    }
    let closure = |&file: &SourceFile| {
        let (mut found, mut waiting) = (FxHashSet::from_iter([file]), vec![file]);
        while let Some(file) = waiting.pop() {
            let above = used_by.get(&file).into_iter().flatten();
            let near = depends_on(db, file).iter().chain(above).copied();
            let near = near.chain(trust_files(db, file));
            waiting.extend(near.filter(|&other| found.insert(other)));
        }
        let mut found: Vec<SourceFile> = found.into_iter().collect();
        found.sort_by(|&a, &b| place_of(db, a).cmp(&place_of(db, b)));
        found
    };
    of.iter().map(closure).collect()
}
