//! Reading with what the last revision left gives what a fresh reading gives.
#![cfg(test)]

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
