//! Recognises predicates with equal results by their clauses and the clauses of their helpers: a library predicate, and common
//! reimplementations. Unlike [copies](super::copies), whose clauses equal those of the library up to names, reimplementations differ in
//! cost.

use std::cell::RefCell;
use std::collections::BTreeMap;

use costlens_analysis::queries::library_report;
use costlens_analysis::types::{Pattern, Type};
use costlens_program::names::visible;
use costlens_program::positions::positions;
use costlens_program::workspace::is_installed;
use costlens_program::{Functor, Predicate, Resolved, SourceFile, callees, predicates, resolve};
use smol_str::SmolStr;

use super::copies::{CopyDefinition, are_alike, definitions};
use super::known::LibraryPredicate;
use super::meaning::known;
use super::oriented::oriented;
use super::site::{Site, is_closed};
use crate::db::{Db, reached_report};
use crate::present::indicator;
use crate::reports::crossover::{Cheaper, crossover};

/// A group of predicates on a list and a result that are equivalent for a proper list and an unbound result: they succeed once, with the
/// same result and without exceptions. The definitions of a task include copies of the library predicate and more expensive definitions;
/// `append/3` in them is the library predicate or a copy.
pub(super) struct EquivalentGroup {
    /// The library predicate.
    pub(super) library: &'static str,
    known: LibraryPredicate,
}

static TASKS: [EquivalentGroup; 2] = [
    EquivalentGroup {
        library: "reverse",
        known: LibraryPredicate::Reverse,
    },
    EquivalentGroup {
        library: "length",
        known: LibraryPredicate::Length,
    },
];

/// Returns the task of the predicate with this name in the file.
pub(super) fn task_of(site: &Site<'_>, functor: &Functor) -> Option<&'static EquivalentGroup> {
    match resolve(site.db, site.file, functor)? {
        Resolved::Own(p) | Resolved::Other(p) => task(site.db, p),
        Resolved::Library(_) => None,
    }
}

/// Returns the task of a predicate, which is recognised by its clauses.
fn task(db: &dyn Db, predicate: Predicate<'_>) -> Option<&'static EquivalentGroup> {
    if predicate.functor(db).arity != 2 || is_installed(db, predicate.file(db)) {
        return None;
    }
    TASKS.iter().find(|task| {
        let mut definitions = definitions().iter().filter(|of| of.known == task.known);
        definitions.any(|definition| is_defined(db, predicate, definition))
    })
}

/// A predicate that can replace the callee.
pub(super) struct Other {
    pub(super) functor: Functor,
    /// Its clauses and the clauses of its callees, if they are in another file. `None` if their text cannot be copied.
    pub(super) elsewhere: Option<String>,
}

/// Returns the other predicates of a task that can be called: the library predicate, or else predicates of the file and of the user's files
/// that it imports.
pub(super) fn others(
    site: &Site<'_>,
    task: &'static EquivalentGroup,
    than: &Functor,
) -> Vec<Other> {
    let (db, file) = (site.db, site.file);
    let library = Functor::new(task.library, 2);
    if site.means_library(&library) {
        return vec![Other {
            functor: library,
            elsewhere: Some(String::new()),
        }];
    }
    let does = |p: Predicate<'_>| self::task(db, p).is_some_and(|of| std::ptr::eq(of, task));
    let own = (predicates(db, file).iter())
        .filter(|&&p| p.functor(db) != than && does(p))
        .map(|p| Other {
            functor: p.functor(db).clone(),
            elsewhere: Some(String::new()),
        });
    let imported = (visible(db, file).into_iter())
        .filter(|(here, p)| here != than && does(*p))
        .map(|(here, p)| Other {
            elsewhere: clauses_of(site, &here, p),
            functor: here,
        });
    own.chain(imported).collect()
}

/// Returns the text of the clauses of a predicate of another file, and of its callees in that file. Returns `None` if the current file
/// already defines some of these names, or if a third file is involved.
fn clauses_of(site: &Site<'_>, here: &Functor, predicate: Predicate<'_>) -> Option<String> {
    let (db, home) = (site.db, predicate.file(site.db));
    // Under another name, its clauses would call a different predicate.
    (here == predicate.functor(db)).then_some(())?;
    let mut reached = vec![predicate];
    let mut next = 0;
    while let Some(&of) = reached.get(next) {
        next += 1;
        for callee in callees(db, of) {
            match resolve(db, home, callee) {
                Some(Resolved::Own(p)) if !reached.contains(&p) => reached.push(p),
                Some(Resolved::Other(p)) if !is_installed(db, p.file(db)) => return None,
                _ => {}
            }
        }
    }
    let positions = positions(db, home);
    let text = &home.parsed(db).text;
    let mut all = String::from("\n");
    for p in reached {
        let functor = p.functor(db);
        // The imported predicate must have this name in the file, and no other predicate may have it.
        let is_own = predicates(db, site.file)
            .iter()
            .any(|own| own.functor(db) == functor);
        (!is_own).then_some(())?;
        for place in &positions.iter().find(|at| at.functor == *functor)?.clauses {
            all.push_str(text.get(place.range.0..place.range.1)?);
            all.push('\n');
        }
    }
    Some(all)
}

fn is_defined(db: &dyn Db, predicate: Predicate<'_>, definition: &CopyDefinition) -> bool {
    let (functor, home) = (predicate.functor(db), predicate.file(db));
    let names = RefCell::new(BTreeMap::from([(SmolStr::new("p"), functor.name.clone())]));
    let is_same = |mine: &SmolStr, its: &SmolStr| match its.as_str() {
        "p" | "q" | "append" => {
            let mut names = names.borrow_mut();
            *names.entry(its.clone()).or_insert_with(|| mine.clone()) == *mine
        }
        _ => mine == its,
    };
    let is_alike = |functor: &Functor, name: &str| {
        let Some(Resolved::Own(predicate)) = resolve(db, home, functor) else {
            return false;
        };
        let clauses = predicate.clauses(db);
        let its = definition.clauses_of(name);
        // The clauses exclude each other for a list, so that their order does not matter.
        is_closed(db, predicate)
            && its.len() == clauses.len()
            && are_alike(&oriented(clauses), its, &is_same)
    };
    let named = |its: &str| names.borrow().get(its).cloned();
    is_alike(functor, "p")
        && named("q").is_none_or(|q| is_alike(&Functor::new(q, 3), "q"))
        && named("append").is_none_or(|name| {
            known(db, home, &Functor::new(name, 3)) == Some(LibraryPredicate::Append)
        })
}

/// Describes a predicate that has the same results as a call and takes no more steps above some size. Returns `None` if no such predicate is
/// known.
pub(crate) fn cheaper(
    db: &dyn Db,
    file: SourceFile,
    caller: &Functor,
    callee: &Functor,
    pattern: &Pattern,
) -> Option<String> {
    if !matches!(pattern.0[..], [Type::List(_), Type::Free]) {
        return None;
    }
    let positions = positions(db, file);
    let places = positions.iter().find(|p| p.functor == *caller)?;
    let mut others: Vec<Other> = Vec::new();
    Site::visit(db, file, caller, &places.clauses, |site| {
        let task = task_of(site, callee).filter(|_| caller != callee);
        others = task.map_or(Vec::new(), |task| self::others(site, task, callee));
    });
    let fitting = |functor: &Functor| {
        let report = reached_report(db, file, functor);
        let mut patterns = report.iter().flat_map(|report| &report.patterns);
        let known = patterns.find(|p| pattern.is_within(&p.pattern)).cloned();
        known.or_else(|| library_report(db, file, functor, pattern))
    };
    let own = fitting(callee)?;
    others.iter().find_map(|other| {
        let stretches = crossover(&own, &fitting(&other.functor)?)?;
        let last = stretches.last().filter(|s| s.cheaper == Cheaper::Second)?;
        Some(format!(
            "`{}` returns the same result here and takes no more steps for n ≥ {}, where n is the length of the list.",
            indicator(&other.functor),
            last.from
        ))
    })
}
