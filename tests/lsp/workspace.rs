//! Files of the workspace that no open document leads to: callers of a predicate, references to it, existing predicates.

use crate::client;
use crate::project;

use client::Client;
use serde_json::{Value, json};
use tempfile::TempDir;

const COPYING: &str = ":- module(copying, [copy/2, helper/1]).
copy([], []).
copy([X|Xs], [X|Ys]) :- copy(Xs, Ys).
helper(_).
";
const MAIN: &str = ":- use_module(src/copying).
main(Xs, Ys) :- copy(Xs, Ys).
";

/// A workspace that a client navigates. Only `src/copying.pl` is open.
struct Workspace {
    folder: TempDir,
    client: Client,
}

impl Workspace {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = project::folder(files);
        let root = format!("file://{}", folder.path().display());
        let mut client = Client::start();
        let params = json!({
            "processId": null,
            "capabilities": {},
            "initializationOptions": {"library": "none"},
            "workspaceFolders": [{"uri": root, "name": "w"}],
        });
        client.request("initialize", params);
        client.notify("initialized", json!({}));
        let (_, text) = files
            .iter()
            .find(|(name, _)| *name == "src/copying.pl")
            .unwrap();
        client.open(&format!("{root}/src/copying.pl"), text);
        Self { folder, client }
    }

    fn open(&self) -> String {
        format!("file://{}/src/copying.pl", self.folder.path().display())
    }

    /// Returns `main.pl:1`: file and line, counted from 0.
    fn place(&self, uri: &Value, range: &Value) -> String {
        let name = uri.as_str().unwrap();
        let root = format!("file://{}/", self.folder.path().display());
        let name = name.strip_prefix(&root).unwrap_or(name);
        format!("{name}:{}", range["start"]["line"])
    }

    fn about(&self, line: u32, character: u32) -> Value {
        json!({
            "textDocument": {"uri": self.open()},
            "position": {"line": line, "character": character},
            "context": {"includeDeclaration": true},
        })
    }

    /// Returns the references to the name at a place of the open file.
    fn references(&mut self, line: u32, character: u32) -> Vec<String> {
        let params = self.about(line, character);
        let found = self.client.request("textDocument/references", params);
        let all = found.as_array().unwrap().iter();
        let mut places: Vec<String> = all.map(|p| self.place(&p["uri"], &p["range"])).collect();
        places.sort_unstable();
        places
    }

    fn callers(&mut self, line: u32, character: u32) -> Vec<String> {
        let params = self.about(line, character);
        let found = (self.client).request("textDocument/prepareCallHierarchy", params);
        let calls = (self.client).request("callHierarchy/incomingCalls", json!({"item": found[0]}));
        let mut names: Vec<String> = (calls.as_array().unwrap().iter())
            .map(|call| {
                let (name, detail) = (&call["from"]["name"], &call["from"]["detail"]);
                format!(
                    "{} {}",
                    name.as_str().unwrap(),
                    detail.as_str().unwrap_or("-")
                )
            })
            .collect();
        names.sort_unstable();
        names
    }

    fn symbols(&mut self, query: &str) -> Vec<String> {
        let found = (self.client).request("workspace/symbol", json!({"query": query}));
        (found.as_array().unwrap().iter())
            .map(|s| {
                let place = self.place(&s["location"]["uri"], &s["location"]["range"]);
                format!("{} {place}", s["name"].as_str().unwrap())
            })
            .collect()
    }
}

#[test]
fn callers_are_found_in_files_that_nobody_opened() {
    let mut workspace = Workspace::new(&[
        ("src/copying.pl", COPYING),
        ("main.pl", MAIN),
        (
            "deep/er/tests.plt",
            ":- use_module('../../src/copying').\ntest_copy :- copy([], []).\n",
        ),
        ("elsewhere.pl", "copy(a, b).\ngo :- copy(X, X).\n"),
    ]);
    let all = [
        "deep/er/tests.plt:1",
        "main.pl:1",
        "src/copying.pl:0",
        "src/copying.pl:1",
        "src/copying.pl:2",
        "src/copying.pl:2",
    ];
    assert_eq!(workspace.references(1, 0), all);
    assert_eq!(workspace.references(1, 0), all, "asked again");
    assert_eq!(
        workspace.callers(1, 0),
        [
            "copy/2 ~O(n)  n+1",
            "main/2 ~O(n)  n+2",
            "test_copy/0 ~O(1)  2"
        ]
    );
}

#[test]
fn a_predicate_is_found_through_modules_that_export_it_again_and_under_other_names() {
    let mut workspace = Workspace::new(&[
        ("src/copying.pl", COPYING),
        (
            "all.pl",
            ":- module(all, []).\n:- reexport(src/copying, [copy/2 as dup]).\n",
        ),
        (
            "sub/user.pl",
            ":- use_module(library(lists)).\n:- use_module('../all').\nuse(X, Y) :- dup(X, Y).\n",
        ),
        (
            "qualified.pl",
            ":- use_module(src/copying, []).\ngo(X) :- copying:helper(X).\n",
        ),
    ]);
    assert_eq!(
        workspace.references(1, 0),
        [
            "all.pl:1",
            "all.pl:1",
            "src/copying.pl:0",
            "src/copying.pl:1",
            "src/copying.pl:2",
            "src/copying.pl:2",
            "sub/user.pl:2",
        ]
    );
    assert_eq!(
        workspace.references(3, 0),
        ["qualified.pl:1", "src/copying.pl:0", "src/copying.pl:3"]
    );
}

#[test]
fn parts_of_a_module_are_found_through_the_file_that_takes_them_in() {
    let mut workspace = Workspace::new(&[
        ("src/copying.pl", "copy(X, X).\n"),
        (
            "app/deep/all.pl",
            ":- module(all, []).\n:- include('../../src/copying').\n:- ensure_loaded(more).\n",
        ),
        ("app/deep/more.pl", "more(X) :- copy(X, _).\n"),
    ]);
    assert_eq!(
        workspace.references(0, 0),
        ["app/deep/more.pl:0", "src/copying.pl:0"]
    );
}

#[test]
fn what_is_ignored_or_of_another_language_is_left_out() {
    let mut workspace = Workspace::new(&[
        ("src/copying.pl", COPYING),
        (".gitignore", "build/\n"),
        ("build/main.pl", MAIN),
        (".hidden/main.pl", MAIN),
        (
            "script.pl",
            "#!/usr/bin/perl\nuse strict;\nmy $copy = 1;\nsub copy { return $copy; }\n",
        ),
        ("notes.txt", MAIN),
    ]);
    assert_eq!(
        workspace.references(3, 0),
        ["src/copying.pl:0", "src/copying.pl:3"]
    );
    assert_eq!(workspace.references(1, 0).len(), 4);
    assert_eq!(workspace.symbols("main"), [""; 0]);
    assert_eq!(workspace.symbols("cop"), ["copy/2 src/copying.pl:1"]);
}

#[test]
fn symbols_are_those_of_the_whole_workspace_as_it_is_on_the_disk() {
    let mut workspace = Workspace::new(&[
        ("src/copying.pl", COPYING),
        (
            "b.pl",
            "% \u{1F600}\ncopper --> [cu], copper.\ncopper --> [].\n",
        ),
        (
            "c.pl",
            ":- module(c, [copse/0]).\ncopse.\nc:copra(1).\nbroken(\ncopula.\n",
        ),
    ]);
    let expected = [
        "copper/2 b.pl:1",
        "copra/1 c.pl:2",
        "copse/0 c.pl:1",
        "copy/2 src/copying.pl:1",
    ];
    let found = workspace.symbols("cop");
    for symbol in expected {
        assert!(found.contains(&symbol.to_owned()), "{symbol}: {found:?}");
    }
    std::fs::write(workspace.folder.path().join("b.pl"), "copepod(1).\n").unwrap();
    std::fs::remove_file(workspace.folder.path().join("c.pl")).unwrap();
    assert_eq!(
        workspace.symbols("cop"),
        ["copepod/1 b.pl:0", "copy/2 src/copying.pl:1"]
    );
}

#[test]
fn a_file_that_was_found_follows_what_happens_to_it() {
    let mut workspace = Workspace::new(&[("src/copying.pl", COPYING), ("main.pl", MAIN)]);
    assert_eq!(workspace.references(3, 0).len(), 2);
    assert_eq!(workspace.references(1, 0).len(), 5);
    let main = workspace.folder.path().join("main.pl");
    std::fs::write(&main, MAIN.replace("copy(Xs, Ys)", "helper(Xs), Ys = Xs")).unwrap();
    let uri = format!("file://{}", main.display());
    let changed = json!({"changes": [{"uri": uri, "type": 2}]});
    (workspace.client).notify("workspace/didChangeWatchedFiles", changed);
    assert_eq!(workspace.references(1, 0).len(), 4);
    assert_eq!(workspace.references(3, 0).len(), 3);
    std::fs::remove_file(&main).unwrap();
    let gone = json!({"changes": [{"uri": uri, "type": 3}]});
    (workspace.client).notify("workspace/didChangeWatchedFiles", gone);
    assert_eq!(workspace.references(3, 0).len(), 2);
}
