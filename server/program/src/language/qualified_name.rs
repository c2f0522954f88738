//! Module-qualified names.
//!
//! ```prolog
//! p(Xs, N) :- tables:rows(Xs, N).            % rows/2 as it is visible in the module tables, exported or not
//! q(Xs, Ys) :- maplist(tables:row, Xs, Ys).
//! ```
//!
//! In the analysis, such a goal is a literal of the predicate *named* `tables:rows`, so that later phases need not know about modules:
//! [`crate::rewriting`] creates these names, and [`crate::names`] resolves them. Only plain names are combined in this way. An atom in the
//! text that looks the same (`'tables:rows'(Xs, N)`) would be mistaken for such a name; in a file with such an atom, no names are combined.

use smol_str::{SmolStr, format_smolstr};

use super::functor::Functor;

/// Combines `module:name` into one atom. Returns `None` if either is not a plain name.
#[must_use]
pub fn join(module: &str, name: &str) -> Option<SmolStr> {
    (is_plain(module) && is_plain(name)).then(|| format_smolstr!("{module}:{name}"))
}

/// Splits a combined name into the module and the predicate.
#[must_use]
pub fn split(functor: &Functor) -> Option<(&str, Functor)> {
    let (module, name) = split_name(&functor.name)?;
    Some((module, Functor::new(name, functor.arity)))
}

/// Returns whether a call uses a predicate's own name, with or without its module. Any other name comes from an import list, and SWI-Prolog
/// defines a clause for it.
///
/// ```prolog
/// :- use_module(m1, [p/1 as q]).   % q(X) :- m1:p(X)
/// ```
#[must_use]
pub fn is_own_name(called: &Functor, predicate: &Functor) -> bool {
    let plain = |name: &Functor| split(name).map_or_else(|| name.clone(), |(_, plain)| plain);
    called == predicate || plain(called) == plain(predicate)
}

/// Splits a combined name into the module and the plain name.
pub(crate) fn split_name(name: &str) -> Option<(&str, &str)> {
    let (module, name) = name.split_once(':')?;
    (is_plain(module) && is_plain(name)).then_some((module, name))
}

/// Returns true for atoms without quotes, such as `rows`, and also for names such as `'$rows'`.
fn is_plain(name: &str) -> bool {
    let mut characters = name.chars();
    characters
        .next()
        .is_some_and(|c| c.is_lowercase() || c == '$')
        && characters.all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}
