//! The alternatives of predicates whose clauses depend on undecided conditions.
//!
//! ```prolog
//! :- if(is_enterprise).
//! quota(U, N) :- plan(U, P), limit(P, N).     % one alternative
//! :- else.
//! quota(_, 10).                               % the other
//! :- endif.
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use costlens_catalog::find;
use costlens_syntax::Branch;
use rustc_hash::FxHashMap;

use super::predicate::Predicate;
use super::run_hooks::expanded_terms;
use crate::directives::{Conditions, Presence};
use crate::language::{Clause, Functor, FunctorKey, directive};
use crate::loading::is_home;
use crate::workspace::{Db, SourceFile, terms};

/// The maximum number of undecided conditions that a predicate may depend on.
const MOST_CONDITIONS: usize = 3;

/// The maximum number of alternatives of a predicate.
const MOST_ALTERNATIVES: usize = 4;

/// The clauses of a predicate under each combination of undecided conditions, as indices among its clauses. No alternative is empty.
pub(crate) type Alternatives = Arc<[Box<[usize]>]>;

/// The alternatives of a file's predicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct FileAlternatives {
    of: FxHashMap<Functor, Alternatives>,
    /// The predicates without clauses under some combination, which is assumed not to be the case.
    assumed: BTreeSet<Functor>,
}

/// *Invalidated* when the conditions around the predicate's clauses change.
#[salsa::tracked(returns(clone))]
fn alternatives_in<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    key: FunctorKey<'db>,
) -> Option<Alternatives> {
    file_alternatives(db, file).of.get(key.functor(db)).cloned()
}

/// Returns the alternatives of a predicate. There may be one. Returns `None` for a predicate that depends on no undecided condition, or in
/// too many ways.
pub(crate) fn alternatives<'db>(
    db: &'db dyn Db,
    predicate: Predicate<'db>,
) -> Option<Alternatives> {
    if !predicate.conditional(db) {
        return None;
    }
    let key = FunctorKey::new(db, predicate.functor(db).clone());
    alternatives_in(db, predicate.file(db), key)
}

/// Returns the predicates whose clauses are all left out under some undecided condition. That it does not hold is an assumption.
pub(crate) fn assumed_defined(db: &dyn Db, file: SourceFile) -> &BTreeSet<Functor> {
    &file_alternatives(db, file).assumed
}

/// *Invalidated* by every edit; the result is nearly always equal.
#[salsa::tracked(returns(ref))]
fn file_alternatives(db: &dyn Db, file: SourceFile) -> FileAlternatives {
    if !expanded_terms(db, file).clauses.is_empty() {
        return FileAlternatives::default();
    }
    let mut conditions = Conditions::for_file(db, file);
    let mut places: BTreeMap<Functor, Vec<Vec<Branch>>> = BTreeMap::new();
    // The undecided branches of each condition, and whether the last one is an `else`.
    let mut branches: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut complete: BTreeSet<usize> = BTreeSet::new();
    for read in &terms(db, file).clauses {
        if let Some(goal) = directive(&read.terms, read.root) {
            conditions.read(read, goal);
            let is_else = read.terms.as_atom(goal).is_some_and(|name| name == "else");
            for at in conditions.branches() {
                branches
                    .entry(at.conditional)
                    .or_default()
                    .insert(at.branch);
            }
            if let Some(innermost) = conditions.branches().last().filter(|_| is_else) {
                complete.insert(innermost.conditional);
            }
        } else if conditions.presence() != Presence::Absent
            && let Some((functor, _)) =
                Clause::of_module(&read.terms, read.root, &|m| is_home(db, file, m))
        {
            places
                .entry(functor)
                .or_default()
                .push(conditions.branches());
        }
    }
    let mut found = FileAlternatives::default();
    for (functor, clauses) in places {
        if clauses.iter().all(Vec::is_empty) {
            continue;
        }
        let Some(mut all) = combinations(&clauses, &branches, &complete) else {
            continue;
        };
        if all.remove(&Vec::new()) {
            // Without these clauses, the name means an unknown predicate.
            if all.is_empty() || find(&functor.name, functor.arity).is_some() {
                continue;
            }
            found.assumed.insert(functor.clone());
        }
        found
            .of
            .insert(functor, all.into_iter().map(Vec::into).collect());
    }
    found
}

/// Returns the clauses that are present under each combination of the conditions on which they depend.
fn combinations(
    clauses: &[Vec<Branch>],
    branches: &BTreeMap<usize, BTreeSet<usize>>,
    complete: &BTreeSet<usize>,
) -> Option<BTreeSet<Vec<usize>>> {
    let conditions: BTreeSet<usize> = clauses.iter().flatten().map(|b| b.conditional).collect();
    if conditions.len() > MOST_CONDITIONS {
        return None;
    }
    let mut choices: Vec<BTreeMap<usize, Option<usize>>> = vec![BTreeMap::new()];
    for condition in conditions {
        let none = (!complete.contains(&condition)).then_some(None);
        let of = branches.get(&condition).into_iter().flatten();
        let taken: Vec<Option<usize>> = of.map(|&branch| Some(branch)).chain(none).collect();
        let with = |choice: &BTreeMap<usize, Option<usize>>, branch: Option<usize>| {
            let mut choice = choice.clone();
            choice.insert(condition, branch);
            choice
        };
        choices = (choices.iter())
            .flat_map(|choice| taken.iter().map(move |&branch| with(choice, branch)))
            .collect();
        if choices.len() > MOST_CHOICES {
            return None;
        }
    }
    let present = |choice: &BTreeMap<usize, Option<usize>>| {
        let is_present = |at: &Branch| choice.get(&at.conditional) == Some(&Some(at.branch));
        (0..clauses.len())
            .filter(|&i| clauses[i].iter().all(is_present))
            .collect()
    };
    let all: BTreeSet<Vec<usize>> = choices.iter().map(present).collect();
    (all.len() <= MOST_ALTERNATIVES).then_some(all)
}

/// The maximum number of combinations of branches that are looked at.
const MOST_CHOICES: usize = 64;
