//! Nothing that a file asserts is silently ignored: each property is a row, each typo is reported.

use std::process::Output;

use serde_json::Value;

use crate::project::{folder, run};

fn json(out: &Output) -> Value {
    serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"))
}

const LEN: &str = "len([], 0).\nlen([_|T], N) :- len(T, M), N is M+1.\n";

/// Returns the findings of `check` in a file: its exit code, and the document.
fn checked(text: &str, arguments: &[&str]) -> (Option<i32>, Value) {
    let folder = folder(&[("a.pl", text)]);
    let all = [
        "check",
        "--no-library",
        "--no-cache",
        "a.pl",
        "--format",
        "json",
    ];
    let out = run(folder.path(), &[&all[..], arguments].concat());
    (out.status.code(), json(&out))
}

/// Returns the only row about an assertion: its verdict, and the reason or message.
fn row(assertion: &str) -> (String, String) {
    let (_, document) = checked(&format!("{assertion}\n{LEN}"), &[]);
    let rows = document["assertions"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "{assertion}: {document:#}");
    let text = |key: &str| rows[0][key].as_str().unwrap().to_owned();
    (text("verdict"), text("message"))
}

fn warnings(text: &str) -> Vec<String> {
    let (_, document) = checked(text, &[]);
    let all = document["diagnostics"].as_array().unwrap().iter();
    all.map(|d| format!("{}: {}", d["line"], d["message"].as_str().unwrap()))
        .collect()
}

#[test]
fn every_property_is_a_row() {
    for (assertion, verdict, told) in [
        (
            ":- pred len(A,B) : (list(A), var(B)) => int(B).",
            "checked",
            "on success B is int",
        ),
        (
            ":- pred len(A,B) : (list(A), var(B)) => num(B).",
            "checked",
            "on success B is int",
        ),
        (
            ":- pred len(A,B) : (list(A), var(B)) => var(B).",
            "false",
            "on success B is int",
        ),
        (
            ":- pred len(A,B) : (list(A), var(B)) => list(B).",
            "false",
            "on success B is int",
        ),
        (
            ":- pred len(A,B) : (list(A), var(B)) => nat(B).",
            "check",
            "proves nothing of it",
        ),
        (
            ":- pred len(A,B) : (list(A), var(B)) => even(B).",
            "check",
            "none that Costlens knows",
        ),
        (
            ":- pred len(A,B) : (list(A), var(B)) => below(B, 7).",
            "check",
            "does not verify below/2 yet",
        ),
        (
            ":- check success len(A,B) : (list(A), var(B)) => atm(B).",
            "false",
            "on success B is int",
        ),
        (
            ":- check success len(A,B) => atm(B).",
            "false",
            "because no modes are declared",
        ),
        (
            ":- check calls len(A,B) : list(A).",
            "check",
            "does not verify yet that every call",
        ),
        (
            ":- check comp len(A,B) : list(A) + non_det.",
            "checked",
            "any number of solutions is allowed",
        ),
        (
            ":- check comp len(A,B) : list(A) + possibly_fails.",
            "checked",
            "any number of solutions is allowed",
        ),
        (
            ":- check comp len(A,B) : list(A) + nondet.",
            "checked",
            "any number of solutions is allowed",
        ),
        (
            ":- pred len(A,B) : (list(A), var(B)) + coast(ub,steps,3).",
            "check",
            "coast/3 is no property that Costlens knows",
        ),
        (
            ":- pred len(A,B) : (list(A), var(B)) + cost(ub,sent,3).",
            "check",
            "no file that is loaded here declares a resource `sent`",
        ),
    ] {
        let (found, message) = row(assertion);
        assert_eq!(found, verdict, "{assertion}: {message}");
        assert!(message.contains(told), "{assertion}: {message}");
    }
}

#[test]
fn a_type_that_is_read_as_a_wider_one_is_not_proved() {
    let text = "\
:- pred p(A,B) : (atm(A), var(B)) => boolean(B).
:- pred p(A,B) : (atm(A), var(B)) => atm(B).
:- pred q(A,B) : (list(int,A), var(B)) => list(even,B).
:- regtype even/1.
even(N) :- N > 0.
p(A, A).
q(A, A).
";
    let (_, document) = checked(text, &[]);
    let rows = document["assertions"].as_array().unwrap().iter();
    let verdicts: Vec<&str> = rows.map(|r| r["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["check", "checked", "check"], "{document:#}");
}

#[test]
fn no_call_satisfies_a_precondition_that_contradicts_itself() {
    for (precondition, why) in [
        ("(list(A), var(A))", "A is list and var"),
        ("(list(A), int(A))", "A is list and int"),
        ("(var(A), ground(A))", "A is var and ground"),
        (
            "(list(A), length(A) >= 12, length(A) =< 9)",
            "length(A) is at least 12 and at most 9",
        ),
        (
            "(list(A), length(A) < 0)",
            "length(A) is at most -1, and never below 0",
        ),
        (
            "(list(A), nat(B), B < 0)",
            "B is at most -1, and never below 0",
        ),
        (
            "(list(A), int(B), B > 3, B < 4)",
            "B is at least 4 and at most 3",
        ),
    ] {
        for cost in [
            "cost(ub,steps,0)",
            "cost(lb,steps,99)",
            "det",
            "fails",
            "no_exception",
        ] {
            let (verdict, message) = row(&format!(":- pred len(A,B) : {precondition} + {cost}."));
            assert_eq!(verdict, "check", "{precondition} {cost}: {message}");
            let expected = format!("no call satisfies the precondition: {why}");
            assert!(message.contains(&expected), "{precondition}: {message}");
        }
        let text = format!(":- pred len(A,B) : {precondition} + cost(ub,steps,0).\n{LEN}");
        assert_eq!(
            warnings(&text),
            [format!("1: no call satisfies the precondition: {why}")]
        );
    }
    for possible in [
        "(list(A), ground(A))",
        "(list(A), length(A) >= 9, length(A) =< 9)",
        "(nonvar(A), list(A))",
        "(int(B), num(B), list(A))",
    ] {
        let text = format!(":- pred len(A,B) : {possible} + cost(lb,steps,0).\n{LEN}");
        assert_eq!(warnings(&text), [""; 0], "{possible}");
    }
}

#[test]
fn slips_of_the_pen_are_told_where_they_stand() {
    for (text, expected) in [
        (
            ":- pred len(A,B) : (lst(A), var(B)) + cost(ub,steps,3).",
            "1: `lst` is no type; did you mean `list`?",
        ),
        (
            ":- pred len(A,B) : (list(itn,A), var(B)) + cost(ub,steps,3).",
            "1: `itn` is no type; did you mean `int`?",
        ),
        (
            ":- pred len(A,B) : (list(A), var(B)) => itn(B).",
            "1: `itn` is no type; did you mean `int`?",
        ),
        (
            ":- pred len(A,B) : (heap(A), var(B)) + cost(ub,steps,3).",
            "1: `heap` is no type that Costlens knows; define it by clauses of heap/1 and `:- regtype heap/1.`",
        ),
        (
            ":- pred len(A,B) : (list(A), var(B)) + coast(ub,steps,3).",
            "1: coast/3 is no property that Costlens knows; it is ignored; did you mean `cost`?",
        ),
        (
            ":- pred len(A,B) : (list(A), var(B)) + cost(ub,stepz,3).",
            "1: `stepz` is no resource; did you mean `steps`?",
        ),
        (
            "%! len(+A:list, -B) is det.\n%  @cots steps =< 3",
            "2: `@cots` is no tag; did you mean `@cost`?",
        ),
        (
            "% @csot steps =< 3",
            "1: `@csot` is no tag; did you mean `@cost`?",
        ),
        (
            "%! len(+A:list, -B) is det.\n%  @cost steps =< length(A)+9\n%  @size length(A) =< 3",
            "3: `@size` is no tag; did you mean `@sizes`?",
        ),
        (
            "% costlens: ignore[assertion-flase]",
            "1: no rule is called `assertion-flase`; did you mean `assertion-false`?",
        ),
        (
            "% costlens: ignore[assertion-false]",
            "1: `assertion-false` finds nothing here that this comment could silence",
        ),
        (
            "% costlens: ignore[singleton-variable, hint]",
            "1: `singleton-variable` finds nothing here that this comment could silence",
        ),
    ] {
        let found = warnings(&format!("{text}\n{LEN}"));
        assert!(
            found.iter().any(|f| f.starts_with(expected)),
            "{text}: {found:?}"
        );
    }
    for fine in [
        "%! len(+A:list, -B) is det.\n%  @tbd more\n%  @see cost/1\n%  @param A is a list",
        "% costlens: ignore[hint]",
        "% costlens: ignore",
        "% costlens: ignore[assertion-false]\n%! len(+A:list, -B) is det.\n%  @cost steps =< 1",
        ":- regtype heap/1.\nheap(h(_)).\n:- pred len(A,B) : (heap(A), var(B)) + cost(lb,steps,0).",
    ] {
        assert_eq!(warnings(&format!("{fine}\n{LEN}")), [""; 0], "{fine}");
    }
}

#[test]
fn strict_fails_on_what_is_not_decided() {
    let undecided = format!(":- pred len(A,B) : (list(A), var(B)) => nat(B).\n{LEN}");
    let decided = format!(":- pred len(A,B) : (list(A), var(B)) => int(B).\n{LEN}");
    let known = format!("% costlens: ignore[assertion-false] later\n{undecided}");
    for (text, plain, strict) in [(undecided, 0, 1), (decided, 0, 0), (known, 0, 0)] {
        assert_eq!(checked(&text, &[]).0, Some(plain), "{text}");
        assert_eq!(checked(&text, &["--strict"]).0, Some(strict), "{text}");
    }
}

#[test]
fn a_budget_that_is_about_nothing_is_told() {
    let toml = "[[budget]]\nfiles = [\"none/**\"]\nsteps = \"O(n)\"\n\n[[budget]]\npredicates = [\"len/2\"]\nsteps = \"O(1)\"\n\n[[budget]]\npredicates = [\"lne/2\"]\nsteps = \"O(n)\"\n";
    let folder = folder(&[("a.pl", LEN), ("costlens.toml", toml)]);
    let check = |path: &str| {
        run(
            folder.path(),
            &["check", "--no-library", "--no-cache", path],
        )
    };
    let out = check(".");
    let text = String::from_utf8(out.stdout).unwrap();
    let told = "warning[budget]: this budget is about no predicate of the project";
    assert_eq!(text.matches(told).count(), 2, "{text}");
    assert!(
        text.contains("costlens.toml:1:1") && text.contains("costlens.toml:9:1"),
        "{text}"
    );
    // One budget is exceeded, which differs from an assertion that cannot be read.
    assert!(
        text.ends_with("0 assertions\n3 findings about budgets\n"),
        "{text}"
    );
    assert_eq!(out.status.code(), Some(1));
    // Nothing is reported for a part of the project.
    let text = String::from_utf8(check("a.pl").stdout).unwrap();
    assert!(!text.contains(told), "{text}");
}

#[test]
fn warnings_are_not_counted_as_assertions_that_cannot_be_read() {
    let text = format!("%! len(+A:lst, -B) is det.\n%  @cost steps =< length(A)+1\n{LEN}p(.\n");
    let folder = folder(&[("a.pl", text)]);
    let out = run(
        folder.path(),
        &["check", "--no-library", "--no-cache", "a.pl"],
    );
    let shown = String::from_utf8(out.stdout).unwrap();
    assert!(
        shown.contains("1 assertion: 1 not decided, 1 not readable\n1 warning\n"),
        "{shown}"
    );
}

#[test]
fn conditions_that_may_exclude_each_other_refute_nothing() {
    for precondition in [
        "(callable(N), int(N))",
        "(callable(N), num(N))",
        "(callable(N), string(N))",
        "(flt(N), int(N))",
        "(nat(N), flt(N))",
        "(compound(N), atm(N))",
        "(struct(N), int(N))",
        "(atomic(N), compound(N))",
        "(atomic(N), list(N), length(N) > 0)",
        "(list(int, N), list(atm, N), length(N) > 0)",
        "(atm(N), size(N) > 1)",
        "(int(N), size(N) > 5)",
    ] {
        let text = format!(":- check pred p(N) : {precondition} + fails.\np(_).\n");
        let (_, document) = checked(&text, &[]);
        let rows = document["assertions"].as_array().unwrap();
        assert_eq!(rows[0]["verdict"], "check", "{precondition}: {document:#}");
    }
    let (verdict, message) =
        row(":- pred len(A,B) : (list(int,A), list(atm,A), var(B)) + cost(ub,steps,1).");
    assert_eq!(verdict, "check", "{message}");
    assert!(
        message.contains("no call may satisfy both: state one type"),
        "{message}"
    );
    // Assertions refute if both preconditions are known to hold for some calls.
    for precondition in [
        "(ground(A), list(A), var(B))",
        "(nonvar(A), list(A), var(B))",
    ] {
        let (verdict, message) = row(&format!(
            ":- pred len(A,B) : {precondition} + cost(ub,steps,1)."
        ));
        assert_eq!(verdict, "false", "{precondition}: {message}");
    }
}

#[test]
fn calls_that_may_raise_an_exception_refute_no_cost() {
    let text = "\
:- check pred lim(A,B) : (int(A), var(B)) + cost(ub,steps,11).
:- check pred cut(A,B) : (int(A), A > 5, list(B)) + cost(lb,steps,3).
:- check pred sum(A,B) : (list(A), var(B)) + cost(ub,steps,3).
:- check pred loop(A) : int(A) + cost(ub,steps,3).
lim(N,[]) :- N =< 0, !.
lim(N,_) :- N > 10, throw(big).
lim(N,[N|T]) :- M is N-1, lim(M,T).
cut(N,_) :- N > 5, !, throw(a).
cut(_,Xs) :- walk(Xs).
walk([]).
walk([_|T]) :- walk(T).
sum([],0).
sum([X|Xs],S) :- sum(Xs,T), S is X+T.
loop(N) :- loop(N).
";
    let (_, document) = checked(text, &[]);
    let rows = document["assertions"].as_array().unwrap().iter();
    let verdicts: Vec<&str> = rows.map(|a| a["verdict"].as_str().unwrap()).collect();
    // Lists of integers raise none, and take as many steps.
    assert_eq!(
        verdicts,
        ["check", "check", "false", "false"],
        "{document:#}"
    );
    let reason = document["assertions"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("may raise one: state types"), "{reason}");
}

#[test]
fn sizes_that_refute_beside_other_sizes_are_no_interval() {
    let text = "\
:- check pred takex(A,B,C) : (int(A), list(B), var(C)) + solutions(0).
takex(0,_,[]) :- !.
takex(N,[X|Xs],[X|Ys]) :- N > 0, M is N-1, takex(M,Xs,Ys).
";
    let (_, document) = checked(text, &[]);
    let row = &document["assertions"][0];
    assert_eq!(row["verdict"], "false", "{document:#}");
    // With one element and no list there is none.
    assert_eq!(row["intervals"], serde_json::json!([]), "{document:#}");
    assert!(!row["witness"].is_null(), "{document:#}");
}

#[test]
fn each_assertion_is_judged_for_its_own_integers() {
    let text = "\
down(0).
down(N) :- N > 0, M is N-1, down(M).
:- check pred down(A) : nat(A) + det.
:- check pred down(A) : (int(A), A >= 0) + det.
:- check pred down(A) : (int(A), A < 0) + fails.
:- check pred down(A) : int(A) + det.
";
    let (_, document) = checked(text, &[]);
    let rows = document["assertions"].as_array().unwrap().iter();
    let verdicts: Vec<&str> = rows.map(|a| a["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts[..2], ["checked", "checked"], "{document:#}");
    assert_eq!(verdicts[3], "false", "{document:#}");
    let message = document["assertions"][3]["message"].as_str().unwrap();
    assert_eq!(message, "false: no solution for n = -1");
}

#[test]
fn an_assertion_of_a_kind_that_is_not_verified_is_told() {
    let text = "p(X) :- X = 1.\n:- check exit p(A) : int(A) + fails.\n";
    let (_, document) = checked(text, &[]);
    let told = document["diagnostics"].as_array().unwrap().iter();
    let told: Vec<&str> = told.filter_map(|d| d["message"].as_str()).collect();
    assert!(
        told.iter()
            .any(|m| m.starts_with("`exit` assertions are not verified")),
        "{document:#}"
    );
}

#[test]
fn calls_that_may_raise_an_exception_refute_no_number_of_solutions() {
    let text = "\
:- pred a(A) + not_fails.
:- pred a(A) + fails.
:- pred b(X) : var(X) + fails.
:- pred b(X) : var(X) + solutions(1).
:- pred b(X) : var(X) + not_fails.
:- pred b(X) : var(X) => atm(X).
a(_) :- throw(x).
b(X) :- X = 1, atom_length(f(X), _).
";
    let (_, document) = checked(text, &[]);
    let rows = document["assertions"].as_array().unwrap().iter();
    let verdicts: Vec<&str> = rows.map(|r| r["verdict"].as_str().unwrap()).collect();
    let expected = ["check", "checked", "check", "check", "checked", "check"];
    assert_eq!(verdicts, expected, "{document:#}");
    let message = document["assertions"][4]["message"].as_str().unwrap();
    assert!(
        message.ends_with("unless an exception is raised"),
        "{message}"
    );
}

#[test]
fn what_is_no_regular_file_is_said() {
    let folder = folder(&[("a.pl", LEN)]);
    let here = folder.path();
    std::os::unix::fs::symlink(here.join("gone.pl"), here.join("link.pl")).unwrap();
    for command in ["check", "snapshot"] {
        let out = run(here, &[command, "--no-library", "."]);
        assert_eq!(out.status.code(), Some(2), "{out:?}");
        let told = String::from_utf8(out.stderr).unwrap();
        assert!(told.contains("link.pl"), "{told}");
    }
    let out = run(here, &["bounds", "--no-library", "/dev/null"]);
    assert_eq!(out.status.code(), Some(2), "{out:?}");
    let told = String::from_utf8(out.stderr).unwrap();
    assert!(told.contains("it is no regular file"), "{told}");
}
