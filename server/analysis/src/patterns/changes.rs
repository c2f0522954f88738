//! Changes of arguments between a head and its recursive calls: parts of the same term, counters, constants.

use costlens_syntax::term::{Term, TermId, Terms};

use super::variables::{Variables, variables};

/// The relation between an argument of a self-recursive call and the head argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ArgumentChange {
    /// A part of the head's argument.
    Descends,
    /// Computed from the head's argument.
    Counts,
    /// The result of another literal.
    Transformed,
    /// A variable without earlier occurrences: `nat(N) :- nat(M), N is M+1.`
    Fresh,
    /// A constant.
    Given,
    /// The head's argument, or a term that contains it.
    Stays,
}

/// Compares an argument of a recursive call with the head argument. `met` contains the variables of the preceding goals.
pub(super) fn change(
    terms: &Terms,
    of: TermId,
    to: TermId,
    head: &[TermId],
    computed: &[(u32, Variables)],
    met: &[u32],
) -> ArgumentChange {
    let before = variables(terms, of);
    let is_new = |m: &u32| !head.iter().any(|&a| variables(terms, a).contains(m));
    if let Term::Var(m) = terms.get(to)
        && is_new(m)
        && !met.contains(m)
    {
        return ArgumentChange::Fresh;
    }
    match (terms.get(of), terms.get(to)) {
        (Term::Compound(..), Term::Var(v)) if before.contains(v) => ArgumentChange::Descends,
        (Term::Var(n), Term::Var(m)) if n != m => match computed.iter().find(|(v, _)| v == m) {
            Some((_, from)) if from.contains(n) => ArgumentChange::Counts,
            _ if is_new(m) => ArgumentChange::Transformed,
            _ => ArgumentChange::Stays,
        },
        // `p([X,Y|T]) :- p([X|T])`
        (Term::Compound(..), Term::Compound(..)) if is_smaller(terms, to, of, &before) => {
            ArgumentChange::Descends
        }
        // `count(N-1)`
        (Term::Var(n), Term::Compound(name, _))
            if matches!(name.as_str(), "-" | "/" | "//" | ">>") && variables(terms, to) == [*n] =>
        {
            ArgumentChange::Counts
        }
        (_, Term::Var(m)) if is_new(m) => ArgumentChange::Transformed,
        // `search([S|Path], …) :- next(S, T), search([T,S|Path], …)`
        (_, Term::Compound(..))
            if variables(terms, to)
                .iter()
                .any(|m| is_new(m) && met.contains(m)) =>
        {
            ArgumentChange::Transformed
        }
        (_, Term::Atom(_) | Term::Integer(_)) => ArgumentChange::Given,
        _ => ArgumentChange::Stays,
    }
}

/// Returns whether the first term has fewer symbols than the second, and contains only variables of the second.
fn is_smaller(terms: &Terms, small: TermId, large: TermId, of_large: &[u32]) -> bool {
    let symbols = |t: TermId| terms.subterms(t).len();
    let known = |v: &u32| of_large.contains(v);
    symbols(small) < symbols(large)
        && !of_large.is_empty()
        && variables(terms, small).iter().all(known)
}
