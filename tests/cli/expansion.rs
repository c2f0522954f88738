//! Expansions of pure code are run. Of others, only predicates that they may affect have unknown bounds.

use crate::printed::json_of;
use crate::program;

use program::{bounds, exactly, folder, run, unknown};

const REST: &str = "
p(_) :- q.
q.
uses(X) :- twice(p(X)).
row(1).
grammar --> [].
rows(3).
";

/// Settings under which no hook is run.
const NOT_RUN: (&str, &str) = ("costlens.toml", "expansions = false\n");

/// Asserts which predicates of a file with these hooks have no upper bound, by name; all of them name the hook. If it is not known which terms a
/// hook takes, it is an assumption that it leaves the clauses as they are.
#[track_caller]
fn touched(hooks: &str, expected: &[&str]) {
    let main = format!("{hooks}\n{REST}\ntwice(_).\n");
    let folder = folder(&[("main.pl", main.as_str()), NOT_RUN]);
    for predicate in ["p/1", "q/0", "uses/1", "row/1", "grammar/2", "rows/1"] {
        let found = bounds(folder.path(), &["main.pl"], predicate);
        let name = predicate.split('/').next().unwrap();
        if expected.contains(&name) {
            if found.assumes.iter().any(|kind| kind == "as-written") {
                continue;
            }
            unknown(&found, "expanded by");
            assert!(found.reason.contains("_expansion/"), "{found:?}");
        } else {
            assert!(!found.upper.is_empty(), "{hooks}: {predicate}: {found:?}");
            assert!(!found.is_relative, "{hooks}: {predicate}: {found:?}");
        }
    }
}

/// Returns the assumptions about a file with these hooks.
fn rests_on(hooks: &str) -> Vec<String> {
    let main = format!("{hooks}\n{REST}\ntwice(_).\n");
    let folder = folder(&[("main.pl", main.as_str()), NOT_RUN]);
    let all = json_of(&run(
        folder.path(),
        &["bounds", "--format", "json", "main.pl"],
    ));
    let assumed = all["files"][0]["rests_on"].as_array().unwrap();
    (assumed.iter().map(|text| text.as_str().unwrap().to_owned())).collect()
}

const EVERYTHING: &[&str] = &["p", "q", "uses", "row", "grammar", "rows"];

#[test]
fn a_goal_expansion_touches_goals_of_its_functor() {
    touched("goal_expansion(twice(G), (G, G)).", &["uses"]);
    touched("goal_expansion(G, (A, A)) :- G = twice(A).", &["uses"]);
    touched(
        "goal_expansion(G, (A, A)) :- nonvar(G), is_twice(G, A).\nis_twice(twice(A), A).",
        &["uses"],
    );
    touched("user:goal_expansion(twice(G), _, (G, G), _).", &["uses"]);
    touched("goal_expansion(q, true).", &["p"]);
    touched("goal_expansion(G, true) :- G =.. [twice|_].", &["uses"]);
    touched(
        "goal_expansion(G, true) :- compound(G), compound_name_arguments(G, twice, [_]).",
        &["uses"],
    );
    touched(
        "goal_expansion(G, true) :- compound(G), compound_name_arguments(G, twice, [_, _|_]).",
        &[],
    );
    // The hooks of another module or dialect.
    touched(
        "goal_expansion(G, H) :- prolog_load_context(module, other), nowhere(G, H).",
        &[],
    );
    touched(
        "user:goal_expansion(G, H) :- prolog_load_context(dialect, xsb), nowhere(G, H).",
        &[],
    );
    touched(
        "user:goal_expansion(G, H) :- prolog_load_context(dialect, xsb), nowhere(G, H).\n:- expects_dialect(xsb).",
        &["p", "uses", "grammar"],
    );
    touched("goal_expansion(nowhere(_), true).", &[]);
    // Any goal may be expanded; only facts have none.
    touched(
        "goal_expansion(G, H) :- known(G, H).",
        &["p", "uses", "grammar"],
    );
}

#[test]
fn a_goal_expansion_of_a_conjunction_touches_goals_of_a_part() {
    touched(
        "goal_expansion((P, Q), R) :- nonvar(P), P = twice(G), R = (G, Q).",
        &["uses"],
    );
    touched("goal_expansion((P, twice(_)), P).", &["uses"]);
    // Only rules have a conjunction, and of these none.
    touched("goal_expansion((_, _), true).", &[]);
    touched("goal_expansion((P, _), P).\np(_) :- q, q.", &["p"]);
}

/// Whatever a hook builds, its names occur in the term or in a clause that the hook reaches.
#[test]
fn a_term_expansion_touches_the_names_that_it_reaches() {
    touched("term_expansion(rows(N), T) :- T =.. [made, N].", &["rows"]);
    touched(
        "term_expansion(rows(N), T) :- named(N, A), T =.. [A, N].\nnamed(3, row).",
        &["rows", "row"],
    );
    touched(
        "term_expansion(rows(N), L) :- maplist(made, [N], L).\nmade(N, T) :- row = A, T =.. [A, N].",
        &["rows", "row"],
    );
    // A generated `q` may be the one that `p/1` calls.
    touched(
        "term_expansion(rows(_), T) :- first([q, r], T).\nfirst([A|_], A).",
        &["rows", "q", "p"],
    );
    touched(
        "term_expansion(rows(N), T) :- other(N, T0), expand_term(T0, T).
other(N, T) :- T =.. [more, N].
term_expansion(more(N), T) :- T =.. [row, N].",
        &["rows", "row"],
    );
    for directs in [
        "term_expansion(rows(_), (:- D)) :- D = op(700, xfx, q).",
        "term_expansion(rows(_), (:- D)) :- D = [more].",
        "term_expansion(rows(_), T) :- T = (:- include(more)).",
        "term_expansion(rows(N), T) :- T = goal_expansion(q, N).",
    ] {
        touched(directs, EVERYTHING);
    }
}

/// That such a hook makes no clauses of other predicates is an assumption.
#[test]
fn a_term_expansion_that_builds_names_touches_its_terms() {
    for builds_names in [
        "term_expansion(rows(N), T) :- atom_concat(ro, w, A), T =.. [A, N].",
        "term_expansion(rows(N), T) :- G = makes(N, T), call(G).\nmakes(N, row(N)).",
        "term_expansion(rows(N), T) :- maplist(N, [T]).",
        ":- dynamic kept/1.\nterm_expansion(rows(N), T) :- kept(A), T =.. [A, N].",
        "term_expansion(rows(N), T) :- with_output_to(atom(A), write(N)), T =.. [A, N].",
        "term_expansion(rows(N), T) :- nowhere(N, T).",
    ] {
        touched(builds_names, &["rows"]);
        let assumed = rests_on(builds_names);
        assert!(
            assumed.iter().any(|a| a.ends_with(
                "makes no clauses of other predicates, and no directives that affect them"
            )),
            "{builds_names}: {assumed:?}"
        );
    }
    touched(
        "term_expansion(end_of_file, Clauses) :- make(Clauses).",
        &[],
    );
    touched(
        "term_expansion((:- mine(X)), C) :- make(X, C).\n:- mine(1).",
        &[],
    );
}

#[test]
fn a_term_expansion_touches_its_terms_and_what_it_makes_of_them() {
    touched("term_expansion(rows(N), row(N)).", &["rows", "row"]);
    touched(
        "term_expansion(rows(N), [row(N), (p(X) :- row(X))]).",
        &["rows", "row", "p"],
    );
    touched(
        "term_expansion(T, L) :- T = rows(N), findall(row(I), between(1, N, I), L).",
        &["rows", "row"],
    );
    touched(
        "term_expansion(rows(N), L) :- maplist(made, [N], L).\nmade(N, other:row(N)).",
        &["rows"],
    );
    // The file has no such term, so nothing is generated.
    touched(
        "term_expansion(nothing(N), Clauses) :- make(N, Clauses).",
        &[],
    );
    touched(
        "term_expansion((grammar --> B), (grammar --> B, B)).",
        &["grammar"],
    );
    touched("term_expansion((H --> B), (H --> B, B)).", &["grammar"]);
    touched("term_expansion((p(X) :- B), (p(X) :- B, B)).", &["p"]);
    touched("term_expansion((:- mine(X)), p(X)).", &[]);
}

#[test]
fn a_hook_that_never_succeeds_touches_nothing() {
    touched("term_expansion(end_of_file, _) :- q, fail.", &[]);
    touched("goal_expansion(G, _) :- q, G = twice(_), false.", &[]);
    touched(
        "term_expansion(T, U) :- (q, fail ; change(T, U)).",
        EVERYTHING,
    );
    // Another clause of it does succeed.
    touched(
        "term_expansion(_, _) :- fail.\nterm_expansion(rows(N), row(N)).",
        &["rows", "row"],
    );
}

/// That such a hook leaves the terms of the file as they are is an assumption.
#[test]
fn a_hook_that_may_fail_for_every_term_touches_nothing() {
    for (hook, words) in [
        (
            "term_expansion(T, R) :- renamed(T, R).\nrenamed(T, R) :- T =.. [N|As], atom_concat(old_, M, N), R =.. [M|As].",
            "leaves the clauses and goals of this file as they are",
        ),
        (
            "term_expansion(T, R) :- nonvar(T), prolog_load_context(module, M), renamed(T, R, M).\nrenamed(T, R, _) :- T =.. [N|As], atom_concat(old_, M, N), R =.. [M|As].",
            "leaves the clauses and goals of this file as they are",
        ),
        (
            "goal_expansion(G, H) :- catch(optimised(G, H), _, fail).\noptimised(G, H) :- G =.. [N|As], atom_concat(N, '_fast', M), H =.. [M|As].",
            "leaves the clauses and goals of this file as they are",
        ),
        (
            "term_expansion(T, R) :- nonvar(T), translated(T, R).\ntranslated((H --> B), R) :- dcg_translate_rule((H --> B), R).",
            "translates grammar rules as SWI-Prolog does",
        ),
    ] {
        touched(hook, &[]);
        let assumed = rests_on(hook);
        assert!(
            assumed.iter().any(|a| a.ends_with(words)),
            "{hook}: {assumed:?}"
        );
    }
    // It makes a clause of the same predicate, without the hidden arguments.
    touched("term_expansion((H --> B), (H :- B)).", &["grammar"]);
}

#[test]
fn where_it_is_not_known_what_is_touched_it_is_assumed_that_nothing_is() {
    touched("term_expansion(T, U) :- U = T.", EVERYTHING);
    // `change/2` is not defined.
    touched("term_expansion(T, U) :- change(T, U).", EVERYTHING);
    touched(
        "term_expansion(T, U) :- T =.. [_|As], U =.. [made|As].",
        EVERYTHING,
    );
    touched(
        ":- asserta(user:(term_expansion(T, U) :- change(T, U))).",
        EVERYTHING,
    );
    // `is_row/1` may get more clauses.
    touched(
        ":- dynamic is_row/1.\nis_row(rows(_)).\nterm_expansion(T, row(1)) :- is_row(T).",
        EVERYTHING,
    );
}

const MACROS: &str = ":- module(macros, []).\ngoal_expansion(twice(G), (G, G)).\nuser:goal_expansion(thrice(G), (G, G, G)).\n";

/// Hooks of a module apply to its own files, those of `user` to files loaded with them.
#[test]
fn hooks_reach_as_far_as_their_module() {
    let util = ":- module(util, [a/0, b/0]).\na :- twice(c).\nb :- thrice(c).\nc.\ntwice(_).\nthrice(_).\n";
    let folder = folder(&[
        ("macros.pl", MACROS),
        ("util.pl", util),
        ("alone.pl", util),
        (
            "main.pl",
            ":- use_module(macros).\n:- use_module(util).\nm :- thrice(a).\nthrice(_).\nn :- twice(a).\ntwice(_).\n",
        ),
    ]);
    let of = |file: &str, predicate: &str| bounds(folder.path(), &[file], predicate);
    exactly(&of("main.pl", "n/0"), "2");
    unknown(
        &of("main.pl", "m/0"),
        "`goal_expansion/2` (clause 2, `macros.pl`)",
    );
    let both = |predicate: &str| bounds(folder.path(), &["main.pl", "util.pl"], predicate);
    exactly(&both("a/0"), "2");
    unknown(&both("b/0"), "expanded by");
    exactly(&of("alone.pl", "b/0"), "2");
}

#[test]
fn libraries_whose_expansions_are_known_by_name() {
    let with = |library: &str| {
        let main = format!(
            ":- use_module(library({library})).\n%! m(+Xs:list) is det.\nm(Xs) :- maplist(p, Xs).\np(_).\n"
        );
        let folder = folder(&[("main.pl", &main)]);
        bounds(folder.path(), &["--no-library", "main.pl"], "m/1")
    };
    exactly(&with("apply"), "2*n+3");
    exactly(&with("yall"), "2*n+3");
}

/// `library(apply_macros)` compiles `maplist` to loops: its own entry may or may not count, and calls on lists of known length are unrolled.
#[test]
fn maplist_may_be_compiled_to_loops() {
    let program = "
%! m(+Xs:list) is det.
m(Xs) :- maplist(p, Xs).
p(_).
%! inner(+Xs:list(list)) is det.
inner(Xss) :- maplist(maplist(p), Xss).
%! known(+Xs:list) is det.
known(Xs) :- G = p, maplist(G, Xs).
%! unrolled(+X, +Y) is det.
unrolled(X, Y) :- maplist(p, [X, Y]).
%! lambda(+Xs:list(int), -Ys) is det.
lambda(Xs, Ys) :- maplist([X, Y]>>(Y is X+1), Xs, Ys).
%! control(+Xs:list(int)) is semidet.
control(Xs) :- forall(q(X), p(X)), once(q(2)), phrase(rest, Xs).
q(1).
q(2).
rest([], []).
%! own(+X:int) is det.
own(X) :- ignore(p(X)).
ignore(G) :- call(G), p(G), p(G).
%! twice(+Xs:list) is det.
twice(Xs) :- maplist(p, Xs), maplist(p, Xs).
";
    // Loaded by the file, by a file that it loads, and by a file that is loaded with it.
    let loading = |what: &str| format!("{what}\n{program}");
    let (first, second, third) = (
        loading(":- use_module(library(apply_macros))."),
        loading(":- use_module(solver)."),
        loading(":- module(third, [m/1])."),
    );
    let folder = folder(&[
        ("first.pl", first.as_str()),
        ("second.pl", second.as_str()),
        (
            "solver.pl",
            ":- module(solver, []).\n:- use_module(library(apply_macros)).\n",
        ),
        ("main.pl", ":- use_module(solver).\n:- use_module(third).\n"),
        ("third.pl", third.as_str()),
    ]);
    for files in [&["first.pl"][..], &["second.pl"], &["main.pl", "third.pl"]] {
        let of = |predicate: &str| {
            let arguments: Vec<&str> = ["--no-library"].iter().chain(files).copied().collect();
            bounds(folder.path(), &arguments, predicate)
        };
        let between = |predicate: &str, lower: &str, upper: &str| {
            let found = of(predicate);
            assert_eq!(
                (&*found.lower, &*found.upper),
                (lower, upper),
                "{predicate}"
            );
        };
        between("m/1", "2*n+2", "2*n+3");
        between("known/1", "2*n+2", "2*n+3");
        between("lambda/2", "2*n+2", "2*n+3");
        between("twice/1", "4*n+3", "4*n+5");
        assert!(!of("inner/1").upper.is_empty());
        assert!(!of("control/1").upper.is_empty());
        unknown(
            &of("own/1"),
            "`goal_expansion/2` of `library(apply_macros)`",
        );
        unknown(
            &of("unrolled/2"),
            "`goal_expansion/2` of `library(apply_macros)`",
        );
    }
}

/// In an expression, `library(arithmetic)` expands functions that are not built in.
#[test]
fn arithmetic_functions_of_the_program_are_expanded() {
    let program = "
:- use_module(library(arithmetic)).
plain(X, Y) :- X > 0, Y is max(X, 2)*2+cputime-\"a\".
nested(Xs, Ys) :- findall(Y, (member(X, Xs), Y is X+1), Ys).
rounded(X, Y) :- Y is roundtoward(X/3, to_positive).
used(X, Y) :- Y is mid(X, 2)+1.
compared(X) :- X+1 < mid(X, 2).
inside(Xs) :- forall(member(X, Xs), X =:= mid(X, X)).
as_data(X) :- X = mid(1, 2), atom(X).
mid(A, B, M) :- M is (A+B)//2.
";
    let declared = format!(":- arithmetic_function(mid/2).\n{program}");
    for (text, reason) in [
        (program, "which knows no function `mid/2`"),
        (
            declared.as_str(),
            "`main.pl` declares `arithmetic_function(mid/2)`",
        ),
    ] {
        let folder = folder(&[("main.pl", text)]);
        let of = |predicate: &str| bounds(folder.path(), &["--no-library", "main.pl"], predicate);
        for known in ["plain/2", "nested/2", "rounded/2", "as_data/1", "mid/3"] {
            assert!(!of(known).upper.is_empty(), "{known}: {:?}", of(known));
        }
        for touched in ["used/2", "compared/1", "inside/1"] {
            unknown(&of(touched), "library(arithmetic)");
            unknown(&of(touched), reason);
        }
    }
    // Declared in a file that is loaded with it, and without the library.
    let without = program.replace(":- use_module(library(arithmetic)).", "");
    let with = format!(":- use_module(functions).\n{program}");
    let folder = folder(&[
        ("main.pl", with.as_str()),
        (
            "functions.pl",
            ":- module(functions, [mid/3]).\n:- use_module(library(arithmetic)).\n:- arithmetic_function(mid/2).\nmid(A, _, A).\n",
        ),
        ("without.pl", without.as_str()),
    ]);
    let of =
        |file: &str, predicate: &str| bounds(folder.path(), &["--no-library", file], predicate);
    unknown(&of("main.pl", "used/2"), "functions.pl");
    assert!(!of("without.pl", "used/2").reason.contains("arithmetic"));
}

/// Clauses for another module's predicate, and declarations that allow them, are covered.
#[test]
fn clauses_that_other_files_add_are_named() {
    let base =
        ":- module(base, [go/1]).\n:- multifile hook/1.\nhook(_).\ngo(X) :- hook(X).\nown(_).\n";
    let main = ":- use_module(base).\n:- use_module(plugin).\n";
    let plugin = ":- module(plugin, []).\nbase:hook(X) :- loop(X).\nbase:own(X) :- loop(X).\nloop(X) :- loop(X).\n";
    let folder = folder(&[
        ("base.pl", base),
        ("plugin.pl", plugin),
        ("main.pl", main),
        (
            "script.pl",
            ":- multifile hook/1.\nhook(_).\n%! go(+X:int) is det.\ngo(X) :- hook(X).\n",
        ),
        (
            "missing.pl",
            ":- use_module(nowhere).\n:- multifile hook/1.\nhook(_).\n",
        ),
    ]);
    let all = |predicate: &str| {
        bounds(
            folder.path(),
            &["base.pl", "main.pl", "plugin.pl"],
            predicate,
        )
    };
    // A predicate that is declared multifile has them all.
    assert_eq!(all("hook/1").upper, "inf");
    unknown(&all("own/1"), "`plugin.pl` adds clauses");
    let of = |file: &str, predicate: &str| bounds(folder.path(), &[file], predicate);
    // The file that loads it is in the same folder.
    assert_eq!(of("base.pl", "hook/1").upper, "inf");
    unknown(&of("base.pl", "own/1"), "`plugin.pl` adds clauses");
    let alone = program::folder(&[("base.pl", base)]);
    // That no other file adds clauses is an assumption.
    exactly(&bounds(alone.path(), &["base.pl"], "hook/1"), "1");
    exactly(&bounds(alone.path(), &["base.pl"], "own/1"), "1");
    // A whole program.
    exactly(&of("script.pl", "go/1"), "2");
    unknown(&of("missing.pl", "hook/1"), "`nowhere`, which was not read");
}

/// Hooks as in plunit and debug: their form carries no information.
const ANY_TERM: &str =
    ":- module(any, []).\nsystem:term_expansion(T, E) :- expand(T, E).\nexpand(_, _) :- fail.\n";

#[test]
fn units_of_tests_and_debugging_leave_the_rest_alone() {
    let program = "
:- use_module(library(plunit)).
:- use_module(library(debug)).
p(1).
helped(1).
:- begin_tests(a).
test(p) :- p(_), helper, helped(_).
helper.
helped(2).
:- end_tests(a).
uses :- helped(_).
";
    let folder = folder(&[
        ("lib/plunit.pl", ANY_TERM),
        ("lib/debug.pl", ANY_TERM),
        ("main.pl", program),
    ]);
    let library = folder.path().join("lib");
    let arguments = ["--library", library.to_str().unwrap(), "main.pl"];
    for known in ["p/1", "helper/0"] {
        assert!(
            !bounds(folder.path(), &arguments, known).upper.is_empty(),
            "{known}"
        );
    }
    // A unit is a module of its own.
    for several in ["helped/1", "uses/0"] {
        unknown(&bounds(folder.path(), &arguments, several), "unit of tests");
    }
}

/// If `library(yall)` is loaded and the predicate that gets a lambda expression is known to call it (by a declaration, as a built-in, from
/// `library(apply)`), the lambda expression is compiled, and variables that it shares with the clause without a declaration are lost.
#[test]
fn lambda_expressions_may_be_compiled() {
    let program = "
%! add(+Xs:list(int), +K:int, -Ys) is det.
add(Xs, K, Ys) :- maplist([X,Y]>>(Y is X+K), Xs, Ys).
%! named(+Xs:list(int), +K:int, -Ys) is det.
named(Xs, K, Ys) :- maplist({K}/[X,Y]>>(Y is X+K), Xs, Ys).
%! alone(+Xs:list(int), -Ys) is det.
alone(Xs, Ys) :- maplist([X,Y]>>(Z = X, Y is Z+1), Xs, Ys).
%! called(+K:int, -Y) is det.
called(K, Y) :- call([X]>>(X = K), Y).
:- meta_predicate own(1, ?).
own(G, X) :- call(G, X).
%! given(+K:int, -Y) is det.
given(K, Y) :- own([X]>>(X = K), Y).
%! named_own(+K:int, -Y) is det.
named_own(K, Y) :- own({K}/[X]>>(X = K), Y).
%! in_data(+K:int, -Y) is det.
in_data(K, Y) :- G = [X]>>(X = K), call(G, Y).
%! built(+Xs:list(int), +K:int, -T) is det.
built(Xs, K, T) :- foldl([X,T0,T0*K+X]>>true, Xs, 0, T).
";
    let yall = format!(":- use_module(library(yall)).\n{program}");
    let both = format!(":- use_module(library(apply)).\n{yall}");
    let folder = folder(&[
        ("none.pl", program),
        ("yall.pl", yall.as_str()),
        ("both.pl", both.as_str()),
    ]);
    let of =
        |file: &str, predicate: &str| bounds(folder.path(), &["--no-library", file], predicate);
    for file in ["none.pl", "yall.pl"] {
        for predicate in ["add/3", "named/3", "alone/2"] {
            exactly(&of(file, predicate), "2*n+3");
        }
    }
    // Other predicates that are known to call their argument need no library.
    for (predicate, steps) in [("called/2", "2"), ("given/2", "3")] {
        exactly(&of("none.pl", predicate), steps);
        unknown(
            &of("yall.pl", predicate),
            "`goal_expansion/2` of `library(yall)`",
        );
    }
    for file in ["none.pl", "yall.pl"] {
        exactly(&of(file, "named_own/2"), "3");
        exactly(&of(file, "in_data/2"), "2");
        exactly(&of(file, "built/3"), "2*n+3");
    }
    unknown(
        &of("both.pl", "built/3"),
        "`goal_expansion/2` of `library(yall)`",
    );
    unknown(
        &of("both.pl", "add/3"),
        "`goal_expansion/2` of `library(yall)`",
    );
    exactly(&of("both.pl", "named/3"), "2*n+3");
    exactly(&of("both.pl", "alone/2"), "2*n+3");
}

/// `D.key` is a call before the goal that contains it, which takes no step. Functions of the program are not followed, nor those in heads and
/// closures.
#[test]
fn functional_notation_on_dicts_is_expanded() {
    let folder = folder(&[(
        "main.pl",
        "%! name(+P, -X) is det.\n\
         name(P, X) :- X = P.name.\n\
         %! sum(+P, -X) is det.\n\
         sum(P, X) :- ( P.a.b > 0 -> p(P.put(c, P.a)) ; true ), X is P.d + 1, p(X).\n\
         %! found(+P, -Xs) is det.\n\
         found(P, Xs) :- findall(X, p(P.a), Xs), p(X).\n\
         %! defaults(+P) is semidet.\n\
         defaults(P) :- p(P.get(a)), p(P.get(b, 0)).\n\
         %! own(+P) is det.\n\
         own(P) :- p(P.area()).\n\
         %! many(+P, +K) is det.\n\
         many(P, K) :- p(P.K).\n\
         %! first(+P, +K) is det.\n\
         first(P, K) :- ( X = P.get(K) -> p(X) ; p(K) ).\n\
         %! each(+P, +Xs:list(int)) is det.\n\
         each(P, Xs) :- maplist([X]>>(p(P.X)), Xs).\n\
         %! head(+X) is semidet.\n\
         head(_{a: 1}.a).\n\
         %! goal(+P) is det.\n\
         goal(P) :- P.put(a, 1).\n\
         %! elsewhere(+P) is det.\n\
         elsewhere(P) :- user:p(P.a), p(P.b).\n\
         %! each_elsewhere(+P, +Xs:list(int)) is det.\n\
         each_elsewhere(P, Xs) :- m:maplist(p(P.a), Xs).\n\
         %! phrase_of(+P, ?Xs, -Ys) is det.\n\
         phrase_of(P) --> [P.a].\n\
         %! rest_of(+P, ?Xs, -Ys) is det.\n\
         rest_of(P) --> phrase_in(P.a), phrase_in(P.b).\n\
         phrase_in(_) --> [].\n\
         %! sided(+P) is det.\n\
         sided(P), P.a > 0 => p(P.b).\n\
         sided(_) => true.\n\
         p(_).\n\
         P.f() := P.a.\n",
    )]);
    let of = |predicate: &str| bounds(folder.path(), &["--no-library", "main.pl"], predicate);
    exactly(&of("name/2"), "1");
    exactly(&of("found/2"), "3");
    exactly(&of("elsewhere/1"), "3");
    exactly(&of("phrase_of/3"), "1");
    exactly(&of("rest_of/3"), "3");
    for (predicate, lower, upper) in [
        ("sum/2", "1", "3"),
        ("defaults/1", "1", "3"),
        ("sided/1", "2", "2"),
    ] {
        let found = of(predicate);
        assert_eq!((&*found.lower, &*found.upper), (lower, upper), "{found:?}");
    }
    for predicate in ["own/1", "many/2"] {
        unknown(&of(predicate), "a function on dicts that is no key");
    }
    exactly(&of("first/2"), "2");
    for predicate in ["each/2", "head/1", "goal/1", "each_elsewhere/2", ":=/2"] {
        unknown(&of(predicate), "functional notation on dicts");
    }
}

/// The terms of an included file become clauses of the module.
#[test]
fn terms_of_included_files_are_expanded_into_the_module() {
    let folder = folder(&[
        (
            "main.pl",
            ":- module(main, [row/1]).\nterm_expansion(rows(N), row(N)).\nrow(1).\nown.\n:- include(part).\n",
        ),
        ("part.pl", "rows(2).\n"),
    ]);
    unknown(
        &bounds(folder.path(), &["main.pl"], "row/1"),
        "expanded by `term_expansion/2`",
    );
    exactly(&bounds(folder.path(), &["main.pl"], "own/0"), "1");
}

/// `Prefix:Local` in an argument that `rdf_meta` declares becomes an atom, if the declaration and the prefix are known when the clause is
/// loaded. All other arguments are unchanged.
#[test]
fn prefixes_of_uris_are_expanded() {
    let words = ":- module(words, [edge/1, plain/1]).
:- use_module(library(semweb/rdf_prefixes)).
:- rdf_meta edge(r), plain(r).
:- rdf_register_prefix(ex, 'http://example.org/').
edge(ex:a).
plain(X) :- kept(X).
kept(ex:a).
kept(_).
";
    let program = "
:- use_module(words).
:- rdf_meta named(r, o), first(r), late_named(r).
named(X, literal(_)) :- w, edge(X).
first(ex:a) :- w.
first(unknown:a) :- w.
%! same(+X) is semidet.
same(X) :- named(X, literal(a)).
%! data(-X) is semidet.
data(X) :- X = ex:a, w.
%! called is semidet.
called :- edge(ex:a), w.
%! collected(-Xs) is semidet.
collected(Xs) :- findall(X, ( X = a, edge(ex:a) ), Xs).
wrong :- edge(unknown:a).
closure :- maplist(named(ex:a), []).
late :- edge(late:a).
:- rdf_register_prefix(late, 'http://example.org/late/').
later :- edge(late:a).
w.
";
    let with = |library: &str| format!(":- use_module(library(semweb/{library})).\n{program}");
    let (prefixes, db) = (with("rdf_prefixes"), with("rdf_db"));
    let folder = folder(&[
        ("words.pl", words),
        ("prefixes.pl", prefixes.as_str()),
        ("db.pl", db.as_str()),
    ]);
    for file in ["prefixes.pl", "db.pl"] {
        let of = |predicate: &str| {
            bounds(
                folder.path(),
                &["--no-library", file, "words.pl"],
                predicate,
            )
        };
        for known in [
            "edge/1",
            "named/2",
            "same/1",
            "data/1",
            "called/0",
            "collected/1",
            "later/0",
            "plain/1",
            "kept/1",
        ] {
            assert!(!of(known).upper.is_empty(), "{known}: {:?}", of(known));
        }
        exactly(&of("data/1"), "2");
        // The call reaches the single fact of edge/1, as its argument is the same atom.
        assert_eq!(of("called/0").upper, "3");
        unknown(
            &of("first/1"),
            "`term_expansion/2` of `library(semweb/rdf_prefixes)`",
        );
        for unknown_goal in ["wrong/0", "closure/0", "late/0"] {
            unknown(
                &of(unknown_goal),
                "`goal_expansion/2` of `library(semweb/rdf_prefixes)`",
            );
        }
    }
}

const PURE: &str = "
:- module(main, [plain/1]).
:- op(1100, xfx, ~>).
term_expansion(unreserved(map), Clauses) :- findall(unreserved(C), unreserved_(C), Clauses).
unreserved_(C) :- between(1, 128, C), code_type(C, alnum).
unreserved_(0'-).
unreserved(map).
%! plain(-C) is multi.
plain(C) :- unreserved(C).
term_expansion(squares(N), [squares(N)|Fs]) :- findall(square(I, J), (between(1, N, I), J is I*I), Fs).
squares(3).
%! squares(-N, -M) is multi.
squares(N, M) :- squares(N), square(_, M).
term_expansion((H ~> B), (H :- B)).
term_expansion(counted(P, Xs), (P :- maplist(N, Xs))) :- atom_concat(count_, P, N).
count_them(_).
%! them is det.
counted(them, [a, b, c]).
%! twice(+X:int, -Y) is det.
twice(X, Y) ~> Y is 2*X.
";

#[test]
fn hooks_of_pure_code_are_run() {
    let folder = folder(&[("main.pl", PURE)]);
    let upper = |predicate: &str| bounds(folder.path(), &["main.pl"], predicate).upper;
    // 62 letters and digits, and `-`.
    assert_eq!(upper("plain/1"), "64");
    assert_eq!(upper("squares/2"), "5");
    assert_eq!(upper("them/0"), "9");
    assert_eq!(upper("twice/2"), "1");
    // The setting turns it off.
    std::fs::write(folder.path().join(NOT_RUN.0), NOT_RUN.1).unwrap();
    for predicate in ["plain/1", "squares/2"] {
        unknown(
            &bounds(folder.path(), &["main.pl"], predicate),
            "expanded by",
        );
    }
}

#[test]
fn other_hooks_are_not_run() {
    for hook in [
        // State, input and output, and what is asserted.
        "term_expansion(row(1), row(N)) :- nb_getval(n, N).",
        "term_expansion(row(1), row(N)) :- read(N).",
        "term_expansion(row(1), row(2)) :- write(x).",
        ":- dynamic seen/1.\nterm_expansion(row(1), row(2)) :- \\+ seen(1).",
        "term_expansion(row(1), row(F)) :- prolog_load_context(source, F).",
        "term_expansion(row(1), row(X)) :- random(X).",
        // Other goals than those that are written.
        "term_expansion(row(1), row(2)) :- G = write(x), call(G).",
        "term_expansion(row(1), row(2)) :- G =.. [halt], G.",
        "term_expansion(row(1), row(2)) :- other:p.",
        // It does not end, or raises an error.
        "loop :- loop.\nterm_expansion(row(1), row(2)) :- loop.",
        "term_expansion(row(1), row(X)) :- X is foo.",
        // Its result is a directive.
        "term_expansion(row(1), [(:- dynamic(row/1)), row(2)]).",
    ] {
        let main = format!("{hook}\n{REST}\ntwice(_).\n");
        let folder = folder(&[("main.pl", main.as_str())]);
        unknown(&bounds(folder.path(), &["main.pl"], "row/1"), "expanded by");
    }
    // A later clause does not exist yet, so the call raises an error.
    let late = "term_expansion(row(1), row(2)) :- late(_).\nrow(1).\nlate(1).\n";
    let folder = folder(&[("main.pl", late)]);
    unknown(&bounds(folder.path(), &["main.pl"], "row/1"), "expanded by");
}

/// Other hooks may take the results of a file's own hook.
#[test]
fn results_of_hooks_are_read_by_other_hooks() {
    let main =
        ":- module(main, []).\n:- use_module(other).\nterm_expansion(a(X), b(X)).\na(1).\nc(_).\n";
    let other =
        ":- module(other, []).\nuser:term_expansion(b(X), Cs) :- nb_getval(cs, Cs), write(X).\n";
    let folder = folder(&[("main.pl", main), ("other.pl", other)]);
    unknown(&bounds(folder.path(), &["main.pl"], "b/1"), "expanded by");
    exactly(&bounds(folder.path(), &["main.pl"], "c/1"), "1");
}

#[test]
fn records_generate_predicates() {
    let main = ":- use_module(library(record)).\n:- record point(x:integer = 0, y:integer = 0, tag = none).\n\
         %! origin(-P) is det.\norigin(P) :- default_point(P).\n\
         %! moved(+P:ground, -Q) is semidet.\nmoved(P, Q) :- point_x(P, X), Y is X+1, set_x_of_point(Y, P, Q).\n\
         %! made(+Fields:list, -P) is semidet.\nmade(Fields, P) :- make_point(Fields, P, _).\n\
         %! own(+P:ground) is semidet.\nown(P) :- is_point(P).\n";
    let folder = folder(&[("main.pl", main)]);
    for files in [&["main.pl"] as &[&str], &["--no-library", "main.pl"]] {
        exactly(&bounds(folder.path(), files, "origin/1"), "2");
        assert_eq!(bounds(folder.path(), files, "moved/2").upper, "3");
        assert_eq!(bounds(folder.path(), files, "made/2").upper, "4*n+2");
        assert_eq!(bounds(folder.path(), files, "own/1").upper, "2");
    }
    // Without the library, `:- record` is another directive.
    let without = main.replace(":- use_module(library(record)).", "");
    std::fs::write(folder.path().join("main.pl"), without).unwrap();
    assert!(
        !bounds(folder.path(), &["main.pl"], "origin/1")
            .reason
            .is_empty()
    );
}

/// The assumption is named, proves no assertion, and refutes none.
#[test]
fn what_is_assumed_of_a_hook_is_named() {
    let text = "term_expansion(T, U) :- change(T, U).\n\
        :- pred p(X) : term + cost(ub, steps, 2).\n\
        p(_) :- q.\n\
        :- pred r(X) : term + cost(ub, steps, 1).\n\
        r(_) :- q.\n\
        q.\n\
        goal_expansion(twice(G), (G, G)) :- nowhere(G).\n\
        s(X) :- twice(p(X)).\n\
        twice(_).\n";
    let folder = folder(&[("main.pl", text), NOT_RUN]);
    let of = |predicate: &str| bounds(folder.path(), &["main.pl"], predicate);
    let found = of("p/1");
    assert_eq!(found.upper, "2");
    // The clauses of `p/1`, and those of `q/0`.
    assert_eq!(found.assumes, ["as-written", "as-written"]);
    // A hook that takes goals of `twice/1` expands this one, or may.
    unknown(&of("s/1"), "expanded by");
    let out = run(folder.path(), &["check", "main.pl", "--format", "json"]);
    let all = json_of(&out);
    let rows = all["assertions"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "{all}");
    for row in rows {
        assert_eq!(row["verdict"], "check", "{row}");
    }
    let shown = run(folder.path(), &["bounds", "main.pl"]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(
        shown.contains("the clauses of `q/0` run as they are written, and no hook expands them"),
        "{shown}"
    );
}
