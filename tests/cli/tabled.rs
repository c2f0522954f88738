//! Tables: predicates of thousands of facts are counted.

use crate::program;

use std::fmt::Write as _;

use program::{bounds, exactly, folder, unknown};

/// Returns `row(Key, Group, Text)`: each key once, each group ten times; and `pair(X, Y)`, where one fact has a variable.
fn text(facts: usize) -> String {
    let mut text = String::from(
        "%! key(+K:int, -T) is semidet.\nkey(K, T) :- row(K, _, T).\n\
         %! group(+G:atom, -K) is nondet.\ngroup(G, K) :- row(K, G, _).\n\
         %! all(-K, -G) is multi.\nall(K, G) :- row(K, G, _).\n\
         %! any(?K, ?G) is nondet.\nany(K, G) :- row(K, G, _).\n\
         %! open(+X:int, -Y) is nondet.\nopen(X, Y) :- pair(X, Y).\n\
         %! walk(+K:int) is semidet.\nwalk(K) :- key(K, _), rows(K).\nrows(K) :- row(K, _, _), K > 3.\n",
    );
    for i in 0..facts {
        let _ = writeln!(text, "row({i}, group_{}, \"text {i}\").", i / 10);
    }
    for i in 0..facts {
        match i {
            7 => text.push_str("pair(_, 7).\n"),
            _ => drop(writeln!(text, "pair({i}, f({i})).")),
        }
    }
    text
}

#[test]
fn bound_arguments_choose_as_many_facts_as_are_alike() {
    let folder = folder(&[("main.pl", &text(5_000))]);
    let of = |predicate: &str| bounds(folder.path(), &["main.pl"], predicate);
    for (predicate, lower, upper) in [
        ("key/2", "1", "2"),
        ("group/2", "1", "11"),
        ("any/2", "1", "5001"),
        // If a fact has a variable, its column is not counted.
        ("open/2", "1", "5001"),
        ("row/3", "0", "1"),
    ] {
        let found = of(predicate);
        assert_eq!(
            (&*found.lower, &*found.upper),
            (lower, upper),
            "{predicate}: {found:?}"
        );
    }
    exactly(&of("all/2"), "5001");
}

/// The same facts, few enough to be run one by one: the counts are no less, and no more than the number of facts.
#[test]
fn counting_agrees_with_running_clause_by_clause() {
    let few = folder(&[("main.pl", &text(60))]);
    let many = folder(&[("main.pl", &text(4_000))]);
    for predicate in ["all/2", "key/2", "group/2"] {
        let number = |s: &str| s.parse::<u64>().unwrap();
        let run = bounds(few.path(), &["main.pl"], predicate);
        let counted = bounds(many.path(), &["main.pl"], predicate);
        assert!(number(&run.upper) >= number(&run.lower));
        match predicate {
            "all/2" => {
                exactly(&run, "61");
                exactly(&counted, "4001");
            }
            _ => assert!(
                number(&counted.upper) <= number(&run.upper),
                "{run:?} {counted:?}"
            ),
        }
    }
}

#[test]
fn facts_that_may_change_are_not_counted() {
    let text = format!(":- dynamic row/3.\n{}", text(4_000));
    let folder = folder(&[("main.pl", &text)]);
    unknown(&bounds(folder.path(), &["main.pl"], "key/2"), "is dynamic");
}
