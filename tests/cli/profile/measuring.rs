//! Predicates that control a program's own profile: `profile/1`, `profile_reset/0`, `profile_dump/0`.

use super::*;

use crate::binary::costlens;

const PROGRAM: &str = ":- module(measured, [main/0], [profiler]).
main :- loop(1000), profile(loop(3)), loop(500).
whole :- loop(10), profile_reset, loop(5).
dumped :- loop(5), profile_dump, loop(3), profile_dump.
several :- profile((one_of(X), X >= 3)), write(X), loop(9).
raised :- catch(profile(( loop(2), throw(stop) )), stop, true), loop(9).
nested :- profile(( loop(1), profile(loop(2)) )), loop(9).
loop(0) :- !.
loop(N) :- M is N-1, step(M), loop(M).
step(_).
one_of(1).
one_of(2).
one_of(3).
";

/// Returns the calls of a centre, and the redos.
fn entries(found: &Value, name: &str) -> [u64; 2] {
    let centre = list(&found["centres"]).iter().find(|c| c["name"] == name);
    let of = |port: &str| centre.map_or(0, |c| c[port].as_u64().unwrap());
    [of("calls"), of("redos")]
}

fn run(goal: &str, more: &[&str]) -> Value {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("p.pl"), PROGRAM).unwrap();
    let found = json_of(folder.path(), &[&["p.pl", "--goal", goal], more].concat());
    assert_eq!(found["result"], "success", "{found}");
    adds_up(&found);
    found
}

/// Runs on both engines, if SWI-Prolog is installed.
fn on_both(goal: &str, judge: impl Fn(&Value)) {
    judge(&run(goal, &[]));
    if !swi::missing() {
        judge(&run(goal, &["--engine", "swi"]));
    }
}

#[test]
fn what_runs_outside_belongs_to_nobody() {
    on_both("main", |found| {
        assert_eq!(entries(found, "step/1"), [3, 0], "{found}");
        assert_eq!(entries(found, "loop/1"), [1, 0], "{found}");
    });
    let found = run("main", &[]);
    // Three rounds and the end of the loop; three steps.
    assert_eq!(found["total"]["steps"], 7);
    let accumulated = |name: &str| {
        let centre = list(&found["centres"]).iter().find(|c| c["name"] == name);
        centre.unwrap()["accumulated"]["steps"].clone()
    };
    assert_eq!(accumulated("loop/1"), 7);
    // It was entered from outside.
    assert_eq!(accumulated("main/0"), 7);
}

#[test]
fn solutions_exceptions_and_calls_inside_of_each_other() {
    on_both("several", |found| {
        assert_eq!(entries(found, "one_of/1"), [1, 2], "{found}");
        assert_eq!(entries(found, "loop/1"), [0, 0], "{found}");
    });
    on_both("raised", |found| {
        assert_eq!(entries(found, "step/1"), [2, 0], "{found}")
    });
    on_both("nested", |found| {
        assert_eq!(entries(found, "step/1"), [3, 0], "{found}")
    });
    on_both("whole", |found| {
        assert_eq!(entries(found, "step/1"), [5, 0], "{found}")
    });
    // Backtracking re-enters the profiled goal; its work then is also measured.
    on_both("profile(one_of(X)), X >= 3", |found| {
        assert_eq!(entries(found, "one_of/1"), [1, 2], "{found}");
    });
    on_both("\\+ profile(one_of(4)), loop(9)", |found| {
        assert_eq!(entries(found, "one_of/1"), [1, 0], "{found}");
        assert_eq!(entries(found, "step/1"), [0, 0], "{found}");
    });
}

#[test]
fn a_dump_writes_the_table_of_what_was_measured_so_far() {
    let found = run("dumped", &[]);
    let output = found["output"].as_str().unwrap();
    let steps = |name: &str| -> Vec<&str> {
        let rows = output.lines().filter(|line| line.starts_with(name));
        rows.filter_map(|line| line.split_whitespace().nth(2))
            .collect()
    };
    assert_eq!(steps("loop/1"), ["6", "10"], "{output}");
    assert_eq!(steps("step/1"), ["5", "8"], "{output}");
    if swi::missing() {
        return;
    }
    let found = run("dumped", &["--engine", "swi"]);
    let output = found["output"].as_str().unwrap();
    let calls: Vec<&str> = (output.lines())
        .filter(|line| line.starts_with("step/1"))
        .filter_map(|line| line.split_whitespace().rev().nth(3))
        .collect();
    assert_eq!(calls, ["5", "8"], "{output}");
    assert!(output.contains("cost centre"), "{output}");
    assert!(!output.contains("whole/0"), "{output}");
}

#[test]
fn without_a_profile_they_do_no_harm() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("p.pl"), PROGRAM).unwrap();
    for goal in ["main", "dumped", "profile(one_of(X)), X >= 3", "whole"] {
        let out = costlens()
            .args(["run", "p.pl", "--goal", goal])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert_eq!(out.status.code(), Some(0), "{goal}: {out:?}");
        assert!(!String::from_utf8_lossy(&out.stdout).contains("cost centre"));
    }
}
