//! Trust assertions in the files of a project, as a script sees them: what is relied on, and that it is said.
#![cfg(test)]

#[path = "support/project.rs"]
mod project;

use std::path::Path;

use project::{folder, run};
use serde_json::Value;

const USER: &str = "
%! use(+Xs:list, -Ys) is det.
use(Xs, Ys) :- half(Xs, Ys).
%! length_of(+Xs:list, -N) is det.
length_of(Xs, N) :- use(Xs, Ys), len(Ys, N).
%! len(+Xs:list, -N) is det.
len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
";

const TRUST: &str = "% What the other engine does.
:- trust pred half(Xs, Ys) : (list(Xs), var(Ys)) => list(Ys)
   + (cost(exact, steps, length(Xs)+1), size(Ys, length(Xs)), det, no_exception).
:- trust pred len(Xs, N) : (list(Xs), var(N)) + (cost(exact, steps, 0), det).
";

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let out = run(folder, &[arguments, &["--format", "json"]].concat());
    serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"))
}

/// The upper bound of a predicate's first pattern, and what it rests on.
fn upper(all: &Value, name: &str) -> (Value, Value) {
    let row = (all["predicates"].as_array().unwrap().iter())
        .find(|p| p["name"] == name)
        .unwrap_or_else(|| panic!("no {name} in {all}"));
    let pattern = &row["patterns"][0];
    (
        pattern["bounds"]["steps"]["upper"].clone(),
        pattern["rests_on"].clone(),
    )
}

#[test]
fn a_project_says_what_its_calls_may_rely_on() {
    let folder = folder(&[("src/deep/a.pl", USER), ("costlens/engine.pl", TRUST)]);
    let all = json(folder.path(), &["bounds", "src/deep/a.pl"]);
    let trusted = serde_json::json!(["costlens/engine.pl:2"]);
    assert_eq!(upper(&all, "use"), ("n+2".into(), trusted.clone()));
    assert_eq!(upper(&all, "length_of"), ("2*n+4".into(), trusted));
    // What has clauses is not what a project speaks of.
    assert_eq!(upper(&all, "len"), ("n+1".into(), serde_json::json!([])));
}

#[test]
fn a_folder_beside_another_one_is_no_part_of_the_project() {
    let folder = folder(&[("src/a.pl", USER), ("other/costlens/engine.pl", TRUST)]);
    let all = json(folder.path(), &["bounds", "src/a.pl", "other"]);
    assert_eq!(upper(&all, "use"), (Value::Null, serde_json::json!([])));
}

#[test]
fn a_verdict_says_what_it_rests_on() {
    let asserted = "
:- trust pred half(Xs, Ys) : (list(Xs), var(Ys)) + (cost(ub, steps, length(Xs)), is_det).
:- pred use(Xs, Ys) : (list(Xs), var(Ys)) + cost(ub, steps, length(Xs)+1).
use(Xs, Ys) :- half(Xs, Ys).
";
    let folder = folder(&[("a.pl", asserted)]);
    let all = json(folder.path(), &["check", "a.pl"]);
    let row = &all["assertions"][0];
    assert_eq!(row["verdict"], "checked", "{all}");
    assert_eq!(row["rests_on"], serde_json::json!(["a.pl:2"]), "{all}");
    assert!(
        row["message"]
            .as_str()
            .unwrap()
            .ends_with("on trust: a.pl:2"),
        "{all}"
    );
}
