//! The predicates of a program that run while its files are loaded.
//!
//! ```prolog
//! :- initialization(start).              % start/0 may register prefixes
//! start :- rdf_register_prefix(ex, 'http://example.org/').
//! add(P, U) :- rdf_register_prefix(P, U).     % runs later
//! ```

use costlens_syntax::term::{TermId, Terms};
use rustc_hash::FxHashSet;

use crate::calls::goals_in;
use crate::definitions::{Predicate, find_written, hook_clauses, hooks_of};
use crate::directives::started_goals;
use crate::language::{Functor, split};
use crate::names::{Reach, reach_written};
use crate::workspace::{Db, Role, SourceFile, is_installed, terms};

/// The maximum number of predicates that are followed.
const MOST_PREDICATES: usize = 10_000;

/// Returns whether a directive of these files may call one of the predicates, directly or through clauses. Installed libraries are assumed
/// not to call the program's predicates while they are loaded.
pub(super) fn may_start<'db>(
    db: &'db dyn Db,
    files: &'db [SourceFile],
    predicates: &FxHashSet<(SourceFile, Functor)>,
) -> bool {
    let mut started = Started {
        db,
        files,
        seen: FxHashSet::default(),
        waiting: Vec::new(),
    };
    let mut own = files.iter().copied().filter(|&f| !is_installed(db, f));
    if !own.all(|file| started.add_directives(file) && started.add_hooks(file)) {
        return true;
    }
    while let Some(predicate) = started.waiting.pop() {
        let file = predicate.file(db);
        let key = (file, predicate.functor(db).clone());
        if predicates.contains(&key) || started.seen.len() > MOST_PREDICATES {
            return true;
        }
        let is_known = predicate.clauses(db).iter().all(|clause| {
            let mut parts = clause.guard.into_iter().chain(clause.body);
            parts.all(|part| started.add_goals(file, &clause.terms, part))
        });
        if !is_known {
            return true;
        }
    }
    false
}

struct Started<'db> {
    db: &'db dyn Db,
    files: &'db [SourceFile],
    seen: FxHashSet<Predicate<'db>>,
    waiting: Vec<Predicate<'db>>,
}

impl<'db> Started<'db> {
    /// Adds the predicates that a file's directives call. Returns false if they are unknown.
    fn add_directives(&mut self, file: SourceFile) -> bool {
        let goals = started_goals(self.db, file);
        (goals.iter()).all(|started| self.add_goals(file, &started.terms, started.goal))
    }

    /// Adds the predicates that a file's expansion hooks call. Returns false if they are unknown.
    fn add_hooks(&mut self, file: SourceFile) -> bool {
        let hooks = hooks_of(self.db, file);
        if hooks.is_empty() {
            return true;
        }
        let is_installed_by_directive = hooks.iter().any(|hook| hook.number == 0);
        let read = terms(self.db, file);
        let mut clauses = hook_clauses(&read.clauses);
        !is_installed_by_directive
            && clauses.all(|hook| {
                let mut body = hook.body.into_iter();
                body.all(|body| self.add_goals(file, hook.terms, body))
            })
    }

    /// Adds the predicates that a body calls. Returns false if they are unknown.
    fn add_goals(&mut self, file: SourceFile, terms: &Terms, body: TermId) -> bool {
        let Some(goals) = goals_in(self.db, file, terms, body) else {
            return false;
        };
        for (goal, _) in goals {
            self.add(file, &goal);
        }
        true
    }

    fn add(&mut self, file: SourceFile, goal: &Functor) {
        let db = self.db;
        match reach_written(db, file, goal) {
            Reach::Own(predicate) | Reach::Other(predicate) => self.add_predicate(predicate),
            Reach::Shipped(_) | Reach::Nothing | Reach::Missing(..) => {}
            Reach::Ambiguous(..) | Reach::Conditional(..) | Reach::Unsettled(..) => {
                let plain = split(goal).map_or_else(|| goal.clone(), |(_, plain)| plain);
                for &other in self.files {
                    if let Some(predicate) = find_written(db, other, &plain) {
                        self.add_predicate(predicate);
                    }
                }
            }
        }
    }

    fn add_predicate(&mut self, predicate: Predicate<'db>) {
        let home = predicate.file(self.db);
        let is_own = home.role(self.db) == Role::User && !is_installed(self.db, home);
        if is_own && self.seen.insert(predicate) {
            self.waiting.push(predicate);
        }
    }
}
