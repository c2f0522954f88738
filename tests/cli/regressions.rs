//! Lockfiles, reports of what has become more expensive since, and machine-readable formats.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::project::{folder, run};

/// A program before and after: six predicates became more expensive, each in its own way, and the others did not.
const BEFORE: &str = "\
:- module(work, [ranked/2, total/2, twice/2, reach/2, search/2, report/2, same/2, better/2]).

%! ranked(+Xs:list, -Ys) is det.
ranked([], []).
ranked([X|Xs], [r(X)|Ys]) :- ranked(Xs, Ys).

%! total(+Xs:list(int), -N) is det.
total([], 0).
total([X|Xs], N) :- total(Xs, M), N is M+X.

%! twice(+Xs:list(int), -N) is det.
twice(Xs, N) :- total(Xs, A), N is 2*A.

%! reach(+N:nat, -Xs) is det.
reach(0, []) :- !.
reach(N, [N|Xs]) :- M is N-1, reach(M, Xs).

%! search(+N:nat, -R) is det.
search(0, 1) :- !.
search(N, R) :- M is N-1, search(M, R).

%! report(+Xs:list(int), -N) is det.
report(Xs, N) :- twice(Xs, N).

%! same(+Xs:list, -Ys) is det.
same([], []).
same([X|Xs], [X|Ys]) :- same(Xs, Ys).

%! better(+Xs:list, -Ys) is det.
better([], []).
better([X|Xs], Ys) :- better(Xs, Zs), append(Zs, [X], Ys).
";

fn after() -> String {
    let edits = [
        // A higher class because of a new call.
        (
            "ranked([X|Xs], [r(X)|Ys]) :- ranked(Xs, Ys).",
            "ranked([X|Xs], Ys) :- ranked(Xs, Zs), append(Zs, [r(X)], Ys).",
        ),
        // The same class with more steps.
        (
            "total(Xs, M), N is M+X.",
            "total(Xs, M), add(M, X, N).\nadd(A, B, C) :- C is A+B.",
        ),
        // The upper bound is lost.
        (
            "reach(N, [N|Xs]) :- M is N-1,",
            "reach(N, [N|Xs]) :- M is N-1, undefined_here(M),",
        ),
        // It became exponential.
        ("search(M, R).", "search(M, _), search(M, R)."),
        // It became cheaper.
        (
            "better([], []).\nbetter([X|Xs], Ys) :- better(Xs, Zs), append(Zs, [X], Ys).",
            "better(Xs, Ys) :- turn(Xs, [], Ys).\nturn([], Ys, Ys).\nturn([X|Xs], As, Ys) :- turn(Xs, [X|As], Ys).",
        ),
        // Other names, a comment, another order: no change.
        (
            "same([], []).\nsame([X|Xs], [X|Ys]) :- same(Xs, Ys).",
            "% The same.\nsame([E|Es], [E|Fs]) :-\n    same(Es, Fs).\nsame([], []).",
        ),
    ];
    edits.iter().fold(BEFORE.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

fn json(out: &Output) -> Value {
    serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"))
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

/// Returns the changes of a document: the predicate, and the kind in a word.
fn changes(document: &Value) -> Vec<(String, String)> {
    let all = document["changes"].as_array().unwrap().iter();
    all.map(|change| {
        let text = |key: &str| change[key].as_str().unwrap().to_owned();
        (text("predicate"), text("change"))
    })
    .collect()
}

const EXPECTED: [(&str, &str); 10] = [
    ("ranked/2", "class"),
    ("reach/2", "class"),
    ("search/2", "class"),
    ("total/2", "dearer"),
    ("twice/2", "dearer"),
    ("report/2", "dearer"),
    // The called predicate is undefined.
    ("reach/2", "exception"),
    ("add/3", "new"),
    ("turn/3", "new"),
    ("better/2", "cheaper"),
];

fn expected() -> Vec<(String, String)> {
    let owned = |(predicate, change): (&str, &str)| (predicate.to_owned(), change.to_owned());
    EXPECTED.map(owned).to_vec()
}

#[test]
fn a_lockfile_finds_what_became_dearer_and_nothing_else() {
    let folder = folder(&[("src/work.pl", BEFORE)]);
    let here = folder.path();
    let out = run(here, &["snapshot", "--no-library", "src"]);
    assert!(out.status.success(), "{out:?}");
    let against = [
        "check",
        "--no-library",
        "src",
        "--against",
        "costlens.lock",
        "--format",
        "json",
    ];
    let out = run(here, &against);
    assert_eq!(
        (out.status.code(), changes(&json(&out))),
        (Some(0), Vec::new())
    );
    write(here, "src/work.pl", &after());
    let out = run(here, &against);
    assert_eq!(
        (out.status.code(), changes(&json(&out))),
        (Some(1), expected())
    );
    let because = |i: usize| {
        json(&out)["changes"][i]["because"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(because(0), "the new call of append/3");
    assert_eq!(because(3), "the new call of add/3");
    assert_eq!(because(4), "total/2, which became dearer");
    // Twice as much is allowed, but faster growth or a lost bound is not.
    let out = run(here, &[&against[..], &["--tolerance", "100%"]].concat());
    let dearer: Vec<_> = (changes(&json(&out)).into_iter())
        .filter(|(_, c)| c == "dearer")
        .collect();
    assert_eq!((out.status.code(), dearer), (Some(1), Vec::new()));
    // The same under another name.
    std::fs::rename(here.join("src/work.pl"), here.join("src/ranks.pl")).unwrap();
    let out = run(here, &against);
    assert_eq!(
        (out.status.code(), changes(&json(&out))),
        (Some(1), expected())
    );
    // The new lockfile accepts all changes.
    run(here, &["snapshot", "--no-library", "src"]);
    let out = run(here, &against);
    assert_eq!(
        (out.status.code(), changes(&json(&out))),
        (Some(0), Vec::new())
    );
}

#[test]
fn a_lockfile_does_not_depend_on_the_order_of_predicates_and_files() {
    let blocks: Vec<&str> = BEFORE.split("\n\n").collect();
    let (head, rest) = blocks.split_first().unwrap();
    let reversed: Vec<&str> = std::iter::once(*head)
        .chain(rest.iter().rev().copied())
        .collect();
    let mut texts = Vec::new();
    for text in [BEFORE.to_owned(), reversed.join("\n\n\n% A comment.\n\n")] {
        let folder = folder(&[("a/work.pl", text), ("b/other.pl", "p(1).\n".to_owned())]);
        for paths in [["a", "b"], ["b", "a"]] {
            let arguments = [
                "snapshot",
                "--no-library",
                "-o",
                "a/x.lock",
                paths[0],
                paths[1],
            ];
            let out = run(folder.path(), &arguments);
            assert!(out.status.success(), "{out:?}");
            texts.push(std::fs::read_to_string(folder.path().join("a/x.lock")).unwrap());
        }
    }
    assert!(texts.iter().all(|text| *text == texts[0]), "{texts:#?}");
    assert!(texts[0].contains("\n../b/other.pl\tp/1\t"), "{}", texts[0]);
}

#[test]
fn a_file_that_is_no_lockfile_is_said() {
    let folder = folder(&[
        ("a.pl", "p(1).\n"),
        ("x.lock", "p(1).\n"),
        ("y.lock", "# costlens.lock 1\n=======\n"),
    ]);
    for (lock, expected) in [
        (
            "none.lock",
            "cannot read `none.lock`; `costlens snapshot` writes it",
        ),
        ("x.lock", "the first line is not that of a lockfile"),
        ("y.lock", "line 2: a conflict of versions is not resolved"),
    ] {
        let out = run(folder.path(), &["check", "a.pl", "--against", lock]);
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{said}");
    }
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = [
        "-c",
        "user.name=n",
        "-c",
        "user.email=n@example.org",
        "-c",
        "init.defaultBranch=main",
    ];
    let mut command = Command::new("git");
    command.current_dir(folder).args(identity).args(arguments);
    let out = command.output().unwrap();
    assert!(out.status.success(), "{arguments:?}: {out:?}");
}

#[test]
fn a_revision_is_compared_with_the_files_as_they_are() {
    let folder = folder(&[
        ("src/work.pl", BEFORE.to_owned()),
        ("src/gone.pl", "gone(1).\n".to_owned()),
    ]);
    let here = folder.path();
    git(here, &["init", "--quiet"]);
    git(here, &["add", "."]);
    git(here, &["commit", "--quiet", "-m", "one"]);
    write(here, "src/work.pl", &after());
    std::fs::remove_file(here.join("src/gone.pl")).unwrap();
    let diff = ["diff", "--no-library", "HEAD", "--format", "json"];
    let mut all = expected();
    all.insert(9, ("gone/1".to_owned(), "gone".to_owned()));
    for (from, paths) in [("", &[][..]), ("src", &[]), ("", &["src"])] {
        let out = run(&here.join(from), &[&diff[..], paths].concat());
        assert_eq!(
            (out.status.code(), changes(&json(&out))),
            (Some(1), all.clone()),
            "{from} {paths:?}"
        );
    }
    // The index and the files are unchanged.
    let status = Command::new("git")
        .current_dir(here)
        .args(["status", "--porcelain"])
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8_lossy(&status.stdout),
        " D src/gone.pl\n M src/work.pl\n"
    );
    let text = run(here, &["diff", "--no-library", "HEAD", "src/work.pl"]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(
        text.ends_with("10 changes: 6 dearer, 1 may raise an exception\n"),
        "{text}"
    );
    assert!(
        text.contains("`ranked/2` became dearer: O(n) → O(n²) (n + 1 → n²/2 + 3n/2 + 1 steps), because of the new call of append/3"),
        "{text}"
    );
    let out = run(here, &["diff", "none", "src"]);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("`none` is no revision of"), "{said}");
}

#[test]
fn a_file_has_the_program_of_its_revision() {
    let sum = ":- module(sum, [sum/2]).\n%! sum(+Xs:list, -N) is det.\nsum([], 0).\nsum([_|Xs], N) :- sum(Xs, M), N is M+1.\n";
    let other = ":- use_module('../sum').\n:- dynamic sum:sum/2.\n";
    let folder = folder(&[("sum.pl", sum), ("sub/other.pl", other)]);
    let here = folder.path();
    git(here, &["init", "--quiet"]);
    git(here, &["add", "."]);
    git(here, &["commit", "--quiet", "-m", "one"]);
    let out = run(here, &["diff", "--no-library", "HEAD", "sum.pl"]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert_eq!(
        (out.status.code(), text.as_str()),
        (Some(0), "nothing changed\n")
    );
    // All files are deleted.
    for file in ["sum.pl", "sub/other.pl"] {
        std::fs::remove_file(here.join(file)).unwrap();
    }
    for format in ["text", "json", "sarif", "github"] {
        let out = run(here, &["diff", "--no-library", "HEAD", "--format", format]);
        assert_eq!(out.status.code(), Some(0), "{format}: {out:?}");
    }
}

/// Programs with every kind of finding.
const FINDINGS: [(&str, &str); 2] = [
    (
        "src/false one.pl",
        "%! nrev(+Xs:list, -Ys:list) is det.\n%  @cost steps =< 10*length(Xs)+5\nnrev([], []).\nnrev([X|Xs], Ys) :- nrev(Xs, Zs), append(Zs, [X], Ys).\n\n% costlens: ignore[assertion-false]\n%! app(+Xs:list, +Ys:list, -Zs:list) is det.\n%  @cost steps =< 3\napp([], Ys, Ys).\napp([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).\n",
    ),
    (
        "src/broken.pl",
        "p(1.\nq(ä, 'x y') :- r(.\n:- pred t(A) : list(A) + cost(ub, steps, nothing(A)).\nt(_).\n",
    ),
];

#[test]
fn sarif_is_as_its_schema_says() {
    let folder = folder(&FINDINGS);
    let out = run(
        folder.path(),
        &["check", "--no-library", "src", "--format", "sarif"],
    );
    assert_eq!(out.status.code(), Some(1));
    let document = json(&out);
    // The schema of the standard, by OASIS Open, unchanged.
    let schema: Value = serde_json::from_str(include_str!("sarif-2.1.0.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> = validator
        .iter_errors(&document)
        .map(|e| e.to_string())
        .collect();
    assert_eq!(faults, [""; 0], "{document:#}");
    let results = document["runs"][0]["results"].as_array().unwrap();
    let of = |rule: &str| {
        results
            .iter()
            .filter(|r| r["ruleId"] == rule)
            .collect::<Vec<_>>()
    };
    assert_eq!(of("assertion-false").len(), 2);
    assert_eq!(of("assertion-malformed").len(), 1);
    assert!(of("syntax").len() >= 2, "{results:#?}");
    let suppressed = of("assertion-false")
        .into_iter()
        .filter(|r| r.get("suppressions").is_some());
    assert_eq!(suppressed.count(), 1);
    let uri =
        &of("assertion-false")[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, "src/false%20one.pl");
}

#[test]
fn fingerprints_stay_when_lines_move() {
    let prints = |text: &str| {
        let folder = folder(&[("a.pl", text)]);
        let document = json(&run(
            folder.path(),
            &["check", "--no-library", "a.pl", "--format", "sarif"],
        ));
        let results = document["runs"][0]["results"].as_array().unwrap().clone();
        let print = |r: &Value| {
            r["partialFingerprints"]["costlens/v1"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        results.iter().map(print).collect::<Vec<_>>()
    };
    let text = FINDINGS[0].1;
    let moved = format!("% Lines\n\n% before\nother(1).\n\n{text}");
    assert_eq!(prints(text), prints(&moved));
    let [one, two] = prints(text).try_into().unwrap();
    assert_ne!(one, two);
}

#[test]
fn annotations_of_github_have_a_line_each() {
    let folder = folder(&FINDINGS);
    let out = run(
        folder.path(),
        &["check", "--no-library", "src", "--format", "github"],
    );
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert_eq!(out.status.code(), Some(1));
    assert!(
        text.lines()
            .all(|line| line.starts_with("::error file=src/")
                || line.starts_with("::warning file=src/")),
        "{text}"
    );
    assert!(text.contains("::error file=src/false one.pl,line=2,col=10,endLine=2,endColumn=34,title=assertion-false::an assertion about `nrev/2` is false"), "{text}");
    // Ignored findings are not reported.
    assert!(!text.contains("app/3"), "{text}");
}

#[test]
fn what_is_kept_is_used_and_what_cannot_be_read_is_put_aside() {
    let files = folder(&[("a.pl", "p.\n"), ("b.pl", ":- use_module(a).\nq :- p.\n")]);
    let cache = folder::<&str>(&[]);
    let check = |arguments: &[&str]| {
        let folder = cache.path().to_str().unwrap();
        let all = ["check", "-v", "--no-library", "--cache", folder];
        let out = run(files.path(), &[&all[..], arguments].concat());
        assert!(out.status.success(), "{out:?}");
        String::from_utf8(out.stderr).unwrap()
    };
    assert!(check(&["."]).contains("0 of 2 files are as they were"));
    assert!(check(&["."]).contains("2 of 2 files are as they were"));
    // Another question about the same files.
    assert!(check(&["a.pl"]).contains("0 of 1 files are as they were"));
    std::fs::write(files.path().join("a.pl"), "p :- true.\n").unwrap();
    assert!(check(&["."]).contains("0 of 2 files are as they were"));
    std::fs::write(files.path().join("c.pl"), "r.\n").unwrap();
    assert!(check(&["."]).contains("0 of 3 files are as they were"));
    std::fs::write(files.path().join("c.pl"), "r :- true.\n").unwrap();
    assert!(check(&["."]).contains("2 of 3 files are as they were"));
    std::fs::write(files.path().join("costlens.toml"), "dialect = \"swi\"\n").unwrap();
    assert!(check(&["."]).contains("0 of 3 files are as they were"));

    for entry in std::fs::read_dir(cache.path()).unwrap() {
        std::fs::write(entry.unwrap().path(), "{\"format\":\"another\"}").unwrap();
    }
    let told = check(&["."]);
    assert!(told.contains("it is put aside as"), "{told}");
    assert!(told.contains("0 of 3 files are as they were"), "{told}");
    assert!(check(&["."]).contains("3 of 3 files are as they were"));
}

/// The clauses of a type determine which calls a `trust` assertion is about, and no directive loads them.
#[test]
fn what_is_trusted_is_part_of_what_answers_rest_on() {
    let trusted = |colour: &str| {
        format!(
            ":- regtype colour/1.\ncolour({colour}).\n:- trust pred q(X) : colour(X) + steps(1).\n"
        )
    };
    let files = folder(&[
        ("a.pl", "p :- q(red).\n".to_owned()),
        ("costlens/q.pl", trusted("red")),
    ]);
    let cache = folder::<&str>(&[]);
    let check = || {
        let folder = cache.path().to_str().unwrap();
        let all = ["check", "-v", "--no-library", "--cache", folder, "a.pl"];
        String::from_utf8(run(files.path(), &all).stderr).unwrap()
    };
    assert!(check().contains("0 of 1 files are as they were"));
    assert!(check().contains("1 of 1 files are as they were"));
    write(files.path(), "costlens/q.pl", &trusted("blue"));
    assert!(check().contains("0 of 1 files are as they were"));
}

#[test]
fn nothing_is_kept_where_it_cannot_be_or_nobody_wants_it() {
    let files = folder(&[("a.pl", "p.\n"), ("file", "")]);
    let out = run(
        files.path(),
        &["check", "--no-library", "--cache", "file/inside", "a.pl"],
    );
    assert!(out.status.success(), "{out:?}");
    let told = String::from_utf8(out.stderr).unwrap();
    assert!(told.contains("cannot keep answers in"), "{told}");
    let out = run(
        files.path(),
        &["check", "--no-library", "-v", "--no-cache", "a.pl"],
    );
    let told = String::from_utf8(out.stderr).unwrap();
    assert!(!told.contains("as they were"), "{told}");
}
