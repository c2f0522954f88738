//! Goals that are profiled in an editor: tests of plunit and others, with their marks next to the code until it changes.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Client, hint_params};

const PROGRAM: &str = ":- use_module(library(plunit)).
%! nrev(+Xs:list, -Ys:list) is det.
nrev([], []).
nrev([X|Xs], Ys) :-
    nrev(Xs, Zs),
    app(Zs, [X], Ys).

%! app(+Xs:list, +Ys:list, -Zs:list) is det.
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :-
    app(Xs, Ys, Zs).

:- begin_tests(lists).
test(reverses) :- numlist(1, 100, Xs), nrev(Xs, _).
test(joins, [true(Zs == [a,b])]) :- app([a], [b], Zs).
:- end_tests(lists).
";

const URI: &str = "untitled:lists.pl";

fn client() -> Client {
    let options = json!({"profileLenses": true, "profileHeat": true});
    Client::initialized(json!({}), options).0
}

fn profile(client: &mut Client, argument: &Value) -> Value {
    let params = json!({"command": "costlens.server.profile", "arguments": [argument]});
    client.request_raw("workspace/executeCommand", params)
}

fn wish(uri: &str, goal: &str) -> Value {
    json!({"uri": uri, "goal": goal, "trusted": true})
}

/// Returns the labels of marks, each with its line. Hints with bounds have none of the bars.
fn marks(client: &mut Client, uri: &str) -> Vec<(u64, String)> {
    let is_mark = |label: &str| label.contains(|c| ('▁'..='█').contains(&c));
    let hints = client.hints(uri).into_iter();
    let marks = hints.filter(|(_, _, label)| is_mark(label));
    marks.map(|(line, _, label)| (line, label)).collect()
}

#[test]
fn lenses_stand_at_units_and_tests() {
    let mut client = client();
    client.open(URI, PROGRAM);
    let lenses = client.request(
        "textDocument/codeLens",
        json!({"textDocument": {"uri": URI}}),
    );
    let found: Vec<(u64, &str, &str, &str)> = (lenses.as_array().unwrap().iter())
        .map(|lens| {
            let command = &lens["command"];
            let argument = &command["arguments"][0];
            assert_eq!(command["command"], "costlens.profile");
            assert_eq!(argument["uri"], URI);
            assert_eq!(argument["search"], command["title"] == "Find bottleneck");
            let line = lens["range"]["start"]["line"].as_u64().unwrap();
            (
                line,
                command["title"].as_str().unwrap(),
                argument["goal"].as_str().unwrap(),
                "",
            )
        })
        .filter(|(_, title, ..)| *title == "Profile")
        .collect();
    let wanted = [
        (12, "run_tests(lists)"),
        (13, "run_tests(lists:reverses)"),
        (14, "run_tests(lists:joins)"),
    ];
    assert_eq!(
        found,
        wanted.map(|(line, goal)| (line, "Profile", goal, ""))
    );
    // A client that does not have the command gets none.
    let (_, answer) = Client::initialized(json!({}), json!({}));
    assert_eq!(answer["capabilities"]["codeLensProvider"], Value::Null);
}

#[test]
fn a_test_is_profiled_and_its_marks_go_with_the_text() {
    let mut client = client();
    client.open(URI, PROGRAM);
    let answer = profile(&mut client, &wish(URI, "run_tests(lists:reverses)"));
    let result = &answer["result"];
    assert_eq!(result["result"], "success", "{answer}");
    assert_eq!(result["outdated"], false);
    assert_eq!(result["resource"], "steps");
    let names: Vec<&str> = (result["list"].as_array().unwrap().iter())
        .map(|row| row["name"].as_str().unwrap())
        .collect();
    // The other test is not run.
    assert_eq!(names, ["app/3", "nrev/2"]);
    assert_eq!(result["list"][0]["location"]["uri"], URI);
    assert_eq!(result["list"][0]["location"]["range"]["start"]["line"], 8);
    assert!(result["svg"].as_str().unwrap().starts_with("<svg"));
    assert!(
        result["page"]
            .as_str()
            .unwrap()
            .contains("run_tests(lists:reverses)")
    );
    let found = marks(&mut client, URI);
    let label = |line: u64| {
        let of_line = found.iter().find(|(l, _)| *l == line);
        of_line.map_or("none", |(_, label)| label.as_str())
    };
    assert_eq!(label(2), "▁ 2% · 101 steps · bound 5,151, seen 5,151");
    assert_eq!(label(5), "█ 96% · 5,050 steps");
    assert_eq!(label(8), "█ 96% · 5,050 steps");
    // Recursive calls are not entries.
    assert_eq!(label(4), "none");
    let all = client.request("textDocument/inlayHint", hint_params(URI));
    let mark = all.as_array().unwrap().iter().find(|hint| {
        hint["position"]["line"] == 8 && hint["label"].as_str().unwrap().starts_with('█')
    });
    let tooltip = mark.unwrap()["tooltip"]["value"].as_str().unwrap();
    assert!(
        tooltip.contains("`app/3` itself: 96% of 5,252 steps"),
        "{tooltip}"
    );
    assert!(tooltip.contains("100 calls, 100 exits"), "{tooltip}");
    assert!(
        tooltip.contains("`run_tests(lists:reverses)` on the embedded machine"),
        "{tooltip}"
    );
    client.change(URI, 2, [0, 0, 0, 0], "% new\n");
    assert_eq!(marks(&mut client, URI), []);
}

#[test]
fn the_tree_of_a_search_is_there_to_walk_through() {
    let mut client = client();
    client.open(URI, PROGRAM);
    let mut wish = wish(URI, "numlist(1, 30, Xs), nrev(Xs, _)");
    wish["search"] = json!(true);
    let answer = profile(&mut client, &wish);
    let rows: Vec<(&str, u64, &str)> = (answer["result"]["list"].as_array().unwrap().iter())
        .map(|row| {
            let name = row["name"].as_str().unwrap();
            (
                name,
                row["depth"].as_u64().unwrap(),
                row["own"].as_str().unwrap_or_default(),
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("the goal", 0, "6%"),
            ("nrev/2", 1, "6%"),
            ("app/3", 2, "88%")
        ]
    );
}

#[test]
fn what_is_not_asked_for_in_order_is_not_run() {
    let mut client = client();
    client.open(URI, PROGRAM);
    let error = |client: &mut Client, argument: Value| {
        let answer = profile(client, &argument);
        let message = answer["error"]["message"].as_str().map(str::to_owned);
        message.unwrap_or_else(|| panic!("{answer}"))
    };
    let untrusted = json!({"uri": URI, "goal": "true"});
    assert_eq!(
        error(&mut client, untrusted),
        "the workspace is not trusted: no code of it is run"
    );
    let nowhere = error(&mut client, wish("file:///nowhere.pl", "true"));
    assert_eq!(nowhere, "`file:///nowhere.pl` is not open");
    let no_term = error(&mut client, wish(URI, "p("));
    assert!(no_term.starts_with("the goal is not a term: "), "{no_term}");
    let no_test = error(&mut client, wish(URI, "run_tests(lists:other)"));
    assert_eq!(
        no_test,
        "`run_tests(lists:other)` is not a test of the program"
    );
    let mut other = wish(URI, "true");
    other["engine"] = json!("gnu");
    assert_eq!(
        error(&mut client, other.clone()),
        "there is no engine `gnu`"
    );
    other["engine"] = json!("swi");
    assert!(error(&mut client, other.clone()).starts_with("save the file first"));
    other["resource"] = json!("steps");
    assert_eq!(
        error(&mut client, other),
        "SWI-Prolog does not measure `steps`"
    );
    assert_eq!(marks(&mut client, URI), []);
}

#[test]
fn a_profile_is_shown_as_progress_and_cancelled() {
    let capabilities = json!({"window": {"workDoneProgress": true}});
    let (mut client, _) = Client::initialized(capabilities, json!({}));
    client.open(URI, "loop :- loop.\n");
    let mut wish = wish(URI, "loop");
    wish["seconds"] = json!(60);
    let params = json!({"command": "costlens.server.profile", "arguments": [wish]});
    let id = client.ask("workspace/executeCommand", params.clone());
    let begun = client.wait("progress", |m| {
        m["method"] == "$/progress" && m["params"]["value"]["title"] == "Costlens: profiling"
    });
    assert_eq!(begun["params"]["value"]["cancellable"], true);
    // Only one profile is taken at a time.
    let second = client.request_raw("workspace/executeCommand", params);
    assert_eq!(second["error"]["message"], "another goal is being profiled");
    let token = begun["params"]["token"].clone();
    // The token of something else stops nothing.
    client.notify(
        "window/workDoneProgress/cancel",
        json!({"token": "costlens/calibration/1"}),
    );
    client.notify("window/workDoneProgress/cancel", json!({"token": token}));
    let answer = client.wait("the end", |m| m["id"] == id && m.get("method").is_none());
    assert_eq!(answer["error"]["message"], "it was cancelled");
    client.wait("the end of progress", |m| {
        m["params"]["token"] == token && m["params"]["value"]["kind"] == "end"
    });
}

#[test]
fn a_text_that_changes_meanwhile_gets_no_marks() {
    let mut client = client();
    client.open(URI, "p(0) :- !.\np(N) :- M is N-1, p(M).\n");
    let params =
        json!({"command": "costlens.server.profile", "arguments": [wish(URI, "p(300000)")]});
    let id = client.ask("workspace/executeCommand", params);
    client.change(URI, 2, [0, 0, 0, 0], "\n");
    let answer = client.wait("the end", |m| m["id"] == id && m.get("method").is_none());
    assert_eq!(answer["result"]["result"], "success", "{answer}");
    assert_eq!(answer["result"]["outdated"], true);
    assert_eq!(marks(&mut client, URI), []);
}

/// Marks are in all files of the program, and disappear when any of them changes.
#[test]
fn the_files_of_a_program_have_marks() {
    let folder = TempDir::new().unwrap();
    let uri = |name: &str| format!("file://{}", folder.path().join(name).display());
    let own = ":- use_module(lists).\nmain :- len([a,b,c], N), N == 3.\n";
    let other =
        ":- module(lists, [len/2]).\nlen([], 0).\nlen([_|Xs], N) :- len(Xs, M), N is M+1.\n";
    std::fs::write(folder.path().join("main.pl"), own).unwrap();
    std::fs::write(folder.path().join("lists.pl"), other).unwrap();
    let mut client = client();
    client.open(&uri("main.pl"), own);
    client.open(&uri("lists.pl"), other);
    let answer = profile(&mut client, &wish(&uri("main.pl"), "main"));
    assert_eq!(answer["result"]["marks"], 3, "{answer}");
    let of_main = marks(&mut client, &uri("main.pl"));
    assert_eq!(
        of_main[0],
        (1, "main/0 ▂ 20% · 1 steps · bound 5, seen 5".to_owned())
    );
    assert_eq!(of_main[1], (1, "len/2 ▇ 80% · 4 steps".to_owned()));
    let of_lists = marks(&mut client, &uri("lists.pl"));
    assert_eq!(
        of_lists,
        [(1, "▇ 80% · 4 steps · bound 4, seen 4".to_owned())]
    );
    client.change(&uri("lists.pl"), 2, [0, 0, 0, 0], "\n");
    client.eventually("no marks in the other file", |c| {
        marks(c, &uri("main.pl")).is_empty()
    });
}

/// On the user's own SWI-Prolog, with the text of the editor.
#[test]
fn swi_prolog_profiles_what_the_editor_has() {
    let swipl = Command::new("swipl")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if swipl.is_err() {
        assert!(std::env::var("CI").is_err(), "SWI-Prolog is missing");
        return;
    }
    let folder = TempDir::new().unwrap();
    let path: &Path = &folder.path().join("lists.pl");
    std::fs::write(path, "nrev(_, _) :- fail.\n").unwrap();
    let uri = format!("file://{}", path.display());
    let mut client = client();
    client.open(&uri, PROGRAM);
    let mut wish = wish(&uri, "run_tests(lists:reverses)");
    wish["engine"] = json!("swi");
    let answer = profile(&mut client, &wish);
    assert_eq!(answer["result"]["result"], "success", "{answer}");
    assert_eq!(answer["result"]["resource"], "time");
    let found = marks(&mut client, &uri);
    let is_app = |(line, label): &(u64, String)| *line == 8 && label.contains('%');
    assert!(found.iter().any(is_app), "{found:?}");
}

/// The names that marks are about have levels for colours, until the text changes. A client that does not request them gets none.
#[test]
fn heat_is_told_until_the_text_changes() {
    let mut client = client();
    client.open(URI, PROGRAM);
    profile(&mut client, &wish(URI, "run_tests(lists:reverses)"));
    let is_heat = |message: &Value| message["method"] == "costlens/heat";
    let told = client.wait("heat", is_heat);
    let files = told["params"]["files"].as_array().unwrap();
    assert_eq!((files.len(), &files[0]["uri"]), (1, &json!(URI)));
    let marks: Vec<(u64, u64, u64, &str)> = (files[0]["marks"].as_array().unwrap().iter())
        .map(|mark| {
            let of = |end: &str, part: &str| mark["range"][end][part].as_u64().unwrap();
            assert_eq!(of("start", "line"), of("end", "line"));
            (
                of("start", "line"),
                of("start", "character"),
                of("end", "character"),
                mark["level"].as_str().unwrap(),
            )
        })
        .collect();
    assert!(marks.contains(&(2, 0, 4, "low")), "{marks:?}");
    assert!(marks.contains(&(5, 4, 7, "highest")), "{marks:?}");
    client.change(URI, 2, [0, 0, 0, 0], "\n");
    let told = client.wait("no heat", is_heat);
    assert_eq!(told["params"], json!({"files": []}));
}
