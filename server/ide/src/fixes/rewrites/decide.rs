//! `decide-once`: two clauses begin with tests of which just one holds.
//!
//! ```text
//! small([X|Xs], K, [X|Ys]) :- X =< K, small(Xs, K, Ys).          small([X|Xs], K, R) :-
//! small([X|Xs], K, Ys) :- X > K, small(Xs, K, Ys).          →        (   X =< K
//!                                                                    ->  R = [X|Ys], small(Xs, K, Ys)
//!                                                                    ;   small(Xs, K, R)
//!                                                                    ).
//! ```
//!
//! The second clause waits behind a choice point while the first one runs, and tests again. The clauses are written in one as those of `compute-once` are.

use crate::fixes::proposal::Proposal;
use crate::fixes::rewrites::merge::merged;
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    // Of a table no clause is looked at.
    if site.clauses.len() > 32 {
        return Vec::new();
    }
    (1..site.clauses.len())
        .filter_map(|second| merged(site, second - 1, true))
        .collect()
}
