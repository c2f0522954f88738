//! Files of the workspace that no document loads: what a worker reads of them, before the owner takes it in.

pub(super) mod round;
pub(super) mod search;
pub(super) mod unread;
