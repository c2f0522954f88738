//! Predicates of `user` that SWI-Prolog itself calls: `portray/1` when it prints a term, `message_hook/3` when it prints a message.

use std::collections::BTreeMap;

use costlens_catalog::system_hooks;

use super::extensions::given_elsewhere;
use super::find::find_written;
use crate::directives::facts;
use crate::language::{Functor, split};
use crate::loading::{USER, home_module, program, roots};
use crate::workspace::{Db, SourceFile, Workspace, is_installed};

/// Returns, for each of these predicates, the files that contain clauses for it or declare it open; the files of libraries count as parts
/// of the system.
///
/// *Invalidated* when a clause of these predicates, a declaration for them, or a file is added or removed.
#[salsa::tracked(returns(ref))]
fn hooked(db: &dyn Db, workspace: Workspace) -> BTreeMap<Functor, Vec<SourceFile>> {
    let mut found: BTreeMap<Functor, Vec<SourceFile>> = BTreeMap::new();
    for &file in workspace.files(db).values() {
        if is_installed(db, file) {
            continue;
        }
        let given = given_elsewhere(db, file);
        let own = home_module(db, file).as_ref();
        for hook in system_hooks() {
            let hook = Functor::new(hook.name, hook.arity);
            // `prolog:message/3`
            let (module, there) = split(&hook).unwrap_or((USER, hook.clone()));
            let has_clauses = || find_written(db, file, &there).is_some();
            let is_declared = || facts(db, file).is_open(&there);
            if own.is_some_and(|own| own == module) && (has_clauses() || is_declared())
                || given.iter().any(|(m, f)| *m == module && *f == there)
            {
                found.entry(hook).or_default().push(file);
            }
        }
    }
    found
}

/// Returns a file that adds clauses to a predicate called by the system, in the programs that contain the given file.
pub fn hooked_in(db: &dyn Db, file: SourceFile, hook: &Functor) -> Option<SourceFile> {
    let workspace = Workspace::try_get(db)?;
    let by = hooked(db, workspace).get(hook)?;
    by.iter().copied().find(|&other| {
        other == file
            || roots(db, file).iter().any(|&root| {
                let program = program(db, root);
                program.stretches.iter().any(|s| s.file == other) || program.later.contains(&other)
            })
    })
}
