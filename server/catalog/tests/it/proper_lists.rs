//! Checks in an installed SWI-Prolog that the arguments that the catalogue marks as lists are proper lists whenever a call succeeds.
//!
//! Without `swipl` the test prints a note and does nothing, unless `CI` is set.

use costlens_catalog::{SystemPredicate, system_predicates};

use crate::swi;

/// Formats `row('lists', 'append', 3, [1]).`
fn row(p: &SystemPredicate) -> String {
    let lists = p.proper_lists.iter().map(|i| (i + 1).to_string());
    let lists: Vec<String> = lists.collect();
    let (home, lists) = (swi::home(p.home), lists.join(","));
    format!("row('{home}', '{}', {}, [{lists}]).\n", p.name, p.arity)
}

/// Returns the calls after which a marked argument is not a list, or `None` if SWI-Prolog is not installed.
fn wrong(rows: &str) -> Option<String> {
    swi::printed("proper_lists.pl", rows)
}

#[test]
fn marked_arguments_are_proper_lists_after_success() {
    let marked = system_predicates().iter();
    let marked: Vec<&SystemPredicate> = marked.filter(|p| !p.proper_lists.is_empty()).collect();
    assert!(marked.len() > 40);
    let rows: String = marked.into_iter().map(row).collect();
    if let Some(wrong) = wrong(&rows) {
        assert_eq!(wrong, "");
    }
    // The whole of `append/3` need not be a list.
    if let Some(wrong) = wrong("row(lists, append, 3, [3]).\n") {
        assert!(wrong.contains("append("), "{wrong}");
    }
}
