//! The terms that a file's own hooks expand, if the hooks are pure code: they are run.
//!
//! ```prolog
//! term_expansion(unreserved(map), Clauses) :- findall(unreserved(C), unreserved_(C), Clauses).
//! unreserved_(C) :- between(1, 128, C), code_type(C, alnum).
//! unreserved(map).                                                                          % 62 facts of unreserved/1
//! ```
//!
//! Pure code consists of clauses that precede the term in the same file, and of built-ins whose answers depend only on their arguments.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use costlens_body::Goal;
use costlens_catalog::{Answers, find, format_argument, is_fixed, is_locked, is_system_hook};
use costlens_syntax::term::{NIL, ReadClause, Term, TermId, Terms};
use costlens_syntax::{Dialect, read_text, write_term};
use rustc_hash::FxHashMap;

use super::hook_clause::{HookClause, hook_clauses};
use crate::directives::{Conditions, Presence, facts, files_naming};
use crate::language::{Clause, Functor, directive, is_expansion_hook, plain_calls};
use crate::workspace::{
    Db, ExpansionRunner, HookResult, Role, RunHooks, SourceFile, is_installed, terms,
};

/// The maximum number of terms of a file for which hooks are run.
const MOST_TERMS: usize = 3_000;

/// The maximum length of the text of the clauses that a hook runs, in bytes.
const LONGEST_PROGRAM: usize = 100_000;

/// Directives that change no clause and no call.
const IDLE: [(&str, usize); 2] = [("license", 1), ("predicate_options", 3)];

/// A term in an arena of its own or of a text.
pub(crate) type WholeTerm = (Arc<Terms>, TermId);

/// The clauses that replace terms, and the hooks that do nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExpandedTerms {
    /// The clauses that replace a term, by its index in the file.
    pub(crate) clauses: BTreeMap<usize, Vec<WholeTerm>>,
    /// The numbers of the clauses of `term_expansion/2` that have been run for every term of the file which they match.
    pub(crate) hooks: BTreeSet<usize>,
}

/// Returns the terms of a file that its own hooks replace.
///
/// *Invalidated* by every edit; equal as long as the hooks and the terms that they take stay the same.
#[salsa::tracked(returns(ref))]
pub(crate) fn expanded_terms(db: &dyn Db, file: SourceFile) -> ExpandedTerms {
    let run = ExpansionRunner::try_get(db).and_then(|runner| runner.run(db));
    let read = terms(db, file);
    let all: Vec<HookClause<'_>> = hook_clauses(&read.clauses).collect();
    let is_swi = file.parsed(db).dialect() == Dialect::Swi;
    let Some(run) = run.filter(|_| is_swi && file.role(db) != Role::Library && !all.is_empty())
    else {
        return ExpandedTerms::default();
    };
    let mut conditions = Conditions::for_file(db, file);
    let mut presence = Vec::with_capacity(read.clauses.len());
    for clause in &read.clauses {
        let goal = directive(&clause.terms, clause.root);
        // Hooks do not see the directives of conditional compilation.
        let is_condition = goal.is_some_and(|goal| conditions.read(clause, goal));
        presence.push(match is_condition {
            true => Presence::Absent,
            false => conditions.presence(),
        });
    }
    let of_terms = |hook: &HookClause<'_>| hook.of.name == "term_expansion";
    let hooks: Vec<HookClause<'_>> = (all.into_iter())
        .filter(|h| of_terms(h) && presence[h.clause] != Presence::Absent)
        .collect();
    // The results of one hook are the terms of the next: hooks of several modules, or with four arguments.
    let is_plain = |h: &HookClause<'_>| {
        h.of.arity == 2 && presence[h.clause] == Presence::There && h.module == hooks[0].module
    };
    if !hooks.iter().all(is_plain) {
        return ExpandedTerms::default();
    }
    let file = HookFile {
        db,
        file,
        clauses: &read.clauses,
        hooks: &hooks,
        presence: &presence,
        defined: defined(&read.clauses),
        run,
    };
    file.expanded()
}

/// Returns the indices of the clauses of each predicate.
fn defined(clauses: &[ReadClause]) -> FxHashMap<Functor, Vec<usize>> {
    let mut found: FxHashMap<Functor, Vec<usize>> = FxHashMap::default();
    for (i, read) in clauses.iter().enumerate() {
        if directive(&read.terms, read.root).is_none()
            && read.error.is_none()
            && let Some((functor, _)) = Clause::from_term(&read.terms, read.root)
        {
            found.entry(functor).or_default().push(i);
        }
    }
    found
}

/// A file with hooks.
struct HookFile<'a> {
    db: &'a dyn Db,
    file: SourceFile,
    clauses: &'a [ReadClause],
    hooks: &'a [HookClause<'a>],
    presence: &'a [Presence],
    defined: FxHashMap<Functor, Vec<usize>>,
    run: RunHooks,
}

impl HookFile<'_> {
    /// Runs the hooks for all terms that they match.
    fn expanded(&self) -> ExpandedTerms {
        let mut result = ExpandedTerms::default();
        let mut unknown: BTreeSet<usize> = BTreeSet::new();
        // The terms for which the same clauses are run.
        let mut batches: BTreeMap<Vec<usize>, Vec<(usize, Vec<usize>)>> = BTreeMap::new();
        let mut count = 0;
        for (i, read) in self.clauses.iter().enumerate() {
            if self.presence[i] == Presence::Absent {
                continue;
            }
            let matching: Vec<usize> = (0..self.hooks.len())
                .filter(|&h| self.hooks[h].clause < i && self.may_take(&self.hooks[h], read))
                .collect();
            if matching.is_empty() {
                continue;
            }
            count += 1;
            let program = (count <= MOST_TERMS && read.error.is_none())
                .then(|| self.program(&matching, i))
                .flatten();
            match program {
                Some(program) => batches.entry(program).or_default().push((i, matching)),
                None => unknown.extend(matching),
            }
        }
        for (program, terms) in batches {
            let text = self.text(&program);
            let asked: Vec<String> = (terms.iter())
                .map(|(i, _)| {
                    let read = &self.clauses[*i];
                    format!("({})", write_term(&read.terms, read.root, None))
                })
                .collect();
            let results = match text.len() <= LONGEST_PROGRAM {
                true => (self.run)(&text, &asked),
                false => vec![HookResult::Unknown; asked.len()],
            };
            for ((i, matching), found) in terms.into_iter().zip(results) {
                match self.replacement(i, &found) {
                    Some(Some(clauses)) => drop(result.clauses.insert(i, clauses)),
                    Some(None) => {}
                    None => unknown.extend(matching),
                }
            }
        }
        // The last term of a file is `end_of_file`.
        let takes_end = |h: &HookClause<'_>| {
            let of = h.terms.get(h.terms.args(h.head)[0]);
            !matches!(of, Term::Compound(..))
        };
        let resolved = (0..self.hooks.len()).filter(|h| !unknown.contains(h));
        let resolved: Vec<usize> = resolved
            .filter(|&h| !takes_end(&self.hooks[h]) || self.passes_end(h))
            .collect();
        // A term that an unresolved hook may take as well is not replaced.
        if resolved.len() < self.hooks.len() {
            let other = |h: usize| !resolved.contains(&h);
            result.clauses.retain(|&i, _| {
                !(0..self.hooks.len()).any(|h| {
                    other(h)
                        && self.hooks[h].clause < i
                        && self.may_take(&self.hooks[h], &self.clauses[i])
                })
            });
        }
        result.hooks = resolved.into_iter().map(|h| self.hooks[h].number).collect();
        result
    }

    /// Returns whether a hook does not change `end_of_file`.
    fn passes_end(&self, hook: usize) -> bool {
        let Some(program) = self.program(&[hook], self.clauses.len()) else {
            return false;
        };
        let text = self.text(&program);
        text.len() <= LONGEST_PROGRAM
            && (self.run)(&text, &["end_of_file".to_owned()]) == [HookResult::Fails]
    }

    /// Returns whether a hook may take a term, by the functor of its first argument.
    fn may_take(&self, hook: &HookClause<'_>, read: &ReadClause) -> bool {
        unifiable(
            hook.terms,
            hook.terms.args(hook.head)[0],
            &read.terms,
            read.root,
            3,
        )
    }

    /// Returns the indices of the clauses that the hooks run for a term of the file, if they are pure code.
    fn program(&self, hooks: &[usize], before: usize) -> Option<Vec<usize>> {
        let mut program: BTreeSet<usize> = BTreeSet::new();
        let mut waiting: Vec<usize> = hooks.iter().map(|&h| self.hooks[h].clause).collect();
        let mut seen: BTreeSet<Functor> = BTreeSet::new();
        let facts = facts(self.db, self.file);
        while let Some(clause) = waiting.pop() {
            if !program.insert(clause) {
                continue;
            }
            if self.presence[clause] != Presence::There {
                return None;
            }
            for callee in self.callees(clause)? {
                if is_fixed(&callee.name, callee.arity) && !is_pure(&callee) {
                    return None;
                }
                let own = self.defined.get(&callee);
                if self.is_named_elsewhere(&callee) {
                    return None;
                }
                match own.filter(|_| !is_fixed(&callee.name, callee.arity)) {
                    Some(clauses) => {
                        if facts.is_open(&callee) || facts.multifile.contains(&callee) {
                            return None;
                        }
                        if seen.insert(callee.clone()) {
                            waiting.extend(clauses.iter().copied().filter(|&c| c < before));
                        }
                    }
                    None if is_pure(&callee) => {}
                    None => return None,
                }
            }
        }
        Some(program.into_iter().collect())
    }

    /// Returns whether another file of the user has clauses for a predicate of this name, so that an import may redefine it.
    fn is_named_elsewhere(&self, callee: &Functor) -> bool {
        let is_locked =
            is_locked(&callee.name, callee.arity) || is_fixed(&callee.name, callee.arity);
        if is_locked || self.defined.contains_key(callee) {
            return false;
        }
        let mut others = files_naming(self.db, callee);
        others.any(|f| f != self.file && !is_installed(self.db, f))
    }

    /// Returns the predicates that a clause calls. Returns `None` if some are unknown.
    fn callees(&self, clause: usize) -> Option<Vec<Functor>> {
        let read = &self.clauses[clause];
        let terms = &read.terms;
        let (_, of) = Clause::from_term(terms, unqualified(terms, read.root))?;
        let mut found = Vec::new();
        for &part in of.guard.iter().chain(&of.body) {
            for call in plain_calls(&of.terms, part)? {
                if !formats_a_text(&of.terms, call.goal) {
                    found.push(call.callee);
                }
            }
            // The clause may run unknown goals.
            let waits = |t: &TermId| matches!(Goal::lower(&of.terms, *t), Goal::Qualified { .. });
            if of.terms.subterms(part).iter().any(waits) {
                return None;
            }
        }
        Some(found)
    }

    /// Writes clauses as text; those of hooks without their module.
    fn text(&self, program: &[usize]) -> String {
        let mut text = String::new();
        for &clause in program {
            let read = &self.clauses[clause];
            let (terms, root) = match self.hooks.iter().find(|h| h.clause == clause) {
                Some(hook) if hook.module.is_some() => {
                    let mut terms = Terms::clone(&read.terms);
                    let root = match hook.body {
                        None => hook.head,
                        Some(body) => terms.compound(":-", &[hook.head, body]),
                    };
                    (Arc::new(terms), root)
                }
                _ => (Arc::clone(&read.terms), read.root),
            };
            text.push_str(&write_term(&terms, root, None));
            text.push_str(" .\n");
        }
        text
    }

    /// Returns the clauses that replace a term: `Some(None)` if it stays. Returns `None` if the result is not known.
    fn replacement(&self, term: usize, found: &HookResult) -> Option<Option<Vec<WholeTerm>>> {
        let text = match found {
            HookResult::Fails => return Some(None),
            HookResult::Unknown => return None,
            HookResult::Gives(text) => text,
        };
        let read = read_text(&format!("{text} ."));
        let [found] = &read.clauses[..] else {
            return None;
        };
        if found.error.is_some() {
            return None;
        }
        let terms = &found.terms;
        let own = &self.clauses[term];
        if write_term(terms, found.root, None) == write_term(&own.terms, own.root, None) {
            return Some(None);
        }
        if let Some(goal) = directive(&own.terms, own.root) {
            // Other modules read the effects of the directive itself.
            let (name, arity) = own.terms.functor(goal)?;
            if find(name, arity).is_some() {
                return None;
            }
        }
        let (elements, tail) = terms.list(found.root);
        let roots = match terms.as_atom(tail).is_some_and(|t| t == NIL) {
            true => elements,
            false if elements.is_empty() => vec![found.root],
            false => return None,
        };
        // A clause of a hook would change what follows.
        let is_clause = |&root: &TermId| {
            directive(terms, root).is_none()
                && terms.matches(root, "?-", 1).is_none()
                && Clause::from_term(terms, root).is_some_and(|(of, _)| !is_hook(&of))
        };
        // Declarations that change no clause and no call.
        let is_idle = |&root: &TermId| {
            let goal = directive(terms, root).and_then(|goal| terms.functor(goal));
            goal.is_some_and(|(name, arity)| IDLE.contains(&(name.as_str(), arity)))
        };
        let roots: Vec<TermId> = roots.into_iter().filter(|root| !is_idle(root)).collect();
        roots.iter().all(is_clause).then(|| {
            Some(
                roots
                    .iter()
                    .map(|&root| (Arc::clone(terms), root))
                    .collect(),
            )
        })
    }
}

/// Returns whether the system or a library calls clauses of a predicate by name.
fn is_hook(functor: &Functor) -> bool {
    is_expansion_hook(functor) || is_system_hook(&functor.name, functor.arity)
}

/// Returns a clause without the module of its head.
fn unqualified(terms: &Terms, root: TermId) -> TermId {
    match terms.matches(root, ":", 2) {
        Some(&[_, inner]) => inner,
        _ => root,
    }
}

/// Returns whether a built-in's answers depend only on its arguments, and it changes nothing.
fn is_pure(callee: &Functor) -> bool {
    find(&callee.name, callee.arity).is_some_and(|p| {
        let depends = costlens_catalog::answers(p.name, p.arity);
        p.on_machine
            && depends != Some(Answers::World)
            && (depends == Some(Answers::Arguments)
                || p.effect.is_none()
                    && !p.reads
                    && p.clause_change.is_none()
                    && p.assignment.is_none()
                    && p.alteration.is_none()
                    && p.hooks.is_empty()
                    && p.message.is_none()
                    && costlens_catalog::global_use(p.name, p.arity).is_none())
    })
}

/// Returns whether a goal writes to a text: `format(atom(A), F, As)`.
fn formats_a_text(terms: &Terms, goal: TermId) -> bool {
    let is_format = |(name, arity): (&_, usize)| format_argument(name, arity) == Some(1);
    if !terms
        .functor(goal)
        .is_some_and(|(name, arity)| is_format((name, arity)))
    {
        return false;
    }
    let &[sink, format, _] = terms.args(goal) else {
        return false;
    };
    let is_text = |of: &str| terms.matches(sink, of, 1).is_some();
    // `~p` calls hooks of the program.
    let is_plain = match terms.get(format) {
        Term::Atom(text) | Term::String(text) => {
            !["~p", "~@", "~i"].iter().any(|d| text.contains(d))
        }
        _ => false,
    };
    is_plain
        && ["atom", "string", "codes", "chars"]
            .into_iter()
            .any(is_text)
}

/// Returns whether two terms may unify, looking at their functors down to a depth.
fn unifiable(one: &Terms, a: TermId, two: &Terms, b: TermId, depth: usize) -> bool {
    match (one.functor(a), two.functor(b)) {
        _ if matches!(one.get(a), Term::Var(_)) || matches!(two.get(b), Term::Var(_)) => true,
        (Some(f), Some(g)) => {
            f == g
                && (depth == 0
                    || (one.args(a).iter().zip(two.args(b)))
                        .all(|(&a, &b)| unifiable(one, a, two, b, depth - 1)))
        }
        // Numbers and strings are compared by the hook.
        (None, None) => true,
        _ => false,
    }
}
