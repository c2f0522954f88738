//! Root causes: the cause of a missing bound is named at its place, and the proposed help works.
//!
//! In `tests/fixtures/root_causes.pl` the lines below a predicate name the goal and predicate to blame, the reason, and the remedy. The same
//! predicates of `root_causes_removed.pl`, where the remedy is applied, have upper bounds.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::binary::costlens;

fn fixtures() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = (here.ancestors())
        .find(|d| d.join("tests/cli/causes.rs").is_file())
        .expect("the project's root");
    root.join("tests/fixtures")
}

fn bounds(name: &str) -> Vec<Value> {
    let out = costlens()
        .args(["bounds", "--format", "json", name])
        .current_dir(fixtures())
        .output()
        .unwrap();
    let all: Value = serde_json::from_slice(&out.stdout).unwrap();
    all["predicates"].as_array().unwrap().clone()
}

/// A predicate and its expected cause.
struct Expected {
    name: String,
    cause: String,
    goal: String,
    reason: String,
    help: String,
}

fn expected(text: &str) -> Vec<Expected> {
    let mut found = Vec::new();
    let mut clause = "";
    for (line, next) in text.lines().zip(text.lines().skip(1)) {
        if let Some(cause) = line.strip_prefix("% cause ") {
            let (cause, rest) = cause.split_once(" `").expect("a goal");
            let (goal, reason) = rest.split_once("`: ").expect("a reason");
            // Some causes have no remedy.
            let help = next.strip_prefix("% help: ").unwrap_or_default();
            found.push(Expected {
                name: clause.split('(').next().unwrap_or_default().to_owned(),
                cause: cause.to_owned(),
                goal: goal.to_owned(),
                reason: reason.to_owned(),
                help: help.to_owned(),
            });
        } else if !line.starts_with('%') && !line.is_empty() {
            clause = line;
        }
    }
    found
}

fn first_pattern<'a>(all: &'a [Value], name: &str) -> &'a Value {
    let predicate = all.iter().find(|p| p["name"] == *name);
    &predicate.unwrap_or_else(|| panic!("no {name}"))["patterns"][0]
}

/// Returns the first reason why a bound is missing or why the cost of a goal is a parameter.
fn first_cause(pattern: &Value) -> &Value {
    match &pattern["unknown"][0] {
        Value::Null => {
            let all = pattern["parameters"].as_array().unwrap().iter();
            let mut all = all.filter(|p| p["kind"] == "cost");
            all.find(|p| p["reason"].is_string())
                .unwrap_or(&Value::Null)
        }
        unknown => unknown,
    }
}

#[test]
fn the_goal_to_blame_is_named_where_it_is() {
    let text = std::fs::read_to_string(fixtures().join("root_causes.pl")).unwrap();
    let all = bounds("root_causes.pl");
    let expected = expected(&text);
    assert!(expected.len() >= 15, "{}", expected.len());
    let mut wrong = Vec::new();
    for e in &expected {
        let pattern = first_pattern(&all, &e.name);
        let told = first_cause(pattern);
        let line = told["line"].as_u64().unwrap_or(0);
        let line = text
            .lines()
            .nth(usize::try_from(line).unwrap().wrapping_sub(1));
        let says = |field: &str, what: &str| told[field].as_str().is_some_and(|t| t.contains(what));
        let right = told["cause"] == *e.cause
            && told["file"] == "root_causes.pl"
            && line.is_some_and(|l| l.contains(&e.goal))
            && says("reason", &e.reason)
            && says("help", &e.help)
            && e.help.is_empty() == told["help"].as_str().is_none_or(str::is_empty);
        if !right {
            wrong.push(format!("{}: {told}, line {line:?}", e.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_said_to_help_gives_an_upper_bound() {
    let text = std::fs::read_to_string(fixtures().join("root_causes.pl")).unwrap();
    let all = bounds("root_causes_removed.pl");
    let mut left = Vec::new();
    for e in expected(&text) {
        let pattern = first_pattern(&all, &e.name);
        let unknown = pattern["unknown"].as_array().is_none_or(|u| !u.is_empty());
        if unknown || pattern["bounds"]["steps"]["upper"].is_null() {
            left.push(format!("{}: {}", e.name, pattern["unknown"]));
        }
    }
    assert!(left.is_empty(), "{}", left.join("\n"));
}

/// A proposed mode line is valid: put above the clause, it gives the bound.
#[test]
fn proposed_mode_lines_are_taken_as_they_are() {
    let text = std::fs::read_to_string(fixtures().join("root_causes.pl")).unwrap();
    let mut tried = 0;
    for predicate in bounds("root_causes.pl") {
        let pattern = &predicate["patterns"][0];
        let help = first_cause(pattern)["help"].as_str().unwrap_or_default();
        let Some(line) = (help.split('`')).find(|part| part.starts_with("%! ")) else {
            continue;
        };
        let name = predicate["name"].as_str().unwrap();
        if !line.starts_with(&format!("%! {name}(")) || pattern["origin"] != "declared" {
            continue;
        }
        // Only its chain: chains are separated by empty lines.
        let head = format!("%! {name}(");
        let chain = text.split("\n\n").find(|part| part.contains(&head));
        let declared = (chain.unwrap_or_default().lines())
            .map(|l| if l.starts_with(&head) { line } else { l })
            .collect::<Vec<_>>()
            .join("\n");
        let folder = tempfile::TempDir::new().unwrap();
        std::fs::write(folder.path().join("p.pl"), declared).unwrap();
        let out = costlens()
            .args(["bounds", "--format", "json", "p.pl"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let all: Value = serde_json::from_slice(&out.stdout).unwrap();
        let all = all["predicates"].as_array().unwrap().clone();
        let pattern = first_pattern(&all, name);
        let is_bounded = !pattern["bounds"]["steps"]["upper"].is_null();
        assert!(
            is_bounded && pattern["parameters"].as_array().is_none_or(Vec::is_empty),
            "{line} gives {}",
            pattern["unknown"]
        );
        tried += 1;
    }
    assert!(tried >= 3, "{tried}");
}
