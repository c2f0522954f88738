//! The goals of a clause that the library may change, and those that it certainly reaches.
//!
//! ```prolog
//! p(X) :- findall(Y, rdf(X, rdf:type, Y), Ys), q(Ys).     % the goal of a built-in meta-predicate is expanded
//! q(Ys) :- maplist(rdf(rdf:type), Ys).                    % a closure is expanded if maplist/2 is already loaded: not supported
//! ```

use costlens_body::{Collector, Goal};
use costlens_catalog::{is_built_in, meta_arguments};
use costlens_syntax::term::{Term, TermId, Terms};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::arguments::{Abbreviation, abbreviations};
use super::directives::{Argument, LoadPosition};
use super::loading_order::{FileTerm, is_before};
use super::specifications::{Modules, Specification};
use super::{ExpandedFile, has_colon, places};
use crate::calls::{calls_in, declared_closures};
use crate::definitions::{Predicate, find_written};
use crate::directives::{Load, LoadKind, facts, loads};
use crate::language::{Clause, ClauseKind, Functor, split};
use crate::loading::{USER, home_module, is_home, loaded_with, target, unit};
use crate::names::{Reach, reach_listed, reach_written};
use crate::rewriting::expansion::{clpfd, expanded_in};
use crate::workspace::{SourceFile, is_autoloaded};

/// The parts of a clause that the library may change.
pub(super) struct Concerned {
    /// True for the head.
    pub(super) head: bool,
    /// The goals and closures.
    goals: FxHashSet<TermId>,
    /// True if another expansion may change an argument that is declared as a goal.
    others: bool,
}

impl ExpandedFile<'_> {
    /// Returns the parts of a clause that the library may change, given the modules whose declarations apply to its head. Returns `None`
    /// if there are none.
    pub(super) fn concerned(
        &self,
        functor: &Functor,
        clause: &Clause,
        modules: &Modules,
    ) -> Option<Concerned> {
        let terms = &clause.terms;
        let specifications = self.specifications;
        if specifications.is_empty() || !specifications.have_goals && !has_colon(terms) {
            return None;
        }
        let mut concerned = Concerned {
            head: false,
            goals: FxHashSet::default(),
            others: false,
        };
        let mut bodies: Vec<TermId> = clause.guard.iter().chain(&clause.body).copied().collect();
        // The heads of grammar rules are not expanded.
        if !clause.grammar_rule && clause.kind != ClauseKind::Dcg {
            let mut inner = Vec::new();
            for specification in specifications.possible(functor, modules) {
                concerned.head |= changes(specification, terms, clause.head, &mut inner);
            }
            concerned.others |= !inner
                .iter()
                .all(|&goal| self.is_simple(functor, terms, goal));
            bodies.extend(inner);
        }
        while let Some(body) = bodies.pop() {
            for call in calls_in(self.db, self.file, terms, body) {
                let (callee, modules) = self.possible_modules(&call.callee);
                let mut inner = Vec::new();
                for specification in specifications.possible(&callee, &modules) {
                    if changes(specification, terms, call.goal, &mut inner) {
                        concerned.goals.insert(call.goal);
                    }
                }
                concerned.others |= !inner
                    .iter()
                    .all(|&goal| self.is_simple(functor, terms, goal));
                bodies.extend(inner);
            }
        }
        let is_any = concerned.head || concerned.others || !concerned.goals.is_empty();
        is_any.then_some(concerned)
    }

    /// Returns a callee without its module, and the modules that may implement it when a clause of the file is loaded.
    fn possible_modules(&self, callee: &Functor) -> (Functor, Modules) {
        if let Some((_, plain)) = split(callee) {
            return (plain, Modules::Any);
        }
        let Some(home) = self.home else {
            return (callee.clone(), Modules::Any);
        };
        let mut modules = vec![home.clone(), SmolStr::new_static(USER)];
        match reach_written(self.db, self.file, callee) {
            Reach::Own(_) | Reach::Shipped(_) => {}
            Reach::Other(there) => match home_module(self.db, there.file(self.db)) {
                Some(module) => modules.push(module.clone()),
                None => return (callee.clone(), Modules::Any),
            },
            _ => return (callee.clone(), Modules::Any),
        }
        (callee.clone(), Modules::Some(modules))
    }

    /// Returns whether a goal in an argument that is declared as a goal has no other expansion: a plain call of a predicate that calls none
    /// of its arguments.
    fn is_simple(&self, functor: &Functor, terms: &Terms, goal: TermId) -> bool {
        let Goal::Call(call) = Goal::lower(terms, goal) else {
            return false;
        };
        let callee = Functor::new(call.name.clone(), call.args.len());
        meta_arguments(&callee.name, callee.arity).is_empty()
            && !declared_closures(self.db, self.file).contains_key(&callee)
            && !clpfd::is_about(&callee)
            && expanded_in(self.db, self.file, functor, std::slice::from_ref(&callee)).is_none()
    }

    /// Returns the terms that the library translates in a clause. Returns `None` if one of the concerned parts is not certainly expanded in
    /// this way.
    pub(super) fn abbreviations(
        &self,
        functor: &Functor,
        clause: &Clause,
        concerned: &Concerned,
        at: FileTerm,
    ) -> Option<Vec<Abbreviation>> {
        if concerned.others {
            return None;
        }
        let terms = &clause.terms;
        let mut all = Vec::new();
        let mut waiting: Vec<TermId> = clause.guard.iter().chain(&clause.body).copied().collect();
        if !clause.grammar_rule {
            let home = self.home?;
            let modules = Modules::Some(vec![home.clone()]);
            let is_changed = self.may_change(functor, &modules, terms, clause.head);
            if is_changed {
                let arguments = (self.specifications).certain(self.db, functor, home, at)?;
                translate(terms, clause.head, arguments, &mut all, &mut waiting)?;
            }
        }
        let mut reached: FxHashSet<TermId> = FxHashSet::default();
        while let Some(goal) = waiting.pop() {
            if !reached.insert(goal) || Goal::is_bar(terms, goal) {
                continue;
            }
            match Goal::lower(terms, goal) {
                Goal::CallN { closure, added: [] } => waiting.push(closure),
                Goal::Qualified { module, goal } => {
                    let module = terms.as_atom(module);
                    if module.is_some_and(|m| is_home(self.db, self.file, m)) {
                        waiting.push(goal);
                    }
                }
                lowered if !lowered.operands().is_empty() => waiting.extend(lowered.operands()),
                _ => self.literal(terms, goal, at, &mut all, &mut waiting)?,
            }
        }
        concerned.goals.is_subset(&reached).then_some(all)
    }

    /// Adds the terms that the library translates in a goal, and the goals in its arguments that SWI-Prolog expands.
    fn literal(
        &self,
        terms: &Terms,
        goal: TermId,
        at: FileTerm,
        all: &mut Vec<Abbreviation>,
        waiting: &mut Vec<TermId>,
    ) -> Option<()> {
        let Some(callee) = Functor::from_term(terms, goal) else {
            return Some(());
        };
        let (_, modules) = self.possible_modules(&callee);
        if self.may_change(&callee, &modules, terms, goal) {
            let module = self.implementation(&callee, at)?;
            let arguments = self.specifications.certain(self.db, &callee, &module, at)?;
            translate(terms, goal, arguments, all, waiting)?;
        }
        let is_system = is_built_in(&callee.name, callee.arity)
            && (reach_written(self.db, self.file, &callee).predicate()).is_none();
        if is_system {
            let closures = meta_arguments(&callee.name, callee.arity);
            for closure in closures.into_iter().filter(|c| c.added == 0) {
                let argument = terms.args(goal).get(closure.argument).copied();
                waiting.extend(argument.map(|a| match is_grouping(&callee) {
                    true => without_quantifiers(terms, a),
                    false => a,
                }));
            }
        }
        Some(())
    }

    /// Returns whether the library may change an argument of a term, or expand a goal in it.
    fn may_change(
        &self,
        functor: &Functor,
        modules: &Modules,
        terms: &Terms,
        term: TermId,
    ) -> bool {
        let mut goals = Vec::new();
        let mut possible = self.specifications.possible(functor, modules);
        possible.any(|s| changes(s, terms, term, &mut goals)) || !goals.is_empty()
    }

    /// Returns the module that implements a predicate when a clause is loaded (`implementation_module`). Returns `None` if it is uncertain.
    fn implementation(&self, callee: &Functor, at: FileTerm) -> Option<SmolStr> {
        let db = self.db;
        let home = self.home?;
        match reach_written(db, self.file, callee) {
            Reach::Own(_) => self.is_own_at(callee, at).then(|| home.clone()),
            Reach::Other(there) => {
                let module = home_module(db, there.file(db)).clone()?;
                // An import list may rename the predicate.
                if there.functor(db) != callee {
                    return None;
                }
                let is_known = match module == *home {
                    true => self.is_own_at(callee, at),
                    false => self.imports_before(callee, at, there),
                };
                is_known.then_some(module)
            }
            Reach::Nothing if !is_built_in(&callee.name, callee.arity) => {
                self.foreign_module(callee, at)
            }
            _ => None,
        }
    }

    /// Returns whether a name refers to the file's own module when a clause is loaded: the predicate has an earlier clause, or the name
    /// refers to no other predicate.
    fn is_own_at(&self, callee: &Functor, at: FileTerm) -> bool {
        let db = self.db;
        let clauses = places(db, self.file).get(callee).into_iter().flatten();
        let mut earlier = clauses.filter(|p| p.is_plain && p.is_certain);
        if earlier.any(|p| p.at.place < at.place) {
            return true;
        }
        let is_inherited = |f: &SourceFile| {
            let is_users = self.home.is_some_and(|home| home != USER) && is_home(db, *f, USER);
            is_users && (find_written(db, *f, callee).is_some() || self.may_import(*f, callee))
        };
        let mut parts = std::iter::once(self.file).chain(unit(db, self.file).iter().copied());
        is_autoloaded(db, callee) == Some(false)
            && !is_built_in(&callee.name, callee.arity)
            && !parts.any(|part| self.may_import(part, callee))
            && !loaded_with(db, self.file).iter().any(is_inherited)
    }

    /// Returns whether a directive of a file may import a name.
    fn may_import(&self, file: SourceFile, callee: &Functor) -> bool {
        let mut all = loads(self.db, file).loads.iter().enumerate();
        all.any(|(number, load)| {
            let is_read = target(self.db, file, number).is_some();
            load.imports.there(callee).is_some_and(|there| {
                !is_read || reach_listed(self.db, file, &load.spec, there) != Reach::Nothing
            })
        })
    }

    /// Returns whether a directive before a clause certainly imports a predicate under its own name.
    fn imports_before(&self, callee: &Functor, at: FileTerm, predicate: Predicate<'_>) -> bool {
        let all = &loads(self.db, self.file).loads;
        let before = &all[..at.place.after.min(all.len())];
        before.iter().any(|load| {
            let listed = || reach_listed(self.db, self.file, &load.spec, callee);
            imports_certainly(load, callee) && listed().predicate() == Some(predicate)
        }) && self.is_loaded(predicate.file(self.db), at)
    }

    /// Returns whether a file is completely loaded before a clause. In a circle of files, exported predicates may not be defined yet.
    fn is_loaded(&self, file: SourceFile, at: FileTerm) -> bool {
        let after = loads(self.db, file).loads.len();
        let place = LoadPosition { after, index: 0 };
        is_before(self.db, FileTerm { file, place }, at)
    }

    /// Returns the module that exports a predicate without clauses, which is written in C.
    fn foreign_module(&self, callee: &Functor, at: FileTerm) -> Option<SmolStr> {
        let db = self.db;
        let all = &loads(db, self.file).loads;
        let mut exporting: Option<SmolStr> = None;
        for (number, load) in all.iter().enumerate() {
            if load.imports.there(callee).is_none() {
                continue;
            }
            let Some(there) = target(db, self.file, number) else {
                continue;
            };
            if !facts(db, there).is_exported(callee) {
                continue;
            }
            let is_certain = number < at.place.after
                && imports_certainly(load, callee)
                && self.is_loaded(there, at);
            let module = facts(db, there).module.clone()?;
            if !is_certain || exporting.as_ref().is_some_and(|other| *other != module) {
                return None;
            }
            exporting = Some(module);
        }
        exporting
    }
}

/// Returns whether a directive certainly imports a predicate under its own name, if the file exports it.
fn imports_certainly(load: &Load, callee: &Functor) -> bool {
    !load.conditional
        && load.into.is_none()
        && load.kind != LoadKind::Autoload
        && load.imports.there(callee) == Some(callee)
}

/// Returns whether the library may change arguments of a term according to a declaration, and adds the goals among the arguments.
fn changes(
    specification: &Specification,
    terms: &Terms,
    term: TermId,
    goals: &mut Vec<TermId>,
) -> bool {
    let mut any = false;
    for (&argument, &of) in terms.args(term).iter().zip(&specification.arguments) {
        if of == Argument::Goal && !matches!(terms.get(argument), Term::Var(_)) {
            goals.push(argument);
        }
        any |= abbreviations(terms, argument, of).is_none_or(|all| !all.is_empty());
    }
    any
}

/// Adds the terms that the library translates in a head or goal, and the goals among its arguments. Returns `None` if a translation is
/// unknown.
fn translate(
    terms: &Terms,
    term: TermId,
    arguments: &[Argument],
    all: &mut Vec<Abbreviation>,
    goals: &mut Vec<TermId>,
) -> Option<()> {
    for (&argument, &of) in terms.args(term).iter().zip(arguments) {
        all.extend(abbreviations(terms, argument, of)?);
        if of == Argument::Goal {
            goals.push(argument);
        }
    }
    Some(())
}

/// Returns true for `bagof/3` and `setof/3`, whose goals may be preceded by quantified variables.
fn is_grouping(functor: &Functor) -> bool {
    let collector = Collector::from_functor(&functor.name, functor.arity);
    matches!(collector, Some(Collector::BagOf | Collector::SetOf))
}

/// Returns the goal in `V^Goal`, the argument of `bagof/3` and `setof/3`.
fn without_quantifiers(terms: &Terms, argument: TermId) -> TermId {
    let mut goal = argument;
    while let Goal::Quantified { goal: inner, .. } = Goal::lower(terms, goal) {
        goal = inner;
    }
    goal
}
