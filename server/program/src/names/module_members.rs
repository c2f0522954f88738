//! Resolution of module-qualified names: `m:p`.

use super::image_lookup::look_in;
use super::reach::{Reach, reach_written};
use crate::definitions::{contributors, find_written};
use crate::language::{Functor, split};
use crate::loading::{Home, is_home, loaded_modules};
use crate::workspace::{Db, Library, SourceFile, is_installed};

/// Returns the file that defines the module of a qualified name in a file.
pub(crate) fn module_in(db: &dyn Db, file: SourceFile, module: &str) -> Option<Home> {
    let loaded = loaded_modules(db, file).get(module).copied();
    loaded.or_else(|| {
        // Clauses that another file adds to a predicate of this file name that file's module.
        let mut others = contributors(db, file).into_iter();
        others.find(|&f| is_home(db, f, module)).map(Home::File)
    })
}

/// Resolves `module:name` in a file to any predicate visible in the module, exported or not.
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
        // The result may be a predicate of this file, which is called without the module.
        reached if reached.predicate().is_some_and(|p| p.file(db) == file) => Reach::Nothing,
        Reach::Own(found) => Reach::Other(found),
        reached => reached,
    }
}

/// Resolves `module:name` in a file, including the file's own predicates.
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

/// Returns the reason why a qualified name cannot be resolved.
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
