//! `costlens`: the language server and the command line, both thin.

mod cli;
mod lines;
mod lsp;

fn main() -> std::process::ExitCode {
    cli::run()
}
