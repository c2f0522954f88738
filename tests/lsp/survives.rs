//! Whatever a client sends, the session continues and the next request for hints is answered.

use crate::client;

use client::{Client, framed};
use serde_json::{Value, json};

const GOOD: &str = "file:///good.pl";
const NREV: &str = "\
%! nrev(+Xs:list, -Ys:list) is det.
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).

%! app(+Xs:list, +Ys:list, -Zs:list) is det.
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
";

fn with_good_file() -> Client {
    let mut client = Client::plain();
    client.open(GOOD, NREV);
    still_works(&mut client, "at first");
    client
}

fn still_works(client: &mut Client, after: &str) {
    let hints = client.hints(GOOD);
    assert_eq!(
        hints.first(),
        Some(&(1, 13, "O(n²)  n²/2+3n/2+1".to_owned())),
        "after {after}: {hints:?}"
    );
}

/// Returns whether an answer is a result, or the error of a question that an edit overtook.
fn is_no_panic(answer: &Value) -> bool {
    answer.get("error").is_none_or(|e| e["code"] == -32801)
}

/// Opens a text, sends every request about it, edits it, and checks that requests about the good file are still answered.
fn survives(client: &mut Client, name: &str, text: &str) {
    let uri = format!("file:///{}.pl", name.replace(' ', "_"));
    client.open(&uri, text);
    let document = json!({"uri": uri});
    let at = json!({"line": 0, "character": 3});
    client.hints(&uri);
    client.request_raw(
        "textDocument/hover",
        json!({"textDocument": document, "position": at}),
    );
    for method in [
        "textDocument/documentSymbol",
        "textDocument/foldingRange",
        "textDocument/semanticTokens/full",
    ] {
        let answer = client.request_raw(method, json!({"textDocument": document}));
        assert!(is_no_panic(&answer), "{name}: {method}: {answer}");
    }
    for method in [
        "textDocument/definition",
        "textDocument/references",
        "textDocument/documentHighlight",
        "textDocument/prepareCallHierarchy",
        "textDocument/completion",
    ] {
        let answer = client.request_raw(
            method,
            json!({"textDocument": document, "position": at, "context": {"includeDeclaration": true, "triggerKind": 1}}),
        );
        assert!(is_no_panic(&answer), "{name}: {method}: {answer}");
    }
    client.request_raw(
        "textDocument/codeAction",
        json!({"textDocument": document, "range": {"start": at, "end": at}, "context": {"diagnostics": []}}),
    );
    client.diagnostics(&uri, None);
    client.change(&uri, 2, [0, 0, 0, 0], "% a comment\n");
    client.hints(&uri);
    client.notify("textDocument/didClose", json!({"textDocument": document}));
    still_works(client, name);
}

#[test]
fn odd_texts() {
    let mut client = with_good_file();
    for (name, text) in [
        ("empty", ""),
        ("blank", "\n\n \t\n"),
        ("an unfinished clause", "p(X) :- q(X"),
        ("an unfinished quote", "p('abc\nq.\n"),
        ("an unfinished comment", "/* p.\nq.\n"),
        ("Windows line ends", "p(a).\r\n\r\nq(X) :-\r\n    p(X).\r\n"),
        ("old Mac line ends", "p(a).\rq(X) :- p(X).\r"),
        ("a byte order mark", "\u{feff}p(a).\nq :- p(_).\n"),
        ("NUL", "p(\0).\n\0\nq(a).\n"),
        ("Unicode", "𝒳(é) :- 'ü𝒳'(Ünï).\n∀ ← ⊥.\n"),
        (
            "a malformed assertion",
            ":- pred p(X) : nonsense( + cost(ub, steps.\np(_).\n",
        ),
        (
            "another malformed assertion",
            "%! p(+X:) is dett.\n% @cost steps =< length(\np(_).\n:- pred q/x + cost(q).\n",
        ),
        ("only operators", ":- - - + * . = :- --> .\n"),
        (
            "odd heads",
            "X. 3. \"a\" :- b. [a|b]. {c}. (a, b) :- c. foo:bar(X) :- X.\n",
        ),
        (
            "Perl",
            "#!/usr/bin/perl\nuse strict;\nmy $x = { a => [1..3] };\nprint \"$x\\n\" if $x =~ /a(b|c)/;\n",
        ),
    ] {
        survives(&mut client, name, text);
    }
    assert_eq!(client.end(), 0);
}

#[test]
fn deep_and_long_terms() {
    let mut client = with_good_file();
    let deep = |open: &str, close: &str| {
        format!(
            "p :- q({}a{}).\nr(a).\n",
            open.repeat(100_000),
            close.repeat(100_000)
        )
    };
    survives(&mut client, "100,000 nested parentheses", &deep("(", ")"));
    survives(&mut client, "100,000 nested terms", &deep("f(", ")"));
    survives(&mut client, "100,000 nested lists", &deep("[", "]"));
    survives(&mut client, "100,000 unclosed parentheses", &deep("(", ""));
    survives(&mut client, "100,000 negations", &deep("- ", ""));
    survives(
        &mut client,
        "100,000 goals",
        &format!("p :- {}true.\n", "q, ".repeat(100_000)),
    );
}

#[test]
fn a_list_of_a_million_elements() {
    let mut client = with_good_file();
    let list = format!("p([{}a]).\n", "a,".repeat(1_000_000));
    survives(&mut client, "a long list", &list);
}

#[test]
fn damaged_messages_are_answered() {
    let mut client = with_good_file();
    let cases: [(&str, Vec<u8>, i64); 11] = [
        ("bad JSON", framed(b"{\"jsonrpc\": "), -32700),
        ("an empty object", framed(b"{}"), -32600),
        ("an empty body", framed(b""), -32700),
        ("an array", framed(b"[]"), -32600),
        (
            "bad UTF-8",
            framed(b"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\xfe\"}"),
            -32700,
        ),
        ("no length", b"Content-Longth: 3\r\n\r\n".to_vec(), -32700),
        (
            "a negative length",
            b"Content-Length: -3\r\n\r\n".to_vec(),
            -32700,
        ),
        ("garbage", b"hello\r\n\r\n".to_vec(), -32700),
        (
            "a fractional id",
            framed(b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"shutdown\"}"),
            -32600,
        ),
        (
            "a wrong version",
            framed(b"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"shutdown\"}"),
            -32600,
        ),
        ("deep JSON", framed("[".repeat(100_000).as_bytes()), -32700),
    ];
    for (name, bytes, code) in cases {
        client.raw(&bytes);
        let answer = client.wait(name, |m| m.get("error").is_some());
        assert_eq!(answer["error"]["code"], code, "{name}: {answer}");
        still_works(&mut client, name);
    }
    // Garbage glued to the front of a good message.
    client.raw(b"garbage Content-Length: x\r\n\r\n");
    assert_eq!(
        client.wait("refusal", |m| m.get("error").is_some())["error"]["code"],
        -32700
    );
    // A Content-Type is allowed, whatever its value.
    let body = json!({"jsonrpc": "2.0", "id": 7, "method": "shutdown"}).to_string();
    let header = format!(
        "Content-Type: application/vscode-jsonrpc\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    client.raw(&[header.as_bytes(), body.as_bytes()].concat());
    client.wait("shutdown", |m| m["id"] == 7 && m.get("error").is_none());
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_code(false), 0);
}

#[test]
fn params_of_the_wrong_shape_are_the_requests_error() {
    let mut client = with_good_file();
    for params in [
        json!({"textDocument": 3}),
        json!({"textDocument": {"uri": "not a uri"}, "range": {}}),
        json!({"textDocument": {"uri": GOOD}, "range": {
            "start": {"line": -1, "character": 0}, "end": {"line": 4_294_967_296_u64, "character": 0}}}),
    ] {
        let answer = client.request_raw("textDocument/inlayHint", params);
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        still_works(&mut client, "bad params");
    }
    let answer = client.request_raw("costlens/unheardOf", json!({}));
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    let answer = client.request_raw("$/unheardOf", json!({}));
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    client.notify("$/unheardOf", json!({}));
    client.notify("costlens/unheardOf", json!([1]));
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": null}),
    );
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"costlens": 3}}),
    );
    still_works(&mut client, "odd notifications");
}

#[test]
fn places_beyond_the_end_are_the_end() {
    let mut client = with_good_file();
    let far = json!({"line": 4_000_000_000_u32, "character": 4_000_000_000_u32});
    let document = json!({"uri": GOOD});
    let hover = json!({"textDocument": document, "position": far});
    assert_eq!(client.request("textDocument/hover", hover), Value::Null);
    client.request(
        "textDocument/codeAction",
        json!({"textDocument": document, "range": {"start": far, "end": far}, "context": {"diagnostics": []}}),
    );
    client.change(GOOD, 2, [4_000_000_000, 0, 4_000_000_000, 7], "\np(a).\n");
    // A range whose end is before its start.
    client.change(GOOD, 3, [7, 0, 0, 0], "");
    still_works(&mut client, "edits beyond the end");
}

#[test]
fn documents_that_are_not_open_have_no_answers() {
    let mut client = with_good_file();
    let unknown = "file:///never/opened.pl";
    assert!(client.hints(unknown).is_empty());
    let at = json!({"line": 0, "character": 0});
    let hover = json!({"textDocument": {"uri": unknown}, "position": at});
    assert_eq!(client.request("textDocument/hover", hover), Value::Null);
    client.change(unknown, 5, [0, 0, 0, 0], "p.");
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": unknown}}),
    );
    still_works(&mut client, "unknown documents");
}

#[test]
fn the_end_of_input_ends_the_server() {
    assert_eq!(Client::plain().exit_code(true), 1);
}

#[test]
fn exit_without_shutdown_is_an_error() {
    let mut client = with_good_file();
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_code(false), 1);
}

#[test]
fn questions_between_keystrokes_end_with_an_answer_or_with_the_edit() {
    let (mut client, _) =
        Client::initialized(json!({"textDocument": {"diagnostic": {}}}), json!({}));
    client.open(GOOD, NREV);
    still_works(&mut client, "at first");
    let document = json!({"textDocument": {"uri": GOOD}});
    let place = json!({"textDocument": {"uri": GOOD}, "position": {"line": 1, "character": 0}});
    let mut asked = Vec::new();
    for round in 0..250 {
        let clause = format!("r{round}(Xs) :- nrev(Xs, _).\n");
        client.change(GOOD, round + 2, [7, 0, 7, 0], &clause);
        for method in ["diagnostic", "documentSymbol", "semanticTokens/full"] {
            asked.push(client.ask(&format!("textDocument/{method}"), document.clone()));
        }
        for method in ["hover", "prepareCallHierarchy"] {
            asked.push(client.ask(&format!("textDocument/{method}"), place.clone()));
        }
        asked.push(client.ask("textDocument/inlayHint", client::hint_params(GOOD)));
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    for id in asked {
        let answer = client.wait("an answer", |m| m["id"] == id && m.get("method").is_none());
        let code = answer["error"]["code"].as_i64();
        // `ContentModified` and `ServerCancelled`: a later edit came first.
        assert!(matches!(code, None | Some(-32801 | -32802)), "{answer}");
    }
    assert!(!client.has_kept("window/logMessage"), "a panic was logged");
}
