//! Finds the predicates to which text with syntax errors may belong.
//!
//! ```prolog
//! qs([], []).
//! other(X) :-
//!     helper(X)          % no full stop: other/1 has an unknown clause,
//! part([], _, [], []).   % and so may part/4; SWI-Prolog reads no clause here
//! ```
//!
//! Query results normally contain no line numbers, but these do, because the user must find the line to fix. In this crate, only this file
//! and `positions` know text positions.

use costlens_catalog::is_built_in;
use costlens_syntax::operators::{is_assertion_kind, is_assertion_status, is_profiling_word};
use costlens_syntax::{Lines, ReadClause, ReadError, nearest};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::in_file::index;
use super::multifile::gathered;
use super::predicate::{Predicate, without_clauses};
use crate::language::{Clause, Functor, directive, is_refused, qualified_head};
use crate::loading::{home_module, is_home, unit};
use crate::workspace::{Db, Role, SourceFile, terms};

/// The predicates that may have clauses in a file's syntax errors, each with the first offending line, from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Damage {
    /// Predicates of the file's module.
    of: FxHashMap<Functor, usize>,
    /// All predicates with a name, if the bracket of the arguments is not closed.
    named: FxHashMap<SmolStr, usize>,
    /// The predicates of other modules to which the file adds clauses, by module and predicate.
    elsewhere: FxHashMap<(SmolStr, Functor), usize>,
    /// The line of an unreadable directive, whose effects are unknown.
    all: Option<usize>,
}

impl Damage {
    fn line(&self, functor: &Functor) -> Option<usize> {
        let own = self.of.get(functor).copied();
        let named = || self.named.get(&functor.name).copied();
        own.or_else(named)
    }

    fn add_neighbour(&mut self, db: &dyn Db, file: SourceFile, clause: &ReadClause, line: usize) {
        let home = |m: &str| is_home(db, file, m);
        if let Some((functor, _)) = Clause::of_module(&clause.terms, clause.root, &home) {
            self.of.entry(functor).or_insert(line);
        } else if let Some(other) = qualified_head(&clause.terms, clause.root) {
            let (module, functor) = other;
            self.elsewhere.entry((module, functor)).or_insert(line);
        }
    }

    fn add_heads(&mut self, error: &ReadError, line: usize) {
        for head in &error.heads {
            let name = head.name.clone();
            if let Some(arity) = head.arity {
                let functor = Functor::new(name.clone(), arity);
                self.of.entry(functor).or_insert(line);
            }
            // `p[]).` may have been meant as a clause of `p/1`.
            if head.arity.is_none_or(|arity| arity == 0) {
                self.named.entry(name).or_insert(line);
            }
        }
    }
}

/// *Invalidated* by every edit; equal as long as the same predicates are next to syntax errors in the same lines.
#[salsa::tracked(returns(ref))]
fn damage(db: &dyn Db, file: SourceFile) -> Damage {
    let mut damage = Damage::default();
    let read = terms(db, file);
    let is_sound = |c: &ReadClause| c.error.is_none() && !is_refused(&c.terms, c.root);
    if file.role(db) == Role::Library || read.clauses.iter().all(is_sound) {
        return damage;
    }
    let text = &*file.parsed(db).text;
    let mut lines = Lines::default();
    // The previous clause, and text with a syntax error between it and the next clause: its line, whether it may include the beginning of
    // the next clause, and its text.
    let (mut before, mut pending): (Option<&ReadClause>, Option<(usize, bool, &str)>) =
        (None, None);
    for clause in &read.clauses {
        if let Some(error) = &clause.error {
            let at = clause.range.0 + usize::try_from(error.range.0).unwrap_or(0);
            let line = lines.line(text, at);
            let written = text.get(clause.range.0..clause.range.1).unwrap_or_default();
            if let Some(before) = before.take()
                && (!begins_anew(text, clause.range.0) || may_be_named(before, written))
            {
                damage.add_neighbour(db, file, before, line);
            }
            damage.add_heads(error, line);
            if may_change_others(text.get(clause.range.0..).unwrap_or_default()) {
                damage.all.get_or_insert(line);
            }
            if written.starts_with("<<<<<<<") && written.contains("\n:-") {
                damage.all.get_or_insert(line);
            }
            let reaches = may_reach_further(written);
            let (_, before_reaches, _) = *pending.get_or_insert((line, reaches, written));
            pending = pending.map(|(line, ..)| (line, reaches || before_reaches, written));
        } else if directive(&clause.terms, clause.root).is_none() {
            if is_refused(&clause.terms, clause.root) {
                // The reader accepts this term, but Prolog does not accept it as a clause.
                let line = lines.line(text, clause.range.0);
                damage.add_neighbour(db, file, clause, line);
            }
            if let Some((line, reaches, written)) = pending.take()
                && (reaches || !begins_anew(text, clause.range.0) || may_be_named(clause, written))
            {
                damage.add_neighbour(db, file, clause, line);
            }
            before = Some(clause);
        }
    }
    damage
}

/// Returns whether a name or a directive begins at this position, in the first column, so that it is not the rest of the previous clause.
fn begins_anew(text: &str, at: usize) -> bool {
    let (before, behind) = (text.get(..at), text.get(at..).unwrap_or_default());
    let first = before.is_none_or(|b| b.is_empty() || b.ends_with(['\n', '\r']));
    first && (behind.starts_with(":-") || behind.starts_with(char::is_lowercase))
}

/// Returns whether a text with a syntax error begins like a clause of the given clause's predicate, perhaps without the bracket:
/// `downN) :- …` next to `down(N)`.
fn may_be_named(clause: &ReadClause, written: &str) -> bool {
    Clause::of_module(&clause.terms, clause.root, &|_| true)
        .is_some_and(|(functor, _)| written.starts_with(functor.name.as_str()))
}

/// Returns whether a text with a syntax error may include the beginning of the following clause: if a quote or a comment is opened or
/// closed in it, or if it has no full stop.
fn may_reach_further(written: &str) -> bool {
    written.contains(['\'', '"', '`']) || written.contains("*/") || !written.ends_with('.')
}

/// The words with which assertions usually begin.
const ASSERTION_WORDS: [&str; 8] = [
    "calls", "check", "comp", "entry", "pred", "success", "true", "trust",
];

/// Returns whether a text begins with a directive that may change the meaning of clauses or names.
fn may_change_others(text: &str) -> bool {
    // A quasi-quotation may expand to any clause.
    if text.starts_with("{|") {
        return true;
    }
    let Some(goal) = text.strip_prefix(":-").or_else(|| text.strip_prefix("?-")) else {
        return false;
    };
    let goal = goal.trim_start();
    let name = goal
        .split(|c: char| c != '_' && !c.is_alphanumeric())
        .next();
    let name = name.unwrap_or_default();
    let is_harmless = matches!(name, "initialization" | "discontiguous") || is_profiling_word(name);
    // `:- perd p(A) + cost(ub, steps, 3).`
    let is_slip = || nearest(name, &ASSERTION_WORDS).is_some();
    !(is_harmless || is_assertion_kind(name) || is_assertion_status(name) || is_slip())
}

/// Returns the file and line of text with a syntax error that was meant as a clause of a predicate, or may contain one.
///
/// *Invalidated* when a syntax error appears or disappears; equal unless it concerns this predicate.
#[salsa::tracked(returns(copy))]
pub fn damaged<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<(SourceFile, usize)> {
    let (file, functor) = (predicate.file(db), predicate.functor(db));
    let parts = std::iter::once(file).chain(unit(db, file).iter().copied());
    for part in parts {
        let there = damage(db, part);
        if let Some(line) = there.line(functor).or(there.all) {
            return Some((part, line));
        }
    }
    let Some(Ok(all)) = gathered(db, file, functor) else {
        return None;
    };
    let key = (home_module(db, file).clone()?, functor.clone());
    all.iter().find_map(|given| {
        let line = damage(db, given.file).elsewhere.get(&key)?;
        Some((given.file, *line))
    })
}

/// Returns the predicates whose clauses all have syntax errors. Their names still refer to them rather than to library predicates.
///
/// *Invalidated* like [`damage`], and when a predicate is added or removed.
#[salsa::tracked(returns(deref))]
pub(super) fn lost<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<Predicate<'db>> {
    let heads = &damage(db, file).of;
    if heads.is_empty() {
        return Vec::new();
    }
    let written = index(db, file);
    let mut functors: Vec<&Functor> = (heads.keys())
        .filter(|f| !written.contains_key(*f) && !is_built_in(&f.name, f.arity))
        .collect();
    functors.sort_unstable();
    without_clauses(db, file, &functors)
}
