//! The files that belong to one module.

use super::home::USER;
use super::image::share_a_program;
use super::load_target::target;
use super::plain_loads::{files_of_module, is_part, loaded_into, loaded_plainly_by};
use crate::directives::{facts, loads};
use crate::workspace::{Db, SourceFile};

/// Returns the other files that belong to the module of a file: files that it loads as parts of itself and, for a file without a module,
/// the files that load it, with their parts. A file loaded into `user` counts only if some program loads both. Files that are loaded
/// together are in the order of the directives.
///
/// *Invalidated* when a directive changes, or a file is added or removed.
#[salsa::tracked(returns(deref))]
pub fn unit(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let mut found = vec![file];
    let mut tops = vec![file];
    let mut at = 0;
    while let Some(&part) = tops.get(at) {
        at += 1;
        for (loader, into) in loaded_plainly_by(db, part) {
            match into {
                None => add(&mut tops, *loader),
                Some(module) => {
                    let files = files_of_module(db, module).iter();
                    files.for_each(|&f| add(&mut tops, f));
                }
            }
        }
        if let Some(module) = &facts(db, part).module {
            let others = loaded_into(db, module).iter();
            others.for_each(|&f| add(&mut tops, f));
        } else if loaded_plainly_by(db, part).is_empty() {
            let others = loaded_into(db, USER).iter().copied();
            let others = others.filter(|&other| share_a_program(db, part, other));
            others.for_each(|f| add(&mut tops, f));
        }
    }
    for top in tops {
        add(&mut found, top);
        let mut stack = vec![top];
        while let Some(part) = stack.pop() {
            let own = facts(db, part).module.as_ref();
            for (number, load) in loads(db, part).loads.iter().enumerate().rev() {
                if let Some(other) = target(db, part, number)
                    && is_part(db, load.kind, other)
                    && (load.into.is_none() || load.into.as_ref() == own)
                    && !found.contains(&other)
                {
                    found.push(other);
                    stack.push(other);
                }
            }
        }
    }
    found.remove(0);
    found
}

fn add(files: &mut Vec<SourceFile>, file: SourceFile) {
    if !files.contains(&file) {
        files.push(file);
    }
}
