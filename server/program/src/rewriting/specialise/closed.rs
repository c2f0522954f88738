//! Predicates whose clauses determine every call, so that they may be copied.

use costlens_catalog::{is_fixed, is_locked};

use super::FileScope;
use crate::calls::{altered, assertions_left_out, opened};
use crate::definitions::{Predicate, damaged, extended_in, gathered, made_in};
use crate::directives::facts;
use crate::names::{also_defined_in, is_in_a_circle, missing_include, refused};
use crate::rewriting::expanded_by;
use crate::workspace::{Role, is_installed};

impl<'db> FileScope<'db> {
    /// Returns whether no clauses other than the known ones can run for a predicate, in whatever file.
    pub(super) fn is_closed(&self, predicate: Predicate<'db>) -> bool {
        let (db, file, functor) = (self.db, predicate.file(self.db), predicate.functor(self.db));
        let facts = facts(db, file);
        let is_open = facts.is_open(functor)
            || opened(db, file, functor).is_some()
            || altered(db, predicate).is_some()
            || expanded_by(db, predicate).is_some()
            || damaged(db, predicate).is_some()
            || predicate.conditional(db)
            || predicate.of_several_units(db);
        if is_open || file.role(db) == Role::Library {
            return !is_open;
        }
        let is_multifile = facts.multifile.contains(functor) && !is_installed(db, file);
        !(is_multifile
            || is_locked(&functor.name, functor.arity)
            || is_fixed(&functor.name, functor.arity)
            || assertions_left_out(db, predicate).is_some()
            || refused(db, file, functor)
            || is_in_a_circle(db, file)
            || made_in(db, file, functor).is_some()
            || extended_in(db, file, functor).is_some()
            || gathered(db, file, functor).is_some()
            || missing_include(db, file).is_some()
            || also_defined_in(db, predicate).is_some())
    }
}
