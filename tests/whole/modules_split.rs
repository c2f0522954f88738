//! A program that is split into two modules has the same bounds as in one file.
//!
//! Each fixture's components are split somewhere: the lower ones go into a separate module, which the rest imports. Declared patterns are
//! compared, bound by bound; guesses may differ, since they depend on callers within a file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use costlens_analysis::queries::Database;
use costlens_analysis::report::{Origin, PredicateReport};
use costlens_ide::host::Host;
use costlens_program::{Clause, Functor, Role, SourceFile, components};
use costlens_syntax::{Parsed, read_text};

fn fixtures() -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here
        .ancestors()
        .find(|d| d.join("tests/fixtures.rs").is_file())
        .unwrap();
    let mut files: Vec<PathBuf> = std::fs::read_dir(root.join("tests/fixtures"))
        .unwrap()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "pl"))
        .collect();
    files.sort();
    files
}

/// Returns the text with the clauses of some predicates blanked out.
fn without(text: &str, out: impl Fn(&Functor) -> bool) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for clause in read_text(text).clauses {
        if let Some((functor, _)) = Clause::from_term(&clause.terms, clause.root)
            && out(&functor)
        {
            for byte in &mut bytes[clause.range.0..clause.range.1] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// Returns the written predicates of each component, bottom-up.
fn order(text: &str) -> Vec<Vec<Functor>> {
    let db = Database::new();
    let file = SourceFile::new(&db, "whole.pl".to_owned(), Parsed::new(text), Role::User);
    let written = |f: &&Functor| {
        costlens_program::find(&db, file, f).is_some_and(|p| !costlens_program::is_made(&db, p))
    };
    let all = components(&db, file).order.iter();
    all.map(|c| c.members(&db).iter().filter(written).cloned().collect())
        .filter(|c: &Vec<_>| !c.is_empty())
        .collect()
}

/// Returns the report about the declared patterns.
fn declared(report: &PredicateReport) -> Vec<String> {
    let patterns = report.patterns.iter();
    patterns
        .filter(|p| matches!(p.origin, Origin::Declared | Origin::Entry))
        .map(|p| {
            let sides = (
                &p.steps,
                &p.outputs,
                &p.solutions,
                p.determinism,
                p.errors_possible,
            );
            format!("{:?}\n{sides:#?}", p.pattern)
        })
        .collect()
}

#[test]
fn a_cut_changes_no_bound() {
    let (mut compared, mut cuts) = (0, 0);
    for path in fixtures() {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut host = Host::new();
        let whole = host.open("whole.pl", &text);
        let whole_bounds = host.snapshot().bounds(whole).unwrap();
        let components = order(&text);
        // Types are visible only in the file that defines them, as are a file's declarations about closures and expansions.
        if text.contains("regtype") || text.contains("_expansion") || text.contains(":- module") {
            continue;
        }
        // The trees that clauses suggest are not visible from other files either.
        if name == "trees_with_variables.pl" {
            continue;
        }
        // Unreadable text affects its neighbouring predicates, which a split changes.
        if read_text(&text).clauses.iter().any(|c| c.error.is_some()) {
            continue;
        }
        let count = components.len();
        // One split each, somewhere: trying all of them takes too long.
        for at in [count * (1 + name.len() % 3) / 4] {
            if at == 0 || at >= count {
                continue;
            }
            cuts += 1;
            let low: BTreeSet<Functor> = components[..at].iter().flatten().cloned().collect();
            let exported: Vec<String> = low
                .iter()
                .map(|f| format!("{}/{}", quoted(&f.name), f.arity))
                .collect();
            let below = without(&text, |f| !low.contains(f));
            // A predicate that calls its argument then searches for it in another module, unless this is declared.
            if below.contains("call(") {
                continue;
            }
            let above = without(&text, |f| low.contains(f));
            let mut host = Host::new();
            host.add(
                "low.pl",
                &format!(":- module(low, [{}]). {below}", exported.join(", ")),
            );
            let main = host.open("main.pl", &format!(":- use_module(low). {above}"));
            let found = host.snapshot().bounds(main).unwrap();
            for p in &found.predicates {
                let before = (whole_bounds.predicates.iter())
                    .find(|b| b.report.predicate == p.report.predicate)
                    .unwrap();
                let (before, after) = (declared(&before.report), declared(&p.report));
                compared += after.len();
                assert_eq!(before, after, "{name}, cut at {at}: {}", p.report.predicate);
            }
        }
    }
    assert!(
        cuts > 40 && compared > 100,
        "{cuts} cuts, {compared} patterns"
    );
}

fn quoted(name: &str) -> String {
    format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'"))
}
