//! Workspace files that no document loads: workers read them before the owner adds them.

pub(super) mod round;
pub(super) mod search;
pub(super) mod unread;
