//! Goals that `library(clpfd)` expands: comparisons of integers become arithmetic if their variables are integers at run time.
//!
//! ```prolog
//! :- use_module(library(clpfd)).
//! p(N) :- N #> 0, M #= N-1, p(M).
//! % p(N) :-
//! %     ( integer(N) -> N >= 0+1 ; clpfd:clpfd_geq(N, 1) ),
//! %     ( integer(N) -> M is N-1 ; clpfd:clpfd_equal(M, N-1) ),
//! %     p(M).
//! ```
//!
//! The analysed clauses contain these conditional goals instead of the written ones, and [`CONSTRAINS`], about which nothing is known,
//! where variables are constrained. A predicate with an unsupported constraint goal is reported as expanded. Costlens verifies that the
//! installed library has the supported rules (see [`rules`]), and that the preconditions hold: the library is loaded before the first
//! clause, and no flag is set for it.

mod compile;
mod rules;

use std::sync::Arc;

use costlens_body::conjuncts;
use costlens_syntax::term::{Term, TermId, Terms};
use smol_str::SmolStr;

use self::compile::compiled;
use super::{expanded_in, touched};
use crate::calls::callees;
use crate::definitions::{Predicate, all_clauses, find_written, gathered};
use crate::directives::{Imports, Load, LoadKind, loads};
use crate::language::{Clause, Functor, directive, split_name};
use crate::loading::loaded_with;
use crate::names::{Reach, reach_written};
use crate::workspace::{Db, Role, SourceFile, installed_as, terms};

/// The library's name.
pub(super) const LIBRARY: &str = "clp/clpfd";

/// The description of the library's hook.
pub(super) static HOOK: SmolStr = SmolStr::new_static("`goal_expansion/2` of `library(clp/clpfd)`");

/// A goal that puts constraints on the variables in its arguments.
pub const CONSTRAINS: &str = "$constrains";

/// The goals that the library expands, all with two arguments (`clpfd_expandable/1`).
pub(super) const GOALS: [&str; 6] = ["in", "#=", "#>=", "#=<", "#>", "#<"];

/// Predicates in the expansion, which other hooks may expand again.
const GENERATED: [(&str, usize); 8] = [
    ("integer", 1),
    ("var", 1),
    ("is", 2),
    ("=:=", 2),
    ("=\\=", 2),
    (">=", 2),
    ("=", 2),
    ("between", 3),
];

/// Flags that change the expansion.
const FLAGS: [&str; 2] = ["clpfd_goal_expansion", "clpfd_monotonic"];

/// Returns whether calls to a predicate are expanded.
pub(crate) fn is_about(functor: &Functor) -> bool {
    let plain = split_name(&functor.name).map_or(&*functor.name, |(_, name)| name);
    functor.arity == 2 && GOALS.contains(&plain)
}

/// Returns whether an installed file is the supported version of the library.
pub(super) fn is_followed(db: &dyn Db, file: SourceFile) -> bool {
    installed_as(db, file) == Some(LIBRARY) && *rules::are_known(db, file)
}

/// Returns the clauses of a predicate after the library's expansion. Returns `None` if the expansion changes nothing, or is not supported.
pub(crate) fn clauses<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<Arc<[Clause]>> {
    is_concerned(db, predicate)
        .then(|| followed(db, predicate))
        .flatten()
}

/// Returns the description of the hook if it may expand goals or closures in a predicate's clauses in an unsupported way.
pub(super) fn expanded<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<&'db SmolStr> {
    let is_touched = is_concerned(db, predicate) && clauses(db, predicate).is_none();
    is_touched.then_some(&HOOK)
}

/// Returns whether all of the library's expansions in a predicate's clauses are supported.
pub(super) fn is_followed_in<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> bool {
    clauses(db, predicate).is_some()
}

/// Returns the predicates that a clause calls after the expansion and that other hooks may expand again.
pub(super) fn called_after_expansion(called: &[Functor]) -> Vec<Functor> {
    let generated = GENERATED.iter().map(|&(n, a)| Functor::new(n, a));
    let others = called.iter().filter(|c| !is_about(c)).cloned();
    others.chain(generated).collect()
}

pub(super) fn is_concerned<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> bool {
    let file = predicate.file(db);
    file.role(db) != Role::Library
        && touched(db, file).has_constraints
        && *mentions_any(db, predicate)
}

/// *Invalidated* when a clause of the predicate changes; the result is usually equal, so that callers are not recomputed.
#[salsa::tracked]
fn mentions_any<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> bool {
    all_clauses(db, predicate).iter().any(|c| mentions(c) > 0)
}

/// Returns the clauses after the expansion. Returns `None` if a goal is not supported.
///
/// *Invalidated* when a clause changes, or the predicates to which its names refer; the result is usually equal.
#[salsa::tracked(returns(clone))]
fn followed<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<Arc<[Clause]>> {
    let (file, functor) = (predicate.file(db), predicate.functor(db));
    let touched = touched(db, file);
    let is_its_own = |f: &Functor| touched.calls.get(f) == Some(&HOOK);
    let called: Vec<&Functor> = (callees(db, predicate).iter())
        .filter(|c| is_about(c))
        .collect();
    if !is_loaded_first(db, file)
        // Predicates made from lambda expressions and closures have no clauses at load time.
        || find_written(db, file, functor) != Some(predicate)
        || gathered(db, file, functor).is_some()
        || !called
            .iter()
            .all(|f| is_its_own(f) && is_the_librarys(db, file, f))
        || !has_built_ins(db, file)
    {
        return None;
    }
    if expanded_in(
        db,
        file,
        functor,
        &called_after_expansion(callees(db, predicate)),
    )
    .is_some()
    {
        return None;
    }
    (all_clauses(db, predicate).iter())
        .map(|clause| match mentions(clause) {
            0 => Some(clause.clone()),
            // The number of steps depends on whether the terminals of a grammar rule are matched in the head or after it.
            _ if clause.grammar_rule => None,
            n => compiled(clause, n),
        })
        .collect()
}

/// Returns the number of occurrences of expanded names in a clause, called or not: `maplist(#<(3), Xs)` is also expanded.
fn mentions(clause: &Clause) -> usize {
    let terms = &clause.terms;
    let parts = clause.guard.iter().chain(&clause.body);
    let is_name = |&id: &TermId| match terms.get(id) {
        Term::Atom(name) | Term::Compound(name, _) => GOALS.contains(&name.as_str()),
        _ => false,
    };
    parts
        .flat_map(|&part| terms.subterms(part))
        .filter(is_name)
        .count()
}

/// Returns whether a name is imported from the library by a directive, not by autoloading.
fn is_the_librarys(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    let Reach::Other(p) = reach_written(db, file, functor) else {
        return false;
    };
    let imports = |load: &Load| {
        matches!(&load.imports, Imports::All)
            || load
                .imports
                .there(functor)
                .is_some_and(|there| there == functor)
    };
    p.functor(db) == functor
        && installed_as(db, p.file(db)) == Some(LIBRARY)
        && (loads(db, file).loads.iter())
            .filter(|load| is_load_of_it(load))
            .all(imports)
}

fn is_load_of_it(load: &Load) -> bool {
    load.spec.alias.as_deref() == Some("library") && is_its_path(&load.spec.path)
}

fn is_its_path(path: &str) -> bool {
    path == "clpfd" || path == LIBRARY
}

/// Returns whether the unlocked predicates in the expansion refer to the built-ins.
fn has_built_ins(db: &dyn Db, file: SourceFile) -> bool {
    let between = Functor::new("between", 3);
    matches!(reach_written(db, file, &between), Reach::Nothing)
}

/// Returns whether directives before the first clause of a file certainly load the library, and no file sets a flag for it.
///
/// *Invalidated* by every edit; the result is usually equal.
#[salsa::tracked]
fn is_loaded_first(db: &dyn Db, file: SourceFile) -> bool {
    let sets_flag = |f: &SourceFile| {
        let text = &f.parsed(db).text;
        installed_as(db, *f) != Some(LIBRARY) && FLAGS.iter().any(|flag| text.contains(flag))
    };
    let is_certain =
        |load: &Load| !load.conditional && load.into.is_none() && load.kind != LoadKind::Autoload;
    let of_it: Vec<&Load> = (loads(db, file).loads.iter())
        .filter(|load| is_load_of_it(load))
        .collect();
    if of_it.is_empty() || !of_it.into_iter().all(is_certain) {
        return false;
    }
    let found = terms(db, file);
    let directives = (found.clauses.iter())
        .map_while(|read| Some((&*read.terms, directive(&read.terms, read.root)?)));
    let is_load = |(terms, goal): (&Terms, TermId)| {
        let mut goals = conjuncts(terms, goal).into_iter();
        goals.any(|goal| loads_it(terms, goal))
    };
    let is_first = { directives }.any(is_load);
    is_first && !loaded_with(db, file).iter().any(sets_flag)
}

/// Returns true for `use_module(library(clpfd))`, with or without an import list.
fn loads_it(terms: &Terms, goal: TermId) -> bool {
    let spec = match (terms.functor(goal), terms.args(goal)) {
        (Some((name, _)), &[spec] | &[spec, _]) if name == "use_module" => spec,
        _ => return false,
    };
    let path = match terms.matches(spec, "library", 1) {
        Some(&[path]) => path,
        _ => return false,
    };
    let in_folder = terms.matches(path, "/", 2).is_some_and(|parts| {
        let names = parts
            .iter()
            .map(|&part| terms.as_atom(part).map(SmolStr::as_str));
        names.eq([Some("clp"), Some("clpfd")])
    });
    in_folder || terms.as_atom(path).is_some_and(|name| is_its_path(name))
}
