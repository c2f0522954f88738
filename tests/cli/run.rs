//! `costlens run` as a script sees it.

use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::binary::costlens;
use crate::printed::text;
use crate::project;

const PROGRAM: &str = "\
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
:- op(700, xfx, ===>).
rule(a ===> b).
endless :- endless.
endless_choices. endless_choices :- endless_choices.
deep(0).
deep(N) :- N > 0, M is N-1, deep(M), M >= 0.
grow(X) :- grow([X|X]).
numbers(0, []) :- !.
numbers(N, [N|Ns]) :- M is N-1, numbers(M, Ns).
pick(1, a). pick(2, b). pick(3, c).
len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
";

fn run(arguments: &[&str]) -> Output {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("p.pl"), PROGRAM).unwrap();
    costlens()
        .args(["run", "p.pl"])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .unwrap()
}

fn json_of(arguments: &[&str]) -> Value {
    let out = run(&[arguments, &["--format", "json", "--exit-zero"]].concat());
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"))
}

fn text_of(arguments: &[&str]) -> String {
    let out = run(&[arguments, &["--exit-zero"]].concat());
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    String::from_utf8(out.stdout).unwrap()
}

/// As with `swipl -g`.
#[test]
fn only_success_exits_with_0() {
    let code = |arguments: &[&str]| run(arguments).status.code();
    assert_eq!(code(&["--goal", "nrev([1],X)"]), Some(0));
    for goal in ["fail", "nothing(1)", "endless"] {
        assert_eq!(
            code(&["--goal", goal, "--limit-steps", "1000"]),
            Some(1),
            "{goal}"
        );
    }
}

#[test]
fn the_first_solution() {
    let run = json_of(&["--goal", "nrev([1,2,3],X)"]);
    assert_eq!(run["schema"], 1);
    assert_eq!(run["goal"], "nrev([1,2,3],X)");
    assert_eq!(run["result"], "success");
    assert_eq!(run["solutions"], 1);
    assert_eq!(run["bindings"], json!([{"X": "[3,2,1]"}]));
    assert_eq!(run["exception"], Value::Null);
    assert!(run["elapsed_ns"].as_u64().is_some());
    assert_eq!(run.get("events"), None);
}

#[test]
fn all_solutions() {
    let run = json_of(&["--goal", "app(X, Y, [1,2])", "--all"]);
    assert_eq!(
        run["bindings"],
        json!([{"X": "[]", "Y": "[1,2]"}, {"X": "[1]", "Y": "[2]"}, {"X": "[1,2]", "Y": "[]"}])
    );
    assert_eq!(
        text_of(&["--goal", "app(X, [E], [1,2])", "--all"]),
        "X = [1],\nE = 2\n"
    );
    assert_eq!(text_of(&["--goal", "app(_, [3], [1,2])"]), "false\n");
}

#[test]
fn what_a_run_counts() {
    // n²/2 + 3n/2 + 1 steps, each a call.
    let run = json_of(&["--goal", "nrev([1,2,3,4,5],X)", "--count", "--all"]);
    assert_eq!(run["events"]["steps"], 21);
    assert_eq!(run["events"]["head_unifications"], 21);
    assert_eq!(run["events"]["call"], 5);
    assert_eq!(run["events"]["execute"], 15);
    assert_eq!(run["events"]["environments"], 5);
    // The tests of a clause belong to its steps but not to its head unifications: deep(0) matches both clauses.
    let run = json_of(&["--goal", "deep(2)", "--count", "--all"]);
    assert_eq!(run["events"]["steps"], 3);
    assert_eq!(run["events"]["head_unifications"], 4);
    assert_eq!(run["events"]["arith_greater(fail)"], 1);
}

#[test]
fn operators_of_the_program_hold_in_the_goal() {
    assert_eq!(text_of(&["--goal", "rule(X ===> Y)."]), "X = a,\nY = b\n");
}

#[test]
fn exceptions_are_data() {
    let run = json_of(&["--goal", "nothing(1)"]);
    assert_eq!(run["result"], "exception");
    assert_eq!(
        run["exception"],
        "error(existence_error(procedure,nothing/1),nothing/1)"
    );
    assert_eq!(run["solutions"], 0);
    assert_eq!(text_of(&["--goal", "throw(ball)"]), "exception: ball\n");
}

#[test]
fn limits_are_data() {
    for (goal, limit, arguments) in [
        ("endless", "time", &["--limit-time", "0.2"][..]),
        ("endless", "steps", &["--limit-steps", "100000"]),
        (
            "endless_choices, fail",
            "steps",
            &["--limit-steps", "100000"],
        ),
        ("grow(x)", "memory", &["--limit-memory", "4"]),
        ("deep(10000000)", "memory", &["--limit-memory", "4"]),
        (
            "catch(grow(x), _, true)",
            "memory",
            &["--limit-memory", "4"],
        ),
        (
            "numbers(1000000, L), nrev(L, _)",
            "steps",
            &["--limit-steps", "2000000"],
        ),
    ] {
        let run = json_of(&[&["--goal", goal][..], arguments].concat());
        assert_eq!(
            (&run["result"], &run["limit"]),
            (&json!("limit"), &json!(limit)),
            "{goal}"
        );
    }
}

#[test]
fn large_and_cyclic_terms() {
    assert_eq!(
        text_of(&["--goal", "numbers(1000000, _L), len(_L, N)"]),
        "N = 1000000\n"
    );
    assert_eq!(
        text_of(&["--goal", "_X = f(_X), _Y = f(f(_Y)), _X = _Y"]),
        "true\n"
    );
    let run = json_of(&["--goal", "X = [a|X]"]);
    assert_eq!(run["bindings"], json!([{"X": "@(S_1,[S_1=[a|S_1]])"}]));
}

#[test]
fn a_goal_that_is_no_term() {
    let out = run(&["--goal", "nrev([1,2"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(
        String::from_utf8(out.stderr)
            .unwrap()
            .contains("unclosed `[`")
    );
}

/// The bounds of the pattern that the goal fits, at the sizes of its arguments, are shown next to the counts.
#[test]
fn bounds_stand_beside_counts() {
    let run = json_of(&["--goal", "nrev([1,2,3,4,5],X)", "--bounds"]);
    let estimates = &run["estimates"];
    assert_eq!(estimates["sizes"], json!({"1:length": 5}));
    let steps = &estimates["events"]["steps"];
    assert_eq!(steps["first"], json!({"lower": 21.0, "upper": 21.0}));
    assert_eq!(steps["counted"], 21);
    assert_eq!(steps["ratio"], 1.0);
    assert_eq!(steps["holds"], true);
    assert_eq!(estimates["events"]["get_list"]["counted"], 25);
    assert_eq!(estimates["events"]["get_list"]["first"]["upper"], 25.0);
    let text = text_of(&["--goal", "len([a,b],N)", "--bounds", "--all"]);
    let row = |name: &str| -> Vec<String> {
        let line = text.lines().find(|l| l.trim_start().starts_with(name));
        let cells = line.unwrap_or_default().split_whitespace();
        cells.map(ToOwned::to_owned).collect()
    };
    assert_eq!(
        row("event"),
        [
            "event",
            "all.lower",
            "all.upper",
            "counted",
            "upper/counted"
        ]
    );
    assert_eq!(row("steps"), ["steps", "3", "3", "3", "1.00"]);
}

/// A goal that fits no pattern is not estimated, which is reported; it runs anyway.
#[test]
fn goals_without_estimates_say_why() {
    for (goal, why) in [
        ("nrev(a, X)", "fits no call pattern"),
        ("atom_length(abc, X)", "is not defined by clauses"),
        ("(len([], X), len([], X))", "`,/2`"),
    ] {
        let out = run(&[
            "--goal",
            goal,
            "--bounds",
            "--format",
            "json",
            "--exit-zero",
        ]);
        assert_eq!(out.status.code(), Some(0), "{out:?}");
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(said.contains(why), "{goal}: {said}");
        let json: Value = serde_json::from_slice(&out.stdout).unwrap();
        assert!(json["estimates"]["unknown"].is_string(), "{json}");
        assert!(json["events"].is_object(), "{json}");
    }
}

/// PPDP'08 Tables 8 to 10: times of the bounds on a published platform; the run counts the instructions of another machine.
#[test]
fn times_on_a_platform() {
    let arguments = ["--goal", "nrev([1,2,3],X)", "--bounds"];
    let run = json_of(&[&arguments[..], &["--platform", "ppdp08-intel"]].concat());
    let time = &run["estimates"]["time"];
    let (lower, upper) = (&time["lower"], &time["upper"]);
    assert!(lower.as_f64().unwrap() > 1000.0, "{time}");
    assert!(lower.as_f64() <= upper.as_f64(), "{time}");
    assert_eq!(run["time"]["platform"], "ppdp08-intel");
    assert_eq!(run["time"]["predicted_ns"], Value::Null);
    let not_counted = run["time"]["not_counted"].as_array().unwrap();
    assert!(not_counted.contains(&json!("ppdp08:call")), "{run}");
}

#[test]
fn ports_of_predicates() {
    // The three calls exit 1, 2 and 3 times; after the last solution the second clause of the innermost is still to be tried.
    let run = json_of(&["--goal", "app(X, Y, [1,2])", "--count", "--all"]);
    assert_eq!(
        run["predicates"],
        json!([{
            "name": "app", "arity": 3, "call": 3, "exit": 6, "redo": 6, "fail": 3,
            "clauses": [
                {"tried": 3, "entered": 3, "exit": 3},
                {"tried": 3, "entered": 2, "exit": 3},
            ],
        }])
    );
    let text = text_of(&["--goal", "nrev([1,2,3],X)", "--count"]);
    let row = text.lines().find(|l| l.trim_start().starts_with("nrev/2"));
    let cells: Vec<&str> = row.unwrap().split_whitespace().collect();
    assert_eq!(cells, ["nrev/2", "4", "4", "0", "0"]);
}

/// An argument other than the first selects clauses: fewer choice points, the same answers and steps.
#[test]
fn clauses_chosen_by_all_arguments() {
    let of = |index: &str| json_of(&["--goal", "app(X, [1], [2,1])", "--count", "--index", index]);
    let (first, all) = (of("first"), of("all"));
    assert_eq!(first["bindings"], all["bindings"]);
    let of = |index: &str| {
        let goal = "pick(X, b)";
        json_of(&["--goal", goal, "--all", "--count", "--index", index])
    };
    let (first, all) = (of("first"), of("all"));
    assert_eq!(first["bindings"], json!([{"X": "2"}]));
    assert_eq!(first["bindings"], all["bindings"]);
    assert_eq!(first["events"]["steps"], all["events"]["steps"]);
    assert_eq!(first["events"]["choice_points"], 1);
    assert_eq!(all["events"].get("choice_points"), None);
    // At the first argument, which is unbound, and at the second.
    assert_eq!(all["events"]["switch_on_argument"], 2);
    // The bounds on instructions assume indexing on the first argument.
    let run = json_of(&["--goal", "pick(X, b)", "--bounds", "--index", "all"]);
    let bounded = run["estimates"]["events"].as_object();
    assert!(bounded.is_none_or(|events| {
        events
            .keys()
            .all(|name| name == "steps" || name == "head_unifications")
    }));
}

/// The steps of a loop may be amortised over a list that gets shorter, but other events are not: a test that fails is a head unification and
/// not a step.
#[test]
fn events_do_not_take_the_amortised_bound_on_steps() {
    let program = "\
%! groups(+Xs:list(int), -Gs) is det.
groups([], []).
groups([X|Xs], [X|Gs]) :- skip(Xs, X, Ys), groups(Ys, Gs).
skip([Y|Ys], X, Zs) :- X == Y, !, skip(Ys, X, Zs).
skip(Ys, _, Ys).
";
    let folder = project::folder(&[("p.pl", program)]);
    let shown = |arguments: &[&str]| text(&project::run(folder.path(), arguments).stdout);
    for list in ["[1,2]", "[1,2,3,4]", "[1,1,2,2,3]", "[5,4,4,4,1,1]"] {
        let goal = format!("groups({list}, _)");
        let out = shown(&["run", "p.pl", "--goal", &goal, "--bounds", "--all"]);
        assert!(out.contains("head_unifications"), "{out}");
        assert!(!out.contains("VIOLATED"), "{out}");
    }
    let steps = shown(&["bounds", "p.pl", "--predicate", "groups/2"]);
    assert!(steps.contains("2n + 1"), "{steps}");
    let unifications = ["bounds", "p.pl", "--resource", "head_unifications"];
    assert!(
        !shown(&unifications).contains("2n + 1"),
        "{}",
        shown(&unifications)
    );
}
