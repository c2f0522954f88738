//! Programs of several files, as a script sees them: imports that are read, renamed, re-exported, cyclic or missing.

use crate::program;

use program::{bounds, exactly, folder, unknown};

const COPY: &str = "
:- module(copying, [copy/2]).
%! copy(+Xs:list, -Ys:list) is det.
copy([], []).
copy([X|Xs], [X|Ys]) :- step, copy(Xs, Ys).
step.
";

#[test]
fn an_imported_predicate_costs_what_it_costs_at_home() {
    let folder = folder(&[
        ("lib/copying.pl", COPY),
        (
            "main.pl",
            ":- module(main, [main/2]).\n:- use_module(lib/copying).\n\
             %! main(+Xs:list, -Ys:list) is det.\nmain(Xs, Ys) :- copy(Xs, Ys), step(Ys).\nstep(_).\n",
        ),
    ]);
    // Each element costs `copy/2` and the private `step/0`; `step/1` here is another predicate.
    exactly(&bounds(folder.path(), &["main.pl"], "main/2"), "2*n+3");
    // The file on its own is incomplete.
    std::fs::remove_file(folder.path().join("lib/copying.pl")).unwrap();
    let found = bounds(folder.path(), &["main.pl"], "main/2");
    assert!(
        found
            .reason
            .contains("`copy/2` may come from `lib/copying`, which was not found"),
        "{found:?}"
    );
}

/// Components contain copies of the other files' predicates, whose callees are looked up where they are written.
#[test]
fn recursion_through_files_is_followed_from_each_of_them() {
    let tree = ":- module(tree, [size/2, twice/2]).\n:- use_module(forest).\n\
         %! size(+T:list(list(list)), -N) is nondet.\n\
         size([], 1).\nsize([T|Ts], N) :- add([T|Ts], 0, N).\n\
         helper(_) :- fail.\ntwice(X, X).\n";
    let forest = ":- module(forest, [add/3]).\n:- use_module(tree).\n:- use_module(sum).\n\
         add([], N, N).\nadd([_|Ts], N0, N) :- helper(N0), twice(N0, N1), size(Ts, M), sum(M, N1, N).\n\
         helper(_).\n";
    let sum = ":- module(sum, [sum/3]).\nsum(A, B, C) :- C is A+B.\n";
    let files = [("tree.pl", tree), ("forest.pl", forest), ("sum.pl", sum)];
    let folder = folder(&files);
    // For each element, `size/2` and `add/3` are entered, `helper/1` of `forest`, `twice/2` and `sum/3`.
    for files in [&["tree.pl"] as &[&str], &["forest.pl", "tree.pl"]] {
        assert_eq!(bounds(folder.path(), files, "size/2").upper, "5*n+1");
    }
    let added = bounds(folder.path(), &["forest.pl"], "add/3");
    assert!(added.reason.is_empty(), "{added:?}");
}

/// A copy is made only of a predicate whose clauses determine its calls.
#[test]
fn recursion_through_what_may_change_is_cut() {
    for declared in [":- dynamic odd/1.", ":- multifile odd/1.", ":- det(odd/1)."] {
        let even = ":- module(even, [even/1]).\n:- use_module(odd).\n%! even(+Xs:list) is nondet.\n\
             even([]).\neven([_|Xs]) :- odd(Xs).\n";
        let odd = format!(
            ":- module(odd, [odd/1]).\n:- use_module(even).\n{declared}\nodd([_|Xs]) :- even(Xs).\n"
        );
        let folder = folder(&[("even.pl", even), ("odd.pl", odd.as_str())]);
        let found = bounds(folder.path(), &["even.pl"], "even/1");
        assert!(!found.reason.is_empty(), "{declared}: {found:?}");
    }
}

#[test]
fn import_lists_choose_rename_and_leave_out() {
    let other = ":- module(other, [p/1, q/1]).\np(_).\nq(X) :- p(X).\nhidden(_).\n";
    let with = |directive: &str, body: &str| {
        let text = format!(
            ":- module(main, [m/1]).\n{directive}\n%! m(+X:int) is det.\nm(X) :- {body}.\n"
        );
        let folder = folder(&[("other.pl", other), ("main.pl", &text)]);
        bounds(folder.path(), &["main.pl"], "m/1")
    };
    exactly(&with(":- use_module(other, [q/1]).", "q(X)"), "3");
    // SWI-Prolog defines the clause `r(X) :- other:q(X)`.
    exactly(&with(":- use_module(other, [q/1 as r]).", "r(X)"), "4");
    exactly(&with(":- use_module(other, except([p/1])).", "q(X)"), "3");
    exactly(&with(":- use_module('other.pl').", "p(X), q(X)"), "4");
    for (directive, body) in [
        (":- use_module(other, [p/1]).", "q(X)"),
        (":- use_module(other, except([q/1])).", "q(X)"),
        (":- use_module(other, [q/1 as r]).", "q(X)"),
        (":- use_module(other).", "hidden(X)"),
        ("", "p(X)"),
    ] {
        let found = with(directive, body);
        assert!(
            found.reason.contains("is not defined"),
            "{directive} {body}: {found:?}"
        );
    }
}

#[test]
fn exports_are_exported_again() {
    let folder = folder(&[
        ("a.pl", ":- module(a, [p/1]).\np(_).\n"),
        ("b.pl", ":- module(b, []).\n:- reexport(a).\n"),
        ("c.pl", ":- module(c, [p/1]).\n:- use_module(b).\n"),
        (
            "main.pl",
            ":- use_module(c).\n%! m(+X:int) is det.\nm(X) :- p(X).\n",
        ),
        // Two that export each other's predicates, and none defines them.
        ("x.pl", ":- module(x, [z/1]).\n:- reexport(y).\n"),
        ("y.pl", ":- module(y, [z/1]).\n:- reexport(x).\n"),
        (
            "loop.pl",
            ":- use_module(x).\n%! m(+X:int) is det.\nm(X) :- z(X).\n",
        ),
    ]);
    exactly(&bounds(folder.path(), &["main.pl"], "m/1"), "2");
    // Each was to import it from the other before that one was read.
    unknown(
        &bounds(folder.path(), &["loop.pl"], "m/1"),
        "before its module has it",
    );
}

#[test]
fn files_without_a_module_share_their_names() {
    let folder = folder(&[
        (
            "main.pl",
            ":- [part].\n:- include(more).\n%! m(+Xs:list) is det.\nm(Xs) :- walk(Xs), extra.\nhelper.\n",
        ),
        ("part.pl", "walk([]).\nwalk([_|Xs]) :- helper, walk(Xs).\n"),
        ("more.pl", "extra.\n"),
        ("twice/main.pl", ":- [part].\nwalk(_).\n"),
        (
            "twice/part.pl",
            "walk([]).\nwalk([_|Xs]) :- helper, walk(Xs).\n",
        ),
        (
            "alone/part.pl",
            "walk([]).\nwalk([_|Xs]) :- helper, walk(Xs).\n",
        ),
    ]);
    exactly(&bounds(folder.path(), &["main.pl"], "m/1"), "2*n+3");
    // No known file loads it.
    let found = bounds(folder.path(), &["alone/part.pl"], "walk/1");
    assert!(found.reason.contains("not defined"), "{found:?}");
    // The file that loads the part is next to it.
    exactly(&bounds(folder.path(), &["part.pl"], "walk/1"), "2*n+1");
    exactly(
        &bounds(folder.path(), &["main.pl", "part.pl"], "walk/1"),
        "2*n+1",
    );
    // Which of two definitions runs depends on the order of loading.
    let found = bounds(folder.path(), &["twice/main.pl"], "walk/1");
    assert!(
        found.reason.contains("`twice/part.pl` defines it, too"),
        "{found:?}"
    );
}

#[test]
fn recursion_through_files_is_followed_in_every_order() {
    let files = [
        (
            "a.pl",
            ":- module(a, [p/1]).\n:- use_module(b).\n%! p(+N:int) is det.\np(0).\np(N) :- N > 0, M is N-1, q(M).\n%! own(+N:int) is det.\nown(0).\nown(N) :- N > 0, M is N-1, own(M).\n",
        ),
        (
            "b.pl",
            ":- module(b, [q/1, far/1]).\n:- use_module(a).\n%! q(+N:int) is det.\nq(0).\nq(N) :- N > 0, M is N-1, p(M).\n%! far(+N:int) is det.\nfar(_).\n",
        ),
    ];
    let folder = folder(&files);
    for order in [["a.pl", "b.pl"], ["b.pl", "a.pl"]] {
        for predicate in ["p/1", "q/1", "own/1"] {
            assert_eq!(
                bounds(folder.path(), &order, predicate).upper,
                "n+1",
                "{predicate}"
            );
        }
    }
}

#[test]
fn the_library_folder_is_read_for_what_does_not_ship() {
    let library = "
:- module(things, [each/1]).
each([]).
each([_|Xs]) :- each(Xs).
";
    let index = "index((each), 1, things, things).\n";
    let main = "%! m(+Xs:list) is det.\nm(Xs) :- each(Xs).\n";
    let folder = folder(&[
        ("swi/things.pl", library),
        ("swi/INDEX.pl", index),
        ("auto.pl", main),
        (
            "used.pl",
            &format!(":- use_module(library(things)).\n{main}"),
        ),
    ]);
    for file in ["auto.pl", "used.pl"] {
        exactly(
            &bounds(folder.path(), &[file, "--library", "swi"], "m/1"),
            "n+2",
        );
        let found = bounds(folder.path(), &[file, "--no-library"], "m/1");
        assert!(found.reason.contains("not defined"), "{found:?}");
    }
}

#[test]
fn operators_come_with_the_module() {
    let folder = folder(&[
        (
            "ops.pl",
            ":- module(ops, [op(700, xfx, ===>), run/1, run/2]).\nrun(_).\nrun(_ ===> _, _).\n",
        ),
        (
            "main.pl",
            ":- use_module(ops).\n%! m(+X:int) is det.\nm(X) :- run(X ===> 1).\n",
        ),
    ]);
    exactly(&bounds(folder.path(), &["main.pl"], "m/1"), "2");
}

#[test]
fn files_that_include_each_other_end() {
    let folder = folder(&[
        ("a.pl", ":- include(b).\n%! p(+X:int) is det.\np(_).\n"),
        ("b.pl", ":- include(a).\n:- include(nowhere).\nq(_).\n"),
    ]);
    // The missing file may also add clauses of this predicate.
    let found = bounds(folder.path(), &["a.pl"], "p/1");
    assert!(found.reason.contains("`:- include(nowhere)`"), "{found:?}");
    let found = bounds(folder.path(), &["a.pl", "b.pl"], "q/1");
    assert!(found.reason.contains("`:- include(nowhere)`"), "{found:?}");
}

#[test]
fn a_cause_in_another_file_has_its_place_there() {
    let folder = folder(&[
        (
            "main.pl",
            ":- use_module(other).\n%! m(+X:int) is det.\nm(X) :- p(X).\nhelper(_).\n",
        ),
        (
            "other.pl",
            ":- module(other, [p/1]).\n\n\np(X) :- helper(X).\nhelper(X) :- nobody(X).\n",
        ),
    ]);
    let found = bounds(folder.path(), &["main.pl"], "m/1");
    assert!(found.reason.contains("`nobody/1`"), "{found:?}");
    assert_eq!(found.cause, ("other.pl".to_owned(), 5));
}

#[test]
fn what_is_loaded_under_a_condition_is_not_certain() {
    let one = ":- module(one, [p/1]).\np(_).\n";
    let two = ":- module(two, [p/1]).\np(X) :- q(X).\nq(_).\n";
    let m = "%! m(+X:int) is det.\nm(X) :- p(X).\n";
    let modules = format!(
        ":- if(current_prolog_flag(xpce, true)).\n:- use_module(one).\n:- else.\n:- use_module(two).\n:- endif.\n{m}"
    );
    let part = |condition: &str| format!(":- if({condition}).\n:- [part].\n:- endif.\n{m}");
    let folder = folder(&[
        ("one.pl", one),
        ("two.pl", two),
        ("part.pl", "p(_).\n"),
        ("modules.pl", &modules),
        ("parts.pl", &part("current_prolog_flag(xpce, true)")),
        ("decided.pl", &part("current_predicate(is_list/1)")),
        (
            "licensed.pl",
            ":- if(enterprise).\n%! licensed(+Xs:list) is det.\nlicensed([]).\nlicensed([_|Xs]) :- licensed(Xs).\n:- endif.\n",
        ),
        (
            "assumed.pl",
            &part("\\+ current_prolog_flag(windows, true)"),
        ),
        ("left_out.pl", &part("fail")),
    ]);
    for file in ["modules.pl", "parts.pl"] {
        let found = bounds(folder.path(), &[file], "m/1");
        assert!(
            found.reason.contains("only where a condition holds"),
            "{file}: {found:?}"
        );
    }
    exactly(&bounds(folder.path(), &["decided.pl"], "m/1"), "2");
    exactly(&bounds(folder.path(), &["assumed.pl"], "m/1"), "2");
    // All clauses depend on a condition: that it holds is an assumption.
    exactly(
        &bounds(folder.path(), &["licensed.pl"], "licensed/1"),
        "n+1",
    );
    let found = bounds(folder.path(), &["left_out.pl"], "m/1");
    assert!(found.reason.contains("not defined"), "{found:?}");
}

#[test]
fn files_that_include_and_load_each_other_come_to_an_end() {
    let folder = folder(&[
        (
            "a.pl",
            ":- include(b).\n:- include(a).\n:- ensure_loaded(c).\na(_).\n",
        ),
        (
            "b.pl",
            ":- include(a).\n:- include(nowhere/'x y').\nb(_).\n",
        ),
        (
            "c.pl",
            ":- module(c, [c/1]).\n:- reexport(d).\n:- ensure_loaded(a).\nc(_).\n",
        ),
        (
            "d.pl",
            ":- module(d, [d/1]).\n:- reexport(c).\n:- reexport(d).\nd(X) :- nothing(X).\n",
        ),
    ]);
    let all = ["a.pl", "b.pl", "c.pl", "d.pl"];
    // `c` includes the clauses of `a.pl`.
    for predicate in ["a/1", "b/1"] {
        let found = bounds(folder.path(), &all, predicate);
        assert!(found.reason.contains("was not found"), "{found:?}");
    }
    // Through `d` it imports itself.
    assert!(bounds(folder.path(), &all, "c/1").upper.is_empty());
    assert!(bounds(folder.path(), &all, "d/1").is_relative);
}

#[test]
fn types_of_other_modules_can_be_declared() {
    let types = ":- module(types, [tree/1]).\n:- regtype tree/1.\ntree(leaf).\ntree(node(L, X, R)) :- tree(L), int(X), tree(R).\n";
    let count = "%! count(+T:tree, -N) is det.\ncount(leaf, 1).\ncount(node(L, _, R), N) :- count(L, A), count(R, B), N is A+B.\n";
    let with = |directive: &str| {
        let text = format!("{directive}\n{count}");
        let folder = folder(&[("types.pl", types), ("main.pl", &text)]);
        bounds(folder.path(), &["main.pl"], "count/2")
    };
    let found = with(":- use_module(types).");
    assert_eq!(
        (found.lower.as_str(), found.upper.as_str()),
        ("1", "2/3*n+1/3"),
        "{found:?}"
    );
    // Hidden types are unknown here; the pattern inferred from the clauses is a guess.
    assert_eq!(found.origin, "declared");
    assert_eq!(with(":- use_module(types, []).").origin, "inferred");
    // The file's own definition comes first.
    let own = with(":- use_module(types).\n:- regtype tree/1.\ntree(nil).");
    assert_eq!(own.upper, "0", "{own:?}");
}

#[test]
fn packs_are_libraries_and_ignored_files_are_none() {
    let pack = ":- module(lists_of_mine, [mine/1]).\nmine(_).\n";
    let folder = folder(&[
        ("pack/mine/prolog/lists_of_mine.pl", pack),
        (
            "main.pl",
            ":- use_module(library(lists_of_mine)).\n%! m(+X:int) is det.\nm(X) :- mine(X).\n",
        ),
        (".gitignore", "build/\n"),
        (".ignore", "pack\n"),
        ("build/generated.pl", "generated(_).\n"),
        ("src/written.pl", "written(_).\n"),
    ]);
    exactly(&bounds(folder.path(), &["main.pl"], "m/1"), "2");
    let out = program::run(folder.path(), &["bounds", "."]);
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(
        text.contains("written") && text.contains("main.pl"),
        "{text}"
    );
    assert!(
        !text.contains("generated") && !text.contains("mine.pl"),
        "{text}"
    );
    // What is named is read, ignored or not.
    exactly(
        &bounds(folder.path(), &["build/generated.pl"], "generated/1"),
        "1",
    );
}

/// Inference's own rules are about the text of the release, not about another one in a folder that is named.
#[test]
fn aggregates_have_rules_of_their_own_where_their_library_is_the_known_one() {
    let text = ":- use_module(library(aggregate)).
%! total(+Xs:list(integer), -S) is det.
total(Xs, S) :- aggregate_all(sum(X), member(X, Xs), S).
";
    let library = ":- module(aggregate, [aggregate_all/3]).
:- meta_predicate aggregate_all(?, 0, -).
aggregate_all(T, G, R) :- copied(T, G, R).
copied(T, G, R) :- call(G), copied(T, G, R).
";
    let folder = folder(&[("a.pl", text), ("lib/aggregate.pl", library)]);
    let of = |arguments: &[&str]| bounds(folder.path(), arguments, "total/2");
    exactly(&of(&["a.pl", "--no-library"]), "2*n+2");
    assert_ne!(
        of(&["a.pl", "--library", "lib"]),
        of(&["a.pl", "--no-library"])
    );
}

#[test]
fn a_module_alone_rests_on_what_user_does_not_define() {
    let text = ":- module(m1, [mm/1]).\nmm(L) :- last(L, _), length(L, _), own(L).\nown(_).\n";
    let rests_on = |files: &[(&str, &str)], path: &str| {
        let folder = folder(files);
        let out = program::run(folder.path(), &["bounds", "--format", "json", path]);
        let all: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        all["files"][0]["rests_on"].to_string()
    };
    assert_eq!(
        rests_on(&[("m1.pl", text)], "m1.pl"),
        r#"["no other file defines user:last/2"]"#
    );
    // A completely known program determines it.
    let main = ":- use_module(m1).\nr(L) :- mm(L).\n";
    assert_eq!(rests_on(&[("m1.pl", text), ("main.pl", main)], "."), "[]");
}

/// Without the file SWI-Prolog has the library's predicate.
#[test]
fn a_file_that_was_not_found_is_assumed_not_to_define_what_the_library_has() {
    let text = ":- module(m1, [p/1]).
:- use_module(app(tools)).
:- use_module(gone, [last/2]).
p(X) :- is_list(X), memberchk(X, []), own(X).
q(L, X) :- nth0(0, L, X).
r(L, X) :- last(L, X).
s(X) :- helper(X).
own(_).
";
    let folder = folder(&[("m1.pl", text)]);
    let out = program::run(folder.path(), &["bounds", "--format", "json", "m1.pl"]);
    let all: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(
        all["files"][0]["rests_on"].to_string(),
        r#"["no other file defines user:is_list/1","no other file defines user:memberchk/2","no other file defines user:nth0/3","`app(tools)`, which was not found, does not define `is_list/1`, `memberchk/2`, `nth0/3`"]"#
    );
    let of = |predicate: &str| bounds(folder.path(), &["m1.pl"], predicate);
    assert_eq!(of("p/1").upper, "2");
    unknown(&of("s/1"), "`helper/1` may come from `app(tools)`");
    // A predicate named in an import list comes from there.
    unknown(&of("r/2"), "`last/2` may come from `gone`");
    let text = program::run(folder.path(), &["bounds", "m1.pl"]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(
        text.contains("  assuming that `app(tools)`, which was not found, does not define"),
        "{text}"
    );
}

/// Two programs that lack different files have the same built-in predicates.
#[test]
fn programs_that_lack_different_files_agree_on_the_library() {
    let folder = folder(&[
        (
            "tools.pl",
            ":- module(tools, [p/1]).\np(X) :- is_list(X).\n",
        ),
        (
            "one.pl",
            ":- use_module(site(one)).\n:- use_module(tools).\n",
        ),
        (
            "two.pl",
            ":- use_module(site(two)).\n:- use_module(tools).\n",
        ),
    ]);
    assert_eq!(bounds(folder.path(), &["."], "p/1").upper, "1");
}
