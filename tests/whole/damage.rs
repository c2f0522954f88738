//! The texts of the fixtures with one full stop, bracket or quote removed: if that changes how a predicate is read, no bound of it is shown,
//! unless SWI-Prolog reads the text without complaint.
//!
//! `DAMAGE=5000` tries that many texts, `DAMAGE_SEED=N` starts from another seed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use costlens_syntax::{ReadClause, Terms, read_text};
use serde_json::Value;

use crate::project::{folder, run};
use crate::seeds::{self, number};

/// A predicate with its clauses, as far as they can be recognised in a text.
type Clauses = BTreeMap<(String, usize), Vec<Terms>>;

fn clauses(text: &str) -> Clauses {
    let mut found = Clauses::new();
    for clause in read_text(text).clauses {
        if let Some(functor) = functor(&clause) {
            (found.entry(functor).or_default()).push(Terms::clone(&clause.terms));
        }
    }
    found
}

fn functor(clause: &ReadClause) -> Option<(String, usize)> {
    let terms = &clause.terms;
    let (name, arity) = terms.functor(clause.root)?;
    let (mut head, mut more) = (clause.root, 0);
    match (name.as_str(), arity) {
        (":-" | "?-", 1) => return None,
        (":-" | "=>", 2) => head = terms.args(head)[0],
        ("-->", 2) => (head, more) = (terms.args(head)[0], 2),
        _ => {}
    }
    if let Some(&[guarded, _]) = terms.matches(head, ",", 2) {
        head = guarded;
    }
    let (name, arity) = terms.functor(head)?;
    Some((name.to_string(), arity + more))
}

/// Returns a text of a fixture, and the same without a character.
fn damaged(files: &[PathBuf], seed: u64) -> (String, String, String) {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D;
    let mut below = |bound: usize| {
        state =
            (state.wrapping_mul(6_364_136_223_846_793_005)).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % bound
    };
    let file = &files[below(files.len())];
    let whole = std::fs::read_to_string(file).unwrap();
    let (mut places, mut at) = (Vec::new(), 0);
    for line in whole.split_inclusive('\n') {
        if !line.trim_start().starts_with('%') {
            let marks = line.match_indices(['(', ')', '[', ']', '{', '}', '\'', '"']);
            places.extend(marks.map(|(i, _)| at + i));
            // Full stops are a third of what is removed.
            if let Some(stop) = line.find(".\n") {
                places.extend([at + stop; 4]);
            }
        }
        at += line.len();
    }
    let place = places[below(places.len())];
    let mut text = whole.clone();
    let mark = text.remove(place);
    let line = whole[..place].matches('\n').count() + 1;
    let what = format!("{}:{line} without {mark}, seed {seed}", file.display());
    (whole, text, what)
}

/// Returns whether SWI-Prolog reads a text without complaint. Only directives about operators and libraries are run.
fn is_read_by_swi(file: &Path) -> bool {
    let goal = "set_prolog_flag(verbose_load, silent), current_prolog_flag(argv, [_, F|_]), \
         catch(( open(F, read, S), \
                 repeat, read_term(S, T, [module(user), syntax_errors(error)]), \
                 ( T = (:- op(P, K, N)) -> op(P, K, N) \
                 ; T = (:- use_module(library(L))) -> catch(use_module(library(L)), _, true) \
                 ; true ), \
                 T == end_of_file, ! ), \
               _, halt(1)), halt(0)";
    let swipl = Command::new("swipl")
        .args(["-q", "-g", goal, "-t", "halt(2)", "--"])
        .args([Path::new("x"), file])
        .output()
        .unwrap();
    swipl.status.code() == Some(0)
}

/// Returns the number of predicates whose shape differs from that in the whole text, and those among them that have a bound anyway.
fn bounds_left(whole: &str, text: &str) -> (usize, Vec<String>) {
    let (before, after) = (clauses(whole), clauses(text));
    let folder = folder(&[("damaged.pl", text)]);
    let output = run(
        folder.path(),
        &["bounds", "--format", "json", "--exit-zero", "damaged.pl"],
    );
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}\n{text}", String::from_utf8_lossy(&output.stderr)));
    let (mut differing, mut left) = (0, Vec::new());
    for predicate in report["predicates"].as_array().unwrap() {
        let name = predicate["name"].as_str().unwrap();
        let arity = usize::try_from(predicate["arity"].as_u64().unwrap()).unwrap();
        let key = (name.to_owned(), arity);
        if before.get(&key) == after.get(&key) {
            continue;
        }
        differing += 1;
        let bounded = predicate["patterns"].as_array().unwrap().iter().any(|p| {
            let steps = &p["bounds"]["steps"];
            let trusted = p["rests_on"].as_array().is_some_and(|t| !t.is_empty());
            !trusted && (steps["lower"] != "0" || !steps["upper"].is_null())
        });
        if bounded {
            left.push(format!("{name}/{arity}: {}", predicate["hint"]));
        }
    }
    if !left.is_empty() && is_read_by_swi(&folder.path().join("damaged.pl")) {
        left.clear();
    }
    (differing, left)
}

/// Returns whether a fixture can be read: otherwise SWI-Prolog would complain about it, whatever is removed.
fn is_whole(file: &Path) -> bool {
    let text = std::fs::read_to_string(file).unwrap();
    read_text(&text).clauses.iter().all(|c| c.error.is_none())
}

#[test]
fn what_reads_differently_for_damage_has_no_bound() {
    let is_here = Command::new("swipl").arg("--version").output().is_ok();
    assert!(
        is_here || std::env::var_os("CI").is_none(),
        "swipl is not here, and CI asks for it"
    );
    if !is_here {
        return;
    }
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let mut files: Vec<PathBuf> = (std::fs::read_dir(fixtures).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "pl") && is_whole(path))
        .collect();
    files.sort();
    let (many, from) = (number("DAMAGE", 200), number("DAMAGE_SEED", 0));
    let found = Mutex::new((0, Vec::new()));
    seeds::each(many, from, |seed| {
        let (whole, text, what) = damaged(&files, seed);
        let (differing, left) = bounds_left(&whole, &text);
        let mut found = found.lock().unwrap();
        found.0 += differing;
        found
            .1
            .extend(left.into_iter().map(|l| format!("{what}: {l}")));
    });
    let (differing, left) = found.into_inner().unwrap();
    assert!(left.is_empty(), "{}", left.join("\n"));
    assert!(
        differing * 2 >= usize::try_from(many).unwrap(),
        "only {differing} predicates read differently"
    );
}
