//! Tests that assertions of inferred bounds hold.

use std::path::Path;

use costlens_analysis::verdict::Verdict;
use costlens_ide::diagnostics::rules;
use costlens_ide::host::{Edit, Host};

use crate::with_library;

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
        let mut host = with_library();
        let file = host.open("a.pl", &text);
        let all = host
            .snapshot()
            .actions_by(file, 0..text.len(), None, &[&rules::ASSERT_INFERRED])
            .unwrap();
        let mut edits: Vec<Edit> = (all.into_iter())
            .filter(|a| !a.title.contains("`check`"))
            .flat_map(|a| a.edits)
            .collect();
        // Edits are applied from last to first, so that none shifts another.
        edits.sort_by_key(|e| std::cmp::Reverse(e.range.start));
        inserted += edits.len();
        let stated = |host: &Host| {
            let checked = host.snapshot().check(file, None, None).unwrap();
            let costs = checked.assertions.into_iter().filter(|a| {
                a.judged.resource.as_deref() == Some("steps")
                    && a.judged.verdict != Verdict::Checked
            });
            costs
                .map(|a| (a.judged.predicate, a.judged.text))
                .collect::<Vec<_>>()
        };
        let before = stated(&host);
        host.edit(file, &edits);
        let after = stated(&host);
        let unproved: Vec<_> = after.iter().filter(|a| !before.contains(a)).collect();
        assert!(unproved.is_empty(), "{}: {unproved:?}", path.display());
    }
    assert!(inserted > 100, "{inserted}");
}
