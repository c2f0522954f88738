//! Trust assertions in the files of a project, as a script sees them: the assertions that bounds rely on are reported.

use crate::project;

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

/// Returns the upper bound of a predicate's first pattern, and its assumptions.
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
    // A project's assertions do not apply to predicates with clauses.
    assert_eq!(upper(&all, "len"), ("n+1".into(), serde_json::json!([])));
}

#[test]
fn a_folder_beside_another_one_is_no_part_of_the_project() {
    let folder = folder(&[("src/a.pl", USER), ("other/costlens/engine.pl", TRUST)]);
    let all = json(folder.path(), &["bounds", "src/a.pl", "other"]);
    // Nothing is known about what it calls, except that it has a cost.
    assert_eq!(upper(&all, "use"), ("half+1".into(), serde_json::json!([])));
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

/// A file that uses libraries whose text is unavailable.
const LIBRARIES: &str = "
:- use_module(library(assoc)).
:- use_module(library(option), [option/3 as choice]).
:- use_module(library(mine)).
%! index(+Xs:list(integer), -A) is det.
index(Xs, A) :- empty_assoc(A0), insert(Xs, A0, A).
insert([], A, A).
insert([X|Xs], A0, A) :- put_assoc(X, A0, 1, A1), insert(Xs, A1, A).
%! depth(+Options:list, -D) is det.
depth(Options, D) :- choice(depth(D), Options, 3).
%! union(+Xs:list, +Ys:list, -Zs) is det.
union(Xs, Ys, Zs) :- ord_union(Xs, Ys, Zs).
%! own(-X) is det.
own(X) :- maybe(X).
maybe(1).
%! changed(-X) is semidet.
:- dynamic gensym/2.
changed(X) :- gensym(a, X).
";

#[test]
fn what_is_stated_of_libraries_stands_in_for_their_text() {
    let folder = folder(&[("a.pl", LIBRARIES)]);
    let found = json(folder.path(), &["bounds", "--no-library", "a.pl"]);
    let (index, on) = upper(&found, "index");
    assert_eq!(index, "8*n*clog(2,n+2)+n+3");
    assert!(
        (on.as_array().unwrap().iter()).all(|l| l.as_str().unwrap().starts_with("costlens:assoc:")),
        "{on}"
    );
    assert_eq!(upper(&found, "depth").0, "6");
    assert_eq!(upper(&found, "union").0, "2*n+2*m+2");
    // Without a mode line an argument is guessed from what is stated about the predicates that it is passed to.
    assert_eq!(upper(&found, "insert").0, "8*n*clog(2,n+m+2)+n+1");
    // The file's own predicate is meant, also a dynamic one.
    assert_eq!(upper(&found, "own").0, "2");
    assert_eq!(upper(&found, "changed").0, "gensym+1");
}

#[test]
fn a_library_can_be_distrusted() {
    let folder = folder(&[("a.pl", LIBRARIES)]);
    let arguments = ["bounds", "--no-library", "--no-trust", "assoc", "a.pl"];
    let found = json(folder.path(), &arguments);
    assert_eq!(upper(&found, "index").0, "n*put_assoc+n+empty_assoc+2");
    assert_eq!(upper(&found, "depth").0, "6");
    let arguments = ["bounds", "--no-library", "--no-trust", "all", "a.pl"];
    let found = json(folder.path(), &arguments);
    for (name, of) in [
        ("index", "put_assoc"),
        ("depth", "choice"),
        ("union", "ord_union"),
    ] {
        let upper = upper(&found, name).0;
        assert!(upper.as_str().unwrap().contains(of), "{name}: {upper}");
    }
}

#[test]
fn what_is_stated_is_about_swi_prolog() {
    let scryer = format!("#!/usr/bin/env scryer-prolog\n{LIBRARIES}");
    let folder = folder(&[("a.pl", &scryer)]);
    let found = json(folder.path(), &["bounds", "--no-library", "a.pl"]);
    assert_eq!(upper(&found, "index").0, Value::Null);
}

#[test]
fn trees_grammars_and_sequences_of_libraries_that_are_not_installed() {
    let text = "
:- use_module(library(rbtrees)).
:- use_module(library(dcg/basics)).
:- use_module(library(solution_sequences)).
%! fill(+Pairs:list, +K:integer, -V) is semidet.
fill(Pairs, K, V) :- list_to_rbtree(Pairs, T), rb_lookup(K, V, T).
%! built(+Pairs:list, -T) is det.
built(Pairs, T) :- list_to_rbtree(Pairs, T).
%! line(+Codes:list(integer), -N) is semidet.
line(Codes, N) :- phrase(integer(N), Codes, _).
%! two(+Xs:list, -X) is nondet.
two(Xs, X) :- limit(2, member(X, Xs)).
";
    let folder = folder(&[("a.pl", text)]);
    let found = json(folder.path(), &["bounds", "--no-library", "a.pl"]);
    assert_eq!(upper(&found, "built").0, "3*n+4");
    assert_eq!(upper(&found, "line").0, "2*n+8");
    assert_eq!(upper(&found, "two").0, "2*n+2");
    assert_eq!(upper(&found, "fill").0, "3*n+4*clog(2,n+1)+6");
}

/// An association as in SWI-Prolog, without balance.
const ASSOC: &str = "
:- module(assoc, [empty_assoc/1, put_assoc/4]).
empty_assoc(t).
put_assoc(K, t, V, t(K, V, <, t, t)).
put_assoc(K, t(L, W, B, Ls, Rs), V, A) :- compare(O, K, L), put(O, K, L, W, B, Ls, Rs, V, A).
put(=, K, _, _, B, Ls, Rs, V, t(K, V, B, Ls, Rs)).
put(<, K, L, W, B, Ls, Rs, V, t(L, W, B, Ns, Rs)) :- put_assoc(K, Ls, V, Ns).
put(>, K, L, W, B, Ls, Rs, V, t(L, W, B, Ls, Ns)) :- put_assoc(K, Rs, V, Ns).
";

#[test]
fn what_is_stated_of_a_library_is_not_used_for_another_text() {
    let folder = folder(&[("a.pl", LIBRARIES), ("lib/assoc.pl", ASSOC)]);
    let found = json(folder.path(), &["bounds", "--library", "lib", "a.pl"]);
    // The depth of an unbalanced association may equal its number of keys.
    let (index, on) = upper(&found, "index");
    assert_eq!(index, "insert+2", "{found}");
    assert_eq!(on, serde_json::json!([]));
    let found = json(folder.path(), &["bounds", "--no-library", "a.pl"]);
    assert_ne!(upper(&found, "index").0, Value::Null, "{found}");
}

#[test]
fn a_bound_that_is_refuted_for_some_sizes_is_used_for_none() {
    let text = "
:- trust pred r(X) : list(X) + (cost(ub,steps,length(X)+1), is_det).
r([]).
r([_|T]) :- r(T), r(T).
%! go(+X:list) is det.
go(X) :- r(X).
";
    let folder = folder(&[("a.pl", text)]);
    let found = json(folder.path(), &["bounds", "--no-library", "a.pl"]);
    assert_eq!(upper(&found, "r").0, "2*2^n-1");
    assert_eq!(upper(&found, "go").0, "2*2^n");
}
