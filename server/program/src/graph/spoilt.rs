//! Destructive assignment: finds predicates whose clauses do not determine how a call runs, because terms are modified.
//!
//! ```prolog
//! count(Xs, N) :- C = count(0), forall(member(_, Xs), (arg(1, C, A), B is A+1, nb_setarg(1, C, B))), arg(1, C, N).
//! wrong(Xs)    :- C = count(0), …, C = count(N), r(N).      % N is not 0
//! ```
//!
//! Inference assumes that a term remains equal to the term with which it was unified, and keeps its type. Suppose that a clause or a callee
//! modifies a term, and that this term or a term that may share with it is used other than by `arg/3`. Nothing is then known about the
//! predicate. The same holds for callers whose terms are modified. The order of goals does not matter, since `nb_setarg/3` survives
//! backtracking. Bodies are therefore analysed without regard to order, from the effects of callees on their arguments, which are the least
//! fixpoint over all predicates of mutually dependent files.

mod clause_effects;

use costlens_catalog::{
    Assignment, GlobalUse, SystemPredicate, Unfollowed, assignment, calls_no_goals,
    find as find_system, global_use, hooks_called, meta_arguments, unfollowed,
};
use costlens_syntax::term::ReadClause;
use rustc_hash::{FxHashMap, FxHashSet};

use self::clause_effects::{Does, Goals, ModifiedTerms, assigned};
use super::component::file_calls;
use super::resolution::{find, reach};
use crate::calls::{BY_DATA, called};
use crate::definitions::hooked_in;
use crate::directives::{facts, is_stated_of};
use crate::language::{Functor, FunctorKey, is_assignment, split_name};
use crate::names::{depends_on, files_of_group};
use crate::rewriting::first_order;
use crate::workspace::{Db, Role, SourceFile, installed_as, is_installed, terms};

/// A use of facts about terms that may be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoilt {
    /// The index of the clause, from 0.
    pub clause: usize,
    /// The call that modifies a term.
    pub goal: Functor,
}

/// The effects of the predicates of a group of files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct GroupEffects {
    /// The predicates that modify arguments, or the contents of global variables.
    of: FxHashMap<(SourceFile, Functor), ModifiedTerms>,
    /// The effects of predicates in other files.
    elsewhere: FxHashMap<(SourceFile, Functor), ModifiedTerms>,
    spoilt: FxHashMap<(SourceFile, Functor), Spoilt>,
    /// For each predicate with an effect, a goal through which it modifies terms.
    through: FxHashMap<(SourceFile, Functor), Functor>,
    /// True if goals called through variables are assumed to modify no terms.
    assumes: bool,
}

/// Returns whether a rule in a file mentions a built-in that modifies terms.
///
/// *Invalidated* by every edit; the result is nearly always equal.
#[salsa::tracked(returns(copy))]
fn is_named_in(db: &dyn Db, file: SourceFile) -> bool {
    let is_rule = |clause: &ReadClause| {
        let named = clause.terms.functor(clause.root);
        named
            .is_some_and(|(name, arity)| arity == 2 && matches!(name.as_str(), ":-" | "-->" | "=>"))
    };
    let is_about = |clause: &ReadClause| {
        let mut named = clause.terms.ids().filter_map(|t| clause.terms.functor(t));
        named.any(|(name, _)| is_assignment(name))
    };
    (terms(db, file).clauses.iter()).any(|clause| is_rule(clause) && is_about(clause))
}

/// Returns whether a built-in that modifies terms is mentioned in the group of files that begins with this file, or in the files on which
/// the group depends. If none is, nothing has to be analysed.
///
/// *Invalidated* when one of these files begins to mention such a built-in, or its dependencies change.
#[salsa::tracked(returns(copy))]
fn is_named_below(db: &dyn Db, first: SourceFile) -> bool {
    let files = files_of_group(db, first);
    files.iter().any(|&file| is_named_in(db, file))
        || (files.iter())
            .flat_map(|&file| depends_on(db, file))
            .filter(|other| !files.contains(other))
            .any(|&other| is_named_below(db, first_of_group(db, other)))
}

/// Returns the effects in all mutually dependent files, given the first of these files.
///
/// *Invalidated* when the calls of a predicate in these files change, or when a clause changes whose predicate assigns, directly or through
/// calls.
#[salsa::tracked(returns(ref))]
fn effects(db: &dyn Db, first: SourceFile) -> GroupEffects {
    if !is_named_below(db, first) {
        return GroupEffects::default();
    }
    let files = files_of_group(db, first);
    let mut group = FileGroup {
        db,
        known: GroupEffects::default(),
        names: FxHashSet::default(),
        unknown_may_assign: false,
    };
    group.look_elsewhere(&files);
    let mut waiting: Vec<(SourceFile, &Functor)> = Vec::new();
    for &file in &files {
        for (functor, callees) in file_calls(db, file) {
            if callees.iter().any(|c| group.is_about(c)) {
                waiting.push((file, functor));
            }
        }
    }
    if waiting.is_empty() {
        return group.known;
    }
    let mut callers: FxHashMap<(&str, usize), Vec<(SourceFile, &Functor)>> = FxHashMap::default();
    for &file in &files {
        for (functor, callees) in file_calls(db, file) {
            for callee in callees.iter() {
                let key = (plain(&callee.name), callee.arity);
                callers.entry(key).or_default().push((file, functor));
            }
        }
    }
    let mut concerned: Vec<(SourceFile, &Functor)> = Vec::new();
    let mut seen = FxHashSet::default();
    while let Some((file, functor)) = waiting.pop() {
        if seen.insert((file, functor)) {
            concerned.push((file, functor));
        }
        let found = group.joined_effects(file, functor);
        // A closure that a clause hands on may be what a variable calls. That other predicates with an effect are called by data is
        // assumed not to happen.
        group.known.assumes |= !found.effect.arguments.is_empty();
        let is_handed_on = found.hands_on && !is_installed(db, file);
        if !group.unknown_may_assign && is_handed_on {
            group.unknown_may_assign = true;
            let by_data = callers.iter().filter(|((name, _), _)| *name == "call");
            waiting.extend(by_data.flat_map(|(_, callers)| callers));
        }
        let key = (file, functor.clone());
        if let Some(goal) = found.through {
            group.known.through.insert(key.clone(), goal);
        }
        if found.effect.is_none() || group.known.of.get(&key) == Some(&found.effect) {
            continue;
        }
        let name = Functor::new(plain(&functor.name), functor.arity);
        let calling = callers.get(&(plain(&functor.name), functor.arity));
        waiting.extend(calling.into_iter().flatten());
        group.names.insert(name);
        group.known.of.insert(key, found.effect);
    }
    for (file, functor) in concerned {
        if let Some(spoilt) = group.joined_effects(file, functor).spoilt {
            group.known.spoilt.insert((file, functor.clone()), spoilt);
        }
    }
    group.known
}

/// Returns the name without its module.
fn plain(name: &str) -> &str {
    split_name(name).map_or(name, |(_, name)| name)
}

/// The predicates of mutually dependent files.
struct FileGroup<'db> {
    db: &'db dyn Db,
    known: GroupEffects,
    /// The names of all predicates with an effect.
    names: FxHashSet<Functor>,
    unknown_may_assign: bool,
}

impl FileGroup<'_> {
    fn look_elsewhere(&mut self, files: &[SourceFile]) {
        let mut seen: FxHashSet<SourceFile> = files.iter().copied().collect();
        let others = (files.iter())
            .flat_map(|&file| depends_on(self.db, file))
            .filter(|&&other| seen.insert(other));
        let others =
            others.filter(|&&other| is_named_below(self.db, first_of_group(self.db, other)));
        for &other in others {
            let effects = effects_of(self.db, other);
            // Assertions about a library's predicates are trusted.
            let told = (effects.of.iter().chain(&effects.elsewhere))
                .filter(|((file, functor), _)| !is_stated_of(self.db, *file, functor));
            for (key, effect) in told {
                self.names.insert(key.1.clone());
                self.known.elsewhere.insert(key.clone(), effect.clone());
            }
        }
    }

    /// Returns whether a call may modify terms.
    fn is_about(&self, callee: &Functor) -> bool {
        let name = plain(&callee.name);
        is_assignment(name)
            || !self.names.is_empty() && self.names.contains(&Functor::new(name, callee.arity))
    }

    fn does(&self, file: SourceFile, functor: &Functor) -> Does {
        if !self.is_about(functor) {
            return Does::Nothing;
        }
        if let Some(reached) = reach(self.db, file, functor).predicate() {
            let key = (reached.file(self.db), reached.functor(self.db).clone());
            let known = &self.known;
            let effect = known.of.get(&key).or_else(|| known.elsewhere.get(&key));
            return effect.map_or(Does::Nothing, |effect| Does::Calls(effect.clone()));
        }
        match assignment(plain(&functor.name), functor.arity) {
            Some(how) => Does::Assigns {
                shares: how == Assignment::Shares,
            },
            None => Does::Nothing,
        }
    }

    /// Returns whether a predicate is known not to call goals passed to it: a built-in without goal arguments, or a library predicate with
    /// assertions (docs/assertions.md).
    ///
    /// ```prolog
    /// tell(Q, C) :- thread_send_message(Q, count(C)).      % calls no count/1
    /// ```
    fn calls_nothing(&self, file: SourceFile, functor: &Functor) -> bool {
        let reached = reach(self.db, file, functor).predicate();
        let own_name = reached.map_or(functor, |reached| reached.functor(self.db));
        let (name, arity) = (plain(&own_name.name), own_name.arity);
        // A goal that reads the variable may call its value.
        let stores = global_use(name, arity) == Some(GlobalUse::Stores);
        if stores || !meta_arguments(name, arity).is_empty() {
            return false;
        }
        if let Some(home) = reached.map(|reached| reached.file(self.db)) {
            if is_stated_of(self.db, home, own_name) {
                return true;
            }
            let library = find_system(name, arity).and_then(SystemPredicate::library);
            if library.is_none() || library != installed_as(self.db, home) {
                return false;
            }
        }
        let mut hooks = hooks_called(name, arity).map(|(n, a)| Functor::new(n, a));
        calls_no_goals(name, arity) && !hooks.any(|hook| self.has(file, &hook))
    }

    /// Returns whether the program defines a hook that the system calls.
    fn has(&self, file: SourceFile, hook: &Functor) -> bool {
        find(self.db, file, hook).is_some()
            || facts(self.db, file).is_open(hook)
            || hooked_in(self.db, file, hook, &|_, _| true).is_some()
    }

    /// Joins the effects of a predicate's clauses.
    fn joined_effects(&self, file: SourceFile, functor: &Functor) -> PredicateEffects {
        let mut all = PredicateEffects::default();
        let Some(predicate) = find(self.db, file, functor) else {
            return all;
        };
        let goals = Goals {
            does: &|functor| self.does(file, functor),
            calls_nothing: &|functor| self.calls_nothing(file, functor),
            unknown_may_assign: self.unknown_may_assign,
        };
        let (mut changes, mut uses_arguments) = (None, false);
        let mut root: Option<Spoilt> = None;
        for (clause, text) in first_order(self.db, predicate).iter().enumerate() {
            let found = assigned(text, &goals);
            all.effect.arguments.extend(found.effect.arguments);
            all.effect.anything |= found.effect.anything;
            all.hands_on |= found.hands_on;
            uses_arguments |= found.uses_arguments;
            let by = found.goal.map(|goal| Spoilt { clause, goal });
            // A recursive call only modifies terms that another clause modifies.
            root = root.or_else(|| by.clone().filter(|by| by.goal != *functor));
            if found.is_used && all.spoilt.is_none() {
                all.spoilt.clone_from(&by);
            }
            changes = changes.or(by);
        }
        all.through = (root.as_ref().or(changes.as_ref())).map(|by| by.goal.clone());
        // Modifications by one clause are visible to the following clauses.
        if uses_arguments && !all.effect.arguments.is_empty() {
            all.spoilt = all.spoilt.or(changes);
        }
        if all.spoilt.as_ref().is_some_and(|by| by.goal == *functor) {
            all.spoilt = root.or(all.spoilt);
        }
        all
    }
}

/// The effects of one predicate's clauses.
#[derive(Default)]
struct PredicateEffects {
    effect: ModifiedTerms,
    spoilt: Option<Spoilt>,
    /// A goal through which the predicate modifies terms, other than a recursive call if possible.
    through: Option<Functor>,
    /// True if a clause mentions a built-in that modifies terms, without calling it.
    hands_on: bool,
}

fn effects_of(db: &dyn Db, file: SourceFile) -> &GroupEffects {
    effects(db, first_of_group(db, file))
}

fn first_of_group(db: &dyn Db, file: SourceFile) -> SourceFile {
    files_of_group(db, file).first().copied().unwrap_or(file)
}

#[salsa::tracked(returns(clone))]
fn spoilt_in<'db>(db: &'db dyn Db, file: SourceFile, key: FunctorKey<'db>) -> Option<Spoilt> {
    let spoilt = &effects_of(db, file).spoilt;
    if spoilt.is_empty() {
        return None;
    }
    spoilt.get(&(file, key.functor(db).clone())).cloned()
}

/// Returns a goal of a predicate's clauses through which it modifies terms, if it may modify any.
pub fn modifies_through(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<Functor> {
    let through = &effects_of(db, file).through;
    through.get(&(file, functor.clone())).cloned()
}

/// Returns whether a clause of a file gives variables attributes, so that goals run when these variables are bound.
pub fn gives_attributes(db: &dyn Db, file: SourceFile) -> bool {
    (called(db, file).iter())
        .any(|callee| unfollowed(&callee.name, callee.arity) == Some(Unfollowed::Attributes))
}

/// Returns whether the bounds of a file assume that goals called through variables modify no terms: a predicate of mutually dependent files
/// modifies an argument, and a clause of the file calls a variable.
pub fn assumes_no_assignment_by_data(db: &dyn Db, file: SourceFile) -> bool {
    let by_data = Functor::new(BY_DATA.0, BY_DATA.1);
    file.role(db) == Role::User
        && called(db, file).contains(&by_data)
        && effects_of(db, file).assumes
}

/// Returns the position at which a predicate uses facts about terms that are modified destructively, if any.
pub fn spoilt(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<Spoilt> {
    // The libraries that ship with Costlens read the terms that they modify with `arg/3`.
    if file.role(db) == Role::Library {
        return None;
    }
    spoilt_in(db, file, FunctorKey::new(db, functor.clone()))
}
