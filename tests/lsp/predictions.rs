//! Predictions in an editor, and past runs in hints: no part of the program is run for them.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::Client;
use crate::project::{folder, run};

const PROGRAM: &str = "\
%! collatz(+N:int, -S:int) is semidet.
collatz(1, 0) :- !.
collatz(N, S) :- step(N, M), collatz(M, T), S is T+1.
%! step(+N:int, -M:int) is det.
step(N, M) :- 0 is N mod 2, !, M is N // 2.
step(N, M) :- M is 3*N+1.
%! other(+N:int) is semidet.
other(N) :- N =< 0, !.
other(N) :- number_codes(N, Cs), number_codes(K, Cs), M is K-1, other(M).
:- initialization(write(loaded)).
";

struct Workspace {
    folder: TempDir,
    uri: String,
}

impl Workspace {
    fn new() -> Self {
        let folder = folder(&[("p.pl", PROGRAM)]);
        let uri = format!("file://{}", folder.path().join("p.pl").display());
        Workspace { folder, uri }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Records runs of goals.
    fn keep(&self, goals: impl IntoIterator<Item = String>) {
        for goal in goals {
            let history = "--history=.costlens/history.db";
            let out = run(self.path(), &["run", "p.pl", history, "--goal", &goal]);
            assert_eq!(out.status.code(), Some(0), "{out:?}");
        }
    }

    fn predict(&self, client: &mut Client, goal: &str) -> Value {
        let argument = json!({"uri": self.uri, "goal": goal});
        let params = json!({"command": "costlens.server.predict", "arguments": [argument]});
        client.request_raw("workspace/executeCommand", params)
    }
}

fn collatz(numbers: std::ops::Range<u64>) -> impl Iterator<Item = String> {
    numbers.map(|n| format!("collatz({}, S)", n * 7))
}

#[test]
fn a_call_is_predicted_as_the_command_line_does() {
    let workspace = Workspace::new();
    workspace.keep(collatz(2..14));
    let (mut client, answer) = Client::initialized(json!({}), json!({}));
    let commands = &answer["capabilities"]["executeCommandProvider"]["commands"];
    assert!(
        { commands.as_array().unwrap() }.contains(&json!("costlens.server.predict")),
        "{commands}"
    );
    client.open(&workspace.uri, PROGRAM);
    let found = workspace.predict(&mut client, "collatz(50, S)");
    let text = found["result"]["text"].as_str().unwrap();
    let goal = ["predict", "p.pl", "--goal", "collatz(50, S)"];
    let out = run(workspace.path(), &goal);
    assert_eq!(text, String::from_utf8(out.stdout).unwrap());
    assert!(text.contains("predicted: from 12 past runs"), "{text}");
    assert_eq!(found["result"]["warnings"], json!([]));
    // The text of the editor is used: an edit of reachable code invalidates past runs, a comment does not.
    client.change(&workspace.uri, 2, [0, 0, 0, 0], "% new\n");
    let found = workspace.predict(&mut client, "collatz(50, S)");
    let text = found["result"]["text"].as_str().unwrap().to_owned();
    assert!(text.contains("predicted: from 12 past runs"), "{text}");
    client.change(&workspace.uri, 3, [6, 19, 6, 20], "5");
    let found = workspace.predict(&mut client, "collatz(50, S)");
    let text = found["result"]["text"].as_str().unwrap();
    assert!(
        text.contains("has no run of `collatz/2` as it is now"),
        "{text}"
    );
}

#[test]
fn what_cannot_be_predicted_says_why() {
    let workspace = Workspace::new();
    let mut client = Client::plain();
    client.open(&workspace.uri, PROGRAM);
    // Bounds exist without any past run.
    let found = workspace.predict(&mut client, "step(4, M)");
    let text = found["result"]["text"].as_str().unwrap();
    assert!(
        text.contains("past runs on the embedded machine predict nothing: ")
            && text.contains("steps"),
        "{text}"
    );
    let error = |client: &mut Client, goal: &str| {
        let answer = workspace.predict(client, goal);
        let message = answer["error"]["message"].as_str().map(str::to_owned);
        message.unwrap_or_else(|| panic!("{answer}"))
    };
    assert!(error(&mut client, "step(").starts_with("the goal is not a term: "));
    assert_eq!(
        error(&mut client, "X = 1"),
        "the goal is no call of a predicate of the program"
    );
    client.open("untitled:new.pl", "p(1).\n");
    let argument = json!({"uri": "untitled:new.pl", "goal": "p(X)"});
    let params = json!({"command": "costlens.server.predict", "arguments": [argument]});
    let answer = client.request_raw("workspace/executeCommand", params);
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("save the file first"), "{message}");
    let params = json!({"command": "costlens.server.predict", "arguments": [{"goal": "p(X)"}]});
    let answer = client.request_raw("workspace/executeCommand", params);
    assert_eq!(answer["error"]["message"], "`uri` is missing");
}

/// Returns the label of the hint in a line.
fn label(client: &mut Client, uri: &str, line: u64) -> String {
    let hints = client.hints(uri).into_iter();
    let mut of_line = hints.filter(|(l, ..)| *l == line);
    of_line
        .next()
        .map(|(_, _, label)| label)
        .unwrap_or_default()
}

#[test]
fn past_runs_stand_beside_what_has_no_bound_where_that_is_asked_for() {
    let workspace = Workspace::new();
    workspace.keep(collatz(2..14));
    workspace.keep([
        "step(8, M)".to_owned(),
        "step(7, M)".to_owned(),
        "step(5, M)".to_owned(),
    ]);
    let mut client = Client::plain();
    client.open(&workspace.uri, PROGRAM);
    let without = label(&mut client, &workspace.uri, 1);
    assert_eq!(without, "cost ?");
    let settings =
        |unknown: bool| json!({"settings": {"hints": {"observed": true, "unknown": unknown}}});
    client.notify("workspace/didChangeConfiguration", settings(true));
    let shown = |client: &mut Client, wanted: &str| {
        let uri = &workspace.uri;
        client.eventually(wanted, |c| {
            let label = label(c, uri, 1);
            label.contains(wanted) && label.contains('≈')
        });
        label(client, uri, 1)
    };
    let seen = shown(&mut client, "(obs, 12 runs)");
    assert!(seen.starts_with("cost ?  ≈ "), "{seen}");
    assert_eq!(label(&mut client, &workspace.uri, 7), "cost ?");
    // A proved bound needs no observation.
    assert!(!label(&mut client, &workspace.uri, 4).contains("obs"));
    // New runs are added to the others, without an edit.
    workspace.keep(["collatz(27, S)".to_owned()]);
    shown(&mut client, "(obs, 13 runs)");
    let hints = client.request(
        "textDocument/inlayHint",
        crate::client::hint_params(&workspace.uri),
    );
    let hint = { hints.as_array().unwrap().iter() }.find(|h| h["position"]["line"] == 1);
    let resolved = client.request("inlayHint/resolve", hint.unwrap().clone());
    let tooltip = resolved["tooltip"]["value"].as_str().unwrap();
    assert!(
        tooltip.contains("Observed, no bound: 13 past runs of this code took"),
        "{tooltip}"
    );
    // Without `cost ?` the observation appears alone, and if there is none, nothing does.
    client.notify("workspace/didChangeConfiguration", settings(false));
    client.eventually("the observation alone", |c| {
        label(c, &workspace.uri, 1).starts_with('≈')
    });
    assert_eq!(label(&mut client, &workspace.uri, 7), "");
    // Other code has no runs.
    client.change(&workspace.uri, 2, [5, 19, 5, 20], "5");
    client.eventually("no observation", |c| label(c, &workspace.uri, 1).is_empty());
}

#[test]
fn a_function_of_the_inputs_is_named_as_bounds_name_them() {
    // `K` is `N`, which is not proved.
    let program = "\
%! count(+N:int) is semidet.
count(N) :- N =< 0, !.
count(N) :- number_codes(N, Cs), number_codes(K, Cs), M is K-1, count(M).
";
    let folder = folder(&[("p.pl", program)]);
    for n in 1..12 {
        let goal = format!("count({n})");
        let history = "--history=.costlens/history.db";
        let out = run(folder.path(), &["run", "p.pl", history, "--goal", &goal]);
        assert_eq!(out.status.code(), Some(0), "{out:?}");
    }
    let uri = format!("file://{}", folder.path().join("p.pl").display());
    let options = json!({"hints": {"observed": true}});
    let (mut client, _) = Client::initialized(json!({}), options);
    client.open(&uri, program);
    let found = label(&mut client, &uri, 1);
    assert_eq!(found, "cost ?  ≈ n+1 (obs, 11 runs)");
}
