//! `costlens report`: the contents of its page and its JSON for a workspace.

use serde_json::{Value, json};

use crate::printed::{json_of, text};
use crate::project::{folder, run};

const LISTS: &str = "\
:- module(lists_of_mine, [rev/2]).
%! rev(+Xs:list, -Ys:list) is det.
%  @cost steps =< 3*length(Xs)
%  @cost steps >= length(Xs)
rev([], []).
rev([X|Xs], Ys) :- rev(Xs, Zs), app(Zs, [X], Ys).
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
";
const MAIN: &str = "\
:- use_module(lists).
%! twice(+Xs:list, -Ys) is det.
twice(Xs, Zs) :- rev(Xs, Ys), rev(Ys, Zs).
ask(X) :- answer(X).
tell(X) :- ask(X).
%! fib(+N:int, -F) is semidet.
fib(0, 0) :- !.
fib(1, 1) :- !.
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
";

fn workspace() -> tempfile::TempDir {
    folder(&[("src/lists.pl", LISTS), ("src/main.pl", MAIN)])
}

fn report(arguments: &[&str]) -> Value {
    let folder = workspace();
    let out = run(
        folder.path(),
        &[&["report", "src", "--format", "json"], arguments].concat(),
    );
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    assert!(
        !folder.path().join("costlens-report.html").exists(),
        "JSON alone was asked for"
    );
    json_of(&out)
}

fn names<'v>(rows: &'v Value, field: &str) -> Vec<&'v str> {
    rows.as_array()
        .unwrap()
        .iter()
        .map(|row| row[field].as_str().unwrap())
        .collect()
}

#[test]
fn predicates_are_told_by_class() {
    let all = report(&["--no-cache", "--fix-time", "0"]);
    assert_eq!((&all["schema"], &all["files"]), (&json!(1), &json!(2)));
    let class = |name: &str| {
        let rows = all["predicates"].as_array().unwrap();
        let row = rows.iter().find(|p| p["name"] == name).unwrap();
        (
            row["class"].as_str().unwrap().to_owned(),
            row["line"].as_u64().unwrap(),
        )
    };
    let is = |class: &str, line| (class.to_owned(), line);
    assert_eq!(class("rev"), is("quadratic", 5));
    assert_eq!(class("app"), is("linear", 7));
    assert_eq!(class("twice"), is("quadratic", 3));
    assert_eq!(class("fib"), is("exponential", 7));
    // In the cost of a predicate that is not defined.
    assert_eq!(class("ask"), is("linear", 4));
    let count = |class: &str| {
        let rows = all["classes"].as_array().unwrap();
        rows.iter().find(|c| c["class"] == class).unwrap()["predicates"].clone()
    };
    assert_eq!(
        (count("quadratic"), count("unknown"), count("cubic")),
        (json!(2), json!(0), json!(0))
    );
}

#[test]
fn one_cause_of_two_unknown_bounds_is_told_once_with_what_to_do() {
    let main = ":- set_prolog_flag(iso, true).\nask(X) :- X = 1.\ntell(X) :- X = 2.\n";
    let folder = folder(&[("src/main.pl", main)]);
    let arguments = [
        "report",
        "src",
        "--format",
        "json",
        "--no-cache",
        "--fix-time",
        "0",
    ];
    let all = json_of(&run(folder.path(), &arguments));
    let causes = all["unknown"].as_array().unwrap();
    assert_eq!(causes.len(), 1, "{causes:?}");
    let cause = &causes[0];
    assert_eq!(
        (&cause["cause"], &cause["predicates"]),
        (&json!("ask/1"), &json!(2))
    );
    assert_eq!(cause["examples"], json!(["ask/1", "tell/1"]));
    assert!(!cause["help"].as_str().unwrap().is_empty(), "{cause}");
}

#[test]
fn the_costliest_chain_goes_down_to_the_clauses_that_take_most() {
    let all = report(&["--no-cache", "--fix-time", "0"]);
    let chains = all["chains"].as_array().unwrap();
    // A chain that is part of a longer one is not repeated.
    let heads: Vec<&str> = chains
        .iter()
        .map(|c| c["links"][0]["predicate"].as_str().unwrap())
        .collect();
    assert_eq!(heads, ["fib/2", "twice/2", "tell/1"]);
    let links = &chains[1]["links"];
    assert_eq!(names(links, "predicate"), ["twice/2", "rev/2", "app/3"]);
    assert_eq!(
        names(links, "file"),
        ["src/main.pl", "src/lists.pl", "src/lists.pl"]
    );
    assert_eq!(links[1]["call"]["line"], 6);
    assert!(
        links[1]["call"]["share"]
            .as_str()
            .unwrap()
            .contains("98% at n = 100")
    );
    assert_eq!(links[2]["call"], Value::Null);
}

#[test]
fn assertions_problems_and_fixes_have_their_places() {
    let all = report(&["--no-cache", "--fix-time", "600"]);
    let verdicts = names(&all["assertions"], "verdict");
    assert_eq!(verdicts, ["false", "checked"]);
    assert_eq!(all["assertions"][0]["line"], 3);
    assert_eq!(all["diagnostics"], json!([]));
    let fixes = &all["fixes"];
    assert_eq!(fixes["looked_at"], fixes["of"]);
    assert!(
        names(&fixes["found"], "predicate").contains(&"rev/2"),
        "{fixes}"
    );
}

#[test]
fn what_cannot_be_read_is_a_problem() {
    let folder = folder(&[("src/main.pl", "p(a).\nbroken( .\n")]);
    let out = run(
        folder.path(),
        &["report", "src", "--format", "json", "--no-cache"],
    );
    let all = json_of(&out);
    assert_eq!(names(&all["diagnostics"], "code"), ["syntax"], "{all}");
}

#[test]
fn times_are_those_of_the_platform_at_the_size_that_is_asked_for() {
    let platform = [
        "--platform",
        "swi-9.0.4-x86_64-instructions",
        "--no-cache",
        "--fix-time",
        "0",
    ];
    let at = |size: &str| {
        let all = report(&[&platform[..], &["--size", size]].concat());
        let rows = all["predicates"].as_array().unwrap().clone();
        let rev = rows.iter().find(|p| p["name"] == "rev").unwrap();
        rev["time"].as_str().unwrap().to_owned()
    };
    assert_ne!(at("10"), at("1000"));
    let all = report(&["--no-cache", "--fix-time", "0"]);
    assert!(
        all["predicates"]
            .as_array()
            .unwrap()
            .iter()
            .all(|p| p["time"].is_null())
    );
}

/// The page is written without any message, and its links lead to lines.
#[test]
fn the_page_has_everything_and_its_links_lead_to_lines() {
    let folder = workspace();
    let out = run(
        folder.path(),
        &["report", "src", "--no-cache", "--fix-time", "0"],
    );
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    assert_eq!(
        text(&out.stdout),
        "costlens-report.html: 2 files, 6 predicates, 0 without an upper bound, 2 assertions, 1 false\n"
    );
    let page = std::fs::read_to_string(folder.path().join("costlens-report.html")).unwrap();
    for part in [
        "href=\"src/lists.pl#L5\"",
        "<code>twice/2</code>",
        "most in one call",
        "prefers-color-scheme: dark",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let template = [
        "--link",
        "https://example.org/{file}#L{line}",
        "--output",
        "out.html",
    ];
    let out = run(
        folder.path(),
        &[
            &["report", "src", "--no-cache", "--fix-time", "0"],
            &template[..],
        ]
        .concat(),
    );
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    let page = std::fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert!(page.contains("href=\"https://example.org/src/lists.pl#L5\""));
    let wrong = run(
        folder.path(),
        &["report", "src", "--link", "https://example.org"],
    );
    assert_eq!(wrong.status.code(), Some(2));
}

/// Findings are kept, and equal those computed again; an edit invalidates them.
#[test]
fn what_is_kept_says_the_same() {
    let folder = workspace();
    let ask = |more: &[&str]| {
        let arguments = ["-v", "report", "src", "--format", "json", "--fix-time", "0"];
        run(folder.path(), &[&arguments[..], more].concat())
    };
    let kept = ["--cache", "kept"];
    let first = ask(&kept);
    let second = ask(&kept);
    assert!(
        text(&second.stderr).contains("2 of 2 files are as they were"),
        "{second:?}"
    );
    assert_eq!(json_of(&first), json_of(&second));
    assert_eq!(json_of(&first), json_of(&ask(&["--no-cache"])));
    let lists = folder.path().join("src/lists.pl");
    std::fs::write(&lists, LISTS.replace("app(Zs, [X], Ys)", "Ys = [X|Zs]")).unwrap();
    let third = ask(&kept);
    assert!(
        text(&third.stderr).contains("0 of 2 files are as they were"),
        "{third:?}"
    );
    assert_eq!(json_of(&third), json_of(&ask(&["--no-cache"])));
    assert_ne!(json_of(&first), json_of(&third));
}

/// Names are text, whatever they contain.
#[test]
fn names_cannot_break_the_page() {
    let folder = folder(&[("a.pl", "'<script>alert(1)</script>'(X) :- '\"<b>'(X).\n")]);
    let out = run(folder.path(), &["report", "a.pl", "--no-cache"]);
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    let page = std::fs::read_to_string(folder.path().join("costlens-report.html")).unwrap();
    assert!(
        !page.contains("<script>alert") && !page.contains("\"<b>"),
        "{page}"
    );
    assert!(page.contains("&lt;script&gt;alert"));
}
