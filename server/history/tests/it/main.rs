//! The file of past runs under two writers, killed writers, full disks, and files that are none of ours.
#![allow(clippy::unwrap_used)]

mod kept;
mod killed;
mod support;
