//! Predicates: the clauses of one name and arity, wherever they stand in the file.
#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]

use std::sync::Arc;

use costlens_catalog::is_built_in;
use costlens_syntax::{Dialect, is_gnu_built_in};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::clause::{Clause, Functor, directive};
use crate::conditions::{Conditions, Presence};
use crate::modules::{
    Reach, Unsettled, gathered, hosted, is_cut, is_home, named_by, reach, reach_written,
    unread_library, why_not_in_module,
};
use crate::source::{Db, Library, SourceFile, terms};
use crate::specialise::find_made;

/// A predicate of a file.
///
/// *Identity*: the file, the name and the arity. Reordering predicates, or writing a clause of one between those of another,
/// keeps every identity. *Invalidated* field by field.
#[salsa::tracked(debug)]
pub struct Predicate<'db> {
    /// The file that defines it.
    #[returns(copy)]
    pub file: SourceFile,
    /// Name and arity.
    pub functor: Functor,
    /// Its clauses in the order of the file, without positions.
    #[tracked]
    pub clauses: Arc<[Clause]>,
    /// Whether a clause stands between `:- if(…)` and `:- endif` and is not known to be there or not.
    #[tracked]
    #[returns(copy)]
    pub conditional: bool,
    /// Whether clauses stand in a unit of tests and others elsewhere: a unit is a module of its own, and these are several predicates.
    #[tracked]
    #[returns(copy)]
    pub of_several_units: bool,
}

/// The clauses of a predicate while they are gathered, whether one is conditional, and the units of tests that they stand in (0 for none).
type Gathered = (Vec<Clause>, bool, FxHashSet<usize>);

/// The predicates of a file in the order of their first clauses; discontiguous clauses are gathered, those left out that a condition excludes
/// ([`crate::conditions`]).
///
/// *Invalidated* by every edit; equal as long as the same predicates come in the same order.
#[salsa::tracked(returns(deref))]
pub fn predicates<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<Predicate<'db>> {
    let mut found: Vec<(Functor, Gathered)> = Vec::new();
    let mut at: FxHashMap<Functor, usize> = FxHashMap::default();
    let mut conditions = Conditions::of(db, file);
    let (mut units, mut unit) = (0_usize, 0_usize);
    // Mostly a clause is of the same predicate as the one before.
    let mut last = usize::MAX;
    for read in &terms(db, file).clauses {
        if let Some(goal) = directive(&read.terms, read.root) {
            conditions.read(read, goal);
            match read.terms.functor(goal).map(|(n, a)| (n.as_str(), a)) {
                Some(("begin_tests", 1 | 2)) => {
                    units += 1;
                    unit = units;
                }
                Some(("end_tests", 1)) => unit = 0,
                _ => {}
            }
        } else if conditions.presence() != Presence::Absent
            && let Some((functor, clause)) =
                Clause::of_module(&read.terms, read.root, &|m| is_home(db, file, m))
        {
            if found.get(last).is_none_or(|(known, _)| *known != functor) {
                last = *at.entry(functor.clone()).or_insert(found.len());
                if last == found.len() {
                    found.push((functor, Gathered::default()));
                }
            }
            let (_, (clauses, conditional, in_units)) = &mut found[last];
            clauses.push(clause);
            *conditional |= conditions.presence() == Presence::Open;
            in_units.insert(unit);
        }
    }
    (found.into_iter())
        .map(|(functor, (clauses, conditional, in_units))| {
            // Each clause of a test runs by itself.
            let is_test = functor.name == "test" && matches!(functor.arity, 1 | 2);
            let several = in_units.len() > 1 && !is_test;
            Predicate::new(db, file, functor, clauses.into(), conditional, several)
        })
        .collect()
}

/// The predicates of a file, and the multifile ones of its module that have clauses in other files alone.
pub(crate) fn all_predicates<'db>(
    db: &'db dyn Db,
    file: SourceFile,
) -> impl Iterator<Item = Predicate<'db>> {
    let hosted = hosted(db, file).iter();
    predicates(db, file).iter().chain(hosted).copied()
}

/// The predicates of a file by name and arity. *Invalidated* when a predicate comes, goes or moves.
#[salsa::tracked]
pub(crate) fn index<'db>(db: &'db dyn Db, file: SourceFile) -> FxHashMap<Functor, Predicate<'db>> {
    predicates(db, file)
        .iter()
        .map(|&p| (p.functor(db).clone(), p))
        .collect()
}

/// Name and arity as a key of queries. *Identity*: the value.
#[salsa::interned]
pub struct FunctorKey<'db> {
    /// The value.
    pub functor: Functor,
}

/// The predicate of this name and arity in this very file. *Invalidated* when it comes or goes.
#[salsa::tracked(returns(copy))]
fn find_in<'db>(db: &'db dyn Db, file: SourceFile, key: FunctorKey<'db>) -> Option<Predicate<'db>> {
    let written = index(db, file).get(key.functor(db)).copied();
    written.or_else(|| {
        let mut hosted = hosted(db, file).iter().copied();
        hosted.find(|p| p.functor(db) == key.functor(db))
    })
}

/// The predicate of this name and arity in this very file, made ones ([`crate::specialise`]) included.
pub fn find<'db>(db: &'db dyn Db, file: SourceFile, functor: &Functor) -> Option<Predicate<'db>> {
    find_written(db, file, functor).or_else(|| find_made(db, file, functor))
}

/// The predicate of this name and arity that is written in this very file.
pub(crate) fn find_written<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Predicate<'db>> {
    find_in(db, file, FunctorKey::new(db, functor.clone()))
}

/// What a call from a file reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resolved<'db> {
    /// A predicate of the file itself.
    Own(Predicate<'db>),
    /// A predicate of a library file that ships with Costlens.
    Library(Predicate<'db>),
    /// A predicate of another file of the program.
    Other(Predicate<'db>),
}

impl<'db> Resolved<'db> {
    /// The predicate.
    #[must_use]
    pub fn predicate(self) -> Predicate<'db> {
        match self {
            Resolved::Own(p) | Resolved::Library(p) | Resolved::Other(p) => p,
        }
    }

    /// Of what is reached, what may be analysed on the way: recursion through several files is cut.
    fn of(db: &'db dyn Db, file: SourceFile, reached: Reach<'db>) -> Option<Self> {
        match reached {
            Reach::Own(p) => Some(Resolved::Own(p)),
            Reach::Shipped(p) => Some(Resolved::Library(p)),
            Reach::Other(p) => (!is_cut(db, file, p)).then_some(Resolved::Other(p)),
            Reach::Ambiguous(..)
            | Reach::Missing(..)
            | Reach::Conditional(..)
            | Reach::Unsettled(..)
            | Reach::Nothing => None,
        }
    }
}

/// The predicate that a call in `file` reaches, as far as it can be followed. Shipped library files see themselves and the library files
/// before them.
pub fn resolve<'db>(db: &'db dyn Db, file: SourceFile, functor: &Functor) -> Option<Resolved<'db>> {
    Resolved::of(db, file, reach(db, file, functor))
}

/// What a call reaches of what is written, made predicates left out.
pub(crate) fn resolve_written<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Resolved<'db>> {
    Resolved::of(db, file, reach_written(db, file, functor))
}

/// The predicate of this name in the library files that ship with Costlens.
pub(crate) fn shipped<'db>(db: &'db dyn Db, functor: &Functor) -> Option<Predicate<'db>> {
    let files = Library::try_get(db)?.files(db);
    files
        .iter()
        .find_map(|&other| find_written(db, other, functor))
}

/// Whether a library of this name ships with Costlens.
pub(crate) fn shipped_library(db: &dyn Db, name: &str) -> bool {
    Library::try_get(db).is_some_and(|l| l.files(db).iter().any(|f| f.path(db) == name))
}

/// The same among those before a library file.
pub(crate) fn shipped_in<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<Predicate<'db>> {
    let files = Library::try_get(db)?.files(db).iter();
    files
        .take_while(|&&other| other != file)
        .find_map(|&other| find_written(db, other, functor))
}

/// Why a call reaches nothing that can be followed, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The reason.
    pub reason: String,
    /// What would help.
    pub help: &'static str,
}

/// Why a call reaches nothing that can be followed; none where it does.
pub fn why_unreached(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<Unreached> {
    let (reason, help) = match reach(db, file, functor) {
        Reach::Other(p) if is_cut(db, file, p) => (
            format!(
                "`{functor}` of `{}` and predicates of this file call each other: recursion through several files is not followed",
                p.file(db).path(db)
            ),
            "Put these predicates into one file, or state what one of them costs in a `trust` assertion.",
        ),
        Reach::Ambiguous(one, two) => match gathered(db, one, functor) {
            Some(Err(apart)) => {
                let reason = apart
                    .reason
                    .replacen("it is", &format!("`{functor}` is"), 1);
                (reason, apart.help)
            }
            _ => (
                format!(
                    "both `{}` and `{}` define `{functor}`",
                    one.path(db),
                    two.path(db)
                ),
                "Import it from one of them by name, with a list after the file in `use_module/2`.",
            ),
        },
        Reach::Missing(at, load) => (
            format!(
                "`{functor}` may come from `{}`, which was not found",
                named_by(db, at, load)?
            ),
            match named_by(db, at, load)?.alias.as_deref() {
                None => "Correct the name of the file.",
                Some("library") => {
                    "Correct the name of the file, or say where libraries are (`--library`)."
                }
                Some(_) => {
                    "Correct the name of the file, or look at it together with the file that says where its folder is (`file_search_path/2`)."
                }
            },
        ),
        Reach::Conditional(at, load) => (
            format!(
                "`{functor}` comes from `{}`, which is loaded only where a condition holds",
                named_by(db, at, load)?
            ),
            "Load it without the condition, or state what it costs in a `trust` assertion.",
        ),
        Reach::Unsettled(by, why) => why_unsettled(db, by, why, functor),
        Reach::Nothing => (
            why_not_in_module(db, file, functor)?,
            "Load the file of the module with `use_module/1`, or call the predicate that is meant.",
        ),
        Reach::Own(_) | Reach::Shipped(_) | Reach::Other(_) => return None,
    };
    Some(Unreached { reason, help })
}

/// The reason and what would help.
fn why_unsettled(
    db: &dyn Db,
    by: SourceFile,
    why: Unsettled,
    functor: &Functor,
) -> (String, &'static str) {
    let path = by.path(db);
    match why {
        Unsettled::Given => (
            format!("`{functor}` has its clauses in `{path}`, written for another module"),
            "Move these clauses into a file of that module.",
        ),
        Unsettled::Declared => (
            format!(
                "`{path}` declares `{functor}` without clauses: what it does is decided while the program runs"
            ),
            "Hand the facts on in an argument, or state what it costs in a `trust` assertion.",
        ),
        Unsettled::Condition => (
            format!("`{path}` defines or imports `{functor}` only where a condition holds"),
            "Define or import it without the condition.",
        ),
        Unsettled::Bases => (
            format!(
                "`{path}` changes what the module inherits, so that `{functor}` may mean another predicate"
            ),
            "Import the predicate by name, with a list after the file in `use_module/2`.",
        ),
        Unsettled::OtherProgram => (
            format!("`{functor}` means another predicate in the program that begins with `{path}`"),
            "Import the predicate by name, with a list after the file in `use_module/2`.",
        ),
        Unsettled::Renamed => (
            format!("an import list gives a predicate of this file the name `{functor}`"),
            "Call the predicate by its own name.",
        ),
        Unsettled::Early => (
            format!(
                "`{path}` imports `{functor}` from a module that does not have it yet, or defines it in `system`: what other modules mean by the name depends on the order in which they are loaded"
            ),
            "Define it before it is imported, in a module of its own.",
        ),
        Unsettled::NoAutoload => (
            format!("`{functor}` is not imported, and `{path}` turns autoloading off"),
            "Import the library that defines it (`:- use_module(library(…))`).",
        ),
        Unsettled::LibraryName => (
            format!(
                "`{path}` takes the module name of the library that defines `{functor}`, so that the library cannot be loaded"
            ),
            "Give the module another name.",
        ),
    }
}

/// What is to be said of a name that nothing known defines, where there is more to say than that: a library that is loaded was not found, or it
/// is built into another system than SWI-Prolog.
pub fn why_undefined(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<Unreached> {
    let dialect = file.parsed(db).dialect();
    let system = match dialect {
        Dialect::Gnu if is_gnu_built_in(&functor.name) => Some("GNU Prolog"),
        Dialect::Swi if is_built_in(&functor.name, functor.arity) => Some("SWI-Prolog"),
        _ => None,
    };
    if let Some(system) = system {
        return Some(Unreached {
            reason: format!("`{functor}` is built into {system}, and nothing is stated of it"),
            help: "State what it costs in a `trust` assertion.",
        });
    }
    let library = unread_library(db, file)?;
    Some(Unreached {
        reason: format!(
            "`{functor}` is not defined in this file, nor in a library that Costlens knows; it may come from `{library}`, which was not found"
        ),
        help: "Correct the name of the file, or say where libraries are (`--library`).",
    })
}
