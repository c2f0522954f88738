//! Quick fixes for a selection: what is there is answered at once, the rest at a later request.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::json;

use crate::client::Client;

const URI: &str = "file:///bulbs.pl";

/// Returns predicates that each have a cheaper variant.
fn slow_reversals(many: usize) -> String {
    let one = |k: usize| {
        format!(
            "%! turn{k}(+Xs:list, -Ys:list) is det.\nturn{k}([], []).\nturn{k}([X|Xs], Ys) :- turn{k}(Xs, Zs), append(Zs, [X], Ys).\n"
        )
    };
    (0..many).map(one).collect()
}

fn titles(client: &mut Client, from: u32, to: u32) -> BTreeSet<String> {
    let params = json!({
        "textDocument": {"uri": URI},
        "range": {"start": {"line": from, "character": 0}, "end": {"line": to, "character": 0}},
        "context": {"diagnostics": [], "only": ["quickfix"]},
    });
    let answer = client.request("textDocument/codeAction", params);
    let all = answer.as_array().cloned().unwrap_or_default().into_iter();
    all.map(|action| format!("{} {}", action["title"], action["edit"]))
        .collect()
}

#[test]
fn a_selection_of_many_predicates_gets_all_quick_fixes_in_the_end() {
    const MANY: u32 = 12;
    let text = slow_reversals(MANY as usize);
    let (mut client, _) = Client::initialized(json!({}), json!({"library": "none"}));
    client.open(URI, &text);
    let whole = |client: &mut Client| titles(client, 0, 3 * MANY);
    let mut found = whole(&mut client);
    // Each request gets what the search has found so far.
    for _ in 0..20_000 {
        if found.len() >= MANY as usize {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
        let more = whole(&mut client);
        assert!(more.is_superset(&found), "a quick fix has gone");
        found = more;
    }
    let each: BTreeSet<String> = (0..MANY)
        .flat_map(|k| titles(&mut client, 3 * k + 1, 3 * k + 1))
        .collect();
    assert!(each.len() >= MANY as usize, "{each:?}");
    assert!(found.is_superset(&each), "{found:?}");
}

#[test]
fn a_cursor_waits_for_its_predicate() {
    let (mut client, _) = Client::initialized(json!({}), json!({"library": "none"}));
    client.open(URI, &slow_reversals(12));
    assert!(!titles(&mut client, 34, 34).is_empty());
}
