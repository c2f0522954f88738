//! What Costlens says of programs that call built-ins and library predicates, with right and wrong arguments, against SWI-Prolog: exceptions,
//! numbers of solutions, types and sizes of outputs, steps; of the call alone, in `catch/3`, as a condition, and before a test of a type. The programs
//! and their inputs come from a seed (`tests/trust/calls.pl`).
//!
//! `CALLS=20000` makes that many calls, `CALLS_SEED=N` others, `CALLS_RUNS=N` runs each clause on that many inputs.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::project::run;
use crate::seeds::number;
use crate::{is_installed, root};

/// Runs `tests/trust/calls.pl`, with the files of assertions about built-ins.
fn swipl(arguments: &[&str], folder: Option<&Path>) -> Output {
    let mut files: Vec<_> = std::fs::read_dir(root().join("server/infer/library"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    Command::new("swipl")
        .arg(root().join("tests/trust/calls.pl"))
        .arg("--")
        .args(arguments)
        .args(folder)
        .args(files)
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap()
}

/// A string of Prolog; the empty one for what is unknown.
fn quoted(value: &Value) -> String {
    let text = value.as_str().unwrap_or_default();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// What is said of a predicate under the pattern that is declared, as a fact for `calls.pl`.
fn claim(predicate: &Value) -> Option<String> {
    let patterns = predicate["patterns"].as_array()?;
    let pattern = patterns.iter().find(|p| p["origin"] == "declared")?;
    let steps = &pattern["bounds"]["steps"];
    let each = |of: &Value, fact: &dyn Fn(&Value) -> String| {
        let all = of.as_array().into_iter().flatten();
        let whole = all.filter(|x| x["element"] != true);
        whole.map(fact).collect::<Vec<_>>().join(",")
    };
    let word = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let sizes = each(&pattern["sizes"], &|s| {
        format!(
            "size('{}',{},{})",
            word(&s["name"]),
            s["argument"],
            word(&s["metric"])
        )
    });
    let outputs = each(&pattern["outputs"], &|o| {
        let (low, high) = (quoted(&o["lower"]), quoted(&o["upper"]));
        format!(
            "output({},{},{low},{high})",
            o["argument"],
            word(&o["metric"])
        )
    });
    let pieces = each(&steps["pieces"], &|p| {
        format!(
            "piece({},{},{})",
            quoted(&p["when"]),
            quoted(&p["lower"]),
            quoted(&p["upper"])
        )
    });
    let fields = [
        ("solutions_lower", &pattern["solutions"]["lower"]),
        ("solutions_upper", &pattern["solutions"]["upper"]),
        ("condition", &steps["condition"]),
        ("except", &steps["except"]),
        ("first_lower", &steps["first"]["lower"]),
        ("first_upper", &steps["first"]["upper"]),
        ("all_lower", &steps["all"]["lower"]),
    ];
    let mut fact = format!(
        "claim('{}',said{{errors:{},determinism:{}",
        word(&predicate["name"]),
        word(&pattern["errors"]),
        word(&pattern["determinism"])
    );
    for (name, value) in fields {
        write!(fact, ",{name}:{}", quoted(value)).unwrap();
    }
    write!(
        fact,
        ",sizes:[{sizes}],outputs:[{outputs}],pieces:[{pieces}]}})."
    )
    .unwrap();
    Some(fact)
}

/// What the comparison prints: a paragraph for each claim that does not hold, then numbers. What is claimed is changed before.
fn compared(seed: u64, calls: u64, runs: u64, change: impl Fn(String) -> String) -> String {
    let folder = tempfile::TempDir::new().unwrap();
    let seed = seed.to_string();
    let made = swipl(&["program", &seed, &calls.to_string()], Some(folder.path()));
    assert!(made.status.success(), "{made:?}");
    let arguments = [
        "bounds",
        "--exit-zero",
        "--no-library",
        "--format",
        "json",
        ".",
    ];
    let said = run(folder.path(), &arguments);
    let said: Value =
        serde_json::from_slice(&said.stdout).unwrap_or_else(|e| panic!("{e}: {said:?}"));
    let claims: Vec<String> = (said["predicates"].as_array().unwrap().iter())
        .filter_map(claim)
        .map(change)
        .collect();
    std::fs::write(folder.path().join("claims.pl"), claims.join("\n") + "\n").unwrap();
    let out = swipl(&["compare", &seed, &runs.to_string()], Some(folder.path()));
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(
        out.status.success(),
        "{text}\n{}",
        String::from_utf8_lossy(&out.stderr)
    );
    text
}

#[test]
fn no_claim_about_a_call_is_false() {
    if !is_installed() {
        return;
    }
    let (calls, seed) = (number("CALLS", 600), number("CALLS_SEED", 1));
    let text = compared(seed, calls, number("CALLS_RUNS", 3), |claim| claim);
    let count = |word: &str| crate::number(&text, word);
    assert_eq!(count("false"), 0, "{text}");
    // Comparisons, predicates of which exceptions are excluded, and runs that ended in one.
    assert!(count("compared") > 7 * calls, "{text}");
    assert!(count("excluded") > calls / 2, "{text}");
    assert!(count("raised") > 2 * calls, "{text}");
}

#[test]
fn a_claim_about_a_call_that_is_false_is_found() {
    if !is_installed() {
        return;
    }
    for (from, to) in [
        ("errors:possible", "errors:excluded"),
        ("determinism:semidet", "determinism:failure"),
        ("solutions_lower:\"0\"", "solutions_lower:\"1\""),
        ("first_upper:\"2\"", "first_upper:\"1\""),
        ("first_lower:\"1\"", "first_lower:\"3\""),
    ] {
        let text = compared(1, 80, 3, |claim| claim.replace(from, to));
        let found = text.lines().filter(|l| l.starts_with("false")).count();
        assert!(found > 10, "{from}: {text}");
    }
}
