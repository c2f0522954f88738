//! Tests that deep, long and odd texts are read quickly and dropped without recursion.

use std::time::{Duration, Instant};

use costlens_syntax::{FileTerms, read_text, write_term};

/// Reads, writes and drops the text within a time limit that only a hang or quadratic work exceeds, even in a debug build on a busy
/// machine.
#[track_caller]
fn quickly(text: &str) -> FileTerms {
    let start = Instant::now();
    let file = read_text(text);
    for clause in &file.clauses {
        let _ = write_term(&clause.terms, clause.root, None);
    }
    drop(file.clone());
    let taken = start.elapsed();
    assert!(taken < Duration::from_secs(60), "{taken:?}");
    file
}

#[test]
fn a_hundred_thousand_nested_brackets_are_read() {
    let n = 100_000;
    for (open, close) in [
        ("(", ")"),
        ("f(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("- (", ")"),
        ("1+(", ")"),
        ("_{a:", "}"),
    ] {
        let text = format!("p({}a{}).\nq.\n", open.repeat(n), close.repeat(n));
        let file = quickly(&text);
        assert_eq!(file.clauses.len(), 2);
        assert!(
            file.clauses.iter().all(|c| c.error.is_none()),
            "{open}: {:?}",
            file.clauses[0].error
        );
    }
}

#[test]
fn a_hundred_thousand_unclosed_brackets_are_one_error() {
    for open in ["(", "f(", "[", "{", "a{", "([{"] {
        let file = quickly(&format!("p({}.\nq.\n", open.repeat(100_000)));
        assert_eq!(file.clauses.len(), 2);
        assert!(file.clauses[0].error.is_some() && file.clauses[1].error.is_none());
    }
}

#[test]
fn a_list_of_a_million_elements_is_read() {
    let file = quickly(&format!("p([{}]).", vec!["a"; 1_000_000].join(",")));
    assert!(file.clauses[0].error.is_none());
    let clause = &file.clauses[0];
    let list = clause.terms.args(clause.root)[0];
    assert_eq!(clause.terms.list(list).0.len(), 1_000_000);
}

#[test]
fn long_chains_of_operators_are_read() {
    for (first, more) in [
        ("a", "+a"),
        ("a", ",a"),
        ("a", ";a"),
        ("", "- "),
        ("", "\\+ "),
        ("a", "^a"),
        ("p :- a", ",a"),
    ] {
        let text = format!(
            "{first}{}{}.",
            more.repeat(100_000),
            if first.is_empty() { "a" } else { "" }
        );
        let file = quickly(&text);
        assert!(
            file.clauses[0].error.is_none(),
            "{more}: {:?}",
            file.clauses[0].error
        );
    }
}

#[test]
fn many_variables_and_long_tokens_are_read() {
    let variables: Vec<String> = (0..100_000).map(|i| format!("V{i}")).collect();
    assert_eq!(
        quickly(&format!("p({}).", variables.join(","))).clauses[0]
            .terms
            .variables(),
        100_000
    );
    assert!(
        quickly(&format!("p('{}').", "é".repeat(500_000))).clauses[0]
            .error
            .is_none()
    );
    assert!(
        quickly(&format!("p(\"{}\").", "\\n".repeat(500_000))).clauses[0]
            .error
            .is_none()
    );
    assert!(
        quickly(&format!("p({}).", "9".repeat(1_000_000))).clauses[0]
            .error
            .is_some()
    );
    assert!(
        quickly(&format!("p({}).", "9".repeat(40_000))).clauses[0]
            .error
            .is_none()
    );
}

#[test]
fn a_file_of_another_language_is_read() {
    let perl =
        "#!/usr/bin/perl\nuse strict;\nmy $x = 'it''s';\nprint \"a $x\\n\" if (1);\n".repeat(500);
    quickly(&perl);
    quickly(&"/* a\np(X) :- 'q.\n".repeat(20_000));
    quickly(&"'a.\nb(c).\n\"".repeat(20_000));
    quickly(&"{|".repeat(100_000));
    quickly(&"{|a||".repeat(100_000));
    quickly(&"'a.\nb(c)\\".repeat(20_000));
    quickly(&"foo(\n".repeat(50_000));
    quickly(&":- pred p(X) : list(X).\n".repeat(5_000));
    quickly(&"0'".repeat(100_000));
}
