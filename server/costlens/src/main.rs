//! `costlens`: the language server and the command line, both thin.

mod calibration;
mod cli;
mod digest;
mod disk;
mod lines;
mod lsp;
mod prediction;
mod profiling;
mod report;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::run()
}
