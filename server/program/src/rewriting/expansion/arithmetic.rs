//! Calls that `library(arithmetic)` changes: calls to `is/2` and to comparisons whose expressions contain functions defined by the program.
//!
//! ```prolog
//! :- arithmetic_function(mid/2).
//! p(A, B, M) :- M is mid(A, B)+1.     % mid(A, B, X), M is X+1
//! ```
//!
//! An expression with built-in functions only is never changed, since these are looked up first. A clause with an undeclared function
//! raises an error at load time, and is not added.

use std::collections::BTreeMap;

use costlens_body::conjuncts;
use costlens_catalog::{Relation, is_arithmetic_comparison, is_arithmetic_function, relation};
use costlens_syntax::term::{CONS, Term, TermId, Terms};
use smol_str::{SmolStr, format_smolstr};

use crate::definitions::Predicate;
use crate::directives::{Load, loads};
use crate::language::{Functor, calls, directive, indicators};
use crate::loading::loaded_with;
use crate::workspace::{Db, Role, SourceFile, installed_as, terms};

/// The library's name.
const LIBRARY: &str = "arithmetic";

/// Returns the reason why a predicate's clauses do not run as written, if library(arithmetic) is loaded: a function that is not built in.
pub(super) fn expanded<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<&'db SmolStr> {
    if predicate.file(db).role(db) == Role::Library || !is_loaded(db, predicate.file(db)) {
        return None;
    }
    by_function(db, predicate).as_ref()
}

/// Returns whether the library's hooks apply to a file. *Invalidated* when a directive changes, or a file is added or removed.
#[salsa::tracked(returns(copy))]
fn is_loaded(db: &dyn Db, file: SourceFile) -> bool {
    loaded_with(db, file).into_iter().any(|f| {
        let named = |l: &Load| l.spec.alias.as_deref() == Some("library") && l.spec.path == LIBRARY;
        installed_as(db, f) == Some(LIBRARY) || loads(db, f).loads.iter().any(named)
    })
}

/// *Invalidated* when a clause of the predicate changes, or a directive.
#[salsa::tracked(returns(ref))]
fn by_function<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<SmolStr> {
    let functions = predicate.clauses(db).iter().flat_map(|clause| {
        let parts = clause.guard.iter().chain(&clause.body);
        parts.filter_map(|&part| unknown_function(&clause.terms, part))
    });
    let function = functions.into_iter().next()?;
    let hook = format_smolstr!("`goal_expansion/2` of `library({LIBRARY})`");
    Some(match declared(db, predicate.file(db)).get(&function) {
        Some(path) => {
            format_smolstr!("{hook}, as `{path}` declares `arithmetic_function({function})`")
        }
        None => format_smolstr!("{hook}, which knows no function `{function}`"),
    })
}

/// Returns the first function in a body's expressions that is not a built-in.
fn unknown_function(terms: &Terms, body: TermId) -> Option<Functor> {
    calls(terms, body).into_iter().find_map(|call| {
        let (name, _) = terms.functor(call.goal)?;
        let arguments = terms.args(call.goal);
        let arity = call.callee.arity;
        let expressions = match relation(name, arity) {
            // The left side of `is/2` is not an expression.
            Some(Relation::Value) => arguments.get(1..).unwrap_or_default(),
            _ if is_arithmetic_comparison(name, arity) => arguments,
            _ => return None,
        };
        let mut stack: Vec<TermId> = expressions.iter().rev().copied().collect();
        while let Some(part) = stack.pop() {
            match (terms.get(part), terms.functor(part)) {
                (Term::Error, _) => return None,
                // `X is "a"` and `X is [A]` evaluate to character codes.
                (Term::String(_), _) | (_, None) => {}
                (_, Some((name, 2))) if name == CONS => {}
                (_, Some((name, arity))) => {
                    if !is_arithmetic_function(name, arity) {
                        return Some(Functor::new(name.clone(), arity));
                    }
                    match terms.args(part) {
                        // A rounding mode is not an expression.
                        &[inner, _] if name == "roundtoward" => stack.push(inner),
                        inner => stack.extend(inner.iter().rev()),
                    }
                }
            }
        }
        None
    })
}

/// Returns the functions declared by directives in files that are loaded together, each with its file. *Invalidated* by every edit; the
/// result is usually equal.
#[salsa::tracked(returns(ref))]
fn declared(db: &dyn Db, file: SourceFile) -> BTreeMap<Functor, SmolStr> {
    let mut found = BTreeMap::new();
    for f in loaded_with(db, file) {
        for read in &terms(db, f).clauses {
            let Some(goal) = directive(&read.terms, read.root) else {
                continue;
            };
            for goal in conjuncts(&read.terms, goal) {
                if let Some(&[of]) = read.terms.matches(goal, "arithmetic_function", 1) {
                    for function in indicators(&read.terms, of) {
                        found.entry(function).or_insert_with(|| f.path(db).into());
                    }
                }
            }
        }
    }
    found
}
