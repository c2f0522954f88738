//! The transport: frames of messages, standard input and output, and the guard around the service.

pub(super) mod frames;
pub(super) mod guard;
pub(super) mod stdio;
mod uris;
