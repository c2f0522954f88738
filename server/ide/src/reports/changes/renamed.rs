//! Detects renamed files in a lockfile by the predicates that they define, as Git detects them by their lines.

use std::collections::{BTreeMap, BTreeSet};

use super::LockRow;

/// Returns the lockfile rows with the current names of their files. `now` lists the predicates that each file defines. A file without
/// predicates counts as deleted. It counts as renamed to a new file if at least half of the predicates of the larger of the two files occur
/// in both. Among several candidates, the file with the most common predicates is chosen.
#[must_use]
pub fn with_new_names(before: &[LockRow], now: &[(String, Vec<String>)]) -> Vec<LockRow> {
    let names = renamed(before, now);
    let row = |row: &LockRow| LockRow {
        file: names
            .get(row.file.as_str())
            .map_or(&row.file, |n| n)
            .clone(),
        ..row.clone()
    };
    before.iter().map(row).collect()
}

fn renamed<'a>(
    before: &'a [LockRow],
    now: &'a [(String, Vec<String>)],
) -> BTreeMap<&'a str, String> {
    let mut old: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in before {
        let defined = old.entry(row.file.as_str()).or_default();
        defined.insert(row.predicate.as_str());
    }
    let mut new: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (file, defined) in now {
        if defined.is_empty() || old.contains_key(file.as_str()) {
            continue;
        }
        new.insert(file.as_str(), defined.iter().map(String::as_str).collect());
    }
    let gone = now.iter().filter(|(_, defined)| defined.is_empty());
    let mut found = BTreeMap::new();
    for (file, _) in gone {
        let Some(was) = old.get(file.as_str()) else {
            continue;
        };
        let common = |is: &BTreeSet<&str>| is.intersection(was).count();
        let like = |is: &BTreeSet<&str>| 2 * common(is) >= was.len().max(is.len());
        let best = (new.iter().filter(|(_, is)| like(is))).max_by_key(|(_, is)| common(is));
        if let Some(name) = best.map(|(&name, _)| name) {
            new.remove(name);
            found.insert(file.as_str(), name.to_owned());
        }
    }
    found
}
