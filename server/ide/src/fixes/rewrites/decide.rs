//! `decide-once`: merges two clauses that begin with complementary tests.
//!
//! ```text
//! small([X|Xs], K, [X|Ys]) :- X =< K, small(Xs, K, Ys).          small([X|Xs], K, R) :-
//! small([X|Xs], K, Ys) :- X > K, small(Xs, K, Ys).          →        (   X =< K
//!                                                                    ->  R = [X|Ys], small(Xs, K, Ys)
//!                                                                    ;   small(Xs, K, R)
//!                                                                    ).
//! ```
//!
//! In the original, a choice point for the second clause remains while the first clause runs, and the second clause tests again. The
//! clauses are merged in the same way as for `compute-once`.

use crate::fixes::proposal::Proposal;
use crate::fixes::rewrites::merge::merged;
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    // Large tables of clauses are not inspected.
    if site.clauses.len() > 32 {
        return Vec::new();
    }
    (1..site.clauses.len())
        .filter_map(|second| merged(site, second - 1, true))
        .collect()
}
