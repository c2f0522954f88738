//! Proposals of rewrites.

use super::conditions::Condition;
use crate::file::Edit;

/// A proposal of a rule, before its conditions are proved and its gain is known.
pub(super) struct Proposal {
    /// The change in words.
    pub(super) what: &'static str,
    /// The edits, without overlap.
    pub(super) edits: Vec<Edit>,
    /// The conditions under which answers stay the same.
    pub(super) needs: Vec<Condition>,
    /// True where by its construction no run takes more than a step more: goals are left out, or stand for dearer ones.
    pub(super) never_dearer: bool,
}
