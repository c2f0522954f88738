//! Resolves names for rewrites: to a library predicate, or to a predicate with the clauses of a library predicate.

use costlens_program::calls::loads_while_running;
use costlens_program::directives::{Imports, Load, loads};
use costlens_program::language::is_library;
use costlens_program::loading::{target, unit};
use costlens_program::workspace::is_installed;
use costlens_program::{
    Functor, Predicate, Resolved, SourceFile, facts, may_be_expanded, resolve, why_unreached,
};
use costlens_syntax::term::TermId;

use super::callers::may_be_redefined;
use super::copies::{self, RecognitionContext};
use super::known::{LibraryPredicate, Recognised};
use super::site::{Site, is_closed};
use crate::db::Db;
use crate::present::quoted;

impl Site<'_> {
    /// Returns the library predicate to which calls with this name and arity are equivalent: the predicate itself, or a predicate whose
    /// clauses are copied in the file.
    pub(super) fn known(&self, functor: &Functor) -> Option<LibraryPredicate> {
        self.recognised_name(functor)
            .filter(Recognised::is_plain)
            .map(|r| r.known)
    }

    /// Returns the library predicate to which a goal is equivalent.
    pub(super) fn known_goal(&self, clause: usize, goal: TermId) -> Option<LibraryPredicate> {
        self.recognised(clause, goal)
            .filter(Recognised::is_plain)
            .map(|r| r.known)
    }

    /// Returns the library predicate to which a goal is equivalent, possibly with permuted arguments or only for proper lists.
    pub(super) fn recognised(&self, clause: usize, goal: TermId) -> Option<Recognised> {
        self.recognised_name(&Functor::from_term(&self.clauses[clause].terms, goal)?)
    }

    fn recognised_name(&self, functor: &Functor) -> Option<Recognised> {
        if let Some(recognised) = self.recognised.borrow().get(functor) {
            return recognised.clone();
        }
        let recognised = recognised(self.db, self.file, functor);
        let mut known = self.recognised.borrow_mut();
        known.insert(functor.clone(), recognised.clone());
        recognised
    }

    /// Returns the text of a goal of a recognised predicate with other arguments, which are given in the order of the library predicate.
    pub(super) fn with_arguments(
        &self,
        clause: usize,
        goal: TermId,
        as_: &Recognised,
        arguments: &[&str],
    ) -> Option<String> {
        let (name, _) = self.clauses[clause].terms.functor(goal)?;
        let mut moved = vec![""; arguments.len()];
        for (&at, &argument) in as_.order.iter().zip(arguments) {
            *moved.get_mut(at)? = argument;
        }
        Some(format!("{}({})", quoted(name), moved.join(", ")))
    }

    /// Returns true if a name refers to the library predicate or built-in of SWI-Prolog with that name.
    pub(crate) fn means_library(&self, functor: &Functor) -> bool {
        means_library(self.db, self.file, functor)
    }
}

/// Returns the library predicate to which calls with this name and arity in a file are equivalent, like [`Site::known`].
pub(super) fn known(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<LibraryPredicate> {
    recognised(db, file, functor)
        .filter(Recognised::is_plain)
        .map(|r| r.known)
}

/// Returns the library predicate to which calls with this name and arity are equivalent, possibly with permuted arguments or only for
/// proper lists.
pub(super) fn recognised(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<Recognised> {
    let of = |p: Predicate<'_>| {
        let home = p.file(db);
        let clauses = |functor: &Functor| match resolve(db, home, functor)? {
            Resolved::Own(p) => is_closed(db, p).then(|| p.clauses(db).to_vec()),
            Resolved::Other(_) | Resolved::Library(_) => None,
        };
        let around = RecognitionContext {
            clauses: &clauses,
            is_library: &|functor| means_library(db, home, functor),
        };
        let found = copies::recognised(p.functor(db), p.clauses(db), &around);
        found.filter(|_| is_closed(db, p))
    };
    match resolve(db, file, functor) {
        Some(Resolved::Own(p)) => of(p),
        Some(Resolved::Other(p)) if !is_installed(db, p.file(db)) => of(p),
        Some(Resolved::Library(_) | Resolved::Other(_)) | None => {
            let known = LibraryPredicate::named(&functor.name, functor.arity)?;
            let means = means_library(db, file, functor);
            means.then(|| Recognised::library(known, functor.arity))
        }
    }
}

pub(super) fn means_library(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    names_library(db, file, functor)
        && !may_be_expanded(db, file, functor)
        && !may_be_redefined(db, file, functor)
}

/// Returns true if a name refers to the library predicate, provided that goals are not expanded and clauses are not generated.
fn names_library(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    let is_built_in = costlens_catalog::is_built_in(&functor.name, functor.arity);
    if !is_built_in && may_come_from_elsewhere(db, file, functor) {
        return false;
    }
    match resolve(db, file, functor) {
        Some(Resolved::Library(p)) => *p.functor(db) == *functor,
        Some(Resolved::Other(p)) => *p.functor(db) == *functor && is_installed(db, p.file(db)),
        Some(Resolved::Own(_)) => false,
        None => {
            is_built_in
                || (facts(db, file).autoloads
                    && costlens_catalog::is_of_swi_prolog(&functor.name, functor.arity)
                    && why_unreached(db, file, functor).is_none())
        }
    }
}

/// Returns true for a name without explicit import in a file that loads unknown files, which may define it. Files that other modules load at
/// run time are assumed not to define library predicates in `user`.
fn may_come_from_elsewhere(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    let loads = loads(db, file);
    let is_listed = |load: &Load| {
        matches!(load.imports, Imports::Only(_)) && load.imports.there(functor).is_some()
    };
    let is_unknown = |(number, load): (usize, &Load)| {
        let mut catalog = costlens_catalog::system_predicates().iter();
        let mut is_known = || catalog.any(|p| p.library() == Some(load.spec.path.as_str()));
        !matches!(load.imports, Imports::Only(_))
            && target(db, file, number).is_none()
            && !(is_library(&load.spec) && is_known())
    };
    !loads.loads.iter().any(is_listed)
        && (loads.unreadable > 0
            || loads_while_running(db, file).is_some_and(|by| may_load_into(db, by, file))
            || loads.loads.iter().enumerate().any(is_unknown))
}

/// Returns true if what a file loads at run time may become part of another file's module.
fn may_load_into(db: &dyn Db, loader: SourceFile, file: SourceFile) -> bool {
    facts(db, file).module.is_none() || loader == file || unit(db, file).contains(&loader)
}
