//! Library predicates, as a script sees them: the version of SWI-Prolog that is used, and folders that replace the library that ships.

use crate::{program, project};

use std::path::Path;

use program::{bounds, exactly};
use project::{folder, run};
use serde_json::{Value, json};

const USER: &str = "
%! end_of(+Xs:list, -X).
end_of(Xs, X) :- last(Xs, X).
%! add(+Xs:list(int), -S).
add(Xs, S) :- sum_list(Xs, S).
%! some_of(+Xs:list, -Ys, -Zs).
some_of(Xs, Ys, Zs) :- subseq(Xs, Ys, Zs).
";

/// A library edited by hand: one more entry for each element of `last/2`, and a predicate that no SWI-Prolog has.
const LISTS: &str = "
:- module(lists, [last/2, sum_list/2, every_second/2]).
:- autoload(library(error), [must_be/2]).
last([X], X) :- !.
last([_|Xs], X) :- passed, last(Xs, X).
passed.
sum_list(Xs, S) :- must_be(list, Xs), total(Xs, 0, S).
total([], S, S).
total([X|Xs], S0, S) :- S1 is S0+X, total(Xs, S1, S).
every_second([], []).
every_second([_], []).
every_second([_,X|Xs], [X|Ys]) :- every_second(Xs, Ys).
";

fn as_json(folder: &Path, arguments: &[&str]) -> Value {
    let out = run(folder, &[arguments, &["--format", "json"]].concat());
    serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"))
}

fn text(folder: &Path, arguments: &[&str]) -> String {
    let out = run(folder, arguments);
    String::from_utf8_lossy(&out.stdout).into_owned()
}

#[test]
fn a_folder_takes_the_place_of_what_ships() {
    let folder = folder(&[("a.pl", USER), ("lib/lists.pl", LISTS)]);
    let of = |predicate: &str, more: &[&str]| {
        bounds(folder.path(), &[&["a.pl"], more].concat(), predicate)
    };
    exactly(&of("add/2", &["--no-library"]), "n+3");
    exactly(&of("add/2", &["--library", "lib"]), "n+3");
    exactly(&of("end_of/2", &["--library", "lib"]), "2*n");
    let found = as_json(folder.path(), &["bounds", "a.pl", "--library", "lib"]);
    assert_eq!(found["library"]["version"], Value::Null);
    let files = found["library"]["files"].as_array().unwrap();
    assert!(
        files[0].as_str().unwrap().ends_with("lib/lists.pl"),
        "{found}"
    );
    let shown = text(folder.path(), &["bounds", "a.pl", "--library", "lib"]);
    assert!(
        shown.contains("library predicates are those of `"),
        "{shown}"
    );
}

#[test]
fn verdicts_follow_from_the_clauses_that_count() {
    const ASSERTED: &str = "
:- check pred s(L, S) : list(int) * var + cost(ub, steps, length(L)+3).
:- check pred t(L, S) : list(int) * var + cost(ub, steps, length(L)+2).
:- check pred e(L, X) : list * var + cost(ub, steps, length(L)+2).
s(L, S) :- sum_list(L, S).
t(L, S) :- sum_list(L, S).
e(L, X) :- last(L, X).
";
    let folder = folder(&[("a.pl", ASSERTED), ("lib/lists.pl", LISTS)]);
    let verdicts = |more: &[&str]| {
        let found = as_json(folder.path(), &[&["check", "a.pl"], more].concat());
        let rows = found["assertions"].as_array().unwrap().clone();
        rows.iter()
            .map(|row| row["verdict"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(verdicts(&["--no-library"]), ["checked", "false", "checked"]);
    assert_eq!(
        verdicts(&["--library", "lib"]),
        ["checked", "false", "false"]
    );
}

#[test]
fn a_version_that_is_named_counts() {
    let with = |toml: &str| folder(&[("a.pl", USER), ("costlens.toml", toml)]);
    let old = with("version = \"9.0\"\n");
    let new = with("version = \"10.1\"\n");
    let library = |folder: &Path| as_json(folder, &["bounds", "a.pl"])["library"].clone();
    assert_eq!(
        library(old.path()),
        json!({"version": "9.0.4", "files": []})
    );
    assert_eq!(
        library(new.path()),
        json!({"version": "10.1.10", "files": []})
    );
    let note = "library predicates are those of SWI-Prolog 10.1.10";
    assert!(text(new.path(), &["bounds", "a.pl"]).contains(note));
    assert!(!text(old.path(), &["bounds", "a.pl"]).contains(note));
    // Each element is in one of two lists.
    let found = bounds(new.path(), &["a.pl"], "some_of/3");
    assert_ne!(found.upper, "", "{found:?}");
    let found = bounds(old.path(), &["a.pl"], "some_of/3");
    assert!(found.is_relative, "{found:?}");
    let wrong = with("version = \"9.9\"\n");
    let out = run(wrong.path(), &["bounds", "a.pl"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("there are 9.0, 10.1"));
}

/// The answers with and without the installed SWI-Prolog are the same if its version is the one that ships.
#[test]
fn the_installed_library_has_the_bounds_of_what_ships() {
    let home = Path::new("/usr/lib/swi-prolog/library");
    if !home.join("lists.pl").is_file() {
        return;
    }
    let folder = folder(&[("a.pl", USER)]);
    let found = as_json(folder.path(), &["bounds", "a.pl"]);
    let alone = as_json(folder.path(), &["bounds", "a.pl", "--no-library"]);
    if found["library"]["version"] == "9.0.4" {
        assert_eq!(found["library"], alone["library"]);
        assert_eq!(found["predicates"][0], alone["predicates"][0]);
    }
}

#[test]
fn helpers_of_a_library_are_its_own() {
    let user = "%! m(+Xs:list(int), -M).\nm(Xs, M) :- max_list(Xs, 0, M).\n";
    let folder = folder(&[("a.pl", user)]);
    let found = bounds(folder.path(), &["a.pl", "--no-library"], "m/2");
    assert!(found.reason.contains("max_list/3"), "{found:?}");
}

#[test]
fn only_what_a_run_calls_is_warned_of() {
    let user = "p(1) :- put_assoc(a, t, 1, _).\np(2).\n";
    let folder = folder(&[("a.pl", user)]);
    let said = |goal: &str| {
        let out = run(folder.path(), &["run", "a.pl", "--goal", goal, "--bounds"]);
        String::from_utf8_lossy(&out.stderr).into_owned()
    };
    assert!(said("p(1)").contains("put_assoc/4"), "{}", said("p(1)"));
    assert!(!said("p(2)").contains("put_assoc/4"), "{}", said("p(2)"));
}

/// Rules by name are about the text of the release.
#[test]
fn an_edited_library_has_no_rules_of_inference() {
    let aggregate = ":- module(aggregate, [aggregate_all/3]).
:- meta_predicate aggregate_all(?, 0, -).
aggregate_all(count, G, N) :- xx, xx, xx, findall(x, G, Xs), length(Xs, N).
xx.
";
    let user = "%! a(+L:list(int), -N).\na(L, N) :- aggregate_all(count, member(_, L), N).\n";
    let loads = format!(":- use_module(library(aggregate)).\n{user}");
    let folder = folder(&[
        ("a.pl", loads.as_str()),
        ("b.pl", user),
        ("lib/aggregate.pl", aggregate),
    ]);
    let of = |arguments: &[&str]| bounds(folder.path(), arguments, "a/2");
    let rule = of(&["a.pl", "--no-library"]);
    assert!(rule.reason.is_empty(), "{rule:?}");
    let clauses = of(&["a.pl", "--library", "lib"]);
    assert_ne!(clauses, rule);
    let not_loaded = of(&["b.pl", "--library", "lib"]);
    assert!(
        not_loaded.reason.contains("aggregate_all/3"),
        "{not_loaded:?}"
    );
}

#[test]
fn a_folder_without_a_library_is_named() {
    let user = "%! f(+L:list(int), -R).\nf(L, R) :- sumlist(L, R).\n";
    let folder = folder(&[("a.pl", user), ("lib/lists.pl", LISTS)]);
    let found = bounds(folder.path(), &["a.pl", "--library", "lib"], "f/2");
    assert!(found.reason.contains("`library(backcomp)`"), "{found:?}");
    assert!(found.reason.contains("lib`"), "{found:?}");
}
