//! Checks all calls of a predicate in the workspace: either each call is proved to match the predicate's known call patterns, or an offending
//! call is reported.
//!
//! Callers are collected upwards through the clauses as written. Call patterns are propagated downwards by the analysis: each caller is
//! analysed under its declared patterns and under the patterns with which its own callers call it. A caller without such patterns is
//! assumed to be called with any arguments, except for the arguments that it passes on, because a declaration also binds callers. For goals
//! that the analysis does not follow, patterns are taken from the text.

use std::cell::LazyCell;
use std::collections::{BTreeMap, VecDeque};

use costlens_analysis::followed::{ReachedCall, calls_made};
use costlens_analysis::report::{Functor, Origin};
use costlens_analysis::types::{Pattern, Type};
use costlens_program::calls::calls_in;
use costlens_program::language::join;
use costlens_program::positions::positions;
use costlens_program::workspace::terms;
use costlens_program::{SourceFile, facts, find, first_order, is_made, predicates, resolve};
use costlens_syntax::term::{Term, TermId};
use rustc_hash::FxHashMap;

use super::index::{
    FilePredicate, GoalPlace, InspectedPredicates, calls_names, calls_variables, data, files,
    is_test, means, others, outgoing, reflections, texts,
};
use super::written;
use crate::db::{Db, reached_report};

/// The maximum number of direct and indirect callers that are considered.
const MOST_CALLERS: usize = 64;
/// The maximum number of patterns for each caller. A caller with more patterns is assumed to be called with any arguments.
const MOST_PATTERNS: usize = 6;
/// The maximum nesting depth of specialised copies that are followed.
const MOST_MADE: usize = 4;
/// The maximum number of characters shown of a goal.
const MOST_LETTERS: usize = 60;

/// Predicates that the Prolog system calls with arbitrary terms.
const HOOKS: [&str; 12] = [
    "attr_portray_hook",
    "attr_unify_hook",
    "attribute_goals",
    "exception",
    "goal_expansion",
    "message_hook",
    "message_property",
    "portray",
    "prolog_exception_hook",
    "prolog_load_file",
    "term_expansion",
    "unify_hook",
];

/// A call that prevents a variant from being offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Blame {
    file: SourceFile,
    /// The range of the goal.
    range: (usize, usize),
    why: Why,
}

/// The reason why a goal prevents a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// The arguments are not proved to match the declaration of the predicate.
    Passes,
    /// The goal is data, but may be called through a variable.
    IsData,
    /// The goal is text that may be converted into a goal with this name.
    IsText,
    /// The goal reveals clauses, or the number of calls.
    Shows,
    /// The predicate has too many direct and indirect callers.
    HasMany,
}

impl Blame {
    /// Describes the goal, its place, and the problem with it.
    pub(crate) fn words(&self, db: &dyn Db, file: SourceFile) -> String {
        let text = &*self.file.parsed(db).text;
        let goal = text.get(self.range.0..self.range.1).unwrap_or_default();
        let mut goal: String = goal.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = goal.char_indices().nth(MOST_LETTERS) {
            goal.truncate(end);
            goal.push('…');
        }
        let line = text
            .get(..self.range.0)
            .map_or(0, |t| t.matches('\n').count())
            + 1;
        let place = match self.file == file {
            true => format!("line {line}"),
            false => {
                let path = self.file.path(db);
                let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
                format!("line {line} of {name}")
            }
        };
        let why = match self.why {
            Why::Passes => "is not proved to match the declaration",
            Why::IsData => "may be called through a variable",
            Why::IsText => "may become the name of a goal",
            Why::Shows => "exposes clauses or the number of calls",
            Why::HasMany => "has more callers than are examined",
        };
        format!("`{goal}` ({place}) {why}")
    }
}

/// Returns a goal that inspects the clauses of a predicate or its recursion depth.
pub(crate) fn reflecting(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<Blame> {
    let target = (file, functor.clone());
    let mut graph = None;
    for other in files(db, file) {
        let all = reflections(db, other);
        if all.is_empty() {
            continue;
        }
        for reflection in all {
            let is_named = reflection.target != InspectedPredicates::Any;
            let sees = || sees(db, other, &target, is_named);
            let shows = match reflection.is_deep {
                false => reflection.target.may_be(functor) && sees(),
                true => {
                    let graph = graph.get_or_insert_with(|| Graph::build(db, &target));
                    let mut all = graph.callers.iter();
                    all.any(|(_, of)| reflection.target.may_be(of)) && (is_named || sees())
                }
            };
            if shows {
                return blame(db, other, &reflection.at, Why::Shows);
            }
        }
    }
    None
}

/// Returns true if a file can call the predicate by its name. A file that contains the name may be loaded together with a file that is not a
/// module.
fn sees(db: &dyn Db, other: SourceFile, target: &FilePredicate, is_named: bool) -> bool {
    let (file, functor) = target;
    other == *file
        || means(db, other, functor).as_ref() == Some(target)
        || is_named && facts(db, *file).module.is_none()
        || is_qualified_in(db, other, *file)
}

/// Returns true if a file qualifies a goal with the module of another file.
fn is_qualified_in(db: &dyn Db, other: SourceFile, file: SourceFile) -> bool {
    let module = &facts(db, file).module;
    let text = &*other.parsed(db).text;
    module
        .as_ref()
        .is_some_and(|module| text.contains(&format!("{module}:")))
}

/// Returns a call of the predicate that is not proved to match any of these patterns. Returns `None` if all known calls match.
pub(crate) fn violation(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    fits: &[Pattern],
) -> Option<Blame> {
    let target = (file, functor.clone());
    let graph = Graph::build(db, &target);
    if graph.is_cut {
        let at = graph
            .callers
            .get(1)
            .and_then(|of| first_call(db, of, &target));
        return at.or_else(|| {
            let at = GoalPlace::Clause(
                functor.clone(),
                0,
                find(db, file, functor)?.clauses(db).first()?.head,
            );
            blame(db, file, &at, Why::HasMany)
        });
    }
    let mut walk = Walk::new(db, &graph, fits);
    walk.begin();
    walk.run()
}

/// Returns the first call of one predicate in the clauses of another.
fn first_call(
    db: &dyn Db,
    (file, caller): &FilePredicate,
    target: &FilePredicate,
) -> Option<Blame> {
    let p = find(db, *file, caller)?;
    for (number, clause) in p.clauses(db).iter().enumerate() {
        for body in clause.guard.into_iter().chain(clause.body) {
            for call in calls_in(db, *file, &clause.terms, body) {
                if means(db, *file, &call.callee).as_ref() == Some(target) {
                    let at = GoalPlace::Clause(caller.clone(), number, call.goal);
                    return blame(db, *file, &at, Why::HasMany);
                }
            }
        }
    }
    None
}

fn blame(db: &dyn Db, file: SourceFile, at: &GoalPlace, why: Why) -> Option<Blame> {
    let range = match at {
        GoalPlace::Clause(functor, clause, goal) => {
            let all = positions(db, file);
            let places = all.iter().find(|p| p.functor == *functor)?;
            let clause = places.clauses.get(*clause)?;
            clause.range(*goal).unwrap_or(clause.range)
        }
        GoalPlace::Read(number, goal) => {
            let read = terms(db, file);
            let clause = read.clauses.get(*number)?;
            let place = clause.spans.ranges.get(goal.index());
            let place = place.filter(|(from, to)| from < to);
            place.map_or(clause.range, |&(from, to)| {
                (clause.range.0 + from as usize, clause.range.0 + to as usize)
            })
        }
    };
    Some(Blame { file, range, why })
}

/// A predicate, at index 0, and its direct and indirect callers.
struct Graph {
    callers: Vec<FilePredicate>,
    number: FxHashMap<FilePredicate, usize>,
    /// The files that contain the name of a predicate in the graph, or may refer to it.
    files: Vec<SourceFile>,
    /// True if callers were left out.
    is_cut: bool,
}

impl Graph {
    fn build(db: &dyn Db, target: &FilePredicate) -> Self {
        let mut graph = Self {
            callers: vec![target.clone()],
            number: FxHashMap::from_iter([(target.clone(), 0)]),
            files: files(db, target.0),
            is_cut: false,
        };
        let mut next = 0;
        while let Some(of) = graph.callers.get(next).cloned() {
            next += 1;
            let holders = holders(db, &graph.files, &of);
            for caller in callers(db, &graph.files, &of).into_iter().chain(holders) {
                if graph.number.contains_key(&caller) {
                    continue;
                }
                if graph.callers.len() >= MOST_CALLERS {
                    graph.is_cut = true;
                    return graph;
                }
                graph.number.insert(caller.clone(), graph.callers.len());
                graph.callers.push(caller);
            }
        }
        graph
    }

    /// Resolves a name in a file to the index of a predicate in the graph.
    fn means(&self, db: &dyn Db, file: SourceFile, callee: &Functor) -> Option<usize> {
        if let Some(place) = means(db, file, callee) {
            return self.number.get(&place).copied();
        }
        let of = |place: &FilePredicate| open_names(db, file, place).contains(callee);
        let is_open = resolve(db, file, callee).is_none();
        is_open.then(|| self.callers.iter().position(of)).flatten()
    }
}

/// Returns true for the file of a predicate, and for files whose text contains its name. Other files cannot call the predicate by name.
fn names_it(db: &dyn Db, file: SourceFile, of: &FilePredicate) -> bool {
    file == of.0 || file.parsed(db).text.contains(of.1.name.as_str())
}

/// Returns the names that are undefined in a file and may refer to a predicate of another file. That file may not be a module, or it may
/// export the predicate and be imported at run time (`swipl a.pl b.pl`), or the name may be qualified with its module.
fn open_names(db: &dyn Db, other: SourceFile, (file, functor): &FilePredicate) -> Vec<Functor> {
    if other == *file {
        return Vec::new();
    }
    let facts = facts(db, *file);
    let Some(module) = &facts.module else {
        return vec![functor.clone()];
    };
    let is_exported = facts.exports_all || facts.exports.contains(functor);
    let joined = join(module, &functor.name).map(|name| Functor::new(name, functor.arity));
    let plain = is_exported.then(|| functor.clone());
    joined.into_iter().chain(plain).collect()
}

/// Returns true if a term of a file may become a goal of a predicate. It cannot if the file resolves the name to another predicate and does
/// not qualify it with a module.
fn may_mean(db: &dyn Db, other: SourceFile, of: &FilePredicate) -> bool {
    let (file, functor) = of;
    other == *file
        || resolve(db, other, functor).is_none()
        || means(db, other, functor).as_ref() == Some(of)
        || is_qualified_in(db, other, *file)
        || (other.parsed(db).text).contains(&format!(":{}", functor.name))
}

/// Returns the predicates of these files that call a given predicate, except the predicate itself.
fn callers(db: &dyn Db, files: &[SourceFile], of: &FilePredicate) -> Vec<FilePredicate> {
    let mut found: Vec<FilePredicate> = Vec::new();
    for &file in files.iter().filter(|&&file| names_it(db, file, of)) {
        let outgoing = outgoing(db, file);
        let to = outgoing.to.get(of).into_iter().flatten();
        let names = open_names(db, file, of).into_iter();
        let nowhere = names.flat_map(|name| outgoing.nowhere.get(&name).into_iter().flatten());
        for caller in to.chain(nowhere) {
            let caller = (file, caller.clone());
            if caller != *of && !found.contains(&caller) {
                found.push(caller);
            }
        }
    }
    found
}

/// Returns the predicates of these files whose clauses contain a goal for a given predicate as data and call it through a variable: `G =
/// total(Xs, S), call(G)`.
fn holders(db: &dyn Db, files: &[SourceFile], of: &FilePredicate) -> Vec<FilePredicate> {
    let mut found: Vec<FilePredicate> = Vec::new();
    for &file in files.iter().filter(|&&file| names_it(db, file, of)) {
        let data = data(db, file).get(&of.1.name).into_iter().flatten();
        for datum in data.filter(|d| d.arity == of.1.arity) {
            if let GoalPlace::Clause(owner, ..) = &datum.at
                && calls_variables(db, file)
                && is_followed(db, file, &datum.at, of)
            {
                let place = (file, owner.clone());
                if place != *of && !found.contains(&place) {
                    found.push(place);
                }
            }
        }
    }
    found
}

/// Returns true for a term that a goal of the same clause is known to call.
fn is_followed(db: &dyn Db, file: SourceFile, at: &GoalPlace, of: &FilePredicate) -> bool {
    let GoalPlace::Clause(owner, clause, term) = at else {
        return false;
    };
    let any = Pattern(vec![Type::Any; owner.arity]);
    let calls = calls_made(db, file, owner, &any);
    let is_it = |call: &ReachedCall| {
        let place = (call.clause, call.goal) == (*clause, *term);
        place && (call.file, &call.callee) == (of.0, &of.1)
    };
    calls.is_some_and(|calls| calls.iter().any(is_it))
}

/// Returns the predicates of the workspace that call a given predicate, except the predicate itself.
pub(in crate::fixes) fn all_callers(db: &dyn Db, of: &FilePredicate) -> Vec<FilePredicate> {
    callers(db, &files(db, of.0), of)
}

/// A pattern under which a predicate is called.
struct CallingContext {
    of: FollowedPredicate,
    pattern: Pattern,
    /// The calling context, if any, and the place of the call.
    from: Option<(Option<usize>, SourceFile, GoalPlace, Why)>,
}

/// A predicate whose calls are followed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FollowedPredicate {
    /// A predicate of the graph, by its index.
    Caller(usize),
    /// A specialised copy with a closure.
    Made(String, usize, usize),
}

struct Walk<'a> {
    db: &'a dyn Db,
    graph: &'a Graph,
    fits: &'a [Pattern],
    /// For each undeclared predicate, the argument types that it requires because it passes the arguments on.
    asked: Vec<Option<Vec<Type>>>,
    contexts: Vec<CallingContext>,
    of: BTreeMap<FollowedPredicate, Vec<usize>>,
    made: Vec<FilePredicate>,
    waiting: VecDeque<usize>,
}

impl<'a> Walk<'a> {
    fn new(db: &'a dyn Db, graph: &'a Graph, fits: &'a [Pattern]) -> Self {
        Self {
            db,
            graph,
            fits,
            asked: vec![None; graph.callers.len()],
            contexts: Vec::new(),
            of: BTreeMap::new(),
            made: Vec::new(),
            waiting: VecDeque::new(),
        }
    }

    /// Adds the patterns that are known without considering callers.
    fn begin(&mut self) {
        self.ask();
        for pattern in self.fits {
            self.add(FollowedPredicate::Caller(0), pattern.clone(), None);
        }
        for number in 1..self.graph.callers.len() {
            let (file, functor) = &self.graph.callers[number];
            let declared = declared(self.db, *file, functor);
            if is_test(functor) {
                let fresh = Pattern(vec![Type::Free; functor.arity]);
                self.add(FollowedPredicate::Caller(number), fresh, None);
            } else if !declared.is_empty() {
                for pattern in declared {
                    self.add(FollowedPredicate::Caller(number), pattern, None);
                }
            } else if HOOKS.contains(&functor.name.as_str()) {
                let any = Pattern(vec![Type::Any; functor.arity]);
                self.add(FollowedPredicate::Caller(number), any, None);
            }
        }
        self.outside_of_clauses();
        self.in_data();
        // Adds the predicates without known callers.
        for number in 1..self.graph.callers.len() {
            let place = &self.graph.callers[number];
            if callers(self.db, &self.graph.files, place).is_empty() {
                self.begin_with(number);
            }
        }
    }

    /// Computes the argument types that each predicate requires because it passes the arguments on to a predicate with requirements.
    fn ask(&mut self) {
        let joined = self.fits.iter().cloned().reduce(|a, b| a.join(&b));
        self.asked[0] = joined.map(|pattern| pattern.0);
        for number in 1..self.graph.callers.len() {
            let (file, functor) = &self.graph.callers[number];
            let own = declared(self.db, *file, functor).into_iter();
            if let Some(pattern) = own.reduce(|a, b| a.join(&b)) {
                self.asked[number] = Some(pattern.0);
                continue;
            }
            let head = self.asked_of(*file, functor, 0);
            self.asked[number] = Some(head);
        }
    }

    /// Returns the argument types that the clauses of a predicate require because they pass the arguments on, also through specialised
    /// copies.
    fn asked_of(&self, file: SourceFile, functor: &Functor, depth: usize) -> Vec<Type> {
        let mut head = vec![Type::Any; functor.arity];
        let Some(p) = find(self.db, file, functor) else {
            return head;
        };
        for clause in first_order(self.db, p).iter() {
            for body in clause.guard.into_iter().chain(clause.body) {
                for call in calls_in(self.db, file, &clause.terms, body) {
                    if call.callee == *functor {
                        continue;
                    }
                    let callee = self.graph.means(self.db, file, &call.callee);
                    let known = callee.and_then(|number| self.asked[number].clone());
                    let asked = known.or_else(|| {
                        let made = find(self.db, file, &call.callee)?;
                        (depth < MOST_MADE && is_made(self.db, made))
                            .then(|| self.asked_of(file, &call.callee, depth + 1))
                    });
                    if let Some(asked) = asked {
                        written::hand_on(clause, call.goal, &asked, &mut head);
                    }
                }
                // The goal may be data that is called through a variable: `G = total(Xs, S), call(G)`.
                for id in clause.terms.subterms(body) {
                    let held = clause.terms.functor(id).and_then(|(name, arity)| {
                        let held = Functor::new(name.clone(), arity);
                        let number = self.graph.means(self.db, file, &held);
                        self.asked[number.filter(|_| arity > 0)?].clone()
                    });
                    if let Some(asked) = held {
                        written::hand_on(clause, id, &asked, &mut head);
                    }
                }
            }
        }
        head
    }

    fn add(
        &mut self,
        of: FollowedPredicate,
        pattern: Pattern,
        from: Option<(Option<usize>, SourceFile, GoalPlace, Why)>,
    ) {
        let known = self.of.entry(of.clone()).or_default();
        let covers = |&c: &usize| pattern.is_within(&self.contexts[c].pattern);
        // Every call of the target predicate is checked, even if its pattern is already covered.
        if of != FollowedPredicate::Caller(0) && known.iter().any(covers) {
            return;
        }
        let pattern = match of != FollowedPredicate::Caller(0) && known.len() >= MOST_PATTERNS {
            true => Pattern(vec![Type::Any; pattern.0.len()]),
            false => pattern,
        };
        known.push(self.contexts.len());
        self.waiting.push_back(self.contexts.len());
        self.contexts.push(CallingContext { of, pattern, from });
    }

    /// Adds the goals of directives, and the goals of clauses that belong to other modules.
    fn outside_of_clauses(&mut self) {
        for &file in &self.graph.files {
            for (number, body, terms) in others(self.db, file) {
                for call in calls_in(self.db, file, &terms, body) {
                    let Some(callee) = self.graph.means(self.db, file, &call.callee) else {
                        continue;
                    };
                    let around = written::GoalContext {
                        terms: &terms,
                        head: None,
                        bodies: &[body],
                    };
                    let pattern = written::pattern(around, call.goal, call.callee.arity);
                    let from = (None, file, GoalPlace::Read(number, call.goal), Why::Passes);
                    self.add(FollowedPredicate::Caller(callee), pattern, Some(from));
                }
            }
        }
    }

    /// Adds terms that may be called through a variable, and text from which goals may be built. A compound term may be called in ways that
    /// the analysis does not model (`apply/2`, `foreach/2`, a goal in a list). An atom may be called only if some goal of the workspace
    /// calls names in variables.
    fn in_data(&mut self) {
        let (db, graph) = (self.db, self.graph);
        let calls = |&file: &SourceFile| calls_names(db, file);
        let is_called = LazyCell::new(|| graph.files.iter().any(calls));
        let mut found = Vec::new();
        for (number, place) in graph.callers.iter().enumerate() {
            let functor = &place.1;
            if functor.arity == 0 {
                continue;
            }
            for &file in &graph.files {
                if names_it(db, file, place) {
                    let all = data(db, file).get(&functor.name).into_iter().flatten();
                    let fitting = all.filter(|d| d.arity <= functor.arity);
                    let mut fitting = fitting.filter(|d| d.arity > 0 || *is_called).peekable();
                    if fitting.peek().is_some() && may_mean(db, file, place) {
                        let fitting = fitting.map(|d| (number, file, &d.at, Why::IsData));
                        found.extend(fitting);
                    }
                }
                let texts = texts(db, file).iter();
                let mut texts = texts.filter(|text| text.may_name(&functor.name)).peekable();
                if texts.peek().is_some() && *is_called && may_mean(db, file, place) {
                    found.extend(texts.map(|text| (number, file, &text.at, Why::IsText)));
                }
            }
        }
        for (number, file, at, why) in found {
            self.datum(number, file, at, why);
        }
    }

    /// Adds a term that is not in a goal position. If a goal of the same clause is known to call the term, the call itself is followed;
    /// otherwise any arguments are assumed.
    fn datum(&mut self, number: usize, file: SourceFile, at: &GoalPlace, why: Why) {
        let place = &self.graph.callers[number];
        if !is_followed(self.db, file, at, place) {
            let pattern = Pattern(vec![Type::Any; place.1.arity]);
            let from = (None, file, at.clone(), why);
            self.add(FollowedPredicate::Caller(number), pattern, Some(from));
        }
    }

    fn run(&mut self) -> Option<Blame> {
        let mut number = 0;
        loop {
            while let Some(at) = self.waiting.pop_front() {
                self.db.unwind_if_revision_cancelled();
                if let Some(found) = self.look_at(at) {
                    return Some(found);
                }
            }
            // The remaining predicates only call each other.
            if number == self.graph.callers.len() {
                return None;
            }
            self.begin_with(number);
            number += 1;
        }
    }

    /// Adds a predicate without known callers. Its arguments may be any terms, except for the arguments that it passes on.
    fn begin_with(&mut self, number: usize) {
        if number == 0 || self.of.contains_key(&FollowedPredicate::Caller(number)) {
            return;
        }
        let (_, functor) = &self.graph.callers[number];
        let any = || vec![Type::Any; functor.arity];
        let pattern = self.asked[number].clone().unwrap_or_else(any);
        self.add(FollowedPredicate::Caller(number), Pattern(pattern), None);
    }

    /// Follows the calls that a predicate makes under one pattern.
    fn look_at(&mut self, at: usize) -> Option<Blame> {
        let CallingContext { of, pattern, from } = &self.contexts[at];
        let (node, pattern) = (of.clone(), pattern.clone());
        if node == FollowedPredicate::Caller(0)
            && from.is_some()
            && !self.fits.iter().any(|fit| pattern.is_within(fit))
        {
            return self.to_blame(at);
        }
        if node == FollowedPredicate::Caller(0) && from.is_some() {
            return None;
        }
        let (file, functor) = match &node {
            FollowedPredicate::Caller(number) => self.graph.callers[*number].clone(),
            FollowedPredicate::Made(_, _, number) => self.made[*number].clone(),
        };
        let calls = calls_made(self.db, file, &functor, &pattern);
        let calls: &[ReachedCall] = calls.as_deref().unwrap_or_default();
        for call in calls {
            let place = (call.file, call.callee.clone());
            // Recursive calls are checked only if a condition requires it.
            if place == self.graph.callers[0] && call.caller == self.graph.callers[0].1 {
                continue;
            }
            let caller = GoalPlace::Clause(call.caller.clone(), call.clause, call.goal);
            let to = match self.graph.number.get(&place) {
                Some(&number) => FollowedPredicate::Caller(number),
                None => match self.made_number(&place) {
                    Some(number) => {
                        FollowedPredicate::Made(place.1.name.to_string(), place.1.arity, number)
                    }
                    None => continue,
                },
            };
            let from = (Some(at), file, caller, Why::Passes);
            self.add(to, self.unshared(file, call), Some(from));
        }
        self.not_followed(at, file, &functor, calls);
        None
    }

    /// Returns the argument types of a call. An unbound variable that occurs in the call more than once may be bound to any term:
    /// `keep([f(a)], f(S), S)` binds `S` while it unifies the arguments.
    fn unshared(&self, file: SourceFile, call: &ReachedCall) -> Pattern {
        let mut pattern = call.pattern.clone();
        let Some(p) = find(self.db, file, &call.caller) else {
            return pattern;
        };
        let clauses = first_order(self.db, p);
        let Some(clause) = clauses.get(call.clause) else {
            return pattern;
        };
        let inside = clause.terms.variables_of(call.goal);
        let is_shared = |v: u32| inside.iter().filter(|&&w| w == v).count() > 1;
        let args = clause.terms.args(call.goal).iter();
        for (&argument, of) in args.zip(&mut pattern.0) {
            let is_variable = matches!(clause.terms.get(argument), Term::Var(v) if is_shared(*v));
            if is_variable && *of == Type::Free {
                *of = Type::Any;
            }
        }
        pattern
    }

    /// Returns the index of a specialised copy that contains a closure.
    fn made_number(&mut self, (file, functor): &FilePredicate) -> Option<usize> {
        let p = find(self.db, *file, functor).filter(|&p| is_made(self.db, p))?;
        let place = (p.file(self.db), functor.clone());
        Some(match self.made.iter().position(|of| *of == place) {
            Some(number) => number,
            None => {
                self.made.push(place);
                self.made.len() - 1
            }
        })
    }

    /// Adds goals as written that the analysis does not reach or does not follow.
    fn not_followed(
        &mut self,
        at: usize,
        file: SourceFile,
        functor: &Functor,
        calls: &[ReachedCall],
    ) {
        let Some(p) = find(self.db, file, functor) else {
            return;
        };
        let pattern = self.contexts[at].pattern.clone();
        for (number, clause) in first_order(self.db, p).iter().enumerate() {
            for body in clause.guard.into_iter().chain(clause.body) {
                for call in calls_in(self.db, file, &clause.terms, body) {
                    let Some(callee) = self.graph.means(self.db, file, &call.callee) else {
                        continue;
                    };
                    if callee == 0
                        && (file, functor) == (self.graph.callers[0].0, &self.graph.callers[0].1)
                    {
                        continue;
                    }
                    let is_it = |c: &ReachedCall| {
                        c.caller == *functor && c.clause == number && c.goal == call.goal
                    };
                    if calls.iter().any(is_it) {
                        continue;
                    }
                    let parts = [clause.guard, clause.body];
                    let parts: Vec<TermId> = parts.into_iter().flatten().collect();
                    let around = written::GoalContext {
                        terms: &clause.terms,
                        head: Some((clause.head, &pattern)),
                        bodies: &parts,
                    };
                    let passed = written::pattern(around, call.goal, call.callee.arity);
                    let goal = GoalPlace::Clause(functor.clone(), number, call.goal);
                    let from = (Some(at), file, goal, Why::Passes);
                    self.add(FollowedPredicate::Caller(callee), passed, Some(from));
                }
            }
        }
    }

    /// Returns the call from which a context results. If the caller itself is called with types that it does not accept, returns the call
    /// of the caller.
    fn to_blame(&self, at: usize) -> Option<Blame> {
        let mut found = None;
        let mut next = Some(at);
        while let Some(context) = next.and_then(|at| self.contexts.get(at)) {
            let Some((before, file, place, why)) = &context.from else {
                break;
            };
            let asks = match &context.of {
                FollowedPredicate::Caller(0) | FollowedPredicate::Made(..) => false,
                FollowedPredicate::Caller(number) => {
                    let asked = self.asked[*number].clone();
                    asked.is_some_and(|asked| context.pattern.is_within(&Pattern(asked)))
                }
            };
            if asks {
                break;
            }
            found = blame(self.db, *file, place, *why).or(found);
            next = *before;
        }
        found.or_else(|| {
            let (file, functor) = &self.graph.callers[0];
            let p = predicates(self.db, *file);
            let p = p.iter().find(|p| p.functor(self.db) == functor)?;
            let head: TermId = p.clauses(self.db).first()?.head;
            blame(
                self.db,
                *file,
                &GoalPlace::Clause(functor.clone(), 0, head),
                Why::Passes,
            )
        })
    }
}

/// Returns the declared patterns of a predicate.
fn declared(db: &dyn Db, file: SourceFile, functor: &Functor) -> Vec<Pattern> {
    let report = reached_report(db, file, functor);
    let patterns = report.iter().flat_map(|report| &report.patterns);
    let declared = patterns.filter(|p| matches!(p.origin, Origin::Declared | Origin::Entry));
    declared.map(|p| p.pattern.clone()).collect()
}
