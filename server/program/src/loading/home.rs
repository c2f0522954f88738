//! The module to which a file's clauses belong.

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::plain_loads::loaded_plainly_by;
use crate::directives::facts;
use crate::workspace::{Db, Role, SourceFile};

/// The module of files that are not loaded into another module.
pub(crate) const USER: &str = "user";

/// Returns the module to which a file's clauses belong: its own module or, for a file without a module, the module of the files that load
/// it as a part of themselves (`user` if there are none). Returns `None` if several files load it into different modules.
///
/// *Invalidated* when a directive changes, or a file is added or removed.
#[salsa::tracked(returns(ref))]
pub fn home_module(db: &dyn Db, file: SourceFile) -> Option<SmolStr> {
    if file.role(db) == Role::Library {
        return Some(file.path(db).into());
    }
    let mut found: Option<SmolStr> = None;
    let (mut seen, mut waiting) = (FxHashSet::default(), vec![file]);
    while let Some(part) = waiting.pop() {
        if !seen.insert(part) {
            continue;
        }
        let loaders = loaded_plainly_by(db, part);
        let mut modules: Vec<SmolStr> = Vec::new();
        match &facts(db, part).module {
            Some(module) => modules.push(module.clone()),
            None if loaders.is_empty() => modules.push(USER.into()),
            None => {
                for (loader, into) in loaders {
                    match into {
                        Some(module) => modules.push(module.clone()),
                        None => waiting.push(*loader),
                    }
                }
            }
        }
        for module in modules {
            if found.as_ref().is_some_and(|other| *other != module) {
                return None;
            }
            found = Some(module);
        }
    }
    // This applies to files that load each other and are not loaded by any other file.
    Some(found.unwrap_or_else(|| USER.into()))
}

/// Returns whether the clauses of a file belong to a module.
pub(crate) fn is_home(db: &dyn Db, file: SourceFile, module: &str) -> bool {
    home_module(db, file).as_deref() == Some(module)
}
