//! Recursion through several files: the predicates of the other files are copied into the file that is analysed.
//!
//! Components stay within one file. If `even/1` of `even.pl` and `odd/1` of `odd.pl` call each other, the component of `even/1` contains
//! a copy of `odd/1`, named `odd(of odd)`, whose clauses call `even/1`; and vice versa in the other file. A copy has the arguments and clauses
//! of its original, so each entry of its clauses is one of the original's.

use costlens_syntax::assertions::Status;
use smol_str::{SmolStr, format_smolstr};

use super::FileScope;
use crate::definitions::{Predicate, assertions_of};
use crate::directives::facts;
use crate::language::{ELSEWHERE, Functor, is_own_name};
use crate::loading::home_module;
use crate::names::{
    Resolved, files_of_group, is_cut, is_recursive_across, reach_written, resolve_written,
};
use crate::workspace::{Db, SourceFile};

impl<'db> FileScope<'db> {
    /// Returns the predicate that a call runs, if it can be followed, possibly in a copy.
    pub(super) fn followed(&self, functor: &Functor) -> Option<Predicate<'db>> {
        let resolved = resolve_written(self.db, self.file, functor).map(Resolved::predicate);
        resolved.or_else(|| self.in_other_file(functor))
    }

    /// Returns the name of the copy that a call runs, if the callee is a predicate of another file with which this file is recursive.
    pub(super) fn copy_across(&self, functor: &Functor) -> Option<SmolStr> {
        let predicate = self.in_other_file(functor)?;
        let label = label(self.db, predicate.file(self.db));
        Some(format_smolstr!(
            "{}({ELSEWHERE}{label})",
            predicate.functor(self.db).name
        ))
    }

    /// Returns the predicate of another file that a name means, if a recursion leads through both files and the predicate can be copied.
    fn in_other_file(&self, functor: &Functor) -> Option<Predicate<'db>> {
        if !is_recursive_across(self.db, self.file) {
            return None;
        }
        let reached = reach_written(self.db, self.file, functor).predicate()?;
        // An import list that renames a predicate defines a clause that calls it.
        let can_be_copied = is_own_name(functor, reached.functor(self.db))
            && is_cut(self.db, self.file, reached)
            && self.is_closed(reached)
            && !self.is_stated(reached)
            && self.names_of_home(reached).is_some();
        can_be_copied.then_some(reached)
    }

    /// Returns whether a declaration about the predicate does not apply to a copy of it: a trusted assertion, or `:- det`.
    fn is_stated(&self, predicate: Predicate<'db>) -> bool {
        let is_det = facts(self.db, predicate.file(self.db))
            .det
            .contains(predicate.functor(self.db));
        let mut stated = assertions_of(self.db, predicate).iter();
        is_det || stated.any(|assertion| assertion.status == Status::Trust)
    }
}

/// Returns the name of a file in the names of copies: its module, or its name without extension, with a number if another file of the group
/// has the same name.
fn label(db: &dyn Db, file: SourceFile) -> SmolStr {
    let name = |file: SourceFile| {
        home_module(db, file).clone().unwrap_or_else(|| {
            let path = file.path(db);
            let name = path.rsplit('/').next().unwrap_or(path);
            name.split('.').next().unwrap_or(name).into()
        })
    };
    let own = name(file);
    let group = files_of_group(db, file);
    let before = group.iter().take_while(|f| **f != file);
    match before.filter(|f| name(**f) == own).count() {
        0 => own,
        n => format_smolstr!("{own}, {}", n + 1),
    }
}
