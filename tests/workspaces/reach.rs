//! The definition that each call of a folder's files reaches: according to *go to definition*, and in SWI-Prolog.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use costlens_ide::host::{File, Host};

use super::compare::Report;
use crate::generate::{self, NAMES};

/// A call: file, module before it or `-`, name, arity.
type Call = (String, String, String, usize);

/// Compares the calls in the clauses of a workspace, which are on a line each. Calls with a shown definition count as known.
pub(crate) fn compare(folder: &Path, files: &[generate::File]) -> Report {
    let ours = definitions(folder, files);
    let calls: BTreeSet<&Call> = ours.keys().collect();
    let theirs = in_swi(folder, &calls);
    let mut report = Report::default();
    for (call, (there, line)) in theirs {
        let Some(places) = ours.get(&call) else {
            continue;
        };
        report.compared += 1;
        report.known += usize::from(!places.is_empty());
        let is_ours = |there: &str| files.iter().any(|(name, _)| *name == there);
        // A file's own clauses are also shown if SWI-Prolog refuses or replaces them; their bounds are then unknown, which the steps check.
        let is_own = places.iter().all(|(file, _)| *file == call.0);
        let is_right = match is_ours(&there) {
            _ if is_own => true,
            // A definition in several files consists of all of these.
            true => places.is_empty() || places.contains(&(there.clone(), line)),
            false if there == "declared" => true,
            false => !places.iter().any(|(file, _)| is_ours(file)),
        };
        if !is_right {
            let (file, module, name, arity) = &call;
            (report.wrong).push(format!(
                "{file}: {module}:{name}/{arity} reaches {there}:{line}, shown at {places:?}"
            ));
        }
    }
    report
}

/// Returns the place where *go to definition* leads from each call, file and line; calls of one name in a file lead to one place.
fn definitions(folder: &Path, files: &[generate::File]) -> BTreeMap<Call, Vec<(String, u64)>> {
    let mut host = Host::new();
    let opened: Vec<File> = (files.iter())
        .map(|(name, text)| host.open_at(name, &folder.join(name).display().to_string(), text))
        .collect();
    let snapshot = host.snapshot();
    let mut found = BTreeMap::new();
    for (&file, (name, text)) in opened.iter().zip(files) {
        for (offset, module, callee, arity) in calls_in(text) {
            let places = snapshot.definition(file, offset).unwrap();
            let places = places.iter().filter_map(|place| {
                let (name, text) = snapshot.document(place.file).unwrap();
                let before = text[..place.selection.start].matches('\n').count();
                // If nothing known defines it, its declaration is shown.
                let is_declared = text.lines().nth(before)?.starts_with(":-");
                (!is_declared).then(|| (name, before as u64 + 1))
            });
            let call = ((*name).to_owned(), module, callee.to_owned(), arity);
            found.insert(call, places.collect());
        }
    }
    found
}

/// Returns the calls of known names in the bodies of clauses: offset, module, name, arity.
fn calls_in(text: &str) -> Vec<(usize, String, &'static str, usize)> {
    let (mut found, mut start) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let body = line.find(" :- ").filter(|_| !line.starts_with(":-"));
        for (name, arity) in NAMES {
            for (at, _) in line.match_indices(&format!("{name}(")) {
                let before = &line[..at];
                if body.is_none_or(|body| at < body)
                    || before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
                {
                    continue;
                }
                let module = before.strip_suffix(':').map_or("-", |m| {
                    let word = m.rsplit(|c: char| !c.is_alphanumeric() && c != '_');
                    { word }.next().unwrap_or("-")
                });
                found.push((start + at, module.to_owned(), name, arity));
            }
        }
        start += line.len();
    }
    found
}

/// Returns the definitions in SWI-Prolog.
fn in_swi(folder: &Path, calls: &BTreeSet<&Call>) -> Vec<(Call, (String, u64))> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/workspaces/reach.pl");
    let mut asked = String::from("[");
    for (i, (file, module, name, arity)) in calls.iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        let _ = write!(asked, "{comma}call('{file}', {module}, {name}, {arity})");
    }
    asked.push_str("].\n");
    let mut child = Command::new("timeout")
        .args([
            // Some cycles of base modules put SWI-Prolog into an endless loop that cannot be interrupted.
            "-s",
            "KILL",
            "20",
            "swipl",
            "-q",
            "-f",
            "none",
            "-g",
            "'$costlens_reach':go",
            "-t",
            "halt",
        ])
        .arg(script.canonicalize().unwrap())
        .current_dir(folder.canonicalize().unwrap())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(asked.as_bytes())
        .unwrap();
    let out = child.wait_with_output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    let rows = text.lines().filter_map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[file, module, name, arity, there, at] = fields.as_slice() else {
            return None;
        };
        let call = (
            file.to_owned(),
            module.to_owned(),
            name.to_owned(),
            arity.parse().ok()?,
        );
        Some((call, (there.to_owned(), at.parse().ok()?)))
    });
    rows.collect()
}
