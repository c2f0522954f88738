//! Predicates next to which `cost ?` says nothing: facts, and clauses of hooks.

use costlens_catalog::system_hooks;
use costlens_program::Predicate;
use costlens_program::directives::facts;
use costlens_program::language::{Functor, is_expansion_hook, split};

use crate::db::Db;

/// Returns whether a predicate consists of facts, or is a hook, which other files call.
///
/// ```prolog
/// :- dynamic colour/2.
/// colour(sky, blue).
/// user:portray(T) :- short(T, S), write(S).
/// ```
pub(super) fn is_data(db: &dyn Db, predicate: Predicate<'_>) -> bool {
    let functor = predicate.functor(db);
    let has_rules = predicate.clauses(db).iter().any(|c| c.body.is_some());
    // `:- multifile portray/1.`
    let is_multifile = || facts(db, predicate.file(db)).multifile.contains(functor);
    !has_rules
        || split(functor).is_some()
        || is_expansion_hook(functor)
        || is_system_hook(functor) && is_multifile()
}

fn is_system_hook(functor: &Functor) -> bool {
    let mut hooks = system_hooks().map(|hook| Functor::new(hook.name, hook.arity));
    hooks.any(|hook| hook == *functor)
}
