//! Fingerprints of the answers of a program.

use std::hash::{Hash, Hasher};

use costlens_infer::report::{EvaluatedPoint, Functor};
use costlens_infer::types::Pattern;
use costlens_infer::{Solved, Summary};
use costlens_program::SourceFile;
use serde::Serialize;

use super::entry::About;
use super::fingerprint::Fingerprint;
use super::portable::Portable;
use super::traced::Traced;
use crate::db::Db;

impl dyn Traced + '_ {
    /// Hashes the answer to a question about a predicate.
    pub(super) fn hash_answer(&self, question: About, of: &Functor, into: &mut impl Hasher) {
        // Subjects mention files.
        fn fingerprint(db: &dyn Db, value: &impl Serialize) -> Option<Fingerprint> {
            Portable::of(db, value).map(|written| written.fingerprint)
        }
        let db = self.db();
        match question {
            About::Clauses => self.clauses(of).hash(into),
            About::Defined => self.is_defined(of).hash(into),
            About::AtHome => self.is_at_home(of).hash(into),
            About::Dynamic => self.is_dynamic(of).hash(into),
            About::NoClauses => self.has_no_clauses(of).hash(into),
            // If no clause of a hook may match, none matches a particular goal.
            About::Hooked => self.hooked_in(of, &|_, _| true).hash(into),
            About::Qualified => self.qualified_arguments(of).hash(into),
            About::DeclaredDet => self.is_declared_det(of).hash(into),
            About::UnknownCallee => {
                let found = self.unknown_callee(of);
                fingerprint(db, &found.map(|u| (u.of, u.is_many))).hash(into);
            }
            About::Assumed => fingerprint(db, &self.assumed(of)).hash(into),
            About::Constrains => self.constrains(of).hash(into),
            About::CostSubject => fingerprint(db, &self.cost_subject(of)).hash(into),
            About::Relative => self.is_relative(of).hash(into),
            About::Trusted => self.is_trusted(of).hash(into),
            About::WhyDynamic => {
                let why = self.why_dynamic(of);
                why.map(|why| (why.reason, why.help)).hash(into);
            }
            About::Rewritten => self.is_rewritten(of).hash(into),
            About::Written => self.written(of).hash(into),
            About::WhyUnreached => {
                let why = self.why_unreached(of);
                why.map(|why| (why.reason, why.help)).hash(into);
            }
            About::WhyUndefined => {
                let why = self.why_undefined(of);
                why.map(|why| (why.reason, why.help)).hash(into);
            }
            About::Membership => self.is_membership(of).hash(into),
            About::Suggested => self.suggested_pattern(of).hash(into),
        }
    }

    /// Returns the fingerprint of the file's types and of the other facts about it.
    pub(super) fn file_fingerprint(&self) -> Fingerprint {
        let types = self.types();
        let facts = (self.is_of_library(), self.version(), self.is_of_user());
        Fingerprint::of(&(types.defined, types.suggested, facts))
    }

    /// Returns the fingerprint of a summary that a call in the file requests, and adds the files that it mentions. Returns `None` if the
    /// summary depends on the order of computations.
    pub(super) fn summary_fingerprint(
        &self,
        predicate: &Functor,
        pattern: &Pattern,
        files: &mut Vec<SourceFile>,
    ) -> Option<Fingerprint> {
        let found = self.summary(predicate, pattern);
        match self.memo(predicate, pattern) {
            Some((memo, home)) => {
                files.extend(memo.files.iter().copied().chain([home]));
                let seen = (self.seen_as(home), home.path(self.db()), predicate);
                Some(Fingerprint::of(&(memo.fingerprint, seen)))
            }
            None if self.is_apart(predicate, pattern) => fingerprint_of(self.db(), &found, files),
            None => None,
        }
    }
}

/// Returns the fingerprint of a summary, and adds the files that it mentions.
pub(super) fn fingerprint_of(
    db: &dyn Db,
    found: &Summary,
    files: &mut Vec<SourceFile>,
) -> Option<Fingerprint> {
    let portable = Portable::of(db, found)?;
    files.extend(portable.files.iter().copied());
    Some(portable.fingerprint)
}

/// Returns the fingerprint of a call that was solved together with others, or of its absence.
pub(super) fn solved_fingerprint(
    db: &dyn Db,
    solved: Option<&Solved>,
    files: &mut Vec<SourceFile>,
) -> Option<Fingerprint> {
    match solved {
        None => Some(Fingerprint::default()),
        Some(solved) => {
            let of = fingerprint_of(db, &solved.summary, files)?;
            Some(Fingerprint::of(&(of, solved.is_alone)))
        }
    }
}

/// Returns the fingerprint of bounds at numbers.
pub(super) fn point_fingerprint(point: Option<&EvaluatedPoint>) -> Fingerprint {
    Fingerprint::of(&point.map(|p| (&p.sizes, &p.all, &p.first)))
}
