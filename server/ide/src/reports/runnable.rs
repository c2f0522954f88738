//! Collects the files of a program for a run. They are loaded one after another on a machine without modules, provided that no name has two
//! meanings.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use costlens_program::calls::called_in;
use costlens_program::definitions::{all_clauses, gathered, given_elsewhere};
use costlens_program::graph::reach;
use costlens_program::language::{MetaMode, split};
use costlens_program::loading::{home_module, load_order};
use costlens_program::names::{Reach, group_order};
use costlens_program::workspace::is_installed;
use costlens_program::workspace::terms;
use costlens_program::{Clause, Functor, Role, SourceFile, facts, find, predicates};
use costlens_syntax::FileTerms;
use costlens_syntax::term::{Term, TermId};

use crate::db::Db;

/// A parsed file, including the operators that it imports.
#[derive(Clone, Debug)]
pub struct LoadedFile {
    /// The name in messages.
    pub name: String,
    /// The text.
    pub text: String,
    /// The clauses.
    pub terms: Arc<FileTerms>,
}

/// The files of a run.
#[derive(Clone, Debug)]
pub struct Runnable {
    /// The files.
    pub parts: Vec<LoadedFile>,
    /// Ranges of clauses, each with the index of its part, in loading order. If the loading order is unknown, a file precedes the files
    /// that use it.
    pub order: Vec<(usize, Range<usize>)>,
    /// The reason why only the file itself is included although it loads other files.
    pub left_out: Option<String>,
    /// The reasons why a run may differ from SWI-Prolog, one sentence each.
    pub differences: Vec<String>,
}

/// Returns a file together with the user's files that it loads directly or indirectly.
pub(crate) fn runnable(db: &dyn Db, file: SourceFile) -> Runnable {
    let mut files = files_of(db, file);
    let left_out = means_two_things(db, &files);
    if left_out.is_some() {
        files = vec![file];
    }
    let part = |&of: &SourceFile| LoadedFile {
        name: of.path(db).to_owned(),
        text: of.parsed(db).text.to_string(),
        terms: terms(db, of),
    };
    let parts: Vec<LoadedFile> = files.iter().map(part).collect();
    let runs = load_order(db, file).filter(|_| left_out.is_none());
    let runs: Vec<(usize, Range<usize>)> = (runs.unwrap_or_default().into_iter())
        .filter_map(|(of, run)| Some((files.iter().position(|&f| f == of)?, run)))
        .collect();
    // Files with an unknown loading time come first: files that are autoloaded on a call.
    let whole = (0..parts.len()).filter(|n| !runs.iter().any(|(number, _)| number == n));
    let mut order: Vec<_> = (whole.map(|n| (n, 0..parts[n].terms.clauses.len()))).collect();
    order.extend(runs);
    let differences = { files.iter() }
        .flat_map(|&file| takes_modules(db, file))
        .collect();
    Runnable {
        parts,
        order,
        left_out,
        differences,
    }
}

/// Reports each predicate that matches the module qualifier of a meta-argument, since the machine does not add qualifiers.
fn takes_modules(db: &dyn Db, file: SourceFile) -> impl Iterator<Item = String> {
    let facts = facts(db, file);
    let is_one = move |functor: &Functor, modes: &[MetaMode]| {
        let predicate = find(db, file, functor)?;
        let clauses = all_clauses(db, predicate);
        let mut all = clauses.iter();
        all.any(|clause| names_module(clause, modes))
            .then(|| functor.clone())
    };
    let found = facts
        .meta
        .iter()
        .filter_map(move |(f, modes)| is_one(f, modes));
    found.map(|functor| {
        format!(
            "`{functor}` takes the module of an argument apart (`M:X`); SWI-Prolog adds it to each call, and this machine, which has no modules, does not: the result may differ"
        )
    })
}

/// Returns true if a clause unifies a meta-argument with a term `M:X`, in its head or by `=/2`.
fn names_module(clause: &Clause, modes: &[MetaMode]) -> bool {
    let terms = &clause.terms;
    let is_apart = |t: TermId| terms.matches(t, ":", 2).is_some();
    let given: Vec<TermId> = { terms.args(clause.head).iter().zip(modes) }
        .filter(|(_, mode)| mode.is_in_callers_module())
        .map(|(&argument, _)| argument)
        .collect();
    let is_given = |t: TermId| {
        matches!(terms.get(t), Term::Var(_)) && given.iter().any(|&g| terms.get(g) == terms.get(t))
    };
    let mut goals =
        { clause.guard.iter().chain(&clause.body) }.flat_map(|&part| terms.subterms(part));
    given.iter().any(|&t| is_apart(t))
        || goals.any(|goal| match terms.matches(goal, "=", 2) {
            Some(&[a, b]) => is_given(a) && is_apart(b) || is_given(b) && is_apart(a),
            _ => false,
        })
}

/// Returns the user's files that a file loads directly or indirectly, followed by the file itself.
pub(crate) fn files_of(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let mut files: Vec<SourceFile> = (group_order(db, file).iter().copied())
        .filter(|&other| other.role(db) == Role::User && !is_installed(db, other))
        .collect();
    files.push(file);
    files
}

/// Returns the places of a predicate's clauses in several files. Returns `None` if clauses of different files are not combined.
fn clauses_of(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Vec<(SourceFile, usize)>> {
    let all = gathered(db, file, functor)?.as_ref().ok()?;
    Some(all.iter().map(|given| (given.file, given.number)).collect())
}

/// Returns true if two files both contribute clauses to the same multifile predicate.
fn is_shared(db: &dyn Db, functor: &Functor, one: SourceFile, two: SourceFile) -> bool {
    let all = clauses_of(db, one, functor);
    one == two || all.is_some() && all == clauses_of(db, two, functor)
}

/// Returns the reason why files cannot share one namespace: a name that two files define, or that has another meaning in one of them.
fn means_two_things(db: &dyn Db, files: &[SourceFile]) -> Option<String> {
    let mut homes: BTreeMap<&Functor, SourceFile> = BTreeMap::new();
    for &file in files {
        for predicate in predicates(db, file) {
            let functor = predicate.functor(db);
            if let Some(other) = homes.insert(functor, file)
                && !is_shared(db, functor, other, file)
            {
                return Some(defined_twice(db, functor, other, file));
            }
        }
    }
    for &file in files {
        for (module, functor) in given_elsewhere(db, file) {
            let is_it = |host: &SourceFile| home_module(db, *host).as_ref() == Some(module);
            let host = files.iter().copied().find(is_it);
            let home = host.unwrap_or(file);
            if let Some(&other) = homes.get(functor) {
                if host.is_some_and(|host| is_shared(db, functor, host, other) && host != other) {
                    continue;
                }
                if other != home {
                    return Some(defined_twice(db, functor, other, home));
                }
                match gathered(db, home, functor) {
                    Some(Ok(_)) => {}
                    Some(Err(apart)) => return Some(format!("of `{functor}`, {}", apart.reason)),
                    None => return Some(given_clauses(db, functor, home, file)),
                }
            }
            homes.insert(functor, home);
        }
    }
    for &file in files {
        let facts = facts(db, file);
        for functor in &facts.dynamic {
            if let Some(&other) = homes.get(functor).filter(|&&other| other != file) {
                return Some(defined_twice(db, functor, other, file));
            }
        }
        for functor in &facts.multifile {
            let one_module = |other: SourceFile| home_module(db, file) == home_module(db, other);
            if let Some(&other) = homes.get(functor).filter(|&&other| !one_module(other)) {
                return Some(defined_twice(db, functor, other, file));
            }
        }
        for callee in &called_in(db, file) {
            let qualified = split(callee);
            let is_plain = qualified.is_none();
            let plain = qualified.map_or_else(|| callee.clone(), |(_, plain)| plain);
            let meant = match reach(db, file, callee) {
                Reach::Own(found) | Reach::Other(found) => Some(found),
                _ => None,
            };
            let home = homes.get(&plain).copied();
            if let Some(home) = home.filter(|&home| home != file || !is_plain)
                && meant.is_none_or(|f| !is_shared(db, f.functor(db), f.file(db), home))
            {
                return Some(format!(
                    "`{plain}` of `{}` is not what `{}` means by it",
                    home.path(db),
                    file.path(db)
                ));
            }
            // An import list introduced this name for a predicate with another name.
            if let Some(found) = meant.filter(|found| *found.functor(db) != plain) {
                return Some(renamed(db, file, &plain, found.functor(db)));
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

fn given_clauses(db: &dyn Db, functor: &Functor, home: SourceFile, by: SourceFile) -> String {
    format!(
        "`{}` gives `{functor}` of `{}` clauses, and nobody declares it to be multifile",
        by.path(db),
        home.path(db)
    )
}

fn renamed(db: &dyn Db, file: SourceFile, here: &Functor, there: &Functor) -> String {
    format!(
        "`{}` calls `{there}` by the name of `{here}`",
        file.path(db)
    )
}
