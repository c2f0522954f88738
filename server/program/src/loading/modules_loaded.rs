//! The modules of the files that a file loads.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::load_target::target;
use super::one_module::unit;
use crate::directives::{facts, loads};
use crate::workspace::{Db, SourceFile};

/// The file that defines a module, among those that a file loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) enum Home {
    /// A file that is certainly loaded.
    File(SourceFile),
    /// A file that is loaded only if a condition holds.
    Conditional,
    /// Several files; the fields contain two of them.
    Several(SourceFile, SourceFile),
}

/// Returns the modules of the files that a file loads, directly or indirectly, and of the files loaded together with it.
///
/// *Invalidated* when a directive in one of these files changes, or a file is added or removed.
#[salsa::tracked(returns(ref))]
pub(crate) fn loaded_modules(db: &dyn Db, file: SourceFile) -> BTreeMap<SmolStr, Home> {
    let mut found: BTreeMap<SmolStr, Home> = BTreeMap::new();
    let mut waiting: VecDeque<(SourceFile, bool)> = [(file, true)].into();
    waiting.extend(unit(db, file).iter().map(|&part| (part, true)));
    // Files that are certainly loaded are visited first, so that no condition hides them.
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
