//! Assertions of what was inferred hold.

use std::path::Path;

use costlens_analysis::verdict::Verdict;

use crate::with_library;

/// Longer fixtures are left out: each offer is looked for at every predicate.
const LONGEST: usize = 2_500;

#[test]
fn inferred_bounds_that_are_inserted_are_proved() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let mut inserted = 0;
    let mut paths: Vec<_> = (std::fs::read_dir(fixtures).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "pl"))
        .collect();
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        if text.len() > LONGEST {
            continue;
        }
        let mut host = with_library();
        let file = host.open("a.pl", &text);
        let all = host
            .snapshot()
            .code_actions(file, 0..text.len(), None)
            .unwrap();
        let mut edits: Vec<_> = (all.iter())
            .filter(|a| a.rule.id() == "assert-inferred")
            .filter(|a| !a.title.contains("`check`"))
            .flat_map(|a| &a.edits)
            .collect();
        edits.sort_by_key(|e| std::cmp::Reverse(e.range.start));
        let mut with_assertions = text.clone();
        for edit in &edits {
            with_assertions.replace_range(edit.range.clone(), &edit.text);
        }
        let stated = |text: &str| {
            let mut host = with_library();
            let file = host.open("a.pl", text);
            let checked = host.snapshot().check(file, None, None).unwrap();
            let costs = checked.assertions.into_iter().filter(|a| {
                a.judged.resource.as_deref() == Some("steps")
                    && a.judged.verdict != Verdict::Checked
            });
            costs
                .map(|a| (a.judged.predicate, a.judged.text))
                .collect::<Vec<_>>()
        };
        let (before, after) = (stated(&text), stated(&with_assertions));
        let unproved: Vec<_> = after.iter().filter(|a| !before.contains(a)).collect();
        assert!(unproved.is_empty(), "{}: {unproved:?}", path.display());
        inserted += edits.len();
    }
    assert!(inserted > 100, "{inserted}");
}
