//! `costlens`: the language server and the command line, both thin.

mod cli;
mod encoding;
mod folders;
mod kin;
mod lines;
mod listing;
mod lsp;
mod needed;
mod place;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::run()
}
