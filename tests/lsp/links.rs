//! A file is one file under all of its names: `.`, relative and absolute paths, `..`, links to folders; in the command line and in the server.
#![cfg(unix)]

use crate::client;
use crate::project;

use std::os::unix::fs::symlink;
use std::path::Path;

use client::Client;
use project::{folder, run};
use serde_json::{Value, json};
use tempfile::TempDir;

const MAIN: &str = "\
:- module(main, [main/2]).
:- use_module(lib/copying).
:- use_module(linked/walking).
%! main(+Xs:list, -Ys:list) is det.
main(Xs, Ys) :- copy(Xs, Ys), walk(Xs).
";
const COPYING: &str = "\
:- module(copying, [copy/2]).
:- use_module(walking).
copy([], []).
copy([X|Xs], [X|Ys]) :- copy(Xs, Ys).
copy(Xs) :- walk(Xs).
";
const WALKING: &str = "\
:- module(walking, [walk/1]).
walk([]).
walk([_|Xs]) :- walk(Xs).
";

/// Returns a program with `real/main.pl`, which loads files of `real/lib` under that name and through `real/linked`; `link` leads to `real`.
fn program() -> TempDir {
    let folder = folder(&[
        ("real/main.pl", MAIN),
        ("real/lib/copying.pl", COPYING),
        ("real/lib/walking.pl", WALKING),
        ("beside/other.pl", "other.\n"),
    ]);
    symlink("lib", folder.path().join("real/linked")).unwrap();
    symlink("real", folder.path().join("link")).unwrap();
    folder
}

/// The report about some files.
struct Said {
    /// The rows of all predicates, without the names of files.
    rows: Vec<Value>,
    /// The names of these files, each once.
    files: Vec<String>,
    /// The number of files read in addition to the named ones.
    read: u64,
}

fn all(from: &Path, arguments: &[&str]) -> Said {
    let out = run(
        from,
        &[&["bounds", "-v", "--format", "json"], arguments].concat(),
    );
    let all: Value = serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let mut rows = all["predicates"].as_array().unwrap().clone();
    let mut files: Vec<String> = Vec::new();
    for row in &mut rows {
        let file = row["file"].take();
        let file = file.as_str().unwrap();
        if !files.iter().any(|f| f == file) {
            files.push(file.to_owned());
        }
    }
    let said = String::from_utf8_lossy(&out.stderr);
    let line = said.lines().find(|l| l.contains("belong to the program"));
    let mut words = line.unwrap_or_else(|| panic!("{said}")).split(' ');
    let read = words.find_map(|word| word.parse().ok()).unwrap();
    Said { rows, files, read }
}

#[test]
fn a_folder_has_the_same_bounds_under_every_name() {
    let folder = program();
    let real = folder.path().join("real");
    let absolute = real.to_str().unwrap();
    let linked = folder.path().join("link");
    let expected = all(&real, &[absolute]);
    assert_eq!(
        (expected.rows.len(), expected.files.len(), expected.read),
        (4, 3, 0)
    );
    for (from, name) in [
        (real.as_path(), "."),
        (real.as_path(), "../real"),
        (real.as_path(), "lib/.."),
        (real.as_path(), linked.to_str().unwrap()),
        (folder.path(), "real"),
        (folder.path(), "link"),
        (linked.as_path(), "."),
        (linked.as_path(), "../link"),
    ] {
        let found = all(from, &[name]);
        assert_eq!(found.rows, expected.rows, "{name}");
        // They have the names that the user gave.
        assert!(
            found.files.iter().all(|f| f.starts_with(name)),
            "{:?}",
            found.files
        );
        // All loaded files are among the named ones: none of them is read twice.
        assert_eq!(found.read, 0, "{name}");
    }
    // One file alone leads to both others, each once.
    for name in ["main.pl", "./main.pl", "lib/../main.pl", "../link/main.pl"] {
        assert_eq!(all(&real, &[name]).read, 2, "{name}");
    }
    // A file named twice counts once.
    let found = all(&real, &[".", "main.pl", "linked/walking.pl", "../link"]);
    assert_eq!(found.rows, expected.rows);
    // All predicates of a library, and their numbers.
    let summary = |name: &str| run(&real, &["bounds", "--summary", name]).stdout;
    assert_eq!(summary("."), summary(absolute));
}

#[test]
fn a_library_has_the_same_bounds_from_inside() {
    let folder = folder(&[
        (
            "library/upper.pl",
            ":- module(upper, [upper/1]).\n:- use_module(library(lower)).\nupper(Xs) :- lower(Xs).\n",
        ),
        (
            "library/lower.pl",
            ":- module(lower, [lower/1]).\n:- use_module(library(deep/lowest)).\nlower(Xs) :- lowest(Xs).\n",
        ),
        (
            "library/deep/lowest.pl",
            ":- module(lowest, [lowest/1]).\nlowest([]).\nlowest([_|Xs]) :- lowest(Xs).\n",
        ),
    ]);
    symlink("library", folder.path().join("link")).unwrap();
    let inside = folder.path().join("library");
    let absolute = inside.to_str().unwrap();
    let asked = |from: &Path, library: &str, name: &str| {
        let arguments = ["--library", library, name];
        let said = all(from, &arguments);
        (said.rows, said.read)
    };
    let expected = asked(&inside, absolute, absolute);
    assert_eq!((expected.0.len(), expected.1), (3, 0));
    for (library, name) in [
        (absolute, "."),
        ("../link", "."),
        (".", "../link"),
        (".", absolute),
    ] {
        assert_eq!(asked(&inside, library, name), expected, "{library} {name}");
        assert_eq!(asked(&inside, library, "deep").1, 0);
        assert_eq!(asked(&inside, library, "lower.pl").1, 1);
    }
}

#[test]
fn a_link_to_a_file_is_a_file_of_its_own() {
    let folder = folder(&[
        ("a/part.pl", "part.\n"),
        ("b/part.pl", "part :- part(1).\npart(_).\n"),
        (
            "b/main.pl",
            ":- include(part).\n%! main is det.\nmain :- part.\n",
        ),
    ]);
    symlink("../b/main.pl", folder.path().join("a/main.pl")).unwrap();
    let steps = |file: &str| {
        let rows = all(folder.path(), &[file]).rows;
        let main = rows.iter().find(|row| row["name"] == "main").unwrap();
        main["patterns"][0]["bounds"]["steps"]["all"]["upper"].clone()
    };
    // The files that it loads are next to the link.
    assert_eq!(
        (steps("a/main.pl"), steps("b/main.pl")),
        (json!("2"), json!("3"))
    );
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

fn first(client: &mut Client, uri: &str) -> String {
    let hints = client.hints(uri);
    hints.first().map(|h| h.2.clone()).unwrap_or_default()
}

fn definition(client: &mut Client, uri: &str, line: u32, character: u32) -> String {
    let params =
        json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}});
    let found = client.request("textDocument/definition", params);
    let place = if found.is_array() { &found[0] } else { &found };
    place["uri"].as_str().unwrap_or_default().to_owned()
}

/// Returns the files that have a predicate of this name.
fn symbols(client: &mut Client, name: &str) -> Vec<String> {
    let found = client.request("workspace/symbol", json!({"query": name}));
    let all = found.as_array().cloned().unwrap_or_default();
    let named = all
        .iter()
        .filter(|s| s["name"].as_str().is_some_and(|n| n.starts_with(name)));
    named
        .map(|s| s["location"]["uri"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_workspace_in_a_linked_folder_keeps_its_uris() {
    let folder = program();
    let root = folder.path().join("link");
    let at = |name: &str| uri(&root.join(name));
    let mut client = Client::start();
    client.request(
        "initialize",
        json!({
            "processId": null, "rootUri": uri(&root), "capabilities": {},
            "workspaceFolders": [{"uri": uri(&root), "name": "program"}],
            "initializationOptions": {"library": "none"},
        }),
    );
    client.notify("initialized", json!({}));
    client.open(&at("main.pl"), MAIN);
    client.eventually("bounds", |c| first(c, &at("main.pl")) == "O(n)  2n+3");
    assert_eq!(
        definition(&mut client, &at("main.pl"), 4, 17),
        at("lib/copying.pl")
    );
    // It is in one folder, which has two names; the first one that led there is used.
    let walking = definition(&mut client, &at("main.pl"), 4, 31);
    assert!(
        [at("lib/walking.pl"), at("linked/walking.pl")].contains(&walking),
        "{walking}"
    );
    assert_eq!(symbols(&mut client, "walk"), [walking]);
    // Opened under one of its names, it is the same file.
    client.open(&at("lib/walking.pl"), WALKING);
    assert_eq!(symbols(&mut client, "walk"), [at("lib/walking.pl")]);
    client.change(&at("lib/walking.pl"), 2, [2, 24, 2, 25], ", more.\nmore.");
    client.eventually("an edit of a callee", |c| {
        first(c, &at("main.pl")) == "O(n)  3n+3"
    });
    // Changes on the disk may also be reported under any name.
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": at("lib/walking.pl")}}),
    );
    client.eventually("the disk's", |c| first(c, &at("main.pl")) == "O(n)  2n+3");
    std::fs::write(
        root.join("lib/walking.pl"),
        WALKING.replace(":- walk", ":- more, walk") + "more.\n",
    )
    .unwrap();
    let real = uri(&folder.path().join("real/lib/walking.pl"));
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({"changes": [{"uri": real, "type": 2}]}),
    );
    client.eventually("what was written", |c| {
        first(c, &at("main.pl")) == "O(n)  3n+3"
    });
    // The link now leads elsewhere.
    std::fs::remove_file(root.join("linked")).unwrap();
    std::fs::create_dir(root.join("linked")).unwrap();
    std::fs::write(
        root.join("linked/walking.pl"),
        ":- module(walking, [walk/1]).\nwalk(_).\n",
    )
    .unwrap();
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({"changes": [{"uri": at("linked/walking.pl"), "type": 1}]}),
    );
    client.eventually("another file", |c| first(c, &at("main.pl")) == "O(n)  n+3");
}

#[test]
fn a_document_that_is_open_under_two_names_leaves_its_place_to_the_other() {
    let folder = program();
    let at = |name: &str| uri(&folder.path().join(name));
    let (mut client, _) = Client::initialized(json!({}), json!({"library": "none"}));
    client.open(&at("real/main.pl"), MAIN);
    client.open(&at("real/lib/walking.pl"), WALKING);
    client.open(
        &at("link/lib/walking.pl"),
        &WALKING
            .replace(":- walk", ":- more, walk")
            .replace("walk([]).", "walk([]).\nmore."),
    );
    client.eventually("the last one", |c| {
        first(c, &at("real/main.pl")) == "O(n)  3n+3"
    });
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": at("link/lib/walking.pl")}}),
    );
    client.eventually("the other one", |c| {
        first(c, &at("real/main.pl")) == "O(n)  2n+3"
    });
    client.change(
        &at("real/lib/walking.pl"),
        2,
        [2, 24, 2, 25],
        ", more.\nmore.",
    );
    client.eventually("its edit", |c| {
        first(c, &at("real/main.pl")) == "O(n)  3n+3"
    });
}
