//! `power`: a power is computed by the function, not by a multiplication for each unit of its exponent.
//!
//! ```text
//! pow(_, 0, 1).                                              pow(_, 0, 1).
//! pow(X, N, P) :- N > 0, M is N-1, pow(X, M, Q), P is Q*X.   →   pow(X, N, P) :- N > 0, P is X^N.
//! ```
//!
//! Every Prolog computes the same product by `^`, for integers and an exponent that is not negative. Floats would be rounded otherwise.

use costlens_program::ClauseKind;
use costlens_syntax::term::{Term, TermId, Terms};

use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::{at_least, decrement, small, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let numbered = [(0, 1), (1, 0)].into_iter();
    numbered
        .filter_map(|(base, step)| proposal(site, base, step))
        .collect()
}

/// The places of the three arguments.
struct Roles {
    base: usize,
    exponent: usize,
    result: usize,
}

fn proposal(site: &Site<'_>, base: usize, step: usize) -> Option<Proposal> {
    if site.functor.arity != 3 || site.clauses.len() != 2 || site.has_comments(step) {
        return None;
    }
    let roles = roles(site, base)?;
    let clause = &site.clauses[step];
    if clause.kind != ClauseKind::Rule || clause.grammar_rule {
        return None;
    }
    let terms = &clause.terms;
    let head = terms.args(clause.head);
    let of = |args: &[TermId]| -> Option<[u32; 3]> {
        let v = |i: usize| variable(terms, *args.get(i)?);
        Some([v(roles.base)?, v(roles.exponent)?, v(roles.result)?])
    };
    let [x, n, p] = of(head)?;
    let goals = terms.chain(clause.body?, ",");
    let &[guard, less, again, product] = goals.as_slice() else {
        return None;
    };
    let (m, from, by) = decrement(terms, less)?;
    let [same, exponent, q] = of(terms.matches(again, &site.functor.name, 3)?)?;
    let mut all = [x, n, p, m, q];
    all.sort_unstable();
    let distinct = all.windows(2).all(|pair| pair[0] != pair[1]);
    let fits = at_least(terms, guard)? == (n, 1)
        && (from, by) == (n, 1)
        && (same, exponent) == (x, m)
        && is_product(terms, product, p, [q, x]);
    if !distinct || !fits {
        return None;
    }
    let text = |i: usize| site.source(step, head[i]);
    let place = &site.places[step];
    let (start, end) = (place.of(less)?.0, place.of(product)?.1);
    let (p, x, n) = (
        text(roles.result)?,
        text(roles.base)?,
        text(roles.exponent)?,
    );
    let argument = |argument, is| Condition::Argument { argument, is };
    Some(Proposal {
        beside: String::new(),
        what: "Let the function compute the power",
        short_runs: ShortRuns::Open,
        edits: vec![Edit {
            range: start..end,
            text: format!("{p} is {x}^{n}"),
        }],
        needs: vec![
            argument(roles.base, Shape::Integer),
            argument(roles.exponent, Shape::Integer),
            argument(roles.result, Shape::Unbound),
        ],
    })
}

/// The places of the arguments, from `pow(_, 0, 1).`
fn roles(site: &Site<'_>, base: usize) -> Option<Roles> {
    let clause = site.clauses.get(base)?;
    let args = clause.terms.args(clause.head);
    let place = |wanted: &dyn Fn(&Term) -> bool| {
        let mut found = (0..3).filter(|&i| wanted(clause.terms.get(args[i])));
        found.next().filter(|_| found.next().is_none())
    };
    let number = |k: i64| (0..3).find(|&i| small(&clause.terms, args[i]) == Some(k));
    (clause.kind == ClauseKind::Fact).then_some(())?;
    Some(Roles {
        base: place(&|t| matches!(t, Term::Var(_)))?,
        exponent: number(0)?,
        result: number(1)?,
    })
}

/// `P is Q*X`, in any order.
fn is_product(terms: &Terms, goal: TermId, p: u32, factors: [u32; 2]) -> bool {
    let parts = || {
        let &[result, product] = terms.matches(goal, "is", 2)? else {
            return None;
        };
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
