//! The names of the clauses that an expansion produces, if their form is unknown: whatever a hook builds, the names come from the expanded
//! term or from a clause that the hook reaches.
//!
//! ```prolog
//! term_expansion(T, (H :- B)) :- T = (H0 ++> B0), body(B0, B), H0 =.. L, append(L, [state], M), H =.. M.
//! % clauses of a predicate that the rule names, or one named `state`
//! ```

use std::collections::BTreeSet;

use costlens_catalog::{
    Atoms, alteration, atoms, is_arithmetic_comparison, is_control_construct, is_term_comparison,
    is_type_test, loaders, meta_arguments, named_effect,
};
use costlens_syntax::term::{CONS, Term, TermId, Terms};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::calls::goals_in;
use crate::definitions::{all_clauses, damaged, hook_clauses, hooks_of};
use crate::directives::facts;
use crate::language::Functor;
use crate::loading::loaded_with;
use crate::names::{Reach, reach_written};
use crate::workspace::{Db, SourceFile, is_installed, terms};

/// The hook that expands terms to clauses.
const TERMS: &str = "term_expansion";

/// The maximum number of clauses examined for one hook.
const MOST_CLAUSES: usize = 500;

/// Returns the names in the clauses that each term hook reaches, by the hook and its index. Returns `None` if a hook may produce other
/// names, or run goals with other names.
///
/// *Invalidated* by every edit of a file with hooks; the result is usually equal.
#[salsa::tracked(returns(ref))]
pub(crate) fn names_reached(
    db: &dyn Db,
    file: SourceFile,
) -> Vec<(Functor, usize, Option<BTreeSet<SmolStr>>)> {
    hook_clauses(&terms(db, file).clauses)
        .filter(|hook| hook.of.name == TERMS)
        .map(|hook| {
            let mut reached = HookClauses::new(db);
            let is_known = reached.add(file, hook.terms, hook.head, hook.body) && reached.follow();
            (hook.of, hook.number, is_known.then_some(reached.names))
        })
        .collect()
}

/// The name that represents a directive.
const DIRECTIVE: &str = ":-/1";

/// Adds the names in a term.
pub(crate) fn add_names(terms: &Terms, root: TermId, names: &mut BTreeSet<SmolStr>) {
    for t in terms.subterms(root) {
        if let Term::Atom(name) | Term::Compound(name, _) = terms.get(t) {
            names.insert(name.clone());
            if matches!(name.as_str(), ":-" | "?-") && terms.args(t).len() < 2 {
                names.insert(DIRECTIVE.into());
            }
        }
    }
}

/// Returns whether a directive with these names may change how predicates with other names are read or run: a directive that loads files,
/// or that changes the whole program.
pub(crate) fn may_direct(names: &BTreeSet<SmolStr>) -> bool {
    // `:- [file]` is excluded without a directive, because lists occur everywhere.
    let is_list = |name: &str| name == CONS && !names.contains(DIRECTIVE);
    loaders().any(|p| names.contains(p.name) && !is_list(p.name))
        || DIRECT.iter().any(|name| names.contains(*name))
        || names
            .iter()
            .any(|name| (0..=3).any(|arity| alteration(name, arity).is_some()))
}

/// Directives that affect all following clauses.
const DIRECT: [&str; 9] = [
    "op",
    "module",
    "include",
    "if",
    "elif",
    "else",
    "endif",
    "initialization",
    "expects_dialect",
];

/// The clauses reached by a hook.
struct HookClauses<'db> {
    db: &'db dyn Db,
    names: BTreeSet<SmolStr>,
    seen: FxHashSet<(SourceFile, Functor)>,
    waiting: Vec<(SourceFile, Functor)>,
    clauses: usize,
}

impl<'db> HookClauses<'db> {
    fn new(db: &'db dyn Db) -> Self {
        HookClauses {
            db,
            names: BTreeSet::new(),
            seen: FxHashSet::default(),
            waiting: Vec::new(),
            clauses: 0,
        }
    }

    /// Adds a clause. Returns false if it calls goals that come from data, or if there are too many clauses.
    fn add(&mut self, file: SourceFile, terms: &Terms, head: TermId, body: Option<TermId>) -> bool {
        self.clauses += 1;
        for &argument in terms.args(head) {
            add_names(terms, argument, &mut self.names);
        }
        let Some(body) = body else {
            return self.clauses <= MOST_CLAUSES;
        };
        let Some(goals) = goals_in(self.db, file, terms, body) else {
            return false;
        };
        for (goal, data) in goals {
            for argument in data {
                add_names(terms, argument, &mut self.names);
            }
            if self.seen.insert((file, goal.clone())) {
                self.waiting.push((file, goal));
            }
        }
        self.clauses <= MOST_CLAUSES
    }

    /// Follows the calls in the clauses. Returns false if they may produce other names.
    fn follow(&mut self) -> bool {
        while let Some((file, callee)) = self.waiting.pop() {
            // A call without arguments cannot pass names.
            if callee.arity == 0 {
                continue;
            }
            let reach = reach_written(self.db, file, &callee);
            let library = match reach {
                Reach::Own(p) | Reach::Other(p) => is_installed(self.db, p.file(self.db)),
                _ => true,
            };
            // `maplist(f, Xs, Ys)`: the callees have already been added. `with_output_to(atom(A), G)` creates atoms.
            let calls = !meta_arguments(&callee.name, callee.arity).is_empty();
            let is_pure = named_effect(&callee.name).is_none() && callee.name != "with_output_to";
            if library
                && (calls && is_pure || atoms(&callee.name, callee.arity) == Some(Atoms::None))
            {
                continue;
            }
            match reach {
                Reach::Own(p) | Reach::Other(p) | Reach::Shipped(p) => {
                    let home = p.file(self.db);
                    let functor = p.functor(self.db);
                    if facts(self.db, home).is_open(functor) || damaged(self.db, p).is_some() {
                        return false;
                    }
                    for clause in all_clauses(self.db, p).iter() {
                        let body = clause.guard.into_iter().chain(clause.body);
                        let mut is_known = self.add(home, &clause.terms, clause.head, None);
                        for part in body {
                            is_known &= self.add(home, &clause.terms, clause.head, Some(part));
                        }
                        if !is_known {
                            return false;
                        }
                    }
                }
                Reach::Nothing if makes_no_atoms(&callee) => {}
                Reach::Nothing if callee == Functor::new("expand_term", 2) => {
                    if !self.add_hooks(file) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        true
    }

    /// Adds the hooks that `expand_term/2` calls. Hooks of installed libraries define only predicates with new names.
    fn add_hooks(&mut self, file: SourceFile) -> bool {
        let db = self.db;
        let loaded = loaded_with(db, file).into_iter().chain([file]);
        let mut written = loaded.filter(|&home| !is_installed(db, home));
        written.all(|home| {
            let read = terms(db, home);
            let mut hooks = hook_clauses(&read.clauses);
            let is_installed_by_directive = hooks_of(db, home).iter().any(|h| h.number == 0);
            !is_installed_by_directive
                && hooks.all(|h| h.of.name != TERMS || self.add(home, h.terms, h.head, h.body))
        })
    }
}

fn makes_no_atoms(callee: &Functor) -> bool {
    let (name, arity) = (callee.name.as_str(), callee.arity);
    is_control_construct(name, arity)
        || is_type_test(name, arity)
        || is_term_comparison(name, arity)
        || is_arithmetic_comparison(name, arity)
        || atoms(name, arity) == Some(Atoms::Given)
}
