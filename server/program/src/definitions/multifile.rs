//! Combines the clauses of multifile predicates: those of all files of the program, in loading order.
//!
//! ```prolog
//! :- module(shapes, [area/2]).          % shapes.pl
//! :- multifile area/2.
//! area(none, 0).
//!
//! :- use_module(shapes).                % main.pl, which no file loads
//! shapes:area(square(A), S) :- square(A, S).      % the second clause; square/2 is that of main.pl
//! ```
//!
//! The clauses are combined only if they and their order are certain. A file that no other file loads, and that is not a module (or contains
//! `:- initialization(main, main)`), is treated as the root of a whole program. For other programs, that no unknown file adds clauses is an
//! assumption ([`assumed_whole`]).

use std::sync::Arc;

use costlens_catalog::is_system_hook;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::multifile_contributions::{
    ContributedClause, Contribution, ContributionKind, ModulePredicate, contributions, in_module,
    multifile,
};
use super::predicate::{Predicate, without_clauses};
use crate::directives::facts;
use crate::language::{Clause, Functor, in_order};
use crate::loading::{LoadedProgram, USER, home_module, program, roots};
use crate::workspace::{Db, Role, SourceFile, Workspace, is_installed, place_of};

/// A clause of a multifile predicate, and its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The file.
    pub file: SourceFile,
    /// The index (from 0) of the clause among those that the file adds to the predicate.
    pub number: usize,
    /// The clause as it runs: the goals of a clause from another module are qualified with that module.
    pub clause: Clause,
    /// The clause as written.
    pub(crate) written: Clause,
    /// The module with which the goals are qualified.
    pub(crate) body_in: Option<SmolStr>,
}

/// The reason why the clauses of a multifile predicate are not combined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// The reason as text, with "it" for the predicate.
    pub reason: String,
    /// Advice for the user.
    pub help: &'static str,
}

/// The clauses of a multifile predicate, or the reason why they are unknown.
pub type Gathered = Result<Arc<[Given]>, Apart>;

const NO_OTHER: &str = "Remove `:- multifile` if no other file adds clauses.";

pub(crate) const ONE_FILE: &str =
    "Put its clauses into one file, or state what it costs in a `trust` assertion.";

/// The multifile predicates that belong to a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OfFile {
    gathered: FxHashMap<Functor, Gathered>,
    /// The predicates whose program is not known completely, sorted.
    assumed: Vec<Functor>,
}

/// Returns the multifile predicates that belong to a file: those to which it adds clauses as a part of their module, and, for the module's
/// own file, those with clauses only in other files.
///
/// *Invalidated* when a directive of a program that contains the file changes, or a clause of such a predicate.
#[salsa::tracked(returns(ref))]
fn gathered_in(db: &dyn Db, file: SourceFile) -> OfFile {
    let mut found = OfFile::default();
    let Some(workspace) = Workspace::try_get(db) else {
        return found;
    };
    if file.role(db) == Role::Library || is_installed(db, file) {
        return found;
    }
    let Some(module) = home_module(db, file) else {
        return found;
    };
    let is_host = match &facts(db, file).module {
        Some(_) => true,
        None => module == USER && roots(db, file) == [file],
    };
    let mut all: Vec<(&ModulePredicate, &bool)> = (multifile(db, workspace).iter())
        .filter(|((of, _), _)| of == module)
        .collect();
    all.sort_unstable();
    for (key, &in_library) in all {
        let has_clauses = (contributions(db, file).get(key)).is_some_and(|all| {
            all.iter()
                .any(|p| matches!(p.what, ContributionKind::Clause(_)))
        });
        if !has_clauses && !is_host {
            continue;
        }
        let all = together(db, file, key, in_library);
        if has_clauses || all.as_ref().is_ok_and(|(all, _)| !all.is_empty()) {
            let all = all.map(|(all, is_whole)| {
                if !is_whole {
                    found.assumed.push(key.1.clone());
                }
                all
            });
            found.gathered.insert(key.1.clone(), all);
        }
    }
    found
}

/// Returns the clauses of a file's multifile predicate. Returns `None` if the predicate is not multifile, or belongs to a library.
pub fn gathered<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<&'db Gathered> {
    gathered_in(db, file).gathered.get(functor)
}

/// Returns the multifile predicates of a file to which no unknown file adds clauses, by assumption: those of a file without a known program
/// that loads it.
pub(crate) fn assumed_whole(db: &dyn Db, file: SourceFile) -> &[Functor] {
    &gathered_in(db, file).assumed
}

/// Combines the clauses of a predicate. Returns also whether some program with the file is known completely.
fn together(
    db: &dyn Db,
    file: SourceFile,
    key: &ModulePredicate,
    in_library: bool,
) -> Result<(Arc<[Given]>, bool), Apart> {
    let may_add = |who: &str| Apart {
        reason: format!("it is multifile: {who} may add clauses"),
        help: NO_OTHER,
    };
    if place_of(db, file).is_none() {
        return Err(may_add("other files"));
    }
    let is_hook = || is_system_hook(&key.1.name, key.1.arity);
    if in_library || key.0 == USER && is_hook() {
        return Err(may_add("libraries"));
    }
    let roots = roots(db, file);
    let mut found: Option<(SourceFile, Vec<Given>)> = None;
    let mut whole = false;
    for &root in roots {
        let program = program(db, root);
        let all = clauses_of(db, program, key)?;
        let same = |other: &[Given]| {
            let places = |all: &[Given]| -> Vec<(SourceFile, usize)> {
                all.iter().map(|g| (g.file, g.number)).collect()
            };
            places(other) == places(&all)
        };
        if let Some((other, _)) = found.as_ref().filter(|(_, other)| !same(other)) {
            return Err(Apart {
                reason: format!(
                    "it is multifile: `{}` and `{}` load different clauses of it",
                    other.path(db),
                    root.path(db)
                ),
                help: "Look at one of the two programs without the other.",
            });
        }
        // A file that is named and was not read probably contributes clauses.
        if let Some(who) = &program.missing {
            return Err(may_add(who));
        }
        whole |= program.open.is_none();
        found = Some((root, all));
    }
    match found {
        Some((_, all)) => Ok((all.into(), whole)),
        None => Err(may_add("files that load this one")),
    }
}

/// Returns the clauses that a program adds to a predicate, or the reason why they are unknown.
fn clauses_of(
    db: &dyn Db,
    program: &LoadedProgram,
    key: &ModulePredicate,
) -> Result<Vec<Given>, Apart> {
    let mut found: Vec<Given> = Vec::new();
    let mut numbers: FxHashMap<SourceFile, usize> = FxHashMap::default();
    let mut declared = false;
    for stretch in &program.stretches {
        let Some(all) = contributions(db, stretch.file).get(key) else {
            continue;
        };
        let from = all.partition_point(|p| p.after < stretch.after);
        let until = all.partition_point(|p| p.after <= stretch.after);
        for given in &all[from..until] {
            let part = match &given.what {
                ContributionKind::Multifile => {
                    declared |= stretch.certain;
                    continue;
                }
                ContributionKind::Open => {
                    return apart(
                        db,
                        stretch.file,
                        "says that its clauses may change",
                        ONE_FILE,
                    );
                }
                ContributionKind::Unread => {
                    return apart(
                        db,
                        stretch.file,
                        "gives it a clause in a form that is not read",
                        ONE_FILE,
                    );
                }
                ContributionKind::Clause(part) => part,
            };
            let is_new = !numbers.contains_key(&stretch.file);
            if let Some((why, help)) = hindered(program, stretch.file, stretch.certain, part) {
                return apart(db, stretch.file, why, help);
            }
            if !declared && (part.is_qualified || is_new && !numbers.is_empty()) {
                return apart(
                    db,
                    stretch.file,
                    "gives it clauses before it is declared to be multifile, so that others are lost",
                    "Declare it (`:- multifile`) in this file before its first clause.",
                );
            }
            let number = numbers.entry(stretch.file).or_default();
            found.push(Given {
                file: stretch.file,
                number: *number,
                clause: match &part.body_in {
                    Some(module) => in_module(&part.clause, module),
                    None => part.clause.clone(),
                },
                written: part.clause.clone(),
                body_in: part.body_in.clone(),
            });
            *number += 1;
        }
    }
    for &file in &program.later {
        let gives = |p: &Contribution| !matches!(p.what, ContributionKind::Multifile);
        if contributions(db, file)
            .get(key)
            .is_some_and(|all| all.iter().any(gives))
        {
            return apart(
                db,
                file,
                "gives it clauses, and is loaded when something of it is first called",
                "Load it with `use_module/1`.",
            );
        }
    }
    Ok(found)
}

/// Returns the reason, with its position, why it is uncertain whether a clause belongs to a predicate.
fn hindered(
    program: &LoadedProgram,
    file: SourceFile,
    certain: bool,
    part: &ContributedClause,
) -> Option<(&'static str, &'static str)> {
    if !certain {
        Some((
            "gives it clauses, and is loaded only where a condition holds",
            "Load it without the condition.",
        ))
    } else if part.is_conditional {
        Some((
            "gives it clauses between `:- if` and `:- endif`",
            "Move its clauses out of `:- if`.",
        ))
    } else if part.in_unit {
        Some((
            "gives it clauses in a unit of tests, which is a module of its own",
            "Give the predicates of the unit names of their own.",
        ))
    } else if program.again.contains(&file) {
        Some((
            "gives it clauses, and is included twice",
            "Include it once.",
        ))
    } else {
        None
    }
}

fn apart<T>(db: &dyn Db, file: SourceFile, why: &str, help: &'static str) -> Result<T, Apart> {
    Err(Apart {
        reason: format!("it is multifile: `{}` {why}", file.path(db)),
        help,
    })
}

/// Returns all clauses of a predicate: those in its file, and for a multifile predicate those of the whole program, if they are known.
#[must_use]
pub fn all_clauses<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Arc<[Clause]> {
    match gathered(db, predicate.file(db), predicate.functor(db)) {
        Some(Ok(_)) => put_together(db, predicate),
        _ => Arc::clone(predicate.clauses(db)),
    }
}

/// Returns [`all_clauses`] in arenas in which the arguments of each term precede the term. The literals may have other ids.
#[must_use]
pub fn clauses_in_order<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Arc<[Clause]> {
    let Some(Ok(all)) = gathered(db, predicate.file(db), predicate.functor(db)) else {
        return all_clauses(db, predicate);
    };
    let ordered = |given: &Given| match given.body_in {
        None => given.clause.clone(),
        Some(_) => {
            let ordered = in_order(given.clause.clone());
            // A huge clause is not reordered.
            match Arc::ptr_eq(&ordered.terms, &given.clause.terms) {
                true => given.written.clone(),
                false => ordered,
            }
        }
    };
    all.iter().map(ordered).collect()
}

/// *Invalidated* when a clause changes in one of the predicate's files.
#[salsa::tracked(returns(clone))]
fn put_together<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Arc<[Clause]> {
    match gathered(db, predicate.file(db), predicate.functor(db)) {
        Some(Ok(all)) => all.iter().map(|given| given.clause.clone()).collect(),
        _ => Arc::clone(predicate.clauses(db)),
    }
}

/// Returns the multifile predicates of a module that have clauses only in other files, given the module's own file; sorted by name.
///
/// *Invalidated* like [`gathered_in`].
#[salsa::tracked(returns(deref))]
pub(super) fn hosted<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<Predicate<'db>> {
    let mut functors: Vec<&Functor> = (gathered_in(db, file).gathered.iter())
        .filter(|(_, all)| {
            all.as_ref()
                .is_ok_and(|all| all.iter().all(|g| g.file != file))
        })
        .map(|(functor, _)| functor)
        .collect();
    functors.sort_unstable();
    without_clauses(db, file, &functors)
}

/// Returns the file that contains a clause of [`all_clauses`], and the clause's index among those that this file adds to the predicate.
#[must_use]
pub fn stands_in(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    clause: usize,
) -> (SourceFile, usize) {
    match gathered(db, file, functor) {
        Some(Ok(all)) => all
            .get(clause)
            .map_or((file, clause), |g| (g.file, g.number)),
        _ => (file, clause),
    }
}

/// Returns the files that add clauses to a multifile predicate, in loading order, if these clauses are combined and come from several
/// files.
pub fn gathered_from(db: &dyn Db, file: SourceFile, functor: &Functor) -> Vec<SourceFile> {
    let mut found: Vec<SourceFile> = Vec::new();
    if let Some(Ok(all)) = gathered(db, file, functor) {
        for given in all.iter() {
            if !found.contains(&given.file) {
                found.push(given.file);
            }
        }
    }
    found.retain(|&f| f != file || all_is_not_own(db, file, functor));
    found
}

/// Returns whether another file adds a clause to the predicate.
fn all_is_not_own(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    matches!(gathered(db, file, functor), Some(Ok(all)) if all.iter().any(|g| g.file != file))
}

/// Returns the other files that contribute clauses to a file's multifile predicates, sorted by path.
pub(crate) fn contributors(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let mut found: Vec<SourceFile> = (gathered_in(db, file).gathered.values().flatten())
        .flat_map(|all| all.iter().map(|g| g.file))
        .filter(|&f| f != file)
        .collect();
    found.sort_by(|&a, &b| place_of(db, a).cmp(&place_of(db, b)));
    found.dedup();
    found
}
