//! Files of the workspace that no document loads: read by a worker before the owner takes them in.

pub(super) mod round;
pub(super) mod search;
pub(super) mod unread;
