//! The effects of the goals and clauses of one file.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use costlens_body::Goal;
use costlens_catalog::{belongs_to_no_module, find as find_system, names_alteration};
use costlens_syntax::term::{Term, TermId, Terms};
use costlens_syntax::{ReadClause, write_term};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::from_data::{assumed_in_called, effects_from_data, names_a_change};
use super::kinds::{
    ChangedPart, EXCEPTION_HOOK, EffectClaim, Mentioning, Runner, ball_thrown, blocked,
    clause_functor, emulates_sicstus, kind, kind_of_clause, restores_module, sets_module,
    text_changed,
};
use super::reading::{
    changes_reading, flag_set, followed, is_any_flag, not_followed, run_now, sets_flag_of_module,
    sets_quotes,
};
use crate::directives::{Conditions, Presence, facts};
use crate::language::{
    Functor, FunctorKey, UnitMark, directive, goals_run, unit_mark, written_out,
};
use crate::loading::is_home;
use crate::workspace::{Db, SourceFile, terms};

/// The predicates that an effect can change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EffectReach {
    /// All predicates of the program.
    Program,
    /// These predicates of the file, whose text may be read otherwise.
    Text(BTreeSet<Functor>),
    /// Clauses in other files of the module that mention this; true if all files of the program are read in the same way.
    Mentioning(Mentioning, bool),
    /// Predicates of these names, in any module.
    Predicates(BTreeSet<Functor>),
    /// Predicates with one of these names, in any module.
    Names(BTreeSet<SmolStr>),
    /// A built-in: its callers, and clauses for it.
    BuiltIn(Functor),
    /// Clauses that contain `/`, `^` or `**`.
    Division,
    /// Clauses that write with this format directive; `None` if the character is unknown.
    Formats(Option<char>),
    /// Nothing, by assumption.
    Assumed(EffectClaim),
}

impl ChangedPart {
    /// Returns the reach of an effect that depends neither on the names in a directive nor on the text after it.
    pub(super) fn reach(&self) -> Option<EffectReach> {
        Some(match self {
            ChangedPart::Program | ChangedPart::Module => EffectReach::Program,
            ChangedPart::Predicates(names) => EffectReach::Predicates(names.clone()),
            ChangedPart::BuiltIn(functor) => EffectReach::BuiltIn(functor.clone()),
            ChangedPart::Division => EffectReach::Division,
            ChangedPart::Formats(character) => EffectReach::Formats(*character),
            ChangedPart::Assumed(claim) => EffectReach::Assumed(*claim),
            ChangedPart::Named(_) | ChangedPart::Text(_) => return None,
        })
    }
}

/// A goal or clause with an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileEffect {
    /// The goal, or the name of the clause's predicate.
    pub(super) by: SmolStr,
    pub(super) reach: EffectReach,
}

/// The effects in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FileEffects {
    pub(super) effects: Vec<FileEffect>,
    /// The first plain directive that changes how quoted text is read in all files of its module.
    pub(super) quotes: Option<SmolStr>,
    /// The first goal that removes the goals of `assertion/1`.
    pub(super) assertions: Option<SmolStr>,
    /// The goals that directives run and that other files define, with the names in them.
    pub(super) called: Vec<(Functor, BTreeSet<SmolStr>)>,
}

/// Returns the effects of a file's clauses that another file's directive runs by calling this predicate.
///
/// *Invalidated* by every edit; equal as long as the same goals have effects.
#[salsa::tracked(returns(ref))]
pub(super) fn effects_of_call<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    callee: FunctorKey<'db>,
) -> Vec<(SmolStr, ChangedPart)> {
    let read = terms(db, file);
    if !read
        .clauses
        .iter()
        .any(|clause| may_alter_when_called(&clause.terms))
    {
        return Vec::new();
    }
    let altering = Bodies::collect(&read.clauses).altering_when_called(callee.functor(db));
    (altering.into_iter())
        .map(|(terms, by)| (text_of(&terms, by), kind_when_called(&terms, by)))
        .collect()
}

/// Returns the part of a program that a goal changes in a clause that a directive calls.
fn kind_when_called(terms: &Arc<Terms>, by: TermId) -> ChangedPart {
    (kind(terms, by, Runner::Directive))
        .or_else(|| assumed_in_called(terms, by))
        .unwrap_or_else(|| text_changed(terms, by))
}

/// *Invalidated* by every edit; equal as long as the same goals have effects on the same predicates.
#[salsa::tracked(returns(ref))]
pub(super) fn file_effects(db: &dyn Db, file: SourceFile) -> FileEffects {
    let mut reader = FileReader {
        found: FileEffects::default(),
        clauses: &terms(db, file).clauses,
        bodies: OnceCell::new(),
        texts: Vec::new(),
        in_unit: false,
        emulates: false,
    };
    let mut conditions = Conditions::for_file(db, file);
    let mut for_reader = costlens_syntax::Conditions::of_reader(file.parsed(db).dialect());
    let source = &file.parsed(db).text;
    let is_module = facts(db, file).module.is_some();
    for read in reader.clauses {
        let terms = &read.terms;
        let Some(goal) = directive(terms, read.root) else {
            reader.clause(read, &source[read.range.0..read.range.1]);
            continue;
        };
        conditions.read(read, goal);
        for_reader.read(terms, goal);
        // The reader also skips this directive.
        if for_reader.presence() == Presence::Absent {
            continue;
        }
        let is_run = conditions.presence() == Presence::There;
        reader.directive(terms, goal, is_run, &|m: &str| is_home(db, file, m));
    }
    reader.finish(!is_module)
}

/// Reads the effects of a file's clauses, in order.
struct FileReader<'a> {
    found: FileEffects,
    clauses: &'a [ReadClause],
    bodies: OnceCell<Bodies<'a>>,
    /// The goals that change how text is read, up to now, with the predicates whose clauses they change.
    texts: Vec<TextChange>,
    in_unit: bool,
    emulates: bool,
}

/// A goal that changes how the following text is read.
struct TextChange {
    by: SmolStr,
    what: Mentioning,
    read: BTreeSet<Functor>,
    /// True until the end of the unit of tests that contains the goal.
    is_open: bool,
    is_of_unit: bool,
}

impl FileReader<'_> {
    fn clause(&mut self, read: &ReadClause, text: &str) {
        let terms = &read.terms;
        for change in self.texts.iter_mut().filter(|change| change.is_open) {
            if change.what.concerns(text) {
                change.read.extend(clause_functor(terms, read.root));
            }
        }
        if !may_alter(terms) {
            debug_assert!(leaves_out_assertions(terms, read.root).is_none());
            debug_assert!(kind_of_clause(terms, read.root).is_empty());
            return;
        }
        self.leaves_out_assertions(terms, read.root);
        for (kind, goal) in kind_of_clause(terms, read.root) {
            let by = match goal {
                Some(goal) => text_of(terms, goal),
                None => clause_functor(terms, read.root)
                    .map_or(EXCEPTION_HOOK.into(), |f| f.to_string().into()),
            };
            self.add(by, kind, terms, read.root);
        }
    }

    fn directive(
        &mut self,
        terms: &Arc<Terms>,
        goal: TermId,
        is_run: bool,
        is_home: &dyn Fn(&str) -> bool,
    ) {
        self.leaves_out_assertions(terms, goal);
        match unit_mark(terms, goal) {
            Some(UnitMark::Begin) => self.in_unit = true,
            Some(UnitMark::End) => {
                self.in_unit = false;
                let ended = self.texts.iter_mut().filter(|change| change.is_of_unit);
                ended.for_each(|change| change.is_open = false);
            }
            None => {}
        }
        let followed = match is_run {
            true => followed(terms, goal),
            false => Vec::new(),
        };
        let mut quotes = followed
            .iter()
            .filter(|&&g| sets_quotes(terms, run_now(terms, g)));
        if let Some(&first) = quotes.next().filter(|_| !self.in_unit) {
            let by = || text_of(terms, first);
            self.found.quotes.get_or_insert_with(by);
        }
        if self.in_unit
            && let Some(&by) =
                (followed.iter()).find(|&&g| sets_quotes(terms, g) && sets_flag_of_module(terms, g))
        {
            self.add(text_of(terms, by), ChangedPart::Program, terms, goal);
        }
        self.called_by(terms, goal);
        if let Some(written) = written_out(terms, goal) {
            let written = Arc::new(written);
            for (by, kind) in effects_from_data(terms, &written, goal) {
                let ends = matches!(Goal::lower(&written, by), Goal::Throw(_));
                if !ends || is_run && !self.in_unit {
                    self.add(text_of(&written, by), kind, &written, goal);
                }
            }
            self.called_by(&written, goal);
        }
        if let Some(by) = not_followed(terms, goal, &followed, is_home) {
            self.add(text_of(terms, by), text_changed(terms, by), terms, goal);
        }
        for id in terms.subterms(goal) {
            if let Some(kind) = kind(terms, id, Runner::Directive) {
                self.add(text_of(terms, id), kind, terms, goal);
            }
        }
        if let Some(ball) = ball_thrown(terms, goal).filter(|_| is_run && !self.in_unit) {
            self.add(text_of(terms, ball), ChangedPart::Program, terms, goal);
        }
        if self.emulates
            && let Some((kind, by)) = blocked(terms, goal)
        {
            self.add(text_of(terms, by), kind, terms, goal);
        }
        self.emulates |= emulates_sicstus(terms, goal);
    }

    /// Adds the effects of the clauses in the file that a directive's goals call.
    fn called_by(&mut self, terms: &Arc<Terms>, goal: TermId) {
        for run in goals_run(terms, goal) {
            if run.at_end {
                continue;
            }
            for (by_terms, by) in self.bodies().altering(terms, run.goal) {
                let kind = kind_when_called(&by_terms, by);
                self.add(text_of(&by_terms, by), kind, terms, goal);
            }
            let Some(callee) = Functor::from_term(terms, run.goal) else {
                continue;
            };
            if !self.bodies().0.contains_key(&callee) {
                if find_system(&callee.name, callee.arity).is_none() {
                    let names = self.bodies().names(terms, run.goal).names;
                    self.found.called.push((callee, names));
                }
            } else {
                let mut below = terms.subterms(run.goal).into_iter();
                if let Some(by) = below.find(|&id| id != run.goal && names_a_change(terms, id)) {
                    let kind = ChangedPart::Named(EffectClaim::DeclaresNone);
                    self.add(text_of(terms, by), kind, terms, goal);
                }
            }
        }
    }

    fn bodies(&self) -> &Bodies<'_> {
        self.bodies.get_or_init(|| Bodies::collect(self.clauses))
    }

    fn leaves_out_assertions(&mut self, terms: &Terms, root: TermId) {
        if self.found.assertions.is_none() {
            self.found.assertions = leaves_out_assertions(terms, root);
        }
    }

    /// Adds an effect. The names of predicates and operators that the goal does not contain are those in the directive, or the clause, that
    /// contains it, and in the clauses that it calls.
    fn add(&mut self, by: SmolStr, kind: ChangedPart, terms: &Arc<Terms>, whole: TermId) {
        let reach = match kind {
            ChangedPart::Predicates(names) if names.iter().any(|name| self.is_of_system(name)) => {
                EffectReach::Program
            }
            ChangedPart::Named(claim) => {
                let named = self.bodies().names(terms, whole).names;
                self.push(by.clone(), EffectReach::Names(named));
                EffectReach::Assumed(claim)
            }
            ChangedPart::Text(what) => {
                let what = match what {
                    Mentioning::Names(_) => self.bodies().operators(terms, whole),
                    what => what,
                };
                let change = TextChange {
                    by,
                    what,
                    read: BTreeSet::new(),
                    is_open: true,
                    is_of_unit: self.in_unit,
                };
                self.texts.push(change);
                return;
            }
            kind => match kind.reach() {
                Some(reach) => reach,
                None => return,
            },
        };
        self.push(by, reach);
    }

    /// Returns true for a predicate of the system or its libraries, which other libraries may call.
    fn is_of_system(&self, functor: &Functor) -> bool {
        find_system(&functor.name, functor.arity).is_some()
            && !self.bodies().0.contains_key(functor)
    }

    fn push(&mut self, by: SmolStr, reach: EffectReach) {
        let effect = FileEffect { by, reach };
        if !self.found.effects.contains(&effect) {
            self.found.effects.push(effect);
        }
    }

    /// Adds the effects on text; `is_global` if operators and flags of the file are those of all modules.
    fn finish(mut self, is_global: bool) -> FileEffects {
        for change in std::mem::take(&mut self.texts) {
            self.push(change.by.clone(), EffectReach::Text(change.read));
            if !change.is_of_unit {
                self.push(change.by, EffectReach::Mentioning(change.what, is_global));
            }
        }
        self.found
    }
}

/// Returns the predicates with a clause that mentions certain text.
pub(super) fn clauses_mentioning(
    db: &dyn Db,
    file: SourceFile,
    what: &Mentioning,
) -> BTreeSet<Functor> {
    let source = &file.parsed(db).text;
    let read = terms(db, file);
    (read.clauses.iter())
        .filter(|read| what.concerns(&source[read.range.0..read.range.1]))
        .filter_map(|read| clause_functor(&read.terms, read.root))
        .collect()
}

/// The clauses of a file, by predicate.
struct Bodies<'a>(FxHashMap<Functor, Vec<(&'a Arc<Terms>, TermId)>>);

/// The atoms in goals and in the clauses that they call.
struct Names {
    names: BTreeSet<SmolStr>,
    /// True if all predicates that they call are in the file, or built-ins that make no names.
    is_complete: bool,
}

impl<'a> Bodies<'a> {
    fn collect(clauses: &'a [ReadClause]) -> Self {
        let mut found = Self(FxHashMap::default());
        for read in clauses {
            if let Some(functor) = clause_functor(&read.terms, read.root) {
                found
                    .0
                    .entry(functor)
                    .or_default()
                    .push((&read.terms, read.root));
            }
        }
        found
    }

    /// Calls `visit` with each subterm of all clauses that these predicates may call, directly or through others, after the clause.
    fn for_each(
        &self,
        callees: Vec<Functor>,
        visit: &mut dyn FnMut(&'a Arc<Terms>, TermId, TermId),
    ) {
        let (mut seen, mut open) = (FxHashSet::default(), callees);
        while let Some(callee) = open.pop() {
            if !self.0.contains_key(&callee) || !seen.insert(callee.clone()) {
                continue;
            }
            for &(terms, root) in self.0.get(&callee).into_iter().flatten() {
                for id in terms.subterms(root) {
                    visit(terms, root, id);
                    open.extend(Functor::from_term(terms, id));
                }
            }
        }
    }

    /// Returns the goals with an effect in the clauses that a directive's goal calls.
    fn altering(&self, terms: &Terms, goal: TermId) -> Vec<(Arc<Terms>, TermId)> {
        let is_called = Functor::from_term(terms, goal).is_some_and(|f| self.0.contains_key(&f));
        match is_called {
            true => self.altering_from(functors(terms, goal)),
            false => Vec::new(),
        }
    }

    fn altering_when_called(&self, callee: &Functor) -> Vec<(Arc<Terms>, TermId)> {
        self.altering_from(vec![callee.clone()])
    }

    fn altering_from(&self, callees: Vec<Functor>) -> Vec<(Arc<Terms>, TermId)> {
        let mut found = Vec::new();
        self.for_each(callees, &mut |terms, root, id| {
            if sets_module(terms, id) && restores_module(terms, root) {
                return;
            }
            if kind(terms, id, Runner::Directive).is_some()
                || assumed_in_called(terms, id).is_some()
                || changes_reading(terms, id)
                || is_any_flag(terms, id)
            {
                found.push((Arc::clone(terms), id));
            }
        });
        found
    }

    /// Returns the atoms in a directive and in the clauses that it calls.
    fn names(&self, terms: &Terms, goal: TermId) -> Names {
        let mut found = Names {
            names: BTreeSet::new(),
            is_complete: true,
        };
        for id in terms.subterms(goal) {
            self.add_name(terms, id, &mut found);
        }
        self.for_each(functors(terms, goal), &mut |terms, _, id| {
            self.add_name(terms, id, &mut found)
        });
        found
    }

    fn add_name(&self, terms: &Terms, id: TermId, found: &mut Names) {
        if let Some((name, arity)) = terms.functor(id) {
            // A goal of the system is not what a directive declares; its name may be.
            if arity == 0 || find_system(name, arity).is_none() {
                found.names.insert(name.clone());
            }
            let is_known = arity == 0
                || self.0.contains_key(&Functor::new(name.clone(), arity))
                || find_system(name, arity).is_none_or(|p| !p.makes_terms && !p.reads)
                || belongs_to_no_module(name, arity);
            found.is_complete &= is_known;
        }
        if let Term::String(text) = terms.get(id) {
            found.names.insert(text.clone());
        }
    }

    /// Returns the operators that a goal may declare.
    fn operators(&self, terms: &Terms, goal: TermId) -> Mentioning {
        let Names { names, is_complete } = self.names(terms, goal);
        // The names of control constructs and variables of the directive occur in any text.
        let names: BTreeSet<SmolStr> = (names.into_iter())
            .filter(|name| {
                !matches!(
                    name.as_str(),
                    "," | "[|]" | "[]" | ":-" | "" | "=" | "-" | ":"
                )
            })
            .collect();
        match is_complete && !names.is_empty() {
            true => Mentioning::Names(names),
            false => Mentioning::Anything,
        }
    }
}

/// Returns the functors of a goal's subterms: the predicates that it may call.
fn functors(terms: &Terms, goal: TermId) -> Vec<Functor> {
    let below = terms.subterms(goal).into_iter();
    below
        .filter_map(|id| Functor::from_term(terms, id))
        .collect()
}

/// Returns the goal that disables `assertion/1`.
fn leaves_out_assertions(terms: &Terms, root: TermId) -> Option<SmolStr> {
    let mut below = terms.subterms(root).into_iter();
    let by =
        below.find(|&id| flag_set(terms, id) == Some(costlens_catalog::FlagEffect::Assertions))?;
    Some(text_of(terms, by))
}

/// Returns false for the great majority of clauses, which contain no name that has an effect.
fn may_alter(terms: &Terms) -> bool {
    let mut named = terms.ids().filter_map(|id| terms.functor(id));
    named.any(|(name, _)| names_alteration(name) || FURTHER.contains(&name.as_str()))
}

/// Returns false for the great majority of clauses, which contain no name that has an effect when a directive calls the clause.
fn may_alter_when_called(terms: &Terms) -> bool {
    let mut named = terms.ids();
    may_alter(terms)
        || named.any(|id| {
            assumed_in_called(terms, id).is_some()
                || changes_reading(terms, id)
                || kind(terms, id, Runner::Directive).is_some()
        })
}

/// Names with an effect, in addition to those of the catalogue.
const FURTHER: [&str; 3] = [EXCEPTION_HOOK, "create_prolog_flag", "set_prolog_flag"];

/// Returns a goal as text, with its variables as `_`.
fn text_of(terms: &Terms, goal: TermId) -> SmolStr {
    write_term(terms, goal, None).into()
}
