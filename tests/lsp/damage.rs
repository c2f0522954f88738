//! The display in an editor while a clause is being typed.

use crate::client;

use client::{Client, hint_params};

const URI: &str = "file:///typing.pl";
const TEXT: &str = "\
%! far(+Xs:list) is det.
far([]).
far([_|Xs]) :- far(Xs).

%! before(+Xs:list) is det.
before([]).
before([_|Xs]) :- before(Xs).

%! after(+Xs:list) is det.
after([]).
after([_|Xs]) :- after(Xs).

%! far_too(+Xs:list) is det.
far_too(Xs) :- far(Xs).

%! calls(+Xs:list) is det.
calls(Xs) :- after(Xs).
";

fn hint(line: u64, character: u64, label: &str) -> (u64, u64, String) {
    (line, character, label.to_owned())
}

#[test]
fn while_a_clause_is_typed_the_costs_of_before_stay_in_brackets() {
    let mut client = Client::plain();
    client.open(URI, TEXT);
    let whole = [
        hint(1, 8, "O(n)  n+1"),
        hint(5, 11, "O(n)  n+1"),
        hint(9, 10, "O(n)  n+1"),
        hint(13, 23, "O(n)  n+2"),
        hint(16, 23, "O(n)  n+2"),
    ];
    client.eventually("hints", |c| c.hints(URI) == whole);
    // A new clause between two others.
    client.change(URI, 2, [7, 0, 7, 0], "\nbetween(X) :-\n    far(X)\n");
    let damaged = [
        hint(1, 8, "O(n)  n+1"),
        hint(5, 11, "O(n)  n+1"),
        hint(12, 10, "(O(n)  n+1)"),
        hint(16, 23, "O(n)  n+2"),
        hint(19, 23, "(O(n)  n+2)"),
    ];
    client.eventually("hints in brackets", |c| c.hints(URI) == damaged);
    let diagnostics = client.diagnostics(URI, Some(2));
    let [missing] = &diagnostics[..] else {
        panic!("{diagnostics:?}");
    };
    assert_eq!(
        missing["message"],
        "a full stop is missing at the end of line 10"
    );
    assert_eq!(missing["range"]["start"]["line"], 9);
    assert_eq!(missing["range"]["start"]["character"], 10);
    let hints = client.request("textDocument/inlayHint", hint_params(URI));
    let resolved = client.request("inlayHint/resolve", hints[2].clone());
    assert_eq!(
        resolved["tooltip"],
        "incomplete: line 10 could not be read; this was the cost before"
    );
    // The full stop.
    client.change(URI, 3, [9, 10, 9, 10], ".");
    client.eventually("the hints of before", |c| {
        let hints = c.hints(URI);
        hints.len() == 6
            && hints
                .iter()
                .all(|h| h.2.contains("O(n)") && !h.2.starts_with('('))
    });
}

#[test]
fn a_predicate_keeps_its_hint_while_its_only_clause_is_typed() {
    let mut client = Client::plain();
    client.open(URI, TEXT);
    client.eventually("hints", |c| c.hints(URI).len() == 5);
    client.change(URI, 2, [13, 22, 13, 23], "");
    client.eventually("hints in brackets", |c| {
        let hints = c.hints(URI);
        hints.contains(&hint(13, 22, "(O(n)  n+2)")) && hints.contains(&hint(1, 8, "O(n)  n+1"))
    });
}

#[test]
fn what_was_damaged_from_the_beginning_is_unknown() {
    let mut client = Client::plain();
    let damaged = TEXT.replace("before(Xs).\n\n%! after", "before(Xs\n\n%! after");
    client.open(URI, &damaged);
    client.eventually("hints", |c| {
        c.hints(URI)
            == [
                hint(1, 8, "O(n)  n+1"),
                hint(5, 11, "cost ?"),
                hint(9, 10, "cost ?"),
                hint(13, 23, "O(n)  n+2"),
                hint(16, 23, "cost ?"),
            ]
    });
}
