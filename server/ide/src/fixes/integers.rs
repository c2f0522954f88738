//! Proves by induction on the clauses that results are integers. A result may be an integer literal, the result of a recursive call, or a
//! sum, difference or product of such results.
//!
//! ```text
//! depth(e, 0).
//! depth(n(L, R), D) :- depth(L, A), depth(R, B), A >= B, D is A+1.
//! ```

use costlens_syntax::term::{Term, TermId};

use super::goals::{computed, integers_of, variable};
use super::site::Site;
use super::ways::{ClausePath, all_ways, are_all_calls};

/// Returns true if an argument is an integer in every solution of a predicate, for any call.
pub(super) fn gives_integers(site: &Site<'_>, argument: usize) -> bool {
    let Some(ways) = all_ways(site) else {
        return false;
    };
    (0..site.clauses.len()).all(|number| are_all_calls(site, number, &ways))
        && ways.iter().all(|way| {
            let terms = &way.clause.terms;
            let head = terms.args(way.clause.head).get(argument);
            head.is_some_and(|&id| is_integer(site, way, argument, id))
        })
}

/// Returns true for a term that is an integer at the end of a path, provided that recursive calls return integers.
fn is_integer(site: &Site<'_>, way: &ClausePath<'_>, argument: usize, id: TermId) -> bool {
    let terms = &way.clause.terms;
    let (mut waiting, mut seen) = (vec![id], Vec::new());
    while let Some(at) = waiting.pop() {
        let v = match terms.get(at) {
            Term::Integer(_) => continue,
            Term::Var(v) => *v,
            _ => return false,
        };
        // The definition of the variable is circular.
        if seen.contains(&v) {
            return false;
        }
        seen.push(v);
        let is_it = |id: TermId| variable(terms, id) == Some(v);
        let is_result = way.goals().any(|goal| {
            let own = terms.matches(goal, &site.functor.name, site.functor.arity);
            own.is_some_and(|args| is_it(args[argument]))
        });
        if is_result {
            continue;
        }
        let expression = way.goals().find_map(|goal| {
            let [left, right] = computed(terms, goal)?;
            is_it(left).then_some(right)
        });
        match (expression, way.value(v)) {
            (Some(expression), _) => match integers_of(terms, expression) {
                Some(all) => waiting.extend(all),
                None => return false,
            },
            (None, Some((_, value))) => waiting.push(value),
            (None, None) => return false,
        }
    }
    true
}

/// Returns true for a variable of a clause that some recursive call binds to an integer.
pub(super) fn is_given(site: &Site<'_>, number: usize, calls: &[TermId], id: TermId) -> bool {
    let terms = &site.clauses[number].terms;
    let Some(v) = variable(terms, id) else {
        return false;
    };
    calls.iter().any(|&call| {
        let own = terms.matches(call, &site.functor.name, site.functor.arity);
        let places = own.into_iter().flatten().enumerate();
        let mut of_it = places.filter(|(_, id)| variable(terms, **id) == Some(v));
        of_it.any(|(argument, _)| gives_integers(site, argument))
    })
}
