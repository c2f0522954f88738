//! Modules by name: which one a file belongs to, and which file is the module that a name with a module speaks of.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::gathered::contributors;
use super::load::loads;
use super::look::look_in;
use super::reach::{Reach, reach_written, unit};
use super::workspace::{is_installed, loaded_plainly_by, target};
use crate::clause::Functor;
use crate::directives::facts;
use crate::predicate::find_written;
use crate::qualified::split;
use crate::source::{Db, Library, Role, SourceFile};

/// The module of files that are loaded into no other one.
pub(super) const USER: &str = "user";

/// The module that the clauses of a file belong to: its own; for a file without one, that of the files that load it as a part of themselves;
/// `user` where there is none. None where several files load it, into different modules.
///
/// *Invalidated* when a directive changes, or a file comes or goes.
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
    // Files that load each other, and nothing else loads them.
    Some(found.unwrap_or_else(|| USER.into()))
}

/// Whether a module is the one that the clauses of a file belong to.
pub(crate) fn is_home(db: &dyn Db, file: SourceFile, module: &str) -> bool {
    home_module(db, file).as_deref() == Some(module)
}

/// Where a module is defined, among the files that a file loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) enum Home {
    /// In this file, which is certainly loaded.
    File(SourceFile),
    /// Only where a condition holds.
    Conditional,
    /// In several files.
    Several(SourceFile, SourceFile),
}

/// The modules of the files that a file loads, directly or not, and of those that it is loaded together with.
///
/// *Invalidated* when a directive of one of these changes, or a file comes or goes.
#[salsa::tracked(returns(ref))]
fn loaded_modules(db: &dyn Db, file: SourceFile) -> BTreeMap<SmolStr, Home> {
    let mut found: BTreeMap<SmolStr, Home> = BTreeMap::new();
    let mut waiting: VecDeque<(SourceFile, bool)> = [(file, true)].into();
    waiting.extend(unit(db, file).iter().map(|&part| (part, true)));
    // What is certainly loaded is visited first, so that no condition hides it.
    let mut seen: FxHashSet<SourceFile> = FxHashSet::default();
    while let Some((part, certain)) = waiting.pop_front() {
        if !seen.insert(part) {
            continue;
        }
        if let Some(module) = &facts(db, part).module {
            let here = match found.get(module) {
                Some(Home::File(other)) => Home::Several(*other, part),
                Some(other) => *other,
                None if certain => Home::File(part),
                None => Home::Conditional,
            };
            found.insert(module.clone(), here);
        }
        for (number, load) in loads(db, part).loads.iter().enumerate() {
            if let Some(other) = target(db, part, number) {
                if certain && !load.conditional {
                    waiting.push_front((other, true));
                } else {
                    waiting.push_back((other, false));
                }
            }
        }
    }
    found
}

/// Where the module is defined that a name in a file speaks of.
pub(crate) fn module_in(db: &dyn Db, file: SourceFile, module: &str) -> Option<Home> {
    let loaded = loaded_modules(db, file).get(module).copied();
    loaded.or_else(|| {
        // Clauses that another file gives to a predicate of this one name its module.
        let mut others = contributors(db, file).into_iter();
        others.find(|&f| is_home(db, f, module)).map(Home::File)
    })
}

/// What `module:name` reaches from a file: whatever is visible in the module, exported or not.
pub(super) fn reach_in_module<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    module: &str,
    functor: &Functor,
) -> Reach<'db> {
    if is_home(db, file, module) {
        return reach_written(db, file, functor);
    }
    match reach_of_module(db, file, module, functor) {
        // The way back: it is called without its module where that is its own.
        reached if reached.predicate().is_some_and(|p| p.file(db) == file) => Reach::Nothing,
        Reach::Own(found) => Reach::Other(found),
        reached => reached,
    }
}

/// The same, the file's own predicates included.
pub(crate) fn reach_of_module<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    module: &str,
    functor: &Functor,
) -> Reach<'db> {
    if !is_installed(db, file)
        && let Some(found) = look_in(db, file, module, functor)
    {
        return found;
    }
    match module_in(db, file, module) {
        Some(Home::File(there)) if there != file => reach_written(db, there, functor),
        Some(Home::Several(one, two)) => Reach::Ambiguous(one, two),
        Some(_) => Reach::Nothing,
        None => {
            let library = Library::try_get(db)
                .map(|l| l.files(db))
                .unwrap_or_default();
            let shipped = library.iter().find(|f| f.path(db) == module);
            let found = shipped.and_then(|&f| find_written(db, f, functor));
            found.map_or(Reach::Nothing, Reach::Shipped)
        }
    }
}

/// Why a name with a module reaches nothing.
pub(crate) fn why_not_in_module(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<String> {
    let (module, plain) = split(functor)?;
    Some(match module_in(db, file, module) {
        Some(Home::File(there)) => format!(
            "the module `{module}` (`{}`) neither defines nor imports `{plain}`, as far as is known",
            there.path(db)
        ),
        Some(Home::Conditional) => {
            format!("the module `{module}` is loaded only where a condition holds")
        }
        Some(Home::Several(..)) | None => {
            format!("no file that is loaded here is known to be the module `{module}`")
        }
    })
}
