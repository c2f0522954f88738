//! The command line as a script sees it: exit codes, standard output, standard error.

use crate::binary::costlens;
use crate::printed::{json_of, text};
use crate::project;

use project::{folder, run};
use serde_json::{Value, json};
use tempfile::TempDir;

const NREV: &str = "\
%! nrev(+Xs:list, -Ys:list) is det.
%  @cost steps =< 10*length(Xs) + 5
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).

%! app(+Xs:list, +Ys:list, -Zs:list) is det.
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
";

fn nrev() -> TempDir {
    folder(&[("nrev.pl", NREV.as_bytes())])
}

#[test]
fn bounds_are_json_of_schema_1() {
    let folder = nrev();
    let out = run(
        folder.path(),
        &["bounds", "nrev.pl", "--format", "json", "--at", "1=30"],
    );
    assert_eq!(out.status.code(), Some(0));
    let all = json_of(&out);
    assert_eq!(all["schema"], 1);
    let p = &all["predicates"][0];
    assert_eq!(p["name"], "nrev");
    assert_eq!(p["arity"], 2);
    assert_eq!(p["file"], "nrev.pl");
    assert_eq!(p["line"], 3);
    assert_eq!(p["module"], "user");
    let pattern = &p["patterns"][0];
    assert_eq!(pattern["modes"], json!(["+", "-"]));
    assert_eq!(pattern["origin"], "declared");
    assert_eq!(pattern["determinism"], "det");
    assert_eq!(pattern["errors"], "excluded");
    assert_eq!(
        pattern["sizes"],
        json!([{"argument": 1, "metric": "length", "name": "n"}])
    );
    assert_eq!(
        pattern["outputs"],
        json!([{"argument": 2, "metric": "length", "lower": "n", "upper": "n"}])
    );
    assert_eq!(pattern["solutions"], json!({"lower": "1", "upper": "1"}));
    let steps = &pattern["bounds"]["steps"];
    let exact = "1/2*n^2+3/2*n+1";
    assert_eq!(steps["lower"], exact);
    assert_eq!(steps["upper"], exact);
    assert_eq!(steps["first"], json!({"lower": exact, "upper": exact}));
    assert_eq!(steps["all"], json!({"lower": exact, "upper": exact}));
    assert_eq!(steps["exact"], true);
    assert_eq!(steps["display"], "n²/2+3n/2+1");
    assert_eq!(steps["upper_class"], "n^2");
    assert_eq!(
        steps["pieces"],
        json!([{"when": "n >= 0", "lower": exact, "upper": exact, "kind": "bounded"}])
    );
    let at = &pattern["at"]["steps"];
    assert_eq!(at["lower"], 496.0);
    assert_eq!(at["upper"], 496.0);
    assert_eq!(at["exact_upper"], "496");
    assert_eq!(pattern["unknown"], json!([]));
}

#[test]
fn bounds_as_text_are_aligned_and_without_colour() {
    let folder = nrev();
    let out = run(folder.path(), &["bounds", "nrev.pl"]);
    assert_eq!(
        text(&out.stdout),
        "\
nrev.pl
  nrev(+Xs:list(any), -Ys)                det  O(n²)  n²/2 + 3n/2 + 1  n = length(Xs)
  app(+Xs:list(any), +Ys:list(any), -Zs)  det  O(n)   n + 1            n = length(Xs), m = length(Ys)
"
    );
    assert!(out.stderr.is_empty(), "{out:?}");
}

#[test]
fn one_predicate_can_be_asked_for() {
    let folder = nrev();
    let out = run(
        folder.path(),
        &["bounds", ".", "--predicate", "app/3", "--format", "json"],
    );
    let all = json_of(&out);
    assert_eq!(all["predicates"].as_array().unwrap().len(), 1);
    assert_eq!(all["predicates"][0]["name"], "app");
    let out = run(folder.path(), &["bounds", ".", "--predicate", "none/1"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("none/1"));
}

const UNBOUNDED: &str = "\
%! walk(+N:int) is det.
walk(0).
walk(N) :- N1 is N+1, walk(N1).

%! twice(+N:int) is det.
twice(N) :- walk(N), walk(N).

%! strange(+N:int) is det.
strange(N) :- nobody_defines(N).
";

#[test]
fn a_summary_says_how_many_predicates_have_bounds_and_what_is_to_blame() {
    let folder = folder(&[("nrev.pl", NREV), ("unbounded.pl", UNBOUNDED)]);
    let out = run(folder.path(), &["bounds", ".", "--summary"]);
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    assert_eq!(
        text(&out.stdout),
        "\
2 files, 5 predicates
  bounded above                 3  60%
  bounded below by more than 0  5  100%
  proved to run for ever        2  40%
"
    );
    let out = run(
        folder.path(),
        &["bounds", ".", "--summary", "--format", "json"],
    );
    let shares = &json_of(&out)["shares"];
    for (field, count) in [
        ("files", 2),
        ("predicates", 5),
        ("upper", 3),
        ("diverges", 2),
        ("fuel", 0),
    ] {
        assert_eq!(shares[field], count, "{field}");
    }
    assert!(shares["causes"].as_array().unwrap().is_empty());
}

#[test]
fn many_points_are_answered_in_order() {
    let folder = nrev();
    let points = "\
{\"pred\":\"nrev/2\",\"sizes\":{\"1\":30}}
{\"pred\":\"app/3\",\"sizes\":{\"1\":2,\"2\":7}}
{\"pred\":\"app/3\",\"sizes\":{}}
{\"pred\":\"other/1\",\"sizes\":{\"1\":1}}
";
    std::fs::write(folder.path().join("points.jsonl"), points).unwrap();
    let out = run(
        folder.path(),
        &["bounds", "nrev.pl", "--sizes", "points.jsonl"],
    );
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    let lines: Vec<Value> = text(&out.stdout)
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0]["pred"], "nrev/2");
    assert_eq!(lines[0]["sizes"], json!({"1": 30}));
    assert_eq!(lines[0]["at"]["steps"]["upper"], 496.0);
    assert_eq!(lines[1]["at"]["steps"]["upper"], 3.0);
    assert_eq!(lines[2]["at"]["steps"]["upper"], Value::Null);
    assert_eq!(lines[3]["at"], Value::Null);
    std::fs::write(folder.path().join("points.jsonl"), "{\"pred\":1}\n").unwrap();
    let out = run(
        folder.path(),
        &["bounds", "nrev.pl", "--sizes", "points.jsonl"],
    );
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("line 1"), "{out:?}");
}

#[test]
fn values_that_nobody_could_read_are_given_up() {
    // The number of solutions is squared in each round.
    let trees = "%! d(+N:nat, -T).\nd(0, a).\nd(0, b).\nd(N, f(X,Y)) :- N > 0, M is N-1, d(M, X), d(M, Y).\n";
    let folder = folder(&[("d.pl", trees)]);
    let evaluated = |at: &str| {
        let out = run(
            folder.path(),
            &["bounds", "d.pl", "--at", at, "--format", "json"],
        );
        json_of(&out)["predicates"][0]["patterns"][0]["evaluated"].clone()
    };
    assert_eq!(evaluated("1=4")["steps"]["exact_upper"], "157542");
    assert_eq!(evaluated("1=40"), Value::Null);
}

#[test]
fn check_prints_the_verdict_with_the_source() {
    let folder = nrev();
    let out = run(folder.path(), &["check", "nrev.pl"]);
    assert_eq!(out.status.code(), Some(1));
    let shown = text(&out.stdout);
    for part in [
        "error[assertion-false]",
        "nrev.pl:2",
        "@cost steps =< 10*length(Xs) + 5",
        "n = 18",
        "1 assertion: 1 false",
    ] {
        assert!(shown.contains(part), "{part} in\n{shown}");
    }
    assert!(!shown.contains('\u{1b}'), "no colour into a pipe");
    let out = run(folder.path(), &["check", "--exit-zero", "nrev.pl"]);
    assert_eq!(out.status.code(), Some(0));
}

#[test]
fn check_does_not_fail_for_what_a_comment_ignores() {
    let ignored = NREV.replacen("%!", "% costlens: ignore[assertion-false]\n%!", 1);
    let folder = folder(&[("nrev.pl", ignored.as_str())]);
    let out = run(folder.path(), &["check", "nrev.pl"]);
    assert_eq!(out.status.code(), Some(0));
    assert_eq!(
        text(&out.stdout),
        "1 assertion: 1 false and ignored\n",
        "{out:?}"
    );
    let out = run(folder.path(), &["check", "nrev.pl", "--format", "json"]);
    let all = json_of(&out);
    assert_eq!(out.status.code(), Some(0));
    assert_eq!(all["assertions"][0]["verdict"], "false");
    assert_eq!(all["assertions"][0]["suppressed"], true);
    // A comment about another rule does not suppress this one.
    let other = ignored.replace("[assertion-false]", "[hint]");
    std::fs::write(folder.path().join("nrev.pl"), other).unwrap();
    let out = run(folder.path(), &["check", "nrev.pl"]);
    assert_eq!(out.status.code(), Some(1));
}

#[test]
fn the_dialect_of_the_files_can_be_given() {
    let folder = folder(&[("a.pl", "p(X) :- X #= 1.\n")]);
    let code = |dialect: &[&str]| {
        let arguments: Vec<&str> = ["check", "a.pl"].iter().chain(dialect).copied().collect();
        run(folder.path(), &arguments).status.code()
    };
    assert_eq!(code(&[]), Some(1));
    assert_eq!(code(&["--dialect", "gnu"]), Some(0));
    assert_eq!(code(&["--dialect", "prolog"]), Some(2));
}

#[test]
fn check_is_json_of_schema_1() {
    let folder = nrev();
    let out = run(folder.path(), &["check", "nrev.pl", "--format", "json"]);
    assert_eq!(out.status.code(), Some(1));
    let all = json_of(&out);
    let a = &all["assertions"][0];
    assert_eq!(a["file"], "nrev.pl");
    assert_eq!(a["line"], 2);
    assert_eq!(a["predicate"], "nrev/2");
    assert_eq!(a["resource"], "steps");
    assert_eq!(a["approx"], "ub");
    assert_eq!(a["type"], "call");
    assert_eq!(a["verdict"], "false");
    assert_eq!(
        a["intervals"],
        json!([
            {"size": "n", "from": 0, "to": 17, "verdict": "checked"},
            {"size": "n", "from": 18, "to": null, "verdict": "false"}
        ])
    );
    assert_eq!(a["asserted"], "10*n+5");
    assert_eq!(
        a["inferred"],
        json!({"lower": "1/2*n^2+3/2*n+1", "upper": "1/2*n^2+3/2*n+1"})
    );
    assert_eq!(
        a["witness"],
        json!({"sizes": {"n": 18}, "inferred": 190.0, "asserted": 185.0})
    );
    assert_eq!(all["diagnostics"], json!([]));
}

#[test]
fn what_is_fine_ends_with_0() {
    let fine = NREV.replace("10*length(Xs) + 5", "length(Xs)^2 + 2*length(Xs) + 1");
    let folder = folder(&[("a.pl", fine.as_bytes())]);
    let out = run(folder.path(), &["check", "a.pl"]);
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    assert!(
        text(&out.stdout).contains("1 assertion: 1 checked"),
        "{out:?}"
    );
}

#[test]
fn explanations_name_the_equations() {
    let folder = nrev();
    let out = run(folder.path(), &["explain", "nrev.pl", "nrev/2"]);
    assert_eq!(out.status.code(), Some(0));
    let shown = text(&out.stdout);
    assert!(
        shown.contains("equations") && shown.contains("nrev(n-1)"),
        "{shown}"
    );
    let out = run(
        folder.path(),
        &["explain", "nrev.pl", "nrev/2", "--format", "json"],
    );
    let all = json_of(&out);
    let pattern = &all["predicate"]["patterns"][0];
    assert!(
        !pattern["explanation"]["equations"]
            .as_array()
            .unwrap()
            .is_empty(),
        "{all}"
    );
    // Runs on small inputs show that both bounds are exact.
    let line = "lower and upper bound reached: nrev([1,3,5],A) runs 10 steps, the bound at n = 3 (and at all sizes tried)";
    assert!(shown.contains(line), "{shown}");
    let attained = &pattern["explanation"]["attained"];
    assert_eq!(attained["violations"], serde_json::json!([]));
    let bounds = attained["bounds"].as_array().unwrap();
    assert_eq!(bounds.len(), 4, "{attained}");
    for b in bounds {
        assert_eq!(b["sizes_reached"], b["sizes_tried"], "{attained}");
        assert_eq!(b["reached"]["steps"], 10, "{attained}");
        assert_eq!(b["reached"]["sizes"], serde_json::json!({"n": 3}));
    }
    let calls = pattern["explanation"]["calls"].as_array().unwrap();
    let app = calls
        .iter()
        .find(|c| c["goal"] == "app(Zs, [X], Ys)")
        .unwrap();
    assert_eq!(
        app["callee"],
        serde_json::json!({"name": "app", "arity": 3})
    );
    assert_eq!(app["total"], "1/2*n^2+1/2*n", "{app}");
    assert_eq!(app["share"]["limit"], 100.0, "{app}");
    assert_eq!(app["dominating"], true, "{app}");
    let out = run(folder.path(), &["explain", "nrev.pl", "nrev/7"]);
    assert_eq!(out.status.code(), Some(2));
}

#[test]
fn code_of_clauses_is_shown_under_both_models() {
    let folder = nrev();
    let code = |more: &[&str]| {
        let arguments = [&["explain", "nrev.pl", "nrev/2", "--code"], more].concat();
        let out = run(folder.path(), &arguments);
        assert_eq!(out.status.code(), Some(0), "{out:?}");
        out
    };
    let own = text(&code(&[]).stdout);
    assert!(
        own.contains("a list cell: 2") && own.contains("call(nrev/2,3)"),
        "{own}"
    );
    let paper = text(&code(&["--model", "ppdp08"]).stdout);
    assert!(
        paper.contains("E(C,H)") && paper.contains("E(C,L2) app/3"),
        "{paper}"
    );
    let all = json_of(&code(&["--model", "ppdp08", "--format", "json"]));
    assert_eq!(all["model"], "ppdp08");
    let parts = all["clauses"][1]["parts"].as_array().unwrap();
    let first_literal = serde_json::json!({"number": 1, "predicate": "nrev/2"});
    assert_eq!(parts[1]["literal"], first_literal, "{all}");
    assert_eq!(parts[1]["instructions"][0]["name"], "call", "{all}");
    let out = run(folder.path(), &["explain", "nrev.pl", "nrev/7", "--code"]);
    assert_eq!(out.status.code(), Some(2));
    let out = run(
        folder.path(),
        &["explain", "nrev.pl", "nrev/2", "--model", "ppdp08"],
    );
    assert_eq!(out.status.code(), Some(2), "a model is one of code");
}

#[test]
fn events_and_times_stand_beside_steps() {
    let folder = nrev();
    let out = run(
        folder.path(),
        &[
            "bounds",
            "nrev.pl",
            "--resource",
            "giunif",
            "--resource",
            "time",
            "--platform",
            "padl07-intel-2",
            "--at",
            "1=50",
            "--format",
            "json",
        ],
    );
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    let all = json_of(&out);
    assert_eq!(all["platform"], "padl07-intel-2");
    let pattern = &all["predicates"][0]["patterns"][0];
    let bounds = pattern["bounds"].as_object().unwrap();
    assert_eq!(bounds.keys().collect::<Vec<_>>(), ["giunif", "time"]);
    assert_eq!(bounds["giunif"]["upper"], "1/2*n^2+7/2*n+1");
    assert_eq!(bounds["giunif"]["exact"], true);
    assert_eq!(pattern["at"]["giunif"]["upper"], 1426.0);
    let time = &bounds["time"];
    assert_eq!(time["unit"], "ns");
    // The constants of the paper come without intervals.
    assert_eq!(time["low"], time["lower"]);
    assert_eq!(time["high"], time["upper"]);
    assert_eq!(pattern["at"]["time"]["exact_upper"], "101071.97");
    assert_eq!(pattern["at"]["time"]["high"], 101_071.97);

    // Only a platform selects steps and time.
    let out = run(
        folder.path(),
        &[
            "bounds",
            "nrev.pl",
            "--platform",
            "padl07-ppc-4",
            "--at",
            "1=50",
        ],
    );
    let shown = text(&out.stdout);
    assert!(shown.contains("n²/2 + 3n/2 + 1"), "{shown}");
    assert!(shown.contains("at: 243.8 µs"), "{shown}");

    std::fs::write(
        folder.path().join("points.jsonl"),
        "{\"pred\":\"nrev/2\",\"sizes\":{\"1\":50}}\n",
    )
    .unwrap();
    let out = run(
        folder.path(),
        &[
            "bounds",
            "nrev.pl",
            "--resource",
            "vounif",
            "--sizes",
            "points.jsonl",
        ],
    );
    assert_eq!(json_of(&out)["at"]["vounif"]["exact_upper"], "2550");
}

/// The counts of heads of single-sided rules whose guards fail are unknown, although their steps are known.
#[test]
fn single_sided_rules_have_bounds_on_steps_alone() {
    let folder = folder::<&[u8]>(&[(
        "main.pl",
        b"%! s(+N:int, -R) is semidet.\ns(N, R), N > 0 => M is N-1, s(M, S), R is S+1.\ns(0, R) => R = 0.\n",
    )]);
    let out = run(
        folder.path(),
        &[
            "bounds",
            "main.pl",
            "--resource",
            "steps",
            "--resource",
            "head_unifications",
            "--format",
            "json",
        ],
    );
    let all = json_of(&out);
    let bounds = &all["predicates"][0]["patterns"][0]["bounds"];
    assert_eq!(bounds["steps"]["upper"], "n+1");
    assert_eq!(
        bounds["head_unifications"]["upper"],
        serde_json::Value::Null
    );
}

#[test]
fn platforms_are_listed_with_their_constants_and_origins() {
    let folder = nrev();
    let out = run(folder.path(), &["platforms", "--format", "json"]);
    assert_eq!(out.status.code(), Some(0));
    let all = json_of(&out);
    let platforms = all["platforms"].as_array().unwrap();
    assert_eq!(platforms.len(), 15);
    let p = &platforms[0];
    assert_eq!(p["name"], "padl07-intel-1");
    assert_eq!(p["source"], "paper");
    let steps = (p["constants"].as_array().unwrap().iter()).find(|c| c["event"] == "steps");
    assert_eq!(
        steps,
        Some(&json!({"event": "steps", "ns": 21.27, "low": 21.27, "high": 21.27}))
    );
    let shown = text(&run(folder.path(), &["platforms"]).stdout);
    assert!(
        shown.contains("padl07-ppc-4") && shown.contains("183.83 ns"),
        "{shown}"
    );
}

#[test]
fn explain_says_how_long_it_takes_on_a_platform() {
    let folder = nrev();
    let on = |name: &str| {
        run(
            folder.path(),
            &["explain", "nrev.pl", "nrev/2", "--platform", name],
        )
    };
    let out = on("padl07-intel-2");
    let shown = text(&out.stdout);
    assert!(
        shown.contains("time on padl07-intel-2: ") && shown.contains("1 ms up to n"),
        "{shown}"
    );
    let out = on("nowhere");
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("nowhere"), "{out:?}");
}

#[test]
fn explain_says_which_of_two_predicates_is_cheaper() {
    let squares = "\
%! squares(+Xs:list, -Ys)
squares([], []).
squares([X|Xs], [X|Ys]) :- walk(Xs), squares(Xs, Ys).

%! tens(+Xs:list, -Ys)
tens([], []).
tens([X|Xs], [X|Ys]) :- walk([a,b,c,d,e,f,g]), tens(Xs, Ys).

%! walk(+Xs:list)
walk([]).
walk([_|Xs]) :- walk(Xs).
";
    let folder = folder(&[("two.pl", squares.as_bytes())]);
    let against = ["explain", "two.pl", "squares/2", "--against", "tens/2"];
    let shown = text(&run(folder.path(), &against).stdout);
    // n²/2 + 3n/2 + 1 and 9n + 1 steps.
    let lines = "\
compared with tens/2, all sizes being n
  steps, n = 0: both take the same
  steps, n = 1 to 14: squares/2 takes no more
  steps, n = 15: both take the same
  steps, n ≥ 16: tens/2 takes no more
";
    assert!(shown.ends_with(lines), "{shown}");

    let swi = [
        "--platform",
        "swi-9.0.4-x86_64-instructions",
        "--format",
        "json",
    ];
    let found = json_of(&run(folder.path(), &[&against[..], &swi].concat()));
    let by = &found["crossover"]["by"];
    assert_eq!(
        by["steps"][2],
        json!({"from": "15", "to": "15", "no_more": null, "same": true})
    );
    let last = by["time"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["no_more"], &last["to"]),
        (&json!("tens/2"), &Value::Null)
    );

    let out = run(
        folder.path(),
        &["explain", "two.pl", "squares/2", "--against", "nine/2"],
    );
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("nine/2"), "{out:?}");
}

#[test]
fn explain_draws_the_bounds() {
    let folder = nrev();
    let drawn = |what: &str, file: &str| {
        let out = run(folder.path(), &["explain", "nrev.pl", what, "--svg", file]);
        (
            out.status.code(),
            std::fs::read_to_string(folder.path().join(file)),
        )
    };
    let (code, svg) = drawn("nrev/2", "nrev.svg");
    assert_eq!(code, Some(0));
    let svg = svg.unwrap();
    assert!(
        svg.starts_with("<svg") && svg.contains("length(Xs)"),
        "{svg}"
    );
    assert_eq!(drawn("nrev/2", "no/folder.svg").0, Some(2));
}

#[test]
fn calls_that_cannot_be_used_end_with_2_and_say_why() {
    let folder = nrev();
    for (arguments, named) in [
        (&["bounds"][..], "PATH"),
        (&["frobnicate"], "frobnicate"),
        (&["bounds", "missing.pl"], "missing.pl"),
        (&["bounds", "nrev.pl", "--at", "x"], "x"),
        (
            &[
                "bounds",
                "nrev.pl",
                "--resource",
                "time",
                "--dialect",
                "iso",
            ],
            "--platform",
        ),
        (&["bounds", "nrev.pl", "--resource", "parsecs"], "parsecs"),
        (
            &["bounds", "nrev.pl", "--platform", "abacus"],
            "padl07-intel-2",
        ),
        (&["bounds", "nrev.pl", "--predicate", "nrev"], "nrev"),
        (&["bounds", "nrev.pl", "--format", "xml"], "xml"),
        (&["check", "nrev.pl", "missing.pl"], "missing.pl"),
        (&["explain", "nrev.pl", "nrev"], "nrev"),
    ] {
        let out = run(folder.path(), arguments);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}: {out:?}");
        assert!(text(&out.stderr).contains(named), "{arguments:?}: {out:?}");
    }
}

#[test]
fn folders_give_their_prolog_files() {
    let folder = folder::<&[u8]>(&[
        ("a/one.pl", b"one(1).\n"),
        ("a/two.pro", b"two(2).\n"),
        ("a/three.txt", b"three(3).\n"),
        ("a/.hidden/four.pl", b"four(4).\n"),
        ("a/perl.pl", b"#!/usr/bin/perl\nuse strict;\nmy $x = 1;\n"),
        ("b/five.plt", b"five(5).\n"),
    ]);
    let out = run(folder.path(), &["bounds", ".", "--format", "json"]);
    let all = json_of(&out);
    let names: Vec<&str> = (all["predicates"].as_array().unwrap().iter())
        .map(|p| p["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["one", "two", "five"]);
}

#[test]
fn odd_files_are_read() {
    let folder = folder::<&[u8]>(&[
        ("latin.pl", b"% caf\xe9\np(a).\nq('\xff\xfe') :- p(_).\n"),
        ("mark.pl", b"\xef\xbb\xbfp(a).\n"),
        ("dos.pl", b"p(a).\r\nq :-\r\n    p(_).\r\n"),
        ("nul.pl", b"p(\0).\nq(a).\n"),
        ("empty.pl", b""),
        ("perl.pl", b"#!/usr/bin/perl\nuse strict;\nmy $x = 1;\n"),
    ]);
    for file in [
        "latin.pl", "mark.pl", "dos.pl", "nul.pl", "empty.pl", "perl.pl",
    ] {
        let out = run(folder.path(), &["bounds", file, "--format", "json"]);
        assert_eq!(out.status.code(), Some(0), "{file}: {out:?}");
        json_of(&out);
        let out = run(folder.path(), &["check", file]);
        assert!(matches!(out.status.code(), Some(0 | 1)), "{file}: {out:?}");
    }
    let out = run(folder.path(), &["bounds", "latin.pl", "--format", "json"]);
    assert!(text(&out.stderr).contains("UTF-8"));
    assert_eq!(json_of(&out)["predicates"][1]["line"], 3);
    let out = run(folder.path(), &["-q", "bounds", "latin.pl"]);
    assert!(out.stderr.is_empty(), "{out:?}");
}

#[test]
fn a_syntax_error_is_shown_and_costs_its_clause_alone() {
    let folder = folder::<&[u8]>(&[("a.pl", b"p(X) :- q(X.\nq(a).\n")]);
    let out = run(folder.path(), &["check", "a.pl"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stdout).contains("error[syntax]"), "{out:?}");
    let out = run(folder.path(), &["bounds", "a.pl", "--format", "json"]);
    let all = json_of(&out);
    assert_eq!(all["predicates"][0]["name"], "q");
    let d = &all["diagnostics"][0];
    assert_eq!(
        (&d["code"], &d["line"]),
        (&json!("syntax"), &json!(1)),
        "{all}"
    );
}

#[test]
fn divergence_on_backtracking_is_told_from_divergence() {
    let text_of = |program: &str| {
        let folder = folder::<&[u8]>(&[("a.pl", program.as_bytes())]);
        let out = run(
            folder.path(),
            &["bounds", "a.pl", "--at", "1=3", "--format", "json"],
        );
        json_of(&out)["predicates"][0]["patterns"][0].clone()
    };
    // The first answer is found; the search for another passes 0 and never ends.
    let redo = text_of("%! down(+N:nat) is nondet.\ndown(0).\ndown(N) :- M is N-1, down(M).\n");
    assert_eq!(redo["at"]["steps"]["first"]["upper"], 4.0, "{redo}");
    assert_eq!(redo["at"]["steps"]["upper"], "inf", "{redo}");
    let ever = text_of("%! up(+N:int) is nondet.\nup(N) :- M is N+1, up(M).\n");
    assert_eq!(ever["at"]["steps"]["lower"], "inf", "{ever}");
    assert_eq!(ever["bounds"]["steps"]["display"], "diverges", "{ever}");
}

#[test]
fn the_log_can_go_to_a_file() {
    let folder = nrev();
    let out = run(
        folder.path(),
        &["bounds", "missing.pl", "--log-file", "log.txt"],
    );
    assert_eq!(out.status.code(), Some(2));
    assert!(out.stderr.is_empty());
    let log = std::fs::read_to_string(folder.path().join("log.txt")).unwrap();
    assert!(log.contains("missing.pl"), "{log}");
}

#[test]
fn spans_go_to_the_log_file_and_results_stay_as_they_are() {
    let folder = nrev();
    let plain = run(folder.path(), &["bounds", "nrev.pl"]);
    let logged = run(
        folder.path(),
        &["bounds", "nrev.pl", "--log-file", "log.txt"],
    );
    assert_eq!(plain.stdout, logged.stdout);
    assert!(plain.stderr.is_empty() && logged.stderr.is_empty());
    let log = std::fs::read_to_string(folder.path().join("log.txt")).unwrap();
    for span in ["command{name=\"bounds\"}", "question{name=\"bounds\"}"] {
        assert!(log.contains(span), "{log}");
    }
    let filtered = |filter: &str| {
        let out = costlens()
            .args(["bounds", "nrev.pl", "--log-file", "log.txt"])
            .env("COSTLENS_LOG", filter)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let log = std::fs::read_to_string(folder.path().join("log.txt")).unwrap();
        (out.status.code(), log)
    };
    assert_eq!(filtered("off"), (Some(0), String::new()));
    assert_eq!(filtered("costlens=loud").0, Some(2));
}

#[test]
fn the_version_is_printed() {
    let folder = nrev();
    let out = run(folder.path(), &["--version"]);
    assert_eq!(
        text(&out.stdout).trim(),
        concat!("costlens ", env!("CARGO_PKG_VERSION"))
    );
}
