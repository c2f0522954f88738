//! Checks in an installed SWI-Prolog that the arguments that the catalogue marks as lists are proper lists whenever a call succeeds.
//!
//! Without `swipl` the test prints a note and does nothing, unless `CI` is set.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use costlens_catalog::{Home, SystemPredicate, system_predicates};

/// Formats `row('lists', 'append', 3, [1]).`
fn row(p: &SystemPredicate) -> String {
    let home = match p.home {
        Home::System | Home::User => "system",
        Home::Library(name) => name,
    };
    let lists: Vec<String> = (p.proper_lists.iter())
        .map(|i| (i + 1).to_string())
        .collect();
    format!(
        "row('{home}', '{}', {}, [{}]).\n",
        p.name,
        p.arity,
        lists.join(",")
    )
}

/// Returns the calls after which a marked argument is not a list, or `None` if SWI-Prolog is not installed.
fn wrong(rows: &str) -> Option<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/proper_lists.pl");
    let child = Command::new("swipl")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        assert!(
            std::env::var_os("CI").is_none(),
            "swipl is not installed, and CI is set"
        );
        return None;
    };
    child
        .stdin
        .take()
        .unwrap()
        .write_all(rows.as_bytes())
        .unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success(), "{out:?}");
    Some(String::from_utf8_lossy(&out.stdout).into_owned())
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
