//! `numbers-without-list`: integers are written into a list, and taken out of it one after the other.
//!
//! ```text
//! numlist(L, H, Ns), member(N, Ns)               →   between(L, H, N)
//! numlist(L, H, Ns), forall(member(N, Ns), p)    →   L =< H, forall(between(L, H, N), p)
//! ```
//!
//! Both give the same integers in the same order, and fail where there are none. `member/2` may be a copy with its clauses.

use costlens_body::conjuncts;
use costlens_program::Functor;
use costlens_syntax::term::{Term, TermId};

use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::{collected, rows, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let mut found = Vec::new();
    let known = |name| site.means_library(&Functor::new(name, 3));
    if !known("numlist") || !known("between") {
        return found;
    }
    for (number, clause) in site.rules() {
        let rows = rows(clause);
        for row in &rows {
            for pair in row.goals.windows(2) {
                if clause.terms.matches(pair[0], "numlist", 3).is_none() {
                    continue;
                }
                let inside = |goal: TermId| clause.terms.subterms(pair[1]).contains(&goal);
                // A generator is the first goal of its row.
                let firsts = rows.iter().filter_map(|row| row.goals.first().copied());
                let mut generators = firsts.filter(|&goal| inside(goal) || goal == pair[1]);
                let direct = std::iter::once(pair[1]);
                found.extend(
                    direct
                        .chain(generators.by_ref())
                        .find_map(|goal| enumerated(site, number, pair, goal)),
                );
            }
        }
    }
    found
}

/// The variant in which `member` becomes `between/3`, where it takes the elements of the list that the first goal of a pair makes.
fn enumerated(site: &Site<'_>, clause: usize, pair: &[TermId], member: TermId) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let (&[low, high, numbers], &[element, list]) = (terms.args(pair[0]), terms.args(member))
    else {
        return None;
    };
    let (v, x) = (variable(terms, numbers)?, variable(terms, element)?);
    if variable(terms, list)? != v
        || site.occurrences(clause, v) != 2
        || x == v
        || site.known_goal(clause, member)? != Known::Member
    {
        return None;
    }
    let (from, to) = (site.source(clause, low)?, site.source(clause, high)?);
    let mut needs = Vec::new();
    if !is_new(site, clause, x, (pair[1], member)) {
        needs.extend(Condition::unbound(site, clause, member, element));
    }
    for bound in [low, high] {
        match terms.get(bound) {
            Term::Integer(_) => {}
            Term::Var(_) => needs.push(Condition::before(clause, pair[0], bound, Shape::Integer)),
            _ => return None,
        }
    }
    let text = format!("between({from}, {to}, {})", site.source(clause, element)?);
    let first = match member == pair[1] {
        true => site.remove(clause, pair[0], pair[1])?,
        // Where there are no numbers, the whole row fails.
        false => site.replace(clause, pair[0], format!("{from} =< {to}"))?,
    };
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Enumerate the numbers without a list",
        short_runs: ShortRuns::NotDearer,
        edits: vec![first, site.replace(clause, member, text)?],
        needs,
    })
}

/// True for a variable that is new in a `findall/3` that begins with a goal.
fn is_new(site: &Site<'_>, clause: usize, variable: u32, (outer, goal): (TermId, TermId)) -> bool {
    let terms = &site.clauses[clause].terms;
    let begins = || {
        let [_, inner, _] = collected(terms, outer)?;
        Some(conjuncts(terms, inner).first() == Some(&goal))
    };
    begins() == Some(true) && site.is_fresh(clause, variable, outer)
}
