//! Programs that load files at run time.

use super::called_names::called;
use crate::directives::facts;
use crate::language::Functor;
use crate::loading::{program, roots};
use crate::workspace::{Db, SourceFile, is_installed};

/// Returns a file that loads other files at run time, in the programs that contain the given file. The loaded files may add clauses to
/// multifile predicates.
pub fn loads_while_running(db: &dyn Db, file: SourceFile) -> Option<SourceFile> {
    let mut roots = roots(db, file).iter();
    roots.find_map(|&root| running_loader(db, root))
}

/// *Invalidated* when the calls of the user's files of the program change.
#[salsa::tracked(returns(copy))]
fn running_loader(db: &dyn Db, root: SourceFile) -> Option<SourceFile> {
    let program = program(db, root);
    let stretches = program.stretches.iter().filter(|s| s.after == 0);
    let mut files = stretches.map(|s| s.file).filter(|&f| !is_installed(db, f));
    files.find(|&file| {
        let (called, started) = (called(db, file), &facts(db, file).started);
        costlens_catalog::loaders().any(|loader| {
            let functor = Functor::new(loader.name, loader.arity);
            called.contains(&functor) || started.contains(&functor)
        })
    })
}
