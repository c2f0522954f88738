//! The files of a program for a run: a machine without modules loads them one after the other, if no name means two things.

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

/// A file as it was read, with the operators that it imports.
#[derive(Clone, Debug)]
pub struct LoadedFile {
    /// Its name in messages.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Its clauses.
    pub terms: Arc<FileTerms>,
}

/// The files of a run.
#[derive(Clone, Debug)]
pub struct Runnable {
    /// The files.
    pub parts: Vec<LoadedFile>,
    /// The numbers of clauses of a part that come in one after the other, and so on with those of the next one: in the order of loading where
    /// that is known, or files before those that use them.
    pub order: Vec<(usize, Range<usize>)>,
    /// The reason that the file is the only one although it loads others.
    pub left_out: Option<String>,
    /// Why a run may differ from SWI-Prolog's, a sentence for each reason.
    pub differences: Vec<String>,
}

/// A file with the files of the user that it loads, directly or not.
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
    // Files that nobody can say the time of: those that are loaded when something of them is first called.
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

/// Says of the predicates that take the module of a meta-argument apart that the machine adds none.
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

/// True if a clause unifies an argument that comes with a module with a term `M:X`, in its head or by `=/2`.
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

/// The files of the user that a file loads, directly or not, and the file itself behind them.
pub(crate) fn files_of(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let mut files: Vec<SourceFile> = (group_order(db, file).iter().copied())
        .filter(|&other| other.role(db) == Role::User && !is_installed(db, other))
        .collect();
    files.push(file);
    files
}

/// The places of a predicate's clauses that several files give it. None where they are not put together.
fn clauses_of(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Vec<(SourceFile, usize)>> {
    let all = gathered(db, file, functor)?.as_ref().ok()?;
    Some(all.iter().map(|given| (given.file, given.number)).collect())
}

/// True where two files define one predicate: a multifile one that both give clauses.
fn is_shared(db: &dyn Db, functor: &Functor, one: SourceFile, two: SourceFile) -> bool {
    let all = clauses_of(db, one, functor);
    one == two || all.is_some() && all == clauses_of(db, two, functor)
}

/// The reason that files cannot share one name space: a name that two of them define, or that means something else in one of them.
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
            // Under a name that only an import list gives it.
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
