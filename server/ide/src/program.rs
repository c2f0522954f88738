//! The files of a program for a run: a machine without modules loads them one after the other, if no name means two things.

use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_program::modules::{Reach, group_order, is_installed, reach};
use costlens_program::qualified::split;
use costlens_program::source::terms;
use costlens_program::{Functor, Role, SourceFile, callees, facts, predicates};
use costlens_syntax::FileTerms;

use crate::host::{Cancelled, File, Snapshot};
use crate::reports::Db;

/// A file as it was read, with the operators that it imports.
#[derive(Clone, Debug)]
pub struct Part {
    /// As messages call it.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Its clauses.
    pub terms: Arc<FileTerms>,
}

/// What a run loads.
#[derive(Clone, Debug)]
pub struct Program {
    /// Files before those that use them; the last one is what was asked for.
    pub parts: Vec<Part>,
    /// Why it is the only one although it loads others.
    pub left_out: Option<String>,
}

impl Snapshot {
    /// A file with the files of the user that it loads, directly or not.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn program(&self, file: File) -> Result<Program, Cancelled> {
        self.read(|db| program(db, file.0))
    }
}

fn program(db: &dyn Db, file: SourceFile) -> Program {
    let mut files: Vec<SourceFile> = (group_order(db, file).iter().copied())
        .filter(|&other| other.role(db) == Role::User && !is_installed(db, other))
        .collect();
    files.push(file);
    let left_out = means_two_things(db, &files);
    if left_out.is_some() {
        files = vec![file];
    }
    let part = |&of: &SourceFile| Part {
        name: of.path(db).to_owned(),
        text: of.parsed(db).text.to_string(),
        terms: terms(db, of),
    };
    Program {
        parts: files.iter().map(part).collect(),
        left_out,
    }
}

/// Why files cannot be loaded into one name space: a name that two of them define, or that means something else in one of them.
fn means_two_things(db: &dyn Db, files: &[SourceFile]) -> Option<String> {
    let mut homes: BTreeMap<&Functor, SourceFile> = BTreeMap::new();
    for &file in files {
        for predicate in predicates(db, file) {
            let functor = predicate.functor(db);
            if let Some(other) = homes.insert(functor, file) {
                return Some(defined_twice(db, functor, other, file));
            }
        }
    }
    for &file in files {
        let facts = facts(db, file);
        let declared = facts.dynamic.iter().chain(&facts.multifile);
        for functor in declared {
            if let Some(&other) = homes.get(functor).filter(|&&other| other != file) {
                return Some(defined_twice(db, functor, other, file));
            }
        }
        for &predicate in predicates(db, file) {
            for callee in callees(db, predicate) {
                let plain = split(callee).map_or_else(|| callee.clone(), |(_, plain)| plain);
                let meant = match reach(db, file, callee) {
                    Reach::Own(found) | Reach::Other(found) => Some(found),
                    _ => None,
                };
                let Some(&home) = homes.get(&plain).filter(|&&home| home != file) else {
                    // Under a name that only an import list gives it.
                    match meant.filter(|found| *found.functor(db) != plain) {
                        Some(found) => return Some(renamed(db, file, &plain, found.functor(db))),
                        None => continue,
                    }
                };
                if meant.is_none_or(|found| found.file(db) != home) {
                    return Some(format!(
                        "`{plain}` of `{}` is not what `{}` means by it",
                        home.path(db),
                        file.path(db)
                    ));
                }
                if let Some(found) = meant.filter(|found| *found.functor(db) != plain) {
                    return Some(renamed(db, file, &plain, found.functor(db)));
                }
            }
        }
    }
    None
}

fn defined_twice(db: &dyn Db, functor: &Functor, one: SourceFile, two: SourceFile) -> String {
    format!(
        "both `{}` and `{}` have a `{functor}`",
        one.path(db),
        two.path(db)
    )
}

fn renamed(db: &dyn Db, file: SourceFile, here: &Functor, there: &Functor) -> String {
    format!(
        "`{}` calls `{there}` by the name of `{here}`",
        file.path(db)
    )
}
