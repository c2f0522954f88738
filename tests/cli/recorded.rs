//! Runs that the library for SWI-Prolog records, and `costlens history`, which imports them.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::project::{folder, run};

const PROGRAM: &str = "\
:- use_module(costlens_history).
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
shade(X, Y) :- member(X-Y, [red-1, red-2, blue-3]).
probe(_, _, _, _, _).
";

/// Returns a workspace with the program next to the library, and a folder for recorded runs. Returns `None` if SWI-Prolog is missing.
fn workspace() -> Option<TempDir> {
    if Command::new("swipl").arg("--version").output().is_err() {
        assert!(std::env::var("CI").is_err(), "SWI-Prolog is missing");
        return None;
    }
    let folder = folder(&[("p.pl", PROGRAM)]);
    std::fs::create_dir(folder.path().join(".costlens")).unwrap();
    let out = run(
        folder.path(),
        &["history", "support", "costlens_history.pl"],
    );
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    Some(folder)
}

fn swipl(folder: &Path, goal: &str) -> (String, String) {
    let out = { Command::new("swipl") }
        .args(["-q", "-g", goal, "-t", "halt", "p.pl"])
        .current_dir(folder)
        .env_remove("COSTLENS_RUNS")
        .output()
        .unwrap();
    assert!(out.status.success(), "{out:?}");
    (text(&out.stdout), text(&out.stderr))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn recorded(folder: &Path) -> Vec<Value> {
    let path = folder.join(".costlens/runs.jsonl");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

fn import(folder: &Path) -> (String, String) {
    let out = run(folder, &["history", "import", "p.pl"]);
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    (text(&out.stdout), text(&out.stderr))
}

#[test]
fn a_recorded_call_has_the_solutions_of_the_call() {
    let Some(folder) = workspace() else { return };
    let goal = "findall(Y, recorded(shade(red, Y)), Ys), print(Ys), nl, \
        \\+ recorded(shade(green, _)), \
        catch(recorded(nrev(1, 2, 3)), error(E, _), (print(E), nl)), \
        recorded((shade(blue, Z), !)), print(Z), nl, \
        forall(recorded(nrev([a, b, c], R)), (print(R), nl))";
    let (out, err) = swipl(folder.path(), goal);
    assert!(out.starts_with("[1,2]\nexistence_error("), "{out}");
    assert!(out.ends_with("3\n[c,b,a]\n"), "{out}");
    assert_eq!(err, "");
    let lines = recorded(folder.path());
    let runs: Vec<&Value> = lines
        .iter()
        .filter(|l| l["predicate"].is_string())
        .collect();
    let seen: Vec<(&str, bool)> = { runs.iter() }
        .map(|r| (r["predicate"].as_str().unwrap(), r["succeeded"] == true))
        .collect();
    // One line for each call, at its first solution or its failure, but no line for an exception.
    let wanted = [
        ("shade", true),
        ("shade", false),
        (",", true),
        ("nrev", true),
    ];
    assert_eq!(seen, wanted);
    assert_eq!(lines.len(), 5, "one line for the process");
    // As in bounds, nrev/2 of three elements takes ten steps.
    assert_eq!(runs[3]["inferences"], 10);
}

#[test]
fn nothing_is_recorded_without_a_place_for_it() {
    let Some(folder) = workspace() else { return };
    std::fs::remove_dir(folder.path().join(".costlens")).unwrap();
    let (out, err) = swipl(folder.path(), "recorded(shade(blue, Y)), print(Y), nl");
    assert_eq!((out.as_str(), err.as_str()), ("3\n", ""));
    assert!(!folder.path().join(".costlens").exists());
    // A place that cannot be written to is reported once.
    let out = { Command::new("swipl") }
        .args([
            "-q",
            "-g",
            "recorded(shade(blue, Y)), recorded(shade(blue, _)), print(Y), nl",
        ])
        .args(["-t", "halt", "p.pl"])
        .current_dir(folder.path())
        .env("COSTLENS_RUNS", "nowhere/runs.jsonl")
        .output()
        .unwrap();
    assert_eq!(text(&out.stdout), "3\n");
    let said = text(&out.stderr);
    assert_eq!(said.matches("nothing is recorded").count(), 1, "{said}");
}

/// The measures of arguments are those of `costlens run`.
#[test]
fn inputs_are_those_of_other_runs() {
    let Some(folder) = workspace() else { return };
    let goals = [
        "probe(7, -2.5, red, \"a b\", _)",
        "probe([], [1,-3,2], [[1],[],[2,3]], f(g(x),[Y]), [a|T])",
        "probe('two words', [red,\"s\"], 123456789012345678901234567890, [[]], '[]x')",
    ];
    for goal in goals {
        swipl(folder.path(), &format!("recorded({goal})"));
        std::fs::write(folder.path().join("q.pl"), "probe(_, _, _, _, _).\n").unwrap();
        // Three runs make a prediction, whose JSON has all inputs of its own call.
        let out = run(
            folder.path(),
            &["predict", "q.pl", "--goal", goal, "--format", "json"],
        );
        let own: Value = serde_json::from_slice(&out.stdout).unwrap();
        let own = own["inputs"].as_object().unwrap();
        let lines = recorded(folder.path());
        let inputs = lines.last().unwrap()["inputs"].as_array().unwrap().clone();
        let there: serde_json::Map<String, Value> = { inputs.iter() }
            .map(|input| {
                let name = format!("{}({})", input[1].as_str().unwrap(), input[0]);
                let value = match input[2].as_f64() {
                    Some(number) => serde_json::json!(number),
                    None => input[2].clone(),
                };
                (name, value)
            })
            .collect();
        assert_eq!(&there, own, "{goal}");
    }
}

#[test]
fn recorded_runs_predict_times_of_that_engine() {
    let Some(folder) = workspace() else { return };
    let goal = "forall(between(1, 25, N), (numlist(1, N, L), recorded(nrev(L, _)))), recorded(shade(red, _))";
    swipl(folder.path(), goal);
    let (out, err) = import(folder.path());
    assert!(out.starts_with("nrev/2: 25 runs on SWI-Prolog "), "{out}");
    assert!(
        out.contains("shade/2: one run") || out.contains("shade/2: 1 run on"),
        "{out}"
    );
    assert_eq!(err, "");
    assert!(!folder.path().join(".costlens/runs.jsonl").exists());
    let list: Vec<String> = (1..=30).map(|n| n.to_string()).collect();
    let goal = format!("nrev([{}], R)", list.join(","));
    let arguments = ["predict", "p.pl", "--goal", &goal];
    let said = text(&run(folder.path(), &arguments).stdout);
    assert!(
        said.contains("past runs on the embedded machine predict nothing: ")
            && said.contains("has no run of"),
        "{said}"
    );
    assert!(
        said.contains("on SWI-Prolog ")
            && said.contains("from 25 runs: inferences 496 (exact on all runs)"),
        "{said}"
    );
    let json = run(
        folder.path(),
        &[&arguments[..], &["--format", "json"]].concat(),
    );
    let found: Value = serde_json::from_slice(&json.stdout).unwrap();
    let (engine, there) = found["elsewhere"]
        .as_object()
        .unwrap()
        .iter()
        .next()
        .unwrap();
    assert!(engine.starts_with("SWI-Prolog "), "{engine}");
    assert_eq!(there["events"]["inferences"]["predicted"], 496.0);
    assert!(there["time"]["predicted"].as_f64().unwrap() > 0.0);
    // Blocks are counted only on the embedded machine: its runs are predicted from separately.
    for n in 0..4 {
        let goal = format!("nrev([{}], R)", list[..n].join(","));
        let out = run(folder.path(), &["run", "p.pl", "-q", "--goal", &goal]);
        assert_eq!(out.status.code(), Some(0), "{out:?}");
    }
    let said = text(&run(folder.path(), &arguments).stdout);
    assert!(said.contains("predicted: from 4 past runs"), "{said}");
    assert!(said.contains("from 25 runs: inferences 496"), "{said}");
}

#[test]
fn runs_of_other_programs_stay_and_those_of_code_that_has_changed_go() {
    let Some(folder) = workspace() else { return };
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("q.pl"), ":- use_module(costlens_history).\nq(_).\n").unwrap();
    swipl(folder.path(), "recorded(shade(red, _))");
    let out = { Command::new("swipl") }
        .args(["-q", "-g", "recorded(q(1))", "-t", "halt", "q.pl"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(out.status.success(), "{out:?}");
    let (out, err) = import(folder.path());
    assert!(out.contains("shade/2"), "{out}");
    assert!(err.contains("one run is of other programs"), "{err}");
    let left = recorded(folder.path());
    assert_eq!((left.len(), left[1]["predicate"].as_str()), (2, Some("q")));
    // After an edit.
    swipl(folder.path(), "recorded(shade(red, _))");
    let file = std::fs::File::options()
        .append(true)
        .open(path("p.pl"))
        .unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    file.set_modified(later).unwrap();
    let (out, err) = import(folder.path());
    assert_eq!(out, "no run of the program as it is now was recorded\n");
    assert!(
        err.contains("one run is of the program as it was before"),
        "{err}"
    );
    assert_eq!(recorded(folder.path()).len(), 2);
    // Nothing to import.
    std::fs::remove_file(path(".costlens/runs.jsonl")).unwrap();
    let out = run(folder.path(), &["history", "import", "p.pl"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(
        text(&out.stderr).contains("costlens history support"),
        "{out:?}"
    );
}
