//! `costlens profile` as a script sees it. `tests/profile` has programs with their expected profiles, in comments:
//!
//! - `% goal: G` or `% all: G`, to the first or to all solutions, and perhaps `% options: …`
//! - `% result R` or `% result R, N solutions`
//! - `% edge A -> B: call-exit N, redo-fail N; steps N, cuts N` for each edge, in the order in which they were first taken: all pairs of ports,
//!   then some of the resources, or `no hooks`.

mod checks;
mod low_level;
mod measuring;
mod swi;

use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::binary::costlens;

fn profile(folder: &Path, arguments: &[&str]) -> Output {
    costlens()
        .arg("profile")
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn json_of(folder: &Path, arguments: &[&str]) -> Value {
    let out = profile(
        folder,
        &[arguments, &["--format", "json", "--exit-zero"]].concat(),
    );
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"))
}

fn text_of(folder: &Path, arguments: &[&str]) -> String {
    let out = profile(folder, &[arguments, &["--exit-zero"]].concat());
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    String::from_utf8(out.stdout).unwrap()
}

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/profile")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

/// Formats an edge like the comments, with the resources that the comment names.
fn edge_line(edge: &Value, comment: &str) -> String {
    let text = |v: &Value| v.as_str().unwrap().to_owned();
    let pair = |p: &Value| format!("{}-{} {}", text(&p["enter"]), text(&p["leave"]), p["count"]);
    let pairs: Vec<String> = list(&edge["ports"]).iter().map(pair).collect();
    let used = &edge["used"];
    let named = comment.rsplit_once("; ").map_or("", |(_, named)| named);
    let amounts: Vec<String> = (named.split(", "))
        .filter_map(|part| part.split(' ').next())
        .map(|name| match used.get(name) {
            Some(amount) => format!("{name} {amount}"),
            None if used.get("steps").is_none() => "no hooks".to_owned(),
            None => format!("{name} -"),
        })
        .collect();
    let (from, to) = (text(&edge["from"]), text(&edge["to"]));
    format!(
        "{from} -> {to}: {}; {}",
        pairs.join(", "),
        amounts.join(", ")
    )
}

#[test]
fn annotated_programs() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(programs())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "pl"))
        .collect();
    files.sort();
    assert!(files.len() >= 15, "only {} programs", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_str().unwrap();
        let of = |word: &str| {
            text.lines()
                .filter_map(|l| l.strip_prefix(&format!("% {word}")).map(str::trim))
                .collect::<Vec<_>>()
        };
        let mut arguments = vec![name];
        for option in of("options:") {
            arguments.extend(option.split(' '));
        }
        match (&of("goal:")[..], &of("all:")[..]) {
            (&[goal], []) => arguments.extend(["--goal", goal]),
            ([], &[goal]) => arguments.extend(["--goal", goal, "--all"]),
            _ => panic!("{name}: one `% goal:` or `% all:` is expected"),
        }
        let found = json_of(&programs(), &arguments);
        let result = found["result"].as_str().unwrap();
        let solutions = found["solutions"].as_u64().unwrap();
        let ended = match solutions {
            0 | 1 => result.to_owned(),
            n => format!("{result}, {n} solutions"),
        };
        assert_eq!(of("result "), [ended], "{name}");
        let comments = of("edge ");
        let edges = list(&found["edges"]).iter().enumerate();
        let lines: Vec<String> = edges
            .map(|(n, edge)| edge_line(edge, comments.get(n).unwrap_or(&"")))
            .collect();
        assert_eq!(comments, lines, "{name}");
        adds_up(&found);
    }
}

/// Asserts lemmas 1 and 2 of the paper, for each resource that all centres have.
fn adds_up(profile: &Value) {
    for (resource, total) in profile["total"].as_object().unwrap() {
        let sum = |rows: &[Value], key: &str| -> Option<u64> {
            rows.iter().map(|row| row[key][resource].as_u64()).sum()
        };
        let all = total.as_u64();
        let centres = list(&profile["centres"]);
        if centres.iter().all(|c| c["hooks"] == true) {
            assert_eq!(sum(centres, "own"), all, "{resource}");
            assert_eq!(sum(list(&profile["edges"]), "used"), all, "{resource}");
        }
        assert_eq!(centres[0]["name"], "remainder");
        if centres[0]["hooks"] == true {
            assert_eq!(
                centres[0]["accumulated"][resource].as_u64(),
                all,
                "{resource}"
            );
        }
        for centre in centres {
            let pairs: Option<u64> = { list(&centre["ports"]).iter() }
                .map(|pair| pair["used"][resource].as_u64())
                .sum();
            assert_eq!(
                pairs,
                centre["own"][resource].as_u64().or(pairs),
                "{resource}"
            );
        }
    }
}

/// As with `swipl -g`; 2 for unusable input.
#[test]
fn exit_codes() {
    let code = |arguments: &[&str]| profile(&programs(), arguments).status.code();
    assert_eq!(code(&["facts.pl", "--goal", "p(X)"]), Some(0));
    assert_eq!(code(&["facts.pl", "--goal", "p(9)"]), Some(1));
    assert_eq!(code(&["uncaught.pl", "--goal", "p"]), Some(1));
    assert_eq!(
        code(&["runaway.pl", "--goal", "p", "--limit-steps", "99"]),
        Some(1)
    );
    assert_eq!(code(&["facts.pl", "--goal", "p(X"]), Some(2));
    assert_eq!(code(&["nowhere.pl", "--goal", "p"]), Some(2));
    for wrong in [
        &["--resource", "money"][..],
        &["--cost-center", "p"],
        &["--no-hooks", "--resource", "steps"],
        &["--most", "2"],
        &["--auto", "--most", "2", "--above", "5"],
        &["--svg", "no/such/folder.svg"],
    ] {
        let arguments = [&["facts.pl", "--goal", "p(X)"], wrong].concat();
        assert_eq!(code(&arguments), Some(2), "{wrong:?}");
    }
}

#[test]
fn tables() {
    let out = text_of(
        &programs(),
        &["colours.pl", "--goal", "color_map(A,B,C,D,E)"],
    );
    assert!(out.starts_with("A = blue,\n"), "{out}");
    let line = |beginning: &str| out.lines().find(|l| l.starts_with(beginning)).unwrap();
    let head = line("cost centre");
    assert!(
        head.contains("% steps") && head.contains("time with calls"),
        "{head}"
    );
    let colour: Vec<&str> = line("color/1").split_whitespace().collect();
    assert_eq!(colour[..4], ["color/1", "91.1%", "236", "236"]);
    assert_eq!(colour[colour.len() - 3..], ["50", "0", "186"]);
    assert!(line("total").contains("259"));
}

#[test]
fn centres_on_the_command_line_take_the_place_of_declared_ones() {
    let found = json_of(
        &programs(),
        &[
            "colours.pl",
            "--goal",
            "color_map(A,B,C,D,E)",
            "--cost-center",
            "c/3",
            "--cost-center",
            "nothing/1",
        ],
    );
    let names: Vec<&str> = list(&found["centres"])
        .iter()
        .map(|c| c["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["remainder", "c/3"]);
    adds_up(&found);
    let out = profile(
        &programs(),
        &["facts.pl", "--goal", "p(X)", "--cost-center", "nothing/1"],
    );
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("`nothing/1` has no clauses"), "{said}");
}

/// All predicates are centres unless some are named; a malformed directive is reported.
#[test]
fn without_directives_all_predicates_are_centres() {
    let folder = TempDir::new().unwrap();
    let write = |text: &str| std::fs::write(folder.path().join("p.pl"), text).unwrap();
    write("p :- q, q.\nq.\n");
    let found = json_of(folder.path(), &["p.pl", "--goal", "p"]);
    assert_eq!(list(&found["centres"]).len(), 3);
    write(":- cost_center p/x, q.\n:- all_cost_center(hooks).\np :- q, q.\nq.\n");
    let out = profile(folder.path(), &["p.pl", "--goal", "p"]);
    let said = String::from_utf8(out.stderr).unwrap();
    for part in ["`p/x`", "`q`", "`all_cost_center(hooks)`"] {
        assert!(said.contains(part), "{said}");
    }
}

/// A run without a profile accepts the directives, and treats a literal that is a centre as its goal.
#[test]
fn a_run_takes_no_notice() {
    let run = |file: &str, goal: &str| {
        let out = costlens()
            .args(["run", file, "--goal", goal])
            .current_dir(programs())
            .output()
            .unwrap();
        assert_eq!(
            (out.status.code(), out.stderr),
            (Some(0), Vec::new()),
            "{file}"
        );
        String::from_utf8(out.stdout).unwrap()
    };
    assert_eq!(run("literals.pl", "qsort([2,1,3], X)"), "X = [1,2,3]\n");
    assert_eq!(
        run("literals.pl", "cost_center(a, (member(X, [1,2]), !))"),
        "X = 1\n"
    );
    assert_eq!(run("directives.pl", "a"), "true\n");
}

#[test]
fn files_for_other_programs() {
    let folder = TempDir::new().unwrap();
    let text = std::fs::read_to_string(programs().join("literals.pl")).unwrap();
    std::fs::write(folder.path().join("p.pl"), text).unwrap();
    let found = json_of(
        folder.path(),
        &[
            "p.pl",
            "--goal",
            "qsort([1,2,3,4,5], _)",
            "--folded",
            "f",
            "--speedscope",
            "s",
            "--svg",
            "g",
        ],
    );
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(
        read("f"),
        "remainder 7\nremainder;qsort1 19\nremainder;qsort1;qsort2 4\nremainder;qsort2 1\n"
    );
    let scope: Value = serde_json::from_str(&read("s")).unwrap();
    for profile in list(&scope["profiles"]) {
        let weights: u64 = list(&profile["weights"])
            .iter()
            .map(|w| w.as_u64().unwrap())
            .sum();
        let name = profile["name"].as_str().unwrap();
        assert_eq!(found["total"][name].as_u64(), Some(weights), "{name}");
        assert_eq!(profile["endValue"].as_u64(), Some(weights));
        let frames = list(&scope["shared"]["frames"]).len() as u64;
        let samples = list(&profile["samples"]).iter().flat_map(list);
        assert!(samples.map(|f| f.as_u64().unwrap()).all(|f| f < frames));
    }
    let svg = read("g");
    assert!(
        svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
        "{svg}"
    );
    // remainder, qsort1, qsort2; an edge for each pair but that of the remainder to itself.
    assert_eq!(svg.matches("<g>").count(), 3);
    assert_eq!(svg.matches("marker-end").count(), 4);
}

/// The findings of the paper's Fig. 7, by the resource that it measures.
#[test]
fn the_bottleneck() {
    let goal = ["colours.pl", "--goal", "color_map(A,B,C,D,E)", "--auto"];
    let found = json_of(
        &programs(),
        &[&goal[..], &["--most", "2", "--resource", "instructions"]].concat(),
    );
    let tree = list(&found["bottleneck"]["tree"]);
    let names: Vec<&str> = tree.iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["color_map/5", "color/1", "legal_coloring/5", "c/3"]);
    let parents: Vec<Option<u64>> = tree.iter().map(|f| f["parent"].as_u64()).collect();
    assert_eq!(parents, [None, Some(0), Some(0), Some(2)]);
    assert_eq!(found["bottleneck"]["iterations"], 4);
    let text = text_of(&programs(), &goal);
    assert!(
        text.contains("bottleneck: color/1 uses 91.1% of the steps itself (2 profiles)\n"),
        "{text}"
    );
}

#[test]
fn a_bottleneck_of_a_run_that_a_limit_ends() {
    let found = json_of(
        &programs(),
        &[
            "runaway.pl",
            "--goal",
            "p",
            "--auto",
            "--limit-steps",
            "5000",
        ],
    );
    assert_eq!(found["result"], "limit");
    assert_eq!(found["bottleneck"]["name"], "q/1");
}

#[test]
fn without_hooks_there_are_ports_and_times() {
    let found = json_of(
        &programs(),
        &["facts.pl", "--goal", "p(X)", "--all", "--no-hooks"],
    );
    let q = list(&found["centres"])
        .iter()
        .find(|c| c["name"] == "q/1")
        .unwrap();
    assert_eq!(
        (&q["calls"], &q["exits"], &q["redos"], &q["fails"]),
        (&1.into(), &3.into(), &2.into(), &0.into())
    );
    assert_eq!(q["own"].as_object().unwrap().len(), 1);
    assert!(q["own"]["time"].as_u64().is_some());
}

/// A page loads nothing, and contains everything in the tables.
#[test]
fn a_page() {
    let folder = TempDir::new().unwrap();
    let text = std::fs::read_to_string(programs().join("colours.pl")).unwrap();
    let assertion = ":- check pred color(A) + rel_cost(ub,steps,5).\n";
    std::fs::write(folder.path().join("p.pl"), format!("{assertion}{text}")).unwrap();
    let goal = "color_map(A, B, C, D, E), A \\= '<E>'";
    let options = ["--check", "--html", "page.html"];
    json_of(
        folder.path(),
        &[&["p.pl", "--goal", goal], &options[..]].concat(),
    );
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    for part in [
        "<!doctype html>",
        "&lt;E&gt;",
        "prefers-color-scheme: dark",
        "class=\"flame\"",
        "<title>color/1: 91.1%, 236</title><rect",
        "<td>legal_coloring/5</td>",
        "<li class=\"false\">p.pl:1: false: color/1 + rel_cost(ub,steps,5): ",
        "marker id=\"tip\"",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    for loads in ["src=", "href=", "@import", "url(h", "'<E>'"] {
        assert!(!page.contains(loads), "{loads}");
    }
    // Every element is closed, so that the parts are properly nested.
    for tag in ["svg", "g", "table", "tr", "ul", "div", "text", "title"] {
        let count = |what: &str| page.matches(what).count();
        let opened = count(&format!("<{tag}>")) + count(&format!("<{tag} "));
        assert_eq!(opened, count(&format!("</{tag}>")), "{tag}");
    }
}
