//! The reasons why a call cannot be followed, as text.

use costlens_catalog::{Home, find, is_built_in};
use costlens_syntax::{Dialect, is_gnu_built_in};

use super::resolution::reach;
use crate::definitions::{find_written, gathered};
use crate::directives::facts;
use crate::language::Functor;
use crate::loading::{dependencies, unread_library};
use crate::names::{Reach, Unsettled, is_cut, named_by, why_not_in_module};
use crate::workspace::{
    Db, SourceFile, autoload, installed_as, is_autoloaded, is_edited, is_installed, library_folders,
};

/// The reason why a call cannot be followed, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The reason.
    pub reason: String,
    /// Advice for the user.
    pub help: &'static str,
}

/// Returns the reason why a call cannot be followed. Returns `None` if it can.
pub fn why_unreached(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<Unreached> {
    let (reason, help) = match reach(db, file, functor) {
        Reach::Other(p) if is_cut(db, file, p) => (
            format!(
                "`{functor}` of `{}` and predicates of this file call each other: recursion through several files is not followed",
                p.file(db).path(db)
            ),
            "Put them into one file, or state what one of them costs in a `trust` assertion.",
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
        Reach::Nothing if is_newer(db, file, functor) => (
            format!(
                "`{functor}` is defined nowhere: it is of newer versions of SWI-Prolog than the one whose libraries are looked at"
            ),
            "Use a version that has it, or call what this one has.",
        ),
        Reach::Nothing if has_edited_rule(db, functor) => (
            format!(
                "`{functor}` is of a library whose text in the folder that is named differs from SWI-Prolog's, and this file does not import it"
            ),
            "Import the library (`:- use_module(library(…))`), so that its own text is analysed.",
        ),
        Reach::Nothing => (
            why_not_in_module(db, file, functor)?,
            "Load the file of the module with `use_module/1`, or call the predicate that is meant.",
        ),
        Reach::Own(_) | Reach::Shipped(_) | Reach::Other(_) => return None,
    };
    Some(Unreached { reason, help })
}

/// Returns true for a predicate for which inference has a rule by name, if the predicate is in a library other than that to which the rule
/// applies.
fn has_edited_rule(db: &dyn Db, functor: &Functor) -> bool {
    find(&functor.name, functor.arity)
        .filter(|p| p.has_rules)
        .and_then(|p| p.library())
        .is_some_and(|library| is_edited(db, library))
}

/// Returns the reason and advice for a name that cannot be resolved.
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
                "`{path}` declares `{functor}` without clauses, so that its clauses come while the program runs"
            ),
            "State what it costs in a `trust` assertion.",
        ),
        Unsettled::Condition => (
            format!(
                "`{path}` defines or imports `{functor}` only where a condition holds, or in one order of loading"
            ),
            "Define or import it without the condition, in files that do not load each other.",
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
                "`{path}` imports `{functor}` before its module has it, or defines it in `system`, so that the order of loading decides what it means"
            ),
            "Define it before it is imported, in a module of its own.",
        ),
        Unsettled::Listed => (
            format!(
                "`{path}` lists `{functor}` for the autoloader where its module may inherit another one, so that the order of calls decides what it means"
            ),
            "Import it by name, with `use_module/2` in place of `autoload/2`.",
        ),
        Unsettled::NoAutoload => (
            format!("`{functor}` is not imported, and `{path}` turns autoloading off"),
            "Import the library that defines it (`:- use_module(library(…))`).",
        ),
        Unsettled::Changed => (
            format!(
                "goals of `{path}` change the clauses of `{functor}`, so that it is not the library's from then on"
            ),
            "Give the predicate whose clauses change another name.",
        ),
        Unsettled::LibraryName => (
            format!(
                "`{path}` takes the module name of the library that defines `{functor}`, so that the library cannot be loaded"
            ),
            "Give the module another name.",
        ),
    }
}

/// Returns true for a predicate of SWI-Prolog's libraries that exists only in versions newer than the version of the known libraries.
pub fn is_newer(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    file.parsed(db).dialect() == Dialect::Swi
        && find(&functor.name, functor.arity).is_some_and(|p| p.newer && p.home != Home::System)
        && is_autoloaded(db, functor) == Some(false)
}

/// Returns the reason why a library predicate is not followed: `tcp_socket/1` is written in C. Returns `None` for a name that the file does
/// not import from a library.
fn why_not_of_library(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<String> {
    let exports =
        |other: &SourceFile| is_installed(db, *other) && facts(db, *other).is_exported(functor);
    let mut loaded = dependencies(db, file).into_iter();
    let home = loaded
        .find(exports)
        .or_else(|| autoload(db, functor).filter(exports));
    if let Some(home) = home {
        let library = installed_as(db, home)?;
        let is_written = find_written(db, home, functor).is_some();
        let why = if is_written {
            "is not followed"
        } else {
            "is not written in Prolog"
        };
        return Some(format!(
            "`{functor}` of `library({})` {why}, and nothing is known about its cost",
            library_name(library)
        ));
    }
    // Without an installed library, the catalogue lists some of its predicates.
    let is_swi = file.parsed(db).dialect() == Dialect::Swi;
    let known = find(&functor.name, functor.arity).filter(|_| is_swi)?;
    let library = known.library()?;
    (is_autoloaded(db, functor) != Some(false)).then(|| {
        format!(
            "`{functor}` of `library({library})` is not followed, and nothing is known about its cost"
        )
    })
}

/// Returns the name of an installed library as written in programs: `clpfd` for `clp/clpfd`, which is found because `library(clp)` is a
/// folder.
pub fn library_name(installed: &str) -> &str {
    installed.strip_prefix("clp/").unwrap_or(installed)
}

/// Returns details about an undefined name, if any: a loaded library was not found, or the name is built into a system other than
/// SWI-Prolog.
pub fn why_undefined(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<Unreached> {
    let dialect = file.parsed(db).dialect();
    let system = match dialect {
        Dialect::Gnu if is_gnu_built_in(&functor.name) => Some("GNU Prolog"),
        Dialect::Swi if is_built_in(&functor.name, functor.arity) => Some("SWI-Prolog"),
        _ => None,
    };
    if let Some(system) = system {
        return Some(Unreached {
            reason: format!(
                "`{functor}` is built into {system}, and nothing is stated about its cost"
            ),
            help: "State what it costs in a `trust` assertion.",
        });
    }
    let elsewhere = not_in_folders(db, file, functor);
    if elsewhere.is_some() && unread_library(db, file).is_none() {
        return elsewhere;
    }
    if let Some(reason) = why_not_of_library(db, file, functor) {
        return Some(Unreached {
            reason,
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

/// Explains that no library folder contains a predicate that a library of SWI-Prolog defines.
fn not_in_folders(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<Unreached> {
    let library = find(&functor.name, functor.arity)?.library()?;
    let folders = library_folders(db);
    if folders.is_empty() || file.parsed(db).dialect() != Dialect::Swi {
        return None;
    }
    let folders: Vec<String> = folders.iter().map(|f| format!("`{f}`")).collect();
    Some(Unreached {
        reason: format!(
            "`{functor}` is of `library({library})`, which no file `INDEX.pl` of the library folders ({}) lists",
            folders.join(", ")
        ),
        help: "Import the library (`:- use_module(library(…))`), or name a folder that has it (`--library`).",
    })
}
