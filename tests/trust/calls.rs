//! Costlens' claims about programs that call built-ins and library predicates, with right and wrong arguments, compared with SWI-Prolog:
//! exceptions, numbers of solutions, types and sizes of outputs, steps; for the call alone, in `catch/3`, as a condition, and before a type
//! test. The programs and their inputs are generated from a seed (`tests/trust/calls.pl`).
//!
//! `CALLS=20000` makes that many calls, `CALLS_SEED=N` others, `CALLS_RUNS=N` runs each clause on that many inputs.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::BUILT_INS;
use crate::engines::{in_node, installed};
use crate::project::run;
use crate::seeds::number;

/// The engine that the programs run in.
#[derive(Clone, Copy)]
enum Engine {
    Installed,
    /// SWI-Prolog 10.1.
    InNode,
}

/// Runs `tests/trust/calls.pl` with a folder of programs. Returns `None` if the engine is missing.
fn calls(engine: Engine, mode: &str, numbers: [u64; 2], folder: &Path) -> Option<String> {
    let [seed, many] = numbers;
    let paths = [folder.to_owned(), BUILT_INS.clone()].into_iter();
    match engine {
        Engine::Installed => {
            let first = [mode.to_owned(), seed.to_string(), many.to_string()];
            let arguments = first.into_iter().map(OsString::from);
            let all: Vec<OsString> = arguments.chain(paths.map(OsString::from)).collect();
            Some(installed("calls.pl", &all)?.text)
        }
        Engine::InNode => {
            let goal = format!("main([{mode}, '{seed}', '{many}', $*])");
            Some(in_node("calls.pl", &goal, &paths.collect::<Vec<_>>())?.text)
        }
    }
}

/// Returns a string of Prolog; the empty one for unknown.
fn quoted(value: &Value) -> String {
    let text = value.as_str().unwrap_or_default();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns the claims about a predicate under the declared pattern, as a fact for `calls.pl`.
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

/// Returns the output of the comparison: a paragraph for each claim that does not hold, then numbers. Claims are modified first.
fn compared(
    engine: Engine,
    [seed, many, runs]: [u64; 3],
    change: impl Fn(String) -> String,
) -> Option<String> {
    let folder = tempfile::TempDir::new().unwrap();
    calls(Engine::Installed, "program", [seed, many], folder.path())?;
    if matches!(engine, Engine::InNode) {
        let version = "version = \"10.1\"\n";
        std::fs::write(folder.path().join("costlens.toml"), version).unwrap();
    }
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
    calls(engine, "compare", [seed, runs], folder.path())
}

fn no_claim_is_false(engine: Engine, default: u64) {
    let (many, seed) = (number("CALLS", default), number("CALLS_SEED", 1));
    let Some(text) = compared(engine, [seed, many, number("CALLS_RUNS", 3)], |claim| claim) else {
        return;
    };
    let count = |word: &str| crate::number(&text, word);
    assert_eq!(count("false"), 0, "{text}");
    // Comparisons, predicates whose claims exclude exceptions, and runs that ended in one.
    assert!(count("compared") > 7 * many, "{text}");
    assert!(count("excluded") > many / 2, "{text}");
    assert!(count("raised") > 2 * many, "{text}");
}

#[test]
fn no_claim_about_a_call_is_false() {
    no_claim_is_false(Engine::Installed, 600);
}

#[test]
fn no_claim_about_a_call_is_false_in_10_1() {
    no_claim_is_false(Engine::InNode, 300);
}

#[test]
fn a_claim_about_a_call_that_is_false_is_found() {
    for (from, to) in [
        ("errors:possible", "errors:excluded"),
        ("determinism:semidet", "determinism:failure"),
        ("solutions_lower:\"0\"", "solutions_lower:\"1\""),
        ("first_upper:\"2\"", "first_upper:\"1\""),
        ("first_lower:\"1\"", "first_lower:\"3\""),
    ] {
        let change = |claim: String| claim.replace(from, to);
        let Some(text) = compared(Engine::Installed, [1, 80, 3], change) else {
            return;
        };
        let found = text.lines().filter(|l| l.starts_with("false")).count();
        assert!(found > 10, "{from}: {text}");
    }
}
