//! The effects of loading a file on modules, in text order: definitions, loads, imports, import modules.
//!
//! ```prolog
//! p(X) :- q(X).                        % defines p/1 in the file's module
//! user:q(_).                           % defines q/1 in `user`
//! :- m1:import(m3:last/2).             % imports into m1
//! :- add_import_module(m1, m3, start). % m1 inherits from m3 before all others
//! ```

use costlens_catalog::is_locked;
use costlens_syntax::term::{TermId, Terms};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::conditions::{Conditions, Presence};
use super::load::number_of_loads;
use crate::language::{
    Clause, DirectiveGoal, Functor, UnitMark, declared_by, directive, goals_run, indicators,
    indicators_in, qualified_head, unit_mark,
};
use crate::workspace::{Db, SourceFile, terms};

/// One effect of loading a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Act {
    pub(crate) what: What,
    /// The explicitly qualified module that is affected; `None` means the file's own module.
    pub(crate) module: Option<SmolStr>,
    /// True if the effect does not depend on conditions.
    pub(crate) certain: bool,
    /// True if the effect occurs at the end of loading: `:- initialization(G)`.
    pub(crate) at_end: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// The load directive with this index among the file's loads.
    Load(usize),
    /// The first clause of a predicate in the file.
    Define(Functor),
    /// `:- dynamic` and similar directives: the predicate exists, with or without clauses.
    Declare(Functor),
    /// `:- import(m3:last/2)`.
    Import(SmolStr, Functor),
    /// `:- export(p/1)`.
    Export(Functor),
    /// A change of the module's import modules.
    Bases(Bases),
    /// `:- set_prolog_flag(autoload, false)`.
    NoAutoload,
}

/// A change of the modules from which a module inherits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bases {
    /// The module inherits only from this module.
    Set(SmolStr),
    /// The module inherits from this module before all other modules.
    First(SmolStr),
    /// The module inherits from this module after all other modules.
    Last(SmolStr),
    /// The module no longer inherits from this module.
    Without(SmolStr),
    /// The change cannot be determined from the text.
    Unclear,
}

/// Returns the effects of loading a file on modules, in text order.
///
/// *Invalidated* by every edit; equal as long as directives are unchanged and the same predicates are defined between them.
#[salsa::tracked(returns(deref))]
pub(crate) fn acts(db: &dyn Db, file: SourceFile) -> Vec<Act> {
    let (mut found, mut at_end) = (Vec::new(), Vec::new());
    let mut defined: FxHashSet<(Option<SmolStr>, Functor, bool)> = FxHashSet::default();
    let mut conditions = Conditions::for_file(db, file);
    let (mut number, mut in_unit) = (0, false);
    for read in &terms(db, file).clauses {
        let Some(goal) = directive(&read.terms, read.root) else {
            if conditions.presence() == Presence::Absent || in_unit {
                continue;
            }
            let certain = conditions.presence() == Presence::There;
            let head = match qualified_head(&read.terms, read.root) {
                Some((module, functor)) => Some((Some(module), functor)),
                None => {
                    Clause::from_term(&read.terms, read.root).map(|(functor, _)| (None, functor))
                }
            };
            let Some((module, functor)) = head.filter(|(_, f)| !is_locked(&f.name, f.arity)) else {
                continue;
            };
            if defined.insert((module.clone(), functor.clone(), certain)) {
                found.push(Act {
                    what: What::Define(functor),
                    module,
                    certain,
                    at_end: false,
                });
            }
            continue;
        };
        conditions.read(read, goal);
        if conditions.presence() == Presence::Absent {
            continue;
        }
        let is_there = conditions.presence() == Presence::There;
        for run in goals_run(&read.terms, goal) {
            if let Some(mark) = unit_mark(&read.terms, run.goal) {
                in_unit = mark == UnitMark::Begin;
            }
            let loads = number_of_loads(&read.terms, run.goal);
            let all = (number..number + loads).map(|n| (run.into.clone(), What::Load(n)));
            number += loads;
            for (module, what) in all.chain(done(&read.terms, &run)) {
                let act = Act {
                    what,
                    module,
                    certain: is_there && run.certain,
                    at_end: run.at_end,
                };
                match run.at_end {
                    true => at_end.push(act),
                    false => found.push(act),
                }
            }
        }
    }
    found.extend(at_end);
    found
}

/// Returns the modules that a directive names and that it changes, or in which it runs goals.
///
/// ```prolog
/// :- @(ensure_loaded(rows), tables).
/// :- add_import_module(tables, defaults, end).
/// ```
#[must_use]
pub fn modules_changed(terms: &Terms, goal: TermId) -> Vec<SmolStr> {
    let runs = goals_run(terms, goal);
    let changed = (runs.iter()).flat_map(|run| {
        let done = done(terms, run).into_iter().filter_map(|(of, _)| of);
        run.into.clone().into_iter().chain(done)
    });
    changed.collect()
}

/// Returns the effects of a goal other than loads, each with the module that it changes.
fn done(terms: &Terms, run: &DirectiveGoal) -> Vec<(Option<SmolStr>, What)> {
    let Some((name, _)) = terms.functor(run.goal) else {
        return Vec::new();
    };
    let here = || run.into.clone();
    let atom = |t: TermId| terms.as_atom(t).cloned();
    match (name.as_str(), terms.args(run.goal)) {
        ("import", &[what]) => (indicators_in(terms, what).into_iter())
            .filter_map(|(from, functor)| Some((here(), What::Import(from?, functor))))
            .collect(),
        ("export", &[what]) => (indicators(terms, what).into_iter())
            .map(|functor| (here(), What::Export(functor)))
            .collect(),
        ("multifile" | "discontiguous", &[what]) => (indicators_in(terms, what).into_iter())
            .map(|(of, functor)| (of.or_else(here), What::Declare(functor)))
            .collect(),
        ("add_import_module", &[of, base, at]) => {
            let bases = match (atom(base), atom(at).as_deref()) {
                (Some(base), Some("start")) => Bases::First(base),
                (Some(base), Some("end")) => Bases::Last(base),
                _ => Bases::Unclear,
            };
            vec![(atom(of), What::Bases(bases))]
        }
        ("delete_import_module", &[of, base]) => {
            vec![(
                atom(of),
                What::Bases(atom(base).map_or(Bases::Unclear, Bases::Without)),
            )]
        }
        ("set_module", &[property]) => {
            let (of, property) = match terms.matches(property, ":", 2) {
                Some(&[of, inner]) => (atom(of), inner),
                _ => (here(), property),
            };
            match terms.matches(property, "base", 1) {
                Some(&[base]) => vec![(
                    of,
                    What::Bases(atom(base).map_or(Bases::Unclear, Bases::Set)),
                )],
                _ => Vec::new(),
            }
        }
        ("set_prolog_flag", &[flag, value]) => {
            let is = |t: TermId, text: &str| terms.as_atom(t).is_some_and(|a| a == text);
            match is(flag, "autoload") && !is(value, "true") {
                true => vec![(None, What::NoAutoload)],
                false => Vec::new(),
            }
        }
        _ => (declared_by(terms, run.goal).into_iter())
            .map(|(_, of, functor)| (of.or_else(here), What::Declare(functor)))
            .collect(),
    }
}
