//! Texts that are easily read differently from SWI-Prolog.

use crate::program;

use std::path::Path;

use program::{bounds, exactly, folder, run, unknown};

/// Returns standard output and standard error of a command.
fn said(folder: &Path, arguments: &[&str]) -> (String, String) {
    let out = run(folder, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&out.stdout), text(&out.stderr))
}

/// Returns the messages of `check .`, each with its place.
fn errors(files: &[(&str, &str)]) -> Vec<String> {
    let folder = folder(files);
    let (out, _) = said(folder.path(), &["check", "."]);
    let lines: Vec<&str> = out.lines().collect();
    let places = (lines.iter().enumerate()).filter(|(_, line)| line.starts_with("error[syntax]"));
    places
        .map(|(at, message)| {
            let place = lines[at + 1].trim().trim_start_matches("--> ./");
            format!("{place}: {}", message.trim_start_matches("error[syntax]: "))
        })
        .collect()
}

const WORDS: &str = "\
:- use_module(library(quasi_quotations)).
:- quasi_quotation_syntax(ws).
ws(C, _, _, Ws) :- with_quasi_quotation_input(C, S, read_string(S, _, T)), split_string(T, \" \", \"\", Ws).
len([], 0).
len([_|T], N) :- len(T, M), N is M+1.
";

#[test]
fn a_quasi_quotation_may_be_any_term() {
    let text = format!(
        "{WORDS}%! t(-N) is nondet.\nt(N) :- len({{|ws||a b c|}}, N).\n%! f is semidet.\nf :- X = {{|ws||a b|}}, X = [_|_].\n\
         %! v(-X) is semidet.\nv(X) :- X = 1, {{|ws||a|}} = [X].\n%! h(+X:atm) is semidet.\nh({{|ws||a|}}).\nh(_) :- k.\nk.\n\
         %! n(+N:int) is semidet.\nn(N) :- N > 0, M is N-1, n(M), _ = {{|ws||a|}}.\nn(0).\n"
    );
    let folder = folder(&[("a.pl", &text)]);
    let of = |predicate| bounds(folder.path(), &["a.pl"], predicate);
    assert_eq!(of("t/1").upper, "len+1");
    // It may succeed.
    let (out, _) = said(folder.path(), &["bounds", "a.pl"]);
    let of_f = out
        .lines()
        .find(|l| l.trim_start().trim_start_matches('~').starts_with("f "))
        .unwrap();
    assert!(!of_f.contains("fail"), "{out}");
    exactly(&of("f/0"), "1");
    unknown(&of("h/1"), "the syntax of a quasi-quotation");
    exactly(&of("k/0"), "1");
    // Predicates that do not depend on its value are unchanged.
    assert!(!of("n/1").upper.is_empty(), "{:?}", of("n/1"));
}

#[test]
fn variables_of_a_quasi_quotation_may_be_bound_by_its_value() {
    let text = format!(
        "{WORDS}%! a(-N, -S) is semidet.\na(N, S) :- S = {{|ws(N)||Hi|}}, q(S), r(N).\nq([x]).\nq(_).\nr(N) :- var(N).\nr(N) :- nonvar(N), r2.\nr2.\n"
    );
    let folder = folder(&[("a.pl", &text)]);
    let (out, _) = said(folder.path(), &["check", "a.pl"]);
    assert!(!out.contains("ingleton"), "{out}");
    let found = bounds(folder.path(), &["a.pl"], "a/2");
    // `r(N)` may be called with anything.
    assert_ne!(found.lower, found.upper, "{found:?}");
}

#[test]
fn a_run_refuses_quasi_quotations_and_says_why() {
    let text = format!("{WORDS}t(N) :- len({{|ws||a b c|}}, N).\nu(1).\n");
    let folder = folder(&[("a.pl", &text)]);
    let (out, error) = said(folder.path(), &["run", "a.pl", "--goal", "t(N)"]);
    assert!(!out.contains("N = "), "{out}");
    assert!(error.contains("quasi-quotation"), "{error}");
    let (out, _) = said(folder.path(), &["run", "a.pl", "--goal", "u(N)"]);
    assert!(out.contains("N = 1"), "{out}");
}

#[test]
fn unknown_syntaxes_of_quasi_quotations_are_refused() {
    let found = errors(&[
        ("a.pl", "p(X) :- X = {|nope||a|}.\n"),
        (
            "b.pl",
            ":- use_module(library(strings)).\np(N, X) :- X = {|string(N)||a|}, q(N).\nq(_).\n",
        ),
        ("c.pl", ":- use_module(mine).\np(X) :- X = {|mine||a|}.\n"),
        (
            "d.pl",
            ":- use_module(library(lists)).\np(X) :- X = {|string(_)||a|}.\n",
        ),
        ("mine.pl", ":- module(mine, [mine/4]).\nmine(_, _, _, a).\n"),
    ]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found[0].starts_with("a.pl:1:13: `nope` is no syntax"),
        "{found:?}"
    );
    assert!(
        found[1].starts_with("d.pl:2:13: `string` is no syntax"),
        "{found:?}"
    );
}

#[test]
fn an_unclosed_comment_is_one_error_and_what_follows_is_lost() {
    for (text, place) in [
        ("a(1).\n/* note\na(2).\nb(1).\n", "2:1"),
        ("a(1).\n/* a /* b */\na(2).\n", "2:1"),
        ("a(1). /* note\na(2).\n", "1:7"),
        ("a(1).\na(2). /*", "2:7"),
        ("a(X) :- b(X), /* note\n  c(X).\nb(1).\n", "1:15"),
        (
            "a(1).\n/* one */\n/* two\n:- dynamic b/1.\nb(a b).\nc('x.\n",
            "3:1",
        ),
    ] {
        let found = errors(&[("a.pl", text)]);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        let expected = format!("a.pl:{place}: unclosed `/*`");
        assert!(found[0].starts_with(&expected), "{text}: {found:?}");
    }
    let text = "ca(X) :- a(X).\nc(1).\nb(1).\n/* note\na(1).\nb(2).\n";
    let folder = folder(&[("a.pl", text)]);
    let (out, _) = said(
        folder.path(),
        &["run", "a.pl", "--goal", "findall(X, b(X), L)"],
    );
    assert!(out.contains("L = [1]"), "{out}");
    unknown(&bounds(folder.path(), &["a.pl"], "b/1"), "line 4");
    unknown(&bounds(folder.path(), &["a.pl"], "ca/1"), "line 4");
    assert_eq!(bounds(folder.path(), &["a.pl"], "c/1").upper, "1");
}

#[test]
fn parts_are_read_under_the_operators_of_the_files_that_load_them() {
    let part = "rule(a ===> b).\n";
    for load in [
        "consult(part)",
        "[part]",
        "ensure_loaded(part)",
        "load_files(part, [])",
        "load_files([part], [if(not_loaded)])",
        "include(part)",
        "user:consult(part)",
        "consult(user:part)",
    ] {
        let main = format!(":- op(700, xfx, ===>).\n:- {load}.\np(X) :- rule(X).\n");
        let files = [("main.pl", &*main), ("part.pl", part)];
        assert_eq!(errors(&files), [""; 0], "{load}");
        let folder = folder(&files);
        for asked in ["main.pl", "part.pl"] {
            let (out, _) = said(folder.path(), &["check", asked]);
            assert!(!out.contains("error["), "{load}: {out}");
        }
        assert_eq!(bounds(folder.path(), &["part.pl"], "rule/1").upper, "1");
        exactly(&bounds(folder.path(), &["main.pl"], "p/1"), "2");
        let (out, _) = said(
            folder.path(),
            &["run", "main.pl", "--goal", "rule(X ===> Y)"],
        );
        assert!(out.contains("Y = b"), "{load}: {out}");
    }
    // The operator is declared afterwards.
    let late = ":- consult(part).\n:- op(700, xfx, ===>).\n";
    assert_eq!(errors(&[("main.pl", late), ("part.pl", part)]).len(), 1);
    // A module has only its own operators and those of `user`.
    let module = ":- module(part, [rule/1]).\nrule(a ===> b).\n";
    for (main, count) in [
        (":- op(700, xfx, ===>).\n:- use_module(part).\n", 0),
        (
            ":- module(main, []).\n:- op(700, xfx, ===>).\n:- use_module(part).\n",
            1,
        ),
        (
            ":- module(main, []).\n:- op(700, xfx, user:(===>)).\n:- use_module(part).\n",
            0,
        ),
        (
            ":- module(main, []).\n:- op(700, xfx, user:(===>)).\n:- autoload(part).\n",
            0,
        ),
        (":- use_module(ops).\n:- use_module(part).\n", 0),
        (":- use_module(ops, []).\n:- use_module(part).\n", 1),
        (
            ":- module(main, []).\n:- use_module(ops).\n:- use_module(part).\n",
            1,
        ),
        (
            ":- module(main, []).\n:- use_module(globals).\n:- use_module(part).\n",
            0,
        ),
        (
            ":- module(main, []).\n:- use_module(through).\n:- use_module(part).\n",
            0,
        ),
        (":- [declares].\n:- use_module(part).\n", 0),
    ] {
        let found = errors(&[
            ("main.pl", main),
            ("part.pl", module),
            ("ops.pl", ":- module(ops, [op(700, xfx, ===>)]).\n"),
            (
                "globals.pl",
                ":- module(globals, []).\n:- op(700, xfx, user:(===>)).\n",
            ),
            (
                "through.pl",
                ":- module(through, []).\n:- use_module(globals).\n",
            ),
            ("declares.pl", ":- include(inside).\n"),
            ("inside.pl", ":- op(700, xfx, ===>).\n"),
        ]);
        assert_eq!(found.len(), count, "{main}: {found:?}");
    }
    // Libraries, and the files that they load.
    let found = errors(&[
        (
            "main.pl",
            ":- use_module(library(clpfd)).\n:- [one].\nq(X) :- X in 1..2.\n",
        ),
        ("one.pl", ":- ensure_loaded(two).\np(X) :- X #= 1, r(X).\n"),
        ("two.pl", "r(X) :- X in 0..2.\n"),
    ]);
    assert_eq!(found, [""; 0]);
}

#[test]
fn quotes_mean_in_a_part_what_they_mean_in_its_module() {
    let files = [
        (
            "main.pl",
            ":- set_prolog_flag(double_quotes, codes).\n:- [part].\n:- use_module(mod).\n",
        ),
        ("part.pl", "x(\"ab\").\n"),
        ("mod.pl", ":- module(mod, [m/1]).\nm(\"ab\").\n"),
    ];
    let folder = folder(&files);
    let run = |goal: &str| said(folder.path(), &["run", "main.pl", "--goal", goal]).0;
    assert!(run("x([A|_])").contains("A = 97"), "{}", run("x([A|_])"));
    assert!(run("m(A)").contains("A = \"ab\""), "{}", run("m(A)"));
}

#[test]
fn loaders_that_disagree_are_named() {
    let found = errors(&[
        ("a.pl", ":- op(700, xfx, ===>).\n:- [part].\n"),
        ("b.pl", ":- op(200, xfy, ===>).\n:- [part].\n"),
        ("part.pl", "rule(a ===> b).\nsum(a + b ===> c).\nq(1).\n"),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("part.pl:2:1: ")
            && found[0].contains("`./a.pl`")
            && found[0].contains("`./b.pl`"),
        "{found:?}"
    );
    // If nothing is read differently, nothing is reported.
    let found = errors(&[
        ("a.pl", ":- op(700, xfx, ===>).\n:- [part].\n"),
        ("b.pl", ":- [part].\n"),
        ("part.pl", "rule(a, b).\n"),
    ]);
    assert_eq!(found, [""; 0]);
    let found = errors(&[
        ("a.pl", ":- op(700, xfx, ===>).\n:- [part].\n"),
        ("b.pl", ":- [part].\n"),
        ("part.pl", "rule(a ===> b).\nq.\n"),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn files_that_load_each_other_are_read() {
    let found = errors(&[
        (
            "a.pl",
            ":- op(700, xfx, ===>).\n:- ensure_loaded(b).\np(x ===> y).\n",
        ),
        ("b.pl", ":- ensure_loaded(a).\nq(x ===> y).\n"),
    ]);
    assert_eq!(found, [""; 0]);
}

#[test]
fn dialects_have_operators_of_their_own() {
    let found = errors(&[
        (
            "a.pl",
            ":- expects_dialect(sicstus4).\n:- use_module(library(clpfd)).\n:- block w(-).\nw(_).\nx(inf..sup).\n",
        ),
        (
            "b.pl",
            ":- expects_dialect(xsb).\n:- import append/3 from basics.\np(X) :- tnot q(X).\nq(1).\n",
        ),
        ("c.pl", "w(block a).\n"),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("c.pl:1:9"), "{found:?}");
}

#[test]
fn what_stands_in_a_branch_that_is_not_taken_is_no_error() {
    let text = ":- if(current_prolog_flag(dialect, sicstus)).\n:- block p(-).\np(X) :- X in 1..3.\n:- else.\np(1).\n:- endif.\n\
                :- if(fail).\np(a b c).\nq(x) :- .\n:- endif.\nq(1).\n";
    assert_eq!(errors(&[("a.pl", text)]), [""; 0]);
    let folder = folder(&[("a.pl", text)]);
    assert_eq!(bounds(folder.path(), &["a.pl"], "p/1").upper, "1");
    assert_eq!(bounds(folder.path(), &["a.pl"], "q/1").upper, "1");
}

#[test]
fn operators_are_declared_in_many_ways() {
    for declares in [
        ":- call(op(700, xfx), ===>).",
        ":- maplist(op(700, xfx), [<===, ===>]).",
        ":- push_operators([op(700, xfx, ===>)]).",
        ":- initialization(op(700, xfx, ===>), now).",
    ] {
        let text = format!("{declares}\np(a ===> b).\n");
        assert_eq!(errors(&[("a.pl", &text)]), [""; 0], "{declares}");
    }
    let popped =
        ":- push_operators([op(700, xfx, ===>)]).\np(a ===> b).\n:- pop_operators.\np(a ===> c).\n";
    assert_eq!(errors(&[("a.pl", popped)]).len(), 1);
    let main = ":- op(700, xfx, ===>).\n:- initialization(consult(part)).\n";
    assert_eq!(
        errors(&[("main.pl", main), ("part.pl", "p(a ===> b).\n")]),
        [""; 0]
    );
    let but_one = ":- use_module(ops, except([op(_, _, ===>)])).\np(a <=== b).\np(a ===> b).\n";
    let ops = ":- module(ops, [op(700, xfx, ===>), op(700, xfx, <===)]).\n";
    let found = errors(&[("main.pl", but_one), ("ops.pl", ops)]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("main.pl:3:"), "{found:?}");
}

/// SWI-Prolog defines the operators that an import list spells out, exported or not, and omits those that a list of `load_files/2` does not name.
#[test]
fn import_lists_declare_the_operators_that_they_write_out() {
    const MODULE: &str = ":- module(h, [r/1, op(700, xfx, ~~>)]).\nr(1).\n";
    for (directive, clause, is_read) in [
        (":- use_module(h, [op(700, xfx, ===>)]).", "a ===> b", true),
        (
            ":- use_module(h, [op(700, xfx, [===>, =+=])]).",
            "a =+= b",
            true,
        ),
        (
            ":- use_module(h, [op(200, xfy, ~~>)]).",
            "a ~~> b ~~> c",
            true,
        ),
        (":- use_module(h, [op(_, _, _)]).", "a ~~> b", true),
        (":- use_module(h, [r/1]).", "a ~~> b", false),
        (":- reexport(h, [op(700, xfx, ===>)]).", "a ===> b", true),
        (":- load_files(h, []).", "a ~~> b", true),
        (":- load_files(h, [imports(all)]).", "a ~~> b", true),
        (":- load_files(h, [imports([r/1])]).", "a ~~> b", false),
        (
            ":- load_files(h, [imports([op(_, _, _)])]).",
            "a ~~> b",
            true,
        ),
        (
            ":- load_files(h, [if(true), imports(except([r/1]))]).",
            "a ~~> b",
            true,
        ),
        (
            ":- load_files(h, [imports(except([op(_, _, _)]))]).",
            "a ~~> b",
            false,
        ),
        (
            ":- use_module(library(lists), [op(200, xfy, -)]).",
            "10-3-2",
            true,
        ),
    ] {
        let main = format!("{directive}\nt({clause}).\n");
        let found = errors(&[("h.pl", MODULE), ("main.pl", &main)]);
        assert_eq!(found.is_empty(), is_read, "{directive}: {found:?}");
    }
    // The type of the operator matters.
    let text = ":- use_module(library(lists), [op(200, xfy, -)]).\nt(X) :- X is 10-3-2.\n";
    let folder = folder(&[("a.pl", text)]);
    let (out, _) = said(folder.path(), &["run", "a.pl", "--goal", "t(X)"]);
    assert_eq!(out, "X = 9\n");
}

#[test]
fn operators_that_are_declared_with_care_are_declared() {
    for directive in [
        "catch(op(700, xfx, ~~>), _, true)",
        "ignore(op(700, xfx, ~~>))",
        "once(catch(op(700, xfx, ~~>), _, true))",
        "( current_op(_, _, ~~>) -> true ; op(700, xfx, ~~>) )",
        "( \\+ current_op(_, xfx, ~~>) -> op(700, xfx, ~~>) ; true )",
    ] {
        let found = errors(&[("a.pl", &format!(":- {directive}.\nt(a ~~> b).\n"))]);
        assert!(found.is_empty(), "{directive}: {found:?}");
    }
    // `-` already exists, and stays as it is.
    let text = ":- ( current_op(_, _, -) -> true ; op(200, xfy, -) ).\nt(X) :- X is 10-3-2.\n";
    let folder = folder(&[("a.pl", text)]);
    let (out, _) = said(folder.path(), &["run", "a.pl", "--goal", "t(X)"]);
    assert_eq!(out, "X = 5\n");
}

#[test]
fn a_run_refuses_functional_notation_on_dicts_and_says_why() {
    let folder = folder(&[("a.pl", "u(N) :- D = _{a:3}, N = D.a.\nv(1).\n")]);
    let (_, said_of) = said(folder.path(), &["run", "a.pl", "--goal", "u(N)"]);
    assert!(
        said_of.contains("functional notation on dicts"),
        "{said_of}"
    );
    let (out, _) = said(folder.path(), &["run", "a.pl", "--goal", "v(N)"]);
    assert_eq!(out, "N = 1\n");
}

#[test]
fn files_of_other_languages_are_left_alone() {
    let files = [
        (
            "app.pro",
            "QT += core gui\nTARGET = app\nSOURCES += main.cpp \\\n    b.cpp\n",
        ),
        ("rules.pro", "# Keep. All.\n-keep class a.b.** { *; }\n"),
        ("plot.plt", "set terminal png\nplot \"a.dat\" using 1:2\n"),
        ("draw.pro", "; Draws. Well.\npro draw, x\n  plot, x\nend\n"),
        (
            "old.pl",
            "eval 'exec perl -S $0 ${1+\"$@\"}'\n  if 0;\nrequire 'x.pl';\n%conf = (\n);\n",
        ),
        ("a.pl", "p(1).\n"),
    ];
    assert_eq!(errors(&files), [""; 0]);
    let folder = folder(&files);
    let (out, error) = said(folder.path(), &["check", "."]);
    assert!(
        !error.contains("skipped") && !out.contains("app.pro"),
        "{out}{error}"
    );
    let (_, error) = said(folder.path(), &["check", "-v", "."]);
    assert_eq!(error.matches("skipped").count(), 5, "{error}");
}

#[test]
fn a_merge_conflict_is_one_error() {
    let text = "cb(X) :- b(X).\ncc(X) :- c(X).\na(1).\n<<<<<<< HEAD\nb(1).\n=======\nb(2) :- .\n>>>>>>> topic\nc(1).\ne(1).\n";
    let found = errors(&[("a.pl", text)]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("a.pl:4:1: merge conflict"),
        "{found:?}"
    );
    let folder = folder(&[("a.pl", text)]);
    let of = |predicate| bounds(folder.path(), &["a.pl"], predicate);
    unknown(&of("cb/1"), "line 4");
    unknown(&of("cc/1"), "line 4");
    unknown(&of("a/1"), "line 4");
    assert_eq!(of("e/1").upper, "1");
    let inside = "p(X) :-\n<<<<<<< HEAD\n    q(X).\n||||||| base\n    s(X).\n=======\n    r(X).\n>>>>>>> topic\n";
    let found = errors(&[("a.pl", inside)]);
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn a_fix_is_written_in_the_encoding_of_the_file() {
    let program = "%! rev(+Xs:list, -Ys) is det.\nrev([], []).\nrev([X|Xs], Ys) :- rev(Xs, Zs), app(Zs, [X], Ys).\n\
                   app([], Ys, Ys).\napp([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).\n";
    let mut bytes = b":- encoding(iso_latin_1).\n% caf\xE9\n".to_vec();
    bytes.extend_from_slice(program.as_bytes());
    let folder = folder(&[("a.pl", bytes)]);
    let (out, error) = said(folder.path(), &["fix", "--apply", "a.pl"]);
    assert!(out.contains("applied") && error.is_empty(), "{out}{error}");
    let written = std::fs::read(folder.path().join("a.pl")).unwrap();
    assert!(written.starts_with(b":- encoding(iso_latin_1).\n% caf\xE9\n"));
    assert!(!String::from_utf8_lossy(&written).contains("app(Zs, [X], Ys)"));
}

#[test]
fn a_declaration_about_another_module_is_not_about_this_one() {
    let text = ":- module(m, [p/1]).\n:- dynamic lex:noun/2.\n:- table lex:p/1.\n:- det(lex:noun/2).\nnoun(a, b).\n\
                %! p(-X) is det.\np(X) :- noun(a, X).\n";
    let folder = folder(&[("m.pl", text)]);
    assert_eq!(bounds(folder.path(), &["m.pl"], "p/1").upper, "2");
}

#[test]
fn a_trust_line_beside_a_declaration_holds_in_files_that_are_included() {
    let files = [
        (
            "main.pl",
            ":- dynamic noun/2.\n:- trust pred noun(A, B) : (atom(A), var(B)) => atom(B) + (is_det, cost(ub, steps, 1)).\n:- include(inc).\n",
        ),
        (
            "inc.pl",
            "%! look(+A:atm, -B) is semidet.\nlook(A, B) :- noun(A, B).\n",
        ),
    ];
    let folder = folder(&files);
    assert_eq!(bounds(folder.path(), &["inc.pl"], "look/2").upper, "2");
}

#[test]
fn damage_stays_in_its_clause() {
    let text = "%! size_of(+Xs:list, -N) is det.\nsize_of([], 0).\nsize_of([_|T], N) :- size_of(T, M), N is M+1.\npairs(X) :- pairs_of(X, _).\nsize_of_no([]).\npairs_of([], [).\n\
                %! k(+X:int) is det.\nk(_).\n:- chek pred other(A, B) : list(A).\n%! lenx(+Xs:list, -N) is det.\nlenx([], 0).\nlenx([_|T], N) :- lenx(T, M), N is M+1.\n";
    let folder = folder(&[("a.pl", text)]);
    let of = |predicate| bounds(folder.path(), &["a.pl"], predicate);
    for predicate in ["size_of/2", "size_of_no/1", "lenx/2"] {
        assert!(!of(predicate).upper.is_empty(), "{:?}", of(predicate));
    }
    exactly(&of("k/1"), "1");
    assert!(of("pairs/1").is_relative);
    // The rest of a clause is not a clause.
    let rest = "p(1).\n  q(X, [).\nr(1).\n";
    let folder = program::folder(&[("a.pl", rest)]);
    unknown(&bounds(folder.path(), &["a.pl"], "p/1"), "line 2");
}

#[test]
fn names_and_numbers_are_those_of_swi_prolog() {
    let found = errors(&[
        ("a.pl", "p(x\u{b2}).\n"),
        ("b.pl", "p(x\u{2081}).\n"),
        ("c.pl", "p(X\u{2081}) :- q(X\u{2081}).\nq(_).\n"),
        (
            "d.pl",
            "p(\u{b2}).\nq(\u{663}\u{664}).\nr(x\u{663}).\nm(\u{661}\u{662} + \u{969}).\n",
        ),
        ("e.pl", "p(1\u{663}).\n"),
        ("f.pl", "p(\u{661}\u{969}).\n"),
    ]);
    let files: Vec<&str> = found.iter().map(|e| &e[..4]).collect();
    assert_eq!(files, ["a.pl", "b.pl", "c.pl", "e.pl", "f.pl"], "{found:?}");
    let folder = folder(&[("d.pl", "q(\u{663}\u{664}).\n")]);
    let (out, _) = said(
        folder.path(),
        &["run", "d.pl", "--goal", "q(X), Y is X + \u{661}"],
    );
    assert!(out.contains("Y = 35"), "{out}");
}

#[test]
fn edits_have_the_line_ends_of_the_file() {
    let text = "\n% CRLF\nlen([], 0).\nlen([_|T], N) :- len(T, M), N is M+1.\n\n%! kinds(+Xs:list) is det.\nkinds(_).\n";
    let folder = folder(&[("a.pl", text.replace('\n', "\r\n"))]);
    let (out, _) = said(
        folder.path(),
        &["fix", "--rule", "assert-inferred", "--apply", "a.pl"],
    );
    assert!(out.contains("applied"), "{out}");
    let written = std::fs::read_to_string(folder.path().join("a.pl")).unwrap();
    assert!(written.contains("@cost"), "{written:?}");
    let rest = written.replace("\r\n", "");
    assert!(!rest.contains(['\r', '\n']), "{written:?}");
}
