//! Prints the detected dialect of each file: `cargo run --example dialect -- FILE…`.
#![expect(clippy::print_stdout, reason = "an example prints")]

fn main() -> std::io::Result<()> {
    for file in std::env::args().skip(1) {
        let text = String::from_utf8_lossy(&std::fs::read(&file)?).into_owned();
        let parsed = costlens_syntax::Parsed::new(text);
        let read = costlens_syntax::read(&parsed, &costlens_syntax::ReadOptions::default());
        let errors = read.clauses.iter().filter(|c| c.error.is_some()).count();
        println!(
            "{file}: {}, {} clauses, {errors} that cannot be read",
            parsed.dialect().name(),
            read.clauses.len()
        );
    }
    Ok(())
}
