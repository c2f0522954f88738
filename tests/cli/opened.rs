//! Predicates that are made dynamic or tabled in unexpected places: in other files, in goals, in running clauses.

use crate::program;

use program::{bounds, exactly, folder, unknown};

const FACTS: &str = "p(1).\np(2).\n";

/// Asserts that nothing is known of `p/1` in `main.pl`, whatever its clauses say.
#[track_caller]
fn is_open(files: &[(&str, &str)], reason: &str) {
    let folder = folder(files);
    unknown(&bounds(folder.path(), &["main.pl"], "p/1"), reason);
}

#[test]
fn other_files_of_the_module_declare() {
    for load in ["include(decl)", "ensure_loaded(decl)", "[decl]"] {
        let main = format!(":- {load}.\n{FACTS}");
        is_open(
            &[("main.pl", &main), ("decl.pl", ":- dynamic p/1.\n")],
            "`decl.pl` says that it is dynamic",
        );
        is_open(
            &[("main.pl", &main), ("decl.pl", ":- table p/1.\n")],
            "`decl.pl` says that it is tabled",
        );
    }
    let part = "reset :- dynamic(p/1).\n";
    is_open(
        &[
            ("main.pl", &format!(":- include(part).\n{FACTS}")),
            ("part.pl", part),
        ],
        "`part.pl` says that it is dynamic",
    );
}

#[test]
fn other_modules_declare() {
    let lib = format!(":- module(lib, [t/0]).\n{FACTS}t :- p(_), fail.\nt.\n");
    for main in [
        ":- use_module(lib).\n:- dynamic lib:p/1.\n",
        ":- use_module(lib).\n:- lib:dynamic(p/1).\n",
        ":- use_module(lib).\nreset :- dynamic(lib:p/1).\n",
        ":- use_module(lib).\nreset :- abolish(lib:p/1).\n",
        ":- retractall(lib:p(_)).\n:- use_module(lib).\n",
    ] {
        let folder = folder(&[("main.pl", main), ("lib.pl", &lib)]);
        let found = bounds(folder.path(), &["main.pl", "lib.pl"], "p/1");
        unknown(&found, "`main.pl` says that it is dynamic");
    }
    // A predicate of another module.
    let folder = folder(&[
        ("main.pl", ":- use_module(lib).\n:- dynamic other:p/1.\n"),
        ("lib.pl", &lib),
    ]);
    exactly(&bounds(folder.path(), &["main.pl", "lib.pl"], "t/0"), "4");
}

#[test]
fn goals_of_directives_declare() {
    for directive in [
        "user:dynamic(p/1)",
        "user:(dynamic p/1)",
        "call((dynamic p/1))",
        "initialization(dynamic(p/1))",
        "forall(member(X, [p/1]), dynamic(X))",
        "maplist(dynamic, [p/1])",
        "catch(dynamic(p/1), _, true)",
        "(true -> dynamic(p/1) ; true)",
        "@(dynamic(p/1), user)",
        "retractall(p(_))",
        "assertz(p(0))",
        "once(retractall(user:p(_)))",
    ] {
        is_open(
            &[("main.pl", &format!(":- {directive}.\n{FACTS}"))],
            "it is dynamic",
        );
    }
    is_open(
        &[(
            "main.pl",
            &format!(":- go.\n{FACTS}go :- once((true, dynamic(p/1))).\n"),
        )],
        "it is dynamic",
    );
}

#[test]
fn library_names_whose_clauses_goals_change_are_not_the_librarys() {
    for (main, why) in [
        (
            "learn :- assertz((last(L, X) :- L = [X])).\np(_) :- last([a], _).\n",
            "change the clauses of `last/2`",
        ),
        (
            ":- assertz((last(L, X) :- L = [X])).\np(_) :- last([a], _).\n",
            "`last/2` is dynamic",
        ),
        (
            "learn :- retractall(last(_, _)).\np(_) :- last([a], _).\n",
            "change the clauses of",
        ),
    ] {
        is_open(&[("main.pl", main)], why);
    }
    // A module also inherits predicates from `user`.
    let module = ":- module(m, [p/1]).\np(_) :- last([a], _).\n";
    let files = folder(&[
        (
            "main.pl",
            ":- use_module(m).\nlearn :- assertz((last(L, X) :- L = [X])).\n",
        ),
        ("m.pl", module),
    ]);
    let found = bounds(files.path(), &["main.pl", "m.pl"], "p/1");
    unknown(&found, "change the clauses of `last/2`");
    // The import list reserves the name: SWI-Prolog refuses to change clauses of the library.
    let listed = ":- use_module(library(lists), [last/2]).\nlearn :- assertz((last(L, X) :- L = [X])).\np(_) :- last([a], _).\n";
    let folder = folder(&[("main.pl", listed)]);
    exactly(&bounds(folder.path(), &["main.pl"], "p/1"), "3");
}

#[test]
fn what_changes_nothing_that_has_clauses_leaves_the_bounds() {
    for directive in ["retractall(p(_))", "assertz(p(3))", "retract(p(1))"] {
        // The directive raises an exception: the predicate is static by then.
        let main = format!("{FACTS}:- {directive}.\nt :- p(_), fail.\nt.\n");
        let folder = folder(&[("main.pl", &main)]);
        exactly(&bounds(folder.path(), &["main.pl"], "t/0"), "4");
    }
    // Two programs in one folder.
    let folder = folder(&[
        ("main.pl", "t :- p(_), fail.\nt.\np(1).\np(2).\n"),
        ("other.pl", ":- dynamic p/1.\np(3).\n"),
    ]);
    exactly(&bounds(folder.path(), &["main.pl", "other.pl"], "t/0"), "4");
}

/// If a library changes terms of a program or constrains its variables, the report names the library predicate that does so; its
/// implementation does not concern users.
#[test]
fn what_a_library_changes_in_place_is_told_by_its_name() {
    let main = "
:- use_module(library(limits)).
bounded([]).
bounded([X|Xs]) :- X = count(N), limit(X), N > 0, bounded(Xs).
outer(Xs) :- bounded(Xs), Xs = [count(N)|_], N > 0.
";
    let folder = folder(&[
        (
            "lib/limits.pl",
            ":- module(limits, [limit/1]).\nlimit(C) :- setarg(1, C, 0).\n",
        ),
        ("main.pl", main),
    ]);
    let of = |predicate: &str| bounds(folder.path(), &["main.pl", "--library", "lib"], predicate);
    unknown(
        &of("bounded/1"),
        "`limit/1` of `library(limits)` in clause 2 may put constraints on variables or change terms in place",
    );
    unknown(
        &of("outer/1"),
        "`bounded/1` in clause 1 calls `limit/1` of `library(limits)`, which may",
    );
}
