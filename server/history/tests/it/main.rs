//! Tests of the file of past runs with two writers, killed writers, full disks, and foreign files.
#![allow(clippy::unwrap_used)]

mod kept;
mod killed;
mod support;
