//! The contributions of each file to multifile predicates: declarations and clauses, in its own module and for other modules
//! (`m:p(X) :- …`).

use std::sync::Arc;

use costlens_body::{Goal, build, conjuncts};
use costlens_syntax::term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::directives::{Conditions, Declared, Presence, facts, number_of_loads};
use crate::language::{
    Clause, Functor, UnitMark, directive, indicators_in, qualified_head, unit_mark,
};
use crate::loading::{home_module, is_home};
use crate::workspace::{Db, Role, SourceFile, Workspace, is_installed, terms};

/// A predicate in a module.
pub(crate) type ModulePredicate = (SmolStr, Functor);

/// A declaration or a clause of one predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Contribution {
    /// The number of loading directives before it in the file.
    pub(crate) after: usize,
    pub(crate) what: ContributionKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ContributionKind {
    /// `:- multifile`.
    Multifile,
    /// `:- dynamic` and similar directives.
    Open,
    /// A clause for another module in an unsupported form.
    Unread,
    Clause(ContributedClause),
}

/// A clause of a multifile predicate in one of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ContributedClause {
    /// The clause as written, without module qualifiers of its head.
    pub(crate) clause: Clause,
    /// True if the head is qualified with the predicate's module.
    pub(crate) is_qualified: bool,
    /// The module in which the clause's body runs, if it differs from the predicate's module.
    pub(crate) body_in: Option<SmolStr>,
    /// True if the clause depends on an undecided condition.
    pub(crate) is_conditional: bool,
    /// True if the clause is in a test unit, which is a separate module.
    pub(crate) in_unit: bool,
}

/// The contributions to each predicate, in the order of the file.
pub(crate) type Contributions = FxHashMap<ModulePredicate, Vec<Contribution>>;

/// Returns the predicates that a file declares to be multifile, by module.
fn declares(db: &dyn Db, file: SourceFile) -> Vec<ModulePredicate> {
    let facts = facts(db, file);
    let home = home_module(db, file).clone();
    let own = (facts.multifile.iter()).filter_map(|f| Some((home.clone()?, f.clone())));
    let elsewhere = facts.elsewhere.iter();
    let elsewhere = elsewhere.filter(|(declared, ..)| *declared == Declared::Multifile);
    own.chain(elsewhere.map(|(_, module, f)| (module.clone(), f.clone())))
        .collect()
}

/// Returns the predicates that some file declares to be multifile, each with whether a library declares it.
///
/// *Invalidated* when a `multifile` declaration, or a file, is added or removed.
#[salsa::tracked(returns(ref))]
pub(super) fn multifile(db: &dyn Db, workspace: Workspace) -> FxHashMap<ModulePredicate, bool> {
    let mut found: FxHashMap<ModulePredicate, bool> = FxHashMap::default();
    for &file in workspace.files(db).values() {
        for key in declares(db, file) {
            let is_library = is_installed(db, file);
            *found.entry(key).or_default() |= is_library;
        }
    }
    found
}

/// Returns the contributions of a file to the predicates of [`multifile`].
///
/// *Invalidated* by every edit; equal as long as neither declarations nor clauses of such predicates change.
#[salsa::tracked(returns(ref))]
pub(crate) fn contributions(db: &dyn Db, file: SourceFile) -> Contributions {
    let mut found = Contributions::default();
    let Some(workspace) = Workspace::try_get(db) else {
        return found;
    };
    let relevant = multifile(db, workspace);
    if relevant.is_empty() || file.role(db) == Role::Library {
        return found;
    }
    let home = home_module(db, file);
    let own = functors_of(relevant, home.as_ref());
    let is_own = |m: &str| is_home(db, file, m);
    let mut conditions = Conditions::for_file(db, file);
    let (mut after, mut in_unit) = (0, false);
    for read in &terms(db, file).clauses {
        let mut add = |key: ModulePredicate, what: ContributionKind| {
            found
                .entry(key)
                .or_default()
                .push(Contribution { after, what });
        };
        if let Some(goal) = directive(&read.terms, read.root) {
            conditions.read(read, goal);
            if conditions.presence() == Presence::Absent {
                continue;
            }
            // A declaration under a condition is uncertain.
            let certain = conditions.presence() == Presence::There;
            for (name, goal) in named(&read.terms, goal) {
                if let Some(mark) = unit_mark(&read.terms, goal) {
                    in_unit = mark == UnitMark::Begin;
                }
                let Some(what) = declaration(name, certain) else {
                    continue;
                };
                for key in named_keys(&read.terms, goal, home.as_ref()) {
                    if relevant.contains_key(&key) {
                        add(key, what.clone());
                    }
                }
            }
            after += number_of_loads(&read.terms, goal);
            continue;
        }
        if conditions.presence() == Presence::Absent {
            continue;
        }
        let part = |clause, is_qualified, body_in| {
            ContributionKind::Clause(ContributedClause {
                clause,
                is_qualified,
                body_in,
                is_conditional: conditions.presence() == Presence::Open,
                in_unit,
            })
        };
        if let Some(key) =
            qualified_head(&read.terms, read.root).filter(|(module, _)| !is_own(module))
        {
            if relevant.contains_key(&key) {
                let what = match of_other_module(&read.terms, read.root, &key.0) {
                    Some((clause, true)) => part(clause, true, None),
                    Some((clause, false)) if home.is_some() => part(clause, true, home.clone()),
                    _ => ContributionKind::Unread,
                };
                add(key, what);
            }
        } else if !own.is_empty()
            && let Some(home) = home
            && let Some((functor, clause)) = Clause::of_module(&read.terms, read.root, &is_own)
            && own.contains(&functor)
        {
            add((home.clone(), functor), part(clause, false, None));
        }
    }
    found
}

/// Returns the predicates in one module.
fn functors_of<'k>(
    keys: &'k FxHashMap<ModulePredicate, bool>,
    module: Option<&SmolStr>,
) -> FxHashSet<&'k Functor> {
    (keys.keys())
        .filter(|(of, _)| Some(of) == module)
        .map(|(_, functor)| functor)
        .collect()
}

/// Returns the predicates that a declaration names, each with its module; an unqualified predicate belongs to the file's module.
fn named_keys(terms: &Terms, goal: TermId, home: Option<&SmolStr>) -> Vec<ModulePredicate> {
    let first = terms.args(goal).first();
    let all = first.map_or_else(Vec::new, |&a| indicators_in(terms, a));
    (all.into_iter())
        .filter_map(|(module, functor)| Some((module.or_else(|| home.cloned())?, functor)))
        .collect()
}

/// Returns the contribution of a directive with this name. Returns `None` if the directive is uncertain or declares nothing.
fn declaration(name: &str, certain: bool) -> Option<ContributionKind> {
    match name {
        "multifile" => certain.then_some(ContributionKind::Multifile),
        "dynamic" | "thread_local" | "volatile" | "table" => Some(ContributionKind::Open),
        _ => None,
    }
}

/// Returns the goals of a directive with their names.
fn named(terms: &Terms, goal: TermId) -> Vec<(&str, TermId)> {
    let goals = conjuncts(terms, goal).into_iter();
    goals
        .filter_map(|g| Some((terms.functor(g)?.0.as_str(), g)))
        .collect()
}

/// Returns a clause that is qualified with another module, without the qualifier; and whether its body also runs in that module:
/// `m:(p :- q)`, but not `m:p :- q`.
fn of_other_module(terms: &Arc<Terms>, root: TermId, module: &str) -> Option<(Clause, bool)> {
    let is_it = |m: &str| m == module;
    let inside = |t: TermId| match terms.matches(t, ":", 2) {
        Some(&[m, inner]) if terms.as_atom(m).is_some_and(|m| is_it(m)) => Some(inner),
        _ => None,
    };
    if let Some(inner) = inside(root) {
        let (_, clause) = Clause::from_term(terms, inner)?;
        return Some((clause, true));
    }
    let Some(&[head, body]) = terms.matches(root, "-->", 2) else {
        let (_, clause) = Clause::of_module(terms, root, &is_it)?;
        return Some((clause, false));
    };
    let mut without = Terms::clone(terms);
    let head = match terms.matches(head, ",", 2) {
        Some(&[first, pushback]) => without.compound(",", &[inside(first)?, pushback]),
        _ => inside(head)?,
    };
    without.replace(root, "-->", &[head, body]);
    let (_, clause) = Clause::from_term(&Arc::new(without), root)?;
    Some((clause, false))
}

/// Returns a clause with its goals module-qualified in place. Cuts and control constructs are the same in all modules, and so are the tests that
/// select a clause.
pub(super) fn in_module(clause: &Clause, module: &str) -> Clause {
    let mut terms = Terms::clone(&clause.terms);
    let mut stack: Vec<TermId> = clause.guard.iter().chain(&clause.body).copied().collect();
    while let Some(goal) = stack.pop() {
        let lowered = Goal::lower(&terms, goal);
        let inside = lowered.operands();
        let is_same = match lowered {
            Goal::Cut | Goal::True | Goal::Fail | Goal::False | Goal::Unify(..) => true,
            // An explicit module takes precedence.
            Goal::Qualified { .. } | Goal::NotCallable | Goal::Unreadable => true,
            _ => lowered.is_leading_test() || !inside.is_empty(),
        };
        stack.extend(inside);
        if !is_same {
            let inner = terms.get(goal).clone();
            let inner = terms.push(inner);
            let of = terms.atom(module);
            build::put_qualified(&mut terms, goal, of, inner);
        }
    }
    Clause {
        terms: Arc::new(terms),
        ..clause.clone()
    }
}
