//! Tests that texts read without their trees give the same clauses and comments as with them.

use costlens_syntax::{Dialect, Parsed, ReadOptions, read};
use proptest::prelude::*;

/// Checks that a text is read in the same way with and without its tree.
fn check(text: &str, dialect: Option<Dialect>) {
    let parsed = || match dialect {
        Some(dialect) => Parsed::in_dialect(text, dialect),
        None => Parsed::new(text),
    };
    let (alone, with_tree) = (parsed(), parsed());
    let _ = with_tree.tree();
    let options = ReadOptions::default();
    let (alone, with_tree) = (read(&alone, &options), read(&with_tree, &options));
    let start = &text[..text.floor_char_boundary(300)];
    if alone != with_tree {
        assert_eq!(alone.comments, with_tree.comments, "{start}");
        for (one, other) in alone.clauses.iter().zip(&with_tree.clauses) {
            assert_eq!(one, other, "{start}");
        }
        panic!("{start}");
    }
}

#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "a", "aB_1", "Xs", "_", "f(", "(", ")", "[", "]", "{", "}", "a{", ",", "|", "||", "|||", ";", "!", " ", "  ", "\n", "\t", "\r\n", "=",
    "/", "/*", "*/", "/* c. */", "/*/ */", "/**/", "/* /* */", "% c.\n", "%", ".", "..", "-", "+", "#", "#!", "?", ":-", "-->",
    "0", "12", "1.5", "1.5e3", "1.5e", "1e10", "1e", "1.0Inf", "1.5NaN", "1_000", "1 000", "1.5 2", "0'a", "0'", "0'\\n", "0'\\x41\\", "0''",
    "0'''", "0xff", "0o7", "0b1", "2'01", "1r3", "12a", "'q'", "'a b.\nc'", "'a\\\nb'", "'\\x41\\'", "'\\101\\'", "'\\\\'", "''''", "'", "\"",
    "\"s\"", "\"a.\nb(c).\"", "\"a\nb.\"", "`b`", "`", "é", "'é'", "∀", "=∀", "\\", "{|", "|}", "٣", "1٣", "\0", "\u{1}", "\u{feff}", "\u{a0}",
    ".\u{a0}", "\nfoo(X) :- ", "\np :- ", "end_of_file", ":- op(700, xfx, ===>)", "===>",
];

/// Generates the tokens of a clause, and usually an end.
fn tokens() -> impl Strategy<Value = String> {
    let tokens = prop::collection::vec(prop::sample::select(TOKENS.to_vec()), 0..12);
    let end = prop::sample::select(vec![".\n", ".\n", ".\n", ". ", ".% c\n", ".", ""]);
    (tokens, end).prop_map(|(tokens, end)| tokens.concat() + end)
}

/// Generates texts; some are longer than the part that the grammar is given at once.
fn text() -> impl Strategy<Value = String> {
    let clause = prop_oneof![
        10 => prop::sample::select(vec!["p(a).\n", "q(X, [Y|Z]) :- r(X), \\+ s(Y, Z).\n", "% é\n", "s('é', é).\n"]).prop_map(str::to_owned),
        20 => tokens(),
        1 => tokens().prop_map(|tokens| tokens.repeat(2000)),
    ];
    prop::collection::vec(clause, 1..8).prop_map(|clauses| clauses.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_without_its_tree_as_with_it(text in prop_oneof![9 => text(), 1 => any::<String>()]) {
        check(&text, None);
        check(&text, Some(Dialect::Gnu));
    }

    #[test]
    fn an_edited_text_is_read_as_a_fresh_one(text in text(), edits in prop::collection::vec((0..=1000usize, 0..12usize, tokens()), 1..4)) {
        let options = ReadOptions::default();
        let mut parsed = Parsed::new(text);
        let _ = read(&parsed, &options);
        for (at, length, new) in edits {
            let at = parsed.text.len() * at / 1000;
            parsed = parsed.edit(at..at + length, &new);
            let fresh = Parsed::new(parsed.text.clone());
            let _ = fresh.tree();
            prop_assert_eq!(read(&parsed, &options), read(&fresh, &options));
        }
    }
}

/// A clause longer than the part that the grammar is given first, with each of these tokens at its end.
#[test]
fn long_clauses_are_read_whole() {
    let elements = "a(b), ".repeat(20_000);
    for odd in [
        "é",
        "0xff",
        "{|html||<b>c. </b>|}",
        "'a.\nb(c).\n'",
        "\"unclosed",
        "/* unclosed",
        "]",
        "(",
    ] {
        for text in [
            format!("p([{elements}{odd}]).\nq(b).\n"),
            format!("p({odd}, [{elements}c]).\nq(b).\n"),
            format!("r({odd}).\np([{elements}c]).\nq(b).\n"),
        ] {
            check(&text, None);
            check(&text, Some(Dialect::Scryer));
        }
    }
}

#[test]
fn the_library_of_swi_prolog_is_read_without_trees_as_with_them() {
    for file in crate::library::files().into_iter().flatten() {
        let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
        check(&text, None);
    }
}
