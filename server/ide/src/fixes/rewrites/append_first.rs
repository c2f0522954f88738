//! `append-from-the-right`: three lists are joined without walking twice through the first one.
//!
//! ```text
//! append(Xs, Ys, Front), append(Front, Zs, All)   →   append(Ys, Zs, Front), append(Xs, Front, All)
//! ```
//!
//! With two proper lists in front each goal has one solution, whatever the third list is. Goals that stand between do not know what is joined first; the first join is
//! made behind them, then.

use costlens_syntax::term::TermId;

use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::{Known, Recognised};
use crate::fixes::goals::{rows, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

/// The second join is looked for among so many goals behind the first.
const FARTHEST: usize = 100;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let mut found = Vec::new();
    for (number, clause) in site.rules() {
        for row in rows(clause) {
            for (i, &first) in row.goals.iter().enumerate() {
                let append = site.recognised(number, first);
                let Some(append) = append.filter(|of| of.known == Known::Append) else {
                    continue;
                };
                let mut behind = row.goals[i + 1..].iter().take(FARTHEST);
                found.extend(behind.find_map(|&second| {
                    let are_neighbours = row.goals.get(i + 1) == Some(&second);
                    joined(site, number, &append, (first, second), are_neighbours)
                }));
            }
        }
    }
    found
}

fn joined(
    site: &Site<'_>,
    clause: usize,
    append: &Recognised,
    (first, second): (TermId, TermId),
    are_neighbours: bool,
) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    (terms.functor(first) == terms.functor(second)).then_some(())?;
    let (arguments, others) = (
        append.arguments(terms, first),
        append.arguments(terms, second),
    );
    let (&[xs, ys, front], &[again, zs, all]) = (&arguments[..], &others[..]) else {
        return None;
    };
    let between = variable(terms, front)?;
    if variable(terms, again)? != between || site.occurrences(clause, between) != 2 {
        return None;
    }
    let text = |id| site.argument(clause, id);
    let edits = match are_neighbours {
        true => vec![
            site.replace(clause, xs, text(ys)?)?,
            site.replace(clause, ys, text(zs)?)?,
            site.replace(clause, again, text(xs)?)?,
            site.replace(clause, zs, text(front)?)?,
        ],
        false => {
            let (xs, ys, zs) = (text(xs)?, text(ys)?, text(zs)?);
            let (front, all) = (text(front)?, text(all)?);
            let join = |of: [&str; 3]| site.with_arguments((clause, second), append, &of);
            let text = [join([&ys, &zs, &front])?, join([&xs, &front, &all])?].join(", ");
            let mut edits = site.take_out(clause, &|g| g == first)?;
            edits.push(site.replace(clause, second, text)?);
            edits
        }
    };
    let list = |term| Condition::before(clause, first, term, Shape::List);
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Join the lists from the right",
        short_runs: ShortRuns::Open,
        edits,
        needs: vec![list(xs), list(ys)],
    })
}
