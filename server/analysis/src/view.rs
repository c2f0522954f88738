//! The view of a file for inference: the boundary between queries and inference.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_algebra::Region;
use costlens_catalog::{Effect, find as find_system};
use costlens_events::Event;
use costlens_infer::membership::{self, Membership};
use costlens_infer::regular::Types;
use costlens_infer::relative::{UnknownCallee, in_own_terms, of_facts};
use costlens_infer::report::{
    EvaluatedPoint, Functor, ParameterAssumption, ParameterVariable, Subject, TrustLine, Unknown,
};
use costlens_infer::types::Pattern;
use costlens_infer::{
    Added, Program, Relation, RunsLater, Sides, Solved, Summary, WhyOpen, unforeseen,
};
use costlens_program::calls;
use costlens_program::definitions;
use costlens_program::graph::multifile_without_clauses;
use costlens_program::language::{CopyName, is_own_name, split};
use costlens_program::workspace::{Version, is_installed};
use costlens_program::{
    Clause, Component, Library, Opened, Predicate, Resolved, Role, SourceFile, component_of, facts,
    find, first_order, is_made, qualified_in_copy, why_undefined, why_unreached,
};
use costlens_recurrences::{Direction, Solution, System};
use costlens_syntax::term::{CONS, TermId, Terms};
use rustc_hash::FxHashSet;
use salsa::plumbing::AsId as _;

use crate::db::{CallKey, Db, key_of};
use crate::fact_tables::{TableKey, fact_table};
use crate::guesses::{followed, guess_of, suggested_types};
use crate::kept::{Portable, Traced};
use crate::lookups::{Lookups, looked_up};
use crate::open::{assumed, constrains, is_open, why_declared_open, why_open};
use crate::readiness::{NotReady, Readiness, on_top, readiness, unwind_if_late};
use crate::regular_queries::regulars;
use crate::summaries::{SolvedCalls, at_numbers, solved_calls, summary};
use crate::trust::{is_trusted, states_event, trusted_summary};

/// The solved calls of the current component that are available to a view.
pub(crate) enum Knowledge<'db> {
    /// No calls, so that the whole component is solved again.
    Nothing,
    /// The calls that were solved earlier.
    Before(Arc<SolvedCalls>),
    /// All calls that are solved together, computed at the first request for the component of that request.
    Component(OnceCell<(Component<'db>, Option<Arc<SolvedCalls>>)>),
}

/// The keys of requested summaries, in the order of their first requests and without duplicates. A run requests the same summary thousands
/// of times.
#[derive(Default)]
pub(crate) struct AskedKeys {
    pub(crate) order: Vec<salsa::Id>,
    seen: FxHashSet<salsa::Id>,
}

impl AskedKeys {
    fn contains(&self, key: salsa::Id) -> bool {
        self.seen.contains(&key)
    }

    pub(crate) fn add(&mut self, keys: &[salsa::Id]) {
        let new = keys.iter().filter(|&&key| self.seen.insert(key));
        self.order.extend(new);
    }
}

/// The view of a file for inference.
pub(crate) struct View<'db> {
    pub(crate) db: &'db dyn Db,
    file: SourceFile,
    pub(crate) callees: RefCell<AskedKeys>,
    /// The missing summaries, if they are being collected.
    missing: RefCell<Option<Vec<salsa::Id>>>,
    /// The trust lines on which the requested summaries depend.
    pub(crate) trust: RefCell<Vec<TrustLine>>,
    knowledge: Knowledge<'db>,
    known: Lookups<'db>,
}

impl<'db> View<'db> {
    /// Creates a view without solved calls of the current component.
    pub(crate) fn new(db: &'db dyn Db, file: SourceFile) -> Self {
        Self::with_knowledge(db, file, Knowledge::Nothing)
    }

    /// Creates a view with some solved calls of the current component.
    pub(crate) fn with_knowledge(
        db: &'db dyn Db,
        file: SourceFile,
        knowledge: Knowledge<'db>,
    ) -> Self {
        View {
            db,
            file,
            callees: RefCell::default(),
            missing: RefCell::default(),
            trust: RefCell::default(),
            knowledge,
            known: Lookups::default(),
        }
    }

    /// Returns the key of the summary that a call in the file requests.
    pub(crate) fn key(&self, predicate: &Functor, pattern: &Pattern) -> CallKey<'db> {
        match self.predicate(predicate) {
            // An import may have renamed the predicate in this file.
            Some(found) => key_of(self.db, found, pattern),
            None => CallKey::new(self.db, self.file, predicate.clone(), pattern.clone()),
        }
    }

    /// Returns the trusted summary for calls to a predicate whose clauses do not determine how a call runs.
    pub(crate) fn trusted(&self, predicate: &Functor, pattern: &Pattern) -> Option<Arc<Summary>> {
        if self.is_defined(predicate) {
            return None;
        }
        let key = self.key(predicate, pattern);
        let found = trusted_summary(self.db, key)?;
        Some(seen_from(
            self.db,
            self.file,
            &found,
            key.file(self.db),
            predicate,
        ))
    }

    /// Returns the summary for calls of a predicate whose clauses are facts that may change.
    pub(crate) fn relative(&self, predicate: &Functor, pattern: &Pattern) -> Option<Arc<Summary>> {
        if self.is_defined(predicate) {
            return None;
        }
        let key = self.table_key(predicate);
        let contents = fact_table(self.db, key)?;
        let (home, name) = (key.file(self.db), key.functor(self.db));
        let found = Arc::new(of_facts(home, name, pattern, &contents));
        Some(seen_from(self.db, self.file, &found, home, predicate))
    }

    /// Returns whether the file belongs to the user. Costs of callees without bounds are parameters there; the parts of a library would tell
    /// its users nothing.
    fn is_of_user(&self) -> bool {
        *(self.known.of_user).get_or_init(|| {
            self.file.role(self.db) == Role::User && !is_installed(self.db, self.file)
        })
    }

    /// Keeps the summary of a call, and returns it.
    fn keep(&self, call: (Functor, Pattern), found: Arc<Summary>) -> Arc<Summary> {
        let known = Arc::clone(&found);
        self.known.summaries.borrow_mut().insert(call, known);
        found
    }

    /// Returns the predicate that a name denotes, by its home file and its name there.
    fn table_key(&self, predicate: &Functor) -> TableKey<'db> {
        match self.predicate(predicate) {
            Some(p) => TableKey::new(self.db, p.file(self.db), p.functor(self.db).clone()),
            None => TableKey::new(self.db, self.file, predicate.clone()),
        }
    }

    /// Computes a missing summary inside the query that requests it, if possible. Returns whether the summary was computed.
    fn computes_on_top(&self, key: CallKey<'db>, predicate: &Functor) -> bool {
        on_top(self.db, key.as_id(), self.component(predicate), &|| {
            summary(self.db, key);
        })
    }

    pub(crate) fn note_trust(&self, lines: &[TrustLine]) {
        let mut trust = self.trust.borrow_mut();
        for line in lines {
            if !trust.contains(line) {
                trust.push(line.clone());
            }
        }
    }

    fn predicate(&self, functor: &Functor) -> Option<Predicate<'db>> {
        looked_up(&self.known.predicates, functor, || {
            followed(self.db, self.file, functor).map(Resolved::predicate)
        })
    }

    fn is_open(&self, predicate: Predicate<'db>) -> bool {
        looked_up(&self.known.open, &predicate, || is_open(self.db, predicate))
    }

    fn component(&self, functor: &Functor) -> Option<Component<'db>> {
        let predicate = self.predicate(functor)?;
        looked_up(&self.known.components, &predicate, || {
            component_of(self.db, predicate)
        })
    }
}

impl Traced for View<'_> {
    fn db(&self) -> &dyn Db {
        self.db
    }

    fn file(&self) -> SourceFile {
        self.file
    }

    fn is_of_user(&self) -> bool {
        View::is_of_user(self)
    }

    fn home_of(&self, predicate: &Functor) -> Option<SourceFile> {
        self.predicate(predicate).map(|found| found.file(self.db))
    }

    fn memo(&self, predicate: &Functor, pattern: &Pattern) -> Option<(&Portable, SourceFile)> {
        let key = self.key(predicate, pattern);
        if !self.callees.borrow().contains(key.as_id()) {
            return None;
        }
        let portable = summary(self.db, key).portable.as_ref()?;
        Some((portable, key.file(self.db)))
    }

    fn is_apart(&self, predicate: &Functor, pattern: &Pattern) -> bool {
        self.trusted(predicate, pattern).is_some() || self.relative(predicate, pattern).is_some()
    }

    fn seen_as(&self, home: SourceFile) -> (bool, bool, bool) {
        let is_library =
            |file: SourceFile| file.role(self.db) == Role::Library || is_installed(self.db, file);
        (home == self.file, is_library(home), is_library(self.file))
    }
}

impl Program for View<'_> {
    fn clauses(&self, predicate: &Functor) -> Option<Arc<[Clause]>> {
        let found = self.predicate(predicate)?;
        (!self.is_open(found)).then(|| first_order(self.db, found))
    }

    fn version(&self) -> Option<Version> {
        match Library::try_get(self.db) {
            Some(library) => library.version(self.db),
            None => Some(Version::default()),
        }
    }

    fn is_defined(&self, predicate: &Functor) -> bool {
        self.predicate(predicate).is_some_and(|p| !self.is_open(p))
    }

    fn is_membership(&self, predicate: &Functor) -> bool {
        let Some(found) = self.predicate(predicate).filter(|p| !self.is_open(*p)) else {
            return false;
        };
        let clauses = first_order(self.db, found);
        match membership::membership(found.functor(self.db), &clauses) {
            None => false,
            Some(Membership::Shown) => true,
            // The name is resolved in the file that contains the clauses.
            Some(Membership::Through(helper)) => {
                let helper = find(self.db, found.file(self.db), &helper);
                helper.filter(|p| !self.is_open(*p)).is_some_and(|p| {
                    let clauses = first_order(self.db, p);
                    membership::is_member_with_element(p.functor(self.db), &clauses)
                })
            }
        }
    }

    fn is_rewritten(&self, predicate: &Functor) -> bool {
        self.predicate(predicate)
            .is_some_and(|p| first_order(self.db, p) != *p.clauses(self.db))
    }

    fn written(&self, predicate: &Functor) -> Option<Arc<[Clause]>> {
        let found = self.predicate(predicate)?;
        (!self.is_open(found)).then(|| Arc::clone(found.clauses(self.db)))
    }

    fn same_component(&self, a: &Functor, b: &Functor) -> bool {
        let component = self.component(a);
        component.is_some() && component == self.component(b)
    }

    fn is_at_home(&self, predicate: &Functor) -> bool {
        self.predicate(predicate)
            .is_some_and(|p| p.file(self.db) == self.file && p.functor(self.db) == predicate)
    }

    fn is_of_library(&self) -> bool {
        self.file.role(self.db) == Role::Library
    }

    fn is_dynamic(&self, predicate: &Functor) -> bool {
        match self.predicate(predicate) {
            Some(found) => self.is_open(found),
            None => why_declared_open(self.db, self.file, predicate).is_some(),
        }
    }

    fn qualified_arguments(&self, predicate: &Functor) -> Vec<usize> {
        let Some(found) = self.predicate(predicate) else {
            return Vec::new();
        };
        if is_made(self.db, found) {
            return qualified_in_copy(self.db, found.file(self.db), found.functor(self.db));
        }
        let facts = facts(self.db, found.file(self.db));
        let modes = facts.meta.get(found.functor(self.db));
        let modes = modes.into_iter().flatten().enumerate();
        (modes
            .filter(|(_, m)| m.is_in_callers_module())
            .map(|(i, _)| i))
        .collect()
    }

    fn is_declared_det(&self, predicate: &Functor) -> bool {
        let Some(found) = self.predicate(predicate) else {
            return false;
        };
        let (facts, functor) = (facts(self.db, found.file(self.db)), found.functor(self.db));
        // The name of a specialised copy begins with the name of the original predicate: `each(double)/1`.
        let is_original = |f: &Functor| {
            let copied = functor.name.strip_prefix(f.name.as_str());
            copied.is_some_and(|rest| rest.starts_with('('))
        };
        facts.det.contains(functor) || is_made(self.db, found) && facts.det.iter().any(is_original)
    }

    fn unknown_callee(&self, predicate: &Functor) -> Option<UnknownCallee> {
        let (file, name) = match self.predicate(predicate) {
            Some(p) => {
                let (file, name) = (p.file(self.db), p.functor(self.db));
                let changes = calls::opened(self.db, file, name);
                let is_dynamic = matches!(changes, Some((_, Opened::Dynamic)));
                let is_multifile = facts(self.db, file).multifile.contains(name);
                if !is_dynamic && !is_multifile && (!self.is_of_user() || constrains(self.db, p)) {
                    return None;
                }
                (file, name)
            }
            None if changes_the_program(predicate) => return None,
            None => (self.file, predicate),
        };
        let is_many = self.predicate(predicate).is_some()
            || why_declared_open(self.db, self.file, predicate).is_some();
        Some(UnknownCallee {
            of: Subject::Predicate(file, name.clone()),
            is_many,
        })
    }

    fn assumed(&self, predicate: &Functor) -> Vec<ParameterAssumption> {
        let found = self.predicate(predicate);
        found.map_or_else(Vec::new, |found| assumed(self.db, found))
    }

    fn constrains(&self, predicate: &Functor) -> bool {
        (self.predicate(predicate)).is_some_and(|found| constrains(self.db, found))
    }

    fn in_own_terms(&self, found: &Arc<Summary>) -> Option<Arc<Summary>> {
        let of = self.cost_subject(&found.predicate)?;
        let call = (found.predicate.clone(), found.pattern.clone());
        let mut all = self.known.in_own_terms.borrow_mut();
        let seen = all.entry(call);
        Some(Arc::clone(seen.or_insert_with(|| in_own_terms(found, &of))))
    }

    fn cost_subject(&self, predicate: &Functor) -> Option<Subject> {
        if !self.is_of_user() {
            return None;
        }
        let Some(found) = self.predicate(predicate) else {
            return Some(Subject::Predicate(self.file, predicate.clone()));
        };
        let name = found.functor(self.db);
        // A copy with a closure in place of an argument is a call of the original.
        let name = match CopyName::read(name) {
            Some(copy) if copy.of.is_empty() => Functor::new("[…]>>…", name.arity),
            Some(copy) => {
                let original = copy.original();
                original.unwrap_or_else(|| Functor::new(copy.of, name.arity))
            }
            None => name.clone(),
        };
        Some(Subject::Predicate(found.file(self.db), name))
    }

    fn is_relative(&self, predicate: &Functor) -> bool {
        fact_table(self.db, self.table_key(predicate)).is_some()
    }

    fn is_trusted(&self, predicate: &Functor) -> bool {
        is_trusted(self.db, self.file, predicate)
    }

    fn stated_of_built_in(&self, predicate: &Functor, pattern: &Pattern) -> Option<Arc<Summary>> {
        let key = CallKey::new(self.db, self.file, predicate.clone(), pattern.clone());
        trusted_summary(self.db, key)
    }

    fn is_stated(&self, predicate: &Functor, event: &Event) -> bool {
        states_event(self.db, self.file, predicate, event)
    }

    fn why_unreached(&self, predicate: &Functor) -> Option<costlens_program::Unreached> {
        why_unreached(self.db, self.file, predicate)
    }

    fn has_no_clauses(&self, predicate: &Functor) -> bool {
        self.predicate(predicate).is_none()
            && multifile_without_clauses(self.db, self.file, predicate).is_some()
    }

    fn hooked_in(
        &self,
        hook: &Functor,
        may_match: &dyn Fn(&Terms, TermId) -> bool,
    ) -> Option<String> {
        // A document without a file belongs to no program.
        let is_own = self.is_defined(hook) || facts(self.db, self.file).is_open(hook);
        if is_own && definitions::hooks_here(self.db, self.file, hook, may_match) {
            return Some("this file".to_owned());
        }
        let by = definitions::hooked_in(self.db, self.file, hook, may_match)?;
        Some(match by == self.file {
            true => "this file".to_owned(),
            false => format!("`{}`", by.path(self.db)),
        })
    }

    fn why_undefined(&self, predicate: &Functor) -> Option<costlens_program::Unreached> {
        why_undefined(self.db, self.file, predicate)
    }

    fn why_dynamic(&self, predicate: &Functor) -> Option<WhyOpen> {
        match self.predicate(predicate) {
            Some(found) => why_open(self.db, found),
            None => why_declared_open(self.db, self.file, predicate),
        }
    }

    fn types(&self) -> Types {
        Types {
            defined: Arc::clone(&regulars(self.db, self.file).followed),
            suggested: suggested_types(self.db, self.file),
        }
    }

    fn suggested_pattern(&self, predicate: &Functor) -> Option<Pattern> {
        Some(guess_of(self.db, self.predicate(predicate)?)?.pattern)
    }

    fn summary(&self, predicate: &Functor, pattern: &Pattern) -> Arc<Summary> {
        unwind_if_late();
        let call = (predicate.clone(), pattern.clone());
        if let Some(known) = self.known.summaries.borrow().get(&call) {
            return Arc::clone(known);
        }
        if let Some(trusted) = self.trusted(predicate, pattern) {
            self.note_trust(&trusted.rests_on);
            return self.keep(call, trusted);
        }
        if let Some(relative) = self.relative(predicate, pattern) {
            return self.keep(call, relative);
        }
        let key = self.key(predicate, pattern);
        match readiness(self.db, key.as_id()) {
            Readiness::Ready => {}
            Readiness::NotReady if self.computes_on_top(key, predicate) => {}
            Readiness::NotReady => match &mut *self.missing.borrow_mut() {
                Some(missing) => {
                    missing.push(key.as_id());
                    return Arc::new(never(predicate, pattern));
                }
                None => NotReady(vec![key.as_id()]).throw(),
            },
            Readiness::Cyclic => {
                // The static call graph lacks an edge.
                return Arc::new(unforeseen(predicate, pattern));
            }
        }
        self.callees.borrow_mut().add(&[key.as_id()]);
        let found = called(self.db, self.file, key, predicate);
        self.note_trust(&found.rests_on);
        self.keep(call, found)
    }

    fn at_numbers(
        &self,
        predicate: &Functor,
        pattern: &Pattern,
        numbers: &[i64],
    ) -> Option<EvaluatedPoint> {
        if self.trusted(predicate, pattern).is_some() || self.relative(predicate, pattern).is_some()
        {
            return None;
        }
        let key = self.key(predicate, pattern);
        matches!(readiness(self.db, key.as_id()), Readiness::Ready)
            .then(|| at_numbers(self.db, key, numbers.to_vec()))?
    }

    fn solve(&self, system: &System, direction: Direction, fuel: u64) -> Solution {
        unwind_if_late();
        self.db.memory().systems().solve(system, direction, fuel)
    }

    fn gather(&self) {
        *self.missing.borrow_mut() = Some(Vec::new());
    }

    fn gathered(&self) {
        let missing = self.missing.take().unwrap_or_default();
        if !missing.is_empty() {
            NotReady(missing).throw();
        }
    }

    fn solved(&self, predicate: &Functor, pattern: &Pattern) -> Option<Solved> {
        let all = match &self.knowledge {
            Knowledge::Nothing => return None,
            Knowledge::Before(all) => all,
            Knowledge::Component(all) => {
                let component = self.component(predicate)?;
                let (of, all) = all.get_or_init(|| {
                    let all = solved_calls(self.db, component);
                    if let Some(all) = &all {
                        self.callees.borrow_mut().add(&all.callees);
                        self.note_trust(&all.trust);
                    }
                    (component, all)
                });
                all.as_ref().filter(|_| *of == component)?
            }
        };
        let name = self.predicate(predicate)?.functor(self.db).clone();
        all.calls.get(&(name, pattern.clone())).cloned()
    }
}

/// Returns the summary of a call for which no success has been found so far.
fn never(predicate: &Functor, pattern: &Pattern) -> Summary {
    Summary {
        predicate: predicate.clone(),
        pattern: pattern.clone(),
        params: Vec::new(),
        parameters: Vec::new(),
        assumes: Vec::new(),
        domain: Region::default(),
        success: None,
        outputs: BTreeMap::new(),
        elements: BTreeMap::new(),
        relation: Relation::default(),
        solutions: Sides::default(),
        first: Sides::default(),
        all: Sides::default(),
        work: costlens_infer::Work::default(),
        added: Added::default(),
        amortised: None,
        errors_possible: false,
        raises_later: false,
        later: RunsLater::No,
        unknown: Vec::new(),
        rests_on: Vec::new(),
    }
}

/// Returns the summary for a key as seen from another file: under the predicate's name in that file, and with the home files of causes.
pub(crate) fn called(
    db: &dyn Db,
    from: SourceFile,
    key: CallKey<'_>,
    name: &Functor,
) -> Arc<Summary> {
    seen_from(db, from, &summary(db, key).summary, key.file(db), name)
}

/// Rewrites a cause in a library that the user's code calls, with advice that the user can follow. The advice never suggests defining or
/// changing anything in a library.
fn said_to_user(unknown: &mut Unknown, called: &Functor) {
    if let Some(missing) = unknown.missing.take() {
        unknown.reason = format!(
            "the library predicate `{called}` needs `{missing}`; nothing is known about that predicate"
        );
    } else if unknown.help.is_empty() || unknown.types_help {
        return;
    }
    unknown.help = format!("State in a `trust` assertion what `{called}` costs.");
}

/// Returns a summary of one file as seen from another.
fn seen_from(
    db: &dyn Db,
    from: SourceFile,
    found: &Arc<Summary>,
    home: SourceFile,
    name: &Functor,
) -> Arc<Summary> {
    // Don't suggest edits to library code.
    let is_library = home.role(db) == Role::Library || is_installed(db, home);
    let home = Some(home).filter(|&home| home != from);
    let is_from_library = from.role(db) == Role::Library || is_installed(db, from);
    // True for a library predicate that the user's own clause calls.
    let of_library = is_library && !is_from_library;
    let has_home = |p: &ParameterVariable| p.why.as_ref().is_none_or(|why| why.home.is_some());
    let placed = home.is_none()
        || found.unknown.iter().all(|u| u.home.is_some()) && found.parameters.iter().all(has_home);
    if placed && found.predicate == *name && (!of_library || found.unknown.is_empty()) {
        return Arc::clone(found);
    }
    let mut seen = Summary {
        predicate: name.clone(),
        ..Summary::clone(found)
    };
    if !is_own_name(name, &found.predicate) {
        // Adds the step of the clause that calls the predicate by this name.
        seen.add_entry();
        seen.amortised = None;
    }
    for why in seen.parameters.iter_mut().filter_map(|p| p.why.as_mut()) {
        let why = Arc::make_mut(why);
        why.home = why.home.or(home);
        if of_library {
            said_to_user(why, name);
        }
    }
    for unknown in &mut seen.unknown {
        if unknown.home.is_none() && is_library && unknown.is_recursion() {
            unknown.help.clear();
        }
        unknown.home = unknown.home.or(home);
        if of_library {
            said_to_user(unknown, name);
        }
    }
    Arc::new(seen)
}

/// Returns whether a predicate is a system predicate that adds clauses, loads files or changes other parts of the program's state, with or
/// without a module.
fn changes_the_program(predicate: &Functor) -> bool {
    let plain = split(predicate).map_or_else(|| predicate.clone(), |(_, plain)| plain);
    let system = find_system(&plain.name, plain.arity);
    plain.name == CONS
        || system.is_some_and(|p| {
            p.loads_files || p.clause_change.is_some() || p.effect == Some(Effect::State)
        })
}
