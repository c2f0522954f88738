//! Assertions that replace the text of a library.

use super::resolution::reach;
use crate::calls::opened;
use crate::directives::{facts, is_stated_at, loads};
use crate::language::{Functor, is_library};
use crate::loading::{target, unit};
use crate::names::Reach;
use crate::workspace::{Db, SourceFile, StatedLibraries};

/// Returns the assertions that replace the definition of a name without clauses: the library's file of assertions, and the name in this
/// file. Returns `None` if the name may refer to anything other than the definition in SWI-Prolog's library.
pub fn stated_instead(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<(SourceFile, Functor)> {
    let stated = StatedLibraries::try_get(db)?.files(db);
    let mut files = vec![file];
    files.extend(unit(db, file));
    let may_be_another = |&f: &SourceFile| {
        let facts = facts(db, f);
        !facts.autoloads || facts.is_open(functor) || opened(db, f, functor).is_some()
    };
    if files.iter().any(may_be_another) {
        return None;
    }
    let is_stated = |home: SourceFile, name: &Functor| is_stated_at(db, home, name);
    match reach(db, file, functor) {
        Reach::Missing(at, number) if files.contains(&at) => {
            let load = loads(db, at).loads.get(number as usize)?;
            let home = Some(&load.spec).filter(|s| is_library(s) && !load.conditional)?;
            let home = *stated.get(&*home.path)?;
            let there = load.imports.there(functor)?;
            is_stated(home, there).then(|| (home, there.clone()))
        }
        Reach::Nothing => {
            let mut excluded = Vec::new();
            for &f in &files {
                for (number, load) in loads(db, f).loads.iter().enumerate() {
                    if !is_library(&load.spec) || target(db, f, number).is_some() {
                        continue;
                    }
                    let Some(&home) = stated.get(&*load.spec.path) else {
                        continue;
                    };
                    match load.imports.there(functor).filter(|n| is_stated(home, n)) {
                        Some(_) if load.conditional => excluded.push(home),
                        Some(there) => return Some((home, there.clone())),
                        None => {}
                    }
                }
            }
            // A predicate that no directive imports is loaded when it is first called.
            let mut others = stated.values().filter(|home| !excluded.contains(home));
            let home = *others.find(|&&home| is_stated(home, functor))?;
            Some((home, functor.clone()))
        }
        _ => None,
    }
}
