//! Multifile predicates: the clauses of all files of a program, in the order of loading.

use crate::program;

use program::{bounds, exactly, folder, run, unknown};

const SHAPES: &str = "\
:- module(shapes, [walks/1, total/2]).
:- multifile area/2, walk/1.
area(none, 0).
%! walks(+Xs:list) is det.
walks(Xs) :- walk(Xs).
%! total(+Xs:list, -N) is nondet.
total([], 0).
total([X|Xs], N) :- area(X, _), total(Xs, M), N is M + 1.
step.
";

/// Asserts that the bounds of a predicate of a program in several files are those of the same clauses in one.
#[track_caller]
fn as_in_one_file(parts: &[(&str, &str)], asked: &str, whole: &str, predicate: &str) {
    let several = folder(parts);
    let files: Vec<&str> = parts.iter().map(|(name, _)| *name).collect();
    let asked_last = [&[asked][..], &files].concat();
    let one = folder(&[("one.pl", whole)]);
    let (found, expected) = (
        bounds(several.path(), &asked_last, predicate),
        bounds(one.path(), &["one.pl"], predicate),
    );
    assert!(!expected.upper.is_empty(), "{expected:?}");
    assert_eq!(
        (&found.lower, &found.upper, &found.origin),
        (&expected.lower, &expected.upper, &expected.origin)
    );
}

#[test]
fn parts_of_a_module_give_clauses_where_they_are_loaded() {
    let t = "%! t(+N:int, -S) is det.\nt(N, S) :- sign(N, S).\n";
    let slow = "slow(N) :- N =< 0, !.\nslow(N) :- M is N-1, slow(M).\n";
    let main = format!(
        ":- multifile sign/2.\nsign(N, S) :- N > 5, !, S = large.\n:- ensure_loaded(part).\nsign(N, small) :- slow(N).\n{slow}{t}"
    );
    let part = "sign(N, S) :- N > 0, !, S = plus.\n";
    let one =
        format!("sign(N, S) :- N > 5, !, S = large.\n{part}sign(N, small) :- slow(N).\n{slow}{t}");
    as_in_one_file(
        &[("main.pl", &main), ("part.pl", part)],
        "main.pl",
        &one,
        "t/2",
    );
    // A later clause does not save the time of the one before it.
    let late = main.replace(":- ensure_loaded(part).\n", "") + ":- ensure_loaded(part).\n";
    let files = [("main.pl", late.as_str()), ("part.pl", part)];
    let one =
        format!("sign(N, S) :- N > 5, !, S = large.\nsign(N, small) :- slow(N).\n{slow}{t}{part}");
    as_in_one_file(&files, "main.pl", &one, "t/2");
}

#[test]
fn bodies_run_in_the_module_of_their_file() {
    let main = "\
:- use_module(shapes).
shapes:walk([]).
shapes:walk([_|Xs]) :- step, step, shapes:walk(Xs).
step :- other.
other.
";
    let folder = folder(&[("main.pl", main), ("shapes.pl", SHAPES)]);
    let all = |predicate: &str| bounds(folder.path(), &["shapes.pl", "main.pl"], predicate);
    // `step/0` of `main.pl` takes two steps, that of `shapes.pl` one.
    exactly(&all("walks/1"), "5*n+2");
    let inside = main.replace(
        "shapes:walk([_|Xs]) :- step, step, shapes:walk(Xs).",
        "shapes:(walk([_|Xs]) :- step, step, walk(Xs)).",
    );
    std::fs::write(folder.path().join("main.pl"), inside).unwrap();
    let all = |predicate: &str| bounds(folder.path(), &["shapes.pl", "main.pl"], predicate);
    exactly(&all("walks/1"), "3*n+2");
}

#[test]
fn grammar_rules_cuts_and_predicates_of_the_module_itself_are_followed() {
    let grammar = "\
:- module(grammar, [length_of/2, digits//0, skip//0]).
:- multifile digits//0.
%! length_of(+Xs:list(int), -Rest) is nondet.
length_of(Xs, Rest) :- digits(Xs, Rest).
skip --> [_].
";
    let main = "\
:- use_module(grammar).
grammar:digits --> skip, !, grammar:digits.
grammar:digits --> [].
";
    let one = "\
%! length_of(+Xs:list(int), -Rest) is nondet.
length_of(Xs, Rest) :- digits(Xs, Rest).
skip --> [_].
digits --> skip, !, digits.
digits --> [].
";
    as_in_one_file(
        &[("main.pl", main), ("grammar.pl", grammar)],
        "grammar.pl",
        one,
        "length_of/2",
    );
}

#[test]
fn what_is_not_certain_stays_unknown() {
    let main = ":- use_module(shapes).\nshapes:area(square, 1).\n";
    let found = |files: &[(&str, &str)]| {
        let all = [&[("shapes.pl", SHAPES)][..], files].concat();
        let folder = folder(&all);
        let mut names = vec!["shapes.pl"];
        names.extend(files.iter().map(|(name, _)| *name));
        bounds(folder.path(), &names, "total/2")
    };
    // Unbound elements match both clauses of `area/2`.
    assert_eq!(found(&[("main.pl", main)]).upper, "4*2^n-3");
    // That no other file adds clauses is an assumption.
    assert_eq!(found(&[]).upper, "2*n+1");
    let module = format!(":- module(app, []).\n{main}");
    assert_eq!(found(&[("main.pl", &module)]).upper, "4*2^n-3");
    let started = format!("{module}:- initialization(run, main).\nrun.\n");
    assert_eq!(found(&[("main.pl", &started)]).upper, "4*2^n-3");
    unknown(
        &found(&[("main.pl", main), ("other.pl", ":- use_module(shapes).\n")]),
        "`main.pl` and `other.pl` load different clauses of it",
    );
    for (more, why) in [
        (":- use_module(nowhere).\n", "`nowhere`, which was not read"),
        (
            ":- foo(F), use_module(F).\n",
            "a file that `main.pl` names by a variable",
        ),
        (
            "plug(F) :- consult(F).\n",
            "`main.pl` loads files while the program runs",
        ),
        (
            ":- dynamic shapes:area/2.\n",
            "`main.pl` says that it is dynamic",
        ),
        (
            ":- if(foo).\nshapes:area(circle, 1).\n:- endif.\n",
            "between `:- if` and `:- endif`",
        ),
        (
            "shapes:area(X, 1), X = 3 => true.\nshapes:((area(_, 1), x) --> []).\n",
            "a clause in a form that is not read",
        ),
    ] {
        let found = found(&[("main.pl", &format!("{main}{more}"))]);
        assert!(
            found.upper.is_empty() && found.reason.contains(why),
            "{more}: {found:?}"
        );
    }
    for (load, why) in [
        (
            ":- if(foo).\n:- use_module(plugin).\n:- endif.\n",
            "loaded only where a condition holds",
        ),
        (
            ":- autoload(plugin, [nothing/0]).\n",
            "loaded when something of it is first called",
        ),
    ] {
        let plugin = ":- module(plugin, [nothing/0]).\nshapes:area(ring, 1).\nnothing.\n";
        let found = found(&[("main.pl", &format!("{main}{load}")), ("plugin.pl", plugin)]);
        unknown(&found, why);
    }
    // If it was not declared before, a clause of another file replaces the earlier ones.
    let early = ":- ensure_loaded(part).\ncolor(red).\n:- multifile color/1.\n%! c(-X) is nondet.\nc(X) :- color(X).\n";
    let several = folder(&[("main.pl", early), ("part.pl", "color(blue).\n")]);
    unknown(
        &bounds(several.path(), &["main.pl"], "c/1"),
        "before it is declared to be multifile",
    );
}

#[test]
fn recursion_through_the_files_is_followed() {
    let folder = folder(&[
        (
            "a.pl",
            ":- module(a, [p/1]).\n:- multifile p/1.\n%! p(+Xs:list) is nondet.\np([]).\n",
        ),
        (
            "main.pl",
            ":- use_module(a).\na:p([_|Xs]) :- q(Xs).\nq(Xs) :- p(Xs).\n",
        ),
    ]);
    // Each element is one step of `p/1` and one of `q/1`.
    exactly(&bounds(folder.path(), &["a.pl", "main.pl"], "p/1"), "2*n+1");
}

#[test]
fn a_clause_that_means_something_else_elsewhere_is_not_taken() {
    // Both files have a `helper/0`, and the clauses belong to the same module.
    let folder = folder(&[
        (
            "main.pl",
            ":- multifile p/1.\n:- ensure_loaded(part).\np(1).\nhelper.\n%! t(+X:int) is nondet.\nt(X) :- p(X).\n",
        ),
        ("part.pl", "p(2) :- helper.\nhelper :- helper.\n"),
    ]);
    unknown(
        &bounds(folder.path(), &["main.pl"], "t/1"),
        "`helper/0` in the clauses that `part.pl` gives it is not what `main.pl` means by that",
    );
}

#[test]
fn it_is_said_where_the_clauses_come_from() {
    let main = ":- use_module(shapes).\nshapes:walk([]).\nshapes:area(square, A) :- loop(A).\nloop(A) :- loop(A).\n";
    let folder = folder(&[("main.pl", main), ("shapes.pl", SHAPES)]);
    let out = run(folder.path(), &["bounds", "shapes.pl", "main.pl"]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(text.contains("clauses of shapes.pl, main.pl"), "{text}");
    let alone = program::folder(&[("shapes.pl", SHAPES)]);
    let out = run(alone.path(), &["bounds", "shapes.pl"]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let assumed = "assuming that no other file adds clauses to `area/2`";
    assert!(text.contains(assumed), "{text}");
}

/// Runs a goal in `main.pl` for all solutions, and asserts that each count is within its bounds. Returns the numbers of solutions and of steps.
#[track_caller]
fn counted(folder: &std::path::Path, goal: &str) -> (u64, u64) {
    let arguments = [
        "run", "main.pl", "--goal", goal, "--all", "--bounds", "--format", "json",
    ];
    let out = run(folder, &arguments);
    let all: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(said, "", "{goal}");
    let events = all["estimates"]["events"].as_object().unwrap();
    assert!(events["steps"]["upper"].is_number(), "{goal}: {all}");
    for (name, event) in events {
        assert_eq!(event["holds"], true, "{goal}: {name} {event}");
    }
    let number = |value: &serde_json::Value| value.as_u64().unwrap();
    (number(&all["solutions"]), number(&all["events"]["steps"]))
}

#[test]
fn a_run_has_the_clauses_of_all_files_in_the_order_of_loading() {
    // Clauses before, in, and after the directive that loads the others; these come as parts, as text, and from another module.
    let main = "\
:- multifile sign/2.
sign(N, S) :- N > 5, !, S = large.
:- ensure_loaded(part).
sign(N, small) :- slow(N).
sign(_, any).
slow(N) :- N =< 0, !.
slow(N) :- M is N-1, slow(M).
%! t(+N:int, -S) is multi.
t(N, S) :- sign(N, S).
";
    let part = ":- multifile sign/2.\nsign(N, S) :- N > 3, !, S = plus.\n";
    for load in [
        "ensure_loaded(part)",
        "include(part)",
        "[part]",
        "consult(part)",
    ] {
        let main = main.replace("ensure_loaded(part)", load);
        let folder = folder(&[("main.pl", main.as_str()), ("part.pl", part)]);
        // One step for `t`, one for the clause; the last two clauses leave a choice point, and `slow` counts down.
        for (n, expected) in [(9, (1, 2)), (4, (1, 2)), (2, (2, 6)), (0, (2, 4))] {
            let goal = format!("t({n}, S)");
            assert_eq!(counted(folder.path(), &goal), expected, "{load} {goal}");
        }
    }
}

#[test]
fn a_run_has_the_clauses_that_other_modules_give() {
    let main = "\
:- use_module(shapes).
:- use_module(more).
shapes:walk([]).
shapes:walk([_|Xs]) :- stride, shapes:walk(Xs).
stride.
%! t(+Xs:list) is multi.
t(Xs) :- walks(Xs).
";
    let more = ":- module(more, []).\n:- use_module(shapes).\nshapes:walk([_,_|Xs]) :- jump, shapes:walk(Xs).\njump.\n";
    let folder = folder(&[("main.pl", main), ("more.pl", more), ("shapes.pl", SHAPES)]);
    // Paths of one and of two steps.
    for (goal, solutions) in [("t([])", 1), ("t([a,b])", 2), ("t([a,b,c,d])", 5)] {
        assert_eq!(counted(folder.path(), goal).0, solutions, "{goal}");
    }
    // In the same name space a second `stride/0` would be another predicate.
    let more = format!("{more}stride :- fail.\n");
    std::fs::write(folder.path().join("more.pl"), more).unwrap();
    let out = run(folder.path(), &["run", "main.pl", "--goal", "t([])"]);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(said.contains("have a `stride/0`"), "{said}");
    // No file declares it.
    let shapes = SHAPES.replace(":- multifile area/2, walk/1.", "walk(none).");
    std::fs::write(folder.path().join("shapes.pl"), shapes).unwrap();
    std::fs::write(folder.path().join("more.pl"), ":- module(more, []).\n").unwrap();
    let out = run(folder.path(), &["run", "main.pl", "--goal", "t([])"]);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(
        said.contains("`main.pl` gives `walk/1` of `shapes.pl` clauses"),
        "{said}"
    );
}

/// Bounds of a program do not apply to a run of only one of its files: the predicates in the others are missing.
#[test]
fn a_file_that_runs_alone_is_not_compared() {
    let folder = folder(&[
        (
            "main.pl",
            ":- use_module(m).\nt(Xs) :- own(Xs), m(Xs).\nown([]).\nown([_|Xs]) :- own(Xs).\n",
        ),
        (
            "m.pl",
            ":- module(m, [m/1]).\nm(Xs) :- own(Xs).\nown([]).\nown([_|Xs]) :- own(Xs).\n",
        ),
    ]);
    let goal = [
        "run",
        "main.pl",
        "--goal",
        "t([a])",
        "--bounds",
        "--exit-zero",
    ];
    let out = run(folder.path(), &goal);
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    let (said, shown) = (
        String::from_utf8_lossy(&out.stderr),
        String::from_utf8_lossy(&out.stdout),
    );
    assert!(said.contains("only `main.pl` is loaded"), "{said}");
    assert!(said.contains("those of the whole program"), "{said}");
    assert!(!said.contains("please report"), "{said}");
    assert!(!shown.contains("VIOLATED"), "{shown}");
}
