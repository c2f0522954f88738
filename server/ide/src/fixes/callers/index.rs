//! Per-file indices of the call graph, of terms that may become goals, and of goals that inspect clauses. An index is reused while the file's
//! clauses are unchanged.

use std::collections::BTreeSet;

use costlens_analysis::report::Functor;
use costlens_catalog::{
    Relation, Shown, TextUse, is_arithmetic_comparison, names_caller_of_names, relation, shows,
    text_use,
};
use costlens_program::calls::calls_in;
use costlens_program::directives::is_declaration;
use costlens_program::language::{directive, has_unbound_goal};
use costlens_program::positions::positions;
use costlens_program::workspace::{Workspace, is_installed, terms};
use costlens_program::{
    Predicate, Role, SourceFile, callees, find, first_order, is_made, predicates, resolve,
};
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::db::Db;

/// A predicate and its file.
pub(in crate::fixes) type FilePredicate = (SourceFile, Functor);

/// The place of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GoalPlace {
    /// In a clause of a predicate of the file.
    Clause(Functor, usize, TermId),
    /// In a clause or a directive that does not belong to a predicate of the file, given by its index among the clauses read.
    Read(usize, TermId),
}

/// Returns the user's files that may contain calls of a file's predicates.
pub(in crate::fixes) fn files(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let Some(workspace) = Workspace::try_get(db) else {
        return vec![file];
    };
    let all = workspace.files(db).values().copied();
    let is_users = |f: &SourceFile| *f != file && f.role(db) == Role::User && !is_installed(db, *f);
    std::iter::once(file).chain(all.filter(is_users)).collect()
}

/// The calls made by the predicates of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Outgoing {
    /// The callers in this file, for each of the user's predicates that they call.
    pub(super) to: FxHashMap<FilePredicate, Vec<Functor>>,
    /// The callers in this file, for each undefined predicate that they call.
    pub(super) nowhere: FxHashMap<Functor, Vec<Functor>>,
}

/// *Invalidated* if a predicate of the file calls other predicates than before, or if a name is resolved differently.
#[salsa::tracked(returns(ref))]
pub(super) fn outgoing(db: &dyn Db, file: SourceFile) -> Outgoing {
    let mut found = Outgoing::default();
    for &p in predicates(db, file) {
        let caller = p.functor(db);
        let mut all: BTreeSet<Functor> = analysed(db, file, p).into_iter().collect();
        all.extend(callees(db, p).iter().cloned());
        for callee in &all {
            match means(db, file, callee) {
                Some(place) => found.to.entry(place).or_default().push(caller.clone()),
                None if resolve(db, file, callee).is_none() => {
                    let callers = found.nowhere.entry(callee.clone()).or_default();
                    callers.push(caller.clone());
                }
                None => {}
            }
        }
    }
    found
}

/// Returns the calls of a predicate's clauses after specialisation: `P = total, call(P, Xs, S)` calls `total/2`, and `maplist(P, Xss, Ss)`
/// calls its specialised copy.
fn analysed<'db>(db: &'db dyn Db, file: SourceFile, p: Predicate<'db>) -> FxHashSet<Functor> {
    let (mut found, mut seen) = (FxHashSet::default(), FxHashSet::default());
    let mut waiting = vec![p];
    while let Some(of) = waiting.pop() {
        for clause in first_order(db, of).iter() {
            for body in clause.guard.into_iter().chain(clause.body) {
                for call in calls_in(db, file, &clause.terms, body) {
                    if !seen.insert(call.callee.clone()) {
                        continue;
                    }
                    match find(db, file, &call.callee).filter(|&p| is_made(db, p)) {
                        Some(made) => waiting.push(made),
                        None => {
                            found.insert(call.callee);
                        }
                    }
                }
            }
        }
    }
    found
}

/// Resolves a name in a file to a predicate of the user.
pub(in crate::fixes) fn means(
    db: &dyn Db,
    file: SourceFile,
    callee: &Functor,
) -> Option<FilePredicate> {
    let found = resolve(db, file, callee)?.predicate();
    let home = found.file(db);
    let is_users = home.role(db) == Role::User && !is_installed(db, home);
    is_users.then(|| (home, found.functor(db).clone()))
}

/// A term in a position that is not a goal position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Datum {
    /// The number of arguments.
    pub(super) arity: usize,
    /// The place of the term.
    pub(super) at: GoalPlace,
}

/// Returns, by name, the terms in clauses and directives of a file that are not in goal positions.
///
/// *Invalidated* by every edit of a clause.
#[salsa::tracked(returns(ref))]
pub(super) fn data(db: &dyn Db, file: SourceFile) -> FxHashMap<SmolStr, Vec<Datum>> {
    let mut found: FxHashMap<SmolStr, Vec<Datum>> = FxHashMap::default();
    let mut add = |terms: &Terms,
                   all: &[TermId],
                   goals: &FxHashSet<TermId>,
                   at: &dyn Fn(TermId) -> GoalPlace| {
        for &id in all.iter().filter(|id| !goals.contains(id)) {
            let Some((name, arity)) = terms.functor(id) else {
                continue;
            };
            if name != CONS && name.starts_with(|c: char| c.is_alphabetic()) {
                let of_name = found.entry(name.clone()).or_default();
                of_name.push(Datum { arity, at: at(id) });
            }
        }
    };
    let has_tests = file.parsed(db).text.contains("begin_tests(");
    for p in predicates(db, file) {
        let is_test = has_tests && is_test(p.functor(db));
        for (number, clause) in p.clauses(db).iter().enumerate() {
            let terms = &clause.terms;
            let at = |id: TermId| GoalPlace::Clause(p.functor(db).clone(), number, id);
            for (place, &argument) in terms.args(clause.head).iter().enumerate() {
                // The name of a unit test is not a goal.
                if !(is_test && place == 0 && terms.as_atom(argument).is_some()) {
                    add(terms, &terms.subterms(argument), &FxHashSet::default(), &at);
                }
            }
            for body in clause.guard.into_iter().chain(clause.body) {
                let goals = goals_of(db, file, terms, body);
                add(terms, &terms.subterms(body), &goals, &at);
            }
        }
    }
    for (number, goal, terms) in others(db, file) {
        let mut goals = goals_of(db, file, &terms, goal);
        // `:- begin_tests(total)` contains the name of a test unit, which is not a goal.
        if let Some((name, _)) = terms.functor(goal)
            && NAME_TESTS.contains(&name.as_str())
        {
            goals.extend(terms.args(goal).first());
        }
        add(&terms, &terms.subterms(goal), &goals, &|id| {
            GoalPlace::Read(number, id)
        });
    }
    // For `:- reexport(m, [total/2 as sum])`, calls by the new name are not tracked.
    for (number, clause) in terms(db, file).clauses.iter().enumerate() {
        let terms = &clause.terms;
        let Some(root) = directive(terms, clause.root) else {
            continue;
        };
        let all = terms.subterms(root).into_iter();
        let exported = all.filter_map(|id| terms.matches(id, "reexport", 2));
        for renamed in exported.flat_map(|args| terms.subterms(args[1])) {
            let Some(&[of, _]) = terms.matches(renamed, "as", 2) else {
                continue;
            };
            if let Some((Some(name), arity)) = indicated(terms, of) {
                let arity = arity.unwrap_or_default();
                let at = GoalPlace::Read(number, of);
                (found.entry(name.clone()).or_default()).push(Datum { arity, at });
            }
        }
    }
    found
}

/// Directives whose first argument is the name of a test unit.
const NAME_TESTS: [&str; 3] = ["begin_tests", "end_tests", "run_tests"];

/// Returns true for a unit test of plunit: `test(Name)` or `test(Name, Options)`.
pub(super) fn is_test(functor: &Functor) -> bool {
    functor.name == "test" && matches!(functor.arity, 1 | 2)
}

/// Returns the name and the arity in `name/arity` or `name//arity`, each if it is bound. Returns `None` for other terms.
fn indicated(terms: &Terms, id: TermId) -> Option<(Option<&SmolStr>, Option<usize>)> {
    let (name, arity, added) = match (terms.matches(id, "/", 2), terms.matches(id, "//", 2)) {
        (Some(&[name, arity]), _) => (name, arity, 0),
        (_, Some(&[name, arity])) => (name, arity, 2),
        _ => return None,
    };
    let arity = match terms.get(arity) {
        Term::Integer(arity) => Some(usize::try_from(arity).ok()? + added),
        Term::Var(_) => None,
        _ => return None,
    };
    Some((terms.as_atom(name), arity))
}

/// Returns the goals of a body, and the terms in it that cannot become goals: templates of `aggregate_all`, and arithmetic expressions.
fn goals_of(db: &dyn Db, file: SourceFile, terms: &Terms, body: TermId) -> FxHashSet<TermId> {
    let mut goals = FxHashSet::default();
    for call in calls_in(db, file, terms, body) {
        goals.insert(call.goal);
        // The template of `aggregate_all(sum(X), G, S)` is not a goal.
        if call.callee.name.starts_with("aggregate_all") {
            goals.extend(terms.args(call.goal).first());
        }
        // The operands of `X is max(A, B)` are not goals.
        if evaluates(&call.callee) {
            let args = terms.args(call.goal).iter();
            goals.extend(args.flat_map(|&argument| terms.subterms(argument)));
        }
    }
    goals
}

/// Returns true for an arithmetic goal: `X is E`, `E < F`.
fn evaluates(functor: &Functor) -> bool {
    let (name, arity) = (functor.name.as_str(), functor.arity);
    is_arithmetic_comparison(name, arity) || relation(name, arity) == Some(Relation::Value)
}

/// Returns the bodies of directives, and of clauses that do not belong to a predicate of the file, each with its index among the clauses
/// read.
pub(in crate::fixes) fn others(
    db: &dyn Db,
    file: SourceFile,
) -> Vec<(usize, TermId, std::sync::Arc<Terms>)> {
    let own: FxHashSet<usize> = (positions(db, file).iter())
        .flat_map(|p| p.clauses.iter().map(|c| c.range.0))
        .collect();
    let read = terms(db, file);
    let numbered = read.clauses.iter().enumerate();
    let mut found = Vec::new();
    for (number, clause) in numbered {
        let terms = &clause.terms;
        let mut add = |goal| found.push((number, goal, std::sync::Arc::clone(terms)));
        if let Some(root) = directive(terms, clause.root) {
            let is_goal = |&goal: &TermId| {
                let functor = terms.functor(goal);
                functor.is_none_or(|(name, arity)| name != CONS && !is_declaration(name, arity))
            };
            terms
                .chain(root, ",")
                .into_iter()
                .filter(is_goal)
                .for_each(add);
        } else if !own.contains(&clause.range.0) && clause.error.is_none() {
            // The clause may be module-qualified: `m:(report(S) :- total([1], S)).`
            let mut root = clause.root;
            while let Some(&[_, inner]) = terms.matches(root, ":", 2) {
                root = inner;
            }
            let arrows = [":-", "-->", "=>"].iter();
            let mut bodies = arrows.filter_map(|arrow| terms.matches(root, arrow, 2));
            if let Some(&[_, body]) = bodies.next() {
                add(body);
            }
        }
    }
    found
}

/// Returns true if a clause or a directive of the file calls a variable, creates rules, expands goals, or passes predicate names to a
/// meta-predicate: `maplist(call, Ps)`.
///
/// *Invalidated* by edits of clauses; the result usually stays equal.
#[salsa::tracked(returns(copy))]
pub(super) fn calls_names(db: &dyn Db, file: SourceFile) -> bool {
    let names_one = |terms: &Terms, body: TermId| {
        let mut all = terms.subterms(body).into_iter();
        all.any(|id| {
            let functor = terms.functor(id);
            functor.is_some_and(|(name, arity)| {
                name == "call" && arity == 0 || names_caller_of_names(name)
            })
        })
    };
    let calls_one =
        |terms: &Terms, body: TermId| has_unbound_goal(terms, body) || names_one(terms, body);
    let in_clauses = predicates(db, file).iter().any(|p| {
        p.clauses(db).iter().any(|clause| {
            let mut bodies = clause.guard.into_iter().chain(clause.body);
            bodies.any(|body| calls_one(&clause.terms, body))
        })
    });
    in_clauses
        || (others(db, file).iter()).any(|(_, goal, terms)| calls_one(terms, *goal))
        || calls_variables(db, file)
}

/// Returns true if a clause of the file calls a variable, creates rules, or defines a goal expansion.
///
/// *Invalidated* by edits of clauses; the result usually stays equal.
#[salsa::tracked(returns(copy))]
pub(super) fn calls_variables(db: &dyn Db, file: SourceFile) -> bool {
    let has_rule = |terms: &Terms, body: TermId| {
        let mut all = terms.subterms(body).into_iter();
        all.any(|id| terms.matches(id, ":-", 2).is_some())
    };
    predicates(db, file).iter().any(|&p| {
        p.functor(db).name.ends_with("_expansion")
            || first_order(db, p).iter().any(|clause| {
                let mut bodies = clause.guard.into_iter().chain(clause.body);
                bodies.any(|body| {
                    has_unbound_goal(&clause.terms, body) || has_rule(&clause.terms, body)
                })
            })
    })
}

/// A text that some goal may convert into a term or a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ConvertedText {
    text: SmolStr,
    /// True for an argument of a goal that concatenates names: `atom_concat(bu, sy, P)`.
    is_part: bool,
    /// The place of the text.
    pub(super) at: GoalPlace,
}

impl ConvertedText {
    /// Returns true if a goal or a name built from the text may have the given name.
    pub(super) fn may_name(&self, name: &str) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        if self.is_part {
            let (text, name) = (self.text.to_lowercase(), name.to_lowercase());
            // The name may be built from the parts of a format: `format(atom(P), 'bu~w', [sy])`.
            let mut parts = (text.split('~').enumerate())
                .map(|(number, part)| part.get(usize::from(number > 0)..).unwrap_or_default())
                .filter(|part| !part.is_empty());
            let mut words = text.split(|c: char| !is_word(c));
            return parts.any(|part| name.starts_with(part) || name.ends_with(part))
                || words.any(|word| word == name);
        }
        let is_outside = |c: char| c.is_whitespace() || c == '.';
        let text = self.text.trim_matches(is_outside);
        let mut all = text.match_indices(name);
        text == name
            || all.any(|(at, _)| {
                !text[..at].ends_with(is_word) && text[at + name.len()..].starts_with('(')
            })
    }
}

/// Returns the texts in a file that its goals may convert into terms or names.
///
/// *Invalidated* by edits of clauses; the result usually stays equal.
#[salsa::tracked(returns(deref))]
pub(super) fn texts(db: &dyn Db, file: SourceFile) -> Vec<ConvertedText> {
    let source = &file.parsed(db).text;
    let mut makers = costlens_catalog::system_predicates()
        .iter()
        .filter(|p| p.text.is_some());
    if !makers.any(|p| source.contains(&format!("{}(", p.name))) {
        return Vec::new();
    }
    let mut found = Texts::default();
    for p in predicates(db, file) {
        for (number, clause) in p.clauses(db).iter().enumerate() {
            let at = |id: TermId| GoalPlace::Clause(p.functor(db).clone(), number, id);
            for &argument in clause.terms.args(clause.head) {
                found.add_whole(&clause.terms, argument, &at);
            }
            for body in clause.guard.into_iter().chain(clause.body) {
                found.add_body(db, file, &clause.terms, body, &at);
            }
        }
    }
    for (number, goal, terms) in others(db, file) {
        found.add_body(db, file, &terms, goal, &|id| GoalPlace::Read(number, id));
    }
    let whole = found.reads.then_some(found.whole);
    found.parts.extend(whole.into_iter().flatten());
    found.parts
}

#[derive(Default)]
struct Texts {
    /// Texts that are arguments of goals that build names.
    parts: Vec<ConvertedText>,
    /// All texts in the file.
    whole: Vec<ConvertedText>,
    /// True if a goal of the file parses terms from text.
    reads: bool,
}

impl Texts {
    fn add_body(
        &mut self,
        db: &dyn Db,
        file: SourceFile,
        terms: &Terms,
        body: TermId,
        at: &dyn Fn(TermId) -> GoalPlace,
    ) {
        for call in calls_in(db, file, terms, body) {
            let (name, arity) = (call.callee.name.as_str(), call.callee.arity);
            match text_use(name, arity) {
                Some(TextUse::Makes) => {}
                Some(TextUse::Reads) => {
                    self.reads = true;
                    continue;
                }
                None => continue,
            }
            for &argument in terms.args(call.goal) {
                let all = terms.subterms(argument).into_iter();
                let letters = word(terms, argument).map(|text| (argument, text));
                let texts = all.filter_map(|id| Some((id, text(terms, id)?.clone())));
                for (id, text) in texts.chain(letters) {
                    self.parts.push(ConvertedText {
                        text,
                        is_part: true,
                        at: at(id),
                    });
                }
            }
        }
        self.add_whole(terms, body, at);
    }

    fn add_whole(&mut self, terms: &Terms, of: TermId, at: &dyn Fn(TermId) -> GoalPlace) {
        for id in terms.subterms(of) {
            if let Some(text) = text(terms, id) {
                self.whole.push(ConvertedText {
                    text: text.clone(),
                    is_part: false,
                    at: at(id),
                });
            }
        }
    }
}

/// Returns the text of an atom or a string.
fn text(terms: &Terms, id: TermId) -> Option<&SmolStr> {
    match terms.get(id) {
        Term::Atom(text) | Term::String(text) => Some(text),
        _ => None,
    }
}

/// Returns the text of a list of character codes.
fn word(terms: &Terms, id: TermId) -> Option<SmolStr> {
    let (codes, rest) = terms.list(id);
    let is_list = !codes.is_empty() && terms.matches(rest, NIL, 0).is_some();
    is_list.then_some(())?;
    let letter = |&id: &TermId| match terms.get(id) {
        Term::Integer(code) => char::from_u32(u32::try_from(code).ok()?),
        _ => None,
    };
    let letters: Option<String> = codes.iter().map(letter).collect();
    letters.map(SmolStr::from)
}

/// The names of all terms in a file, in any module and any position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mentioned {
    functors: FxHashSet<Functor>,
    /// The names that are looked up with an unbound arity: `current_predicate(total/A)`.
    of_any_arity: FxHashSet<SmolStr>,
}

impl Mentioned {
    /// Returns true if the file contains a term or an indicator that may refer to a predicate.
    pub(crate) fn may_have(&self, functor: &Functor) -> bool {
        self.functors.contains(functor) || self.of_any_arity.contains(&functor.name)
    }
}

/// Returns the names of all terms of a file.
///
/// *Invalidated* by every edit of a clause; the result usually stays equal.
#[salsa::tracked(returns(ref))]
pub(crate) fn mentioned(db: &dyn Db, file: SourceFile) -> Mentioned {
    let mut found = Mentioned::default();
    for clause in &terms(db, file).clauses {
        let terms = &clause.terms;
        for id in terms.ids() {
            let Some((name, arity)) = terms.functor(id) else {
                continue;
            };
            match indicated(terms, id) {
                Some((Some(name), Some(arity))) => {
                    found.functors.insert(Functor::new(name.clone(), arity));
                }
                Some((Some(name), None)) => {
                    found.of_any_arity.insert(name.clone());
                }
                _ if arity > 0 && name != CONS => {
                    found.functors.insert(Functor::new(name.clone(), arity));
                }
                _ => {}
            }
        }
    }
    found
}

/// A goal whose answers reveal the clauses of a predicate or its recursion depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reflection {
    /// The inspected predicate.
    pub(super) target: InspectedPredicates,
    /// The goal.
    pub(super) at: GoalPlace,
    /// True if the goal also reveals the calls made by the inspected predicate.
    pub(super) is_deep: bool,
}

/// The predicates that a reflective goal may inspect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InspectedPredicates {
    /// Any predicate: the target is known only at run time.
    Any,
    /// Every predicate with this name.
    Named(SmolStr),
    /// One predicate.
    Of(Functor),
}

impl InspectedPredicates {
    /// Returns true if the target may be the given predicate.
    pub(super) fn may_be(&self, functor: &Functor) -> bool {
        match self {
            InspectedPredicates::Any => true,
            InspectedPredicates::Named(name) => *name == functor.name,
            InspectedPredicates::Of(of) => of == functor,
        }
    }
}

/// Predicate properties that depend on the clauses.
const OF_CLAUSES: [&str; 5] = [
    "number_of_clauses",
    "number_of_rules",
    "last_modified_generation",
    "size",
    "indexed",
];

/// Returns the goals of a file that inspect clauses.
///
/// *Invalidated* by edits of clauses; the result usually stays equal.
#[salsa::tracked(returns(deref))]
pub(super) fn reflections(db: &dyn Db, file: SourceFile) -> Vec<Reflection> {
    let mut found = Vec::new();
    let mut add = |terms: &Terms, body: TermId, at: &dyn Fn(TermId) -> GoalPlace| {
        for call in calls_in(db, file, terms, body) {
            let Some(shown) = shows(&call.callee.name, call.callee.arity) else {
                continue;
            };
            let args = terms.args(call.goal);
            if call.callee.name == "predicate_property"
                && let Some(&property) = args.get(1)
                && let Some((name, _)) = terms.functor(property)
                && !OF_CLAUSES.contains(&name.as_str())
            {
                continue;
            }
            found.push(Reflection {
                target: (args.first()).map_or(InspectedPredicates::Any, |&of| target(terms, of)),
                at: at(call.goal),
                is_deep: shown == Shown::Calls,
            });
        }
    };
    for p in predicates(db, file) {
        for (number, clause) in p.clauses(db).iter().enumerate() {
            for body in clause.guard.into_iter().chain(clause.body) {
                let at = |id: TermId| GoalPlace::Clause(p.functor(db).clone(), number, id);
                add(&clause.terms, body, &at);
            }
        }
    }
    for (number, goal, terms) in others(db, file) {
        add(&terms, goal, &|id| GoalPlace::Read(number, id));
    }
    found
}

fn target(terms: &Terms, mut id: TermId) -> InspectedPredicates {
    while let Some(&[_, inner]) = terms.matches(id, ":", 2) {
        id = inner;
    }
    if let Some(&[name, arity]) = terms.matches(id, "/", 2) {
        return match (terms.as_atom(name), terms.get(arity)) {
            (Some(name), Term::Integer(arity)) => match usize::try_from(arity) {
                Ok(arity) => InspectedPredicates::Of(Functor::new(name.clone(), arity)),
                Err(_) => InspectedPredicates::Named(name.clone()),
            },
            (Some(name), _) => InspectedPredicates::Named(name.clone()),
            (None, _) => InspectedPredicates::Any,
        };
    }
    match terms.functor(id) {
        Some((name, 0)) => InspectedPredicates::Named(name.clone()),
        Some((name, arity)) if name != CONS => {
            InspectedPredicates::Of(Functor::new(name.clone(), arity))
        }
        _ => InspectedPredicates::Any,
    }
}
