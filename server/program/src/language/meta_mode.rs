//! The argument modes in `:- meta_predicate`, and the closures that they declare.

use costlens_catalog::MetaArgument;
use costlens_syntax::term::{CONS, TermId, Terms};
use smol_str::SmolStr;

use super::functor::Functor;
use super::indicators::small_integer;

/// The mode of an argument in `:- meta_predicate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetaMode {
    /// `0` to `9`: the argument is called with this many additional arguments; `^` is a goal with quantified variables; `//` is a grammar
    /// body, called with two additional arguments.
    Called(usize),
    /// `:`: the argument is passed with the caller's module.
    Qualified,
    /// `+`, `-`, `?`, `*`: an ordinary argument.
    Plain,
}

impl MetaMode {
    /// Returns whether the argument is resolved in the caller's module.
    #[must_use]
    pub fn is_in_callers_module(self) -> bool {
        self != MetaMode::Plain
    }
}

/// Returns the heads in `:- meta_predicate each(1, ?), m:both(0, 0)`.
pub(crate) fn meta_modes(terms: &Terms, id: TermId) -> Vec<(Functor, Box<[MetaMode]>)> {
    let (mut found, mut stack) = (Vec::new(), vec![id]);
    while let Some(top) = stack.pop() {
        let Some((name, arity)) = terms.functor(top) else {
            continue;
        };
        match (name.as_str(), terms.args(top)) {
            ("," | CONS, &[left, right]) => stack.extend([right, left]),
            (":", &[_, inner]) => stack.push(inner),
            (_, arguments) => {
                let modes = arguments.iter().map(|&a| meta_mode(terms, a)).collect();
                found.push((Functor::new(name.clone(), arity), modes));
            }
        }
    }
    found
}

fn meta_mode(terms: &Terms, id: TermId) -> MetaMode {
    match terms.as_atom(id).map(SmolStr::as_str) {
        Some(":") => MetaMode::Qualified,
        Some("^") => MetaMode::Called(0),
        Some("//") => MetaMode::Called(2),
        _ => match small_integer(terms, id) {
            Some(added) if added < 10 => MetaMode::Called(added),
            _ => MetaMode::Plain,
        },
    }
}

/// Returns the indices of the arguments that are called.
pub(crate) fn closures(modes: &[MetaMode]) -> Vec<MetaArgument> {
    let closure = |(argument, mode): (usize, &MetaMode)| match *mode {
        MetaMode::Called(added) => Some(MetaArgument { argument, added }),
        MetaMode::Qualified | MetaMode::Plain => None,
    };
    modes.iter().enumerate().filter_map(closure).collect()
}
