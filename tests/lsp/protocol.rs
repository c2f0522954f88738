//! Hints, diagnostics, hovers and quick fixes, requested as by an editor.

use crate::binary::costlens;
use crate::client;
use crate::program;

use client::{Client, apply, as_hints, hint_params};
use serde_json::{Value, json};
use std::collections::HashSet;

const URI: &str = "file:///nrev.pl";
const NREV: &str = "\
%! nrev(+Xs:list, -Ys:list) is det.
%  @cost steps =< 10*length(Xs) + 5
nrev([], []).
nrev([X|Xs], Ys) :-
    nrev(Xs, Zs),
    app(Zs, [X], Ys).

%! app(+Xs:list, +Ys:list, -Zs:list) is det.
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :-
    app(Xs, Ys, Zs).
";

fn hint(line: u64, character: u64, label: &str) -> (u64, u64, String) {
    (line, character, label.to_owned())
}

fn document() -> Value {
    json!({"uri": URI})
}

fn hover(client: &mut Client, line: u32, character: u32) -> Value {
    client.request(
        "textDocument/hover",
        json!({"textDocument": document(), "position": {"line": line, "character": character}}),
    )
}

fn actions(client: &mut Client, line: u32, character: u32) -> Vec<Value> {
    actions_of_kind(client, line, character, "quickfix")
}

fn actions_of_kind(client: &mut Client, line: u32, character: u32, kind: &str) -> Vec<Value> {
    let at = json!({"line": line, "character": character});
    let context = json!({"diagnostics": [], "only": [kind]});
    let params =
        json!({"textDocument": document(), "range": {"start": at, "end": at}, "context": context});
    client
        .request("textDocument/codeAction", params)
        .as_array()
        .unwrap()
        .clone()
}

#[test]
fn the_server_says_what_it_can() {
    let (client, answer) = Client::initialized(json!({}), Value::Null);
    let can = &answer["capabilities"];
    assert_eq!(can["positionEncoding"], "utf-16");
    assert_eq!(can["textDocumentSync"]["change"], 2);
    assert_eq!(can["hoverProvider"], true);
    assert_eq!(can["documentSymbolProvider"], true);
    assert!(can["inlayHintProvider"].is_object());
    assert_eq!(
        can["codeActionProvider"]["codeActionKinds"],
        json!(["quickfix", "refactor"])
    );
    assert_eq!(answer["serverInfo"]["name"], "costlens");
    assert_eq!(client.end(), 0);
}

#[test]
fn requests_leave_spans_in_the_log_file() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("log.txt");
    let mut command = costlens();
    command.args(["lsp", "--stdio", "--log-file"]).arg(&path);
    let mut client = Client::spawned(command);
    client.request("initialize", json!({"capabilities": {}}));
    client.notify("initialized", json!({}));
    client.open(URI, NREV);
    hover(&mut client, 2, 1);
    let log = std::fs::read_to_string(&path).unwrap();
    for span in [
        "request{method=\"textDocument/hover\"}",
        "question{name=\"hover\"}",
    ] {
        assert!(log.contains(span), "{log}");
    }
}

#[test]
fn hints_stand_at_the_end_of_the_first_heads() {
    let mut client = Client::plain();
    client.open(URI, NREV);
    assert_eq!(
        client.hints(URI),
        [hint(2, 13, "O(n²)  n²/2+3n/2+1"), hint(8, 16, "O(n)  n+1")]
    );
    // Only hints in the range.
    let mut params = hint_params(URI);
    params["range"]["end"]["line"] = json!(4);
    let some = client.request("textDocument/inlayHint", params);
    assert_eq!(as_hints(&some).len(), 1);
}

#[test]
fn hints_follow_edits() {
    let mut client = Client::plain();
    client.open(URI, NREV);
    client.hints(URI);
    // A comment line at the top moves them.
    client.change(URI, 2, [0, 0, 0, 0], "% a comment\n");
    assert_eq!(
        client.hints(URI),
        [hint(3, 13, "O(n²)  n²/2+3n/2+1"), hint(9, 16, "O(n)  n+1")]
    );
    // A second walk makes it more expensive.
    client.change(URI, 3, [6, 20, 6, 20], ", nrev(Ys, _)");
    let hints = client.hints(URI);
    assert_ne!(hints[0].2, "O(n²)  n²/2+3n/2+1", "{hints:?}");
    // Taking it back brings the old hint back.
    client.change(URI, 4, [6, 20, 6, 33], "");
    assert_eq!(client.hints(URI)[0], hint(3, 13, "O(n²)  n²/2+3n/2+1"));
}

#[test]
fn many_edits_in_one_message_apply_in_order() {
    let mut client = Client::plain();
    client.open(URI, "");
    let changes: Vec<Value> = NREV
        .chars()
        .rev()
        .map(|c| json!({"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": c.to_string()}))
        .collect();
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": changes}),
    );
    assert_eq!(client.hints(URI)[0], hint(2, 13, "O(n²)  n²/2+3n/2+1"));
}

#[test]
fn edits_and_questions_in_a_burst_end_with_the_right_hints() {
    let mut client = Client::plain();
    client.open(URI, NREV);
    let mut last = 0;
    for i in 0..50 {
        client.change(URI, 2 + 2 * i, [2, 13, 2, 13], " p(a).");
        client.change(URI, 3 + 2 * i, [2, 13, 2, 19], "");
        last = client.ask("textDocument/inlayHint", hint_params(URI));
    }
    let answer = client.wait("the last hints", |m| m["id"] == last);
    // Whatever was shown meanwhile, hints never disappeared.
    assert!(!as_hints(&answer["result"]).is_empty(), "{answer}");
    assert_eq!(client.hints(URI)[0], hint(2, 13, "O(n²)  n²/2+3n/2+1"));
}

#[test]
fn a_client_that_can_refresh_is_not_kept_waiting() {
    let (mut client, _) = Client::initialized(
        json!({"workspace": {"inlayHint": {"refreshSupport": true}}}),
        Value::Null,
    );
    client.open(URI, &program::program(2_000));
    let mut hints = client.hints(URI);
    // Unfinished hints are not awaited: the client is notified when to ask again.
    for _ in 0..100 {
        if hints.len() > 100 {
            break;
        }
        client.wait("refresh", |m| m["method"] == "workspace/inlayHint/refresh");
        hints = client.hints(URI);
    }
    assert!(hints.len() > 100, "{} hints", hints.len());
    // A line at the top, and an immediate answer: the hints have moved with the text, whether or not they were recomputed.
    client.change(URI, 2, [0, 0, 0, 0], "% a line\n");
    // Hints that were not there yet may have come with them.
    let moved: HashSet<u64> = client.hints(URI).iter().map(|hint| hint.0).collect();
    let left: Vec<_> = hints
        .iter()
        .filter(|hint| !moved.contains(&(hint.0 + 1)))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn hints_that_come_early_are_those_that_come_in_the_end() {
    let uri = "file:///many.pl";
    let text: String = (0..60)
        .map(|i| format!("rev{i}([], []).\nrev{i}([X|Xs], Ys) :- rev{i}(Xs, Zs), app{i}(Zs, [X], Ys).\napp{i}([], Ys, Ys).\napp{i}([X|Xs], Ys, [X|Zs]) :- app{i}(Xs, Ys, Zs).\n"))
        .collect();
    let capabilities = json!({"workspace": {"inlayHint": {"refreshSupport": true}}});
    let (mut client, _) = Client::initialized(capabilities, json!({}));
    client.open(uri, &text);
    let mut answers = Vec::new();
    client.eventually("all hints", |c| {
        let hints = c.hints(uri);
        let complete = hints.len() == 120;
        answers.push(hints);
        complete
    });
    let all = answers.pop().unwrap();
    for early in answers {
        assert!(early.iter().all(|h| all.contains(h)), "{early:?}");
    }
}

#[test]
fn positions_count_in_the_encoding_that_was_agreed_on() {
    let text = format!(
        "/* 𝒳é */ {}",
        NREV.lines().skip(2).collect::<Vec<_>>().join("\n")
    );
    for (offered, agreed, column) in [
        (json!(["utf-16", "utf-8"]), "utf-8", 26),
        (json!(["utf-16"]), "utf-16", 23),
        (json!(["utf-32"]), "utf-32", 22),
        (json!([]), "utf-16", 23),
    ] {
        let (mut client, answer) = Client::initialized(
            json!({"general": {"positionEncodings": offered}}),
            Value::Null,
        );
        assert_eq!(answer["capabilities"]["positionEncoding"], agreed);
        client.open(URI, &text);
        let hints = client.hints(URI);
        assert_eq!((hints[0].0, hints[0].1), (0, column), "{agreed}: {hints:?}");
        // An edit after the same characters.
        client.change(
            URI,
            2,
            [
                0,
                u32::try_from(column).unwrap(),
                0,
                u32::try_from(column).unwrap(),
            ],
            "  ",
        );
        assert_eq!(client.hints(URI)[0].1, column, "{agreed}");
    }
}

#[test]
fn a_hint_explains_itself() {
    let mut client = Client::plain();
    client.open(URI, NREV);
    let hints = client.request("textDocument/inlayHint", hint_params(URI));
    let resolved = client.request("inlayHint/resolve", hints[0].clone());
    let tooltip = resolved["tooltip"]["value"].as_str().unwrap();
    assert!(
        tooltip.contains("### `nrev(") && tooltip.contains("n²/2 + 3n/2 + 1"),
        "{tooltip}"
    );
    assert_eq!(resolved["label"], hints[0]["label"]);
}

#[test]
fn hovering_a_head_or_a_call_explains_the_predicate() {
    let mut client = Client::plain();
    client.open(URI, NREV);
    let text = |h: &Value| h["contents"]["value"].as_str().unwrap().to_owned();
    let head = hover(&mut client, 2, 1);
    assert!(text(&head).contains("`n = length(Xs)`"), "{head}");
    assert_eq!(
        head["range"],
        json!({"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 4}})
    );
    assert!(
        text(&head).contains(
            "Dominated by `app(Zs, [X], Ys)` in clause 2: n²/2 + n/2 steps, 83% at n = 10"
        ),
        "{head}"
    );
    // If times are disabled, the hover shows the range of a budget of steps.
    let mut other = Client::initialized(json!({}), json!({"platform": ""})).0;
    other.open(URI, NREV);
    let without = hover(&mut other, 2, 1);
    assert!(
        text(&without).contains("10⁶ steps up to n ≈ 1,400"),
        "{without}"
    );
    // An exact bound needs no call that attains it.
    assert!(!text(&head).contains("upper bound for n = 3"), "{head}");
    assert!(
        text(&head).contains("nrev(n) = nrev(n-1)+n+1    for n ≥ 1"),
        "{head}"
    );
    // On a call: its cost there, in the sizes of nrev/2, then the predicate itself.
    let call = hover(&mut client, 5, 5);
    let (here, itself) = text(&call)
        .split_once("\n---\n")
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    assert!(here.contains("| one call, n ≥ 1 | n | n |"), "{call}");
    assert!(
        here.contains("| all its calls, in one call of nrev/2 |  | n²/2 + n/2 |"),
        "{call}"
    );
    assert!(
        here.contains("where in the head `n = length(Xs)`; in the call `length(Zs) = n - 1`"),
        "{call}"
    );
    assert!(
        here.contains("98% at n = 100") && here.contains("dominates"),
        "{call}"
    );
    assert!(itself.contains("### `app("), "{call}");
    assert!(itself.contains("| steps | n + 1 | n + 1 |"), "{call}");
    let recursive = hover(&mut client, 4, 5);
    assert!(
        text(&recursive).contains("| one call, n ≥ 1 | n²/2 + n/2 | n²/2 + n/2 |"),
        "{recursive}"
    );
    assert_eq!(hover(&mut client, 5, 10), Value::Null);
    assert_eq!(hover(&mut client, 6, 0), Value::Null);
}

#[test]
fn hovers_show_time_on_the_chosen_platform() {
    let shown = |platform: &str| {
        let mut client = Client::initialized(json!({}), json!({"platform": platform})).0;
        client.open(URI, NREV);
        let head = hover(&mut client, 2, 1);
        head["contents"]["value"].as_str().unwrap().to_owned()
    };
    let there = shown("padl07-intel-2");
    assert!(there.contains("Time on `padl07-intel-2`: "), "{there}");
    assert!(
        there.contains("1 ms up to n = ") || there.contains("1 ms up to n ≈ "),
        "{there}"
    );
    let missing = shown("nowhere");
    assert!(
        missing.contains("no platform `nowhere` is stored"),
        "{missing}"
    );
}

#[test]
fn hovers_show_time_where_no_platform_is_chosen() {
    let shown = |options: Value, text: &str| {
        let mut client = Client::initialized(json!({}), options).0;
        client.open(URI, text);
        let head = hover(&mut client, 2, 1);
        head["contents"]["value"].as_str().unwrap().to_owned()
    };
    let there = shown(json!({}), NREV);
    let time = there.lines().find(|l| l.starts_with("At n = 1000: "));
    let time = time.unwrap_or_else(|| panic!("{there}"));
    assert!(
        time.contains(" ms on SWI-Prolog 9.0.4 (constants of another machine)"),
        "{time}"
    );
    assert_eq!(shown(json!({"platform": "auto"}), NREV), there);
    let none = shown(json!({"platform": ""}), NREV);
    assert!(!none.contains("SWI-Prolog"), "{none}");
    // This system has not been measured.
    let scryer = shown(json!({"dialect": "scryer"}), NREV);
    assert!(!scryer.contains("SWI-Prolog"), "{scryer}");
}

/// Two kinds of programs take longer than the constants of a platform predict (docs/calibration.md); their times have a wider range.
#[test]
fn hovers_widen_times_that_constants_predict_too_low() {
    let search = "\
%! copy(-Xs, +Ys:list) is det.
copy([], _).
copy([X|Xs], [X|Ys]) :- copy(Xs, Ys).
";
    let told_apart = "\
%! copy(+Xs:list, -Ys) is det.
copy([], []).
copy([X|Xs], [X|Ys]) :- copy(Xs, Ys).
";
    let several = "\
%! turn(+Xs:list, -Ys) is det.
turn([], []).
turn([X|Xs], Ys) :- turn(Xs, Zs), app(Zs, [X], Us), pass(Us, Ys).
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
pass([], []).
pass([X|Xs], [X|Ys]) :- pass(Xs, Ys).
";
    for (dialect, text, why) in [
        (
            "swi",
            search,
            "wider since clauses are tried with argument 1 unbound",
        ),
        ("swi", told_apart, ""),
        ("swi", several, ""),
        ("gnu", several, "wider since several predicates take part"),
        ("gnu", told_apart, ""),
    ] {
        let mut client = Client::initialized(json!({}), json!({"dialect": dialect})).0;
        client.open(URI, text);
        let head = hover(&mut client, 1, 1);
        let shown = head["contents"]["value"].as_str().unwrap();
        let time = shown.lines().find(|l| l.starts_with("At n = "));
        let time = time.unwrap_or_else(|| panic!("{dialect}: {shown}"));
        assert_eq!(
            time.contains("wider since"),
            !why.is_empty(),
            "{dialect}: {time}"
        );
        assert!(time.contains(why), "{dialect}: {time}");
    }
}

#[test]
fn calibrating_says_what_is_missing() {
    let mut client = Client::plain();
    let ask = |client: &mut Client, command: &str, argument: Value| {
        client.request_raw(
            "workspace/executeCommand",
            json!({"command": command, "arguments": [argument]}),
        )
    };
    let calibrate = "costlens.server.calibrate";
    let refused = ask(&mut client, calibrate, json!({"program": "no-such-prolog"}));
    let message = refused["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("no-such-prolog"), "{refused}");
    assert!(message.contains("install it"), "{refused}");
    let unknown = ask(&mut client, calibrate, json!({"engine": "prolog"}));
    assert!(
        unknown["error"]["message"] == "there is no engine `prolog`",
        "{unknown}"
    );
    let other = ask(&mut client, "costlens.fly", json!({}));
    assert_eq!(other["error"]["code"], -32602, "{other}");
}

#[test]
fn a_library_predicate_is_explained_for_the_call() {
    let mut client = Client::plain();
    client.open(
        URI,
        "%! p(+Xs:list, -Ys:list) is det.\np(Xs, Ys) :- reverse(Xs, Ys).\n",
    );
    let call = hover(&mut client, 1, 15);
    let shown = call["contents"]["value"].as_str().unwrap();
    assert!(shown.contains("| one call | n + 2 | n + 2 |"), "{shown}");
    assert!(
        shown.contains("`reverse(+Xs:list(any), -") || shown.contains("`reverse(+list(any), -"),
        "{shown}"
    );
    assert!(shown.contains("as it is called in this program"), "{shown}");
}

#[test]
fn a_goal_that_keeps_the_caller_from_a_bound_says_so() {
    let mut client = Client::plain();
    client.open(
        URI,
        "p(Xs, T) :- q(Xs), arg(1, T, G), call(G).\nq([]).\nq([_|Xs]) :- q(Xs).\n",
    );
    let goal = hover(&mut client, 0, 33);
    let shown = goal["contents"]["value"].as_str().unwrap();
    assert!(
        shown.contains("**This goal** makes `call` part of the bound of `p/2`"),
        "{shown}"
    );
    // A call that is not to blame is explained as usual.
    let call = hover(&mut client, 0, 12);
    let shown = call["contents"]["value"].as_str().unwrap();
    assert!(
        shown.contains("**This call**") && shown.contains("### `q(+list(any))`"),
        "{shown}"
    );
}

#[test]
fn hovers_draw_bounds_for_clients_that_show_pictures() {
    for (options, drawn) in [(json!({"hoverPlot": true}), true), (json!({}), false)] {
        let mut client = Client::initialized(json!({}), options).0;
        client.open(URI, NREV);
        let head = hover(&mut client, 2, 1);
        let shown = head["contents"]["value"].as_str().unwrap();
        assert_eq!(
            shown.contains("](data:image/svg+xml;base64,"),
            drawn,
            "{shown}"
        );
    }
}

#[test]
fn the_outline_lists_predicates() {
    let (mut client, _) = Client::initialized(
        json!({"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": true}}}),
        Value::Null,
    );
    client.open(URI, NREV);
    let symbols = client.request(
        "textDocument/documentSymbol",
        json!({"textDocument": document()}),
    );
    assert_eq!(symbols[0]["name"], "nrev/2");
    assert_eq!(symbols[0]["detail"], "O(n²)  n²/2+3n/2+1");
    assert_eq!(symbols[0]["range"]["end"]["line"], 5);
    assert_eq!(symbols[1]["name"], "app/3");
}

#[test]
fn a_false_assertion_is_an_error_until_it_is_mended() {
    let (mut client, _) = Client::initialized(
        json!({"textDocument": {"publishDiagnostics": {"relatedInformation": true}}}),
        Value::Null,
    );
    client.open(URI, NREV);
    let found = client.diagnostics(URI, Some(1));
    assert_eq!(found.len(), 1, "{found:?}");
    let d = &found[0];
    assert_eq!(d["code"], "assertion-false");
    assert_eq!(d["severity"], 1);
    assert_eq!(d["source"], "costlens");
    assert_eq!(d["range"]["start"]["line"], 1);
    let message = d["message"].as_str().unwrap();
    assert!(
        message.contains(">= 18") && message.contains("<= 17"),
        "{message}"
    );
    assert_eq!(
        d["relatedInformation"][0]["location"]["range"]["start"]["line"],
        2
    );
    // A true assertion.
    client.change(URI, 2, [1, 18, 1, 34], "length(Xs)^2 + 2*length(Xs) + 1");
    assert!(client.diagnostics(URI, Some(2)).is_empty());
}

#[test]
fn hints_without_an_edit_are_the_least_of_diagnostics() {
    let text = "%! down(+N:nat) is semidet.\ndown(0).\ndown(N) :- N > 0, M is N-1, down(M).\n";
    let (mut client, _) = Client::initialized(
        json!({"textDocument": {"publishDiagnostics": {"relatedInformation": true}}}),
        Value::Null,
    );
    client.open(URI, text);
    let found = client.with_hints(URI, Some(1));
    let [hint] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(hint["code"], "left-choice-point");
    assert_eq!(hint["severity"], 4);
    assert_eq!(hint["range"]["start"]["line"], 1);
    let message = hint["message"].as_str().unwrap();
    assert!(
        message.contains("`down/1` has one solution, but"),
        "{message}"
    );
    let related = &hint["relatedInformation"][0];
    assert_eq!(related["location"]["range"]["start"]["line"], 2);
    let off =
        json!({"settings": {"costlens": {"diagnostics": {"disabled": ["left-choice-point"]}}}});
    client.notify("workspace/didChangeConfiguration", off);
    client.change(URI, 2, [2, 0, 2, 0], " ");
    assert!(client.with_hints(URI, Some(2)).is_empty());
}

#[test]
fn a_quick_fix_declares_what_a_variant_lacks() {
    let text = "turn([], []).\nturn([X|Xs], Ys) :- turn(Xs, Zs), append(Zs, [X], Ys).\n";
    let (mut client, _) = Client::initialized(json!({}), json!({"library": "none"}));
    client.open(URI, text);
    let at = json!({"line": 0, "character": 0});
    let params = json!({
        "textDocument": {"uri": URI},
        "range": {"start": at, "end": at},
        "context": {"diagnostics": [], "only": ["quickfix"]},
    });
    let answer = client.request("textDocument/codeAction", params);
    let all = answer.as_array().unwrap();
    let found = all
        .iter()
        .find(|a| a["title"].as_str().unwrap().contains("Declare `"));
    let title = found.unwrap()["title"].as_str().unwrap();
    assert!(title.contains("Reverse with an accumulator"), "{title}");
    let shown = found.unwrap()["edit"].to_string();
    assert!(shown.contains("%! turn(+A:list, -Ys)."), "{shown}");
}

#[test]
fn a_quick_fix_that_lacks_a_condition_is_listed_with_the_reason() {
    let text = "\
%! bad(+Xs:list) is semidet.
bad(Xs) :- findall(x, ( member(X, Xs), X < 0 ), Found), Found \\== [].
";
    let listed = |capabilities: Value| {
        let (mut client, _) = Client::initialized(capabilities, json!({"library": "none"}));
        client.open(URI, text);
        let all = actions(&mut client, 1, 0).into_iter();
        let mut of_it = all.filter(|a| a["title"].as_str().unwrap().contains("first solution"));
        of_it.next()
    };
    let understood = json!({"textDocument": {"codeAction": {"disabledSupport": true}}});
    let action = listed(understood).unwrap();
    let reason = json!({"reason": "if no call raises an exception"});
    assert_eq!(action["disabled"], reason, "{action}");
    assert!(action["edit"].is_null(), "{action}");
    // Clients without this support would offer an action without effect, so they get none.
    assert_eq!(listed(json!({})), None);
}

#[test]
fn closing_a_document_clears_its_diagnostics() {
    let mut client = Client::plain();
    client.open(URI, "p(X) :- q(X.\n");
    let found = client.diagnostics(URI, Some(1));
    assert_eq!(found[0]["code"], "syntax");
    client.notify("textDocument/didClose", json!({"textDocument": document()}));
    assert!(client.diagnostics(URI, None).is_empty());
}

#[test]
fn a_malformed_assertion_is_an_error_at_its_place() {
    let mut client = Client::plain();
    client.open(
        URI,
        ":- pred p(X) : list(X) + cost(ub, steps, frob(X)).\np(_).\n",
    );
    let found = client.diagnostics(URI, Some(1));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["code"], "assertion-malformed");
    assert_eq!(found[0]["range"]["start"]["line"], 0);
    assert!(
        found[0]["range"]["start"]["character"].as_u64().unwrap() > 24,
        "{found:?}"
    );
}

#[test]
fn perl_is_left_alone() {
    let mut client = Client::plain();
    client.open(
        URI,
        "#!/usr/bin/perl\nuse strict;\nmy $x = { a => 1 };\nif ($x) { print(1 }\n",
    );
    assert!(client.diagnostics(URI, Some(1)).is_empty());
    assert!(client.hints(URI).is_empty());
    assert_eq!(hover(&mut client, 1, 1), Value::Null);
    for method in ["semanticTokens/full", "foldingRange", "documentSymbol"] {
        let answer = client.request(
            &format!("textDocument/{method}"),
            json!({"textDocument": document()}),
        );
        assert_eq!(answer, Value::Null, "{method}");
    }
    let at = json!({"textDocument": document(), "position": {"line": 2, "character": 4}});
    assert_eq!(client.request("textDocument/completion", at), Value::Null);
}

#[test]
fn the_quick_fix_makes_reverse_linear() {
    for versioned in [true, false] {
        let (mut client, _) = Client::initialized(
            json!({"workspace": {"workspaceEdit": {"documentChanges": versioned}}}),
            Value::Null,
        );
        client.open(URI, NREV);
        client.diagnostics(URI, Some(1));
        let offered = actions(&mut client, 2, 3);
        assert_eq!(offered.len(), 1, "{offered:?}");
        assert_eq!(
            offered[0]["title"],
            "Reverse with an accumulator: n²/2+3n/2+1 → n+2 steps (cheaper for n ≥ 2)"
        );
        assert_eq!(offered[0]["kind"], "quickfix");
        let edits = if versioned {
            let change = &offered[0]["edit"]["documentChanges"][0];
            assert_eq!(change["textDocument"], json!({"uri": URI, "version": 1}));
            change["edits"].clone()
        } else {
            offered[0]["edit"]["changes"][URI].clone()
        };
        let mended = apply(NREV, edits.as_array().unwrap());
        assert!(
            mended.contains(
                "\
nrev(Xs, Ys) :-
    nrev(Xs, [], Ys).

nrev([], Acc, Acc).
nrev([X|Xs], Acc, Ys) :-
    nrev(Xs, [X|Acc], Ys).
"
            ),
            "{mended}"
        );
        client.notify(
            "textDocument/didChange",
            json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": mended}]}),
        );
        assert!(client.diagnostics(URI, Some(2)).is_empty());
        let hints = client.hints(URI);
        assert_eq!(hints[0], hint(2, 15, "O(n)  n+2"));
        assert!(actions(&mut client, 2, 3).is_empty());
    }
}

#[test]
fn bounds_are_asserted_and_false_assertions_relaxed() {
    let mut client = Client::plain();
    let text = "\
%! len(+Xs:list, -N) is det.
%  The length of a list.
len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
";
    client.open(URI, text);
    let offered = actions_of_kind(&mut client, 3, 2, "refactor");
    assert_eq!(offered.len(), 1, "{offered:?}");
    assert_eq!(offered[0]["kind"], "refactor");
    assert_eq!(
        offered[0]["title"],
        "Assert the inferred bound: `@cost steps = length(Xs)+1`"
    );
    let asserted = apply(text, offered[0]["edit"]["changes"][URI].as_array().unwrap());
    assert!(
        asserted.contains("a list.\n%  @cost steps = length(Xs)+1\nlen([], 0)."),
        "{asserted}"
    );
    // More expensive now.
    let dearer = asserted.replace("len(Xs, M),", "len(Xs, M), len(Xs, _),");
    client.change(URI, 2, [0, 0, 9, 0], &dearer);
    assert_eq!(client.diagnostics(URI, Some(2)).len(), 1);
    assert!(actions_of_kind(&mut client, 4, 2, "refactor").is_empty());
    let offered = actions(&mut client, 2, 12);
    assert_eq!(offered.len(), 1, "{offered:?}");
    assert_eq!(
        offered[0]["title"],
        "Relax the assertion to the inferred bound: `steps = 2*2^length(Xs)-1`"
    );
    let relaxed = apply(
        &dearer,
        offered[0]["edit"]["changes"][URI].as_array().unwrap(),
    );
    client.change(URI, 3, [0, 0, 9, 0], &relaxed);
    assert!(client.diagnostics(URI, Some(3)).is_empty());
    assert!(actions(&mut client, 2, 12).is_empty());
}

#[test]
fn the_quick_fix_keeps_layout_comments_and_names() {
    let mut client = Client::plain();
    let text = "\
%! rev(+L:list, -R:list) is det.
rev([],[]).
% the long way round
rev([H|T],R) :- /* first */ rev(T,R0), append(R0,[H],R).
p(L, A, B) :- rev(L, A, B).
";
    client.open(URI, text);
    let offered = actions(&mut client, 3, 0);
    assert_eq!(offered.len(), 1, "{offered:?}");
    let mended = apply(text, offered[0]["edit"]["changes"][URI].as_array().unwrap());
    // rev/3 is called by p/3, so another name is taken.
    assert_eq!(
        mended,
        "\
%! rev(+L:list, -R:list) is det.
rev(T,R) :- rev_acc(T,[],R).

rev_acc([],Acc,Acc).
% the long way round
/* first */
rev_acc([H|T],Acc,R) :- rev_acc(T,[H|Acc],R).
p(L, A, B) :- rev(L, A, B).
"
    );
}

#[test]
fn the_quick_fix_takes_no_name_that_is_asserted_or_retracted() {
    let mut client = Client::plain();
    for (other, is_taken) in [
        (":- initialization(assertz(rev(a, b, c))).", true),
        (":- retractall(rev(_, _, _)).", true),
        ("p(X) :- asserta((rev(X, b, c) :- true)).", true),
        ("p(X) :- assertz(rev(X, b, c), _).", true),
        ("p(X) :- retract(rev(X, b, c)).", true),
        // Data may be called: `p(X) :- X = rev(X, b, c), call(X).` is one variable away.
        ("p(X) :- X = rev(X, b, c).", true),
        ("p(X) :- X = rev(X, b, c, d).", false),
    ] {
        let text = format!(
            "%! rev(+L:list, -R:list) is det.\nrev([], []).\nrev([H|T], R) :- rev(T, S), append(S, [H], R).\n{other}\n"
        );
        client.open(URI, &text);
        let offered = actions(&mut client, 2, 0);
        assert_eq!(offered.len(), 1, "{other}: {offered:?}");
        let mended = apply(
            &text,
            offered[0]["edit"]["changes"][URI].as_array().unwrap(),
        );
        let helper = if is_taken {
            "rev_acc([H|T]"
        } else {
            "rev([H|T], Acc"
        };
        assert!(mended.contains(helper), "{other}: {mended}");
        client.notify("textDocument/didClose", json!({"textDocument": document()}));
    }
}

#[test]
fn the_quick_fix_is_offered_only_where_it_is_right() {
    let mut client = Client::plain();
    let head = "%! rev(+L:list, -R:list) is det.\n";
    let tail = "app([], Ys, Ys).\napp([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).\n";
    for (why, text) in [
        (
            "the reversed rest is looked at",
            format!(
                "{head}rev([], []).\nrev([H|T], R) :- rev(T, S), S \\== [x], app(S, [H], R).\n{tail}"
            ),
        ),
        (
            "another order",
            format!("{head}rev([], []).\nrev([H|T], R) :- rev(T, S), app([H], S, R).\n{tail}"),
        ),
        (
            "app/3 is not append",
            format!(
                "{head}rev([], []).\nrev([H|T], R) :- rev(T, S), app(S, [H], R).\napp([], Y, Y).\napp([X|Xs], Ys, [X,X|Zs]) :- app(Xs, Ys, Zs).\n"
            ),
        ),
        (
            "other clauses may come",
            format!(
                ":- dynamic rev/2.\n{head}rev([], []).\nrev([H|T], R) :- rev(T, S), app(S, [H], R).\n{tail}"
            ),
        ),
        (
            "the list may be partial",
            format!(
                "%! rev(?L, ?R) is nondet.\nrev([], []).\nrev([H|T], R) :- rev(T, S), app(S, [H], R).\n{tail}"
            ),
        ),
    ] {
        client.open(URI, &text);
        for line in [1, 2] {
            let mut offered = actions(&mut client, line, 0);
            // The types of the arguments may still be declared, and another rewrite may apply.
            offered.retain(|action| action["title"].as_str().unwrap().starts_with("Reverse"));
            assert!(offered.is_empty(), "{why}");
        }
        client.notify("textDocument/didClose", json!({"textDocument": document()}));
    }
}

#[test]
fn settings_switch_things_off_and_on() {
    let off = |what: &str| match what {
        "hints" => json!({"hints": {"enable": false}}),
        "hover" => json!({"costlens": {"hover": {"enable": false}}}),
        "everything" => json!({"enable": false}),
        _ => json!({"hints": {"threshold": "n^2"}}),
    };
    let (mut client, _) = Client::initialized(json!({}), off("hints"));
    client.open(URI, NREV);
    assert!(client.hints(URI).is_empty());
    assert_ne!(hover(&mut client, 2, 1), Value::Null);
    let configure = |client: &mut Client, settings: Value| {
        client.notify(
            "workspace/didChangeConfiguration",
            json!({"settings": {"costlens": settings}}),
        );
    };
    // Settings without a section for Costlens change nothing.
    for settings in [
        json!(null),
        json!({}),
        json!({"other": {"enable": true}}),
        json!({"costlens": 3}),
    ] {
        client.notify(
            "workspace/didChangeConfiguration",
            json!({"settings": settings}),
        );
        assert!(client.hints(URI).is_empty());
    }
    configure(&mut client, off("threshold"));
    assert_eq!(client.hints(URI), [hint(2, 13, "O(n²)  n²/2+3n/2+1")]);
    configure(
        &mut client,
        json!({"hints": {"threshold": "n^2", "position": "head"}}),
    );
    assert_eq!(client.hints(URI), [hint(2, 12, "O(n²)  n²/2+3n/2+1")]);
    configure(&mut client, off("everything"));
    assert!(client.hints(URI).is_empty());
    assert_eq!(hover(&mut client, 2, 1), Value::Null);
    configure(&mut client, json!({}));
    assert_eq!(client.hints(URI).len(), 2);
    // Without `costlens` around them.
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"hints": {"enable": false}}}),
    );
    assert!(client.hints(URI).is_empty());
}

#[test]
fn hints_have_a_time_where_settings_ask_for_it() {
    let timed = |platform: &str| json!({"hints": {"time": true}, "platform": platform});
    let (mut client, _) = Client::initialized(json!({}), timed("auto"));
    client.open(URI, NREV);
    let labels = |client: &mut Client| -> Vec<String> {
        let all = client.hints(URI).into_iter();
        all.map(|(_, _, label)| label).collect()
    };
    for label in labels(&mut client) {
        let (steps, time) = label.rsplit_once("  ").unwrap();
        assert!(steps.starts_with("O(n"), "{label}");
        assert!(time.starts_with('≈'), "{label}");
        assert!(time.ends_with(" µs at n=100"), "{label}");
    }
    // No platform, no times.
    let configure = |client: &mut Client, settings: Value| {
        let settings = json!({"settings": {"costlens": settings}});
        client.notify("workspace/didChangeConfiguration", settings);
    };
    configure(&mut client, timed(""));
    let without = labels(&mut client);
    assert!(without.iter().all(|l| !l.contains("n=100")), "{without:?}");
    configure(&mut client, json!({}));
    assert_eq!(labels(&mut client), without);
}
