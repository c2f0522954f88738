//! Programs in realistic layouts: named folders, packs, loaders, tests next to files, other systems' modules, other encodings.

use crate::program;

use program::{bounds, exactly, folder, run, unknown};

/// Returns a module `NAME` that exports a predicate `NAME/1` of n+1 steps, and `also/1` of one.
fn walk(name: &str) -> String {
    format!(
        ":- module({name}, [{name}/1, also/1]).\n%! {name}(+Xs:list) is det.\n{name}([]).\n{name}([_|Xs]) :- {name}(Xs).\nalso(_).\n"
    )
}

fn text(start: &str, body: &str) -> String {
    format!("{start}\n%! m(+Xs:list) is det.\nm(Xs) :- {body}.\n")
}

#[test]
fn folders_have_names_in_the_whole_program() {
    for named in [
        "user:file_search_path(app, '.').",
        "user:file_search_path(app, 'src/..').",
        "user:file_search_path(app, Here) :- prolog_load_context(directory, Here).",
        "user:file_search_path(app, Here) :- source_location(F, _), file_directory_name(F, Here).",
        ":- prolog_load_context(directory, Here), asserta(user:file_search_path(app, Here)).",
        ":- prolog_load_context(source, F), file_directory_name(F, D), assertz(user:file_search_path(app, D)).",
        "app_is(F) :- file_directory_name(F, D), asserta(user:file_search_path(app, D)).\n\
         add :- prolog_load_context(source, F), app_is(F).\n:- add.",
        ":- prolog_load_context(source, F), relative_file_name(A, F, '.'), assertz(user:file_search_path(app, A)).",
        ":- prolog_load_context(directory, D), assertz(user:file_search_path(root, D)).\n\
         add :- user:file_search_path(root, D), assertz(user:file_search_path(app, D)).\n:- add.",
        ":- prolog_load_context(directory, D), atom_concat(D, '/src', S), atom_concat(S, '/..', A), assertz(file_search_path(app, A)).",
    ] {
        let load = format!(
            ":- multifile user:file_search_path/2.\n:- dynamic user:file_search_path/2.\n{named}\n\
             user:file_search_path(inner, app(src/inner)).\nuser:file_search_path(library, app(extra)).\n\
             :- use_module(app(src/one)).\n"
        );
        let folder = folder(&[
            ("load.pl", load.clone()),
            (
                "src/one.pl",
                text(
                    ":- module(one, [m/1]).\n:- use_module(inner(two)).\n:- use_module(library(three), [three/1]).",
                    "two(Xs), three(Xs)",
                ),
            ),
            ("src/inner/two.pl", walk("two")),
            ("extra/three.pl", walk("three")),
        ]);
        let found = bounds(folder.path(), &["src/one.pl", "load.pl"], "m/1");
        assert_eq!((found.upper.as_str(), named), ("2*n+3", named), "{found:?}");
        // A file on its own does not know the names.
        let found = bounds(folder.path(), &["src/one.pl"], "m/1");
        unknown(
            &found,
            "`two/1` may come from `inner(two)`, which was not found",
        );
    }
}

#[test]
fn folders_that_are_not_certain_have_no_names() {
    for named in [
        // No directive calls it.
        "add :- prolog_load_context(directory, D), assertz(user:file_search_path(app, D)).",
        // It is known only when the program runs.
        "add :- getenv('APP', D), assertz(user:file_search_path(app, D)).\n:- add.",
    ] {
        let load = format!("{named}\n{}", text(":- use_module(app(x)).", "x(Xs)"));
        let folder = folder(&[("load.pl", load), ("x.pl", walk("x"))]);
        let found = bounds(folder.path(), &["load.pl"], "m/1");
        unknown(&found, "`x/1` may come from `app(x)`");
    }
}

#[test]
fn a_name_of_two_folders_is_that_of_the_nearer_one_or_none() {
    let app = "user:file_search_path(app, Here) :- prolog_load_context(directory, Here).\n";
    let longer = walk("x").replace("([_|Xs])", "([_,_|Xs])");
    let folder = folder(&[
        ("a/load.pl", app.to_owned()),
        ("a/x.pl", walk("x")),
        ("a/src/m.pl", text(":- use_module(app(x)).", "x(Xs)")),
        ("b/load.pl", app.to_owned()),
        ("b/x.pl", longer.clone()),
        ("b/m.pl", text(":- use_module(app(x)).", "x(Xs)")),
        ("c/m.pl", text(":- use_module(app(x)).", "x(Xs)")),
        // A cycle.
        (
            "d/m.pl",
            text(
                "user:file_search_path(p, q(.)).\nuser:file_search_path(q, p(.)).\n:- use_module(p(x)).",
                "x(Xs)",
            ),
        ),
    ]);
    let all = ["a/src/m.pl", "b/m.pl", "c/m.pl", "a/load.pl", "b/load.pl"];
    let of = |first: &'static str| {
        let mut files = vec![first];
        files.extend(all.iter().filter(|f| **f != first));
        // The first file's predicate comes first.
        bounds(folder.path(), &files[..], "m/1")
    };
    exactly(&of("a/src/m.pl"), "n+2");
    assert!(of("b/m.pl").upper.contains("floor"), "{:?}", of("b/m.pl"));
    unknown(&of("c/m.pl"), "`x/1` may come from `app(x)`");
    unknown(&of("d/m.pl"), "`x/1` may come from `p(x)`");
}

#[test]
fn a_pack_finds_its_own_library() {
    let folder = folder(&[
        ("pack.pl", "name(walking).\n".to_owned()),
        (
            "prolog/walking.pl",
            text(
                ":- module(walking, [m/1]).\n:- use_module(library(walking/inner)).\n:- reexport(library(walking/more), except([also/1])).",
                "inner(Xs), more(Xs)",
            ),
        ),
        ("prolog/walking/inner.pl", walk("inner")),
        ("prolog/walking/more.pl", walk("more")),
        (
            "t/test.pl",
            text(":- use_module(library(walking)).", "more(Xs)"),
        ),
        (
            "t/no.pl",
            text(":- use_module(library(walking)).", "also(Xs)"),
        ),
        (
            "t/absent.pl",
            text(":- use_module(library(flying)).", "fly(Xs)"),
        ),
    ]);
    let of = |at: &str, file: &str| bounds(&folder.path().join(at), &[file], "m/1");
    exactly(&of("", "prolog/walking.pl"), "2*n+3");
    exactly(&of("", "t/test.pl"), "n+2");
    exactly(&of("t", "test.pl"), "n+2");
    exactly(&of("prolog/walking", "../../t/test.pl"), "n+2");
    unknown(&of("", "t/no.pl"), "`also/1` is not defined");
    unknown(
        &of("", "t/absent.pl"),
        "it may come from `library(flying)`, which was not found",
    );
}

#[test]
fn loading_takes_options() {
    let with = |directive: &str, body: &str| {
        let folder = folder(&[
            ("tables.pl", walk("tables")),
            (
                "main.pl",
                text(&format!(":- module(main, [m/1]).\n{directive}"), body),
            ),
        ]);
        bounds(folder.path(), &["main.pl"], "m/1")
    };
    for directive in [
        ":- load_files(tables, [if(not_loaded)]).",
        ":- load_files([tables], [imports(all), silent(true)]).",
        ":- load_files(tables, [imports([tables/1])]).",
        ":- load_files(tables, [imports(except([also/1]))]).",
        ":- autoload(tables).",
        ":- autoload(tables, [tables/1]).",
        ":- [tables].",
    ] {
        exactly(&with(directive, "tables(Xs)"), "n+2");
    }
    exactly(
        &with(
            ":- load_files(tables, [imports([tables/1 as walk])]).",
            "walk(Xs)",
        ),
        "n+3",
    );
    for directive in [
        ":- load_files(tables, [imports([])]).",
        ":- load_files(tables, [imports([also/1])]).",
        ":- load_files(tables, [imports(except([tables/1]))]).",
        ":- autoload(tables, [also/1]).",
    ] {
        unknown(&with(directive, "tables(Xs)"), "is not defined");
    }
}

#[test]
fn modules_of_ciao_without_a_name_are_called_after_their_files() {
    let folder = folder(&[
        (
            "main.pl",
            ":- module(_, _, [assertions]).\n:- use_module(one).\n:- use_module(two, [q/1]).\n\
             :- pred m(Xs) : list(Xs).\nm(Xs) :- p(Xs), q(Xs), h(Xs).\nh(_).\n\
             :- pred n(Xs) : list(Xs).\nn(Xs) :- h2(Xs).\n",
        ),
        (
            "one.pl",
            ":- module(_, _).\np([]).\np([_|Xs]) :- h(Xs), p(Xs).\nh(_).\n",
        ),
        ("two.pl", ":- module(_, [q/1]).\nq(Xs) :- h2(Xs).\nh2(_).\n"),
    ]);
    // `h/1` is another one in `one.pl`.
    exactly(&bounds(folder.path(), &["main.pl"], "m/1"), "2*n+5");
    unknown(
        &bounds(folder.path(), &["main.pl"], "n/1"),
        "`h2/1` is not defined",
    );
}

#[test]
fn built_ins_of_another_system_are_not_called_undefined() {
    let folder = folder(&[(
        "main.pl",
        ":- include(part).\n%! m(+Xs:list) is det.\nm(Xs) :- fd_domain(Xs, 1, 3), part(Xs).\n",
    )]);
    unknown(
        &bounds(folder.path(), &["main.pl"], "m/1"),
        "`:- include(part)` may bring more clauses",
    );
    std::fs::write(folder.path().join("part.pl"), "part(_).\n").unwrap();
    unknown(
        &bounds(folder.path(), &["main.pl"], "m/1"),
        "`fd_domain/3` is built into GNU Prolog, and nothing is stated about its cost",
    );
}

#[test]
fn clauses_of_several_files_are_put_together() {
    let folder = folder(&[
        (
            "main.pl",
            ":- multifile area/2.\n:- ensure_loaded([circle, square]).\n%! m(+X, -A) is nondet.\nm(X, A) :- area(X, A).\narea(none, 0).\n",
        ),
        ("circle.pl", ":- multifile area/2.\narea(circle, 3).\n"),
        ("square.pl", "area(square, 4).\n"),
    ]);
    let found = bounds(folder.path(), &["main.pl"], "m/2");
    assert_eq!((&*found.lower, &*found.upper), ("1", "2"));
}

#[test]
fn texts_are_read_as_they_are_encoded() {
    let utf_16 = |text: &str, order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let units = "\u{feff}".encode_utf16().chain(text.encode_utf16());
        units.flat_map(order).collect()
    };
    let part = "%! größe(+Xs:list) is det.\ngröße([]).\ngröße([_|Xs]) :- größe(Xs).\n";
    let latin = |text: &str| -> Vec<u8> { text.chars().map(|c| c as u8).collect() };
    let declared = format!(":- encoding(iso_latin_1).\n{part}");
    for bytes in [
        utf_16(part, u16::to_le_bytes),
        utf_16(part, u16::to_be_bytes),
        latin(&declared),
        part.replace('\n', "\r\n").into_bytes(),
        format!("\u{feff}#!/usr/bin/env swipl\n{part}").into_bytes(),
    ] {
        let main = text(":- [part].", "größe(Xs)");
        let folder = folder(&[("main.pl", main.into_bytes()), ("part.pl", bytes)]);
        exactly(&bounds(folder.path(), &["main.pl"], "m/1"), "n+2");
        exactly(&bounds(folder.path(), &["part.pl"], "größe/1"), "n+1");
    }
    let folder = folder(&[("part.pl", latin(part))]);
    let out = run(folder.path(), &["check", "part.pl"]);
    assert!(
        String::from_utf8_lossy(&out.stderr).contains("`part.pl` is not UTF-8"),
        "{out:?}"
    );
}

#[test]
fn circles_and_gaps_among_files_come_to_an_end() {
    let folder = folder(&[
        ("self.pl", ":- include(self).\n:- [self].\np(1).\n"),
        ("a.pl", ":- include(b).\n:- ensure_loaded(b).\npa(1).\n"),
        ("b.pl", ":- include(a).\n:- use_module(a).\nqb(1).\n"),
        ("dir.pl/inside.pl", "x.\n"),
        (
            "into_folder.pl",
            ":- include(dir).\n:- ['dir.pl'].\np(1).\n",
        ),
        (
            "even.pl",
            ":- module(even, [even/1]).\n:- use_module(odd).\n%! even(+Xs:list) is semidet.\neven([]).\neven([_|Xs]) :- odd(Xs).\n",
        ),
        (
            "odd.pl",
            ":- module(odd, [odd/1]).\n:- use_module(even).\n%! odd(+Xs:list) is semidet.\nodd([_|Xs]) :- even(Xs).\n",
        ),
        ("bom.pl", "\u{feff}p(1).\r\np(2).\rp(3).\r\n"),
        ("empty.pl", ""),
    ]);
    // Whatever the line ends are, there are three clauses.
    assert_eq!(bounds(folder.path(), &["bom.pl"], "p/1").upper, "3");
    for (file, predicate, reason) in [
        ("self.pl", "p/1", ""),
        ("a.pl", "pa/1", ""),
        ("b.pl", "qb/1", ""),
        (
            "into_folder.pl",
            "p/1",
            "`:- include(dir)` may bring more clauses of it: that file was not found",
        ),
        ("even.pl", "even/1", ""),
    ] {
        let found = bounds(folder.path(), &[file], predicate);
        assert!(found.reason.contains(reason), "{file}: {found:?}");
        assert_eq!(
            found.reason.is_empty(),
            reason.is_empty(),
            "{file}: {found:?}"
        );
    }
    let out = run(folder.path(), &["check", "."]);
    assert!(out.status.success(), "{out:?}");
}

#[cfg(unix)]
#[test]
fn links_are_followed_to_files_and_not_in_circles() {
    use std::os::unix::fs::symlink;
    let folder = folder(&[
        ("real/walking.pl", walk("walking")),
        ("main.pl", text(":- use_module(lib/link).", "walking(Xs)")),
        ("loop.pl", text(":- use_module(lib/round).", "walking(Xs)")),
    ]);
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("lib")).unwrap();
    symlink("../real/walking.pl", at("lib/link.pl")).unwrap();
    symlink("round.pl", at("lib/round.pl")).unwrap();
    symlink("..", at("lib/up")).unwrap();
    exactly(&bounds(folder.path(), &["main.pl"], "m/1"), "n+2");
    exactly(&bounds(&at("lib"), &["up/main.pl"], "m/1"), "n+2");
    unknown(
        &bounds(folder.path(), &["loop.pl"], "m/1"),
        "`walking/1` may come from `lib/round`, which was not found",
    );
    // The folder is walked without recursion into itself; a dangling link is not a file.
    let out = run(folder.path(), &["bounds", "--format", "json", "."]);
    let all: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let number = all["predicates"].as_array().map_or(0, Vec::len);
    assert_eq!(number, 6, "{all}");
}

/// Returns the goal's first answer, or the standard error.
fn answer(files: &[(&str, &str)], goal: &str) -> (String, String) {
    let folder = folder(files);
    let out = run(
        folder.path(),
        &[
            "run", "main.pl", "--goal", goal, "--count", "--format", "json",
        ],
    );
    let all: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let said = match all["exception"].as_str() {
        Some(ball) => ball.to_owned(),
        None => all["bindings"][0].to_string(),
    };
    (said, String::from_utf8(out.stderr).unwrap())
}

#[test]
fn a_run_has_the_files_that_the_program_loads() {
    let even = ":- module(even, [even/1, op(700, xfx, ===>)]).\n:- use_module(odd).\neven([]).\neven([_|Xs]) :- odd(Xs).\n";
    let odd = ":- module(odd, [odd/1]).\n:- use_module(even).\n:- initialization(assertz(loaded(odd))).\n:- dynamic loaded/1.\nodd([_|Xs]) :- even(Xs).\n";
    let main = ":- use_module(even).\n:- ensure_loaded(part).\nm(Xs, R) :- even(Xs), half(Xs, R).\nrule(a ===> b).\n";
    let part = "half(Xs, N) :- length(Xs, M), N is M // 2.\n";
    let files = [
        ("even.pl", even),
        ("odd.pl", odd),
        ("main.pl", main),
        ("part.pl", part),
    ];
    let (found, said) = answer(&files, "m([a,b,c,d], R), rule(X ===> b), loaded(L)");
    assert_eq!(
        (found.as_str(), said.as_str()),
        (r#"{"L":"odd","R":"2","X":"a"}"#, "")
    );
}

#[test]
fn a_run_sees_predicates_of_user_from_every_module() {
    let main = ":- use_module(other).\nm(X) :- p(X).\nhelper(1).\n";
    let other = ":- module(other, [p/1]).\np(X) :- helper(X).\n";
    let (found, said) = answer(&[("main.pl", main), ("other.pl", other)], "m(X)");
    assert_eq!((found.as_str(), said.as_str()), (r#"{"X":"1"}"#, ""));
}

#[test]
fn a_run_without_modules_mixes_no_names() {
    let main = ":- use_module(other).\nm(X) :- p(X).\nhelper(1).\n";
    for (other, reason) in [
        (
            ":- module(other, [p/1]).\np(X) :- helper(X).\nhelper(2).\n",
            "both `other.pl` and `main.pl` have a `helper/1`",
        ),
        (
            ":- module(other, [p/1]).\n:- use_module(third, [q/1 as r]).\np(X) :- r(X).\n",
            "`other.pl` calls `q/1` by the name of `r/1`",
        ),
        (
            ":- module(other, [p/1]).\n:- dynamic helper/1.\np(_).\n",
            "have a `helper/1`",
        ),
    ] {
        let files = [
            ("main.pl", main),
            ("other.pl", other),
            ("third.pl", ":- module(third, [q/1]).\nq(3).\n"),
        ];
        let (found, said) = answer(&files, "m(X)");
        assert!(said.contains(reason), "{said} {found}");
        assert!(found.contains("p/1"), "{found}");
    }
}
