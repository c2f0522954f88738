//! Tests that reading with the results of the previous revision yields the same as a fresh reading.

use costlens_syntax::{FileTerms, Parsed, ReadOptions, read, read_text};
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "p(X) :- q(X, Y), r(Y).\n",
    "p(X) :- q(X, Y), r(Y).\n",
    "a <=> b.\n",
    ":- op(700, xfx, <=>).\n",
    ":- op(0, xfx, <=>).\n",
    ":- set_prolog_flag(double_quotes, codes).\n",
    "s(\"abc\").\n",
    "% a comment\n",
    "t(a, % inside\n  b).\n",
    "u :- /* also inside */ v.\n",
    "w('unclosed.\n",
    "x(((.\n",
    ":- entry p(A) : list(A).\n",
    "y --> [a], y.\n",
    "'é'(𝒳) :- true.\n",
    "z.",
    " ",
    "\n",
];

fn fresh(text: &str) -> FileTerms {
    read_text(text)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edits_read_as_a_fresh_text_does(
        start in prop::collection::vec(0..PIECES.len(), 0..14),
        edits in prop::collection::vec((0.0..1.0f64, 0usize..12, 0..PIECES.len()), 1..12),
    ) {
        let text: String = start.iter().map(|&i| PIECES[i]).collect();
        let mut parsed = Parsed::new(text);
        prop_assert_eq!(read(&parsed, &ReadOptions::default()), fresh(&parsed.text));
        for (place, removed, piece) in edits {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a place in a short text")]
            let at = (place * parsed.text.len() as f64) as usize;
            let end = (at + removed).min(parsed.text.len());
            parsed = parsed.edit(at..end, PIECES[piece]);
            prop_assert_eq!(read(&parsed, &ReadOptions::default()), fresh(&parsed.text));
        }
    }
}

#[test]
fn clauses_that_did_not_change_are_the_same_values() {
    let text = "p(X) :- q(X).\nr(Y) :- s(Y).\n";
    let parsed = Parsed::new(text);
    let before = read(&parsed, &ReadOptions::default());
    let edited = parsed.edit(0..0, "% on top\n");
    let after = read(&edited, &ReadOptions::default());
    for (a, b) in before.clauses.iter().zip(&after.clauses) {
        assert!(std::sync::Arc::ptr_eq(&a.terms, &b.terms));
        assert_eq!(a.range.0 + 9, b.range.0);
    }
}

/// After each edit of a table of facts, the clauses must equal those of a fresh text, and all unaffected ones must be reused.
#[test]
fn an_edit_of_a_table_reads_again_what_it_touches() {
    let mut text = String::from("first(X) :- f(X, _).\n");
    for i in 0..3_000 {
        text.push_str(&format!("f({i}, \"a\"). % number {i}\n"));
    }
    let mut parsed = Parsed::new(text);
    let mut before = read(&parsed, &ReadOptions::default());
    let at = |parsed: &Parsed, what: &str| parsed.text.find(what).unwrap();
    for (what, removed, new, read_again) in [
        ("1500, ", 1, "7", 1),
        ("f(700, ", 0, "g(1).\n", 1),
        ("f(800, ", 13, "", 0),
        ("f(X, _)", 0, "g(X), ", 1),
        (". % number 2999", 1, "", 1),
        (" % number 2999", 0, ".", 1),
        ("f(1000", 0, "/* new */ ", 0),
        ("\"a\"). % number 20\n", 1, "'", 1),
        ("'a\"). % number 20\n", 1, "\"", 1),
        // A repeated clause is read once.
        ("f(5, ", 0, "f(4, \"a\"). f(6, \"a\").\n", 2),
        // Flags change how the following text is read.
        (
            "f(2990, ",
            0,
            ":- set_prolog_flag(double_quotes, atom).\n",
            11,
        ),
    ] {
        let place = at(&parsed, what);
        parsed = parsed.edit(place..place + removed, new);
        let after = read(&parsed, &ReadOptions::default());
        assert_eq!(after, fresh(&parsed.text), "{new:?} at {what:?}");
        let known: std::collections::HashSet<_> = (before.clauses.iter())
            .map(|c| std::sync::Arc::as_ptr(&c.terms))
            .collect();
        let is_new = |c: &&costlens_syntax::term::ReadClause| {
            !known.contains(&std::sync::Arc::as_ptr(&c.terms))
        };
        let new_ones = after.clauses.iter().filter(is_new).count();
        assert_eq!(new_ones, read_again, "{new:?} at {what:?}");
        before = after;
    }
}
