//! Multifile predicates in an editor: a file that is edited, created or removed affects the others of its program.

use crate::client;

use std::path::Path;

use client::Client;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A program: no file loads it, and it is not a module.
const MAIN: &str = "\
:- multifile walk/1.
:- ensure_loaded(part).
%! t(+Xs:list) is det.
t(Xs) :- walk(Xs).
walk([]).
step.
";
const PART: &str = "\
walk([_|Xs]) :- step, walk(Xs).
";
const SHAPES: &str = "\
:- module(shapes, [walks/1]).
:- multifile walk/1.
%! walks(+Xs:list) is det.
walks(Xs) :- walk(Xs).
";
const USER: &str = "\
:- use_module(shapes).
shapes:walk([]).
shapes:walk([_|Xs]) :- step, shapes:walk(Xs).
step.
";

struct Project {
    folder: TempDir,
    client: Client,
}

impl Project {
    /// Creates files on the disk; none is open.
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        let (client, _) = Client::initialized(json!({}), json!({"library": "none"}));
        let project = Self { folder, client };
        for (name, text) in files {
            std::fs::write(project.path(name), text).unwrap();
        }
        project
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(Path::new(name))
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}", self.path(name).display())
    }

    fn open(&mut self, name: &str, text: &str) {
        let uri = self.uri(name);
        self.client.open(&uri, text);
    }

    fn edit(&mut self, name: &str, version: i32, at: [u32; 4], text: &str) {
        let uri = self.uri(name);
        self.client.change(&uri, version, at, text);
    }

    fn close(&mut self, name: &str) {
        let document = json!({"textDocument": {"uri": self.uri(name)}});
        self.client.notify("textDocument/didClose", document);
    }

    /// Writes a file, or removes it, and notifies the server.
    fn on_disk(&mut self, name: &str, text: Option<&str>) {
        let path = self.path(name);
        let kind = match (path.exists(), text) {
            (true, Some(_)) => 2,
            (false, Some(_)) => 1,
            _ => 3,
        };
        match text {
            Some(text) => std::fs::write(path, text).unwrap(),
            None => std::fs::remove_file(path).unwrap(),
        }
        let changes = json!({"changes": [{"uri": self.uri(name), "type": kind}]});
        self.client
            .notify("workspace/didChangeWatchedFiles", changes);
    }

    /// Waits until the hint at a line of a file is this.
    fn until(&mut self, name: &str, line: u64, hint: &str) {
        let uri = self.uri(name);
        self.client.eventually(hint, |client| {
            let hints = client.hints(&uri);
            let found = hints.iter().find(|h| h.0 == line);
            // If nothing is known about `walk/1` or `step/0`, its cost is a parameter: `O(walk)  ≤ walk+1`; or `cost ? ← walk/1` names it.
            let is_named = |text: &str| text.contains("walk") || text.contains("step");
            let names_it = |text: &str| hint == "cost ?" && is_named(text);
            let shown = |text: &str| {
                names_it(text) || text.split(" ←").next().is_some_and(|of| of.ends_with(hint))
            };
            found.is_some_and(|h| shown(&h.2))
        });
    }

    fn hover(&mut self, name: &str, line: u32, character: u32) -> String {
        let params = json!({
            "textDocument": {"uri": self.uri(name)},
            "position": {"line": line, "character": character},
        });
        let hover: Value = self.client.request("textDocument/hover", params);
        hover["contents"]["value"].as_str().unwrap_or("").to_owned()
    }
}

#[test]
fn an_edit_of_the_second_file_is_seen_in_the_first() {
    let mut project = Project::new(&[("main.pl", MAIN), ("part.pl", PART)]);
    project.open("main.pl", MAIN);
    project.until("main.pl", 3, "  2n+2");
    project.open("part.pl", PART);
    // The predicate's hint is in both files.
    project.until("part.pl", 0, "  2n+1");
    // Another goal in its clause.
    project.edit("part.pl", 2, [0, 16, 0, 16], "step, ");
    project.until("main.pl", 3, "  3n+2");
    project.until("part.pl", 0, "  3n+1");
    let call = project.hover("main.pl", 3, 10);
    assert!(call.contains("| one call | 3n + 1 | 3n + 1 |"), "{call}");
    let head = project.hover("main.pl", 4, 1);
    assert!(
        head.contains("3n + 1") && head.contains("part.pl"),
        "{head}"
    );
    // Another clause: two solutions for every element.
    project.edit("part.pl", 3, [1, 0, 1, 0], "walk([_|Xs]) :- walk(Xs).\n");
    project.until("main.pl", 3, "5·2ⁿ-3");
    // Its clauses become those of another predicate.
    project.edit("part.pl", 4, [0, 0, 2, 0], "other(_).\n");
    // Without the clause it fails if there are elements.
    project.until("main.pl", 3, "  1, except n=0");
    project.edit("part.pl", 5, [0, 0, 1, 0], PART);
    project.until("main.pl", 3, "  2n+2");
    // A predicate that it calls changes in the first file.
    project.edit("main.pl", 2, [5, 0, 5, 5], "step :- more.\nmore.");
    project.until("part.pl", 0, "  3n+1");
    project.until("main.pl", 3, "  3n+2");
    // The disk's text is used once the document is closed.
    project.edit("part.pl", 6, [0, 0, 1, 0], "");
    project.until("main.pl", 3, "  1, except n=0");
    project.close("part.pl");
    project.until("main.pl", 3, "  3n+2");
}

#[test]
fn clauses_for_another_module_are_followed_while_they_are_typed() {
    let mut project = Project::new(&[("shapes.pl", SHAPES)]);
    project.open("shapes.pl", SHAPES);
    // Any file may load a module.
    project.until("shapes.pl", 3, "cost ?");
    // A file next to it on the disk that loads it counts before it is opened.
    project.on_disk("main.pl", Some(USER));
    project.until("shapes.pl", 3, "  2n+2");
    project.open("main.pl", USER);
    project.until("shapes.pl", 3, "  2n+2");
    project.edit("main.pl", 2, [2, 23, 2, 23], "step, ");
    project.until("shapes.pl", 3, "  3n+2");
    let call = project.hover("shapes.pl", 3, 15);
    assert!(call.contains("| one call | 3n + 1 | 3n + 1 |"), "{call}");
    // While a clause is incomplete, the rest of the program counts.
    project.edit("main.pl", 3, [1, 0, 1, 16], "shapes:walk(");
    project.edit("main.pl", 4, [1, 0, 1, 12], "shapes:walk([]).");
    project.until("shapes.pl", 3, "  3n+2");
    // The module is no longer loaded by the program.
    project.edit("main.pl", 5, [0, 0, 1, 0], "");
    project.until("shapes.pl", 3, "cost ?");
}

#[test]
fn files_that_come_and_go_on_the_disk_are_seen() {
    let mut project = Project::new(&[("main.pl", MAIN)]);
    project.open("main.pl", MAIN);
    // A file that the program loads is missing: it may contain anything.
    project.until("main.pl", 3, "cost ?");
    project.on_disk("part.pl", Some(PART));
    project.until("main.pl", 3, "  2n+2");
    project.on_disk("part.pl", Some(&PART.replace("step,", "step, step,")));
    project.until("main.pl", 3, "  3n+2");
    // A third file of the program.
    let more = format!(":- ensure_loaded(more).\n{PART}");
    project.on_disk("part.pl", Some(&more));
    project.until("main.pl", 3, "cost ?");
    project.on_disk("more.pl", Some("walk([_|Xs]) :- walk(Xs).\n"));
    project.until("main.pl", 3, "2ⁿ⁺²-2");
    project.on_disk("more.pl", None);
    project.until("main.pl", 3, "cost ?");
    // An existing file, named by a file that changes.
    std::fs::write(project.path("third.pl"), "walk([_|Xs]) :- walk(Xs).\n").unwrap();
    project.on_disk("part.pl", Some(&more.replace("more", "third")));
    project.until("main.pl", 3, "2ⁿ⁺²-2");
    project.on_disk("part.pl", None);
    project.until("main.pl", 3, "cost ?");
    project.on_disk("part.pl", Some(PART));
    project.until("main.pl", 3, "  2n+2");
}

#[test]
fn a_part_that_is_opened_alone_follows_the_file_that_loads_it() {
    let mut project = Project::new(&[("main.pl", MAIN), ("part.pl", PART)]);
    project.open("part.pl", PART);
    project.until("part.pl", 0, "  2n+1");
    project.on_disk(
        "main.pl",
        Some(&MAIN.replace("step.", "step :- more.\nmore.")),
    );
    project.until("part.pl", 0, "  3n+1");
    project.on_disk("main.pl", None);
    project.until("part.pl", 0, "cost ?");
    project.on_disk("main.pl", Some(MAIN));
    project.until("part.pl", 0, "  2n+1");
}
