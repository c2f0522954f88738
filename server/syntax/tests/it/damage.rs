//! Tests that a damaged dot, bracket or quote costs its own clause and almost nothing else.

use crate::library;

use std::collections::HashMap;

use costlens_syntax::{FileTerms, Parsed, ReadOptions, Terms, read};

/// Counts the clauses of `before` that are not in `after`.
fn lost(before: &FileTerms, after: &FileTerms) -> usize {
    let mut there: HashMap<&Terms, usize> = HashMap::new();
    for clause in &after.clauses {
        *there.entry(&clause.terms).or_default() += 1;
    }
    let gone = |terms: &Terms| match there.get_mut(terms) {
        Some(n) if *n > 0 => {
            *n -= 1;
            false
        }
        _ => true,
    };
    let mut gone = gone;
    before.clauses.iter().filter(|c| gone(&c.terms)).count()
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures are worth seeing")]
fn damage_loses_at_most_one_other_clause_at_the_90th_percentile() {
    let Some(files) = library::files() else {
        return;
    };
    // Files of medium size, because small files have little to lose.
    let files: Vec<_> = files
        .into_iter()
        .filter(|f| std::fs::metadata(f).is_ok_and(|m| (15_000..60_000).contains(&m.len())))
        .step_by(12)
        .collect();
    let options = ReadOptions::default();
    // The damage is a character removed from, or inserted into, the text of a clause. An unterminated comment hides the rest of the file,
    // as in SWI-Prolog.
    for (what, remove) in [
        (".", true),
        ("(", true),
        (")", true),
        ("[", true),
        ("]", true),
        ("'", true),
        ("\"", true),
        ("(", false),
        (")", false),
        ("]", false),
        ("{", false),
        ("'", false),
        ("\"", false),
        ("`", false),
        (".", false),
    ] {
        let mut losses = Vec::new();
        for file in &files {
            let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
            let parsed = Parsed::new(text.as_str());
            let before = read(&parsed, &options);
            let places: Vec<usize> = if remove {
                text.match_indices(if what == "." { ".\n" } else { what })
                    .map(|(at, _)| at)
                    .collect()
            } else {
                before
                    .clauses
                    .iter()
                    .map(|c| (c.range.0 + c.range.1) / 2)
                    .filter(|&at| text.is_char_boundary(at))
                    .collect()
            };
            for &at in places.iter().step_by((places.len() / 4).max(1)) {
                let after = if remove {
                    parsed.edit(at..at + what.len(), "")
                } else {
                    parsed.edit(at..at, what)
                };
                losses.push(lost(&before, &read(&after, &options)));
            }
        }
        losses.sort_unstable();
        assert!(losses.len() >= 20, "{what}: only {} places", losses.len());
        let at = |share: f64| losses[((losses.len() - 1) as f64 * share) as usize];
        println!(
            "{} {what:2}: {} places, clauses lost p50 {}, p90 {}, p95 {}, most {}",
            if remove { "without" } else { "with   " },
            losses.len(),
            at(0.5),
            at(0.9),
            at(0.95),
            at(1.0)
        );
        // The damaged clause, and one other.
        assert!(at(0.9) <= 2, "{what}: {losses:?}");
    }
}
