//! The experiments of hybrid prediction (Figs. 1 to 9), and intervals where nothing is proved. They take minutes: `cargo bench -p costlens
//! --bench predictions`, with `UPDATE_EXPECT=1` for the pictures of `docs/images`. An argument selects one: `counts`, `times` or `intervals`.
//! Their output is the tables of `docs/prediction.md`.
// The tests use the rest of `subject`.
#![allow(dead_code)]
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod counts;
mod goals;
mod intervals;
mod picture;
mod subject;
mod times;
mod unknown;

fn main() {
    let experiments: [(&str, fn()); 3] = [
        ("counts", counts::run),
        ("times", times::run),
        ("intervals", intervals::run),
    ];
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    for (name, experiment) in experiments {
        if asked.is_empty() || asked.iter().any(|a| a == name) {
            experiment();
        }
    }
}

/// Writes a picture, if requested.
fn draw(name: &str, charts: &[picture::Chart]) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images");
        std::fs::write(folder.join(name), picture::svg(charts)).unwrap();
    }
}

/// Prints a row of a table in Markdown.
fn row(cells: &[String]) {
    println!("| {} |", cells.join(" | "));
}

/// Prints the head of such a table: text left-aligned, numbers right-aligned.
fn head(cells: &[&str]) {
    row(&cells.iter().map(|c| (*c).to_owned()).collect::<Vec<_>>());
    let rules = cells.iter().enumerate();
    let rules = rules.map(|(at, _)| if at == 0 { "---" } else { "--:" });
    println!("|{}|", rules.collect::<Vec<_>>().join("|"));
}

/// Formats a share in per cent, with one decimal.
fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}
