//! Definition and references in programs of several files: renamed, qualified, listed, declared, spread.

use crate::client;

use client::Client;
use serde_json::{Value, json};
use tempfile::TempDir;

struct Project {
    folder: TempDir,
    files: Vec<(&'static str, &'static str)>,
    client: Client,
}

impl Project {
    /// Opens all files in the editor.
    fn new(files: &[(&'static str, &'static str)]) -> Self {
        let folder = TempDir::new().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let (client, _) = Client::initialized(json!({}), json!({"library": "none"}));
        let mut project = Self {
            folder,
            files: files.to_vec(),
            client,
        };
        for (name, text) in files {
            let uri = project.uri(name);
            project.client.open(&uri, text);
        }
        project
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}/{name}", self.folder.path().display())
    }

    /// Sends a request about the nth occurrence of a text in a file.
    fn ask(&mut self, method: &str, file: &str, what: &str, nth: usize) -> Value {
        let text = self.files.iter().find(|(name, _)| *name == file).unwrap().1;
        let found = text.match_indices(what).nth(nth).unwrap().0;
        let line = text[..found].matches('\n').count();
        let character = found - text[..found].rfind('\n').map_or(0, |n| n + 1);
        let params = json!({
            "textDocument": {"uri": self.uri(file)},
            "position": {"line": line, "character": character},
            "context": {"includeDeclaration": true, "triggerKind": 1},
        });
        self.client.request(method, params)
    }

    /// Returns places as `main.pl:3:8`, counted from 0, in this order.
    fn places(answer: &Value) -> Vec<String> {
        let one = [answer.clone()];
        let all = match answer {
            Value::Array(all) => all.as_slice(),
            Value::Null => &[],
            _ => &one,
        };
        (all.iter())
            .map(|place| {
                let uri = place["uri"].as_str().unwrap();
                let (_, name) = uri.rsplit_once('/').unwrap();
                let start = &place["range"]["start"];
                format!("{name}:{}:{}", start["line"], start["character"])
            })
            .collect()
    }

    #[track_caller]
    fn leads(&mut self, file: &str, what: &str, nth: usize, to: &[&str]) {
        let found = self.ask("textDocument/definition", file, what, nth);
        assert_eq!(Self::places(&found), to, "definition of {what} in {file}");
    }

    /// Asserts that the references are the same from each of these places.
    #[track_caller]
    fn named(&mut self, from: &[(&str, &str, usize)], expected: &[&str]) {
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        for &(file, what, nth) in from {
            let found = self.ask("textDocument/references", file, what, nth);
            let mut found = Self::places(&found);
            found.sort_unstable();
            assert_eq!(found, expected, "references of {what} in {file}");
        }
    }
}

#[test]
fn a_predicate_is_found_under_every_name_that_it_has() {
    let mut project = Project::new(&[
        (
            "main.pl",
            "\
:- module(main, [run/1]).
:- use_module(tools, [walk/1 as go, count/2]).
:- use_module(again, except([walk/1])).
run(Xs) :- go(Xs), count(Xs, _), tools:walk(Xs), march(Xs).
walk(_).
other(Xs) :- walk(Xs), maplist(tools:walk, [Xs]).
",
        ),
        (
            "tools.pl",
            ":- module(tools, [walk/1, count/2]).\nwalk([]).\nwalk([_|Xs]) :- walk(Xs).\ncount(_, 0).\n",
        ),
        (
            "again.pl",
            ":- module(again, []).\n:- reexport(tools, [walk/1, walk/1 as march]).\n",
        ),
    ]);
    let tools = ["tools.pl:1:0"];
    project.leads("main.pl", "go(Xs)", 0, &tools);
    project.leads("main.pl", "go,", 0, &tools);
    project.leads("main.pl", "walk/1 as", 0, &tools);
    project.leads("main.pl", "walk(Xs)", 0, &tools);
    project.leads("main.pl", "march(Xs)", 0, &tools);
    project.leads("again.pl", "walk/1", 0, &tools);
    project.leads("main.pl", "walk(Xs), maplist", 0, &["main.pl:4:0"]);
    project.named(
        &[
            ("tools.pl", "walk([])", 0),
            ("main.pl", "go(Xs)", 0),
            ("main.pl", "march(Xs)", 0),
            ("again.pl", "march", 0),
        ],
        &[
            "main.pl:1:22",
            "main.pl:1:32",
            "main.pl:2:29",
            "main.pl:3:11",
            "main.pl:3:39",
            "main.pl:3:49",
            "main.pl:5:37",
            "tools.pl:0:18",
            "tools.pl:1:0",
            "tools.pl:2:0",
            "tools.pl:2:16",
            "again.pl:1:20",
            "again.pl:1:28",
            "again.pl:1:38",
        ],
    );
    project.named(
        &[("main.pl", "walk(_)", 0)],
        &["main.pl:4:0", "main.pl:5:13"],
    );
}

#[test]
fn clauses_of_several_files_are_one_predicate() {
    let mut project = Project::new(&[
        (
            "main.pl",
            "\
:- multifile area/2, user:portray/1.
:- ensure_loaded([circle, mod]).
area(none, 0).
total(X, A) :- area(X, A).
",
        ),
        (
            "circle.pl",
            ":- multifile area/2.\narea(circle, 3).\nmore(X) :- area(X, _).\n",
        ),
        (
            "mod.pl",
            "\
:- module(mod, []).
user:area(square, A) :- side(A).
user:area(_, _) :- area(1).
side(1).
area(_).
",
        ),
    ]);
    let all = ["circle.pl:1:0", "main.pl:2:0", "mod.pl:1:5"];
    project.leads("main.pl", "area(X", 0, &all);
    project.leads("circle.pl", "area(X", 0, &all);
    project.leads("mod.pl", "area(square", 0, &all);
    project.leads("mod.pl", "side(A)", 0, &["mod.pl:3:0"]);
    project.named(
        &[
            ("main.pl", "area(none", 0),
            ("main.pl", "area/2", 0),
            ("circle.pl", "area(X", 0),
            ("mod.pl", "area(square", 0),
        ],
        &[
            "main.pl:0:13",
            "main.pl:2:0",
            "main.pl:3:15",
            "circle.pl:0:13",
            "circle.pl:1:0",
            "circle.pl:2:11",
            "mod.pl:1:5",
            "mod.pl:2:5",
        ],
    );
    project.named(&[("mod.pl", "side(1)", 0)], &["mod.pl:1:24", "mod.pl:3:0"]);
    let items = project.ask(
        "textDocument/prepareCallHierarchy",
        "circle.pl",
        "area(c",
        0,
    );
    let calls = (project.client).request("callHierarchy/incomingCalls", json!({"item": items[0]}));
    let mut callers: Vec<&str> = (calls.as_array().unwrap().iter())
        .map(|c| c["from"]["name"].as_str().unwrap())
        .collect();
    callers.sort_unstable();
    assert_eq!(callers, ["more/1", "total/2"]);
}

#[test]
fn declarations_count_for_their_file_and_rules_of_grammars_by_both_names() {
    let mut project = Project::new(&[
        (
            "one.pl",
            "\
:- module(one, [word//1, seen/1]).
:- dynamic seen/1.
:- dynamic([own/1, own/2]).
:- initialization(start).
word([]) --> [].
word([C|Cs]) --> [C], word(Cs).
start :- phrase(word(_), \"seen\"), assertz(seen(x)), own(_), X = 'word', word(X, [], _).
",
        ),
        (
            "two.pl",
            "\
:- module(two, []).
:- use_module(one, [word//1, seen/1]).
:- dynamic own/1.
two(X) :- seen(X), own(X), phrase(one:word(X), []).
",
        ),
    ]);
    project.named(
        &[("one.pl", "word([])", 0), ("two.pl", "word//1", 0)],
        &[
            "one.pl:0:16",
            "one.pl:4:0",
            "one.pl:5:0",
            "one.pl:5:22",
            "one.pl:6:16",
            "one.pl:6:72",
            "two.pl:1:20",
            "two.pl:3:38",
        ],
    );
    project.leads("two.pl", "seen(X)", 0, &["one.pl:0:25"]);
    project.named(
        &[("two.pl", "seen(X)", 0), ("one.pl", "seen/1", 1)],
        &[
            "one.pl:0:25",
            "one.pl:1:11",
            "one.pl:6:42",
            "two.pl:1:29",
            "two.pl:3:10",
        ],
    );
    // Two facts of the same name.
    project.named(&[("two.pl", "own(X)", 0)], &["two.pl:2:11", "two.pl:3:19"]);
    project.named(&[("one.pl", "own(_)", 0)], &["one.pl:2:12", "one.pl:6:52"]);
    project.named(&[("one.pl", "start :-", 0)], &["one.pl:3:18", "one.pl:6:0"]);
}

#[test]
fn hovers_and_completion_know_what_is_imported_under_another_name() {
    let mut project = Project::new(&[
        (
            "main.pl",
            "\
:- module(main, []).
:- use_module(tools, [walk/1 as go]).
%! walk(+X) is det.
%
%  Of main.
walk(_).
run(Xs) :- go(Xs), g.
",
        ),
        (
            "tools.pl",
            ":- module(tools, [walk/1]).\n%! walk(+Xs:list) is det.\n%\n%  From the first to the last.\nwalk([]).\nwalk([_|Xs]) :- walk(Xs).\n",
        ),
    ]);
    for (what, cost) in [
        ("go(Xs)", "n + 1"),
        ("walk/1 as", "n + 1"),
        ("go])", "n + 1"),
    ] {
        let hover = project.ask("textDocument/hover", "main.pl", what, 0);
        let text = hover["contents"]["value"].as_str().unwrap_or_default();
        assert!(
            text.contains("From the first to the last") && text.contains(cost),
            "{what}: {text}"
        );
    }
    let found = project.ask("textDocument/completion", "main.pl", ".\n", 5);
    let all = found["items"].as_array().or(found.as_array());
    let labels: Vec<&str> = (all.into_iter().flatten())
        .filter_map(|item| item["label"].as_str())
        .collect();
    assert!(labels.iter().any(|l| l.starts_with("go")), "{labels:?}");
}
