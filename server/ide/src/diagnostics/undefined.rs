//! Calls of undefined predicates.

use std::collections::BTreeMap;
use std::ops::Range;

use costlens_catalog::Home;
use costlens_program::directives::is_declaration;
use costlens_program::graph::{is_newer, why_undefined, why_unreached};
use costlens_program::language::directive;
use costlens_program::language::nonterminals::nonterminals;
use costlens_program::names::declared_in;
use costlens_program::workspace::{is_autoloaded, terms};
use costlens_program::{Functor, SourceFile, expanded_by, facts, find, resolve};
use rustc_hash::FxHashSet;

use super::{Diagnostic, Severity, rules};
use crate::db::Db;
use crate::navigate::names::{Name, NameRole, names};
use crate::present::{indicator, quoted};

/// Predicates that test whether a predicate exists. Clauses that use them call a predicate only if it exists.
const ASKING: [&str; 4] = [
    "current_predicate",
    "predicate_property",
    "catch",
    "catch_with_backtrace",
];

/// Reports calls of undefined predicates. Reports nothing if the library is unknown, if a file that may define the predicate was not found,
/// or if a directive may define further predicates.
pub(super) fn problems(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    if !brings_no_more(db, file) {
        return Vec::new();
    }
    let names = names(db, file);
    // A predicate that is declared, imported by name or asserted exists or will exist.
    let mentioned: FxHashSet<&Functor> = (names.iter())
        .filter(|name| matches!(name.role, NameRole::Declaration | NameRole::Update))
        .map(|name| &name.functor)
        .collect();
    let asking = asking(&names);
    let mut known: BTreeMap<&Functor, bool> = BTreeMap::new();
    let mut nonterminals_of: BTreeMap<&Functor, FxHashSet<Functor>> = BTreeMap::new();
    let mut found = Vec::new();
    for name in names.iter().filter(|name| name.role == NameRole::Call) {
        let is_undefined = *known.entry(&name.functor).or_insert_with(|| {
            is_undefined(db, file, &name.functor) && !mentioned.contains(&name.functor)
        });
        if is_undefined && !asking.contains(&name.clause) && !is_elsewhere(db, file, name) {
            let is_nonterminal = name.owner.as_ref().is_some_and(|owner| {
                let all = nonterminals_of.entry(owner);
                all.or_insert_with(|| called_as_nonterminals(db, file, owner))
                    .contains(&name.functor)
            });
            found.push(Diagnostic {
                range: name.range.clone(),
                severity: Severity::Warning,
                rule: &rules::UNDEFINED,
                message: message(&called_as(&name.functor, is_nonterminal)),
                related: Vec::new(),
            });
        }
    }
    found
}

/// Returns true if all directives are known. Unknown directives (`:- record point(x, y)`) and foreign code may define predicates.
fn brings_no_more(db: &dyn Db, file: SourceFile) -> bool {
    let is_known = |name: &str, arity: usize| {
        let home = costlens_catalog::find(name, arity).map(|p| p.home);
        let is_foreign = name.contains("foreign");
        home == Some(Home::System) && !is_foreign
            || matches!(name, "begin_tests" | "end_tests")
            || is_declaration(name, arity)
            || find(db, file, &Functor::new(name, arity)).is_some()
    };
    terms(db, file).clauses.iter().all(|read| {
        let goal = directive(&read.terms, read.root);
        let functor = goal.and_then(|goal| read.terms.functor(goal));
        functor.is_none_or(|(name, arity)| is_known(name, arity))
    })
}

fn message(name: &str) -> String {
    format!("`{name}` is defined nowhere: define it, or import it with `use_module/1`")
}

/// Returns the name of the callee: `words//1` for a goal in a grammar rule.
fn called_as(functor: &Functor, is_nonterminal: bool) -> String {
    match is_nonterminal {
        true => format!("{}//{}", quoted(&functor.name), functor.arity - 2),
        false => indicator(functor),
    }
}

/// Returns the predicates that the grammar rules of a predicate call as nonterminals.
fn called_as_nonterminals(db: &dyn Db, file: SourceFile, owner: &Functor) -> FxHashSet<Functor> {
    let clauses = find(db, file, owner).map(|owner| owner.clauses(db));
    let all = clauses.into_iter().flat_map(|all| all.iter());
    all.flat_map(nonterminals).collect()
}

fn is_undefined(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    if is_newer(db, file, functor) {
        return resolve(db, file, functor).is_none() && declared_in(db, file, functor).is_none();
    }
    is_autoloaded(db, functor) == Some(false)
        && !functor.name.contains(':')
        // Names that start with `$` belong to the system.
        && !functor.name.starts_with('$')
        && !costlens_catalog::is_measuring(&functor.name, functor.arity)
        && resolve(db, file, functor).is_none()
        && costlens_catalog::find(&functor.name, functor.arity).is_none()
        && declared_in(db, file, functor).is_none()
        && why_unreached(db, file, functor).is_none()
        && why_undefined(db, file, functor).is_none()
}

/// Returns the clauses that test whether a predicate exists.
fn asking(names: &[Name]) -> FxHashSet<Range<usize>> {
    let asks = names
        .iter()
        .filter(|name| ASKING.contains(&name.functor.name.as_str()));
    asks.map(|name| name.clause.clone()).collect()
}

/// Returns true if the goal may be changed before it runs, or if its meaning depends on the caller's module.
fn is_elsewhere(db: &dyn Db, file: SourceFile, name: &Name) -> bool {
    let owner = name.owner.as_ref().and_then(|owner| find(db, file, owner));
    owner.is_some_and(|owner| {
        expanded_by(db, owner).is_some() || facts(db, file).transparent.contains(owner.functor(db))
    })
}
