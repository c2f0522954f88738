//! `member-once`: a membership of which only the first solution matters.
//!
//! ```text
//! ( member(X, Xs) -> a ; b )     →   ( memberchk(X, Xs) -> a ; b )
//! member(X, Xs), !               →   memberchk(X, Xs), !
//! ```
//!
//! Of a proper list `memberchk(X, Xs)` is `once(member(X, Xs))`: as the last goal of a condition or negation, and before a cut, nothing else of it is seen. What
//! ends in no list is an error of `memberchk/2`, where `member/2` fails. `member/2` may be a copy with its clauses.

use costlens_body::Goal;
use costlens_program::Functor;

use crate::file::Edit;
use crate::fixes::conditions::Condition;
use crate::fixes::copies::Known;
use crate::fixes::goals::rows;
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let mut found = Vec::new();
    for (number, clause) in site.rules() {
        let terms = &clause.terms;
        for row in rows(clause) {
            for (i, &goal) in row.goals.iter().enumerate() {
                let is_last = match row.goals.get(i + 1) {
                    None => row.once,
                    Some(&next) => Goal::of(terms, next) == Goal::Cut,
                };
                if is_last && site.known_goal(number, goal) == Some(Known::Member) {
                    found.extend(renamed(site, number, goal));
                }
            }
        }
    }
    found
}

fn renamed(
    site: &Site<'_>,
    clause: usize,
    goal: costlens_syntax::term::TermId,
) -> Option<Proposal> {
    if !site.means_library(&Functor::new("memberchk", 2)) {
        return None;
    }
    let &[_, list] = site.clauses[clause].terms.args(goal) else {
        return None;
    };
    let (from, _) = site.places[clause].of(goal)?;
    let text = site.source(clause, goal)?;
    let name = text.find('(')?;
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Look for one element only",
        // It looks at the same elements, and leaves no choice point.
        short_runs: ShortRuns::NotDearer,
        edits: vec![Edit {
            range: from..from + name,
            text: "memberchk".to_owned(),
        }],
        needs: Condition::list(site, clause, goal, list)
            .into_iter()
            .collect(),
    })
}
