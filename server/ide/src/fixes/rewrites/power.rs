//! `power`: computes a power with `^` instead of by repeated multiplication.
//!
//! ```text
//! pow(_, 0, 1).                                              pow(_, 0, 1).
//! pow(X, N, P) :- N > 0, M is N-1, pow(X, M, Q), P is Q*X.   →   pow(X, N, P) :- N > 0, P is X^N.
//! ```
//!
//! In every Prolog, `^` computes the same product for integers and a nonnegative exponent. Floats would be rounded differently. The clauses
//! may be branches, and the arguments may be in any order. For exponents of at least 1, only the recursive step runs.

use costlens_syntax::term::{TermId, Terms};
use num_bigint::BigInt;

use super::fibonacci::value_of;
use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::{Decrement, computed, decrement, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;
use crate::fixes::ways::{ClausePath, all_ways, entered, recursive_way};

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    if site.functor.arity != 3 || site.clauses.len() > 4 {
        return Vec::new();
    }
    let Some(ways) = all_ways(site) else {
        return Vec::new();
    };
    let orders = (0..3).flat_map(|base| (0..3).map(move |exponent| (base, exponent)));
    let mut roles = orders
        .filter(|(base, exponent)| base != exponent)
        .map(|(base, exponent)| Roles {
            base,
            exponent,
            result: 3 - base - exponent,
        });
    let found = roles.find_map(|roles| proposal(site, &ways, &roles));
    found.into_iter().collect()
}

/// The indices of the three arguments.
struct Roles {
    base: usize,
    exponent: usize,
    result: usize,
}

fn proposal(site: &Site<'_>, ways: &[ClausePath<'_>], roles: &Roles) -> Option<Proposal> {
    let way = recursive_way(site, ways)?;
    let goals = goals(site, way, roles)?;
    let is_never_negative = needs_sign(ways, way, roles, &goals)?;
    let head = way.clause.terms.args(way.clause.head);
    let text = |i: usize| site.source(way.number, head[i]);
    let place = &site.places[way.number];
    let (start, end) = (
        place.range(*goals.first()?)?.0,
        place.range(*goals.last()?)?.1,
    );
    let (p, x, n) = (
        text(roles.result)?,
        text(roles.base)?,
        text(roles.exponent)?,
    );
    let argument = |argument, is| Condition::Argument { argument, is };
    let never_negative = is_never_negative.then_some(Condition::NeverNegative {
        argument: roles.exponent,
    });
    let mut needs = vec![
        argument(roles.base, Shape::Integer),
        argument(roles.exponent, Shape::Integer),
        argument(roles.result, Shape::Unbound),
    ];
    needs.extend(never_negative);
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Compute the power with `^`",
        short_runs: ShortRuns::Open,
        edits: vec![Edit {
            range: start..end,
            text: format!("{p} is {x}^{n}"),
        }],
        needs,
    })
}

/// Returns the goals of the step after its tests: `M is N-1, pow(X, M, Q), P is Q*X`.
fn goals(site: &Site<'_>, way: &ClausePath<'_>, roles: &Roles) -> Option<Vec<TermId>> {
    let terms = &way.clause.terms;
    let in_order = |args: &[TermId]| -> Option<[u32; 3]> {
        let v = |i: usize| variable(terms, *args.get(i)?);
        Some([v(roles.base)?, v(roles.exponent)?, v(roles.result)?])
    };
    let [x, n, p] = in_order(terms.args(way.clause.head))?;
    let goals = way.behind_tests(n, 3)?;
    let [less, again, product] = goals[..] else {
        return None;
    };
    let Decrement {
        new: m,
        old: from,
        by,
        least,
    } = decrement(site, way.number, less)?;
    let [same, exponent, q] = in_order(terms.matches(again, &site.functor.name, 3)?)?;
    let mut distinct = [x, n, p, m, q];
    distinct.sort_unstable();
    let distinct = distinct.windows(2).all(|pair| pair[0] != pair[1]);
    let fits = distinct
        && [m, q].iter().all(|&v| site.is_fresh(way.number, v, less))
        && (from, by) == (n, 1)
        && least.is_none_or(|least| least <= 1)
        && (same, exponent) == (x, m)
        && is_product(terms, product, p, [q, x]);
    fits.then_some(goals)
}

/// Returns true if the exponent must not be negative. Returns `None` unless the step runs for exponents of at least 1, exactly one other
/// path runs for 0, and no other path runs for exponents of at least 1.
fn needs_sign(
    ways: &[ClausePath<'_>],
    step: &ClausePath<'_>,
    roles: &Roles,
    goals: &[TermId],
) -> Option<bool> {
    let all = entered(ways, roles.exponent, roles.result, goals, step)?;
    let (mut ends, mut is_never_negative) = (0, false);
    for (other, numbers) in ways.iter().zip(all) {
        if std::ptr::eq(other, step) {
            is_never_negative = !numbers.are_from(1);
            (numbers.at_least(0).are_from(1) && numbers.are_all_from(1)).then_some(())?;
            continue;
        }
        numbers.are_below(1).then_some(())?;
        if numbers.has(0) {
            let value = value_of(other, roles.exponent, roles.result, 0)?;
            // On this path, the base is arbitrary.
            let terms = &other.clause.terms;
            let base = variable(terms, terms.args(other.clause.head)[roles.base])?;
            (value == BigInt::from(1) && other.occurrences(base) == 1).then_some(())?;
            ends += 1;
        }
    }
    (ends == 1).then_some(is_never_negative)
}

/// Returns true for `P is Q*X` with its factors in either order.
fn is_product(terms: &Terms, goal: TermId, p: u32, factors: [u32; 2]) -> bool {
    let parts = || {
        let [result, product] = computed(terms, goal)?;
        let &[a, b] = terms.matches(product, "*", 2)? else {
            return None;
        };
        Some((
            variable(terms, result)?,
            [variable(terms, a)?, variable(terms, b)?],
        ))
    };
    parts().is_some_and(|(result, [a, b])| result == p && (factors == [a, b] || factors == [b, a]))
}
