//! `costlens.toml`: budgets, levels of rules, dialect, and mistakes in it.

use std::path::Path;

use serde_json::Value;

use crate::printed::text;
use crate::project::{folder, run};

const WORK: &str = "\
:- module(work, [ranked/2, copied/2, searched/2, read_all/2]).

%! ranked(+Xs:list, -Ys) is det.
ranked([], []).
ranked([X|Xs], Ys) :- ranked(Xs, Zs), append(Zs, [r(X)], Ys).

%! copied(+Xs:list, -Ys) is det.
copied([], []).
copied([X|Xs], [X|Ys]) :- copied(Xs, Ys).

%! searched(+N:nat, -R) is det.
searched(0, 1) :- !.
searched(N, R) :- M is N-1, searched(M, _), searched(M, R).

%! read_all(+Xs:list, -Ys) is det.
read_all(Xs, Ys) :- unknown_here(Xs, Ys).

%! inner(+Xs:list, -Ys) is det.
inner(Xs, Ys) :- ranked(Xs, Ys).
";

/// Returns the messages of `check` about a rule, and the exit code.
fn found(folder: &Path, arguments: &[&str], rule: &str) -> (Option<i32>, Vec<String>) {
    let all = [&["check", "--no-library", "--format", "json"], arguments].concat();
    let out = run(folder, &all);
    let document: Value =
        serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let diagnostics = document["diagnostics"].as_array().unwrap().iter();
    let messages = diagnostics
        .filter(|d| d["code"] == rule)
        .map(|d| d["message"].as_str().unwrap().to_owned());
    (out.status.code(), messages.collect())
}

fn budgets(toml: &str) -> (Option<i32>, Vec<String>) {
    let folder = folder(&[("costlens.toml", toml), ("src/api/work.pl", WORK)]);
    found(folder.path(), &["src"], "budget")
}

#[test]
fn a_budget_is_exceeded_where_the_lower_bound_is_of_a_greater_class() {
    let (code, messages) = budgets("[[budget]]\nsteps = \"O(n log n)\"\n");
    assert_eq!(code, Some(1));
    assert_eq!(
        messages,
        [
            "`ranked/2` takes at least n²/2 + 3n/2 + 1 steps: O(n²), where costlens.toml (line 1) allows O(n·log n)",
            "`searched/2` takes at least 2ⁿ⁺¹ - 1 steps: O(2ⁿ), where costlens.toml (line 1) allows O(n·log n)",
            "`inner/2` takes at least n²/2 + 3n/2 + 2 steps: O(n²), where costlens.toml (line 1) allows O(n·log n)",
        ]
    );
}

/// Returns the predicates that exceed budgets.
fn exceeding(toml: &str) -> Vec<String> {
    let name = |message: &String| message.split('`').nth(1).unwrap().to_owned();
    budgets(toml).1.iter().map(name).collect()
}

#[test]
fn budgets_choose_predicates_by_name_file_and_export() {
    for (lines, expected) in [
        ("steps = \"O(n^2)\"", vec!["searched/2"]),
        ("steps = \"polynomial\"", vec!["searched/2"]),
        ("steps = \"finite\"", vec![]),
        (
            "steps = \"finite\"\nunproved = \"deny\"",
            vec!["read_all/2"],
        ),
        (
            "steps = \"O(n)\"\nexported = true",
            vec!["ranked/2", "searched/2"],
        ),
        (
            "steps = \"O(1)\"\npredicates = [\"c*/2\", \"inner/*\"]",
            vec!["copied/2", "inner/2"],
        ),
        (
            "steps = \"O(1)\"\nfiles = [\"src/api/**\"]\npredicates = [\"copied/2\"]",
            vec!["copied/2"],
        ),
        (
            "steps = \"O(1)\"\nfiles = [\"src/*.pl\", \"api/**\"]",
            vec![],
        ),
    ] {
        assert_eq!(
            exceeding(&format!("[[budget]]\n{lines}\n")),
            expected,
            "{lines}"
        );
    }
}

#[test]
fn what_runs_for_ever_or_grows_downwards_exceeds_a_budget() {
    let text = "\
:- module(w, [loopy/1, neg/1, between/2, lim/2]).

%! loopy(+N:int).
loopy(0).
loopy(N) :- M is N-1, loopy(M).

%! neg(+N:int).
neg(N) :- N >= 0, !.
neg(N) :- M is N+1, neg(M).

%! between(+A:int, +B:int).
between(A, B) :- A >= B, !.
between(A, B) :- C is A+1, between(C, B).

%! lim(+N:int, -L).
lim(N, []) :- N =< 0, !.
lim(N, _) :- N > 10, throw(big).
lim(N, [N|T]) :- M is N-1, lim(M, T).
";
    let exceeding = |steps: &str| {
        let toml = format!("[[budget]]\nsteps = \"{steps}\"\nunproved = \"deny\"\n");
        let folder = folder(&[("costlens.toml", toml.as_str()), ("w.pl", text)]);
        found(folder.path(), &["w.pl"], "budget").1
    };
    let messages = exceeding("finite");
    assert_eq!(
        messages,
        [
            "`loopy/1` runs for ever for n ≤ -1, where costlens.toml (line 1) allows a finite number of steps"
        ]
    );
    let messages = exceeding("O(1)");
    assert_eq!(messages.len(), 4, "{messages:#?}");
    assert_eq!(
        messages[1],
        "`neg/1` takes at least 1 - n steps for n ≤ -1: O(n), where costlens.toml (line 1) allows O(1)"
    );
    let unproved = "is not proved to stay within O(1), as costlens.toml (line 1) asks: the upper bound is O(n)";
    // In the names that its bound has.
    let of_second = unproved.replace("O(n)", "O(m)");
    assert_eq!(messages[2], format!("`between/2` {of_second}"));
    // Every call with more than 10 raises an exception after a step.
    assert_eq!(messages[3], format!("`lim/2` {unproved}"));
    assert_eq!(exceeding("O(n)").len(), 1);
}

#[test]
fn a_comment_or_a_level_leaves_a_budget_alone() {
    let toml = "[[budget]]\npredicates = [\"ranked/2\"]\nsteps = \"O(n)\"\n";
    let comment = WORK.replace(
        "%! ranked",
        "% costlens: ignore[budget] small lists\n%! ranked",
    );
    let both = folder(&[("costlens.toml", toml), ("a.pl", &comment)]);
    assert_eq!(
        found(both.path(), &["a.pl"], "budget"),
        (Some(0), Vec::new())
    );
    for (level, code, count) in [("off", 0, 0), ("warning", 0, 1), ("error", 1, 1)] {
        let toml = format!("[rules]\nbudget = \"{level}\"\n\n{toml}");
        let folder = folder(&[("costlens.toml", toml.as_str()), ("a.pl", WORK)]);
        let (status, messages) = found(folder.path(), &["a.pl"], "budget");
        assert_eq!((status, messages.len()), (Some(code), count), "{level}");
    }
}

#[test]
fn levels_are_those_of_assertions_and_regressions_too() {
    let nrev = "%! nrev(+Xs:list, -Ys:list) is det.\n%  @cost steps =< 3\nnrev([], []).\nnrev([X|Xs], Ys) :- nrev(Xs, Zs), append(Zs, [X], Ys).\n";
    let cheap = "%! nrev(+Xs:list, -Ys:list) is det.\nnrev(_, []).\n";
    let rules = "[rules]\nassertion-false = \"warning\"\nregression = \"off\"\n";
    let folder = folder(&[("costlens.toml", rules), ("a.pl", cheap)]);
    let here = folder.path();
    run(here, &["snapshot", "--no-library", "a.pl"]);
    std::fs::write(here.join("a.pl"), nrev).unwrap();
    let arguments = [
        "check",
        "--no-library",
        "a.pl",
        "--against",
        "costlens.lock",
    ];
    let out = run(here, &arguments);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert_eq!(out.status.code(), Some(0), "{text}");
    assert!(
        text.starts_with("warning[assertion-false]: an assertion about `nrev/2` is false"),
        "{text}"
    );
    assert!(
        text.contains("a.pl: `nrev/2` became dearer: O(1) → O(n²)"),
        "{text}"
    );
    assert!(
        text.contains("the new call of append/3 (ignored)"),
        "{text}"
    );
    // The command may select another file, or none.
    std::fs::write(here.join("other.toml"), "").unwrap();
    let out = run(
        here,
        &[&arguments[..], &["--config", "other.toml"]].concat(),
    );
    assert_eq!(out.status.code(), Some(1));
}

#[test]
fn the_nearest_file_counts_up_to_the_repository() {
    let budget = "[[budget]]\nsteps = \"O(1)\"\n";
    let folder = folder(&[
        ("costlens.toml", budget),
        ("a/costlens.toml", ""),
        ("a/b/work.pl", WORK),
        ("c/.git/HEAD", ""),
        ("c/work.pl", WORK),
        ("work.pl", WORK),
    ]);
    for (path, expected) in [("a/b", 0), ("c", 0), ("work.pl", 1)] {
        let (code, _) = found(folder.path(), &[path], "budget");
        assert_eq!(code, Some(expected), "{path}");
    }
}

#[test]
fn the_dialect_of_the_project_counts_where_the_command_names_none() {
    let text = "p(X) :- X = \"ab\".\nq :- r.\n";
    let folder = folder(&[("costlens.toml", "dialect = \"gnu\"\n"), ("a.pl", text)]);
    let out = run(
        folder.path(),
        &["bounds", "--no-library", "a.pl", "--format", "json"],
    );
    assert!(out.status.success(), "{out:?}");
    let bad = ["bounds", "a.pl", "--config", "none.toml"];
    assert_eq!(run(folder.path(), &bad).status.code(), Some(2));
}

#[test]
fn a_mistake_is_told_with_its_line_and_nothing_is_checked() {
    let folder = folder(&[
        ("costlens.toml", "[rules]\nassertion-flase = \"off\"\n"),
        ("a.pl", WORK),
    ]);
    for command in ["check", "bounds", "snapshot"] {
        let out = run(folder.path(), &[command, "a.pl"]);
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(
            (out.status.code(), out.stdout.is_empty()),
            (Some(2), true),
            "{said}"
        );
        assert!(
            said.contains(
                "costlens.toml:2:1: `assertion-flase` is no rule; there are assertion-false, "
            ),
            "{said}"
        );
    }
}

/// A headline that covers only some sizes, or excludes some, does not satisfy a budget: the others may cost more. Neither does the first of
/// several call patterns.
#[test]
fn a_budget_is_about_every_region_and_every_pattern() {
    let program = "\
%! main(+Argv:list(atom), +N:int) is semidet.
main([_], N) :- !, hanoi(N).
main(_, _).
%! hanoi(+N:int) is semidet.
hanoi(0).
hanoi(N) :- N > 0, M is N-1, hanoi(M), hanoi(M).
%! app(+Xs:list, +Ys:list, -Zs:list) is det.
%! app(-Xs:list, -Ys:list, +Zs:list) is multi.
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
%! free(+Xs:list) is det.
%! free(-Xs) is multi.
free([]).
free([_|Xs]) :- free(Xs).
";
    let budget = "[[budget]]\npredicates = [\"main/2\", \"free/1\", \"app/3\"]\nsteps = \"O(n)\"\nunproved = \"deny\"\n";
    let folder = folder(&[("p.pl", program), ("costlens.toml", budget)]);
    let out = run(folder.path(), &["check", "p.pl"]);
    let said = text(&out.stdout);
    assert_eq!(out.status.code(), Some(1), "{said}");
    for name in ["main/2", "free/1"] {
        assert!(said.contains(&format!("`{name}`")), "{said}");
    }
    assert!(!said.contains("`app/3`"), "{said}");
}
