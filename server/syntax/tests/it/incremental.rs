//! Tests that the tree and the terms after any edits equal those of a fresh parse.

use costlens_syntax::{Parsed, ReadOptions, read};
use proptest::prelude::*;
use tree_sitter::{Node, Point};

/// Returns every node: kind, byte range, points.
fn nodes(parsed: &Parsed) -> Vec<(u16, usize, usize, Point, Point)> {
    fn facts(n: Node<'_>) -> (u16, usize, usize, Point, Point) {
        (
            n.kind_id(),
            n.start_byte(),
            n.end_byte(),
            n.start_position(),
            n.end_position(),
        )
    }
    let mut found = Vec::new();
    let tree = parsed.tree();
    let mut cursor = tree.walk();
    loop {
        found.push(facts(cursor.node()));
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

const PIECES: &[&str] = &[
    "a",
    "X",
    "_",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ".",
    ". ",
    ".\n",
    ",",
    "|",
    "||",
    "'",
    "\"",
    "`",
    "/*",
    "*/",
    "%",
    "\n",
    "\nfoo(X) :- ",
    "\np :- ",
    "\n:- op(700, xfx, ===>).\n",
    " ===> ",
    " ",
    "\\",
    "0'",
    "1",
    "1.5",
    "16'F",
    ":-",
    "-->",
    "!",
    ";",
    "\0",
    "é",
    "∀",
    "\u{a0}",
    "{|",
    "|}",
    "#!",
    "\r\n",
    "\u{1}",
    "f(",
    "a{",
    "p(a).\n",
    "end_of_file.\n",
    ":- use_package(fsyntax).\n",
    ":- use_module(library(clpz)).\n",
    "q(X, Y) :- r(X), \\+ s(Y).\n",
    "% comment\n",
    "%! p(+X) is det.\n",
    "'it''s'",
    "\"text\"",
    "/* block */",
    "- 1",
    "-1",
    ":- module(m, [op(200, fy, ~)]).\n",
];

fn text(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..most).prop_map(|v| v.concat())
}

/// Generates edits: a start in 1/1000 of the text, a length in bytes, and the inserted text.
fn edits() -> impl Strategy<Value = Vec<(usize, usize, String)>> {
    prop::collection::vec((0..=1000usize, 0..12usize, text(4)), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_edited_text_is_parsed_as_a_fresh_one(start in text(60), edits in edits()) {
        let mut parsed = Parsed::new(start);
        for (at, length, new) in edits {
            let at = parsed.text.len() * at / 1000;
            parsed = parsed.edit(at..at + length, &new);
            let fresh = Parsed::new(parsed.text.clone());
            prop_assert_eq!(nodes(&parsed), nodes(&fresh), "{:?}", parsed.text);
            let options = ReadOptions::default();
            prop_assert_eq!(read(&parsed, &options), read(&fresh, &options));
        }
    }

    #[test]
    fn any_text_gives_a_result_and_its_clauses_and_comments_stand_in_order(text in prop_oneof![text(80), any::<String>()]) {
        let file = read(&Parsed::new(text.as_str()), &ReadOptions::default());
        let mut end = 0;
        for clause in &file.clauses {
            prop_assert!(end <= clause.range.0 && clause.range.0 <= clause.range.1 && clause.range.1 <= text.len());
            end = clause.range.1;
            prop_assert_eq!(clause.spans.ranges.len(), clause.terms.len());
            prop_assert_eq!(clause.spans.variables.len(), clause.terms.variables() as usize);
            let size = u32::try_from(clause.range.1 - clause.range.0).unwrap();
            for &(from, to) in &clause.spans.ranges {
                prop_assert!(from <= to && to <= size);
            }
            if let Some(error) = &clause.error {
                prop_assert!(error.range.0 <= error.range.1 && error.range.1 <= size, "{error:?}");
            }
        }
        for comment in &file.comments {
            prop_assert_eq!(&text[comment.range.0..comment.range.1], comment.text.as_str());
        }
        let _ = costlens_syntax::comments::structured_comments(&file, &text);
    }

    #[test]
    fn any_bytes_give_a_result(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&Parsed::new(String::from_utf8_lossy(&bytes).into_owned()), &ReadOptions::default());
    }
}

#[test]
fn an_edit_out_of_range_or_inside_a_character_is_widened() {
    let parsed = Parsed::new("é(a).");
    assert_eq!(&*parsed.edit(1..1, "x").text, "x(a).");
    assert_eq!(&*parsed.edit(90..99, "x").text, "é(a).x");
}

/// Found by the fuzz target `edits`: clauses are stored by text, but the end of an unterminated comment depends on the text after it.
#[test]
fn a_comment_without_an_end_is_read_again_when_what_follows_it_changes() {
    let nested = "/* a /*\n".repeat(9);
    for (before, after, text) in [
        ("", "\nq(b) :- r.\n", "a /* c ."),
        ("", "\n%! q.\nq.\n", "a\n/* b.\nc. ."),
        (nested.as_str(), "\nb.\n", "p :- a /*\nfoo(X) */ ."),
        (nested.as_str(), "\nb.\n", "p :- a /* /* */ */ + b ."),
    ] {
        let options = ReadOptions::default();
        let whole = format!("{before}{text}{after}");
        let mut parsed = Parsed::new(whole.as_str());
        let _ = read(&parsed, &options);
        let end = whole.len();
        for (range, new) in [
            (before.len() + text.len()..end, ""),
            (0..before.len(), ""),
            (0..0, before),
            (end - after.len()..end, after),
        ] {
            parsed = parsed.edit(range, new);
            let fresh = Parsed::new(parsed.text.clone());
            assert_eq!(
                read(&parsed, &options),
                read(&fresh, &options),
                "{:?}",
                parsed.text
            );
        }
    }
}
