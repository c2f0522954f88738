//! Files that an open document loads, on the disk and in the editor.

use crate::client;

use client::Client;
use serde_json::{Value, json};
use tempfile::TempDir;

const MAIN: &str = ":- use_module(copying).
%! main(+Xs:list, -Ys:list) is det.
main(Xs, Ys) :- copy(Xs, Ys).
";
const COPYING: &str = ":- module(copying, [copy/2]).
copy([], []).
copy([X|Xs], [X|Ys]) :- copy(Xs, Ys).
";
/// The hint of `main/2` as long as nothing is known about `copy/2`.
const UNKNOWN: &str = "O(copy)  ≤ copy+1";

fn uri(folder: &TempDir, name: &str) -> String {
    format!("file://{}/{name}", folder.path().display())
}

/// Returns the hint of the first head.
fn first(client: &mut Client, uri: &str) -> String {
    client
        .hints(uri)
        .first()
        .map(|h| h.2.clone())
        .unwrap_or_default()
}

fn until(client: &mut Client, uri: &str, hint: &str) {
    client.eventually(hint, |client| first(client, uri) == hint);
}

#[test]
fn what_a_document_loads_is_read_from_the_disk() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("copying.pl"), COPYING).unwrap();
    let (mut client, _) = Client::initialized(json!({}), json!({"library": "none"}));
    let main = uri(&folder, "main.pl");
    client.open(&main, MAIN);
    // A client that cannot be asked to fetch again gets the right hints immediately.
    assert_eq!(first(&mut client, &main), "O(n)  n+2");
    // The editor's text is used while the document is open there.
    let copying = uri(&folder, "copying.pl");
    client.open(
        &copying,
        &COPYING
            .replace("copy(Xs, Ys).", "copy(Xs, Ys), true(Xs).\ntrue(_).")
            .replace(
                ":- module(copying, [copy/2]).",
                ":- module(copying, [copy/2, true/1]).",
            ),
    );
    until(&mut client, &main, "O(n)  2n+2");
    // Afterwards the disk's text is used again.
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": copying}}),
    );
    until(&mut client, &main, "O(n)  n+2");
}

#[test]
fn a_file_that_changes_on_the_disk_is_read_again() {
    let folder = TempDir::new().unwrap();
    let (mut client, _) = Client::initialized(json!({}), json!({"library": "none"}));
    let (main, copying) = (uri(&folder, "main.pl"), uri(&folder, "copying.pl"));
    client.open(&main, MAIN);
    assert_eq!(first(&mut client, &main), UNKNOWN);
    let changed = |client: &mut Client, kind: u8| {
        let changes = json!({"changes": [{"uri": copying, "type": kind}]});
        client.notify("workspace/didChangeWatchedFiles", changes);
    };
    std::fs::write(folder.path().join("copying.pl"), COPYING).unwrap();
    changed(&mut client, 1);
    until(&mut client, &main, "O(n)  n+2");
    std::fs::write(
        folder.path().join("copying.pl"),
        COPYING.replace("copy([], []).", "copy([], []).\ncopy(z, z)."),
    )
    .unwrap();
    changed(&mut client, 2);
    until(&mut client, &main, "O(n)  n+2");
    std::fs::remove_file(folder.path().join("copying.pl")).unwrap();
    changed(&mut client, 3);
    until(&mut client, &main, UNKNOWN);
}

#[test]
fn a_directive_that_is_typed_loads_its_file() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("copying.pl"), COPYING).unwrap();
    let (mut client, _) = Client::initialized(json!({}), json!({"library": "none"}));
    let main = uri(&folder, "main.pl");
    client.open(&main, &MAIN.replace(":- use_module(copying).", ""));
    assert_eq!(first(&mut client, &main), UNKNOWN);
    client.change(&main, 2, [0, 0, 0, 0], ":- use_module(copying).");
    until(&mut client, &main, "O(n)  n+2");
}

#[test]
fn folders_that_join_later_bring_their_packs() {
    let folder = tempfile::tempdir().unwrap();
    let pack = folder.path().join("pack/twice/prolog");
    std::fs::create_dir_all(&pack).unwrap();
    let library = ":- module(twice, [twice/1]).\ntwice(X) :- once_more(X).\nonce_more(_).\n";
    std::fs::write(pack.join("twice.pl"), library).unwrap();
    let uri = "file:///elsewhere/main.pl";
    let mut client = Client::plain();
    client.open(uri, ":- use_module(library(twice)).\np(X) :- twice(X).\n");
    let ends_with = |end: &'static str| {
        move |c: &mut Client| c.hints(uri).first().is_some_and(|h| h.2.ends_with(end))
    };
    client.eventually("nothing known", ends_with("≤ twice+1"));
    let root = json!({"uri": format!("file://{}", folder.path().display()), "name": "root"});
    let changed =
        |added: Value, removed: Value| json!({"event": {"added": added, "removed": removed}});
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        changed(json!([root]), json!([])),
    );
    client.eventually("three steps", ends_with(" 3"));
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        changed(json!([]), json!([root])),
    );
    client.eventually("nothing known again", ends_with("≤ twice+1"));
}

#[test]
fn the_dialect_is_a_setting() {
    let (uri, more) = ("file:///constraints.pl", "file:///more.pl");
    let mut client = Client::plain();
    let chosen = |dialect: &str| json!({"settings": {"costlens": {"dialect": dialect}}});
    // Other documents may cause these to be checked again, so a message may arrive twice.
    let until = |client: &mut Client, uri: &str, problems: usize| {
        client.wait(&format!("{problems} problems of {uri}"), |m| {
            let found = m["params"]["diagnostics"].as_array().map(Vec::len);
            m["method"] == "textDocument/publishDiagnostics"
                && m["params"]["uri"] == uri
                && found == Some(problems)
        });
    };
    client.open(uri, "p(X) :- X #= 1.\n");
    until(&mut client, uri, 1);
    client.notify("workspace/didChangeConfiguration", chosen("gnu"));
    until(&mut client, uri, 0);
    client.open(more, "q(X) :- X #= 1.\n");
    until(&mut client, more, 0);
    client.notify("workspace/didChangeConfiguration", chosen("detect"));
    until(&mut client, more, 1);
}

/// A part of a module, opened alone: the module's imports, and the places of its folders, are declared elsewhere.
#[test]
fn files_that_load_a_document_are_looked_for_beside_it_and_above() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let part = "%! part(+Xs:list, -Ys:list) is det.\npart(Xs, Ys) :- copy(Xs, Ys), own.\n";
    let module = "%! m(+Xs:list, -Ys:list) is det.\nm(Xs, Ys) :- copy(Xs, Ys).\n";
    write(
        "main.pl",
        ":- module(main, []).\n:- use_module(copying).\n:- include('src/part').\nown.\n",
    );
    write("copying.pl", COPYING);
    write(
        "load.pl",
        "user:file_search_path(app, D) :- prolog_load_context(directory, D).\n",
    );
    write("none.pl", "% part m\np :- [x].\n");
    write("src/part.pl", part);
    let (mut client, _) = Client::initialized(json!({}), json!({"library": "none"}));
    let uris = ["src/part.pl", "src/m.pl"].map(|name| uri(&folder, name));
    client.open(&uris[0], part);
    until(&mut client, &uris[0], "O(n)  n+3");
    client.open(
        &uris[1],
        &format!(":- module(m, [m/2]).\n:- use_module(app(copying)).\n{module}"),
    );
    until(&mut client, &uris[1], "O(n)  n+2");
}

#[test]
fn who_asks_for_diagnostics_is_told_to_ask_again_when_files_were_read() {
    let asks = json!({"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": true}}});
    let folder = TempDir::new().unwrap();
    let (mut client, _) = Client::initialized(asks, json!({"library": "none"}));
    let (main, copying) = (uri(&folder, "main.pl"), uri(&folder, "copying.pl"));
    // False for the text in the file, once that exists.
    let text = format!(
        "%!  all(+Xs:list, -Ys:list) is det.\n%   @cost steps =< 1\nall(Xs, Ys) :- copy(Xs, Ys).\n{MAIN}"
    );
    client.open(&main, &text);
    let is_false = |client: &mut Client| {
        let document = json!({"textDocument": {"uri": main}});
        let report = client.request_raw("textDocument/diagnostic", document);
        let items = report["result"]["items"].as_array();
        items.is_some_and(|all| all.iter().any(|d| d["code"] == "assertion-false"))
    };
    let refreshed = |client: &mut Client| {
        client.wait("refresh", |m| m["method"] == "workspace/diagnostic/refresh");
    };
    assert!(!is_false(&mut client));
    std::fs::write(folder.path().join("copying.pl"), COPYING).unwrap();
    let changes = json!({"changes": [{"uri": copying, "type": 1}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    refreshed(&mut client);
    client.eventually("a false assertion", is_false);
    // Another document loads the same file: its results are available immediately, or arrive later.
    let other = folder.path().join("other.pl");
    std::fs::write(
        &other,
        COPYING.replace("copying", "other").replace("copy", "again"),
    )
    .unwrap();
    client.change(
        &main,
        2,
        [0, 0, 0, 0],
        ":- use_module(other).\nanother(Xs) :- again(Xs, _).\n",
    );
    is_false(&mut client);
    refreshed(&mut client);
}

#[test]
fn a_file_keeps_its_name_when_it_changes_on_the_disk() {
    let folder = TempDir::new().unwrap();
    let (mut client, _) = Client::initialized(json!({}), json!({"library": "none"}));
    let (main, part) = (uri(&folder, "main.pl"), uri(&folder, "part.pl"));
    let path = folder.path().join("part.pl");
    let text = ":- multifile p/1.\np(b).\n";
    std::fs::write(&path, text).unwrap();
    client.open(
        &main,
        ":- ensure_loaded(part).\n:- multifile p/1.\np(a).\nq(X) :- p(X).\n",
    );
    let named = |client: &mut Client| {
        let at = json!({"textDocument": {"uri": main}, "position": {"line": 2, "character": 0}});
        client.request("textDocument/hover", at)["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    client.eventually("the file", |c| named(c).contains("part.pl"));
    std::fs::write(&path, format!("{text}p(c).\n")).unwrap();
    let changes = json!({"changes": [{"uri": part, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    client.eventually("three solutions", |c| named(c).contains('3'));
    let (text, by_path) = (named(&mut client), format!("`{}`", path.display()));
    assert!(text.contains(&by_path) && !text.contains(&part), "{text}");
}

/// The types of the protocol refuse a whole message for one character that a URI has to encode.
#[test]
fn uris_that_are_not_encoded_are_read_as_what_they_mean() {
    let folder = TempDir::new().unwrap();
    let inner = folder.path().join("é ñ");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(inner.join("copying.pl"), COPYING).unwrap();
    let (mut client, _) = Client::initialized(json!({}), json!({"library": "none"}));
    let main = uri(&folder, "é ñ/main [1].pl");
    client.open(&main, MAIN);
    assert_eq!(first(&mut client, &main), "O(n)  n+2");
}
