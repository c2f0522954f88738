//! `difference-list`: builds the lists of a term's parts in front of each other instead of joining them.
//!
//! ```text
//! flat(l, []).                                       flat(T, Xs) :- flat(T, Xs, []).
//! flat(t(L, X, R), F) :-                       →
//!     flat(L, A), flat(R, B),                        flat(l, Rest, Rest).
//!     append(A, [X|B], F).                           flat(t(L, X, R), A, Rest) :- flat(L, A, [X|B]), flat(R, B, Rest).
//! ```
//!
//! `flat(T, Xs, Rest)` means that `Xs` is the list of `T` followed by `Rest`. The module [lists](super::lists) explains why the results are
//! the same.

use super::lists::{self, ListProgram};
use crate::fixes::proposal::Proposal;
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    lists::propose(site, ListProgram::Joined)
}
