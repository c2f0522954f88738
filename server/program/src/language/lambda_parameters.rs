//! Variables that are used only as parameters of lambda expressions.

use costlens_syntax::term::{Term, TermId, Terms};
use rustc_hash::FxHashSet;

/// Returns the variables that occur only in lambda expressions, and in each of these as a parameter. Every call works on a copy, so that an
/// `X` in one lambda expression is unrelated to an `X` in another:
///
/// ```prolog
/// doubled(Xs, Zs) :- include([X]>>(X > 0), Xs, Ys), maplist([X,Y]>>(Y is 2*X), Ys, Zs).     % X; but not Y, which may be a list
/// ```
pub(crate) fn only_parameters(
    terms: &Terms,
    roots: impl IntoIterator<Item = TermId>,
) -> FxHashSet<u32> {
    let (mut parameters, mut others) = (FxHashSet::default(), FxHashSet::default());
    let mut stack: Vec<TermId> = roots.into_iter().collect();
    while let Some(term) = stack.pop() {
        if let Term::Var(v) = terms.get(term) {
            others.insert(*v);
        }
        let is_lambda = (terms.functor(term)).is_some_and(|(name, n)| name == ">>" && n >= 2);
        if !is_lambda {
            stack.extend(terms.args(term));
            continue;
        }
        let head = terms.args(term)[0];
        let (free, list) = match terms.matches(head, "/", 2) {
            Some(&[free, list]) => (terms.variables_of(free), list),
            _ => (Vec::new(), head),
        };
        let own = terms.variables_of(list);
        for v in terms.variables_of(term) {
            let is_own = own.contains(&v) && !free.contains(&v);
            (if is_own { &mut parameters } else { &mut others }).insert(v);
        }
    }
    parameters.retain(|v| !others.contains(v));
    parameters
}
