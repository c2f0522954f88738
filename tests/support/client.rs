//! A language client over the binary's standard input and output, for tests.
#![allow(dead_code, reason = "each test uses a part")]
#![allow(
    clippy::unwrap_used,
    reason = "tests and benchmarks stop at the first unexpected result"
)]

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::binary::costlens;

/// The timeout for one message: long, since the machine may be busy with other tests.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Messages that arrived while waiting for another one.
    kept: VecDeque<Value>,
    next_id: i64,
    /// Methods whose next request is answered by the test itself.
    held: Vec<String>,
}

impl Client {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Returns a client of a server with further arguments.
    pub(crate) fn start_with(arguments: &[&str]) -> Self {
        let mut command = costlens();
        command.args(["lsp", "--stdio"]).args(arguments);
        Self::spawned(command)
    }

    /// Returns a client of a server that is started in another way.
    pub(crate) fn spawned(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (tx, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if tx.send(message).is_err() {
                    return;
                }
            }
        });
        Client {
            input: child.stdin.take(),
            child,
            messages,
            kept: VecDeque::new(),
            next_id: 1000,
            held: Vec::new(),
        }
    }

    /// Returns a client that has initialized the server with these capabilities and options, and the server's answer.
    pub(crate) fn initialized(capabilities: Value, options: Value) -> (Self, Value) {
        let mut client = Self::start();
        let answer = client.request(
            "initialize",
            json!({"processId": null, "rootUri": null, "capabilities": capabilities, "initializationOptions": options}),
        );
        client.notify("initialized", json!({}));
        (client, answer)
    }

    pub(crate) fn plain() -> Self {
        Self::initialized(json!({}), json!({})).0
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.raw(&framed(message.to_string().as_bytes()));
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and waits for its whole answer.
    pub(crate) fn request_raw(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.wait(method, |m| m["id"] == id && m.get("method").is_none())
    }

    /// Sends a request without waiting; returns its id.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Sends a request and waits for its result.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let answer = self.request_raw(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Returns the next wanted message; earlier ones are kept. The server's own requests are answered.
    pub(crate) fn wait(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(i) = self.kept.iter().position(&wanted) {
            return self.kept.remove(i).unwrap();
        }
        let until = Instant::now() + PATIENCE;
        loop {
            let message = self
                .messages
                .recv_timeout(until.saturating_duration_since(Instant::now()))
                .unwrap_or_else(|e| panic!("waited for {what}: {e}; kept {:?}", self.kept));
            let held = |method: &String| message["method"] == method.as_str();
            if message.get("method").is_some()
                && message.get("id").is_some()
                && !self.held.iter().any(held)
            {
                let id = &message["id"];
                self.send(&json!({"jsonrpc": "2.0", "id": id, "result": null}));
            }
            if wanted(&message) {
                return message;
            }
            self.kept.push_back(message);
        }
    }

    /// Waits for a request of the server's and answers it.
    pub(crate) fn answer(&mut self, method: &str, result: &Value) {
        self.held.push(method.to_owned());
        let asked = self.wait(method, |m| m["method"] == method);
        self.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}));
    }

    /// Repeats a request until the condition holds.
    pub(crate) fn eventually(&mut self, what: &str, mut ask: impl FnMut(&mut Self) -> bool) {
        let until = Instant::now() + PATIENCE;
        while !ask(self) {
            assert!(Instant::now() < until, "waited for {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Returns whether a message of this method arrived while waiting for others.
    pub(crate) fn has_kept(&self, method: &str) -> bool {
        self.kept.iter().any(|m| m["method"] == method)
    }

    /// Returns the next message of any kind.
    pub(crate) fn receive(&mut self) -> Value {
        self.wait("any message", |_| true)
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        self.notify(
            "textDocument/didOpen",
            json!({"textDocument": {"uri": uri, "languageId": "prolog", "version": 1, "text": text}}),
        );
    }

    /// Sends one change of a range, given as start line, start character, end line, end character.
    pub(crate) fn change(&mut self, uri: &str, version: i32, at: [u32; 4], text: &str) {
        let [a, b, c, d] = at;
        let range =
            json!({"start": {"line": a, "character": b}, "end": {"line": c, "character": d}});
        self.notify(
            "textDocument/didChange",
            json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"range": range, "text": text}]}),
        );
    }

    /// Returns the hints of a whole document as line, character and label.
    pub(crate) fn hints(&mut self, uri: &str) -> Vec<(u64, u64, String)> {
        let result = self.request("textDocument/inlayHint", hint_params(uri));
        as_hints(&result)
    }

    /// Returns the diagnostics of a version of a document, without hints.
    pub(crate) fn diagnostics(&mut self, uri: &str, version: Option<i32>) -> Vec<Value> {
        let mut all = self.with_hints(uri, version);
        all.retain(|d| d["severity"] != json!(4));
        all
    }

    /// Returns the diagnostics of a version of a document.
    pub(crate) fn with_hints(&mut self, uri: &str, version: Option<i32>) -> Vec<Value> {
        let message = self.wait("diagnostics", |m| {
            m["method"] == "textDocument/publishDiagnostics"
                && m["params"]["uri"] == uri
                && (version.is_none() || m["params"]["version"] == json!(version))
        });
        message["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// Sends `shutdown` and `exit`; returns the exit code.
    pub(crate) fn end(mut self) -> i32 {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.exit_code(false)
    }

    /// Returns the exit code, after closing the server's input if requested.
    pub(crate) fn exit_code(mut self, close: bool) -> i32 {
        if close {
            self.input = None;
        }
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the server did not end");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn hint_params(uri: &str) -> Value {
    json!({"textDocument": {"uri": uri}, "range": {
        "start": {"line": 0, "character": 0},
        "end": {"line": 1_000_000, "character": 0}}})
}

pub(crate) fn as_hints(result: &Value) -> Vec<(u64, u64, String)> {
    let hints = result.as_array().unwrap_or_else(|| panic!("{result}"));
    hints
        .iter()
        .map(|h| {
            let at = &h["position"];
            (
                at["line"].as_u64().unwrap(),
                at["character"].as_u64().unwrap(),
                h["label"].as_str().unwrap().to_owned(),
            )
        })
        .collect()
}

/// Returns a body with its header.
pub(crate) fn framed(body: &[u8]) -> Vec<u8> {
    let mut out = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    out.extend_from_slice(body);
    out
}

/// Applies the edits of a code action or of changes to a text; positions count bytes or ASCII.
pub(crate) fn apply(text: &str, edits: &[Value]) -> String {
    let offset = |p: &Value| {
        let (line, character) = (
            p["line"].as_u64().unwrap(),
            p["character"].as_u64().unwrap(),
        );
        let before: usize = (text.split_inclusive('\n'))
            .take(usize::try_from(line).unwrap())
            .map(str::len)
            .sum();
        before + usize::try_from(character).unwrap()
    };
    let mut edits: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|e| {
            let range = &e["range"];
            (
                offset(&range["start"]),
                offset(&range["end"]),
                e["newText"].as_str().unwrap(),
            )
        })
        .collect();
    edits.sort_unstable();
    let mut out = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        out.replace_range(start..end, new);
    }
    out
}

fn read(output: &mut BufReader<ChildStdout>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            header => {
                if let Some(n) = header.strip_prefix("Content-Length: ") {
                    length = n.parse().ok()?;
                }
            }
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
