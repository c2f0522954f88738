//! Goals and clauses that change how other clauses are read or run, each with its *reach*: the predicates that it can change.
//!
//! ```prolog
//! :- set_prolog_flag(occurs_check, error).              % every unification may raise: all predicates
//! :- wrap_predicate(p(_), log, W, (note, W)).           % p/1 runs more than its clauses
//! :- once(set_prolog_flag(double_quotes, codes)).       % clauses with quoted text after it, if the reader does not follow it
//! :- M = store, dynamic(M:item/2).                      % item/2, in whatever module
//! :- format_predicate(v, show(_, _)).                   % clauses that write with ~v
//! prolog_exception_hook(_, _, _, _) :- note, fail.      % nothing, if it does not run: an assumption that answers name
//! ```
//!
//! Such a goal also counts if it is in a clause that a directive calls: `quiet :- set_prolog_flag(double_quotes, atom).` before `:- quiet.`
//!
//! In SWI-Prolog 9.0.4, two further directives end or redirect the loading of a file:
//!
//! ```prolog
//! :- throw(stop).           % not an error(_, _): the rest of the file is not read
//! :- m:use_module(part).    % part.pl is not a module: the following clauses belong to m
//! ```
//!
//! A predicate that an effect reaches has no bounds, and the goal is reported to the user. An effect whose reach cannot be computed is an
//! assumption ([`EffectClaim`]), reported once for each file.

mod formats;
mod from_data;
mod in_file;
mod kinds;
mod reading;

use std::collections::BTreeSet;
use std::fmt;

use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};

pub use self::kinds::EffectClaim;

pub(crate) use self::formats::writes_with;
pub(crate) use self::in_file::EffectReach;

use self::in_file::{FileEffect, clauses_mentioning, effects_of_call, file_effects};
use self::kinds::ChangedPart;
use crate::directives::{facts, loads};
use crate::language::FunctorKey;
use crate::loading::image::programs;
use crate::loading::{is_home, program, target, unit};
use crate::workspace::{Db, Role, SourceFile, is_installed};

/// A goal or clause that changes how a predicate is read or run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alteration {
    /// The file that contains it.
    pub file: SourceFile,
    /// The goal, or the name of the clause's predicate: `set_prolog_flag(occurs_check, error)`.
    pub by: SmolStr,
    /// The part of the program that it changes.
    pub changes: Changed,
}

/// The part of a program that an alteration changes, from the view of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// The whole program.
    Program,
    /// How the text of its clauses is read.
    Text,
    /// How quoted text is read: adding the directive to the other file as well resolves the problem.
    Quotes,
    /// The predicate itself.
    Predicate,
    /// A built-in that it calls.
    BuiltIn,
}

/// An effect on the predicates of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Effect {
    /// The file of the goal or clause.
    pub(crate) file: SourceFile,
    /// The goal, or the name of the clause's predicate.
    pub(crate) by: SmolStr,
    pub(crate) reach: EffectReach,
    /// True for a plain directive about quotes in another file of the module.
    pub(crate) of_quotes: bool,
}

/// Returns the effects on a file's predicates: its own, and those of other files of its programs.
///
/// *Invalidated* when a goal with an effect, or a directive that loads, is added or removed, or by edits of a file in which operators or
/// quotes are unknown.
#[salsa::tracked(returns(deref))]
pub(crate) fn effects_on(db: &dyn Db, file: SourceFile) -> Vec<Effect> {
    if file.role(db) == Role::Library || is_installed(db, file) {
        return Vec::new();
    }
    let mut found: Vec<Effect> = (file_effects(db, file).effects.iter())
        .filter_map(|effect| on_file(db, file, file, effect))
        .collect();
    found.extend(diverted(db, file));
    let mut seen = FxHashSet::from_iter([file]);
    let mut all = vec![file];
    let roots = programs(db, file).iter();
    for other in roots.flat_map(|&root| files_of(db, root)) {
        if seen.insert(other) {
            all.push(other);
            let effects = file_effects(db, other).effects.iter();
            found.extend(effects.filter_map(|effect| on_file(db, file, other, effect)));
            found.extend(diverted(db, other));
        }
    }
    found.extend(by_calls(db, file, &all));
    found.extend(quotes_of_another(db, file));
    found
}

/// Returns the effects on a file of clauses that directives of other files of its programs call. `program` contains the files.
fn by_calls(db: &dyn Db, file: SourceFile, program: &[SourceFile]) -> Vec<Effect> {
    let mut found: Vec<Effect> = Vec::new();
    for &directing in program {
        // The text that follows the directive belongs to its file, and to other files if operators and flags are global.
        let is_read = directing == file || facts(db, directing).module.is_none();
        for (callee, names) in &file_effects(db, directing).called {
            let key = FunctorKey::new(db, callee.clone());
            for &home in program.iter().filter(|&&home| home != directing) {
                for (by, kind) in effects_of_call(db, home, key) {
                    let effect = |reach: EffectReach| Effect {
                        file: home,
                        by: by.clone(),
                        reach,
                        of_quotes: false,
                    };
                    match kind {
                        ChangedPart::Text(what) if is_read => {
                            let read = clauses_mentioning(db, file, what);
                            found.push(effect(EffectReach::Text(read)));
                        }
                        // The rest of the directive's file belongs to another module.
                        ChangedPart::Module if directing == file => {
                            let anything = &kinds::Mentioning::Anything;
                            let read = clauses_mentioning(db, file, anything);
                            found.push(effect(EffectReach::Text(read)));
                        }
                        ChangedPart::Text(_) | ChangedPart::Module => {}
                        ChangedPart::Named(claim) => {
                            found.push(effect(EffectReach::Names(names.clone())));
                            found.push(effect(EffectReach::Assumed(*claim)));
                        }
                        kind => found.extend(kind.reach().map(effect)),
                    }
                }
            }
        }
    }
    found.sort_by(|a, b| (a.file.path(db), &a.by).cmp(&(b.file.path(db), &b.by)));
    found.dedup();
    found
}

/// Returns the effect of a goal in a file on another file, if any.
fn on_file(db: &dyn Db, file: SourceFile, by: SourceFile, effect: &FileEffect) -> Option<Effect> {
    let reach = match &effect.reach {
        // The clauses of the effect's own file are listed; those of other files are found by their text.
        EffectReach::Text(_) if file != by => return None,
        EffectReach::Mentioning(..) if file == by => return None,
        EffectReach::Mentioning(what, is_global) => {
            let is_read = *is_global || unit(db, by).contains(&file);
            is_read.then(|| EffectReach::Text(clauses_mentioning(db, file, what)))?
        }
        reach => reach.clone(),
    };
    Some(Effect {
        file: by,
        by: effect.by.clone(),
        reach,
        of_quotes: false,
    })
}

/// Returns the directive that removes goals of `assertion/1` in the programs of a file: `:- set_prolog_flag(optimise, true).`
///
/// *Invalidated* when a goal with an effect, or a directive that loads, is added or removed.
#[salsa::tracked(returns(ref))]
pub(crate) fn leaving_out_assertions(db: &dyn Db, file: SourceFile) -> Option<Alteration> {
    if file.role(db) == Role::Library || is_installed(db, file) {
        return None;
    }
    let roots = programs(db, file).iter();
    let mut all = roots.flat_map(|&root| files_of(db, root)).chain([file]);
    all.find_map(|other| {
        let by = file_effects(db, other).assertions.clone()?;
        Some(Alteration {
            file: other,
            by,
            changes: Changed::BuiltIn,
        })
    })
}

/// Returns a directive of a file that makes another module import a file that is not a module: SWI-Prolog raises an error and remains in
/// that module.
fn diverted(db: &dyn Db, file: SourceFile) -> Option<Effect> {
    let by = (loads(db, file).loads.iter().enumerate()).find_map(|(number, load)| {
        let into = load.into.as_ref().filter(|_| load.must_be_module)?;
        let other = target(db, file, number)?;
        let is_diverted = facts(db, other).module.is_none() && !is_home(db, file, into);
        is_diverted.then(|| format_smolstr!("{into}:use_module({})", load.spec))
    })?;
    Some(Effect {
        file,
        by,
        reach: EffectReach::Program,
        of_quotes: false,
    })
}

/// Returns the user's files in the program with this root file.
fn files_of(db: &dyn Db, root: SourceFile) -> impl Iterator<Item = SourceFile> {
    let program = program(db, root);
    let files = program.stretches.iter().map(|stretch| stretch.file);
    let all = files.chain(program.later.iter().copied());
    all.filter(move |&f| !is_installed(db, f))
}

/// Returns the directive in another file of the module that changes how quoted text is read, if this file does not contain it.
fn quotes_of_another(db: &dyn Db, file: SourceFile) -> Option<Effect> {
    let parts = unit(db, file);
    if parts.is_empty() || !file.parsed(db).text.contains(['"', '`']) {
        return None;
    }
    let own = &file_effects(db, file).quotes;
    parts.iter().find_map(|&part| {
        let quotes = &file_effects(db, part).quotes;
        let by = quotes.clone().filter(|_| quotes != own)?;
        Some(Effect {
            file: part,
            by,
            reach: EffectReach::Text(clauses_mentioning(db, file, &kinds::Mentioning::Quotes)),
            of_quotes: true,
        })
    })
}

/// An assumption about a goal whose reach is not known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Assumed {
    /// The file that contains the goal, if that is another file.
    pub path: Option<SmolStr>,
    /// The goal.
    pub by: SmolStr,
    /// The assumption.
    pub claim: EffectClaim,
}

impl fmt::Display for Assumed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}`", self.by)?;
        if let Some(path) = &self.path {
            write!(out, " in `{path}`")?;
        }
        out.write_str(match self.claim {
            EffectClaim::DeclaresNone => " declares no predicate that has clauses in this file",
            EffectClaim::DoesNotRun => " does not run",
            EffectClaim::WrapsNone => " wraps no predicate of this file",
            EffectClaim::AddsNone => " adds no clauses to predicates of this file",
            EffectClaim::LoadsNone => " loads no clauses of predicates of this file",
            EffectClaim::SetsNone => " sets no flag that changes how clauses run",
            EffectClaim::KeepsAutoloading => " runs after every library predicate was called once",
        })
    }
}

/// Returns the assumptions about goals on which the bounds of a file's predicates depend; sorted, without duplicates.
///
/// *Invalidated* like [`effects_on`].
#[salsa::tracked(returns(deref))]
pub fn effects_assumed(db: &dyn Db, file: SourceFile) -> Vec<Assumed> {
    let all: BTreeSet<Assumed> = (effects_on(db, file).iter())
        .filter_map(|effect| {
            let EffectReach::Assumed(claim) = effect.reach else {
                return None;
            };
            Some(Assumed {
                path: (effect.file != file).then(|| effect.file.path(db).to_string().into()),
                by: effect.by.clone(),
                claim,
            })
        })
        .collect();
    all.into_iter().collect()
}
