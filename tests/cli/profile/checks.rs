//! `--check`: assertions that static analysis leaves undecided, checked against runs.

use super::*;

use crate::binary::costlens;

/// The paper's Fig. 3 with the assertions of its Examples 2 and 3.
const QSORT: &str = ":- check pred qsort1(A,B) + rel_cost(ub,steps,55).
:- check pred qsort2(A,B) + rel_cost(ub,steps,55).
:- check pred qsort(A,B) : (list(A,num), var(B)) + cost(ub,steps,length(A)*log(length(A))).
:- cost_center qsort1/2, qsort2/2.
";

/// No bound of it is known.
const COLLATZ: &str = ":- check pred collatz(N) : positive_integer(N) + cost(ub,steps,N).
:- check pred collatz(N) : positive_integer(N) + cost(lb,steps,1).
collatz(1) :- !.
collatz(N) :- ( N mod 2 =:= 0 -> M is N // 2 ; M is 3 * N + 1 ), collatz(M).
";

fn checked(program: &str, goal: &str, more: &[&str]) -> Value {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("p.pl"), program).unwrap();
    let arguments = [&["p.pl", "--check", "--goal", goal], more].concat();
    json_of(folder.path(), &arguments)
}

/// Returns the verdicts, and whether runs gave them.
fn verdicts(found: &Value) -> Vec<(&str, bool)> {
    let of = |c: &'_ Value| c["by_run"].as_bool().unwrap();
    list(&found["checks"])
        .iter()
        .map(|c| (c["verdict"].as_str().unwrap(), of(c)))
        .collect()
}

fn qsort() -> String {
    let text = std::fs::read_to_string(programs().join("balanced.pl")).unwrap();
    format!(
        "{QSORT}{}",
        text.replace(":- cost_center qsort1/2, qsort2/2.", "")
    )
}

#[test]
fn balanced_and_unbalanced_calls() {
    let balanced = checked(&qsort(), "numbers(2500, 42, L), qsort(L, _)", &[]);
    // The logarithm is refuted without a run.
    let wanted = [("observed", true), ("observed", true), ("false", false)];
    assert_eq!(verdicts(&balanced), wanted);
    let sorted = checked(&qsort(), "qsort([1,2,3,4,5,6,7,8,9,10], _)", &[]);
    let wanted = [("observed", true), ("false", true), ("false", false)];
    assert_eq!(verdicts(&sorted), wanted);
    let wrong = &list(&sorted["checks"])[1];
    assert_eq!(wrong["asserted"], 55.0);
    let seen = wrong["seen"].as_f64().unwrap();
    assert!((65.0..75.0).contains(&seen), "{seen}");
    let observed = format!(":- obs pred qsort2(A,B) + rel_cost(eq,steps,{seen:.2}).");
    assert_eq!(wrong["observed"], *observed);
    // The output can be read again.
    let again = format!("{observed}\n{}", qsort());
    assert_eq!(verdicts(&checked(&again, "true", &[])).len(), 3);
}

#[test]
fn a_bound_that_nobody_knows_is_refuted_by_a_run() {
    let found = checked(COLLATZ, "collatz(27)", &[]);
    assert_eq!(verdicts(&found), [("false", true), ("checked", false)]);
    let wrong = &list(&found["checks"])[0];
    assert_eq!(wrong["goal"], "collatz(27)");
    assert_eq!(
        (&wrong["seen"], &wrong["asserted"]),
        (&112.0.into(), &27.0.into())
    );
    let right = checked(COLLATZ, "collatz(16)", &[]);
    assert_eq!(verdicts(&right)[0], ("observed", true));
    let elsewhere = checked(COLLATZ, "catch(collatz(a), _, true)", &[]);
    assert_eq!(verdicts(&elsewhere)[0], ("undecided", false));
    // A limit ends the run: the amount used so far is already too much.
    let limited = checked(COLLATZ, "collatz(27)", &["--limit-steps", "60"]);
    assert_eq!(limited["result"], "limit");
    assert_eq!(verdicts(&limited)[0], ("false", true));
}

/// Inputs from tests of plunit: `run_tests`, which is SWI-Prolog's own there.
#[test]
fn tests_are_inputs() {
    let program = ":- use_module(library(plunit)).
:- check pred collatz(N) : positive_integer(N) + cost(ub,steps,N).
collatz(1) :- !.
collatz(N) :- ( N mod 2 =:= 0 -> M is N // 2 ; M is 3 * N + 1 ), collatz(M).
:- begin_tests(collatz).
test(one) :- collatz(1).
test(more, [true]) :- collatz(27).
test(each, [forall(member(N, [2,4,8]))]) :- collatz(N).
test(wrong, [throws(_)]) :- collatz(a).
test(not, [fail]) :- \\+ collatz(16).
:- end_tests(collatz).
";
    let found = checked(program, "run_tests", &["--cost-center", "collatz/1"]);
    assert_eq!(found["result"], "success");
    let wrong = &list(&found["checks"])[0];
    assert_eq!(wrong["goal"], "collatz(27)");
    assert_eq!(wrong["judged"], 6);
    let of = |found: &Value| {
        let centre = list(&found["centres"])
            .iter()
            .find(|c| c["name"] == "collatz/1");
        let centre = centre.unwrap().clone();
        [centre["calls"].clone(), centre["exits"].clone()]
    };
    assert_eq!(of(&found), [7, 6]);
    if !super::swi::missing() {
        let options = ["--cost-center", "collatz/1", "--engine", "swi"];
        assert_eq!(of(&checked(program, "run_tests", &options)), [7, 6]);
    }
}

#[test]
fn exit_codes_and_texts_of_checks() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("p.pl"), COLLATZ).unwrap();
    let run = |goal: &str| profile(folder.path(), &["p.pl", "--check", "--goal", goal]);
    assert_eq!(run("collatz(16)").status.code(), Some(0));
    let wrong = run("collatz(27)");
    assert_eq!(wrong.status.code(), Some(1));
    let out = String::from_utf8(wrong.stdout).unwrap();
    for line in [
        "p.pl:1: false: collatz/1 + cost(ub,steps,N)\n  the call collatz(27): 112 seen, 27 asserted\n",
        ":- obs pred collatz(A) + (cost(lb,steps,112),cost(ub,steps,112)).\n",
    ] {
        assert!(out.contains(line), "{out}");
    }
}

/// Shares are those of any profile; single calls are checked on the embedded engine.
#[test]
fn shares_on_swi_prolog() {
    if super::swi::missing() {
        return;
    }
    let program = qsort().replace("rel_cost(ub,steps", "rel_cost(ub,cuts");
    let found = checked(
        &program,
        "numbers(600, 42, L), qsort(L, _)",
        &["--engine", "swi"],
    );
    assert_eq!(verdicts(&found)[..2], [("observed", true); 2]);
    let found = checked(COLLATZ, "collatz(27)", &["--engine", "swi"]);
    assert_eq!(verdicts(&found)[0], ("undecided", false));
}

/// A service whose requests cost more and more of the parser.
const SERVICE: &str = ":- check pred parse(N) + rel_cost(ub,steps,60).
:- cost_center request/1, parse/1, reply/0.
serve(N, Last) :- N > Last, !.
serve(N, Last) :- request(N), M is N+1, serve(M, Last).
request(N) :- parse(N), reply.
parse(0) :- !.
parse(N) :- M is N-1, parse(M).
reply :- count(20).
count(0) :- !.
count(N) :- M is N-1, count(M).
";

fn service(more: &[&str]) -> Value {
    let goal = "serve(1, 60)";
    let found = checked(SERVICE, goal, more);
    list(&found["checks"])[0].clone()
}

#[test]
fn shares_are_checked_from_time_to_time() {
    // Over the whole run it is 57%.
    let whole = service(&[]);
    assert_eq!(
        (&whole["verdict"], &whole["judged"]),
        (&"observed".into(), &1.into())
    );
    // 180 calls of centres, and the end. Only the last requests are too expensive, and they have the same weight as the others.
    let added_up = service(&["--every", "30"]);
    assert_eq!(
        (&added_up["verdict"], &added_up["judged"]),
        (&"observed".into(), &7.into())
    );
    // Old calls are forgotten.
    let windows = service(&["--every", "30", "--decay", "0"]);
    assert_eq!(windows["verdict"], "false");
    assert_eq!(windows["judged"], 7);
    assert!(
        windows["goal"].as_str().unwrap().starts_with("check "),
        "{windows}"
    );
    assert!(windows["seen"].as_f64().unwrap() > 68.0, "{windows}");
    // With weights it is in between.
    let weighted = service(&["--every", "30", "--decay", "0.5"]);
    let of = |check: &Value| check["seen"].as_f64().unwrap();
    assert!(of(&weighted) < of(&windows), "{weighted}");
    let by_time = service(&["--every", "0.000001s", "--decay", "0"]);
    assert!(by_time["judged"].as_u64().unwrap() > 20, "{by_time}");
}

/// Cuts are counted on both engines, and shares are checked after the same calls.
#[test]
fn shares_are_checked_from_time_to_time_on_swi_prolog() {
    if super::swi::missing() {
        return;
    }
    let program = SERVICE.replace("rel_cost(ub,steps,60)", "rel_cost(ub,cuts,45)");
    let of = |more: &[&str]| {
        let found = checked(&program, "serve(1, 60)", more);
        let check = list(&found["checks"])[0].clone();
        ["verdict", "judged", "goal", "seen", "observed"].map(|key| check[key].clone())
    };
    for more in [
        &["--every", "30"][..],
        &["--every", "30", "--decay", "0"],
        &["--every", "1", "--decay", "0.5"],
        &["--every", "1000"],
    ] {
        let embedded = of(more);
        let swi = of(&[more, &["--engine", "swi"]].concat());
        assert_eq!(embedded, swi, "{more:?}");
    }
    assert_eq!(
        of(&["--every", "30", "--decay", "0", "--engine", "swi"])[0],
        "false"
    );
    let by_time = of(&["--every", "0.000001s", "--engine", "swi"]);
    assert!(by_time[1].as_u64().unwrap() > 20, "{by_time:?}");
}

/// Without hooks steps are unknown, however often shares are checked.
#[test]
fn shares_of_what_is_not_measured() {
    for more in [&["--no-hooks"][..], &["--no-hooks", "--every", "30"]] {
        let found = checked(SERVICE, "serve(1, 60)", more);
        let check = &list(&found["checks"])[0];
        assert_eq!(check["verdict"], "undecided");
        assert_eq!(
            check["reason"], "the profile does not measure it",
            "{more:?}"
        );
    }
}

/// Tests of plunit that fail are also failures in SWI-Prolog.
#[test]
fn tests_that_fail_are_told() {
    let program = ":- use_module(library(plunit)).
p(1). p(2).
:- dynamic flag/1.
:- begin_tests(a, [setup(assertz(flag(1))), cleanup(retractall(flag(_)))]).
test(one) :- p(1).
test(three) :- p(3).
test(sum, X =:= 3) :- X is 1+2.
test(wrong_sum, [true(X =:= 4), nondet]) :- X is 1+2.
test(all, all(X == [1,2])) :- p(X).
test(wrong_all, all(X == [2,1])) :- p(X).
test(set, set(X == [2,1])) :- p(X).
test(error, error(type_error(_,_))) :- X is foo+1, print(X).
test(wrong_ball, throws(foo)) :- throw(bar).
test(fails, fail) :- p(3).
test(no_failure, [fail]) :- p(1).
test(each, [forall(member(X,[1,2,3]))]) :- p(X).
test(raises) :- X is foo+1, print(X).
test(blocked, [blocked(later)]) :- fail.
test(never, [condition(fail)]) :- fail.
test(guarded, [setup(assertz(flag(2))), cleanup(retract(flag(2)))]) :- flag(2).
test(-1) :- flag(1).
test(+) :- flag(2).
:- end_tests(a).
test(none) :- p(0).
:- begin_tests(b).
test(b) :- p(2), \\+ flag(_).
:- end_tests(b).
";
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("p.pl"), program).unwrap();
    let failed = [
        "three",
        "wrong_sum",
        "wrong_all",
        "wrong_ball",
        "no_failure",
        "each",
        "raises",
        "+",
    ];
    let said = |name: &&str| format!("test {name} of unit a failed");
    let found = json_of(folder.path(), &["p.pl", "--goal", "run_tests"]);
    let expected: Vec<String> = failed.iter().map(said).collect();
    assert_eq!(found["failed_tests"], Value::from(expected));
    assert_eq!(
        (&found["result"], &found["solutions"]),
        (&"failure".into(), &0.into())
    );
    let code = |goal: &str, more: &[&str]| {
        let out = profile(folder.path(), &[&["p.pl", "--goal", goal], more].concat());
        (out.status.code(), String::from_utf8(out.stdout).unwrap())
    };
    let (status, text) = code("run_tests(a:three)", &[]);
    assert_eq!(status, Some(1));
    assert!(
        text.starts_with("test three of unit a failed\nfalse\n"),
        "{text}"
    );
    // Tests outside of units belong to no unit.
    for goal in [
        "run_tests(b)",
        "run_tests(a:(-1))",
        "run_tests(a:[one,guarded])",
    ] {
        let (status, text) = code(goal, &[]);
        assert_eq!(
            (status, text.starts_with("true\n")),
            (Some(0), true),
            "{goal}: {text}"
        );
    }
    let run = costlens()
        .args(["run", "p.pl", "--goal", "run_tests(a:three)"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(1));
    if super::swi::missing() {
        return;
    }
    for name in [
        "one",
        "three",
        "sum",
        "wrong_sum",
        "all",
        "wrong_all",
        "set",
        "error",
        "wrong_ball",
        "fails",
        "no_failure",
        "each",
        "raises",
    ] {
        let goal = format!("run_tests(a:{name})");
        let swi = code(&goal, &["--engine", "swi"]).0;
        assert_eq!(code(&goal, &[]).0, swi, "{goal}");
        assert_eq!(swi, Some(i32::from(failed.contains(&name))), "{goal}");
    }
}

#[test]
fn periods_are_numbers_of_calls_or_seconds() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("p.pl"), SERVICE).unwrap();
    let wrong = |more: &[&str]| {
        let goal = ["p.pl", "--goal", "serve(1, 3)"];
        let out = profile(folder.path(), &[&goal[..], more].concat());
        assert_eq!(out.status.code(), Some(2), "{more:?}");
        String::from_utf8(out.stderr).unwrap()
    };
    assert!(wrong(&["--check", "--every", "0"]).contains("a number of calls or of seconds"));
    assert!(wrong(&["--check", "--every=-1s"]).contains("a number of calls or of seconds"));
    assert!(wrong(&["--every", "3"]).contains("--check"));
    assert!(wrong(&["--check", "--every", "3", "--decay", "2"]).contains("from 0 to 1"));
    let text = text_of(
        folder.path(),
        &[
            "p.pl",
            "--goal",
            "serve(1, 60)",
            "--check",
            "--every",
            "30",
            "--decay",
            "0",
        ],
    );
    assert!(
        text.contains("check 6 of 7: ") || text.contains("check 7 of 7: "),
        "{text}"
    );
}

#[test]
fn calls_are_generated() {
    let folder = TempDir::new().unwrap();
    // No bound of it is known.
    let program = ":- check pred wrong(Xs) : list(Xs, int) + cost(ub,steps,2*length(Xs)+8).
wrong(Xs) :- sum(Xs, 0, S), A is abs(S), collatz(A).
sum([], S, S).
sum([X|Xs], S0, S) :- S1 is S0 + X, sum(Xs, S1, S).
collatz(N) :- N =< 1, !.
collatz(N) :- ( N mod 2 =:= 0 -> M is N // 2 ; M is 3 * N + 1 ), collatz(M).
";
    std::fs::write(folder.path().join("p.pl"), program).unwrap();
    let run = |predicate: &str, seed: &str| {
        let given = [
            "p.pl",
            "--check",
            "--generate",
            predicate,
            "--seed",
            seed,
            "--largest",
            "20",
        ];
        let out = profile(
            folder.path(),
            &[&given[..], &["--format", "json", "--exit-zero"]].concat(),
        );
        assert_eq!(out.status.code(), Some(0), "{out:?}");
        let said = String::from_utf8(out.stderr).unwrap();
        let found: Value = serde_json::from_slice(&out.stdout).unwrap();
        (found, said)
    };
    let (found, said) = run("wrong/1", "7");
    assert!(
        said.contains("50 calls of wrong(+list(int)) up to size 20, `--seed 7`"),
        "{said}"
    );
    let wrong = { list(&found["checks"]).iter() }.find(|c| c["predicate"] == "wrong/1");
    let wrong = wrong.unwrap();
    assert_eq!(wrong["verdict"], "false");
    assert_eq!(found["goal"], "50 calls of wrong/1");
    // The same seed gives the same calls.
    let (again, _) = run("wrong/1", "7");
    let again = { list(&again["checks"]).iter() }.find(|c| c["predicate"] == "wrong/1");
    assert_eq!(wrong["goal"], again.unwrap()["goal"]);
    assert!(
        wrong["goal"].as_str().unwrap().starts_with("wrong("),
        "{wrong}"
    );
    // Another one gives others.
    let (other, _) = run("wrong/1", "8");
    let other = { list(&other["checks"]).iter() }.find(|c| c["predicate"] == "wrong/1");
    assert_ne!(wrong["goal"], other.unwrap()["goal"]);
    let refused = |arguments: &[&str]| {
        let out = profile(folder.path(), arguments);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(out.stderr).unwrap()
    };
    let nobody = refused(&["p.pl", "--check", "--generate", "nobody/1"]);
    assert!(
        nobody.contains("the program defines no `nobody/1`"),
        "{nobody}"
    );
    assert!(refused(&["p.pl", "--generate", "wrong/1"]).contains("--check"));
    assert!(refused(&["p.pl"]).contains("--goal"));
    if super::swi::missing() {
        return;
    }
    // The same calls on SWI-Prolog, whose checks are those of shares.
    let calls = |engine: &[&str]| {
        let given = ["p.pl", "--check", "--generate", "wrong/1", "--seed", "7"];
        let of = json_of(folder.path(), &[&given[..], engine].concat());
        let ports = |c: &Value| {
            (
                c["name"].to_string(),
                c["calls"].clone(),
                c["exits"].clone(),
            )
        };
        let mut all: Vec<_> = list(&of["centres"]).iter().map(ports).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        (of["result"].clone(), all)
    };
    let embedded = calls(&[]);
    assert_eq!(embedded, calls(&["--engine", "swi"]));
    assert!(
        embedded
            .1
            .contains(&("\"wrong/1\"".to_owned(), 50.into(), 50.into()))
    );
}

/// A later solution, found by backtracking, costs a hundred times the first one. Its cost is never attributed to the call.
#[test]
fn a_look_during_a_redo_counts_it_as_one() {
    let program = ":- check pred q(X) + rel_cost(ub,call,steps,20).
:- cost_center q/1, r/0.
q(1).
q(X) :- work(200), X = 2.
work(0) :- !.
work(N) :- r, a, a, a, M is N-1, work(M).
a.
r.
warm(0) :- !.
warm(N) :- M is N-1, warm(M).
main :- warm(50), q(X), X >= 2.
";
    for more in [
        &[][..],
        &["--every", "1"],
        &["--every", "7", "--decay", "0.5"],
    ] {
        let found = checked(program, "main", more);
        assert_eq!(verdicts(&found), [("observed", true)], "{more:?} {found}");
    }
}
