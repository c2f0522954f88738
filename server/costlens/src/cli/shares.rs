//! `costlens bounds --summary`: how many predicates have bounds.

use costlens_ide::shares::Shares;
use serde_json::{Value, json};

use super::output::aligned;

/// Kinds of causes that a person is told.
const MOST_CAUSES: usize = 10;

pub(super) fn as_text(shares: &Shares, files: usize) -> String {
    let all = shares.predicates;
    let row = |what: &str, n: usize| vec![what.to_owned(), n.to_string(), percent(n, all)];
    let mut rows = vec![
        row("bounded above", shares.upper),
        row("bounded below by more than 0", shares.lower),
        row("proved to run for ever", shares.diverges),
        row("out of fuel", shares.fuel),
    ];
    rows.retain(|row| row[1] != "0");
    let mut out = format!(
        "{}, {}\n{}",
        counted(files, "file", "files"),
        counted(all, "predicate", "predicates"),
        aligned(&rows, "  ")
    );
    if !shares.causes.is_empty() {
        out.push_str("no upper bound, by what is to blame\n");
        let causes: Vec<Vec<String>> = (shares.causes.iter().take(MOST_CAUSES))
            .map(|(cause, n)| vec![n.to_string(), percent(*n, all), cause.clone()])
            .collect();
        out.push_str(&aligned(&causes, "  "));
        let others: usize = shares.causes.iter().skip(MOST_CAUSES).map(|c| c.1).sum();
        if others > 0 {
            let kinds = shares.causes.len() - MOST_CAUSES;
            let kinds = counted(kinds, "other kind", "other kinds");
            out.push_str(&format!("  {others} of {kinds}\n"));
        }
    }
    out
}

pub(super) fn as_json(shares: &Shares, files: usize) -> Value {
    let causes: Vec<Value> = (shares.causes.iter())
        .map(|(cause, n)| json!({"reason": cause, "predicates": n}))
        .collect();
    json!({
        "files": files,
        "predicates": shares.predicates,
        "upper": shares.upper,
        "lower": shares.lower,
        "diverges": shares.diverges,
        "fuel": shares.fuel,
        "causes": causes,
    })
}

fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Rounded to whole ones.
fn percent(n: usize, of: usize) -> String {
    let of = of.max(1);
    format!("{}%", (n * 100 + of / 2) / of)
}
