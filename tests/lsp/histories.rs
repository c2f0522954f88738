//! Comparison of a server that has seen a session, and keeps summaries, with a fresh server that keeps none, and with the command line.
//!
//! Sessions are random, over workspaces of several files: documents are opened, edited, saved and closed, while files are created, deleted,
//! changed and renamed on the disk. Before each comparison the open documents are saved, so that all three read the same texts.
//!
//! `HISTORIES=N` plays that many sessions, `HISTORIES_SEED=N` starts from another seed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::Client;
use crate::generate::{Random, workspace};
use crate::project::run;
use crate::seeds::{self, number};

/// The duration after which a difference counts.
const SETTLED: Duration = Duration::from_secs(5);

/// The hints of a document: line and label.
type Hints = BTreeSet<(u64, String)>;

/// A session: a workspace on the disk, the server that is notified of its changes, and a log.
struct Session {
    folder: TempDir,
    client: Client,
    /// Open documents: version and text.
    open: BTreeMap<String, (i32, String)>,
    log: Vec<String>,
}

/// Returns a client in a workspace of one folder that pulls diagnostics.
pub(crate) fn client(folder: &TempDir) -> Client {
    client_with(folder, &[])
}

/// Returns such a client of a server with further arguments.
fn client_with(folder: &TempDir, arguments: &[&str]) -> Client {
    let mut client = Client::start_with(arguments);
    let root = format!("file://{}", folder.path().display());
    let params = json!({
        "processId": null,
        "capabilities": {"textDocument": {"diagnostic": {}}},
        // The command line prints `cost ?` for data as well.
        "initializationOptions": {"library": "none", "hints": {"data": true}},
        "workspaceFolders": [{"uri": root, "name": "w"}],
    });
    client.request("initialize", params);
    client.notify("initialized", json!({}));
    client
}

impl Session {
    fn new(seed: u64, arguments: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        for (name, text) in workspace(seed) {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let client = client_with(&folder, arguments);
        Session {
            folder,
            client,
            open: BTreeMap::new(),
            log: Vec::new(),
        }
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}/{name}", self.folder.path().display())
    }

    fn on_disk(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    /// Notifies the server of changed files. The number is the protocol's: created 1, changed 2, deleted 3.
    fn changed(&mut self, changes: &[(&str, u8)]) {
        let changes: Vec<Value> = (changes.iter())
            .map(|(name, kind)| json!({"uri": self.uri(name), "type": kind}))
            .collect();
        self.client.notify(
            "workspace/didChangeWatchedFiles",
            json!({"changes": changes}),
        );
    }

    fn write(&mut self, name: &str, text: &str) {
        self.log.push(format!("write {name}"));
        let kind = if self.folder.path().join(name).exists() {
            2
        } else {
            1
        };
        std::fs::write(self.folder.path().join(name), text).unwrap();
        self.changed(&[(name, kind)]);
    }

    fn open(&mut self, name: &str) {
        self.log.push(format!("open {name}"));
        let text = self.read(name);
        self.client.open(&self.uri(name), &text);
        self.open.insert(name.to_owned(), (1, text));
    }

    fn edit(&mut self, name: &str, text: String) {
        self.log.push(format!("edit {name}"));
        let uri = self.uri(name);
        let (version, before) = self.open.get_mut(name).unwrap();
        *version += 1;
        let params = json!({
            "textDocument": {"uri": uri, "version": *version},
            "contentChanges": [{"text": text}],
        });
        *before = text;
        self.client.notify("textDocument/didChange", params);
    }

    fn close(&mut self, name: &str) {
        self.log.push(format!("close {name}"));
        self.open.remove(name);
        let params = json!({"textDocument": {"uri": self.uri(name)}});
        self.client.notify("textDocument/didClose", params);
    }

    /// Does one random thing that a user might do.
    fn step(&mut self, random: &mut Random) {
        let disk = self.on_disk();
        let name = random.pick(&disk).clone();
        let what = random.below(12);
        match what {
            0..=2 if !self.open.contains_key(&name) => self.open(&name),
            3 | 4 if self.open.contains_key(&name) => self.close(&name),
            5 | 6 if self.open.contains_key(&name) => {
                let text = other_text(&self.open[&name].1, &name, random);
                self.edit(&name, text);
            }
            7 => {
                let text = other_text(&self.read(&name), &name, random);
                self.write(&name, &text);
            }
            8 if disk.len() > 1 => {
                self.log.push(format!("delete {name}"));
                std::fs::remove_file(self.folder.path().join(&name)).unwrap();
                self.changed(&[(&name, 3)]);
                if self.open.contains_key(&name) {
                    self.close(&name);
                }
            }
            9 => {
                let to = format!("m{}.pl", 1 + random.below(5));
                if !disk.contains(&to) {
                    self.log.push(format!("rename {name} to {to}"));
                    let path = self.folder.path().to_owned();
                    std::fs::rename(path.join(&name), path.join(&to)).unwrap();
                    if self.open.contains_key(&name) {
                        self.close(&name);
                    }
                    self.changed(&[(&name, 3), (&to, 1)]);
                    self.open(&to);
                }
            }
            10 => {
                let to = ["main.pl", "m1.pl", "m2.pl", "m3.pl", "m4.pl"][random.below(5)];
                if !disk.iter().any(|n| n == to) {
                    let text = other_text("", to, random);
                    self.write(to, &text);
                }
            }
            // Sends a request in between.
            _ => {
                if let Some(name) = self.open.keys().next().cloned() {
                    let uri = self.uri(&name);
                    self.client.hints(&uri);
                }
            }
        }
    }

    /// Saves all open documents.
    fn save(&mut self) {
        for (name, (_, text)) in self.open.clone() {
            if !self.folder.path().join(&name).exists() || self.read(&name) != text {
                self.write(&name, &text);
            }
        }
    }

    /// Compares the three on each open document. Returns the number of comparisons and the differences.
    fn compare(&mut self) -> (usize, Vec<String>) {
        self.save();
        self.log.push("compare".to_owned());
        let (mut count, mut wrong) = (0, Vec::new());
        let said = commands_hints(&self.folder);
        for name in self.open.keys().cloned().collect::<Vec<_>>() {
            let uri = self.uri(&name);
            let (_, text) = self.open[&name].clone();
            let mut fresh = client_with(&self.folder, &["--no-cache"]);
            fresh.open(&uri, &text);
            let fresh_hints = hints(&mut fresh, &uri);
            // Other documents are notified of a change after a pause; only their final state counts.
            let until = Instant::now() + SETTLED;
            let mut with_history = hints(&mut self.client, &uri);
            while with_history != fresh_hints && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(20));
                with_history = hints(&mut self.client, &uri);
            }
            let none = Hints::new();
            let commands = said.get(&name).unwrap_or(&none);
            for (whose, other) in [
                ("a fresh server", &fresh_hints),
                ("the command line", commands),
            ] {
                count += 1;
                if *other != with_history {
                    let ours: Vec<_> = with_history.difference(other).collect();
                    let theirs: Vec<_> = other.difference(&with_history).collect();
                    wrong.push(format!(
                        "{name}: the server says {ours:?}, {whose} {theirs:?}"
                    ));
                    // The reason for the label.
                    let line = ours.first().map_or(0, |(line, _)| *line);
                    let at = json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": 0}});
                    let hover = self.client.request("textDocument/hover", at);
                    wrong.push(hover["contents"]["value"].to_string());
                }
            }
            count += 1;
            let ours = diagnostics(&mut self.client, &uri);
            let theirs = diagnostics(&mut fresh, &uri);
            if ours != theirs {
                wrong.push(format!("{name}: diagnostics {ours:?}, fresh {theirs:?}"));
            }
        }
        (count, wrong)
    }
}

/// Returns another text for a file: that of another random workspace, or the given one with a line dropped or doubled.
fn other_text(text: &str, name: &str, random: &mut Random) -> String {
    let lines: Vec<&str> = text.lines().collect();
    if lines.is_empty() || random.chance(40) {
        let stem = name.trim_end_matches(".pl");
        let files = workspace(random.below(1_000_000) as u64);
        let same = files.iter().find(|(other, _)| *other == name);
        let (from, text) = same.or_else(|| files.last()).unwrap();
        // A module has the same name as its file.
        return text.replace(
            &format!("module({}", from.trim_end_matches(".pl")),
            &format!("module({stem}"),
        );
    }
    let at = random.below(lines.len());
    let line = match random.chance(50) {
        true => String::new(),
        false => format!("{0}\n{0}", lines[at]),
    };
    let changed = lines.iter().enumerate().map(|(i, &l)| match i == at {
        true => line.as_str(),
        false => l,
    });
    changed.flat_map(|l| [l, "\n"]).collect()
}

fn hints(client: &mut Client, uri: &str) -> Hints {
    let all = client.hints(uri);
    all.into_iter()
        .map(|(line, _, text)| (line, text))
        .collect()
}

fn diagnostics(client: &mut Client, uri: &str) -> BTreeSet<String> {
    let params = json!({"textDocument": {"uri": uri}});
    let all = client.request("textDocument/diagnostic", params);
    (all["items"].as_array().unwrap().iter())
        .map(|d| format!("{} {}", d["range"]["start"]["line"], d["message"]))
        .collect()
}

/// Returns the hints that `costlens bounds` reports for the folder: file, then line and label.
fn commands_hints(folder: &TempDir) -> BTreeMap<String, Hints> {
    let out = run(
        folder.path(),
        &["bounds", "--no-library", "--format", "json", "."],
    );
    let all: Value = serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let mut found: BTreeMap<String, Hints> = BTreeMap::new();
    for row in all["predicates"].as_array().unwrap() {
        let file = row["file"].as_str().unwrap().trim_start_matches("./");
        let label = row["hint"].as_str();
        if let Some(label) = label {
            let line = row["line"].as_u64().unwrap() - 1;
            let hints = found.entry(file.to_owned()).or_default();
            hints.insert((line, label.to_owned()));
        }
    }
    found
}

#[test]
fn a_history_changes_no_answer() {
    let (many, from) = (number("HISTORIES", 8), number("HISTORIES_SEED", 0));
    let whole = Mutex::new((0, Vec::new()));
    seeds::each(many, from, |seed| {
        let (count, wrong) = play(seed);
        let mut whole = whole.lock().unwrap();
        whole.0 += count;
        whole.1.extend(wrong);
    });
    let (count, wrong) = whole.into_inner().unwrap();
    tell(count, wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count as u64 >= many * 3, "{count} comparisons");
}

#[expect(clippy::print_stderr, reason = "prints figures next to the result")]
fn tell(count: usize, differences: usize) {
    eprintln!("histories: {count} comparisons, {differences} differences");
}

/// Two servers with equal workspaces and commands use one store at the same time.
#[test]
fn servers_and_commands_that_share_a_store_change_no_answer() {
    let from = number("HISTORIES_SEED", 0);
    for seed in from..from + number("SHARED", 2) {
        let cache = TempDir::new().unwrap();
        let arguments = ["--cache", cache.path().to_str().unwrap()];
        let wrong: Vec<String> = std::thread::scope(|scope| {
            let servers: Vec<_> = (0..2)
                .map(|server| scope.spawn(move || played(seed, server, &arguments)))
                .collect();
            let folder = Session::new(seed, &["--no-cache"]).folder;
            while servers.iter().any(|server| !server.is_finished()) {
                let bounds = ["bounds", "--no-library", "--format", "json", "."];
                let cold = run(folder.path(), &[&bounds[..], &["--no-cache"]].concat());
                let warm = run(folder.path(), &[&bounds[..], &arguments].concat());
                assert_eq!(warm.stdout, cold.stdout, "seed {seed}");
                assert_eq!(String::from_utf8_lossy(&warm.stderr), "", "seed {seed}");
            }
            let played = servers.into_iter().map(|server| server.join().unwrap());
            played.flat_map(|(_, wrong)| wrong).collect()
        });
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// Plays a session. Returns the number of comparisons, and the first differences with the steps that led to them.
fn play(seed: u64) -> (usize, Vec<String>) {
    played(seed, 0, &[])
}

/// Plays a session of one of several servers with further arguments, each with other steps in an equal workspace.
fn played(seed: u64, server: u64, arguments: &[&str]) -> (usize, Vec<String>) {
    let mut random = Random::new(seed ^ 0x4155_7fd0 ^ server << 40);
    let mut session = Session::new(seed, arguments);
    let mut count = 0;
    for _ in 0..4 {
        for _ in 0..3 + random.below(6) {
            session.step(&mut random);
        }
        if session.open.is_empty() {
            let name = session.on_disk()[0].clone();
            session.open(&name);
        }
        let (compared, mut wrong) = session.compare();
        count += compared;
        if !wrong.is_empty() {
            wrong.insert(0, format!("seed {seed}: {}", session.log.join(", ")));
            for name in session.on_disk() {
                wrong.push(format!("--- {name}\n{}", session.read(&name)));
            }
            return (count, wrong);
        }
    }
    (count, Vec::new())
}
