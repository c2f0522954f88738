//! The low level: heads of clauses, of all predicates, by the centre that was running.

use std::collections::BTreeMap;

use super::*;
use crate::profile::swi::arguments;

/// Returns the sum over all heads while each centre was running.
fn sums(profile: &Value, amount: impl Fn(&Value) -> u64) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    for head in list(&profile["heads"]) {
        *sums.entry(head["to"].to_string()).or_default() += amount(head);
    }
    sums
}

fn own(profile: &Value, resource: &str) -> BTreeMap<String, u64> {
    // A centre without hooks has only its time.
    let of = |c: &Value| Some((c["name"].to_string(), c["own"][resource].as_u64()?));
    list(&profile["centres"]).iter().filter_map(of).collect()
}

fn count(head: &Value, wanted: &[&str]) -> u64 {
    let is_it = |p: &&Value| {
        let ports = [p["enter"].as_str().unwrap(), p["leave"].as_str().unwrap()];
        wanted.is_empty() || ports[..] == *wanted
    };
    let counts = list(&head["ports"]).iter().filter(is_it);
    counts.map(|p| p["count"].as_u64().unwrap()).sum()
}

fn nonzero(sums: BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    sums.into_iter().filter(|(_, n)| *n > 0).collect()
}

/// Heads add up to the amounts of the centres, and tracing them changes nothing.
#[test]
fn heads_add_up() {
    let mut compared = 0;
    for entry in std::fs::read_dir(programs()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = match path.extension().is_some_and(|e| e == "pl") {
            true => std::fs::read_to_string(&path).unwrap(),
            false => continue,
        };
        if name == "runaway.pl" {
            continue;
        }
        let arguments = [vec![name], arguments(&text)].concat();
        let plain = json_of(&programs(), &arguments);
        let low = json_of(&programs(), &[&arguments[..], &["--low-level"]].concat());
        assert_eq!(plain.get("heads"), None);
        for resource in [
            "steps",
            "head_unifications",
            "backtracks",
            "skips",
            "instructions",
        ] {
            assert_eq!(
                own(&plain, resource),
                own(&low, resource),
                "{name}: {resource}"
            );
        }
        // Library predicates have heads whose steps do not count.
        let is_the_programs = |head: &Value| {
            let centres = list(&low["centres"]).iter();
            centres.clone().any(|c| c["name"] == head["predicate"])
        };
        let steps = |head: &Value| match is_the_programs(head) {
            true => head["steps"].as_u64().unwrap(),
            false => 0,
        };
        if list(&low["centres"]).iter().all(|c| c["hooks"] == true)
            && list(&low["heads"]).iter().all(is_the_programs)
        {
            compared += 1;
            assert_eq!(
                nonzero(sums(&low, steps)),
                nonzero(own(&low, "steps")),
                "{name}"
            );
            let unified = |h: &Value| count(h, &["call", "exit"]) + count(h, &["redo", "exit"]);
            assert_eq!(
                nonzero(sums(&low, unified)),
                nonzero(own(&low, "head_unifications")),
                "{name}"
            );
        }
    }
    assert!(compared >= 3, "only {compared} programs");
}

fn low(program: &str, more: &[&str]) -> Value {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("p.pl"), program).unwrap();
    json_of(folder.path(), &[&["p.pl", "--low-level"], more].concat())
}

fn head<'a>(found: &'a Value, predicate: &str, clause: Option<u64>) -> &'a Value {
    let is_it = |h: &&Value| h["predicate"] == predicate && h["clause"].as_u64() == clause;
    let found = list(&found["heads"]).iter().find(is_it);
    found.unwrap_or_else(|| panic!("no {predicate}"))
}

/// Backtracking in heads without indexing: the results of a call and a redo, and the owner of choice points that a cut removed.
#[test]
fn backtracking_in_heads() {
    let program = "p(Y) :- q(_, K, Y), K == b, !.
q(1, a, x).
q(2, b, y).
q(3, c, z).
r(f(X), g(X)).
r(X, X).
";
    let found = low(
        program,
        &["--goal", "p(Y), \\+ r(f(1), g(2))", "--cost-center", "p/1"],
    );
    let first = head(&found, "q/3", Some(1));
    assert_eq!(first["to"], "p/1");
    assert_eq!((count(first, &["call", "exit"]), count(first, &[])), (1, 1));
    let second = head(&found, "q/3", Some(2));
    assert_eq!(
        (count(second, &["redo", "exit"]), count(second, &[])),
        (1, 1)
    );
    assert_eq!(head(&found, "q/3", None)["skips"], 1);
    assert!(
        list(&found["heads"])
            .iter()
            .all(|h| h["predicate"] != "q/3" || h["clause"] != 3)
    );
    // f(1) unifies with f(X), but then g(2) does not unify with g(1).
    let failed = head(&found, "r/2", Some(1));
    assert_eq!(failed["to"], "remainder");
    assert_eq!(
        (count(failed, &["call", "fail"]), count(failed, &[])),
        (1, 1)
    );
    assert_eq!(count(head(&found, "r/2", Some(2)), &["redo", "fail"]), 1);
    assert!(failed["ports"][0]["used"]["time"].is_u64());
}

/// Predicates of libraries and those in Rust, which cannot be made centres.
#[test]
fn predicates_that_are_no_centres() {
    let program =
        "p(L, N) :- append(L, [3], [1,2,3]), atom_length(abc, N), \\+ atom_length(abc, 4).\n";
    let found = low(program, &["--goal", "p(L, N)"]);
    let appended = head(&found, "append/3", Some(2));
    assert_eq!((&appended["to"], count(appended, &[])), (&"p/2".into(), 2));
    let length = head(&found, "atom_length/2", None);
    assert_eq!(count(length, &["call", "exit"]), 1);
    assert_eq!(count(length, &["call", "fail"]), 1);
}

#[test]
fn tables_of_heads() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("p.pl"), "p(a).\np(b).\n").unwrap();
    let goal = ["p.pl", "--goal", "p(X), X == b"];
    let text = text_of(folder.path(), &[&goal[..], &["--low-level"]].concat());
    let rows: Vec<Vec<&str>> = { text.lines() }
        .map(|line| line.split_whitespace().collect())
        .collect();
    let of = |clause: &str| {
        let is_it = |row: &&Vec<&str>| row.get(1) == Some(&"p/1,") && row.get(3) == Some(&clause);
        rows.iter().find(is_it).unwrap()[4..8].to_vec()
    };
    assert_eq!(of("1"), ["1", "0", "0", "0"]);
    assert_eq!(of("2"), ["0", "0", "1", "0"]);
    let code = |more: &[&str]| {
        profile(folder.path(), &[&goal[..], more].concat())
            .status
            .code()
    };
    assert_eq!(code(&["--low-level", "--no-hooks"]), Some(2));
    assert_eq!(code(&["--low-level", "--engine", "swi"]), Some(2));
}
