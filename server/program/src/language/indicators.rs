//! Predicate indicators in directives: `p/1, q//2`, `m:[p/1, q/2]`.

use costlens_syntax::term::{CONS, TermId, Terms};
use smol_str::SmolStr;

use super::functor::Functor;

/// Returns the functors denoted by `p/1, q//2` or `[p/1, m:q/2]`; for `p(_,_)`, as in `:- table p(_,min)`, the functor of the head.
pub(crate) fn indicators(terms: &Terms, id: TermId) -> Vec<Functor> {
    let all = indicators_in(terms, id).into_iter();
    all.map(|(_, functor)| functor).collect()
}

/// Returns the functors denoted by indicators, each with its module qualifier: `m:p/1`, `m:[p/1, q/2]`.
pub(crate) fn indicators_in(terms: &Terms, id: TermId) -> Vec<(Option<SmolStr>, Functor)> {
    let (mut found, mut stack) = (Vec::new(), vec![(id, None::<SmolStr>)]);
    while let Some((top, module)) = stack.pop() {
        let Some((name, arity)) = terms.functor(top) else {
            continue;
        };
        let args = terms.args(top);
        match (name.as_str(), args) {
            ("," | CONS, &[left, right]) => stack.extend([(right, module.clone()), (left, module)]),
            // `m:p/1`
            (":", &[of, inner]) => stack.push((inner, terms.as_atom(of).cloned().or(module))),
            // `p/1 as incremental`
            ("as", &[inner, _]) => stack.push((inner, module)),
            ("/" | "//", &[n, a]) => {
                let hidden = if name == "//" { 2 } else { 0 };
                if let (Some(n), Some(a)) = (terms.as_atom(n), small_integer(terms, a)) {
                    found.push((module, Functor::new(n.clone(), a + hidden)));
                }
            }
            ("op", [_, _, _]) | ("[]", []) => {}
            _ => found.push((module, Functor::new(name.clone(), arity))),
        }
    }
    found
}

pub(super) fn small_integer(terms: &Terms, id: TermId) -> Option<usize> {
    match terms.get(id) {
        costlens_syntax::term::Term::Integer(n) => usize::try_from(n).ok().filter(|&n| n < 1024),
        _ => None,
    }
}
