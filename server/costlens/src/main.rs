//! `costlens`: the language server and the command line, both thin.
fn main() {}
