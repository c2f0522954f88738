//! `costlens predict`, and the runs that `run` and `profile` record for it.

use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::project::{folder, run};

const PROGRAM: &str = "\
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
collatz(1, 0) :- !.
collatz(N, S) :- step(N, M), collatz(M, T), S is T+1.
step(N, M) :- 0 is N mod 2, !, M is N // 2.
step(N, M) :- M is 3*N+1.
far(K, N, S) :- cost_depends(count(K), [K]), collatz(N, S).
count(0) :- !.
count(K) :- L is K-1, count(L).
:- cost_inputs(far(K, N, _), [K, int(N)]).
:- initialization(write(loaded)).
";

fn program() -> TempDir {
    folder(&[("p.pl", PROGRAM)])
}

fn succeeds(out: &Output) -> String {
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    String::from_utf8(out.stdout.clone()).unwrap()
}

/// Records runs of goals.
fn keep(folder: &Path, goals: impl IntoIterator<Item = String>) {
    for goal in goals {
        succeeds(&run(folder, &["run", "p.pl", "--history", "--goal", &goal]));
    }
}

fn predicted(folder: &Path, arguments: &[&str]) -> Value {
    let out = run(
        folder,
        &[&["predict", "p.pl", "--format", "json"], arguments].concat(),
    );
    serde_json::from_str(&succeeds(&out)).unwrap()
}

fn list(length: usize) -> String {
    let elements: Vec<String> = (0..length).map(|n| n.to_string()).collect();
    format!("[{}]", elements.join(","))
}

#[test]
fn past_runs_predict_where_nothing_is_proved() {
    let folder = program();
    keep(
        folder.path(),
        (2..14).map(|n| format!("collatz({}, S)", n * 7)),
    );
    assert!(folder.path().join(".costlens/history.db").exists());
    let found = predicted(folder.path(), &["--goal", "collatz(50, S)"]);
    assert_eq!(found["past"]["runs"], 12);
    assert_eq!(found["past"]["inputs"], serde_json::json!(["int(1)"]));
    let steps = &found["events"]["steps"];
    assert_eq!(steps["upper"], Value::Null);
    let number = |v: &Value| v.as_f64().unwrap();
    assert!(number(&steps["predicted"]) > 1.0, "{steps}");
    assert!(
        number(&steps["low"]) <= number(&steps["predicted"]),
        "{steps}"
    );
    assert_ne!(steps["by"], "proved bound");
    assert!(number(&found["time"]["predicted"]) > 0.0, "{found}");
    let text = succeeds(&run(
        folder.path(),
        &["predict", "p.pl", "--goal", "collatz(50, S)"],
    ));
    for words in [
        "predicted: from 12 past runs; 80% of calls",
        "no upper bound is proved",
        "steps",
        "times of blocks by",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    // No part of the program has run.
    assert!(!text.contains("loaded"), "{text}");
}

#[test]
fn a_proved_bound_comes_first_and_counts_that_are_functions_go_beyond_the_runs() {
    let folder = program();
    keep(
        folder.path(),
        (0..12).map(|n| format!("nrev({}, X)", list(n))),
    );
    let goal = format!("nrev({}, X)", list(30));
    let found = predicted(folder.path(), &["--goal", &goal]);
    assert_eq!(found["events"]["steps"]["predicted"], 496.0);
    assert_eq!(found["events"]["steps"]["by"], "proved bound");
    assert_eq!(found["past"]["outside"], serde_json::json!(["length(1)"]));
    let blocks = found["past"]["blocks"].as_array().unwrap();
    let block = |name: &str| blocks.iter().find(|b| b["name"] == name).unwrap();
    assert_eq!(block("app/3 clause 2: app/3")["reached"], 435.0);
    assert_eq!(block("app/3 clause 2: app/3")["by"], "exact on all runs");
    assert_eq!(block("nrev/2 clause 1: head")["by"], "constant");
    // `get_list`, whose bound was not requested: counted by blocks.
    assert_eq!(found["events"]["get_list"]["predicted"], 30.0 + 435.0 * 2.0);
}

#[test]
fn runs_are_kept_where_somebody_wants_them() {
    let folder = program();
    let goal = ["--goal", "collatz(7, S)"];
    let args = |more: &[&'static str]| [&["run", "p.pl"], &goal[..], more].concat();
    succeeds(&run(folder.path(), &args(&[])));
    assert!(!folder.path().join(".costlens").exists());
    let known = |folder: &TempDir| {
        let out = run(
            folder.path(),
            &["predict", "p.pl", "--goal", "collatz(7, S)"],
        );
        succeeds(&out)
    };
    assert!(
        known(&folder).contains("--history` begins one"),
        "{}",
        known(&folder)
    );
    // If the folder exists, without an option.
    std::fs::create_dir(folder.path().join(".costlens")).unwrap();
    succeeds(&run(folder.path(), &args(&[])));
    assert!(
        known(&folder).contains("has one run of `collatz/2`"),
        "{}",
        known(&folder)
    );
    succeeds(&run(folder.path(), &args(&["--no-history"])));
    assert!(
        known(&folder).contains("has one run of"),
        "{}",
        known(&folder)
    );
    let profiled = run(
        folder.path(),
        &["profile", "p.pl", "--goal", "collatz(7, S)"],
    );
    succeeds(&profiled);
    assert!(
        known(&folder).contains("has one run of"),
        "a profile is kept where it is asked for: {}",
        known(&folder)
    );
    let profiled = run(
        folder.path(),
        &["profile", "p.pl", "--goal", "collatz(7, S)", "--history"],
    );
    succeeds(&profiled);
    assert!(
        known(&folder).contains("has 2 runs of"),
        "{}",
        known(&folder)
    );
    // Another file, and all solutions.
    succeeds(&run(folder.path(), &args(&["--history=other.db", "--all"])));
    assert!(folder.path().join("other.db").exists());
    // Code that has changed since; a comment makes no difference.
    let changed = format!("% comment\n{PROGRAM}\nunrelated.\n");
    std::fs::write(folder.path().join("p.pl"), changed).unwrap();
    assert!(
        known(&folder).contains("has 2 runs of"),
        "{}",
        known(&folder)
    );
    std::fs::write(
        folder.path().join("p.pl"),
        PROGRAM.replace("3*N+1", "5*N+1"),
    )
    .unwrap();
    let said = known(&folder);
    assert!(
        said.contains("has no run of") && said.contains("2 others are of other code"),
        "{said}"
    );
}

#[test]
fn a_history_that_cannot_be_written_spoils_nothing() {
    let folder = program();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let out = run(
        folder.path(),
        &[
            "run",
            "p.pl",
            "--goal",
            "collatz(7, S)",
            "--history=file/history.db",
        ],
    );
    assert!(succeeds(&out).contains("S = 16"), "{out:?}");
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(
        said.contains("the run is not kept") && said.contains("cannot be written"),
        "{said}"
    );
    // A malformed file is set aside.
    std::fs::create_dir(folder.path().join(".costlens")).unwrap();
    std::fs::write(
        folder.path().join(".costlens/history.db"),
        "nothing of the kind",
    )
    .unwrap();
    let out = run(folder.path(), &["run", "p.pl", "--goal", "collatz(7, S)"]);
    assert!(succeeds(&out).contains("S = 16"), "{out:?}");
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("a new history is begun"), "{said}");
    // `predict` writes nothing, and reports what is wrong with its input.
    std::fs::write(folder.path().join("text.db"), "nothing of the kind").unwrap();
    for file in ["text.db", "missing.db"] {
        let out = run(
            folder.path(),
            &[
                "predict",
                "p.pl",
                "--goal",
                "collatz(7, S)",
                "--history",
                file,
            ],
        );
        assert_eq!(out.status.code(), Some(2), "{out:?}");
        assert!(String::from_utf8(out.stderr).unwrap().contains(file));
    }
}

#[test]
fn annotations_are_read_and_mean_a_call_in_a_run() {
    let folder = program();
    let out = run(
        folder.path(),
        &["run", "p.pl", "--goal", "far(3, 7, S)", "-q"],
    );
    assert!(succeeds(&out).contains("S = 16"), "{out:?}");
    assert_eq!(String::from_utf8(out.stderr).unwrap(), "");
    keep(
        folder.path(),
        (1..15).map(|n| format!("far({}, {}, S)", n % 5 + 1, n * 3)),
    );
    let found = predicted(folder.path(), &["--goal", "far(30, 20, S)"]);
    let blocks = found["past"]["blocks"].as_array().unwrap();
    let count = blocks
        .iter()
        .find(|b| b["name"] == "count/1 clause 2: count/1");
    assert_eq!(count.unwrap()["reached"], 30.0);
    assert_eq!(count.unwrap()["inputs"], serde_json::json!(["int(1)"]));
}

#[test]
fn what_is_no_call_of_the_program_is_refused() {
    let folder = program();
    for goal in ["X", "append(A, B, [])", "nrev([], X), nrev(X, Y)", "nrev(["] {
        let out = run(folder.path(), &["predict", "p.pl", "--goal", goal]);
        assert_eq!(out.status.code(), Some(2), "{goal}: {out:?}");
    }
    let out = run(
        folder.path(),
        &["run", "p.pl", "--history", "--goal", "X = 1"],
    );
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("the run is not kept"), "{said}");
}

#[test]
fn a_validation_keeps_its_runs() {
    let typed = "%! nrev(+Xs:list, -Ys:list) is det.\n";
    let folder = folder(&[("p.pl", format!("{typed}{PROGRAM}"))]);
    let validate = |more: &[&'static str]| {
        let arguments = ["validate", "p.pl", "nrev/2", "--sizes", "0,1,2,3,5,8,13"];
        run(folder.path(), &[&arguments[..], more].concat())
    };
    succeeds(&validate(&[]));
    assert!(!folder.path().join(".costlens").exists());
    let out = validate(&["--history"]);
    succeeds(&out);
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("of the runs are kept in"), "{said}");
    let goal = format!("nrev({}, X)", list(20));
    let found = predicted(folder.path(), &["--goal", &goal]);
    let kept = found["past"]["runs"].as_u64().unwrap();
    assert!((20..=500).contains(&kept), "{found}");
    assert!(said.contains(&format!("{kept} of the runs")), "{said}");
    // Its counts are those of runs: functions of the length.
    let blocks = found["past"]["blocks"].as_array().unwrap();
    let block = { blocks.iter() }.find(|b| b["name"] == "app/3 clause 2: app/3");
    assert_eq!(block.unwrap()["reached"], 190.0);
    assert_eq!(block.unwrap()["by"], "exact on all runs");
    // And they are combined with those of `run`.
    keep(folder.path(), [format!("nrev({}, X)", list(4))]);
    let found = predicted(folder.path(), &["--goal", &goal]);
    assert_eq!(found["past"]["runs"], kept + 1);
}
