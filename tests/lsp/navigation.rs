//! Definition, references, symbols, call hierarchy, folding, colours, completion: requested as by an editor.

use crate::client;

use client::Client;
use serde_json::{Value, json};

const URI: &str = "file:///list.pl";
const TEXT: &str = "\
:- use_module(library(lists)).
:- use_module(library(apply)).
:- dynamic seen/1.

%! rev(+Xs:list, -Ys:list) is det.
%
%  Ys has the elements of Xs, the last one first.
rev([], []).
rev([X|Xs], Ys) :-
    rev(Xs, Zs),
    app(Zs, [X], Ys).

%! app(+Xs:list, +Ys:list, -Zs:list) is det.
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :-
    app(Xs, Ys, Zs).

all(Xss, Yss) :- maplist(rev, Xss, Yss), seen(Xss), X = 'a b' .

:- initialization(all([[a]], _)).
";

fn opened(capabilities: Value, options: Value) -> Client {
    let (mut client, _) = Client::initialized(capabilities, options);
    client.open(URI, TEXT);
    client
}

/// Returns the place of the nth occurrence (from 0) of a text, moved by that many characters.
fn at(text: &str, nth: usize, behind: usize) -> Value {
    let found = TEXT.match_indices(text).nth(nth).unwrap().0 + behind;
    let line = TEXT[..found].matches('\n').count();
    let character = found - TEXT[..found].rfind('\n').map_or(0, |n| n + 1);
    json!({"line": line, "character": character})
}

fn ask(client: &mut Client, method: &str, position: &Value) -> Value {
    let mut params = json!({"textDocument": {"uri": URI}, "position": position});
    if method == "textDocument/references" {
        params["context"] = json!({"includeDeclaration": true});
    }
    client.request(method, params)
}

/// Returns the lines of places or ranges.
fn lines(places: &Value) -> Vec<u64> {
    let places = places.as_array().unwrap_or_else(|| panic!("{places}"));
    let range = |p: &Value| p["range"]["start"]["line"].as_u64();
    places.iter().filter_map(range).collect()
}

#[test]
fn a_call_leads_to_the_first_clause() {
    let mut client = opened(json!({}), json!({"library": "none"}));
    for position in [
        at("app(Zs", 0, 0),
        at("app(Zs", 0, 3),
        at("app(Xs, Ys, Zs)", 0, 1),
    ] {
        let found = ask(&mut client, "textDocument/definition", &position);
        assert_eq!(found["uri"], URI);
        assert_eq!(
            found["range"],
            json!({"start": {"line": 13, "character": 0}, "end": {"line": 13, "character": 3}})
        );
    }
    // Through a closure, from a directive, of a variable, of a predicate without clauses.
    for (position, line) in [
        (at("maplist(rev", 0, 9), 7),
        (at("all([[a", 0, 0), 17),
        (at("Zs, [X], Ys", 0, 0), 9),
        (at("seen(Xss", 0, 2), 2),
    ] {
        let found = ask(&mut client, "textDocument/definition", &position);
        assert_eq!(found["range"]["start"]["line"], line, "{position}");
    }
    // Built-in predicates, and library ones for a client that cannot show the library.
    for position in [at("X = 'a", 0, 2), at("maplist(rev", 0, 2)] {
        let found = ask(&mut client, "textDocument/definition", &position);
        assert_eq!(found, Value::Null, "{position}");
    }
}

#[test]
fn the_library_is_shown_to_clients_that_can_show_it() {
    let options = json!({"libraryDocuments": true, "library": "none"});
    let mut client = opened(json!({}), options);
    let found = ask(
        &mut client,
        "textDocument/definition",
        &at("maplist(rev", 0, 2),
    );
    let uri = found["uri"].as_str().unwrap();
    assert_eq!(uri, "costlens-library:/apply.pl");
    let text = client.request("costlens/libraryText", json!({"uri": uri}));
    let line = usize::try_from(found["range"]["start"]["line"].as_u64().unwrap()).unwrap();
    let shown = text.as_str().unwrap().lines().nth(line).unwrap();
    assert!(shown.starts_with("maplist("), "{shown}");
    let odd = client.request(
        "costlens/libraryText",
        json!({"uri": "costlens-library:/../x"}),
    );
    assert_eq!(odd, Value::Null);
}

#[test]
fn what_ships_with_costlens_is_shown_where_it_is_installed() {
    let folder = tempfile::TempDir::new().unwrap();
    let apply = folder.path().join("apply.pl");
    let text = ":- module(apply, [maplist/3]).\n% As it is.\nmaplist(_, [], []).\n";
    std::fs::write(&apply, text).unwrap();
    let options = json!({"libraryDocuments": true, "library": folder.path()});
    let mut client = opened(json!({}), options);
    let found = ask(
        &mut client,
        "textDocument/definition",
        &at("maplist(rev", 0, 2),
    );
    assert_eq!(found["uri"], format!("file://{}", apply.display()));
    let start = json!({"line": 2, "character": 0});
    assert_eq!(found["range"]["start"], start);
}

#[test]
fn references_are_heads_calls_closures_and_declarations() {
    let mut client = opened(json!({}), json!({}));
    let mut of = |position: Value| lines(&ask(&mut client, "textDocument/references", &position));
    assert_eq!(of(at("rev([], [])", 0, 1)), [7, 8, 9, 17]);
    assert_eq!(of(at("seen(Xss", 0, 0)), [2, 17]);
    assert_eq!(of(at("all(Xss", 0, 0)), [17, 19]);
    assert_eq!(of(at("Zs),", 0, 0)), [9, 10]);
    // Without the heads.
    let params = json!({"textDocument": {"uri": URI}, "position": at("app(Zs", 0, 0),
        "context": {"includeDeclaration": false}});
    let calls = client.request("textDocument/references", params);
    assert_eq!(lines(&calls), [10, 15]);
}

#[test]
fn references_in_other_documents_are_theirs_if_they_define_the_name_themselves() {
    let mut client = opened(json!({}), json!({}));
    client.open(
        "file:///other.pl",
        "app(a, b, c).\nq :- app(_, _, _), memberchk(x, [x]).\n",
    );
    let found = ask(&mut client, "textDocument/references", &at("app(Zs", 0, 0));
    assert!(
        found.as_array().unwrap().iter().all(|p| p["uri"] == URI),
        "{found}"
    );
    // For built-ins, all files are searched.
    client.open("file:///third.pl", "p(X) :- seen(X), Y = X, q(Y).\n");
    let found = ask(&mut client, "textDocument/references", &at("X = 'a", 0, 2));
    let uris: Vec<&str> = (found.as_array().unwrap().iter())
        .map(|p| p["uri"].as_str().unwrap())
        .collect();
    assert_eq!(uris, [URI, "file:///third.pl"]);
}

#[test]
fn the_name_under_the_cursor_is_highlighted_everywhere() {
    let mut client = opened(json!({}), json!({}));
    let found = ask(
        &mut client,
        "textDocument/documentHighlight",
        &at("rev(Xs, Zs)", 0, 0),
    );
    assert_eq!(lines(&found), [7, 8, 9, 17]);
    let kinds: Vec<u64> = (found.as_array().unwrap().iter())
        .map(|h| h["kind"].as_u64().unwrap())
        .collect();
    // Heads are writes, calls are reads.
    assert_eq!(kinds, [3, 3, 2, 2]);
    let variable = ask(
        &mut client,
        "textDocument/documentHighlight",
        &at("Zs, [X], Ys", 0, 1),
    );
    assert_eq!(lines(&variable), [9, 10]);
    // A variable of one clause is not that of another.
    let xs = ask(
        &mut client,
        "textDocument/documentHighlight",
        &at("Xs], Ys)", 0, 0),
    );
    assert_eq!(lines(&xs), [8, 9]);
    let nothing = ask(
        &mut client,
        "textDocument/documentHighlight",
        &at("[], []", 0, 0),
    );
    assert_eq!(nothing, json!([]));
}

#[test]
fn symbols_of_all_documents_are_found_by_parts_of_their_names_and_carry_costs() {
    let mut client = opened(json!({}), json!({}));
    client.open("file:///other.pl", "append_all([], []).\n");
    let found = client.request("workspace/symbol", json!({"query": "ap"}));
    let shown: Vec<(&str, &str)> = (found.as_array().unwrap().iter())
        .map(|s| {
            (
                s["name"].as_str().unwrap(),
                s["containerName"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(shown[0], ("app/3", "O(n)  n+1 · list.pl"));
    assert_eq!(shown[1].0, "append_all/2");
    assert_eq!(found[1]["location"]["uri"], "file:///other.pl");
    assert_eq!(
        client.request("workspace/symbol", json!({"query": "pp"})),
        json!([])
    );
}

#[test]
fn the_call_hierarchy_carries_costs() {
    let mut client = opened(json!({}), json!({}));
    let prepared = ask(
        &mut client,
        "textDocument/prepareCallHierarchy",
        &at("app(Zs", 0, 0),
    );
    let item = prepared[0].clone();
    assert_eq!(item["name"], "app/3");
    assert_eq!(item["detail"], "O(n)  n+1");
    assert_eq!(item["selectionRange"]["start"]["line"], 13);
    let callers = client.request("callHierarchy/incomingCalls", json!({"item": item}));
    let shown: Vec<(&str, &str, usize)> = (callers.as_array().unwrap().iter())
        .map(|c| {
            let from = &c["from"];
            (
                from["name"].as_str().unwrap(),
                from["detail"].as_str().unwrap(),
                c["fromRanges"].as_array().unwrap().len(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("rev/2", "O(n²)  n²/2+3n/2+1", 1),
            ("app/3", "O(n)  n+1", 1)
        ]
    );
    let callees = client.request(
        "callHierarchy/outgoingCalls",
        json!({"item": callers[0]["from"]}),
    );
    let names: Vec<&str> = (callees.as_array().unwrap().iter())
        .map(|c| c["to"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["rev/2", "app/3"]);
    assert_eq!(callees[1]["fromRanges"][0]["start"]["line"], 10);
    // A directive calls, but nothing calls it.
    let all = ask(
        &mut client,
        "textDocument/prepareCallHierarchy",
        &at("all(Xss", 0, 0),
    );
    let callers = client.request("callHierarchy/incomingCalls", json!({"item": all[0]}));
    assert_eq!(
        callers[0]["from"]["name"],
        ":- initialization(all([[a]], _))."
    );
    let nobody = client.request(
        "callHierarchy/incomingCalls",
        json!({"item": callers[0]["from"]}),
    );
    assert_eq!(nobody, Value::Null);
}

#[test]
fn predicates_comments_imports_and_conditional_text_fold() {
    let mut client = Client::plain();
    let text = "\
:- use_module(library(lists)).
:- use_module(library(apply)).
% one
% two

p(1).
p(2) :-
    q([a,
       b]).
/* a
   block */
:- if(true).
q(_).
:- else.
q(_, _).

:- endif.
r :- s, t.
";
    client.open(URI, text);
    let found = client.request(
        "textDocument/foldingRange",
        json!({"textDocument": {"uri": URI}}),
    );
    let folds: Vec<(u64, u64, Option<&str>)> = (found.as_array().unwrap().iter())
        .map(|f| {
            (
                f["startLine"].as_u64().unwrap(),
                f["endLine"].as_u64().unwrap(),
                f["kind"].as_str(),
            )
        })
        .collect();
    assert_eq!(
        folds,
        [
            (0, 1, Some("imports")),
            (2, 3, Some("comment")),
            (5, 8, None),
            (6, 8, None),
            (7, 8, None),
            (9, 10, Some("comment")),
            (11, 12, None),
            (13, 14, None),
        ]
    );
}

/// Tokens as text, kind and modifiers.
fn tokens(text: &str, legend: &Value, answer: &Value) -> Vec<String> {
    let (mut line, mut column) = (0, 0);
    let data: Vec<usize> = (answer["data"].as_array().unwrap().iter())
        .map(|n| usize::try_from(n.as_u64().unwrap()).unwrap())
        .collect();
    data.chunks(5)
        .map(|t| {
            line += t[0];
            column = if t[0] == 0 { column + t[1] } else { t[1] };
            let word = &text.lines().nth(line).unwrap()[column..column + t[2]];
            let kind = legend["tokenTypes"][t[3]].as_str().unwrap();
            let modifiers = legend["tokenModifiers"]
                .as_array()
                .unwrap()
                .iter()
                .enumerate();
            let on = modifiers.filter(|(i, _)| t[4] & (1 << i) != 0);
            let on: String = on
                .map(|(_, m)| format!(" {}", m.as_str().unwrap()))
                .collect();
            format!("{word}: {kind}{on}")
        })
        .collect()
}

#[test]
fn tokens_are_coloured_by_what_they_reach() {
    let (mut client, answer) = Client::initialized(json!({}), json!({}));
    let legend = answer["capabilities"]["semanticTokensProvider"]["legend"].clone();
    let text = "\
%! p(+X) is det.
:- dynamic p/1.
p(X) :- q(Y, f(a)), format(\"x\"), \\+ X > 1.
q(_, 'A') --> [].
/* two
   lines */
";
    client.open(URI, text);
    let document = json!({"textDocument": {"uri": URI}});
    let all = client.request("textDocument/semanticTokens/full", document.clone());
    let shown = tokens(text, &legend, &all);
    for expected in [
        "%! p(+X) is det.: comment documentation",
        "dynamic: macro",
        "p: function declaration",
        "p: function definition",
        "q: function",
        "q: function definition",
        "Y: variable singleton",
        "X: variable",
        "f: enumMember",
        "a: enumMember",
        "format: function defaultLibrary",
        ">: function defaultLibrary",
        "\"x\": string",
        "'A': string",
        ":-: keyword",
        "/* two: comment",
        "   lines */: comment",
        "_: variable",
    ] {
        assert!(shown.iter().any(|t| t == expected), "{expected}: {shown:?}");
    }
    let mut params = document;
    params["range"] =
        json!({"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 5}});
    let some = client.request("textDocument/semanticTokens/range", params);
    let shown = tokens(text, &legend, &some);
    assert!(
        shown
            .iter()
            .all(|t| !t.starts_with("%!") && !t.starts_with("q:")),
        "{shown:?}"
    );
    assert!(shown.contains(&":-: keyword".to_owned()), "{shown:?}");
}

fn labels(list: &Value) -> Vec<&str> {
    let items = list["items"].as_array().unwrap_or_else(|| panic!("{list}"));
    items.iter().map(|i| i["label"].as_str().unwrap()).collect()
}

#[test]
fn completion_proposes_predicates_with_their_arguments() {
    let snippets =
        json!({"textDocument": {"completion": {"completionItem": {"snippetSupport": true}}}});
    for (capabilities, inserted) in [
        (snippets, "app(${1:Xs}, ${2:Ys}, ${3:Zs})"),
        (json!({}), "app"),
    ] {
        let mut client = opened(capabilities, json!({}));
        // ` :- ap` after the head of a new clause.
        client.change(URI, 2, [20, 0, 20, 0], "new(Xs) :- ap");
        let position = json!({"line": 20, "character": 13});
        let list = ask(&mut client, "textDocument/completion", &position);
        assert_eq!(labels(&list)[0], "app(Xs, Ys, Zs)");
        assert!(
            labels(&list).contains(&"append(List1, List2, Whole)"),
            "{list}"
        );
        assert!(
            !labels(&list).iter().any(|l| l.starts_with("rev")),
            "{list}"
        );
        let item = list["items"][0].clone();
        assert_eq!(item["filterText"], "app");
        assert_eq!(item["textEdit"]["newText"], inserted);
        assert_eq!(
            item["textEdit"]["range"],
            json!({"start": {"line": 20, "character": 11}, "end": position})
        );
        let resolved = client.request("completionItem/resolve", item);
        assert_eq!(resolved["detail"], "O(n)  n+1");
        assert!(
            resolved["documentation"]["value"]
                .as_str()
                .unwrap()
                .contains("app(+Xs:list"),
            "{resolved}"
        );
        let known = list["items"]
            .as_array()
            .unwrap()
            .iter()
            .find(|i| i["label"] == "append(List1, List2, Whole)")
            .unwrap();
        assert_eq!(known["labelDetails"]["description"], "library(lists)");
        let resolved = client.request("completionItem/resolve", known.clone());
        assert_eq!(
            resolved["detail"],
            "append(?List1, ?List2, ?Whole) is nondet"
        );
    }
}

#[test]
fn completion_proposes_what_is_imported() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "tables.pl",
        ":- module(tables, [tab_row/2, tab_line/1, tab_last/1]).\n\
         :- reexport(more, [tab_more/1 as tab_further]).\n\
         %! tab_row(+Key:list, -Row:list) is det.\n%  The row of a key.\n\
         tab_row([], []).\ntab_row([X|Xs], [X|Ys]) :- tab_row(Xs, Ys).\n\
         tab_line(_).\ntab_last(_).\ntab_hidden(_).\n",
    );
    write("more.pl", ":- module(more, [tab_more/1]).\ntab_more(_).\n");
    write("part.pl", "tab_part(X) :- X = 1.\n");
    let uri = format!("file://{}/main.pl", folder.path().display());
    let mut client = Client::plain();
    let text = ":- use_module(tables, except([tab_last/1])).\n:- ensure_loaded(part).\np :- tab_\n";
    client.open(&uri, text);
    let params = json!({"textDocument": {"uri": uri}, "position": {"line": 2, "character": 9}});
    let wanted = [
        "tab_further(Arg1)",
        "tab_line(Arg1)",
        "tab_part(X)",
        "tab_row(Key, Row)",
    ];
    client.eventually("imported predicates", |c| {
        labels(&c.request("textDocument/completion", params.clone())) == wanted
    });
    let list = client.request("textDocument/completion", params);
    let item = list["items"][3].clone();
    assert_eq!(item["labelDetails"]["description"], "tables");
    assert_eq!(list["items"][2]["labelDetails"]["description"], "part.pl");
    let resolved = client.request("completionItem/resolve", item);
    assert_eq!(resolved["detail"], "O(n)  n+1");
    assert!(
        resolved.to_string().contains("The row of a key."),
        "{resolved}"
    );
}

#[test]
fn completion_knows_where_it_is() {
    let mut client = opened(json!({}), json!({}));
    let mut after = |version: i32, line: &str, end: &str| {
        let column = u32::try_from(line.len()).unwrap();
        client.change(URI, version, [20, 0, 20, 0], &format!("{line}{end}\n"));
        let list = ask(
            &mut client,
            "textDocument/completion",
            &json!({"line": 20, "character": column}),
        );
        client.change(URI, version + 1, [20, 0, 21, 0], "");
        list
    };
    // Variables of the clause, and no predicates.
    let list = after(2, "new(Xs, Xss) :- app(X", ", _, _).");
    assert_eq!(labels(&list), ["Xs", "Xss"]);
    // Names of arguments from heads: tails of lists, and none twice.
    let list = after(
        14,
        "len([], 0). len([_|T], N) :- len(T, N, N). len(T, N, N). x :- le",
        ".",
    );
    assert_eq!(labels(&list)[..2], ["len(T, N)", "len(T, N, Arg3)"]);
    // If the bracket already exists, only the name.
    let list = after(4, "new :- ap", "([], [], _).");
    assert_eq!(list["items"][0]["textEdit"]["newText"], "app");
    // No completions in comments and texts.
    for (version, line, end) in [
        (6, "% ap", ""),
        (8, "new :- write('ap", "')."),
        (10, "/* ap", " */"),
        (12, "new(0x", ")."),
    ] {
        assert_eq!(labels(&after(version, line, end)), [""; 0], "{line}");
    }
}

#[test]
fn hovers_have_the_text_of_the_comment() {
    let text = |hover: &Value| {
        hover["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let mut client = opened(json!({}), json!({}));
    for position in [
        at("rev([X", 0, 0),
        at("rev(Xs, Zs", 0, 0),
        at("maplist(rev", 0, 9),
    ] {
        let hover = text(&ask(&mut client, "textDocument/hover", &position));
        assert!(
            hover.contains("n²/2 + 3n/2 + 1") && hover.contains("the last one first"),
            "{position}: {hover}"
        );
    }
    // Built-in predicates, including operators.
    let unify = text(&ask(&mut client, "textDocument/hover", &at("X = 'a", 0, 2)));
    assert!(
        unify.contains("`?Left = ?Right is semidet` (built in)"),
        "{unify}"
    );
    // The growth of its time, although it takes no step.
    assert!(
        unify.contains("No step; time: O(min(size(A), size(B)))."),
        "{unify}"
    );
    let mut client = opened(json!({}), json!({"hover": {"documentation": false}}));
    let hover = text(&ask(&mut client, "textDocument/hover", &at("rev([X", 0, 0)));
    assert!(
        hover.contains("n²/2 + 3n/2 + 1") && !hover.contains("the last one first"),
        "{hover}"
    );
}

const GROUPS: [(&str, &str, &str); 9] = [
    (
        "navigation",
        "textDocument/definition",
        "definitionProvider",
    ),
    (
        "navigation",
        "textDocument/references",
        "referencesProvider",
    ),
    (
        "navigation",
        "textDocument/documentHighlight",
        "documentHighlightProvider",
    ),
    (
        "symbols",
        "textDocument/documentSymbol",
        "documentSymbolProvider",
    ),
    ("symbols", "workspace/symbol", "workspaceSymbolProvider"),
    (
        "callHierarchy",
        "textDocument/prepareCallHierarchy",
        "callHierarchyProvider",
    ),
    (
        "folding",
        "textDocument/foldingRange",
        "foldingRangeProvider",
    ),
    (
        "semanticTokens",
        "textDocument/semanticTokens/full",
        "semanticTokensProvider",
    ),
    (
        "completion",
        "textDocument/completion",
        "completionProvider",
    ),
];

#[test]
fn groups_of_features_are_offered_as_long_as_they_are_on() {
    for (group, method, _) in GROUPS {
        let off = json!({"features": {group: false}});
        let (mut client, answer) = Client::initialized(json!({}), off);
        client.open(URI, TEXT);
        for (other, _, its) in GROUPS {
            assert_eq!(
                answer["capabilities"][its].is_null(),
                other == group,
                "{group} {its}"
            );
        }
        // If requested anyway, there is no answer; once enabled, there is one.
        let mut params = json!({"textDocument": {"uri": URI}, "position": at("rev(Xs, Zs", 0, 0),
            "query": "", "context": {"includeDeclaration": true, "triggerKind": 1}});
        assert_eq!(
            client.request(method, params.clone()),
            Value::Null,
            "{method}"
        );
        client.notify(
            "workspace/didChangeConfiguration",
            json!({"settings": {"costlens": {}}}),
        );
        assert_ne!(
            client.request(method, params.take()),
            Value::Null,
            "{method}"
        );
    }
}

fn registrations(message: &Value, key: &str) -> Vec<String> {
    let all = message["params"][key]
        .as_array()
        .unwrap_or_else(|| panic!("{message}"));
    all.iter()
        .map(|r| r["method"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn what_may_be_registered_later_is_and_is_withdrawn_when_switched_off() {
    let dynamic = json!({"dynamicRegistration": true});
    let capabilities = json!({
        "textDocument": {"completion": dynamic, "foldingRange": dynamic},
        "workspace": {"didChangeConfiguration": dynamic, "didChangeWatchedFiles": dynamic},
    });
    let (mut client, answer) =
        Client::initialized(capabilities, json!({"features": {"folding": false}}));
    let can = &answer["capabilities"];
    assert!(
        can["completionProvider"].is_null() && can["foldingRangeProvider"].is_null(),
        "{can}"
    );
    assert_eq!(can["definitionProvider"], true);
    let first = client.wait("registration", |m| {
        m["method"] == "client/registerCapability"
    });
    let mut methods = registrations(&first, "registrations");
    methods.sort();
    assert_eq!(
        methods,
        [
            "textDocument/completion",
            "workspace/didChangeConfiguration",
            "workspace/didChangeWatchedFiles"
        ]
    );
    let settings = json!({"settings": {"costlens": {"features": {"completion": false}}}});
    client.notify("workspace/didChangeConfiguration", settings);
    let withdrawn = client.wait("withdrawal", |m| {
        m["method"] == "client/unregisterCapability"
    });
    assert_eq!(
        registrations(&withdrawn, "unregisterations"),
        ["textDocument/completion"]
    );
    let next = client.wait("registration", |m| {
        m["method"] == "client/registerCapability"
    });
    assert_eq!(
        registrations(&next, "registrations"),
        ["textDocument/foldingRange"]
    );
}

#[test]
fn settings_that_do_not_come_are_asked_for() {
    let (mut client, _) =
        Client::initialized(json!({"workspace": {"configuration": true}}), Value::Null);
    client.answer(
        "workspace/configuration",
        &json!([{"hints": {"enable": false}}]),
    );
    client.open(URI, TEXT);
    client.eventually("no hints", |c| c.hints(URI).is_empty());
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": null}),
    );
    client.answer(
        "workspace/configuration",
        &json!([{"hints": {"enable": true}}]),
    );
    client.eventually("hints", |c| !c.hints(URI).is_empty());
}

#[test]
fn who_asks_for_diagnostics_is_not_sent_any() {
    let asks = json!({"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": true}}});
    let (mut client, answer) = Client::initialized(asks, Value::Null);
    assert_eq!(
        answer["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"],
        false
    );
    client.open(URI, "p(X) :- p(X.\n");
    let document = json!({"textDocument": {"uri": URI}});
    let report = client.request("textDocument/diagnostic", document.clone());
    assert_eq!(report["kind"], "full");
    assert_eq!(report["items"][0]["code"], "syntax");
    client.change(URI, 2, [0, 11, 0, 11], ")");
    let report = client.request("textDocument/diagnostic", document.clone());
    assert_eq!(report["items"], json!([]));
    // Settings that change the findings.
    let settings = json!({"settings": {"costlens": {"diagnostics": {"enable": false}}}});
    client.notify("workspace/didChangeConfiguration", settings);
    client.wait("refresh", |m| m["method"] == "workspace/diagnostic/refresh");
    client.notify("textDocument/didClose", document.clone());
    let report = client.request("textDocument/diagnostic", document);
    assert_eq!(report["items"], json!([]));
    assert!(!client.has_kept("textDocument/publishDiagnostics"));
}

#[test]
fn an_edit_elsewhere_does_not_cost_a_question_its_answer() {
    let other = "file:///other.pl";
    let calls: String = (0..300)
        .map(|i| format!("c{i}(Xs, Ys) :- rev(Xs, Zs), rev(Zs, Ys).\n"))
        .collect();
    let (mut client, _) = Client::initialized(json!({}), json!({}));
    client.open(other, "q(1).\n");
    let params = json!({
        "textDocument": {"uri": URI},
        "position": at("rev(Xs, Zs)", 0, 0),
        "context": {"includeDeclaration": false},
    });
    let mut asked = Vec::new();
    client.open(URI, &format!("{TEXT}{calls}"));
    for version in 2..12 {
        asked.push(client.ask("textDocument/references", params.clone()));
        client.change(other, version, [0, 2, 0, 3], &version.to_string());
    }
    for id in asked {
        let answer = client.wait("an answer", |m| {
            m["id"] == json!(id) && m["method"].is_null()
        });
        let found = answer["result"].as_array().map(Vec::len);
        assert_eq!(found, Some(602), "{answer}");
    }
}

#[test]
fn files_that_are_closed_are_read_from_the_disk_and_watched() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let uri = |name: &str| format!("file://{}", path(name).display());
    let (main, helper) = (uri("main.pl"), uri("helper.pl"));
    let short = ":- module(helper, [q/1]).\nq(_).\n";
    std::fs::write(path("helper.pl"), short).unwrap();
    let mut client = Client::plain();
    client.open(&main, ":- use_module(helper).\np(X) :- q(X).\n");
    client.open(&helper, short);
    let ends_with = |steps: &'static str, uri: String| {
        move |c: &mut Client| c.hints(&uri).first().is_some_and(|h| h.2.ends_with(steps))
    };
    client.eventually("two steps", ends_with(" 2", main.clone()));
    // A definition in another file.
    let params = json!({"textDocument": {"uri": main}, "position": {"line": 1, "character": 8}});
    let found = client.request("textDocument/definition", params.clone());
    assert_eq!(
        (found["uri"].as_str(), &found["range"]["start"]["line"]),
        (Some(helper.as_str()), &json!(1))
    );
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": helper}}),
    );
    client.eventually("still two steps", ends_with(" 2", main.clone()));
    assert_eq!(
        client.request("textDocument/definition", params)["uri"],
        helper
    );
    std::fs::write(
        path("helper.pl"),
        ":- module(helper, [q/1]).\nq(X) :- r(X).\nr(_).\n",
    )
    .unwrap();
    let changed = json!({"changes": [{"uri": helper, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changed);
    client.eventually("three steps", ends_with(" 3", main));
}
